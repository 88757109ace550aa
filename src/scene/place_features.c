/// @file place_features.c  New features get a place in a tree: blocks come and go.
///
/// Based on: bentley1980. What edits add to a body goes into a new block. Small blocks are
/// swallowed by the next one, so that a body has a number of blocks that grows with the logarithm
/// of its size and a feature is built into a tree as often; a block that has lost half of its
/// features is built anew.
#include "scene/rebuild_bodies.h"

enum { KEPT_ROOM = 1024 };  // ids

// ---- fresh features

// Features that wait and still belong to the body; sorted out by what they are now.
typedef struct waiting {
    frc_ids triangles;
    frc_ids edges[2], points[2];  // [0] used by triangles, [1] by free elements only
} waiting;

static bool reserve_waiting(fracas_scene* scene, const frc_body* body, waiting* w) {
    fracas_context* context = scene->context;
    return FRC_ARRAY_RESERVE(context, &w->triangles, body->fresh_triangles.count) &&
           FRC_ARRAY_RESERVE(context, &w->edges[0], body->fresh_edges.count) &&
           FRC_ARRAY_RESERVE(context, &w->edges[1], body->fresh_edges.count) &&
           FRC_ARRAY_RESERVE(context, &w->points[0], body->fresh_points.count) &&
           FRC_ARRAY_RESERVE(context, &w->points[1], body->fresh_points.count);
}

static void release_waiting(fracas_context* context, waiting* w) {
    FRC_ARRAY_RELEASE(context, &w->triangles);
    for (int i = 0; i < 2; i++) {
        FRC_ARRAY_RELEASE(context, &w->edges[i]);
        FRC_ARRAY_RELEASE(context, &w->points[i]);
    }
}

// A feature may have been removed and its id given to another body, or may wait twice: it is taken
// when it is this body's and has no place. A mark in the slot keeps it from being taken again.
enum { TAKEN = -3 };

static bool take(frc_place* place) {
    if (place->block != FRACAS_NONE || place->slot == (uint32_t)TAKEN) return false;
    place->slot = (uint32_t)TAKEN;
    return true;
}

static void unmark(frc_place* place) {
    if (place->block == FRACAS_NONE) place->slot = FRACAS_NONE;
}

static void sort_out(fracas_scene* scene, uint32_t number, waiting* w) {
    frc_topology* topology = &scene->topology;
    const frc_body* body = &scene->bodies.data[number];
    for (size_t i = 0; i < body->fresh_triangles.count; i++) {
        uint32_t id = body->fresh_triangles.data[i];
        frc_triangle* t = &topology->triangles.data[id];
        if (t->body == number && t->point[0] != FRACAS_NONE && take(&t->place))
            w->triangles.data[w->triangles.count++] = id;
    }
    for (size_t i = 0; i < body->fresh_edges.count; i++) {
        uint32_t id = body->fresh_edges.data[i];
        frc_edge* e = &topology->edges.data[id];
        if (e->point[0] == FRACAS_NONE || !(e->uses || e->free)) continue;
        if (topology->points.data[e->point[0]].tag[FRC_TAG_BODY] != number || !take(&e->place))
            continue;
        frc_ids* list = &w->edges[e->uses == 0];
        list->data[list->count++] = id;
    }
    for (size_t i = 0; i < body->fresh_points.count; i++) {
        uint32_t id = body->fresh_points.data[i];
        frc_vertex_use* use = &topology->uses.data[id];
        if (topology->points.data[id].tag[FRC_TAG_BODY] != number) continue;
        if (!(use->triangles || use->free_edges || use->free_point) || !take(&use->place)) continue;
        frc_ids* list = &w->points[use->triangles == 0];
        list->data[list->count++] = id;
    }
    for (size_t i = 0; i < w->triangles.count; i++)
        unmark(&topology->triangles.data[w->triangles.data[i]].place);
    for (int f = 0; f < 2; f++) {
        for (size_t i = 0; i < w->edges[f].count; i++)
            unmark(&topology->edges.data[w->edges[f].data[i]].place);
        for (size_t i = 0; i < w->points[f].count; i++)
            unmark(&topology->uses.data[w->points[f].data[i]].place);
    }
}

// ---- blocks

void frc_body_drop_block(fracas_scene* scene, frc_body* body, size_t at) {
    frc_scene_drop_block(scene, body->blocks.data[at]);
    body->blocks.data[at] = body->blocks.data[--body->blocks.count];
}

