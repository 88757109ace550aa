/// @file rebuild_bodies.c  One new block for all triangles of a body, for many bodies in parallel.
///
/// Built like this are bodies that the rebuild policy has selected, bodies that are new, and bodies
/// whose edits are so large that all of their blocks would be merged with what is new.
#include "scene/rebuild_bodies.h"
#include "base/parallel.h"
#include <string.h>

// ---- triangles in order

// The triangles of a body in the order that its new tree is built from, and where to cut that.
typedef struct sequence {
    frc_ids ids, cuts;  // cuts: none when the order is not that of a tree
    bool borrowed;      // they are the body's own lists
} sequence;

// The block that has all triangles of a body, or NULL.
static const frc_block* only_block(const fracas_scene* scene, const frc_body* body) {
    const frc_block* only = NULL;
    if (body->fresh_triangles.count > 0) return NULL;
    for (size_t i = 0; i < body->blocks.count; i++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (block->free_elements) continue;
        if (only) return NULL;
        only = block;
    }
    return only;
}

// As they stand in a block.
static void list_slots(const frc_block* block, sequence* out) {
    uint32_t last = FRACAS_NONE;
    for (uint32_t s = 0; s < block->face_slots; s++) {
        if (block->faces[s].id == FRACAS_NONE) continue;
        out->ids.data[out->ids.count++] = block->faces[s].id;
        out->cuts.data[out->cuts.count++] =
            last == FRACAS_NONE ? FRC_CUT_LEAF : frc_block_cut(block, last, s);
        last = s;
    }
}

// As they stood in the block that they broke off, without those that have left since. Between what
// is left the highest cut counts.
static void list_fresh(const fracas_scene* scene, uint32_t number, sequence* out) {
    const frc_body* body = &scene->bodies.data[number];
    uint32_t cut = FRC_CUT_LEAF;
    for (size_t i = 0; i < body->fresh_triangles.count; i++) {
        uint32_t id = body->fresh_triangles.data[i];
        const frc_triangle* t = &scene->topology.triangles.data[id];
        if (body->fresh_cuts.data[i] < cut) cut = body->fresh_cuts.data[i];
        if (t->body != number || t->point[0] == FRACAS_NONE) continue;
        out->ids.data[out->ids.count++] = id;
        out->cuts.data[out->cuts.count++] = cut;
        cut = FRC_CUT_LEAF;
    }
}

static void list_numbers(const frc_body* body, sequence* out) {
    out->ids.count = out->cuts.count = 0;
    for (size_t i = 0; i < body->triangles.count; i++)
        if (body->triangles.data[i] != FRACAS_NONE)
            out->ids.data[out->ids.count++] = body->triangles.data[i];
}

static void release_sequence(fracas_context* context, sequence* s) {
    if (s->borrowed) return;
    FRC_ARRAY_RELEASE(context, &s->ids);
    FRC_ARRAY_RELEASE(context, &s->cuts);
}

static bool list_triangles(const fracas_scene* scene, uint32_t number, bool inherit,
                           sequence* out) {
    fracas_context* context = scene->context;
    const frc_body* body = &scene->bodies.data[number];
    const frc_block* block = inherit ? only_block(scene, body) : NULL;
    bool fresh = inherit && body->blocks.count == 0 && body->fresh_triangles.count > 0 &&
                 body->fresh_cuts.count == body->fresh_triangles.count;
    size_t room = fresh ? body->fresh_triangles.count : body->live_triangles;
    *out = (sequence){0};
    // Whatever comes to a body comes without a cut: of as many as there are none has left.
    if (fresh && room == body->live_triangles) {
        *out = (sequence){.ids = body->fresh_triangles, .cuts = body->fresh_cuts, .borrowed = true};
        return true;
    }
    if (!FRC_ARRAY_RESERVE(context, &out->ids, room) ||
        ((fresh || block) && !FRC_ARRAY_RESERVE(context, &out->cuts, room))) {
        release_sequence(context, out);
        return false;
    }
    if (block)
        list_slots(block, out);
    else if (fresh)
        list_fresh(scene, number, out);
    if (out->ids.count != body->live_triangles) list_numbers(body, out);
    return true;
}

