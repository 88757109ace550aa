/// @file intersections.c  The intersections of discrete contacts, and what has a common corner.
///
/// The same point of two pairs of triangles, where an edge goes through a triangle, is computed
/// from the same corners by exact arithmetic and rounded last, so it has the same coordinates:
/// corners are common when they are equal.
#include "fracas/intersections.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/parallel.h"
#include "geom/tri_tri_shape.h"
#include "scene/scene.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct fracas_intersections {
    fracas_context* context;
    frc_arena arena;
    fracas_intersections_view view;
};

// ---- one contact

static bool is_discrete(const fracas_contact* c) {
    return c->kind == FRACAS_CONTACT_TT || c->kind == FRACAS_CONTACT_ET;
}

static fracas_status get_corners(const fracas_scene* scene, fracas_body body, uint32_t triangle,
                                 double out[3][3]) {
    uint32_t corners[3];
    fracas_status status = fracas_scene_get_triangle(scene, body, triangle, corners);
    for (int i = 0; i < 3 && status == FRACAS_OK; i++)
        status = fracas_scene_get_vertex(scene, body, corners[i], NULL, out[i]);
    return status;
}

fracas_status fracas_scene_find_intersection(const fracas_scene* scene, const fracas_contact* c,
                                             fracas_intersection* out) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!c) return frc_fail_null(scene->context, "fracas_scene_find_intersection", "contact");
    if (!out) return frc_fail_null(scene->context, "fracas_scene_find_intersection", "out");
    if (!is_discrete(c))
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "a contact of kind %d is at a time of the step: only those of triangles "
                        "(TT) and of a free edge and a triangle (ET) have an intersection",
                        (int)c->kind);
    double x[3][3], y[3][3];
    const int count = c->kind == FRACAS_CONTACT_TT ? 3 : 2;
    fracas_status status = FRACAS_OK;
    if (count == 3) status = get_corners(scene, c->body_a, c->a[0], x);
    for (int i = 0; i < 2 && count == 2 && status == FRACAS_OK; i++)
        status = fracas_scene_get_vertex(scene, c->body_a, c->a[i], NULL, x[i]);
    if (status == FRACAS_OK) status = get_corners(scene, c->body_b, c->b[0], y);
    if (status != FRACAS_OK) return status;
    const double* const a[3] = {x[0], x[1], x[2]};
    const double* const b[3] = {y[0], y[1], y[2]};
    frc_tri_shape shape;
    frc_tri_tri_shape(a, count, b, 3, &shape);
    *out = (fracas_intersection){.meeting = (fracas_meeting)shape.meeting,
                                 .count = (uint32_t)shape.count};
    memcpy(out->points, shape.points, sizeof out->points);
    return FRACAS_OK;
}

// ---- all contacts

typedef struct finding {
    const fracas_scene* scene;
    const fracas_contact* contacts;
    fracas_intersection* data;
    uint32_t* refused;  // by worker: the first contact without an intersection, or FRACAS_NONE
} finding;

static void find(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const finding* f = data;
    for (uint32_t i = begin; i < end; i++) {
        if (!is_discrete(&f->contacts[i])) continue;
        const fracas_status status =
            fracas_scene_find_intersection(f->scene, &f->contacts[i], &f->data[i]);
        if (status != FRACAS_OK && i < f->refused[worker]) f->refused[worker] = i;
    }
}

// ---- common corners

// A corner of the intersection of a contact.
typedef struct corner {
    double at[3];
    uint32_t contact, number;
} corner;

