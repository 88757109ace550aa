/// @file inside.c  Bodies inside others, without a contact of their surfaces.
///
/// A part (connected component) of a body that has no contact with another body is as a whole
/// inside or outside of it, so one of its vertices decides: its winding number in the closed parts
/// of the other body (containment.c).
#include "base/arena.h"
#include "base/array.h"
#include "base/parallel.h"
#include "fracas/intersections.h"
#include "mesh/union_find.h"
#include "scene/containment.h"
#include <stdlib.h>
#include <string.h>

typedef struct part {
    uint32_t body, vertex;  // the smallest number of its vertices
    bool closed;            // it has triangles, and each edge is passed as often in both directions
    double at[3];           // of that vertex
} part;

// A part whose vertex is in the box of the closed parts of a body.
typedef struct candidate {
    uint32_t part, body;
    int32_t winding;
    bool touched;  // they have a contact
} candidate;

typedef struct finding {
    const fracas_scene* scene;
    const frc_topology* topology;
    frc_arena* arena;
    uint32_t* parent;   // by point: union-find
    uint32_t* part_of;  // by point; FRACAS_NONE: nothing uses it
    part* parts;
    uint32_t part_count;
    double (*boxes)[2][3];            // by body: of its closed parts
    FRC_ARRAY(candidate) candidates;  // by part, then body
} finding;

static void position_of(const finding* f, uint32_t point, double out[3]) {
    frc_get_point(&f->topology->points.data[point], 1, out);
}

static bool is_triangle(const frc_triangle* t) { return t->point[0] != FRACAS_NONE; }

static uint32_t part_at(const finding* f, uint32_t point) { return f->part_of[point]; }

// ---- parts

static void join_points(finding* f) {
    const frc_topology* topology = f->topology;
    for (uint32_t p = 0; p < topology->points.count; p++) f->parent[p] = p;
    for (uint32_t i = 0; i < topology->triangles.count; i++) {
        const frc_triangle* t = &topology->triangles.data[i];
        if (!is_triangle(t)) continue;
        frc_union_find_join(f->parent, t->point[0], t->point[1]);
        frc_union_find_join(f->parent, t->point[0], t->point[2]);
    }
    for (uint32_t i = 0; i < topology->edges.count; i++) {
        const frc_edge* e = &topology->edges.data[i];
        if (e->point[0] != FRACAS_NONE && e->free)
            frc_union_find_join(f->parent, e->point[0], e->point[1]);
    }
}

static bool make_parts(finding* f) {
    const frc_topology* topology = f->topology;
    const size_t count = topology->points.count;
    f->parent = frc_arena_allocate(f->arena, count, sizeof *f->parent);
    f->part_of = frc_arena_allocate(f->arena, count, sizeof *f->part_of);
    f->parts = frc_arena_allocate(f->arena, count, sizeof *f->parts);
    if (!f->parent || !f->part_of || !f->parts) return false;
    join_points(f);
    for (uint32_t p = 0; p < count; p++) f->part_of[p] = FRACAS_NONE;
    for (uint32_t p = 0; p < count; p++) {
        const frc_vertex_use* use = &topology->uses.data[p];
        const uint32_t *tag = topology->points.data[p].tag, vertex = tag[FRC_TAG_NUMBER];
        // Removing a body leaves the uses of its points.
        if (tag[FRC_TAG_BODY] == FRACAS_NONE) continue;
        if (use->triangles + use->free_edges + use->free_point == 0) continue;
        uint32_t* number = &f->part_of[frc_union_find_root(f->parent, p)];
        if (*number == FRACAS_NONE) {
            *number = f->part_count++;
            f->parts[*number] = (part){.body = tag[FRC_TAG_BODY], .vertex = UINT32_MAX};
        }
        part* made = &f->parts[*number];
        if (vertex > made->vertex) continue;
        made->vertex = vertex;
        position_of(f, p, made->at);
    }
    for (uint32_t p = 0; p < count; p++)
        f->part_of[p] = f->part_of[frc_union_find_root(f->parent, p)];
    return true;
}

// An edge that more triangles pass in one direction than in the other is a border of its part.
static bool find_closed(finding* f) {
    const frc_topology* topology = f->topology;
    int32_t* balance = frc_arena_allocate_zero(f->arena, topology->edges.count, sizeof *balance);
    if (!balance) return false;
    for (uint32_t i = 0; i < topology->triangles.count; i++) {
        const frc_triangle* t = &topology->triangles.data[i];
        if (!is_triangle(t)) continue;
        f->parts[part_at(f, t->point[0])].closed = true;
        for (int k = 0; k < 3; k++)
            if (t->edge[k] != FRACAS_NONE)
                balance[t->edge[k]] +=
                    topology->edges.data[t->edge[k]].point[0] == t->point[k] ? 1 : -1;
    }
    for (uint32_t i = 0; i < topology->edges.count; i++)
        if (topology->edges.data[i].point[0] != FRACAS_NONE && balance[i] != 0)
            f->parts[part_at(f, topology->edges.data[i].point[0])].closed = false;
    return true;
}

