/// @file wall_break.c  Breaks the wall: cells around the impact become pieces with crack faces.
#include "noise.h"
#include "shapes.h"
#include "wall.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PIECES = 20 };

// Lists for the split. Triangles and vertices are element numbers of the wall's body.
typedef struct crack {
    const wall_run* run;
    uint32_t triangle_count;
    uint32_t* cell_pieces;  // cell -> piece
    uint32_t* labels;       // triangle -> piece + 1
    uint32_t* corners;      // of all triangles, after the split
    uint32_t piece_count;
    uint32_t *faces, *face_pieces;  // crack faces, three vertices each, and their pieces
    uint32_t face_count;
    uint32_t *part_offsets, *part_triangles;
} crack;

// ---- pieces: a ring of four around the impact, two of eight outside

static uint32_t sector_of(double x, double y, bool fine) {
    uint32_t quadrant = (x < 0) + 2u * (y < 0);
    return fine ? quadrant + 4u * (fabs(x) < fabs(y)) : quadrant;
}

static uint32_t piece_of(const wall_run* run, uint32_t cell) {
    const double* impact = run->pieces[WALL_BALL].position;
    const double* corner = run->rest + 3 * (size_t)run->vertex_begins[WALL_WALL];
    double x = corner[0] + run->cell * (cell % run->nx + 0.5) - impact[0];
    double y = corner[1] + run->cell * (cell / run->nx + 0.5) - impact[1];
    x += 0.4 * run->cell * scenes_noise(2 * cell);  // cracks are not straight
    y += 0.4 * run->cell * scenes_noise(2 * cell + 1);
    double square = x * x + y * y;
    if (square < 0.45 * 0.45) return sector_of(x, y, false);
    return sector_of(x, y, true) + (square < 1.1 * 1.1 ? 4 : 12);
}

// Number the pieces that have cells, and label the triangles by piece.
static void label(crack* c) {
    uint32_t cells = c->run->nx * c->run->ny, numbers[MAX_PIECES] = {0};
    for (uint32_t q = 0; q < cells; q++) {
        uint32_t piece = piece_of(c->run, q);
        if (!numbers[piece]) numbers[piece] = ++c->piece_count;
        c->cell_pieces[q] = numbers[piece] - 1;
    }
    for (uint32_t t = 0; t < c->triangle_count; t++)
        c->labels[t] = c->cell_pieces[scenes_slab_cell(c->run->nx, c->run->ny, t)] + 1;
}

// ---- crack faces

static uint32_t old_corner(const wall_run* run, uint32_t triangle, uint32_t corner) {
    size_t at = 3 * ((size_t)run->triangle_begins[WALL_WALL] + triangle) + corner;
    return run->triangles[at] - run->vertex_begins[WALL_WALL];
}

static void find_corners(crack* c, const fracas_split* split) {
    for (uint32_t t = 0; t < c->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) c->corners[3 * (size_t)t + k] = old_corner(c->run, t, k);
    for (uint32_t r = 0; r < split->repoint_count; r++) {
        const fracas_repoint* repoint = &split->repoints[r];
        c->corners[3 * (size_t)repoint->triangle + repoint->corner] = repoint->vertex;
    }
}

// The number of a vertex after the split in a cell whose two triangles start at `first`.
static uint32_t vertex_of_cell(const crack* c, uint32_t first, uint32_t vertex) {
    for (uint32_t i = 0; i < 6; i++)
        if (old_corner(c->run, first + i / 3, i % 3) == vertex)
            return c->corners[3 * (size_t)first + i];
    return vertex;
}

// Add the crack face of cell q along an edge if the neighbour belongs to another piece.
static void add_side(crack* c, uint32_t q, uint32_t edge, uint32_t neighbour) {
    if (c->cell_pieces[q] == c->cell_pieces[neighbour]) return;
    uint32_t nx = c->run->nx, cells = nx * c->run->ny, corners[4];
    uint32_t back = (nx + 1) * (c->run->ny + 1), behind = 2 * (cells + q);
    scenes_slab_corners(nx, q % nx, q / nx, corners);
    uint32_t p = corners[edge], r = corners[(edge + 1) % 4];
    scenes_slab_side(vertex_of_cell(c, 2 * q, p), vertex_of_cell(c, 2 * q, r),
                     vertex_of_cell(c, behind, p + back), vertex_of_cell(c, behind, r + back),
                     p > r, c->faces + 3 * (size_t)c->face_count);
    c->face_pieces[c->face_count++] = c->cell_pieces[q];
    c->face_pieces[c->face_count++] = c->cell_pieces[q];
}

