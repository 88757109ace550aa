/// @file support.h  The point of a fragment that is furthest in a direction.
#pragma once
#include "base/context.h"

/// Points whose convex hull contains the fragment, rounded to floats. Zero bytes are none.
typedef struct frc_support {
    float* at;       // all x, then all y, then all z
    uint32_t count;  // a multiple of 4: the last point is repeated
} frc_support;

struct frc_fragment;

/// List the points of a fragment with this number, whose tree is made. False: no memory.
bool frc_support_make(fracas_context* context, const struct frc_fragment* fragment, uint32_t number,
                      frc_support* out);
void frc_support_release(fracas_context* context, frc_support* support);

/// The largest n . x of the points x, in floats. `point` is the point that has it.
float frc_support_find(const frc_support* support, const float n[3], float point[3]);
