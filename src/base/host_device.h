/// @file host_device.h  Sources that are compiled twice: as C17 for the CPU, and as CUDA for a GPU.
///
/// FRC_DEVICE marks their functions and tables. Such code calls only functions that are marked too,
/// and memcpy, memset, fabs, sqrt, sqrtf and ldexp: nvcc would accept any other function of the C
/// library with a warning, and the call would do nothing.
#pragma once

#if defined(__CUDACC__)
#define FRC_DEVICE __device__
#define FRC_ALIGN(bytes) alignas(bytes)
#define FRC_ON_DEVICE 1
#define FRC_UNROLL _Pragma("unroll")
#define FRC_UNROLL_NOT _Pragma("unroll 1")
#define restrict __restrict__
#define _Static_assert static_assert
#define frc_leading_zeros(x) ((unsigned)__clzll((long long)(x)))
#define frc_trailing_zeros(x) ((unsigned)(__ffsll((long long)(x)) - 1))
#define frc_bit_count(x) __popc((int)(x))
#define frc_trap() __trap()
#else
#define FRC_DEVICE
/// In front of the first member of a struct, which is then read in one piece.
#define FRC_ALIGN(bytes) _Alignas(bytes)
#define FRC_ON_DEVICE 0
/// In front of a loop: for a GPU it is unrolled (so that arrays are in registers), or it is not.
#define FRC_UNROLL
#define FRC_UNROLL_NOT
/// Of 64 bits; the number is not 0.
#define frc_leading_zeros(x) ((unsigned)__builtin_clzll(x))
#define frc_trailing_zeros(x) ((unsigned)__builtin_ctzll(x))
#define frc_bit_count(x) __builtin_popcount(x)
#define frc_trap() __builtin_trap()
#endif