// ---- candidates

static bool make_boxes(finding* f) {
    f->boxes = frc_arena_allocate(f->arena, f->scene->bodies.count, sizeof *f->boxes);
    if (!f->boxes) return false;
    for (size_t b = 0; b < f->scene->bodies.count; b++)
        for (int k = 0; k < 3; k++) f->boxes[b][0][k] = INFINITY, f->boxes[b][1][k] = -INFINITY;
    for (uint32_t p = 0; p < f->topology->points.count; p++) {
        const uint32_t number = part_at(f, p);
        if (number == FRACAS_NONE || !f->parts[number].closed) continue;
        double at[3], (*box)[3] = f->boxes[f->parts[number].body];
        position_of(f, p, at);
        for (int k = 0; k < 3; k++) {
            if (at[k] < box[0][k]) box[0][k] = at[k];
            if (at[k] > box[1][k]) box[1][k] = at[k];
        }
    }
    return true;
}

static int compare_parts(const void* x, const void* y) {
    const part *a = *(part*const*)x, *b = *(part*const*)y;
    if (a->at[0] != b->at[0]) return a->at[0] < b->at[0] ? -1 : 1;
    return (a > b) - (a < b);
}

static int compare_candidates(const void* x, const void* y) {
    const candidate *a = x, *b = y;
    if (a->part != b->part) return a->part < b->part ? -1 : 1;
    return (a->body > b->body) - (a->body < b->body);
}

// The first of the parts, which are sorted by x, that is not to the left of x.
static uint32_t first_from(part* const* sorted, uint32_t count, double x) {
    uint32_t begin = 0;
    while (begin < count) {
        const uint32_t middle = begin + (count - begin) / 2;
        if (sorted[middle]->at[0] < x)
            begin = middle + 1;
        else
            count = middle;
    }
    return begin;
}

static bool find_candidates(finding* f) {
    part** sorted = frc_arena_allocate(f->arena, f->part_count, sizeof(part*));
    if (!sorted || !make_boxes(f)) return false;
    for (uint32_t i = 0; i < f->part_count; i++) sorted[i] = &f->parts[i];
    if (f->part_count > 1) qsort(sorted, f->part_count, sizeof(part*), compare_parts);
    const frc_world world = frc_scene_world(f->scene);
    for (uint32_t body = 0; body < f->scene->bodies.count; body++) {
        const double(*box)[3] = (const double(*)[3])f->boxes[body];
        for (uint32_t i = first_from(sorted, f->part_count, box[0][0]);
             i < f->part_count && sorted[i]->at[0] <= box[1][0]; i++) {
            const part* p = sorted[i];
            if (p->body == body || p->at[1] < box[0][1] || p->at[1] > box[1][1] ||
                p->at[2] < box[0][2] || p->at[2] > box[1][2] ||
                !frc_bodies_can_collide(&world, p->body, body))
                continue;
            const candidate found = {.part = (uint32_t)(p - f->parts), .body = body};
            if (!FRC_ARRAY_PUSH(f->scene->context, &f->candidates, found)) return false;
        }
    }
    if (f->candidates.count > 1)
        qsort(f->candidates.data, f->candidates.count, sizeof *f->candidates.data,
              compare_candidates);
    return true;
}

static candidate* candidate_of(finding* f, uint32_t number, uint32_t body) {
    const candidate key = {.part = number, .body = body};
    return bsearch(&key, f->candidates.data, f->candidates.count, sizeof key, compare_candidates);
}

// ---- contacts

// A point of one side of a contact. FRACAS_NONE: the number is out of range.
static uint32_t point_of(const finding* f, const frc_body* body, uint32_t feature, bool is_vertex) {
    const frc_ids* ids = is_vertex ? &body->points : &body->triangles;
    if (feature >= ids->count || ids->data[feature] == FRACAS_NONE) return FRACAS_NONE;
    if (is_vertex) return ids->data[feature];
    return f->topology->triangles.data[ids->data[feature]].point[0];
}

