/// @file voronoi.c  The first medial mesh: spheres at the circumcentres of Delaunay tetrahedra
/// inside the surface, triangles from the Voronoi faces between them.
///
/// All Voronoi faces inside are kept, also those between neighbours on the surface, which reach
/// from the medial axis to the surface: together they are connected as the solid is, which the
/// medial ones alone are not where the surface is noisy. Simplification collapses the others first,
/// because spheres along them contain each other.
#include "base/parallel.h"
#include "base/sort.h"
#include "delaunay/delaunay.h"
#include "delaunay/insphere.h"
#include "fracas/contact.h"
#include "geom/vec3.h"
#include "medial_mesh/build.h"
#include <string.h>

enum { TETS_PER_RANGE = 256 };
#define FEATURE_SIZE 0.03  // of the diagonal

typedef struct voronoi {
    frc_medial_build* b;
    int32_t (*grid)[3];
    double scale, lo[3];  // from the grid to the surface
    frc_delaunay d;
    double (*spheres)[4];  // by tetrahedron; radius -1: outside
    uint32_t* vertex;      // by tetrahedron: its vertex in the complex, after merging
    size_t tet_count;
    FRC_ARRAY(uint64_t) pairs;  // edges: two ascending vertices each
    FRC_ARRAY(uint64_t) faces;  // three ascending vertices each
} voronoi;

// ---- spheres

// The circumcentre relative to corner a is the sum of |e|^2 times the cross product of the other
// two edges, by twice the determinant.
static void circumsphere(const voronoi* v, uint32_t tet, double out[4]) {
    const uint32_t* corner = v->d.corners[tet];
    double e[3][3], square[3], sum[3] = {0}, cross[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            e[i][k] = (double)v->grid[corner[i + 1]][k] - v->grid[corner[0]][k];
        square[i] = frc_vec3_dot(e[i], e[i]);
    }
    for (int i = 0; i < 3; i++) {
        frc_vec3_cross(e[(i + 1) % 3], e[(i + 2) % 3], cross);
        for (int k = 0; k < 3; k++) sum[k] += square[i] * cross[k];
    }
    const double twice = 2 * (double)frc_grid_orient(v->grid[corner[0]], v->grid[corner[1]],
                                                     v->grid[corner[2]], v->grid[corner[3]]);
    for (int k = 0; k < 3; k++) sum[k] /= twice;
    out[3] = sqrt(frc_vec3_dot(sum, sum)) * v->scale;
    for (int k = 0; k < 3; k++) out[k] = v->lo[k] + (v->grid[corner[0]][k] + sum[k]) * v->scale;
}

static void find_spheres(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    voronoi* v = data;
    (void)worker;
    if (frc_cancelled(v->b->context)) return;
    for (uint32_t t = begin; t < end; t++) {
        circumsphere(v, t, v->spheres[t]);
        const bool inside = frc_winding_number(v->b, v->spheres[t]) > 0;
        if (!inside) v->spheres[t][3] = -1;
        v->vertex[t] = inside ? 0 : FRACAS_NONE;
    }
}

static bool is_inside(const voronoi* v, uint32_t tet) {
    return tet < v->d.finite_count && v->spheres[tet][3] >= 0;
}

// ---- merging of vertices at one place

// Vertices of one cell of a fine grid become one: the centre of a ball has thousands.
static bool add_vertices(voronoi* v) {
    frc_medial_build* b = v->b;
    frc_complex* c = &b->complex;
    const double cell = b->diagonal * 0x1p-13;
    bool ok = true;
    size_t mask = 1023, used = 0;
    for (size_t t = 0; t < v->tet_count; t++) used += v->vertex[t] != FRACAS_NONE;
    while (mask < 2 * used) mask = 2 * mask + 1;
    uint64_t* keys = frc_allocate_array(b->context, mask + 1, sizeof *keys, &ok);
    uint32_t* found = frc_allocate_array(b->context, mask + 1, sizeof *found, &ok);
    if (ok) memset(found, 0xff, (mask + 1) * sizeof *found);
    for (size_t t = 0; ok && t < v->tet_count; t++) {
        if (v->vertex[t] == FRACAS_NONE) continue;
        uint64_t key = 0;
        for (int k = 0; k < 3; k++)
            key = key << 20 | (uint64_t)((v->spheres[t][k] - b->closed.lo[k]) / cell);
        size_t at = (key * 0x9e3779b97f4a7c15ull >> 20) & mask;
        while (found[at] != FRACAS_NONE && keys[at] != key) at = (at + 1) & mask;
        if (found[at] == FRACAS_NONE) {
            keys[at] = key, found[at] = (uint32_t)c->vertices.count;
            ok = frc_complex_add_vertex(b->context, c, v->spheres[t]);
        }
        v->vertex[t] = found[at];
    }
    frc_release(b->context, found, frc_array_size(mask + 1, sizeof *found));
    frc_release(b->context, keys, frc_array_size(mask + 1, sizeof *keys));
    return ok;
}

// ---- faces

