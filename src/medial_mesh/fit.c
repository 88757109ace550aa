/// @file fit.c  Move the spheres of a medial mesh so that the shape fits the surface.
///
/// Least squares of the distances of samples from the shape (Levenberg-Marquardt). The distance of
/// a sample depends on the spheres of its nearest primitive: where these move by (dc, dr), it
/// changes by minus the sum of weight * (direction . dc + dr). Weights that grow with the distance
/// turn the sum of squares into a sum of higher powers, near to the maximum.
#include "medial_mesh/fit.h"
#include "base/parallel.h"
#include "fracas/contact.h"
#include "geom/vec3.h"
#include "medial_mesh/boundary.h"
#include <string.h>

enum { ROWS = 4, SAMPLES_PER_RANGE = 256, SOLVER_STEPS = 60, MOST_FAILURES = 6 };

// A sample, or a point of the boundary of the shape, with its part of the Jacobian: the distance
// falls by the sum of share * (direction . dc + dr).
typedef struct row {
    uint32_t vertex[3];
    uint32_t hint;  // the nearest primitive; of the boundary: one that contains the point
    double share[3], direction[4];
    double distance, weight;
} row;

typedef struct fitter {
    fracas_context* context;
    frc_medial_build* b;
    const frc_samples* samples;
    frc_boundary_points boundary;
    struct tangent* tangents;  // by point of the boundary
    frc_medial_shape shape;
    double* spheres;
    uint32_t count;
    size_t row_count;  // ROWS for each sample, then one for each point of the boundary
    double back;       // weight of the points of the boundary
    double allowed;    // their distance outside the surface that does not count
    row *rows, *tried;
    double* saved;
    double (*diagonal)[16];  // blocks of the normal equations, then their inverses
    double *x, *r, *z, *p, *q;
    double damping;
    int power;          // of the distances in the weights
    double from, part;  // of the progress
} fitter;

typedef struct evaluation {
    double error;    // the mean of |distance|^(2 + power), relative to `scale`
    double largest;  // distance
} evaluation;

static void set_row(const fitter* f, const frc_medial_nearest* found, uint32_t prim, row* out) {
    memcpy(out->vertex, f->shape.prims.data[prim].vertex, sizeof out->vertex);
    memcpy(out->share, found->weight, sizeof out->share);
    memcpy(out->direction, found->direction, sizeof found->direction);
    out->direction[3] = 1;
    out->distance = found->distance;
}

// Outside the shape the nearest primitive counts; inside, all that contain the point: with only the
// deepest the sum would have kinks from which no step leads down.
static void find_sample(const fitter* f, const double p[3], row* out) {
    frc_medial_nearest found[ROWS];
    uint32_t prims[ROWS];
    for (int i = 1; i < ROWS; i++) out[i] = (row){.hint = FRACAS_NONE};
    found[0] = frc_medial_shape_nearest(&f->shape, p, &out->hint);
    set_row(f, &found[0], out->hint, out);
    if (found[0].distance >= 0) return;
    const int count = frc_medial_shape_around(&f->shape, p, ROWS, found, prims);
    for (int i = 0; i < count; i++) set_row(f, &found[i], prims[i], &out[i]);
}

// A point of the boundary of the shape and the tangent plane of the surface at its nearest point.
typedef struct tangent {
    double normal[3], offset;  // normal zero: not outside the surface, or in another primitive
} tangent;

static void find_tangents(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const fitter* f = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        tangent* out = &f->tangents[i];
        double at[3], direction[3];
        uint32_t prim = FRACAS_NONE;
        *out = (tangent){{0}, 0};
        if (!frc_medial_boundary_at(f->spheres, &f->boundary.data[i], at, direction)) continue;
        if (frc_medial_shape_nearest(&f->shape, at, &prim).distance < -1e-4 * f->b->diagonal ||
            frc_winding_number(f->b, at) > 0)
            continue;
        const frc_nearest found =
            frc_surface_nearest(&f->b->surface, frc_medial_points(f->b), at, FRACAS_NONE);
        for (int k = 0; k < 3; k++) out->normal[k] = -found.direction[k];
        out->offset = frc_vec3_dot(out->normal, at) - found.distance;
    }
}

// It counts where it is outside by more than is allowed.
static void find_back(const fitter* f, const frc_boundary_point* point, const tangent* plane,
                      row* out) {
    double at[3], direction[3];
    *out = (row){.hint = FRACAS_NONE};
    memcpy(out->vertex, point->vertex, sizeof out->vertex);
    if (frc_vec3_dot(plane->normal, plane->normal) == 0 ||
        !frc_medial_boundary_at(f->spheres, point, at, direction))
        return;
    const double height = frc_vec3_dot(plane->normal, at) - plane->offset;
    if (!(height > f->allowed)) return;
    memcpy(out->share, point->weight, sizeof out->share);
    memcpy(out->direction, plane->normal, sizeof plane->normal);
    out->direction[3] = frc_vec3_dot(plane->normal, direction);
    out->distance = -(height - f->allowed);
}

