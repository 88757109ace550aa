/// @file cover.c  A given number of single spheres that cover the surface.
///
/// Based on: dou2022 (sets of medial spheres that cover samples). Candidates are the spheres of the
/// simplified complex. A sphere enlarged by a distance covers the samples in it; the sphere that
/// covers most of what is left is taken, again and again. The distance is the smallest, found by
/// bisection, for which the wanted number of spheres covers all samples. Then the spheres are
/// fitted like those of any medial mesh.
#include "base/parallel.h"
#include "geom/vec3.h"
#include "medial_mesh/fit.h"
#include <math.h>
#include <string.h>

enum { MOST_CANDIDATES = 2048, BISECTIONS = 12, CANDIDATES_PER_RANGE = 8 };
static const int powers[] = {0, 0, 2, 4};

typedef struct cover_job {
    frc_medial_build* b;
    const fracas_medial_sphere* candidates;
    uint32_t count;
    double distance;
    uint8_t* covered;  // by sample
    uint32_t* gains;   // by candidate
} cover_job;

static bool covers(const cover_job* job, uint32_t candidate, size_t sample) {
    const fracas_medial_sphere* s = &job->candidates[candidate];
    const double reach = s->radius + job->distance;
    double d[3];
    frc_vec3_subtract(job->b->samples.data[sample].at, s->center, d);
    return frc_vec3_dot(d, d) <= reach * reach;
}

static void find_gains(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const cover_job* job = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t gain = 0;
        for (size_t k = 0; k < job->b->samples.count; k++)
            gain += !job->covered[k] && covers(job, i, k);
        job->gains[i] = gain;
    }
}

static uint32_t gain_of(const cover_job* job, uint32_t candidate) {
    uint32_t gain = 0;
    for (size_t k = 0; k < job->b->samples.count; k++)
        gain += !job->covered[k] && covers(job, candidate, k);
    return gain;
}

// Take at most `most` spheres; returns how many samples remain uncovered.
static size_t take(cover_job* job, uint32_t most, uint32_t* out, uint32_t* taken) {
    const size_t samples = job->b->samples.count;
    size_t left = samples;
    memset(job->covered, 0, samples);
    frc_parallel_for(job->b->context, job->count, CANDIDATES_PER_RANGE, find_gains, job);
    for (*taken = 0; *taken < most && left > 0;) {
        // Gains only fall: the best one that is up to date is the best of all.
        uint32_t best = 0;
        for (uint32_t i = 1; i < job->count; i++)
            if (job->gains[i] > job->gains[best]) best = i;
        const uint32_t gain = gain_of(job, best);
        if (gain < job->gains[best]) {
            job->gains[best] = gain;
            continue;
        }
        if (gain == 0) break;
        for (size_t k = 0; k < samples; k++) job->covered[k] |= covers(job, best, k);
        job->gains[best] = 0;
        out[(*taken)++] = best;
        left -= gain;
    }
    return left;
}

static bool choose(cover_job* job, fracas_medial_mesh* mesh) {
    const uint32_t wanted = job->b->options->spheres;
    bool ok = true;
    uint32_t* chosen = frc_allocate_array(job->b->context, wanted, sizeof *chosen, &ok);
    uint32_t taken = 0;
    double low = 0, high = job->b->diagonal;
    for (int i = 0; ok && i <= BISECTIONS && frc_medial_proceed(job->b, i / (BISECTIONS + 1.0));
         i++) {
        // At last a little less than is needed: then all spheres are used.
        job->distance = i < BISECTIONS ? 0.5 * (low + high) : low;
        if (take(job, wanted, chosen, &taken) > 0)
            low = job->distance;
        else
            high = job->distance;
    }
    for (uint32_t i = 0; ok && i < taken; i++) {
        fracas_medial_sphere sphere = job->candidates[chosen[i]];
        sphere.radius += 0.5 * job->distance;
        ok = FRC_ARRAY_PUSH(job->b->context, &mesh->spheres, sphere);
    }
    frc_release(job->b->context, chosen, frc_array_size(wanted, sizeof *chosen));
    return ok;
}

static bool fit(frc_medial_build* b, fracas_medial_mesh* mesh) {
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    const frc_fit_stages stages = {powers, sizeof powers / sizeof powers[0],
                                   (b->options->fit_rounds + 3) / 4};
    double farthest;
    frc_samples samples = {0};
    bool ok = FRC_ARRAY_RESERVE(b->context, &samples, b->samples.count);
    if (ok) {
        memcpy(samples.data, b->samples.data, b->samples.count * sizeof *samples.data);
        samples.count = b->samples.count;
        ok = frc_medial_fit_spheres(b, &samples, mesh->spheres.data, &view, &stages, &farthest);
    }
    FRC_ARRAY_RELEASE(b->context, &samples);
    return ok;
}

fracas_status frc_medial_cover(frc_medial_build* b, fracas_medial_mesh* mesh) {
    fracas_context* context = b->context;
    fracas_medial_mesh all = {.context = context};
    const uint32_t wanted = b->options->spheres;
    bool ok = frc_complex_collapse(b, wanted > MOST_CANDIDATES ? wanted : MOST_CANDIDATES) &&
              frc_complex_copy(context, &b->complex, &all);
    cover_job job = {.b = b, .candidates = all.spheres.data, .count = (uint32_t)all.spheres.count};
    job.covered = frc_allocate_array(context, b->samples.count, 1, &ok);
    job.gains = frc_allocate_array(context, job.count, sizeof *job.gains, &ok);
    frc_medial_step(b, b->to, 0.5);
    ok = ok && choose(&job, mesh);
    frc_medial_step(b, b->to, 0.9);
    if (ok && !frc_medial_stopped(b)) ok = fit(b, mesh);
    frc_release(context, job.gains, frc_array_size(job.count, sizeof *job.gains));
    frc_release(context, job.covered, frc_array_size(b->samples.count, 1));
    FRC_ARRAY_RELEASE(context, &all.spheres);
    FRC_ARRAY_RELEASE(context, &all.edges);
    FRC_ARRAY_RELEASE(context, &all.triangles);
    return frc_medial_finish(b, ok, b->samples.count * sizeof(frc_medial_nearest));
}
