/// @file measure.c  Distances between the surface and the shape, and volumes. Sums are those of
/// parts of a fixed size, added in order: they do not depend on the number of threads.
#include "base/parallel.h"
#include "fracas/contact.h"
#include "geom/vec3.h"
#include "medial_mesh/boundary.h"
#include "medial_mesh/build.h"
#include <string.h>

enum { ITEMS_PER_PART = 256, MOST_STEPS = 64, LATTICE = 64 };
#define INFLATION_SLACK 1e-4  // of the diagonal

typedef struct part {
    double max, sum;
    double out;  // largest distance outside
    uint64_t count, covered, inside, both;
} part;

typedef struct measure_job {
    const frc_medial_build* b;
    frc_medial_shape shape;
    frc_boundary_points boundary;
    part* parts;
    uint32_t item_count;
    double origin[3], cell;  // of the lattice
    uint32_t cells[3];
    double enough, slack;  // of the largest distance of the surface
} measure_job;

// ---- surface to shape

// How far the boundary of the shape is along a direction from a point in it: an upper bound of the
// depth. Steps by the depth never leave the shape.
static double way_out(const measure_job* job, const double p[3], const double direction[3],
                      double depth, uint32_t prim, int most) {
    double way = depth;
    for (int i = 0; i < most; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) at[k] = p[k] + way * direction[k];
        const double left = -frc_medial_shape_nearest(&job->shape, at, &prim).distance;
        if (!(left > 1e-5 * job->b->diagonal)) return way;
        way += left;
    }
    return INFINITY;
}

static double shape_distance(const measure_job* job, const double p[3], const double normal[3],
                             uint32_t* prim, bool* in) {
    const frc_medial_nearest found = frc_medial_shape_nearest(&job->shape, p, prim);
    *in = found.distance <= 0;
    if (!*in) return found.distance;
    // Mostly the way out of the deepest primitive leads out of all.
    const double depth = -found.distance;
    double way = way_out(job, p, found.direction, depth, *prim, 1);
    if (way < INFINITY) return way;
    way = way_out(job, p, normal, depth, *prim, MOST_STEPS);
    // Other directions around: to the faces and corners of a cube.
    for (int i = 0; i < 26; i++) {
        const int at = i < 13 ? i : i + 1;
        double to[3] = {at % 3 - 1, at / 3 % 3 - 1, at / 9 - 1};
        const double length = sqrt(frc_vec3_dot(to, to));
        for (int k = 0; k < 3; k++) to[k] /= length;
        if (frc_vec3_dot(to, normal) < 0) continue;
        way = fmin(way, way_out(job, p, to, depth, *prim, MOST_STEPS));
    }
    way = fmin(way, way_out(job, p, found.direction, depth, *prim, MOST_STEPS));
    return way < INFINITY ? way : depth;
}

static void corner_sample(const frc_closed_surface* s, uint32_t face, int corner, double at[3],
                          double normal[3]) {
    double e[2][3];
    const double* p[3];
    for (int k = 0; k < 3; k++) p[k] = s->points[s->triangles[face][k]];
    frc_vec3_subtract(p[1], p[0], e[0]);
    frc_vec3_subtract(p[2], p[0], e[1]);
    frc_vec3_cross(e[0], e[1], normal);
    const double length = sqrt(frc_vec3_dot(normal, normal));
    for (int k = 0; k < 3; k++) {
        normal[k] = length > 0 ? normal[k] / length : 0;
        at[k] = corner < 3 ? p[corner][k] : (p[0][k] + p[1][k] + p[2][k]) / 3;
    }
}

// A triangle: its centre, and the vertices whose first half-edge it is.
static void measure_faces(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    measure_job* job = data;
    (void)worker;
    const frc_closed_surface* s = &job->b->closed;
    for (uint32_t i = begin; i < end && !frc_cancelled(job->b->context); i++) {
        part* out = &job->parts[i];
        *out = (part){0};
        uint32_t prim = FRACAS_NONE;
        for (uint32_t f = i * ITEMS_PER_PART; f < job->item_count && f < (i + 1) * ITEMS_PER_PART;
             f++)
            for (int corner = 0; corner < 4; corner++) {
                double at[3], normal[3];
                bool in;
                if (corner < 3 &&
                    s->edges.spare[s->triangles[f][corner]] != 3 * (uint64_t)f + (uint64_t)corner)
                    continue;
                corner_sample(s, f, corner, at, normal);
                const double d = shape_distance(job, at, normal, &prim, &in);
                out->max = fmax(out->max, d), out->sum += d, out->count++;
                out->covered += in || d <= 1e-3 * job->b->diagonal;
                if (!in) out->out = fmax(out->out, d);
            }
    }
}

