// Random edits and queries on a scene and on the model.
#include "api_model.h"
#include "fracas/published.h"
#include "scene/scene.h"
#include "test_allocator.h"
#include <math.h>

uint32_t model_pick(model_source* s, uint32_t below) {
    if (below < 2) return 0;
    if (s->bytes) {
        uint32_t value = s->at < s->size ? s->bytes[s->at++] : 0;
        if (below > 256 && s->at < s->size) value = value << 8 | s->bytes[s->at++];
        return value % below;
    }
    s->state ^= s->state << 13;
    s->state ^= s->state >> 7;
    s->state ^= s->state << 17;
    return (uint32_t)((s->state * 0x2545F4914F6CDD1Du) >> 33) % below;
}

bool model_source_empty(const model_source* s) { return s->bytes && s->at >= s->size; }

// ---- meshes

static void random_point(model_source* s, double scale, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = ((int)model_pick(s, 5) - 1) * scale;
}

fracas_mesh_view model_random_mesh(model_source* s, uint32_t triangles, double scale,
                                   model_mesh* arrays) {
    uint32_t points = 3 + triangles / 2 + model_pick(s, 4);
    for (uint32_t i = 0; i < points; i++) random_point(s, scale, arrays->points[i]);
    for (uint32_t i = 0; i < triangles; i++) {
        // Mostly three consecutive points of the list, so that triangles share edges; sometimes any
        // three.
        uint32_t first = model_pick(s, points);
        bool any = model_pick(s, 4) == 0;
        for (uint32_t k = 0; k < 3; k++)
            arrays->triangles[i][k] = any ? model_pick(s, points) : (first + k) % points;
        if (i && model_pick(s, 16) == 0)
            memcpy(arrays->triangles[i], arrays->triangles[i - 1], sizeof arrays->triangles[i]);
    }
    bool some = model_pick(s, 3) == 0;
    uint32_t edges = some ? model_pick(s, 6) : 0, vertices = some ? model_pick(s, 6) : 0;
    for (uint32_t i = 0; i < edges; i++)
        for (int k = 0; k < 2; k++) arrays->edges[i][k] = model_pick(s, points);
    for (uint32_t i = 0; i < vertices; i++) arrays->vertices[i] = model_pick(s, points);
    return (fracas_mesh_view){
        .points = {.data = arrays->points, .count = points},
        .triangles = arrays->triangles[0],
        .triangle_count = triangles,
        .edge_count = edges,
        .edges = arrays->edges[0],
        .vertices = arrays->vertices,
        .vertex_count = vertices
    };
}

// Permuted and mirrored axes: every sum is exact.
fracas_pose model_random_pose(model_source* s, double scale) {
    fracas_pose pose = {{0}, {0}};
    uint32_t shift = model_pick(s, 3);
    for (uint32_t k = 0; k < 3; k++) {
        pose.rotation[3 * k + (k + shift) % 3] = model_pick(s, 2) ? 1 : -1;
        pose.translation[k] = ((int)model_pick(s, 5) - 2) * scale;
    }
    return pose;
}

// ---- a run

typedef struct run {
    model_source* source;
    model* m;
    test_allocator memory;
    fracas_context* context;
    fracas_scene* scene;
    double scale;
    model_counts* counts;
} run;

static uint32_t pick(run* r, uint32_t below) { return model_pick(r->source, below); }

// A random body; MODEL_BODIES when there is none.
static uint32_t pick_body(run* r) {
    uint32_t start = pick(r, MODEL_BODIES);
    for (uint32_t i = 0; i < MODEL_BODIES; i++)
        if (r->m->bodies[(start + i) % MODEL_BODIES].there) return (start + i) % MODEL_BODIES;
    return MODEL_BODIES;
}

