/// @file measure.c  Quality of the tetrahedra and fit of their boundary. Sums are those of parts of
/// a fixed size, added in order: they do not depend on the number of threads.
#include "base/array.h"
#include "base/parallel.h"
#include "geom/vec3.h"
#include "tet_mesh/stuffing.h"
#include <inttypes.h>
#include <string.h>

enum {
    ITEMS_PER_PART = 1024,
    MOST_FACES = 1u << 29,  // with their vertices they have 32-bit numbers
};

// Of the items of one part.
typedef struct part {
    double angle_min, angle_max, angle_sum;
    double quality_min, quality_sum, volume;
    double distance_max, distance_sum;
} part;

typedef struct measure_job {
    const fracas_tet_mesh* mesh;
    part* parts;
    uint32_t item_count;
    // Distances: from samples of one surface to another.
    const frc_surface *from, *to;
    frc_surface_points from_points, to_points;
    const uint32_t* used;  // vertices of `from`
    uint32_t used_count;
    frc_steps steps;
} measure_job;

static uint32_t part_count(uint32_t items) { return (items + ITEMS_PER_PART - 1) / ITEMS_PER_PART; }

// ---- quality

#define DEGREES 57.295779513082321

static void measure_tet(const double p[4][3], part* out) {
    double edge[3][3], normal[4][3], length[4];
    for (int i = 0; i < 3; i++) frc_vec3_subtract(p[i + 1], p[0], edge[i]);
    // Normals of the faces opposite the corners, outward, of the length of twice the area.
    for (int i = 0; i < 3; i++) frc_vec3_cross(edge[(i + 2) % 3], edge[(i + 1) % 3], normal[i + 1]);
    for (int k = 0; k < 3; k++) normal[0][k] = -(normal[1][k] + normal[2][k] + normal[3][k]);
    for (int i = 0; i < 4; i++) length[i] = sqrt(frc_vec3_dot(normal[i], normal[i]));
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            const double c = -frc_vec3_dot(normal[i], normal[j]) / (length[i] * length[j]);
            const double angle = DEGREES * acos(c < -1 ? -1 : c > 1 ? 1 : c);
            out->angle_min = fmin(out->angle_min, angle);
            out->angle_max = fmax(out->angle_max, angle);
            out->angle_sum += angle;
        }
    const double quality = frc_radius_ratio(p);
    out->quality_min = fmin(out->quality_min, quality);
    out->quality_sum += quality;
    out->volume -= frc_vec3_dot(edge[0], normal[1]) / 6;
}

static void measure_tets(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    measure_job* job = data;
    if (!frc_steps_proceed(&job->steps, worker, end - begin)) return;
    for (uint32_t i = begin; i < end; i++) {
        part* out = &job->parts[i];
        *out = (part){.angle_min = 360, .quality_min = 1};
        const uint32_t first = i * ITEMS_PER_PART, left = job->item_count - first;
        for (uint32_t t = first; t < first + (left < ITEMS_PER_PART ? left : ITEMS_PER_PART); t++) {
            double p[4][3];
            for (int k = 0; k < 4; k++)
                memcpy(p[k], job->mesh->nodes[job->mesh->tets[t][k]], sizeof p[k]);
            measure_tet(p, out);
        }
    }
}

