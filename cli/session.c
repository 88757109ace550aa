/// @file session.c  One run of `detect` or `scene`.
#include "session.h"
#include "grid.h"
#include "inside.h"
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
    const int code = cli_device_open(&session->device, session->context, settings->device);
    if (code != CLI_DONE) return code;
    status = fracas_contacts_create(session->context, &session->contacts);
    if (status != FRACAS_OK) return cli_fail_status(session->context, status);
    session->writers = cli_allocate(settings->out.count, sizeof *session->writers);
    for (size_t i = 0; i < settings->out.count; i++) {
        const int opened = cli_writer_open(&session->writers[i], settings->out.data[i]);
        if (opened != CLI_DONE) return opened;
        session->writer_count++;
    }
    if (!settings->report) return CLI_DONE;
    return cli_page_open(&session->page, settings->report, settings->report_size, max_steps);
}

bool cli_session_answers(const cli_session* session) {
    const cli_settings* settings = &session->settings;
    for (size_t i = 0; i < session->writer_count; i++)
        if (session->writers[i].file == stdout) return false;
    return !settings->json && !settings->quiet;
}

bool cli_session_needs_contacts(const cli_session* session) {
    return session->writer_count > 0 || session->page || session->watch;
}

bool cli_session_needs_mesh(const cli_session* session) {
    bool needs = session->page || session->watch;
    for (size_t i = 0; i < session->writer_count; i++)
        needs |= session->writers[i].format->needs_mesh;
    return needs;
}

