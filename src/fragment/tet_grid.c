/// @file tet_grid.c  Two passes over the tetrahedra: count the entries of each cell, then fill.
#include "fragment/tet_grid.h"
#include "base/array.h"
#include <math.h>
#include <string.h>

enum { TABLE_BITS = 24, CELLS_PER_TET = 64 };  // a table of more cells is folded

typedef struct unit_box {
    int32_t lo[3], hi[3];
} unit_box;

static unit_box box_of(double scale, const double (*points)[3], const uint32_t tet[4]) {
    unit_box box;
    for (int k = 0; k < 3; k++) {
        double lo = points[tet[0]][k], hi = lo;
        for (int i = 1; i < 4; i++) {
            const double x = points[tet[i]][k];
            lo = x < lo ? x : lo;
            hi = x > hi ? x : hi;
        }
        box.lo[k] = frc_cell_unit(scale, lo);
        box.hi[k] = frc_cell_unit(scale, hi);
    }
    return box;
}

// The mean of the largest sides of the tetrahedra.
static double mean_side(const double (*points)[3], const uint32_t (*tets)[4], uint32_t count) {
    double sum = 0;
    for (uint32_t t = 0; t < count; t++) {
        double side = 0;
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < i; j++) {
                    const double gap = fabs(points[tets[t][i]][k] - points[tets[t][j]][k]);
                    side = gap > side ? gap : side;
                }
        sum += side / count;
    }
    return sum < 0x1p1000 ? sum : 0x1p1000;
}

// How many cells all boxes have, without folding. One large tetrahedron among many small ones has
// very many.
static double count_cells(double scale, const double (*points)[3], const uint32_t (*tets)[4],
                          uint32_t count) {
    double sum = 0;
    for (uint32_t t = 0; t < count; t++) {
        const unit_box box = box_of(scale, points, tets[t]);
        double cells = 1;
        for (int k = 0; k < 3; k++)
            cells *= (box.hi[k] >> FRC_CELL_BITS) - (box.lo[k] >> FRC_CELL_BITS) + 1;
        sum += cells;
    }
    return sum;
}

// For each cell of a box: count it, or write the tetrahedron.
static void enter(frc_tet_grid* grid, const unit_box* box, uint32_t tet, bool fill) {
    const frc_cell_table* table = &grid->table;
    frc_cell_span span[3];
    for (int k = 0; k < 3; k++)
        span[k] = frc_cell_span_of(table, k, frc_cell_of(table, k, box->lo[k]),
                                   frc_cell_of(table, k, box->hi[k]));
    for (uint32_t z = 0; z < span[2].count; z++)
        for (uint32_t y = 0; y < span[1].count; y++) {
            const uint32_t row = frc_cell_row(table, frc_cell_wrap(table, 1, span[1].from + y),
                                              frc_cell_wrap(table, 2, span[2].from + z));
            for (uint32_t x = 0; x < span[0].count; x++) {
                uint32_t* at = &grid->begins[row + frc_cell_wrap(table, 0, span[0].from + x) + 1];
                if (fill) grid->tets[*at] = tet;
                ++*at;
            }
        }
}

bool frc_tet_grid_build(fracas_context* context, const double (*points)[3],
                        const uint32_t (*tets)[4], uint32_t count, frc_tet_grid* out) {
    *out = (frc_tet_grid){0};
    double size = mean_side(points, tets, count) / 2;
    while (count_cells(frc_cell_scale(size), points, tets, count) > CELLS_PER_TET * (double)count &&
           size < 0x1p1000)
        size *= 2;
    const double scale = frc_cell_scale(size);
    out->scale = scale;
    for (uint32_t t = 0; t < count; t++) {
        const unit_box box = box_of(scale, points, tets[t]);
        for (int k = 0; k < 3; k++) {
            if (t == 0 || box.lo[k] < out->lo[k]) out->lo[k] = box.lo[k];
            if (t == 0 || box.hi[k] > out->hi[k]) out->hi[k] = box.hi[k];
        }
    }
    out->table = frc_cell_table_make(out->lo, out->hi, 0, TABLE_BITS);
    bool ok = true;
    out->begins = frc_allocate_array(context, out->table.count + (size_t)2, 4, &ok);
    if (!ok) return false;
    memset(out->begins, 0, (out->table.count + (size_t)2) * 4);
    for (uint32_t t = 0; t < count; t++) {
        const unit_box box = box_of(scale, points, tets[t]);
        enter(out, &box, t, false);
    }
    // begins[c + 1] was the count of cell c, and becomes the begin of cell c while it is filled.
    uint32_t sum = 0;
    for (uint32_t c = 0; c < out->table.count; c++) {
        const uint32_t here = out->begins[c + 1];
        out->begins[c + 1] = sum;
        sum += here;
    }
    out->tet_capacity = sum;
    out->tets = frc_allocate_array(context, sum, sizeof *out->tets, &ok);
    if (!ok) {
        frc_tet_grid_release(context, out);
        return false;
    }
    for (uint32_t t = 0; t < count; t++) {
        const unit_box box = box_of(scale, points, tets[t]);
        enter(out, &box, t, true);
    }
    return true;
}

void frc_tet_grid_release(fracas_context* context, frc_tet_grid* grid) {
    frc_release(context, grid->begins, frc_array_size(grid->table.count + (size_t)2, 4));
    frc_release(context, grid->tets, frc_array_size(grid->tet_capacity, sizeof *grid->tets));
    *grid = (frc_tet_grid){0};
}

uint32_t frc_tet_grid_list(const frc_tet_grid* grid, const double p[3], const uint32_t** out) {
    const frc_cell_table* table = &grid->table;
    uint32_t cell[3];
    for (int k = 0; k < 3; k++) {
        const int32_t unit = frc_cell_unit(grid->scale, p[k]);
        if (unit < grid->lo[k] || unit > grid->hi[k]) return 0;
        cell[k] = frc_cell_fold(table, k, frc_cell_of(table, k, unit));
    }
    const uint32_t c = frc_cell_row(table, cell[1], cell[2]) + cell[0];
    *out = grid->tets + grid->begins[c];
    return grid->begins[c + 1] - grid->begins[c];
}

void frc_tet_grid_visit(const frc_tet_grid* grid, const double lo[3], const double hi[3],
                        frc_tet_fn* visit, void* data) {
    const frc_cell_table* table = &grid->table;
    frc_cell_span span[3];
    for (int k = 0; k < 3; k++) {
        int32_t first = frc_cell_unit(grid->scale, lo[k]), last = frc_cell_unit(grid->scale, hi[k]);
        if (first > grid->hi[k] || last < grid->lo[k]) return;
        first = first < grid->lo[k] ? grid->lo[k] : first;
        last = last > grid->hi[k] ? grid->hi[k] : last;
        span[k] =
            frc_cell_span_of(table, k, frc_cell_of(table, k, first), frc_cell_of(table, k, last));
    }
    for (uint32_t z = 0; z < span[2].count; z++)
        for (uint32_t y = 0; y < span[1].count; y++) {
            const uint32_t row = frc_cell_row(table, frc_cell_wrap(table, 1, span[1].from + y),
                                              frc_cell_wrap(table, 2, span[2].from + z));
            for (uint32_t x = 0; x < span[0].count; x++) {
                const uint32_t c = row + frc_cell_wrap(table, 0, span[0].from + x);
                for (uint32_t i = grid->begins[c]; i < grid->begins[c + 1]; i++)
                    visit(data, grid->tets[i]);
            }
        }
}