// Put what is in a block back among the waiting, and destroy it. False: no memory, nothing changed.
static bool swallow(fracas_scene* scene, frc_body* body, size_t at) {
    uint32_t number = body->blocks.data[at];
    frc_block* block = scene->blocks.data[number];
    frc_topology* topology = &scene->topology;
    const frc_place nowhere = {FRACAS_NONE, FRACAS_NONE};
    if (!frc_body_reserve_fresh(scene, body, block->face_slots, block->edge_slots,
                                block->vertex_slots))
        return false;
    for (uint32_t s = 0; s < block->face_slots; s++) {
        uint32_t id = block->faces[s].id;
        if (id == FRACAS_NONE) continue;
        topology->triangles.data[id].place = nowhere;
        body->fresh_triangles.data[body->fresh_triangles.count++] = id;
    }
    for (uint32_t s = 0; s < block->edge_slots; s++) {
        const uint32_t* p = block->edges[s].point;
        if (p[0] == FRACAS_NONE) continue;
        uint32_t id = frc_topology_find_edge(topology, p[0], p[1]);
        topology->edges.data[id].place = nowhere;
        frc_wait_edge(body, id);
    }
    for (uint32_t s = 0; s < block->vertex_slots; s++) {
        if (block->vertices[s] == FRACAS_NONE) continue;
        topology->uses.data[block->vertices[s]].place = nowhere;
        frc_wait_point(body, block->vertices[s]);
    }
    frc_body_drop_block(scene, body, at);
    return true;
}

size_t frc_fresh_count(const frc_body* body) {
    return body->fresh_triangles.count + body->fresh_edges.count + body->fresh_points.count;
}

// A block that has lost half of its features, or is small beside what waits.
static bool is_small(const frc_block* block, size_t fresh) {
    return block->live * 2u < block->built_live || block->live < 2 * fresh;
}

// Will all blocks be swallowed, each by what waits and those before it? What is swallowed then need
// not be listed: the body is built anew as a whole.
static bool swallows_all(const fracas_scene* scene, const frc_body* body) {
    size_t fresh = frc_fresh_count(body), before, more = fresh;
    bool all;
    if (body->live_triangles == 0 || body->free_edges.count + body->free_points.count > 0)
        return false;
    do {
        before = more;
        more = fresh;
        all = true;
        for (size_t i = 0; i < body->blocks.count; i++) {
            const frc_block* block = scene->blocks.data[body->blocks.data[i]];
            bool goes = !block->free_elements && is_small(block, before);
            if (goes) more += block->live;
            all &= goes;
        }
    } while (!all && more != before);
    return all && more > 0;
}

// `meeting` becomes the node of the tree over blocks where all that are swallowed meet.
static bool swallow_small(fracas_scene* scene, frc_body* body, uint32_t* meeting) {
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < body->blocks.count && !again; i++) {
            const frc_block* block = scene->blocks.data[body->blocks.data[i]];
            if (!is_small(block, frc_fresh_count(body))) continue;
            uint32_t spot = frc_top_tree_spot(&scene->top, body->blocks.data[i]);
            if (!swallow(scene, body, i)) return false;
            *meeting = *meeting == FRACAS_NONE ? frc_top_tree_meeting(&scene->top, spot, spot)
                                               : frc_top_tree_meeting(&scene->top, *meeting, spot);
            again = true;
        }
    }
    return true;
}

frc_build_options frc_scene_build_options(const fracas_scene* scene, bool rebuild) {
    return (frc_build_options){.builder = rebuild ? scene->options.rebuild : scene->options.builder,
                               .leaf_size = FRC_LEAF_SIZE,
                               .grid_levels = scene->options.grid_levels,
                               .grid_stop = scene->options.grid_stop};
}

// ---- a new block: a number for it, its tree, its place in the lists

bool frc_scene_announce_block(fracas_scene* scene, frc_coming_block* b, uint32_t start) {
    fracas_context* context = scene->context;
    frc_body* body = &scene->bodies.data[b->input.body];
    if (!FRC_ARRAY_RESERVE(context, &body->blocks, body->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->blocks, scene->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->tree_costs, scene->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->unused_blocks, scene->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->new_blocks,
                           scene->new_blocks.count + scene->announced + 1))
        return false;
    if (scene->unused_blocks.count > 0) {
        b->input.number = scene->unused_blocks.data[--scene->unused_blocks.count];
    } else {
        b->input.number = (uint32_t)scene->blocks.count;
        scene->blocks.data[scene->blocks.count++] = NULL;
    }
    scene->announced++;
    b->input.lows = scene->lows;
    b->input.modes = scene->options.modes;
    b->input.twins = scene->options.cull && !b->input.free_elements &&
                     scene->filters.data[b->input.body].self_collision;
    uint32_t near = body->came_from ? body->came_from - 1 : FRACAS_NONE;
    b->start = start != FRACAS_NONE  ? start
               : near == FRACAS_NONE ? 0
                                     : frc_top_tree_spot(&scene->top, near);
    return true;
}

