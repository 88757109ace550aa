// Pins threads by sched_setaffinity; on other platforms without effect.
#define _GNU_SOURCE
#include "pccd/affinity.h"
#include "generate.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef CPU_SET

static void run_on(const pccd_cores* c, uint32_t first, uint32_t end) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (uint32_t i = first; i < end; i++) CPU_SET(c->number[i], &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        fprintf(stderr, "fracas bench pccd: cannot run on core %u\n", c->number[first]);
        exit(1);
    }
}

pccd_cores pccd_cores_find(void) {
    pccd_cores c = {.number = bench_allocate(CPU_SETSIZE, sizeof *c.number)};
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) CPU_ZERO(&set);
    for (uint32_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set)) c.number[c.count++] = i;
    if (c.count == 0) c.count = 1;
    return c;
}

#else  // no affinity

static void run_on(const pccd_cores* c, uint32_t first, uint32_t end) {
    (void)c, (void)first, (void)end;
}

pccd_cores pccd_cores_find(void) { return (pccd_cores){.count = 1}; }

#endif

void pccd_pin(const pccd_cores* c, uint32_t i) {
    if (c->count > 1) run_on(c, i, i + 1);
}

void pccd_unpin(const pccd_cores* c) {
    if (c->count > 1) run_on(c, 0, c->count);
}

void pccd_cores_release(pccd_cores* c) { free(c->number); }
