/// @file prune.c  Remove slabs that do not matter for the shape: what they cover is covered by
/// other slabs and by their own edges.
#include "fracas/contact.h"
#include "medial_mesh/boundary.h"
#include "medial_mesh/build.h"
#include <math.h>
#include <string.h>

enum { POINTS_PER_SIDE = 6 };

// How far the boundary of a slab is from all primitives that are left but itself. `left` is by
// primitive.
static double gap_without(const frc_medial_shape* shape, frc_boundary_points* points,
                          const uint8_t* left, double enough) {
    double largest = 0;
    for (size_t i = 0; i < points->count && largest <= enough; i++) {
        double at[3], direction[3], least = INFINITY;
        if (!frc_medial_boundary_at(shape->spheres, &points->data[i], at, direction)) continue;
        for (uint32_t p = 0; p < shape->prims.count && least > 0; p++) {
            const frc_medial_prim* prim = &shape->prims.data[p];
            const double* s[3];
            if (!left[p]) continue;
            for (int k = 0; k < 3; k++) s[k] = frc_medial_shape_sphere(shape, prim->vertex[k]);
            least = fmin(least, frc_medial_point(s, prim->count, at).distance);
        }
        largest = fmax(largest, least);
    }
    return largest;
}

// All slabs and all edges are primitives, slabs first.
static bool push_all(fracas_context* context, const fracas_medial_view* view,
                     frc_medial_shape* out) {
    bool ok = true;
    out->spheres = (const double*)(const void*)view->spheres;
    for (uint32_t t = 0; ok && t < view->triangle_count; t++) {
        frc_medial_prim prim = {.count = 3};
        memcpy(prim.vertex, view->triangles + 3 * (size_t)t, sizeof prim.vertex);
        ok = FRC_ARRAY_PUSH(context, &out->prims, prim);
    }
    for (uint32_t e = 0; ok && e < view->edge_count; e++) {
        const uint32_t* v = view->edges + 2 * (size_t)e;
        const frc_medial_prim prim = {
            {v[0], v[1], v[1]},
            2
        };
        ok = FRC_ARRAY_PUSH(context, &out->prims, prim);
    }
    return ok;
}

// Is the edge a side of a slab that is left?
static bool has_slab(const fracas_medial_view* view, const uint8_t* left,
                     const frc_medial_prim* edge) {
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        int common = 0;
        for (size_t k = 0; k < 3; k++) {
            const uint32_t v = view->triangles[3 * (size_t)t + k];
            common += v == edge->vertex[0] || v == edge->vertex[1];
        }
        if (left[t] && common == 2) return true;
    }
    return false;
}

// Is there a way over one other sphere from one end of an edge to the other? Then no loop is lost.
// `seen` is by sphere.
static bool has_detour(const fracas_medial_view* view, const uint8_t* left, uint32_t edge,
                       uint8_t* seen) {
    const uint32_t* end = view->edges + 2 * (size_t)edge;
    memset(seen, 0, view->sphere_count);
    for (uint32_t e = 0; e < view->edge_count; e++)
        for (int i = 0; i < 2 && left[e] && e != edge; i++)
            for (uint32_t k = 0; k < 2; k++) {
                const uint32_t* v = view->edges + 2 * (size_t)e;
                if (v[i] != end[k]) continue;
                seen[v[1 - i]] |= (uint8_t)(1 << k);
                if (seen[v[1 - i]] == 3) return true;
            }
    return false;
}

// Remove primitives of one kind: slabs, or edges that are part of no slab.
static bool prune(fracas_medial_mesh* mesh, frc_medial_shape* shape, uint8_t* left, bool slabs,
                  double gap) {
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    frc_boundary_points points = {0};
    bool ok = true;
    uint8_t* seen = frc_allocate_array(mesh->context, view.sphere_count, 1, &ok);
    const uint32_t first = slabs ? 0 : view.triangle_count;
    const uint32_t end = slabs ? view.triangle_count : (uint32_t)shape->prims.count;
    for (uint32_t p = first; ok && p < end; p++) {
        const frc_medial_prim* prim = &shape->prims.data[p];
        const fracas_medial_view one = {.spheres = view.spheres,
                                        .edges = prim->vertex,
                                        .edge_count = slabs ? 0 : 1,
                                        .triangles = prim->vertex,
                                        .triangle_count = slabs ? 1 : 0};
        if (!slabs &&
            (has_slab(&view, left, prim) || !has_detour(&view, left + first, p - first, seen)))
            continue;
        points.count = 0;
        ok = frc_medial_boundary(mesh->context, &one, INFINITY, POINTS_PER_SIDE, &points);
        left[p] = 0;
        if (ok && gap_without(shape, &points, left, gap) > gap) left[p] = 1;
    }
    frc_release(mesh->context, seen, frc_array_size(view.sphere_count, 1));
    FRC_ARRAY_RELEASE(mesh->context, &points);
    return ok;
}

bool frc_medial_prune(fracas_medial_mesh* mesh, double gap) {
    fracas_context* context = mesh->context;
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    frc_medial_shape shape = {0};
    bool ok = push_all(context, &view, &shape);
    const size_t count = shape.prims.count;
    uint8_t* left = frc_allocate_array(context, count, 1, &ok);
    if (ok) memset(left, 1, frc_array_size(count, 1));
    ok = ok && prune(mesh, &shape, left, true, gap) && prune(mesh, &shape, left, false, gap);
    mesh->triangles.count = ok ? 0 : mesh->triangles.count;
    mesh->edges.count = ok ? 0 : mesh->edges.count;
    for (size_t p = 0; ok && p < count; p++) {
        const uint32_t* v = shape.prims.data[p].vertex;
        if (!left[p]) continue;
        for (int k = 0; k < shape.prims.data[p].count; k++)
            if (p < view.triangle_count)
                mesh->triangles.data[mesh->triangles.count++] = v[k];
            else
                mesh->edges.data[mesh->edges.count++] = v[k];
    }
    frc_release(context, left, frc_array_size(count, 1));
    frc_medial_shape_release(context, &shape);
    return ok;
}
