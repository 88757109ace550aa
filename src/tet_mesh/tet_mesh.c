/// @file tet_mesh.c  Public functions; the steps of a tetrahedralization.
#include "fracas/tet_mesh.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "mesh/validate.h"
#include "tet_mesh/stuffing.h"
#include <math.h>

#define DEGREES 57.295779513082321

// ---- progress

fracas_status frc_stuffing_cancelled(fracas_context* context) {
    return frc_fail(context, FRACAS_ERROR_CANCELLED, "the tetrahedralization was cancelled");
}

bool frc_steps_proceed(frc_steps* steps, uint32_t worker, uint32_t count) {
    // Relaxed: a hint to the other workers; the result is read after the loop.
    if (atomic_load_explicit(&steps->stopped, memory_order_relaxed)) return false;
    const uint32_t done = atomic_fetch_add_explicit(&steps->done, count, memory_order_relaxed);
    const double fraction = steps->from + (steps->to - steps->from) * done / steps->total;
    if (worker == 0 ? frc_progress(steps->context, fraction) : !frc_cancelled(steps->context))
        return true;
    atomic_store_explicit(&steps->stopped, true, memory_order_relaxed);
    return false;
}

fracas_status frc_steps_finish(frc_steps* steps) {
    return atomic_load(&steps->stopped) || frc_cancelled(steps->context)
               ? frc_stuffing_cancelled(steps->context)
               : FRACAS_OK;
}

// ---- create and destroy

static void release(frc_stuffing* s) {
    fracas_context* context = s->context;
    frc_release(context, s->active_of_node,
                frc_array_size(s->lattice.node_count, sizeof *s->active_of_node));
    frc_release(context, s->active, frc_array_size(s->active_count, sizeof *s->active));
    frc_release(context, s->lattice.sign, frc_array_size(s->lattice.node_count, 1));
    frc_surface_release(context, &s->surface);
    frc_surface_release(context, &s->edges);
    frc_surface_release(context, &s->corners);
    frc_release(context, s->points, frc_array_size(s->point_count, sizeof *s->points));
}

static bool build_tree(frc_stuffing* s, frc_surface* surface) {
    const frc_surface_points points = frc_stuffing_points(s);
    if (!frc_surface_build(s->context, surface, points)) return false;
    frc_surface_refit(s->context, surface, points);
    return true;
}

static fracas_status build_trees(frc_stuffing* s) {
    if (build_tree(s, &s->surface) && build_tree(s, &s->edges) && build_tree(s, &s->corners))
        return FRACAS_OK;
    return frc_cancelled(s->context)
               ? frc_stuffing_cancelled(s->context)
               : frc_fail_memory(s->context, s->surface.count * sizeof(frc_prim));
}

static fracas_status create(fracas_context* context, const fracas_mesh_view* view,
                            const fracas_tet_mesh_options* options, fracas_tet_mesh* mesh) {
    const double begin = frc_clock_ms();
    frc_stuffing s = {.context = context};
    s.sharp_cosine = options->sharp_angle < 180 ? cos(options->sharp_angle / DEGREES) : -1;
    fracas_status status = frc_stuffing_read(&s, view);
    if (status == FRACAS_OK) status = frc_lattice_create(&s, options);
    if (status == FRACAS_OK) status = build_trees(&s);
    if (status == FRACAS_OK) status = frc_stuffing_find_inside(&s);
    if (status == FRACAS_OK) status = frc_stuffing_find_active(&s);
    if (status == FRACAS_OK) status = frc_stuffing_find_cuts(&s);
    if (status == FRACAS_OK) {
        frc_stuffing_warp(&s);
        status = frc_stuffing_snap(&s);
    }
    if (status == FRACAS_OK) status = frc_stuffing_fill(&s, mesh);
    const double filled = frc_clock_ms();
    if (status == FRACAS_OK) status = frc_stuffing_measure(&s, mesh);
    if (status == FRACAS_OK && !frc_progress(context, 1)) status = frc_stuffing_cancelled(context);
    release(&s);
    mesh->info.ms = frc_clock_ms() - begin;
    mesh->info.ms_measure = mesh->info.ms - (filled - begin);
    return status;
}

fracas_tet_mesh_options fracas_tet_mesh_default_options(void) {
    return (fracas_tet_mesh_options){
        .struct_size = sizeof(fracas_tet_mesh_options), .cells = 32, .sharp_angle = 40};
}

fracas_status fracas_tet_mesh_create(fracas_context* context, const fracas_mesh_view* surface,
                                     const fracas_tet_mesh_options* given, fracas_tet_mesh** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!surface) return frc_fail_null(context, "fracas_tet_mesh_create", "surface");
    if (!out) return frc_fail_null(context, "fracas_tet_mesh_create", "out");
    const fracas_tet_mesh_options options = given ? *given : fracas_tet_mesh_default_options();
    if (options.struct_size != sizeof options)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_tet_mesh_options is not initialised: start from "
                        "fracas_tet_mesh_default_options()");
    fracas_status status = frc_mesh_check(context, surface);
    if (status == FRACAS_OK) status = frc_mesh_validate(context, surface);
    if (status != FRACAS_OK) return status;
    fracas_tet_mesh* mesh = frc_allocate_zero(context, sizeof *mesh);
    if (!mesh) return frc_fail_memory(context, sizeof *mesh);
    mesh->context = context;
    status = create(context, surface, &options, mesh);
    if (status == FRACAS_OK)
        *out = mesh;
    else
        fracas_tet_mesh_destroy(mesh);
    return status;
}

void fracas_tet_mesh_destroy(fracas_tet_mesh* mesh) {
    if (!mesh) return;
    fracas_context* context = mesh->context;
    frc_release(context, mesh->tets, frc_array_size(mesh->tet_count, sizeof *mesh->tets));
    frc_release(context, mesh->nodes, frc_array_size(mesh->node_count, sizeof *mesh->nodes));
    frc_release(context, mesh, sizeof *mesh);
}

// ---- results

fracas_tet_view fracas_tet_mesh_get_view(const fracas_tet_mesh* mesh) {
    fracas_tet_view view = {0};
    if (!mesh) return view;
    view.points = (fracas_points){.data = mesh->nodes, .count = mesh->node_count};
    view.tets = mesh->tets[0];
    view.tet_count = mesh->tet_count;
    return view;
}

fracas_status fracas_tet_mesh_get_info(const fracas_tet_mesh* mesh, fracas_tet_mesh_info* out) {
    if (!mesh) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(mesh->context, "fracas_tet_mesh_get_info", "out");
    *out = mesh->info;
    return FRACAS_OK;
}
