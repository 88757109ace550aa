// fracas bench restructure: the gain of rebuilding subtrees while a body deforms.
//
// A ball, with a small one sunk into it, is twisted, or crumpled a little or much, frame by frame,
// under each policy of fracas_published_scene_options.restructure: total time of update and
// detection. All policies must find the same contacts, and there must be some.
#include "arguments.h"
#include "fracas/fracas.h"
#include "fracas/published.h"
#include "generate.h"
#include "hash.h"
#include "timing.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOTIONS = 3, POLICIES = 4 };

typedef struct policy {
    const char* name;
    fracas_published_restructure restructure;
    fracas_published_metric metric;
} policy;

static const policy policies[POLICIES] = {
    {"selective",    FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE, FRACAS_PUBLISHED_METRIC_TC},
    {"selective-lm", FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE, FRACAS_PUBLISHED_METRIC_LM},
    {"none",         FRACAS_PUBLISHED_RESTRUCTURE_NONE,      FRACAS_PUBLISHED_METRIC_TC},
    {"always",       FRACAS_PUBLISHED_RESTRUCTURE_ALWAYS,    FRACAS_PUBLISHED_METRIC_TC}
};
static const char* const motions[MOTIONS] = {"twisted", "crumpled a little", "crumpled much"};

typedef struct options {
    bool json;
    uint32_t size, frames, rounds;
} options;

typedef struct result {
    double total, update, query;
    uint64_t hash, boxes, contacts;
} result;

// ---- the body

// Rotates the points about z by up to 500 degrees, in opposite directions at the two poles. Sine
// and cosine come from the rational parametrisation, not from libm.
static void twist(const bench_mesh* ball, double amount, double* out) {
    for (uint32_t i = 0; i < ball->point_count; i++) {
        const double* p = ball->points + (size_t)3 * i;
        const double t = 4 * amount * p[2];
        double c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
        for (int twice = 0; twice < 2; twice++) {
            const double both = 2 * c * s;
            c = c * c - s * s, s = both;
        }
        const double q[3] = {c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]};
        memcpy(out + (size_t)3 * i, q, sizeof q);
    }
}

static void crumple(const bench_mesh* ball, double amount, double* out) {
    bench_mesh copy = *ball;
    copy.points = out;
    memcpy(out, ball->points, (size_t)ball->point_count * 3 * sizeof *out);
    bench_crumple(&copy, 5, amount);
}

static void deform(const bench_mesh* ball, int motion, double share, double* out) {
    if (motion == 0)
        twist(ball, share, out);
    else
        crumple(ball, (motion == 1 ? 0.5 : 3) * share, out);
}

// ---- one run

static void check(fracas_context* context, fracas_status status) {
    char message[512] = "";
    if (status == FRACAS_OK) return;
    fracas_context_get_message(context, message, sizeof message);
    fprintf(stderr, "fracas bench restructure: %s\n", message);
    exit(4);
}

static void run_frames(fracas_context* context, fracas_scene* scene, fracas_body body,
                       const bench_mesh* ball, const double* frames, const options* o,
                       uint32_t mode, result* out) {
    fracas_contacts* contacts;
    fracas_query query = fracas_scene_default_query();
    query.modes = mode;
    check(context, fracas_contacts_create(context, &contacts));
    for (uint32_t f = 0; f < o->frames; f++) {
        const size_t first = (size_t)f * ball->point_count * 3;
        const fracas_points points = bench_points(frames + first, ball->point_count);
        const fracas_sink sink = fracas_contacts_get_sink(contacts);
        size_t count;
        check(context, fracas_scene_advance(scene));
        check(context, fracas_scene_move(scene, body, &points));
        const double start = bench_thread_ms();
        check(context, fracas_scene_update(scene));
        const double updated = bench_thread_ms();
        check(context, fracas_scene_detect(scene, &query, &sink));
        const double end = bench_thread_ms();
        const fracas_contact* found = fracas_contacts_get_data(contacts, &count);
        out->update += updated - start, out->query += end - updated;
        out->hash = bench_hash_word(bench_hash_contacts(out->hash, found, count), count);
        out->contacts += count;
        out->boxes += fracas_contacts_get_statistics(contacts)->box_pairs;
    }
    fracas_contacts_destroy(contacts);
}

static result run(const bench_mesh* ball, const double* frames, const options* o, uint32_t mode,
                  const policy* p) {
    result out = {.hash = BENCH_HASH_START};
    fracas_context* context;
    fracas_context_options one = fracas_context_default_options();
    one.worker_count = 1;
    if (fracas_context_create(&one, &context) != FRACAS_OK) exit(4);
    fracas_scene* scene;
    fracas_body body;
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.scene.modes = mode;
    how.restructure = p->restructure;
    how.metric = p->metric;
    const fracas_mesh_view view = bench_mesh_view(ball);
    check(context, fracas_published_scene_create(context, &how, &scene));
    check(context, fracas_scene_add(scene, &view, NULL, &body));
    check(context, fracas_scene_update(scene));
    run_frames(context, scene, body, ball, frames, o, mode, &out);
    out.total = out.update + out.query;
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
    return out;
}

