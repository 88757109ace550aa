/// @file penetrations.c  The list of penetrations that a caller keeps and reuses.
#include "fracas/penetrations.h"
#include "tets/tets.h"
#include <string.h>

struct fracas_penetrations {
    fracas_context* context;
    FRC_ARRAY(fracas_penetration) list;
    fracas_tets_statistics statistics;
};

fracas_status fracas_penetrations_create(fracas_context* context, fracas_penetrations** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(context, "fracas_penetrations_create", "out");
    *out = frc_allocate_zero(context, sizeof **out);
    if (!*out) return frc_fail_memory(context, sizeof **out);
    (*out)->context = context;
    return FRACAS_OK;
}

void fracas_penetrations_destroy(fracas_penetrations* penetrations) {
    if (!penetrations) return;
    FRC_ARRAY_RELEASE(penetrations->context, &penetrations->list);
    frc_release(penetrations->context, penetrations, sizeof *penetrations);
}

static bool collect(const fracas_penetration* penetration, void* user) {
    fracas_penetrations* penetrations = user;
    return FRC_ARRAY_PUSH(penetrations->context, &penetrations->list, *penetration);
}

// Without this a list that cannot grow would end the reports as if the caller had stopped them.
bool frc_tets_sink_reserve(const fracas_tets_sink* sink, size_t count) {
    if (sink->report != collect) return true;
    fracas_penetrations* penetrations = sink->user;
    return FRC_ARRAY_RESERVE(penetrations->context, &penetrations->list,
                             penetrations->list.count + count);
}

fracas_tets_sink fracas_penetrations_get_sink(fracas_penetrations* penetrations) {
    if (!penetrations) return (fracas_tets_sink){0};
    penetrations->list.count = 0;
    memset(&penetrations->statistics, 0, sizeof penetrations->statistics);
    return (fracas_tets_sink){collect, penetrations, &penetrations->statistics};
}

const fracas_penetration* fracas_penetrations_get_data(const fracas_penetrations* penetrations,
                                                       size_t* count) {
    if (count) *count = penetrations ? penetrations->list.count : 0;
    return penetrations ? penetrations->list.data : NULL;
}

const fracas_tets_statistics*
fracas_penetrations_get_statistics(const fracas_penetrations* penetrations) {
    return penetrations ? &penetrations->statistics : NULL;
}
