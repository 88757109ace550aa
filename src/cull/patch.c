/// @file patch.c  Steps of a certificate: quick rejection of a patch, its contour, the direction of
/// projection, the projected contour.
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

// ---- quick rejection

// One triangle in SAMPLE_EVERY, within limits: the larger a patch, the more a failed test costs,
// and the more likely some triangles face the other way.
enum { FEWEST_SAMPLES = 16, MOST_SAMPLES = 128, SAMPLE_EVERY = 32 };
enum { PREFETCH_DISTANCE = 8 };  // samples

static uint32_t sample_at(uint32_t faces, uint32_t number, uint32_t samples) {
    return (uint32_t)((uint64_t)faces * number / samples);
}

// A vector at both ends of the step.
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

// Zero for a degenerate triangle, which then does not reject the patch.
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

bool frc_patch_normals_agree(const frc_patch* patch) {
    const uint32_t faces = patch->end - patch->begin;
    uint32_t samples = faces / SAMPLE_EVERY, count = 0;
    if (faces < 2 * FEWEST_SAMPLES) return true;
    if (samples < FEWEST_SAMPLES) samples = FEWEST_SAMPLES;
    if (samples > MOST_SAMPLES) samples = MOST_SAMPLES;
    const frc_face_slot* face = &patch->block->faces[patch->begin];
    ends3 normal[MOST_SAMPLES], sum = {
                                    {f64x2_splat(0), f64x2_splat(0), f64x2_splat(0)}
    };
    for (uint32_t i = 0; i < samples; i++) {
        const uint32_t at = sample_at(faces, i, samples);
        const uint32_t later = i + PREFETCH_DISTANCE < samples ? i + PREFETCH_DISTANCE : i;
        const uint32_t* next = face[sample_at(faces, later, samples)].point;
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
    // At rest only the end of the step counts.
    return patch->ends == 1 ? !(away & 2) : away == 0;
}

// ---- contour

// Half-edges tested together: most groups have no half-edge of the contour.
enum { GROUP = 24 };

// Bits of the half-edges of a group whose opposite is not in [first, first + count). A missing
// opposite is FRACAS_NONE, which is outside; half-edges of empty slots are their own opposites.
// Unsigned numbers are compared as signed ones, shifted by 2^31.
static uint32_t outside_bits(const uint32_t* opposite, uint32_t first, uint32_t count) {
    const i32x4 begin = i32x4_splat((int32_t)(first ^ 0x80000000u)),
                size = i32x4_splat((int32_t)(count ^ 0x80000000u));
    lane_bits inside = lane_bits_none();
    for (unsigned g = 0; g < GROUP / 4; g++) {
        const i32x4 at = i32x4_sub(i32x4_load((const int32_t*)opposite + 4 * g), begin);
        inside = lane_bits_add(inside, i32x4_lt(at, size), g);
    }
    return ~lane_bits_get(inside) & ((1u << GROUP) - 1);
}

bool frc_patch_contour(const frc_patch* patch, frc_cull_scratch* scratch) {
    const uint32_t* opposite = patch->block->opposite;
    const uint32_t first = 3 * patch->begin, end = 3 * patch->end, count = end - first;
    scratch->loop = NULL;
    if (!FRC_ARRAY_RESERVE(scratch->context, &scratch->halves, count)) {
        scratch->out_of_memory = true;
        return false;
    }
    size_t found = 0;
    for (uint32_t h = first; h < end; h += GROUP) {
        uint32_t bits = 0;
        if (end - h >= GROUP)
            bits = outside_bits(opposite + h, first, count);
        else
            for (uint32_t i = 0; i < end - h; i++)
                bits |= (uint32_t)(opposite[h + i] - first >= count) << i;
        for (; bits; bits &= bits - 1)
            scratch->halves.data[found++] = h + (uint32_t)__builtin_ctz(bits);
    }
    scratch->halves.count = found;
    return true;
}

static uint32_t next_in_face(uint32_t half) { return half % 3 == 2 ? half - 2 : half + 1; }

bool frc_patch_find_loop(const frc_patch* patch, frc_cull_scratch* scratch) {
    size_t count = scratch->halves.count;
    if (scratch->loop || count == 0) return true;
    if (!FRC_ARRAY_RESERVE(scratch->context, &scratch->points, count + 1)) {
        scratch->out_of_memory = true;
        return false;
    }
    const uint32_t* opposite = patch->block->opposite;
    const uint32_t first = 3 * patch->begin, all = 3 * (patch->end - patch->begin);
    uint32_t *out = scratch->points.data, half = scratch->halves.data[0];
    for (size_t i = 0; i < count; i++) {
        // The loop closed before all half-edges were visited: there is another one.
        if (i > 0 && half == scratch->halves.data[0]) return true;
        out[i] = patch->block->faces[half / 3].point[half % 3];
        // Find the contour edge that begins where this one ends: turn around that point, from
        // triangle to triangle of the patch. This terminates: a full turn would have to cross this
        // contour edge, which has no opposite half-edge in the patch.
        half = next_in_face(half);
        while (opposite[half] - first < all) half = next_in_face(opposite[half]);
    }
    out[count] = out[0];
    scratch->loop = out;
    scratch->loop_count = (uint32_t)count;
    return true;
}

static size_t contour_count(const frc_cull_scratch* scratch) {
    return scratch->loop ? scratch->loop_count : scratch->halves.count;
}

// The end points of an edge of the contour.
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

// ---- direction

bool frc_patch_set_direction(frc_patch* patch, const double direction[3]) {
    int main = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(direction[k]) > fabs(direction[main])) main = k;
    if (!(fabs(direction[main]) > 0) || !(fabs(direction[main]) < INFINITY)) return false;
    for (int k = 0; k < 3; k++) patch->axis[k] = (main + 1 + k) % 3;
    // Rounded to floats, so that the direction is exact in float arithmetic too.
    for (int k = 0; k < 2; k++)
        patch->slope[k] = (double)(float)(direction[patch->axis[k]] / direction[main]);
    patch->flip = direction[main] < 0;
    return true;
}

