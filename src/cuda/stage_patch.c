/// @file stage_patch.c  Device code: changes of arrays.
#include "cuda/lists.h"

FRC_DEVICE static void patch(const frc_patch* p, uint32_t warp, uint32_t warps) {
    FRC_EACH_32(first, (uint64_t)p->count * p->words, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i), record = n / p->words;
            if (record < p->count)
                p->to[(uint64_t)p->at[record] * p->words + n % p->words] = p->from[n];
        }
    }
}

FRC_DEVICE void frc_patch_arrays(const frc_patches* patches, uint32_t warp, uint32_t warps) {
    for (uint32_t i = 0; i < patches->count; i++) patch(&patches->list[i], warp, warps);
}