// Sometimes an allocation fails during the call: then nothing may have changed, and the repeated
// call succeeds.
#define ATTEMPT(r, status, call)                                                                   \
    do {                                                                                           \
        test_allocator_fail_at(&(r)->memory, pick(r, 4) ? 0 : 1 + pick(r, 24));                    \
        (status) = (call);                                                                         \
        test_allocator_fail_at(&(r)->memory, 0);                                                   \
        if ((status) == FRACAS_ERROR_OUT_OF_MEMORY) {                                              \
            (r)->counts->refused++;                                                                \
            model_check_bodies((r)->m, (r)->scene);                                                \
            model_check_traces((r)->m, (r)->scene);                                                \
            (status) = (call);                                                                     \
        }                                                                                          \
    } while (0)

static void step_add(run* r) {
    uint32_t place = model_free_place(r->m);
    if (model_body_count(r->m) >= 8 || place == MODEL_BODIES) return;
    model_mesh arrays;
    uint32_t sizes[4] = {0, 4, 10, 30};
    uint32_t triangles = pick(r, 1 + sizes[pick(r, 4)]);
    fracas_mesh_view mesh = model_random_mesh(r->source, triangles, r->scale, &arrays);
    fracas_body_options options = fracas_body_default_options();
    static const fracas_motion motions[] = {FRACAS_MOTION_DEFORMING, FRACAS_MOTION_DEFORMING,
                                            FRACAS_MOTION_RIGID, FRACAS_MOTION_STATIC};
    options.motion = motions[pick(r, 4)];
    if (pick(r, 3) == 0) {
        options.group = pick(r, 4);
        options.mask = pick(r, 4);
    }
    options.self_collision = pick(r, 4) != 0;
    options.pose = model_random_pose(r->source, r->scale);
    if (options.motion != FRACAS_MOTION_RIGID) options.pose = fracas_pose_make_identity();
    fracas_body handle;
    fracas_status status;
    ATTEMPT(r, status, fracas_scene_add(r->scene, &mesh, &options, &handle));
    MODEL_REQUIRE(status == FRACAS_OK, "%s", fracas_status_get_name(status));
    model_add(r->m, place, &mesh, &options, handle);
}

static void step_remove(run* r) {
    uint32_t place = pick_body(r);
    if (place == MODEL_BODIES) return;
    MODEL_REQUIRE(fracas_scene_remove(r->scene, r->m->bodies[place].handle) == FRACAS_OK, "remove");
    model_remove(r->m, place);
}

typedef double model_points[MODEL_VERTICES][3];

// Random new positions. Points of a body that is not rigid go into `arrays`.
static fracas_move random_move(run* r, uint32_t place, model_points arrays) {
    const model_body* b = &r->m->bodies[place];
    fracas_move to = {.body = b->handle};
    if (b->options.motion == FRACAS_MOTION_RIGID) {
        to.kind = FRACAS_MOVE_POSE;
        to.poses[0] = model_random_pose(r->source, r->scale);
        to.poses[1] = model_random_pose(r->source, r->scale);
        if (pick(r, 2)) to.poses[0] = b->pose[1];
        return to;
    }
    uint32_t how = pick(r, 3);
    for (uint32_t v = 0; v < b->vertex_count; v++) {
        memcpy(arrays[v], b->vertices[v].at[0], sizeof arrays[v]);
        if (how == 0 || pick(r, 3) == 0) random_point(r->source, r->scale, arrays[v]);
        if (!b->vertices[v].there) arrays[v][0] = NAN;  // ignored
    }
    to.points_t1 = (fracas_points){.data = arrays, .count = b->vertex_count};
    return to;
}

static void move_in_model(run* r, uint32_t place, const fracas_move* to,
                          const model_points arrays) {
    if (r->m->bodies[place].options.motion == FRACAS_MOTION_RIGID)
        model_pose(r->m, place, &to->poses[0], &to->poses[1]);
    else
        model_move(r->m, place, arrays);
}

