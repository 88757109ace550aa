/// @file layered_ball.c  A ball whose surface and inside are as fine as wanted, independently.
#include "exact/predicates.h"
#include "fragment/kit.h"
#include <math.h>

typedef struct builder {
    double (*points)[3];
    uint32_t (*tets)[4];
    uint32_t point_count, tet_count;
    uint32_t faces[20][3], edge_numbers[12][12];  // of the icosahedron; corners ascend
    // The layer that is added and the one around it: segments per edge, first point.
    uint32_t edge, begin, outer_edge, outer_begin;
} builder;

// Corners of the icosahedron: cyclic permutations of (0, +-1, +-golden).
static void find_corner(uint32_t corner, double out[3]) {
    const double golden = 0.5 * (1 + sqrt(5));
    const uint32_t axis = corner / 4;
    out[axis] = 0;
    out[(axis + 1) % 3] = corner & 1 ? -1 : 1;
    out[(axis + 2) % 3] = corner & 2 ? -golden : golden;
}

static bool are_neighbours(uint32_t a, uint32_t b) {
    double p[3], q[3], square = 0;
    find_corner(a, p);
    find_corner(b, q);
    for (int k = 0; k < 3; k++) square += (p[k] - q[k]) * (p[k] - q[k]);
    return a != b && square < 4.5;
}

static void list_faces(builder* b) {
    uint32_t edges = 0, count = 0;
    for (uint32_t i = 0; i < 12; i++)
        for (uint32_t j = i + 1; j < 12; j++) {
            if (!are_neighbours(i, j)) continue;
            b->edge_numbers[i][j] = edges++;
            for (uint32_t k = j + 1; k < 12; k++) {
                if (!are_neighbours(i, k) || !are_neighbours(j, k)) continue;
                uint32_t* face = b->faces[count++];
                face[0] = i, face[1] = j, face[2] = k;
            }
        }
}

// The number in its layer of the vertex of a face at i and j steps from its corner 0 towards
// corners 1 and 2. Corners come first, then edges, then the insides of faces.
static uint32_t number_vertex(const builder* b, uint32_t edge, uint32_t face, uint32_t i,
                              uint32_t j) {
    const uint32_t* corners = b->faces[face];
    const uint32_t weights[3] = {edge - i - j, i, j};
    for (int k = 0; k < 3; k++)
        if (weights[k] == edge) return corners[k];
    for (int k = 0; k < 3; k++) {
        if (weights[k] > 0) continue;
        const int lo = k == 0 ? 1 : 0, hi = k == 2 ? 1 : 2;
        return 12 + b->edge_numbers[corners[lo]][corners[hi]] * (edge - 1) + weights[hi] - 1;
    }
    // Rows of i = 1 to edge - 2, with edge - 1 - i vertices each.
    const uint32_t inner = (edge - 1) * (edge - 2) / 2;
    const uint32_t row = (i - 1) * (edge - 1) - i * (i - 1) / 2;
    return 12 + 30 * (edge - 1) + face * inner + row + j - 1;
}

static uint32_t count_vertices(uint32_t edge) { return 10 * edge * edge + 2; }

static void add_vertices(builder* b, bench_layer layer) {
    for (uint32_t f = 0; f < 20; f++)
        for (uint32_t i = 0; i <= layer.edge; i++)
            for (uint32_t j = 0; i + j <= layer.edge; j++) {
                const uint32_t v = number_vertex(b, layer.edge, f, i, j);
                const double weights[3] = {layer.edge - i - j, i, j};
                double at[3] = {0, 0, 0}, square = 0;
                for (int c = 0; c < 3; c++) {
                    double corner[3];
                    find_corner(b->faces[f][c], corner);
                    for (int k = 0; k < 3; k++) at[k] += weights[c] * corner[k];
                }
                for (int k = 0; k < 3; k++) square += at[k] * at[k];
                for (int k = 0; k < 3; k++)
                    b->points[b->point_count + v][k] = layer.radius * at[k] / sqrt(square);
            }
    b->point_count += count_vertices(layer.edge);
}

static void add_tet(builder* b, uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3) {
    const double(*p)[3] = (const double(*)[3])b->points;
    const bool positive = frc_orient3d(p[v0], p[v1], p[v2], p[v3]) > 0;
    uint32_t* tet = b->tets[b->tet_count++];
    tet[0] = v0, tet[1] = positive ? v1 : v2, tet[2] = positive ? v2 : v1, tet[3] = v3;
}

