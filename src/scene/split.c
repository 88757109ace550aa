/// @file split.c  A body breaks: new vertices, re-pointed corners, new and removed triangles,
/// leaving parts.
///
/// The delta is simulated first, on copies of the triangles and vertices that it names (the draft,
/// split_check.c). Only a valid delta is applied. The cost is proportional to the elements listed.
#include "base/sort.h"
#include "scene/split_check.h"
#include <string.h>

fracas_split fracas_scene_default_split(void) {
    return (fracas_split){.struct_size = sizeof(fracas_split)};
}

static fracas_status check_struct(fracas_scene* scene, const frc_body* body, const fracas_split* s,
                                  const fracas_body* parts) {
    if (s->struct_size != sizeof *s)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the split is not initialised: start from fracas_scene_default_split()");
    const struct {
        uint32_t count;
        const void* list;
        const char* name;
    } lists[] = {
        {s->new_vertex_count,       s->new_vertices,      "split->new_vertices"     },
        {s->repoint_count,          s->repoints,          "split->repoints"         },
        {s->new_triangle_count,     s->new_triangles,     "split->new_triangles"    },
        {s->removed_triangle_count, s->removed_triangles, "split->removed_triangles"},
        {s->part_count,             s->part_offsets,      "split->part_offsets"     },
        {s->part_count,             s->part_triangles,    "split->part_triangles"   },
        {s->part_count,             parts,                "parts"                   }
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (lists[i].count && !lists[i].list)
            return frc_fail_null(scene->context, "fracas_scene_split", lists[i].name);
    if (s->part_count && s->part_offsets[0] != 0)
        return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA, "part_offsets must begin with 0");
    if (body->points.count + s->new_vertex_count > UINT32_MAX / 2 ||
        body->triangles.count + s->new_triangle_count > UINT32_MAX / 2)
        return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA,
                        "the body would have too many elements");
    return FRACAS_OK;
}

// ---- memory

