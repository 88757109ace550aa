/// @file split.c  A body breaks: new vertices, re-pointed corners, new and removed triangles,
/// leaving parts.
///
/// The whole delta is first played through on the side, on the triangles and vertices that it
/// names: `draft` holds what they would be afterwards. Only a delta that passes is carried out. All
/// costs are in the elements listed.
#include "base/arena.h"
#include "base/sort.h"
#include "scene/scene.h"
#include <math.h>
#include <string.h>

#define STAYS 0u
#define REMOVED (UINT32_MAX - 1)

// A triangle that the delta names, as it will be. Corners are places in the draft.
typedef struct draft_triangle {
    uint32_t number, corner[3];
    uint32_t part;  // 0: stays; p + 1: leaves with part p; REMOVED
} draft_triangle;

// A vertex that a named triangle has or had.
typedef struct draft_vertex {
    uint32_t number;
    int64_t uses;        // by corners, afterwards
    uint32_t part;       // of the first leaving triangle that has it, plus 1; 0: none
    uint32_t part_uses;  // by corners of that part
} draft_vertex;

typedef struct draft {
    frc_arena arena;
    fracas_scene* scene;
    fracas_body handle;
    const frc_body* body;
    const fracas_split* split;
    uint32_t vertex_numbers, triangle_numbers;  // with the new ones
    draft_triangle* triangles;
    draft_vertex* vertices;
    size_t triangle_count, vertex_count;
    uint32_t *new_triangle_at, *new_vertex_at;  // where new ones stand in the draft, plus 1
    uint64_t* leaving;  // vertices that leave: the part plus 1 above the number; sorted
    size_t leaving_count;
    uint64_t *slots, *spare;  // to sort the triangles of a part
} draft;

// While a delta is played through, what it names in the scene knows its place in the draft: a
// triangle instead of its number, which the draft knows, a point in a tag that nobody else uses.
#define DRAFTED 0x80000000u

fracas_split fracas_split_default(void) {
    return (fracas_split){.struct_size = sizeof(fracas_split)};
}

// ---- checks of the lists by themselves

static fracas_status bad(const draft* d, const char* what, uint32_t entry, const char* why,
                         uint32_t value) {
    return frc_fail(d->scene->context, FRACAS_ERROR_BAD_DATA, "split of body %u: %s %u: %s %u",
                    d->handle.index, what, entry, why, value);
}

static bool has_vertex(const draft* d, uint32_t number) {
    if (number >= d->body->points.count) return number < d->vertex_numbers;
    return d->body->points.data[number] != FRACAS_NONE;
}

static bool has_triangle(const draft* d, uint32_t number) {
    if (number >= d->body->triangles.count) return number < d->triangle_numbers;
    return d->body->triangles.data[number] != FRACAS_NONE;
}

static bool has_old_vertex(const draft* d, uint32_t number) {
    return number < d->body->points.count && d->body->points.data[number] != FRACAS_NONE;
}