static void move_one(run* r, uint32_t place) {
    const model_body* b = &r->m->bodies[place];
    model_points arrays;
    if (b->options.motion == FRACAS_MOTION_STATIC) return;
    const fracas_move to = random_move(r, place, arrays);
    if (b->options.motion == FRACAS_MOTION_RIGID)
        MODEL_REQUIRE(fracas_scene_pose(r->scene, b->handle, &to.poses[0], &to.poses[1]) ==
                          FRACAS_OK,
                      "pose");
    else
        MODEL_REQUIRE(fracas_scene_move(r->scene, b->handle, &to.points_t1) == FRACAS_OK, "move");
    move_in_model(r, place, &to, (const double(*)[3])arrays);
}

// Some of all bodies, starting with one; sometimes one cannot move, and then none does.
static void move_many(run* r, uint32_t first) {
    model_points* arrays = malloc(MODEL_BODIES * sizeof *arrays);
    fracas_move moves[MODEL_BODIES + 1];
    uint32_t places[MODEL_BODIES], count = 0;
    MODEL_REQUIRE(arrays != NULL, "memory");
    for (uint32_t i = 0; i < MODEL_BODIES; i++) {
        const uint32_t place = (first + i) % MODEL_BODIES;
        const model_body* b = &r->m->bodies[place];
        if (!b->there || b->options.motion == FRACAS_MOTION_STATIC || pick(r, 4) == 0) continue;
        places[count] = place;
        moves[count] = random_move(r, place, arrays[count]);
        count++;
    }
    if (count > 0 && pick(r, 4) == 0) {
        moves[count] = moves[pick(r, count)];
        const bool stale = pick(r, 2);
        moves[count].body.generation += stale;
        MODEL_REQUIRE(fracas_scene_move_many(r->scene, moves, count + 1) ==
                          (stale ? FRACAS_ERROR_STALE_HANDLE : FRACAS_ERROR_BAD_DATA),
                      "twice, or removed");
        model_check_bodies(r->m, r->scene);
        r->counts->refused++;
    }
    fracas_status status;
    ATTEMPT(r, status, fracas_scene_move_many(r->scene, moves, count));
    MODEL_REQUIRE(status == FRACAS_OK, "%s", fracas_status_get_name(status));
    for (uint32_t i = 0; i < count; i++)
        move_in_model(r, places[i], &moves[i], (const double(*)[3])arrays[i]);
    free(arrays);
}

static void step_move(run* r) {
    uint32_t place = pick_body(r);
    if (place == MODEL_BODIES) return;
    if (pick(r, 2))
        move_one(r, place);
    else
        move_many(r, place);
}

// ---- splits

typedef struct split_arrays {
    fracas_new_vertex vertices[MODEL_VERTICES];
    fracas_repoint repoints[4 * MODEL_TRIANGLES];
    uint32_t triangles[8][3], removed[8];
    uint32_t offsets[MODEL_BODIES], parts[2 * MODEL_TRIANGLES];
} split_arrays;

// The source of an empty list may be NULL.
static void copy(void* to, const void* from, size_t size) {
    if (size) memcpy(to, from, size);
}

// Mostly a number below `count`, occasionally one that is too large.
static uint32_t pick_index(run* r, uint32_t count) {
    return pick(r, 60) == 0 ? count + pick(r, 3) : pick(r, count);
}

static void random_vertex(run* r, const model_body* b, fracas_new_vertex* v) {
    static const double weights[] = {0.5, 0, 1, 0.25};
    *v = (fracas_new_vertex){.parent_a = FRACAS_NONE, .parent_b = FRACAS_NONE};
    random_point(r->source, r->scale, v->t0);
    memcpy(v->t1, v->t0, sizeof v->t1);
    if (pick(r, 2)) random_point(r->source, r->scale, v->t1);
    uint32_t parents = pick(r, 4);
    if (parents > 0) v->parent_a = pick_index(r, b->vertex_count);
    if (parents == 3) v->parent_b = pick_index(r, b->vertex_count);
    v->weight = weights[pick(r, 4)];
}

