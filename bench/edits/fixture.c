// Creates, moves, updates and times one scene on one thread.
#include "edits/edits.h"
#include "timing.h"
#include <stdio.h>

void edits_need(fracas_status status, const edits_fixture* s) {
    if (status == FRACAS_OK) return;
    char message[512];
    fracas_context_get_message(s->context, message, sizeof message);
    fprintf(stderr, "fracas bench edits: %s: %s\n", fracas_status_get_name(status), message);
    exit(4);
}

void edits_open(edits_fixture* s, const fracas_published_scene_options* how) {
    *s = (edits_fixture){.context = NULL};
    atomic_init(&s->memory.live, 0);
    atomic_init(&s->memory.most, 0);
    fracas_context_options one = fracas_context_default_options();
    one.worker_count = 1;
    one.allocator = bench_counting_allocator(&s->memory);
    if (fracas_context_create(&one, &s->context) != FRACAS_OK) {
        fprintf(stderr, "fracas bench edits: no memory\n");
        exit(4);
    }
    edits_need(fracas_published_scene_create(s->context, how, &s->scene), s);
}

void edits_add(edits_fixture* s, const bench_mesh* mesh) {
    fracas_mesh_view view = bench_mesh_view(mesh);
    edits_need(fracas_scene_add(s->scene, &view, NULL, &s->body), s);
}

void edits_move(edits_fixture* s, fracas_body body, const double* points, uint32_t count) {
    fracas_points view = bench_points(points, count);
    edits_need(fracas_scene_move(s->scene, body, &view), s);
}

double edits_update(edits_fixture* s) {
    double start = bench_clock_ms(true);
    edits_need(fracas_scene_update(s->scene), s);
    return bench_clock_ms(true) - start;
}

void edits_close(edits_fixture* s) {
    fracas_scene_destroy(s->scene);
    fracas_context_destroy(s->context);
}

bench_mesh edits_sheet(uint32_t triangles) {
    uint32_t side = 1;
    while (2 * (side + 1) * (side + 1) <= triangles) side++;
    bench_mesh mesh = bench_sheet(side, side);
    bench_crumple(&mesh, 5, 0.15);
    return mesh;
}
