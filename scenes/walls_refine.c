/// @file walls_refine.c  The front of a wall, and the refinement of cells around the impact.
///
/// A cell with a divided edge becomes a fan around its middle: one new vertex there, one at the
/// midpoint of each divided edge, and as many triangles as its boundary has edges. The back is
/// divided like the front.
#include "walls.h"
#include <stdlib.h>
#include <string.h>

// ---- the front

static bool reserve_front(walls_wall* wall, size_t faces, size_t vertices) {
    uint32_t* fronts = realloc(wall->fronts, faces * sizeof *fronts);
    if (fronts) wall->fronts = fronts;
    uint32_t* backs = realloc(wall->backs, faces * sizeof *backs);
    if (backs) wall->backs = backs;
    bool* edge = realloc(wall->edge, faces * sizeof *edge);
    if (edge) wall->edge = edge;
    uint32_t* behind = realloc(wall->behind, vertices * sizeof *behind);
    if (behind) wall->behind = behind;
    return fronts && backs && edge && behind;
}

static bool at_edge(const walls_run* run, uint32_t cell) {
    uint32_t i = cell % run->nx, j = cell / run->nx;
    return i == 0 || j == 0 || i + 1 == run->nx || j + 1 == run->ny;
}

bool walls_create_front(walls_run* run, walls_wall* wall) {
    uint32_t cells = run->nx * run->ny, back = (run->nx + 1) * (run->ny + 1);
    if (!reserve_front(wall, 2 * (size_t)cells, 2 * (size_t)back)) return false;
    wall->face_count = 2 * cells;
    wall->vertex_count = 2 * back;
    for (uint32_t f = 0; f < 2 * cells; f++) {
        wall->fronts[f] = f;
        wall->backs[f] = 2 * cells + f;
        wall->edge[f] = at_edge(run, f / 2);
    }
    for (uint32_t v = 0; v < 2 * back; v++) wall->behind[v] = v < back ? v + back : FRACAS_NONE;
    return true;
}

void walls_free_front(walls_wall* wall) {
    free(wall->fronts);
    free(wall->backs);
    free(wall->edge);
    free(wall->behind);
}

// ---- refining

typedef struct refining {
    const walls_run* run;
    walls_wall* wall;
    // Midpoints of the edges to the right of and above each lattice point, and of cells: index of
    // the new vertex, counted from 1 in pairs of front and back; 0: none.
    uint32_t *right, *above, *middle;
    uint32_t pairs, next_triangle;
    fracas_new_vertex* vertices;
    uint32_t *triangles, triangle_count, *removed, removed_count;
} refining;

static bool is_fine(const walls_run* run, uint32_t cell) {
    if (at_edge(run, cell)) return false;
    double x = run->cell * (cell % run->nx + 0.5 - 0.5 * run->nx) - run->impact[0];
    double y = run->cell * (cell / run->nx + 0.5 - 0.5 * run->ny);
    double a = x / (0.5 * run->cell * run->nx), b = y / (0.5 * run->cell * run->ny);
    return a * a + b * b < 0.94;
}

static void divide(refining* r, uint32_t* place, uint32_t a, uint32_t b) {
    if (*place) return;
    uint32_t back = (r->run->nx + 1) * (r->run->ny + 1);
    fracas_new_vertex v = {.parent_a = a, .parent_b = b, .weight = 0.5};
    r->vertices[2 * (size_t)r->pairs] = v;
    v.parent_a += back, v.parent_b += back;
    r->vertices[2 * (size_t)r->pairs + 1] = v;
    *place = ++r->pairs;
}

static void divide_edges(refining* r) {
    uint32_t nx = r->run->nx, cells = nx * r->run->ny;
    for (uint32_t q = 0; q < cells; q++) {
        if (!is_fine(r->run, q)) continue;
        uint32_t v = q / nx * (nx + 1) + q % nx, up = v + nx + 1;
        divide(r, &r->right[v], v, v + 1);
        divide(r, &r->right[up], up, up + 1);
        divide(r, &r->above[v], v, up);
        divide(r, &r->above[v + 1], v + 1, up + 1);
    }
}

