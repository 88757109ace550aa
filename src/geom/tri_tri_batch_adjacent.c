// Candidates with a common vertex or a common edge (tri_tri_signs.c has the rules).
#include "geom/tri_tri_block.h"
#include "geom/tri_tri_exact.h"
#include "geom/tri_tri_signs.h"

/* ---- a vertex: lane 0 is triangle a, lane 1 is triangle b */

/// Bit 3i + j of the equal corners, to the corners from the common one on.
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

/// The edges from the common vertex, those of a in lane 0, of b in lane 1.
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

/// What the first pass leaves for the second: the sides of the two other corners, a's in lane 0.
typedef struct wedge {
    double side[2][2], bound;
    uint32_t candidate;
} wedge;

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

/// None is separated, so where all four sides are certain each triangle has a corner above and one
/// below.
static inline bool compare_rays(frc_tri_block* block, const wedge* w) {
    unsigned certain = 0;
    for (int i = 0; i < 2; i++)
        for (int lane = 0; lane < 2; lane++)
            certain += (w->side[i][lane] > w->bound) | (w->side[i][lane] < -w->bound);
    block->hit[w->candidate] = (w->side[0][0] > 0) != (w->side[0][1] > 0);
    return certain == 4;
}

void frc_tri_block_at_vertex(frc_tri_block* block) {
    wedge wedges[FRC_TRI_BLOCK + 1];
    const uint32_t count = cull_wedges(block, wedges);
    for (uint32_t i = 0; i < count; i++) {
        if (compare_rays(block, &wedges[i])) continue;
        const frc_tri_order* order = vertex_order(block, wedges[i].candidate);
        frc_tri_block_exact(block, wedges[i].candidate, order->a, order->b, frc_tri_tri_at_vertex);
    }
}

/* ---- an edge: each lane is a candidate */

/// Corners of both triangles, the common ones first and in the same order.
static frc_tri_order edge_order(unsigned equal) {
    const unsigned first = (unsigned)__builtin_ctz(equal);
    const unsigned second = (unsigned)__builtin_ctz(equal & (equal - 1));
    const uint8_t a0 = from_vertex[first].a[0], a1 = from_vertex[second].a[0];
    const uint8_t b0 = from_vertex[first].b[0], b1 = from_vertex[second].b[0];
    return (frc_tri_order){
        .a = {a0, a1, (uint8_t)(3 - a0 - a1)},
          .b = {b0, b1, (uint8_t)(3 - b0 - b1)}
    };
}

/// From the first corner of a: its edges, and the corner of b that a does not have.
typedef struct hinge {
    frc_vec3x2 e1, e2, apex;
} hinge;

static inline uint32_t find_apex(const frc_tri_block* block, uint32_t candidate) {
    const unsigned equal = block->equal[candidate];
    return block->pairs[candidate].b[__builtin_ctz(~(equal | equal >> 3 | equal >> 6))];
}

static inline hinge load_hinge(const frc_tri_block* block, uint32_t i, uint32_t j) {
    const frc_point* p = block->points;
    const uint32_t *a = block->pairs[i].a, *b = block->pairs[j].a;
    const frc_vec3x2 origin = frc_tri_load(&p[a[0]], &p[b[0]]);
    return (hinge){
        frc_vec3x2_sub(frc_tri_load(&p[a[1]], &p[b[1]]), origin),
        frc_vec3x2_sub(frc_tri_load(&p[a[2]], &p[b[2]]), origin),
        frc_vec3x2_sub(frc_tri_load(&p[find_apex(block, i)], &p[find_apex(block, j)]), origin),
    };
}

static void decide_hinge(frc_tri_block* block, uint32_t candidate) {
    const frc_tri_order order = edge_order(block->equal[candidate]);
    frc_tri_block_exact(block, candidate, order.a, order.b, frc_tri_tri_at_edge);
}

void frc_tri_block_at_edge(frc_tri_block* block) {
    const uint32_t total = block->list_count[FRC_TRI_AT_EDGE];
    const uint8_t* list = block->list[FRC_TRI_AT_EDGE];
    for (uint32_t i = 0; i < total; i += 2) {
        // After an odd last one comes itself.
        const hinge h = load_hinge(block, list[i], list[i + 1]);
        const f64x2 volume = f64x2_abs(frc_vec3x2_dot(frc_vec3x2_cross(h.e1, h.e2), h.apex));
        const f64x2 size = f64x2_max(f64x2_max(frc_vec3x2_largest(frc_vec3x2_abs(h.e1)),
                                               frc_vec3x2_largest(frc_vec3x2_abs(h.e2))),
                                     frc_vec3x2_largest(frc_vec3x2_abs(h.apex)));
        const double bound = frc_tri_bound(f64x2_max_lane(size));
        if (f64x2_min_lane(volume) > bound) continue;
        if (!(f64x2_low(volume) > bound)) decide_hinge(block, list[i]);
        if (i + 1 < total && !(f64x2_high(volume) > bound)) decide_hinge(block, list[i + 1]);
    }
}
