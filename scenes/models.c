/// @file models.c  Closed models: balls with limbs, and a mesh from a file, which is subdivided.
///
/// A limb increases the distance from the centre for directions near its own. The shape therefore
/// is star-shaped about the centre and never intersects itself.
#include "models.h"
#include "fracas/io.h"
#include "noise.h"
#include "solver/vector.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct limb {
    double direction[3];
    double length;
    double narrow;  // cosine of its opening angle; 0: half of the ball; near 1: a spike
} limb;

static const limb dragon_limbs[] = {
    {{1, 0.55, 0},       0.9,  0.90 }, // neck
    {{1, 0.62, 0.04},    0.25, 0.97 }, // jaws
    {{1, 0.50, -0.04},   0.25, 0.97 },
    {{-1, 0.1, 0.15},    1.3,  0.90 }, // tail
    {{-1, 0.16, 0.2},    0.3,  0.985},
    {{0.45, -1, 0.45},   0.45, 0.93 }, // legs
    {{0.45, -1, -0.45},  0.45, 0.93 },
    {{-0.45, -1, 0.45},  0.45, 0.93 },
    {{-0.45, -1, -0.45}, 0.45, 0.93 },
    {{-0.1, 0.6, 1},     0.9,  0.86 }, // wings
    {{-0.1, 0.6, -1},    0.9,  0.86 },
    {{-0.4, 0.5, 1},     0.5,  0.93 },
    {{-0.4, 0.5, -1},    0.5,  0.93 },
    {{0.4, 1, 0},        0.16, 0.98 }, // spikes
    {{0.1, 1, 0},        0.18, 0.98 },
    {{-0.2, 1, 0},       0.16, 0.98 },
    {{-0.6, 1, 0},       0.14, 0.98 },
};

static const limb rabbit_limbs[] = {
    {{0.7, 0.5, 0},     0.5,  0.75}, // head
    {{0.5, 1, 0.22},    0.8,  0.95}, // ears
    {{0.5, 1, -0.22},   0.8,  0.95},
    {{0.6, -1, 0.35},   0.25, 0.9 }, // feet
    {{0.6, -1, -0.35},  0.25, 0.9 },
    {{-0.5, -1, 0.35},  0.25, 0.9 },
    {{-0.5, -1, -0.35}, 0.25, 0.9 },
    {{-1, -0.2, 0},     0.2,  0.9 }  // tail
};

// ---- limbs

static double smooth(double t) { return t * t * (3 - 2 * t); }

static double bump(const limb* l, const double d[3]) {
    double axis[3];
    memcpy(axis, l->direction, sizeof axis);
    vector_normalise(axis);
    double t = (vector_dot(axis, d) - l->narrow) / (1 - l->narrow);
    return t > 0 ? l->length * smooth(t) : 0;
}

// Value noise of wavelength 1: smooth interpolation between hashes at integer coordinates.
static double value_noise(const double p[3], uint32_t seed) {
    int cell[3];
    double along[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        cell[k] = (int)(p[k] + 64) - 64;
        along[k] = smooth(p[k] - cell[k]);
    }
    for (int corner = 0; corner < 8; corner++) {
        uint32_t at[3];
        double weight = 1;
        for (int k = 0; k < 3; k++) {
            int far = corner >> k & 1;
            at[k] = (uint32_t)(cell[k] + far);
            weight *= far ? along[k] : 1 - along[k];
        }
        sum += weight * scenes_noise(scenes_hash(scenes_hash(at[0] + seed) + at[1]) + at[2]);
    }
    return sum;
}

static void grow_limbs(scenes_mesh* mesh, const limb* limbs, size_t count, uint32_t seed) {
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        double *p = mesh->points + 3 * v, r = 0.4, wide[3], narrow[3];
        for (int k = 0; k < 3; k++) wide[k] = 3 * p[k], narrow[k] = 14 * p[k];
        r += 0.05 * value_noise(wide, seed) + 0.008 * value_noise(narrow, seed + 7);
        for (size_t i = 0; i < count; i++) r += bump(&limbs[i], p);
        for (int k = 0; k < 3; k++) p[k] *= r;
    }
}

bool scenes_make_dragon(scenes_mesh* mesh, uint32_t cells) {
    if (!scenes_make_ball(mesh, cells, 1, (double[3]){0, 0, 0})) return false;
    grow_limbs(mesh, dragon_limbs, sizeof dragon_limbs / sizeof *dragon_limbs, 11);
    return true;
}

bool scenes_make_rabbit(scenes_mesh* mesh, uint32_t cells) {
    if (!scenes_make_ball(mesh, cells, 1, (double[3]){0, 0, 0})) return false;
    grow_limbs(mesh, rabbit_limbs, sizeof rabbit_limbs / sizeof *rabbit_limbs, 23);
    return true;
}

// ---- a mesh from a file

// Hash table from edges to their midpoints.
typedef struct midpoints {
    uint64_t* keys;  // an edge: the smaller vertex in the upper half; 0: free slot
    uint32_t* vertices;
    size_t mask;
} midpoints;

// The midpoint of an edge, added to the mesh on first use.
static uint32_t midpoint_of(midpoints* m, scenes_mesh* mesh, uint32_t a, uint32_t b) {
    uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    size_t at = scenes_hash((uint32_t)(key >> 32) * 31 + (uint32_t)key) & m->mask;
    while (m->keys[at] && m->keys[at] != key) at = (at + 1) & m->mask;
    if (m->keys[at]) return m->vertices[at];
    m->keys[at] = key;
    double* p = mesh->points + 3 * (size_t)mesh->vertex_count;
    for (size_t k = 0; k < 3; k++)
        p[k] = 0.5 * (mesh->points[3 * (size_t)a + k] + mesh->points[3 * (size_t)b + k]);
    return m->vertices[at] = mesh->vertex_count++;
}

