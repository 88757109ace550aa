/// @file update.c  After edits and moves: no gaps in the pools, units of vertices, then the finder.
#include "base/clock.h"
#include "base/parallel.h"
#include "tets/tets.h"
#include <string.h>

// Cells of less than this part of an edge are made larger: a tetrahedron would look into thousands
// of cells, most of them empty.
enum { FINEST = 16 };

// Edges change their lengths slowly: updates from one look at them to the next, but for edits.
enum { SELDOM = 15 };

// ---- gaps

// Bodies keep their order in the pools. The vertices of a body go down together, so that its
// tetrahedra's corners do by as much.
static void close_gaps(fracas_tets* tets) {
    size_t kept = 0;
    for (size_t t = 0; t < tets->tets.count;) {
        const uint32_t number = tets->tet_bodies.data[t];
        if (number == FRACAS_NONE) {
            t++;
            continue;
        }
        frc_tet_body* body = &tets->bodies.data[number];
        memmove(&tets->tets.data[kept], &tets->tets.data[t],
                body->tet_count * sizeof *tets->tets.data);
        memmove(&tets->tet_numbers.data[kept], &tets->tet_numbers.data[t],
                body->tet_count * sizeof(uint32_t));
        memmove(&tets->tet_bodies.data[kept], &tets->tet_bodies.data[t],
                body->tet_count * sizeof(uint32_t));
        t += body->tet_count;
        body->first_tet = (uint32_t)kept;
        kept += body->tet_count;
    }
    tets->tets.count = tets->tet_numbers.count = tets->tet_bodies.count = kept;
    kept = 0;
    for (size_t v = 0; v < tets->vertices.count;) {
        const uint32_t number = tets->vertices.data[v].body;
        if (number == FRACAS_NONE) {
            v++;
            continue;
        }
        frc_tet_body* body = &tets->bodies.data[number];
        memmove(&tets->vertices.data[kept], &tets->vertices.data[v],
                body->vertex_count * sizeof *tets->vertices.data);
        const uint32_t down = (uint32_t)(v - kept);
        for (uint32_t t = 0; t < body->tet_count; t++)
            for (int i = 0; i < 4; i++) tets->tets.data[body->first_tet + t].corner[i] -= down;
        v += body->vertex_count;
        body->first_vertex = (uint32_t)kept;
        kept += body->vertex_count;
    }
    tets->vertices.count = kept;
    tets->holes = false;
}

// The order of reports: by body, then by number.
static void count_ranks(fracas_tets* tets) {
    uint32_t rank = 0, tet_rank = 0;
    for (size_t b = 0; b < tets->bodies.count; b++) {
        frc_tet_body* body = &tets->bodies.data[b];
        body->first_rank = rank, body->first_tet_rank = tet_rank;
        rank += body->point_count, tet_rank += body->tet_count;
    }
}

// ---- units

// Parts for each worker, of so many vertices at least: few and long, as a worker has to fetch what
// another one has written, and memory is fetched in streams.
enum { SHARES = 2, FEWEST = 256 };

static bool begin_units(void* data, uint32_t* parts) {
    fracas_tets* tets = data;
    fracas_context* context = tets->context;
    const size_t all = tets->vertices.count, share = all / (SHARES * frc_worker_count(context)) + 1;
    tets->unit_part = share < FEWEST ? FEWEST : share;
    *parts = (uint32_t)((all + tets->unit_part - 1) / tets->unit_part);
    return FRC_ARRAY_RESERVE(context, &tets->unit_bounds, *parts) &&
           FRC_ARRAY_RESERVE(context, &tets->units, all);
}

static void make_units(uint32_t part, void* data) {
    fracas_tets* tets = data;
    const double scale = tets->cell_scale;
    const size_t first = part * tets->unit_part, all = tets->vertices.count;
    const size_t last = first + tets->unit_part < all ? first + tets->unit_part : all;
    i32x4 lo = i32x4_splat(INT32_MAX), hi = i32x4_splat(INT32_MIN);
    for (size_t v = first; v < last; v++) {
        const i32x4 units = frc_cell_units(scale, tets->vertices.data[v].at);
        i32x4_store(tets->units.data[v].at, units);
        lo = i32x4_min(lo, units), hi = i32x4_max(hi, units);
    }
    i32x4_store(tets->unit_bounds.data[part].lo, lo);
    i32x4_store(tets->unit_bounds.data[part].hi, hi);
}

static bool join_bounds(void* data, uint32_t* parts) {
    fracas_tets* tets = data;
    *parts = 0;
    memset(tets->unit_lo, 0, sizeof tets->unit_lo);
    memset(tets->unit_hi, 0, sizeof tets->unit_hi);
    tets->clamped = false;
    const size_t count = (tets->vertices.count + tets->unit_part - 1) / tets->unit_part;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const frc_unit_bounds* part = &tets->unit_bounds.data[i];
            const int32_t lo = part->lo[k], hi = part->hi[k];
            if (i == 0 || lo < tets->unit_lo[k]) tets->unit_lo[k] = lo;
            if (i == 0 || hi > tets->unit_hi[k]) tets->unit_hi[k] = hi;
            tets->clamped |= frc_cell_clamped(lo) || frc_cell_clamped(hi);
        }
    return true;
}

// Units, and what the finder makes of them, as one loop: steps of small sets take microseconds.
static bool prepare_finder(fracas_tets* tets) {
    const frc_tets_finder* finder = frc_tets_finder_of(tets->options.method);
    frc_stage stages[FRC_STAGES] = {
        {begin_units, make_units},
        {join_bounds, NULL      }
    };
    uint32_t count = 2;
    for (uint32_t i = 0; i < finder->stage_count; i++) stages[count++] = finder->stages[i];
    return frc_stages_run(tets->context, stages, count, tets) &&
           (!finder->prepare || finder->prepare(tets));
}

// ---- surfaces

static bool update_surfaces(fracas_tets* tets) {
    if (!tets->options.depth) return true;
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

// ---- all of it

// The mean edge is what the paper finds best; rows of sorted cells do with somewhat less, as long
// as a cache has room for all cells (measured on bodies of several shapes).
static void choose_cells(fracas_tets* tets) {
    const bool smaller =
        tets->options.method == FRACAS_TETS_SORTED && tets->vertices.count < FRC_TETS_MANY;
    const double part = smaller ? 0.875 : 1;
    if (tets->changed || tets->choose_again-- == 0) {
        tets->chosen = part * frc_tets_choose_cell(tets);
        tets->choose_again = SELDOM;
    }
    const double chosen = tets->chosen, wanted = tets->options.cell_size;
    tets->cell_size = wanted == 0 ? chosen : wanted > chosen / FINEST ? wanted : chosen / FINEST;
    tets->cell_scale = frc_cell_scale(tets->cell_size);
}

fracas_status fracas_tets_update(fracas_tets* tets) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (tets->updated) return FRACAS_OK;
    const double start = frc_clock_ms();
    if (frc_cancelled(tets->context))
        return frc_fail(tets->context, FRACAS_ERROR_CANCELLED, "the update was cancelled");
    if (tets->holes) close_gaps(tets);
    if (tets->changed) count_ranks(tets);
    choose_cells(tets);
    if (!prepare_finder(tets) || !update_surfaces(tets))
        return frc_cancelled(tets->context)
                   ? frc_fail(tets->context, FRACAS_ERROR_CANCELLED, "the update was cancelled")
                   : frc_fail_memory(tets->context, tets->vertices.count * sizeof(frc_tet_units));
    tets->changed = false;
    tets->updated = true;
    tets->ms_update = frc_clock_ms() - start;
    return FRACAS_OK;
}
