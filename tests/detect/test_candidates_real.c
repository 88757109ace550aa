// A line search over the steps of real sequences: at every length the kept candidates contain all
// pairs that collide, and their contacts are those of a whole query, bit for bit.
#include "context_kit.h"
#include "data.h"
#include "fracas/candidates.h"
#include "fracas/io.h"
#include "mesh/view.h"
#include "near_kit.h"

typedef struct sequence {
    const char* frames[2];
    double separation;
} sequence;

typedef struct step {
    kit k;
    fracas_body body;
    fracas_mesh_file* files[2];
    double (*start)[3], (*direction)[3], (*at)[3];
    uint32_t count;
} step;

static void read_step(const char* folder, const sequence* from, step* s) {
    s->k = kit_create(2);
    for (int e = 0; e < 2; e++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/ccd/%s", folder, from->frames[e]);
        KIT_OK(s->k.context, fracas_mesh_file_read(s->k.context, path, NULL, &s->files[e]));
    }
    const fracas_mesh_view first = fracas_mesh_file_get_view(s->files[0]),
                           second = fracas_mesh_file_get_view(s->files[1]);
    s->count = first.points.count;
    assert_int_equal(second.points.count, s->count);
    s->start = malloc(s->count * sizeof *s->start);
    s->direction = malloc(s->count * sizeof *s->direction);
    s->at = malloc(s->count * sizeof *s->at);
    for (uint32_t i = 0; i < s->count; i++) {
        double end[3];
        frc_view_point(&first.points, i, s->start[i]);
        frc_view_point(&second.points, i, end);
        for (int k = 0; k < 3; k++) s->direction[i][k] = end[k] - s->start[i][k];
    }
    s->body = kit_add(&s->k, &first, FRACAS_MOTION_DEFORMING);
}

static void move_by(step* s, double length) {
    for (uint32_t i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++) s->at[i][k] = s->start[i][k] + length * s->direction[i][k];
    const fracas_points points = {.data = s->at, .count = s->count};
    KIT_OK(s->k.context, fracas_scene_move(s->k.scene, s->body, &points));
}

static size_t search(const char* folder, const sequence* from) {
    step s;
    fracas_candidates* kept;
    near_list got = {0}, wanted = {0};
    size_t contacts = 0;
    fracas_query query = fracas_scene_default_query();
    query.min_separation = from->separation;
    read_step(folder, from, &s);
    move_by(&s, 1);
    KIT_OK(s.k.context, fracas_scene_update(s.k.scene));
    KIT_OK(s.k.context, fracas_candidates_create(s.k.scene, from->separation, &kept));
    for (double length = 1; length > 0.05; length *= 0.5) {
        fracas_sink sink = near_sink(&got);
        double largest, wanted_largest;
        move_by(&s, length);
        KIT_OK(s.k.context, fracas_candidates_detect(kept, &query, &sink));
        KIT_OK(s.k.context, fracas_candidates_max_step(kept, &query, &largest));
        KIT_OK(s.k.context, fracas_scene_update(s.k.scene));
        sink = near_sink(&wanted);
        KIT_OK(s.k.context, fracas_scene_detect(s.k.scene, &query, &sink));
        KIT_OK(s.k.context, fracas_scene_max_step(s.k.scene, &query, &wanted_largest));
        near_expect_same(&got, &wanted);
        assert_true(largest == wanted_largest);
        contacts += got.count;
    }
    printf("%s: %zu candidates, %zu contacts at 5 lengths\n", from->frames[0],
           fracas_candidates_get_count(kept), contacts);
    fracas_candidates_destroy(kept);
    for (int e = 0; e < 2; e++) fracas_mesh_file_destroy(s.files[e]);
    free(s.start), free(s.direction), free(s.at), free(got.data), free(wanted.data);
    kit_destroy(&s.k);
    return contacts;
}

static void line_searches_of_real_steps(void** state) {
    (void)state;
    const char* folder = fracas_test_data();
    if (!folder) exit(FRACAS_TEST_SKIP);
    static const sequence SEQUENCES[] = {
        {{"cloth-ball/frames/cloth_ball92.ply", "cloth-ball/frames/cloth_ball93.ply"},           0   },
        {{"n-body-simulation/frames/balls16_18.ply", "n-body-simulation/frames/balls16_19.ply"}, 0   },
        {{"cloth-funnel/frames/227.ply", "cloth-funnel/frames/228.ply"},                         0   },
        {{"cloth-funnel/frames/227.ply", "cloth-funnel/frames/228.ply"},                         1e-4}
    };
    for (size_t i = 0; i < sizeof SEQUENCES / sizeof *SEQUENCES; i++)
        assert_true(search(folder, &SEQUENCES[i]) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(line_searches_of_real_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
