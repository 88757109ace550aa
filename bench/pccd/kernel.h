/// @file kernel.h  How much faster a machine computes with more threads, with nothing of Fracas:
/// what threads share here is the machine alone.
#pragma once
#include <stdint.h>

typedef enum kernel_kind {
    KERNEL_ARITHMETIC = 0,  ///< multiplications and additions in registers, each waiting for the
                            ///< one before: half of what a core can do
    KERNEL_BOXES = 1,       ///< boxes against boxes in each thread's own first-level cache, and a
                            ///< loop over those that meet: what a walk through trees does
    KERNEL_STORES = 2,      ///< numbers read, multiplied and written back in each thread's own
                            ///< first-level cache: as many instructions at a time as a core can
    KERNEL_DENSE = 3,       ///< the same as the first with three times as many chains: all that a
                            ///< core can do, so that two threads on one core have half of it each
    KERNEL_KINDS = 4
} kernel_kind;

/// Milliseconds that a fixed amount of it takes, dealt out to that many threads. About a tenth of a
/// second with one.
double kernel_ms(kernel_kind kind, uint32_t threads);
