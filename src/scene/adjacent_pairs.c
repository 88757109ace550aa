/// @file adjacent_pairs.c  Vertices around which adjacent triangles need not be compared.
///
/// After boxes were fitted, the star of each vertex with a ring is tested (cull/vertex_stars.h) and
/// the result written into the leaves of the trees.
///
/// Rings are made for a body when it is added. For a part that broke off they are made at once when
/// less than half of it has certificates: the next query already saves more than they cost. Else
/// they are made in the first update in which the part is not edited, so that a frame in which much
/// breaks does not pay for them. They are made again when a quarter of them is lost to edits.
///
/// Three parallel loops: over bodies, to make rings; over pieces of the rings of all bodies; over
/// pieces of the leaves of all blocks.
#include "base/parallel.h"
#include "block/simd_box.h"
#include "cull/cull.h"
#include "cull/vertex_stars.h"
#include "scene/scene.h"
#include <math.h>

enum {
    FEWEST = 2,     // triangles that can be neighbours
    PACKETS = 128,  // of rings in a piece: some ten microseconds
    LEAVES = 256    // in a piece: likewise
};

// A body of this update.
typedef struct ring_body {
    uint32_t body, serial;  // serial number for new rings; 0: none are made
    bool tested;            // it has rings
    double size;            // unit of the tests
} ring_body;

// A piece of the rings of a body, or of the leaves of a block.
typedef struct piece {
    const ring_body* of;
    uint32_t what;  // group of rings; or block
    uint32_t begin, end;
} piece;

typedef struct ring_job {
    fracas_scene* scene;
    FRC_ARRAY(ring_body) bodies;
    FRC_ARRAY(piece) rings;
    FRC_ARRAY(piece) leaves;
} ring_job;

// ---- bodies

static bool are_lost(const frc_body* body) {
    return body->rings.serial && body->lost_rings > body->rings.count / 4;
}

// Where most triangles of a body have certificates few neighbours are compared, and rings do not
// pay. A part that has just broken off may break again, and needs more to gain.
static bool has_certificates(const fracas_scene* scene, const frc_body* body) {
    uint32_t covered = 0, eighths = body->edited ? 4 : 7;
    for (size_t i = 0; i < body->blocks.count; i++) {
        const uint32_t number = body->blocks.data[i];
        covered += frc_cull_covered(&scene->cull_states, scene->blocks.data[number], number,
                                    FRC_BOXES_END);
    }
    return covered > body->live_triangles / 8 * eighths;
}

// The longest side of the box of a body at t = 1: of its blocks, or of its points when the search
// has no trees.
static double body_size(const fracas_scene* scene, const frc_body* body) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < body->blocks.count; i++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        for (int k = 0; k < 3; k++) {
            if (block->lo[FRC_BOXES_END][k] < lo[k]) lo[k] = block->lo[FRC_BOXES_END][k];
            if (block->hi[FRC_BOXES_END][k] > hi[k]) hi[k] = block->hi[FRC_BOXES_END][k];
        }
    }
    if (!scene->options.search->needs_trees) {
        const frc_lows lows = frc_scene_lows(scene);
        span all = empty_span();
        for (size_t i = 0; i < body->points.count; i++) {
            // A point that nothing uses has no bounds.
            uint32_t id = body->points.data[i];
            if (id == FRACAS_NONE || scene->topology.uses.data[id].triangles == 0) continue;
            all = span_both(all, span_of(lows, 1, id));
        }
        frc_box around;
        store_box(&around, span_box(all));
        for (int k = 0; k < 3; k++) lo[k] = (double)around.lo[k], hi[k] = (double)around.hi[k];
    }
    double size = 0;
    for (int k = 0; k < 3; k++)
        if (hi[k] - lo[k] > size) size = hi[k] - lo[k];
    return size;
}

