/// @file cuts.c  Where edges of the lattice cross the surface, and warping.
///
/// A cut is computed from the triangles that the edge crosses, so vertices of the result are on the
/// surface up to rounding; linear interpolation of distances, as in the paper, would round corners
/// more. Which triangles an edge crosses is decided exactly: closed triangles without a gap between
/// them, so an edge from inside to outside crosses one. What the result connects depends on signs
/// only, and no position of a cut can make it invalid.
#include "base/array.h"
#include "base/parallel.h"
#include "exact/predicates.h"
#include "geom/box.h"
#include "geom/vec3.h"
#include "tet_mesh/stuffing.h"
#include <math.h>
#include <string.h>

// ---- active nodes

static bool is_active(const frc_lattice* l, const uint32_t x[3], uint32_t node) {
    for (uint32_t d = 0; d < FRC_DIRECTIONS; d++) {
        uint32_t y[3];
        if (frc_lattice_neighbour(l, x, d, y) && l->sign[frc_lattice_node(l, y)] != l->sign[node])
            return true;
    }
    return false;
}

enum { NODES_PER_PART = 4096 };

typedef struct active_job {
    frc_stuffing* s;
    uint32_t* first;  // by part; NULL: mark and count only
} active_job;

static void find_active(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const active_job* job = data;
    const frc_stuffing* s = job->s;
    for (uint32_t part = begin; part < end; part++) {
        const uint32_t from = part * NODES_PER_PART, left = s->lattice.node_count - from;
        uint32_t x[3], count = 0;
        for (uint32_t n = from; n < from + (left < NODES_PER_PART ? left : NODES_PER_PART); n++) {
            frc_lattice_coordinates(&s->lattice, n, x);
            const bool active = is_active(&s->lattice, x, n);
            s->active_of_node[n] = active ? count++ : FRACAS_NONE;
        }
        job->first[part] = count;
    }
}

static void list_active(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const active_job* job = data;
    const frc_stuffing* s = job->s;
    for (uint32_t part = begin; part < end; part++) {
        const uint32_t from = part * NODES_PER_PART, left = s->lattice.node_count - from;
        for (uint32_t n = from; n < from + (left < NODES_PER_PART ? left : NODES_PER_PART); n++) {
            if (s->active_of_node[n] == FRACAS_NONE) continue;
            s->active_of_node[n] += job->first[part];
            frc_active* active = &s->active[s->active_of_node[n]];
            frc_lattice_coordinates(&s->lattice, n, active->x);
            active->node = n;
            frc_lattice_position(&s->lattice, active->x, active->at);
            for (int i = 0; i < FRC_EDGES; i++) active->t[i] = NAN;
        }
    }
}

fracas_status frc_stuffing_find_active(frc_stuffing* s) {
    const uint32_t nodes = s->lattice.node_count;
    const uint32_t parts = (nodes + NODES_PER_PART - 1) / NODES_PER_PART;
    bool ok = true;
    active_job job = {.s = s};
    s->active_of_node = frc_allocate_array(s->context, nodes, sizeof *s->active_of_node, &ok);
    job.first = frc_allocate_array(s->context, parts, sizeof *job.first, &ok);
    if (!ok) return frc_fail_memory(s->context, nodes * sizeof *s->active_of_node);
    frc_parallel_for(s->context, parts, 1, find_active, &job);
    uint32_t sum = 0;
    for (uint32_t p = 0; p < parts; p++) {
        const uint32_t count = job.first[p];
        job.first[p] = sum;
        sum += count;
    }
    s->active = frc_allocate_array(s->context, sum, sizeof *s->active, &ok);
    if (ok) s->active_count = sum, frc_parallel_for(s->context, parts, 1, list_active, &job);
    frc_release(s->context, job.first, frc_array_size(parts, sizeof *job.first));
    return ok ? FRACAS_OK : frc_fail_memory(s->context, sum * sizeof *s->active);
}