// Cracks along the borders between labels; additional changes may make the split invalid.
static void random_parts(run* r, const model_body* b, split_arrays* arrays, fracas_split* s) {
    uint32_t labels[MODEL_TRIANGLES] = {0}, parts = 1 + pick(r, 3), places = 0;
    for (uint32_t i = 0; i < MODEL_BODIES; i++) places += !r->m->bodies[i].there;
    if (parts >= places || b->triangle_count == 0) return;
    uint32_t border = pick(r, b->triangle_count);
    bool mixed = pick(r, 3) == 0;
    for (uint32_t t = 0; t < b->triangle_count; t++)
        labels[t] = mixed ? pick(r, parts + 1) : t < border ? 0 : 1 + (t - border) % parts;
    fracas_split_plan* plan = NULL;
    fracas_status status;
    ATTEMPT(r, status,
            fracas_split_plan_create(r->scene, b->handle, labels, b->triangle_count, &plan));
    MODEL_REQUIRE((status == FRACAS_OK) == (plan != NULL), "plan");
    if (!plan) return;  // a label without triangles
    const fracas_split* view = fracas_split_plan_get_split(plan);
    MODEL_REQUIRE(view->new_vertex_count + b->vertex_count <= MODEL_VERTICES || view->part_count,
                  "plan");
    if (view->new_vertex_count + b->vertex_count + 8 < MODEL_VERTICES) {
        uint32_t listed = view->part_count ? view->part_offsets[view->part_count] : 0;
        *s = *view;
        copy(arrays->vertices, view->new_vertices,
             view->new_vertex_count * sizeof *arrays->vertices);
        copy(arrays->repoints, view->repoints, view->repoint_count * sizeof *arrays->repoints);
        copy(arrays->offsets, view->part_offsets, (view->part_count + 1) * sizeof(uint32_t));
        copy(arrays->parts, view->part_triangles, listed * sizeof(uint32_t));
    }
    fracas_split_plan_destroy(plan);
}

// Changes in addition to the parts: mostly of elements that stay, but this is not checked.
static void random_changes(run* r, const model_body* b, split_arrays* arrays, fracas_split* s) {
    for (uint32_t n = pick(r, 4); n > 0 && b->vertex_count + s->new_vertex_count < MODEL_VERTICES;
         n--)
        random_vertex(r, b, &arrays->vertices[s->new_vertex_count++]);
    uint32_t vertices = b->vertex_count + s->new_vertex_count;
    for (uint32_t n = pick(r, 4); n > 0; n--)
        arrays->repoints[s->repoint_count++] = (fracas_repoint){
            pick_index(r, b->triangle_count), pick_index(r, 3), pick_index(r, vertices)};
    uint32_t triangles = b->triangle_count + 8 < MODEL_TRIANGLES ? pick(r, 4) : 0;
    for (; s->new_triangle_count < triangles; s->new_triangle_count++)
        for (int k = 0; k < 3; k++)
            arrays->triangles[s->new_triangle_count][k] = pick_index(r, vertices);
    for (uint32_t n = pick(r, 4); n > 0; n--)
        arrays->removed[s->removed_triangle_count++] = pick_index(r, b->triangle_count);
    // A new triangle may be listed in the last part.
    if (s->part_count && s->new_triangle_count && pick(r, 2))
        arrays->parts[arrays->offsets[s->part_count]++] = b->triangle_count;
}

