/// @file split_check.c  Check the delta of a split, and simulate it on the triangles and vertices
/// that it names. The cost is proportional to the elements listed.
#include "scene/split_check.h"
#include "base/sort.h"
#include <math.h>
#include <string.h>

#define STAYS 0u
#define REMOVED FRC_DRAFT_REMOVED

// During the simulation the elements of the scene that the delta names store their index in the
// draft: a triangle in place of its number, which the draft keeps; a point in frc_vertex_use.draft.
#define DRAFTED FRC_DRAFTED

// ---- checks of each list on its own

static fracas_status bad(const frc_draft* d, const char* what, uint32_t entry, const char* why,
                         uint32_t value) {
    return frc_fail(d->scene->context, FRACAS_ERROR_BAD_DATA, "split of body %u: %s %u: %s %u",
                    d->handle.index, what, entry, why, value);
}

static bool has_vertex(const frc_draft* d, uint32_t number) {
    if (number >= d->body->points.count) return number < d->vertex_numbers;
    return d->body->points.data[number] != FRACAS_NONE;
}

static bool has_triangle(const frc_draft* d, uint32_t number) {
    if (number >= d->body->triangles.count) return number < d->triangle_numbers;
    return d->body->triangles.data[number] != FRACAS_NONE;
}

static bool has_old_vertex(const frc_draft* d, uint32_t number) {
    return number < d->body->points.count && d->body->points.data[number] != FRACAS_NONE;
}

static fracas_status check_parents(const frc_draft* d, uint32_t i) {
    const fracas_new_vertex* v = &d->split->new_vertices[i];
    if (v->parent_a == FRACAS_NONE && v->parent_b != FRACAS_NONE)
        return bad(d, "new vertex", i, "it has a second parent without a first:", v->parent_b);
    if (v->parent_a != FRACAS_NONE && !has_old_vertex(d, v->parent_a))
        return bad(d, "new vertex", i, "its parent is no vertex of the body:", v->parent_a);
    if (v->parent_b == FRACAS_NONE) return FRACAS_OK;
    if (!has_old_vertex(d, v->parent_b))
        return bad(d, "new vertex", i, "its second parent is no vertex of the body:", v->parent_b);
    if (!(v->weight >= 0 && v->weight <= 1))
        return bad(d, "new vertex", i, "its weight is not between 0 and 1; parent", v->parent_a);
    return FRACAS_OK;
}

static void mix(const double a[3], const double b[3], double weight, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = (1 - weight) * a[k] + weight * b[k];
}

void frc_place_new_vertex(const fracas_scene* scene, const frc_body* body,
                          const fracas_new_vertex* v, double rest[3], double ends[2][3]) {
    bool rigid = body->motion == FRACAS_MOTION_RIGID, child = v->parent_a != FRACAS_NONE;
    uint32_t parent_b = v->parent_b == FRACAS_NONE ? v->parent_a : v->parent_b;
    double weight = v->parent_b == FRACAS_NONE ? 0 : v->weight;
    memcpy(rest, v->t0, 3 * sizeof *rest);
    if (rigid && child)
        mix(&body->rest.data[3 * (size_t)v->parent_a], &body->rest.data[3 * (size_t)parent_b],
            weight, rest);
    for (int end = 0; end < 2; end++) {
        memcpy(ends[end], end ? v->t1 : v->t0, sizeof ends[end]);
        if (rigid) {
            frc_pose_apply(&body->pose[end], rest, ends[end]);
        } else if (child) {
            double a[3], b[3];
            frc_get_point(&scene->topology.points.data[body->points.data[v->parent_a]], end, a);
            frc_get_point(&scene->topology.points.data[body->points.data[parent_b]], end, b);
            mix(a, b, weight, ends[end]);
        }
    }
}

