// Times update and detection of all configurations, interleaved.
#include "teschner/measure.h"
#include "generate.h"
#include "hash.h"
#include "timing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

teschner_config teschner_make_config(const char* name, teschner_method method, uint32_t threads) {
    teschner_config config = {.method = method,
                              .options = fracas_tets_default_options(),
                              .published = fracas_published_tets_default_options(),
                              .threads = threads};
    snprintf(config.name, sizeof config.name, "%s", name);
    return config;
}

// The state of one running configuration.
typedef struct runner {
    teschner_config* config;
    fracas_context* context;
    fracas_tets* tets;
    fracas_body* bodies;
    double *ms, *update;  // by step
} runner;

static void check(const runner* r, fracas_status status) {
    char message[512] = "";
    if (status == FRACAS_OK) return;
    if (r->context) fracas_context_get_message(r->context, message, sizeof message);
    fprintf(stderr, "fracas bench teschner: %s: %s\n", r->config->name,
            *message ? message : fracas_status_get_name(status));
    exit(1);
}

static runner begin(const teschner_setup* setup, teschner_config* config, uint32_t steps) {
    runner r = {.config = config,
                .bodies = bench_allocate(setup->body_count, sizeof *r.bodies),
                .ms = bench_allocate(steps, sizeof *r.ms),
                .update = bench_allocate(steps, sizeof *r.update)};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = config->threads;
    check(&r, fracas_context_create(&options, &r.context));
    check(&r, teschner_create(r.context, config->method, &config->options, config->published,
                              config->one_pass, &r.tets));
    for (uint32_t i = 0; i < setup->body_count; i++) {
        fracas_tet_view view = teschner_view(setup, teschner_pose(setup, i, 0));
        check(&r, fracas_tets_add(r.tets, &view, &r.bodies[i]));
    }
    config->hash = BENCH_HASH_START;
    config->penetrations = 0;
    return r;
}

static void end(runner* r) {
    fracas_tets_destroy(r->tets);
    fracas_context_destroy(r->context);
    free(r->bodies);
    free(r->ms);
    free(r->update);
}

static bool add_to_hash(const fracas_penetration* p, void* user) {
    uint64_t* hash = user;
    *hash = bench_hash_two(*hash, p->vertex_body.index, p->vertex);
    *hash = bench_hash_two(*hash, p->tet_body.index, p->tet);
    for (int k = 0; k < 4; k++) *hash = bench_hash_double(*hash, p->barycentric[k]);
    return true;
}

static void move(const runner* r, const teschner_setup* setup, uint32_t step) {
    for (uint32_t i = 0; i < setup->body_count; i++) {
        fracas_points points = teschner_view(setup, teschner_pose(setup, i, step)).points;
        check(r, fracas_tets_move(r->tets, r->bodies[i], &points));
    }
}

// With one thread its CPU time, which excludes other processes and the spinning idle threads of
// other configurations.
static double now_ms(const runner* r) {
    return r->config->threads == 1 ? bench_thread_ms() : bench_now_ms();
}

static void run_step(runner* r, uint32_t step, bool first) {
    const fracas_tets_sink count = {.statistics = &r->config->last};
    double start = now_ms(r);
    check(r, fracas_tets_update(r->tets));
    double updated = now_ms(r);
    check(r, fracas_tets_detect(r->tets, NULL, &count));
    double ms = now_ms(r) - start;
    if (first || ms < r->ms[step]) r->ms[step] = ms, r->update[step] = updated - start;
    if (!first) return;
    fracas_tets_update_statistics update;
    check(r, fracas_tets_get_update_statistics(r->tets, &update));
    r->config->cell_size = update.cell_size;
    const fracas_tets_sink report = {add_to_hash, &r->config->hash, NULL};
    check(r, fracas_tets_detect(r->tets, NULL, &report));
    r->config->penetrations += r->config->last.penetrations;
}

static void sum_up(const runner* r, uint32_t steps) {
    teschner_config* l = r->config;
    double sum = 0, squares = 0, updates = 0;
    l->min = l->max = r->ms[0];
    for (uint32_t i = 0; i < steps; i++) {
        sum += r->ms[i];
        updates += r->update[i];
        if (r->ms[i] < l->min) l->min = r->ms[i];
        if (r->ms[i] > l->max) l->max = r->ms[i];
    }
    l->mean = sum / steps;
    for (uint32_t i = 0; i < steps; i++) squares += (r->ms[i] - l->mean) * (r->ms[i] - l->mean);
    l->deviation = sqrt(squares / steps);
    l->update = updates / steps;
    l->detect = l->mean - l->update;
}

// Minimum duration of the first step: a system may start a new thread on the core of the thread
// that woke it, and takes a while to migrate it.
#define WARM_UP_MS 200.0

bool teschner_measure(const teschner_setup* setup, teschner_config* configs, uint32_t count,
                      uint32_t steps, uint32_t rounds) {
    runner* runners = bench_allocate(count, sizeof *runners);
    bool equal = true;
    for (uint32_t i = 0; i < count; i++) runners[i] = begin(setup, &configs[i], steps);
    double warm = bench_now_ms() + WARM_UP_MS;
    for (uint32_t step = 0; step < steps; step++)
        for (uint32_t round = 0; round < rounds || (!step && bench_now_ms() < warm); round++)
            for (uint32_t i = 0; i < count; i++) {
                // The first one finds cold caches, so each round starts with another one.
                runner* r = &runners[(i + round + step) % count];
                move(r, setup, step);
                run_step(r, step, round == 0);
            }
    for (uint32_t i = 0; i < count; i++) {
        sum_up(&runners[i], steps);
        configs[i].wrong = configs[i].hash != configs[0].hash;
        equal &= !configs[i].wrong || configs[i].published.test != FRACAS_PUBLISHED_TETS_TEST_EXACT;
        end(&runners[i]);
    }
    free(runners);
    return equal;
}
