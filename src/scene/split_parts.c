/// @file split_parts.c  Parts leave a body: their triangles and vertices get new names.
///
/// All workers take part, in lists of all leaving elements rather than part by part: parts may be
/// few. Where there are trees the features of each part are listed for its new tree by one worker.
#include "base/parallel.h"
#include "base/sort.h"
#include "scene/split_check.h"
#include <string.h>

enum { GRAIN = 1024 };  // elements of a task

static const frc_place nowhere = {FRACAS_NONE, FRACAS_NONE};

static uint32_t vertex_count_of(const frc_draft* d, uint32_t part) {
    return d->first_leaving[part + 1] - d->first_leaving[part];
}

static uint32_t triangle_count_of(const frc_draft* d, uint32_t part) {
    return d->split->part_offsets[part + 1] - d->split->part_offsets[part];
}

// Do updates read the pending features of bodies? Where a search keeps positions they are dropped.
static bool has_pending(const fracas_scene* scene) {
    return !scene->options.search->keeps_positions;
}

// ---- memory

static size_t trace_pages(const frc_draft* d) {
    const fracas_split* s = d->split;
    const uint32_t vertices = d->first_leaving[s->part_count], triangles = frc_leaving_count(s);
    size_t pages = (vertices > 0) + (triangles > 0);
    for (uint32_t i = 1; i < triangles; i++)
        pages += frc_trace_begins_row(s->part_triangles[i], s->part_triangles[i - 1]);
    for (uint32_t i = 1; i < vertices; i++)
        pages += frc_trace_begins_row(d->leaving[i], d->leaving[i - 1]);
    return pages;
}

static bool reserve_part(fracas_scene* scene, frc_body* part, size_t triangles, size_t vertices,
                         bool rigid) {
    fracas_context* context = scene->context;
    return FRC_ARRAY_RESERVE(context, &part->points, vertices) &&
           FRC_ARRAY_RESERVE(context, &part->triangles, triangles) &&
           (!rigid || FRC_ARRAY_RESERVE(context, &part->rest, 3 * vertices)) &&
           (!has_pending(scene) ||
            (FRC_ARRAY_RESERVE(context, &part->pending_cuts, triangles) &&
             frc_body_reserve_pending(scene, part, triangles, 3 * triangles, vertices)));
}

bool frc_split_reserve_parts(frc_draft* d, frc_body* parts) {
    fracas_scene* scene = d->scene;
    const fracas_split* s = d->split;
    const bool rigid = d->body->motion == FRACAS_MOTION_RIGID;
    const uint32_t vertices = d->first_leaving[s->part_count], triangles = frc_leaving_count(s);
    for (uint32_t p = 0; p < s->part_count; p++)
        if (!reserve_part(scene, &parts[p], triangle_count_of(d, p), vertex_count_of(d, p), rigid))
            return false;
    if (has_pending(scene)) {
        d->slots = frc_arena_allocate(&d->arena, triangles, sizeof *d->slots);
        d->spare = frc_arena_allocate(&d->arena, triangles, sizeof *d->spare);
        if (!d->slots || !d->spare) return false;
    }
    if (scene->topology.keeps_changes) {
        const uint32_t most = vertices > triangles ? vertices : triangles;
        d->ids = frc_arena_allocate(&d->arena, most, sizeof *d->ids);
        if (!d->ids) return false;
    }
    return d->swept ? frc_trace_reserve_split(scene->context, &scene->trace)
                    : frc_trace_reserve(scene->context, &scene->trace, trace_pages(d), 0);
}

// ---- features of parts, for their trees

// One more than the block of the first triangle of a part. For a triangle that is not in a block
// yet: the source block of the body.
static uint32_t block_of_part(const frc_draft* d, uint32_t part, const frc_body* from) {
    uint32_t triangle = d->split->part_triangles[d->split->part_offsets[part]];
    const frc_triangle* t = &d->scene->topology.triangles.data[from->triangles.data[triangle]];
    return t->place.block != FRACAS_NONE ? t->place.block + 1 : from->source_block;
}

