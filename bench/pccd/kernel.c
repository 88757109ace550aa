// Nothing of Fracas: threads of its own, a counter of portions, multiplications and additions.
#include "pccd/kernel.h"
#include "generate.h"
#include "timing.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { PORTIONS = 2048, ROUNDS = 12000, LANES = 8 };

typedef struct kernel {
    atomic_uint next;
    atomic_uint nonsense;  // so that nothing is left out
} kernel;

static void* compute(void* data) {
    kernel* k = data;
    while (atomic_fetch_add_explicit(&k->next, 1, memory_order_relaxed) < PORTIONS) {
        double x[LANES];
        for (int i = 0; i < LANES; i++) x[i] = 0.5 + 0.01 * i;
        for (int round = 0; round < ROUNDS; round++)
            for (int i = 0; i < LANES; i++) x[i] = x[i] * 0.999 + 0.0005;
        for (int i = 0; i < LANES; i++)
            if (!(x[i] < 1)) atomic_fetch_add_explicit(&k->nonsense, 1, memory_order_relaxed);
    }
    return NULL;
}

double kernel_ms(uint32_t threads) {
    kernel k;
    atomic_init(&k.next, 0);
    atomic_init(&k.nonsense, 0);
    pthread_t* helpers = bench_allocate(threads, sizeof *helpers);
    double start = bench_now_ms();
    for (uint32_t i = 1; i < threads; i++)
        if (pthread_create(&helpers[i], NULL, compute, &k) != 0) {
            fprintf(stderr, "fracas bench pccd: no thread to be had\n");
            exit(1);
        }
    compute(&k);
    for (uint32_t i = 1; i < threads; i++) pthread_join(helpers[i], NULL);
    double ms = bench_now_ms() - start;
    free(helpers);
    return atomic_load(&k.nonsense) == 0 ? ms : 0;
}