int cli_session_restart(cli_session* session, uint32_t modes) {
    fracas_scene_destroy(session->scene);
    session->scene = NULL;
    const fracas_published_scene_options options = cli_settings_scene(&session->settings, modes);
    const fracas_status status =
        session->device.cuda
            ? fracas_cuda_scene_create(session->device.cuda, &options.scene, &session->scene)
            : fracas_published_scene_create(session->context, &options, &session->scene);
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
    cli_progress_phase(&session->progress, CLI_BUILDING);
    fracas_status status = fracas_scene_update(session->scene);
    double updated = cli_clock_ms();
    cli_progress_phase(&session->progress, CLI_DETECTING);
    fracas_published_query query = cli_settings_query(&session->settings, modes);
    fracas_sink sink = fracas_contacts_get_sink(session->contacts);
    if (status == FRACAS_OK)
        status = fracas_published_scene_detect(session->scene, &query, &sink, NULL);
    double end = cli_clock_ms();
    step->on_device = session->device.cuda != NULL;
    if (status == FRACAS_OK && step->on_device)
        status = fracas_cuda_scene_get_statistics(session->scene, &step->device);
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

static bool needs_pairs(const cli_session* session) {
    return session->page || cli_session_answers(session);
}

// When a contact of the step is, in frames.
static double time_of(const cli_step* step, int kind, double toi) {
    return cli_kind_is_continuous(kind) ? step->frame - 1 + toi : step->frame;
}

static void count_pairs(cli_session* session, const cli_body* bodies, uint32_t body_count,
                        const cli_step* step, const fracas_contact* contacts, size_t count) {
    uint32_t* places = cli_places_of(bodies, body_count);
    for (size_t i = 0; i < count; i++)
        cli_pairs_add(&session->pairs, places[contacts[i].body_a.index],
                      places[contacts[i].body_b.index], contacts[i].kind, session->step_count,
                      time_of(step, contacts[i].kind, contacts[i].toi));
    free(places);
}

// `fracas play` says itself that it has ended.
static int cancelled(const cli_session* session) {
    return session->watch ? CLI_CANCELLED : cli_fail(CLI_CANCELLED, "cancelled");
}

static int push(cli_session* session, const cli_step* step, const cli_contact* contacts,
                size_t count) {
    cli_progress_clear(&session->progress);
    if (cli_interrupted()) return cancelled(session);
    session->steps[session->step_count] = *step;
    int code = CLI_DONE;
    for (size_t i = 0; i < session->writer_count && code == CLI_DONE; i++)
        code = cli_writer_write(&session->writers[i], step, &session->mesh, contacts, count);
    if (code != CLI_DONE) return code;
    if (session->page)
        cli_page_step(session->page, session->context, step, &session->mesh, contacts, count);
    if (session->watch) session->watch(session->watch_user, step, contacts, count);
    if (session->settings.verbose && cli_session_answers(session))
        cli_rows_print(&session->rows, session->step_count, step);
    session->step_count++;
    session->progress.step = session->step_count;
    cli_progress_phase(&session->progress, CLI_READING);
    return CLI_DONE;
}

int cli_session_push(cli_session* session, const cli_step* step, const cli_contact* contacts,
                     size_t count) {
    for (size_t i = 0; i < count && needs_pairs(session); i++)
        cli_pairs_add(&session->pairs, contacts[i].body_a, contacts[i].body_b, contacts[i].kind,
                      session->step_count, time_of(step, contacts[i].kind, contacts[i].toi));
    return push(session, step, contacts, count);
}

int cli_session_step(cli_session* session, uint32_t modes, const cli_body* bodies,
                     uint32_t body_count, const cli_step* given) {
    if (cli_interrupted()) return cancelled(session);
    cli_step step = *given;
    step.moves = (modes & FRACAS_MODE_CONTINUOUS) && step.from != step.to;
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
    size_t told = 0;  // contacts for the outputs
    if (cli_session_needs_contacts(session)) {
        told = count;
        contacts = cli_contacts_translate(session->scene, bodies, body_count, session->step_count,
                                          found, count, &where);
    }
    fracas_intersections_destroy(intersections);
    if (needs_pairs(session)) count_pairs(session, bodies, body_count, &step, found, count);
    const size_t before = told;
    fracas_status status =
        cli_find_inside(session, modes, bodies, body_count, &step, &contacts, &told);
    for (size_t i = before; i < told && needs_pairs(session); i++)
        cli_pairs_add(&session->pairs, contacts[i].body_a, contacts[i].body_b, CLI_INSIDE,
                      session->step_count, step.frame);
    if (cli_session_needs_mesh(session))
        cli_frame_mesh_from_scene(&session->mesh, session->scene, bodies, body_count);
    if (session->page)
        cli_page_take_trees(session->page, session->scene, bodies, &session->mesh, modes);
    code = status == FRACAS_OK ? push(session, &step, contacts, told)
                               : cli_fail_status(session->context, status);
    free(contacts);
    return code;
}

// ---- the end

static cli_results results_of(cli_session* session) {
    cli_pairs_sort(&session->pairs);
    return (cli_results){.steps = session->steps,
                         .count = session->step_count,
                         .pairs = &session->pairs,
                         .bodies = session->bodies,
                         .body_count = session->body_count,
                         .input = session->input,
                         .mode = cli_mode_name(session->settings.mode),
                         .device = session->device.name};
}

static void print_device(const cli_results* results) {
    const cli_summary sum = cli_summarise(results->steps, results->count);
    char text[512];
    printf("device: %s", results->device);
    if (results->count > 0 && results->steps[0].on_device) {
        cli_device_say(&sum.device, text, sizeof text);
        printf("; %s", text);
    }
    putchar('\n');
}

static void print_results(const cli_session* session, const cli_results* results) {
    char text[CLI_ANSWER];
    cli_print_line(cli_answer(results, text), true);
    if (!session->settings.verbose) cli_report_tables(results);
    cli_report_totals(results);
    if (session->settings.verbose) print_device(results);
    for (size_t i = 0; i < session->writer_count; i++)
        printf("contacts written to %s\n", session->writers[i].path);
    if (session->page) printf("report written to %s\n", session->settings.report);
}

int cli_session_close(cli_session* session, int code) {
    cli_progress_stop(&session->progress);
    const bool answers = cli_session_answers(session);
    for (size_t i = 0; i < session->writer_count; i++) {
        const int written = cli_writer_close(&session->writers[i]);
        if (code == CLI_DONE) code = written;
    }
    const cli_results results = results_of(session);
    if (code == CLI_DONE && session->page)
        code = cli_page_write(session->page, session->title, &results);
    if (code == CLI_DONE) {
        const cli_settings* settings = &session->settings;
        if (settings->json)
            cli_report_json(stdout, &results);
        else if (answers)
            print_results(session, &results);
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
    cli_device_close(&session->device);
    fracas_context_destroy(session->context);
    cli_page_free(session->page);
    cli_frame_mesh_free(&session->mesh);
    cli_pairs_free(&session->pairs);
    free(session->writers);
    free(session->steps);
    return code;
}
