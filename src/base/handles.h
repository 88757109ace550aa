/// @file handles.h  Slot numbers with generations: numbers are reused, handles are not.
#pragma once
#include "base/array.h"

/// A handle is a number and its generation at the time of frc_handles_allocate.
typedef struct frc_handles {
    FRC_ARRAY(uint32_t) generations;  // by number; the top bit is set while the number is in use
    FRC_ARRAY(uint32_t) unused;       // its capacity suffices for all numbers
} frc_handles;

/// Reserve capacity for `count` more numbers. False: no memory, nothing changed.
bool frc_handles_reserve(fracas_context* context, frc_handles* handles, size_t count);
/// An unused number. Needs reserved capacity.
uint32_t frc_handles_allocate(frc_handles* handles);
/// Never fails: removing needs no memory.
void frc_handles_free(frc_handles* handles, uint32_t number);
bool frc_handles_in_use(const frc_handles* handles, uint32_t number);
uint32_t frc_handles_generation(const frc_handles* handles, uint32_t number);
void frc_handles_release(fracas_context* context, frc_handles* handles);