// The block that contains all triangles of a part, or FRACAS_NONE. Also lists their slots, and
// their edges as pending: one of two triangles is listed twice, and the update ignores the second
// entry. The places of triangles and edges of blocks that are dissolved are forgotten; no other
// part has them.
static uint32_t list_features(const frc_draft* d, uint32_t part, frc_body* to, uint64_t* slots) {
    const uint32_t* numbers = &d->split->part_triangles[d->split->part_offsets[part]];
    const frc_body* from = d->body;
    frc_topology* topology = &d->scene->topology;
    const uint32_t block = topology->triangles.data[from->triangles.data[numbers[0]]].place.block;
    bool one_tree = true;
    for (uint32_t i = 0; i < triangle_count_of(d, part); i++) {
        const uint32_t id = from->triangles.data[numbers[i]];
        frc_triangle* t = &topology->triangles.data[id];
        one_tree &= t->place.block == block;
        slots[i] = (uint64_t)t->place.slot << 32 | id;
        if (d->dissolve) t->place = nowhere;
        for (int k = 0; k < 3; k++) {
            if (t->edge[k] == FRACAS_NONE) continue;
            if (d->dissolve) topology->edges.data[t->edge[k]].place = nowhere;
            frc_add_pending_edge(to, t->edge[k]);
        }
    }
    return one_tree ? block : FRACAS_NONE;
}

// The triangles of a part become pending in the leaf order of their old tree, which the new tree
// inherits (bvh/build_order.c). When they are in several trees, their order is that of the delta.
static void list_pending(const frc_draft* d, uint32_t part, frc_body* to) {
    const uint32_t first = d->split->part_offsets[part], count = triangle_count_of(d, part);
    uint64_t* slots = d->slots + first;
    frc_ids* out = &to->pending_triangles;
    const uint32_t tree = list_features(d, part, to, slots);
    const frc_block* block = tree == FRACAS_NONE ? NULL : d->scene->blocks.data[tree];
    const uint64_t* sorted = block ? frc_sort_keys(slots, d->spare + first, count, 32) : slots;
    for (uint32_t i = 0; i < count; i++) {
        out->data[out->count++] = (uint32_t)sorted[i];
        if (!block) continue;
        uint32_t slot = (uint32_t)(sorted[i] >> 32), before = (uint32_t)(sorted[i - (i > 0)] >> 32);
        to->pending_cuts.data[to->pending_cuts.count++] = frc_block_cut(block, before, slot);
    }
}

// ---- names

typedef struct moving {
    const frc_draft* d;
    frc_body* from;
    const fracas_body* handles;
} moving;

static frc_body* body_of_part(const moving* m, uint32_t part) {
    return &m->d->scene->bodies.data[m->handles[part].index - 1];
}

static void list_pending_of_parts(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const moving* m = data;
    (void)worker;
    for (uint32_t p = begin; p < end; p++) list_pending(m->d, p, body_of_part(m, p));
}

// Take what leaves out of blocks that stay.
static void unplace(const frc_draft* d, const frc_body* from) {
    fracas_scene* scene = d->scene;
    const fracas_split* s = d->split;
    for (uint32_t i = 0; i < d->first_leaving[s->part_count]; i++)
        frc_unplace_point(scene, from->points.data[d->leaving[i]]);
    for (uint32_t i = 0; i < frc_leaving_count(s); i++) {
        const uint32_t id = from->triangles.data[s->part_triangles[i]];
        const frc_triangle* t = &scene->topology.triangles.data[id];
        frc_unplace_triangle(scene, id);
        for (int k = 0; k < 3; k++)
            if (t->edge[k] != FRACAS_NONE) frc_unplace_edge(scene, t->edge[k]);
    }
}

// The vertices of a part, in the order of their old numbers, get the numbers 0, 1, 2, ... in the
// new body.
static void move_vertices(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const moving* m = data;
    const frc_draft* d = m->d;
    const uint32_t* first = d->first_leaving;
    const bool pending = has_pending(d->scene), rigid = m->from->motion == FRACAS_MOTION_RIGID;
    uint32_t part = frc_part_at(first, d->split->part_count, begin);
    frc_body* to = body_of_part(m, part);
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        while (i >= first[part + 1]) to = body_of_part(m, ++part);
        const uint32_t old = d->leaving[i], id = m->from->points.data[old], now = i - first[part];
        frc_point* p = &d->scene->topology.points.data[id];
        p->tag[FRC_TAG_BODY] = m->handles[part].index - 1;
        p->tag[FRC_TAG_NUMBER] = now;
        to->points.data[now] = id;
        m->from->points.data[old] = FRACAS_NONE;
        if (d->ids) d->ids[i] = id;
        if (pending) to->pending_points.data[now] = id;
        if (pending) d->scene->topology.uses.data[id].place = nowhere;
        if (rigid)
            memcpy(&to->rest.data[3 * (size_t)now], &m->from->rest.data[3 * (size_t)old],
                   3 * sizeof(double));
    }
}

