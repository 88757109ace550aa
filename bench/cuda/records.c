// Of `fracas bench cuda`: a step of a simulation that takes contacts as records, which stay on the
// device or come to the host: fracas_cuda_scene_move with positions of the host,
// fracas_scene_update, fracas_cuda_scene_detect.
#include "cuda/run.h"
#include "timing.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Those of records on the host are the contacts of the CPU.
static void compare(const cuda_pair* pair, const fracas_cuda_contacts* found,
                    fracas_cuda_place place) {
    size_t count, at = 0;
    const fracas_contact* expected = fracas_contacts_get_data(pair->contacts[CUDA_CPU], &count);
    bool same = found->count == count;
    for (int kind = 0; kind < 6 && same && place == FRACAS_CUDA_ON_HOST; kind++)
        for (uint64_t i = 0; i < found->kinds[kind].count && same; i++, at++) {
            const fracas_contact* e = &expected[at];
            const fracas_cuda_contact* c = &found->kinds[kind].contacts[i];
            same = !memcmp(e->a, c->a, sizeof c->a) && !memcmp(e->b, c->b, sizeof c->b) &&
                   !memcmp(&e->toi, &c->toi, sizeof c->toi) && !memcmp(&e->u, &c->u, sizeof c->u) &&
                   !memcmp(&e->v, &c->v, sizeof c->v) &&
                   !memcmp(e->normal, c->normal, sizeof c->normal);
        }
    if (same) return;
    fprintf(stderr,
            "fracas bench cuda: %s: %" PRIu64 " records are not the %zu contacts of the CPU\n",
            pair->name, found->count, count);
    exit(1);
}

static void repeat(const cuda_pair* pair, const fracas_cuda_move* move, const fracas_query* query,
                   fracas_cuda_place place, uint32_t count, double* ms[CUDA_RECORD_TIMES]) {
    fracas_scene* scene = pair->scene[CUDA_GPU];
    for (uint32_t r = 0; r < count; r++) {
        fracas_cuda_contacts found;
        const double start = bench_now_ms();
        cuda_must(pair->bench, fracas_cuda_scene_move(scene, move, 1, NULL), pair->name);
        const double moved = bench_now_ms();
        cuda_must(pair->bench, fracas_scene_update(scene), pair->name);
        const double updated = bench_now_ms();
        cuda_must(pair->bench, fracas_cuda_scene_detect(scene, query, place, NULL, &found),
                  pair->name);
        const double end = bench_now_ms();
        ms[CUDA_RECORD_MOVE][r] = moved - start;
        ms[CUDA_RECORD_UPDATE][r] = updated - moved;
        ms[CUDA_RECORD_DETECT][r] = end - updated;
        ms[CUDA_RECORD_WHOLE][r] = end - start;
        compare(pair, &found, place);
    }
}

void cuda_records_measure(cuda_pair* pair, const fracas_cuda_move* move,
                          const fracas_query* query) {
    const uint32_t count = pair->bench->settings.repetitions + 1;
    double* ms[CUDA_RECORD_TIMES];
    if (query->modes != FRACAS_MODE_CONTINUOUS) return;
    for (int k = 0; k < CUDA_RECORD_TIMES; k++)
        if (!(ms[k] = malloc(count * sizeof *ms[k]))) exit(4);
    for (int place = 0; place < 2; place++) {
        repeat(pair, move, query, (fracas_cuda_place)place, count, ms);
        // The first repetition makes the graph.
        for (int k = 0; k < CUDA_RECORD_TIMES; k++)
            pair->record_ms[place][k] = bench_median(ms[k] + 1, count - 1);
    }
    for (int k = 0; k < CUDA_RECORD_TIMES; k++) free(ms[k]);
}

void cuda_records_print(const cuda_pair* pair) {
    for (int place = 0; place < 2; place++) {
        const double* ms = pair->record_ms[place];
        if (ms[CUDA_RECORD_WHOLE] == 0) continue;
        printf(pair->bench->settings.json
                   ? ",\"records_on_%s\":{\"move\":%.4f,\"update\":%.4f,\"detect\":%.4f,"
                     "\"whole\":%.4f}"
                   : "  records on the %-6s: move %.3f, update %.3f, detect %.3f, whole %.3f\n",
               place == FRACAS_CUDA_ON_HOST ? "host" : "device", ms[CUDA_RECORD_MOVE],
               ms[CUDA_RECORD_UPDATE], ms[CUDA_RECORD_DETECT], ms[CUDA_RECORD_WHOLE]);
    }
}
