// Inflated medial meshes of real surfaces contain them: no contact means that the surfaces do not
// touch, as fracas_scene_detect finds it between their triangles.
#include "../data.h"
#include "fracas/fracas.h"
#include "medial_kit.h"
#include <string.h>

enum { MODELS = 2, RANDOM_POINTS = 5000, DIRECTIONS = 8, HALVINGS = 10 };

typedef struct model {
    double (*points)[3];  // the diagonal is 1
    fracas_mesh_file* file;
    fracas_mesh_view surface;
    fracas_medial_mesh* mesh;
    fracas_medial_mesh_info info;
} model;

static fracas_context* context;
static model models[MODELS];

static int read_models(void** state) {
    (void)state;
    static const char* const names[MODELS] = {"surfaces/discregrid/bunny.obj",
                                              "medial/medial-ipc/dinosaur/dinosaur_h.obj"};
    const char* folder = fracas_test_data();
    if (!folder) exit(FRACAS_TEST_SKIP);
    context = kit_context(2, NULL);
    for (int m = 0; m < MODELS; m++) {
        model* own = &models[m];
        char path[4200];
        fracas_mesh_info info;
        snprintf(path, sizeof path, "%s/%s", folder, names[m]);
        KIT_OK(context, fracas_mesh_file_read(context, path, NULL, &own->file));
        own->surface = fracas_mesh_file_get_view(own->file);
        KIT_OK(context, fracas_mesh_describe(context, &own->surface, &info));
        double square = 0;
        for (int k = 0; k < 3; k++) square += pow(info.box_max[k] - info.box_min[k], 2);
        own->points = malloc(own->surface.points.count * sizeof *own->points);
        assert_non_null(own->points);
        const double(*points)[3] = own->surface.points.data;
        for (uint32_t p = 0; p < own->surface.points.count; p++)
            for (int k = 0; k < 3; k++)
                own->points[p][k] =
                    (points[p][k] - 0.5 * (info.box_min[k] + info.box_max[k])) / sqrt(square);
        own->surface.points.data = own->points;
        fracas_medial_mesh_options options = fracas_medial_mesh_default_options();
        options.spheres = 40, options.samples = 1500, options.fit_rounds = 6;
        KIT_OK(context, fracas_medial_mesh_create(context, &own->surface, &options, &own->mesh));
        KIT_OK(context, fracas_medial_mesh_get_info(own->mesh, &own->info));
        print_message("%s: inflation %.3f %%, from the surface %.3f %%, %u cones, %u slabs\n",
                      names[m], 100 * own->info.inflation, 100 * own->info.from_surface.max,
                      own->info.edges, own->info.triangles);
    }
    return 0;
}

static int free_models(void** state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        fracas_medial_mesh_destroy(models[m].mesh);
        fracas_mesh_file_destroy(models[m].file);
        free(models[m].points);
    }
    fracas_context_destroy(context);
    return 0;
}

static fracas_medial_shape* make_shape(const model* m, double inflation) {
    fracas_medial_shape_options options = fracas_medial_shape_default_options();
    options.inflation = inflation;
    fracas_medial_shape* shape;
    KIT_OK(context, fracas_medial_shape_create(context, m->mesh, &options, &shape));
    return shape;
}

// ---- points

// Vertices, centres of triangles, then random points of random triangles.
static uint32_t make_points(const model* m, double (*out)[3]) {
    uint64_t random = 7;
    uint32_t count = m->surface.points.count;
    memcpy(out, m->points, count * sizeof *out);
    const uint32_t faces = m->surface.triangle_count;
    for (uint32_t i = 0; i < faces + RANDOM_POINTS; i++, count++) {
        double u = 1.0 / 3, v = 1.0 / 3;
        if (i >= faces) {
            u = kit_uniform(&random, 0, 1), v = kit_uniform(&random, 0, 1);
            if (u + v > 1) u = 1 - u, v = 1 - v;
        }
        const uint32_t face = i < faces ? i : (uint32_t)(kit_random(&random) % faces);
        const uint32_t* c = &m->surface.triangles[3 * (size_t)face];
        for (int k = 0; k < 3; k++)
            out[count][k] =
                (1 - u - v) * m->points[c[0]][k] + u * m->points[c[1]][k] + v * m->points[c[2]][k];
    }
    return count;
}

static bool mark(const fracas_medial_contact* contact, void* user) {
    bool* in = user;
    in[contact->primitive_b] = true;
    return true;
}

// How many of the points, which are a shape, are outside of another shape.
static uint32_t count_outside(const fracas_medial_shape* points, uint32_t count,
                              fracas_medial_shape* shape) {
    fracas_medial_bodies* bodies;
    fracas_medial_body a, b;
    bool* in = calloc(count, sizeof *in);
    assert_non_null(in);
    KIT_OK(context, fracas_medial_bodies_create(context, &bodies));
    KIT_OK(context, fracas_medial_bodies_add(bodies, shape, &a));
    KIT_OK(context, fracas_medial_bodies_add(bodies, points, &b));
    fracas_medial_query query = fracas_medial_bodies_default_query();
    query.tolerance = 1e-13;
    KIT_OK(context,
           fracas_medial_bodies_detect(bodies, &query, &(fracas_medial_sink){mark, in, NULL}));
    fracas_medial_bodies_destroy(bodies);
    fracas_medial_shape_destroy(shape);
    uint32_t outside = 0;
    for (uint32_t i = 0; i < count; i++) outside += !in[i];
    free(in);
    return outside;
}

