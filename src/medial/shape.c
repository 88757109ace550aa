/// @file shape.c  Which primitives a shape has: those that are in no other one, not degenerate.
#include "medial/shape.h"
#include "base/arena.h"
#include "base/array.h"
#include "geom/vec3.h"
#include "mesh/validate.h"
#include "mesh/view.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 1e36

// Primitives as they are given: first edges, then triangles, then single spheres.
typedef struct given {
    fracas_context* context;
    double (*spheres)[4];
    const uint32_t *edges, *triangles, *singles;
    uint32_t sphere_count, edge_count, triangle_count, single_count;
} given;

fracas_medial_shape_options fracas_medial_shape_default_options(void) {
    return (fracas_medial_shape_options){
        .struct_size = sizeof(fracas_medial_shape_options), .centre = {NAN, NAN, NAN}
    };
}

static fracas_status check_options(fracas_context* context, const fracas_medial_shape_options* o) {
    if (o->struct_size != sizeof *o)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_medial_shape_options is not initialised: start from "
                        "fracas_medial_shape_default_options()");
    if ((uint32_t)o->degenerate > FRACAS_MEDIAL_DEGENERATE_PUBLISHED)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "degenerate is %d: it must be a fracas_medial_degenerate",
                        (int)o->degenerate);
    if (!(o->inflation >= 0 && o->inflation <= LARGEST))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "inflation is %g: it must be from 0 to %g", o->inflation, LARGEST);
    const double* c = o->centre;
    const bool none = isnan(c[0]) && isnan(c[1]) && isnan(c[2]);
    if (!none && !(fabs(c[0]) <= LARGEST && fabs(c[1]) <= LARGEST && fabs(c[2]) <= LARGEST))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the centre (%g, %g, %g) must be three numbers of at most %g, or none",
                        c[0], c[1], c[2], LARGEST);
    return FRACAS_OK;
}

static fracas_status check_given(const given* g) {
    if (g->edge_count == 0 && g->triangle_count == 0 && g->single_count == 0)
        return frc_fail(g->context, FRACAS_ERROR_BAD_DATA,
                        "the mesh has nothing to collide with: no sphere, edge or triangle");
    if ((uint64_t)g->edge_count + g->triangle_count + g->single_count > UINT32_MAX / 4)
        return frc_fail(g->context, FRACAS_ERROR_BAD_DATA,
                        "the mesh has more than 2^30 primitives");
    for (uint32_t i = 0; i < g->sphere_count; i++)
        for (int k = 0; k < 4; k++)
            if (!(fabs(g->spheres[i][k]) <= LARGEST))
                return frc_fail(g->context, FRACAS_ERROR_BAD_DATA,
                                "sphere %" PRIu32 " is (%g, %g, %g), radius %g: scale the mesh so "
                                "that these are at most %g",
                                i, g->spheres[i][0], g->spheres[i][1], g->spheres[i][2],
                                g->spheres[i][3], LARGEST);
    return FRACAS_OK;
}

// ---- which primitives

