# Options, warnings and arithmetic flags, in one place.

option(FRACAS_TESTS "Build the tests (needs cmocka and GMP)" ${PROJECT_IS_TOP_LEVEL})
option(FRACAS_BENCHMARKS "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(FRACAS_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(FRACAS_PEERS "Build the comparison with Embree, FCL, CGAL and Bullet where they are found" OFF)
option(FRACAS_FUZZ "Build the libFuzzer programs (needs clang)" OFF)
option(FRACAS_WERROR "Treat warnings as errors" OFF)
option(FRACAS_INSTALL "Make install rules for library, headers and programs" ${PROJECT_IS_TOP_LEVEL})
option(FRACAS_COVERAGE "Count which lines run (gcc or clang, gcov format)" OFF)
option(BUILD_SHARED_LIBS "Install a shared library instead of a static one" OFF)
set(FRACAS_VIEWER "AUTO" CACHE STRING "The page of --report: ON, OFF, or AUTO (if Node and npm are there)")
set_property(CACHE FRACAS_VIEWER PROPERTY STRINGS AUTO ON OFF)
set(FRACAS_CUDA "OFF" CACHE STRING "libfracas-cuda: ON, OFF, AUTO (if nvcc is there), or EMULATED on the host, for tests")
set_property(CACHE FRACAS_CUDA PROPERTY STRINGS AUTO ON OFF EMULATED)
set(FRACAS_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")
set(FRACAS_SIMD "auto" CACHE STRING "auto (NEON, SSE4.2 or scalar), sse2, avx2, or scalar")
set_property(CACHE FRACAS_SIMD PROPERTY STRINGS auto sse2 avx2 scalar)

# Before version 1.0 a minor version may break the ABI, a patch version may not.
set(FRACAS_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(EMSCRIPTEN)
    set(CMAKE_POSITION_INDEPENDENT_CODE OFF)  # no shared libraries
    # Memory grows until malloc returns NULL; Node loads the module before it runs it.
    add_link_options(-sALLOW_MEMORY_GROWTH=1 -sWASM_ASYNC_COMPILATION=0)
endif()

# What the library links: also in fracas.pc and in the CMake package.
find_package(Threads REQUIRED)
set(FRACAS_LIBRARIES m)
# gcc for riscv64 calls libatomic for atomic operations on single bytes, other targets for those on
# 8 bytes. The program has one operation of each size and kind that src/ uses.
include(CheckCSourceCompiles)
set(atomic_source "
    #include <stdatomic.h>
    #include <stdint.h>
    atomic_bool flag; _Atomic uint8_t byte; _Atomic uint32_t word; _Atomic uint64_t number; _Atomic(void*) pointer;
    int main(void) {
        _Bool no = 0;
        atomic_compare_exchange_strong(&flag, &no, 1);
        uint64_t sum = atomic_exchange(&flag, 1) + atomic_fetch_or(&byte, 1) + atomic_fetch_add(&word, 1);
        sum += atomic_fetch_add(&number, 1) + atomic_load(&number) + (atomic_exchange(&pointer, 0) != 0);
        return (int)sum;
    }")
check_c_source_compiles("${atomic_source}" FRACAS_ATOMICS_BUILT_IN)
if(NOT FRACAS_ATOMICS_BUILT_IN)
    set(CMAKE_REQUIRED_LIBRARIES atomic)
    check_c_source_compiles("${atomic_source}" FRACAS_ATOMICS_IN_LIBATOMIC)
    unset(CMAKE_REQUIRED_LIBRARIES)
    if(NOT FRACAS_ATOMICS_IN_LIBATOMIC)
        message(FATAL_ERROR "${CMAKE_C_COMPILER} cannot link C11 atomics of 1, 4 and 8 bytes, not even with -latomic")
    endif()
    list(APPEND FRACAS_LIBRARIES atomic)
endif()

# Compile flags of everything in this repository. Contraction is off because a fused multiply-add
# would change rounding between machines: the result must be the same everywhere.
add_library(fracas_flags INTERFACE)
target_compile_options(fracas_flags INTERFACE
    -ffp-contract=off -fno-math-errno -fvisibility=hidden
    -Wall -Wextra -Wshadow -Wpointer-arith -Wcast-qual -Wundef
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes -Wvla>)
# `|` of two comparisons is intended: it has no branch.
include(CheckCCompilerFlag)
check_c_compiler_flag(-Wbitwise-instead-of-logical FRACAS_HAS_BITWISE_WARNING)
if(FRACAS_HAS_BITWISE_WARNING)
    target_compile_options(fracas_flags INTERFACE -Wno-bitwise-instead-of-logical)
endif()
# gcc 12 for x86_64 loses roundings when it vectorizes statements: both roundings to float of
# `q[0] = (float)a; q[1] = (float)b;`, with q of doubles (tests/base/test_rounding.c).
set(FRACAS_X86_64 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(FRACAS_X86_64 ON)
endif()
if(FRACAS_X86_64 AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(fracas_flags INTERFACE -fno-tree-slp-vectorize)
endif()
if(FRACAS_WERROR)
    target_compile_options(fracas_flags INTERFACE -Werror)
endif()
if(FRACAS_SIMD STREQUAL "auto" AND EMSCRIPTEN)
    set(FRACAS_SIMD scalar)  # emscripten emulates SSE, not bit for bit
endif()
if(FRACAS_SIMD STREQUAL "scalar")
    target_compile_definitions(fracas_flags INTERFACE FRC_SIMD_SCALAR=1)
elseif(FRACAS_SIMD STREQUAL "avx2")
    target_compile_options(fracas_flags INTERFACE -mavx2)
elseif(FRACAS_SIMD STREQUAL "auto")
    # Every x86_64 processor since 2011 has it; SSE2 alone cannot pick lanes by a mask.
    if(FRACAS_X86_64)
        target_compile_options(fracas_flags INTERFACE -msse4.2 -mpopcnt)
    endif()
elseif(NOT FRACAS_SIMD STREQUAL "sse2")
    message(FATAL_ERROR "FRACAS_SIMD is '${FRACAS_SIMD}'; it takes auto, sse2, avx2 or scalar")
endif()
if(FRACAS_SANITIZE)
    target_compile_options(fracas_flags INTERFACE -fsanitize=${FRACAS_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(fracas_flags INTERFACE -fsanitize=${FRACAS_SANITIZE})
    # Tests that measure time: gcc and clang have no common macro for a sanitizer.
    target_compile_definitions(fracas_flags INTERFACE FRACAS_SANITIZED)
    # gcc reports false overflows in instrumented code; the sanitizer finds the real ones.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        target_compile_options(fracas_flags INTERFACE -Wno-stringop-overflow -Wno-maybe-uninitialized)
    endif()
endif()
if(FRACAS_COVERAGE)
    target_compile_options(fracas_flags INTERFACE --coverage -fprofile-update=atomic)
    target_link_options(fracas_flags INTERFACE --coverage)
endif()

# Tests and benchmarks call internal functions, which a shared library hides. So this repository links
# the static library; BUILD_SHARED_LIBS selects the installed one. In a project that includes Fracas by
# add_subdirectory, BUILD_SHARED_LIBS has its usual meaning.
set(FRACAS_SHARED OFF)
if(PROJECT_IS_TOP_LEVEL AND BUILD_SHARED_LIBS)
    set(FRACAS_SHARED ON)
    set(BUILD_SHARED_LIBS OFF)
endif()