// Finite positions may give an infinite one: the pose of a rigid body can overflow.
static fracas_status check_new_vertex(const frc_draft* d, uint32_t i) {
    const fracas_new_vertex* v = &d->split->new_vertices[i];
    fracas_status status = check_parents(d, i);
    if (status != FRACAS_OK) return status;
    double rest[3], ends[2][3];
    frc_place_new_vertex(d->scene, d->body, v, rest, ends);
    if (!frc_is_finite3(rest) || !frc_is_finite3(ends[0]) || !frc_is_finite3(ends[1]))
        return bad(d, "new vertex", i, "its position is not finite; vertex number", i);
    if (d->body->motion == FRACAS_MOTION_STATIC && frc_ends_differ(ends))
        return bad(d, "new vertex", i, "it moves, but the body is static; vertex number", i);
    return FRACAS_OK;
}

fracas_status frc_draft_check(const frc_draft* d) {
    const fracas_split* s = d->split;
    fracas_status status = FRACAS_OK;
    for (uint32_t i = 0; i < s->new_vertex_count && status == FRACAS_OK; i++)
        status = check_new_vertex(d, i);
    for (uint32_t i = 0; i < s->repoint_count && status == FRACAS_OK; i++) {
        const fracas_repoint* r = &s->repoints[i];
        if (r->triangle >= d->body->triangles.count || !has_triangle(d, r->triangle))
            status = bad(d, "re-pointed corner", i, "there is no triangle", r->triangle);
        else if (r->corner > 2)
            status = bad(d, "re-pointed corner", i, "corners are 0, 1 and 2, not", r->corner);
        else if (!has_vertex(d, r->vertex))
            status = bad(d, "re-pointed corner", i, "there is no vertex", r->vertex);
    }
    for (size_t i = 0; i < 3 * (size_t)s->new_triangle_count && status == FRACAS_OK; i++)
        if (!has_vertex(d, s->new_triangles[i]))
            status = bad(d, "new triangle", (uint32_t)(i / 3), "there is no vertex",
                         s->new_triangles[i]);
    for (uint32_t i = 0; i < s->removed_triangle_count && status == FRACAS_OK; i++)
        if (s->removed_triangles[i] >= d->body->triangles.count ||
            !has_triangle(d, s->removed_triangles[i]))
            status = bad(d, "removed triangle", i, "there is no triangle", s->removed_triangles[i]);
    for (uint32_t p = 0; p < s->part_count && status == FRACAS_OK; p++)
        if (s->part_offsets[p] >= s->part_offsets[p + 1])
            status = bad(d, "part", p, "it has no triangles, or the offsets fall; offset",
                         s->part_offsets[p]);
    return status;
}

static fracas_status check_leaving_triangles(const frc_draft* d) {
    const fracas_split* s = d->split;
    for (uint32_t i = 0; i < frc_leaving_count(s); i++)
        if (!has_triangle(d, s->part_triangles[i]))
            return bad(d, "leaving triangle", i, "there is no triangle", s->part_triangles[i]);
    return FRACAS_OK;
}

// ---- the draft

// Without leaving triangles when these are swept.
static bool create_draft(frc_draft* d, size_t leaving) {
    const fracas_split* s = d->split;
    size_t triangles =
        (size_t)s->repoint_count + s->new_triangle_count + s->removed_triangle_count + leaving;
    size_t vertices = 3 * triangles + s->repoint_count;
    d->triangles = frc_arena_allocate(&d->arena, triangles, sizeof *d->triangles);
    d->vertices = frc_arena_allocate(&d->arena, vertices, sizeof *d->vertices);
    d->new_triangle_at =
        frc_arena_allocate_zero(&d->arena, s->new_triangle_count, sizeof *d->new_triangle_at);
    d->new_vertex_at =
        frc_arena_allocate_zero(&d->arena, s->new_vertex_count, sizeof *d->new_vertex_at);
    d->triangle_count = d->vertex_count = 0;
    return d->triangles && d->vertices && d->new_triangle_at && d->new_vertex_at;
}

static uint32_t add_vertex(frc_draft* d, uint32_t number, uint32_t uses) {
    d->vertices[d->vertex_count] = (frc_draft_vertex){.number = number, .uses = uses};
    return (uint32_t)d->vertex_count++;
}

