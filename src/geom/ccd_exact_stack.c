/// @file ccd_exact_stack.c  The exact stage with its arena on the stack.
#include "exact/algebraic.h"
#include "geom/ccd_stages.h"

enum { LARGE_BITS = 2098, LARGE_LIMBS = FRC_CCD_EXACT_LIMBS(LARGE_BITS) };  // any finite doubles

typedef struct query {
    frc_ccd_kind kind;
    const frc_point* const* points;
    int exponent[3];
    bool after_start;
    double tolerance;
} query;

static bool decide(const query* q, uint64_t* limbs, uint32_t count, double* toi) {
    FRC_COVER_ARENA(limbs, count, false);
    const bool hit = frc_ccd_exact_decide((frc_big_arena){limbs, limbs + count}, q->kind, q->points,
                                          q->exponent, q->after_start, q->tolerance, toi);
    FRC_COVER_ARENA(limbs, count, true);
    return hit;
}

// Not inlined: only coordinates that span more than 112 bits on an axis need this stack frame.
__attribute__((noinline)) static bool decide_large(const query* q, double* toi) {
    uint64_t limbs[LARGE_LIMBS];
    return decide(q, limbs, LARGE_LIMBS, toi);
}

bool frc_ccd_exact_in_arena(frc_ccd_kind kind, const frc_point* const points[4], bool after_start,
                            double tolerance, double* toi) {
    query q = {kind, points, {0}, after_start, tolerance};
    if (frc_ccd_exact_units(points, q.exponent) > FRC_CCD_SMALL_BITS) return decide_large(&q, toi);
    uint64_t limbs[FRC_CCD_SMALL_LIMBS];
    return decide(&q, limbs, FRC_CCD_SMALL_LIMBS, toi);
}

bool frc_ccd_exact_within(frc_ccd_kind kind, const frc_point* const points[4], bool after_start,
                          double tolerance, double* toi) {
    int exponent[3];
    const int bits = frc_ccd_exact_units(points, exponent);
    const frc_ccd_verdict verdict =
        frc_ccd_exact_fixed(kind, points, exponent, bits, after_start, tolerance, toi);
    if (verdict != FRC_CCD_UNSURE) return verdict == FRC_CCD_HIT;
    return frc_ccd_exact_in_arena(kind, points, after_start, tolerance, toi);
}

bool frc_ccd_exact(frc_ccd_kind kind, const frc_point points[4], bool after_start, double* toi) {
    const frc_point* const list[4] = {&points[0], &points[1], &points[2], &points[3]};
    return frc_ccd_exact_within(kind, list, after_start, 0x1p-38, toi);
}
