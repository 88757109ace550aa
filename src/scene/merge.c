/// @file merge.c  Bodies become one: the first keeps its handle and numbers, the others follow,
/// welds join.
///
/// Features and blocks stay where they are; what changes hands is renamed. A welded vertex is
/// dropped and the triangles that have it are re-pointed to the one that stays.
#include "base/map.h"
#include "scene/scene.h"
#include <string.h>

typedef struct join {
    fracas_scene* scene;
    const fracas_body* handles;
    uint32_t count;
    const fracas_merge* merge;
    size_t points, triangles, free_edges, free_points;  // of all bodies after the first
    frc_map listed;                                     // body numbers
    frc_map welded;    // point id -> point id that it becomes, not yet followed to the end
    bool first_welds;  // a vertex of the first body is dropped
} join;

fracas_merge fracas_scene_default_merge(void) {
    return (fracas_merge){.struct_size = sizeof(fracas_merge)};
}

// ---- checks

static fracas_status bad(const join* j, const char* what, uint32_t value) {
    return frc_fail(j->scene->context, FRACAS_ERROR_BAD_DATA, "merge: %s %u", what, value);
}

static bool same_pose(const frc_body* a, const frc_body* b) {
    return memcmp(a->pose, b->pose, sizeof a->pose) == 0;
}

static fracas_status check_bodies(join* j) {
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
        if (body->motion == FRACAS_MOTION_RIGID && !same_pose(first, body))
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
    return FRACAS_OK;
}

static const frc_body* body_at(const join* j, uint32_t position) {
    return &j->scene->bodies.data[j->handles[position].index - 1];
}

static bool has_vertex(const join* j, uint32_t position, uint32_t vertex) {
    return position < j->count && vertex < body_at(j, position)->points.count &&
           body_at(j, position)->points.data[vertex] != FRACAS_NONE;
}

static fracas_status check_welds(const join* j) {
    for (uint32_t i = 0; i < j->merge->weld_count; i++) {
        const fracas_weld_pair* w = &j->merge->welds[i];
        if (!has_vertex(j, w->body_a, w->vertex_a) || !has_vertex(j, w->body_b, w->vertex_b))
            return bad(j, "there is no such body or vertex in weld", i);
    }
    return FRACAS_OK;
}

// ---- welds

// The point that a point becomes. The way is shortened as it is walked: chains of welds stay cheap.
static uint32_t follow(join* j, uint32_t point) {
    for (uint32_t next; (next = frc_map_find(&j->welded, point)) != FRC_MAP_NONE;) {
        uint32_t after = frc_map_find(&j->welded, next);
        if (after == FRC_MAP_NONE) return next;
        frc_map_set(&j->welded, point, after);
        point = after;
    }
    return point;
}

// Of two vertices the first named stays, or what it has become.
static void join_welds(join* j) {
    for (uint32_t i = 0; i < j->merge->weld_count; i++) {
        const fracas_weld_pair* w = &j->merge->welds[i];
        uint32_t stays = follow(j, body_at(j, w->body_a)->points.data[w->vertex_a]);
        uint32_t drops = follow(j, body_at(j, w->body_b)->points.data[w->vertex_b]);
        if (stays == drops) continue;
        frc_map_set(&j->welded, drops, stays);
        if (j->scene->topology.points.data[drops].tag[FRC_TAG_BODY] == j->handles[0].index - 1)
            j->first_welds = true;
    }
}

// ---- room