enum { MOST_SIDES = 512, INDEX_BITS = 21 };

// The next tetrahedron around the edge of points p and q, across the face with their third point
// `*pivot`; sets it to the point that the two tetrahedra do not have in common.
static uint32_t turn(const frc_delaunay* d, uint32_t tet, uint32_t p, uint32_t q, uint32_t* pivot) {
    int opposite = 0;
    for (int k = 0; k < 4; k++) {
        const uint32_t corner = d->corners[tet][k];
        if (corner != p && corner != q && corner != *pivot) opposite = k;
    }
    const uint32_t next = d->neighbours[tet][opposite];
    uint32_t other = 0;
    for (int k = 0; k < 4; k++) {
        const uint32_t corner = d->corners[next][k];
        if (corner != p && corner != q && corner != *pivot) other = corner;
    }
    *pivot = other;
    return next;
}

typedef struct ring {
    uint32_t tets[MOST_SIDES];
    uint32_t count;
} ring;

// The tetrahedra around a Delaunay edge of `tet`. False: another of them has a smaller number.
static bool find_ring(const voronoi* v, uint32_t tet, int i, int j, ring* out) {
    const frc_delaunay* d = &v->d;
    const uint32_t p = d->corners[tet][i], q = d->corners[tet][j];
    uint32_t pivot = d->corners[tet][(i + 1) % 4 == j ? (i + 2) % 4 : (i + 1) % 4], next = tet;
    out->count = 0;
    do {
        if (next < tet) return false;
        if (out->count < MOST_SIDES) out->tets[out->count++] = next;
        next = turn(d, next, p, q, &pivot);
    } while (next != tet);
    return true;
}

static bool push_pair(voronoi* v, uint32_t a, uint32_t b) {
    if (a == b) return true;
    return FRC_ARRAY_PUSH(v->b->context, &v->pairs,
                          a < b ? (uint64_t)a << INDEX_BITS | b : (uint64_t)b << INDEX_BITS | a);
}

static bool push_face(voronoi* v, uint32_t a, uint32_t b, uint32_t c) {
    if (a == b || b == c || c == a) return true;
    const uint32_t low = a < b ? a < c ? a : c : b < c ? b : c;
    const uint32_t high = a > b ? a > c ? a : c : b > c ? b : c, middle = a ^ b ^ c ^ low ^ high;
    return push_pair(v, a, b) && push_pair(v, b, c) && push_pair(v, c, a) &&
           FRC_ARRAY_PUSH(v->b->context, &v->faces,
                          (uint64_t)low << 2 * INDEX_BITS | (uint64_t)middle << INDEX_BITS | high);
}

// What is inside of the Voronoi face: all of it as a fan, or its edges.
static bool push_ring(voronoi* v, const ring* r) {
    bool whole = r->count < MOST_SIDES, ok = true;
    for (uint32_t k = 0; k < r->count; k++) whole = whole && is_inside(v, r->tets[k]);
    for (uint32_t k = 0; ok && k < r->count; k++) {
        const uint32_t a = r->tets[k], b = r->tets[(k + 1) % r->count];
        if (is_inside(v, a) && is_inside(v, b)) ok = push_pair(v, v->vertex[a], v->vertex[b]);
    }
    for (uint32_t k = 1; ok && whole && k + 1 < r->count; k++)
        ok = push_face(v, v->vertex[r->tets[0]], v->vertex[r->tets[k]], v->vertex[r->tets[k + 1]]);
    return ok;
}

// Add what is inside of all Voronoi faces.
static bool visit_rings(voronoi* v) {
    static const int ends[6][2] = {
        {0, 1},
        {0, 2},
        {0, 3},
        {1, 2},
        {1, 3},
        {2, 3}
    };
    ring* r = frc_allocate(v->b->context, sizeof *r);
    bool ok = r != NULL;
    for (uint32_t t = 0; ok && t < v->d.finite_count; t++)
        for (int e = 0; ok && e < 6; e++) {
            if (find_ring(v, t, ends[e][0], ends[e][1], r)) ok = push_ring(v, r);
        }
    frc_release(v->b->context, r, sizeof *r);
    return ok;
}

// ---- the complex

// Each sample is a tangent plane of the spheres that touch it, with its part of the area.
static bool add_planes(voronoi* v) {
    frc_medial_build* b = v->b;
    bool ok = true;
    const size_t count = b->samples.count;
    // What a sample stands for: its part of the area; at edges and corners, which are cut off where
    // no sphere is near, also what is around them.
    const double around = FEATURE_SIZE * b->diagonal;
    const double weights[3] = {b->area / (double)count, b->spacing * around, around * around};
    uint32_t* touching = frc_allocate_array(b->context, count, sizeof *touching, &ok);
    if (!ok) return false;
    memset(touching, 0, frc_array_size(count, sizeof *touching));
    for (int add = 0; add < 2; add++)
        for (size_t t = 0; t < v->tet_count; t++)
            for (int k = 0; k < 4 && v->vertex[t] != FRACAS_NONE; k++) {
                const uint32_t p = v->d.corners[t][k];
                const frc_sample* sample = &b->samples.data[p];
                if (!add)
                    touching[p]++;
                else
                    frc_quadric_add_sample(&b->complex.vertices.data[v->vertex[t]].quadric, sample,
                                           weights[sample->kind] / touching[p]);
            }
    frc_release(b->context, touching, frc_array_size(count, sizeof *touching));
    return true;
}

