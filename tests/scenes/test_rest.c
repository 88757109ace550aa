// Bodies pile up instead of passing through each other. At rest at most 1 % of the contacts are
// deeper than half an edge. The depth is the penetration at the end of the step along the contact's
// normal, relative to the mean length of the edges involved.
#include "scene_driver.h"
#include <math.h>
#include <string.h>

typedef struct depths {
    uint64_t contacts, deep;
    double deepest;  // in edge lengths
} depths;

static void vertex_at_end(const scene_driver* d, fracas_body body, uint32_t vertex, double out[3]) {
    double t0[3];
    assert_int_equal(fracas_scene_get_vertex(d->scene, body, vertex, t0, out), FRACAS_OK);
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double edge(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = b[k] - a[k];
    return sqrt(dot(out, out));
}

// The unit normal of two directions, on the side of `like`.
static bool normal_of(const double e[3], const double f[3], const double like[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    double length = sqrt(dot(out, out));
    if (length == 0) return false;
    if (dot(out, like) < 0) length = -length;
    for (int k = 0; k < 3; k++) out[k] /= length;
    return true;
}

static double face_depth(const scene_driver* d, const fracas_contact* c, double* size) {
    uint32_t corners[3];
    double p[3], q[3][3], e[3][3], n[3], r[3];
    assert_int_equal(fracas_scene_get_triangle(d->scene, c->body_b, c->b[0], corners), FRACAS_OK);
    vertex_at_end(d, c->body_a, c->a[0], p);
    for (int k = 0; k < 3; k++) vertex_at_end(d, c->body_b, corners[k], q[k]);
    *size = 0;
    for (int k = 0; k < 3; k++) *size += edge(q[k], q[(k + 1) % 3], e[k]) / 3;
    if (!normal_of(e[0], e[1], c->normal, n)) return 0;
    edge(q[0], p, r);
    return -dot(n, r);
}

static double edge_depth(const scene_driver* d, const fracas_contact* c, double* size) {
    double a[2][3], b[2][3], e[3], f[3], n[3], r[3];
    for (int k = 0; k < 2; k++) {
        vertex_at_end(d, c->body_a, c->a[k], a[k]);
        vertex_at_end(d, c->body_b, c->b[k], b[k]);
    }
    *size = (edge(a[0], a[1], e) + edge(b[0], b[1], f)) / 2;
    if (!normal_of(e, f, c->normal, n)) return 0;
    for (int k = 0; k < 3; k++) r[k] = a[0][k] + c->u * e[k] - (b[0][k] + c->v * f[k]);
    return -dot(n, r);
}

// The ground's triangles are large: only the edges of the other body count.
static double small_size(const scene_driver* d, const fracas_contact* c, double size) {
    scenes_state state = d->what->state(d->run);
    double spacing = 0, e[3];
    uint32_t count = 0;
    for (uint32_t b = 1; b < state.body_count; b++) {
        if (state.bodies[b].index != c->body_a.index && state.bodies[b].index != c->body_b.index)
            continue;
        for (uint32_t t = state.triangle_begins[b]; t < state.triangle_begins[b + 1]; t++) {
            const uint32_t* v = state.mesh.triangles + 3 * (size_t)t;
            spacing += edge(driver_point(&state, v[0]), driver_point(&state, v[1]), e);
            count++;
        }
    }
    return count && spacing / count < size ? spacing / count : size;
}

static void measure(const scene_driver* d, depths* out) {
    size_t count;
    const fracas_contact* found = driver_found(d, &count);
    for (size_t i = 0; i < count; i++) {
        double size, depth = found[i].kind == FRACAS_CONTACT_VF ? face_depth(d, &found[i], &size)
                                                                : edge_depth(d, &found[i], &size);
        if (depth <= 0) {
            out->contacts++;
            continue;
        }
        depth /= small_size(d, &found[i], size);
        out->contacts++;
        out->deep += depth > 0.5;
        if (depth > out->deepest) out->deepest = depth;
    }
}

static void require_rest(const char* name, uint32_t size, uint32_t frames, uint32_t watched) {
    scenes_options options = {.size = size};
    scene_driver d = driver_start(name, &options, 2);
    depths found = {0};
    for (uint32_t frame = 1; frame <= frames; frame++) {
        driver_step(&d);
        if (frame > frames - watched) measure(&d, &found);
    }
    print_message("%s: %u deep of %u contacts, the deepest %.2f edges\n", name,
                  (unsigned)found.deep, (unsigned)found.contacts, found.deepest);
    assert_true(found.contacts > 0);
    assert_true(100 * found.deep <= found.contacts);
    driver_end(&d);
}

static void test_balls(void** unused) {
    (void)unused;
    require_rest("n-body", 3000, 300, 150);
}
static void test_walls(void** unused) {
    (void)unused;
    require_rest("breaking-walls", 2000, 160, 60);
}
static void test_dragon(void** unused) {
    (void)unused;
    require_rest("exploding-dragon", 3000, 300, 100);
}
static void test_cloth(void** unused) {
    (void)unused;
    require_rest("cloth-ball", 2000, 240, 120);
}

// The centre and the mean radius of a body.
static double ball_of(const scenes_state* state, uint32_t body, double middle[3]) {
    uint32_t begin = state->vertex_begins[body], end = state->vertex_begins[body + 1];
    double radius = 0, e[3];
    memset(middle, 0, 3 * sizeof *middle);
    for (uint32_t v = begin; v < end; v++)
        for (int k = 0; k < 3; k++) middle[k] += driver_point(state, v)[k] / (end - begin);
    for (uint32_t v = begin; v < end; v++)
        radius += edge(middle, driver_point(state, v), e) / (end - begin);
    return radius;
}

// Balls inside of each other would have no contacts, so the test above would not notice them.
static void test_balls_keep_their_distance(void** unused) {
    (void)unused;
    scenes_options options = {.size = 3000};
    scene_driver d = driver_start("n-body", &options, 2);
    for (uint32_t frame = 1; frame <= 200; frame++) driver_step(&d);
    scenes_state state = d.what->state(d.run);
    assert_true(state.body_count > 20);
    for (uint32_t a = 1; a < state.body_count; a++) {
        double p[3], q[3], e[3], r = ball_of(&state, a, p);
        assert_true(p[1] > 0.5 * r && p[1] < 3);
        for (uint32_t b = a + 1; b < state.body_count; b++) {
            double s = ball_of(&state, b, q);
            if (edge(p, q, e) < 0.8 * (r + s))
                fail_msg("balls %u and %u are %g apart, with radii %g and %g", a, b, edge(p, q, e),
                         r, s);
        }
    }
    driver_end(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_walls),
        cmocka_unit_test(test_dragon),
        cmocka_unit_test(test_cloth),
        cmocka_unit_test(test_balls_keep_their_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
