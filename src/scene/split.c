/// @file split.c  A body breaks: new vertices, re-pointed corners, new and removed triangles,
/// leaving parts.
///
/// The delta is simulated first, on copies of the triangles and vertices that it names (the draft,
/// split_check.c). Only a valid delta is applied. The cost is proportional to the elements listed.
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
    d->dissolve = loses_most(body, s);
    const size_t stay = (size_t)body->live_triangles + s->new_triangle_count - frc_leaving_count(s);
    const size_t pending = d->dissolve ? stay : 0;  // triangles of dissolved blocks
    return frc_split_reserve_parts(d, parts) && frc_siblings_reserve(scene, s->new_vertex_count) &&
           frc_scene_reserve_rest(scene, s->new_vertex_count) &&
           frc_topology_reserve(&scene->topology, s->new_vertex_count, s->new_triangle_count,
                                3 * (d->repointed_count + s->new_triangle_count)) &&
           FRC_ARRAY_RESERVE(context, &body->points, d->vertex_numbers) &&
           FRC_ARRAY_RESERVE(context, &body->triangles, d->triangle_numbers) &&
           (!rigid || FRC_ARRAY_RESERVE(context, &body->rest, 3 * (size_t)d->vertex_numbers)) &&
           // Re-pointing releases three edges and points and uses three.
           frc_body_reserve_pending(scene, body, s->new_triangle_count + pending,
                                    6 * changes + 3 * pending, 6 * changes + 3 * pending) &&
           FRC_ARRAY_RESERVE(context, &body->pending_cuts, pending);
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

// Triangles with all of their re-pointed corners at once, which the draft has.
static void repoint(frc_draft* d, const frc_body* body) {
    uint32_t ids[FRC_FEW_TRIANGLES], points[FRC_FEW_TRIANGLES][3];
    size_t count = 0;
    for (size_t i = 0; i < d->repointed_count; i++) {
        const frc_draft_triangle* t = &d->triangles[i];
        ids[count] = body->triangles.data[t->number];
        for (int k = 0; k < 3; k++)
            points[count][k] = body->points.data[d->vertices[t->corner[k]].number];
        if (++count < FRC_FEW_TRIANGLES && i + 1 < d->repointed_count) continue;
        frc_repoint_few(d->scene, ids, (const uint32_t(*)[3])points, count);
        count = 0;
    }
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
}

static void remove_triangle(fracas_scene* scene, frc_body* body, uint32_t number) {
    uint32_t id = body->triangles.data[number];
    frc_unuse_triangle(scene, id);
    frc_unplace_triangle(scene, id);
    frc_topology_remove_triangle(&scene->topology, id);
    body->triangles.data[number] = FRACAS_NONE;
    body->live_triangles--;
}

static const frc_place nowhere = {FRACAS_NONE, FRACAS_NONE};

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
    repoint(d, body);
    for (uint32_t i = 0; i < s->new_triangle_count; i++)
        add_new_triangle(scene, body, &s->new_triangles[3 * (size_t)i]);
    if (s->new_triangle_count > 0)
        frc_use_triangles(scene, body,
                          body->triangles.data + body->triangles.count - s->new_triangle_count,
                          s->new_triangle_count);
    for (uint32_t i = 0; i < s->removed_triangle_count; i++)
        remove_triangle(scene, body, s->removed_triangles[i]);
    if (s->part_count) frc_split_move_parts(d, lists, parts);
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
    if (memory && status == FRACAS_OK) {
        apply_split(&d, lists, parts);
    } else {
        release_parts(scene, lists, split->part_count);
        if (d.swept) frc_trace_split_release(scene->context, &d.trace);
    }
    frc_arena_release(&d.arena);
    return memory ? status
                  : frc_fail_memory(scene->context, d.triangle_count * sizeof *d.triangles);
}
