/// @file rebuild_bodies.c  One new block for all triangles of a body, for many bodies in parallel.
///
/// Built like this are bodies that the rebuild policy has selected, bodies that are new, and bodies
/// whose edits are so large that all of their blocks would be merged with the pending features.
#include "scene/rebuild_bodies.h"
#include "base/parallel.h"
#include <string.h>

// ---- triangles in order

// The triangles of a body in the order that its new tree is built from. When that is the order of
// an older tree, `cuts` has, for each triangle, the lowest node of that tree above it and the one
// before it (frc_build_options.cuts); else it is empty.
typedef struct sequence {
    frc_ids ids, cuts;
    bool borrowed;  // they are the body's own lists
} sequence;

// Inherit the order of a block that has all triangles of the body.
static void list_block_order(const frc_block* block, sequence* out) {
    uint32_t last = FRACAS_NONE;
    for (uint32_t s = 0; s < block->face_slots; s++) {
        if (block->faces[s].id == FRACAS_NONE) continue;
        out->ids.data[out->ids.count++] = block->faces[s].id;
        out->cuts.data[out->cuts.count++] =
            last == FRACAS_NONE ? FRC_CUT_LEAF : frc_block_cut(block, last, s);
        last = s;
    }
}

// Inherit the order of the block that a part broke off, without the triangles that have left the
// part since: the cut between two that remain is the highest node, the least number, in between.
static void list_pending_order(const fracas_scene* scene, uint32_t number, sequence* out) {
    const frc_body* body = &scene->bodies.data[number];
    uint32_t cut = FRC_CUT_LEAF;
    for (size_t i = 0; i < body->pending_triangles.count; i++) {
        uint32_t id = body->pending_triangles.data[i];
        const frc_triangle* t = &scene->topology.triangles.data[id];
        if (body->pending_cuts.data[i] < cut) cut = body->pending_cuts.data[i];
        if (t->body != number || t->point[0] == FRACAS_NONE) continue;
        out->ids.data[out->ids.count++] = id;
        out->cuts.data[out->cuts.count++] = cut;
        cut = FRC_CUT_LEAF;
    }
}

static void release_sequence(fracas_context* context, sequence* s) {
    if (s->borrowed) return;
    FRC_ARRAY_RELEASE(context, &s->ids);
    FRC_ARRAY_RELEASE(context, &s->cuts);
}

// False: no memory.
static bool list_triangles(const fracas_scene* scene, uint32_t number, bool inherit,
                           sequence* out) {
    fracas_context* context = scene->context;
    const frc_body* body = &scene->bodies.data[number];
    const size_t pending = body->pending_triangles.count;
    *out = (sequence){0};
    // A part that broke off has a cut for each pending triangle. Triangles that are added later
    // have none: where the numbers agree none was added, and where all are alive none has left.
    const bool from_pending =
        inherit && body->blocks.count == 0 && pending > 0 && body->pending_cuts.count == pending;
    if (from_pending && pending == body->live_triangles) {
        *out = (sequence){
            .ids = body->pending_triangles, .cuts = body->pending_cuts, .borrowed = true};
        return true;
    }
    // The block with all triangles of the body, if there is one.
    const frc_block* source = NULL;
    uint32_t sources = 0;
    for (size_t i = 0; i < body->blocks.count; i++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (!block->free_elements) source = block, sources++;
    }
    const bool from_block = inherit && pending == 0 && sources == 1;
    const size_t capacity = from_pending ? pending : body->live_triangles;
    if (!FRC_ARRAY_RESERVE(context, &out->ids, capacity) ||
        ((from_pending || from_block) && !FRC_ARRAY_RESERVE(context, &out->cuts, capacity))) {
        release_sequence(context, out);
        return false;
    }
    if (from_block)
        list_block_order(source, out);
    else if (from_pending)
        list_pending_order(scene, number, out);
    if (out->ids.count == body->live_triangles) return true;
    // There is no order to inherit, or it lacks triangles: by number.
    out->ids.count = out->cuts.count = 0;
    for (size_t i = 0; i < body->triangles.count; i++)
        if (body->triangles.data[i] != FRACAS_NONE)
            out->ids.data[out->ids.count++] = body->triangles.data[i];
    return true;
}

