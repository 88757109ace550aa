// Nothing of Fracas: threads of its own, a counter of portions.
#include "pccd/kernel.h"
#include "generate.h"
#include "timing.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

enum { PORTIONS = 2048, ROUNDS = 32000, LANES = 8, DENSE_ROUNDS = 2000, DENSE_LANES = 24 };

// Threads are started before the clock is: a tenth of what sixteen of them take for their work.
typedef struct kernel {
    kernel_kind kind;
    atomic_uint ready, go;
    atomic_uint next;
    atomic_uint nonsense;  // so that nothing is left out
} kernel;

// Once with each number of lanes: they are to stand in registers.
#define MULTIPLY_AND_ADD(name, lanes, rounds)                                                      \
    static bool name(void) {                                                                       \
        double x[lanes];                                                                           \
        for (int i = 0; i < (lanes); i++) x[i] = 0.5 + 0.01 * i;                                   \
        for (int round = 0; round < (rounds); round++)                                             \
            for (int i = 0; i < (lanes); i++) x[i] = x[i] * 0.999 + 0.0005;                        \
        for (int i = 0; i < (lanes); i++)                                                          \
            if (!(x[i] < 1)) return false;                                                         \
        return true;                                                                               \
    }
MULTIPLY_AND_ADD(multiply_and_add, LANES, ROUNDS)
MULTIPLY_AND_ADD(multiply_and_add_all, DENSE_LANES, DENSE_ROUNDS)

enum { PACKETS = 128 };  // of four boxes: 12 KB

typedef struct boxes {
    float lo[PACKETS][3][4], hi[PACKETS][3][4];
} boxes;

static void scatter(boxes* b) {
    for (uint32_t i = 0; i < PACKETS; i++)
        for (uint32_t k = 0; k < 3; k++)
            for (uint32_t lane = 0; lane < 4; lane++) {
                b->lo[i][k][lane] = (float)bench_random(1, i, k, lane);
                b->hi[i][k][lane] = b->lo[i][k][lane] + 0.7f;
            }
}

// One box against four.
static unsigned meet(const boxes* b, uint32_t i, uint32_t j) {
    unsigned bits = 0;
    for (unsigned lane = 0; lane < 4; lane++) {
        unsigned all = 1;
        for (int k = 0; k < 3; k++)
            all &= (unsigned)(b->lo[j][k][lane] <= b->hi[i][k][0]) &
                   (unsigned)(b->lo[i][k][0] <= b->hi[j][k][lane]);
        bits |= all << lane;
    }
    return bits;
}

static bool compare_boxes(const boxes* b) {
    uint32_t sum = 0, met = 0;
    for (uint32_t i = 0; i < PACKETS / 4; i++)
        for (uint32_t j = 0; j < PACKETS; j++)
            for (unsigned bits = meet(b, i, j); bits; bits &= bits - 1) {
                sum += (uint32_t)__builtin_ctz(bits) ^ j;
                met++;
            }
    return met > 0 && sum > 0;
}

enum { NUMBERS = 4096, PASSES = 24 };  // 16 KB

static bool read_and_write(float* x) {
    for (int i = 0; i < NUMBERS; i++) x[i] = 0.5f;
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < NUMBERS; i++) x[i] = x[i] * 0.999f + 0.0005f;
    return x[0] < 1 && x[NUMBERS - 1] < 1;
}

static bool do_portion(kernel_kind kind, const boxes* b, float* x) {
    switch (kind) {
    case KERNEL_BOXES:
        return compare_boxes(b);
    case KERNEL_STORES:
        return read_and_write(x);
    case KERNEL_DENSE:
        return multiply_and_add_all();
    default:
        return multiply_and_add();
    }
}

// One thread's share; returns when it was done.
static double compute(kernel* k, const boxes* b, float* x) {
    while (atomic_fetch_add_explicit(&k->next, 1, memory_order_relaxed) < PORTIONS)
        if (!do_portion(k->kind, b, x))
            atomic_fetch_add_explicit(&k->nonsense, 1, memory_order_relaxed);
    return bench_now_ms();
}

typedef struct helper {
    pthread_t thread;
    kernel* kernel;
    double end_ms;
} helper;

static void* help(void* data) {
    helper* h = data;
    boxes b;
    float x[NUMBERS];
    scatter(&b);
    atomic_fetch_add(&h->kernel->ready, 1);
    while (!atomic_load(&h->kernel->go)) {}
    h->end_ms = compute(h->kernel, &b, x);
    return NULL;
}

double kernel_ms(kernel_kind kind, uint32_t threads) {
    kernel k = {.kind = kind};
    boxes b;
    float x[NUMBERS];
    scatter(&b);
    helper* helpers = bench_allocate(threads, sizeof *helpers);
    for (uint32_t i = 1; i < threads; i++) {
        helpers[i].kernel = &k;
        if (pthread_create(&helpers[i].thread, NULL, help, &helpers[i]) != 0) {
            fprintf(stderr, "fracas bench pccd: no thread to be had\n");
            exit(1);
        }
    }
    while (atomic_load(&k.ready) + 1 < threads) {}
    double start = bench_now_ms();
    atomic_store(&k.go, 1);
    double end = compute(&k, &b, x);
    for (uint32_t i = 1; i < threads; i++) {
        pthread_join(helpers[i].thread, NULL);
        if (helpers[i].end_ms > end) end = helpers[i].end_ms;
    }
    free(helpers);
    return atomic_load(&k.nonsense) == 0 ? end - start : 0;
}
