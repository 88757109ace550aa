/// @file shapes.c  Generated meshes: ground, sheet, ball, slab.
#include "shapes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void scenes_mesh_free(scenes_mesh* mesh) {
    free(mesh->points);
    free(mesh->triangles);
    *mesh = (scenes_mesh){0};
}

static bool allocate(scenes_mesh* mesh, size_t vertices, size_t triangles) {
    *mesh = (scenes_mesh){.points = malloc(vertices * 3 * sizeof(double)),
                          .triangles = malloc(triangles * 3 * sizeof(uint32_t))};
    if (mesh->points && mesh->triangles) return true;
    scenes_mesh_free(mesh);
    return false;
}

static uint32_t add_point(scenes_mesh* mesh, double x, double y, double z) {
    double* point = mesh->points + 3 * (size_t)mesh->vertex_count;
    point[0] = x, point[1] = y, point[2] = z;
    return mesh->vertex_count++;
}

static void add_triangle(scenes_mesh* mesh, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t* corners = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    corners[0] = a, corners[1] = b, corners[2] = c;
}

static void add_quad(scenes_mesh* mesh, const uint32_t c[4]) {
    add_triangle(mesh, c[0], c[1], c[2]);
    add_triangle(mesh, c[0], c[2], c[3]);
}

bool scenes_make_ground(scenes_mesh* mesh, uint32_t cells, double half_size) {
    size_t side = (size_t)cells + 1;
    if (!allocate(mesh, side * side, 2 * (size_t)cells * cells)) return false;
    for (uint32_t j = 0; j <= cells; j++)
        for (uint32_t i = 0; i <= cells; i++)
            add_point(mesh, half_size * (2.0 * i / cells - 1), 0,
                      half_size * (2.0 * j / cells - 1));
    for (uint32_t j = 0; j < cells; j++)
        for (uint32_t i = 0; i < cells; i++) {
            uint32_t v = j * (cells + 1) + i, above = v + cells + 1;
            add_quad(mesh, (uint32_t[4]){v, above, above + 1, v + 1});
        }
    return true;
}

// Diagonals alternate, so that cloth is equally stiff along both diagonals.
bool scenes_make_sheet(scenes_mesh* mesh, uint32_t nx, uint32_t nz, double cell,
                       const double corner[3]) {
    if (!allocate(mesh, ((size_t)nx + 1) * ((size_t)nz + 1), 2 * (size_t)nx * nz)) return false;
    for (uint32_t j = 0; j <= nz; j++)
        for (uint32_t i = 0; i <= nx; i++)
            add_point(mesh, corner[0] + cell * i, corner[1], corner[2] + cell * j);
    for (uint32_t j = 0; j < nz; j++)
        for (uint32_t i = 0; i < nx; i++) {
            uint32_t v = j * (nx + 1) + i, c[5] = {v, v + nx + 1, v + nx + 2, v + 1, v};
            add_quad(mesh, c + (i + j) % 2);
        }
    return true;
}

// ---- ball

// The vertex at lattice point `at` of the cube, added on first use.
static uint32_t ball_vertex(scenes_mesh* mesh, uint32_t* lattice, uint32_t cells,
                            const uint32_t at[3], double radius, const double centre[3]) {
    size_t side = (size_t)cells + 1;
    uint32_t* slot = &lattice[(at[2] * side + at[1]) * side + at[0]];
    if (*slot) return *slot - 1;
    double p[3], square = 0;
    for (int k = 0; k < 3; k++) {
        p[k] = 2.0 * at[k] / cells - 1;
        square += p[k] * p[k];
    }
    double scale = radius / sqrt(square);
    for (int k = 0; k < 3; k++) p[k] = centre[k] + scale * p[k];
    *slot = add_point(mesh, p[0], p[1], p[2]) + 1;
    return *slot - 1;
}

static void add_ball_cell(scenes_mesh* mesh, uint32_t* lattice, uint32_t cells, int side,
                          uint32_t i, uint32_t j, double radius, const double centre[3]) {
    static const uint32_t around[4][2] = {
        {0, 0},
        {1, 0},
        {1, 1},
        {0, 1}
    };
    int axis = side / 2;
    bool far_side = side % 2;
    uint32_t corners[4];
    for (int c = 0; c < 4; c++) {
        uint32_t at[3];
        at[axis] = far_side ? cells : 0;
        at[(axis + 1) % 3] = i + around[c][0];
        at[(axis + 2) % 3] = j + around[c][1];
        corners[far_side ? c : 3 - c] = ball_vertex(mesh, lattice, cells, at, radius, centre);
    }
    add_quad(mesh, corners);
}

