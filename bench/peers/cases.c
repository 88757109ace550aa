// The cases of `fracas bench peers`.
#include "peers/cases.h"
#include <stdio.h>
#include <string.h>

const char* const case_names[CASE_COUNT] = {"cloth-ball-92-discrete", "crumpled-sheet-discrete",
                                            "bunny-shift-discrete", "cloth-ball-92-93-continuous",
                                            "n-body-18-19-continuous"};

static bool read_mesh(fracas_context* context, const char* data, const char* name,
                      bench_mesh* out) {
    char path[4096], message[512];
    snprintf(path, sizeof path, "%s/%s", data, name);
    fracas_mesh_file* file = NULL;
    if (fracas_mesh_file_read(context, path, NULL, &file) != FRACAS_OK) {
        fracas_context_get_message(context, message, sizeof message);
        fprintf(stderr, "%s\n", message);
        return false;
    }
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    *out = bench_mesh_allocate(view.points.count, view.triangle_count);
    for (uint32_t i = 0; i < view.points.count; i++) {
        size_t stride = view.points.stride ? view.points.stride : 3 * sizeof(double);
        memcpy(out->points + (size_t)3 * i, (const char*)view.points.data + i * stride,
               3 * sizeof(double));
    }
    memcpy(out->triangles, view.triangles, (size_t)view.triangle_count * 3 * sizeof(uint32_t));
    fracas_mesh_file_destroy(file);
    return true;
}

static peer_mesh view_of(const bench_mesh* mesh) {
    peer_mesh view = {mesh->points, mesh->triangles, mesh->point_count, mesh->triangle_count};
    return view;
}

// A mesh that moves from `elsewhere` to `frame`; both have the same triangles.
static peer_task task_of(const bench_mesh* frame, const bench_mesh* elsewhere) {
    peer_task task = {
        .meshes = {view_of(frame)}, .elsewhere = {elsewhere->points}, .mesh_count = 1};
    return task;
}

static bool read_two(fracas_context* context, const char* data, const char* first,
                     const char* second, bench_mesh out[2]) {
    if (!read_mesh(context, data, first, &out[0]) || !read_mesh(context, data, second, &out[1]))
        return false;
    if (out[0].point_count == out[1].point_count && out[0].triangle_count == out[1].triangle_count)
        return true;
    fprintf(stderr, "%s and %s are not frames of one mesh\n", first, second);
    return false;
}

static bool read_cloth(fracas_context* context, const char* data, bench_mesh out[2]) {
    return read_two(context, data, "ccd/cloth-ball/frames/cloth_ball92.ply",
                    "ccd/cloth-ball/frames/cloth_ball93.ply", out);
}

static bool load_cloth(fracas_context* context, const char* data, bench_case* c) {
    c->about = "cloth-ball frame 92 against itself";
    c->wanted_ratio = 4.0;
    c->truth[0] = 63602;
    if (!read_cloth(context, data, c->owned)) return false;
    c->ours = c->peers = task_of(&c->owned[0], &c->owned[1]);
    return true;
}

static void load_sheet(bench_case* c) {
    c->about = "a generated crumpled sheet against itself";
    c->wanted_ratio = 4.0;
    c->owned[0] = bench_crumpled_sheet();
    // It moves from a slightly different shape, so that every box changes.
    c->owned[1] = bench_sheet(215, 215);
    bench_crumple(&c->owned[1], 1, 0.98);
    c->ours = c->peers = task_of(&c->owned[0], &c->owned[1]);
}

static bool load_bunny(fracas_context* context, const char* data, bench_case* c) {
    static const double shift[3] = {0.10, 0.05, 0.07};
    c->about = "the bunny against itself shifted by (10, 5, 7) % of its box";
    c->wanted_ratio = 2.0;
    const char* name = "surfaces/discregrid/bunny.obj";
    if (!read_mesh(context, data, name, &c->owned[0])) return false;
    fracas_mesh_view view = bench_mesh_view(&c->owned[0]);
    fracas_mesh_info info;
    if (fracas_mesh_describe(context, &view, &info) != FRACAS_OK) return false;
    double offset[3], far_offset[3];
    for (int k = 0; k < 3; k++) {
        offset[k] = shift[k] * (info.box_max[k] - info.box_min[k]);
        far_offset[k] = 1.25 * offset[k];
    }
    const double* offsets[3] = {offset, far_offset, far_offset};
    for (int i = 0; i < 3; i++) {
        c->owned[i + 1] = bench_mesh_allocate(view.points.count, view.triangle_count);
        memcpy(c->owned[i + 1].triangles, view.triangles, (size_t)view.triangle_count * 12);
        memcpy(c->owned[i + 1].points, c->owned[0].points, (size_t)view.points.count * 24);
        bench_place(c->owned[i + 1].points, view.points.count, 1.0, offsets[i]);
    }
    peer_task task = {
        .meshes = {view_of(&c->owned[0]), view_of(&c->owned[1])},
        .elsewhere = {c->owned[2].points,    c->owned[3].points   },
        .mesh_count = 2
    };
    c->ours = c->peers = task;
    return true;
}

static bool load_continuous(fracas_context* context, const char* data, bool n_body, bench_case* c) {
    c->mode = FRACAS_MODE_CONTINUOUS;
    c->embree_query_only = true;
    c->about = "against Embree's discrete query of cloth-ball frame 92";
    // Target: at most 1.5 times Embree's time; for the n-body scene 4.5 times.
    c->wanted_ratio = n_body ? 1.0 / 4.5 : 1.0 / 1.5;
    c->truth[1] = n_body ? 9459 : 19032;
    c->truth[2] = n_body ? 41031 : 94822;
    if (!read_cloth(context, data, c->owned)) return false;
    c->peers = task_of(&c->owned[0], &c->owned[1]);
    c->ours = task_of(&c->owned[1], &c->owned[0]);
    if (!n_body) return true;
    if (!read_two(context, data, "ccd/n-body-simulation/frames/balls16_18.ply",
                  "ccd/n-body-simulation/frames/balls16_19.ply", c->owned + 2))
        return false;
    c->ours = task_of(&c->owned[3], &c->owned[2]);
    return true;
}

bool case_load(fracas_context* context, const char* data, int index, bench_case* out) {
    memset(out, 0, sizeof *out);
    out->name = case_names[index];
    out->mode = FRACAS_MODE_DISCRETE;
    switch (index) {
    case 0:
        return load_cloth(context, data, out);
    case 1:
        load_sheet(out);
        return true;
    case 2:
        return load_bunny(context, data, out);
    default:
        return load_continuous(context, data, index == 4, out);
    }
}

void case_free(bench_case* c) {
    for (int i = 0; i < 4; i++) bench_mesh_free(&c->owned[i]);
}