// Measures all policies, interleaved; keeps the fastest round of each. False when results differ.
static bool measure(const bench_mesh* ball, int motion, uint32_t mode, const options* o,
                    result out[POLICIES]) {
    const size_t length = (size_t)ball->point_count * 3;
    double* frames = bench_allocate(o->frames * length, sizeof *frames);
    bool equal = true;
    for (uint32_t f = 0; f < o->frames; f++)
        deform(ball, motion, (double)(f + 1) / o->frames, frames + f * length);
    for (uint32_t round = 0; round < o->rounds; round++)
        for (int p = 0; p < POLICIES; p++) {
            const result r = run(ball, frames, o, mode, &policies[p]);
            if (round == 0 || r.total < out[p].total) out[p] = r;
            equal &= r.hash == out[0].hash;
        }
    free(frames);
    if (!equal) fprintf(stderr, "%s: the contacts of the policies differ\n", motions[motion]);
    if (out[0].contacts == 0) fprintf(stderr, "%s: there are no contacts\n", motions[motion]);
    return equal && out[0].contacts > 0;
}

// ---- the program

static void print_case(const options* o, int motion, uint32_t mode, const result r[POLICIES],
                       bool first) {
    const char* name = mode == FRACAS_MODE_DISCRETE ? "discrete" : "continuous";
    if (!o->json) {
        printf("%s, %s: %" PRIu64 " contacts, hash %016" PRIx64 "\n", motions[motion], name,
               r[0].contacts, r[0].hash);
        for (int p = 0; p < POLICIES; p++)
            printf("  %-14s %9.1f ms = update %.1f + query %.1f; %" PRIu64 " box tests\n",
                   policies[p].name, r[p].total, r[p].update, r[p].query, r[p].boxes);
        return;
    }
    printf("%s{\"motion\":\"%s\",\"mode\":\"%s\",\"contacts\":%" PRIu64 ",\"hash\":\"%016" PRIx64
           "\",\"policies\":{",
           first ? "" : ",\n", motions[motion], name, r[0].contacts, r[0].hash);
    for (int p = 0; p < POLICIES; p++)
        printf("%s\"%s\":{\"ms\":%.3f,\"update\":%.3f,\"query\":%.3f,\"box_tests\":%" PRIu64 "}",
               p ? "," : "", policies[p].name, r[p].total, r[p].update, r[p].query, r[p].boxes);
    printf("}}");
}

static void print_usage(void) {
    printf("usage: fracas bench restructure [--size N] [--frames N] [--rounds N] [--json]\n"
           "A ball of 8 N^2 triangles (80: 51,200), with a small one sunk into its surface,\n"
           "that is twisted, or crumpled a little or much, over N frames (20): update and "
           "detection of all frames under each policy\n"
           "of rebuilding, the fastest of N rounds (3). All must find the same contacts.\n");
}

// Returns the exit code, or -1 to continue.
static int parse(int argc, char** argv, options* out) {
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(name, "--help")) return print_usage(), 0;
        if (!strcmp(name, "--json")) {
            out->json = true;
            continue;
        }
        uint32_t* number = !strcmp(name, "--size")     ? &out->size
                           : !strcmp(name, "--frames") ? &out->frames
                           : !strcmp(name, "--rounds") ? &out->rounds
                                                       : NULL;
        if (!number || !value) return bench_refuse("restructure", name);
        uint64_t parsed;
        if (!bench_parse_number(value, 1, 1000, &parsed)) return bench_refuse("restructure", name);
        *number = (uint32_t)parsed;
        i++;
    }
    return -1;
}

int main(int argc, char** argv) {
    options o = {.size = 80, .frames = 20, .rounds = 3};
    const int code = parse(argc, argv, &o);
    if (code >= 0) return code;
    const double centre[3] = {0, 0, 0}, side[3] = {0.35, 0, 0.35};
    bench_mesh ball =
        bench_join(bench_ball(o.size, 0.5, centre), bench_ball(o.size / 8 + 2, 0.1, side));
    bool good = true;
    if (o.json)
        printf("{\"triangles\":%u,\"frames\":%u,\"rounds\":%u,\"cases\":[", ball.triangle_count,
               o.frames, o.rounds);
    for (int i = 0; i < 2 * MOTIONS; i++) {
        const uint32_t mode = i % 2 ? FRACAS_MODE_CONTINUOUS : FRACAS_MODE_DISCRETE;
        result r[POLICIES] = {0};
        const bool equal = measure(&ball, i / 2, mode, &o, r);
        if (equal) print_case(&o, i / 2, mode, r, i == 0);
        good &= equal;
        fflush(stdout);
    }
    if (o.json) printf("]}\n");
    bench_mesh_free(&ball);
    return good ? 0 : 1;
}
