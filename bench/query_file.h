/// @file query_file.h  Collision queries with known truth, from CSV files of exact rationals.
///
/// Layout: <set>/<edge-edge|vertex-face>/*.csv. Eight lines per query, the four points at t = 0,
/// then at t = 1: xn,xd,yn,yd,zn,zd,truth. Each n/d must be a double exactly; anything else is an
/// error.
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

/// Append one file. On failure `message` says which line and why.
bool query_file_read(const char* path, query_list* list, char* message, size_t message_size);

/// Read all sets under `folder`, which may hold sets or be one, in the order of their names.
bool query_sets_read(const char* folder, query_sets* sets, char* message, size_t message_size);
void query_sets_free(query_sets* sets);

/// The double numerator / denominator, both decimal integers of any length that fits 4,096 bits;
/// false when the text is malformed or the quotient is no double.
bool query_rational(const char* numerator, const char* denominator, double* out);
