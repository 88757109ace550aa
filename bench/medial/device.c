/// @file device.c  The published scenes on a GPU, beside one and all threads of the CPU. In every
/// step the contacts of all three have the same hash, else nothing is printed. Times are
/// wall-clock, the middle of three of the same step.
#include "fracas/cuda.h"
#include "hash.h"
#include "medial/bodies.h"
#include "medial/kit.h"
#include "medial/medial_scenes.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SUBJECTS = 3, REPETITIONS = 3, PARTS = 4 };
typedef enum subject_name { ONE_THREAD, ALL_THREADS, DEVICE } subject_name;

// Bodies of one context that follow those of a scene.
typedef struct subject {
    fracas_context* context;
    fracas_medial_shape* any;  // of a body before it gets that of the scene
    fracas_medial_bodies* bodies;
    double ms, most;  // sum and maximum over steps
    double last;      // of the last step
} subject;

typedef struct run_data {
    const bench_settings* settings;
    subject subjects[SUBJECTS];
    fracas_cuda_context* cuda;
    double parts[PARTS];  // upload, device, download, host
    uint64_t candidates, filtered, moving, turning, on_host, contacts, pairs;
    uint32_t steps, all_steps;
    double all_ms;  // of the device without a broad phase, in `all_steps` steps
} run_data;

static void need(const subject* s, fracas_status status, const char* what) {
    bench_settings settings = {.context = s->context};
    bench_need(&settings, status, what);
}

static void open_subject(run_data* d, subject_name name) {
    subject* s = &d->subjects[name];
    const fracas_medial_sphere sphere = {.radius = 1};
    const fracas_medial_view view = {.spheres = &sphere, .sphere_count = 1};
    fracas_context_options options = fracas_context_default_options();
    fracas_medial_mesh* mesh;
    if (name == ONE_THREAD) options.worker_count = 1;
    if (fracas_context_create(&options, &s->context) != FRACAS_OK) exit(4);
    need(s, fracas_medial_mesh_create_from(s->context, &view, &mesh), "a sphere");
    need(s, fracas_medial_shape_create(s->context, mesh, NULL, &s->any), "a sphere");
    fracas_medial_mesh_destroy(mesh);
    if (name != DEVICE) {
        need(s, fracas_medial_bodies_create(s->context, &s->bodies), "bodies");
        return;
    }
    need(s, fracas_cuda_context_create(s->context, NULL, &d->cuda), "device");
    need(s, fracas_cuda_medial_bodies_create(d->cuda, &s->bodies), "bodies");
}

static void close_subject(run_data* d, subject_name name) {
    subject* s = &d->subjects[name];
    fracas_medial_bodies_destroy(s->bodies);
    fracas_medial_shape_destroy(s->any);
    if (name == DEVICE) fracas_cuda_context_destroy(d->cuda);
    fracas_context_destroy(s->context);
}

// The bodies of a scene, `copies` times side by side.
static void follow(const subject* s, const fracas_medial_bodies* from, uint32_t copies) {
    const uint32_t side = (uint32_t)ceil(sqrt(copies));
    const size_t count = from->list.count;
    while (s->bodies->list.count < count * copies) {
        fracas_medial_body body;
        need(s, fracas_medial_bodies_add(s->bodies, s->any, &body), "a body");
    }
    for (uint32_t c = 0; c < copies; c++)
        for (size_t i = 0; i < count; i++) {
            frc_medial_body* to = &s->bodies->list.data[c * count + i];
            *to = from->list.data[i];
            for (int e = 0; e < 2; e++) {
                to->motion.position[e][0] += 256.0 * (c % side);
                to->motion.position[e][1] += 256.0 * (c / side);
            }
        }
}

static bool add_hash(const fracas_medial_contact* c, void* user) {
    uint64_t* hash = user;
    *hash = bench_hash_two(*hash, c->a.index, c->b.index);
    *hash = bench_hash_two(*hash, c->primitive_a, c->primitive_b);
    *hash = bench_hash_double(*hash, c->time);
    *hash = bench_hash_double(*hash, c->gap);
    for (int k = 0; k < 3; k++) {
        *hash = bench_hash_double(*hash, c->position[k]);
        *hash = bench_hash_double(*hash, c->normal[k]);
    }
    return true;
}

// The hash of the contacts; adds the time.
static uint64_t measure(subject* s, fracas_medial_statistics* statistics) {
    uint64_t hash = BENCH_HASH_START;
    double ms[REPETITIONS];
    need(s,
         fracas_medial_bodies_detect(s->bodies, NULL,
                                     &(fracas_medial_sink){add_hash, &hash, statistics}),
         "contacts");
    for (int i = 0; i < REPETITIONS; i++) {
        const double begin = bench_now_ms();
        need(s, fracas_medial_bodies_detect(s->bodies, NULL, &(fracas_medial_sink){0}), "contacts");
        ms[i] = bench_now_ms() - begin;
    }
    const double middle = bench_median(ms, REPETITIONS);
    s->ms += middle;
    s->most = fmax(s->most, middle);
    s->last = middle;
    return hash;
}

