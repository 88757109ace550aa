/// @file medial_mesh.c  Public functions; the steps of a medial mesh.
#include "base/clock.h"
#include "geom/vec3.h"
#include "medial_mesh/build.h"
#include "mesh/validate.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

// ---- progress

bool frc_medial_proceed(frc_medial_build* b, double part) {
    b->reported = fmax(b->reported, b->from + (b->to - b->from) * part);
    if (!b->stopped) b->stopped = !frc_progress(b->context, b->reported);
    return !b->stopped;
}

bool frc_medial_stopped(const frc_medial_build* b) {
    return b->stopped || frc_cancelled(b->context);
}

fracas_status frc_medial_finish(const frc_medial_build* b, bool ok, size_t size) {
    if (frc_medial_stopped(b))
        return frc_fail(b->context, FRACAS_ERROR_CANCELLED, "the medial mesh was cancelled");
    return ok ? FRACAS_OK : frc_fail_memory(b->context, size);
}

// ---- the steps

static void release(frc_medial_build* b) {
    fracas_context* context = b->context;
    frc_complex_release(context, &b->complex);
    FRC_ARRAY_RELEASE(context, &b->samples);
    frc_ray_grid_release(b);
    frc_surface_release(context, &b->surface);
    frc_closed_surface_release(context, &b->closed);
}

// A tree and a grid for rays over the surface.
static fracas_status prepare(frc_medial_build* b) {
    const frc_closed_surface* s = &b->closed;
    bool ok = true;
    double d[3];
    frc_vec3_subtract(s->hi, s->lo, d);
    b->diagonal = sqrt(frc_vec3_dot(d, d));
    b->surface.faces = frc_allocate_array(b->context, s->triangle_count, sizeof(frc_face), &ok);
    if (ok) {
        b->surface.count = b->surface.capacity = s->triangle_count;
        memcpy(b->surface.faces, s->triangles, s->triangle_count * sizeof(frc_face));
        ok = frc_surface_build(b->context, &b->surface, frc_medial_points(b));
    }
    if (ok) {
        frc_surface_refit(b->context, &b->surface, frc_medial_points(b));
        ok = frc_ray_grid_create(b);
    }
    return frc_medial_finish(b, ok, s->triangle_count * sizeof(frc_prim));
}

static fracas_status measure(frc_medial_build* b, fracas_medial_mesh* mesh) {
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    frc_medial_step(b, 0.9, 1);
    mesh->info.diagonal = b->diagonal;
    const bool ok = frc_medial_measure(b, &view, &mesh->info);
    frc_medial_proceed(b, 1);
    return frc_medial_finish(b, ok, b->samples.count * sizeof(frc_sample));
}

enum { DEFAULT_SAMPLES = 15000, LEAST_SAMPLES = 100, MOST_SAMPLES = 200000 };

static fracas_status create(fracas_context* context, const fracas_mesh_view* view,
                            const fracas_medial_mesh_options* options, fracas_medial_mesh* mesh) {
    const double begin = frc_clock_ms();
    frc_medial_build b = {.context = context, .options = options};
    fracas_status status = frc_closed_surface_read(context, view, &b.closed);
    frc_medial_step(&b, 0, 0.15);
    if (status == FRACAS_OK) status = prepare(&b);
    if (status == FRACAS_OK) status = frc_medial_check_intersections(&b);
    if (status == FRACAS_OK && frc_medial_proceed(&b, 0.1)) {
        const bool ok =
            frc_sample_surface(&b, options->samples > 0 ? options->samples : DEFAULT_SAMPLES);
        status = frc_medial_finish(&b, ok, b.samples.count * sizeof(frc_sample));
    }
    if (status == FRACAS_OK) status = frc_medial_voronoi(&b);
    mesh->info.medial_vertices = b.complex.alive;
    mesh->info.samples = (uint32_t)b.samples.count;
    frc_medial_step(&b, 0.15, 0.3);
    if (status == FRACAS_OK)
        status = options->spheres_only ? frc_medial_cover(&b, mesh) : frc_medial_simplify(&b, mesh);
    const double made = frc_clock_ms();
    if (status == FRACAS_OK) status = measure(&b, mesh);
    frc_medial_count(mesh);
    release(&b);
    mesh->info.ms = frc_clock_ms() - begin;
    mesh->info.ms_measure = mesh->info.ms - (made - begin);
    return status;
}

