// The hull of a fragment, and the overlap of two hulls: they contain what they must.
#include "fracas/fragment_query.h"
#include "fragment/locate.h"
#include "fragment/pair_slab.h"
#include "fragment_kit.h"
#include "geom/pose.h"
#include "geom/vec3.h"

enum { PARTS = 64 };

typedef struct world {
    test_allocator memory;
    fracas_context* context;
    kit_shape shape;
    fracas_solid* solid;
    fracas_fragments* all;
    fracas_fragment parts[PARTS];
    uint32_t count;
} world;

// A body, broken three times.
static world* make(uint64_t* random) {
    world* w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->context = kit_context(1, &w->memory);
    const uint32_t size[3] = {5, 4, 6};
    w->shape = kit_lattice(size, kit_angle, 1, 0.1, 3);
    w->solid = kit_solid(w->context, &w->shape);
    KIT_OK(w->context, fracas_fragments_create(w->context, NULL, &w->all));
    KIT_OK(w->context, fracas_fragments_add(w->all, w->solid, &w->parts[0]));
    w->count = 1;
    for (uint32_t round = 0; round < 3; round++) {
        fracas_fragment parts[PARTS];
        const uint32_t i = (uint32_t)(kit_random(random) % w->count);
        const uint32_t count =
            kit_break(w->context, w->all, w->parts[i], 5, random, parts, PARTS - w->count);
        if (count == 0) continue;
        w->parts[i] = parts[0];
        for (uint32_t k = 1; k < count; k++) w->parts[w->count++] = parts[k];
    }
    assert_true(w->count > 6);
    return w;
}

static void destroy(world* w) {
    fracas_fragments_destroy(w->all);
    fracas_solid_destroy(w->solid);
    kit_free(&w->shape);
    fracas_context_destroy(w->context);
    assert_int_equal(atomic_load(&w->memory.blocks), 0);
    free(w);
}

static void random_direction(uint64_t* random, double n[3]) {
    for (int k = 0; k < 3; k++) n[k] = kit_uniform(random, -1, 1);
    frc_vec3_scale(n, 1 / sqrt(frc_vec3_dot(n, n)), n);
}

static void as_far_as_the_surface(void** state) {
    (void)state;
    uint64_t random = 5;
    world* w = make(&random);
    for (uint32_t i = 0; i < w->count; i++) {
        const frc_fragment* f = frc_fragments_get(w->all, w->parts[i]);
        fracas_fragment_surface* surface;
        KIT_OK(w->context, fracas_fragment_surface_create(w->all, w->parts[i], &surface));
        const fracas_mesh_view view = fracas_fragment_surface_get_view(surface);
        const double* points = view.points.data;
        for (int round = 0; round < 200; round++) {
            double n[3], most = -INFINITY;
            random_direction(&random, n);
            for (uint32_t p = 0; p < view.points.count; p++)
                most = fmax(most, frc_vec3_dot(n, points + 3 * (size_t)p));
            const float direction[3] = {(float)n[0], (float)n[1], (float)n[2]};
            float at[3];
            const float found = frc_support_find(&f->support, direction, at);
            assert_true(fabs(found - most) < 1e-5);
            const double point[3] = {at[0], at[1], at[2]};
            assert_true(fabs(frc_vec3_dot(n, point) - most) < 1e-5);
        }
        fracas_fragment_surface_destroy(surface);
    }
    destroy(w);
}

static fracas_pose random_pose(uint64_t* random, double size) {
    double x[3], y[3], z[3];
    random_direction(random, x);
    random_direction(random, y);
    frc_vec3_cross(x, y, z);
    frc_vec3_scale(z, 1 / sqrt(frc_vec3_dot(z, z)), z);
    frc_vec3_cross(z, x, y);
    fracas_pose pose = {
        {x[0],  x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]},
        {0, 0, 0}
    };
    for (int k = 0; k < 3; k++) pose.translation[k] = kit_uniform(random, -size, size);
    return pose;
}