// The boundary of a cell in order, with midpoints of divided edges: 4 to 8 vertex numbers.
static uint32_t boundary(const refining* r, uint32_t q, uint32_t ring[8]) {
    uint32_t nx = r->run->nx, v = q / nx * (nx + 1) + q % nx, up = v + nx + 1, count = 0;
    const uint32_t corners[4] = {v, up, up + 1, v + 1};
    const uint32_t middles[4] = {r->above[v], r->right[up], r->above[v + 1], r->right[v]};
    uint32_t first_new = 2 * (nx + 1) * (r->run->ny + 1);
    for (int k = 0; k < 4; k++) {
        ring[count++] = corners[k];
        if (middles[k]) ring[count++] = first_new + 2 * (middles[k] - 1);
    }
    return count;
}

static uint32_t behind(const refining* r, uint32_t v) {
    uint32_t back = (r->run->nx + 1) * (r->run->ny + 1);
    return v < 2 * back ? v + back : v + 1;
}

static uint32_t add_triangle(refining* r, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t* corners = r->triangles + 3 * (size_t)r->triangle_count++;
    corners[0] = a, corners[1] = b, corners[2] = c;
    return r->next_triangle++;
}

static void add_face(walls_wall* wall, uint32_t front, uint32_t back, bool edge) {
    wall->fronts[wall->face_count] = front;
    wall->backs[wall->face_count] = back;
    wall->edge[wall->face_count++] = edge;
}

static void refine_cell(refining* r, uint32_t q) {
    uint32_t ring[8], count = boundary(r, q, ring), cells = r->run->nx * r->run->ny;
    bool edge = at_edge(r->run, q);
    for (uint32_t k = 0; count == 4 && k < 2; k++)
        add_face(r->wall, 2 * q + k, 2 * (cells + q) + k, edge);
    if (count == 4) return;
    for (uint32_t k = 0; k < 2; k++) {
        r->removed[r->removed_count++] = 2 * q + k;
        r->removed[r->removed_count++] = 2 * (cells + q) + k;
    }
    uint32_t corners[4];
    scenes_slab_corners(r->run->nx, q % r->run->nx, q / r->run->nx, corners);
    divide(r, &r->middle[q], corners[0], corners[2]);
    uint32_t m = 2 * (r->run->nx + 1) * (r->run->ny + 1) + 2 * (r->middle[q] - 1);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t a = ring[k], b = ring[(k + 1) % count];
        uint32_t front = add_triangle(r, m, a, b);
        add_face(r->wall, front, add_triangle(r, m + 1, behind(r, b), behind(r, a)), edge);
    }
}

static bool make_lists(refining* r) {
    size_t points = ((size_t)r->run->nx + 1) * (r->run->ny + 1), most = 4 * points;
    r->right = calloc(points, sizeof(uint32_t));
    r->above = calloc(points, sizeof(uint32_t));
    r->middle = calloc(points, sizeof(uint32_t));
    r->vertices = malloc(2 * most * sizeof *r->vertices);
    r->triangles = malloc(3 * 16 * points * sizeof(uint32_t));
    r->removed = malloc(4 * points * sizeof(uint32_t));
    return r->right && r->above && r->middle && r->vertices && r->triangles && r->removed &&
           reserve_front(r->wall, 8 * points, 2 * (points + most));
}

static void free_lists(refining* r) {
    free(r->right);
    free(r->above);
    free(r->middle);
    free(r->vertices);
    free(r->triangles);
    free(r->removed);
}

static fracas_status refine(refining* r, scenes_run* base) {
    walls_wall* wall = r->wall;
    wall->face_count = 0;
    divide_edges(r);
    for (uint32_t q = 0; q < r->run->nx * r->run->ny; q++) refine_cell(r, q);
    for (uint32_t k = 0; k < r->pairs; k++) {
        wall->behind[wall->vertex_count] = wall->vertex_count + 1;
        wall->behind[wall->vertex_count + 1] = FRACAS_NONE;
        wall->vertex_count += 2;
    }
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = r->vertices, split.new_vertex_count = 2 * r->pairs;
    split.new_triangles = r->triangles, split.new_triangle_count = r->triangle_count;
    split.removed_triangles = r->removed, split.removed_triangle_count = r->removed_count;
    fracas_status status = scenes_run_split(base, wall->body, &split);
    if (status != FRACAS_OK) return status;
    solver_drop_solid(&base->solver, base->bodies[wall->body].solid);
    return scenes_run_renew_solid(base, wall->body, 0, true);
}

fracas_status walls_refine(walls_run* run, walls_wall* wall) {
    refining r = {
        .run = run, .wall = wall, .next_triangle = run->base.bodies[wall->body].triangle_count};
    fracas_status status = make_lists(&r) ? refine(&r, &run->base) : FRACAS_ERROR_OUT_OF_MEMORY;
    free_lists(&r);
    return status;
}