// The first leaving vertex of a part not below `part`.
static size_t first_of_part(const frc_draft* d, uint32_t part) {
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

static size_t part_vertex_count(const frc_draft* d, uint32_t part) {
    return first_of_part(d, part + 1) - first_of_part(d, part);
}

static uint32_t part_triangle_count(const frc_draft* d, uint32_t part) {
    return d->split->part_offsets[part + 1] - d->split->part_offsets[part];
}

static size_t trace_pages(const frc_draft* d) {
    const fracas_split* s = d->split;
    size_t pages = (d->leaving_count > 0) + (frc_leaving_count(s) > 0);
    for (uint32_t i = 1; i < frc_leaving_count(s); i++)
        pages += frc_trace_begins_row(s->part_triangles[i], s->part_triangles[i - 1]);
    for (size_t i = 1; i < d->leaving_count; i++)
        pages += frc_trace_begins_row((uint32_t)d->leaving[i], (uint32_t)d->leaving[i - 1]);
    return pages;
}

// Scratch memory to sort the triangles of the largest part.
static bool reserve_slots(frc_draft* d) {
    size_t most = 0;
    for (uint32_t p = 0; p < d->split->part_count; p++)
        if (part_triangle_count(d, p) > most) most = part_triangle_count(d, p);
    d->slots = frc_arena_allocate(&d->arena, most, sizeof *d->slots);
    d->spare = frc_arena_allocate(&d->arena, most, sizeof *d->spare);
    return d->slots && d->spare;
}

static bool reserve_part(fracas_scene* scene, frc_body* part, size_t triangles, size_t vertices,
                         bool rigid) {
    fracas_context* context = scene->context;
    return FRC_ARRAY_RESERVE(context, &part->points, vertices) &&
           FRC_ARRAY_RESERVE(context, &part->triangles, triangles) &&
           (!rigid || FRC_ARRAY_RESERVE(context, &part->rest, 3 * vertices)) &&
           FRC_ARRAY_RESERVE(context, &part->pending_cuts, triangles) &&
           frc_body_reserve_pending(scene, part, triangles, 3 * triangles, vertices);
}

// Does the body lose most of its triangles? Then its blocks are dissolved (dissolve_blocks), unless
// it has free elements, whose blocks must stay.
static bool loses_most(const frc_body* body, const fracas_split* s) {
    return body->blocks.count > 0 && body->free_edges.count + body->free_points.count == 0 &&
           2 * (size_t)frc_leaving_count(s) > (size_t)body->live_triangles + s->new_triangle_count;
}

// All memory that the split needs. The lists of the new bodies are allocated in `parts`.
static bool reserve_all(frc_draft* d, frc_body* parts) {
    fracas_scene* scene = d->scene;
    fracas_context* context = scene->context;
    const fracas_split* s = d->split;
    uint32_t number = d->handle.index - 1;
    bool rigid = d->body->motion == FRACAS_MOTION_RIGID;
    size_t changes = (size_t)s->repoint_count + s->new_triangle_count + s->removed_triangle_count;
    if (!frc_scene_reserve_bodies(scene, s->part_count)) return false;
    frc_body* body = &scene->bodies.data[number];
    d->body = body;  // the array may have moved
    for (uint32_t p = 0; p < s->part_count; p++)
        if (!reserve_part(scene, &parts[p], part_triangle_count(d, p), part_vertex_count(d, p),
                          rigid))
            return false;
    d->dissolve = loses_most(body, s);
    const size_t stay = (size_t)body->live_triangles + s->new_triangle_count - frc_leaving_count(s);
    const size_t pending = d->dissolve ? stay : 0;  // triangles of dissolved blocks
    return reserve_slots(d) && frc_siblings_reserve(scene, s->new_vertex_count) &&
           frc_scene_reserve_rest(scene, s->new_vertex_count) &&
           frc_topology_reserve(&scene->topology, s->new_vertex_count, s->new_triangle_count,
                                3 * changes) &&
           FRC_ARRAY_RESERVE(context, &body->points, d->vertex_numbers) &&
           FRC_ARRAY_RESERVE(context, &body->triangles, d->triangle_numbers) &&
           (!rigid || FRC_ARRAY_RESERVE(context, &body->rest, 3 * (size_t)d->vertex_numbers)) &&
           // Re-pointing releases three edges and points and uses three.
           frc_body_reserve_pending(scene, body, s->new_triangle_count + pending,
                                    6 * changes + 3 * pending, 6 * changes + 3 * pending) &&
           FRC_ARRAY_RESERVE(context, &body->pending_cuts, pending) &&
           frc_trace_reserve(context, &scene->trace, trace_pages(d), 0);
}

static void release_parts(fracas_scene* scene, frc_body* parts, uint32_t count) {
    for (uint32_t p = 0; parts && p < count; p++) {
        frc_ids* lists[] = {
            &parts[p].points,        &parts[p].triangles,      &parts[p].pending_triangles,
            &parts[p].pending_edges, &parts[p].pending_points, &parts[p].pending_cuts};
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
            FRC_ARRAY_RELEASE(scene->context, lists[i]);
        FRC_ARRAY_RELEASE(scene->context, &parts[p].rest);
    }
}

// ---- applying the split

static const frc_place nowhere = {FRACAS_NONE, FRACAS_NONE};

static void add_new_vertex(fracas_scene* scene, frc_body* body, const fracas_new_vertex* v) {
    double rest[3], ends[2][3];
    frc_place_new_vertex(scene, body, v, rest, ends);
    uint32_t id = frc_scene_add_point(scene, body, v);
    frc_point* p = &scene->topology.points.data[id];
    p->tag[FRC_TAG_BODY] = frc_body_number(scene, body);
    p->tag[FRC_TAG_NUMBER] = (uint32_t)body->points.count;
    for (int end = 0; end < 2; end++) frc_set_point(p, end, ends[end]);
    if (v->parent_a != FRACAS_NONE && v->parent_b == FRACAS_NONE)
        frc_siblings_join(scene, body->points.data[v->parent_a], id);
    if (body->motion == FRACAS_MOTION_RIGID)
        for (int k = 0; k < 3; k++) body->rest.data[body->rest.count++] = rest[k];
    body->points.data[body->points.count++] = id;
    body->live_points++;
    // The next advance must visit the body even when no other point of it moves.
    if (frc_ends_differ(ends)) frc_scene_mark_in_motion(scene, frc_body_number(scene, body));
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
    body->pending_triangles.data[body->pending_triangles.count++] = id;
    body->live_triangles++;
    frc_use_triangle(scene, body, id);
}

static void remove_triangle(fracas_scene* scene, frc_body* body, uint32_t number) {
    uint32_t id = body->triangles.data[number];
    frc_unuse_triangle(scene, id);
    frc_unplace_triangle(scene, id);
    frc_topology_remove_triangle(&scene->topology, id);
    body->triangles.data[number] = FRACAS_NONE;
    body->live_triangles--;
}

// The vertices of a part, in the order of their old numbers, get the numbers 0, 1, 2, ... in the
// new body.
static void move_vertices(frc_draft* d, uint32_t part, frc_body* from, frc_body* to,
                          fracas_body handle) {
    fracas_scene* scene = d->scene;
    uint32_t number = handle.index - 1;
    const uint64_t* vertices = &d->leaving[first_of_part(d, part)];
    uint32_t count = (uint32_t)part_vertex_count(d, part);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t old = (uint32_t)vertices[i], id = from->points.data[old];
        frc_point* p = &scene->topology.points.data[id];
        p->tag[FRC_TAG_BODY] = number;
        p->tag[FRC_TAG_NUMBER] = i;
        frc_list_name(&scene->topology.changed_points, id);
        to->points.data[to->points.count++] = id;
        if (d->dissolve)
            scene->topology.uses.data[id].place = nowhere;
        else
            frc_unplace_point(scene, id);
        frc_add_pending_point(to, id);
        if (from->motion == FRACAS_MOTION_RIGID)
            for (int k = 0; k < 3; k++)
                to->rest.data[to->rest.count++] = from->rest.data[3 * (size_t)old + k];
        from->points.data[old] = FRACAS_NONE;
        from->live_points--;
        frc_trace_add(&scene->trace, (fracas_element){d->handle, FRACAS_ELEMENT_VERTEX, old},
                      (fracas_element){handle, FRACAS_ELEMENT_VERTEX, i});
    }
    to->live_points = count;
}

