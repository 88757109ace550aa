/// @file occupancy.c  Set bits row by row; a ball covers at most two cells of its grid along each
/// axis.
#include "fragment/occupancy.h"
#include <string.h>

static uint32_t cell_of(const frc_occupancy* o, int axis, double x) {
    const double cell = (x - o->lo[axis]) * o->inverse[axis];
    if (!(cell > 0)) return 0;
    return cell < FRC_OCCUPANCY_CELLS ? (uint32_t)cell : FRC_OCCUPANCY_CELLS - 1;
}

void frc_occupancy_begin(frc_occupancy* o, const double lo[3], const double hi[3]) {
    memset(o, 0, sizeof *o);
    for (int k = 0; k < 3; k++) {
        const double side = hi[k] - lo[k];
        o->lo[k] = lo[k];
        o->hi[k] = hi[k];
        o->inverse[k] = side > 0 ? FRC_OCCUPANCY_CELLS / side : 0;
    }
}

void frc_occupancy_add(frc_occupancy* o, const float lo[3], const float hi[3]) {
    uint32_t first[3], last[3];
    for (int k = 0; k < 3; k++) {
        first[k] = cell_of(o, k, lo[k]);
        last[k] = cell_of(o, k, hi[k]);
    }
    const uint16_t row = (uint16_t)((2u << last[0]) - (1u << first[0]));
    for (uint32_t z = first[2]; z <= last[2]; z++)
        for (uint32_t y = first[1]; y <= last[1]; y++) o->rows[z][y] |= row;
}

// Each pair of neighbouring bits becomes one.
static uint8_t halve(uint32_t row) {
    uint8_t out = 0;
    for (int x = 0; x < 8; x++) out |= (uint8_t)((row >> 2 * x & 3u ? 1u : 0u) << x);
    return out;
}

void frc_occupancy_end(frc_occupancy* o) {
    for (int z = 0; z < 8; z++)
        for (int y = 0; y < 8; y++)
            o->rows8[z][y] = halve(o->rows[2 * z][2 * y] | o->rows[2 * z][2 * y + 1] |
                                   o->rows[2 * z + 1][2 * y] | o->rows[2 * z + 1][2 * y + 1]);
    for (int z = 0; z < 4; z++)
        for (int y = 0; y < 4; y++)
            o->rows4[z][y] = halve((uint32_t)o->rows8[2 * z][2 * y] | o->rows8[2 * z][2 * y + 1] |
                                   o->rows8[2 * z + 1][2 * y] | o->rows8[2 * z + 1][2 * y + 1]);
}

// Rows of a grid with their bits in the first two cells of y and z.
static uint32_t rows_at(const frc_occupancy* o, int level, const uint32_t y[2],
                        const uint32_t z[2]) {
    if (level == 0)
        return (uint32_t)o->rows[z[0]][y[0]] | o->rows[z[0]][y[1]] | o->rows[z[1]][y[0]] |
               o->rows[z[1]][y[1]];
    if (level == 1)
        return (uint32_t)o->rows8[z[0]][y[0]] | o->rows8[z[0]][y[1]] | o->rows8[z[1]][y[0]] |
               o->rows8[z[1]][y[1]];
    return (uint32_t)o->rows4[z[0]][y[0]] | o->rows4[z[0]][y[1]] | o->rows4[z[1]][y[0]] |
           o->rows4[z[1]][y[1]];
}

// In cells: u is the coordinate of the point and r the distance. Both, and the coordinate of a
// point of the fragment, which is from 0 to 16, have three roundings: errors below 2^-51 of
// themselves, and so do u - r and u + r. MARGIN of their sum is far more.
#define MARGIN 0x1p-44

bool frc_occupancy_may_touch(const frc_occupancy* o, const double p[3], double distance) {
    uint32_t cell[3][2], spread = 0;
    for (int k = 0; k < 3; k++) {
        const double u = (p[k] - o->lo[k]) * o->inverse[k], r = distance * o->inverse[k];
        const double reach = r + MARGIN * (r + fabs(u) + FRC_OCCUPANCY_CELLS);
        const double first = u - reach, last = u + reach, most = FRC_OCCUPANCY_CELLS - 1;
        if (last < 0 || first > FRC_OCCUPANCY_CELLS) return false;
        // Not less than 0, and at most 15, also for NaN.
        cell[k][0] = (uint32_t)(int32_t)(first > 0 ? (first < most ? first : most) : 0);
        cell[k][1] = (uint32_t)(int32_t)(last < most ? last : most);
        spread |= cell[k][1] - cell[k][0];
    }
    int level = 0;
    for (; spread > 1; level++) {
        if (level == 2) return true;
        spread = 0;
        for (int k = 0; k < 3; k++) {
            cell[k][0] >>= 1;
            cell[k][1] >>= 1;
            spread |= cell[k][1] - cell[k][0];
        }
    }
    const uint32_t bits = (1u << cell[0][0]) | (1u << cell[0][1]);
    return (rows_at(o, level, cell[1], cell[2]) & bits) != 0;
}

bool frc_occupancy_has(const frc_occupancy* o, const double p[3]) {
    uint32_t cell[3];
    for (int k = 0; k < 3; k++) {
        if (!(p[k] >= o->lo[k] && p[k] <= o->hi[k])) return false;
        cell[k] = cell_of(o, k, p[k]);
    }
    return o->rows[cell[2]][cell[1]] >> cell[0] & 1u;
}
