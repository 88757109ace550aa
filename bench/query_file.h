/// @file query_file.h  Collision queries with known truth, from CSV files of exact rationals.
///
/// Layout: <set>/<edge-edge|vertex-face>/*.csv. Eight lines per query, the four points at t = 0,
/// then at t = 1: xn,xd,yn,yd,zn,zd,truth. Each n/d must be exactly representable as a double;
/// anything else is an error.
#pragma once
#include "geom/ccd.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct query_list {
    frc_point* points;     ///< four per query, in the order of frc_ccd_pair
    unsigned char* truth;  ///< 1: they touch
    size_t count, capacity;
} query_list;

typedef struct query_set {
    char name[128];
    frc_ccd_kind kind;
    query_list list;
} query_set;

typedef struct query_sets {
    query_set* list;
    size_t count, capacity;
} query_sets;

/// Append the queries of one file. On failure `message` has the line and the reason.
bool query_file_read(const char* path, query_list* list, char* message, size_t message_size);

/// Read all sets under `folder`, which contains sets or is one, sorted by name.
bool query_sets_read(const char* folder, query_sets* sets, char* message, size_t message_size);
void query_sets_free(query_sets* sets);

/// The double numerator / denominator, both decimal integers of at most 4,096 bits; false when the
/// text is malformed or no double has that value.
bool query_rational(const char* numerator, const char* denominator, double* out);