static void move_triangle(const frc_draft* d, frc_body* to, uint32_t number, uint32_t id) {
    fracas_scene* scene = d->scene;
    frc_topology* topology = &scene->topology;
    frc_triangle* t = &topology->triangles.data[id];
    if (d->dissolve)
        t->place = nowhere;
    else
        frc_unplace_triangle(scene, id);
    t->body = number;
    t->number = (uint32_t)to->triangles.count;
    frc_list_name(&topology->changed_triangles, id);
    to->triangles.data[to->triangles.count++] = id;
    for (int k = 0; k < 3; k++) {
        uint32_t edge = t->edge[k];
        if (edge == FRACAS_NONE) continue;
        // An edge of two triangles is listed twice; the update ignores the second entry.
        if (d->dissolve)
            topology->edges.data[edge].place = nowhere;
        else
            frc_unplace_edge(scene, edge);
        frc_add_pending_edge(to, edge);
    }
}

// One more than the block of the first triangle of a part. For a triangle that is not in a block
// yet: the source block of the body.
static uint32_t block_of_part(const frc_draft* d, uint32_t part, const frc_body* from) {
    uint32_t triangle = d->split->part_triangles[d->split->part_offsets[part]];
    const frc_triangle* t = &d->scene->topology.triangles.data[from->triangles.data[triangle]];
    return t->place.block != FRACAS_NONE ? t->place.block + 1 : from->source_block;
}