bool scenes_make_ball(scenes_mesh* mesh, uint32_t cells, double radius, const double centre[3]) {
    size_t n = cells;
    uint32_t* lattice = calloc((n + 1) * (n + 1) * (n + 1), sizeof *lattice);
    if (!lattice || !allocate(mesh, 6 * n * n + 2, 12 * n * n)) {
        free(lattice);
        return false;
    }
    for (int side = 0; side < 6; side++)
        for (uint32_t j = 0; j < cells; j++)
            for (uint32_t i = 0; i < cells; i++)
                add_ball_cell(mesh, lattice, cells, side, i, j, radius, centre);
    free(lattice);
    return true;
}

// ---- slab

void scenes_slab_corners(uint32_t nx, uint32_t i, uint32_t j, uint32_t corners[4]) {
    uint32_t v = j * (nx + 1) + i, above = v + nx + 1;
    corners[0] = v, corners[1] = above, corners[2] = above + 1, corners[3] = v + 1;
}

void scenes_slab_side(uint32_t p, uint32_t q, uint32_t p2, uint32_t q2, bool diagonal_at_p,
                      uint32_t triangles[6]) {
    const uint32_t at_p[6] = {q, p, q2, p, p2, q2}, at_q[6] = {q, p, p2, q, p2, q2};
    memcpy(triangles, diagonal_at_p ? at_p : at_q, sizeof at_p);
}

static void add_rim(scenes_mesh* mesh, uint32_t nx, uint32_t back, uint32_t i, uint32_t j,
                    int edge) {
    uint32_t c[4], t[6];
    scenes_slab_corners(nx, i, j, c);
    uint32_t p = c[edge], q = c[(edge + 1) % 4];
    scenes_slab_side(p, q, p + back, q + back, false, t);
    add_triangle(mesh, t[0], t[1], t[2]);
    add_triangle(mesh, t[3], t[4], t[5]);
}

bool scenes_make_slab(scenes_mesh* mesh, uint32_t nx, uint32_t ny, double cell, double thickness,
                      double bottom) {
    uint32_t back = (nx + 1) * (ny + 1);
    if (!allocate(mesh, 2 * (size_t)back, 4 * ((size_t)nx * ny + nx + ny))) return false;
    for (int side = 0; side < 2; side++)
        for (uint32_t j = 0; j <= ny; j++)
            for (uint32_t i = 0; i <= nx; i++)
                add_point(mesh, cell * (i - 0.5 * nx), bottom + cell * j, (side - 0.5) * thickness);
    for (uint32_t q = 0; q < nx * ny; q++) {
        uint32_t c[4];
        scenes_slab_corners(nx, q % nx, q / nx, c);
        add_quad(mesh, c);
    }
    for (uint32_t q = 0; q < nx * ny; q++) {
        uint32_t c[4];
        scenes_slab_corners(nx, q % nx, q / nx, c);
        add_triangle(mesh, back + c[0], back + c[2], back + c[1]);
        add_triangle(mesh, back + c[0], back + c[3], back + c[2]);
    }
    for (uint32_t i = 0; i < nx; i++) add_rim(mesh, nx, back, i, 0, 3);
    for (uint32_t i = 0; i < nx; i++) add_rim(mesh, nx, back, i, ny - 1, 1);
    for (uint32_t j = 0; j < ny; j++) add_rim(mesh, nx, back, 0, j, 0);
    for (uint32_t j = 0; j < ny; j++) add_rim(mesh, nx, back, nx - 1, j, 2);
    return true;
}

uint32_t scenes_slab_cell(uint32_t nx, uint32_t ny, uint32_t triangle) {
    uint32_t quad = triangle / 2, cells = nx * ny;
    if (quad < 2 * cells) return quad % cells;
    quad -= 2 * cells;
    if (quad < nx) return quad;                           // bottom
    if (quad < 2 * nx) return cells - nx + (quad - nx);   // top
    if (quad < 2 * nx + ny) return (quad - 2 * nx) * nx;  // left
    return (quad - 2 * nx - ny) * nx + nx - 1;            // right
}
