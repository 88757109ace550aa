/// @file break.c  A strip of cloth tears in two: a split planned from labels, no contacts between
/// siblings at the new crack, and tracing an element across the split.
#include "example.h"
#include <fracas/fracas.h>

// A strip of 4 x 1 cells, each of two triangles, in the plane z = 0:
//
//   5---6---7---8---9
//   | / | / | / | / |        triangles 0..3 stay, 4..7 leave: the crack runs along 2-7
//   0---1---2---3---4
enum { POINTS = 10, TRIANGLES = 8 };

static void make_strip(double points[POINTS][3], uint32_t triangles[TRIANGLES][3]) {
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t row = 0; row < 2; row++) {
            double* p = points[i + 5 * row];
            p[0] = i, p[1] = row, p[2] = 0;
        }
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t corners[2][3] = {
            {i, i + 1, i + 6},
            {i, i + 6, i + 5}
        };
        for (int k = 0; k < 3; k++) {
            triangles[2 * i][k] = corners[0][k];
            triangles[2 * i + 1][k] = corners[1][k];
        }
    }
}

static uint64_t count_contacts(const fracas_scene* scene, fracas_siblings siblings,
                               uint64_t* left_out) {
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_CONTINUOUS;
    query.siblings = siblings;
    fracas_statistics statistics;
    TRY(fracas_scene_detect(scene, &query, &(fracas_sink){.statistics = &statistics}));
    *left_out = statistics.siblings_left_out;
    return statistics.contacts[FRACAS_CONTACT_VF] + statistics.contacts[FRACAS_CONTACT_EE];
}

// Detach triangles 4 to 7. The plan duplicates vertices 2 and 7.
static fracas_body tear(fracas_scene* scene, fracas_body strip) {
    const uint32_t labels[TRIANGLES] = {0, 0, 0, 0, 1, 1, 1, 1};
    fracas_split_plan* plan;
    TRY(fracas_split_plan_create(scene, strip, labels, TRIANGLES, &plan));
    const fracas_split* split = fracas_split_plan_get_split(plan);
    printf("the split lists %u new vertices, %u corners, %u leaving triangles\n",
           split->new_vertex_count, split->repoint_count, split->part_offsets[1]);
    EXPECT(split->new_vertex_count == 2 && split->part_count == 1);
    fracas_body part;
    TRY(fracas_scene_split(scene, strip, split, &part));
    fracas_split_plan_destroy(plan);
    return part;
}

static void follow(const fracas_scene* scene, fracas_body strip, fracas_body part) {
    fracas_element old = {strip, FRACAS_ELEMENT_TRIANGLE, 5}, now;
    TRY(fracas_scene_trace(scene, &old, &now));
    printf("triangle 5 of the strip is triangle %u of the part\n", now.index);
    EXPECT(now.body.index == part.index && now.body.generation == part.generation);
    EXPECT(now.index == 1);
    old.index = 2;
    TRY(fracas_scene_trace(scene, &old, &now));
    EXPECT(now.body.index == strip.index && now.index == 2);
}

// Move every vertex of a body by `dx`.
static void shift(fracas_scene* scene, fracas_body body, double dx) {
    fracas_body_info info;
    TRY(fracas_scene_get_body(scene, body, &info));
    double points[2 * POINTS][3] = {{0}}, t0[3];
    EXPECT(info.vertex_numbers <= 2 * POINTS);
    for (uint32_t v = 0; v < info.vertex_numbers; v++) {
        // The number of a removed vertex stays reserved; its position is ignored.
        if (fracas_scene_get_vertex(scene, body, v, t0, points[v])) continue;
        points[v][0] += dx;
    }
    TRY(fracas_scene_move(scene, body,
                          &(fracas_points){.data = points, .count = info.vertex_numbers}));
}

int main(void) {
    double points[POINTS][3];
    uint32_t triangles[TRIANGLES][3];
    make_strip(points, triangles);
    fracas_context* context;
    fracas_scene* scene;
    fracas_body strip;
    TRY(fracas_context_create(NULL, &context));
    TRY(fracas_scene_create(context, NULL, &scene));
    fracas_mesh_view mesh = {
        .points = {.data = points, .count = POINTS},
        .triangles = triangles[0],
        .triangle_count = TRIANGLES
    };
    TRY(fracas_scene_add(scene, &mesh, NULL, &strip));

    fracas_body part = tear(scene, strip);
    follow(scene, strip, part);

    // Both sides of the crack coincide; contacts between siblings are not reported.
    uint64_t left_out;
    TRY(fracas_scene_update(scene));
    uint64_t all = count_contacts(scene, FRACAS_SIBLINGS_REPORT, &left_out);
    uint64_t reported = count_contacts(scene, FRACAS_SIBLINGS_UNTIL_SEPARATED, &left_out);
    printf("at the crack: %llu contacts, %llu reported, %llu left out\n", (unsigned long long)all,
           (unsigned long long)reported, (unsigned long long)left_out);
    EXPECT(all > 0 && reported == 0 && left_out == all);

    // The part moves away in one step and comes back in the next: now contacts are reported.
    shift(scene, part, 1);
    TRY(fracas_scene_advance(scene));
    shift(scene, part, -1);
    TRY(fracas_scene_update(scene));
    reported = count_contacts(scene, FRACAS_SIBLINGS_UNTIL_SEPARATED, &left_out);
    printf("when it comes back: %llu reported\n", (unsigned long long)reported);
    EXPECT(reported > 0);

    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
    return 0;
}