// ---- rebuilding

// A body whose triangles are built into one new block.
typedef struct rebuild {
    uint32_t body;
    sequence triangles;
    size_t old_blocks;
    bool reserved, listed;  // listed: the build may have changed places of features
    frc_block_job job;
} rebuild;

typedef struct rebuilds {
    fracas_scene* scene;
    rebuild* list;
} rebuilds;

// On all workers: different bodies have no feature in common.
static void build_blocks(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const rebuilds* all = data;
    fracas_scene* scene = all->scene;
    for (uint32_t i = begin; i < end; i++) {
        rebuild* r = &all->list[i];
        if (!r->reserved) continue;
        const bool inherit =
            scene->options.inherit && scene->bodies.data[r->body].state != FRC_BODY_REBUILD;
        r->listed = list_triangles(scene, r->body, inherit, &r->triangles);
        if (!r->listed) continue;
        frc_block_input* input = &r->job.input;
        input->triangles = r->triangles.ids.data;
        input->triangle_count = r->triangles.ids.count;
        if (r->triangles.cuts.count) input->build.cuts = r->triangles.cuts.data;
        r->job.block = frc_block_build(scene->context, &scene->topology, input);
    }
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

// Drop the old blocks of the body or, when the build failed, write their places of features again.
static bool replace_blocks(fracas_scene* scene, rebuild* r) {
    frc_body* body = &scene->bodies.data[r->body];
    if (!r->reserved) return false;
    const bool ok = frc_scene_add_block(scene, &r->job);
    for (size_t i = r->old_blocks; i-- > 0;) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (block->free_elements) continue;
        if (ok)
            frc_body_drop_block(scene, body, i);
        else if (r->listed)
            frc_block_write_places(block, &scene->topology, body->blocks.data[i]);
    }
    if (r->listed) release_sequence(scene->context, &r->triangles);
    if (!ok) return false;
    if (body->state == FRC_BODY_REBUILD) scene->rebuild_count++;
    // All triangles have places now; free edges and points may still be pending.
    if (body->free_edges.count + body->free_points.count == 0) {
        frc_body_clear_pending(scene, body);
        return true;
    }
    const frc_topology* topology = &scene->topology;
    keep_unplaced(&body->pending_edges, &topology->edges.data->place, sizeof *topology->edges.data);
    keep_unplaced(&body->pending_points, &topology->uses.data->place, sizeof *topology->uses.data);
    body->pending_triangles.count = body->pending_cuts.count = 0;
    body->source_block = 0;
    return true;
}

bool frc_rebuild_bodies(fracas_scene* scene, const uint32_t* bodies, uint32_t count) {
    fracas_context* context = scene->context;
    const size_t size = count * sizeof(rebuild);
    if (count == 0) return true;
    rebuilds all = {scene, frc_allocate_zero(context, size)};
    if (!all.list) return false;
    bool ok = true;
    for (uint32_t k = 0; k < count && ok; k++) {
        rebuild* r = &all.list[k];
        const frc_body* body = &scene->bodies.data[bodies[k]];
        const bool degraded = body->state == FRC_BODY_REBUILD;
        r->body = bodies[k];
        r->old_blocks = body->blocks.count;
        r->job.input = (frc_block_input){
            .body = bodies[k], .whole = true, .build = frc_scene_build_options(scene, degraded)};
        // Pending points have no bounds yet, unless all were fitted because the body has moved.
        if (!body->points_moved && body->pending_points.count > 0)
            frc_fit_points(scene, &body->points);
        // The new block is inserted at the lowest common ancestor of the old ones.
        uint32_t start = FRACAS_NONE;
        for (size_t i = 0; i < body->blocks.count; i++) {
            const uint32_t node = frc_top_tree_last_node(&scene->top, body->blocks.data[i]);
            start = start == FRACAS_NONE ? node
                                         : frc_top_tree_common_ancestor(&scene->top, start, node);
        }
        ok = r->reserved = frc_scene_reserve_block(scene, &r->job, start);
    }
    frc_parallel_for(context, count, 1, build_blocks, &all);
    for (uint32_t k = 0; k < count; k++) ok &= replace_blocks(scene, &all.list[k]);
    frc_release(context, all.list, size);
    return ok;
}