fracas_medial_mesh_options fracas_medial_mesh_default_options(void) {
    return (fracas_medial_mesh_options){
        .struct_size = sizeof(fracas_medial_mesh_options), .error = 0.01, .fit_rounds = 96};
}

static fracas_status check_options(fracas_context* context,
                                   const fracas_medial_mesh_options* options) {
    if (options->struct_size != sizeof *options)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_medial_mesh_options is not initialised: start from "
                        "fracas_medial_mesh_default_options()");
    if (options->samples > MOST_SAMPLES ||
        (options->samples > 0 && options->samples < LEAST_SAMPLES))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "%" PRIu32 " samples; there can be %d to %d, or 0 for %d", options->samples,
                        LEAST_SAMPLES, MOST_SAMPLES, DEFAULT_SAMPLES);
    if (options->spheres_only && options->spheres == 0)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "spheres_only needs the number of spheres");
    if (options->spheres == 0 && !(options->error > 0 && options->error <= 1))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the error is %g; it must be above 0 and at most 1, a part of the diagonal",
                        options->error);
    return FRACAS_OK;
}

fracas_status fracas_medial_mesh_create(fracas_context* context, const fracas_mesh_view* surface,
                                        const fracas_medial_mesh_options* given,
                                        fracas_medial_mesh** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!surface) return frc_fail_null(context, "fracas_medial_mesh_create", "surface");
    if (!out) return frc_fail_null(context, "fracas_medial_mesh_create", "out");
    const fracas_medial_mesh_options options =
        given ? *given : fracas_medial_mesh_default_options();
    fracas_status status = check_options(context, &options);
    if (status == FRACAS_OK) status = frc_mesh_check(context, surface);
    if (status == FRACAS_OK) status = frc_mesh_validate(context, surface);
    if (status != FRACAS_OK) return status;
    fracas_medial_mesh* mesh = frc_allocate_zero(context, sizeof *mesh);
    if (!mesh) return frc_fail_memory(context, sizeof *mesh);
    mesh->context = context;
    status = create(context, surface, &options, mesh);
    if (status == FRACAS_OK)
        *out = mesh;
    else
        fracas_medial_mesh_destroy(mesh);
    return status;
}

// ---- a given mesh

static fracas_status check_corners(fracas_context* context, const char* name, const uint32_t* v,
                                   uint32_t count, uint32_t corners, uint32_t spheres) {
    for (uint32_t i = 0; i < count; i++, v += corners)
        for (uint32_t k = 0; k < corners; k++) {
            if (v[k] >= spheres)
                return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                                "%s %" PRIu32 " refers to sphere %" PRIu32
                                ", but there are %" PRIu32,
                                name, i, v[k], spheres);
            if (v[k] == v[(k + 1) % corners])
                return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                                "%s %" PRIu32 " has sphere %" PRIu32 " twice; remove it", name, i,
                                v[k]);
        }
    return FRACAS_OK;
}

static fracas_status check_view(fracas_context* context, const fracas_medial_view* view) {
    if ((!view->spheres && view->sphere_count > 0) || (!view->edges && view->edge_count > 0) ||
        (!view->triangles && view->triangle_count > 0))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the medial mesh has %" PRIu32 " spheres, %" PRIu32 " edges and %" PRIu32
                        " triangles, but NULL for one of them",
                        view->sphere_count, view->edge_count, view->triangle_count);
    for (uint32_t v = 0; v < view->sphere_count; v++) {
        const fracas_medial_sphere* s = &view->spheres[v];
        for (int k = 0; k < 3; k++)
            if (!isfinite(s->center[k]))
                return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                                "sphere %" PRIu32 " has %c = %g; numbers must be finite", v,
                                "xyz"[k], s -> center[k]);
        if (!(s->radius >= 0 && isfinite(s->radius)))
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "sphere %" PRIu32
                            " has the radius %g; it must be finite and not negative",
                            v, s->radius);
    }
    const fracas_status status =
        check_corners(context, "edge", view->edges, view->edge_count, 2, view->sphere_count);
    if (status != FRACAS_OK) return status;
    return check_corners(context, "triangle", view->triangles, view->triangle_count, 3,
                         view->sphere_count);
}

