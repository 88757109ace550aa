// Fracas' own triangle test, lent to peers: in batches, several pairs at a time.
#include "generate.h"
#include "geom/tri_tri.h"
#include "peers/peer.h"
#include <stdlib.h>

// Points as the test wants them, of all meshes together.
typedef struct test {
    frc_point* points;
    const uint32_t* triangles[2];
    uint32_t offset;  // of the second mesh's points
} test;

static void* create(const peer_mesh* meshes, uint32_t mesh_count) {
    test* t = bench_allocate(1, sizeof *t);
    const peer_mesh *first = &meshes[0], *last = &meshes[mesh_count - 1];
    t->offset = mesh_count > 1 ? first->point_count : 0;
    t->points = bench_allocate(t->offset + last->point_count, sizeof *t->points);
    for (uint32_t m = 0; m < mesh_count; m++) {
        for (uint32_t i = 0; i < meshes[m].point_count; i++) {
            const double* from = meshes[m].points + (size_t)3 * i;
            frc_point* to = &t->points[i + (m ? t->offset : 0)];
            to->x[0] = to->x[1] = from[0];
            to->y[0] = to->y[1] = from[1];
            to->z[0] = to->z[1] = from[2];
        }
    }
    t->triangles[0] = first->triangles;
    t->triangles[1] = last->triangles;
    return t;
}

static frc_tri_pair corners(const test* t, peer_pair p) {
    const uint32_t* a = t->triangles[0] + (size_t)3 * p.a;
    const uint32_t* b = t->triangles[1] + (size_t)3 * p.b;
    uint32_t offset = t->offset;
    frc_tri_pair out = {
        {a[0],          a[1],          a[2]         },
        {b[0] + offset, b[1] + offset, b[2] + offset}
    };
    return out;
}

static size_t run(void* handle, const peer_pair* pairs, size_t count, uint32_t* hits) {
    const test* t = handle;
    frc_tri_pair triangles[PEER_BATCH];
    for (size_t i = 0; i < count; i++) triangles[i] = corners(t, pairs[i]);
    return frc_tri_tri_batch(t->points, triangles, count, hits, NULL);
}

static void destroy(void* handle) {
    test* t = handle;
    free(t->points);
    free(t);
}

const peer_test peer_test_fracas = {"fracas", create, run, destroy};
