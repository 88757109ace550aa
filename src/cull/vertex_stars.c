/// @file vertex_stars.c  Is the star of a vertex embedded? Four vertices at a time, in floats.
///
/// The rule. Let the triangles of a vertex form one fan around it, with neighbours p_0, p_1, ... in
/// order (seen from the vertex), closed or open, and let V be any vector with
/// V.(p_i x p_(i+1)) > 0 for each triangle. Projected along V each triangle is a sector that turns
/// left by less than half a circle. How many sectors cover a direction changes only where sectors
/// begin and end: nowhere in a closed fan, at p_0 and at the last neighbour of an open one. Suppose
/// further that only the sectors with p_0 as a side contain the direction of p_0. Then directions
/// just after p_0 are covered once, and so no direction is covered more than once; neither is that
/// of p_0. So the sectors of two triangles have no direction in common, except for the common side
/// of two that share an edge. Two points of the star above the same point of the plane are
/// therefore the same point: the triangles meet in what they share and nowhere else. By the rules
/// of tri_tri.h no pair of them is a contact. The same holds for any subset of the triangles.
///
/// A sector from a to b contains the direction d iff V.(a x d) >= 0 and V.(d x b) >= 0. With
/// W = p_0 x V and c_i = p_i.W, which is V.(p_i x p_0), it must be certain for each sector that
/// does not touch p_0 that c_i < 0 or c_(i+1) > 0.
///
/// The error bound. u = 2^-24, L the largest component of all p_i, V any vector of floats: the rule
/// holds for every V, so errors in computing V do not matter. |V| is the sum of the magnitudes of
/// its components. All terms are up to factors 1 + O(u).
///     p_i: a difference in doubles, scaled by a power of two, rounded to float     u L
///     a component of p_i x p_(i+1): 4 u L^2 from these, 4 u L^2 from its own sums   8 u L^2
///     V.(p_i x p_(i+1)): |V| times that, and 3 u |V| 2 L^2 of its own              14 u L^2 |V|
///     a component k of W: 3 u L (the other two components of V), so in sum            6 u L |V|
///     p_i.W: L times that, |W| u L <= 2 u L^2 |V|, and 3 u L |W|                     14 u L^2 |V|
/// E = 16 u L^2 |V| = 2^-20 L^2 |V| covers them with the roundings of E itself.
///
/// The range. Lengths are in units of about 2^-10 of the body's box, so L <= 2^11 and nothing
/// overflows. The test requires L >= 2^-16 and |V| >= 2^-20 L^2, so E >= 2^-104: errors of
/// underflow, even to zero, are far below it. Comparisons with NaN are false, so NaN proves
/// nothing.
#include "cull/vertex_stars.h"
#include "base/simd.h"
#include <math.h>
#include <string.h>

#ifndef FRC_STARS_SLACK
#define FRC_STARS_SLACK 0x1p-20f  // a test sets it to 0 and must then fail
#endif

typedef struct vec4 {
    f32x4 x, y, z;
} vec4;

static inline f32x4 dot(vec4 a, vec4 b) {
    return f32x4_add(f32x4_add(f32x4_mul(a.x, b.x), f32x4_mul(a.y, b.y)), f32x4_mul(a.z, b.z));
}

static inline vec4 cross(vec4 a, vec4 b) {
    return (vec4){f32x4_sub(f32x4_mul(a.y, b.z), f32x4_mul(a.z, b.y)),
                  f32x4_sub(f32x4_mul(a.z, b.x), f32x4_mul(a.x, b.z)),
                  f32x4_sub(f32x4_mul(a.x, b.y), f32x4_mul(a.y, b.x))};
}

static inline vec4 add(vec4 a, vec4 b) {
    return (vec4){f32x4_add(a.x, b.x), f32x4_add(a.y, b.y), f32x4_add(a.z, b.z)};
}

static inline f32x4 magnitude(f32x4 a) { return f32x4_max(a, f32x4_sub(f32x4_splat(0), a)); }

