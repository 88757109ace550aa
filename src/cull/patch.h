/// @file patch.h  A patch of triangles projected along one direction: can it be proved that no two
/// of them touch?
///
/// Based on: volino1994, with the complete contour of the patch; winding numbers replace the
/// condition that it is one connected piece with one boundary.
///
/// The theorem (docs/cull.md has the proof). Let S be triangles, V a direction with N.V > 0 for the
/// normal N of every triangle, and let the contour be the half-edges of S whose opposite half-edge
/// is not in S. If, projected along V,
///   1. two contour edges meet only where one ends and the other begins, in that common vertex,
///   2. no vertex has two contour edges that begin, or two that end there,
///   3. to the left of each loop of the contour its winding number is 1,
/// then the projections of any two triangles of S have in common exactly what the triangles share.
/// In short: each projected triangle runs counter-clockwise, so the number of triangles over a
/// point is the winding number of the contour there, which is 0 or 1: interiors are disjoint. Now
/// walk around a common point of two projected triangles, from neighbour to neighbour across paired
/// half-edges. The walk that starts at the first triangle reaches the second, because a separate
/// walk through the second would cover directions that are covered already. Every triangle on the
/// walk has the same vertex or edge at the point. So no pair in S is a contact by the mesh rules
/// (geom/tri_tri.h). If the conditions hold at all times of the step, no vertex meets a face, and
/// no edge meets an edge without a common vertex.
///
/// The numbers. Points are taken relative to an origin in the patch; D is at least the largest
/// difference of coordinates within the patch, over the whole step. V is (g, h, 1) in permuted
/// axes, |g|, |h| <= 1, with g and h as rounded to floats: this V itself is the direction, so the
/// rounding adds no error.
/// With e = 2^-53:
///   - a coordinate relative to the origin: 1 rounding, error <= eD; between the ends of the step
///     (d0 (1 - t) + d1 t with t a multiple of 1/4) at most 3 eD.
///   - a projected coordinate u = x - g z: 3 + 3 from x and z, 1 from the product, 2 from the
///     difference (|u| <= 2D): at most 9 eD. FRC_CULL_ETA = 12 eD covers second-order terms too.
///   - let all projected coordinates be any numbers within ETA of the computed ones. A computed
///     difference of two then has an error of at most 24 + 4 eD and a magnitude of at most 4D; a
///     product of two has an error of 2 * 4 * 28 + 16 = 240 eD^2, the determinant of four one of
///     2 * 240 + 32 = 512 eD^2.
///     FRC_CULL_ERROR = 640 eD^2.
///   - a normal's determinant consists of differences of points, which are smaller: 88 eD^2.
///     (facing.c tests in floats first.)
/// D lies in [1e-140, 1e140], so nothing overflows, and errors of underflow are far below the
/// margin. A value within the bound has no certain sign: the patch is then not certified.
#pragma once
#include "base/array.h"
#include "block/block.h"
#include <stddef.h>

/// A contour edge from vertex a to vertex b, projected: [end of the time span][a or b].
typedef struct frc_cull_edge {
    uint32_t a, b;
    double u[2][2], w[2][2];
} frc_cull_edge;

/// Memory for one worker, reused from patch to patch.
typedef struct frc_cull_scratch {
    fracas_context* context;
    FRC_ARRAY(uint32_t) halves;  // half-edges of the contour, unless `loop` is from the cache
    FRC_ARRAY(uint32_t) points;  // memory of `loop`
    const uint32_t* loop;  // NULL, or the contour as one loop: its points, then the first again
    uint32_t loop_count;   // edges of the loop
    FRC_ARRAY(frc_cull_edge) edges;  // contour, projected
    FRC_ARRAY(float) boxes;
    FRC_ARRAY(uint32_t) words;
    FRC_ARRAY(uint64_t) orphans;
    const frc_low* lows;  // as in frc_patch
    bool use_contour_cache;
    bool out_of_memory;
} frc_cull_scratch;

void frc_cull_scratch_release(frc_cull_scratch* scratch);

/// Face slots [begin, end) of a block, over a span of time, with a direction of projection.
typedef struct frc_patch {
    const frc_block* block;
    const frc_point* points;
    const frc_low* lows;  // points rounded down to floats; NULL: not available
    uint32_t begin, end;
    uint32_t ends;        // 1: at the end of the step; 2: from time `from` to time `to`
    double from, to;      // multiples of 1/4
    double size;          // D
    double reach;         // largest magnitude of a coordinate
    double origin[2][3];  // at t = 0 and at t = 1
    int axis[3];          // a cyclic permutation; the last is the main axis of the direction
    double slope[2];      // g, h
    bool flip;            // the direction is negative along the main axis
} frc_patch;

#define FRC_CULL_ETA (12 * 0x1p-53)
#define FRC_CULL_ERROR (640 * 0x1p-53)

typedef enum frc_cull_answer {
    FRC_CULL_NO,    // not certain, and halving the time span will not help
    FRC_CULL_PART,  // not certain; it may be over parts of the time span
    FRC_CULL_YES
} frc_cull_answer;

/// Quick rejection: false when the normals of a sample of triangles spread so far that a direction
/// that all triangles face is unlikely to exist. No certificate depends on it.
bool frc_patch_normals_agree(const frc_patch* patch);
/// Write the contour, the half-edges of the patch whose opposite half-edge is outside, into
/// scratch->halves. False: no memory.
bool frc_patch_contour(const frc_patch* patch, frc_cull_scratch* scratch);
/// If the contour is one loop, write it into scratch->loop, which later steps then use instead of
/// the half-edges. False: no memory.
bool frc_patch_find_loop(const frc_patch* patch, frc_cull_scratch* scratch);
/// Set the direction to the sum of all normals, which depends on the contour only. False: it is
/// zero.
bool frc_patch_find_direction(frc_patch* patch, const frc_cull_scratch* scratch);
/// Set a given direction. False: it is zero or not finite.
bool frc_patch_set_direction(frc_patch* patch, const double direction[3]);
/// N.V > 0 for all triangles at all times of the span?
frc_cull_answer frc_patch_faces_up(const frc_patch* patch);
/// Write the projected contour into scratch->edges, in the order of the loop. False: no memory.
bool frc_patch_project(const frc_patch* patch, frc_cull_scratch* scratch);
/// Test conditions 1 and 2, and 3 when `winding`, on scratch->edges. NO also when the work exceeds
/// a limit per triangle of the patch.
frc_cull_answer frc_contour_simple(const frc_patch* patch, frc_cull_scratch* scratch, bool winding);

/// One coordinate at both ends of the step: they are adjacent in frc_point.
_Static_assert(offsetof(frc_point, y) == 2 * sizeof(double), "y after x");
_Static_assert(offsetof(frc_point, z) == 4 * sizeof(double), "z after y");
static inline const double* frc_ends_of(const frc_point* point, int axis) {
    return (const double*)(const void*)((const char*)point + (size_t)axis * 2 * sizeof(double));
}