static void add_device(run_data* d) {
    fracas_cuda_statistics s;
    need(&d->subjects[DEVICE],
         fracas_cuda_medial_bodies_get_statistics(d->subjects[DEVICE].bodies, &s), "statistics");
    const double parts[PARTS] = {s.ms_upload, s.ms_device, s.ms_download, s.ms_host};
    for (int i = 0; i < PARTS; i++) d->parts[i] += parts[i];
    d->candidates += s.candidates;
    d->filtered += s.filtered;
    d->moving += s.undecided_quick;
    d->turning += s.undecided_roots;
    d->on_host += s.decided_on_host;
}

// Without a broad phase, in some steps.
static uint64_t measure_all_pairs(run_data* d) {
    const subject* s = &d->subjects[DEVICE];
    fracas_medial_query query = fracas_medial_bodies_default_query();
    uint64_t hash = BENCH_HASH_START;
    query.broad_phase = FRACAS_MEDIAL_BROAD_PHASE_NONE;
    for (int i = 0; i < 2; i++) {  // the first time lists grow
        const double begin = bench_now_ms();
        hash = BENCH_HASH_START;
        need(s,
             fracas_medial_bodies_detect(s->bodies, &query,
                                         &(fracas_medial_sink){add_hash, &hash, NULL}),
             "contacts");
        if (i == 1) d->all_ms += bench_now_ms() - begin;
    }
    d->all_steps++;
    return hash;
}

static bool run_step(run_data* d, const fracas_medial_bodies* bodies) {
    uint64_t hash[SUBJECTS];
    fracas_medial_statistics statistics;
    for (int i = 0; i < SUBJECTS; i++) {
        follow(&d->subjects[i], bodies, d->settings->copies);
        hash[i] = measure(&d->subjects[i], &statistics);
    }
    add_device(d);
    d->contacts += statistics.contacts;
    d->pairs += statistics.pairs;
    d->steps++;
    const bool all = d->settings->copies == 1 && d->steps % 40 == 20;
    return hash[0] == hash[1] && hash[1] == hash[2] && (!all || measure_all_pairs(d) == hash[2]);
}

static void print(const run_data* d, const char* scene, size_t bodies) {
    const double n = d->steps;
    const subject* s = d->subjects;
    printf("%-10s %7zu %7.0f %8.0f %8.0f %8.0f %7.1f %7.1f %7.1f", scene, bodies,
           (double)d->pairs / n, (double)d->contacts / n, (double)d->candidates / n,
           (double)d->filtered / n, (double)d->moving / n, (double)d->turning / n,
           (double)d->on_host / n);
    for (int i = 0; i < SUBJECTS; i++) printf(" %8.3f %8.3f", s[i].ms / n, s[i].most);
    for (int i = 0; i < PARTS; i++) printf(" %7.3f", d->parts[i] / n);
    printf(" %7.3f\n", d->all_steps > 0 ? d->all_ms / d->all_steps : 0.0);
}

// With copies a part of the steps is enough.
static bool run(const bench_settings* settings, const medial_scene* scene) {
    medial_options options = medial_default_options();
    const medial_setup setup = {0};
    medial_world* world;
    run_data d = {.settings = settings};
    bool equal = true;
    options.context = settings->context;
    options.step = scene->step;
    bench_need(settings, medial_scene_create(scene, &options, &setup, &world), scene->name);
    for (int i = 0; i < SUBJECTS; i++) open_subject(&d, (subject_name)i);
    const uint32_t every = settings->copies == 1 ? 1 : 40;
    for (uint32_t i = 0; i < scene->steps && equal; i++) {
        medial_step_info info;
        bench_need(settings, medial_step(world, &info), scene->name);
        if (i % every != every / 2) continue;
        equal = run_step(&d, medial_bodies(world));
        if (settings->csv)
            fprintf(settings->csv, "%s,%u,%.4f,%.4f,%.4f\n", scene->name, i,
                    d.subjects[ONE_THREAD].last, d.subjects[ALL_THREADS].last,
                    d.subjects[DEVICE].last);
    }
    if (equal)
        print(&d, scene->name, d.subjects[DEVICE].bodies->list.count);
    else
        printf("%s: contacts of the device DIFFER\n", scene->name);
    for (int i = 0; i < SUBJECTS; i++) close_subject(&d, (subject_name)i);
    medial_destroy(world);
    return equal;
}

bool bench_device(const bench_settings* settings) {
    size_t count;
    bool passed = true;
    const medial_scene* const* scenes = medial_scenes_list(&count);
    printf("device: means of a step; ms: mean and most of one thread, all threads, the device as a "
           "whole;\nmeans of its parts: upload, device, download, host; none: the device without a "
           "broad phase. "
           "Equal hashes in all steps.\n"
           "%-10s %7s %7s %8s %8s %8s %7s %7s %7s %8s %8s %8s %8s %8s %8s %7s %7s %7s %7s %7s\n",
           "scene", "bodies", "pairs", "contacts", "tested", "close", "moving", "turning", "host",
           "one", "most", "all", "most", "device", "most", "upload", "device", "down", "host",
           "none");
    if (settings->csv) fprintf(settings->csv, "scene,step,medial_ms,all_ms,device_ms\n");
    for (size_t i = 0; i < count; i++) {
        if (settings->scene && strcmp(scenes[i]->name, settings->scene) != 0) continue;
        passed = run(settings, scenes[i]) && passed;
        fflush(stdout);
    }
    return passed;
}
