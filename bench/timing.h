/// @file timing.h  Monotonic clocks, minimum and median of repeated measurements.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/// Milliseconds of wall clock since some fixed moment, or with `cpu` of CPU time of this process,
/// which excludes the time in which other processes had the core.
static inline double bench_clock_ms(bool cpu) {
    struct timespec now;
    clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static inline double bench_now_ms(void) { return bench_clock_ms(false); }

/// Milliseconds of CPU time of the calling thread alone.
static inline double bench_thread_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static inline double bench_minimum(const double* values, uint32_t count) {
    double smallest = values[0];
    for (uint32_t i = 1; i < count; i++)
        if (values[i] < smallest) smallest = values[i];
    return smallest;
}

static inline int bench_compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/// The median; sorts `values`.
static inline double bench_median(double* values, uint32_t count) {
    qsort(values, count, sizeof *values, bench_compare_doubles);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}