static fracas_status mark_touched(finding* f, const fracas_contact* contacts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const fracas_contact* c = &contacts[i];
        if (c->kind != FRACAS_CONTACT_TT && c->kind != FRACAS_CONTACT_ET) continue;
        fracas_status status = FRACAS_OK;
        const frc_body* a = frc_scene_find(f->scene, c->body_a, &status);
        const frc_body* b = a ? frc_scene_find(f->scene, c->body_b, &status) : NULL;
        if (!b) return status;
        const uint32_t pa = point_of(f, a, c->a[0], c->kind == FRACAS_CONTACT_ET),
                       pb = point_of(f, b, c->b[0], false);
        if (pa == FRACAS_NONE || pb == FRACAS_NONE)
            return frc_fail(f->scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                            "contact %zu is of features that are not in the scene: it is of an "
                            "earlier step",
                            i);
        candidate* both[] = {candidate_of(f, part_at(f, pa), frc_body_number(f->scene, b)),
                             candidate_of(f, part_at(f, pb), frc_body_number(f->scene, a))};
        for (int k = 0; k < 2; k++)
            if (both[k]) both[k]->touched = true;
    }
    return FRACAS_OK;
}

// ---- winding numbers

static bool is_of_closed_part(const void* data, const frc_triangle* t) {
    const finding* f = data;
    return f->parts[part_at(f, t->point[0])].closed;
}

static void find_windings(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const finding* f = data;
    if (frc_cancelled(f->scene->context)) return;
    const frc_ray_filter filter = {.counts = is_of_closed_part, .data = f};
    for (uint32_t i = begin; i < end; i++) {
        candidate* c = &f->candidates.data[i];
        if (c->touched) continue;
        const frc_body* body = &f->scene->bodies.data[c->body];
        c->winding = frc_scene_find_winding(f->scene, body, f->parts[c->part].at, &filter).number;
    }
}

// ---- the query

static int compare_found(const void* x, const void* y) {
    const fracas_inside *a = x, *b = y;
    if (a->inner.index != b->inner.index) return a->inner.index < b->inner.index ? -1 : 1;
    if (a->outer.index != b->outer.index) return a->outer.index < b->outer.index ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

// One for each pair of bodies.
static bool report(const finding* f, fracas_inside_fn* call, void* user) {
    fracas_inside* found = frc_arena_allocate(f->arena, f->candidates.count, sizeof *found);
    if (!found) return false;
    size_t count = 0;
    for (size_t i = 0; i < f->candidates.count; i++) {
        const candidate* c = &f->candidates.data[i];
        if (c->touched || c->winding == 0) continue;
        const part* p = &f->parts[c->part];
        found[count++] = (fracas_inside){frc_scene_handle(f->scene, p->body),
                                         frc_scene_handle(f->scene, c->body), p->vertex, 1};
    }
    if (count > 1) qsort(found, count, sizeof *found, compare_found);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && found[end].inner.index == found[i].inner.index &&
                          found[end].outer.index == found[i].outer.index;
             end++)
            found[i].parts++;
        if (!call(&found[i], user)) break;
    }
    return true;
}

static fracas_status run(finding* f, const fracas_contact* contacts, size_t count,
                         fracas_inside_fn* call, void* user) {
    fracas_context* context = f->scene->context;
    const fracas_status no_memory = FRACAS_ERROR_OUT_OF_MEMORY;
    bool ok = make_parts(f) && find_closed(f) && find_candidates(f);
    if (ok && f->candidates.count > 0) {
        const fracas_status status = mark_touched(f, contacts, count);
        if (status != FRACAS_OK) return status;
        frc_parallel_for(context, (uint32_t)f->candidates.count, 16, find_windings, f);
        ok = frc_cancelled(context) || report(f, call, user);
    }
    if (frc_cancelled(context))
        return frc_fail(context, FRACAS_ERROR_CANCELLED, "fracas_scene_find_inside was cancelled");
    return ok ? FRACAS_OK : frc_fail(context, no_memory, "no memory to find bodies inside others");
}

fracas_status fracas_scene_find_inside(const fracas_scene* scene, const fracas_contact* contacts,
                                       size_t count, fracas_inside_fn* call, void* user) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = scene->context;
    if (count > 0 && !contacts)
        return frc_fail_null(context, "fracas_scene_find_inside", "contacts");
    if (!call) return frc_fail_null(context, "fracas_scene_find_inside", "report");
    if (!scene->updated)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the scene has changed: call fracas_scene_update before "
                        "fracas_scene_find_inside");
    frc_arena arena = frc_arena_make(context);
    finding f = {.scene = scene, .topology = &scene->topology, .arena = &arena};
    const fracas_status status = run(&f, contacts, count, call, user);
    FRC_ARRAY_RELEASE(context, &f.candidates);
    frc_arena_release(&arena);
    return status;
}
