/// @file intersections.c  Does the surface intersect itself? Exact.
#include "base/parallel.h"
#include "fracas/contact.h"
#include "geom/tri_tri.h"
#include "medial_mesh/build.h"
#include <inttypes.h>
#include <string.h>

enum { FACES_PER_RANGE = 64 };

typedef struct pair_job {
    frc_medial_build* b;
    uint32_t* partner;  // by triangle: the first that it intersects, with a smaller number
} pair_job;

typedef struct query {
    const frc_medial_build* b;
    double corners[3][3];
    float lo[3], hi[3];
    uint32_t face, found;
} query;

static void get_corners(const frc_medial_build* b, uint32_t face, double out[3][3]) {
    for (int i = 0; i < 3; i++)
        memcpy(out[i], b->closed.points[b->closed.triangles[face][i]], sizeof out[i]);
}

static bool overlaps(const query* q, const frc_box4* box, uint32_t lane) {
    for (int k = 0; k < 3; k++)
        if (box->lo[k][lane] > q->hi[k] || box->hi[k][lane] < q->lo[k]) return false;
    return true;
}

static void search(query* q, uint32_t ref) {
    const frc_box_tree* tree = &q->b->surface.tree;
    if (ref & FRC_REF_LEAF) {
        const uint32_t leaf = ref & ~FRC_REF_LEAF;
        for (uint32_t k = 0; k < tree->shape.leaves[leaf].count; k++) {
            const uint32_t other = tree->leaves[leaf].item[k];
            double corners[3][3];
            if (other >= q->face || other >= q->found || !overlaps(q, &tree->leaves[leaf].box, k))
                continue;
            get_corners(q->b, other, corners);
            if (frc_tri_tri_mesh((const double(*)[3])q->corners, q->b->closed.triangles[q->face],
                                 (const double(*)[3])corners, q->b->closed.triangles[other]))
                q->found = other;
        }
        return;
    }
    const frc_node* node = &tree->shape.nodes[ref];
    for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++)
        if (overlaps(q, &node->box, i)) search(q, node->child[i]);
}

static void find_partners(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const pair_job* job = data;
    (void)worker;
    for (uint32_t f = begin; f < end; f++) {
        query q = {.b = job->b, .face = f, .found = FRACAS_NONE};
        get_corners(job->b, f, q.corners);
        const frc_float_box box = frc_surface_box(&job->b->surface, frc_medial_points(job->b), f);
        float lo[4], hi[4];
        f32x4_store(lo, box.lo);
        f32x4_store(hi, box.hi);
        memcpy(q.lo, lo, sizeof q.lo);
        memcpy(q.hi, hi, sizeof q.hi);
        search(&q, 0);
        job->partner[f] = q.found;
    }
}

fracas_status frc_medial_check_intersections(frc_medial_build* b) {
    const uint32_t count = b->closed.triangle_count;
    pair_job job = {.b = b};
    bool ok = true;
    job.partner = frc_allocate_array(b->context, count, sizeof *job.partner, &ok);
    fracas_status status = frc_medial_finish(b, ok, count * sizeof *job.partner);
    if (ok) frc_parallel_for(b->context, count, FACES_PER_RANGE, find_partners, &job);
    for (uint32_t f = 0; status == FRACAS_OK && f < count; f++) {
        if (job.partner[f] == FRACAS_NONE) continue;
        const double* p = b->closed.points[b->closed.triangles[f][0]];
        status = frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                          "the surface intersects itself: triangles %" PRIu32 " and %" PRIu32
                          " near (%g, %g, %g); the boundary of its tetrahedra (fracas tet) does "
                          "not",
                          job.partner[f], f, p[0], p[1], p[2]);
    }
    frc_release(b->context, job.partner, frc_array_size(count, sizeof *job.partner));
    return status;
}
