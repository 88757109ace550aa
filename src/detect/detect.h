/// @file detect.h  Queries over a world: all contacts, nearby pairs, the largest safe step.
#pragma once
#include "detect/contact_buffer.h"
#include "detect/world.h"

fracas_status frc_detect(const frc_world* world, const fracas_query* query,
                         const fracas_sink* sink);
fracas_status frc_nearby(const frc_world* world, double distance, const fracas_sink* sink);
fracas_status frc_max_step(const frc_world* world, const fracas_query* query, double* out);

/// The kind of pairs that one search finds; a query of both modes is two searches.
typedef enum frc_search_kind {
    FRC_SEARCH_DISCRETE,
    FRC_SEARCH_CONTINUOUS,
    FRC_SEARCH_NEARBY
} frc_search_kind;

/// The contacts of one search, found by testing all pairs of features without boxes and trees: the
/// oracle of the tests. Appended to `out`, sorted.
fracas_status frc_search_brute(const frc_world* world, frc_search_kind kind,
                               const fracas_query* query, frc_contact_list* out,
                               fracas_statistics* statistics);

/// Detach the list of a sink that collects into a fracas_contacts: the query reuses its memory. An
/// empty list for other sinks.
void frc_sink_detach_list(const fracas_sink* sink, frc_contact_list* out);
/// Give the list to such a sink as a whole. False: another kind of sink, the caller keeps the list.
bool frc_sink_attach_list(const fracas_sink* sink, frc_contact_list* list);
