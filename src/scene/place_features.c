/// @file place_features.c  Pending features are assigned to blocks; blocks are merged and dropped.
///
/// Based on: bentley1980 (dynamisation by merging). What edits add to a body is built into a new
/// block. Blocks that are small compared with the pending features are merged into it, so that a
/// body has O(log n) blocks and each feature is built into a tree O(log n) times. A block that has
/// lost half of its features is rebuilt.
#include "scene/rebuild_bodies.h"

enum { KEPT_CAPACITY = 1024 };  // ids that an empty pending list keeps memory for

// ---- pending features

static size_t pending_count(const frc_body* body) {
    return body->pending_triangles.count + body->pending_edges.count + body->pending_points.count;
}

void frc_body_clear_pending(fracas_scene* scene, frc_body* body) {
    frc_ids* lists[] = {&body->pending_triangles, &body->pending_edges, &body->pending_points,
                        &body->pending_cuts};
    body->source_block = 0;
    for (int i = 0; i < 4; i++) {
        lists[i]->count = 0;
        // The next edit reserves what it needs; the memory for a whole body is released.
        if (lists[i]->capacity > KEPT_CAPACITY) FRC_ARRAY_RELEASE(scene->context, lists[i]);
    }
}

void frc_drop_pending(fracas_scene* scene) {
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        body->edited = body->state != FRC_BODY_ADDED && pending_count(body) > 0;
        if (!scene->options.search->keeps_positions) frc_fit_pending(scene, &body->pending_points);
        frc_body_clear_pending(scene, body);
    }
}

// The pending features that still exist and belong to the body, each once.
typedef struct pending {
    frc_ids triangles;
    frc_ids edges[2], points[2];  // [0] used by triangles, [1] by free elements only
} pending;

// A pending feature may have been removed and its id reused by another body, and it may be listed
// twice. It counts when it belongs to this body and has no place; a mark in the slot finds repeats.
enum { MARK = -3 };

// Is the feature without a place and without a mark? Then mark it.
static bool mark(frc_place* place) {
    if (place->block != FRACAS_NONE || place->slot == (uint32_t)MARK) return false;
    place->slot = (uint32_t)MARK;
    return true;
}

static void unmark(frc_place* place) {
    if (place->block == FRACAS_NONE) place->slot = FRACAS_NONE;
}

// False: no memory; the caller releases the lists in either case.
static bool list_pending(fracas_scene* scene, uint32_t number, pending* out) {
    fracas_context* context = scene->context;
    frc_topology* topology = &scene->topology;
    const frc_body* body = &scene->bodies.data[number];
    bool ok = FRC_ARRAY_RESERVE(context, &out->triangles, body->pending_triangles.count);
    for (int f = 0; f < 2; f++)
        ok = ok && FRC_ARRAY_RESERVE(context, &out->edges[f], body->pending_edges.count) &&
             FRC_ARRAY_RESERVE(context, &out->points[f], body->pending_points.count);
    if (!ok) return false;
    for (size_t i = 0; i < body->pending_triangles.count; i++) {
        uint32_t id = body->pending_triangles.data[i];
        frc_triangle* t = &topology->triangles.data[id];
        if (t->body == number && t->point[0] != FRACAS_NONE && mark(&t->place))
            out->triangles.data[out->triangles.count++] = id;
    }
    for (size_t i = 0; i < body->pending_edges.count; i++) {
        uint32_t id = body->pending_edges.data[i];
        frc_edge* e = &topology->edges.data[id];
        if (e->point[0] == FRACAS_NONE || !(e->uses || e->free)) continue;
        if (topology->points.data[e->point[0]].tag[FRC_TAG_BODY] != number || !mark(&e->place))
            continue;
        frc_ids* list = &out->edges[e->uses == 0];
        list->data[list->count++] = id;
    }
    for (size_t i = 0; i < body->pending_points.count; i++) {
        uint32_t id = body->pending_points.data[i];
        frc_vertex_use* use = &topology->uses.data[id];
        if (topology->points.data[id].tag[FRC_TAG_BODY] != number) continue;
        if (!(use->triangles || use->free_edges || use->free_point) || !mark(&use->place)) continue;
        frc_ids* list = &out->points[use->triangles == 0];
        list->data[list->count++] = id;
    }
    for (size_t i = 0; i < out->triangles.count; i++)
        unmark(&topology->triangles.data[out->triangles.data[i]].place);
    for (int f = 0; f < 2; f++) {
        for (size_t i = 0; i < out->edges[f].count; i++)
            unmark(&topology->edges.data[out->edges[f].data[i]].place);
        for (size_t i = 0; i < out->points[f].count; i++)
            unmark(&topology->uses.data[out->points[f].data[i]].place);
    }
    return true;
}

