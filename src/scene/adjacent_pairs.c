/// @file adjacent_pairs.c  After boxes were fitted: find the vertices whose triangles need not be
/// compared with each other, and tell the trees.
///
/// Rings are made for a body when it is added. For a part that broke off they are made at once when
/// less than half of it has certificates: the very next query then gets back what they cost, and
/// more. Else they are made once it has kept its triangles for an update, so that a frame in which
/// much breaks does not pay for them; and anew when a quarter of them is lost to edits.
///
/// On all workers, in three turns: bodies, of which each may get its rings; pieces of rings, all
/// bodies' together; pieces of trees, likewise.
#include "base/parallel.h"
#include "block/simd_box.h"
#include "cull/cull.h"
#include "cull/vertex_stars.h"
#include "scene/scene.h"
#include <math.h>

enum { FEWEST = 2 };  // triangles that can be neighbours

static bool wants_rings(const fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    return scene->filters.data[number].self_collision && body->live_triangles >= FEWEST;
}

static bool are_lost(const frc_body* body) {
    return body->rings.serial && body->lost_rings > body->rings.count / 4;
}

// Numbers are given out as rings are made, which is seldom: they last.
static bool needs_number(const fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    return (!body->rings.serial || are_lost(body)) && wants_rings(scene, number);
}

// Without memory there are no rings, which costs time only. `serial` is for new ones; 0: none.
static void keep_rings(fracas_scene* scene, uint32_t number, uint32_t serial) {
    frc_body* body = &scene->bodies.data[number];
    if (are_lost(body)) frc_vertex_rings_release(scene->context, &body->rings);
    if (body->rings.serial || serial == 0) return;
    frc_vertex_rings_input input = {.triangles = body->triangles.data,
                                    .triangle_count = body->triangles.count,
                                    .points = body->points.data,
                                    .point_count = body->points.count,
                                    .serial = serial};
    if (frc_vertex_rings_build(&scene->topology, &input, &body->rings)) body->lost_rings = 0;
}

// Without blocks there are the lows of points.
static double points_size(const fracas_scene* scene, const frc_body* body) {
    const frc_lows lows = frc_scene_lows(scene);
    span all = empty_span();
    for (size_t i = 0; i < body->points.count; i++) {
        uint32_t id = body->points.data[i];
        // A point that nothing uses has no low.
        if (id == FRACAS_NONE || scene->topology.uses.data[id].triangles == 0) continue;
        all = span_both(all, span_of(lows, 1, id));
    }
    frc_box around;
    store_box(&around, span_box(all));
    double size = 0;
    for (int k = 0; k < 3; k++)
        if ((double)around.hi[k] - (double)around.lo[k] > size)
            size = (double)around.hi[k] - (double)around.lo[k];
    return size;
}

static double body_size(const fracas_scene* scene, const frc_body* body) {
    double size = 0;
    if (!scene->options.search->needs_trees) return points_size(scene, body);
    for (int k = 0; k < 3; k++) {
        double lo = INFINITY, hi = -INFINITY;
        for (size_t i = 0; i < body->blocks.count; i++) {
            const frc_block* block = scene->blocks.data[body->blocks.data[i]];
            if (block->lo[FRC_BOXES_END][k] < lo) lo = block->lo[FRC_BOXES_END][k];
            if (block->hi[FRC_BOXES_END][k] > hi) hi = block->hi[FRC_BOXES_END][k];
        }
        if (hi - lo > size) size = hi - lo;
    }
    return size;
}

// Where most of a body has certificates few neighbours are compared at all. One that has just
// broken has not shown yet that it will last.
static bool is_covered(const fracas_scene* scene, const frc_body* body) {
    uint32_t covered = 0, eighths = body->edited ? 4 : 7;
    for (size_t i = 0; i < body->blocks.count; i++) {
        const uint32_t number = body->blocks.data[i];
        covered += frc_cull_covered(&scene->cull_states, scene->blocks.data[number], number,
                                    FRC_BOXES_END);
    }
    return covered > body->live_triangles / 8 * eighths;
}

// ---- bodies

// A body of this update: which number its rings get if it gets any, and whether it has some.
typedef struct guest {
    uint32_t body, serial;
    bool known;
    double size;
} guest;

/// A piece of the rings of a body, or of the leaves of a block.
typedef struct piece {
    const guest* of;
    uint32_t what;  // group of rings; or block
    uint32_t begin, end;
} piece;

typedef struct settling {
    fracas_scene* scene;
    FRC_ARRAY(guest) guests;
    FRC_ARRAY(piece) rings;
    FRC_ARRAY(piece) leaves;
} settling;

enum { PACKETS = 128, LEAVES = 256 };  // of a piece: some ten microseconds