// ---- cuts

typedef struct segment {
    const frc_stuffing* s;
    double from[3], to[3];  // from inside to outside
    float lo[3], hi[3];
    double t;  // the first cut found so far; 2: none
} segment;

static void try_face(segment* g, uint32_t face) {
    const uint32_t* corner = g->s->surface.faces[face].corner;
    const double* v[3];
    for (int i = 0; i < 3; i++) v[i] = g->s->points[corner[i]];
    const int from = frc_orient3d(v[0], v[1], v[2], g->from);
    const int to = frc_orient3d(v[0], v[1], v[2], g->to);
    if (from == to) return;  // on one side, or in the plane
    int least = 1, most = -1;
    for (int i = 0; i < 3; i++) {
        const int side = frc_orient3d(g->from, g->to, v[i], v[(i + 1) % 3]);
        least = side < least ? side : least, most = side > most ? side : most;
    }
    if (least < 0 && most > 0) return;
    double a[3], b[3], normal[3], direction[3], gap[3];
    frc_vec3_subtract(v[1], v[0], a);
    frc_vec3_subtract(v[2], v[0], b);
    frc_vec3_cross(a, b, normal);
    frc_vec3_subtract(g->to, g->from, direction);
    frc_vec3_subtract(v[0], g->from, gap);
    double t = frc_vec3_dot(gap, normal) / frc_vec3_dot(direction, normal);
    if (from == 0) t = 0;
    if (to == 0) t = 1;
    t = t > 0 ? t < 1 ? t : 1 : t <= 0 ? 0 : 0.5;  // NaN: 0.5
    g->t = t < g->t ? t : g->t;
}

static void search(segment* g, uint32_t ref) {
    const frc_box_tree* tree = &g->s->surface.tree;
    if (ref & FRC_REF_LEAF) {
        const uint32_t leaf = ref & ~FRC_REF_LEAF;
        for (uint32_t k = 0; k < tree->shape.leaves[leaf].count; k++)
            try_face(g, tree->leaves[leaf].item[k]);
        return;
    }
    const frc_node* node = &tree->shape.nodes[ref];
    for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
        bool overlap = true;
        for (int k = 0; k < 3; k++)
            overlap &= node->box.lo[k][i] <= g->hi[k] && node->box.hi[k][i] >= g->lo[k];
        if (overlap) search(g, node->child[i]);
    }
}

// The part of the way from a node inside to one outside at which the edge first leaves the surface.
static double find_cut(const frc_stuffing* s, const uint32_t from[3], const uint32_t to[3]) {
    segment g = {.s = s, .t = 2};
    frc_lattice_position(&s->lattice, from, g.from);
    frc_lattice_position(&s->lattice, to, g.to);
    for (int k = 0; k < 3; k++) {
        g.lo[k] = frc_round_down(g.from[k] < g.to[k] ? g.from[k] : g.to[k]);
        g.hi[k] = frc_round_up(g.from[k] > g.to[k] ? g.from[k] : g.to[k]);
    }
    search(&g, 0);
    return g.t <= 1 ? g.t : 0.5;  // an edge along a triangle through a node on the surface
}

enum { ACTIVE_PER_PART = 256 };

typedef struct cuts_job {
    frc_stuffing* s;
    frc_steps steps;
} cuts_job;

static void find_cuts(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    cuts_job* job = data;
    const frc_stuffing* s = job->s;
    const frc_lattice* l = &s->lattice;
    if (!frc_steps_proceed(&job->steps, worker, end - begin)) return;
    for (uint32_t i = begin; i < end; i++) {
        frc_active* active = &s->active[i];
        const int sign = l->sign[active->node];
        for (uint32_t d = 0; d < FRC_EDGES; d++) {
            uint32_t y[3];
            if (!frc_lattice_neighbour(l, active->x, d, y) ||
                l->sign[frc_lattice_node(l, y)] == sign)
                continue;
            active->t[d] = sign > 0 ? find_cut(s, active->x, y) : 1 - find_cut(s, y, active->x);
        }
    }
}