static fracas_status measure_quality(fracas_context* context, fracas_tet_mesh* mesh) {
    measure_job job = {.mesh = mesh, .item_count = mesh->tet_count};
    const uint32_t parts = part_count(job.item_count);
    bool ok = true;
    job.parts = frc_allocate_array(context, parts, sizeof *job.parts, &ok);
    if (!ok) return frc_fail_memory(context, parts * sizeof *job.parts);
    frc_steps_start(&job.steps, context, 0.75, 0.8, parts);
    frc_parallel_for(context, parts, 1, measure_tets, &job);
    const fracas_status status = frc_steps_finish(&job.steps);
    part all = {.angle_min = 360, .quality_min = 1};
    for (uint32_t i = 0; status == FRACAS_OK && i < parts; i++) {
        const part* p = &job.parts[i];
        all.angle_min = fmin(all.angle_min, p->angle_min);
        all.angle_max = fmax(all.angle_max, p->angle_max);
        all.quality_min = fmin(all.quality_min, p->quality_min);
        all.angle_sum += p->angle_sum, all.quality_sum += p->quality_sum, all.volume += p->volume;
    }
    fracas_tet_mesh_info* info = &mesh->info;
    info->dihedral_min = all.angle_min, info->dihedral_max = all.angle_max;
    info->dihedral_mean = all.angle_sum / (6.0 * mesh->tet_count);
    info->quality_min = all.quality_min, info->quality_mean = all.quality_sum / mesh->tet_count;
    info->volume = all.volume;
    frc_release(context, job.parts, frc_array_size(parts, sizeof *job.parts));
    return status;
}

// ---- fit

static const double* point_at(frc_surface_points points, uint32_t v) {
    return (const double*)(const void*)(points.data + v * points.stride);
}

