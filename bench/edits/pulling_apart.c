// The scene `pulling-apart`, in which cracks run on: twenty splits in every frame.
#include "edits/torn.h"
#include "hash.h"
#include "scene/scene.h"
#include "scenes.h"
#include <stdio.h>
#include <stdlib.h>

enum { SPLITS = 20 };

// A scene that is told the story. Frames are repeated behind its back: where the scene's own solver
// thinks that everything is, it is after each quiet frame.
typedef struct teller {
    edits_setting setting;
    void* run;
    fracas_contacts* contacts;
    torn_frame whole;  // quiet frames when there were hardly any cracks
} teller;

static void open_teller(teller* t, const scenes_options* options, fracas_published_cull cull,
                        fracas_published_restructure restructure) {
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.cull = cull;
    how.restructure = restructure;
    edits_open(&t->setting, &how);
    scenes_options own = *options;
    own.context = t->setting.context;
    edits_need(scenes_pulling_apart.create(t->setting.scene, &own, &t->run), &t->setting);
    edits_need(fracas_contacts_create(t->setting.context, &t->contacts), &t->setting);
    edits_update(&t->setting);
}

static void close_teller(teller* t) {
    scenes_pulling_apart.destroy(t->run);
    fracas_contacts_destroy(t->contacts);
    edits_close(&t->setting);
}

static void step(teller* t, const fracas_contact* found, size_t count) {
    uint64_t edits;
    edits_need(fracas_scene_advance(t->setting.scene), &t->setting);
    edits_need(scenes_pulling_apart.step(t->run, found, count, &edits), &t->setting);
}

static const fracas_contact* detect(teller* t, fracas_siblings siblings, size_t* count) {
    fracas_query query = fracas_scene_default_query();
    query.siblings = siblings;
    fracas_sink sink = fracas_contacts_get_sink(t->contacts);
    edits_need(fracas_scene_detect(t->setting.scene, &query, &sink), &t->setting);
    return fracas_contacts_get_data(t->contacts, count);
}

// All that touches, siblings too, as the frames that are repeated tell those apart.
static uint64_t contacts_hash(teller* t) {
    size_t count;
    const fracas_contact* found = detect(t, FRACAS_SIBLINGS_REPORT, &count);
    return bench_hash_contacts(BENCH_HASH_START, found, count);
}

// ---- the same frame again

// Where all vertices of the latest state were before its step, and where they are now.
typedef struct journey {
    scenes_state state;
    const double* ends[2];
} journey;

static double* points_before(const scenes_state* state, const double* old) {
    const size_t count = state->mesh.points.count;
    double* before = bench_allocate(3 * count, sizeof *before);
    const double* now = state->mesh.points.data;
    for (size_t v = 0; v < count; v++)
        for (size_t k = 0; k < 3; k++) {
            int32_t parent = state->vertex_parents[v];
            before[3 * v + k] = parent < 0 ? now[3 * v + k] : old[3 * (size_t)parent + k];
        }
    return before;
}

static void move_body(edits_setting* s, const journey* j, uint32_t b, int end) {
    fracas_body_info info;
    edits_need(fracas_scene_get_body(s->scene, j->state.bodies[b], &info), s);
    if (info.motion != FRACAS_MOTION_DEFORMING) return;
    double* points = bench_allocate(3 * (size_t)info.vertex_numbers, sizeof *points);
    const uint32_t* places = j->state.maps[b].vertices;
    bool moves = false;
    for (uint32_t v = 0; v < info.vertex_numbers; v++) {
        uint32_t place = places ? places[v] : v;
        for (size_t k = 0; k < 3; k++) {
            size_t i = 3 * ((size_t)j->state.vertex_begins[b] + place) + k;
            points[3 * (size_t)v + k] = place == FRACAS_NONE ? 0 : j->ends[end][i];
            moves |= place != FRACAS_NONE && j->ends[0][i] != j->ends[1][i];
        }
    }
    if (moves) edits_move(s, j->state.bodies[b], points, info.vertex_numbers);
    free(points);
}

static double update_to(edits_setting* s, const journey* j, int end) {
    edits_need(fracas_scene_advance(s->scene), s);
    for (uint32_t b = 0; b < j->state.body_count; b++) move_body(s, j, b, end);
    return edits_update(s);
}

enum { SETTLE = 40 };

// Certificates are looked for less and less often where there are none: the first frames say
// little.
static void measure_whole(teller* t, const journey* j) {
    t->whole = (torn_frame){0};
    for (int i = 0; i < SETTLE; i++) {
        update_to(&t->setting, j, 0);
        double ms = update_to(&t->setting, j, 1);
        if (i < SETTLE / 2) continue;
        t->whole.quiet += 2 * ms / SETTLE;
        t->whole.quiet_cull += 2 * t->setting.scene->cull_ms / SETTLE;
    }
}

