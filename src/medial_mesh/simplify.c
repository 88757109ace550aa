/// @file simplify.c  From the complex to a medial mesh of a given size or error.
#include "fracas/contact.h"
#include "medial_mesh/fit.h"
#include <math.h>
#include <string.h>

static const int powers[] = {0, 2, 4, 8, 8, 8, 8, 8};
enum { STAGES = sizeof powers / sizeof powers[0], FIRST_STAGES = 2 };

static bool copy_samples(frc_medial_build* b, frc_samples* out) {
    const size_t count = b->samples.count;
    if (!FRC_ARRAY_RESERVE(b->context, out, count)) return false;
    memcpy(out->data, b->samples.data, count * sizeof *out->data);
    out->count = count;
    return true;
}

static bool fit_stages(frc_medial_build* b, fracas_medial_mesh* mesh, frc_samples* samples,
                       int first, int end, double* farthest) {
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    const frc_fit_stages stages = {powers + first, end - first,
                                   (b->options->fit_rounds + STAGES - 1) / STAGES};
    return frc_medial_fit_spheres(b, samples, mesh->spheres.data, &view, &stages, farthest);
}

static void release_parts(fracas_medial_mesh* mesh) {
    FRC_ARRAY_RELEASE(mesh->context, &mesh->spheres);
    FRC_ARRAY_RELEASE(mesh->context, &mesh->edges);
    FRC_ARRAY_RELEASE(mesh->context, &mesh->triangles);
}

// `to` gets the parts of `from`, which is empty afterwards; the information of both stays.
static void move_parts(fracas_medial_mesh* from, fracas_medial_mesh* to) {
    const fracas_medial_mesh_info info = to->info;
    release_parts(to);
    *to = *from;
    to->info = info;
    *from = (fracas_medial_mesh){.context = to->context};
}

static bool copy_parts(const fracas_medial_mesh* from, fracas_medial_mesh* to) {
    fracas_context* context = from->context;
    if (!FRC_ARRAY_RESERVE(context, &to->spheres, from->spheres.count) ||
        !FRC_ARRAY_RESERVE(context, &to->edges, from->edges.count) ||
        !FRC_ARRAY_RESERVE(context, &to->triangles, from->triangles.count))
        return false;
    to->spheres.count = from->spheres.count, to->edges.count = from->edges.count;
    to->triangles.count = from->triangles.count;
    for (size_t i = 0; i < to->spheres.count; i++) to->spheres.data[i] = from->spheres.data[i];
    for (size_t i = 0; i < to->edges.count; i++) to->edges.data[i] = from->edges.data[i];
    for (size_t i = 0; i < to->triangles.count; i++)
        to->triangles.data[i] = from->triangles.data[i];
    return true;
}

// Fit a mesh in two ways, with and without filling gaps before; the one that is nearer to the
// surface after the first stages goes on.
static bool fit(frc_medial_build* b, fracas_medial_mesh* mesh, double* farthest) {
    const double from = b->from, length = b->to - b->from;
    fracas_medial_mesh filled = {.context = b->context};
    frc_samples samples = {0}, other = {0};
    bool ok = copy_parts(mesh, &filled) && copy_samples(b, &samples) && copy_samples(b, &other);
    double distance = ok ? frc_medial_farthest(b, &filled, &ok) : 0;
    ok = ok && frc_medial_fill(b, &filled, &other, distance);
    frc_medial_step(b, from, from + 0.2 * length);
    ok = ok && fit_stages(b, mesh, &samples, 0, FIRST_STAGES, farthest);
    frc_medial_step(b, b->to, from + 0.4 * length);
    ok = ok && fit_stages(b, &filled, &other, 0, FIRST_STAGES, &distance);
    const bool better = ok && distance < *farthest;
    if (better) move_parts(&filled, mesh), *farthest = distance;
    frc_medial_step(b, b->to, from + length);
    ok = ok && frc_medial_prune(mesh, fmin(0.05 * *farthest, 0.5e-3 * b->diagonal)) &&
         fit_stages(b, mesh, better ? &other : &samples, FIRST_STAGES, STAGES, farthest);
    FRC_ARRAY_RELEASE(b->context, &other);
    FRC_ARRAY_RELEASE(b->context, &samples);
    release_parts(&filled);
    return ok;
}