// ---- a new block: its number, its tree, its entry in the lists

frc_build_options frc_scene_build_options(const fracas_scene* scene, bool rebuild) {
    return (frc_build_options){.builder = rebuild ? scene->options.rebuild : scene->options.builder,
                               .leaf_size = FRC_LEAF_SIZE,
                               .grid_levels = scene->options.grid_levels,
                               .grid_stop = scene->options.grid_stop,
                               .grid_in_turn = scene->options.grid_in_turn};
}

bool frc_scene_reserve_block(fracas_scene* scene, frc_block_job* job, uint32_t start) {
    fracas_context* context = scene->context;
    frc_body* body = &scene->bodies.data[job->input.body];
    if (!FRC_ARRAY_RESERVE(context, &body->blocks, body->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->blocks, scene->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->tree_costs, scene->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->unused_blocks, scene->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->new_blocks,
                           scene->new_blocks.count + scene->reserved_blocks + 1))
        return false;
    if (scene->unused_blocks.count > 0) {
        job->input.number = scene->unused_blocks.data[--scene->unused_blocks.count];
    } else {
        job->input.number = (uint32_t)scene->blocks.count;
        scene->blocks.data[scene->blocks.count++] = NULL;
    }
    scene->reserved_blocks++;
    job->input.lows = scene->lows;
    job->input.modes = scene->options.modes;
    job->input.opposites = scene->options.cull && !job->input.free_elements &&
                           scene->filters.data[job->input.body].self_collision;
    job->start = start;
    if (start == FRACAS_NONE)
        job->start =
            body->source_block ? frc_top_tree_last_node(&scene->top, body->source_block - 1) : 0;
    return true;
}

bool frc_scene_add_block(fracas_scene* scene, const frc_block_job* job) {
    frc_body* body = &scene->bodies.data[job->input.body];
    uint32_t number = job->input.number;
    scene->reserved_blocks--;
    if (!job->block) {
        scene->unused_blocks.data[scene->unused_blocks.count++] = number;
        return false;
    }
    scene->blocks.data[number] = job->block;
    scene->tree_costs.data[number] = (frc_tree_cost){0};
    uint32_t near = body->source_block ? body->source_block - 1 : FRACAS_NONE;
    scene->new_blocks.data[scene->new_blocks.count++] = (frc_new_block){number, near, job->start};
    body->blocks.data[body->blocks.count++] = number;
    return true;
}

void frc_body_drop_block(fracas_scene* scene, frc_body* body, size_t at) {
    frc_scene_drop_block(scene, body->blocks.data[at]);
    body->blocks.data[at] = body->blocks.data[--body->blocks.count];
}

// Build the triangles with what they use, or the free elements with what only they use.
static bool build_pending(fracas_scene* scene, uint32_t number, const pending* p,
                          bool free_elements, uint32_t start) {
    frc_block_job job = {
        .input = {.triangles = p->triangles.data,
                  .triangle_count = free_elements ? 0 : p->triangles.count,
                  .edges = p->edges[free_elements].data,
                  .edge_count = p->edges[free_elements].count,
                  .points = p->points[free_elements].data,
                  .point_count = p->points[free_elements].count,
                  .body = number,
                  .free_elements = free_elements,
                  .build = frc_scene_build_options(scene, false)}
    };
    if (job.input.triangle_count + job.input.edge_count + job.input.point_count == 0) return true;
    if (!frc_scene_reserve_block(scene, &job, start)) return false;
    job.block = frc_block_build(scene->context, &scene->topology, &job.input);
    return frc_scene_add_block(scene, &job);
}

// ---- merging small blocks into the next one

// Is a block merged with this many pending features? When it is less than twice as large as they
// are, or has lost half of its features.
static bool is_small(const frc_block* block, size_t new_features) {
    return block->live * 2u < block->built_live || block->live < 2 * new_features;
}

// Will all blocks be merged, each with the pending features and the blocks merged before it? The
// body is then rebuilt as a whole, without listing the features of its blocks.
static bool merges_all(const fracas_scene* scene, const frc_body* body) {
    size_t listed = pending_count(body), before, merged = listed;
    bool all;
    if (body->live_triangles == 0 || body->free_edges.count + body->free_points.count > 0)
        return false;
    do {
        before = merged;
        merged = listed;
        all = true;
        for (size_t i = 0; i < body->blocks.count; i++) {
            const frc_block* block = scene->blocks.data[body->blocks.data[i]];
            bool merge = !block->free_elements && is_small(block, before);
            if (merge) merged += block->live;
            all &= merge;
        }
    } while (!all && merged != before);
    return all && merged > 0;
}

