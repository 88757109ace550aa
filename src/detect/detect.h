/// @file detect.h  Queries over a world: all contacts, nearby pairs, the largest safe step.
#pragma once
#include "detect/world.h"

/// What one query looks for.
typedef enum frc_search {
    FRC_SEARCH_DISCRETE,
    FRC_SEARCH_CONTINUOUS,
    FRC_SEARCH_NEARBY
} frc_search;

typedef FRC_ARRAY(fracas_contact) frc_contact_list;

/// All contacts of one search, unsorted, appended to `out`; adds to `statistics`.
fracas_status frc_search_world(const frc_world* world, frc_search search, const fracas_query* query,
                               frc_contact_list* out, fracas_statistics* statistics);

/// The same by testing all pairs of features: the slow twin, for tests. No boxes, no trees.
fracas_status frc_search_brute(const frc_world* world, frc_search search, const fracas_query* query,
                               frc_contact_list* out, fracas_statistics* statistics);

/// Sort by kind, bodies and indices. False: no memory, `list` is unchanged.
bool frc_sort_contacts(fracas_context* context, frc_contact_list* list);

/// The contact that `first` asks for: earliest, then smallest; NULL when the list is empty.
const fracas_contact* frc_first_contact(const frc_contact_list* list);

/// -1, 0, 1: the order in which contacts are reported.
int frc_compare_contacts(const fracas_contact* a, const fracas_contact* b);

fracas_status frc_detect(const frc_world* world, const fracas_query* query,
                         const fracas_sink* sink);
fracas_status frc_nearby(const frc_world* world, double distance, const fracas_sink* sink);
fracas_status frc_max_step(const frc_world* world, const fracas_query* query, double* out);

/// A sink that collects into a fracas_contacts lends its memory to the query and takes the result
/// as a whole: true when it did, otherwise the contacts are to be reported one by one.
void frc_sink_lend(const fracas_sink* sink, frc_contact_list* out);
bool frc_sink_return(const fracas_sink* sink, frc_contact_list* list);
