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

/// A contact as sort.c sorts it.
typedef struct frc_contact_key {
    uint64_t head;
    uint32_t pile, index;
} frc_contact_key;

/// What a worker has found, in no order.
enum { FRC_CONTACT_WORDS = 6 };
typedef struct frc_pile {
    frc_contact_list contacts;
    uint32_t bits[FRC_CONTACT_WORDS];  // that are set in some contact, by number; for sort.c
    double earliest;                   // time of a continuous one
    FRC_ARRAY(frc_contact_key) keys;   // in order, when it is `ready`; for sort.c
    bool ready;
} frc_pile;

/// Needed before the first is added; keeps the memory.
void frc_pile_clear(frc_pile* pile);
void frc_pile_release(fracas_context* context, frc_pile* pile);
bool frc_pile_add(fracas_context* context, frc_pile* pile, const fracas_contact* contact);

/// The contacts of piles, sorted by kind, bodies and indices, are appended to `out`. False: no
/// memory, nothing was.
bool frc_sort_piles(fracas_context* context, frc_pile* const* piles, uint32_t count,
                    frc_contact_list* out);
/// A share of that: number `pile`, by who has it in its cache, when nothing is added to any of them
/// any more. May be left out; different piles at the same time.
void frc_pile_make_ready(fracas_context* context, frc_pile* const* piles, uint32_t count,
                         uint32_t pile);

/// All contacts of one search, sorted, appended to `out`; adds to `statistics`.
fracas_status frc_search_world(const frc_world* world, frc_search search, const fracas_query* query,
                               frc_contact_list* out, fracas_statistics* statistics);

/// The same by testing all pairs of features: the slow twin, for tests. No boxes, no trees.
fracas_status frc_search_brute(const frc_world* world, frc_search search, const fracas_query* query,
                               frc_contact_list* out, fracas_statistics* statistics);

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