static uint64_t edge_key(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int compare_keys(const void* x, const void* y) {
    const uint64_t a = *(const uint64_t*)x, b = *(const uint64_t*)y;
    return (a > b) - (a < b);
}

// The parts of a primitive that is not degenerate: itself.
static void add(fracas_medial_shape* shape, const given* g, fracas_medial_degenerate rule,
                const uint32_t* index, int count, uint32_t number) {
    double at[3][4];
    frc_medial_parts parts;
    for (int i = 0; i < count; i++) memcpy(at[i], g->spheres[index[i]], sizeof at[i]);
    frc_medial_classify(
        (const double(*)[4])at, count,
        rule == FRACAS_MEDIAL_DEGENERATE_EXACT ? FRC_MEDIAL_EXACT : FRC_MEDIAL_PUBLISHED, &parts);
    shape->info.degenerate += parts.count > 1 || parts.size[0] < count;
    for (int p = 0; p < parts.count; p++) {
        frc_medial_primitive* out = &shape->primitives[shape->primitive_count++];
        *out = (frc_medial_primitive){.count = (uint32_t)parts.size[p], .number = number};
        for (int i = 0; i < parts.size[p]; i++) out->sphere[i] = index[parts.spheres[p][i]];
        shape->info.spheres += parts.size[p] == 1;
        shape->info.cones += parts.size[p] == 2;
        shape->info.slabs += parts.size[p] == 3;
    }
}

// False: no memory.
static bool add_all(fracas_medial_shape* shape, const given* g, fracas_medial_degenerate rule) {
    frc_arena arena = frc_arena_make(g->context);
    const size_t key_count = 3 * (size_t)g->triangle_count;
    uint64_t* keys = frc_arena_allocate(&arena, key_count, sizeof *keys);
    bool* used = frc_arena_allocate_zero(&arena, g->sphere_count, 1);
    const bool ok = keys && used;
    if (ok) {
        for (size_t i = 0; i < key_count; i++) {
            const uint32_t* t = &g->triangles[i / 3 * 3];
            keys[i] = edge_key(t[i % 3], t[(i + 1) % 3]);
            used[g->triangles[i]] = true;
        }
        if (key_count > 0) qsort(keys, key_count, sizeof *keys, compare_keys);
        for (uint32_t e = 0; e < g->edge_count; e++) {
            const uint32_t* end = &g->edges[2 * (size_t)e];
            const uint64_t key = edge_key(end[0], end[1]);
            used[end[0]] = used[end[1]] = true;
            if (key_count > 0 && bsearch(&key, keys, key_count, sizeof key, compare_keys))
                shape->info.dropped++;
            else
                add(shape, g, rule, end, 2, e);
        }
        for (uint32_t t = 0; t < g->triangle_count; t++)
            add(shape, g, rule, &g->triangles[3 * (size_t)t], 3, g->edge_count + t);
        for (uint32_t i = 0; i < g->single_count; i++) {
            const uint32_t s = g->singles ? g->singles[i] : i;
            if (!used[s]) add(shape, g, rule, &s, 1, g->edge_count + g->triangle_count + i);
            used[s] = true;
        }
    }
    frc_arena_release(&arena);
    return ok;
}

// Spheres relative to the centre, with the inflation.
static void place(fracas_medial_shape* shape, const given* g,
                  const fracas_medial_shape_options* options) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t p = 0; p < shape->primitive_count; p++)
        for (uint32_t i = 0; i < shape->primitives[p].count; i++) {
            const double* s = g->spheres[shape->primitives[p].sphere[i]];
            for (int k = 0; k < 3; k++) {
                lo[k] = fmin(lo[k], s[k] - s[3]);
                hi[k] = fmax(hi[k], s[k] + s[3]);
            }
        }
    double* centre = shape->info.centre;
    for (int k = 0; k < 3; k++)
        centre[k] = isnan(options->centre[k]) ? (lo[k] + hi[k]) / 2 : options->centre[k];
    for (uint32_t i = 0; i < g->sphere_count; i++) {
        for (int k = 0; k < 3; k++) shape->spheres[i][k] = g->spheres[i][k] - centre[k];
        shape->spheres[i][3] = g->spheres[i][3] + options->inflation;
        shape->distances[i] = sqrt(frc_vec3_dot(shape->spheres[i], shape->spheres[i]));
    }
    for (uint32_t p = 0; p < shape->primitive_count; p++)
        for (uint32_t i = 0; i < shape->primitives[p].count; i++) {
            const double* s = shape->spheres[shape->primitives[p].sphere[i]];
            const double far = (sqrt(frc_vec3_dot(s, s)) + s[3]) * (1 + 0x1p-48);
            if (far > shape->info.radius) shape->info.radius = far;
        }
}

static fracas_status make(const given* g, const fracas_medial_shape_options* options,
                          fracas_medial_shape** out) {
    fracas_status status = check_given(g);
    if (status != FRACAS_OK) return status;
    const size_t most = g->edge_count + 2 * (size_t)g->triangle_count + g->single_count;
    fracas_medial_shape* shape = frc_allocate_zero(g->context, sizeof *shape);
    bool ok = shape != NULL;
    if (ok) {
        shape->context = g->context;
        shape->capacity = most;
        shape->sphere_count = g->sphere_count;
        shape->spheres = frc_allocate_array(g->context, g->sphere_count, 4 * sizeof(double), &ok);
        shape->distances =
            frc_allocate_array(g->context, g->sphere_count, sizeof *shape->distances, &ok);
        shape->primitives = frc_allocate_array(g->context, most, sizeof *shape->primitives, &ok);
    }
    if (ok) ok = add_all(shape, g, options->degenerate);
    if (ok) {
        place(shape, g, options);
        ok = frc_medial_shape_make_tree(shape);
    }
    if (!ok) {
        fracas_medial_shape_destroy(shape);
        return frc_fail(g->context, FRACAS_ERROR_OUT_OF_MEMORY,
                        "no memory for a shape of %zu primitives", most);
    }
    *out = shape;
    return FRACAS_OK;
}

