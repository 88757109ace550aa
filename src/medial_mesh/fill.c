/// @file fill.c  Add slabs where the shape has gaps: simplification can tear a sheet, because
/// spheres move along it without any error.
#include "base/parallel.h"
#include "fracas/contact.h"
#include "geom/vec3.h"
#include "medial_mesh/boundary.h"
#include "medial_mesh/build.h"
#include "medial_mesh/shape.h"
#include <math.h>
#include <string.h>

enum { POINTS_PER_SIDE = 6, MOST_NEIGHBOURS = 64 };

// A sample that is outside the shape.
typedef struct gap {
    double at[3], distance;
} gap;

typedef struct filler {
    frc_medial_build* b;
    fracas_medial_mesh* mesh;
    FRC_ARRAY(gap) gaps;
    FRC_ARRAY(uint32_t) candidates;  // three vertices each
    double* gains;                   // by candidate
    double allowed;                  // how far a slab may stick out of the surface
} filler;

static const double* sphere_of(const filler* f, uint32_t v) {
    return (const double*)(const void*)&f->mesh->spheres.data[v];
}

// ---- gaps and candidates

static bool find_gaps(filler* f, const frc_samples* samples, double least) {
    const fracas_medial_view view = fracas_medial_mesh_get_view(f->mesh);
    frc_medial_shape shape = {0};
    uint32_t prim = FRACAS_NONE;
    bool ok = frc_medial_shape_create(f->b->context, &view, &shape);
    for (size_t i = 0; ok && i < samples->count; i++) {
        gap g;
        memcpy(g.at, samples->data[i].at, sizeof g.at);
        g.distance = frc_medial_shape_nearest(&shape, g.at, &prim).distance;
        if (g.distance > least) ok = FRC_ARRAY_PUSH(f->b->context, &f->gaps, g);
    }
    frc_medial_shape_release(f->b->context, &shape);
    return ok;
}

static bool has_triangle(const fracas_medial_mesh* mesh, const uint32_t v[3]) {
    for (size_t t = 0; t < mesh->triangles.count; t += 3) {
        int common = 0;
        for (int i = 0; i < 3; i++)
            for (size_t k = 0; k < 3; k++) common += mesh->triangles.data[t + k] == v[i];
        if (common == 3) return true;
    }
    return false;
}

// Two edges with a common sphere and no slab between them.
static bool find_candidates(filler* f) {
    const fracas_medial_view view = fracas_medial_mesh_get_view(f->mesh);
    bool ok = true;
    for (uint32_t v = 0; v < view.sphere_count; v++) {
        uint32_t near[MOST_NEIGHBOURS];
        int count = 0;
        for (size_t e = 0; e < 2 * (size_t)view.edge_count && count < MOST_NEIGHBOURS; e++)
            if (view.edges[e] == v) near[count++] = view.edges[e ^ 1];
        for (int i = 0; i < count; i++)
            for (int k = 0; ok && k < i; k++) {
                const uint32_t corner[3] = {v, near[i], near[k]};
                if (has_triangle(f->mesh, corner)) continue;
                for (int m = 0; ok && m < 3; m++)
                    ok = FRC_ARRAY_PUSH(f->b->context, &f->candidates, corner[m]);
            }
    }
    return ok;
}

// ---- gains

static double gain_of(const filler* f, const uint32_t v[3]) {
    const double* const s[3] = {sphere_of(f, v[0]), sphere_of(f, v[1]), sphere_of(f, v[2])};
    double sum = 0;
    for (size_t i = 0; i < f->gaps.count; i++) {
        const gap* g = &f->gaps.data[i];
        const double d = fabs(frc_medial_point(s, 3, g->at).distance);
        if (d < g->distance) sum += g->distance * g->distance - d * d;
    }
    return sum;
}

static void find_gains(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const filler* f = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++)
        f->gains[i] = gain_of(f, f->candidates.data + 3 * (size_t)i);
}