// Sample i: a used vertex, or the centre of a triangle.
static void sample(const measure_job* job, uint32_t i, double out[3]) {
    if (i < job->used_count) {
        memcpy(out, point_at(job->from_points, job->used[i]), 3 * sizeof *out);
        return;
    }
    const uint32_t* corner = job->from->faces[i - job->used_count].corner;
    const double* p[3];
    for (int k = 0; k < 3; k++) p[k] = point_at(job->from_points, corner[k]);
    for (int k = 0; k < 3; k++) out[k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
}

static void measure_distances(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    measure_job* job = data;
    if (!frc_steps_proceed(&job->steps, worker, end - begin)) return;
    for (uint32_t i = begin; i < end; i++) {
        part* out = &job->parts[i];
        *out = (part){0};
        const uint32_t first = i * ITEMS_PER_PART, left = job->item_count - first;
        for (uint32_t k = first; k < first + (left < ITEMS_PER_PART ? left : ITEMS_PER_PART); k++) {
            double p[3];
            sample(job, k, p);
            const double d = frc_surface_nearest(job->to, job->to_points, p, FRACAS_NONE).distance;
            out->distance_max = fmax(out->distance_max, d);
            out->distance_sum += d;
        }
    }
}

// List the vertices that the triangles use, in order. NULL: no memory.
static uint32_t* list_used(fracas_context* context, const frc_surface* surface, uint32_t points,
                           uint32_t* count) {
    bool ok = true;
    uint32_t* used = frc_allocate_array(context, points, sizeof *used, &ok);
    if (!ok) return NULL;
    memset(used, 0, points * sizeof *used);
    for (uint32_t f = 0; f < surface->count; f++)
        for (int k = 0; k < 3; k++) used[surface->faces[f].corner[k]] = 1;
    *count = 0;
    for (uint32_t v = 0; v < points; v++)
        if (used[v]) used[(*count)++] = v;
    return used;
}

// `from` is the progress before it.
static fracas_status measure_fit(fracas_context* context, measure_job* job, uint32_t points,
                                 double from, fracas_tet_mesh_fit* out) {
    bool ok = true;
    uint32_t* used = list_used(context, job->from, points, &job->used_count);
    if (!used) return frc_fail_memory(context, points * sizeof *used);
    job->used = used;
    job->item_count = job->used_count + job->from->count;
    const uint32_t parts = part_count(job->item_count);
    job->parts = frc_allocate_array(context, parts, sizeof *job->parts, &ok);
    fracas_status status;
    if (ok) {
        frc_steps_start(&job->steps, context, from, from + 0.1, parts);
        frc_parallel_for(context, parts, 1, measure_distances, job);
        status = frc_steps_finish(&job->steps);
    } else {
        status = frc_fail_memory(context, parts * sizeof *job->parts);
    }
    double sum = 0;
    for (uint32_t i = 0; status == FRACAS_OK && i < parts; i++) {
        out->max = fmax(out->max, job->parts[i].distance_max);
        sum += job->parts[i].distance_sum;
    }
    out->samples = job->item_count;
    out->mean = sum / job->item_count;
    frc_release(context, job->parts, frc_array_size(parts, sizeof *job->parts));
    frc_release(context, used, frc_array_size(points, sizeof *used));
    return status;
}

// The boundary of the tetrahedra, with a tree.
static fracas_status find_boundary(const fracas_tet_mesh* mesh, frc_surface* out) {
    fracas_context* context = mesh->context;
    const fracas_tet_view view = fracas_tet_mesh_get_view(mesh);
    const frc_surface_points points = {(const char*)mesh->nodes, sizeof *mesh->nodes};
    uint64_t count = 0;
    bool ok = true;
    fracas_status status = fracas_tet_find_boundary(context, &view, NULL, NULL, &count);
    if (status != FRACAS_OK) return status;
    if (count > MOST_FACES)
        return frc_fail(context, FRACAS_ERROR_UNSUPPORTED,
                        "the boundary has %" PRIu64 " triangles, but at most %" PRIu32
                        " are possible; use larger cells",
                        count, (uint32_t)MOST_FACES);
    uint32_t* triangles = frc_allocate_array(context, 12 * (size_t)mesh->tet_count, 4, &ok);
    out->faces = frc_allocate_array(context, count, sizeof *out->faces, &ok);
    if (ok) {
        out->count = out->capacity = (uint32_t)count;
        status = fracas_tet_find_boundary(context, &view, triangles, NULL, &count);
        memcpy(out->faces, triangles, count * sizeof *out->faces);
    }
    frc_release(context, triangles, frc_array_size(12 * (size_t)mesh->tet_count, 4));
    if (!ok) return frc_fail_memory(context, count * sizeof *out->faces);
    if (status != FRACAS_OK) return status;
    if (!frc_surface_build(context, out, points))
        return frc_cancelled(context) ? frc_stuffing_cancelled(context)
                                      : frc_fail_memory(context, count * sizeof(frc_prim));
    frc_surface_refit(context, out, points);
    return FRACAS_OK;
}

fracas_status frc_stuffing_measure(const frc_stuffing* s, fracas_tet_mesh* mesh) {
    fracas_context* context = s->context;
    fracas_tet_mesh_info* info = &mesh->info;
    fracas_status status = measure_quality(context, mesh);
    frc_surface boundary = {0};
    if (status == FRACAS_OK) status = find_boundary(mesh, &boundary);
    const frc_surface_points points = {(const char*)mesh->nodes, sizeof *mesh->nodes};
    if (status == FRACAS_OK) {
        measure_job job = {.from = &boundary,
                           .to = &s->surface,
                           .from_points = points,
                           .to_points = frc_stuffing_points(s)};
        status = measure_fit(context, &job, mesh->node_count, 0.8, &info->to_surface);
    }
    if (status == FRACAS_OK) {
        measure_job job = {.from = &s->surface,
                           .to = &boundary,
                           .from_points = frc_stuffing_points(s),
                           .to_points = points};
        status = measure_fit(context, &job, s->point_count, 0.9, &info->from_surface);
    }
    double diagonal[3];
    frc_vec3_subtract(s->hi, s->lo, diagonal);
    info->diagonal = sqrt(frc_vec3_dot(diagonal, diagonal));
    info->nodes = mesh->node_count, info->tets = mesh->tet_count;
    info->boundary_triangles = boundary.count;
    memcpy(info->cells, s->lattice.cells, sizeof info->cells);
    info->cell_size = s->lattice.cell;
    info->lattice_points = s->lattice.node_count;
    info->irregular_points = s->irregular;
    info->surface_volume = s->volume;
    frc_surface_release(context, &boundary);
    return status;
}