fracas_status frc_stuffing_find_cuts(frc_stuffing* s) {
    cuts_job job = {.s = s};
    frc_steps_start(&job.steps, s->context, 0.3, 0.6, s->active_count);
    frc_parallel_for(s->context, s->active_count, ACTIVE_PER_PART, find_cuts, &job);
    return frc_steps_finish(&job.steps);
}

// ---- warping

// Move a node to its nearest cut if that is too near. Later nodes then have no cut on the edges to
// this one, so the order matters; it is that of nodes, on one thread.
static void warp(frc_stuffing* s, frc_active* active) {
    const frc_lattice* l = &s->lattice;
    double least = INFINITY, best[3] = {0};
    for (uint32_t d = 0; d < FRC_DIRECTIONS; d++) {
        uint32_t y[3];
        if (!frc_lattice_neighbour(l, active->x, d, y)) continue;
        const uint32_t other = frc_lattice_node(l, y);
        if (l->sign[active->node] * l->sign[other] >= 0) continue;
        const uint32_t edge = d % FRC_EDGES;
        const double t =
            d < FRC_EDGES ? active->t[edge] : 1 - s->active[s->active_of_node[other]].t[edge];
        const bool is_long = edge < FRC_LONG_EDGES;
        const double length = t * (is_long ? 2 : 1.7320508075688772);  // in halves of a cell
        if (!(t < (is_long ? FRC_ALPHA_LONG : FRC_ALPHA_SHORT)) || !(length < least)) continue;
        double from[3], to[3];
        frc_lattice_position(l, active->x, from);
        frc_lattice_position(l, y, to);
        for (int k = 0; k < 3; k++) best[k] = from[k] + t * (to[k] - from[k]);
        least = length;
    }
    if (isinf(least)) return;
    memcpy(active->at, best, sizeof best);
    l->sign[active->node] = 0;
}

// The four corners are on the surface, and warping has turned the tetrahedron over.
static bool is_folded(const frc_stuffing* s, const frc_lattice_tet* tet) {
    double p[4][3];
    for (int i = 0; i < 4; i++)
        if (s->lattice.sign[tet->node[i]] != 0) return false;
    for (int i = 0; i < 4; i++) frc_stuffing_place(s, tet->node[i], p[i]);
    return frc_orient3d(p[0], p[1], p[2], p[3]) <= 0;
}

// Move the corners of folded tetrahedra around the odd long edges of a node back to the lattice, so
// that the tetrahedra next to them do not overlap. The bounds on angles hold for nodes moved by
// less. False: there is none.
static bool unfold(frc_stuffing* s, const frc_active* active) {
    bool found = false;
    for (int axis = 0; axis < 3; axis++) {
        frc_lattice_tet around[4];
        if (active->x[axis] + 2 > 2 * s->lattice.cells[axis]) continue;
        frc_lattice_tets_around(&s->lattice, active->x, axis, around);
        for (int i = 0; i < 4; i++) {
            if (!is_folded(s, &around[i])) continue;
            for (int k = 0; k < 4; k++)
                frc_lattice_position(&s->lattice, around[i].x[k],
                                     s->active[s->active_of_node[around[i].node[k]]].at);
            found = true;
        }
    }
    return found;
}

void frc_stuffing_warp(frc_stuffing* s) {
    for (uint32_t i = 0; i < s->active_count; i++) warp(s, &s->active[i]);
    // It ends, because every round moves a node back, and with all nodes there nothing is folded.
    for (bool found = true; found;) {
        found = false;
        for (uint32_t i = 0; i < s->active_count; i++)
            if (s->active[i].x[0] % 2 == 1 && s->lattice.sign[s->active[i].node] == 0)
                found |= unfold(s, &s->active[i]);
    }
}
