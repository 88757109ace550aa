/// @file tet_planes.c  Half-spaces that contain a hull of points for any normals, also inexact
/// ones: the highest point along the normal gives the distance.
///
/// With r = (p - centre) * scale in exact numbers: if p is in the hull then n . r is at most the
/// largest n . r of its points. The centre is in the box and the scale a power of two for which
/// the longest side is below 1, so |r_k| <= 1, and so is its double, because rounding is monotone.
/// The sum of |n_k r_k| is below 1.75, as n has length 1. With v = 2^-24, q has the error v, and
/// n . q in floats three more of the sum at most: 7.1 v in all. ERROR is 8 v; the rest is above the
/// errors of doubles and of numbers that vanish.
#include "fragment/tet_planes.h"
#include "base/array.h"
#include "fragment/solid.h"
#include "geom/box.h"
#include "geom/vec3.h"

#define ERROR 0x1p-21

void frc_half_space_fit(frc_half_spaces* out, int k, const double normal[3],
                        const double (*points)[3], uint32_t mask) {
    double n[3], most = -INFINITY;
    const double length = sqrt(frc_vec3_dot(normal, normal));
    for (int axis = 0; axis < 3; axis++) {
        out->n[axis][k] = length > 0x1p-400 ? (float)(normal[axis] / length) : 0;
        n[axis] = out->n[axis][k];
    }
    for (; mask; mask &= mask - 1) {
        const double height = frc_vec3_dot(n, points[__builtin_ctz(mask)]);
        most = height > most ? height : most;
    }
    out->d[k] = frc_round_up(most + ERROR);
}

static void add_face(const double (*c)[3], int face, frc_half_spaces* out) {
    const uint8_t* corner = frc_tet_face_corners[face];
    double e[3], f[3], normal[3];
    frc_vec3_subtract(c[corner[1]], c[corner[0]], e);
    frc_vec3_subtract(c[corner[2]], c[corner[0]], f);
    frc_vec3_cross(e, f, normal);
    frc_half_space_fit(out, face, normal, c, 15);
}

bool frc_tet_planes_make(fracas_context* context, const double (*points)[3],
                         const uint32_t (*tets)[4], uint32_t count, const double box_min[3],
                         const double box_max[3], frc_tet_planes* out) {
    *out = (frc_tet_planes){.count = count};
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        const double side = box_max[k] - box_min[k];
        out->centre[k] = box_min[k] + side / 2;
        longest = side > longest ? side : longest;
    }
    int exponent;
    frexp(longest, &exponent);
    out->scale = ldexp(1, -exponent);
    bool ok = true;
    out->data = frc_allocate_array(context, count, sizeof *out->data, &ok);
    for (uint32_t t = 0; ok && t < count; t++) {
        double c[4][3];
        for (int i = 0; i < 4; i++) frc_tet_planes_map(out, points[tets[t][i]], c[i]);
        for (int face = 0; face < 4; face++) add_face((const double(*)[3])c, face, &out->data[t]);
    }
    return ok;
}

void frc_tet_planes_release(fracas_context* context, frc_tet_planes* planes) {
    frc_release(context, planes->data, frc_array_size(planes->count, sizeof *planes->data));
    *planes = (frc_tet_planes){0};
}