static void contains_surface(void** state) {
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        const model* m = &models[i];
        const uint32_t most = m->surface.points.count + m->surface.triangle_count + RANDOM_POINTS;
        double(*points)[3] = malloc(most * sizeof *points);
        uint32_t* numbers = malloc(most * sizeof *numbers);
        assert_true(points && numbers);
        const uint32_t count = make_points(m, points);
        assert_int_equal(count, most);
        for (uint32_t n = 0; n < count; n++) numbers[n] = n;
        const fracas_mesh_view view = {
            .points = {.data = points, .count = count},
              .vertices = numbers, .vertex_count = count
        };
        fracas_medial_shape* shape;
        KIT_OK(context, fracas_medial_shape_create_from_surface(context, &view, NULL, &shape));
        const double inflation = m->info.inflation;
        assert_int_equal(count_outside(shape, count, make_shape(m, inflation)), 0);
        // Less is not enough: it is within 0.01 % of the smallest inflation, here at samples.
        const uint32_t nearly = count_outside(shape, count, make_shape(m, inflation - 3e-4));
        const uint32_t without = count_outside(shape, count, make_shape(m, 0));
        print_message("outside without inflation: %u of %u points; with 0.03 %% less: %u\n",
                      without, count, nearly);
        assert_true(nearly > 0);
        assert_true(without > count / 10);
        fracas_medial_shape_destroy(shape);
        free(points);
        free(numbers);
    }
}

// ---- pairs

typedef struct pair {
    fracas_scene* scene;
    fracas_body moved;
    fracas_medial_bodies* bodies[2];  // inflated, and not
    fracas_medial_body medial[2];
    fracas_medial_shape* shapes[2][MODELS];
} pair;

static pair make_pair(void) {
    pair p = {0};
    fracas_scene_options scene_options = fracas_scene_default_options();
    scene_options.modes = FRACAS_MODE_DISCRETE;
    KIT_OK(context, fracas_scene_create(context, &scene_options, &p.scene));
    fracas_body_options options = fracas_body_default_options();
    options.self_collision = false;
    fracas_body fixed;
    options.motion = FRACAS_MOTION_STATIC;
    KIT_OK(context, fracas_scene_add(p.scene, &models[0].surface, &options, &fixed));
    options.motion = FRACAS_MOTION_RIGID;
    KIT_OK(context, fracas_scene_add(p.scene, &models[1].surface, &options, &p.moved));
    for (int i = 0; i < 2; i++) {
        KIT_OK(context, fracas_medial_bodies_create(context, &p.bodies[i]));
        for (int m = 0; m < MODELS; m++) {
            p.shapes[i][m] = make_shape(&models[m], i == 0 ? models[m].info.inflation : 0);
            KIT_OK(context, fracas_medial_bodies_add(p.bodies[i], p.shapes[i][m], &p.medial[i]));
        }
    }
    return p;
}

static void free_pair(pair* p) {
    for (int i = 0; i < 2; i++) {
        fracas_medial_bodies_destroy(p->bodies[i]);
        for (int m = 0; m < MODELS; m++) fracas_medial_shape_destroy(p->shapes[i][m]);
    }
    fracas_scene_destroy(p->scene);
}

static bool stop(const fracas_contact* contact, void* user) {
    (void)contact;
    *(bool*)user = true;
    return false;
}

static bool surfaces_intersect(pair* p, const fracas_pose* pose) {
    bool found = false;
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    KIT_OK(context, fracas_scene_pose(p->scene, p->moved, pose, pose));
    KIT_OK(context, fracas_scene_update(p->scene));
    KIT_OK(context, fracas_scene_detect(p->scene, &query, &(fracas_sink){stop, &found, NULL}));
    return found;
}

static bool shapes_touch(const pair* p, int which, const fracas_pose* pose) {
    fracas_medial_statistics statistics;
    fracas_medial_query query = fracas_medial_bodies_default_query();
    query.selection = FRACAS_MEDIAL_SELECTION_FIRST;
    query.tolerance = 1e-9;
    KIT_OK(context,
           fracas_medial_bodies_set_motion(p->bodies[which], p->medial[which], pose, NULL));
    KIT_OK(context, fracas_medial_bodies_detect(p->bodies[which], &query,
                                                &(fracas_medial_sink){NULL, NULL, &statistics}));
    return statistics.contacts > 0;
}

// Towards the distance at which the surfaces begin to touch: poses on both sides of it.
static void no_contact_is_sound(void** state) {
    (void)state;
    pair p = make_pair();
    uint64_t random = 99;
    uint32_t touching = 0, apart = 0, only_inflated = 0, missed_without = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        fracas_pose pose = kit_pose(&random, 1);
        double way[3], near = 0, far = 1.1, length = 0;
        memcpy(way, pose.translation, sizeof way);
        for (int k = 0; k < 3; k++) length += way[k] * way[k];
        for (int i = 0; i < HALVINGS; i++) {
            const double distance = (near + far) / 2;
            for (int k = 0; k < 3; k++) pose.translation[k] = way[k] / sqrt(length) * distance;
            const bool intersect = surfaces_intersect(&p, &pose);
            const bool touch = shapes_touch(&p, 0, &pose);
            if (intersect && !touch) fail_msg("missed at distance %g in direction %d", distance, d);
            touching += intersect;
            apart += !touch;
            only_inflated += touch && !intersect;
            missed_without += intersect && !shapes_touch(&p, 1, &pose);
            if (intersect)
                near = distance;
            else
                far = distance;
        }
    }
    print_message("%d poses: surfaces intersect at %u; no contact at %u; of inflated shapes only "
                  "at %u; missed without inflation: %u\n",
                  DIRECTIONS * HALVINGS, touching, apart, only_inflated, missed_without);
    assert_true(touching > 20 && apart > 10 && missed_without > 0);
    free_pair(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contains_surface),
                                       cmocka_unit_test(no_contact_is_sound)};
    return cmocka_run_group_tests(tests, read_models, free_models);
}