// Make the rings of bodies. Without memory there are none, which costs time only.
static void prepare(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const ring_job* job = data;
    fracas_scene* scene = job->scene;
    for (uint32_t n = begin; n < end; n++) {
        ring_body* b = &job->bodies.data[n];
        frc_body* body = &scene->bodies.data[b->body];
        const bool wanted = !has_certificates(scene, body);
        if (wanted && are_lost(body)) frc_vertex_rings_release(scene->context, &body->rings);
        if (wanted && !body->rings.serial && b->serial) {
            const frc_vertex_rings_input input = {.triangles = body->triangles.data,
                                                  .triangle_count = body->triangles.count,
                                                  .points = body->points.data,
                                                  .point_count = body->points.count,
                                                  .serial = b->serial};
            if (frc_vertex_rings_build(&scene->topology, &input, &body->rings))
                body->lost_rings = 0;
        }
        b->tested = wanted && body->rings.serial;
        b->size = b->tested ? body_size(scene, body) : 0;
        scene->filters.data[b->body].rings = b->tested ? body->rings.serial : 0;
        // The star of a vertex without a ring is not tested: it counts as not embedded.
        for (size_t i = 0; i < body->points.count && b->tested; i++)
            if (body->points.data[i] != FRACAS_NONE) scene->settled[body->points.data[i]] = 0;
        // A block without memory for the results, or of a body without rings, has none.
        for (size_t i = 0; i < body->blocks.count; i++) {
            frc_block* block = scene->blocks.data[body->blocks.data[i]];
            if (!b->tested || !frc_block_allocate_stars(scene->context, block))
                frc_block_release_stars(scene->context, block);
        }
    }
}

// ---- pieces

static bool list_pieces(ring_job* job, const ring_body* b) {
    fracas_context* context = job->scene->context;
    const frc_body* body = &job->scene->bodies.data[b->body];
    for (uint32_t k = 0; k < body->rings.groups.count; k++)
        for (uint32_t i = 0, n = body->rings.groups.data[k].packets; i < n; i += PACKETS) {
            const piece p = {b, k, i, i + PACKETS < n ? i + PACKETS : n};
            if (!FRC_ARRAY_PUSH(context, &job->rings, p)) return false;
        }
    for (size_t k = 0; k < body->blocks.count; k++) {
        const frc_block* block = job->scene->blocks.data[body->blocks.data[k]];
        for (uint32_t i = 0, n = block->leaf_count; i < n && block->stars; i += LEAVES) {
            const piece p = {b, body->blocks.data[k], i, i + LEAVES < n ? i + LEAVES : n};
            if (!FRC_ARRAY_PUSH(context, &job->leaves, p)) return false;
        }
    }
    return true;
}

static void test_rings(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const ring_job* job = data;
    fracas_scene* scene = job->scene;
    for (uint32_t i = begin; i < end; i++) {
        const piece* p = &job->rings.data[i];
        frc_vertex_stars_test_packets(&scene->topology, &scene->bodies.data[p->of->body].rings,
                                      p->what, p->begin, p->end, p->of->size, scene->settled);
    }
}

static void mark_leaves(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const ring_job* job = data;
    fracas_scene* scene = job->scene;
    for (uint32_t i = begin; i < end; i++) {
        const piece* p = &job->leaves.data[i];
        frc_vertex_stars_mark(scene->settled, scene->blocks.data[p->what], p->begin, p->end);
    }
}

// ---- the step of an update

bool frc_adjacent_pairs_update(fracas_scene* scene) {
    if (!(scene->options.modes & FRACAS_MODE_DISCRETE)) return true;
    fracas_context* context = scene->context;
    const size_t points = scene->topology.points.count;
    if (points > scene->settled_capacity &&
        !frc_array_grow(context, (void**)&scene->settled, &scene->settled_capacity, points,
                        sizeof *scene->settled))
        return false;
    ring_job job = {.scene = scene};
    bool ok = true;
    // Bodies that were edited, but have not moved, keep the results for the rest of them.
    for (size_t i = 0; ok && i < scene->stale_bodies.count; i++) {
        ring_body b = {.body = scene->stale_bodies.data[i]};
        const frc_body* body = &scene->bodies.data[b.body];
        if (!body->points_moved && body->state != FRC_BODY_ADDED) continue;
        // Rings are made seldom: 32 bits of serial numbers suffice.
        if ((!body->rings.serial || are_lost(body)) && body->live_triangles >= FEWEST &&
            scene->filters.data[b.body].self_collision)
            b.serial = ++scene->ring_serial;
        ok = FRC_ARRAY_PUSH(context, &job.bodies, b);
    }
    if (ok) frc_parallel_for(context, (uint32_t)job.bodies.count, 1, prepare, &job);
    for (size_t i = 0; ok && i < job.bodies.count; i++)
        if (job.bodies.data[i].tested) ok = list_pieces(&job, &job.bodies.data[i]);
    if (ok) {
        frc_parallel_for(context, (uint32_t)job.rings.count, 1, test_rings, &job);
        frc_parallel_for(context, (uint32_t)job.leaves.count, 1, mark_leaves, &job);
    }
    FRC_ARRAY_RELEASE(context, &job.bodies);
    FRC_ARRAY_RELEASE(context, &job.rings);
    FRC_ARRAY_RELEASE(context, &job.leaves);
    return ok;
}
