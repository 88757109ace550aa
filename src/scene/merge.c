/// @file merge.c  Merge bodies: the first keeps its handle and numbers, the numbers of the others
/// follow, welded vertices become one.
///
/// Features keep their ids, places and blocks; their body and numbers are rewritten. Of two welded
/// vertices one is removed, and its triangles and free elements are re-pointed to the other.
#include "base/map.h"
#include "scene/scene.h"
#include <string.h>

typedef struct merge_job {
    fracas_scene* scene;
    const fracas_body* handles;
    uint32_t count;
    const fracas_merge* merge;
    size_t points, triangles, free_edges, free_points;  // of all bodies after the first
    frc_map listed;                                     // body numbers
    frc_map welded;    // point id -> point id that it is welded to, which may be welded itself
    bool first_welds;  // a vertex of the first body is removed
} merge_job;

fracas_merge fracas_scene_default_merge(void) {
    return (fracas_merge){.struct_size = sizeof(fracas_merge)};
}

// ---- checks

static fracas_status bad(const merge_job* j, const char* what, uint32_t value) {
    return frc_fail(j->scene->context, FRACAS_ERROR_BAD_DATA, "merge: %s %u", what, value);
}

static const frc_body* body_at(const merge_job* j, uint32_t position) {
    return &j->scene->bodies.data[j->handles[position].index - 1];
}

static bool has_vertex(const merge_job* j, uint32_t position, uint32_t vertex) {
    return position < j->count && vertex < body_at(j, position)->points.count &&
           body_at(j, position)->points.data[vertex] != FRACAS_NONE;
}

// Also lists the bodies and counts the elements after the first.
static fracas_status check(merge_job* j) {
    fracas_status status;
    const frc_body* first = frc_scene_find(j->scene, j->handles[0], &status);
    if (!first) return status;
    frc_map_set(&j->listed, j->handles[0].index, 0);
    for (uint32_t i = 1; i < j->count; i++) {
        const frc_body* body = frc_scene_find(j->scene, j->handles[i], &status);
        if (!body) return status;
        if (body->motion != first->motion)
            return bad(j, "all bodies must move the same way (deforming, rigid, static), not body",
                       j->handles[i].index);
        if (body->motion == FRACAS_MOTION_RIGID &&
            memcmp(body->pose, first->pose, sizeof first->pose) != 0)
            return bad(j, "rigid bodies are joined in a common pose; another pose has body",
                       j->handles[i].index);
        if (frc_map_find(&j->listed, j->handles[i].index) != FRC_MAP_NONE)
            return bad(j, "it is listed twice: body", j->handles[i].index);
        frc_map_set(&j->listed, j->handles[i].index, i);
        j->points += body->points.count;
        j->triangles += body->triangles.count;
        j->free_edges += body->free_edges.count;
        j->free_points += body->free_points.count;
    }
    for (uint32_t i = 0; i < j->merge->weld_count; i++) {
        const fracas_weld_pair* w = &j->merge->welds[i];
        if (!has_vertex(j, w->body_a, w->vertex_a) || !has_vertex(j, w->body_b, w->vertex_b))
            return bad(j, "there is no such body or vertex in weld", i);
    }
    return FRACAS_OK;
}

// ---- welds

// The point that a point is welded to in the end: union-find with path halving.
static uint32_t follow(merge_job* j, uint32_t point) {
    for (uint32_t next; (next = frc_map_find(&j->welded, point)) != FRC_MAP_NONE;) {
        uint32_t after = frc_map_find(&j->welded, next);
        if (after == FRC_MAP_NONE) return next;
        frc_map_set(&j->welded, point, after);
        point = after;
    }
    return point;
}

// ---- memory

