/// @file arithmetic.h  Refuses compiler flags that break IEEE arithmetic.
///
/// The build includes it before every source of the library (src/CMakeLists.txt). Error bounds
/// assume one rounding per operation in the order written, empty slots are NaN, and boxes may be
/// infinite: with -ffast-math the library would compile, but lose contacts and crash.
#pragma once

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "Fracas needs IEEE arithmetic: build it without -ffast-math, -Ofast and the like"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0
#error "Fracas needs IEEE arithmetic: build it without -ffinite-math-only"
#endif
