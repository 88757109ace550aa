/// @file stencil.c  The part of a lattice tetrahedron that is inside.
///
/// Corners with a positive sign are inside, corners with sign 0 on the surface, and cuts are on the
/// edges between corners of opposite signs. What is inside has one to four faces in those of the
/// lattice tetrahedron; a face with two corners inside and one outside is a quad, which is divided
/// by a diagonal. Neighbours must choose the same one, so it depends on the face alone. Every face
/// of a lattice tetrahedron has one long edge:
/// - With a cut on the long edge, the diagonal goes through this cut: the other one would leave a
///   corner with a small angle there.
/// - With the long edge inside, it goes through the end of that edge whose coordinates, halved
///   and rounded down, have an even sum (the parity rule). Of the two ends one is even.
/// A quad of four cuts is on the surface and belongs to one tetrahedron: its diagonal is the one
/// with better angles.
///
/// tests/tet_mesh/test_stencil.c measures the angles of all extreme cases.
#include "geom/vec3.h"
#include "tet_mesh/stuffing.h"
#include <string.h>

// ---- lattice tetrahedra

void frc_lattice_tets_around(const frc_lattice* l, const uint32_t x[3], int axis,
                             frc_lattice_tet out[4]) {
    // The nodes of the other parity between the two, counter-clockwise around the edge.
    static const int square[4][2] = {
        {1,  1 },
        {-1, 1 },
        {-1, -1},
        {1,  -1}
    };
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t corner[4][3], end[3];
    for (int i = 0; i < 4; i++) {
        corner[i][axis] = x[axis] + 1;
        corner[i][u] = x[u] + (uint32_t)square[i][0];
        corner[i][v] = x[v] + (uint32_t)square[i][1];
    }
    memcpy(end, x, sizeof end);
    end[axis] += 2;
    for (int i = 0; i < 4; i++) {
        memcpy(out[i].x[0], x, sizeof end);
        memcpy(out[i].x[1], end, sizeof end);
        memcpy(out[i].x[2], corner[i], sizeof end);
        memcpy(out[i].x[3], corner[(i + 1) % 4], sizeof end);
        for (int k = 0; k < 4; k++) out[i].node[k] = frc_lattice_node(l, out[i].x[k]);
    }
}

void frc_dihedral_cosines(const double p[4][3], double* largest, double* smallest) {
    double edge[3][3], normal[4][3];
    *largest = -1, *smallest = 1;
    for (int i = 0; i < 3; i++) frc_vec3_subtract(p[i + 1], p[0], edge[i]);
    for (int i = 0; i < 3; i++) frc_vec3_cross(edge[(i + 2) % 3], edge[(i + 1) % 3], normal[i + 1]);
    for (int k = 0; k < 3; k++) normal[0][k] = -(normal[1][k] + normal[2][k] + normal[3][k]);
    for (int i = 0; i < 4; i++) {
        const double length = sqrt(frc_vec3_dot(normal[i], normal[i]));
        for (int k = 0; k < 3; k++) normal[i][k] /= length;
        for (int j = 0; j < i; j++) {
            const double cosine = -frc_vec3_dot(normal[i], normal[j]);
            *largest = fmax(*largest, cosine), *smallest = fmin(*smallest, cosine);
        }
    }
}

double frc_radius_ratio(const double p[4][3]) {
    double edge[3][3], normal[3][3], centre[3] = {0}, sum[3] = {0}, area = 0;
    for (int i = 0; i < 3; i++) frc_vec3_subtract(p[i + 1], p[0], edge[i]);
    for (int i = 0; i < 3; i++) {
        frc_vec3_cross(edge[(i + 2) % 3], edge[(i + 1) % 3], normal[i]);
        for (int k = 0; k < 3; k++) sum[k] += normal[i][k];
        area += 0.5 * sqrt(frc_vec3_dot(normal[i], normal[i]));
    }
    area += 0.5 * sqrt(frc_vec3_dot(sum, sum));
    const double volume6 = -frc_vec3_dot(edge[0], normal[0]);
    // The circumscribed centre relative to corner 0, times twice the volume times six.
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) centre[k] -= frc_vec3_dot(edge[i], edge[i]) * normal[i][k];
    const double outer = sqrt(frc_vec3_dot(centre, centre)) / (2 * volume6);
    return 3 * (0.5 * volume6 / area) / outer;
}