static torn_frame run_frame(teller* t, const fracas_contact* found, size_t count, const double* old,
                            bool first) {
    torn_frame out;
    step(t, found, count);
    journey j = {.state = scenes_pulling_apart.state(t->run)};
    double* before = points_before(&j.state, old);
    j.ends[0] = before, j.ends[1] = j.state.mesh.points.data;
    out.split = j.state.ms_edits - j.state.ms_moves;
    out.torn = out.split + edits_update(&t->setting);
    out.torn_cull = t->setting.scene->cull_ms;
    uint64_t hash = contacts_hash(t);
    out.back = update_to(&t->setting, &j, 0);
    out.quiet = update_to(&t->setting, &j, 1);
    out.quiet_cull = t->setting.scene->cull_ms;
    if (first) measure_whole(t, &j);
    free(before);
    if (contacts_hash(t) != hash) {
        fprintf(stderr, "fracas bench edits: a repeated frame has other contacts\n");
        exit(1);
    }
    return out;
}

// ---- all frames

enum { CULLS = 2, TELLERS = 2 * CULLS };  // kept and rebuilt, for each mode of culling

static double* copy_points(const teller* leader, double* into) {
    const fracas_mesh_view mesh = scenes_pulling_apart.state(leader->run).mesh;
    const double* points = mesh.points.data;
    free(into);
    into = bench_allocate(3 * (size_t)mesh.points.count, sizeof *into);
    for (size_t i = 0; i < 3 * (size_t)mesh.points.count; i++) into[i] = points[i];
    return into;
}

// Scenes side by side, moved by the contacts that one more finds, whose time is nobody's.
static uint32_t run_round(const edits_options* o, const fracas_published_cull* culls,
                          torn_frame** frames, torn_frame* wholes, bool again) {
    const scenes_options options = {.size = o->triangles};
    teller leader, tellers[TELLERS];
    double* old = NULL;
    size_t count = 0;
    const fracas_contact* found = NULL;
    open_teller(&leader, &options, FRACAS_PUBLISHED_CULL_CERTIFICATE,
                FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE);
    for (int i = 0; i < TELLERS; i++)
        open_teller(&tellers[i], &options, culls[i / 2],
                    i % 2 ? FRACAS_PUBLISHED_RESTRUCTURE_ALWAYS
                          : FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE);
    for (uint32_t f = 0; f < o->frames; f++) {
        old = copy_points(&leader, old);
        for (uint32_t i = 0; i < TELLERS; i++) {
            uint32_t turn = (i + f) % TELLERS;
            torn_frame now = run_frame(&tellers[turn], found, count, old, f == 0);
            torn_keep(&frames[turn][f], &now, again);
        }
        step(&leader, found, count);
        edits_update(&leader.setting);
        found = detect(&leader, FRACAS_SIBLINGS_UNTIL_SEPARATED, &count);
    }
    uint32_t triangles = scenes_pulling_apart.state(leader.run).mesh.triangle_count;
    for (int i = 0; i < TELLERS; i++) {
        torn_keep(&wholes[i], &tellers[i].whole, again);
        close_teller(&tellers[i]);
    }
    close_teller(&leader);
    free(old);
    return triangles;
}

void edits_pulling_apart(const edits_options* o) {
    static const fracas_published_cull culls[CULLS] = {FRACAS_PUBLISHED_CULL_CERTIFICATE,
                                                       FRACAS_PUBLISHED_CULL_NONE};
    static const char* const names[CULLS] = {"certificate", "none"};
    torn_frame *frames[TELLERS], wholes[TELLERS];
    torn_runs runs[CULLS];
    uint32_t triangles = 0;
    for (int i = 0; i < TELLERS; i++) frames[i] = bench_allocate(o->frames, sizeof(torn_frame));
    for (uint32_t round = 0; round < o->rounds; round++)
        triangles = run_round(o, culls, frames, wholes, round > 0);
    for (int c = 0; c < CULLS; c++) {
        const torn_frame* whole = &wholes[2 * c];
        runs[c] = (torn_runs){names[c],     frames[2 * c],     frames[2 * c + 1], o->frames,
                              whole->quiet, whole->quiet_cull, whole[1].quiet};
    }
    torn_title title = {"pulling-apart", "the scene", triangles, SPLITS, o->rounds};
    torn_print(o, &title, runs, CULLS);
    for (int i = 0; i < TELLERS; i++) free(frames[i]);
}
