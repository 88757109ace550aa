/// @file narrow_phase.h  One search for contacts, and the table of a method that finds them.
///
/// frc_medial_trees is the default method; src/cuda has another.
#pragma once
#include "medial/broad_phase.h"
#include "medial/pair_query.h"

/// Where the contacts of a pair of bodies are; there may be gaps between them.
typedef struct frc_medial_range {
    uint32_t worker;
    size_t begin, end;
} frc_medial_range;

typedef struct frc_medial_search {
    const fracas_medial_bodies* bodies;
    const fracas_medial_query* query;
    frc_medial_step step;
    frc_body_pairs pairs;         // bodies that may touch
    frc_medial_range* ranges;     // by pair
    frc_medial_scratch* workers;  // by worker
    frc_arena arena;              // until the search ends
} frc_medial_search;

struct frc_medial_method {
    /// Find the contacts of all pairs, and their ranges; each is as frc_medial_pair_query leaves
    /// it. Without memory a worker has failed. Any other failure has a message.
    fracas_status (*run)(frc_medial_search* search);
    /// Release the data of the method; NULL: there is none.
    void (*destroy)(fracas_context* context, void* data);
};

/// Trees of all bodies in pairs, on all threads.
extern const frc_medial_method frc_medial_trees;

/// Bodies with a method and its data, which they own when FRACAS_OK is returned.
fracas_status frc_medial_bodies_create(fracas_context* context, const frc_medial_method* method,
                                       void* data, fracas_medial_bodies** out);
