/// @file inside.c  Bodies inside others: the query, and all discrete contacts that it needs.
#include "inside.h"
#include "options.h"
#include <stdlib.h>

typedef struct list {
    fracas_inside* data;
    size_t count, capacity;
} list;

static bool keep(const fracas_inside* inside, void* user) {
    list* all = user;
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 16;
        all->data = cli_grow(all->data, all->capacity, sizeof *all->data);
    }
    all->data[all->count++] = *inside;
    return true;
}

// Contacts along a crack that the step left out are contacts all the same: parts that touch there
// are not inside each other. So are those that --first left out.
static bool has_all_contacts(const cli_session* session, const cli_step* step) {
    return !session->settings.first && session->settings.siblings != FRACAS_SIBLINGS_IGNORE &&
           step->counts.siblings_left_out == 0;
}

static fracas_status find_again(cli_session* session, list* out) {
    fracas_contacts* all;
    fracas_status status = fracas_contacts_create(session->context, &all);
    if (status != FRACAS_OK) return status;
    fracas_published_query query = cli_settings_query(&session->settings, FRACAS_MODE_DISCRETE);
    query.query.first = false;
    query.query.siblings = FRACAS_SIBLINGS_REPORT;
    const fracas_sink sink = fracas_contacts_get_sink(all);
    status = fracas_published_scene_detect(session->scene, &query, &sink, NULL);
    size_t count = 0;
    const fracas_contact* contacts = fracas_contacts_get_data(all, &count);
    if (status == FRACAS_OK)
        status = fracas_scene_find_inside(session->scene, contacts, count, keep, out);
    fracas_contacts_destroy(all);
    return status;
}

static fracas_status find(cli_session* session, const cli_step* step, list* out) {
    if (!has_all_contacts(session, step)) return find_again(session, out);
    size_t count = 0;
    const fracas_contact* contacts = fracas_contacts_get_data(session->contacts, &count);
    return fracas_scene_find_inside(session->scene, contacts, count, keep, out);
}

fracas_status cli_find_inside(cli_session* session, uint32_t modes, const cli_body* bodies,
                              uint32_t body_count, cli_step* step, cli_contact** contacts,
                              size_t* count) {
    if (!(modes & FRACAS_MODE_DISCRETE) || session->settings.no_inside || body_count < 2)
        return FRACAS_OK;
    const double start = cli_clock_ms();
    list all = {0};
    const fracas_status status = find(session, step, &all);
    step->ms.inside = cli_clock_ms() - start;
    step->ms.total += step->ms.inside;
    // With --first it is reported only if there is no other contact.
    if (session->settings.first && all.count > 0) all.count = cli_step_contacts(step) == 0;
    step->counts.contacts[CLI_INSIDE] = all.count;
    *contacts = cli_grow(*contacts, *count + all.count + 1, sizeof **contacts);
    uint32_t* places = cli_places_of(bodies, body_count);
    for (size_t i = 0; i < all.count; i++)
        (*contacts)[*count + i] =
            cli_contact_inside(session->scene, bodies, places, session->step_count, &all.data[i]);
    cli_contacts_sort(*contacts + *count, all.count);
    *count += all.count;
    free(places);
    free(all.data);
    return status;
}