// An upper bound of the signed distance of a triangle from the shape: less than `enough`, or too
// large by `slack` at most. The signed distance from one primitive is convex, so on a triangle it
// is largest at a corner. frc_medial_point is the distance from a sphere in the primitive, so never
// less than the true one but for rounding.
static double farthest(const measure_job* job, const double corners[3][3], double enough,
                       uint32_t* prim) {
    double centre[3], middles[3][3], bound = -INFINITY;
    for (int k = 0; k < 3; k++) centre[k] = (corners[0][k] + corners[1][k] + corners[2][k]) / 3;
    const double least = frc_medial_shape_nearest(&job->shape, centre, prim).distance;
    const frc_medial_prim* p = &job->shape.prims.data[*prim];
    const double* spheres[3];
    for (int i = 0; i < 3; i++) spheres[i] = frc_medial_shape_sphere(&job->shape, p->vertex[i]);
    for (int i = 0; i < 3; i++)
        bound = fmax(bound, frc_medial_point(spheres, p->count, corners[i]).distance);
    if (bound <= fmax(enough, least + job->slack)) return bound;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            middles[i][k] = (corners[(i + 1) % 3][k] + corners[(i + 2) % 3][k]) / 2;
    bound = farthest(job, (const double(*)[3])middles, enough, prim);
    for (int i = 0; i < 3; i++) {
        double quarter[3][3];
        memcpy(quarter, middles, sizeof quarter);
        memcpy(quarter[i], corners[i], sizeof quarter[i]);
        bound = fmax(bound, farthest(job, (const double(*)[3])quarter, fmax(enough, bound), prim));
    }
    return bound;
}

static void bound_faces(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    measure_job* job = data;
    (void)worker;
    const frc_closed_surface* s = &job->b->closed;
    for (uint32_t i = begin; i < end && !frc_cancelled(job->b->context); i++) {
        part* out = &job->parts[i];
        *out = (part){0};
        uint32_t prim = FRACAS_NONE;
        for (uint32_t f = i * ITEMS_PER_PART; f < job->item_count && f < (i + 1) * ITEMS_PER_PART;
             f++) {
            double corners[3][3];
            for (int c = 0; c < 3; c++)
                memcpy(corners[c], s->points[s->triangles[f][c]], sizeof corners[c]);
            out->max =
                fmax(out->max, farthest(job, (const double(*)[3])corners, job->enough, &prim));
        }
    }
}

// ---- shape to surface

static void measure_boundary(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    measure_job* job = data;
    (void)worker;
    for (uint32_t i = begin; i < end && !frc_cancelled(job->b->context); i++) {
        part* out = &job->parts[i];
        *out = (part){0};
        for (uint32_t n = i * ITEMS_PER_PART; n < job->item_count && n < (i + 1) * ITEMS_PER_PART;
             n++) {
            double p[3], direction[3];
            uint32_t prim = FRACAS_NONE;
            if (!frc_medial_boundary_at(job->shape.spheres, &job->boundary.data[n], p, direction))
                continue;
            // Points in another primitive are not on the boundary.
            if (frc_medial_shape_nearest(&job->shape, p, &prim).distance < -1e-9 * job->b->diagonal)
                continue;
            const double d =
                frc_surface_nearest(&job->b->surface, frc_medial_points(job->b), p, FRACAS_NONE)
                    .distance;
            out->max = fmax(out->max, d), out->sum += d, out->count++;
            if (d > out->out && frc_winding_number(job->b, p) <= 0) out->out = d;
        }
    }
}

// ---- volume

static void measure_rows(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    measure_job* job = data;
    (void)worker;
    for (uint32_t i = begin; i < end && !frc_cancelled(job->b->context); i++) {
        part* out = &job->parts[i];
        *out = (part){0};
        uint32_t prim = FRACAS_NONE;
        for (uint32_t x = 0; x < job->cells[0]; x++) {
            const uint32_t at[3] = {x, i % job->cells[1], i / job->cells[1]};
            double p[3];
            for (int k = 0; k < 3; k++) p[k] = job->origin[k] + job->cell * (at[k] + 0.5);
            const bool in = frc_medial_shape_nearest(&job->shape, p, &prim).distance <= 0;
            const bool inside = frc_winding_number(job->b, p) > 0;
            out->covered += in, out->inside += inside, out->both += in && inside;
        }
        out->count = job->cells[0];
    }
}

// ---- all

