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
    FRC_SEARCH_NEARBY,
    FRC_SEARCH_CANDIDATES  // boxes over the step, not decided
} frc_search_kind;

/// A pair of features that is decided later. `point` is as in frc_ccd_pair; `face` is the id of the
/// triangle, or FRACAS_NONE.
typedef struct frc_candidate {
    uint32_t point[4], face;
} frc_candidate;
typedef FRC_ARRAY(frc_candidate) frc_candidate_list;

/// Report the candidates whose boxes over the step are within the distance, as contacts at time 0.
fracas_status frc_report_candidates(const frc_world* world, double distance,
                                    const fracas_sink* sink);
/// Append them to the lists, by frc_ccd_kind, in any order.
fracas_status frc_collect_candidates(const frc_world* world, double distance,
                                     frc_candidate_list out[2]);
/// Continuous queries of the listed candidates alone, at the present positions. `sink` or
/// `max_step` is NULL.
fracas_status frc_decide_candidates(const frc_world* world, const frc_candidate_list lists[2],
                                    const fracas_query* query, const fracas_sink* sink,
                                    double* max_step);

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