// ---- by error

// Of one size, before it is fitted.
typedef struct level {
    fracas_medial_mesh mesh;
    bool bad;  // too far from the surface after fitting
} level;

typedef FRC_ARRAY(level) level_list;

enum { MOST_SPHERES = 2048 };
#define LEVEL_RATIO 0.75  // of the numbers of spheres of two levels
#define FIT_FACTOR 4      // by which fitting reduces the largest distance, about

// Collapse step by step, with a copy of each level.
static bool list_levels(frc_medial_build* b, level_list* levels) {
    const double most = b->complex.alive < MOST_SPHERES ? b->complex.alive : MOST_SPHERES;
    uint32_t before = UINT32_MAX;
    for (double count = most; count >= 1 && !frc_medial_stopped(b); count *= LEVEL_RATIO) {
        if (!frc_complex_collapse(b, (uint32_t)count)) return false;
        if (b->complex.alive == before) continue;
        before = b->complex.alive;
        level next = {.mesh = {.context = b->context}};
        if (!frc_complex_copy(b->context, &b->complex, &next.mesh) ||
            !FRC_ARRAY_PUSH(b->context, levels, next)) {
            release_parts(&next.mesh);
            return false;
        }
    }
    return true;
}

// Fitting looks at the vertices of the surface; the error is measured at more points.
static bool is_within(frc_medial_build* b, const fracas_medial_mesh* mesh, double wanted,
                      bool* ok) {
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    fracas_medial_fit found = {0};
    double covered, outside;
    *ok = frc_medial_measure_surface(b, &view, &found, &covered, &outside);
    return *ok && found.max <= wanted;
}

// The coarsest level whose error is small enough after fitting; the finest if none is.
static bool choose_level(frc_medial_build* b, level_list* levels, fracas_medial_mesh* mesh) {
    const double wanted = b->options->error * b->diagonal;
    bool ok = true, found = false;
    size_t at = levels->count - 1;
    while (at > 0 && frc_medial_farthest(b, &levels->data[at].mesh, &ok) > FIT_FACTOR * wanted)
        at--;
    for (double from = b->to; ok && !frc_medial_stopped(b);) {
        fracas_medial_mesh fitted = {.context = b->context};
        double farthest = 0;
        // How many fits will follow is unknown: each has a half of what is left of the progress.
        frc_medial_step(b, from, 0.5 * (from + 0.9)), from = b->to;
        ok = copy_parts(&levels->data[at].mesh, &fitted) && fit(b, &fitted, &farthest);
        bool good = ok && farthest <= wanted;
        if (good) good = is_within(b, &fitted, wanted, &ok);
        if (ok && (good || !found)) move_parts(&fitted, mesh);
        release_parts(&fitted);
        // A good level leads to coarser ones, until one is bad; before the first, to finer ones.
        levels->data[at].bad = !good;
        if (good ? at + 1 == levels->count || levels->data[at + 1].bad : found || at == 0) break;
        found = found || good;
        at = good ? at + 1 : at - 1;
    }
    return ok;
}

fracas_status frc_medial_simplify(frc_medial_build* b, fracas_medial_mesh* mesh) {
    double farthest;
    bool ok;
    if (b->options->spheres > 0) {
        ok = frc_complex_collapse(b, b->options->spheres) &&
             frc_complex_copy(b->context, &b->complex, mesh);
        frc_medial_step(b, b->to, 0.9);
        ok = ok && fit(b, mesh, &farthest);
    } else {
        level_list levels = {0};
        ok = list_levels(b, &levels) && levels.count > 0 && choose_level(b, &levels, mesh);
        for (size_t i = 0; i < levels.count; i++) release_parts(&levels.data[i].mesh);
        FRC_ARRAY_RELEASE(b->context, &levels);
    }
    return frc_medial_finish(b, ok, b->samples.count * sizeof(frc_medial_nearest));
}