static fracas_status check_parents(const draft* d, uint32_t i) {
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

// Where a new vertex is at both ends of the step, and in the frame of a rigid body.
static void place_new_vertex(const fracas_scene* scene, const frc_body* body,
                             const fracas_new_vertex* v, double rest[3], double ends[2][3]) {
    bool rigid = body->motion == FRACAS_RIGID, child = v->parent_a != FRACAS_NONE;
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

static bool moves(double ends[2][3]) {
    return ends[0][0] != ends[1][0] || ends[0][1] != ends[1][1] || ends[0][2] != ends[1][2];
}

// Finite positions may still give one that is not: the pose of a rigid body overflows.
static fracas_status check_new_vertex(const draft* d, uint32_t i) {
    const fracas_new_vertex* v = &d->split->new_vertices[i];
    fracas_status status = check_parents(d, i);
    if (status != FRACAS_OK) return status;
    double rest[3], ends[2][3];
    place_new_vertex(d->scene, d->body, v, rest, ends);
    if (!frc_is_finite3(rest) || !frc_is_finite3(ends[0]) || !frc_is_finite3(ends[1]))
        return bad(d, "new vertex", i, "its position is not finite; vertex number", i);
    if (d->body->motion == FRACAS_STATIC && moves(ends))
        return bad(d, "new vertex", i, "it moves, but the body is static; vertex number", i);
    return FRACAS_OK;
}

static fracas_status check_lists(const draft* d) {
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
    uint32_t leaving = s->part_count ? s->part_offsets[s->part_count] : 0;
    for (uint32_t i = 0; i < leaving && status == FRACAS_OK; i++)
        if (!has_triangle(d, s->part_triangles[i]))
            status = bad(d, "leaving triangle", i, "there is no triangle", s->part_triangles[i]);
    return status;
}

static fracas_status check_struct(fracas_scene* scene, const frc_body* body, const fracas_split* s,
                                  const fracas_body* parts) {
    if (s->struct_size != sizeof *s)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the split is not initialised: start from fracas_split_default()");
    if ((s->new_vertex_count && !s->new_vertices) || (s->repoint_count && !s->repoints) ||
        (s->new_triangle_count && !s->new_triangles) ||
        (s->removed_triangle_count && !s->removed_triangles) ||
        (s->part_count && (!s->part_offsets || !s->part_triangles || !parts)))
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "a list of the split is NULL but its count is not 0");
    if (s->part_count && s->part_offsets[0] != 0)
        return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA, "part_offsets must begin with 0");
    if (body->points.count + s->new_vertex_count > UINT32_MAX / 2 ||
        body->triangles.count + s->new_triangle_count > UINT32_MAX / 2)
        return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA,
                        "the body would have too many elements");
    return FRACAS_OK;
}

// ---- the draft

static uint32_t leaving_count(const fracas_split* s) {
    return s->part_count ? s->part_offsets[s->part_count] : 0;
}

static bool create_draft(draft* d) {
    const fracas_split* s = d->split;
    size_t triangles = (size_t)s->repoint_count + s->new_triangle_count +
                       s->removed_triangle_count + leaving_count(s);
    size_t vertices = 3 * triangles + s->repoint_count;
    d->triangles = frc_arena_take(&d->arena, triangles, sizeof *d->triangles);
    d->vertices = frc_arena_take(&d->arena, vertices, sizeof *d->vertices);
    d->new_triangle_at =
        frc_arena_take_zero(&d->arena, s->new_triangle_count, sizeof *d->new_triangle_at);
    d->new_vertex_at =
        frc_arena_take_zero(&d->arena, s->new_vertex_count, sizeof *d->new_vertex_at);
    return d->triangles && d->vertices && d->new_triangle_at && d->new_vertex_at;
}

static uint32_t add_vertex(draft* d, uint32_t number, uint32_t uses) {
    d->vertices[d->vertex_count] = (draft_vertex){.number = number, .uses = uses};
    return (uint32_t)d->vertex_count++;
}

// Where a vertex stands in the draft.
static uint32_t place_of_point(draft* d, uint32_t id) {
    uint32_t* tag = d->scene->topology.points.data[id].tag;
    if (tag[FRC_TAG_SPARE] == 0)
        tag[FRC_TAG_SPARE] =
            1 + add_vertex(d, tag[FRC_TAG_NUMBER], d->scene->topology.uses.data[id].triangles);
    return tag[FRC_TAG_SPARE] - 1;
}

static uint32_t place_of_vertex(draft* d, uint32_t number) {
    uint32_t old_count = (uint32_t)d->body->points.count;
    if (number < old_count) return place_of_point(d, d->body->points.data[number]);
    uint32_t* at = &d->new_vertex_at[number - old_count];
    if (*at == 0) *at = 1 + add_vertex(d, number, 0);
    return *at - 1;
}

static draft_triangle* add_triangle(draft* d, uint32_t number) {
    draft_triangle* t = &d->triangles[d->triangle_count++];
    t->number = number;
    t->part = STAYS;
    return t;
}