// A point relative to the origin, with the weights of both ends of the step.
static inline void local_point(const frc_patch* patch, const double weight[2], uint32_t id,
                               double out[3]) {
    const frc_point* p = &patch->points[id];
    const double *o0 = patch->origin[0], *o1 = patch->origin[1];
    out[0] = (p->x[0] - o0[0]) * weight[0] + (p->x[1] - o1[0]) * weight[1];
    out[1] = (p->y[0] - o0[1]) * weight[0] + (p->y[1] - o1[1]) * weight[1];
    out[2] = (p->z[0] - o0[2]) * weight[0] + (p->z[1] - o1[2]) * weight[1];
}

// The same at the end of the step, from coordinates rounded to floats.
static inline void local_low(const frc_patch* patch, uint32_t id, double out[3]) {
    const float* low = patch->lows[id].at[1];
    for (int k = 0; k < 3; k++) out[k] = (double)low[k] - patch->origin[1][k];
}

// Sum a x b over the contour: twice the sum of the area vectors of all triangles. In integers, so
// that the order of edges makes no difference. Terms are at most about 2^41. The sum of a million
// edges might wrap around; this is safe, because a certificate is valid for any direction.
bool frc_patch_find_direction(frc_patch* patch, const frc_cull_scratch* scratch) {
    const double scale = 0x1p40 / (patch->size * patch->size);
    const double t = patch->ends == 1 ? 1 : 0.5 * (patch->from + patch->to);
    const double weight[2] = {1 - t, t};
    // At rest floats are accurate enough, unless the patch is small and far from zero.
    const bool rough = patch->ends == 1 && patch->lows && patch->reach < 1024 * patch->size;
    uint64_t sum[3] = {0, 0, 0};
    const size_t count = contour_count(scratch);
    for (size_t i = 0; i < count; i++) {
        uint32_t id[2];
        double a[3], b[3];
        contour_edge(patch, scratch, i, id);
        if (rough) {
            __builtin_prefetch(&patch->points[id[0]]);  // for the projection
            local_low(patch, id[0], a);
            local_low(patch, id[1], b);
        } else {
            local_point(patch, weight, id[0], a);
            local_point(patch, weight, id[1], b);
        }
        sum[0] += (uint64_t)(int64_t)((a[1] * b[2] - a[2] * b[1]) * scale);
        sum[1] += (uint64_t)(int64_t)((a[2] * b[0] - a[0] * b[2]) * scale);
        sum[2] += (uint64_t)(int64_t)((a[0] * b[1] - a[1] * b[0]) * scale);
    }
    double direction[3];
    for (int k = 0; k < 3; k++) direction[k] = (double)(int64_t)sum[k];
    return frc_patch_set_direction(patch, direction);
}

// ---- projection

static void project_point(const frc_patch* patch, uint32_t id, int which, frc_cull_edge* out) {
    const frc_point* p = &patch->points[id];
    for (uint32_t end = 0; end < patch->ends; end++) {
        double t = end == 0 ? patch->from : patch->to, x[3];
        for (int k = 0; k < 3; k++) {
            const int axis = patch->axis[k];
            const double* at = frc_ends_of(p, axis);
            x[k] = at[1] - patch->origin[1][axis];
            if (patch->ends == 2) x[k] = (at[0] - patch->origin[0][axis]) * (1 - t) + x[k] * t;
        }
        double u = x[0] - patch->slope[0] * x[2], w = x[1] - patch->slope[1] * x[2];
        // Along a negative direction the view is mirrored: u and w are exchanged.
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
        project_point(patch, id[0], 0, edge);
        project_point(patch, id[1], 1, edge);
    }
    scratch->edges.count = count;
    return true;
}
