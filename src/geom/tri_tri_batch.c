// Many triangle pairs at once. A block of candidates goes through passes that each do one thing
// without unforeseeable branches: sort by what the triangles share, then for each kind evaluate the
// signs that decide it, and keep what is not yet decided for the next pass. Candidates with a sign
// inside its error bound go to the exact functions, which decide them from scratch.
//
// The two lanes of a vector are the two triangles: lane 0 holds a, lane 1 holds b, so one
// evaluation gives the sides of b's corners of the plane of a and those of a's of the plane of b.
//
// Error bound, for u = 2^-53 and h = 2^-1075. All determinants here are (p x q).r of vectors that
// are differences of coordinates. A term carries three differences, two products and three sums, so
// the error is at most 8u/(1-8u) times the sum of the magnitudes of six terms: below 49u s^3 when
// no component exceeds s. BOUND * (4s)^3 = 64u s^3 covers that and the roundings of s. Underflowing
// products add at most 6hs + 3h. While (4s)^3 is finite s is below 2^340 and TINY covers this; and
// nothing in a determinant overflows, for its partial sums are at most 6s^3 (48s^3 where the
// components may be 2s). Otherwise the bound is infinite and decides nothing. So the filter may be
// asked with any finite doubles; it does not decide determinants below 2^-700.
#include "base/simd.h"
#include "geom/tri_tri.h"
#include "geom/tri_tri_parts.h"
#include "geom/tri_tri_signs.h"

#define BOUND 0x1p-53
#define TINY 0x1p-700

enum { BLOCK = 256 };
enum { APART, AT_VERTEX, AT_EDGE, OTHER, KINDS };

/// Which of a's corners equal which of b's (bit 3i + j), with a bit above those when indices repeat
/// within a triangle.
typedef uint16_t equalities;

typedef struct block {
    const frc_point* points;
    const frc_tri_pair* pairs;
    uint32_t list_count[KINDS];
    uint8_t list[KINDS][BLOCK];
    equalities equal[BLOCK];
    uint8_t hit[BLOCK];
    uint64_t exact;
} block;

/* ---- sorting by what is shared */

static inline uint32_t compare_corners(const frc_tri_pair* pair) {
    static const uint32_t weights[6][4] = {
        {1 << 9, 1 << 0, 1 << 1, 1 << 2}, // a0 with a2 b0 b1 b2
        {1 << 9, 1 << 3, 1 << 4, 1 << 5}, // a1 with a2 b0 b1 b2
        {0,      1 << 6, 1 << 7, 1 << 8}, // a2 with b0 b1 b2
        {1 << 9, 0,      0,      1 << 9}, // a0 a1, b0 b1
        {0,      0,      0,      1 << 9}, // b0 b2
        {0,      0,      0,      1 << 9}, // b1 b2
    };
    const uint32_t* v = pair->a;
    const u32x4 from0 = u32x4_load(v), from1 = u32x4_load(v + 1), from2 = u32x4_load(v + 2);
    u32x4 bits = u32x4_and(u32x4_eq(from2, u32x4_splat(v[0])), u32x4_load(weights[0]));
    bits = u32x4_or(bits, u32x4_and(u32x4_eq(from2, u32x4_splat(v[1])), u32x4_load(weights[1])));
    bits = u32x4_or(bits, u32x4_and(u32x4_eq(from2, u32x4_splat(v[2])), u32x4_load(weights[2])));
    bits = u32x4_or(bits, u32x4_and(u32x4_eq(from0, from1), u32x4_load(weights[3])));
    bits = u32x4_or(bits, u32x4_and(u32x4_eq(from0, from2), u32x4_load(weights[4])));
    bits = u32x4_or(bits, u32x4_and(u32x4_eq(from1, from2), u32x4_load(weights[5])));
    return u32x4_sum(bits);
}

static void sort_by_kind(block* b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bits = compare_corners(&b->pairs[i]);
        const uint32_t shared = (uint32_t)__builtin_popcount(bits & 511);
        const uint32_t kind = bits > 511 || shared > OTHER ? OTHER : shared;
        b->equal[i] = (equalities)bits;
        b->list[kind][b->list_count[kind]++] = (uint8_t)i;
        b->hit[i] = 0;
    }
}

/* ---- vectors of three, two at a time */

typedef struct v3 {
    f64x2 x, y, z;
} v3;

