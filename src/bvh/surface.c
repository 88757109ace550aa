/// @file surface.c  The nearest point on a set of triangles.
///
/// The distance of a point and a face is one formula in doubles. Boxes are rounded outward, and a
/// subtree is skipped only when its box is farther than the best face by more than any rounding
/// error. So the tree finds the same face as a loop over all: the first of the nearest.
#include "bvh/surface.h"
#include "base/array.h"
#include "fracas/contact.h"
#include "geom/box.h"
#include "geom/closest_points.h"
#include "geom/vec3.h"
#include <math.h>
#include <string.h>

void frc_surface_release(fracas_context* context, frc_surface* surface) {
    frc_box_tree_release(context, &surface->tree);
    frc_release(context, surface->faces, frc_array_size(surface->capacity, sizeof(frc_face)));
    *surface = (frc_surface){0};
}

// ---- boxes

typedef struct box_data {
    const frc_surface* surface;
    frc_surface_points points;
} box_data;

static const double* point_at(frc_surface_points points, uint32_t v) {
    return (const double*)(const void*)(points.data + v * points.stride);
}

frc_float_box frc_surface_box(const frc_surface* surface, frc_surface_points points,
                              uint32_t face) {
    float lo[4] = {0}, hi[4] = {0};
    for (int i = 0; i < 3; i++) {
        const double* p = point_at(points, surface->faces[face].corner[i]);
        for (int k = 0; k < 3; k++) {
            const float low = frc_round_down(p[k]), high = frc_round_up(p[k]);
            lo[k] = i == 0 || low < lo[k] ? low : lo[k];
            hi[k] = i == 0 || high > hi[k] ? high : hi[k];
        }
    }
    return (frc_float_box){f32x4_load(lo), f32x4_load(hi)};
}

static frc_float_box box_of_face(const void* data, uint32_t face) {
    const box_data* d = data;
    return frc_surface_box(d->surface, d->points, face);
}

bool frc_surface_build(fracas_context* context, frc_surface* surface, frc_surface_points points) {
    const box_data data = {surface, points};
    return frc_box_tree_build(context, &surface->tree, surface->count, box_of_face, &data);
}

void frc_surface_refit(fracas_context* context, frc_surface* surface, frc_surface_points points) {
    const box_data data = {surface, points};
    frc_box_tree_refit(context, &surface->tree, box_of_face, &data);
}

// ---- the nearest point

typedef struct nearest {
    const frc_surface* surface;
    frc_surface_points points;
    const double* p;
    uint32_t except;
    frc_nearest best;  // face FRACAS_NONE: none yet
} nearest;

// Corners relative to the point, times a factor; returns the largest absolute value.
static double relative(const double p[3], const double* const corner[3], double factor,
                       double out[3][3]) {
    double largest = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            out[i][k] = factor * corner[i][k] - factor * p[k];
            largest = fabs(out[i][k]) > largest ? fabs(out[i][k]) : largest;
        }
    return largest;
}

double frc_triangle_distance(const double p[3], const double* const corner[3],
                             double direction[3]) {
    double x[3][3], u, v, q[3], factor = 1;
    double largest = relative(p, corner, factor, x);
    // Differences of huge numbers overflow; differences of their quarters do not.
    if (isinf(largest)) factor = 0.25, largest = relative(p, corner, factor, x);
    // Scale by a power of two to about 1; an exponent beyond 1000 would not be finite.
    int exponent = 0;
    if (largest > 0) frexp(largest, &exponent);
    const double scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) x[i][k] *= scale;
    frc_closest_triangle((const double(*)[3])x, &u, &v);
    for (int k = 0; k < 3; k++) q[k] = (1 - u - v) * x[0][k] + u * x[1][k] + v * x[2][k];
    const double length = sqrt(frc_vec3_dot(q, q));
    for (int k = 0; k < 3; k++) direction[k] = length > 0 ? q[k] / length : 0;
    return length / scale / factor;
}

static void try_face(nearest* n, uint32_t face) {
    const uint32_t* corner = n->surface->faces[face].corner;
    if (corner[0] == n->except || corner[1] == n->except || corner[2] == n->except) return;
    const double* const at[3] = {point_at(n->points, corner[0]), point_at(n->points, corner[1]),
                                 point_at(n->points, corner[2])};
    double direction[3];
    const double distance = frc_triangle_distance(n->p, at, direction);
    frc_nearest* best = &n->best;
    if (best->face != FRACAS_NONE && !(distance < best->distance) &&
        !(distance == best->distance && face < best->face))
        return;
    best->face = face;
    best->distance = distance;
    memcpy(best->direction, direction, sizeof direction);
}

// A lower bound of the distance to the faces in a box, up to rounding.
static double box_distance(const frc_box4* box, uint32_t lane, const double p[3]) {
    double gap[3], largest = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        const double below = (double)box->lo[k][lane] - p[k],
                     above = p[k] - (double)box->hi[k][lane];
        gap[k] = below > 0 ? below : above > 0 ? above : 0;
        largest = gap[k] > largest ? gap[k] : largest;
    }
    if (!(largest > 0)) return 0;
    for (int k = 0; k < 3; k++) sum += gap[k] / largest * (gap[k] / largest);
    return largest * sqrt(sum);
}

// Far above the relative rounding errors of a distance, of a box distance and of parameters.
#define SLACK 1e-6

// The recursion depth is the height of the tree, about ten.
static void search(nearest* n, uint32_t ref) {
    const frc_box_tree* tree = &n->surface->tree;
    if (ref & FRC_REF_LEAF) {
        const uint32_t leaf = ref & ~FRC_REF_LEAF;
        for (uint32_t k = 0; k < tree->shape.leaves[leaf].count; k++)
            try_face(n, tree->leaves[leaf].item[k]);
        return;
    }
    // Insertion sort of at most four children: nearest first.
    const frc_node* node = &tree->shape.nodes[ref];
    uint32_t order[4], count = 0;
    double distance[4];
    for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
        const double d = box_distance(&node->box, i, n->p);
        uint32_t at = count++;
        for (; at > 0 && distance[at - 1] > d; at--)
            distance[at] = distance[at - 1], order[at] = order[at - 1];
        distance[at] = d, order[at] = node->child[i];
    }
    for (uint32_t i = 0; i < count; i++)
        if (n->best.face == FRACAS_NONE || !(distance[i] * (1 - SLACK) > n->best.distance))
            search(n, order[i]);
}

frc_nearest frc_surface_nearest(const frc_surface* surface, frc_surface_points points,
                                const double p[3], uint32_t except) {
    nearest n = {surface, points, p, except, {.face = FRACAS_NONE}};
    if (surface->tree.shape.node_count > 0) search(&n, 0);
    return n.best;
}

frc_nearest frc_surface_nearer(const frc_surface* surface, frc_surface_points points,
                               const double p[3], const frc_nearest* known) {
    nearest n = {surface, points, p, FRACAS_NONE, *known};
    if (surface->tree.shape.node_count > 0) search(&n, 0);
    return n.best;
}

frc_nearest frc_surface_nearest_brute(const frc_surface* surface, frc_surface_points points,
                                      const double p[3], uint32_t except) {
    nearest n = {surface, points, p, except, {.face = FRACAS_NONE}};
    for (uint32_t i = 0; i < surface->count; i++) try_face(&n, i);
    return n.best;
}
