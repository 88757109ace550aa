/// @file surface.c  Faces that one tetrahedron has alone, and the nearest point on them.
///
/// Faces are dealt out by their smallest corner and sorted among those with the same one: linear
/// time but for sorting the few around each vertex.
///
/// Distances are doubles, by one formula for a point and a face. Boxes are rounded outward, and a
/// part of the tree is passed over only when its box is farther than the best by more than rounding
/// can be; so the tree finds the face that looking at all finds, the first of those equally far.
#include "tets/surface.h"
#include "base/array.h"
#include "base/sort.h"
#include "fracas/contact.h"
#include "geom/box.h"
#include "geom/closest.h"
#include <math.h>
#include <string.h>

// ---- faces

// The corners of face i of a tetrahedron in growing order. False: it has a repeated corner.
static bool face_of(const uint32_t t[4], int i, uint32_t out[3]) {
    uint32_t a = t[(i + 1) & 3], b = t[(i + 2) & 3], c = t[(i + 3) & 3];
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < k; j++)
            if (t[k] == t[j]) return false;
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    out[0] = low < c ? low : c;
    out[2] = high > c ? high : c;
    out[1] = a ^ b ^ c ^ out[0] ^ out[2];
    return true;
}

typedef struct scratch {
    uint64_t *keys, *spare;  // the other two corners of a face
    uint32_t* starts;        // by the smallest corner
} scratch;

static void release_scratch(fracas_context* context, scratch* s, size_t faces, size_t vertices) {
    frc_release(context, s->keys, frc_array_size(faces, sizeof *s->keys));
    frc_release(context, s->spare, frc_array_size(faces, sizeof *s->spare));
    frc_release(context, s->starts, frc_array_size(vertices + 2, sizeof *s->starts));
}

static void deal_out(const uint32_t* tets, uint32_t tet_count, uint32_t vertex_count, scratch* s) {
    uint32_t face[3];
    memset(s->starts, 0, ((size_t)vertex_count + 2) * sizeof *s->starts);
    for (size_t t = 0; t < tet_count; t++)
        for (int i = 0; i < 4; i++)
            if (face_of(tets + 4 * t, i, face)) s->starts[face[0] + 2]++;
    for (uint32_t v = 0; v < vertex_count; v++) s->starts[v + 2] += s->starts[v + 1];
    for (size_t t = 0; t < tet_count; t++)
        for (int i = 0; i < 4; i++)
            if (face_of(tets + 4 * t, i, face))
                s->keys[s->starts[face[0] + 1]++] = (uint64_t)face[1] << 32 | face[2];
}

static void sort_few(uint64_t* keys, uint64_t* spare, size_t count) {
    enum { FEW = 48 };
    if (count > FEW) {
        const uint64_t* sorted = frc_sort_keys(keys, spare, count, 0);
        if (sorted != keys) memcpy(keys, sorted, count * sizeof *keys);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const uint64_t key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

#define GONE UINT64_MAX

// Those that occur once stay, in order, before those that are gone; returns how many.
static size_t keep_single(uint64_t* keys, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && keys[end] == keys[i]) end++;
        if (end == i + 1) keys[kept++] = keys[i];
        i = end;
    }
    for (size_t i = kept; i < count; i++) keys[i] = GONE;
    return kept;
}

static bool gather(fracas_context* context, uint32_t vertex_count, scratch* s, frc_surface* out) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < vertex_count; v++) {
        const uint32_t first = s->starts[v], last = s->starts[v + 1];
        sort_few(s->keys + first, s->spare, last - first);
        count += (uint32_t)keep_single(s->keys + first, last - first);
    }
    bool ok = true;
    out->faces = frc_allocate_array(context, count, sizeof *out->faces, &ok);
    if (!ok) return false;
    out->count = out->capacity = count;
    count = 0;
    for (uint32_t v = 0; v < vertex_count; v++)
        for (size_t i = s->starts[v]; i < s->starts[v + 1] && s->keys[i] != GONE; i++)
            out->faces[count++] = (frc_face){
                {v, (uint32_t)(s->keys[i] >> 32), (uint32_t)s->keys[i]}
            };
    return true;
}

bool frc_surface_find(fracas_context* context, const uint32_t* tets, uint32_t tet_count,
                      uint32_t vertex_count, frc_surface* out) {
    const size_t faces = (size_t)tet_count * 4;
    bool ok = faces < UINT32_MAX;
    scratch s = {0};
    s.keys = frc_allocate_array(context, faces, sizeof *s.keys, &ok);
    s.spare = frc_allocate_array(context, faces, sizeof *s.spare, &ok);
    s.starts = frc_allocate_array(context, (size_t)vertex_count + 2, sizeof *s.starts, &ok);
    *out = (frc_surface){0};
    if (ok) {
        deal_out(tets, tet_count, vertex_count, &s);
        ok = gather(context, vertex_count, &s, out);
    }
    release_scratch(context, &s, faces, vertex_count);
    return ok;
}

void frc_surface_release(fracas_context* context, frc_surface* surface) {
    frc_box_tree_release(context, &surface->tree);
    frc_release(context, surface->faces, frc_array_size(surface->capacity, sizeof(frc_face)));
    *surface = (frc_surface){0};
}

// ---- boxes

typedef struct placed {
    const frc_surface* surface;
    frc_surface_points points;
} placed;

