/// @file check_queries.h  Difficult queries decided by the narrow phase of a device, compared with
/// the CPU bit for bit.
#pragma once
#include "fracas/cuda.h"
#include <stdint.h>

typedef struct check_options {
    uint64_t count, seed;  ///< queries; the first number of the generators
    uint32_t runs;         ///< each batch is decided so often, with the same bits
    uint32_t batch;        ///< queries at a time
    uint32_t threads;      ///< of the CPU's side
} check_options;

typedef struct check_counts {
    uint64_t queries, hits;
    uint64_t filtered, roots, exact, later, host;  ///< that reached the list of this name
    double ms_device, ms_host;
} check_counts;

/// Decide `count` queries of all generators of tests/geom. Exits with a message where a verdict, a
/// time, u, v or a normal differ, or where a query is on the list of the host that the device could
/// have decided.
check_counts check_queries(fracas_context* context, const check_options* options);
