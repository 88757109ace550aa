// Follows triangles of the first state through edits.
#include "fastcd/track.h"
#include "generate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void keep_corners(fastcd_track* track, const scenes_state* state) {
    const double* points = state->mesh.points.data;
    for (size_t t = 0; t < state->mesh.triangle_count; t++) {
        if (track->origins[t] == FRACAS_NONE) continue;
        for (size_t k = 0; k < 3; k++)
            memcpy(track->corners + 9 * (size_t)track->origins[t] + 3 * k,
                   points + 3 * (size_t)state->mesh.triangles[3 * t + k], 3 * sizeof *points);
    }
}

void fastcd_track_open(fastcd_track* track, const fastcd_run* run) {
    const scenes_state state = run->what->state(run->scene_run);
    uint32_t count = state.mesh.triangle_count;
    *track = (fastcd_track){count, bench_allocate(count, sizeof(uint32_t)),
                            bench_allocate(9 * (size_t)count, sizeof(double))};
    for (uint32_t t = 0; t < count; t++) track->origins[t] = t;
    keep_corners(track, &state);
}

void fastcd_track_step(fastcd_track* track, const fastcd_run* run) {
    const scenes_state state = run->what->state(run->scene_run);
    const uint32_t count = state.mesh.triangle_count;
    uint32_t* now = bench_allocate(count, sizeof *now);
    for (uint32_t t = 0; t < count; t++) {
        int32_t parent = state.triangle_parents[t];
        now[t] = parent < 0 ? FRACAS_NONE : track->origins[parent];
    }
    free(track->origins);
    track->origins = now;
    keep_corners(track, &state);
}

void fastcd_track_close(fastcd_track* track) {
    free(track->origins);
    free(track->corners);
}

fastcd_apart fastcd_track_apart(const fastcd_track* a, const fastcd_track* b) {
    fastcd_apart apart = {0, 0};
    const size_t corners = 3 * (size_t)a->count;
    for (size_t c = 0; c < corners; c++) {
        double square = 0;
        for (size_t k = 3 * c; k < 3 * c + 3; k++)
            square += (a->corners[k] - b->corners[k]) * (a->corners[k] - b->corners[k]);
        apart.mean += sqrt(square) / (double)corners;
        apart.most = fmax(apart.most, sqrt(square));
    }
    return apart;
}
