/// @file walls_break.c  Breaks a wall: pieces around seeds, crack faces between them, one split.
#include "noise.h"
#include "walls.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PIECES = 100 };

// An edge of a front triangle, by vertex numbers before the break.
typedef struct front_edge {
    uint32_t low, high, face, corner;
} front_edge;

typedef struct breaking {
    walls_run* run;
    const walls_wall* wall;
    const scenes_body* body;
    uint32_t* pieces;  // by front face; 0: stays in the wall
    uint32_t piece_count;
    uint32_t *labels, *corners;  // by triangle number; corners are vertex numbers after the split
    front_edge* edges;
    uint32_t edge_count;
    uint32_t *faces, *face_pieces, face_count;  // crack faces
    uint32_t *part_offsets, *part_triangles;
    fracas_split_plan* plan;
} breaking;

static uint32_t number(const breaking* b, uint32_t triangle, uint32_t corner) {
    const scenes_run* base = &b->run->base;
    return base->vertex_numbers[base->corners[3 * (size_t)b->body->triangles[triangle] + corner]];
}

// ---- pieces

// Seeds are denser near the impact.
static void place_seeds(const breaking* b, uint32_t seed, double (*seeds)[2], uint32_t count) {
    double half_x = 0.5 * b->run->cell * b->run->nx, half_y = 0.5 * b->run->cell * b->run->ny;
    for (uint32_t i = 0; i < count; i++) {
        double x = scenes_noise(seed + 2 * i), y = scenes_noise(seed + 2 * i + 1);
        double near = 0.25 + 0.75 * sqrt((i + 0.5) / count);
        seeds[i][0] = b->run->impact[0] + near * x * half_x;
        seeds[i][1] = b->run->impact[1] + near * y * half_y;
    }
}

static uint32_t nearest(const double middle[2], double (*seeds)[2], uint32_t count) {
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double x = middle[0] - seeds[i][0], y = middle[1] - seeds[i][1], square = x * x + y * y;
        if (square < least) least = square, best = i;
    }
    return best;
}

// Assign front faces to the nearest seed, number the pieces that have faces, label the triangles.
static void label(breaking* b, uint32_t seed) {
    const scenes_run* base = &b->run->base;
    double seeds[MAX_PIECES][2];
    uint32_t numbers[MAX_PIECES] = {0}, count = 2 + b->wall->face_count / 36;
    if (count > MAX_PIECES) count = MAX_PIECES;
    place_seeds(b, seed, seeds, count);
    for (uint32_t f = 0; f < b->wall->face_count; f++) {
        double middle[2] = {0, 0};
        if (b->wall->edge[f]) continue;
        const uint32_t* c = base->corners + 3 * (size_t)b->body->triangles[b->wall->fronts[f]];
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; i < 2; i++) middle[i] += base->solver.now[3 * (size_t)c[k] + i] / 3;
        uint32_t piece = nearest(middle, seeds, count);
        if (!numbers[piece]) numbers[piece] = ++b->piece_count;
        b->pieces[f] = numbers[piece];
        b->labels[b->wall->fronts[f]] = b->labels[b->wall->backs[f]] = numbers[piece];
    }
}

// ---- crack faces

static int compare_edges(const void* left, const void* right) {
    const front_edge *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (a->face > b->face) - (a->face < b->face);
}

static void list_edges(breaking* b) {
    for (uint32_t f = 0; f < b->wall->face_count; f++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t p = number(b, b->wall->fronts[f], k);
            uint32_t q = number(b, b->wall->fronts[f], (k + 1) % 3);
            b->edges[b->edge_count++] = (front_edge){p < q ? p : q, p < q ? q : p, f, k};
        }
    qsort(b->edges, b->edge_count, sizeof *b->edges, compare_edges);
}

static void find_corners(breaking* b) {
    const fracas_split* plan = fracas_split_plan_get_split(b->plan);
    for (uint32_t t = 0; t < b->body->triangle_count; t++)
        for (uint32_t k = 0; k < 3 && b->body->triangles[t] != FRACAS_NONE; k++)
            b->corners[3 * (size_t)t + k] = number(b, t, k);
    for (uint32_t i = 0; i < plan->repoint_count; i++)
        b->corners[3 * (size_t)plan->repoints[i].triangle + plan->repoints[i].corner] =
            plan->repoints[i].vertex;
}

// The number after the split of a vertex of a triangle.
static uint32_t vertex_after_split(const breaking* b, uint32_t triangle, uint32_t vertex) {
    for (uint32_t k = 0; k < 3; k++)
        if (number(b, triangle, k) == vertex) return b->corners[3 * (size_t)triangle + k];
    return vertex;
}

static void add_side(breaking* b, const front_edge* edge) {
    uint32_t front = b->wall->fronts[edge->face], back = b->wall->backs[edge->face];
    uint32_t p = number(b, front, edge->corner), q = number(b, front, (edge->corner + 1) % 3);
    scenes_slab_side(vertex_after_split(b, front, p), vertex_after_split(b, front, q),
                     vertex_after_split(b, back, b->wall->behind[p]),
                     vertex_after_split(b, back, b->wall->behind[q]), p > q,
                     b->faces + 3 * (size_t)b->face_count);
    b->face_pieces[b->face_count++] = b->pieces[edge->face];
    b->face_pieces[b->face_count++] = b->pieces[edge->face];
}

