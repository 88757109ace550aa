// The scene `pulling-apart`, in which cracks grow by twenty splits per frame.
#include "edits/frame_times.h"
#include "hash.h"
#include "scene/scene.h"
#include "scenes.h"
#include <stdio.h>
#include <stdlib.h>

enum { SPLITS = 20 };

// One copy of the scene under one configuration. Frames are repeated without the scene's solver:
// after each quiet frame all points are again where the solver left them.
typedef struct replica {
    edits_fixture fixture;
    void* run;
    fracas_contacts* contacts;
    frame_times whole;  // quiet frames measured in the first frame, with hardly any cracks
} replica;

static void open_replica(replica* t, const scenes_options* options, fracas_published_cull cull,
                         fracas_published_restructure restructure) {
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.cull = cull;
    how.restructure = restructure;
    edits_open(&t->fixture, &how);
    scenes_options own = *options;
    own.context = t->fixture.context;
    edits_need(scenes_pulling_apart.create(t->fixture.scene, &own, &t->run), &t->fixture);
    edits_need(fracas_contacts_create(t->fixture.context, &t->contacts), &t->fixture);
    edits_update(&t->fixture);
}

static void close_replica(replica* t) {
    scenes_pulling_apart.destroy(t->run);
    fracas_contacts_destroy(t->contacts);
    edits_close(&t->fixture);
}

static void step(replica* t, const fracas_contact* found, size_t count) {
    uint64_t edits;
    edits_need(fracas_scene_advance(t->fixture.scene), &t->fixture);
    edits_need(scenes_pulling_apart.step(t->run, found, count, &edits), &t->fixture);
}

static const fracas_contact* detect(replica* t, fracas_siblings siblings, size_t* count) {
    fracas_query query = fracas_scene_default_query();
    query.siblings = siblings;
    fracas_sink sink = fracas_contacts_get_sink(t->contacts);
    edits_need(fracas_scene_detect(t->fixture.scene, &query, &sink), &t->fixture);
    return fracas_contacts_get_data(t->contacts, count);
}

// Includes contacts between siblings: whether they count as separated depends on earlier frames,
// which the repetition changes.
static uint64_t contacts_hash(replica* t) {
    size_t count;
    const fracas_contact* found = detect(t, FRACAS_SIBLINGS_REPORT, &count);
    return bench_hash_contacts(BENCH_HASH_START, found, count);
}

// ---- repeating a frame

// Positions of all vertices of the current state at both ends of the step.
typedef struct frame_motion {
    scenes_state state;
    const double* ends[2];
} frame_motion;

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