static void step_split(run* r) {
    uint32_t place = pick_body(r);
    if (place == MODEL_BODIES) return;
    const model_body* b = &r->m->bodies[place];
    split_arrays* arrays = calloc(1, sizeof *arrays);
    MODEL_REQUIRE(arrays, "no memory");
    fracas_split s = fracas_scene_default_split();
    uint32_t what = pick(r, 4);
    if (what < 3) random_parts(r, b, arrays, &s);
    if (what > 1) random_changes(r, b, arrays, &s);
    s.new_vertices = arrays->vertices;
    s.repoints = arrays->repoints;
    s.new_triangles = arrays->triangles[0];
    s.removed_triangles = arrays->removed;
    s.part_offsets = arrays->offsets;
    s.part_triangles = arrays->parts;
    uint32_t places[MODEL_BODIES], found = 0;
    for (uint32_t i = 0; i < MODEL_BODIES && found < s.part_count; i++)
        if (!r->m->bodies[i].there) places[found++] = i;
    fracas_body parts[MODEL_BODIES] = {
        {0, 0}
    };
    fracas_status status;
    ATTEMPT(r, status, fracas_scene_split(r->scene, b->handle, &s, parts));
    bool ok = model_split(r->m, place, &s, places);
    MODEL_REQUIRE(status == (ok ? FRACAS_OK : FRACAS_ERROR_BAD_DATA), "%s",
                  fracas_status_get_name(status));
    for (uint32_t p = 0; p < s.part_count && ok; p++) r->m->bodies[places[p]].handle = parts[p];
    r->counts->refused += !ok;
    free(arrays);
}

// ---- merges

typedef struct merge_arrays {
    uint32_t places[MODEL_BODIES], count, vertices, triangles, free_edges, free_points;
    fracas_weld_pair welds[12];
} merge_arrays;

static bool can_join(const run* r, uint32_t first, uint32_t other) {
    const model_body *a = &r->m->bodies[first], *b = &r->m->bodies[other];
    if (other == first || !b->there || a->options.motion != b->options.motion) return false;
    return a->options.motion != FRACAS_MOTION_RIGID ||
           memcmp(a->pose, b->pose, sizeof a->pose) == 0;
}

static void add_to_merge(run* r, merge_arrays* arrays, uint32_t place) {
    const model_body* b = &r->m->bodies[place];
    arrays->places[arrays->count++] = place;
    arrays->vertices += b->vertex_count;
    arrays->triangles += b->triangle_count;
    arrays->free_edges += b->edge_count;
    arrays->free_points += b->point_count;
}

static bool small_enough(const merge_arrays* arrays, const model_body* b) {
    return arrays->vertices + b->vertex_count <= MODEL_VERTICES / 2 &&
           arrays->triangles + b->triangle_count <= MODEL_TRIANGLES / 2 &&
           arrays->free_edges + b->edge_count <= MODEL_FREE &&
           arrays->free_points + b->point_count <= MODEL_FREE;
}

static uint32_t random_welds(run* r, merge_arrays* arrays) {
    uint32_t count = 0;
    for (uint32_t n = pick(r, 8); n > 0; n--) {
        fracas_weld_pair w;
        uint32_t* body[2] = {&w.body_a, &w.body_b};
        uint32_t* vertex[2] = {&w.vertex_a, &w.vertex_b};
        bool there = true;
        for (int i = 0; i < 2; i++) {
            *body[i] = pick(r, arrays->count);
            const model_body* b = &r->m->bodies[arrays->places[*body[i]]];
            *vertex[i] = pick(r, b->vertex_count);
            there = there && *vertex[i] < b->vertex_count && b->vertices[*vertex[i]].there;
        }
        if (there) arrays->welds[count++] = w;
    }
    return count;
}

