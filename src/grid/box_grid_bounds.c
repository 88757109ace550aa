/// @file box_grid_bounds.c  The floats at which the index of a cell changes, exactly.
#include "grid/box_grid.h"
#include <math.h>
#include <string.h>

// Map floats to integers in the same order: -inf is the lowest, +inf the highest.
static int32_t to_rank(float f) {
    int32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits < 0 ? INT32_MIN - bits : bits;
}

static float from_rank(int32_t rank) {
    int32_t bits = rank < 0 ? INT32_MIN - rank : rank;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

typedef struct search {
    const frc_box_grid* grid;
    int axis;
    double inverse;
    uint32_t cell;
} search;

// Is the cell of the float below the searched cell?
static bool is_below(const search* s, int64_t rank) {
    const double x = (double)from_rank((int32_t)rank);
    return frc_box_grid_axis_cell(s->grid, x, s->axis, s->inverse) < s->cell;
}

// The lowest float of a cell: an estimate, doubling steps to an interval around the result, because
// the estimate may suffer from cancellation, and bisection.
static float lowest_float(const search* s) {
    const int32_t least = to_rank(-INFINITY), most = to_rank(INFINITY);
    double estimate =
        (double)(int32_t)(s->cell - FRC_GRID_AXIS_LIMIT) / s->inverse + s->grid->origin[s->axis];
    int64_t low = to_rank((float)estimate), high = low, step = 1;
    while (low > least && !is_below(s, low)) {
        high = low;
        low = low - step > least ? low - step : least;
        step *= 2;
    }
    while (high < most && is_below(s, high)) {
        low = high;
        high = high + step < most ? high + step : most;
        step *= 2;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (is_below(s, middle))
            low = middle;
        else
            high = middle;
    }
    return from_rank((int32_t)(is_below(s, low) ? high : low));
}

void frc_box_grid_bounds(const frc_box_grid* grid, uint32_t bucket, uint64_t cell,
                         frc_cell_bounds* out) {
    enum { MASK = 2 * FRC_GRID_AXIS_LIMIT - 1 };
    uint32_t level = FRC_GRID_TOP_LEVEL;
    while (level > 0 && (!grid->level[level].items || grid->level[level].first > bucket)) level--;
    const bool known = out->known && out->level == level, whole = level == FRC_GRID_TOP_LEVEL;
    for (int k = 0; k < 3; k++) {
        const uint32_t index = (uint32_t)(cell >> (FRC_GRID_AXIS_BITS * k)) & MASK;
        const uint32_t before = (uint32_t)(out->cell >> (FRC_GRID_AXIS_BITS * k)) & MASK;
        if (known && index == before) continue;
        search s = {grid, k, frc_box_grid_inverse(grid, level), index};
        if (known && index == before + 1)
            out->lo[k] = out->hi[k];
        else
            out->lo[k] = whole || index == 0 ? -INFINITY : lowest_float(&s);
        s.cell++;
        out->hi[k] = whole || index == MASK ? NAN : lowest_float(&s);
    }
    out->lo[3] = out->hi[3] = 0;
    out->cell = cell, out->level = level, out->known = true;
}