// ---- public

// Checks of both functions. With FRACAS_OK the options are in `use`.
static fracas_status begin(fracas_context* context, const fracas_medial_shape_options* options,
                           fracas_medial_shape** out, const char* function,
                           fracas_medial_shape_options* use) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(context, function, "out");
    *use = options ? *options : fracas_medial_shape_default_options();
    return check_options(context, use);
}

fracas_status fracas_medial_shape_create(fracas_context* context, const fracas_medial_mesh* mesh,
                                         const fracas_medial_shape_options* options,
                                         fracas_medial_shape** out) {
    fracas_medial_shape_options use;
    fracas_status status = begin(context, options, out, "fracas_medial_shape_create", &use);
    if (status != FRACAS_OK) return status;
    if (!mesh) return frc_fail_null(context, "fracas_medial_shape_create", "mesh");
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    given g = {.context = context,
               .edges = view.edges,
               .triangles = view.triangles,
               .sphere_count = view.sphere_count,
               .edge_count = view.edge_count,
               .triangle_count = view.triangle_count,
               .single_count = view.sphere_count};
    bool ok = true;
    g.spheres = frc_allocate_array(context, view.sphere_count, sizeof *g.spheres, &ok);
    if (!ok) return frc_fail_memory(context, frc_array_size(view.sphere_count, sizeof *g.spheres));
    for (uint32_t i = 0; i < view.sphere_count; i++) {
        memcpy(g.spheres[i], view.spheres[i].center, 3 * sizeof(double));
        g.spheres[i][3] = view.spheres[i].radius;
    }
    status = make(&g, &use, out);
    frc_release(context, g.spheres, frc_array_size(view.sphere_count, sizeof *g.spheres));
    return status;
}

fracas_status fracas_medial_shape_create_from_surface(fracas_context* context,
                                                      const fracas_mesh_view* surface,
                                                      const fracas_medial_shape_options* options,
                                                      fracas_medial_shape** out) {
    fracas_medial_shape_options use;
    static const char name[] = "fracas_medial_shape_create_from_surface";
    fracas_status status = begin(context, options, out, name, &use);
    if (status != FRACAS_OK) return status;
    if (!surface) return frc_fail_null(context, name, "surface");
    status = frc_mesh_check(context, surface);
    if (status == FRACAS_OK) status = frc_mesh_validate(context, surface);
    if (status != FRACAS_OK) return status;
    given g = {.context = context,
               .edges = surface->edges,
               .triangles = surface->triangles,
               .singles = surface->vertices,
               .sphere_count = surface->points.count,
               .edge_count = surface->edge_count,
               .triangle_count = surface->triangle_count,
               .single_count = surface->vertex_count};
    bool ok = true;
    g.spheres = frc_allocate_array(context, g.sphere_count, sizeof *g.spheres, &ok);
    if (!ok) return frc_fail_memory(context, frc_array_size(g.sphere_count, sizeof *g.spheres));
    for (uint32_t i = 0; i < g.sphere_count; i++) {
        frc_view_point(&surface->points, i, g.spheres[i]);
        g.spheres[i][3] = 0;
    }
    status = make(&g, &use, out);
    frc_release(context, g.spheres, frc_array_size(g.sphere_count, sizeof *g.spheres));
    return status;
}

void fracas_medial_shape_destroy(fracas_medial_shape* shape) {
    if (!shape) return;
    fracas_context* context = shape->context;
    const size_t nodes = shape->primitive_count > 0 ? frc_medial_node_count(shape) : 0;
    frc_release(context, shape->spheres, frc_array_size(shape->sphere_count, 4 * sizeof(double)));
    frc_release(context, shape->distances,
                frc_array_size(shape->sphere_count, sizeof *shape->distances));
    frc_release(context, shape->primitives,
                frc_array_size(shape->capacity, sizeof *shape->primitives));
    frc_release(context, shape->nodes, frc_array_size(nodes, sizeof *shape->nodes));
    frc_release(context, shape->boxes, frc_array_size(nodes, sizeof *shape->boxes));
    frc_release(context, shape, sizeof *shape);
}

fracas_status fracas_medial_shape_get_info(const fracas_medial_shape* shape,
                                           fracas_medial_shape_info* out) {
    if (!shape) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(shape->context, "fracas_medial_shape_get_info", "out");
    *out = shape->info;
    return FRACAS_OK;
}
