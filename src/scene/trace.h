/// @file trace.h  New bodies and numbers of the elements that edits have moved since the last
/// advance.
#pragma once
#include "base/array.h"
#include "fracas/scene.h"

/// Elements often leave in runs of numbers: sixteen consecutive numbers share a page, and a hash
/// table finds pages.
enum { FRC_TRACE_ROW = 16 };

typedef struct frc_trace_page {
    fracas_body to[FRC_TRACE_ROW];  // index 0: it has not moved
    uint32_t number[FRC_TRACE_ROW];
} frc_trace_page;

typedef struct frc_trace_cell {
    fracas_body from;  // index 0: an empty cell
    uint32_t row;      // number / FRC_TRACE_ROW, and the kind above
    uint32_t page;
} frc_trace_cell;

/// A whole body that was merged into another: its numbers are shifted.
typedef struct frc_trace_merge {
    fracas_body from, to;
    uint32_t shift[2];  // by fracas_element_kind
} frc_trace_merge;

/// A hash table with open addressing, and merges; cleared by an advance.
typedef struct frc_trace {
    frc_trace_cell* cells;
    size_t cell_count;
    FRC_ARRAY(frc_trace_page) pages;
    frc_trace_cell last;  // the page that was written last
    FRC_ARRAY(frc_trace_merge) merges;
} frc_trace;

/// Does a number begin another row than the one before it? The sum over a list bounds its pages.
static inline size_t frc_trace_begins_row(uint32_t number, uint32_t before) {
    return number / FRC_TRACE_ROW != before / FRC_TRACE_ROW;
}

/// Reserve capacity for that many more pages and merges. False: no memory, nothing changed.
bool frc_trace_reserve(fracas_context* context, frc_trace* trace, size_t pages, size_t merges);
void frc_trace_add(frc_trace* trace, fracas_element from, fracas_element to);
void frc_trace_add_merge(frc_trace* trace, const frc_trace_merge* merge);
/// The present body and number of an element, over all edits.
fracas_element frc_trace_follow(const frc_trace* trace, fracas_element element);
void frc_trace_clear(fracas_context* context, frc_trace* trace);
void frc_trace_release(fracas_context* context, frc_trace* trace);