static bool reserve(merge_job* j) {
    fracas_scene* scene = j->scene;
    fracas_context* context = scene->context;
    frc_body* first = &scene->bodies.data[j->handles[0].index - 1];
    size_t triangles = j->triangles + (j->first_welds ? first->triangles.count : 0);
    size_t free_edges = j->free_edges + (j->first_welds ? first->free_edges.count : 0);
    size_t touched = j->merge->weld_count ? triangles : 0;
    size_t pending[3] = {0, 0, 0}, blocks = first->blocks.count;
    for (uint32_t i = 1; i < j->count; i++) {
        const frc_body* body = body_at(j, i);
        blocks += body->blocks.count;
        pending[0] += body->pending_triangles.count;
        pending[1] += body->pending_edges.count;
        pending[2] += body->pending_points.count;
    }
    return frc_topology_reserve(&scene->topology, 0, 0, 3 * touched + free_edges) &&
           FRC_ARRAY_RESERVE(context, &first->points, first->points.count + j->points) &&
           FRC_ARRAY_RESERVE(context, &first->triangles, first->triangles.count + j->triangles) &&
           FRC_ARRAY_RESERVE(context, &first->blocks, blocks) &&
           FRC_ARRAY_RESERVE(context, &first->free_edges,
                             first->free_edges.count + j->free_edges) &&
           FRC_ARRAY_RESERVE(context, &first->free_points,
                             first->free_points.count + j->free_points) &&
           (first->motion != FRACAS_MOTION_RIGID ||
            FRC_ARRAY_RESERVE(context, &first->rest, first->rest.count + 3 * j->points)) &&
           frc_body_reserve_pending(
               scene, first, pending[0], pending[1] + 6 * touched + 2 * free_edges,
               pending[2] + 6 * touched + 4 * free_edges + j->merge->weld_count) &&
           frc_trace_reserve(context, &scene->trace, j->merge->weld_count, j->count);
}

// ---- carrying it out

static void append(frc_ids* to, const frc_ids* from) {
    if (from->count) memcpy(to->data + to->count, from->data, from->count * sizeof *from->data);
    to->count += from->count;
}

// Append the elements, blocks and pending features of a body, with their new body and numbers. The
// record of that body keeps lists that frc_scene_drop_body releases.
static void append_body(merge_job* j, frc_body* to, uint32_t position) {
    fracas_scene* scene = j->scene;
    const fracas_body handle = j->handles[position];
    const uint32_t number = j->handles[0].index - 1;
    frc_body* from = &scene->bodies.data[handle.index - 1];
    const uint32_t vertex_shift = (uint32_t)to->points.count;
    const uint32_t triangle_shift = (uint32_t)to->triangles.count;
    const frc_trace_merge step = {
        handle, j->handles[0], {vertex_shift, triangle_shift}
    };
    frc_trace_add_merge(&scene->trace, &step);
    for (size_t i = 0; i < from->points.count; i++) {
        if (from->points.data[i] == FRACAS_NONE) continue;
        uint32_t* tag = scene->topology.points.data[from->points.data[i]].tag;
        tag[FRC_TAG_BODY] = number;
        tag[FRC_TAG_NUMBER] = (uint32_t)i + vertex_shift;
        frc_list_name(&scene->topology.changed_points, from->points.data[i]);
    }
    for (size_t i = 0; i < from->triangles.count; i++) {
        if (from->triangles.data[i] == FRACAS_NONE) continue;
        frc_triangle* t = &scene->topology.triangles.data[from->triangles.data[i]];
        t->body = number;
        t->number = (uint32_t)i + triangle_shift;
        frc_list_name(&scene->topology.changed_triangles, from->triangles.data[i]);
    }
    for (size_t i = 0; i < from->blocks.count; i++)
        scene->blocks.data[from->blocks.data[i]]->body = number;
    append(&to->points, &from->points);
    append(&to->triangles, &from->triangles);
    append(&to->free_edges, &from->free_edges);
    append(&to->free_points, &from->free_points);
    append(&to->blocks, &from->blocks);
    append(&to->pending_triangles, &from->pending_triangles);
    append(&to->pending_edges, &from->pending_edges);
    append(&to->pending_points, &from->pending_points);
    if (from->rest.count)
        memcpy(to->rest.data + to->rest.count, from->rest.data, from->rest.count * sizeof(double));
    to->rest.count += from->rest.count;
    to->live_points += from->live_points;
    to->live_triangles += from->live_triangles;
    from->blocks.count = 0;  // the blocks belong to the first body now
    if (from->moved_at) frc_scene_mark_moved(scene, number);
    if (from->points_moved) to->points_moved = true;
}

