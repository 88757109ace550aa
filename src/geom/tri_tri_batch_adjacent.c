/// @file tri_tri_batch_adjacent.c  Candidates with a common vertex or a common edge;
/// tri_tri_signs.c has the rules.
#include "geom/tri_tri_block.h"
#include "geom/tri_tri_exact.h"
#include "geom/tri_tri_signs.h"

/* ---- common vertex: lane 0 is triangle a, lane 1 is triangle b */

/// For corner i of a equal to corner j of b, at index 3i + j: the corners, starting at the common
/// one.
static const frc_tri_order from_vertex[9] = {
    {{0, 1, 2}, {0, 1, 2}},
    {{0, 1, 2}, {1, 2, 0}},
    {{0, 1, 2}, {2, 0, 1}},
    {{1, 2, 0}, {0, 1, 2}},
    {{1, 2, 0}, {1, 2, 0}},
    {{1, 2, 0}, {2, 0, 1}},
    {{2, 0, 1}, {0, 1, 2}},
    {{2, 0, 1}, {1, 2, 0}},
    {{2, 0, 1}, {2, 0, 1}},
};

static inline const frc_tri_order* vertex_order(const frc_tri_block* block, uint32_t candidate) {
    return &from_vertex[__builtin_ctz(block->equal[candidate])];
}

/// The edge vectors from the common vertex, of a in lane 0, of b in lane 1.
typedef struct fan {
    frc_vec3x2 e1, e2;
} fan;

static inline fan load_fan(const frc_tri_block* block, uint32_t candidate) {
    const frc_point* p = block->points;
    const frc_tri_pair* pair = &block->pairs[candidate];
    const frc_tri_order* order = vertex_order(block, candidate);
    const frc_point* vertex = &p[pair->a[order->a[0]]];
    const frc_vec3x2 v = frc_tri_load(vertex, vertex);
    return (fan){
        frc_vec3x2_sub(frc_tri_load(&p[pair->a[order->a[1]]], &p[pair->b[order->b[1]]]), v),
        frc_vec3x2_sub(frc_tri_load(&p[pair->a[order->a[2]]], &p[pair->b[order->b[2]]]), v),
    };
}

/// A candidate that the first pass did not cull: the determinants that give the sides of the two
/// other corners, those of a in lane 0.
typedef struct wedge {
    double side[2][2], bound;
    uint32_t candidate;
} wedge;

/// Rejects candidates in which the plane of one triangle separates them; returns the number left.
static uint32_t cull_wedges(const frc_tri_block* block, wedge* out) {
    const uint32_t total = block->list_count[FRC_TRI_AT_VERTEX];
    const uint8_t* list = block->list[FRC_TRI_AT_VERTEX];
    uint32_t count = 0;
    if (!total) return 0;
    fan next = load_fan(block, list[0]);
    for (uint32_t i = 0; i < total; i++) {
        const frc_vec3x2 e1 = next.e1, e2 = next.e2;
        next = load_fan(block, list[i + 1]);
        const frc_vec3x2 n = frc_vec3x2_swap(frc_vec3x2_cross(e1, e2));
        const f64x2 d1 = frc_vec3x2_dot(n, e1), d2 = frc_vec3x2_dot(n, e2);
        const f64x2 size = f64x2_max(frc_vec3x2_largest(frc_vec3x2_abs(e1)),
                                     frc_vec3x2_largest(frc_vec3x2_abs(e2)));
        wedge* w = &out[count];
        w->bound = frc_tri_bound(f64x2_max_lane(size));
        w->candidate = list[i];
        f64x2_store(w->side[0], d1), f64x2_store(w->side[1], d2);
        count += !frc_tri_separated(f64x2_min(d1, d2), f64x2_max(d1, d2), w->bound);
    }
    return count;
}