// Sort and remove repeated keys; returns the new count. 0 on failure too, with `*ok` false.
static size_t unite(fracas_context* context, uint64_t* keys, size_t count, bool* ok) {
    uint64_t* spare = frc_allocate_array(context, count, sizeof *spare, ok);
    size_t left = 0;
    if (spare) {
        const uint64_t* sorted = frc_sort_keys(keys, spare, count, 0);
        if (sorted != keys) memcpy(keys, sorted, count * sizeof *keys);
        for (size_t i = 0; i < count; i++)
            if (i == 0 || keys[i] != keys[left - 1]) keys[left++] = keys[i];
    }
    frc_release(context, spare, frc_array_size(count, sizeof *spare));
    return left;
}

static bool fill_complex(voronoi* v) {
    frc_medial_build* b = v->b;
    const uint64_t mask = ((uint64_t)1 << INDEX_BITS) - 1;
    if (!add_vertices(v) || !visit_rings(v) || !add_planes(v)) return false;
    bool ok = true;
    const size_t pairs = unite(b->context, v->pairs.data, v->pairs.count, &ok);
    const size_t faces = unite(b->context, v->faces.data, v->faces.count, &ok);
    for (size_t i = 0; ok && i < pairs; i++)
        ok = frc_complex_add_edge(b->context, &b->complex,
                                  (uint32_t)(v->pairs.data[i] >> INDEX_BITS),
                                  (uint32_t)(v->pairs.data[i] & mask));
    for (size_t i = 0; ok && i < faces; i++) {
        const uint64_t key = v->faces.data[i];
        const uint32_t corner[3] = {(uint32_t)(key >> 2 * INDEX_BITS),
                                    (uint32_t)(key >> INDEX_BITS & mask), (uint32_t)(key & mask)};
        ok = frc_complex_add_triangle(b->context, &b->complex, corner);
    }
    return ok;
}

// ---- all

static void snap(voronoi* v) {
    const frc_closed_surface* s = &v->b->closed;
    double longest = 0;
    for (int k = 0; k < 3; k++) longest = fmax(longest, s->hi[k] - s->lo[k]);
    v->scale = longest / FRC_DELAUNAY_MOST;
    for (size_t i = 0; i < v->b->samples.count; i++)
        for (int k = 0; k < 3; k++) {
            const double at = floor((v->b->samples.data[i].at[k] - s->lo[k]) / v->scale + 0.5);
            v->grid[i][k] = (int32_t)(at > 0 ? at < FRC_DELAUNAY_MOST ? at : FRC_DELAUNAY_MOST : 0);
        }
    memcpy(v->lo, s->lo, sizeof v->lo);
}

fracas_status frc_medial_voronoi(frc_medial_build* b) {
    voronoi v = {.b = b};
    bool ok = true;
    fracas_status status = FRACAS_OK;
    const size_t count = b->samples.count;
    v.grid = frc_allocate_array(b->context, count, sizeof *v.grid, &ok);
    if (ok) {
        snap(&v);
        status =
            frc_delaunay_create(b->context, (const int32_t(*)[3])v.grid, (uint32_t)count, &v.d);
        if (status == FRACAS_OK) v.tet_count = v.d.finite_count;
        if (v.tet_count > (size_t)1 << INDEX_BITS)
            status = frc_fail(b->context, FRACAS_ERROR_UNSUPPORTED,
                              "the %zu samples have more than 2^21 Delaunay tetrahedra; use fewer",
                              count);
    }
    v.spheres = frc_allocate_array(b->context, v.tet_count, sizeof *v.spheres, &ok);
    v.vertex = frc_allocate_array(b->context, v.tet_count, sizeof *v.vertex, &ok);
    if (ok && status == FRACAS_OK) {
        frc_parallel_for(b->context, (uint32_t)v.tet_count, TETS_PER_RANGE, find_spheres, &v);
        if (frc_medial_proceed(b, 0.5)) ok = fill_complex(&v);
    }
    FRC_ARRAY_RELEASE(b->context, &v.faces);
    FRC_ARRAY_RELEASE(b->context, &v.pairs);
    frc_release(b->context, v.vertex, frc_array_size(v.tet_count, sizeof *v.vertex));
    frc_release(b->context, v.spheres, frc_array_size(v.tet_count, sizeof *v.spheres));
    frc_delaunay_release(b->context, &v.d);
    frc_release(b->context, v.grid, frc_array_size(count, sizeof *v.grid));
    return status == FRACAS_OK ? frc_medial_finish(b, ok, v.tet_count * sizeof *v.spheres) : status;
}
