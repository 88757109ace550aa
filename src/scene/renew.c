/// @file renew.c  Whole bodies are built anew, many at the same time.
///
/// A body that waits as a whole, or whose tree is worn, gets one new block for all of its
/// triangles.
#include "scene/renew.h"
#include "base/parallel.h"
#include <string.h>

// Where the blocks of a body meet in the tree over blocks: what they are merged into is put there.
static uint32_t meeting_of_blocks(const fracas_scene* scene, const frc_body* body) {
    uint32_t node = FRACAS_NONE;
    for (size_t i = 0; i < body->blocks.count; i++) {
        uint32_t spot = frc_top_spot(&scene->top, body->blocks.data[i]);
        node = node == FRACAS_NONE ? spot : frc_top_meeting(&scene->top, node, spot);
    }
    return node;
}

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

// A body that is built anew.
typedef struct renewal {
    const frc_renewal* what;
    sequence triangles;
    size_t old;                     // blocks that it had
    bool announced, listed, tried;  // tried: places may have changed
    frc_coming_block block;
} renewal;

static bool announce_renewal(fracas_scene* scene, renewal* r) {
    uint32_t number = r->what->body;
    frc_body* body = &scene->bodies.data[number];
    // Points that wait have no boxes yet, unless all were fitted because the body has moved.
    if (!body->fit && body->fresh_points.count > 0) frc_fit_points(scene, &body->points);
    r->block.input =
        (frc_block_input){.body = number,
                          .whole = true,
                          .build = frc_scene_build_options(scene, body->built && !body->ripe)};
    r->old = body->blocks.count;
    r->announced = frc_scene_announce_block(scene, &r->block, meeting_of_blocks(scene, body));
    return r->announced;
}

static void build_renewal(fracas_scene* scene, renewal* r) {
    bool inherit = r->what->inherit && scene->options.inherit;
    frc_block_input* input = &r->block.input;
    r->listed = list_triangles(scene, r->what->body, inherit, &r->triangles);
    if (!r->listed) return;
    r->tried = true;
    input->triangles = r->triangles.ids.data, input->triangle_count = r->triangles.ids.count;
    if (r->triangles.cuts.count) input->build.cuts = r->triangles.cuts.data;
    // Touches nothing but the features of the body.
    r->block.block = frc_block_build(scene->context, &scene->topology, input);
}

// Its old blocks go, or get their features back.
static bool enter_renewal(fracas_scene* scene, renewal* r) {
    frc_body* body = &scene->bodies.data[r->what->body];
    if (!r->announced) return false;
    bool ok = frc_scene_enter_block(scene, &r->block);
    for (size_t i = r->old; i-- > 0;) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (block->free_elements) continue;
        if (ok)
            frc_body_drop_block(scene, body, i);
        else if (r->tried)
            frc_block_place(block, &scene->topology, body->blocks.data[i]);
    }
    if (r->listed) release_sequence(scene->context, &r->triangles);
    if (ok && r->what->places) forget_placed(scene, body);
    return ok;
}

typedef struct renewals {
    fracas_scene* scene;
    renewal* list;
    uint32_t count;
} renewals;

static void build_range(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const renewals* all = data;
    for (uint32_t i = begin; i < end; i++)
        if (all->list[i].announced) build_renewal(all->scene, &all->list[i]);
}

bool frc_renew_bodies(fracas_scene* scene, const frc_renewal* what, uint32_t count) {
    fracas_context* context = scene->context;
    renewals all = {scene, frc_allocate_zero(context, count * sizeof(renewal)), count};
    if (count > 0 && !all.list) return false;
    bool ok = true;
    for (uint32_t i = 0; i < count; i++) {
        all.list[i].what = &what[i];
        ok = ok && announce_renewal(scene, &all.list[i]);
    }
    frc_parallel_for(context, count, 1, build_range, &all);
    for (uint32_t i = 0; i < count; i++) ok &= enter_renewal(scene, &all.list[i]);
    frc_release(context, all.list, count * sizeof(renewal));
    return ok;
}
