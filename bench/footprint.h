/// @file footprint.h  What a scene holds: counted by the allocator, and by what the trees are made
/// of.
#pragma once
#include "fracas/base.h"
#include "fracas/scene.h"
#include <stdatomic.h>

/// Bytes that a context holds. Workers may allocate at once.
typedef struct bench_counter {
    atomic_size_t live, most;
} bench_counter;

/// An allocator that counts; `counter` outlives the context.
fracas_allocator bench_counting_allocator(bench_counter* counter);

/// Bytes by what they are for.
typedef struct bench_memory {
    uint64_t nodes, leaves;  ///< how many; nodes have four children, leaves up to eight triangles
    double links;            ///< nodes with their boxes, leaves, and what stands in their slots
    double boxes;            ///< of leaves, triangles, edges and points, beside those in nodes
    double culling;          ///< marks, cull states, half-edges, vertex stars
    double upkeep;           ///< what restructuring and refitting remember
    double top;              ///< the tree over bodies
} bench_memory;

bench_memory bench_memory_of(const fracas_scene* scene);

/// Trees with all their boxes: what the published bytes for each node are to be compared with.
static inline double bench_memory_trees(const bench_memory* m) {
    return m->links + m->boxes + m->top;
}