// Make the features of a block pending, and drop it. False: no memory, nothing has changed.
static bool merge_block(fracas_scene* scene, frc_body* body, size_t at) {
    uint32_t number = body->blocks.data[at];
    frc_block* block = scene->blocks.data[number];
    frc_topology* topology = &scene->topology;
    const frc_place no_place = {FRACAS_NONE, FRACAS_NONE};
    if (!frc_body_reserve_pending(scene, body, block->face_slots, block->edge_slots,
                                  block->vertex_slots))
        return false;
    for (uint32_t s = 0; s < block->face_slots; s++) {
        uint32_t id = block->faces[s].id;
        if (id == FRACAS_NONE) continue;
        topology->triangles.data[id].place = no_place;
        body->pending_triangles.data[body->pending_triangles.count++] = id;
    }
    for (uint32_t s = 0; s < block->edge_slots; s++) {
        const uint32_t* p = block->edges[s].point;
        if (p[0] == FRACAS_NONE) continue;
        uint32_t id = frc_topology_find_edge(topology, p[0], p[1]);
        topology->edges.data[id].place = no_place;
        frc_add_pending_edge(body, id);
    }
    for (uint32_t s = 0; s < block->vertex_slots; s++) {
        if (block->vertices[s] == FRACAS_NONE) continue;
        topology->uses.data[block->vertices[s]].place = no_place;
        frc_add_pending_point(body, block->vertices[s]);
    }
    frc_body_drop_block(scene, body, at);
    return true;
}

// Merge blocks until none is small. `ancestor` becomes the lowest common ancestor of their places
// in the top tree; FRACAS_NONE: nothing was merged. False: no memory.
static bool merge_small_blocks(fracas_scene* scene, frc_body* body, uint32_t* ancestor) {
    *ancestor = FRACAS_NONE;
    for (size_t i = 0; i < body->blocks.count;) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (!is_small(block, pending_count(body))) {
            i++;
            continue;
        }
        const uint32_t node = frc_top_tree_last_node(&scene->top, body->blocks.data[i]);
        if (!merge_block(scene, body, i)) return false;
        *ancestor = frc_top_tree_common_ancestor(&scene->top,
                                                 *ancestor == FRACAS_NONE ? node : *ancestor, node);
        i = 0;  // more features are pending now: test all blocks again
    }
    return true;
}

// ---- the step of an update

// Build the pending features of a body into blocks. False: no memory, or cancelled; they are still
// pending.
static bool place_pending(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    uint32_t start;
    if (!merge_small_blocks(scene, body, &start)) return false;
    if (pending_count(body) == 0) return true;
    // When no triangle of the body is in a block all of them are pending, and what they use.
    bool whole = body->live_triangles > 0 && body->free_edges.count + body->free_points.count == 0;
    for (size_t i = 0; whole && i < body->blocks.count; i++)
        whole = scene->blocks.data[body->blocks.data[i]]->free_elements;
    if (whole) return frc_rebuild_bodies(scene, &number, 1);
    pending p = {0};
    bool ok = list_pending(scene, number, &p);
    if (ok) {
        frc_fit_pending(scene, &p.points[0]);
        frc_fit_pending(scene, &p.points[1]);
        // The leaf of a triangle with a new corner, which is pending, is stale already.
        ok = build_pending(scene, number, &p, false, start) &&
             build_pending(scene, number, &p, true, start);
    }
    FRC_ARRAY_RELEASE(scene->context, &p.triangles);
    for (int f = 0; f < 2; f++) {
        FRC_ARRAY_RELEASE(scene->context, &p.edges[f]);
        FRC_ARRAY_RELEASE(scene->context, &p.points[f]);
    }
    if (ok) frc_body_clear_pending(scene, body);
    return ok;
}

bool frc_place_features(fracas_scene* scene) {
    const frc_ids* stale = &scene->stale_bodies;
    frc_ids whole = {0};
    if (!FRC_ARRAY_RESERVE(scene->context, &whole, stale->count)) return false;
    // Bodies that get one new block for all of their triangles are built in parallel.
    for (size_t i = 0; i < stale->count; i++) {
        frc_body* body = &scene->bodies.data[stale->data[i]];
        const bool rebuild =
            body->state == FRC_BODY_REBUILD && body->live_triangles > 0 && body->blocks.count > 0;
        if (rebuild || merges_all(scene, body)) whole.data[whole.count++] = stale->data[i];
        body->edited = body->state != FRC_BODY_ADDED && pending_count(body) > 0;
    }
    bool ok = frc_rebuild_bodies(scene, whole.data, (uint32_t)whole.count);
    FRC_ARRAY_RELEASE(scene->context, &whole);
    // The others, and the free elements of those, one after the other.
    for (size_t i = 0; ok && i < stale->count; i++) ok = place_pending(scene, stale->data[i]);
    return ok;
}
