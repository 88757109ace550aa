/// @file detect.c  The queries themselves: search, sort, report.
#include "base/clock.h"
#include "detect/search.h"
#include <math.h>
#include <string.h>

// Discrete contacts have no time: `first` means the smallest of them unless a continuous one is
// there.
static void keep_first(frc_contact_list* list, fracas_statistics* statistics) {
    frc_contact_list continuous = *list;
    size_t i = 0;
    while (i < list->count && list->data[i].kind < FRACAS_CONTACT_VF) i++;
    if (i < list->count) continuous.data += i, continuous.count -= i;
    const fracas_contact* first = frc_first_contact(&continuous);
    if (!first) return;
    list->data[0] = *first;
    list->count = 1;
    memset(statistics->contacts, 0, sizeof statistics->contacts);
    statistics->contacts[first->kind] = 1;
}

static void report(frc_contact_list* list, const fracas_sink* sink,
                   const fracas_statistics* statistics) {
    if (sink->statistics) *sink->statistics = *statistics;
    if (!sink->report || frc_sink_return(sink, list)) return;
    for (size_t i = 0; i < list->count; i++)
        if (!sink->report(&list->data[i], sink->user)) break;
}

// Give back what was lent, empty, when a query fails.
static fracas_status give_back(const frc_world* world, frc_contact_list* list,
                               const fracas_sink* sink, fracas_status status) {
    list->count = 0;
    if (status == FRACAS_OK || !frc_sink_return(sink, list))
        FRC_ARRAY_RELEASE(world->context, list);
    return status;
}

fracas_status frc_detect(const frc_world* world, const fracas_query* query,
                         const fracas_sink* sink) {
    fracas_statistics statistics = {.earliest_toi = INFINITY};
    frc_contact_list list;
    frc_sink_lend(sink, &list);
    double start = frc_clock_ms();
    fracas_status status = FRACAS_OK;
    if (query->modes & FRACAS_MODE_DISCRETE)
        status = frc_search_world(world, FRC_SEARCH_DISCRETE, query, &list, &statistics);
    if (status == FRACAS_OK && query->modes & FRACAS_MODE_CONTINUOUS)
        status = frc_search_world(world, FRC_SEARCH_CONTINUOUS, query, &list, &statistics);
    if (status == FRACAS_OK) {
        if (query->first) keep_first(&list, &statistics);
        statistics.ms_total = frc_clock_ms() - start;
        report(&list, sink, &statistics);
    }
    return give_back(world, &list, sink, status);
}

fracas_status frc_nearby(const frc_world* world, double distance, const fracas_sink* sink) {
    fracas_statistics statistics = {.earliest_toi = INFINITY};
    frc_contact_list list;
    frc_sink_lend(sink, &list);
    fracas_query query = fracas_scene_default_query();
    query.siblings = FRACAS_SIBLINGS_REPORT;
    double start = frc_clock_ms();
    frc_search_options options = {.search = FRC_SEARCH_NEARBY, .query = &query, .reach = distance};
    fracas_status status = frc_search_run(world, &options, &list, &statistics);
    statistics.ms_total = frc_clock_ms() - start;
    if (status == FRACAS_OK) report(&list, sink, &statistics);
    return give_back(world, &list, sink, status);
}