/// The end position of p in lane 0, of q in lane 1.
static inline v3 v3_load(const frc_point* p, const frc_point* q) {
    return (v3){f64x2_high_high(f64x2_load(p->x), f64x2_load(q->x)),
                f64x2_high_high(f64x2_load(p->y), f64x2_load(q->y)),
                f64x2_high_high(f64x2_load(p->z), f64x2_load(q->z))};
}
static inline v3 v3_sub(v3 a, v3 b) {
    return (v3){f64x2_sub(a.x, b.x), f64x2_sub(a.y, b.y), f64x2_sub(a.z, b.z)};
}
static inline v3 v3_swap(v3 a) { return (v3){f64x2_swap(a.x), f64x2_swap(a.y), f64x2_swap(a.z)}; }
static inline v3 v3_cross(v3 a, v3 b) {
    return (v3){f64x2_sub(f64x2_mul(a.y, b.z), f64x2_mul(a.z, b.y)),
                f64x2_sub(f64x2_mul(a.z, b.x), f64x2_mul(a.x, b.z)),
                f64x2_sub(f64x2_mul(a.x, b.y), f64x2_mul(a.y, b.x))};
}
static inline f64x2 v3_dot(v3 a, v3 b) {
    return f64x2_add(f64x2_add(f64x2_mul(a.x, b.x), f64x2_mul(a.y, b.y)), f64x2_mul(a.z, b.z));
}
static inline f64x2 v3_size(v3 a) {
    return f64x2_max(f64x2_max(f64x2_abs(a.x), f64x2_abs(a.y)), f64x2_abs(a.z));
}

/// 64u s^3, see the top of the file.
static inline double bound_of(double s) {
    const double t = 4 * s;
    return BOUND * (t * t * t) + TINY;
}

/* ---- no common vertex */

/// What the first pass leaves for the second: the sides of the corners, b's in lane 0.
typedef struct crossing {
    double side[3][2], bound;
    uint32_t candidate;
} crossing;

static inline bool separated(f64x2 low, f64x2 high, double bound) {
    const f64x2 gap = f64x2_max(low, f64x2_neg(high));
    return f64x2_max_lane(gap) > bound;
}

static uint32_t cull_by_planes(const block* b, crossing* out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->list_count[APART]; i++) {
        const uint32_t candidate = b->list[APART][i];
        const frc_tri_pair* pair = &b->pairs[candidate];
        const frc_point* p = b->points;
        const v3 c0 = v3_load(&p[pair->a[0]], &p[pair->b[0]]);
        const v3 c1 = v3_load(&p[pair->a[1]], &p[pair->b[1]]);
        const v3 c2 = v3_load(&p[pair->a[2]], &p[pair->b[2]]);
        const v3 e1 = v3_sub(c1, c0), e2 = v3_sub(c2, c0), n = v3_cross(e1, e2);
        const v3 g0 = v3_sub(v3_swap(c0), c0), g1 = v3_sub(v3_swap(c1), c0),
                 g2 = v3_sub(v3_swap(c2), c0);
        const f64x2 d0 = v3_dot(n, g0), d1 = v3_dot(n, g1), d2 = v3_dot(n, g2);
        // g1 and g2 are g0 plus an edge of the other triangle, so s bounds them too.
        const f64x2 edge = f64x2_max(v3_size(e1), v3_size(e2));
        const double bound = bound_of(f64x2_max_lane(edge) + f64x2_low(v3_size(g0)));
        crossing* c = &out[count];
        f64x2_store(c->side[0], d0), f64x2_store(c->side[1], d1), f64x2_store(c->side[2], d2);
        c->bound = bound;
        c->candidate = candidate;
        count +=
            !separated(f64x2_min(f64x2_min(d0, d1), d2), f64x2_max(f64x2_max(d0, d1), d2), bound);
    }
    return count;
}

/// 1 hit, 0 miss, -1 not certain.
static inline int compare_intervals(const block* b, const crossing* c) {
    unsigned above[2] = {0, 0}, certain = 0;
    for (int i = 0; i < 3; i++)
        for (int lane = 0; lane < 2; lane++) {
            const double d = c->side[i][lane];
            above[lane] |= (unsigned)(d > c->bound) << i;
            certain += (d > c->bound) | (d < -c->bound);
        }
    if (certain < 6) return -1;
    const frc_tri_order order =
        frc_order_corners(frc_alone(above[1], ~above[1] & 7), frc_alone(above[0], ~above[0] & 7));
    const frc_tri_pair* pair = &b->pairs[c->candidate];
    const frc_point *a0 = &b->points[pair->a[order.a[0]]], *b0 = &b->points[pair->b[order.b[0]]];
    // Lane 0: det(a1-a0, b1-b0, b0-a0), lane 1: det(a2-a0, b2-b0, b0-a0). After the renaming the
    // components may reach 2s.
    const v3 a = v3_load(a0, a0), q = v3_load(b0, b0);
    const v3 ea =
        v3_sub(v3_load(&b->points[pair->a[order.a[1]]], &b->points[pair->a[order.a[2]]]), a);
    const v3 eb =
        v3_sub(v3_load(&b->points[pair->b[order.b[1]]], &b->points[pair->b[order.b[2]]]), q);
    const f64x2 det = v3_dot(v3_cross(ea, eb), v3_sub(q, a));
    const double first = f64x2_low(det), second = f64x2_high(det), bound = 8 * c->bound;
    if (first < -bound || second > bound) return 0;
    return first > bound && second < -bound ? 1 : -1;
}