static void add_crack_faces(breaking* b) {
    for (uint32_t i = 0; i + 1 < b->edge_count; i++) {
        const front_edge *x = &b->edges[i], *y = x + 1;
        if (x->low != y->low || x->high != y->high) continue;
        if (b->pieces[x->face] == b->pieces[y->face]) continue;
        add_side(b, x);
        add_side(b, y);
    }
}

// List triangles by piece, in ascending order: a counting sort.
static void list_parts(breaking* b) {
    uint32_t triangles = b->body->triangle_count, *offsets = b->part_offsets;
    uint32_t next[MAX_PIECES + 1] = {0};
    for (uint32_t t = 0; t < triangles; t++) next[b->labels[t]]++;
    for (uint32_t f = 0; f < b->face_count; f++) next[b->face_pieces[f]]++;
    offsets[0] = 0;
    for (uint32_t p = 0; p < b->piece_count; p++) {
        offsets[p + 1] = offsets[p] + next[p + 1];
        next[p + 1] = offsets[p];
    }
    for (uint32_t t = 0; t < triangles; t++)
        if (b->labels[t]) b->part_triangles[next[b->labels[t]]++] = t;
    for (uint32_t f = 0; f < b->face_count; f++)
        if (b->face_pieces[f]) b->part_triangles[next[b->face_pieces[f]]++] = triangles + f;
}

// ---- the break

static uint32_t* allocate_from(uint32_t** memory, size_t count) {
    uint32_t* list = *memory;
    *memory += count;
    return list;
}

// All lists of numbers share one block of memory.
static size_t count_numbers(const breaking* b) {
    return 5 * (size_t)b->body->triangle_count + 31 * (size_t)b->wall->face_count + MAX_PIECES + 1;
}

static void divide_memory(breaking* b, uint32_t* next) {
    size_t triangles = b->body->triangle_count, faces = b->wall->face_count;
    b->pieces = allocate_from(&next, faces);
    b->labels = allocate_from(&next, triangles);
    b->corners = allocate_from(&next, 3 * triangles);
    b->faces = allocate_from(&next, 3 * 6 * faces);
    b->face_pieces = allocate_from(&next, 6 * faces);
    b->part_offsets = allocate_from(&next, MAX_PIECES + 1);
    b->part_triangles = allocate_from(&next, triangles + 6 * faces);
}

static fracas_status split_wall(breaking* b) {
    list_edges(b);
    find_corners(b);
    add_crack_faces(b);
    list_parts(b);
    fracas_split split = *fracas_split_plan_get_split(b->plan);
    split.new_triangles = b->faces, split.new_triangle_count = b->face_count;
    split.part_count = b->piece_count;
    split.part_offsets = b->part_offsets, split.part_triangles = b->part_triangles;
    return scenes_run_split(&b->run->base, b->wall->body, &split);
}

// Velocities away from the impact and, close to it, in the direction of the ball.
static void throw_piece(walls_run* run, uint32_t body, double speed) {
    solver_solid* piece = scenes_run_solid(&run->base, body);
    double x = piece->centre[0] - run->impact[0], y = piece->centre[1] - run->impact[1];
    double distance = sqrt(x * x + y * y), push = 0.03 / (0.3 + distance), far = distance / 0.5;
    piece->velocity[0] = push * x;
    piece->velocity[1] = push * y;
    piece->velocity[2] = 0.9 * speed / (1 + far * far);
    for (uint32_t k = 0; k < 3; k++) piece->spin[k] = 0.04 * scenes_noise(1000 + 3 * body + k);
}

// New solids for the wall and its pieces, which are the bodies from `first` on.
static fracas_status make_solids(walls_run* run, uint32_t wall, uint32_t first) {
    scenes_run* base = &run->base;
    double speed = scenes_run_solid(base, 1)->velocity[2];
    solver_drop_solid(&base->solver, base->bodies[wall].solid);
    fracas_status status = scenes_run_renew_solid(base, wall, 0, true);
    for (uint32_t b = first; b < base->body_count && status == FRACAS_OK; b++) {
        status = scenes_run_renew_solid(base, b, 1, true);
        if (status == FRACAS_OK) throw_piece(run, b, speed);
    }
    return status;
}

fracas_status walls_break(walls_run* run, walls_wall* wall, uint32_t seed) {
    uint32_t first = run->base.body_count;
    breaking b = {.run = run, .wall = wall, .body = &run->base.bodies[wall->body]};
    fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
    uint32_t* memory = calloc(count_numbers(&b), sizeof *memory);
    b.edges = malloc(3 * (size_t)wall->face_count * sizeof *b.edges);
    if (memory && b.edges) {
        divide_memory(&b, memory);
        label(&b, seed);
        status = fracas_split_plan_create(run->base.scene, b.body->handle, b.labels,
                                          b.body->triangle_count, &b.plan);
    }
    if (status == FRACAS_OK) status = split_wall(&b);
    free(memory);
    free(b.edges);
    fracas_split_plan_destroy(b.plan);
    return status == FRACAS_OK ? make_solids(run, wall->body, first) : status;
}
