/// @file snap.c  Move nodes onto sharp edges and corners of the surface.
///
/// Cuts are on the surface, but not on its edges, so corners are cut off. A node that was warped
/// onto the surface moves to the nearest corner, or else to the nearest point of a sharp edge, if
/// all lattice tetrahedra around it stay positive, whether they are inside or not, and the parts
/// inside have good angles and are not needles. So the lattice stays a division of space, and the
/// result cannot overlap itself. Nearest nodes go first, on one thread, because a move changes what
/// its neighbours may do.
#include "base/array.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "exact/predicates.h"
#include "tet_mesh/stuffing.h"
#include <string.h>

// Cosines of 15 and 160 degrees, and three times the inscribed by the circumscribed radius. With
// the wider bounds of the stencils little more would be gained.
#define LARGEST_COSINE 0.9659
#define SMALLEST_COSINE (-0.9397)
#define LEAST_RATIO 0.2
#define REACH 0.6  // of a cell; farther nodes have no part in the edge

typedef struct target {
    double at[3];
    uint32_t face;  // of corners or of edges
    float distance;
} target;

typedef struct snap_job {
    const frc_stuffing* s;
    const frc_surface* features;
    const uint32_t* nodes;  // active nodes on the surface
    target* targets;
    frc_steps steps;
} snap_job;

static void find_targets(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    snap_job* job = data;
    const frc_stuffing* s = job->s;
    if (!frc_steps_proceed(&job->steps, worker, end - begin)) return;
    for (uint32_t i = begin; i < end; i++) {
        const double* p = s->active[job->nodes[i]].at;
        const frc_nearest n =
            frc_surface_nearest(job->features, frc_stuffing_points(s), p, FRACAS_NONE);
        target* t = &job->targets[i];
        const double* corner = s->points[job->features->faces[n.face].corner[0]];
        const bool exact = job->features == &s->corners;
        for (int k = 0; k < 3; k++)
            t->at[k] = exact ? corner[k] : p[k] + n.distance * n.direction[k];
        t->face = n.face;
        t->distance = (float)(n.distance / s->lattice.cell);
    }
}

// ---- one move

static bool is_good(const frc_stuffing* s, const frc_lattice_tet* tet) {
    double p[4][3];
    frc_vertex_ref parts[3][4];
    for (int i = 0; i < 4; i++) frc_stuffing_place(s, tet->node[i], p[i]);
    if (frc_orient3d(p[0], p[1], p[2], p[3]) <= 0) return false;
    const uint32_t count = frc_stencil(s, tet, parts);
    for (uint32_t k = 0; k < count; k++) {
        double largest, smallest;
        for (int i = 0; i < 4; i++) frc_stuffing_place(s, parts[k][i], p[i]);
        if (frc_orient3d(p[0], p[1], p[2], p[3]) <= 0) return false;
        if (!(frc_radius_ratio(p) >= LEAST_RATIO)) return false;
        frc_dihedral_cosines(p, &largest, &smallest);
        if (!(largest <= LARGEST_COSINE && smallest >= SMALLEST_COSINE)) return false;
    }
    return true;
}

// Every lattice tetrahedron of a node has one of its six long edges.
static bool move(frc_stuffing* s, frc_active* active, const double to[3]) {
    double before[3];
    bool good = true;
    memcpy(before, active->at, sizeof before);
    memcpy(active->at, to, sizeof before);
    for (int side = 0; good && side < 6; side++) {
        frc_lattice_tet around[4];
        uint32_t x[3];
        memcpy(x, active->x, sizeof x);
        if (side >= 3) x[side - 3] -= 2;
        frc_lattice_tets_around(&s->lattice, x, side % 3, around);
        for (int i = 0; good && i < 4; i++) good = is_good(s, &around[i]);
    }
    if (!good) memcpy(active->at, before, sizeof before);
    return good;
}

// ---- all moves

typedef struct snap_lists {
    uint32_t *nodes, count;
    target* targets;
    uint64_t *keys, *spare;
    bool* done;  // by node
} snap_lists;

// Move nodes to the nearest features in reach; a corner takes one node.
static fracas_status snap_to(frc_stuffing* s, snap_lists* lists, const frc_surface* features,
                             bool* taken) {
    snap_job job = {.s = s, .features = features, .nodes = lists->nodes, .targets = lists->targets};
    if (features->count == 0 || lists->count == 0) return FRACAS_OK;
    frc_steps_start(&job.steps, s->context, 0.55, 0.6, lists->count);
    frc_parallel_for(s->context, lists->count, 256, find_targets, &job);
    const fracas_status status = frc_steps_finish(&job.steps);
    if (status != FRACAS_OK) return status;
    size_t count = 0;
    for (uint32_t i = 0; i < lists->count; i++) {
        uint32_t bits;
        if (lists->done[i] || !(lists->targets[i].distance <= REACH)) continue;
        memcpy(&bits, &lists->targets[i].distance, sizeof bits);
        lists->keys[count++] = (uint64_t)bits << 32 | i;
    }
    const uint64_t* sorted = frc_sort_keys(lists->keys, lists->spare, count, 0);
    for (size_t k = 0; k < count; k++) {
        const uint32_t i = (uint32_t)sorted[k];
        const target* t = &lists->targets[i];
        if (taken && taken[t->face]) continue;
        lists->done[i] = move(s, &s->active[lists->nodes[i]], t->at);
        if (taken) taken[t->face] = lists->done[i];
    }
    return FRACAS_OK;
}

fracas_status frc_stuffing_snap(frc_stuffing* s) {
    fracas_context* context = s->context;
    const uint32_t most = s->active_count;
    bool ok = true;
    if (s->edges.count == 0) return FRACAS_OK;
    snap_lists lists = {0};
    lists.nodes = frc_allocate_array(context, most, sizeof *lists.nodes, &ok);
    lists.targets = frc_allocate_array(context, most, sizeof *lists.targets, &ok);
    lists.keys = frc_allocate_array(context, most, sizeof *lists.keys, &ok);
    lists.spare = frc_allocate_array(context, most, sizeof *lists.spare, &ok);
    lists.done = frc_allocate_array(context, most, sizeof *lists.done, &ok);
    bool* taken = frc_allocate_array(context, s->corners.count, sizeof *taken, &ok);
    fracas_status status = FRACAS_OK;
    if (ok) {
        memset(lists.done, 0, most * sizeof *lists.done);
        memset(taken, 0, s->corners.count * sizeof *taken);
        for (uint32_t i = 0; i < most; i++)
            if (s->lattice.sign[s->active[i].node] == 0) lists.nodes[lists.count++] = i;
        status = snap_to(s, &lists, &s->corners, taken);
        if (status == FRACAS_OK) status = snap_to(s, &lists, &s->edges, NULL);
    } else {
        status = frc_fail_memory(context, most * sizeof *lists.targets);
    }
    frc_release(context, taken, frc_array_size(s->corners.count, sizeof *taken));
    frc_release(context, lists.done, frc_array_size(most, sizeof *lists.done));
    frc_release(context, lists.spare, frc_array_size(most, sizeof *lists.spare));
    frc_release(context, lists.keys, frc_array_size(most, sizeof *lists.keys));
    frc_release(context, lists.targets, frc_array_size(most, sizeof *lists.targets));
    frc_release(context, lists.nodes, frc_array_size(most, sizeof *lists.nodes));
    return status;
}