static void step_merge(run* r) {
    uint32_t first = pick_body(r);
    if (first == MODEL_BODIES) return;
    merge_arrays arrays = {.count = 0};
    if (!small_enough(&arrays, &r->m->bodies[first])) return;
    add_to_merge(r, &arrays, first);
    for (uint32_t i = 0; i < MODEL_BODIES; i++)
        if (can_join(r, first, i) && small_enough(&arrays, &r->m->bodies[i]) && pick(r, 2))
            add_to_merge(r, &arrays, i);
    fracas_body handles[MODEL_BODIES], out = {0, 0};
    for (uint32_t i = 0; i < arrays.count; i++) handles[i] = r->m->bodies[arrays.places[i]].handle;
    uint32_t maps[4][MODEL_VERTICES] = {{0}};
    fracas_merge merge = fracas_scene_default_merge();
    merge.welds = arrays.welds;
    merge.weld_count = random_welds(r, &arrays);
    merge.vertex_map = maps[0];
    merge.triangle_map = maps[1];
    fracas_status status;
    ATTEMPT(r, status, fracas_scene_merge(r->scene, handles, arrays.count, &merge, &out));
    MODEL_REQUIRE(status == FRACAS_OK, "%s", fracas_status_get_name(status));
    MODEL_REQUIRE(memcmp(&out, &handles[0], sizeof out) == 0, "the first body keeps its handle");
    merge.vertex_map = maps[2];
    merge.triangle_map = maps[3];
    model_merge(r->m, arrays.places, arrays.count, &merge);
    MODEL_REQUIRE(memcmp(maps[0], maps[2], sizeof maps[0]) == 0, "vertex map");
    MODEL_REQUIRE(memcmp(maps[1], maps[3], sizeof maps[1]) == 0, "triangle map");
}

// ---- misuse

static void step_misuse(run* r) {
    uint32_t place = pick_body(r);
    if (place == MODEL_BODIES) return;
    const model_body* b = &r->m->bodies[place];
    double points[MODEL_VERTICES][3] = {{0}};
    fracas_body stale = {b->handle.index, b->handle.generation + 1 + pick(r, 3)}, out;
    fracas_points view = {.data = points, .count = b->vertex_count};
    fracas_pose pose = fracas_pose_make_identity(), bad = pose;
    bad.translation[pick(r, 3)] = pick(r, 2) ? NAN : INFINITY;
    fracas_status bad_data = FRACAS_ERROR_BAD_DATA, stale_handle = FRACAS_ERROR_STALE_HANDLE;
    MODEL_REQUIRE(fracas_scene_move(r->scene, stale, &view) == stale_handle, "stale");
    MODEL_REQUIRE(fracas_scene_pose(r->scene, stale, &pose, &pose) == stale_handle, "stale");
    MODEL_REQUIRE(fracas_scene_remove(r->scene, stale) == stale_handle, "stale");
    if (b->options.motion == FRACAS_MOTION_RIGID && b->vertex_count && b->vertices[0].there)
        MODEL_REQUIRE(fracas_scene_pose(r->scene, b->handle, &pose, &bad) == bad_data, "pose");
    if (b->options.motion == FRACAS_MOTION_DEFORMING) {
        view.count = b->vertex_count + 1;
        MODEL_REQUIRE(fracas_scene_move(r->scene, b->handle, &view) == bad_data, "count");
        view.count = b->vertex_count;
        uint32_t v = pick(r, b->vertex_count);
        points[v][pick(r, 3)] = NAN;
        if (v < b->vertex_count && b->vertices[v].there)
            MODEL_REQUIRE(fracas_scene_move(r->scene, b->handle, &view) == bad_data, "NaN");
    }
    fracas_body both[2] = {b->handle, b->handle};
    MODEL_REQUIRE(fracas_scene_merge(r->scene, both, 2, NULL, &out) == bad_data, "twice");
    r->counts->refused++;
}

// ---- queries

static fracas_query random_query(run* r) {
    fracas_query query = fracas_scene_default_query();
    query.modes = 1 + pick(r, 3);
    query.siblings = (fracas_siblings)pick(r, 3);
    query.first = pick(r, 6) == 0;
    if (pick(r, 6) == 0) query.tolerance = 0.125;
    if (pick(r, 8) == 0) query.min_separation = 0.5 * r->scale;
    return query;
}

