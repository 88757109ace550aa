/// @file medial_lists.h  Appending to the lists of medial_step.h, a warp at a time.
#pragma once
#include "cuda/lanes.h"
#include "cuda/medial_step.h"

FRC_DEVICE static inline uint64_t frc_medial_stored(const uint64_t* count, uint64_t capacity) {
    return *count < capacity ? *count : capacity;
}

/// Append the items of the lanes that are `on`.
FRC_DEVICE static inline void frc_medial_items_append(const frc_medial_items* list, const bool* on,
                                                      const frc_medial_item* items) {
    const uint32_t bits = frc_ballot(on);
    const uint64_t first = frc_take(list->count, frc_popcount(bits));
    FRC_EACH_LANE(i) {
        const uint64_t at = first + frc_popcount(bits & ((1u << FRC_LANE(i)) - 1));
        if (on[i] && at < list->capacity) list->data[at] = items[i];
    }
}

/// The same for hits: item and the first members of `hits`.
FRC_DEVICE static inline void frc_medial_hits_append(const frc_medial_hits* list, const bool* on,
                                                     const frc_medial_item* items,
                                                     const frc_medial_hit* hits) {
    const uint32_t bits = frc_ballot(on);
    const uint64_t first = frc_take(list->count, frc_popcount(bits));
    FRC_EACH_LANE(i) {
        const uint64_t at = first + frc_popcount(bits & ((1u << FRC_LANE(i)) - 1));
        if (!on[i] || at >= list->capacity) continue;
        frc_medial_device_hit* out = &list->data[at];
        out->item = items[i];
        out->unused = 0;
        out->t = hits[i].t;
        out->gap = hits[i].gap;
        for (int k = 0; k < 3; k++) {
            out->direction[k] = hits[i].direction[k];
            out->point[k] = hits[i].point[k];
        }
    }
}