// Divides every triangle into four.
static bool divide(scenes_mesh* mesh) {
    size_t count = mesh->triangle_count, slots = 4;
    while (slots < 6 * count) slots *= 2;
    midpoints m = {calloc(slots, sizeof(uint64_t)), malloc(slots * sizeof(uint32_t)), slots - 1};
    scenes_mesh fine = {.points = malloc(3 * sizeof(double) * (mesh->vertex_count + 3 * count)),
                        .triangles = malloc(12 * sizeof(uint32_t) * count),
                        .vertex_count = mesh->vertex_count};
    bool ok = m.keys && m.vertices && fine.points && fine.triangles;
    if (ok) memcpy(fine.points, mesh->points, 3 * sizeof(double) * mesh->vertex_count);
    for (size_t t = 0; ok && t < count; t++) {
        const uint32_t* c = mesh->triangles + 3 * t;
        uint32_t ab = midpoint_of(&m, &fine, c[0], c[1]), bc = midpoint_of(&m, &fine, c[1], c[2]);
        uint32_t ca = midpoint_of(&m, &fine, c[2], c[0]);
        const uint32_t four[12] = {c[0], ab, ca, ab, c[1], bc, ca, bc, c[2], ab, bc, ca};
        memcpy(fine.triangles + 12 * t, four, sizeof four);
    }
    fine.triangle_count = 4 * mesh->triangle_count;
    free(m.keys);
    free(m.vertices);
    scenes_mesh_free(ok ? mesh : &fine);
    if (ok) *mesh = fine;
    return ok;
}

static fracas_status explain(const scenes_options* options, const char* why, uint32_t count) {
    if (options->message)
        snprintf(options->message, options->message_size, why, options->mesh, count);
    return FRACAS_ERROR_BAD_DATA;
}

static fracas_status check(const scenes_options* options, const fracas_mesh_view* view) {
    fracas_mesh_info info;
    fracas_status status = fracas_mesh_describe(options->context, view, &info);
    if (status != FRACAS_OK) return status;
    if (info.triangles == 0) return explain(options, "%s: the mesh has no triangles", 0);
    if (info.repeated_index_triangles)
        return explain(options, "%s: %u triangles have a corner twice; remove them",
                       info.repeated_index_triangles);
    if (!info.closed)
        return explain(options,
                       "%s: the mesh is not closed, it has %u boundary edges; close its holes, or "
                       "weld coincident points of adjacent triangles",
                       info.boundary_edges);
    double size = 0;
    for (int k = 0; k < 3; k++)
        if (info.box_max[k] - info.box_min[k] > size) size = info.box_max[k] - info.box_min[k];
    if (!(size > 0 && size < 1e300))
        return explain(options, "%s: the mesh has no size or is too large", 0);
    return FRACAS_OK;
}

// Copies the mesh without points that no triangle uses.
static bool copy(const fracas_mesh_view* view, scenes_mesh* mesh) {
    uint32_t* places = malloc(sizeof *places * view->points.count);
    *mesh = (scenes_mesh){.points = malloc(3 * sizeof(double) * view->points.count),
                          .triangles = malloc(3 * sizeof(uint32_t) * view->triangle_count),
                          .triangle_count = view->triangle_count};
    bool ok = places && mesh->points && mesh->triangles;
    size_t stride = view->points.stride ? view->points.stride : 3 * sizeof(double);
    if (ok) memset(places, 0xff, sizeof *places * view->points.count);
    for (size_t i = 0; ok && i < 3 * (size_t)view->triangle_count; i++) {
        uint32_t v = view->triangles[i];
        if (places[v] == FRACAS_NONE) {
            memcpy(mesh->points + 3 * (size_t)mesh->vertex_count,
                   (const char*)view->points.data + stride * v, 3 * sizeof(double));
            places[v] = mesh->vertex_count++;
        }
        mesh->triangles[i] = places[v];
    }
    free(places);
    if (!ok) scenes_mesh_free(mesh);
    return ok;
}

fracas_status scenes_read_model(const scenes_options* options, double size, scenes_mesh* mesh) {
    fracas_mesh_file* file = NULL;
    *mesh = (scenes_mesh){0};
    if (!options->context) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status = fracas_mesh_file_read(options->context, options->mesh, NULL, &file);
    if (status != FRACAS_OK) return status;
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    status = check(options, &view);
    if (status == FRACAS_OK && !copy(&view, mesh)) status = FRACAS_ERROR_OUT_OF_MEMORY;
    fracas_mesh_file_destroy(file);
    while (status == FRACAS_OK && 4.0 * mesh->triangle_count < 2 * size)
        if (!divide(mesh)) status = FRACAS_ERROR_OUT_OF_MEMORY;
    if (status != FRACAS_OK) scenes_mesh_free(mesh);
    return status;
}

void scenes_place_on_ground(scenes_mesh* mesh, double length, double above) {
    double low[3], high[3], size = 0;
    memcpy(low, mesh->points, sizeof low);
    memcpy(high, mesh->points, sizeof high);
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        if (mesh->points[i] < low[i % 3]) low[i % 3] = mesh->points[i];
        if (mesh->points[i] > high[i % 3]) high[i % 3] = mesh->points[i];
    }
    for (int k = 0; k < 3; k++)
        if (high[k] - low[k] > size) size = high[k] - low[k];
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        size_t k = i % 3;
        double base = k == 1 ? low[k] : low[k] + 0.5 * (high[k] - low[k]);
        mesh->points[i] = (mesh->points[i] - base) * (length / size) + (k == 1 ? above : 0);
    }
}
