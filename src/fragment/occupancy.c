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

static uint32_t row_at(const frc_occupancy* o, int level, uint32_t z, uint32_t y) {
    if (level == 0) return o->rows[z][y];
    return level == 1 ? o->rows8[z][y] : o->rows4[z][y];
}

bool frc_occupancy_may_touch(const frc_occupancy* o, const double p[3], double distance) {
    uint32_t first[3], last[3], most = 0;
    for (int k = 0; k < 3; k++) {
        const double reach = distance + 0x1p-50 * (fabs(p[k]) + distance);
        if (p[k] + reach < o->lo[k] || p[k] - reach > o->hi[k]) return false;
        first[k] = cell_of(o, k, p[k] - reach);
        last[k] = cell_of(o, k, p[k] + reach);
        most = last[k] - first[k] > most ? last[k] - first[k] : most;
    }
    const int level = most <= 1 ? 0 : most <= 2 ? 1 : 2;
    if (most > 4) return true;
    for (int k = 0; k < 3; k++) {
        first[k] >>= level;
        last[k] >>= level;
    }
    const uint32_t bits = (2u << last[0]) - (1u << first[0]);
    for (uint32_t z = first[2]; z <= last[2]; z++)
        for (uint32_t y = first[1]; y <= last[1]; y++)
            if (row_at(o, level, z, y) & bits) return true;
    return false;
}
