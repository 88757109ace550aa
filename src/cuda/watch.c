/// @file watch.c  Whether the order of features has decayed: bodies deform, edits fill empty slots,
/// and then boxes of clusters grow and more of them meet.
///
/// The measure of a body is the sum of the surfaces of its clusters of edges at the end of the
/// step. The device has these boxes; the host adds them up, in the order of clusters, so that the
/// sum is the same on every machine.
#include "cuda/watch.h"
#include "cuda/lanes.h"
#include <math.h>

enum {
    PERIOD = 32,   // queries between two measurements
    DECAYED = 4,   // times the first measure
    SMALLEST = 64  // triangles of a body that is ordered again
};

static double surface(const frc_bounds* b) {
    double side[3];
    for (int k = 0; k < 3; k++) side[k] = (double)b->hi[1][k] - (double)b->lo[1][k];
    return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
}

static bool reserve(frc_mirror* mirror, size_t bodies) {
    frc_watch* w = &mirror->watch;
    if (!FRC_ARRAY_RESERVE(mirror->context, &w->bodies, bodies)) return false;
    while (w->bodies.count < bodies)
        w->bodies.data[w->bodies.count++] = (frc_watched_body){.first = 0};
    for (size_t i = 0; i < bodies; i++) w->bodies.data[i].sum = 0;
    return true;
}

static void add_surfaces(frc_mirror* mirror, const fracas_scene* scene) {
    const frc_slots* s = &mirror->followed.sets[FRC_SET_EDGES];
    const frc_bounds* boxes = mirror->watch.boxes.data;
    for (size_t c = 0; c < s->used.count; c++) {
        if (!s->used.data[c]) continue;
        const frc_feature* f = &s->features.data[c * FRC_WARP + frc_lowest_bit(s->used.data[c])];
        const uint32_t body = frc_body_of(&scene->topology, f);
        mirror->watch.bodies.data[body].sum += surface(&boxes[c]);
    }
}

// A body with a new handle, or one that has shrunk, is measured again. A comparison with NaN, of
// infinite boxes, is false.
static void find_decayed(frc_mirror* mirror, const fracas_scene* scene) {
    for (size_t i = 0; i < mirror->watch.bodies.count; i++) {
        frc_watched_body* w = &mirror->watch.bodies.data[i];
        const uint32_t generation = scene->filters.data[i].generation;
        if (w->generation != generation || !(w->sum >= w->first / DECAYED)) w->first = 0;
        w->generation = generation;
        if (w->first > 0 && w->sum > DECAYED * w->first &&
            scene->bodies.data[i].live_triangles >= SMALLEST) {
            frc_follow_decayed(&mirror->followed, (uint32_t)i);
            w->first = 0;
        } else if (w->first == 0 && w->sum < INFINITY) {
            w->first = w->sum;
        }
    }
}

void frc_watch_clusters(frc_mirror* mirror, const fracas_scene* scene) {
    frc_watch* w = &mirror->watch;
    const size_t size =
        frc_slots_cluster_count(&mirror->followed.sets[FRC_SET_EDGES]) * sizeof(frc_bounds);
    if (++w->queries % PERIOD != 0 || size == 0 || !reserve(mirror, scene->bodies.count)) return;
    w->boxes.on_host = true;
    if (frc_device_reserve(mirror, &w->boxes, size) != FRACAS_OK) return;
    if (!frc_device_download(mirror->device, w->boxes.data,
                             mirror->copies[FRC_SET_EDGES].clusters.data, size) ||
        !frc_device_wait(mirror->device))
        return;
    add_surfaces(mirror, scene);
    find_decayed(mirror, scene);
}