static draft_triangle* find_new_triangle(draft* d, uint32_t number) {
    uint32_t i = number - (uint32_t)d->body->triangles.count;
    if (d->new_triangle_at[i]) return &d->triangles[d->new_triangle_at[i] - 1];
    draft_triangle* t = add_triangle(d, number);
    d->new_triangle_at[i] = (uint32_t)d->triangle_count;
    for (int k = 0; k < 3; k++)
        t->corner[k] = place_of_vertex(d, d->split->new_triangles[3 * (size_t)i + k]);
    return t;
}

static draft_triangle* find_triangle(draft* d, uint32_t number) {
    if (number >= d->body->triangles.count) return find_new_triangle(d, number);
    frc_triangle* old = &d->scene->topology.triangles.data[d->body->triangles.data[number]];
    if (old->number & DRAFTED) return &d->triangles[old->number & ~DRAFTED];
    old->number = DRAFTED | (uint32_t)d->triangle_count;
    draft_triangle* t = add_triangle(d, number);
    for (int k = 0; k < 3; k++) t->corner[k] = place_of_point(d, old->point[k]);
    return t;
}

// The scene as it was.
static void forget_places(draft* d) {
    frc_topology* topology = &d->scene->topology;
    for (size_t i = 0; i < d->triangle_count; i++) {
        uint32_t number = d->triangles[i].number;
        if (number < d->body->triangles.count)
            topology->triangles.data[d->body->triangles.data[number]].number = number;
    }
    for (size_t i = 0; i < d->vertex_count; i++) {
        uint32_t number = d->vertices[i].number;
        if (number < d->body->points.count)
            topology->points.data[d->body->points.data[number]].tag[FRC_TAG_SPARE] = 0;
    }
}

static fracas_status draft_removals(draft* d) {
    const fracas_split* s = d->split;
    for (uint32_t i = 0; i < s->removed_triangle_count; i++) {
        draft_triangle* t = find_triangle(d, s->removed_triangles[i]);
        if (t->part == REMOVED)
            return bad(d, "removed triangle", i, "it is listed twice:", t->number);
        t->part = REMOVED;
        for (int k = 0; k < 3; k++) d->vertices[t->corner[k]].uses--;
    }
    return FRACAS_OK;
}

static fracas_status draft_parts(draft* d) {
    const fracas_split* s = d->split;
    for (uint32_t p = 0; p < s->part_count; p++)
        for (uint32_t i = s->part_offsets[p]; i < s->part_offsets[p + 1]; i++) {
            draft_triangle* t = find_triangle(d, s->part_triangles[i]);
            if (t->part == REMOVED)
                return bad(d, "leaving triangle", i, "it is removed too:", t->number);
            if (t->part != STAYS)
                return bad(d, "leaving triangle", i, "it is listed twice:", t->number);
            t->part = p + 1;
            for (int k = 0; k < 3; k++) {
                draft_vertex* v = &d->vertices[t->corner[k]];
                if (v->part == 0) v->part = p + 1;
                if (v->part != p + 1)
                    return bad(d, "part", p, "it shares with another part the vertex", v->number);
                v->part_uses++;
            }
        }
    return FRACAS_OK;
}

