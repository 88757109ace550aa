/// @file patch.c  The contour of a patch, and the direction to look along.
#include "cull/patch.h"
#include "base/simd_int.h"
#include <math.h>
#include <string.h>

void frc_cull_scratch_release(frc_cull_scratch* scratch) {
    FRC_ARRAY_RELEASE(scratch->context, &scratch->halves);
    FRC_ARRAY_RELEASE(scratch->context, &scratch->points);
    FRC_ARRAY_RELEASE(scratch->context, &scratch->edges);
    FRC_ARRAY_RELEASE(scratch->context, &scratch->boxes);
    FRC_ARRAY_RELEASE(scratch->context, &scratch->words);
    FRC_ARRAY_RELEASE(scratch->context, &scratch->orphans);
}

// ---- a quick look

// One triangle in so many, within these limits: the larger a patch is, the more a test that fails
// costs, and the more likely it is that a few triangles face the other way.
enum { FEWEST_SAMPLES = 16, MOST_SAMPLES = 128, SAMPLE_EVERY = 32 };
enum { AHEAD = 8 };  // samples between the request for points and their use

static uint32_t sample_count(uint32_t faces) {
    const uint32_t count = faces / SAMPLE_EVERY;
    return count < FEWEST_SAMPLES ? FEWEST_SAMPLES : count > MOST_SAMPLES ? MOST_SAMPLES : count;
}

static uint32_t sample_at(uint32_t faces, uint32_t number, uint32_t samples) {
    return (uint32_t)((uint64_t)faces * number / samples);
}

// Vectors at both ends of the step.
typedef struct ends3 {
    f64x2 x[3];
} ends3;

static inline ends3 side_of(const frc_point* from, const frc_point* to) {
    return (ends3){
        {f64x2_sub(f64x2_load(to->x), f64x2_load(from->x)),
         f64x2_sub(f64x2_load(to->y), f64x2_load(from->y)),
         f64x2_sub(f64x2_load(to->z), f64x2_load(from->z))}
    };
}

static inline f64x2 product_of(const ends3* a, const ends3* b) {
    return f64x2_add(f64x2_add(f64x2_mul(a->x[0], b->x[0]), f64x2_mul(a->x[1], b->x[1])),
                     f64x2_mul(a->x[2], b->x[2]));
}

// 0 where there is none: it is no reason against anything.
static inline ends3 unit_normal(const frc_patch* patch, const frc_face_slot* face) {
    const f64x2 zero = f64x2_splat(0);
    const frc_point* a = &patch->points[face->point[0]];
    const ends3 e = side_of(a, &patch->points[face->point[1]]),
                f = side_of(a, &patch->points[face->point[2]]);
    ends3 out;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out.x[k] = f64x2_sub(f64x2_mul(e.x[l], f.x[m]), f64x2_mul(e.x[m], f.x[l]));
    }
    const f64x2 square = product_of(&out, &out);
    const f64x2 scale = f64x2_div(f64x2_splat(1), f64x2_sqrt(square));
    for (int k = 0; k < 3; k++)
        out.x[k] = f64x2_choose(f64x2_lt(zero, square), f64x2_mul(out.x[k], scale), zero);
    return out;
}

bool frc_patch_promises(const frc_patch* patch) {
    const uint32_t faces = patch->end - patch->begin, samples = sample_count(faces);
    if (faces < 2 * FEWEST_SAMPLES) return true;
    const frc_face_slot* face = &patch->block->faces[patch->begin];
    ends3 normal[MOST_SAMPLES], sum = {
                                    {f64x2_splat(0), f64x2_splat(0), f64x2_splat(0)}
    };
    uint32_t count = 0;
    for (uint32_t i = 0; i < samples; i++) {
        const uint32_t at = sample_at(faces, i, samples);
        const uint32_t* next =
            face[sample_at(faces, i + AHEAD < samples ? i + AHEAD : i, samples)].point;
        for (int k = 0; k < 3; k++) __builtin_prefetch(&patch->points[next[k]]);
        if (face[at].id == FRACAS_NONE) continue;
        normal[count] = unit_normal(patch, &face[at]);
        for (int k = 0; k < 3; k++) sum.x[k] = f64x2_add(sum.x[k], normal[count].x[k]);
        count++;
    }
    const f64x2 least = f64x2_mul(f64x2_splat(-0.125), f64x2_sqrt(product_of(&sum, &sum)));
    unsigned away = 0;
    for (uint32_t i = 0; i < count; i++)
        away |= m64x2_bits(f64x2_lt(product_of(&normal[i], &sum), least));
    // What is at rest is where it will be at the end.
    return patch->ends == 1 ? !(away & 2) : away == 0;
}

