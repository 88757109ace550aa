/// @file footprint.h  Memory of a scene: bytes counted by an allocator, and bytes of the parts of
/// its trees.
#pragma once
#include "fracas/base.h"
#include "fracas/scene.h"
#include <stdatomic.h>

/// Bytes allocated by a context, now and at most. Atomic, as workers allocate concurrently.
typedef struct bench_counter {
    atomic_size_t live, most;
} bench_counter;

/// An allocator that updates `counter`, which must outlive the context.
fracas_allocator bench_counting_allocator(bench_counter* counter);

/// Bytes by purpose.
typedef struct bench_memory {
    uint64_t nodes, leaves;  ///< counts; nodes have four children, leaves up to eight triangles
    double links;            ///< nodes with their boxes, leaves, and their feature slots
    double boxes;            ///< boxes of leaves, triangles, edges and points outside nodes
    double culling;          ///< marks, cull states, half-edges, vertex stars
    double upkeep;           ///< data for restructuring and refitting
    double top;              ///< the tree over blocks
} bench_memory;

bench_memory bench_memory_of(const fracas_scene* scene);

/// Trees with all their boxes: comparable with the published bytes per node.
static inline double bench_memory_trees(const bench_memory* m) {
    return m->links + m->boxes + m->top;
}