static void step_query(run* r) {
    fracas_status status;
    ATTEMPT(r, status, fracas_scene_update(r->scene));
    MODEL_REQUIRE(status == FRACAS_OK, "%s", fracas_status_get_name(status));
    if (r->scene->options.search->needs_trees) model_check_blocks(r->scene);
    fracas_query query = random_query(r);
    fracas_statistics statistics;
    fracas_sink sink = {.statistics = &statistics};
    ATTEMPT(r, status, fracas_scene_detect(r->scene, &query, &sink));
    MODEL_REQUIRE(status == FRACAS_OK, "%s", fracas_status_get_name(status));
    r->counts->contacts += model_check_query(r->m, r->scene, &query, true);
    if (pick(r, 4) == 0) model_check_max_step(r->scene, &query);
    if (pick(r, 8) == 0)
        r->counts->contacts +=
            model_check_nearby(r->m, r->scene, 0.5 * pick(r, 3) * r->scale, true);
    r->counts->queries++;
}

static void step(run* r) {
    uint32_t what = pick(r, 20);
    r->counts->steps++;
    if (what < 8) {
        step_query(r);
        return;
    }
    if (what < 10)
        step_add(r);
    else if (what == 10)
        step_remove(r);
    else if (what < 13)
        step_move(r);
    else if (what < 16)
        step_split(r);
    else if (what < 18)
        step_merge(r);
    else if (what == 18)
        step_misuse(r);
    else {
        fracas_status status;
        ATTEMPT(r, status, fracas_scene_advance(r->scene));
        MODEL_REQUIRE(status == FRACAS_OK, "advance");
        model_advance(r->m);
    }
    r->counts->edits++;
    model_check_bodies(r->m, r->scene);
    model_check_traces(r->m, r->scene);
}

static void create_published(run* r) {
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.builder = (fracas_published_builder)pick(r, 3);
    how.rebuild = (fracas_published_builder)pick(r, 3);
    how.inherit = pick(r, 3) > 0;
    how.grid_levels = 1 + pick(r, 4);
    how.grid_stop = 1 + pick(r, 40);
    how.restructure = (fracas_published_restructure)pick(r, 4);
    how.metric = (fracas_published_metric)pick(r, 2);
    how.restructure_share = pick(r, 2) ? 0.25 : 100;
    if (pick(r, 4) == 0) how.broad = FRACAS_PUBLISHED_BROAD_HASH;
    if (how.broad == FRACAS_PUBLISHED_BROAD_HASH && pick(r, 2))
        how.cell_size = (1 + pick(r, 6)) * (pick(r, 2) ? 0.2 * r->scale : 0.01);
    MODEL_REQUIRE(fracas_published_scene_create(r->context, &how, &r->scene) == FRACAS_OK, "scene");
}

void model_run(model_source* source, uint32_t workers, uint32_t steps, model_counts* counts) {
    model_run_made(source, workers, steps, NULL, counts);
}

void model_run_made(model_source* source, uint32_t workers, uint32_t steps,
                    const model_maker* maker, model_counts* counts) {
    // Integer coordinates, subnormal ones, and ones whose float boxes are infinite.
    static const double scales[] = {1, 1, 1, 0x1p-1074, 0x1p1020, 0.1};
    run r = {.source = source, .m = model_create(), .counts = counts};
    r.scale = scales[pick(&r, 6)];
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &r.memory};
    MODEL_REQUIRE(fracas_context_create(&options, &r.context) == FRACAS_OK, "context");
    void* opened = maker ? maker->open(r.context) : NULL;
    if (maker)
        MODEL_REQUIRE(maker->create(opened, &r.scene) == FRACAS_OK, "scene");
    else
        create_published(&r);
    for (uint32_t i = 0; i < 3; i++) step_add(&r);
    for (uint32_t i = 0; i < steps && !model_source_empty(source); i++) step(&r);
    fracas_scene_destroy(r.scene);
    if (maker) maker->close(opened);
    fracas_context_destroy(r.context);
    MODEL_REQUIRE(r.memory.live == 0 && r.memory.blocks == 0, "all memory is released");
    model_destroy(r.m);
}
