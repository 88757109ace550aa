/// @file lanes.h  A warp, on a GPU and emulated: 32 lanes that work in step.
///
/// What differs between lanes is an array of FRC_LANES elements, and a loop over FRC_EACH_LANE
/// computes it. On a GPU each thread has an array of one element, and the loop runs once. Compiled
/// as C17 the array has 32 elements and the loop runs over all lanes: one thread is the whole warp.
/// Functions of this file exchange values between lanes, so they are called outside of such loops,
/// and by all lanes.
///
/// FRC_SHARED(type, name) is memory that the lanes of a warp share, `name` a pointer to it; what
/// one lane writes others read after frc_sync_warp().
#pragma once
#include "base/host_device.h"
#include <stdbool.h>
#include <stdint.h>

enum { FRC_WARP = 32, FRC_BLOCK_WARPS = 4 };

#if defined(__CUDACC__)

enum { FRC_LANES = 1 };
#define FRC_SHARED(type, name)                                                                     \
    __shared__ type name##_of_block[FRC_BLOCK_WARPS];                                              \
    type* const name = &name##_of_block[threadIdx.x / FRC_WARP]
#define FRC_ALL_LANES 0xffffffffu
#define FRC_LANE(i) (threadIdx.x % FRC_WARP)

FRC_DEVICE static inline uint32_t frc_popcount(uint32_t bits) {
    return (uint32_t)__popc((int)bits);
}
FRC_DEVICE static inline uint32_t frc_lowest_bit(uint32_t bits) {
    return (uint32_t)(__ffs((int)bits) - 1);
}

FRC_DEVICE static inline void frc_sync_warp(void) { __syncwarp(); }

/// One bit for each lane.
FRC_DEVICE static inline uint32_t frc_ballot(const bool* on) {
    return __ballot_sync(FRC_ALL_LANES, on[0]);
}

/// Replace counts by the sums of those of lower lanes; returns the sum of all.
FRC_DEVICE static inline uint32_t frc_scan(uint32_t* count) {
    const uint32_t lane = FRC_LANE(0), own = count[0];
    uint32_t sum = own;
    for (uint32_t step = 1; step < FRC_WARP; step *= 2) {
        const uint32_t below = __shfl_up_sync(FRC_ALL_LANES, sum, step);
        sum += lane >= step ? below : 0;
    }
    count[0] = sum - own;
    return __shfl_sync(FRC_ALL_LANES, sum, FRC_WARP - 1);
}

/// The minimum over all lanes.
FRC_DEVICE static inline float frc_warp_min(const float* value) {
    float least = value[0];
    for (int step = FRC_WARP / 2; step > 0; step /= 2) {
        const float other = __shfl_xor_sync(FRC_ALL_LANES, least, step);
        least = other < least ? other : least;
    }
    return least;
}

FRC_DEVICE static inline uint64_t frc_warp_least(const uint64_t* value) {
    unsigned long long least = value[0];
    for (int step = FRC_WARP / 2; step > 0; step /= 2) {
        const unsigned long long other = __shfl_xor_sync(FRC_ALL_LANES, least, step);
        least = other < least ? other : least;
    }
    return least;
}

/// Add to a counter that other warps add to, once for the warp; returns its value before.
FRC_DEVICE static inline uint64_t frc_take(uint64_t* counter, uint32_t count) {
    unsigned long long before = 0;
    if (FRC_LANE(0) == 0 && count > 0)
        before = atomicAdd((unsigned long long*)counter, (unsigned long long)count);
    return __shfl_sync(FRC_ALL_LANES, before, 0);
}

/// The same for one lane alone.
FRC_DEVICE static inline uint32_t frc_take_one(uint32_t* counter) {
    return (uint32_t)atomicAdd((unsigned*)counter, 1u);
}

/// The counter becomes at least this value; for one lane alone.
FRC_DEVICE static inline void frc_raise(uint64_t* counter, uint64_t value) {
    if (*(volatile uint64_t*)counter < value)
        atomicMax((unsigned long long*)counter, (unsigned long long)value);
}
FRC_DEVICE static inline void frc_least_one(uint64_t* least, uint64_t value) {
    atomicMin((unsigned long long*)least, (unsigned long long)value);
}

#else

enum { FRC_LANES = FRC_WARP };
#define FRC_LANE(i) ((uint32_t)(i))
#define FRC_SHARED(type, name)                                                                     \
    type name##_of_block;                                                                          \
    type* const name = &name##_of_block

static inline uint32_t frc_popcount(uint32_t bits) { return (uint32_t)__builtin_popcount(bits); }
static inline uint32_t frc_lowest_bit(uint32_t bits) { return (uint32_t)__builtin_ctz(bits); }

static inline void frc_sync_warp(void) {}

static inline uint32_t frc_ballot(const bool* on) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < FRC_WARP; i++) bits |= (uint32_t)on[i] << i;
    return bits;
}

static inline uint32_t frc_scan(uint32_t* count) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < FRC_WARP; i++) {
        const uint32_t own = count[i];
        count[i] = sum;
        sum += own;
    }
    return sum;
}

static inline float frc_warp_min(const float* value) {
    float least = value[0];
    for (uint32_t i = 1; i < FRC_WARP; i++) least = value[i] < least ? value[i] : least;
    return least;
}

static inline uint64_t frc_warp_least(const uint64_t* value) {
    uint64_t least = value[0];
    for (uint32_t i = 1; i < FRC_WARP; i++) least = value[i] < least ? value[i] : least;
    return least;
}

static inline uint64_t frc_take(uint64_t* counter, uint32_t count) {
    const uint64_t before = *counter;
    *counter += count;
    return before;
}

static inline uint32_t frc_take_one(uint32_t* counter) {
    const uint32_t before = *counter;
    *counter += 1;
    return before;
}

static inline void frc_raise(uint64_t* counter, uint64_t value) {
    *counter = *counter < value ? value : *counter;
}
static inline void frc_least_one(uint64_t* least, uint64_t value) {
    *least = value < *least ? value : *least;
}

#endif

#define FRC_EACH_LANE(i) for (int i = 0; i < (int)FRC_LANES; i++)