// The index of a vertex in the draft; the vertex is added when it is new there.
static uint32_t draft_point(frc_draft* d, uint32_t id) {
    const frc_topology* topology = &d->scene->topology;
    frc_vertex_use* use = &topology->uses.data[id];
    if (use->draft == 0)
        use->draft =
            1 + add_vertex(d, topology->points.data[id].tag[FRC_TAG_NUMBER], use->triangles);
    return use->draft - 1;
}

static uint32_t draft_vertex(frc_draft* d, uint32_t number) {
    uint32_t old_count = (uint32_t)d->body->points.count;
    if (number < old_count) return draft_point(d, d->body->points.data[number]);
    uint32_t* at = &d->new_vertex_at[number - old_count];
    if (*at == 0) *at = 1 + add_vertex(d, number, 0);
    return *at - 1;
}

static frc_draft_triangle* add_triangle(frc_draft* d, uint32_t number) {
    frc_draft_triangle* t = &d->triangles[d->triangle_count++];
    t->number = number;
    t->part = STAYS;
    return t;
}

static frc_draft_triangle* find_new_triangle(frc_draft* d, uint32_t number) {
    uint32_t i = number - (uint32_t)d->body->triangles.count;
    if (d->new_triangle_at[i]) return &d->triangles[d->new_triangle_at[i] - 1];
    frc_draft_triangle* t = add_triangle(d, number);
    d->new_triangle_at[i] = (uint32_t)d->triangle_count;
    for (int k = 0; k < 3; k++)
        t->corner[k] = draft_vertex(d, d->split->new_triangles[3 * (size_t)i + k]);
    return t;
}

static frc_draft_triangle* find_triangle(frc_draft* d, uint32_t number) {
    if (number >= d->body->triangles.count) return find_new_triangle(d, number);
    frc_triangle* old = &d->scene->topology.triangles.data[d->body->triangles.data[number]];
    if (old->number & DRAFTED) return &d->triangles[old->number & ~DRAFTED];
    old->number = DRAFTED | (uint32_t)d->triangle_count;
    frc_draft_triangle* t = add_triangle(d, number);
    for (int k = 0; k < 3; k++) t->corner[k] = draft_point(d, old->point[k]);
    return t;
}

// Restore the numbers and tags of the scene.
static void restore_scene(frc_draft* d) {
    frc_topology* topology = &d->scene->topology;
    for (size_t i = 0; i < d->triangle_count; i++) {
        uint32_t number = d->triangles[i].number;
        if (number < d->body->triangles.count)
            topology->triangles.data[d->body->triangles.data[number]].number = number;
    }
    for (size_t i = 0; i < d->vertex_count; i++) {
        uint32_t number = d->vertices[i].number;
        if (number < d->body->points.count)
            topology->uses.data[d->body->points.data[number]].draft = 0;
    }
}

static fracas_status draft_removals(frc_draft* d) {
    const fracas_split* s = d->split;
    for (uint32_t i = 0; i < s->removed_triangle_count; i++) {
        frc_draft_triangle* t = find_triangle(d, s->removed_triangles[i]);
        if (t->part == REMOVED)
            return bad(d, "removed triangle", i, "it is listed twice:", t->number);
        t->part = REMOVED;
        for (int k = 0; k < 3; k++) d->vertices[t->corner[k]].uses--;
    }
    return FRACAS_OK;
}

static fracas_status draft_parts(frc_draft* d) {
    const fracas_split* s = d->split;
    for (uint32_t p = 0; p < s->part_count; p++)
        for (uint32_t i = s->part_offsets[p]; i < s->part_offsets[p + 1]; i++) {
            frc_draft_triangle* t = find_triangle(d, s->part_triangles[i]);
            if (t->part == REMOVED)
                return bad(d, "leaving triangle", i, "it is removed too:", t->number);
            if (t->part != STAYS)
                return bad(d, "leaving triangle", i, "it is listed twice:", t->number);
            t->part = p + 1;
            for (int k = 0; k < 3; k++) {
                frc_draft_vertex* v = &d->vertices[t->corner[k]];
                if (v->part == 0) v->part = p + 1;
                if (v->part != p + 1)
                    return bad(d, "part", p, "it shares with another part the vertex", v->number);
                v->part_uses++;
            }
        }
    return FRACAS_OK;
}