// Between equal triangles of two layers. Both number their vertices alike, so the diagonals from
// smaller to larger numbers are the same in neighbours.
static void add_prism(builder* b, const uint32_t triangle[3], uint32_t outer, uint32_t inner) {
    uint32_t v[3] = {triangle[0], triangle[1], triangle[2]};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            if (v[j] > v[j + 1]) {
                const uint32_t larger = v[j];
                v[j] = v[j + 1];
                v[j + 1] = larger;
            }
    add_tet(b, outer + v[0], outer + v[1], outer + v[2], inner + v[2]);
    add_tet(b, outer + v[0], outer + v[1], inner + v[1], inner + v[2]);
    add_tet(b, outer + v[0], inner + v[0], inner + v[1], inner + v[2]);
}

// Between four triangles and one: a tetrahedron at each of the three edges and at the three outer
// corners would leave an octahedron; its four tetrahedra have one diagonal in common.
static void add_coarser(builder* b, const uint32_t corners[3], const uint32_t middles[3],
                        const uint32_t inner[3]) {
    for (int i = 0; i < 3; i++)
        add_tet(b, inner[i], corners[i], middles[(i + 1) % 3], middles[(i + 2) % 3]);
    // Middle i is opposite corner i. The ring around the diagonal from inner[0] to middles[0].
    const uint32_t ring[4] = {middles[1], middles[2], inner[1], inner[2]};
    for (int i = 0; i < 4; i++) add_tet(b, inner[0], middles[0], ring[i], ring[(i + 1) % 4]);
}

// Tetrahedra between a triangle, at three vertices (i, j) of a face, and the layer around it.
static void fill_outside(builder* b, uint32_t f, const uint32_t at[3][2]) {
    uint32_t v[3], corners[3], middles[3];
    for (int k = 0; k < 3; k++) v[k] = number_vertex(b, b->edge, f, at[k][0], at[k][1]);
    if (b->outer_edge == b->edge) {
        add_prism(b, v, b->outer_begin, b->begin);
        return;
    }
    for (int k = 0; k < 3; k++) {
        const uint32_t *p = at[(k + 1) % 3], *q = at[(k + 2) % 3], edge = b->outer_edge;
        v[k] += b->begin;
        corners[k] = b->outer_begin + number_vertex(b, edge, f, 2 * at[k][0], 2 * at[k][1]);
        middles[k] = b->outer_begin + number_vertex(b, edge, f, p[0] + q[0], p[1] + q[1]);
    }
    add_coarser(b, corners, middles, v);
}

static void fill_inside(builder* b, uint32_t f, const uint32_t at[3][2]) {
    uint32_t v[3];
    for (int k = 0; k < 3; k++) v[k] = b->begin + number_vertex(b, b->edge, f, at[k][0], at[k][1]);
    add_tet(b, v[0], v[1], v[2], b->point_count - 1);
}

typedef void fill_fn(builder* b, uint32_t face, const uint32_t at[3][2]);

// For each triangle of the layer.
static void fill(builder* b, fill_fn* fill_triangle) {
    for (uint32_t f = 0; f < 20; f++)
        for (uint32_t i = 0; i < b->edge; i++)
            for (uint32_t j = 0; i + j < b->edge; j++) {
                const uint32_t up[3][2] = {
                    {i,     j    },
                    {i + 1, j    },
                    {i,     j + 1}
                };
                const uint32_t down[3][2] = {
                    {i + 1, j    },
                    {i + 1, j + 1},
                    {i,     j + 1}
                };
                fill_triangle(b, f, up);
                if (i + j + 2 <= b->edge) fill_triangle(b, f, down);
            }
}

fracas_solid* bench_make_layered_ball(const bench_settings* settings, const bench_layer* layers,
                                      uint32_t count) {
    builder b = {0};
    uint32_t points = 1, tets = 0;
    for (uint32_t i = 0; i < count; i++) {
        points += count_vertices(layers[i].edge);
        tets += 20 * 7 * layers[i].edge * layers[i].edge;
    }
    b.points = bench_memory(calloc(points, sizeof *b.points));
    b.tets = bench_memory(calloc(tets, sizeof *b.tets));
    list_faces(&b);
    for (uint32_t i = 0; i < count; i++) add_vertices(&b, layers[i]);
    b.point_count++;  // the centre
    b.edge = layers[0].edge;
    for (uint32_t i = 1; i < count; i++) {
        b.outer_edge = b.edge, b.outer_begin = b.begin;
        b.edge = layers[i].edge, b.begin += count_vertices(b.outer_edge);
        fill(&b, fill_outside);
    }
    fill(&b, fill_inside);
    const fracas_tet_view view = {
        .points = {.data = b.points, .count = b.point_count},
        .tets = b.tets[0],
        .tet_count = b.tet_count
    };
    fracas_solid* solid = bench_make_solid(settings, &view);
    free(b.points);
    free(b.tets);
    return solid;
}
