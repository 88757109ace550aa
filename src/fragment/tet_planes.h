/// @file tet_planes.h  Four planes for each tetrahedron of a solid: a point above one of them is
/// outside.
#pragma once
#include "base/context.h"
#include "base/simd.h"

/// Four half-spaces n . q <= d that contain the tetrahedron; q is a point in the coordinates of
/// frc_tet_planes. Normals are by axis.
typedef struct frc_half_spaces {
    float n[3][4], d[4];
} frc_half_spaces;

/// The coordinates in which the longest side of the solid is below 1.
typedef struct frc_tet_planes {
    double centre[3], scale;  // q = (p - centre) * scale
    frc_half_spaces* data;    // by tetrahedron
    uint32_t count;
} frc_tet_planes;

/// The box contains all tetrahedra. False: no memory.
bool frc_tet_planes_make(fracas_context* context, const double (*points)[3],
                         const uint32_t (*tets)[4], uint32_t count, const double box_min[3],
                         const double box_max[3], frc_tet_planes* out);
void frc_tet_planes_release(fracas_context* context, frc_tet_planes* planes);

/// Set half-space k: along a normal of any length, around the points of a mask. Points are q as
/// above; their coordinates are at most 1 up to rounding. A normal near zero gives a half-space of
/// all points.
void frc_half_space_fit(frc_half_spaces* out, int k, const double normal[3],
                        const double (*points)[3], uint32_t mask);

/// A point, in all four lanes.
typedef struct frc_plane_point {
    f32x4 at[3];
} frc_plane_point;

/// False: the point is in no tetrahedron.
static inline bool frc_tet_planes_point(const frc_tet_planes* planes, const double p[3],
                                        frc_plane_point* out) {
    for (int k = 0; k < 3; k++) {
        const double q = (p[k] - planes->centre[k]) * planes->scale;
        if (!(fabs(q) <= 1)) return false;
        out->at[k] = f32x4_splat((float)q);
    }
    return true;
}

/// Bit k: the point is not in half-space k.
static inline unsigned frc_half_spaces_without(const frc_half_spaces* s, const frc_plane_point* p) {
    const f32x4 x = f32x4_mul(f32x4_load(s->n[0]), p->at[0]);
    const f32x4 y = f32x4_mul(f32x4_load(s->n[1]), p->at[1]);
    const f32x4 z = f32x4_mul(f32x4_load(s->n[2]), p->at[2]);
    return m32x4_bits(f32x4_lt(f32x4_load(s->d), f32x4_add(f32x4_add(x, y), z)));
}

static inline void frc_tet_planes_map(const frc_tet_planes* planes, const double p[3],
                                      double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = (p[k] - planes->centre[k]) * planes->scale;
}
