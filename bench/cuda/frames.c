// Of `fracas bench cuda`: one step between two frames of the test data. Every repetition moves the
// points again, so that they are copied to the device again.
#include "cuda/run.h"
#include <stdlib.h>

typedef struct step {
    const char *name, *from, *to;
    uint64_t vf, ee;  // contacts as published with the data, by exact arithmetic; 0: not published
} step;

static const step STEPS[] = {
    {"cloth-ball",        "cloth-ball/frames/cloth_ball92.ply",      "cloth-ball/frames/cloth_ball93.ply",
     19032,                                                                                                      94822},
    {"n-body-simulation", "n-body-simulation/frames/balls16_18.ply",
     "n-body-simulation/frames/balls16_19.ply",                                                            9459, 41031},
    {"cloth-funnel",      "cloth-funnel/frames/227.ply",             "cloth-funnel/frames/228.ply",        27,   107  }
};
enum { STEP_COUNT = sizeof STEPS / sizeof STEPS[0] };

static fracas_mesh_file* read_frame(const cuda_bench* bench, const char* name) {
    char path[4096];
    fracas_mesh_file* file;
    snprintf(path, sizeof path, "%s/ccd/%s", bench->settings.data, name);
    cuda_must(bench, fracas_mesh_file_read(bench->context, path, NULL, &file), path);
    return file;
}

// The numbers of contacts that were published, if the query is theirs.
static void check_truth(const cuda_pair* pair, const step* what) {
    const fracas_statistics* s = fracas_contacts_get_statistics(pair->contacts[CUDA_GPU]);
    const uint64_t vf = s->contacts[FRACAS_CONTACT_VF], ee = s->contacts[FRACAS_CONTACT_EE];
    if (!(pair->bench->settings.modes & FRACAS_MODE_CONTINUOUS)) return;
    if (vf == what->vf && ee == what->ee) return;
    fprintf(stderr, "fracas bench cuda: %s: %llu vf and %llu ee, but %llu and %llu are true\n",
            what->name, (unsigned long long)vf, (unsigned long long)ee,
            (unsigned long long)what->vf, (unsigned long long)what->ee);
    exit(1);
}

static void run_step(cuda_bench* bench, const step* what) {
    fracas_mesh_file* from = read_frame(bench, what->from);
    fracas_mesh_file* to = read_frame(bench, what->to);
    const fracas_mesh_view start = fracas_mesh_file_get_view(from),
                           end = fracas_mesh_file_get_view(to);
    fracas_body body[CUDA_SIDES];
    cuda_pair pair;
    cuda_pair_open(&pair, bench, what->name);
    fracas_query query = fracas_scene_default_query();
    query.modes = bench->settings.modes;
    for (int i = 0; i < CUDA_SIDES; i++)
        cuda_must(bench, fracas_scene_add(pair.scene[i], &start, NULL, &body[i]), what->name);
    // The first query makes the lists and copies the mesh.
    for (uint32_t r = 0; r < bench->settings.repetitions + 1; r++) {
        for (int i = 0; i < CUDA_SIDES; i++)
            cuda_must(bench, fracas_scene_move(pair.scene[i], body[i], &end.points), what->name);
        cuda_pair_query(&pair, &query);
    }
    check_truth(&pair, what);
    const fracas_points* p = &end.points;
    const fracas_cuda_move move = {
        body[CUDA_GPU],
        {.data = p->data,
                    .count = p->count,
                    .scalar = p->scalar,
                    .place = FRACAS_CUDA_ON_HOST,
                    .stride = p->stride,
                    .axis_stride = p->stride ? (p->scalar == FRACAS_SCALAR_FLOAT ? 4 : 8) : 0}
    };
    cuda_records_measure(&pair, &move, &query);
    cuda_row(bench, &pair, 1);
    cuda_pair_close(&pair);
    fracas_mesh_file_destroy(from);
    fracas_mesh_file_destroy(to);
}

void cuda_frames(cuda_bench* bench) {
    cuda_begin(bench, "frames", "a step between frames of the test data, repeated; medians, ms");
    for (int i = 0; i < STEP_COUNT; i++)
        if (cuda_wanted(bench, STEPS[i].name)) run_step(bench, &STEPS[i]);
    cuda_end(bench);
}