void frc_tri_block_at_vertex(frc_tri_block* block) {
    wedge wedges[FRC_TRI_BLOCK + 1];
    const uint32_t count = cull_wedges(block, wedges);
    for (uint32_t i = 0; i < count; i++) {
        // Not separated, so if all four sides are certain, each triangle has one corner above and
        // one below the plane of the other.
        const wedge* w = &wedges[i];
        unsigned certain = 0;
        for (int k = 0; k < 2; k++)
            for (int lane = 0; lane < 2; lane++)
                certain += (w->side[k][lane] > w->bound) | (w->side[k][lane] < -w->bound);
        block->hit[w->candidate] = (w->side[0][0] > 0) != (w->side[0][1] > 0);
        if (certain == 4) continue;
        const frc_tri_order* order = vertex_order(block, w->candidate);
        frc_tri_block_exact(block, w->candidate, order->a, order->b, frc_tri_tri_at_vertex);
    }
}

/* ---- common edge: each lane is a candidate */

/// The vertex of b that a does not have.
static inline uint32_t find_apex(const frc_tri_block* block, uint32_t candidate) {
    const unsigned equal = block->equal[candidate];
    return block->pairs[candidate].b[__builtin_ctz(~(equal | equal >> 3 | equal >> 6))];
}

static void decide_hinge(frc_tri_block* block, uint32_t candidate) {
    // Corners of both triangles, the common ones first and in the same order.
    const unsigned equal = block->equal[candidate];
    const unsigned first = (unsigned)__builtin_ctz(equal);
    const unsigned second = (unsigned)__builtin_ctz(equal & (equal - 1));
    const uint8_t a0 = from_vertex[first].a[0], a1 = from_vertex[second].a[0];
    const uint8_t b0 = from_vertex[first].b[0], b1 = from_vertex[second].b[0];
    const uint8_t a[3] = {a0, a1, (uint8_t)(3 - a0 - a1)};
    const uint8_t b[3] = {b0, b1, (uint8_t)(3 - b0 - b1)};
    frc_tri_block_exact(block, candidate, a, b, frc_tri_tri_at_edge);
}

void frc_tri_block_at_edge(frc_tri_block* block) {
    const uint32_t total = block->list_count[FRC_TRI_AT_EDGE];
    const uint8_t* list = block->list[FRC_TRI_AT_EDGE];
    const frc_point* p = block->points;
    for (uint32_t i = 0; i < total; i += 2) {
        // Two candidates; the list repeats the last one for an odd count. From the first corner of
        // triangle a: its two edges, and the vertex of triangle b that a does not have.
        const uint32_t first = list[i], second = list[i + 1];
        const uint32_t *a = block->pairs[first].a, *b = block->pairs[second].a;
        const frc_vec3x2 origin = frc_tri_load(&p[a[0]], &p[b[0]]);
        const frc_vec3x2 e1 = frc_vec3x2_sub(frc_tri_load(&p[a[1]], &p[b[1]]), origin);
        const frc_vec3x2 e2 = frc_vec3x2_sub(frc_tri_load(&p[a[2]], &p[b[2]]), origin);
        const frc_vec3x2 apex = frc_vec3x2_sub(
            frc_tri_load(&p[find_apex(block, first)], &p[find_apex(block, second)]), origin);
        const f64x2 volume = f64x2_abs(frc_vec3x2_dot(frc_vec3x2_cross(e1, e2), apex));
        const f64x2 size = f64x2_max(f64x2_max(frc_vec3x2_largest(frc_vec3x2_abs(e1)),
                                               frc_vec3x2_largest(frc_vec3x2_abs(e2))),
                                     frc_vec3x2_largest(frc_vec3x2_abs(apex)));
        const double bound = frc_tri_bound(f64x2_max_lane(size));
        if (f64x2_min_lane(volume) > bound) continue;
        if (!(f64x2_low(volume) > bound)) decide_hinge(block, list[i]);
        if (i + 1 < total && !(f64x2_high(volume) > bound)) decide_hinge(block, list[i + 1]);
    }
}
