/// @file patch.c  The contour of a patch, the direction to look along, and which way triangles
/// face.
#include "cull/patch.h"
#include "base/parallel.h"
#include "base/simd.h"
#include <math.h>
#include <stddef.h>

void frc_cull_scratch_release(frc_cull_scratch* scratch) {
    FRC_ARRAY_RELEASE(scratch->context, &scratch->halves);
    FRC_ARRAY_RELEASE(scratch->context, &scratch->edges);
    FRC_ARRAY_RELEASE(scratch->context, &scratch->boxes);
    FRC_ARRAY_RELEASE(scratch->context, &scratch->words);
    FRC_ARRAY_RELEASE(scratch->context, &scratch->orphans);
}

// ---- a quick look

enum { SAMPLES = 16 };

static bool unit_normal(const frc_patch* patch, uint32_t slot, int end, double out[3]) {
    const frc_face_slot* face = &patch->block->faces[slot];
    if (face->id == FRACAS_NONE) return false;
    const frc_point *a = &patch->points[face->point[0]], *b = &patch->points[face->point[1]],
                    *c = &patch->points[face->point[2]];
    double e[3] = {b->x[end] - a->x[end], b->y[end] - a->y[end], b->z[end] - a->z[end]};
    double f[3] = {c->x[end] - a->x[end], c->y[end] - a->y[end], c->z[end] - a->z[end]};
    double square = 0;
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = e[l] * f[m] - e[m] * f[l];
        square += out[k] * out[k];
    }
    if (!(square > 0)) return false;
    double scale = 1 / sqrt(square);
    for (int k = 0; k < 3; k++) out[k] *= scale;
    return true;
}

static bool promises_at(const frc_patch* patch, int end) {
    double normal[SAMPLES][3], sum[3] = {0, 0, 0};
    uint32_t count = 0, faces = patch->end - patch->begin;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t slot = patch->begin + (uint32_t)((uint64_t)faces * i / SAMPLES);
        if (!unit_normal(patch, slot, end, normal[count])) continue;
        for (int k = 0; k < 3; k++) sum[k] += normal[count][k];
        count++;
    }
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (uint32_t i = 0; i < count; i++) {
        double along = normal[i][0] * sum[0] + normal[i][1] * sum[1] + normal[i][2] * sum[2];
        if (along < -0.125 * length) return false;
    }
    return true;
}

bool frc_patch_promises(const frc_patch* patch) {
    if (patch->end - patch->begin < 2 * SAMPLES) return true;
    return promises_at(patch, 1) && (patch->ends == 1 || promises_at(patch, 0));
}

// ---- contour

// How many half-edges are looked at together: most have no border among them. A loop without
// branches, for the compiler to make vectors of.
enum { TOGETHER = 24 };

static bool any_outside(const uint32_t* twin, uint32_t first, uint32_t count) {
    uint32_t outside = 0;
    for (int i = 0; i < TOGETHER; i++) outside |= twin[i] - first >= count;
    return outside;
}

// Half-edges of face slots [begin, end) that are part of the contour, into `out` when that is not
// NULL; how many there are.
static size_t list_outside(const frc_patch* patch, uint32_t begin, uint32_t end, uint32_t* out) {
    const uint32_t* twin = patch->block->twin;
    uint32_t first = 3 * patch->begin, count = 3 * (patch->end - patch->begin);
    size_t found = 0;
    for (uint32_t h = 3 * begin; h < 3 * end;) {
        uint32_t stop = h + TOGETHER < 3 * end ? h + TOGETHER : 3 * end;
        if (stop == h + TOGETHER && !any_outside(twin + h, first, count)) {
            h = stop;
            continue;
        }
        for (; h < stop; h++) {
            // A missing twin is FRACAS_NONE, outside as well; empty slots are their own.
            if (twin[h] - first < count) continue;
            if (out) out[found] = h;
            found++;
        }
    }
    return found;
}

// Large patches are looked at in stretches, by all workers.
enum { STRETCH = 2048 };  // face slots

typedef struct stretches {
    const frc_patch* patch;
    uint32_t* halves;  // NULL: count only
    uint32_t* count;   // by stretch; then where each begins
} stretches;

