/// @file contacts.c  The list of contacts that a caller keeps and reuses.
#include "detect/detect.h"
#include <math.h>
#include <string.h>

struct fracas_contacts {
    fracas_context* context;
    frc_contact_list list;
    fracas_statistics statistics;
    bool failed;
};

fracas_query fracas_query_default(void) {
    return (fracas_query){
        .struct_size = sizeof(fracas_query), .modes = FRACAS_CONTINUOUS, .tolerance = 1e-6};
}

fracas_status fracas_contacts_create(fracas_context* context, fracas_contacts** out) {
    if (!context || !out) return FRACAS_ERROR_INVALID_ARGUMENT;
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
    contacts->failed = !FRC_ARRAY_PUSH(contacts->context, &contacts->list, *contact);
    return !contacts->failed;
}

bool frc_sink_failed(const fracas_sink* sink) {
    return sink->report == collect && ((const fracas_contacts*)sink->user)->failed;
}

fracas_sink fracas_contacts_sink(fracas_contacts* contacts) {
    contacts->list.count = 0;
    contacts->failed = false;
    memset(&contacts->statistics, 0, sizeof contacts->statistics);
    contacts->statistics.earliest_toi = INFINITY;
    return (fracas_sink){collect, contacts, &contacts->statistics};
}

const fracas_contact* fracas_contacts_data(const fracas_contacts* contacts, size_t* count) {
    if (count) *count = contacts->list.count;
    return contacts->list.data;
}

const fracas_statistics* fracas_contacts_statistics(const fracas_contacts* contacts) {
    return &contacts->statistics;
}
