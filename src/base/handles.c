/// @file handles.c  Allocates and recycles slot numbers with generations.
#include "base/handles.h"

#define IN_USE 0x80000000u

bool frc_handles_reserve(fracas_context* context, frc_handles* handles, size_t count) {
    size_t all = handles->generations.count + count;
    // UINT32_MAX is no valid number.
    if (all >= UINT32_MAX) return false;
    return FRC_ARRAY_RESERVE(context, &handles->generations, all) &&
           FRC_ARRAY_RESERVE(context, &handles->unused, all);
}

uint32_t frc_handles_allocate(frc_handles* handles) {
    uint32_t number;
    if (handles->unused.count > 0) {
        number = handles->unused.data[--handles->unused.count];
    } else {
        number = (uint32_t)handles->generations.count++;
        handles->generations.data[number] = 1;
    }
    handles->generations.data[number] |= IN_USE;
    return number;
}

void frc_handles_free(frc_handles* handles, uint32_t number) {
    uint32_t next = (handles->generations.data[number] + 1) & ~IN_USE;
    // Generations wrap around after 2^31 uses; 0 means no body.
    handles->generations.data[number] = next ? next : 1;
    handles->unused.data[handles->unused.count++] = number;
}

bool frc_handles_in_use(const frc_handles* handles, uint32_t number) {
    return number < handles->generations.count && handles->generations.data[number] & IN_USE;
}

uint32_t frc_handles_generation(const frc_handles* handles, uint32_t number) {
    return handles->generations.data[number] & ~IN_USE;
}

void frc_handles_release(fracas_context* context, frc_handles* handles) {
    FRC_ARRAY_RELEASE(context, &handles->generations);
    FRC_ARRAY_RELEASE(context, &handles->unused);
}
