/// @file session.c  One run of `detect` or `scene`.
#include "session.h"
#include <stdio.h>
#include <stdlib.h>

int cli_session_open(cli_session* session, const cli_settings* settings, uint32_t max_steps) {
    *session = (cli_session){.settings = *settings, .input = "reading"};
    session->steps = cli_allocate(max_steps, sizeof *session->steps);
    cli_progress_start(&session->progress, settings->quiet, max_steps);
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = settings->threads;
    options.progress = cli_progress_report;
    options.progress_user = &session->progress;
    fracas_status status = fracas_context_create(&options, &session->context);
    if (status != FRACAS_OK) return cli_fail_start(status);
    cli_interrupt_watch(session->context);
    status = fracas_contacts_create(session->context, &session->contacts);
    if (status != FRACAS_OK) return cli_fail_status(session->context, status);
    return cli_writer_open(&session->writer, settings->out);
}

int cli_session_restart(cli_session* session, uint32_t modes) {
    fracas_scene_destroy(session->scene);
    session->scene = NULL;
    const fracas_published_scene_options options = cli_settings_scene(&session->settings, modes);
    fracas_status status =
        fracas_published_scene_create(session->context, &options, &session->scene);
    return status == FRACAS_OK ? CLI_DONE : cli_fail_status(session->context, status);
}

// ---- a step

static uint64_t all_contacts(const fracas_statistics* statistics) {
    uint64_t sum = 0;
    for (int k = 0; k < 6; k++) sum += statistics->contacts[k];
    return sum;
}

// Query with and without culling. Culling adds no contacts, so the difference is the number that it
// missed.
static fracas_status count_misses(cli_session* session, uint32_t modes, cli_step* step) {
    fracas_published_query query = cli_settings_query(&session->settings, modes);
    fracas_statistics found[2];
    fracas_status status = FRACAS_OK;
    query.query.first = false;
    for (int i = 0; i < 2 && status == FRACAS_OK; i++) {
        fracas_sink sink = {.statistics = &found[i]};
        query.no_cull = i == 1;
        status = fracas_published_scene_detect(session->scene, &query, &sink, NULL);
    }
    if (status == FRACAS_OK)
        step->counts.missed = all_contacts(&found[1]) - all_contacts(&found[0]);
    return status;
}

// Update the scene and detect; fills in counts and times of `step`.
static int detect(cli_session* session, uint32_t modes, cli_step* step) {
    double start = cli_clock_ms();
    fracas_status status = fracas_scene_update(session->scene);
    double updated = cli_clock_ms();
    fracas_published_query query = cli_settings_query(&session->settings, modes);
    fracas_sink sink = fracas_contacts_get_sink(session->contacts);
    if (status == FRACAS_OK)
        status = fracas_published_scene_detect(session->scene, &query, &sink, NULL);
    double end = cli_clock_ms();
    step->misses_counted = session->settings.count_misses;
    if (status == FRACAS_OK && step->misses_counted) status = count_misses(session, modes, step);
    if (status != FRACAS_OK) return cli_fail_status(session->context, status);

    const fracas_statistics* statistics = fracas_contacts_get_statistics(session->contacts);
    fracas_update_statistics update;
    status = fracas_scene_get_update_statistics(session->scene, &update);
    if (status != FRACAS_OK) return cli_fail_status(session->context, status);
    for (int k = 0; k < 6; k++) step->counts.contacts[k] = statistics->contacts[k];
    step->counts.siblings_left_out = statistics->siblings_left_out;
    step->earliest_toi = statistics->earliest_toi;
    step->ms.traverse = statistics->ms_traverse;
    step->ms.narrow = statistics->ms_narrow;
    step->ms.total = step->ms.update + (end - start);
    step->ms.cull = update.ms_cull;
    step->ms.update += updated - start - update.ms_cull;
    step->counts.cull_tried = update.cull_tried;
    step->counts.cull_certified = update.cull_certified;
    return CLI_DONE;
}

// Where contacts of triangles are; NULL if there are none.
static int find_intersections(cli_session* session, const fracas_contact* contacts, size_t count,
                              cli_step* step, fracas_intersections** out) {
    *out = NULL;
    const uint64_t* kinds = step->counts.contacts;
    if (kinds[FRACAS_CONTACT_TT] + kinds[FRACAS_CONTACT_ET] == 0) return CLI_DONE;
    const fracas_status status = fracas_intersections_create(session->scene, contacts, count, out);
    if (status != FRACAS_OK) {
        cli_progress_clear(&session->progress);
        return cli_fail_status(session->context, status);
    }
    const fracas_intersections_view where = fracas_intersections_get_view(*out);
    step->counts.places = where.place_count;
    for (size_t i = 0; i < count; i++)
        step->counts.crossing += where.data[i].meeting == FRACAS_MEETING_CROSS;
    return CLI_DONE;
}

int cli_session_push(cli_session* session, const cli_step* step, const cli_contact* contacts,
                     size_t count) {
    cli_progress_clear(&session->progress);
    if (cli_interrupted()) return cli_fail(CLI_CANCELLED, "cancelled");
    session->steps[session->step_count] = *step;
    cli_writer_write(&session->writer, contacts, count);
    if (!session->settings.json && !session->settings.quiet)
        cli_table_row(&session->table, session->step_count, step);
    session->step_count++;
    session->progress.step = session->step_count;
    return CLI_DONE;
}

int cli_session_step(cli_session* session, uint32_t modes, const cli_body* bodies,
                     uint32_t body_count, const cli_step* given) {
    if (cli_interrupted()) return cli_fail(CLI_CANCELLED, "cancelled");
    cli_step step = *given;
    int code = detect(session, modes, &step);
    if (code != CLI_DONE) {
        cli_progress_clear(&session->progress);
        return code;
    }
    size_t count = 0;
    const fracas_contact* found = fracas_contacts_get_data(session->contacts, &count);
    fracas_intersections* intersections;
    code = find_intersections(session, found, count, &step, &intersections);
    if (code != CLI_DONE) return code;
    const fracas_intersections_view where = fracas_intersections_get_view(intersections);
    cli_contact* contacts = NULL;
    if (session->writer.format)
        contacts = cli_contacts_translate(session->scene, bodies, body_count, session->step_count,
                                          found, count, &where);
    fracas_intersections_destroy(intersections);
    code = cli_session_push(session, &step, contacts, count);
    free(contacts);
    return code;
}

// ---- the end

int cli_session_close(cli_session* session, int code) {
    cli_progress_clear(&session->progress);
    int written = cli_writer_close(&session->writer);
    if (code == CLI_DONE) code = written;
    if (code == CLI_DONE) {
        const cli_settings* settings = &session->settings;
        if (settings->json)
            cli_report_json(cli_mode_name(settings->mode), session->steps, session->step_count);
        else if (!settings->quiet)
            cli_table_end(session->steps, session->step_count, settings->out, session->input);
        // A full disk or a closed pipe shows here.
        cli_summary sum = cli_summarise(session->steps, session->step_count);
        if (fflush(stdout) != 0 || ferror(stdout))
            code = cli_fail(CLI_BAD_INPUT, "the output could not be written completely");
        else if (settings->fail_on_contact && sum.all_contacts)
            code = CLI_CONTACTS_FOUND;
    }
    cli_interrupt_watch(NULL);
    fracas_contacts_destroy(session->contacts);
    fracas_scene_destroy(session->scene);
    fracas_context_destroy(session->context);
    free(session->steps);
    return code;
}