// The block that contains all triangles of a part, or FRACAS_NONE. Also lists their slots.
static uint32_t find_block_and_slots(frc_draft* d, uint32_t part, const frc_body* from) {
    const uint32_t* numbers = &d->split->part_triangles[d->split->part_offsets[part]];
    const frc_triangle* triangles = d->scene->topology.triangles.data;
    uint32_t block = triangles[from->triangles.data[numbers[0]]].place.block;
    bool one_tree = true;
    for (uint32_t i = 0; i < part_triangle_count(d, part); i++) {
        uint32_t id = from->triangles.data[numbers[i]];
        one_tree &= triangles[id].place.block == block;
        d->slots[i] = (uint64_t)triangles[id].place.slot << 32 | id;
    }
    return one_tree ? block : FRACAS_NONE;
}

// The triangles of a part become pending in the leaf order of their old tree, which the new tree
// inherits (bvh/build_order.c). When they are in several trees, their order is that of the delta.
static void list_pending(frc_draft* d, uint32_t part, uint32_t tree, frc_body* to) {
    uint32_t count = part_triangle_count(d, part);
    frc_ids* out = &to->pending_triangles;
    const frc_block* block = tree == FRACAS_NONE ? NULL : d->scene->blocks.data[tree];
    const uint64_t* sorted = block ? frc_sort_keys(d->slots, d->spare, count, 32) : d->slots;
    for (uint32_t i = 0; i < count; i++) {
        out->data[out->count++] = (uint32_t)sorted[i];
        if (!block) continue;
        uint32_t slot = (uint32_t)(sorted[i] >> 32), before = (uint32_t)(sorted[i - (i > 0)] >> 32);
        to->pending_cuts.data[to->pending_cuts.count++] = frc_block_cut(block, before, slot);
    }
}

static fracas_body move_part(frc_draft* d, uint32_t part, frc_body* lists) {
    fracas_scene* scene = d->scene;
    const fracas_split* s = d->split;
    uint32_t from_number = d->handle.index - 1;
    frc_body_filter filter = scene->filters.data[from_number];
    filter.rings = 0;
    uint32_t number = frc_scene_new_body(scene, &filter);
    frc_body* from = &scene->bodies.data[from_number];
    frc_body* to = &scene->bodies.data[number];
    lists->motion = from->motion;
    lists->user = from->user;
    memcpy(lists->pose, from->pose, sizeof lists->pose);
    *to = *lists;
    fracas_body handle = frc_scene_handle(scene, number);
    to->source_block = block_of_part(d, part, from);
    list_pending(d, part, find_block_and_slots(d, part, from), to);
    move_vertices(d, part, from, to, handle);
    for (uint32_t i = s->part_offsets[part]; i < s->part_offsets[part + 1]; i++) {
        uint32_t old = s->part_triangles[i];
        frc_trace_add(
            &scene->trace, (fracas_element){d->handle, FRACAS_ELEMENT_TRIANGLE, old},
            (fracas_element){handle, FRACAS_ELEMENT_TRIANGLE, (uint32_t)to->triangles.count});
        move_triangle(d, to, number, from->triangles.data[old]);
        from->triangles.data[old] = FRACAS_NONE;
        from->live_triangles--;
    }
    to->live_triangles = (uint32_t)to->triangles.count;
    frc_scene_mark_stale(scene, number);
    // Its points move, and its boxes are out of date, when that holds for the old body.
    if (from->moved_at) frc_scene_mark_moved(scene, number);
    if (from->points_moved) scene->bodies.data[number].points_moved = true;
    return handle;
}

// Make the edges and points of a remaining triangle pending.
static void release_features(fracas_scene* scene, frc_body* body, const frc_triangle* t) {
    for (int k = 0; k < 3; k++) {
        frc_place* place = &scene->topology.uses.data[t->point[k]].place;
        if (place->block != FRACAS_NONE) frc_add_pending_point(body, t->point[k]);
        *place = nowhere;
        if (t->edge[k] == FRACAS_NONE) continue;
        place = &scene->topology.edges.data[t->edge[k]].place;
        if (place->block != FRACAS_NONE) frc_add_pending_edge(body, t->edge[k]);
        *place = nowhere;
    }
}

