/// @file tri_tri_block.h  A block of triangle pairs and what its filter passes share; private to
/// tri_tri_batch*.c.
///
/// The filters evaluate determinants of coordinate differences, two per vector; tri_tri_bound.h has
/// their error bound.
#pragma once
#include "geom/tri_tri.h"
#include "geom/tri_tri_bound.h"
#include "geom/vec3_simd.h"

enum { FRC_TRI_BLOCK = 256 };

/// Kinds of candidates: no shared vertex, one, an edge, or anything else (repeated indices,
/// duplicate faces).
enum { FRC_TRI_NONADJACENT, FRC_TRI_AT_VERTEX, FRC_TRI_AT_EDGE, FRC_TRI_OTHER, FRC_TRI_KINDS };

typedef struct frc_tri_block {
    const frc_point* points;
    const frc_tri_pair* pairs;
    uint64_t exact;  ///< candidates decided by the exact functions
    uint32_t list_count[FRC_TRI_KINDS];
    uint8_t list[FRC_TRI_KINDS]
                [FRC_TRI_BLOCK + 1];  ///< candidates of each kind, the last one repeated
    uint16_t equal[FRC_TRI_BLOCK];    ///< bit 3i + j: corner i of a is corner j of b
    uint8_t hit[FRC_TRI_BLOCK];       ///< the results
} frc_tri_block;

/// Decide the candidates of one kind.
void frc_tri_block_nonadjacent(frc_tri_block* block);
void frc_tri_block_at_vertex(frc_tri_block* block);
void frc_tri_block_at_edge(frc_tri_block* block);

/// Decide one candidate exactly, with the corners of a and b in the given orders.
typedef bool frc_tri_decide_fn(const double* const a[3], const double* const b[3]);
void frc_tri_block_exact(frc_tri_block* block, uint32_t candidate, const uint8_t a[3],
                         const uint8_t b[3], frc_tri_decide_fn* decide);

/// True if in some lane all values are above `bound` or all are below -`bound`; `low` and `high`
/// are the smallest and largest value per lane.
static inline bool frc_tri_separated(f64x2 low, f64x2 high, double bound) {
    return f64x2_max_lane(f64x2_max(low, f64x2_neg(high))) > bound;
}

/// The end position of p in lane 0, of q in lane 1.
static inline frc_vec3x2 frc_tri_load(const frc_point* p, const frc_point* q) {
    return (frc_vec3x2){f64x2_high_high(f64x2_load(p->x), f64x2_load(q->x)),
                        f64x2_high_high(f64x2_load(p->y), f64x2_load(q->y)),
                        f64x2_high_high(f64x2_load(p->z), f64x2_load(q->z))};
}
