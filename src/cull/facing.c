/// @file facing.c  Do all triangles of a patch face the direction, at all times of the span?
///
/// At rest the test takes four triangles at a time in floats. Where that is not certain it repeats
/// them in doubles, with the bound of patch.h. The floats are points rounded down (frc_low): half
/// the memory, and one load for three coordinates. Over a step doubles are as fast: their two lanes
/// are the two ends.
///
/// Error bound of the floats. With e = 2^-24, R the largest coordinate (`reach`):
///   - the float below a coordinate is off by at most d = 2^-23 R, always downward, so that a
///     difference of two is off by at most d. E is the largest difference computed for a triangle,
///     of both its sides and all coordinates: each has an error of at most d + eE.
///   - a product of two: 2E (d + eE) + (d + eE)^2, and eE^2 for its own rounding. A coordinate of
///     the normal is the difference of two, at most 2E^2, with another 2eE^2: in all
///     4Ed + 8eE^2 + 2d^2, and terms with e^2 or ed.
///   - N.V is a sum of three; the coordinates of V are floats, none above 1. Rounding: 2eE^2 for
///     each product, 4eE^2 and 6eE^2 for the sums. In all 12Ed + 40eE^2 + 6d^2, and terms with e^2
///     or ed. B = 16 (E + d) (d + 4e (E + d)) = 16Ed + 64eE^2 + 16d^2 + ... leaves a quarter as
///     margin for those and for the rounding of B itself.
/// R lies in [1e-10, 1e10]: nothing overflows; d > 1e-17, so what underflows (2^-149) is far below
/// d^2.
#include "base/simd.h"
#include "cull/patch.h"

#ifndef FRC_FACING_SLACK  // a test sets it to 0 and must then fail
#define FRC_FACING_SLACK 16
#endif

// ---- in doubles

// Face slots [begin, end), at the end of the step.
static frc_cull_answer faces_at_rest(const frc_patch* patch, uint32_t begin, uint32_t end) {
    const double error = FRC_CULL_ERROR * patch->size * patch->size;
    const double sign = patch->flip ? -1 : 1, g = patch->slope[0], h = patch->slope[1];
    for (uint32_t s = begin; s < end; s++) {
        const frc_face_slot* face = &patch->block->faces[s];
        if (face->id == FRACAS_NONE) continue;
        double e[3], f[3];
        for (int k = 0; k < 3; k++) {
            const int axis = patch->axis[k];
            const double a = frc_ends_of(&patch->points[face->point[0]], axis)[1];
            e[k] = frc_ends_of(&patch->points[face->point[1]], axis)[1] - a;
            f[k] = frc_ends_of(&patch->points[face->point[2]], axis)[1] - a;
        }
        const double eu = e[0] - g * e[2], ew = e[1] - h * e[2];
        const double fu = f[0] - g * f[2], fw = f[1] - h * f[2];
        if (!(sign * (eu * fw - ew * fu) > error)) return FRC_CULL_NO;
    }
    return FRC_CULL_YES;
}

// Lanes are the two ends of the span.
typedef struct edge_in_time {
    f64x2 u, w;
} edge_in_time;

typedef struct view {
    f64x2 late, early;  // weights of the end and of the start of the step
    f64x2 g, h;
    bool whole;
} view;

static inline edge_in_time make_edge(const frc_patch* patch, const view* v, const frc_point* from,
                                     const frc_point* to) {
    f64x2 d[3];
    for (int k = 0; k < 3; k++) {
        int axis = patch->axis[k];
        f64x2 a = f64x2_load(frc_ends_of(from, axis)), b = f64x2_load(frc_ends_of(to, axis));
        d[k] = f64x2_sub(b, a);
        if (v->whole) continue;
        const f64x2 first = f64x2_low_low(d[k], d[k]), last = f64x2_high_high(d[k], d[k]);
        d[k] = f64x2_add(f64x2_mul(first, v->early), f64x2_mul(last, v->late));
    }
    return (edge_in_time){f64x2_sub(d[0], f64x2_mul(v->g, d[2])),
                          f64x2_sub(d[1], f64x2_mul(v->h, d[2]))};
}

static inline f64x2 cross_lanes(f64x2 eu, f64x2 ew, f64x2 fu, f64x2 fw) {
    return f64x2_sub(f64x2_mul(eu, fw), f64x2_mul(ew, fu));
}