static inline void end_position(const frc_point* p, double out[3]) {
    out[0] = p->x[1], out[1] = p->y[1], out[2] = p->z[1];
}

typedef bool decide_fn(const double* const a[3], const double* const b[3]);

/// Corners in the given order, decided exactly.
static bool decide_exactly(block* b, uint32_t candidate, const uint8_t a[3], const uint8_t c[3],
                           decide_fn* decide) {
    const frc_tri_pair* pair = &b->pairs[candidate];
    double p[6][3];
    for (int i = 0; i < 3; i++) {
        end_position(&b->points[pair->a[a[i]]], p[i]);
        end_position(&b->points[pair->b[c[i]]], p[3 + i]);
    }
    b->exact++;
    const double* const pa[3] = {p[0], p[1], p[2]};
    const double* const pb[3] = {p[3], p[4], p[5]};
    return decide(pa, pb);
}

static void decide_apart(block* b) {
    static const uint8_t as_is[3] = {0, 1, 2};
    crossing crossings[BLOCK + 1];
    const uint32_t count = cull_by_planes(b, crossings);
    for (uint32_t i = 0; i < count; i++) {
        const crossing* c = &crossings[i];
        const int answer = compare_intervals(b, c);
        b->hit[c->candidate] =
            answer >= 0 ? (uint8_t)answer
                        : decide_exactly(b, c->candidate, as_is, as_is, frc_tri_tri_apart);
    }
}

/* ---- one common vertex */

static const uint8_t turns[3][3] = {
    {0, 1, 2},
    {1, 2, 0},
    {2, 0, 1}
};

/// The rule of frc_tri_tri_at_vertex; 1 hit, 0 miss, -1 not certain. Side 1 and 2 are those of the
/// corners after the common one, b's in lane 0.
static inline int compare_rays(const double side1[2], const double side2[2], double bound) {
    for (int lane = 0; lane < 2; lane++)
        if (!(side1[lane] > bound && side2[lane] < -bound) &&
            !(side1[lane] < -bound && side2[lane] > bound))
            return -1;
    return (side1[0] > 0) != (side1[1] > 0);
}

static void decide_at_vertex(block* b) {
    for (uint32_t i = 0; i < b->list_count[AT_VERTEX]; i++) {
        const uint32_t candidate = b->list[AT_VERTEX][i];
        const frc_tri_pair* pair = &b->pairs[candidate];
        const frc_point* p = b->points;
        const unsigned where = (unsigned)__builtin_ctz(b->equal[candidate]);
        const uint8_t *a = turns[where / 3], *c = turns[where % 3];
        const frc_point* v = &p[pair->a[a[0]]];
        const v3 origin = v3_load(v, v);
        const v3 e1 = v3_sub(v3_load(&p[pair->a[a[1]]], &p[pair->b[c[1]]]), origin);
        const v3 e2 = v3_sub(v3_load(&p[pair->a[a[2]]], &p[pair->b[c[2]]]), origin);
        const v3 n = v3_cross(e1, e2);
        const f64x2 d1 = v3_dot(n, v3_swap(e1)), d2 = v3_dot(n, v3_swap(e2));
        const double bound = bound_of(f64x2_max_lane(f64x2_max(v3_size(e1), v3_size(e2))));
        if (separated(f64x2_min(d1, d2), f64x2_max(d1, d2), bound)) continue;
        double side1[2], side2[2];
        f64x2_store(side1, d1), f64x2_store(side2, d2);
        const int answer = compare_rays(side1, side2, bound);
        b->hit[candidate] = answer >= 0 ? (uint8_t)answer
                                        : decide_exactly(b, candidate, a, c, frc_tri_tri_at_vertex);
    }
}