// How many points of a are in b; all must be in the half-space.
static uint32_t check_points(const world* w, uint32_t a, uint32_t b, bool apart,
                             const frc_pair_slab* slab) {
    const frc_fragment *f = frc_fragments_get(w->all, w->parts[a]),
                       *g = frc_fragments_get(w->all, w->parts[b]);
    const fracas_pose pose = frc_pose_relative(&f->pose, &g->pose);
    uint32_t inside = 0;
    for (uint32_t i = 0; i < f->tree.node_count; i++) {
        double p[3];
        frc_pose_apply(&pose, f->tree.nodes[i].at, p);
        if (frc_fragment_find_tet(g->object, w->parts[b].index, p) == FRACAS_NONE) continue;
        assert_true(!apart && frc_pair_slab_meets(slab, f->tree.nodes[i].at, 0));
        inside++;
    }
    return inside;
}

// Overlap in depth, touch, lie apart.
static void no_point_is_left_out(void** state) {
    (void)state;
    uint64_t random = 6;
    world* w = make(&random);
    uint32_t inside = 0, apart = 0, left_out = 0, points = 0;
    for (int round = 0; round < 400; round++) {
        const uint32_t i = (uint32_t)(kit_random(&random) % w->count),
                       j = (i + 1 + (uint32_t)(kit_random(&random) % (w->count - 1))) % w->count;
        fracas_pose pose[2] = {fracas_pose_make_identity(), fracas_pose_make_identity()};
        if (round % 4)  // else all parts are at their places and touch
            for (int k = 0; k < 2; k++) pose[k] = random_pose(&random, 0.8);
        KIT_OK(w->context, fracas_fragments_set_pose(w->all, w->parts[i], &pose[0]));
        KIT_OK(w->context, fracas_fragments_set_pose(w->all, w->parts[j], &pose[1]));
        const frc_fragment *f = frc_fragments_get(w->all, w->parts[i]),
                           *g = frc_fragments_get(w->all, w->parts[j]);
        const fracas_pose relative = frc_pose_relative(&f->pose, &g->pose);
        frc_pair_slab slabs[2];
        const bool meet = frc_pair_slab_make(f, g, &relative, 0, slabs);
        inside += check_points(w, i, j, !meet, &slabs[0]);
        inside += check_points(w, j, i, !meet, &slabs[1]);
        apart += !meet;
        for (uint32_t n = 0; meet && n < f->tree.node_count; n++, points++)
            left_out += !frc_pair_slab_meets(&slabs[0], f->tree.nodes[n].at, 0);
    }
    // It does what it is for.
    assert_true(inside > 1000 && apart > 50 && 3 * left_out > points);
    destroy(w);
}

// What comes within a distance is in the half-spaces for that distance.
static void within_a_distance(void** state) {
    (void)state;
    uint64_t random = 7;
    world* w = make(&random);
    uint32_t near = 0;
    for (int round = 0; round < 300; round++) {
        const uint32_t i = (uint32_t)(kit_random(&random) % w->count), j = (i + 1) % w->count;
        const fracas_pose pose = random_pose(&random, 0.8);
        KIT_OK(w->context, fracas_fragments_set_pose(w->all, w->parts[i], &pose));
        const frc_fragment *f = frc_fragments_get(w->all, w->parts[i]),
                           *g = frc_fragments_get(w->all, w->parts[j]);
        const fracas_pose relative = frc_pose_relative(&f->pose, &g->pose);
        frc_pair_slab slabs[2];
        const bool meet = frc_pair_slab_make(f, g, &relative, 0.2, slabs);
        for (uint32_t n = 0; n < f->tree.node_count; n++) {
            double p[3];
            fracas_depth depth;
            frc_pose_apply(&relative, f->tree.nodes[n].at, p);
            if (!frc_fragment_near(g->object, w->parts[j].index, p, 0.2, &depth)) continue;
            assert_true(meet && frc_pair_slab_meets(&slabs[0], f->tree.nodes[n].at, 0));
            near++;
        }
    }
    assert_true(near > 100);
    destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_far_as_the_surface),
        cmocka_unit_test(no_point_is_left_out),
        cmocka_unit_test(within_a_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