static void repoint_triangles(merge_job* j, frc_body* body, size_t begin) {
    fracas_scene* scene = j->scene;
    for (size_t i = begin; i < body->triangles.count; i++) {
        uint32_t id = body->triangles.data[i];
        if (id == FRACAS_NONE) continue;
        const frc_triangle* t = &scene->topology.triangles.data[id];
        uint32_t point[3];
        for (int k = 0; k < 3; k++) point[k] = follow(j, t->point[k]);
        if (memcmp(point, t->point, sizeof point) != 0) frc_repoint_triangle(scene, id, point);
    }
}

// A free edge with a removed end is removed and added again with its new ends, unless these are
// equal or have a free edge already.
static void repoint_free_edges(merge_job* j, frc_body* body, size_t begin) {
    frc_topology* topology = &j->scene->topology;
    size_t kept = begin;
    for (size_t i = begin; i < body->free_edges.count; i++) {
        uint32_t id = body->free_edges.data[i];
        frc_edge* e = &topology->edges.data[id];
        uint32_t a = follow(j, e->point[0]), b = follow(j, e->point[1]);
        bool changed = a != e->point[0] || b != e->point[1];
        if (changed) {
            // An end that nothing uses any more leaves its block.
            for (int k = 0; k < 2; k++) {
                frc_vertex_use* use = &topology->uses.data[e->point[k]];
                use->free_edges--;
                frc_list_change(&topology->changed_points, e->point[k]);
                if (!use->triangles && !use->free_edges && !use->free_point)
                    frc_unplace_point(j->scene, e->point[k]);
            }
            e->free = 0;
            frc_list_change(&topology->changed_edges, id);
            if (e->uses == 0) {
                frc_unplace_edge(j->scene, id);
                frc_topology_remove_unused_edge(topology, id);
            }
            id = frc_topology_find_or_add_edge(topology, a, b);
            if (id == FRACAS_NONE || topology->edges.data[id].free) continue;
            e = &topology->edges.data[id];
            e->free = 1;
            frc_list_change(&topology->changed_edges, id);
            for (int k = 0; k < 2; k++) {
                frc_vertex_use* use = &topology->uses.data[e->point[k]];
                use->free_edges++;
                frc_list_change(&topology->changed_points, e->point[k]);
                if (use->triangles == 0 && use->place.block == FRACAS_NONE)
                    frc_add_pending_point(body, e->point[k]);
            }
            if (e->uses == 0) frc_add_pending_edge(body, id);
        }
        body->free_edges.data[kept++] = id;
    }
    body->free_edges.count = kept;
}

static void repoint_free_points(merge_job* j, frc_body* body, size_t begin) {
    frc_topology* topology = &j->scene->topology;
    size_t kept = begin;
    for (size_t i = begin; i < body->free_points.count; i++) {
        uint32_t id = body->free_points.data[i], target = follow(j, id);
        if (target != id) {
            topology->uses.data[id].free_point = 0;
            frc_list_change(&topology->changed_points, id);
            frc_list_change(&topology->changed_points, target);
            frc_vertex_use* use = &topology->uses.data[target];
            if (use->free_point) continue;
            use->free_point = 1;
            if (use->triangles == 0 && use->place.block == FRACAS_NONE)
                frc_add_pending_point(body, target);
        }
        body->free_points.data[kept++] = target;
    }
    body->free_points.count = kept;
}

static void remove_welded(merge_job* j, frc_body* body, fracas_body handle, size_t begin) {
    fracas_scene* scene = j->scene;
    for (size_t i = begin; i < body->points.count; i++) {
        uint32_t id = body->points.data[i];
        if (id == FRACAS_NONE || frc_map_find(&j->welded, id) == FRC_MAP_NONE) continue;
        uint32_t kept = scene->topology.points.data[follow(j, id)].tag[FRC_TAG_NUMBER];
        frc_trace_add(&scene->trace, (fracas_element){handle, FRACAS_ELEMENT_VERTEX, (uint32_t)i},
                      (fracas_element){handle, FRACAS_ELEMENT_VERTEX, kept});
        frc_unplace_point(scene, id);
        frc_siblings_leave(scene, id);
        frc_topology_remove_point(&scene->topology, id);
        body->points.data[i] = FRACAS_NONE;
        body->live_points--;
    }
}