// Does a slab stick out of the surface?
static bool sticks_out(const filler* f, const uint32_t v[3], frc_boundary_points* points,
                       bool* ok) {
    const fracas_medial_view one = {
        .spheres = f->mesh->spheres.data, .triangles = v, .triangle_count = 1};
    points->count = 0;
    *ok = frc_medial_boundary(f->b->context, &one, INFINITY, POINTS_PER_SIDE, points);
    for (size_t i = 0; *ok && i < points->count; i++) {
        double at[3], direction[3];
        if (!frc_medial_boundary_at((const double*)(const void*)one.spheres, &points->data[i], at,
                                    direction) ||
            frc_winding_number(f->b, at) > 0)
            continue;
        const frc_nearest found =
            frc_surface_nearest(&f->b->surface, frc_medial_points(f->b), at, FRACAS_NONE);
        if (found.distance > f->allowed) return true;
    }
    return false;
}

static bool has_edge(const fracas_medial_mesh* mesh, uint32_t a, uint32_t b) {
    for (size_t e = 0; e < mesh->edges.count; e += 2) {
        const uint32_t* v = mesh->edges.data + e;
        if ((v[0] == a && v[1] == b) || (v[0] == b && v[1] == a)) return true;
    }
    return false;
}

static bool add_slab(filler* f, const uint32_t v[3]) {
    fracas_context* context = f->b->context;
    const double* const s[3] = {sphere_of(f, v[0]), sphere_of(f, v[1]), sphere_of(f, v[2])};
    bool ok = true;
    for (int k = 0; ok && k < 3; k++) {
        const uint32_t a = v[k], b = v[(k + 1) % 3];
        ok = FRC_ARRAY_PUSH(context, &f->mesh->triangles, a) &&
             (has_edge(f->mesh, a, b) || (FRC_ARRAY_PUSH(context, &f->mesh->edges, a) &&
                                          FRC_ARRAY_PUSH(context, &f->mesh->edges, b)));
    }
    for (size_t i = 0; i < f->gaps.count; i++) {
        gap* g = &f->gaps.data[i];
        g->distance = fmin(g->distance, fabs(frc_medial_point(s, 3, g->at).distance));
    }
    return ok;
}

// The slab with the largest gain, again and again.
static bool add_slabs(filler* f, double least) {
    frc_boundary_points points = {0};
    const size_t count = f->candidates.count / 3;
    bool ok = true;
    frc_parallel_for(f->b->context, (uint32_t)count, 1, find_gains, f);
    while (ok) {
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            if (f->gains[i] > f->gains[best]) best = i;
        if (count == 0 || !(f->gains[best] > least)) break;
        const uint32_t* v = f->candidates.data + 3 * best;
        // Earlier slabs may have filled the same gap.
        const double gain = gain_of(f, v);
        if (gain < 0.999 * f->gains[best]) {
            f->gains[best] = gain;
            continue;
        }
        f->gains[best] = 0;
        if (!has_triangle(f->mesh, v) && !sticks_out(f, v, &points, &ok) && ok) ok = add_slab(f, v);
    }
    FRC_ARRAY_RELEASE(f->b->context, &points);
    return ok;
}

bool frc_medial_fill(frc_medial_build* b, fracas_medial_mesh* mesh, const frc_samples* samples,
                     double farthest) {
    filler f = {.b = b, .mesh = mesh, .allowed = 0.5 * farthest};
    bool ok = find_gaps(&f, samples, 0.3 * farthest) && find_candidates(&f);
    const size_t count = f.candidates.count / 3;
    f.gains = frc_allocate_array(b->context, count, sizeof *f.gains, &ok);
    double sum = 0;
    for (size_t i = 0; i < f.gaps.count; i++)
        sum += f.gaps.data[i].distance * f.gaps.data[i].distance;
    ok = ok && add_slabs(&f, 0.01 * sum);
    frc_release(b->context, f.gains, frc_array_size(count, sizeof *f.gains));
    FRC_ARRAY_RELEASE(b->context, &f.candidates);
    FRC_ARRAY_RELEASE(b->context, &f.gaps);
    return ok;
}
