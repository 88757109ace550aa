/// @file contacts.c  The list of contacts that a caller keeps and reuses.
#include "detect/detect.h"
#include <math.h>
#include <string.h>

struct fracas_contacts {
    fracas_context* context;
    frc_contact_list list;
    fracas_statistics statistics;
};

fracas_query fracas_scene_default_query(void) {
    return (fracas_query){.struct_size = sizeof(fracas_query),
                          .modes = FRACAS_MODE_CONTINUOUS,
                          .tolerance = 1e-6,
                          .t_max = 1};
}

fracas_status fracas_contacts_create(fracas_context* context, fracas_contacts** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(context, "fracas_contacts_create", "out");
    *out = frc_allocate_zero(context, sizeof **out);
    if (!*out) return frc_fail_memory(context, sizeof **out);
    (*out)->context = context;
    return FRACAS_OK;
}

void fracas_contacts_destroy(fracas_contacts* contacts) {
    if (!contacts) return;
    FRC_ARRAY_RELEASE(contacts->context, &contacts->list);
    frc_release(contacts->context, contacts, sizeof *contacts);
}

static bool collect(const fracas_contact* contact, void* user) {
    fracas_contacts* contacts = user;
    return FRC_ARRAY_PUSH(contacts->context, &contacts->list, *contact);
}

// The query writes into the memory of the list itself: repeated queries allocate little and copy
// nothing.
void frc_sink_detach_list(const fracas_sink* sink, frc_contact_list* out) {
    memset(out, 0, sizeof *out);
    if (sink->report != collect) return;
    fracas_contacts* contacts = sink->user;
    *out = contacts->list;
    memset(&contacts->list, 0, sizeof contacts->list);
    out->count = 0;
}

bool frc_sink_attach_list(const fracas_sink* sink, frc_contact_list* list) {
    if (sink->report != collect) return false;
    fracas_contacts* contacts = sink->user;
    contacts->list = *list;
    memset(list, 0, sizeof *list);
    return true;
}

fracas_sink fracas_contacts_get_sink(fracas_contacts* contacts) {
    if (!contacts) return (fracas_sink){0};
    contacts->list.count = 0;
    memset(&contacts->statistics, 0, sizeof contacts->statistics);
    contacts->statistics.earliest_toi = INFINITY;
    return (fracas_sink){collect, contacts, &contacts->statistics};
}

const fracas_contact* fracas_contacts_get_data(const fracas_contacts* contacts, size_t* count) {
    if (count) *count = contacts ? contacts->list.count : 0;
    return contacts ? contacts->list.data : NULL;
}

const fracas_statistics* fracas_contacts_get_statistics(const fracas_contacts* contacts) {
    return contacts ? &contacts->statistics : NULL;
}