// Four rings: neighbours relative to their centres.
typedef struct fans {
    vec4 p[FRC_VERTEX_RING_MAX + 1];  // when closed, the first again after the last
    vec4 normal[FRC_VERTEX_RING_MAX];
    vec4 unit[FRC_VERTEX_RING_MAX];  // computed on demand
    uint32_t triangles;
    uint32_t sectors;  // sectors [1, sectors) do not touch p_0
    f32x4 size;        // L
} fans;

static inline vec4 neighbours(const frc_point* points, const uint32_t centre[4],
                              const uint32_t id[4], double scale) {
    float x[4], y[4], z[4];
    for (int i = 0; i < 4; i++) {
        const frc_point *p = &points[id[i]], *c = &points[centre[i]];
        x[i] = (float)((p->x[1] - c->x[1]) * scale);
        y[i] = (float)((p->y[1] - c->y[1]) * scale);
        z[i] = (float)((p->z[1] - c->z[1]) * scale);
    }
    return (vec4){f32x4_load(x), f32x4_load(y), f32x4_load(z)};
}

static inline void load_fans(const frc_point* points, const frc_vertex_ring_group* group,
                             const uint32_t* ids, double scale, fans* out) {
    uint32_t n = group->neighbours;
    f32x4 size = f32x4_splat(0);
    for (uint32_t k = 0; k < n; k++) {
        const vec4 p = neighbours(points, ids, &ids[4 * (k + 1)], scale);
        const f32x4 xy = f32x4_max(magnitude(p.x), magnitude(p.y));
        size = f32x4_max(size, f32x4_max(xy, magnitude(p.z)));
        out->p[k] = p;
    }
    out->p[n] = out->p[0];
    out->size = size;
    out->triangles = group->closed ? n : n - 1;
    out->sectors = n - 1;
    for (uint32_t k = 0; k < out->triangles; k++) out->normal[k] = cross(out->p[k], out->p[k + 1]);
}

// Does direction v prove that the star is embedded?
static inline m32x4 is_embedded(const fans* f, vec4 v) {
    const f32x4 square = f32x4_mul(f->size, f->size);
    const f32x4 length = f32x4_add(f32x4_add(magnitude(v.x), magnitude(v.y)), magnitude(v.z));
    const f32x4 e = f32x4_mul(f32x4_mul(f32x4_splat(FRC_STARS_SLACK), square), length);
    m32x4 yes = m32x4_and(f32x4_le(f32x4_splat(0x1p-16f), f->size),
                          f32x4_le(f32x4_mul(f32x4_splat(0x1p-20f), square), length));
    for (uint32_t k = 0; k < f->triangles; k++)
        yes = m32x4_and(yes, f32x4_lt(e, dot(v, f->normal[k])));
    const vec4 w = cross(f->p[0], v);
    const f32x4 minus = f32x4_sub(f32x4_splat(0), e);
    f32x4 from = dot(f->p[1], w);
    for (uint32_t k = 1; k < f->sectors; k++) {
        const f32x4 to = dot(f->p[k + 1], w);
        yes = m32x4_and(yes, m32x4_or(f32x4_lt(from, minus), f32x4_lt(e, to)));
        from = to;
    }
    return yes;
}

// ---- directions to try

// Tilt v towards the triangle that faces away from it most.
static inline vec4 tilt(const fans* f, vec4 v) {
    f32x4 least = dot(v, f->unit[0]);
    vec4 worst = f->unit[0];
    for (uint32_t k = 1; k < f->triangles; k++) {
        const f32x4 d = dot(v, f->unit[k]);
        const m32x4 less = f32x4_lt(d, least);
        least = f32x4_choose(less, d, least);
        worst = (vec4){f32x4_choose(less, f->unit[k].x, worst.x),
                       f32x4_choose(less, f->unit[k].y, worst.y),
                       f32x4_choose(less, f->unit[k].z, worst.z)};
    }
    return add(v, worst);
}

enum { TILTS = 3, ALL = 15 };