static bool make_room(join* j) {
    fracas_scene* scene = j->scene;
    fracas_context* context = scene->context;
    frc_body* first = &scene->bodies.data[j->handles[0].index - 1];
    size_t triangles = j->triangles + (j->first_welds ? first->triangles.count : 0);
    size_t free_edges = j->free_edges + (j->first_welds ? first->free_edges.count : 0);
    size_t touched = j->merge->weld_count ? triangles : 0;
    size_t fresh[3] = {0, 0, 0}, blocks = first->blocks.count;
    for (uint32_t i = 1; i < j->count; i++) {
        const frc_body* body = body_at(j, i);
        blocks += body->blocks.count;
        fresh[0] += body->fresh_triangles.count;
        fresh[1] += body->fresh_edges.count;
        fresh[2] += body->fresh_points.count;
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
           frc_body_reserve_fresh(scene, first, fresh[0], fresh[1] + 6 * touched + 2 * free_edges,
                                  fresh[2] + 6 * touched + 4 * free_edges + j->merge->weld_count) &&
           frc_trace_reserve(context, &scene->trace, j->merge->weld_count, j->count);
}

// ---- carrying it out

static void append(frc_ids* to, const frc_ids* from) {
    if (from->count) memcpy(to->data + to->count, from->data, from->count * sizeof *from->data);
    to->count += from->count;
}

static void rename_elements(fracas_scene* scene, const frc_body* from, uint32_t to_number,
                            uint32_t vertex_shift, uint32_t triangle_shift) {
    for (size_t i = 0; i < from->points.count; i++) {
        if (from->points.data[i] == FRACAS_NONE) continue;
        uint32_t* tag = scene->topology.points.data[from->points.data[i]].tag;
        tag[FRC_TAG_BODY] = to_number;
        tag[FRC_TAG_NUMBER] = (uint32_t)i + vertex_shift;
    }
    for (size_t i = 0; i < from->triangles.count; i++) {
        if (from->triangles.data[i] == FRACAS_NONE) continue;
        frc_triangle* t = &scene->topology.triangles.data[from->triangles.data[i]];
        t->body = to_number;
        t->number = (uint32_t)i + triangle_shift;
    }
    for (size_t i = 0; i < from->blocks.count; i++)
        scene->blocks.data[from->blocks.data[i]]->body = to_number;
}

static void absorb(fracas_scene* scene, frc_body* to, frc_body* from, fracas_body from_handle,
                   fracas_body to_handle) {
    frc_trace_merge step = {
        from_handle, to_handle, {(uint32_t)to->points.count, (uint32_t)to->triangles.count}
    };
    frc_trace_add_merge(&scene->trace, &step);
    rename_elements(scene, from, to_handle.index - 1, step.shift[0], step.shift[1]);
    append(&to->points, &from->points);
    append(&to->triangles, &from->triangles);
    append(&to->free_edges, &from->free_edges);
    append(&to->free_points, &from->free_points);
    append(&to->blocks, &from->blocks);
    append(&to->fresh_triangles, &from->fresh_triangles);
    append(&to->fresh_edges, &from->fresh_edges);
    append(&to->fresh_points, &from->fresh_points);
    if (from->rest.count)
        memcpy(to->rest.data + to->rest.count, from->rest.data, from->rest.count * sizeof(double));
    to->rest.count += from->rest.count;
    to->live_points += from->live_points;
    to->live_triangles += from->live_triangles;
    from->blocks.count = 0;  // they live on
    if (from->moved_at) frc_scene_mark_moved(scene, to_handle.index - 1);
    if (from->points_moved) to->points_moved = true;
}

static void repoint_triangles(join* j, frc_body* body, size_t begin) {
    fracas_scene* scene = j->scene;
    for (size_t i = begin; i < body->triangles.count; i++) {
        uint32_t id = body->triangles.data[i];
        if (id == FRACAS_NONE) continue;
        frc_triangle* t = &scene->topology.triangles.data[id];
        uint32_t point[3];
        for (int k = 0; k < 3; k++) point[k] = follow(j, t->point[k]);
        if (memcmp(point, t->point, sizeof point) == 0) continue;
        frc_unuse_triangle(scene, id);
        memcpy(t->point, point, sizeof point);
        frc_use_triangle(scene, body, id);
        if (t->place.block != FRACAS_NONE)
            frc_block_set_face(scene->context, scene->blocks.data[t->place.block], t->place.slot,
                               point);
    }
}

// A free edge lets go of its ends. A point that nothing uses any more takes no part.
static void let_go(fracas_scene* scene, const frc_edge* edge) {
    for (int k = 0; k < 2; k++) {
        frc_vertex_use* use = &scene->topology.uses.data[edge->point[k]];
        use->free_edges--;
        if (!use->triangles && !use->free_edges && !use->free_point)
            frc_take_out_point(scene, edge->point[k]);
    }
}

// A free edge with a dropped end is taken apart and made again; one that lost its length
// disappears.
static void repoint_free_edges(join* j, frc_body* body, size_t begin) {
    frc_topology* topology = &j->scene->topology;
    size_t kept = begin;
    for (size_t i = begin; i < body->free_edges.count; i++) {
        uint32_t id = body->free_edges.data[i];
        frc_edge* e = &topology->edges.data[id];
        uint32_t a = follow(j, e->point[0]), b = follow(j, e->point[1]);
        bool changed = a != e->point[0] || b != e->point[1];
        if (changed) {
            let_go(j->scene, e);
            e->free = 0;
            if (e->uses == 0) {
                frc_take_out_edge(j->scene, id);
                frc_topology_drop_edge(topology, id);
            }
            id = frc_topology_use_edge(topology, a, b);
            if (id == FRACAS_NONE || topology->edges.data[id].free) continue;
            e = &topology->edges.data[id];
            e->free = 1;
            for (int k = 0; k < 2; k++) {
                frc_vertex_use* use = &topology->uses.data[e->point[k]];
                use->free_edges++;
                if (use->triangles == 0 && use->place.block == FRACAS_NONE)
                    frc_wait_point(body, e->point[k]);
            }
            if (e->uses == 0) frc_wait_edge(body, id);
        }
        body->free_edges.data[kept++] = id;
    }
    body->free_edges.count = kept;
}

static void repoint_free_points(join* j, frc_body* body, size_t begin) {
    frc_topology* topology = &j->scene->topology;
    size_t kept = begin;
    for (size_t i = begin; i < body->free_points.count; i++) {
        uint32_t id = body->free_points.data[i], stays = follow(j, id);
        if (stays != id) {
            topology->uses.data[id].free_point = 0;
            frc_vertex_use* use = &topology->uses.data[stays];
            if (use->free_point) continue;
            use->free_point = 1;
            if (use->triangles == 0 && use->place.block == FRACAS_NONE) frc_wait_point(body, stays);
        }
        body->free_points.data[kept++] = stays;
    }
    body->free_points.count = kept;
}

static void drop_welded(join* j, frc_body* body, fracas_body handle, size_t begin) {
    fracas_scene* scene = j->scene;
    for (size_t i = begin; i < body->points.count; i++) {
        uint32_t id = body->points.data[i];
        if (id == FRACAS_NONE || frc_map_find(&j->welded, id) == FRC_MAP_NONE) continue;
        uint32_t stays = scene->topology.points.data[follow(j, id)].tag[FRC_TAG_NUMBER];
        frc_trace_add(&scene->trace, (fracas_element){handle, FRACAS_ELEMENT_VERTEX, (uint32_t)i},
                      (fracas_element){handle, FRACAS_ELEMENT_VERTEX, stays});
        frc_take_out_point(scene, id);
        frc_siblings_leave(scene, id);
        frc_topology_remove_point(&scene->topology, id);
        body->points.data[i] = FRACAS_NONE;
        body->live_points--;
    }
}

static void write_maps(join* j) {
    size_t vertex = 0, triangle = 0;
    for (uint32_t b = 0; b < j->count; b++) {
        const frc_body* body = body_at(j, b);
        for (size_t i = 0; j->merge->vertex_map && i < body->points.count; i++) {
            uint32_t id = body->points.data[i];
            j->merge->vertex_map[vertex++] = id == FRACAS_NONE ? FRACAS_NONE : follow(j, id);
        }
        for (size_t i = 0; j->merge->triangle_map && i < body->triangles.count; i++)
            j->merge->triangle_map[triangle++] = body->triangles.data[i];
    }
}

// The maps hold ids until everything has its new number.
static void number_maps(const join* j, size_t vertices, size_t triangles) {
    const frc_topology* topology = &j->scene->topology;
    uint32_t *v = j->merge->vertex_map, *t = j->merge->triangle_map;
    for (size_t i = 0; v && i < vertices; i++)
        if (v[i] != FRACAS_NONE) v[i] = topology->points.data[v[i]].tag[FRC_TAG_NUMBER];
    for (size_t i = 0; t && i < triangles; i++)
        if (t[i] != FRACAS_NONE) t[i] = topology->triangles.data[t[i]].number;
}

static void carry_out(join* j) {
    fracas_scene* scene = j->scene;
    fracas_body handle = j->handles[0];
    frc_body* first = &scene->bodies.data[handle.index - 1];
    // Where no vertex of the first body is dropped its elements need not be looked at.
    bool all = j->first_welds;
    size_t points = all ? 0 : first->points.count, triangles = all ? 0 : first->triangles.count;
    size_t free_edges = all ? 0 : first->free_edges.count;
    size_t free_points = all ? 0 : first->free_points.count;
    write_maps(j);
    for (uint32_t i = 1; i < j->count; i++) {
        uint32_t number = j->handles[i].index - 1;
        absorb(scene, first, &scene->bodies.data[number], j->handles[i], handle);
        frc_scene_drop_body(scene, number);
    }
    if (j->merge->weld_count) {
        repoint_triangles(j, first, triangles);
        repoint_free_edges(j, first, free_edges);
        repoint_free_points(j, first, free_points);
        drop_welded(j, first, handle, points);
    }
    number_maps(j, first->points.count, first->triangles.count);
    scene->topology_changed = true;
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
    join j = {.scene = scene, .handles = bodies, .count = body_count, .merge = &merge};
    frc_arena arena = frc_arena_make(scene->context);
    fracas_status status = FRACAS_OK;
    bool memory = frc_map_create(&arena, &j.listed, body_count);
    if (memory) status = check_bodies(&j);
    if (memory && status == FRACAS_OK) status = check_welds(&j);
    if (memory && status == FRACAS_OK) memory = frc_map_create(&arena, &j.welded, merge.weld_count);
    if (memory && status == FRACAS_OK) {
        join_welds(&j);
        memory = make_room(&j);
        if (memory) carry_out(&j);
    }
    frc_arena_release(&arena);
    if (!memory) return frc_fail_memory(scene->context, j.points * sizeof(frc_point));
    if (status == FRACAS_OK) *out = bodies[0];
    return status;
}
