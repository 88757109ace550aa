/// @file search.h  A search with all its knobs.
#pragma once
#include "detect/walk.h"

typedef struct frc_search_options {
    frc_search search;
    const fracas_query* query;
    double reach;           // pairs this far apart count
    const frc_tree* trees;  // boxes of the query's own, by block; NULL: those of the blocks
    const frc_lows* lows;   // which they are of
    bool counted;           // whoever restructures trees is to know what was done in which
    double progress[2];     // what this search is of the whole query; both 0: all of it
} frc_search_options;

/// `out` NULL: only what there is of `statistics` is wanted.
fracas_status frc_search_run(const frc_world* world, const frc_search_options* options,
                             frc_contact_list* out, fracas_statistics* statistics);