static void add_crack_faces(crack* c) {
    uint32_t nx = c->run->nx, ny = c->run->ny;
    for (uint32_t q = 0; q < nx * ny; q++) {
        if (q % nx > 0) add_side(c, q, 0, q - 1);
        if (q / nx + 1 < ny) add_side(c, q, 1, q + nx);
        if (q % nx + 1 < nx) add_side(c, q, 2, q + 1);
        if (q / nx > 0) add_side(c, q, 3, q - nx);
    }
}

// Every piece becomes a part: its triangles of the wall, then its crack faces.
static void list_parts(crack* c) {
    uint32_t count = 0;
    for (uint32_t piece = 0; piece < c->piece_count; piece++) {
        c->part_offsets[piece] = count;
        for (uint32_t t = 0; t < c->triangle_count; t++)
            if (c->labels[t] == piece + 1) c->part_triangles[count++] = t;
        for (uint32_t f = 0; f < c->face_count; f++)
            if (c->face_pieces[f] == piece) c->part_triangles[count++] = c->triangle_count + f;
    }
    c->part_offsets[c->piece_count] = count;
}

// ---- the pieces as bodies

// Read the body of piece `part` back from Fracas; append it after the previous bodies.
static fracas_status read_piece(const crack* c, wall_run* next, uint32_t part) {
    const wall_run* run = c->run;
    uint32_t b = WALL_WALL + part, vertex = next->vertex_begins[b],
             triangle = next->triangle_begins[b];
    fracas_body_info info;
    fracas_status status = fracas_scene_get_body(run->scene, next->bodies[b], &info);
    if (status != FRACAS_OK) return status;
    next->vertex_begins[b + 1] = vertex + info.vertex_numbers;
    next->triangle_begins[b + 1] = triangle + info.triangle_numbers;
    for (uint32_t t = 0; t < info.triangle_numbers && status == FRACAS_OK; t++) {
        uint32_t old = c->part_triangles[c->part_offsets[part] + t], corners[3] = {0};
        bool face = old >= c->triangle_count;
        status = fracas_scene_get_triangle(run->scene, next->bodies[b], t, corners);
        for (uint32_t k = 0; k < 3; k++) {
            next->triangles[3 * ((size_t)triangle + t) + k] = vertex + corners[k];
            if (!face)
                next->vertex_parents[vertex + corners[k]] =
                    (int32_t)(run->vertex_begins[WALL_WALL] + old_corner(run, old, k));
        }
        next->triangle_parents[triangle + t] =
            face ? -1 : (int32_t)(run->triangle_begins[WALL_WALL] + old);
    }
    for (uint32_t v = 0; v < info.vertex_numbers && status == FRACAS_OK; v++) {
        double* point = next->rest + 3 * ((size_t)vertex + v);
        double unused[3];
        status = fracas_scene_get_vertex(run->scene, next->bodies[b], v, point, unused);
    }
    return status;
}

// Velocities away from the impact and, close to it, in the direction of the ball.
static void throw_piece(wall_run* run, uint32_t b) {
    wall_piece* piece = &run->pieces[b];
    const double* impact = run->pieces[WALL_BALL].position;
    uint32_t begin = run->vertex_begins[b], count = run->vertex_begins[b + 1] - begin;
    for (uint32_t v = begin; v < begin + count; v++)
        for (int k = 0; k < 3; k++)
            piece->centre[k] += run->rest[3 * (size_t)v + (size_t)k] / count;
    memcpy(piece->position, piece->centre, sizeof piece->position);
    double x = piece->centre[0] - impact[0], y = piece->centre[1] - impact[1];
    double distance = sqrt(x * x + y * y), push = 0.05 / (0.3 + distance);
    double fall_off = distance / 0.6;
    piece->velocity[0] = push * x;
    piece->velocity[1] = push * y;
    piece->velocity[2] = 1.1 * run->pieces[WALL_BALL].velocity[2] / (1 + fall_off * fall_off);
    for (uint32_t k = 0; k < 3; k++) piece->spin[k] = 0.06 * scenes_noise(1000 + 3 * b + k);
    piece->rotation[0] = 1;
}