static void move_triangles(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const moving* m = data;
    const frc_draft* d = m->d;
    const uint32_t* first = d->split->part_offsets;
    uint32_t part = frc_part_at(first, d->split->part_count, begin);
    frc_body* to = body_of_part(m, part);
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        while (i >= first[part + 1]) to = body_of_part(m, ++part);
        const uint32_t old = d->split->part_triangles[i], id = m->from->triangles.data[old];
        frc_triangle* t = &d->scene->topology.triangles.data[id];
        t->body = m->handles[part].index - 1;
        t->number = i - first[part];
        to->triangles.data[t->number] = id;
        m->from->triangles.data[old] = FRACAS_NONE;
        if (d->ids) d->ids[i] = id;
    }
}

// ---- bodies

static fracas_body create_part(frc_draft* d, uint32_t part, const frc_body* lists) {
    fracas_scene* scene = d->scene;
    const uint32_t from_number = d->handle.index - 1;
    frc_body_filter filter = scene->filters.data[from_number];
    filter.rings = 0;
    const uint32_t number = frc_scene_new_body(scene, &filter);
    const frc_body* from = &scene->bodies.data[from_number];
    frc_body* to = &scene->bodies.data[number];
    *to = *lists;
    to->motion = from->motion;
    to->user = from->user;
    memcpy(to->pose, from->pose, sizeof to->pose);
    to->source_block = block_of_part(d, part, from);
    to->points.count = to->live_points = vertex_count_of(d, part);
    to->triangles.count = to->live_triangles = triangle_count_of(d, part);
    if (from->motion == FRACAS_MOTION_RIGID) to->rest.count = 3 * to->points.count;
    if (has_pending(scene)) to->pending_points.count = to->points.count;
    frc_scene_mark_stale(scene, number);
    // Its points move, and its boxes are out of date, when that holds for the old body.
    if (from->moved_at) frc_scene_mark_moved(scene, number);
    if (from->points_moved) to->points_moved = true;
    return frc_scene_handle(scene, number);
}

static void trace_part(const frc_draft* d, uint32_t part, fracas_body handle) {
    frc_trace* trace = &d->scene->trace;
    const uint32_t *triangles = d->split->part_offsets, *vertices = d->first_leaving;
    for (uint32_t i = vertices[part]; i < vertices[part + 1]; i++)
        frc_trace_add(trace, (fracas_element){d->handle, FRACAS_ELEMENT_VERTEX, d->leaving[i]},
                      (fracas_element){handle, FRACAS_ELEMENT_VERTEX, i - vertices[part]});
    for (uint32_t i = triangles[part]; i < triangles[part + 1]; i++)
        frc_trace_add(
            trace,
            (fracas_element){d->handle, FRACAS_ELEMENT_TRIANGLE, d->split->part_triangles[i]},
            (fracas_element){handle, FRACAS_ELEMENT_TRIANGLE, i - triangles[part]});
}

static void add_trace(frc_draft* d, const fracas_body* handles) {
    const uint32_t parts = d->split->part_count;
    if (!d->swept) {
        for (uint32_t p = 0; p < parts; p++) trace_part(d, p, handles[p]);
        return;
    }
    memcpy(d->trace.parts, handles, parts * sizeof *handles);
    memcpy(d->trace.first[FRACAS_ELEMENT_TRIANGLE], d->split->part_offsets,
           (parts + (size_t)1) * sizeof *d->split->part_offsets);
    frc_trace_add_split(&d->scene->trace, &d->trace);
}

void frc_split_move_parts(frc_draft* d, const frc_body* parts, fracas_body* handles) {
    fracas_scene* scene = d->scene;
    fracas_context* context = scene->context;
    frc_topology* topology = &scene->topology;
    const uint32_t part_count = d->split->part_count, triangles = frc_leaving_count(d->split),
                   vertices = d->first_leaving[part_count];
    moving m = {.d = d, .from = &scene->bodies.data[d->handle.index - 1], .handles = handles};
    for (uint32_t p = 0; p < part_count; p++) handles[p] = create_part(d, p, &parts[p]);
    if (has_pending(scene)) {
        frc_parallel_for(context, part_count, 1, list_pending_of_parts, &m);
        if (!d->dissolve) unplace(d, m.from);
    }
    frc_parallel_for(context, vertices, GRAIN, move_vertices, &m);
    if (d->ids) frc_list_names(context, &topology->changed_points, d->ids, vertices);
    frc_parallel_for(context, triangles, GRAIN, move_triangles, &m);
    if (d->ids) frc_list_names(context, &topology->changed_triangles, d->ids, triangles);
    m.from->live_points -= vertices;
    m.from->live_triangles -= triangles;
    add_trace(d, handles);
}
