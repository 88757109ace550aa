/// @file peer.h  The C interface of another collision library (peer), so that all of them are
/// measured by the same code.
#pragma once
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/// A view of a mesh, which outlives every tree built from it.
typedef struct peer_mesh {
    const double* points;
    const uint32_t* triangles;
    uint32_t point_count, triangle_count;
} peer_mesh;

typedef struct peer_pair {
    uint32_t a, b;
} peer_pair;

enum { PEER_BATCH = 4096 };

/// Receives pairs of triangles. Full batches go to `flush` immediately, while they are in the
/// cache: collecting millions of candidates first would slow the peer down.
typedef struct peer_sink {
    peer_pair pairs[PEER_BATCH];
    size_t count;
    void (*flush)(struct peer_sink* sink);  ///< processes pairs[0 .. count) and sets count to 0
    void* user;
} peer_sink;

static inline void peer_push(peer_sink* sink, uint32_t a, uint32_t b) {
    if (sink->count == PEER_BATCH) sink->flush(sink);
    sink->pairs[sink->count].a = a;
    sink->pairs[sink->count].b = b;
    sink->count++;
}

typedef enum peer_report {
    PEER_CANDIDATES,  ///< pairs whose boxes overlap; the benchmark adds Fracas' triangle test
    PEER_HITS,        ///< pairs that intersect, decided exactly; must be equal to Fracas' set
    PEER_COUNTS       ///< pairs that intersect by its own definition and rounding; only counted
} peer_report;

/// Each pair is pushed once. In a self query the order within a pair is arbitrary and no triangle
/// is paired with itself; in a pair query `a` is a triangle of the first tree.
typedef struct peer {
    const char* name;
    const char* method;  ///< data structure and calls of the library that are used
    peer_report report;
    void* (*create)(const peer_mesh* mesh);  ///< NULL when the library refuses the mesh
    void (*refit)(void* tree, const double* points);
    void (*query_self)(void* tree, peer_sink* sink);
    void (*query_pair)(void* a, void* b, peer_sink* sink);
    void (*destroy)(void* tree);
} peer;

extern const peer peer_embree;
extern const peer peer_bullet;
extern const peer peer_cgal;
extern const peer peer_fcl;

#if defined(__cplusplus)
}
#endif