// Bits of the rings whose star is embedded. Tries the sum of area vectors, then the sum of unit
// normals, tilted a few times.
static inline unsigned test_packet(fans* f) {
    vec4 area = f->normal[0], v = {f32x4_splat(0), f32x4_splat(0), f32x4_splat(0)};
    for (uint32_t k = 1; k < f->triangles; k++) area = add(area, f->normal[k]);
    unsigned yes = m32x4_bits(is_embedded(f, area));
    if (yes == ALL) return yes;
    for (uint32_t k = 0; k < f->triangles; k++) {
        const vec4 n = f->normal[k];
        // NaN for a normal of length zero.
        const f32x4 scale = f32x4_div(f32x4_splat(1), f32x4_sqrt(dot(n, n)));
        f->unit[k] = (vec4){f32x4_mul(n.x, scale), f32x4_mul(n.y, scale), f32x4_mul(n.z, scale)};
        v = add(v, f->unit[k]);
    }
    for (int i = 0; i < TILTS && yes != ALL; i++) {
        v = tilt(f, v);
        yes |= m32x4_bits(is_embedded(f, v));
    }
    return yes;
}

void frc_vertex_stars_test_packets(const frc_topology* topology, const frc_vertex_rings* rings,
                                   uint32_t group, uint32_t begin, uint32_t end, double size,
                                   uint8_t* embedded) {
    const frc_point* points = topology->points.data;
    const frc_vertex_use* uses = topology->uses.data;
    const frc_vertex_ring_group* g = &rings->groups.data[group];
    // A scale of 0 makes L too small, which rejects every star.
    int exponent;
    (void)frexp(size, &exponent);
    const double scale = size > 0x1p-1000 && size < 0x1p1000 ? ldexp(1, 10 - exponent) : 0;
    const size_t length = 4 * ((size_t)g->neighbours + 1);
    fans f;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t* ids = &rings->ids.data[g->first + i * length];
        load_fans(points, g, ids, scale, &f);
        unsigned yes = test_packet(&f);
        // A vertex that has lost its ring may have been removed, and its id be in use by another
        // body.
        for (int k = 0; k < 4; k++)
            if (uses[ids[k]].rings == rings->serial) embedded[ids[k]] = yes >> k & 1;
    }
}

void frc_vertex_stars_test(const frc_topology* topology, const frc_vertex_rings* rings, double size,
                           uint8_t* embedded) {
    for (uint32_t g = 0; g < rings->groups.count; g++)
        frc_vertex_stars_test_packets(topology, rings, g, 0, rings->groups.data[g].packets, size,
                                      embedded);
}

// ---- leaves

// The vertices of a leaf, in the order of its triangles.
static void list_leaf(const frc_block* block, const frc_leaf* leaf, frc_leaf_star* out) {
    uint32_t id[FRC_LEAF_STARS], count = 0;
    memset(out, 0xff, sizeof *out);
    memset(out->faces, 0, sizeof out->faces);
    for (uint32_t i = 0; i < leaf->face_count; i++) {
        const frc_face_slot* face = &block->faces[leaf->face + i];
        for (int k = 0; k < 3 && face->id != FRACAS_NONE; k++) {
            uint32_t n = 0;
            while (n < count && id[n] != face->point[k]) n++;
            if (n == FRC_LEAF_STARS) continue;
            if (n == count) frc_leaf_star_set_id(out, count, id[n] = face->point[k]), count++;
            out->faces[n] |= (uint8_t)(1u << i);
        }
    }
}

void frc_vertex_stars_mark(const uint8_t* embedded, frc_block* block, uint32_t begin,
                           uint32_t end) {
    for (uint32_t n = begin; n < end; n++) {
        frc_leaf_star* star = &block->stars[n];
        if (block->leaves[n].parent == FRC_REF_NONE) continue;
        if (!star->faces[0]) list_leaf(block, &block->leaves[n], star);
        for (uint32_t i = 0; i < FRC_LEAF_STARS && star->faces[i]; i++) {
            uint32_t point = frc_leaf_star_id(star, i) & ~FRC_STAR_UNCERTIFIED;
            star->fourth[i] =
                (uint8_t)((embedded[point] ? point : FRC_STAR_UNCERTIFIED | point) >> 24);
        }
    }
}