static int compare_places(const double a[3], const double b[3]) {
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_corners(const void* x, const void* y) {
    const corner *a = x, *b = y;
    const int order = compare_places(a->at, b->at);
    if (order != 0) return order;
    if (a->contact != b->contact) return a->contact < b->contact ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

// Corners in the order of their coordinates, and the ends of segments as numbers of points.
typedef struct grouping {
    const fracas_intersection* data;
    uint32_t count;
    corner* corners;
    size_t corner_count;
    uint32_t (*ends)[2];  // by contact: of a segment
    uint32_t* parent;     // by contact: union-find
    uint32_t* points;     // by point: a corner with its coordinates
    uint32_t point_count;
} grouping;

static uint32_t find_root(uint32_t* parent, uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void join(uint32_t* parent, uint32_t a, uint32_t b) {
    const uint32_t x = find_root(parent, a), y = find_root(parent, b);
    if (x < y)
        parent[y] = x;
    else
        parent[x] = y;
}

static bool make_corners(grouping* g, frc_arena* arena) {
    size_t count = 0;
    for (uint32_t i = 0; i < g->count; i++) count += g->data[i].count;
    if (count >= UINT32_MAX) return false;
    g->corners = frc_arena_allocate(arena, count, sizeof *g->corners);
    g->ends = frc_arena_allocate(arena, g->count, sizeof *g->ends);
    g->parent = frc_arena_allocate(arena, g->count, sizeof *g->parent);
    g->points = frc_arena_allocate(arena, count, sizeof *g->points);
    if (!g->corners || !g->ends || !g->parent || !g->points) return false;
    for (uint32_t i = 0; i < g->count; i++) {
        g->parent[i] = i;
        for (uint32_t n = 0; n < g->data[i].count; n++) {
            corner* c = &g->corners[g->corner_count++];
            *c = (corner){.contact = i, .number = n};
            memcpy(c->at, g->data[i].points[n], sizeof c->at);
        }
    }
    qsort(g->corners, g->corner_count, sizeof *g->corners, compare_corners);
    return true;
}

static void group_corners(grouping* g) {
    for (uint32_t i = 0; i < g->corner_count; i++) {
        const corner *c = &g->corners[i], *first = c;
        if (g->point_count > 0) first = &g->corners[g->points[g->point_count - 1]];
        if (first == c || compare_places(first->at, c->at) != 0)
            g->points[g->point_count++] = i;
        else
            join(g->parent, first->contact, c->contact);
        if (c->number < 2) g->ends[c->contact][c->number] = g->point_count - 1;
    }
}

static bool number_places(grouping* g, const fracas_contact* contacts, frc_arena* arena,
                          fracas_intersections_view* out) {
    uint32_t* places = frc_arena_allocate(arena, g->count, sizeof *places);
    if (!places) return false;
    for (uint32_t i = 0; i < g->count; i++) {
        // Roots are the first of their place.
        const uint32_t root = find_root(g->parent, i);
        places[i] = !is_discrete(&contacts[i]) ? FRACAS_NONE
                    : root == i                ? out->place_count++
                                               : places[root];
    }
    out->places = places;
    return true;
}

// ---- curves

typedef struct segment {
    uint32_t ends[2], contact;
} segment;

static int compare_segments(const void* x, const void* y) {
    const segment *a = x, *b = y;
    for (int e = 0; e < 2; e++)
        if (a->ends[e] != b->ends[e]) return a->ends[e] < b->ends[e] ? -1 : 1;
    return (a->contact > b->contact) - (a->contact < b->contact);
}

typedef struct chaining {
    const grouping* g;
    segment* segments;  // different ones
    uint32_t segment_count;
    uint32_t *offsets, *at_point;  // by point: its segments
    bool* used;                    // by segment
    // The curves.
    uint32_t *curve_offsets, *curve_places, curve_count, point_count;
    double (*points)[3];
    const uint32_t* places;
} chaining;

// Segments with two different ends, each once, and those of each point.
static bool make_segments(chaining* c, frc_arena* arena) {
    const grouping* g = c->g;
    uint32_t count = 0;
    c->segments = frc_arena_allocate(arena, g->count, sizeof *c->segments);
    c->used = frc_arena_allocate_zero(arena, g->count, sizeof *c->used);
    c->at_point = frc_arena_allocate(arena, 2 * (size_t)g->count, sizeof *c->at_point);
    c->offsets = frc_arena_allocate_zero(arena, (size_t)g->point_count + 2, sizeof *c->offsets);
    if (!c->segments || !c->used || !c->at_point || !c->offsets) return false;
    for (uint32_t i = 0; i < g->count; i++) {
        const uint32_t a = g->ends[i][0], b = g->ends[i][1];
        if (g->data[i].count != 2 || a == b) continue;
        c->segments[count++] = (segment){
            {a < b ? a : b, a < b ? b : a},
            i
        };
    }
    qsort(c->segments, count, sizeof *c->segments, compare_segments);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 ||
            memcmp(c->segments[i].ends, c->segments[i - 1].ends, sizeof(uint32_t[2])) != 0)
            c->segments[c->segment_count++] = c->segments[i];
    for (uint32_t i = 0; i < c->segment_count; i++)
        for (int e = 0; e < 2; e++) c->offsets[c->segments[i].ends[e] + 2]++;
    for (uint32_t p = 0; p < g->point_count; p++) c->offsets[p + 2] += c->offsets[p + 1];
    for (uint32_t i = 0; i < c->segment_count; i++)
        for (int e = 0; e < 2; e++) c->at_point[c->offsets[c->segments[i].ends[e] + 1]++] = i;
    return true;
}

static uint32_t degree(const chaining* c, uint32_t point) {
    return c->offsets[point + 1] - c->offsets[point];
}

static void add_point(chaining* c, uint32_t point) {
    memcpy(c->points[c->point_count++], c->g->corners[c->g->points[point]].at, sizeof(double[3]));
}

// Follow a segment from one of its ends until the curve ends, or is closed.
static void follow(chaining* c, uint32_t number, uint32_t point) {
    const uint32_t first = point;
    c->curve_places[c->curve_count] = c->places[c->segments[number].contact];
    add_point(c, point);
    for (;;) {
        const segment* s = &c->segments[number];
        c->used[number] = true;
        point = s->ends[s->ends[0] == point];
        add_point(c, point);
        if (degree(c, point) != 2 || point == first) break;
        const uint32_t* both = &c->at_point[c->offsets[point]];
        number = both[both[0] == number];
    }
    c->curve_offsets[++c->curve_count] = c->point_count;
}

// Curves with ends first, then closed ones.
static void make_curves(chaining* c) {
    for (int closed = 0; closed < 2; closed++)
        for (uint32_t p = 0; p < c->g->point_count; p++) {
            if ((degree(c, p) == 2) != closed) continue;
            for (uint32_t i = c->offsets[p]; i < c->offsets[p + 1]; i++)
                if (!c->used[c->at_point[i]]) follow(c, c->at_point[i], p);
        }
}

static bool chain(const grouping* g, frc_arena* scratch, fracas_intersections* out) {
    chaining c = {.g = g, .places = out->view.places};
    if (!make_segments(&c, scratch)) return false;
    // A curve has one point more than segments.
    const size_t most = c.segment_count;
    c.curve_offsets = frc_arena_allocate_zero(&out->arena, most + 1, sizeof *c.curve_offsets);
    c.curve_places = frc_arena_allocate(&out->arena, most, sizeof *c.curve_places);
    c.points = frc_arena_allocate(&out->arena, 2 * most, sizeof *c.points);
    if (!c.curve_offsets || !c.curve_places || !c.points) return false;
    make_curves(&c);
    out->view.curve_count = c.curve_count;
    out->view.curve_offsets = c.curve_offsets;
    out->view.curve_places = c.curve_places;
    out->view.curve_points = (const double(*)[3])c.points;
    return true;
}

// ---- the object

static fracas_status fill(const fracas_scene* scene, const fracas_contact* contacts, uint32_t count,
                          frc_arena* scratch, fracas_intersections* out) {
    fracas_context* context = scene->context;
    const uint32_t workers = frc_worker_count(context);
    fracas_intersection* data = frc_arena_allocate_zero(&out->arena, count, sizeof *data);
    uint32_t* refused = frc_arena_allocate(scratch, workers, sizeof *refused);
    bool ok = data && refused;
    if (ok) {
        uint32_t first = FRACAS_NONE;
        finding f = {scene, contacts, data, refused};
        for (uint32_t w = 0; w < workers; w++) refused[w] = FRACAS_NONE;
        frc_parallel_for(context, count, 64, find, &f);
        for (uint32_t w = 0; w < workers; w++) first = refused[w] < first ? refused[w] : first;
        // Again, for its message.
        if (first != FRACAS_NONE)
            return fracas_scene_find_intersection(scene, &contacts[first], &data[first]);
        grouping g = {.data = data, .count = count};
        out->view.data = data;
        out->view.count = count;
        ok = make_corners(&g, scratch);
        if (ok) group_corners(&g);
        ok = ok && number_places(&g, contacts, &out->arena, &out->view) && chain(&g, scratch, out);
    }
    if (frc_cancelled(context))
        return frc_fail(context, FRACAS_ERROR_CANCELLED,
                        "fracas_intersections_create was cancelled");
    return ok ? FRACAS_OK
              : frc_fail(context, FRACAS_ERROR_OUT_OF_MEMORY,
                         "no memory for the intersections of %" PRIu32 " contacts", count);
}

fracas_status fracas_intersections_create(const fracas_scene* scene, const fracas_contact* contacts,
                                          size_t count, fracas_intersections** out) {
    if (out) *out = NULL;
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = scene->context;
    if (!out) return frc_fail_null(context, "fracas_intersections_create", "out");
    if (count > 0 && !contacts)
        return frc_fail_null(context, "fracas_intersections_create", "contacts");
    if (count >= UINT32_MAX)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "%zu contacts: fewer than 2^32 - 1 are possible", count);
    fracas_status status = frc_scene_fetch(scene);
    if (status != FRACAS_OK) return status;
    fracas_intersections* made = frc_allocate_zero(context, sizeof *made);
    if (!made) return frc_fail_memory(context, sizeof *made);
    made->context = context;
    made->arena = frc_arena_make(context);
    frc_arena scratch = frc_arena_make(context);
    status = fill(scene, contacts, (uint32_t)count, &scratch, made);
    frc_arena_release(&scratch);
    if (status == FRACAS_OK)
        *out = made;
    else
        fracas_intersections_destroy(made);
    return status;
}

void fracas_intersections_destroy(fracas_intersections* intersections) {
    if (!intersections) return;
    frc_arena_release(&intersections->arena);
    frc_release(intersections->context, intersections, sizeof *intersections);
}

fracas_intersections_view fracas_intersections_get_view(const fracas_intersections* intersections) {
    return intersections ? intersections->view : (fracas_intersections_view){0};
}
