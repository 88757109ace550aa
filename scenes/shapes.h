/// @file shapes.h  Generated meshes: ground, sheet, ball, slab.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct scenes_mesh {
    double* points;  ///< three coordinates each
    uint32_t* triangles;
    uint32_t vertex_count, triangle_count;
} scenes_mesh;

/// All return false and an empty mesh when there is no memory.
bool scenes_make_ground(scenes_mesh* mesh, uint32_t cells, double half_size);
/// A level sheet of nx by nz cells, each with two triangles, from corner (x, y, z).
bool scenes_make_sheet(scenes_mesh* mesh, uint32_t nx, uint32_t nz, double cell,
                       const double corner[3]);
/// A cube with cells * cells * 2 triangles per side, projected onto a sphere.
bool scenes_make_ball(scenes_mesh* mesh, uint32_t cells, double radius, const double centre[3]);

/// A closed upright slab of nx by ny square cells. Cell q = j * nx + i has the front triangles 2 q
/// and 2 q + 1 and, nx * ny cells later, those at the back; triangles of the rim are last. The back
/// vertex of front vertex v is v + (nx + 1) (ny + 1).
bool scenes_make_slab(scenes_mesh* mesh, uint32_t nx, uint32_t ny, double cell, double thickness,
                      double bottom);
/// The cell that a triangle of the front, the back or the rim belongs to.
uint32_t scenes_slab_cell(uint32_t nx, uint32_t ny, uint32_t triangle);
/// Corners of cell (i, j) at the front, in order along its boundary.
void scenes_slab_corners(uint32_t nx, uint32_t i, uint32_t j, uint32_t corners[4]);
/// Two triangles between the front edge p -> q and the back edge p2 -> q2, facing away from the
/// cell. `diagonal_at_p` selects the diagonal, which must be the same on both sides of a crack.
void scenes_slab_side(uint32_t p, uint32_t q, uint32_t p2, uint32_t q2, bool diagonal_at_p,
                      uint32_t triangles[6]);

void scenes_mesh_free(scenes_mesh* mesh);