/* ---- a common edge */

/// Corners of both triangles, the common ones first and in the same order.
static frc_tri_order edge_order(equalities equal) {
    const unsigned first = (unsigned)__builtin_ctz(equal);
    const unsigned second = (unsigned)__builtin_ctz(equal & (unsigned)(equal - 1));
    const uint8_t a0 = (uint8_t)(first / 3), a1 = (uint8_t)(second / 3);
    const uint8_t b0 = (uint8_t)(first % 3), b1 = (uint8_t)(second % 3);
    return (frc_tri_order){
        .a = {a0, a1, (uint8_t)(3 - a0 - a1)},
          .b = {b0, b1, (uint8_t)(3 - b0 - b1)}
    };
}

/// Two candidates, one in each lane. `bound` holds for both.
static f64x2 edge_volumes(const block* b, const uint32_t candidate[2], const frc_tri_order order[2],
                          double* bound) {
    const frc_point* corner[4][2];
    for (int lane = 0; lane < 2; lane++) {
        const frc_tri_pair* pair = &b->pairs[candidate[lane]];
        for (int i = 0; i < 3; i++) corner[i][lane] = &b->points[pair->a[order[lane].a[i]]];
        corner[3][lane] = &b->points[pair->b[order[lane].b[2]]];
    }
    const v3 origin = v3_load(corner[0][0], corner[0][1]);
    const v3 e = v3_sub(v3_load(corner[1][0], corner[1][1]), origin);
    const v3 f = v3_sub(v3_load(corner[2][0], corner[2][1]), origin);
    const v3 g = v3_sub(v3_load(corner[3][0], corner[3][1]), origin);
    *bound = bound_of(f64x2_max_lane(f64x2_max(f64x2_max(v3_size(e), v3_size(f)), v3_size(g))));
    return v3_dot(v3_cross(e, f), g);
}

static void decide_at_edge(block* b) {
    const uint32_t count = b->list_count[AT_EDGE];
    for (uint32_t i = 0; i < count; i += 2) {
        // An odd last one is its own partner.
        const uint32_t last = i + 1 < count ? i + 1 : i;
        const uint32_t candidate[2] = {b->list[AT_EDGE][i], b->list[AT_EDGE][last]};
        const frc_tri_order order[2] = {edge_order(b->equal[candidate[0]]),
                                        edge_order(b->equal[candidate[1]])};
        double bound, volume[2];
        const f64x2 volumes = edge_volumes(b, candidate, order, &bound);
        if (-f64x2_max_lane(f64x2_neg(f64x2_abs(volumes))) > bound) continue;
        f64x2_store(volume, volumes);
        for (uint32_t lane = 0; lane <= last - i; lane++)
            if (!(volume[lane] > bound) && !(volume[lane] < -bound))
                b->hit[candidate[lane]] = decide_exactly(b, candidate[lane], order[lane].a,
                                                         order[lane].b, frc_tri_tri_at_edge);
    }
}

/* ---- repeated indices and duplicate faces */

static void decide_other(block* b) {
    for (uint32_t i = 0; i < b->list_count[OTHER]; i++) {
        const frc_tri_pair* pair = &b->pairs[b->list[OTHER][i]];
        double p[3][3], q[3][3];
        for (int k = 0; k < 3; k++) {
            end_position(&b->points[pair->a[k]], p[k]);
            end_position(&b->points[pair->b[k]], q[k]);
        }
        b->exact++;
        b->hit[b->list[OTHER][i]] = frc_tri_tri_mesh(p, pair->a, q, pair->b);
    }
}

size_t frc_tri_tri_batch(const frc_point* points, const frc_tri_pair* pairs, size_t count,
                         uint32_t* hits, frc_tri_counts* counts) {
    size_t hit_count = 0;
    uint64_t exact = 0;
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        const uint32_t size = (uint32_t)(count - begin < BLOCK ? count - begin : BLOCK);
        block b;
        b.points = points;
        b.pairs = pairs + begin;
        b.exact = 0;
        for (int kind = 0; kind < KINDS; kind++) b.list_count[kind] = 0;
        sort_by_kind(&b, size);
        decide_apart(&b);
        decide_at_vertex(&b);
        decide_at_edge(&b);
        decide_other(&b);
        for (uint32_t i = 0; i < size; i++) {
            hits[hit_count] = (uint32_t)begin + i;
            hit_count += b.hit[i];
        }
        exact += b.exact;
    }
    if (counts) {
        counts->exact += exact;
        counts->filtered += count - exact;
    }
    return hit_count;
}