static void move_body(edits_fixture* s, const frame_motion* j, uint32_t b, int end) {
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

static double update_to(edits_fixture* s, const frame_motion* j, int end) {
    edits_need(fracas_scene_advance(s->scene), s);
    for (uint32_t b = 0; b < j->state.body_count; b++) move_body(s, j, b, end);
    return edits_update(s);
}

enum { REPEATS = 40 };

// Mean over the second half of the repeats: in the first half the search for certificates is still
// backing off from subtrees that have none.
static void measure_uncracked(replica* t, const frame_motion* j) {
    t->whole = (frame_times){0};
    for (int i = 0; i < REPEATS; i++) {
        update_to(&t->fixture, j, 0);
        double ms = update_to(&t->fixture, j, 1);
        if (i < REPEATS / 2) continue;
        t->whole.quiet += 2 * ms / REPEATS;
        t->whole.quiet_cull += 2 * t->fixture.scene->cull_ms / REPEATS;
    }
}

static frame_times run_frame(replica* t, const fracas_contact* found, size_t count,
                             const double* old, bool first) {
    frame_times out;
    step(t, found, count);
    frame_motion j = {.state = scenes_pulling_apart.state(t->run)};
    double* before = points_before(&j.state, old);
    j.ends[0] = before, j.ends[1] = j.state.mesh.points.data;
    out.split = j.state.ms_edits - j.state.ms_moves;
    out.torn = out.split + edits_update(&t->fixture);
    out.torn_cull = t->fixture.scene->cull_ms;
    uint64_t hash = contacts_hash(t);
    out.back = update_to(&t->fixture, &j, 0);
    out.quiet = update_to(&t->fixture, &j, 1);
    out.quiet_cull = t->fixture.scene->cull_ms;
    if (first) measure_uncracked(t, &j);
    free(before);
    if (contacts_hash(t) != hash) {
        fprintf(stderr, "fracas bench edits: a repeated frame has other contacts\n");
        exit(1);
    }
    return out;
}

// ---- all frames

enum { CULLS = 2, REPLICAS = 2 * CULLS };  // refitted and rebuilt, for each mode of culling

static double* copy_points(const replica* reference, double* into) {
    const fracas_mesh_view mesh = scenes_pulling_apart.state(reference->run).mesh;
    const double* points = mesh.points.data;
    free(into);
    into = bench_allocate(3 * (size_t)mesh.points.count, sizeof *into);
    for (size_t i = 0; i < 3 * (size_t)mesh.points.count; i++) into[i] = points[i];
    return into;
}

// Runs all replicas interleaved, frame by frame. Their solvers get the contacts of one more
// replica, the reference, which is not timed.
static uint32_t run_round(const edits_options* o, const fracas_published_cull* culls,
                          frame_times** frames, frame_times* wholes, bool again) {
    const scenes_options options = {.size = o->triangles};
    replica reference, replicas[REPLICAS];
    double* old = NULL;
    size_t count = 0;
    const fracas_contact* found = NULL;
    open_replica(&reference, &options, FRACAS_PUBLISHED_CULL_CERTIFICATE,
                 FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE);
    for (int i = 0; i < REPLICAS; i++)
        open_replica(&replicas[i], &options, culls[i / 2],
                     i % 2 ? FRACAS_PUBLISHED_RESTRUCTURE_ALWAYS
                           : FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE);
    for (uint32_t f = 0; f < o->frames; f++) {
        old = copy_points(&reference, old);
        for (uint32_t i = 0; i < REPLICAS; i++) {
            uint32_t r = (i + f) % REPLICAS;
            frame_times now = run_frame(&replicas[r], found, count, old, f == 0);
            frame_times_keep(&frames[r][f], &now, again);
        }
        step(&reference, found, count);
        edits_update(&reference.fixture);
        found = detect(&reference, FRACAS_SIBLINGS_UNTIL_SEPARATED, &count);
    }
    uint32_t triangles = scenes_pulling_apart.state(reference.run).mesh.triangle_count;
    for (int i = 0; i < REPLICAS; i++) {
        frame_times_keep(&wholes[i], &replicas[i].whole, again);
        close_replica(&replicas[i]);
    }
    close_replica(&reference);
    free(old);
    return triangles;
}

void edits_pulling_apart(const edits_options* o) {
    static const fracas_published_cull culls[CULLS] = {FRACAS_PUBLISHED_CULL_CERTIFICATE,
                                                       FRACAS_PUBLISHED_CULL_NONE};
    static const char* const names[CULLS] = {"certificate", "none"};
    frame_times *frames[REPLICAS], wholes[REPLICAS];
    frame_times_runs runs[CULLS];
    uint32_t triangles = 0;
    for (int i = 0; i < REPLICAS; i++) frames[i] = bench_allocate(o->frames, sizeof(frame_times));
    for (uint32_t round = 0; round < o->rounds; round++)
        triangles = run_round(o, culls, frames, wholes, round > 0);
    for (int c = 0; c < CULLS; c++) {
        const frame_times* whole = &wholes[2 * c];
        runs[c] = (frame_times_runs){names[c],     frames[2 * c],     frames[2 * c + 1], o->frames,
                                     whole->quiet, whole->quiet_cull, whole[1].quiet};
    }
    frame_times_title title = {"pulling-apart", "the scene", triangles, SPLITS, o->rounds};
    frame_times_print(o, &title, runs, CULLS);
    for (int i = 0; i < REPLICAS; i++) free(frames[i]);
}
