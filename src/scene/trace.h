/// @file trace.h  Where elements went since the last advance.
#pragma once
#include "base/array.h"
#include "fracas/scene.h"

typedef struct frc_trace_step {
    fracas_element from, to;
} frc_trace_step;

/// A whole body that was merged into another: its numbers are shifted.
typedef struct frc_trace_merge {
    fracas_body from, to;
    uint32_t shift[2];  // by fracas_element_kind
} frc_trace_merge;

/// Two tables with open addressing, emptied by an advance.
typedef struct frc_trace {
    frc_trace_step* steps;
    size_t step_cells, step_count;
    FRC_ARRAY(frc_trace_merge) merges;
} frc_trace;

/// Room for that many more. False: no memory, nothing changed.
bool frc_trace_reserve(fracas_context* context, frc_trace* trace, size_t steps, size_t merges);
void frc_trace_add(frc_trace* trace, fracas_element from, fracas_element to);
void frc_trace_add_merge(frc_trace* trace, const frc_trace_merge* merge);
/// Where an element is now, following all steps; `*gone` when it was removed.
fracas_element frc_trace_follow(const frc_trace* trace, fracas_element element);
void frc_trace_clear(fracas_context* context, frc_trace* trace);
void frc_trace_release(fracas_context* context, frc_trace* trace);