static void copy_body(const wall_run* run, wall_run* next, uint32_t b) {
    uint32_t vertices = run->vertex_begins[b + 1], triangles = run->triangle_begins[b + 1];
    size_t v = run->vertex_begins[b], t = run->triangle_begins[b];
    next->bodies[b] = run->bodies[b];
    next->pieces[b] = run->pieces[b];
    next->vertex_begins[b + 1] = vertices;
    next->triangle_begins[b + 1] = triangles;
    memcpy(next->rest + 3 * v, run->rest + 3 * v, 3 * sizeof(double) * (vertices - v));
    memcpy(next->points + 3 * v, run->points + 3 * v, 3 * sizeof(double) * (vertices - v));
    memcpy(next->triangles + 3 * t, run->triangles + 3 * t, 3 * sizeof(uint32_t) * (triangles - t));
    memcpy(next->vertex_parents + v, run->vertex_parents + v, sizeof(int32_t) * (vertices - v));
    memcpy(next->triangle_parents + t, run->triangle_parents + t,
           sizeof(int32_t) * (triangles - t));
}

// ---- the break

static fracas_status split_wall(crack* c, const fracas_split* plan, wall_run* next,
                                uint64_t* edits) {
    const wall_run* run = c->run;
    find_corners(c, plan);
    add_crack_faces(c);
    list_parts(c);
    fracas_split split = *plan;
    split.new_triangles = c->faces;
    split.new_triangle_count = c->face_count;
    split.part_count = c->piece_count;
    split.part_offsets = c->part_offsets;
    split.part_triangles = c->part_triangles;
    uint32_t listed = c->part_offsets[c->piece_count];
    uint32_t vertices = run->vertex_begins[3] + plan->new_vertex_count;
    if (!wall_make_bodies(next, WALL_WALL + c->piece_count, vertices,
                          run->triangle_begins[WALL_WALL] + listed))
        return FRACAS_ERROR_OUT_OF_MEMORY;
    fracas_body wall = run->bodies[WALL_WALL];
    fracas_status status = fracas_scene_split(run->scene, wall, &split, next->bodies + WALL_WALL);
    if (status == FRACAS_OK) status = fracas_scene_remove(run->scene, wall);
    *edits =
        (uint64_t)split.new_vertex_count + split.repoint_count + split.new_triangle_count + listed;
    return status;
}

static bool allocate(crack* c) {
    size_t cells = (size_t)c->run->nx * c->run->ny, most = 8 * cells;
    c->cell_pieces = calloc(cells, sizeof(uint32_t));
    c->labels = calloc(c->triangle_count, sizeof(uint32_t));
    c->corners = calloc(3 * (size_t)c->triangle_count, sizeof(uint32_t));
    c->faces = calloc(3 * most, sizeof(uint32_t));
    c->face_pieces = calloc(most, sizeof(uint32_t));
    c->part_offsets = calloc(MAX_PIECES + 1, sizeof(uint32_t));
    c->part_triangles = calloc(c->triangle_count + most, sizeof(uint32_t));
    return c->cell_pieces && c->labels && c->corners && c->faces && c->face_pieces &&
           c->part_offsets && c->part_triangles;
}

static void release(crack* c) {
    free(c->cell_pieces);
    free(c->labels);
    free(c->corners);
    free(c->faces);
    free(c->face_pieces);
    free(c->part_offsets);
    free(c->part_triangles);
}

fracas_status wall_break(wall_run* run, uint64_t* edits) {
    crack c = {.run = run,
               .triangle_count =
                   run->triangle_begins[WALL_WALL + 1] - run->triangle_begins[WALL_WALL]};
    wall_run next = {0};
    fracas_split_plan* plan = NULL;
    fracas_status status = allocate(&c) ? FRACAS_OK : FRACAS_ERROR_OUT_OF_MEMORY;
    if (status == FRACAS_OK) {
        label(&c);
        status = fracas_split_plan_create(run->scene, run->bodies[WALL_WALL], c.labels,
                                          c.triangle_count, &plan);
    }
    if (status == FRACAS_OK)
        status = split_wall(&c, fracas_split_plan_get_split(plan), &next, edits);
    if (status == FRACAS_OK) {
        for (uint32_t b = 0; b < WALL_WALL; b++) copy_body(run, &next, b);
        for (uint32_t p = 0; p < c.piece_count && status == FRACAS_OK; p++)
            status = read_piece(&c, &next, p);
    }
    fracas_split_plan_destroy(plan);
    if (status == FRACAS_OK) {
        for (uint32_t p = 0; p < c.piece_count; p++) throw_piece(&next, WALL_WALL + p);
        next.pieces[WALL_BALL].velocity[2] *= 0.6;
        next.scene = run->scene, next.nx = run->nx, next.ny = run->ny, next.cell = run->cell;
        next.broken = next.stepped = true;
        wall_free_bodies(run);
        *run = next;
    } else {
        wall_free_bodies(&next);
    }
    release(&c);
    return status;
}
