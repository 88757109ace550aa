/// @file tri_tri_batch_nonadjacent.c  Candidates without a common vertex: most are separated by one
/// of the two planes; for the others the intervals in which the triangles intersect the common line
/// are compared (tri_tri_signs.c has the derivation).
///
/// The two lanes of a vector are the two triangles: lane 0 is a, lane 1 is b. So one evaluation
/// gives the sides of the corners of a of the plane of b, and those of b of the plane of a.
#include "geom/tri_tri_block.h"
#include "geom/tri_tri_by_edge.h"
#include "geom/tri_tri_exact.h"
#include "geom/tri_tri_signs.h"

/// A candidate that the first pass did not cull: the determinants that give the sides of the
/// corners, those of a in lane 0.
typedef struct crossing {
    double side[3][2], bound;
    uint32_t candidate;
} crossing;

/// The first corner and the edges from it, of a in lane 0, of b in lane 1.
typedef struct corners {
    frc_vec3x2 c0, e1, e2;
} corners;

static inline corners load_corners(const frc_tri_block* block, uint32_t candidate) {
    const frc_tri_pair* pair = &block->pairs[candidate];
    const frc_point* p = block->points;
    const frc_vec3x2 c0 = frc_tri_load(&p[pair->a[0]], &p[pair->b[0]]);
    return (corners){
        c0,
        frc_vec3x2_sub(frc_tri_load(&p[pair->a[1]], &p[pair->b[1]]), c0),
        frc_vec3x2_sub(frc_tri_load(&p[pair->a[2]], &p[pair->b[2]]), c0),
    };
}

/// Rejects candidates in which the plane of one triangle separates them; returns the number left.
static uint32_t cull_by_planes(const frc_tri_block* block, crossing* out) {
    const uint32_t total = block->list_count[FRC_TRI_NONADJACENT];
    const uint8_t* list = block->list[FRC_TRI_NONADJACENT];
    uint32_t count = 0;
    if (!total) return 0;
    corners next = load_corners(block, list[0]);
    for (uint32_t i = 0; i < total; i++) {
        const uint32_t candidate = list[i];
        const frc_vec3x2 c0 = next.c0, e1 = next.e1, e2 = next.e2;
        next = load_corners(block, list[i + 1]);
        const frc_vec3x2 g = frc_vec3x2_sub(c0, frc_vec3x2_swap(c0)),
                         n = frc_vec3x2_swap(frc_vec3x2_cross(e1, e2));
        // n: each lane has the normal of the other triangle. The sides of the corners 1 and 2 are
        // that of corner 0 plus the contribution of an edge.
        const f64x2 d0 = frc_vec3x2_dot(n, g);
        const f64x2 d1 = f64x2_add(d0, frc_vec3x2_dot(n, e1));
        const f64x2 d2 = f64x2_add(d0, frc_vec3x2_dot(n, e2));
        // The lanes of g are opposite, so the larger of both is the magnitude.
        const f64x2 edge = f64x2_max(frc_vec3x2_largest(frc_vec3x2_abs(e1)),
                                     frc_vec3x2_largest(frc_vec3x2_abs(e2)));
        const double bound = frc_tri_bound(f64x2_max_lane(f64x2_max(edge, frc_vec3x2_largest(g))));
        crossing* c = &out[count];
        f64x2_store(c->side[0], d0), f64x2_store(c->side[1], d1), f64x2_store(c->side[2], d2);
        c->bound = bound;
        c->candidate = candidate;
        count += !frc_tri_separated(f64x2_min(f64x2_min(d0, d1), d2),
                                    f64x2_max(f64x2_max(d0, d1), d2), bound);
    }
    return count;
}

/// Bit i is set if corner i is above.
static inline unsigned above_zero(const double side[3][2], int lane) {
    return (unsigned)(side[0][lane] > 0) | (unsigned)(side[1][lane] > 0) << 1 |
           (unsigned)(side[2][lane] > 0) << 2;
}

/// The vertices of both triangles, starting with the corner that is alone on its side.
typedef struct interval {
    uint32_t a[3], b[3], candidate;
    double bound;
} interval;

