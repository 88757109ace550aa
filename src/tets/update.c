/// @file update.c  After edits and moves: regroup the pools, choose cells, compute units of
/// vertices, update the method's data and the surfaces.
#include "base/clock.h"
#include "base/parallel.h"
#include "grid/cells.h"
#include "tets/tets.h"
#include <string.h>

// The smallest cell is 1 / SMALLEST_CELL of the chosen size: with smaller cells a tetrahedron
// covers thousands of them, most of them empty.
enum { SMALLEST_CELL = 16 };

// Without edits, updates between two choices of the cell size: edge lengths change slowly.
enum { CHOICE_INTERVAL = 15 };

// ---- units

// Minimum ranges per worker and vertices per range. Ranges are few and long, because prefetching
// data that another core wrote works best on a stream.
enum { RANGES_PER_WORKER = 2, MIN_RANGE = 256 };

static void compute_units(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    fracas_tets* tets = data;
    const double scale = tets->unit_scale;
    i32x4 lo = i32x4_splat(INT32_MAX), hi = i32x4_splat(INT32_MIN);
    for (size_t v = begin; v < end; v++) {
        const i32x4 units = frc_cell_units(scale, tets->vertices.data[v].at);
        i32x4_store(tets->units.data[v].at, units);
        lo = i32x4_min(lo, units), hi = i32x4_max(hi, units);
    }
    frc_unit_box* bounds = &tets->range_bounds.data[begin / tets->range_size];
    i32x4_store(bounds->lo, lo);
    i32x4_store(bounds->hi, hi);
}

// Units of all vertices, and their bounds. False: no memory.
static bool update_units(fracas_tets* tets) {
    fracas_context* context = tets->context;
    const size_t all = tets->vertices.count;
    const size_t share = all / (RANGES_PER_WORKER * frc_worker_count(context)) + 1;
    tets->range_size = share < MIN_RANGE ? MIN_RANGE : (uint32_t)share;
    const size_t ranges = (all + tets->range_size - 1) / tets->range_size;
    if (!FRC_ARRAY_RESERVE(context, &tets->range_bounds, ranges) ||
        !FRC_ARRAY_RESERVE(context, &tets->units, all))
        return false;
    frc_parallel_for(context, (uint32_t)all, tets->range_size, compute_units, tets);
    memset(tets->unit_lo, 0, sizeof tets->unit_lo);
    memset(tets->unit_hi, 0, sizeof tets->unit_hi);
    tets->clamped = false;
    for (size_t i = 0; i < ranges; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t lo = tets->range_bounds.data[i].lo[k];
            const int32_t hi = tets->range_bounds.data[i].hi[k];
            if (i == 0 || lo < tets->unit_lo[k]) tets->unit_lo[k] = lo;
            if (i == 0 || hi > tets->unit_hi[k]) tets->unit_hi[k] = hi;
            tets->clamped |= frc_cell_clamped(lo) || frc_cell_clamped(hi);
        }
    return true;
}

// ---- surfaces

// The faces of one tetrahedron each of an edited body. False: no memory.
static bool find_surface(fracas_tets* tets, frc_tet_body* body) {
    fracas_context* context = tets->context;
    const size_t count = (size_t)body->live_tets * 4;
    frc_surface found;
    bool ok = true;
    uint32_t* corners = frc_allocate_array(context, count, sizeof *corners, &ok);
    if (!ok) return false;
    for (size_t i = 0; i < count; i++)
        corners[i] = tets->tets.data[body->first_tet + i / 4].corner[i % 4] - body->first_vertex;
    ok = frc_surface_find(context, corners, body->live_tets, body->vertex_count, &found);
    frc_release(context, corners, frc_array_size(count, sizeof *corners));
    if (!ok) return false;
    frc_surface_release(context, &body->surface);
    body->surface = found;
    body->edited = false;
    return true;
}

static bool update_surfaces(fracas_tets* tets) {
    if (!tets->options.depth) return true;
    for (size_t b = 0; b < tets->bodies.count; b++) {
        frc_tet_body* body = &tets->bodies.data[b];
        if (body->edited && !find_surface(tets, body)) return false;
        if (body->surface.count == 0) continue;
        const frc_surface_points points = frc_tets_surface_points(tets, body);
        if (body->surface.tree.leaf_count == 0 &&
            !frc_surface_build(tets->context, &body->surface, points))
            return false;
        frc_surface_refit(tets->context, &body->surface, points);
    }
    return true;
}

// ---- update

static void choose_cell_size(fracas_tets* tets) {
    if (tets->bodies_changed || tets->updates_until_choice-- == 0) {
        const bool cached = tets->vertices.count < FRC_TETS_CACHED_VERTICES;
        tets->chosen_cell_size =
            (cached ? tets->method->cell_factor : 1) * frc_tets_mean_edge(tets);
        tets->updates_until_choice = CHOICE_INTERVAL;
    }
    const double chosen = tets->chosen_cell_size, smallest = chosen / SMALLEST_CELL;
    const double given = tets->options.cell_size;
    tets->cell_size = given == 0 ? chosen : given > smallest ? given : smallest;
    tets->unit_scale = frc_cell_scale(tets->cell_size);
}

fracas_status fracas_tets_update(fracas_tets* tets) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (tets->updated) return FRACAS_OK;
    const double start = frc_clock_ms();
    if (frc_cancelled(tets->context))
        return frc_fail(tets->context, FRACAS_ERROR_CANCELLED, "the update was cancelled");
    if (tets->has_gaps && !frc_tets_regroup(tets))
        return frc_fail_memory(tets->context, tets->vertices.count * sizeof(frc_tet_vertex));
    // Number the points and tetrahedra of all bodies in the order of reports.
    uint32_t rank = 0, tet_rank = 0;
    for (size_t b = 0; tets->bodies_changed && b < tets->bodies.count; b++) {
        frc_tet_body* body = &tets->bodies.data[b];
        body->first_rank = rank, body->first_tet_rank = tet_rank;
        rank += (uint32_t)body->vertex_slots.count, tet_rank += (uint32_t)body->tet_slots.count;
    }
    choose_cell_size(tets);
    const frc_tets_method* method = tets->method;
    if (!update_units(tets) || (method->update && !method->update(tets)) || !update_surfaces(tets))
        return frc_cancelled(tets->context)
                   ? frc_fail(tets->context, FRACAS_ERROR_CANCELLED, "the update was cancelled")
                   : frc_fail_memory(tets->context, tets->vertices.count * sizeof(frc_tet_units));
    tets->bodies_changed = false;
    tets->updated = true;
    tets->update_statistics = (fracas_tets_update_statistics){.vertices = tets->vertices.count,
                                                              .tets = tets->tets.count,
                                                              .cell_size = tets->cell_size,
                                                              .ms_update = frc_clock_ms() - start};
    return FRACAS_OK;
}
