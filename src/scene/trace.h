/// @file trace.h  New bodies and numbers of the elements that edits have moved since the last
/// advance.
#pragma once
#include "base/array.h"
#include "fracas/scene.h"
#include <stdatomic.h>

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

/// A body that lost much of itself in one split: where each of its elements went, by number.
typedef struct frc_trace_split {
    fracas_body from;
    uint32_t before;  // the split of the same body before it, plus 1; 0: none
    uint32_t part_count;
    fracas_body* parts;
    uint32_t* first[2];   // by kind: position of the first element of each part; their number
    uint32_t numbers[2];  // by kind: of elements
    _Atomic(uint32_t)* place[2];  // by kind, by number: position among those that left, plus 1; 0:
                                  // it has stayed
} frc_trace_split;

/// A hash table with open addressing, splits and merges; cleared by an advance.
typedef struct frc_trace {
    frc_trace_cell* cells;
    size_t cell_count;
    FRC_ARRAY(frc_trace_split) splits;
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
/// Arrays for the counts that a split has, not cleared. False: no memory, it has none.
bool frc_trace_split_create(fracas_context* context, frc_trace_split* split);
void frc_trace_split_release(fracas_context* context, frc_trace_split* split);
/// Reserve memory for one more split.
bool frc_trace_reserve_split(fracas_context* context, frc_trace* trace);
void frc_trace_add_split(frc_trace* trace, const frc_trace_split* split);
/// The part that has the element at a position: the last one that does not begin behind it.
uint32_t frc_part_at(const uint32_t* first, uint32_t part_count, uint32_t position);
void frc_trace_add(frc_trace* trace, fracas_element from, fracas_element to);
void frc_trace_add_merge(frc_trace* trace, const frc_trace_merge* merge);
/// The present body and number of an element, over all edits.
fracas_element frc_trace_follow(const frc_trace* trace, fracas_element element);
void frc_trace_clear(fracas_context* context, frc_trace* trace);
void frc_trace_release(fracas_context* context, frc_trace* trace);