/// False when a side is uncertain.
static inline bool order_corners(const frc_tri_block* block, const crossing* c, interval* out) {
    const f64x2 d0 = f64x2_load(c->side[0]), d1 = f64x2_load(c->side[1]),
                d2 = f64x2_load(c->side[2]);
    const f64x2 least = f64x2_min(f64x2_min(f64x2_abs(d0), f64x2_abs(d1)), f64x2_abs(d2));
    // If all are certain, one corner of each triangle is alone on its side, as none is separated.
    const int alone_a = frc_alone_corner[above_zero(c->side, 0)];
    const int alone_b = frc_alone_corner[above_zero(c->side, 1)];
    if (!(f64x2_min_lane(least) > c->bound)) return false;
    const uint8_t* a = frc_corner_order[alone_a & 3][alone_b >> 2];
    const uint8_t* b = frc_corner_order[alone_b & 3][alone_a >> 2];
    const frc_tri_pair* pair = &block->pairs[c->candidate];
    *out = (interval){
        {pair->a[a[0]], pair->a[a[1]], pair->a[a[2]]},
        {pair->b[b[0]], pair->b[b[1]], pair->b[b[2]]},
        c->candidate,
        c->bound
    };
    return true;
}

static bool separated_by_edge(const frc_tri_block* block, uint32_t candidate) {
    const frc_tri_pair* pair = &block->pairs[candidate];
    const uint32_t* const vertices[2] = {pair->a, pair->b};
    const frc_point* origin = &block->points[pair->a[0]];
    frc_tri_six six;
    for (int i = 0; i < 6; i++) {
        const frc_point* p = &block->points[vertices[i / 3][i % 3]];
        six.p[i][0] = p->x[1] - origin->x[1];
        six.p[i][1] = p->y[1] - origin->y[1];
        six.p[i][2] = p->z[1] - origin->z[1];
    }
    return frc_tri_separated_by_edge(&six);
}

static void decide_exactly(frc_tri_block* block, uint32_t candidate) {
    static const uint8_t order[3] = {0, 1, 2};
    block->hit[candidate] = false;
    if (separated_by_edge(block, candidate)) return;
    frc_tri_block_exact(block, candidate, order, order, frc_tri_tri_nonadjacent);
}

void frc_tri_block_nonadjacent(frc_tri_block* block) {
    crossing crossings[FRC_TRI_BLOCK + 1];
    interval intervals[FRC_TRI_BLOCK];
    uint32_t interval_count = 0;
    const uint32_t count = cull_by_planes(block, crossings);
    for (uint32_t i = 0; i < count; i++) {
        if (order_corners(block, &crossings[i], &intervals[interval_count]))
            interval_count++;
        else
            decide_exactly(block, crossings[i].candidate);
    }
    for (uint32_t i = 0; i < interval_count; i++) {
        // Lane 0: det(a1-a0, b1-b0, b0-a0), lane 1: det(a2-a0, b2-b0, b0-a0). Edges may reach 2s
        // and the last vector 3s: 48u * 12s^3 is below 8 frc_tri_bound(s), and partial sums stay
        // below (8s)^3.
        const interval* t = &intervals[i];
        const frc_point* p = block->points;
        const frc_vec3x2 a0 = frc_tri_load(&p[t->a[0]], &p[t->a[0]]),
                         b0 = frc_tri_load(&p[t->b[0]], &p[t->b[0]]);
        const frc_vec3x2 ea = frc_vec3x2_sub(frc_tri_load(&p[t->a[1]], &p[t->a[2]]), a0);
        const frc_vec3x2 eb = frc_vec3x2_sub(frc_tri_load(&p[t->b[1]], &p[t->b[2]]), b0);
        const f64x2 det = frc_vec3x2_dot(frc_vec3x2_cross(ea, eb), frc_vec3x2_sub(b0, a0));
        const int first = f64x2_low(det) > 0, second = f64x2_high(det) < 0;
        block->hit[t->candidate] = (uint8_t)(first & second);
        if (!(f64x2_min_lane(f64x2_abs(det)) > 8 * t->bound)) decide_exactly(block, t->candidate);
    }
}