static bool copy(const fracas_medial_view* view, fracas_medial_mesh* mesh) {
    fracas_context* context = mesh->context;
    const size_t edges = 2 * (size_t)view->edge_count, corners = 3 * (size_t)view->triangle_count;
    if (!FRC_ARRAY_RESERVE(context, &mesh->spheres, view->sphere_count) ||
        !FRC_ARRAY_RESERVE(context, &mesh->edges, edges) ||
        !FRC_ARRAY_RESERVE(context, &mesh->triangles, corners))
        return false;
    for (uint32_t v = 0; v < view->sphere_count; v++) mesh->spheres.data[v] = view->spheres[v];
    for (size_t i = 0; i < edges; i++) mesh->edges.data[i] = view->edges[i];
    for (size_t i = 0; i < corners; i++) mesh->triangles.data[i] = view->triangles[i];
    mesh->spheres.count = view->sphere_count;
    mesh->edges.count = edges, mesh->triangles.count = corners;
    return true;
}

fracas_status fracas_medial_mesh_create_from(fracas_context* context,
                                             const fracas_medial_view* view,
                                             fracas_medial_mesh** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!view) return frc_fail_null(context, "fracas_medial_mesh_create_from", "view");
    if (!out) return frc_fail_null(context, "fracas_medial_mesh_create_from", "out");
    const fracas_status status = check_view(context, view);
    if (status != FRACAS_OK) return status;
    fracas_medial_mesh* mesh = frc_allocate_zero(context, sizeof *mesh);
    if (!mesh) return frc_fail_memory(context, sizeof *mesh);
    mesh->context = context;
    if (!copy(view, mesh)) {
        fracas_medial_mesh_destroy(mesh);
        return frc_fail_memory(context, view->sphere_count * sizeof *view->spheres);
    }
    frc_medial_count(mesh);
    *out = mesh;
    return FRACAS_OK;
}

void fracas_medial_mesh_destroy(fracas_medial_mesh* mesh) {
    if (!mesh) return;
    fracas_context* context = mesh->context;
    FRC_ARRAY_RELEASE(context, &mesh->spheres);
    FRC_ARRAY_RELEASE(context, &mesh->edges);
    FRC_ARRAY_RELEASE(context, &mesh->triangles);
    frc_release(context, mesh, sizeof *mesh);
}

void frc_medial_count(fracas_medial_mesh* mesh) {
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    mesh->info.spheres = view.sphere_count;
    mesh->info.edges = view.edge_count, mesh->info.triangles = view.triangle_count;
}

fracas_medial_view fracas_medial_mesh_get_view(const fracas_medial_mesh* mesh) {
    if (!mesh) return (fracas_medial_view){0};
    return (fracas_medial_view){.spheres = mesh->spheres.data,
                                .edges = mesh->edges.data,
                                .triangles = mesh->triangles.data,
                                .sphere_count = (uint32_t)mesh->spheres.count,
                                .edge_count = (uint32_t)(mesh->edges.count / 2),
                                .triangle_count = (uint32_t)(mesh->triangles.count / 3)};
}

fracas_status fracas_medial_mesh_get_info(const fracas_medial_mesh* mesh,
                                          fracas_medial_mesh_info* out) {
    if (!mesh) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(mesh->context, "fracas_medial_mesh_get_info", "out");
    *out = mesh->info;
    return FRACAS_OK;
}
