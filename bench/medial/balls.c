/// @file balls.c  A baseline: trees of spheres, with one sphere around each primitive of a body
/// that moves.
#include "medial/baselines.h"
#include "medial/kit.h"
#include <math.h>
#include <string.h>

static fracas_medial_shape* make_shape(const fracas_medial_shape* shape) {
    fracas_medial_sphere* spheres = bench_memory(malloc(shape->primitive_count * sizeof *spheres));
    uint32_t count = 0;
    for (uint32_t n = 0; n < frc_medial_node_count(shape); n++) {
        const frc_medial_node* node = &shape->nodes[n];
        if (node->child) continue;
        memcpy(spheres[count].center, node->centre, sizeof node->centre);
        spheres[count++].radius = node->radius;
    }
    const fracas_medial_view view = {spheres, NULL, NULL, count, 0, 0};
    fracas_medial_mesh* mesh;
    fracas_medial_shape* out = NULL;
    // The centre of rotation is the origin of the shape's frame.
    fracas_medial_shape_options options = fracas_medial_shape_default_options();
    options.centre[0] = options.centre[1] = options.centre[2] = 0;
    if (fracas_medial_mesh_create_from(shape->context, &view, &mesh) == FRACAS_OK) {
        if (fracas_medial_shape_create(shape->context, mesh, &options, &out) != FRACAS_OK)
            out = NULL;
        fracas_medial_mesh_destroy(mesh);
    }
    free(spheres);
    return bench_memory(out);
}

bench_balls bench_balls_make(const fracas_medial_bodies* bodies) {
    bench_balls out = {0};
    fracas_context* context = bodies->context;
    if (fracas_medial_bodies_create(context, &out.bodies) != FRACAS_OK) bench_memory(NULL);
    for (uint32_t i = 0; i < bodies->list.count; i++) {
        fracas_medial_body body;
        const frc_medial_body* own = &bodies->list.data[i];
        // Scenery keeps its triangles: a ball around the ground would be of no use.
        fracas_medial_shape* shape = own->fixed ? NULL : make_shape(own->shape);
        if (shape && !FRC_ARRAY_PUSH(context, &out.shapes, shape)) bench_memory(NULL);
        if (fracas_medial_bodies_add(out.bodies, shape ? shape : own->shape, &body) != FRACAS_OK)
            bench_memory(NULL);
        out.bodies->list.data[body.index].fixed = own->fixed;
    }
    return out;
}

bench_work bench_balls_find(bench_balls* balls, const fracas_medial_bodies* bodies,
                            const fracas_medial_query* query) {
    fracas_medial_statistics statistics = {0};
    for (uint32_t i = 0; i < bodies->list.count; i++)
        balls->bodies->list.data[i].motion = bodies->list.data[i].motion;
    const double begin = bench_thread_ms();
    if (fracas_medial_bodies_detect(balls->bodies, query,
                                    &(fracas_medial_sink){NULL, NULL, &statistics}) != FRACAS_OK)
        bench_memory(NULL);
    return (bench_work){statistics.node_tests, statistics.primitive_tests, statistics.contacts,
                        statistics.pairs, bench_thread_ms() - begin};
}

void bench_balls_free(bench_balls* balls) {
    fracas_context* context = balls->bodies->context;
    fracas_medial_bodies_destroy(balls->bodies);
    for (size_t i = 0; i < balls->shapes.count; i++)
        fracas_medial_shape_destroy(balls->shapes.data[i]);
    FRC_ARRAY_RELEASE(context, &balls->shapes);
}