// A leaving vertex must be used by no other part and by no remaining triangle.
static fracas_status check_leaving_vertices(const frc_draft* d) {
    for (size_t i = 0; i < d->vertex_count; i++) {
        const frc_draft_vertex* v = &d->vertices[i];
        if (v->part == 0) continue;
        bool is_free = false;
        if (v->number < d->body->points.count) {
            const frc_vertex_use* use =
                &d->scene->topology.uses.data[d->body->points.data[v->number]];
            is_free = use->free_edges || use->free_point;
        }
        if (v->uses != v->part_uses || is_free)
            return bad(
                d, "part", v->part - 1,
                "it shares with what stays (make a new vertex and re-point corners) the vertex",
                v->number);
    }
    return FRACAS_OK;
}

// All of the delta but the parts.
static fracas_status draft_changes(frc_draft* d) {
    const fracas_split* s = d->split;
    for (uint32_t i = 0; i < s->repoint_count; i++) {
        frc_draft_triangle* t = find_triangle(d, s->repoints[i].triangle);
        uint32_t* corner = &t->corner[s->repoints[i].corner];
        d->vertices[*corner].uses--;
        *corner = draft_vertex(d, s->repoints[i].vertex);
        d->vertices[*corner].uses++;
    }
    d->repointed_count = d->triangle_count;
    for (size_t i = 0; i < 3 * (size_t)s->new_triangle_count; i++)
        d->vertices[draft_vertex(d, s->new_triangles[i])].uses++;
    return draft_removals(d);
}

// The leaving vertices, sorted by part, then by number.
static bool sort_leaving(frc_draft* d) {
    const uint32_t parts = d->split->part_count;
    size_t count = 0;
    for (size_t i = 0; i < d->vertex_count; i++) count += d->vertices[i].part != 0;
    uint64_t* keys = frc_arena_allocate(&d->arena, count, sizeof *keys);
    uint64_t* spare = frc_arena_allocate(&d->arena, count, sizeof *spare);
    d->leaving = frc_arena_allocate(&d->arena, count, sizeof *d->leaving);
    d->first_leaving = frc_arena_allocate(&d->arena, parts + (size_t)1, sizeof *d->first_leaving);
    if (!keys || !spare || !d->leaving || !d->first_leaving) return false;
    for (size_t i = 0, n = 0; i < d->vertex_count; i++)
        if (d->vertices[i].part)
            keys[n++] = (uint64_t)d->vertices[i].part << 32 | d->vertices[i].number;
    const uint64_t* sorted = frc_sort_keys(keys, spare, count, 0);
    uint32_t part = 0;
    for (size_t i = 0; i < count; i++) {
        while (part < sorted[i] >> 32) d->first_leaving[part++] = (uint32_t)i;
        d->leaving[i] = (uint32_t)sorted[i];
    }
    while (part <= parts) d->first_leaving[part++] = (uint32_t)count;
    return true;
}

static bool simulate_all(frc_draft* d, fracas_status* status) {
    *status = check_leaving_triangles(d);
    if (*status != FRACAS_OK) return true;
    if (!create_draft(d, frc_leaving_count(d->split))) return false;
    *status = draft_changes(d);
    if (*status == FRACAS_OK) *status = draft_parts(d);
    if (*status == FRACAS_OK) *status = check_leaving_vertices(d);
    restore_scene(d);
    return *status != FRACAS_OK || sort_leaving(d);
}

bool frc_draft_simulate(frc_draft* d, fracas_status* status) {
    if (!frc_draft_sweeps(d)) return simulate_all(d, status);
    if (!create_draft(d, 0)) return false;
    *status = FRACAS_OK;
    bool valid = draft_changes(d) == FRACAS_OK;
    const bool memory = !valid || frc_draft_sweep(d, &valid);
    restore_scene(d);
    // The draft of all triangles finds the first thing that is wrong.
    return memory && (valid || simulate_all(d, status));
}
