/// @file kernel.h  Small kernels that measure how the machine itself scales with threads. They
/// share no data and use nothing of Fracas.
#pragma once
#include <stdint.h>

typedef enum kernel_kind {
    KERNEL_ARITHMETIC = 0,  ///< multiply-add chains in registers, limited by latency: about half of
                            ///< the peak of a core
    KERNEL_BOXES = 1,       ///< box overlap tests in the thread's own L1 cache with a loop over the
                            ///< hits, like a tree traversal
    KERNEL_STORES = 2,      ///< load, multiply, store in the thread's own L1 cache, limited by
                            ///< instruction throughput
    KERNEL_DENSE = 3,       ///< like KERNEL_ARITHMETIC with three times as many chains: peak of a
                            ///< core, so two hardware threads of one core get half of it each
    KERNEL_KINDS = 4
} kernel_kind;

/// Milliseconds for a fixed number of work items on `threads` threads; about 100 with one thread.
double kernel_ms(kernel_kind kind, uint32_t threads);