static bool run(measure_job* job, uint32_t parts, uint32_t items, frc_range_fn* body, part* out) {
    fracas_context* context = job->b->context;
    bool ok = true;
    job->item_count = items;
    job->parts = frc_allocate_array(context, parts, sizeof *job->parts, &ok);
    if (!ok) return false;
    memset(job->parts, 0, frc_array_size(parts, sizeof *job->parts));
    frc_parallel_for(context, parts, 1, body, job);
    *out = (part){0};
    for (uint32_t i = 0; i < parts; i++) {
        const part* p = &job->parts[i];
        out->max = fmax(out->max, p->max), out->out = fmax(out->out, p->out);
        out->sum += p->sum, out->count += p->count, out->covered += p->covered;
        out->inside += p->inside, out->both += p->both;
    }
    frc_release(context, job->parts, frc_array_size(parts, sizeof *job->parts));
    return true;
}

static uint32_t part_count(uint32_t items) { return (items + ITEMS_PER_PART - 1) / ITEMS_PER_PART; }

// The first half-edge at each vertex, in memory that the lists of edges do not need any more.
static void find_first_corners(frc_closed_surface* s) {
    for (uint32_t h = (uint32_t)s->edges.count; h-- > 0;)
        s->edges.spare[frc_corner_of(s, h, 0)] = h;
}

static void set_fit(fracas_medial_fit* out, const part* sum) {
    *out =
        (fracas_medial_fit){sum->count, sum->max, sum->count ? sum->sum / (double)sum->count : 0};
}

bool frc_medial_measure_surface(frc_medial_build* b, const fracas_medial_view* view,
                                fracas_medial_fit* out, double* covered, double* outside) {
    measure_job job = {.b = b};
    part sum = {0};
    find_first_corners(&b->closed);
    bool ok = frc_medial_shape_create(b->context, view, &job.shape) &&
              run(&job, part_count(b->closed.triangle_count), b->closed.triangle_count,
                  measure_faces, &sum);
    set_fit(out, &sum);
    *covered = sum.count ? (double)sum.covered / (double)sum.count : 0;
    *outside = sum.out;
    frc_medial_shape_release(b->context, &job.shape);
    return ok;
}

// The inflation that is enough at all points. Rounding errors are relative to coordinates.
static bool measure_inflation(measure_job* job, double outside, double* out) {
    const frc_medial_build* b = job->b;
    part sum = {0};
    double size = b->diagonal;
    for (int k = 0; k < 3; k++) size += fabs(b->closed.lo[k]) + fabs(b->closed.hi[k]);
    job->slack = INFLATION_SLACK * b->diagonal;
    job->enough = outside + job->slack;
    const bool ok =
        run(job, part_count(b->closed.triangle_count), b->closed.triangle_count, bound_faces, &sum);
    *out = sum.max + 1e-13 * size;
    return ok;
}

bool frc_medial_measure(frc_medial_build* b, const fracas_medial_view* view,
                        fracas_medial_mesh_info* info) {
    measure_job job = {.b = b};
    part sum = {0};
    double outside = 0;
    bool ok = frc_medial_measure_surface(b, view, &info->from_surface, &info->surface_covered,
                                         &outside) &&
              frc_medial_shape_create(b->context, view, &job.shape) &&
              measure_inflation(&job, outside, &info->inflation) &&
              frc_medial_boundary(b->context, view, b->diagonal / 100, 2, &job.boundary) &&
              run(&job, part_count((uint32_t)job.boundary.count), (uint32_t)job.boundary.count,
                  measure_boundary, &sum);
    set_fit(&info->to_surface, &sum);
    info->protrusion = sum.out;
    // A lattice over the surface and the shape.
    double lo[3], hi[3], longest = 0;
    memcpy(lo, b->closed.lo, sizeof lo), memcpy(hi, b->closed.hi, sizeof hi);
    for (uint32_t v = 0; ok && v < view->sphere_count; v++)
        for (int k = 0; k < 3; k++) {
            const double* sphere = frc_medial_shape_sphere(&job.shape, v);
            lo[k] = fmin(lo[k], sphere[k] - sphere[3]);
            hi[k] = fmax(hi[k], sphere[k] + sphere[3]);
        }
    for (int k = 0; k < 3; k++) longest = fmax(longest, hi[k] - lo[k]);
    job.cell = longest / LATTICE;
    for (int k = 0; k < 3; k++) {
        job.origin[k] = lo[k];
        job.cells[k] = (uint32_t)ceil((hi[k] - lo[k]) / job.cell);
        job.cells[k] = job.cells[k] > 0 ? job.cells[k] : 1;
    }
    ok = ok && run(&job, job.cells[1] * job.cells[2], 0, measure_rows, &sum);
    info->volume_points = sum.count;
    info->volume = (double)sum.covered * job.cell * job.cell * job.cell;
    info->volume_covered = sum.inside > 0 ? (double)sum.both / (double)sum.inside : 0;
    info->surface_volume = b->closed.volume;
    FRC_ARRAY_RELEASE(b->context, &job.boundary);
    frc_medial_shape_release(b->context, &job.shape);
    return ok;
}