static void find_rows(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const fitter* f = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        const size_t samples = f->samples->count;
        row* out = &f->tried[i < samples ? ROWS * (size_t)i : i + (ROWS - 1) * samples];
        out->hint = f->rows[out - f->tried].hint;
        if (i < samples)
            find_sample(f, f->samples->data[i].at, out);
        else
            find_back(f, &f->boundary.data[i - samples], &f->tangents[i - samples], out);
    }
}

static double power_of(double x, int power) {
    double out = 1;
    for (int i = 0; i < power; i++) out *= x;
    return out;
}

// `scale` keeps the powers in range.
static evaluation evaluate(fitter* f, double scale) {
    evaluation out = {0};
    frc_medial_shape_refit(f->context, &f->shape);
    frc_parallel_for(f->context, (uint32_t)(f->samples->count + f->boundary.count),
                     SAMPLES_PER_RANGE, find_rows, f);
    for (size_t i = 0; i < f->row_count; i++) {
        const double d = fabs(f->tried[i].distance), w = i < ROWS * f->samples->count ? 1 : f->back;
        if (i < ROWS * f->samples->count) out.largest = fmax(out.largest, d);
        out.error += w * power_of(d / scale, 2 + f->power);
    }
    return out;
}

// ---- the normal equations

// Inverses of the blocks on the diagonal, by Gauss-Jordan; they are positive definite.
static void invert4(double m[16]) {
    double a[4][8] = {{0}};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) a[i][k] = m[4 * i + k];
        a[i][4 + i] = 1;
    }
    for (int i = 0; i < 4; i++) {
        const double pivot = a[i][i];
        for (int k = 0; k < 8; k++) a[i][k] /= pivot;
        for (int j = 0; j < 4; j++) {
            const double factor = a[j][i];
            for (int k = 0; k < 8 && j != i; k++) a[j][k] -= factor * a[i][k];
        }
    }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) m[4 * i + k] = a[i][4 + k];
}

#define NEGLIGIBLE 1e-6
#define EXACT 1e-9  // a distance, as a part of the diagonal: nothing is left to improve

// Where the power is p, the second derivative of |d|^(2 + p) is 1 + p times that of the weighted
// square.
static void assemble(fitter* f, double scale) {
    memset(f->diagonal, 0, f->count * sizeof *f->diagonal);
    memset(f->r, 0, 4 * (size_t)f->count * sizeof *f->r);
    for (size_t i = 0; i < f->row_count; i++) {
        row* r = &f->rows[i];
        r->weight = (i < ROWS * f->samples->count ? 1 : f->back) * (1 + f->power) *
                    power_of(fabs(r->distance) / scale, f->power);
        const double wanted = r->weight * r->distance / (1 + f->power);
        if (!(r->weight > NEGLIGIBLE)) r->weight = 0;
        for (int k = 0; k < 3; k++) {
            double* const out = f->r + 4 * (size_t)r->vertex[k];
            double* const block = f->diagonal[r->vertex[k]];
            const double square = r->weight * r->share[k] * r->share[k];
            for (int a = 0; a < 4; a++) {
                out[a] += wanted * r->share[k] * r->direction[a];
                for (int c = 0; c < 4; c++)
                    block[4 * a + c] += square * r->direction[a] * r->direction[c];
            }
        }
    }
}

// out = (J^T W J + shift) x
static void apply(const fitter* f, const double* x, double* out, double shift) {
    for (size_t i = 0; i < 4 * (size_t)f->count; i++) out[i] = shift * x[i];
    for (size_t i = 0; i < f->row_count; i++) {
        const row* r = &f->rows[i];
        double sum = 0;
        if (!(r->weight > 0)) continue;
        for (int k = 0; k < 3; k++) {
            const double* const at = x + 4 * (size_t)r->vertex[k];
            for (int a = 0; a < 4; a++) sum += r->share[k] * r->direction[a] * at[a];
        }
        for (int k = 0; k < 3; k++) {
            double* const at = out + 4 * (size_t)r->vertex[k];
            for (int a = 0; a < 4; a++) at[a] += r->weight * sum * r->share[k] * r->direction[a];
        }
    }
}

static void precondition(const fitter* f) {
    for (uint32_t v = 0; v < f->count; v++)
        for (uint32_t a = 0; a < 4; a++) {
            double sum = 0;
            for (uint32_t b = 0; b < 4; b++) sum += f->diagonal[v][4 * a + b] * f->r[4 * v + b];
            f->z[4 * v + a] = sum;
        }
}