static void prepare_body(fracas_scene* scene, guest* g) {
    frc_body* body = &scene->bodies.data[g->body];
    const bool wanted = !is_covered(scene, body);
    if (wanted) keep_rings(scene, g->body, g->serial);
    g->known = wanted && body->rings.serial;
    g->size = g->known ? body_size(scene, body) : 0;
    // A vertex without a ring is not settled.
    for (size_t i = 0; i < body->points.count && g->known; i++)
        if (body->points.data[i] != FRACAS_NONE) scene->settled[body->points.data[i]] = 0;
    scene->filters.data[g->body].rings = g->known ? body->rings.serial : 0;
    for (size_t i = 0; i < body->blocks.count; i++) {
        frc_block* block = scene->blocks.data[body->blocks.data[i]];
        // Without memory, and where nothing is known, there are none.
        if (!g->known || !frc_block_need_stars(scene->context, block))
            frc_block_drop_stars(scene->context, block);
    }
}

static void prepare(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    settling* s = data;
    for (uint32_t i = begin; i < end; i++) prepare_body(s->scene, &s->guests.data[i]);
}

// ---- pieces

static bool cut_rings(settling* s, const guest* g) {
    const frc_vertex_rings* rings = &s->scene->bodies.data[g->body].rings;
    for (uint32_t k = 0; k < rings->groups.count; k++)
        for (uint32_t i = 0, n = rings->groups.data[k].packets; i < n; i += PACKETS) {
            piece p = {g, k, i, i + PACKETS < n ? i + PACKETS : n};
            if (!FRC_ARRAY_PUSH(s->scene->context, &s->rings, p)) return false;
        }
    return true;
}

static bool cut_leaves(settling* s, const guest* g) {
    const frc_body* body = &s->scene->bodies.data[g->body];
    for (size_t k = 0; k < body->blocks.count; k++) {
        const frc_block* block = s->scene->blocks.data[body->blocks.data[k]];
        for (uint32_t i = 0, n = block->leaf_count; i < n && block->stars; i += LEAVES) {
            piece p = {g, body->blocks.data[k], i, i + LEAVES < n ? i + LEAVES : n};
            if (!FRC_ARRAY_PUSH(s->scene->context, &s->leaves, p)) return false;
        }
    }
    return true;
}

static void settle_rings(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const settling* s = data;
    fracas_scene* scene = s->scene;
    for (uint32_t i = begin; i < end; i++) {
        const piece* p = &s->rings.data[i];
        frc_vertex_stars_test_packets(&scene->topology, &scene->bodies.data[p->of->body].rings,
                                      p->what, p->begin, p->end, p->of->size, scene->settled);
    }
}

static void mark_leaves(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const settling* s = data;
    fracas_scene* scene = s->scene;
    for (uint32_t i = begin; i < end; i++) {
        const piece* p = &s->leaves.data[i];
        frc_vertex_stars_mark(scene->settled, scene->blocks.data[p->what], p->begin, p->end);
    }
}

// ---- all of it

static bool reserve(fracas_scene* scene) {
    size_t wanted = scene->topology.points.count;
    return wanted <= scene->settled_capacity ||
           frc_array_grow(scene->context, (void**)&scene->settled, &scene->settled_capacity, wanted,
                          sizeof *scene->settled);
}

// What only an edit touched keeps what is known of the rest.
static bool list_guests(settling* s) {
    fracas_scene* scene = s->scene;
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        guest g = {.body = scene->stale_bodies.data[i]};
        const frc_body* body = &scene->bodies.data[g.body];
        if (!body->points_moved && body->state != FRC_BODY_ADDED) continue;
        if (needs_number(scene, g.body)) g.serial = ++scene->ring_serial;
        if (!FRC_ARRAY_PUSH(scene->context, &s->guests, g)) return false;
    }
    return true;
}

static bool settle(settling* s) {
    fracas_context* context = s->scene->context;
    if (!list_guests(s)) return false;
    frc_parallel_for(context, (uint32_t)s->guests.count, 1, prepare, s);
    for (size_t i = 0; i < s->guests.count; i++) {
        const guest* g = &s->guests.data[i];
        if (g->known && !(cut_rings(s, g) && cut_leaves(s, g))) return false;
    }
    frc_parallel_for(context, (uint32_t)s->rings.count, 1, settle_rings, s);
    frc_parallel_for(context, (uint32_t)s->leaves.count, 1, mark_leaves, s);
    return true;
}

bool frc_adjacent_pairs_update(fracas_scene* scene) {
    if (!(scene->options.modes & FRACAS_MODE_DISCRETE)) return true;
    if (!reserve(scene)) return false;
    settling s = {.scene = scene};
    bool ok = settle(&s);
    FRC_ARRAY_RELEASE(scene->context, &s.guests);
    FRC_ARRAY_RELEASE(scene->context, &s.rings);
    FRC_ARRAY_RELEASE(scene->context, &s.leaves);
    return ok;
}