// N.V is a quadratic in time; its three Bernstein coefficients bound it.
static frc_cull_answer faces_in_time(const frc_patch* patch) {
    double error = FRC_CULL_ERROR * patch->size * patch->size;
    double sign = patch->flip ? -1 : 1;
    const double late[2] = {patch->from, patch->to}, early[2] = {1 - patch->from, 1 - patch->to};
    view v = {f64x2_load(late), f64x2_load(early), f64x2_splat(patch->slope[0]),
              f64x2_splat(patch->slope[1]), patch->from == 0 && patch->to == 1};
    frc_cull_answer answer = FRC_CULL_YES;
    for (uint32_t s = patch->begin; s < patch->end; s++) {
        const frc_face_slot* face = &patch->block->faces[s];
        if (face->id == FRACAS_NONE) continue;
        const frc_point* p = patch->points;
        edge_in_time e = make_edge(patch, &v, &p[face->point[0]], &p[face->point[1]]);
        edge_in_time f = make_edge(patch, &v, &p[face->point[0]], &p[face->point[2]]);
        f64x2 ends = cross_lanes(e.u, e.w, f.u, f.w);
        f64x2 mixed = cross_lanes(e.u, e.w, f64x2_swap(f.u), f64x2_swap(f.w));
        double first = sign * f64x2_low(ends), last = sign * f64x2_high(ends);
        double middle = sign * (f64x2_low(mixed) + f64x2_high(mixed));  // twice the coefficient
        if (!(first > error && last > error)) return FRC_CULL_NO;
        if (!(middle > 2 * error)) answer = FRC_CULL_PART;
    }
    return answer;
}

// ---- four triangles, in floats

typedef struct vec4 {
    f32x4 x, y, z;
} vec4;

static inline f32x4 two_by_two(f32x4 a, f32x4 b, f32x4 c, f32x4 d) {
    return f32x4_sub(f32x4_mul(a, b), f32x4_mul(c, d));
}

typedef struct float_view {
    vec4 direction;
    f32x4 d;
    f32x4 enough;  // B for the largest difference in the patch
} float_view;

static inline vec4 transpose(const f32x4 in[4]) {
    f32x4 out[3];
    f32x4_transpose3(in, out);
    return (vec4){out[0], out[1], out[2]};
}

static inline f32x4 lowest(vec4 a) { return f32x4_min(f32x4_min(a.x, a.y), a.z); }
static inline f32x4 highest(vec4 a) { return f32x4_max(f32x4_max(a.x, a.y), a.z); }

// B for the largest difference E.
static inline f32x4 bound(const float_view* v, f32x4 largest) {
    f32x4 wide = f32x4_add(largest, v->d);
    f32x4 other = f32x4_add(v->d, f32x4_mul(f32x4_splat(0x1p-22f), wide));
    return f32x4_mul(f32x4_mul(f32x4_splat(FRC_FACING_SLACK), wide), other);
}

// Do four slots face the direction for certain? Empty ones are replaced by the triangle `other`.
static inline bool four_face_up(const frc_patch* patch, const float_view* v,
                                const frc_face_slot* faces, const uint32_t* other) {
    f32x4 sides[2][4];
    for (int i = 0; i < 4; i++) {
        const uint32_t* point = faces[i].id == FRACAS_NONE ? other : faces[i].point;
        const f32x4 a = f32x4_load(patch->lows[point[0]].at[1]);
        sides[0][i] = f32x4_sub(f32x4_load(patch->lows[point[1]].at[1]), a);
        sides[1][i] = f32x4_sub(f32x4_load(patch->lows[point[2]].at[1]), a);
    }
    // (e x f).V
    const vec4 e = transpose(sides[0]), f = transpose(sides[1]);
    const f32x4 x = f32x4_mul(v->direction.x, two_by_two(e.y, f.z, e.z, f.y));
    const f32x4 y = f32x4_mul(v->direction.y, two_by_two(e.z, f.x, e.x, f.z));
    const f32x4 z = f32x4_mul(v->direction.z, two_by_two(e.x, f.y, e.y, f.x));
    const f32x4 up = f32x4_add(f32x4_add(x, y), z);
    if (m32x4_bits(f32x4_lt(v->enough, up)) == 15) return true;
    const f32x4 low = f32x4_min(lowest(e), lowest(f)), high = f32x4_max(highest(e), highest(f));
    const f32x4 largest = f32x4_max(high, f32x4_sub(f32x4_splat(0), low));
    return m32x4_bits(f32x4_lt(bound(v, largest), up)) == 15;
}

frc_cull_answer frc_patch_faces_up(const frc_patch* patch) {
    if (patch->ends == 2) return faces_in_time(patch);
    if (!patch->lows || !(patch->reach > 1e-10 && patch->reach < 1e10))
        return faces_at_rest(patch, patch->begin, patch->end);
    float along[3];
    for (int k = 0; k < 3; k++) {
        const float part = k == 2 ? 1 : (float)patch->slope[k];
        along[patch->axis[k]] = patch->flip ? -part : part;
    }
    float_view v = {
        .direction = {f32x4_splat(along[0]), f32x4_splat(along[1]), f32x4_splat(along[2])},
        .d = f32x4_splat((float)(0x1.00001p-23 * patch->reach))
    };
    v.enough = bound(&v, f32x4_splat((float)(1.00001 * patch->size)));
    const uint32_t* other = patch->block->faces[patch->begin].point;
    for (uint32_t s = patch->begin; s < patch->end; s += 4) {
        uint32_t end = s + 4 < patch->end ? s + 4 : patch->end;
        if (end == s + 4 && four_face_up(patch, &v, &patch->block->faces[s], other)) continue;
        if (faces_at_rest(patch, s, end) != FRC_CULL_YES) return FRC_CULL_NO;
    }
    return FRC_CULL_YES;
}