static void carry_out(merge_job* j) {
    fracas_scene* scene = j->scene;
    const frc_topology* topology = &scene->topology;
    fracas_body handle = j->handles[0];
    frc_body* first = &scene->bodies.data[handle.index - 1];
    // Without a removed vertex in the first body its elements need not be visited.
    bool all = j->first_welds;
    size_t points = all ? 0 : first->points.count, triangles = all ? 0 : first->triangles.count;
    size_t free_edges = all ? 0 : first->free_edges.count;
    size_t free_points = all ? 0 : first->free_points.count;
    // The maps hold ids until all elements have their new numbers.
    uint32_t *vertex_map = j->merge->vertex_map, *triangle_map = j->merge->triangle_map;
    size_t v = 0, t = 0;
    for (uint32_t b = 0; b < j->count; b++) {
        const frc_body* body = body_at(j, b);
        for (size_t i = 0; vertex_map && i < body->points.count; i++) {
            uint32_t id = body->points.data[i];
            vertex_map[v++] = id == FRACAS_NONE ? FRACAS_NONE : follow(j, id);
        }
        for (size_t i = 0; triangle_map && i < body->triangles.count; i++)
            triangle_map[t++] = body->triangles.data[i];
    }
    for (uint32_t i = 1; i < j->count; i++) {
        append_body(j, first, i);
        frc_scene_drop_body(scene, j->handles[i].index - 1);
    }
    if (j->merge->weld_count) {
        repoint_triangles(j, first, triangles);
        repoint_free_edges(j, first, free_edges);
        repoint_free_points(j, first, free_points);
        remove_welded(j, first, handle, points);
    }
    for (size_t i = 0; i < v; i++)
        if (vertex_map[i] != FRACAS_NONE)
            vertex_map[i] = topology->points.data[vertex_map[i]].tag[FRC_TAG_NUMBER];
    for (size_t i = 0; i < t; i++)
        if (triangle_map[i] != FRACAS_NONE)
            triangle_map[i] = topology->triangles.data[triangle_map[i]].number;
    scene->topology_changed = true;
    scene->shape_version++;
    first->closed = FRC_CLOSED_UNKNOWN;
    frc_scene_mark_stale(scene, handle.index - 1);
}

fracas_status fracas_scene_merge(fracas_scene* scene, const fracas_body* bodies,
                                 uint32_t body_count, const fracas_merge* given, fracas_body* out) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!bodies) return frc_fail_null(scene->context, "fracas_scene_merge", "bodies");
    if (!out) return frc_fail_null(scene->context, "fracas_scene_merge", "out");
    if (body_count == 0)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_scene_merge: body_count is 0; give at least one body");
    fracas_merge merge = given ? *given : fracas_scene_default_merge();
    if (merge.struct_size != sizeof merge)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the merge is not initialised: start from fracas_scene_default_merge()");
    if (merge.weld_count && !merge.welds)
        return frc_fail_null(scene->context, "fracas_scene_merge", "merge->welds");
    merge_job j = {.scene = scene, .handles = bodies, .count = body_count, .merge = &merge};
    frc_arena arena = frc_arena_make(scene->context);
    fracas_status status = FRACAS_OK;
    bool memory = frc_map_create(&arena, &j.listed, body_count);
    if (memory) status = check(&j);
    if (memory && status == FRACAS_OK) memory = frc_map_create(&arena, &j.welded, merge.weld_count);
    if (memory && status == FRACAS_OK) {
        // Of two vertices the first of the pair is kept, or the one that it is welded to.
        for (uint32_t i = 0; i < merge.weld_count; i++) {
            const fracas_weld_pair* w = &merge.welds[i];
            const uint32_t kept = follow(&j, body_at(&j, w->body_a)->points.data[w->vertex_a]);
            const uint32_t removed = follow(&j, body_at(&j, w->body_b)->points.data[w->vertex_b]);
            if (kept == removed) continue;
            frc_map_set(&j.welded, removed, kept);
            if (scene->topology.points.data[removed].tag[FRC_TAG_BODY] == bodies[0].index - 1)
                j.first_welds = true;
        }
        memory = reserve(&j);
        if (memory) carry_out(&j);
    }
    frc_arena_release(&arena);
    if (!memory) return frc_fail_memory(scene->context, j.points * sizeof(frc_point));
    if (status == FRACAS_OK) *out = bodies[0];
    return status;
}
