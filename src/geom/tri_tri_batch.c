/// @file tri_tri_batch.c  Batches of triangle pairs. A block of candidates goes through passes
/// without unpredictable branches: classify by the number of shared vertices, then for each kind
/// evaluate the signs that decide it. Candidates with a sign inside its error bound are decided
/// from scratch by the exact functions.
#include "base/simd_int.h"
#include "geom/tri_tri_block.h"

/// Bit 3i + j: corner i of a is corner j of b. Bits above SHARED_SHIFT: the number of shared
/// corners, or at least REPEATED >> SHARED_SHIFT when an index repeats within a triangle.
enum { SHARED_SHIFT = 16, SHARED = 1 << SHARED_SHIFT, REPEATED = 4 << SHARED_SHIFT };

/// The weights of equal indices, or'ed per lane, then summed over the lanes: each shared corner of
/// b adds SHARED once.
static inline uint32_t compare_corners(const frc_tri_pair* pair) {
    static const uint32_t weights[6][4] = {
        {REPEATED, SHARED | 1 << 0, SHARED | 1 << 1, SHARED | 1 << 2}, // a0 with a2 b0 b1 b2
        {REPEATED, SHARED | 1 << 3, SHARED | 1 << 4, SHARED | 1 << 5}, // a1 with a2 b0 b1 b2
        {0,        SHARED | 1 << 6, SHARED | 1 << 7, SHARED | 1 << 8}, // a2 with b0 b1 b2
        {REPEATED, 0,               0,               REPEATED       }, // a0 a1, b0 b1
        {0,        0,               0,               REPEATED       }, // b0 b2
        {0,        0,               0,               REPEATED       }, // b1 b2
    };
    const uint32_t* v = pair->a;
    const u32x4 from0 = u32x4_load(v), from1 = u32x4_load(v + 1), from2 = u32x4_load(v + 2);
    const u32x4 equal[6] = {u32x4_eq(from2, u32x4_splat_first(from0)),
                            u32x4_eq(from2, u32x4_splat_first(from1)),
                            u32x4_eq(from2, u32x4_splat_first(from2)),
                            u32x4_eq(from0, from1),
                            u32x4_eq(from0, from2),
                            u32x4_eq(from1, from2)};
    u32x4 bits = u32x4_and(equal[0], u32x4_load(weights[0]));
    for (int i = 1; i < 6; i++) bits = u32x4_or(bits, u32x4_and(equal[i], u32x4_load(weights[i])));
    return u32x4_sum(bits);
}

/// Lists the candidates of each kind, and prefetches the points, which the later passes read in an
/// order that the hardware does not predict. Not inlined, so that its constants stay in registers.
static __attribute__((noinline)) void classify(frc_tri_block* block, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const frc_tri_pair* pair = &block->pairs[i];
        const uint32_t bits = compare_corners(pair), shared = bits >> SHARED_SHIFT;
        const uint32_t kind = shared < FRC_TRI_OTHER ? shared : FRC_TRI_OTHER;
        block->equal[i] = (uint16_t)bits;
        block->list[kind][block->list_count[kind]++] = (uint8_t)i;
        for (int k = 0; k < 3; k++) {
            __builtin_prefetch(&block->points[pair->a[k]]);
            __builtin_prefetch(&block->points[pair->b[k]]);
        }
    }
    for (int kind = 0; kind < FRC_TRI_KINDS; kind++) {
        const uint32_t n = block->list_count[kind];
        if (n) block->list[kind][n] = block->list[kind][n - 1];
    }
}

static inline void end_position(const frc_point* p, double out[3]) {
    out[0] = p->x[1], out[1] = p->y[1], out[2] = p->z[1];
}

void frc_tri_block_exact(frc_tri_block* block, uint32_t candidate, const uint8_t a[3],
                         const uint8_t b[3], frc_tri_decide_fn* decide) {
    const frc_tri_pair* pair = &block->pairs[candidate];
    double p[6][3];
    for (int i = 0; i < 3; i++) {
        end_position(&block->points[pair->a[a[i]]], p[i]);
        end_position(&block->points[pair->b[b[i]]], p[3 + i]);
    }
    const double* const pa[3] = {p[0], p[1], p[2]};
    const double* const pb[3] = {p[3], p[4], p[5]};
    block->hit[candidate] = decide(pa, pb);
    block->exact++;
}

/// Candidates with repeated indices and duplicate faces.
static void decide_other(frc_tri_block* block) {
    for (uint32_t i = 0; i < block->list_count[FRC_TRI_OTHER]; i++) {
        const uint32_t candidate = block->list[FRC_TRI_OTHER][i];
        const frc_tri_pair* pair = &block->pairs[candidate];
        double a[3][3], b[3][3];
        for (int k = 0; k < 3; k++) {
            end_position(&block->points[pair->a[k]], a[k]);
            end_position(&block->points[pair->b[k]], b[k]);
        }
        block->hit[candidate] = frc_tri_tri_mesh(a, pair->a, b, pair->b);
        block->exact++;
    }
}

size_t frc_tri_tri_batch(const frc_point* points, const frc_tri_pair* pairs, size_t count,
                         uint32_t* hits, frc_tri_counts* counts) {
    frc_tri_block block;
    size_t hit_count = 0;
    block.points = points;
    block.exact = 0;
    for (size_t begin = 0; begin < count; begin += FRC_TRI_BLOCK) {
        const size_t left = count - begin;
        const uint32_t size = left < FRC_TRI_BLOCK ? (uint32_t)left : FRC_TRI_BLOCK;
        block.pairs = pairs + begin;
        memset(block.list_count, 0, sizeof block.list_count);
        memset(block.hit, 0, sizeof block.hit);
        classify(&block, size);
        frc_tri_block_nonadjacent(&block);
        frc_tri_block_at_vertex(&block);
        frc_tri_block_at_edge(&block);
        decide_other(&block);
        for (uint32_t i = 0; i < size; i++) {
            hits[hit_count] = (uint32_t)begin + i;
            hit_count += block.hit[i];
        }
    }
    if (counts) {
        counts->exact += block.exact;
        counts->filtered += count - block.exact;
    }
    return hit_count;
}