// When most of a body leaves, the next update would rebuild its blocks in any case. The remaining
// triangles become pending now, in the leaf order of the old tree, so the slots of leaving features
// need not be cleared one by one. Fewer triangles remain than leave: the cost stays proportional to
// the elements listed.
static void dissolve_blocks(fracas_scene* scene, frc_body* body) {
    frc_triangle* triangles = scene->topology.triangles.data;
    const bool in_order = body->blocks.count == 1 && body->pending_triangles.count == 0;
    for (size_t i = 0; i < body->pending_triangles.count; i++) {
        const frc_triangle* t = &triangles[body->pending_triangles.data[i]];
        if (t->point[0] != FRACAS_NONE && t->body == frc_body_number(scene, body))
            release_features(scene, body, t);
    }
    for (size_t i = 0; i < body->blocks.count; i++) {
        const uint32_t number = body->blocks.data[i];
        const frc_block* block = scene->blocks.data[number];
        uint32_t before = FRACAS_NONE;
        for (uint32_t slot = 0; slot < block->face_slots; slot++) {
            const uint32_t id = block->faces[slot].id;
            if (id == FRACAS_NONE || triangles[id].place.block != number) continue;
            triangles[id].place = nowhere;
            release_features(scene, body, &triangles[id]);
            body->pending_triangles.data[body->pending_triangles.count++] = id;
            if (in_order)
                body->pending_cuts.data[body->pending_cuts.count++] =
                    frc_block_cut(block, before == FRACAS_NONE ? slot : before, slot);
            before = slot;
        }
        body->source_block = number + 1;
        frc_scene_drop_block(scene, number);
    }
    body->blocks.count = 0;
}

static void apply_split(frc_draft* d, frc_body* lists, fracas_body* parts) {
    fracas_scene* scene = d->scene;
    const fracas_split* s = d->split;
    uint32_t number = d->handle.index - 1;
    frc_body* body = &scene->bodies.data[number];
    frc_scene_mark_stale(scene, number);
    body->closed = FRC_CLOSED_UNKNOWN;
    for (uint32_t i = 0; i < s->new_vertex_count; i++)
        add_new_vertex(scene, body, &s->new_vertices[i]);
    for (uint32_t i = 0; i < s->repoint_count; i++) repoint(scene, body, &s->repoints[i]);
    for (uint32_t i = 0; i < s->new_triangle_count; i++)
        add_new_triangle(scene, body, &s->new_triangles[3 * (size_t)i]);
    for (uint32_t i = 0; i < s->removed_triangle_count; i++)
        remove_triangle(scene, body, s->removed_triangles[i]);
    for (uint32_t p = 0; p < s->part_count; p++) parts[p] = move_part(d, p, &lists[p]);
    if (d->dissolve) dissolve_blocks(scene, body);
    scene->topology_changed = true;
    scene->shape_version++;
}

fracas_status fracas_scene_split(fracas_scene* scene, fracas_body handle, const fracas_split* split,
                                 fracas_body* parts) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!split) return frc_fail_null(scene->context, "fracas_scene_split", "split");
    fracas_status status;
    const frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    status = check_struct(scene, body, split, parts);
    if (status != FRACAS_OK) return status;
    frc_draft d = {.scene = scene, .handle = handle, .body = body, .split = split};
    d.arena = frc_arena_make(scene->context);
    d.vertex_numbers = (uint32_t)body->points.count + split->new_vertex_count;
    d.triangle_numbers = (uint32_t)body->triangles.count + split->new_triangle_count;
    status = frc_draft_check(&d);
    if (status != FRACAS_OK) return status;
    frc_body* lists = frc_arena_allocate_zero(&d.arena, split->part_count, sizeof *lists);
    bool memory = lists && frc_draft_simulate(&d, &status);
    if (memory && status == FRACAS_OK) memory = reserve_all(&d, lists);
    if (memory && status == FRACAS_OK)
        apply_split(&d, lists, parts);
    else
        release_parts(scene, lists, split->part_count);
    frc_arena_release(&d.arena);
    return memory ? status
                  : frc_fail_memory(scene->context, d.triangle_count * sizeof *d.triangles);
}