static uint32_t stretch_count(const frc_patch* patch) {
    return (patch->end - patch->begin + STRETCH - 1) / STRETCH;
}

static uint32_t stretch_end(const frc_patch* patch, uint32_t i) {
    uint32_t end = patch->begin + (i + 1) * STRETCH;
    return end < patch->end ? end : patch->end;
}

static void list_stretches(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const stretches* s = data;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t from = s->patch->begin + i * STRETCH, to = stretch_end(s->patch, i);
        if (s->halves)
            list_outside(s->patch, from, to, s->halves + s->count[i]);
        else
            s->count[i] = (uint32_t)list_outside(s->patch, from, to, NULL);
    }
}

// Counted first, so that they stand in the order in which one worker would have found them.
static bool list_all(const frc_patch* patch, frc_cull_scratch* scratch) {
    fracas_context* context = scratch->context;
    uint32_t parts = stretch_count(patch);
    bool ok = FRC_ARRAY_RESERVE(context, &scratch->words, parts);
    stretches s = {patch, NULL, scratch->words.data};
    if (ok) frc_parallel_for(context, parts, 1, list_stretches, &s);
    size_t sum = 0;
    for (uint32_t i = 0; i < parts && ok; i++) {
        size_t n = s.count[i];
        s.count[i] = (uint32_t)sum;
        sum += n;
    }
    ok = ok && FRC_ARRAY_RESERVE(context, &scratch->halves, sum + 1);
    s.halves = scratch->halves.data;
    if (ok) frc_parallel_for(context, parts, 1, list_stretches, &s);
    scratch->halves.count = ok ? sum : 0;
    return ok;
}

bool frc_patch_contour(const frc_patch* patch, frc_cull_scratch* scratch) {
    fracas_context* context = scratch->context;
    bool ok = false;
    if (stretch_count(patch) > 1 && frc_worker_count(context) > 1) {
        ok = list_all(patch, scratch);
    } else if (FRC_ARRAY_RESERVE(context, &scratch->halves,
                                 3 * (size_t)(patch->end - patch->begin))) {
        scratch->halves.count = list_outside(patch, patch->begin, patch->end, scratch->halves.data);
        ok = true;
    }
    if (!ok) scratch->out_of_memory = true;
    return ok;
}

static void half_points(const frc_patch* patch, uint32_t half, uint32_t out[2]) {
    const uint32_t* point = patch->block->faces[half / 3].point;
    out[0] = point[half % 3];
    out[1] = point[half % 3 == 2 ? 0 : half % 3 + 1];
}

// Both ends of the step of one coordinate. They stand side by side in a point, which saves choosing
// among three for each of them.
_Static_assert(offsetof(frc_point, y) == 2 * sizeof(double), "y after x");
_Static_assert(offsetof(frc_point, z) == 4 * sizeof(double), "z after y");
static inline const double* ends_of(const frc_point* point, int axis) {
    return (const double*)(const void*)((const char*)point + (size_t)axis * 2 * sizeof(double));
}

// A coordinate relative to the origin, at time t.
static double local_at(const frc_patch* patch, const frc_point* point, int axis, double t) {
    const double* x = ends_of(point, axis);
    double end = x[1] - patch->origin[1][axis];
    if (patch->ends == 1) return end;
    return (x[0] - patch->origin[0][axis]) * (1 - t) + end * t;
}

// ---- direction

bool frc_patch_look_along(frc_patch* patch, const double direction[3]) {
    int main = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(direction[k]) > fabs(direction[main])) main = k;
    if (!(fabs(direction[main]) > 0) || !(fabs(direction[main]) < INFINITY)) return false;
    for (int k = 0; k < 3; k++) patch->axis[k] = (main + 1 + k) % 3;
    for (int k = 0; k < 2; k++) patch->slope[k] = direction[patch->axis[k]] / direction[main];
    patch->flip = direction[main] < 0;
    return true;
}

// Weights of both ends of the step at a time, which for patches at rest is the end.
typedef struct moment {
    double early, late;
} moment;

