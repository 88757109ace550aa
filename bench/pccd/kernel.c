// Kernels on their own threads, which fetch work items from a shared counter.
#include "pccd/kernel.h"
#include "generate.h"
#include "timing.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

enum { WORK_ITEMS = 2048, ROUNDS = 32000, LANES = 8, DENSE_ROUNDS = 2000, DENSE_LANES = 24 };

// Workers wait for `go`, because starting them is not to be timed: for sixteen threads it takes a
// tenth of the kernel's time.
typedef struct kernel {
    kernel_kind kind;
    atomic_uint ready, go;
    atomic_uint next;
    atomic_uint failures;  // uses the results, so that the compiler keeps the computation
} kernel;

// The number of lanes is a compile-time constant, so that all lanes stay in registers.
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

// Tests one box against four; a bit per overlap.
static unsigned overlap_bits(const boxes* b, uint32_t i, uint32_t j) {
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
            for (unsigned bits = overlap_bits(b, i, j); bits; bits &= bits - 1) {
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

static bool do_work_item(kernel_kind kind, const boxes* b, float* x) {
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

// Runs work items until none is left. Returns the time of completion.
static double compute(kernel* k, const boxes* b, float* x) {
    while (atomic_fetch_add_explicit(&k->next, 1, memory_order_relaxed) < WORK_ITEMS)
        if (!do_work_item(k->kind, b, x))
            atomic_fetch_add_explicit(&k->failures, 1, memory_order_relaxed);
    return bench_now_ms();
}

typedef struct worker {
    pthread_t thread;
    kernel* kernel;
    double end_ms;
} worker;

static void* run_worker(void* data) {
    worker* h = data;
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
    worker* workers = bench_allocate(threads, sizeof *workers);
    for (uint32_t i = 1; i < threads; i++) {
        workers[i].kernel = &k;
        if (pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) != 0) {
            fprintf(stderr, "fracas bench pccd: cannot create a thread\n");
            exit(1);
        }
    }
    while (atomic_load(&k.ready) + 1 < threads) {}
    double start = bench_now_ms();
    atomic_store(&k.go, 1);
    double end = compute(&k, &b, x);
    for (uint32_t i = 1; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        if (workers[i].end_ms > end) end = workers[i].end_ms;
    }
    free(workers);
    return atomic_load(&k.failures) == 0 ? end - start : 0;
}