// ---- contour

// How many half-edges are looked at together: most have no border among them.
enum { TOGETHER = 24 };

// Which of them have no twin in the patch; a missing one is FRACAS_NONE, outside as well, and empty
// slots are their own. Numbers are compared as unsigned ones: by a shift of 2^31.
static uint32_t outside_bits(const uint32_t* twin, uint32_t first, uint32_t count) {
    const i32x4 begin = i32x4_splat((int32_t)(first ^ 0x80000000u)),
                size = i32x4_splat((int32_t)(count ^ 0x80000000u));
    lane_bits inside = lane_bits_none();
    for (unsigned g = 0; g < TOGETHER / 4; g++) {
        const i32x4 at = i32x4_sub(i32x4_load((const int32_t*)twin + 4 * g), begin);
        inside = lane_bits_add(inside, i32x4_lt(at, size), g);
    }
    return ~lane_bits_get(inside) & ((1u << TOGETHER) - 1);
}

// The few at the end.
static uint32_t last_outside_bits(const uint32_t* twin, uint32_t left, uint32_t first,
                                  uint32_t count) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < left; i++) bits |= (uint32_t)(twin[i] - first >= count) << i;
    return bits;
}

// Half-edges of the contour into `out`; returns their number.
static size_t list_outside(const frc_patch* patch, uint32_t* out) {
    const uint32_t* twin = patch->block->twin;
    const uint32_t first = 3 * patch->begin, count = 3 * (patch->end - patch->begin);
    size_t found = 0;
    for (uint32_t h = first; h < first + count; h += TOGETHER) {
        const uint32_t left = first + count - h;
        uint32_t bits = left >= TOGETHER ? outside_bits(twin + h, first, count)
                                         : last_outside_bits(twin + h, left, first, count);
        for (; bits; bits &= bits - 1) out[found++] = h + (uint32_t)__builtin_ctz(bits);
    }
    return found;
}

bool frc_patch_contour(const frc_patch* patch, frc_cull_scratch* scratch) {
    scratch->loop = NULL;
    if (!FRC_ARRAY_RESERVE(scratch->context, &scratch->halves,
                           3 * (size_t)(patch->end - patch->begin))) {
        scratch->out_of_memory = true;
        return false;
    }
    scratch->halves.count = list_outside(patch, scratch->halves.data);
    return true;
}

static uint32_t after(uint32_t half) { return half % 3 == 2 ? half - 2 : half + 1; }

// The contour edge that begins where this one ends: around that point, from triangle to triangle of
// the patch. This ends: what comes before the first triangle would be across `half` itself, which
// has no twin in the patch.
static uint32_t next_on_contour(const frc_patch* patch, uint32_t half) {
    const uint32_t* twin = patch->block->twin;
    uint32_t first = 3 * patch->begin, count = 3 * (patch->end - patch->begin);
    half = after(half);
    while (twin[half] - first < count) half = after(twin[half]);
    return half;
}

bool frc_patch_find_loop(const frc_patch* patch, frc_cull_scratch* scratch) {
    size_t count = scratch->halves.count;
    if (scratch->loop || count == 0) return true;
    if (!FRC_ARRAY_RESERVE(scratch->context, &scratch->points, count + 1)) {
        scratch->out_of_memory = true;
        return false;
    }
    uint32_t *out = scratch->points.data, half = scratch->halves.data[0];
    for (size_t i = 0; i < count; i++) {
        // Back before all were seen: there is another loop.
        if (i > 0 && half == scratch->halves.data[0]) return true;
        out[i] = patch->block->faces[half / 3].point[half % 3];
        half = next_on_contour(patch, half);
    }
    out[count] = out[0];
    scratch->loop = out;
    scratch->loop_count = (uint32_t)count;
    return true;
}