// A vertex that leaves must be used by its part alone.
static fracas_status check_leaving_vertices(const draft* d) {
    for (size_t i = 0; i < d->vertex_count; i++) {
        const draft_vertex* v = &d->vertices[i];
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

static fracas_status play_through(draft* d) {
    const fracas_split* s = d->split;
    for (uint32_t i = 0; i < s->repoint_count; i++) {
        draft_triangle* t = find_triangle(d, s->repoints[i].triangle);
        uint32_t* corner = &t->corner[s->repoints[i].corner];
        d->vertices[*corner].uses--;
        *corner = place_of_vertex(d, s->repoints[i].vertex);
        d->vertices[*corner].uses++;
    }
    for (size_t i = 0; i < 3 * (size_t)s->new_triangle_count; i++)
        d->vertices[place_of_vertex(d, s->new_triangles[i])].uses++;
    fracas_status status = draft_removals(d);
    if (status == FRACAS_OK) status = draft_parts(d);
    if (status == FRACAS_OK) status = check_leaving_vertices(d);
    return status;
}

// Vertices that leave, part by part and by number.
static bool sort_leaving(draft* d) {
    size_t count = 0;
    for (size_t i = 0; i < d->vertex_count; i++) count += d->vertices[i].part != 0;
    uint64_t* keys = frc_arena_take(&d->arena, count, sizeof *keys);
    uint64_t* spare = frc_arena_take(&d->arena, count, sizeof *spare);
    if (!keys || !spare) return false;
    for (size_t i = 0, n = 0; i < d->vertex_count; i++)
        if (d->vertices[i].part)
            keys[n++] = (uint64_t)d->vertices[i].part << 32 | d->vertices[i].number;
    d->leaving = frc_sort_keys(keys, spare, count, 0);
    d->leaving_count = count;
    return true;
}

// ---- room

// The first leaving vertex of a part not below `part`.
static size_t first_of_part(const draft* d, uint32_t part) {
    uint64_t key = ((uint64_t)part + 1) << 32;
    size_t low = 0, high = d->leaving_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (d->leaving[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t part_vertex_count(const draft* d, uint32_t part) {
    return first_of_part(d, part + 1) - first_of_part(d, part);
}

static uint32_t part_triangle_count(const draft* d, uint32_t part) {
    return d->split->part_offsets[part + 1] - d->split->part_offsets[part];
}

static size_t trace_pages(const draft* d) {
    const fracas_split* s = d->split;
    size_t pages = (d->leaving_count > 0) + (leaving_count(s) > 0);
    for (uint32_t i = 1; i < leaving_count(s); i++)
        pages += frc_trace_begins_row(s->part_triangles[i], s->part_triangles[i - 1]);
    for (size_t i = 1; i < d->leaving_count; i++)
        pages += frc_trace_begins_row((uint32_t)d->leaving[i], (uint32_t)d->leaving[i - 1]);
    return pages;
}

// Room to sort the triangles of any one part.
static bool reserve_slots(draft* d) {
    size_t most = 0;
    for (uint32_t p = 0; p < d->split->part_count; p++)
        if (part_triangle_count(d, p) > most) most = part_triangle_count(d, p);
    d->slots = frc_arena_take(&d->arena, most, sizeof *d->slots);
    d->spare = frc_arena_take(&d->arena, most, sizeof *d->spare);
    return d->slots && d->spare;
}

static bool reserve_part(fracas_scene* scene, frc_body* part, size_t triangles, size_t vertices,
                         bool rigid) {
    fracas_context* context = scene->context;
    return FRC_ARRAY_RESERVE(context, &part->points, vertices) &&
           FRC_ARRAY_RESERVE(context, &part->triangles, triangles) &&
           (!rigid || FRC_ARRAY_RESERVE(context, &part->rest, 3 * vertices)) &&
           FRC_ARRAY_RESERVE(context, &part->fresh_cuts, triangles) &&
           frc_body_reserve_fresh(scene, part, triangles, 3 * triangles, vertices);
}

// The lists of the parts are made beforehand, in `parts`.
static bool make_room(draft* d, frc_body* parts) {
    fracas_scene* scene = d->scene;
    fracas_context* context = scene->context;
    const fracas_split* s = d->split;
    uint32_t number = d->handle.index - 1;
    bool rigid = d->body->motion == FRACAS_RIGID;
    size_t changes = (size_t)s->repoint_count + s->new_triangle_count + s->removed_triangle_count;
    if (!frc_scene_reserve_bodies(scene, s->part_count)) return false;
    frc_body* body = &scene->bodies.data[number];
    d->body = body;  // the array may have moved
    for (uint32_t p = 0; p < s->part_count; p++)
        if (!reserve_part(scene, &parts[p], part_triangle_count(d, p), part_vertex_count(d, p),
                          rigid))
            return false;
    return reserve_slots(d) &&
           frc_topology_reserve(&scene->topology, s->new_vertex_count, s->new_triangle_count,
                                3 * changes) &&
           FRC_ARRAY_RESERVE(context, &body->points, d->vertex_numbers) &&
           FRC_ARRAY_RESERVE(context, &body->triangles, d->triangle_numbers) &&
           (!rigid || FRC_ARRAY_RESERVE(context, &body->rest, 3 * (size_t)d->vertex_numbers)) &&
           // Re-pointing releases three edges and points and uses three.
           frc_body_reserve_fresh(scene, body, s->new_triangle_count, 6 * changes, 6 * changes) &&
           frc_trace_reserve(context, &scene->trace, trace_pages(d), 0);
}

static void release_parts(fracas_scene* scene, frc_body* parts, uint32_t count) {
    for (uint32_t p = 0; parts && p < count; p++) {
        frc_ids* lists[] = {&parts[p].points,          &parts[p].triangles,
                            &parts[p].fresh_triangles, &parts[p].fresh_edges,
                            &parts[p].fresh_points,    &parts[p].fresh_cuts};
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
            FRC_ARRAY_RELEASE(scene->context, lists[i]);
        FRC_ARRAY_RELEASE(scene->context, &parts[p].rest);
    }
}

// ---- carrying it out

// Siblings are of one family. The parent joins when it has its first child.
static void join_family(fracas_scene* scene, uint32_t parent, uint32_t child) {
    frc_point* points = scene->topology.points.data;
    if (points[parent].tag[FRC_TAG_FAMILY] == 0)
        points[parent].tag[FRC_TAG_FAMILY] = ++scene->family_count;
    points[child].tag[FRC_TAG_FAMILY] = points[parent].tag[FRC_TAG_FAMILY];
}

static void add_new_vertex(fracas_scene* scene, frc_body* body, const fracas_new_vertex* v) {
    double rest[3], ends[2][3];
    place_new_vertex(scene, body, v, rest, ends);
    uint32_t id = frc_topology_add_point(&scene->topology);
    frc_point* p = &scene->topology.points.data[id];
    p->tag[FRC_TAG_BODY] = frc_body_number(scene, body);
    p->tag[FRC_TAG_NUMBER] = (uint32_t)body->points.count;
    for (int end = 0; end < 2; end++) frc_set_point(p, end, ends[end]);
    if (v->parent_a != FRACAS_NONE && v->parent_b == FRACAS_NONE)
        join_family(scene, body->points.data[v->parent_a], id);
    if (body->motion == FRACAS_RIGID)
        for (int k = 0; k < 3; k++) body->rest.data[body->rest.count++] = rest[k];
    body->points.data[body->points.count++] = id;
    body->live_points++;
    // The next advance must find it, though no other point of the body may be on its way.
    if (moves(ends)) frc_scene_mark_under_way(scene, frc_body_number(scene, body));
}

static void repoint(fracas_scene* scene, frc_body* body, const fracas_repoint* r) {
    uint32_t id = body->triangles.data[r->triangle];
    frc_triangle* t = &scene->topology.triangles.data[id];
    frc_unuse_triangle(scene, id);
    t->point[r->corner] = body->points.data[r->vertex];
    frc_use_triangle(scene, body, id);
    if (t->place.block != FRACAS_NONE)
        frc_block_set_face(scene->context, scene->blocks.data[t->place.block], t->place.slot,
                           t->point);
}

static void add_new_triangle(fracas_scene* scene, frc_body* body, const uint32_t corner[3]) {
    uint32_t id = frc_topology_add_triangle(&scene->topology);
    frc_triangle* t = &scene->topology.triangles.data[id];
    for (int k = 0; k < 3; k++) t->point[k] = body->points.data[corner[k]];
    t->body = frc_body_number(scene, body);
    t->number = (uint32_t)body->triangles.count;
    body->triangles.data[body->triangles.count++] = id;
    body->fresh_triangles.data[body->fresh_triangles.count++] = id;
    body->live_triangles++;
    frc_use_triangle(scene, body, id);
}

static void remove_triangle(fracas_scene* scene, frc_body* body, uint32_t number) {
    uint32_t id = body->triangles.data[number];
    frc_unuse_triangle(scene, id);
    frc_take_out_triangle(scene, id);
    frc_topology_remove_triangle(&scene->topology, id);
    body->triangles.data[number] = FRACAS_NONE;
    body->live_triangles--;
}

// Vertices of a part, by their old numbers, become 0, 1, 2, ... of the new body.
static void move_vertices(draft* d, uint32_t part, frc_body* from, frc_body* to,
                          fracas_body handle) {
    fracas_scene* scene = d->scene;
    uint32_t number = handle.index - 1;
    const uint64_t* vertices = &d->leaving[first_of_part(d, part)];
    uint32_t count = (uint32_t)part_vertex_count(d, part);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t old = (uint32_t)vertices[i], id = from->points.data[old];
        frc_point* p = &scene->topology.points.data[id];
        frc_take_out_point(scene, id);
        p->tag[FRC_TAG_BODY] = number;
        p->tag[FRC_TAG_NUMBER] = i;
        to->points.data[to->points.count++] = id;
        frc_wait_point(to, id);
        if (from->motion == FRACAS_RIGID)
            for (int k = 0; k < 3; k++)
                to->rest.data[to->rest.count++] = from->rest.data[3 * (size_t)old + k];
        from->points.data[old] = FRACAS_NONE;
        from->live_points--;
        frc_trace_add(&scene->trace, (fracas_element){d->handle, FRACAS_VERTEX, old},
                      (fracas_element){handle, FRACAS_VERTEX, i});
    }
    to->live_points = count;
}

static void move_triangle(fracas_scene* scene, frc_body* to, uint32_t number, uint32_t id) {
    frc_topology* topology = &scene->topology;
    frc_triangle* t = &topology->triangles.data[id];
    frc_take_out_triangle(scene, id);
    t->body = number;
    t->number = (uint32_t)to->triangles.count;
    to->triangles.data[to->triangles.count++] = id;
    for (int k = 0; k < 3; k++) {
        uint32_t edge = t->edge[k];
        if (edge == FRACAS_NONE) continue;
        // The second triangle of an edge finds it without a place: it waits already, once more does
        // no harm.
        frc_take_out_edge(scene, edge);
        frc_wait_edge(to, edge);
    }
}

// One more than the block that the first triangle of a part stands in; where it stands in none yet,
// whatever the body itself came from.
static uint32_t block_of_part(const draft* d, uint32_t part, const frc_body* from) {
    uint32_t triangle = d->split->part_triangles[d->split->part_offsets[part]];
    const frc_triangle* t = &d->scene->topology.triangles.data[from->triangles.data[triangle]];
    return t->place.block != FRACAS_NONE ? t->place.block + 1 : from->came_from;
}

// The triangles of a part wait in the order of the tree that they stand in, which their new tree
// inherits (build_order.c). When they do not all stand in one they wait as they are listed.
static void wait_in_order(draft* d, uint32_t part, const frc_body* from, frc_body* to) {
    const uint32_t* numbers = &d->split->part_triangles[d->split->part_offsets[part]];
    const frc_triangle* triangles = d->scene->topology.triangles.data;
    uint32_t count = part_triangle_count(d, part);
    uint32_t number = triangles[from->triangles.data[numbers[0]]].place.block;
    bool one_tree = number != FRACAS_NONE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = from->triangles.data[numbers[i]];
        one_tree &= triangles[id].place.block == number;
        d->slots[i] = (uint64_t)triangles[id].place.slot << 32 | id;
    }
    const uint64_t* sorted = one_tree ? frc_sort_keys(d->slots, d->spare, count, 32) : d->slots;
    const frc_block* block = one_tree ? d->scene->blocks.data[number] : NULL;
    for (uint32_t i = 0; i < count; i++) {
        to->fresh_triangles.data[to->fresh_triangles.count++] = (uint32_t)sorted[i];
        if (!block) continue;
        uint32_t slot = (uint32_t)(sorted[i] >> 32), before = (uint32_t)(sorted[i - (i > 0)] >> 32);
        to->fresh_cuts.data[to->fresh_cuts.count++] = frc_block_cut(block, before, slot);
    }
}

static fracas_body leave(draft* d, uint32_t part, frc_body* lists) {
    fracas_scene* scene = d->scene;
    const fracas_split* s = d->split;
    uint32_t from_number = d->handle.index - 1;
    frc_body_filter filter = scene->filters.data[from_number];
    uint32_t number = frc_scene_new_body(scene, &filter);
    frc_body* from = &scene->bodies.data[from_number];
    frc_body* to = &scene->bodies.data[number];
    lists->motion = from->motion;
    memcpy(lists->pose, from->pose, sizeof lists->pose);
    *to = *lists;
    fracas_body handle = frc_scene_handle(scene, number);
    to->came_from = block_of_part(d, part, from);
    to->built = from->built;
    move_vertices(d, part, from, to, handle);
    wait_in_order(d, part, from, to);
    for (uint32_t i = s->part_offsets[part]; i < s->part_offsets[part + 1]; i++) {
        uint32_t old = s->part_triangles[i];
        frc_trace_add(&scene->trace, (fracas_element){d->handle, FRACAS_TRIANGLE, old},
                      (fracas_element){handle, FRACAS_TRIANGLE, (uint32_t)to->triangles.count});
        move_triangle(scene, to, number, from->triangles.data[old]);
        from->triangles.data[old] = FRACAS_NONE;
        from->live_triangles--;
    }
    to->live_triangles = (uint32_t)to->triangles.count;
    frc_scene_mark_stale(scene, number);
    // It is on its way when what it comes from is.
    if (from->moved) frc_scene_mark_moved(scene, number);
    return handle;
}

static void carry_out(draft* d, frc_body* lists, fracas_body* parts) {
    fracas_scene* scene = d->scene;
    const fracas_split* s = d->split;
    uint32_t number = d->handle.index - 1;
    frc_body* body = &scene->bodies.data[number];
    // Before its parts: what it no longer needs is given back before they ask for memory.
    frc_scene_mark_stale(scene, number);
    for (uint32_t i = 0; i < s->new_vertex_count; i++)
        add_new_vertex(scene, body, &s->new_vertices[i]);
    for (uint32_t i = 0; i < s->repoint_count; i++) repoint(scene, body, &s->repoints[i]);
    for (uint32_t i = 0; i < s->new_triangle_count; i++)
        add_new_triangle(scene, body, &s->new_triangles[3 * (size_t)i]);
    for (uint32_t i = 0; i < s->removed_triangle_count; i++)
        remove_triangle(scene, body, s->removed_triangles[i]);
    for (uint32_t p = 0; p < s->part_count; p++) parts[p] = leave(d, p, &lists[p]);
    scene->topology_changed = true;
}

fracas_status fracas_scene_split(fracas_scene* scene, fracas_body handle, const fracas_split* split,
                                 fracas_body* parts) {
    if (!scene || !split) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status;
    const frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    status = check_struct(scene, body, split, parts);
    if (status != FRACAS_OK) return status;
    draft d = {.scene = scene, .handle = handle, .body = body, .split = split};
    d.arena = frc_arena_make(scene->context);
    d.vertex_numbers = (uint32_t)body->points.count + split->new_vertex_count;
    d.triangle_numbers = (uint32_t)body->triangles.count + split->new_triangle_count;
    status = check_lists(&d);
    if (status != FRACAS_OK) return status;
    frc_body* lists = frc_arena_take_zero(&d.arena, split->part_count, sizeof *lists);
    bool memory = lists && create_draft(&d);
    if (memory) {
        status = play_through(&d);
        forget_places(&d);
    }
    if (memory && status == FRACAS_OK) memory = sort_leaving(&d) && make_room(&d, lists);
    if (memory && status == FRACAS_OK)
        carry_out(&d, lists, parts);
    else
        release_parts(scene, lists, split->part_count);
    frc_arena_release(&d.arena);
    return memory ? status
                  : frc_fail_memory(scene->context, d.triangle_count * sizeof *d.triangles);
}
