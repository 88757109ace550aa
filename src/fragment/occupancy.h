/// @file occupancy.h  Which parts of its box a fragment occupies: four grids of bits.
///
/// The finest grid has 16 cells along each axis; eight cells of one grid are one of the next. A
/// bit is set if a tetrahedron of the fragment may have a point in the cell. Each fragment has its
/// own grids, so their number is not limited, and a fracture touches those of its parts only.
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { FRC_OCCUPANCY_CELLS = 16 };

typedef struct frc_occupancy {
    double lo[3], hi[3];    // contains the fragment
    double inverse[3];      // cells per length
    uint16_t rows[16][16];  // [z][y], bit x
    uint8_t rows8[8][8];
    uint8_t rows4[4][4];
} frc_occupancy;

/// An empty grid over a box.
void frc_occupancy_begin(frc_occupancy* o, const double lo[3], const double hi[3]);
/// Set the bits of a part of the box.
void frc_occupancy_add(frc_occupancy* o, const float lo[3], const float hi[3]);
/// Compute the coarser grids.
void frc_occupancy_end(frc_occupancy* o);

/// False: no point of the fragment is within the distance of a point.
bool frc_occupancy_may_touch(const frc_occupancy* o, const double p[3], double distance);

/// False: a point is not in the fragment. The cell of a coordinate is a monotone function, so
/// rounding loses nothing.
bool frc_occupancy_has(const frc_occupancy* o, const double p[3]);
