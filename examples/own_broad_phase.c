/// @file own_broad_phase.c  Exact tests for the candidates of another broad phase: elementary.h has
/// the tests alone, without a context or a scene.
#include "example.h"
#include <fracas/elementary.h>

// The other broad phase; this one uses bounding spheres.
typedef struct ball {
    double center[3], radius;
} ball;

static bool balls_meet(const ball* a, const ball* b) {
    double sum = 0, reach = a->radius + b->radius;
    for (int k = 0; k < 3; k++)
        sum += (a->center[k] - b->center[k]) * (a->center[k] - b->center[k]);
    return sum <= reach * reach;
}

static void triangles_that_touch(void) {
    const double floor[3][3] = {
        {0, 0, 0},
        {4, 0, 0},
        {0, 4, 0}
    };
    double blade[3][3] = {
        {1, 1, 0},
        {1, 1, 2},
        {2, 1, 2}
    };
    EXPECT(balls_meet(
        &(ball){
            {1, 1, 0},
            4
    },
        &(ball){{1, 1, 1}, 2}));
    EXPECT(fracas_triangles_intersect(floor, blade));  // its tip is on the floor: touching counts
    blade[0][2] = 4.9406564584124654e-324;             // the smallest double above 0
    EXPECT(!fracas_triangles_intersect(floor, blade));
    puts("triangles: exact to the last bit");
}

static void neighbours_in_a_mesh(void) {
    // Two triangles that share the edge 0-1. Neighbours always touch; only intersections beyond the
    // common edge count.
    const uint32_t a[3] = {0, 1, 2}, b[3] = {1, 0, 3};
    const double left[3][3] = {
        {0,  0, 0},
        {0,  1, 0},
        {-1, 0, 0}
    };
    double right[3][3] = {
        {0, 1, 0},
        {0, 0, 0},
        {1, 0, 0}
    };
    EXPECT(fracas_triangles_intersect(left, right));
    EXPECT(!fracas_mesh_triangles_intersect(left, a, right, b));
    right[2][0] = -1;  // folded flat onto the other
    EXPECT(fracas_mesh_triangles_intersect(left, a, right, b));
    puts("neighbours: only what goes beyond the common edge");
}

static void a_vertex_through_a_face(void) {
    const double face[3][3] = {
        {0, 0, 0},
        {4, 0, 0},
        {0, 4, 0}
    };
    const double above[3] = {1, 2, 3}, below[3] = {1, 2, -1};
    fracas_impact impact;
    EXPECT(fracas_vertex_face_find_impact(above, face, below, face, 0, &impact));
    printf("vertex and face: t = %.6f, u = %.3f, v = %.3f\n", impact.toi, impact.u, impact.v);
    // Never late, and at most a millionth of the step early.
    EXPECT(impact.toi <= 0.75 && impact.toi >= 0.75 - 1e-6);
    EXPECT(impact.normal[2] > 0.999);
}

static void two_edges(void) {
    const double ab[2][3] = {
        {-1, 0, 0},
        {1,  0, 0}
    };
    const double cd_t0[2][3] = {
        {0, -1, 1},
        {0, 1,  1}
    };
    const double cd_t1[2][3] = {
        {0, -1, -1},
        {0, 1,  -1}
    };
    const double far_t1[2][3] = {
        {4, -1, -1},
        {4, 1,  -1}
    };
    fracas_impact impact;
    EXPECT(fracas_edge_edge_find_impact(ab, cd_t0, ab, cd_t1, 0, &impact));
    EXPECT(impact.toi <= 0.5 && impact.toi >= 0.5 - 1e-6);
    EXPECT(!fracas_edge_edge_find_impact(ab, cd_t0, ab, far_t1, 0, NULL));
    printf("edges: t = %.6f\n", impact.toi);
}

int main(void) {
    triangles_that_touch();
    neighbours_in_a_mesh();
    a_vertex_through_a_face();
    two_edges();
    return 0;
}