// ---- vertices

static uint32_t direction_to(const uint32_t from[3], const uint32_t to[3]) {
    for (uint32_t d = 0;; d++) {
        const int8_t* step = frc_lattice_directions[d];
        if (from[0] + (uint32_t)step[0] == to[0] && from[1] + (uint32_t)step[1] == to[1] &&
            from[2] + (uint32_t)step[2] == to[2])
            return d;
    }
}

void frc_stuffing_place(const frc_stuffing* s, frc_vertex_ref ref, double out[3]) {
    const frc_lattice* l = &s->lattice;
    if (ref < l->node_count) {
        uint32_t x[3];
        const uint32_t active = s->active_of_node[ref];
        if (active != FRACAS_NONE) {
            memcpy(out, s->active[active].at, 3 * sizeof *out);
            return;
        }
        frc_lattice_coordinates(l, ref, x);
        frc_lattice_position(l, x, out);
        return;
    }
    // The ends of an edge with a cut are not warped.
    const uint32_t edge = (ref - l->node_count) % FRC_EDGES;
    const frc_active* active = &s->active[(ref - l->node_count) / FRC_EDGES];
    double from[3], to[3];
    uint32_t y[3];
    frc_lattice_neighbour(l, active->x, edge, y);
    frc_lattice_position(l, active->x, from);
    frc_lattice_position(l, y, to);
    for (int k = 0; k < 3; k++) out[k] = from[k] + active->t[edge] * (to[k] - from[k]);
}

// ---- corners in the order of the stencils

// Corners a, b, c, d of a lattice tetrahedron in another order: first those inside, then those on
// the surface, then those outside. Stencils are written for an even permutation.
typedef struct corners {
    const frc_stuffing* s;
    const frc_lattice_tet* tet;
    int order[4];  // corners of `tet`
    bool odd;
} corners;

static void exchange(corners* c, int i, int j) {
    const int t = c->order[i];
    c->order[i] = c->order[j], c->order[j] = t;
    c->odd = !c->odd;
}

static bool is_long(const corners* c, int i, int j) { return (c->order[i] ^ c->order[j]) == 1; }

static frc_vertex_ref node(const corners* c, int i) { return c->tet->node[c->order[i]]; }

static frc_vertex_ref cut(const corners* c, int i, int j) {
    const frc_lattice_tet* t = c->tet;
    int from = c->order[i], to = c->order[j];
    uint32_t d = direction_to(t->x[from], t->x[to]);
    if (d >= FRC_EDGES) d -= FRC_EDGES, from = to;
    return c->s->lattice.node_count + FRC_EDGES * c->s->active_of_node[t->node[from]] + d;
}

static bool is_even(const corners* c, int i) {
    const uint32_t* x = c->tet->x[c->order[i]];
    return ((x[0] >> 1) + (x[1] >> 1) + (x[2] >> 1)) % 2 == 0;
}

// Does the diagonal of the quad (i, j, cut jk, cut ik) go through i, rather than through j?
static bool diagonal_from(const corners* c, int i, int j, int k) {
    if (is_long(c, i, j)) return is_even(c, i);
    return is_long(c, j, k);
}

typedef struct tets {
    const corners* c;
    frc_vertex_ref (*out)[4];
    uint32_t count;
} tets;

static void emit(tets* t, frc_vertex_ref a, frc_vertex_ref b, frc_vertex_ref c, frc_vertex_ref d) {
    const frc_vertex_ref tet[4] = {t->c->odd ? b : a, t->c->odd ? a : b, c, d};
    memcpy(t->out[t->count++], tet, sizeof tet);
}

// ---- stencils; ac is the cut between corners a and c

// Corners a, b inside, c on the surface, d outside: a pyramid with the apex c.
static void fill_pyramid(corners* s, tets* t) {
    const frc_vertex_ref a = node(s, 0), b = node(s, 1), c = node(s, 2), ad = cut(s, 0, 3),
                         bd = cut(s, 1, 3);
    if (diagonal_from(s, 0, 1, 3)) {
        emit(t, a, b, c, bd);
        emit(t, a, bd, c, ad);
    } else {
        emit(t, a, b, c, ad);
        emit(t, b, bd, c, ad);
    }
}

