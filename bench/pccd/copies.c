// Each copy runs each frame in a new thread; all threads of a frame start within microseconds.
#include "pccd/copies.h"
#include "generate.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct pccd_copy {
    fastcd_run run;
    fastcd_frame frame;
    const fracas_contact* found;
    size_t count;
    pthread_t thread;
} pccd_copy;

void pccd_copies_begin(pccd_copies* copies, uint32_t count, const scenes_scene* what,
                       const scenes_options* options, const fastcd_method* method) {
    copies->count = count;
    copies->list = bench_allocate(count, sizeof *copies->list);
    for (uint32_t i = 0; i < count; i++)
        fastcd_begin(&copies->list[i].run, what, options, method, FRACAS_MODE_CONTINUOUS,
                     (fastcd_threads){1, 0});
}

static void* run_copy(void* data) {
    pccd_copy* c = data;
    fastcd_next(&c->run, c->found, c->count, &c->frame);
    return NULL;
}

double pccd_copies_next(pccd_copies* copies, const fracas_contact* found, size_t count,
                        uint64_t hash) {
    for (uint32_t i = 0; i < copies->count; i++) {
        pccd_copy* c = &copies->list[i];
        c->found = found, c->count = count;
        if (pthread_create(&c->thread, NULL, run_copy, c) != 0) {
            fprintf(stderr, "fracas bench pccd: cannot create a thread\n");
            exit(1);
        }
    }
    double sum = 0;
    bool equal = true;
    for (uint32_t i = 0; i < copies->count; i++) {
        pthread_join(copies->list[i].thread, NULL);
        sum += fastcd_ms(&copies->list[i].frame);
        equal = equal && copies->list[i].frame.hash == hash;
    }
    return equal ? sum / copies->count : -1;
}

void pccd_copies_end(pccd_copies* copies) {
    for (uint32_t i = 0; i < copies->count; i++) fastcd_end(&copies->list[i].run);
    free(copies->list);
}