static const double* point_at(frc_surface_points points, uint32_t v) {
    return (const double*)(const void*)(points.data + v * points.stride);
}

static frc_float_box box_of_face(const void* data, uint32_t face) {
    const placed* on = data;
    float lo[4] = {0}, hi[4] = {0};
    for (int i = 0; i < 3; i++) {
        const double* p = point_at(on->points, on->surface->faces[face].corner[i]);
        for (int k = 0; k < 3; k++) {
            const float low = frc_round_down(p[k]), high = frc_round_up(p[k]);
            lo[k] = i == 0 || low < lo[k] ? low : lo[k];
            hi[k] = i == 0 || high > hi[k] ? high : hi[k];
        }
    }
    return (frc_float_box){f32x4_load(lo), f32x4_load(hi)};
}

bool frc_surface_build(fracas_context* context, frc_surface* surface, frc_surface_points points) {
    const placed on = {surface, points};
    return frc_box_tree_build(context, &surface->tree, surface->count, box_of_face, &on);
}

void frc_surface_refit(fracas_context* context, frc_surface* surface, frc_surface_points points) {
    const placed on = {surface, points};
    frc_box_tree_refit(context, &surface->tree, box_of_face, &on);
}

// ---- the nearest point

typedef struct nearest {
    const frc_surface* surface;
    frc_surface_points points;
    const double* p;
    uint32_t except;
    uint32_t face;  // FRACAS_NONE: none yet
    double distance, direction[3];
} nearest;

// The power of two that brings the largest of some numbers to about 1; 1 when all are zero.
static double scale_for(double largest) {
    int exponent;
    if (!(largest > 0)) return 1;
    frexp(largest, &exponent);
    // Twice as far as it could go would not be finite.
    return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

// Corners relative to the point, times a factor; returns the largest number.
static double relative(const nearest* n, uint32_t face, double factor, double out[3][3]) {
    double largest = 0;
    for (int i = 0; i < 3; i++) {
        const double* at = point_at(n->points, n->surface->faces[face].corner[i]);
        for (int k = 0; k < 3; k++) {
            out[i][k] = factor * at[k] - factor * n->p[k];
            largest = fabs(out[i][k]) > largest ? fabs(out[i][k]) : largest;
        }
    }
    return largest;
}

static double measure(const nearest* n, uint32_t face, double direction[3]) {
    double x[3][3], u, v, q[3], factor = 1;
    double largest = relative(n, face, factor, x);
    // Differences of huge numbers overflow; those of their quarters do not.
    if (isinf(largest)) factor = 0.25, largest = relative(n, face, factor, x);
    const double scale = scale_for(largest);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) x[i][k] *= scale;
    frc_closest_triangle((const double(*)[3])x, &u, &v);
    for (int k = 0; k < 3; k++) q[k] = (1 - u - v) * x[0][k] + u * x[1][k] + v * x[2][k];
    const double length = sqrt(frc_dot(q, q));
    for (int k = 0; k < 3; k++) direction[k] = length > 0 ? q[k] / length : 0;
    return length / scale / factor;
}

static void try_face(nearest* n, uint32_t face) {
    const uint32_t* corner = n->surface->faces[face].corner;
    if (corner[0] == n->except || corner[1] == n->except || corner[2] == n->except) return;
    double direction[3];
    const double distance = measure(n, face, direction);
    if (n->face != FRACAS_NONE && !(distance < n->distance) &&
        !(distance == n->distance && face < n->face))
        return;
    n->face = face;
    n->distance = distance;
    memcpy(n->direction, direction, sizeof direction);
}

// Not more than the distance of what is in a box, but for rounding.
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

// Rounding of a distance, of a box's distance and of parameters: far below this part of it.
#define SLACK 1e-6

static void search(nearest* n, uint32_t ref);

// Nearest first: insertion sort of at most four.
static void search_node(nearest* n, const frc_node* node) {
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
        if (n->face == FRACAS_NONE || !(distance[i] * (1 - SLACK) > n->distance))
            search(n, order[i]);
}

// As deep as the tree: some ten levels.
static void search(nearest* n, uint32_t ref) {
    const frc_box_tree* tree = &n->surface->tree;
    if (!(ref & FRC_REF_LEAF)) {
        search_node(n, &tree->shape.nodes[ref]);
        return;
    }
    const uint32_t leaf = ref & ~FRC_REF_LEAF;
    for (uint32_t k = 0; k < tree->shape.leaves[leaf].count; k++)
        try_face(n, tree->leaves[leaf].thing[k]);
}

static double answer(const nearest* n, double direction[3]) {
    memcpy(direction, n->direction, sizeof n->direction);
    return n->distance;
}

double frc_surface_nearest(const frc_surface* surface, frc_surface_points points, const double p[3],
                           uint32_t except, double direction[3]) {
    nearest n = {
        surface, points, p, except, FRACAS_NONE, 0, {0, 0, 0}
    };
    if (surface->tree.shape.node_count > 0) search(&n, 0);
    return answer(&n, direction);
}

double frc_surface_nearest_brute(const frc_surface* surface, frc_surface_points points,
                                 const double p[3], uint32_t except, double direction[3]) {
    nearest n = {
        surface, points, p, except, FRACAS_NONE, 0, {0, 0, 0}
    };
    for (uint32_t i = 0; i < surface->count; i++) try_face(&n, i);
    return answer(&n, direction);
}
