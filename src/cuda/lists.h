/// @file lists.h  Reading and appending to the lists of a search, a warp at a time.
#pragma once
#include "cuda/lanes.h"
#include "cuda/step.h"

/// Number of pairs that are stored.
FRC_DEVICE static inline uint64_t frc_list_stored(const frc_pair_list* list) {
    return *list->count < list->capacity ? *list->count : list->capacity;
}

/// Append the pairs of the lanes that are `on`.
FRC_DEVICE static inline void frc_list_append(const frc_pair_list* list, const bool* on,
                                              const frc_slot_pair* pairs) {
    const uint32_t bits = frc_ballot(on);
    const uint64_t first = frc_take(list->count, frc_popcount(bits));
    FRC_EACH_LANE(i) {
        const uint64_t at = first + frc_popcount(bits & ((1u << FRC_LANE(i)) - 1));
        if (on[i] && at < list->capacity) list->pairs[at] = pairs[i];
    }
}

/// The same for hits.
FRC_DEVICE static inline void frc_hits_append(const frc_step* s, const bool* on,
                                              const frc_slot_pair* pairs, const double* toi) {
    const uint32_t bits = frc_ballot(on);
    const uint64_t first = frc_take(s->hit_count, frc_popcount(bits));
    FRC_EACH_LANE(i) {
        const uint64_t at = first + frc_popcount(bits & ((1u << FRC_LANE(i)) - 1));
        if (!on[i] || at >= s->hit_capacity) continue;
        s->hits[at].pair = pairs[i];
        s->hits[at].toi = toi[i];
    }
}

/// The same for whole hits.
FRC_DEVICE static inline void frc_hits_append_all(const frc_step* s, const bool* on,
                                                  const frc_device_hit* hits) {
    const uint32_t bits = frc_ballot(on);
    const uint64_t first = frc_take(s->hit_count, frc_popcount(bits));
    FRC_EACH_LANE(i) {
        const uint64_t at = first + frc_popcount(bits & ((1u << FRC_LANE(i)) - 1));
        if (on[i] && at < s->hit_capacity) s->hits[at] = hits[i];
    }
}

/// The number of pairs that a warp takes at a time where lanes take different branches: lists of
/// few pairs are spread over all warps, as lanes wait for each other.
FRC_DEVICE static inline uint32_t frc_share_of_warp(uint64_t count, uint32_t warps, uint32_t most) {
    const uint64_t share = (count + warps - 1) / warps;
    return share > most ? most : share > 1 ? (uint32_t)share : 1;
}
#define FRC_EACH_SHARE(first, share, count, warp, warps)                                           \
    for (uint64_t first = (uint64_t)(warp) * (share), end_ = (count); first < end_;                \
         first += (uint64_t)(warps) * (share))

/// For 32 pairs of a list at a time: lane i has the pair `first` + FRC_LANE(i), if it is there.
#define FRC_EACH_32(first, count, warp, warps)                                                     \
    for (uint64_t first = (uint64_t)(warp)*FRC_WARP, end_ = (count); first < end_;                 \
         first += (uint64_t)(warps)*FRC_WARP)