static double dot(const double* a, const double* b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

// Conjugate gradients: the step is in x.
static void solve(fitter* f, double shift) {
    const size_t n = 4 * (size_t)f->count;
    for (uint32_t v = 0; v < f->count; v++) {
        for (int a = 0; a < 4; a++) f->diagonal[v][5 * a] += shift;
        invert4(f->diagonal[v]);
    }
    memset(f->x, 0, n * sizeof *f->x);
    precondition(f);
    memcpy(f->p, f->z, n * sizeof *f->p);
    double rz = dot(f->r, f->z, n);
    const double enough = 1e-6 * rz;
    for (int i = 0; i < SOLVER_STEPS && rz > enough; i++) {
        apply(f, f->p, f->q, shift);
        const double curvature = dot(f->p, f->q, n);
        if (!(curvature > 0)) break;
        const double step = rz / curvature;
        for (size_t k = 0; k < n; k++) f->x[k] += step * f->p[k], f->r[k] -= step * f->q[k];
        precondition(f);
        const double next = dot(f->r, f->z, n);
        for (size_t k = 0; k < n; k++) f->p[k] = f->z[k] + next / rz * f->p[k];
        rz = next;
    }
}

// ---- rounds

// One accepted step; false: none was found.
static bool improve(fitter* f, evaluation* now, double* scale) {
    for (int failures = 0; failures < MOST_FAILURES; failures++) {
        assemble(f, *scale);
        double trace = 0;
        for (uint32_t v = 0; v < f->count; v++)
            for (int a = 0; a < 4; a++) trace += f->diagonal[v][5 * a];
        solve(f, f->damping * trace / (4.0 * f->count) + 1e-300);
        // Rounding errors may make the equations singular.
        if (!(dot(f->x, f->x, 4 * (size_t)f->count) < INFINITY)) {
            f->damping = 5 * f->damping;
            continue;
        }
        memcpy(f->saved, f->spheres, 4 * (size_t)f->count * sizeof *f->saved);
        for (size_t i = 0; i < 4 * (size_t)f->count; i++) {
            f->spheres[i] += f->x[i];
            if (i % 4 == 3 && !(f->spheres[i] > 0)) f->spheres[i] = 0;
        }
        const evaluation next = evaluate(f, *scale);
        if (next.error < now->error) {
            row* const rows = f->rows;
            f->rows = f->tried, f->tried = rows;
            *now = next;
            f->damping = fmax(1e-6, 0.4 * f->damping);
            return true;
        }
        memcpy(f->spheres, f->saved, 4 * (size_t)f->count * sizeof *f->saved);
        f->damping = 5 * f->damping;
    }
    return false;
}

// Start again from the current spheres; returns their error.
static evaluation restart(fitter* f, double* scale) {
    evaluation now = evaluate(f, f->b->diagonal);
    *scale = now.largest > 0 ? now.largest : 1;
    f->allowed = 0.5 * now.largest;
    frc_parallel_for(f->context, (uint32_t)f->boundary.count, SAMPLES_PER_RANGE, find_tangents, f);
    now = evaluate(f, *scale);
    memcpy(f->rows, f->tried, f->row_count * sizeof *f->rows);
    return now;
}

static void run(fitter* f, int power, uint32_t rounds) {
    double scale;
    f->power = power;
    for (size_t i = 0; i < f->row_count; i++) f->rows[i].hint = FRACAS_NONE;
    f->damping = 1e-2;
    evaluation now = restart(f, &scale);
    for (uint32_t i = 0; i < rounds && now.largest > EXACT * f->b->diagonal; i++) {
        if (i % 4 == 3) now = restart(f, &scale);
        if (!frc_medial_proceed(f->b, f->from + f->part * i / rounds) || !improve(f, &now, &scale))
            break;
    }
}

static bool fit(frc_medial_build* b, const frc_samples* samples, fracas_medial_sphere* spheres,
                const fracas_medial_view* view, const frc_fit_stages* stages, int stage) {
    fracas_context* context = b->context;
    fitter f = {.context = context, .b = b, .samples = samples, .count = view->sphere_count};
    const size_t n = 4 * (size_t)f.count;
    f.part = 1.0 / stages->count, f.from = f.part * stage;
    bool ok = frc_medial_boundary(context, view, b->diagonal / 40, 2, &f.boundary);
    f.row_count = ROWS * samples->count + f.boundary.count;
    f.back = 0.5 * (double)samples->count / (double)f.boundary.count;
    double* vectors = frc_allocate_array(context, 6 * n, sizeof *vectors, &ok);
    f.spheres = (double*)(void*)spheres;
    row* const first = frc_allocate_array(context, f.row_count, sizeof *first, &ok);
    f.tangents = frc_allocate_array(context, f.boundary.count, sizeof *f.tangents, &ok);
    row* const second = frc_allocate_array(context, f.row_count, sizeof *second, &ok);
    f.rows = first, f.tried = second;
    f.diagonal = frc_allocate_array(context, f.count, sizeof *f.diagonal, &ok);
    ok = ok && frc_medial_shape_create(context, view, &f.shape);
    if (ok) {
        memset(f.tangents, 0, frc_array_size(f.boundary.count, sizeof *f.tangents));
        f.x = vectors, f.r = vectors + n, f.z = vectors + 2 * n, f.p = vectors + 3 * n;
        f.q = vectors + 4 * n, f.saved = vectors + 5 * n;
        run(&f, stages->powers[stage], stages->rounds);
    }
    frc_medial_shape_release(context, &f.shape);
    frc_release(context, f.diagonal, frc_array_size(f.count, sizeof *f.diagonal));
    frc_release(context, second, frc_array_size(f.row_count, sizeof *f.rows));
    frc_release(context, f.tangents, frc_array_size(f.boundary.count, sizeof *f.tangents));
    frc_release(context, first, frc_array_size(f.row_count, sizeof *f.rows));
    frc_release(context, vectors, frc_array_size(6 * n, sizeof *vectors));
    FRC_ARRAY_RELEASE(context, &f.boundary);
    return ok;
}

// ---- vertices far from the shape

typedef struct far_job {
    const frc_medial_build* b;
    frc_medial_shape shape;
    double* distance;
} far_job;

static void find_distances(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const far_job* job = data;
    uint32_t prim = FRACAS_NONE;
    (void)worker;
    for (uint32_t v = begin; v < end; v++)
        job->distance[v] =
            fabs(frc_medial_shape_nearest(&job->shape, job->b->closed.points[v], &prim).distance);
}

// `*distance` is by vertex of the surface, and 0 for those without a triangle; returns the largest.
static double find_far(const frc_medial_build* b, const fracas_medial_view* view, double** distance,
                       bool* ok) {
    far_job job = {.b = b};
    const frc_closed_surface* s = &b->closed;
    *ok = *ok && frc_medial_shape_create(b->context, view, &job.shape);
    job.distance = frc_allocate_array(b->context, s->point_count, sizeof *job.distance, ok);
    double largest = 0;
    if (*ok) frc_parallel_for(b->context, s->point_count, SAMPLES_PER_RANGE, find_distances, &job);
    for (size_t h = 0; *ok && h < 3 * (size_t)s->triangle_count; h++)
        largest = fmax(largest, job.distance[s->triangles[h / 3][h % 3]]);
    *distance = job.distance;
    frc_medial_shape_release(b->context, &job.shape);
    return largest;
}

double frc_medial_farthest(const frc_medial_build* b, const fracas_medial_mesh* mesh, bool* ok) {
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    double* distance;
    const double largest = find_far(b, &view, &distance, ok);
    frc_release(b->context, distance, frc_array_size(b->closed.point_count, sizeof *distance));
    return largest;
}

// Append the vertices of the surface that are farther from the shape than most of the samples.
static bool add_far(const frc_medial_build* b, const fracas_medial_view* view, frc_samples* samples,
                    double* farthest) {
    const frc_closed_surface* s = &b->closed;
    double* distance;
    bool ok = true;
    *farthest = find_far(b, view, &distance, &ok);
    for (size_t h = 0; ok && h < 3 * (size_t)s->triangle_count; h++) {
        const uint32_t v = s->triangles[h / 3][h % 3];
        if (!(distance[v] > 0.7 * *farthest)) continue;
        distance[v] = 0;
        frc_sample sample = {.kind = FRC_ON_FACE};
        memcpy(sample.at, s->points[v], sizeof sample.at);
        ok = FRC_ARRAY_PUSH(b->context, samples, sample);
    }
    frc_release(b->context, distance, frc_array_size(s->point_count, sizeof *distance));
    return ok;
}

bool frc_medial_fit_spheres(frc_medial_build* b, frc_samples* samples,
                            fracas_medial_sphere* spheres, const fracas_medial_view* view,
                            const frc_fit_stages* stages, double* least) {
    bool ok = true;
    double farthest = 0;
    *least = INFINITY;
    const size_t size = view->sphere_count * sizeof *spheres;
    fracas_medial_sphere* best =
        frc_allocate_array(b->context, view->sphere_count, sizeof *spheres, &ok);
    for (int i = 0; ok && i < stages->count && !frc_medial_stopped(b); i++) {
        ok = fit(b, samples, spheres, view, stages, i) && add_far(b, view, samples, &farthest);
        if (ok && farthest < *least) *least = farthest, memcpy(best, spheres, size);
    }
    if (ok) memcpy(spheres, best, size);
    frc_release(b->context, best, frc_array_size(view->sphere_count, sizeof *spheres));
    return ok;
}