// Corners a, b, c inside, d outside: a prism. Let the edge ad be long, and so bc.
static void fill_three(corners* s, tets* t) {
    if (is_long(s, 1, 3)) exchange(s, 0, 1);
    if (is_long(s, 2, 3)) exchange(s, 0, 2);
    const frc_vertex_ref a = node(s, 0), b = node(s, 1), c = node(s, 2), ad = cut(s, 0, 3),
                         bd = cut(s, 1, 3), cd = cut(s, 2, 3);
    // The diagonals of the quads at ad go through ad.
    emit(t, a, b, c, ad);
    if (diagonal_from(s, 1, 2, 3)) {
        emit(t, ad, b, c, cd);
        emit(t, ad, b, cd, bd);
    } else {
        emit(t, ad, b, c, bd);
        emit(t, ad, bd, c, cd);
    }
}

// The largest magnitude of the cosines of the six dihedral angles: small for a good tetrahedron.
static double worst_cosine(const frc_stuffing* s, const frc_vertex_ref tet[4]) {
    double p[4][3], largest, smallest;
    for (int i = 0; i < 4; i++) frc_stuffing_place(s, tet[i], p[i]);
    frc_dihedral_cosines(p, &largest, &smallest);
    return fmax(largest, -smallest);
}

// Corners a, b inside, c, d outside: a wedge with the edge ab.
static void fill_two(corners* s, tets* t) {
    if (is_long(s, 0, 1)) {
        if (!is_even(s, 0)) exchange(s, 0, 1);
    } else if (is_long(s, 0, 3)) {
        exchange(s, 2, 3);  // now ac is long, and so is bd
    }
    const frc_vertex_ref a = node(s, 0), b = node(s, 1), ac = cut(s, 0, 2), ad = cut(s, 0, 3),
                         bc = cut(s, 1, 2), bd = cut(s, 1, 3);
    if (!is_long(s, 0, 1)) {
        // The diagonals go through ac and bd.
        emit(t, a, b, ac, bd);
        emit(t, a, ac, ad, bd);
        emit(t, b, bd, bc, ac);
        return;
    }
    // Both diagonals go through a.
    emit(t, a, b, bc, bd);
    const frc_vertex_ref pairs[2][2][4] = {
        {{a, bc, ac, bd}, {a, ac, ad, bd}},
        {{a, bd, bc, ad}, {a, bc, ac, ad}}
    };
    double worst[2];
    for (int i = 0; i < 2; i++)
        worst[i] = fmax(worst_cosine(s->s, pairs[i][0]), worst_cosine(s->s, pairs[i][1]));
    for (int i = 0; i < 2; i++) {
        const frc_vertex_ref* v = pairs[worst[1] < worst[0]][i];
        emit(t, v[0], v[1], v[2], v[3]);
    }
}

uint32_t frc_stencil(const frc_stuffing* s, const frc_lattice_tet* tet, frc_vertex_ref out[3][4]) {
    corners c = {
        .s = s, .tet = tet, .order = {0, 1, 2, 3}
    };
    tets t = {.c = &c, .out = out};
    int sign[4], inside = 0, outside = 0;
    for (int i = 0; i < 4; i++) {
        sign[i] = s->lattice.sign[tet->node[i]];
        inside += sign[i] > 0, outside += sign[i] < 0;
    }
    if (inside == 0) return 0;
    if (outside == 0) {
        memcpy(out[0], tet->node, sizeof tet->node);
        return 1;
    }
    for (int i = 1; i < 4; i++)
        for (int k = i; k > 0 && sign[c.order[k - 1]] < sign[c.order[k]]; k--)
            exchange(&c, k - 1, k);
    if (inside == 3)
        fill_three(&c, &t);
    else if (inside == 2 && outside == 2)
        fill_two(&c, &t);
    else if (inside == 2)
        fill_pyramid(&c, &t);
    else  // a tetrahedron at corner a
        emit(&t, node(&c, 0), outside > 2 ? cut(&c, 0, 1) : node(&c, 1),
             outside > 1 ? cut(&c, 0, 2) : node(&c, 2), cut(&c, 0, 3));
    return t.count;
}
