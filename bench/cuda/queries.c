// Of `fracas bench cuda`: published queries with known truth. A query is two bodies in a group of
// their own, a point and a triangle or two edges, so that a scene has a batch of them; the next
// batch moves the same bodies.
#include "cuda/run.h"
#include "query_file.h"
#include <stdlib.h>
#include <string.h>

enum { BATCH = 32 };  // as many as there are groups

typedef struct batch {
    cuda_pair* pair;
    const query_set* set;
    fracas_body body[CUDA_SIDES][BATCH][2];
    bool found[BATCH];
    uint64_t wrong;
} batch;

// The points of body `part` of a query: of four, the first ones or the others.
static void points_of(const query_set* set, size_t query, int part, bool end, double out[3][3],
                      uint32_t* count) {
    const uint32_t first = set->kind == FRC_CCD_VF ? 1 : 2;
    const frc_point* points = &set->list.points[4 * query + (part ? first : 0)];
    *count = part ? 4 - first : first;
    for (uint32_t i = 0; i < *count; i++)
        for (int axis = 0; axis < 3; axis++) out[i][axis] = frc_point_axis(&points[i], axis)[end];
}

// The queries beyond the last one are the last one again.
static size_t query_at(const batch* b, size_t begin, uint32_t i) {
    const size_t last = b->set->list.count - 1;
    return begin + i < last ? begin + i : last;
}

static void add_bodies(batch* b) {
    static const uint32_t numbers[3] = {0, 1, 2};
    const cuda_bench* bench = b->pair->bench;
    for (uint32_t i = 0; i < BATCH; i++)
        for (int part = 0; part < 2; part++) {
            double points[3][3];
            uint32_t count;
            points_of(b->set, query_at(b, 0, i), part, false, points, &count);
            const fracas_mesh_view mesh = {
                .points = {.data = points, .count = count},
                .triangles = numbers,
                .triangle_count = count == 3,
                .edges = numbers,
                .edge_count = count == 2,
                .vertices = numbers,
                .vertex_count = count == 1
            };
            fracas_body_options options = fracas_body_default_options();
            options.group = options.mask = UINT32_C(1) << i;
            for (int side = 0; side < CUDA_SIDES; side++)
                cuda_must(bench,
                          fracas_scene_add(b->pair->scene[side], &mesh, &options,
                                           &b->body[side][i][part]),
                          b->set->name);
        }
}

static void move_bodies(batch* b, size_t begin, bool end) {
    for (uint32_t i = 0; i < BATCH; i++)
        for (int part = 0; part < 2; part++) {
            double points[3][3];
            fracas_points view = {.data = points};
            points_of(b->set, query_at(b, begin, i), part, end, points, &view.count);
            for (int side = 0; side < CUDA_SIDES; side++)
                cuda_must(b->pair->bench,
                          fracas_scene_move(b->pair->scene[side], b->body[side][i][part], &view),
                          b->set->name);
        }
}

static void check_batch(batch* b, size_t begin) {
    size_t count;
    const fracas_contact* found = fracas_contacts_get_data(b->pair->contacts[CUDA_GPU], &count);
    memset(b->found, 0, sizeof b->found);
    for (size_t c = 0; c < count; c++)
        for (uint32_t i = 0; i < BATCH; i++)
            b->found[i] |= found[c].body_a.index == b->body[CUDA_GPU][i][0].index ||
                           found[c].body_a.index == b->body[CUDA_GPU][i][1].index;
    for (uint32_t i = 0; i < BATCH && begin + i < b->set->list.count; i++)
        b->wrong += b->found[i] != b->set->list.truth[begin + i];
}

// Returns the number of wrong answers.
static uint64_t run_set(cuda_bench* bench, const query_set* set) {
    char name[160];
    cuda_pair pair;
    snprintf(name, sizeof name, "%.140s %s", set->name, set->kind == FRC_CCD_VF ? "vf" : "ee");
    cuda_pair_open(&pair, bench, name);
    batch b = {.pair = &pair, .set = set};
    const fracas_query query = fracas_scene_default_query();
    if (set->list.count > 0) add_bodies(&b);
    for (size_t begin = 0; begin < set->list.count; begin += BATCH) {
        move_bodies(&b, begin, false);
        for (int side = 0; side < CUDA_SIDES; side++)
            cuda_must(bench, fracas_scene_advance(pair.scene[side]), name);
        move_bodies(&b, begin, true);
        cuda_pair_query(&pair, &query);
        check_batch(&b, begin);
    }
    cuda_row(bench, &pair, 1);
    if (b.wrong)
        fprintf(stderr, "fracas bench cuda: %s: %llu of %zu answers are wrong\n", name,
                (unsigned long long)b.wrong, set->list.count);
    cuda_pair_close(&pair);
    return b.wrong;
}

void cuda_queries(cuda_bench* bench) {
    char folder[4096], message[512];
    query_sets sets;
    uint64_t wrong = 0;
    snprintf(folder, sizeof folder, "%s/queries", bench->settings.data);
    if (!query_sets_read(folder, &sets, message, sizeof message)) {
        fprintf(stderr, "fracas bench cuda: %s\n", message);
        exit(1);
    }
    cuda_begin(bench, "queries", "published queries with known truth, 32 at once; medians, ms");
    for (size_t i = 0; i < sets.count; i++)
        if (cuda_wanted(bench, sets.list[i].name)) wrong += run_set(bench, &sets.list[i]);
    cuda_end(bench);
    query_sets_free(&sets);
    if (wrong) exit(1);
}