static inline void local_point(const frc_patch* patch, const moment* m, uint32_t id,
                               double out[3]) {
    const frc_point* p = &patch->points[id];
    const double *o0 = patch->origin[0], *o1 = patch->origin[1];
    out[0] = (p->x[0] - o0[0]) * m->early + (p->x[1] - o1[0]) * m->late;
    out[1] = (p->y[0] - o0[1]) * m->early + (p->y[1] - o1[1]) * m->late;
    out[2] = (p->z[0] - o0[2]) * m->early + (p->z[1] - o1[2]) * m->late;
}

// The sum of a x b over the contour is twice the sum of the triangles' areas as vectors.
bool frc_patch_direction(frc_patch* patch, const frc_cull_scratch* scratch) {
    double sum[3] = {0, 0, 0}, t = patch->ends == 1 ? 1 : 0.5 * (patch->from + patch->to);
    const moment m = {1 - t, t};
    for (size_t i = 0; i < scratch->halves.count; i++) {
        uint32_t id[2];
        double a[3], b[3];
        half_points(patch, scratch->halves.data[i], id);
        local_point(patch, &m, id[0], a);
        local_point(patch, &m, id[1], b);
        sum[0] += a[1] * b[2] - a[2] * b[1];
        sum[1] += a[2] * b[0] - a[0] * b[2];
        sum[2] += a[0] * b[1] - a[1] * b[0];
    }
    return frc_patch_look_along(patch, sum);
}

// ---- normals

// The normal's part along the direction, at the end of the step.
static double face_up(const frc_patch* patch, const uint32_t point[3]) {
    const frc_point* p[3];
    double e[3], f[3];
    for (int i = 0; i < 3; i++) p[i] = &patch->points[point[i]];
    for (int k = 0; k < 3; k++) {
        const double* a = ends_of(p[0], patch->axis[k]);
        const double* b = ends_of(p[1], patch->axis[k]);
        const double* c = ends_of(p[2], patch->axis[k]);
        e[k] = b[1] - a[1];
        f[k] = c[1] - a[1];
    }
    double g = patch->slope[0], h = patch->slope[1];
    double eu = e[0] - g * e[2], ew = e[1] - h * e[2];
    double fu = f[0] - g * f[2], fw = f[1] - h * f[2];
    return eu * fw - ew * fu;
}

static frc_cull_answer faces_up_end(const frc_patch* patch) {
    double error = FRC_CULL_ERROR * patch->size * patch->size;
    double sign = patch->flip ? -1 : 1;
    for (uint32_t s = patch->begin; s < patch->end; s++) {
        const frc_face_slot* face = &patch->block->faces[s];
        if (face->id == FRACAS_NONE) continue;
        if (!(sign * face_up(patch, face->point) > error)) return FRC_CULL_NO;
    }
    return FRC_CULL_YES;
}

// Lanes are the two ends of the span.
typedef struct edge_in_time {
    f64x2 u, w;
} edge_in_time;

typedef struct view {
    f64x2 late, early;  // weights of the end and of the start of the step
    f64x2 g, h;
    bool whole;
} view;

static inline f64x2 blend(const view* v, f64x2 both) {
    if (v->whole) return both;
    f64x2 first = f64x2_low_low(both, both), last = f64x2_high_high(both, both);
    return f64x2_add(f64x2_mul(first, v->early), f64x2_mul(last, v->late));
}

static inline edge_in_time make_edge(const frc_patch* patch, const view* v, const frc_point* from,
                                     const frc_point* to) {
    f64x2 d[3];
    for (int k = 0; k < 3; k++) {
        int axis = patch->axis[k];
        f64x2 a = f64x2_load(ends_of(from, axis)), b = f64x2_load(ends_of(to, axis));
        d[k] = blend(v, f64x2_sub(b, a));
    }
    return (edge_in_time){f64x2_sub(d[0], f64x2_mul(v->g, d[2])),
                          f64x2_sub(d[1], f64x2_mul(v->h, d[2]))};
}

static inline f64x2 cross_lanes(f64x2 eu, f64x2 ew, f64x2 fu, f64x2 fw) {
    return f64x2_sub(f64x2_mul(eu, fw), f64x2_mul(ew, fu));
}

