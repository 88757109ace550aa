/// @file update.c  After edits and moves: compact the pools, choose cells, compute units of
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

// ---- pools

// Move the tetrahedra of each body down to `to`; bodies keep their order.
static void compact_tets(fracas_tets* tets) {
    size_t to = 0;
    for (size_t t = 0; t < tets->tets.count;) {
        const uint32_t number = tets->tet_bodies.data[t];
        if (number == FRACAS_NONE) {
            t++;
            continue;
        }
        frc_tet_body* body = &tets->bodies.data[number];
        const size_t count = body->tet_count;
        memmove(&tets->tets.data[to], &tets->tets.data[t], count * sizeof *tets->tets.data);
        memmove(&tets->tet_indices.data[to], &tets->tet_indices.data[t], count * sizeof(uint32_t));
        memmove(&tets->tet_bodies.data[to], &tets->tet_bodies.data[t], count * sizeof(uint32_t));
        body->first_tet = (uint32_t)to;
        t += count, to += count;
    }
    tets->tets.count = tets->tet_indices.count = tets->tet_bodies.count = to;
}

// All vertices of a body move by the same offset, and so do the corners of its tetrahedra.
static void compact_vertices(fracas_tets* tets) {
    size_t to = 0;
    for (size_t v = 0; v < tets->vertices.count;) {
        const uint32_t number = tets->vertices.data[v].body;
        if (number == FRACAS_NONE) {
            v++;
            continue;
        }
        frc_tet_body* body = &tets->bodies.data[number];
        const size_t count = body->vertex_count;
        const uint32_t offset = (uint32_t)(v - to);
        memmove(&tets->vertices.data[to], &tets->vertices.data[v],
                count * sizeof *tets->vertices.data);
        for (uint32_t t = 0; t < body->tet_count; t++)
            for (int i = 0; i < 4; i++) tets->tets.data[body->first_tet + t].corner[i] -= offset;
        body->first_vertex = (uint32_t)to;
        v += count, to += count;
    }
    tets->vertices.count = to;
}

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

static bool update_surfaces(fracas_tets* tets) {
    for (size_t b = 0; b < tets->bodies.count; b++) {
        frc_tet_body* body = &tets->bodies.data[b];
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
    if (tets->has_gaps) {
        compact_tets(tets);
        compact_vertices(tets);
        tets->has_gaps = false;
    }
    // Number the points and tetrahedra of all bodies in the order of reports.
    uint32_t rank = 0, tet_rank = 0;
    for (size_t b = 0; tets->bodies_changed && b < tets->bodies.count; b++) {
        frc_tet_body* body = &tets->bodies.data[b];
        body->first_rank = rank, body->first_tet_rank = tet_rank;
        rank += body->point_count, tet_rank += body->tet_count;
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