static void keep_unplaced(frc_ids* ids, const void* pool, size_t stride) {
    size_t kept = 0;
    for (size_t i = 0; i < ids->count; i++) {
        frc_place place;
        memcpy(&place, (const char*)pool + ids->data[i] * stride, sizeof place);
        if (place.block == FRACAS_NONE) ids->data[kept++] = ids->data[i];
    }
    ids->count = kept;
}

// All triangles have places. Free edges and points may wait on.
static void forget_placed(fracas_scene* scene, frc_body* body) {
    const frc_topology* topology = &scene->topology;
    if (body->free_edges.count + body->free_points.count == 0) {
        frc_forget_fresh(scene, body);
        return;
    }
    keep_unplaced(&body->fresh_edges, &topology->edges.data->place, sizeof *topology->edges.data);
    keep_unplaced(&body->fresh_points, &topology->uses.data->place, sizeof *topology->uses.data);
    body->fresh_triangles.count = body->fresh_cuts.count = 0;
    body->came_from = 0;
}

// A body on its way into a new block.
typedef struct rebuild {
    uint32_t body;
    sequence triangles;
    size_t old_blocks;
    bool announced, listed;  // listed: places may have changed
    frc_coming_block block;
} rebuild;

typedef struct rebuilds {
    fracas_scene* scene;
    rebuild* list;
} rebuilds;

static bool announce(fracas_scene* scene, rebuild* r, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    const bool inherits = body->state != FRC_BODY_REBUILD;
    r->body = number;
    r->old_blocks = body->blocks.count;
    r->block.input = (frc_block_input){
        .body = number, .whole = true, .build = frc_scene_build_options(scene, !inherits)};
    // Points that wait have no bounds yet, unless all were fitted because the body has moved.
    if (!body->points_moved && body->fresh_points.count > 0) frc_fit_points(scene, &body->points);
    // The new block goes to where its old ones meet in the top tree.
    uint32_t node = FRACAS_NONE;
    for (size_t i = 0; i < body->blocks.count; i++) {
        const uint32_t spot = frc_top_tree_spot(&scene->top, body->blocks.data[i]);
        node = node == FRACAS_NONE ? spot : frc_top_tree_meeting(&scene->top, node, spot);
    }
    r->announced = frc_scene_announce_block(scene, &r->block, node);
    return r->announced;
}

// Different bodies have no feature in common.
static void build_blocks(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const rebuilds* all = data;
    fracas_scene* scene = all->scene;
    for (uint32_t i = begin; i < end; i++) {
        rebuild* r = &all->list[i];
        const bool inherits =
            scene->options.inherit && scene->bodies.data[r->body].state != FRC_BODY_REBUILD;
        if (!r->announced) continue;
        r->listed = list_triangles(scene, r->body, inherits, &r->triangles);
        if (!r->listed) continue;
        frc_block_input* input = &r->block.input;
        input->triangles = r->triangles.ids.data;
        input->triangle_count = r->triangles.ids.count;
        if (r->triangles.cuts.count) input->build.cuts = r->triangles.cuts.data;
        r->block.block = frc_block_build(scene->context, &scene->topology, input);
    }
}

// The old blocks of the body go, or, when the build failed, get their features back.
static bool enter(fracas_scene* scene, rebuild* r) {
    frc_body* body = &scene->bodies.data[r->body];
    if (!r->announced) return false;
    const bool ok = frc_scene_enter_block(scene, &r->block);
    for (size_t i = r->old_blocks; i-- > 0;) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (block->free_elements) continue;
        if (ok)
            frc_body_drop_block(scene, body, i);
        else if (r->listed)
            frc_block_place(block, &scene->topology, body->blocks.data[i]);
    }
    if (r->listed) release_sequence(scene->context, &r->triangles);
    if (ok) forget_placed(scene, body);
    if (ok && body->state == FRC_BODY_REBUILD) scene->rebuild_count++;
    return ok;
}

bool frc_rebuild_bodies(fracas_scene* scene, const uint32_t* bodies, uint32_t count) {
    fracas_context* context = scene->context;
    const size_t size = count * sizeof(rebuild);
    if (count == 0) return true;
    rebuilds all = {scene, frc_allocate_zero(context, size)};
    if (!all.list) return false;
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) ok = announce(scene, &all.list[i], bodies[i]);
    frc_parallel_for(context, count, 1, build_blocks, &all);
    for (uint32_t i = 0; i < count; i++) ok &= enter(scene, &all.list[i]);
    frc_release(context, all.list, size);
    return ok;
}