static size_t contour_count(const frc_cull_scratch* scratch) {
    return scratch->loop ? scratch->loop_count : scratch->halves.count;
}

// The ends of an edge of the contour.
static inline void contour_edge(const frc_patch* patch, const frc_cull_scratch* scratch, size_t i,
                                uint32_t out[2]) {
    if (scratch->loop) {
        out[0] = scratch->loop[i], out[1] = scratch->loop[i + 1];
        return;
    }
    uint32_t half = scratch->halves.data[i];
    const uint32_t* point = patch->block->faces[half / 3].point;
    out[0] = point[half % 3];
    out[1] = point[half % 3 == 2 ? 0 : half % 3 + 1];
}

// A coordinate relative to the origin, at time t.
static double local_at(const frc_patch* patch, const frc_point* point, int axis, double t) {
    const double* x = frc_ends_of(point, axis);
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
    // Floats, so that the direction is exact there as well.
    for (int k = 0; k < 2; k++)
        patch->slope[k] = (double)(float)(direction[patch->axis[k]] / direction[main]);
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

// In whole numbers, so that the order in which edges are listed makes no difference. They are of
// the size of 2^-40 D^2; what wraps around would be a patch of a million edges, and any direction
// will do for a proof.
typedef struct area {
    uint64_t sum[3];
    double scale;
} area;

static inline void add_cross(const double a[3], const double b[3], area* out) {
    out->sum[0] += (uint64_t)(int64_t)((a[1] * b[2] - a[2] * b[1]) * out->scale);
    out->sum[1] += (uint64_t)(int64_t)((a[2] * b[0] - a[0] * b[2]) * out->scale);
    out->sum[2] += (uint64_t)(int64_t)((a[0] * b[1] - a[1] * b[0]) * out->scale);
}

// Are the lows of points good enough?
static bool floats_will_do(const frc_patch* patch) {
    return patch->ends == 1 && patch->lows && patch->reach < 1024 * patch->size;
}

static inline void rough_point(const frc_patch* patch, uint32_t id, double out[3]) {
    const float* lo = patch->lows[id].at[1];
    for (int k = 0; k < 3; k++) out[k] = (double)lo[k] - patch->origin[1][k];
}

// Points themselves are asked for: the projection needs them soon.
static void add_roughly(const frc_patch* patch, const frc_cull_scratch* scratch, area* sum) {
    for (size_t i = 0; i < contour_count(scratch); i++) {
        uint32_t id[2];
        double a[3], b[3];
        contour_edge(patch, scratch, i, id);
        __builtin_prefetch(&patch->points[id[0]]);
        rough_point(patch, id[0], a);
        rough_point(patch, id[1], b);
        add_cross(a, b, sum);
    }
}

static void add_exactly(const frc_patch* patch, const frc_cull_scratch* scratch, area* sum) {
    double t = patch->ends == 1 ? 1 : 0.5 * (patch->from + patch->to);
    const moment m = {1 - t, t};
    for (size_t i = 0; i < contour_count(scratch); i++) {
        uint32_t id[2];
        double a[3], b[3];
        contour_edge(patch, scratch, i, id);
        local_point(patch, &m, id[0], a);
        local_point(patch, &m, id[1], b);
        add_cross(a, b, sum);
    }
}

// The sum of a x b over the contour is twice the sum of the triangles' areas as vectors.
bool frc_patch_direction(frc_patch* patch, const frc_cull_scratch* scratch) {
    area sum = {.scale = 0x1p40 / (patch->size * patch->size)};
    if (floats_will_do(patch))
        add_roughly(patch, scratch, &sum);
    else
        add_exactly(patch, scratch, &sum);
    double direction[3];
    for (int k = 0; k < 3; k++) direction[k] = (double)(int64_t)sum.sum[k];
    return frc_patch_look_along(patch, direction);
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
    size_t count = contour_count(scratch);
    if (!FRC_ARRAY_RESERVE(scratch->context, &scratch->edges, count)) {
        scratch->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t id[2];
        contour_edge(patch, scratch, i, id);
        frc_cull_edge* edge = &scratch->edges.data[i];
        edge->a = id[0], edge->b = id[1];
        for (int which = 0; which < 2; which++) project_point(patch, id[which], which, edge);
    }
    scratch->edges.count = count;
    return true;
}