// The part of the normal is a quadratic in time; its three Bernstein coefficients bound it.
static frc_cull_answer faces_up_span(const frc_patch* patch) {
    double error = FRC_CULL_ERROR * patch->size * patch->size;
    double sign = patch->flip ? -1 : 1;
    const double late[2] = {patch->from, patch->to}, early[2] = {1 - patch->from, 1 - patch->to};
    view v = {f64x2_load(late), f64x2_load(early), f64x2_splat(patch->slope[0]),
              f64x2_splat(patch->slope[1]), patch->from == 0 && patch->to == 1};
    frc_cull_answer answer = FRC_CULL_YES;
    for (uint32_t s = patch->begin; s < patch->end; s++) {
        const frc_face_slot* face = &patch->block->faces[s];
        if (face->id == FRACAS_NONE) continue;
        const frc_point* p = patch->points;
        edge_in_time e = make_edge(patch, &v, &p[face->point[0]], &p[face->point[1]]);
        edge_in_time f = make_edge(patch, &v, &p[face->point[0]], &p[face->point[2]]);
        f64x2 ends = cross_lanes(e.u, e.w, f.u, f.w);
        f64x2 mixed = cross_lanes(e.u, e.w, f64x2_swap(f.u), f64x2_swap(f.w));
        double first = sign * f64x2_low(ends), last = sign * f64x2_high(ends);
        double middle = sign * (f64x2_low(mixed) + f64x2_high(mixed));  // twice the coefficient
        if (!(first > error && last > error)) return FRC_CULL_NO;
        if (!(middle > 2 * error)) answer = FRC_CULL_PART;
    }
    return answer;
}

typedef struct facing {
    const frc_patch* patch;
    atomic_int answer;  // the worst so far
} facing;

static void faces_up_stretches(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    facing* f = data;
    for (uint32_t i = begin; i < end; i++) {
        int worst = atomic_load_explicit(&f->answer, memory_order_relaxed);
        if (worst == FRC_CULL_NO) return;
        frc_patch part = *f->patch;
        part.begin = f->patch->begin + i * STRETCH;
        part.end = stretch_end(f->patch, i);
        int answer = (int)(part.ends == 1 ? faces_up_end(&part) : faces_up_span(&part));
        while (answer < worst && !atomic_compare_exchange_weak_explicit(&f->answer, &worst, answer,
                                                                        memory_order_relaxed,
                                                                        memory_order_relaxed)) {}
    }
}

_Static_assert(FRC_CULL_NO < FRC_CULL_PART && FRC_CULL_PART < FRC_CULL_YES, "the worst is least");

frc_cull_answer frc_patch_faces_up(const frc_patch* patch, const frc_cull_scratch* scratch) {
    facing f = {.patch = patch};
    atomic_init(&f.answer, FRC_CULL_YES);
    frc_parallel_for(scratch->context, stretch_count(patch), 1, faces_up_stretches, &f);
    return (frc_cull_answer)atomic_load(&f.answer);
}

// ---- projection

static void project_point(const frc_patch* patch, uint32_t id, int which, frc_cull_edge* out) {
    const frc_point* p = &patch->points[id];
    for (uint32_t end = 0; end < patch->ends; end++) {
        double t = end == 0 ? patch->from : patch->to, x[3];
        for (int k = 0; k < 3; k++) x[k] = local_at(patch, p, patch->axis[k], t);
        double u = x[0] - patch->slope[0] * x[2], w = x[1] - patch->slope[1] * x[2];
        // Seen from the other side left and right change places.
        out->u[end][which] = patch->flip ? w : u;
        out->w[end][which] = patch->flip ? u : w;
    }
}

bool frc_patch_project(const frc_patch* patch, frc_cull_scratch* scratch) {
    size_t count = scratch->halves.count;
    if (!FRC_ARRAY_RESERVE(scratch->context, &scratch->edges, count)) {
        scratch->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t id[2];
        half_points(patch, scratch->halves.data[i], id);
        frc_cull_edge* edge = &scratch->edges.data[i];
        edge->a = id[0], edge->b = id[1];
        for (int which = 0; which < 2; which++) project_point(patch, id[which], which, edge);
    }
    scratch->edges.count = count;
    return true;
}