bool frc_scene_enter_block(fracas_scene* scene, const frc_coming_block* b) {
    frc_body* body = &scene->bodies.data[b->input.body];
    uint32_t number = b->input.number;
    scene->announced--;
    if (!b->block) {
        scene->unused_blocks.data[scene->unused_blocks.count++] = number;
        return false;
    }
    scene->blocks.data[number] = b->block;
    scene->tree_costs.data[number] = (frc_tree_cost){0};
    uint32_t near = body->came_from ? body->came_from - 1 : FRACAS_NONE;
    scene->new_blocks.data[scene->new_blocks.count++] = (frc_new_block){number, near, b->start};
    body->blocks.data[body->blocks.count++] = number;
    return true;
}

static bool add_block(fracas_scene* scene, uint32_t number, const waiting* w, bool free_elements,
                      uint32_t start) {
    frc_coming_block b = {
        .input = {.triangles = w->triangles.data,
                  .triangle_count = free_elements ? 0 : w->triangles.count,
                  .edges = w->edges[free_elements].data,
                  .edge_count = w->edges[free_elements].count,
                  .points = w->points[free_elements].data,
                  .point_count = w->points[free_elements].count,
                  .body = number,
                  .free_elements = free_elements,
                  .build = frc_scene_build_options(scene, false)}
    };
    if (b.input.triangle_count + b.input.edge_count + b.input.point_count == 0) return true;
    if (!frc_scene_announce_block(scene, &b, start)) return false;
    b.block = frc_block_build(scene->context, &scene->topology, &b.input);
    return frc_scene_enter_block(scene, &b);
}

void frc_forget_fresh(fracas_scene* scene, frc_body* body) {
    frc_ids* lists[] = {&body->fresh_triangles, &body->fresh_edges, &body->fresh_points,
                        &body->fresh_cuts};
    body->came_from = 0;
    for (int i = 0; i < 4; i++) {
        lists[i]->count = 0;
        // The next edit makes its own room; what a whole body needed is given back.
        if (lists[i]->capacity > KEPT_ROOM) FRC_ARRAY_RELEASE(scene->context, lists[i]);
    }
}

// Is there anything to do for place_fresh?
static bool has_to_be_placed(const fracas_scene* scene, const frc_body* body) {
    bool some = frc_fresh_count(body) > 0;
    for (size_t i = 0; i < body->blocks.count && !some; i++)
        some = is_small(scene->blocks.data[body->blocks.data[i]], 0);
    return some;
}

// Is no triangle of the body in a block? Then all of them wait, and what they use.
static bool all_wait(const fracas_scene* scene, const frc_body* body) {
    for (size_t i = 0; i < body->blocks.count; i++)
        if (!scene->blocks.data[body->blocks.data[i]]->free_elements) return false;
    return body->live_triangles > 0 && body->free_edges.count + body->free_points.count == 0;
}

// Build the waiting features of a body into blocks. False: no memory, or cancelled; they still
// wait.
static bool place_fresh(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    uint32_t meeting = FRACAS_NONE;
    if (!swallow_small(scene, body, &meeting)) return false;
    if (frc_fresh_count(body) == 0) return true;
    if (all_wait(scene, body)) return frc_rebuild_bodies(scene, &number, 1);
    waiting w = {0};
    bool ok = reserve_waiting(scene, body, &w);
    if (ok) {
        sort_out(scene, number, &w);
        frc_fit_waiting(scene, &w.points[0]);
        frc_fit_waiting(scene, &w.points[1]);
        // A triangle that was re-pointed has a new corner that waits; its leaf is stale already.
        ok = add_block(scene, number, &w, false, meeting) &&
             add_block(scene, number, &w, true, meeting);
    }
    release_waiting(scene->context, &w);
    if (!ok) return false;
    frc_forget_fresh(scene, body);
    return true;
}

// ---- the step of an update

bool frc_place_features(fracas_scene* scene) {
    const frc_ids* stale = &scene->stale_bodies;
    frc_ids whole = {0};
    bool ok = FRC_ARRAY_RESERVE(scene->context, &whole, stale->count);
    for (size_t i = 0; ok && i < stale->count; i++) {
        const frc_body* body = &scene->bodies.data[stale->data[i]];
        const bool rebuild =
            body->state == FRC_BODY_REBUILD && body->live_triangles > 0 && body->blocks.count > 0;
        if (rebuild || swallows_all(scene, body)) whole.data[whole.count++] = stale->data[i];
    }
    for (size_t i = 0; ok && i < stale->count; i++) {
        frc_body* body = &scene->bodies.data[stale->data[i]];
        body->edited = body->state != FRC_BODY_ADDED && frc_fresh_count(body) > 0;
    }
    ok = ok && frc_rebuild_bodies(scene, whole.data, (uint32_t)whole.count);
    FRC_ARRAY_RELEASE(scene->context, &whole);
    // Of bodies that were built as a whole free elements may still wait.
    for (size_t i = 0; ok && i < stale->count; i++)
        if (has_to_be_placed(scene, &scene->bodies.data[stale->data[i]]))
            ok = place_fresh(scene, stale->data[i]);
    return ok;
}
