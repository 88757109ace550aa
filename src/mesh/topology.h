/// @file topology.h  Pools of all points, edges and triangles of a scene; each edge is stored once.
///
/// An id is a position in a pool and does not change during the life of a feature: a split that
/// moves triangles to another body moves no memory. The ids of removed features are reused.
/// frc_topology_reserve allocates beforehand, so the functions that change the pools cannot fail.
#pragma once
#include "base/array.h"
#include "fracas/contact.h"
#include "geom/point.h"

/// Meaning of frc_point.tag in a scene. The first two identify the vertex for the caller, and
/// define the order of points in the exact tests (frc_point_order), so that results depend neither
/// on ids nor on the history of the scene.
enum {
    FRC_TAG_BODY = 0,    // index of the body
    FRC_TAG_NUMBER = 1,  // the caller's number of the vertex in that body
    FRC_TAG_FAMILY = 2,  // siblings have the same family; 0: none
    // siblings that have never been apart at the start of a step have the same group; 0: none
    // (siblings.h)
    FRC_TAG_SIBLING_GROUP = 3
};

/// The block and the slot of a feature; FRACAS_NONE: in no block yet.
typedef struct frc_place {
    uint32_t block, slot;
} frc_place;

typedef struct frc_triangle {
    uint32_t point[3];  // point[0] is FRACAS_NONE: unused id
    uint32_t edge[3];   // edge k joins corners k and k + 1; FRACAS_NONE if these are equal
    uint32_t body, number;
    frc_place place;
} frc_triangle;

/// The smaller point id comes first.
typedef struct frc_edge {
    uint32_t point[2];  // point[0] is FRACAS_NONE: unused id
    uint32_t uses;      // number of triangles
    uint32_t free;      // 1: listed as a free edge
    frc_place place;
} frc_edge;

typedef struct frc_vertex_use {
    uint32_t triangles;  // number of triangles with this vertex
    uint32_t free_edges;
    uint32_t free_point;  // 1: listed as a free point
    uint32_t rings;       // serial of the frc_vertex_rings that contain its ring; 0: none
    uint32_t draft;       // during the check of a split: index in the draft + 1 (split_check.c)
    frc_place place;
} frc_vertex_use;

/// Ids of one pool that have changed, each once, for a search that keeps a copy of the scene.
typedef struct frc_changes {
    uint32_t* ids;
    uint8_t* listed;  // by id: a frc_change; 0: it is not listed
    size_t count, capacity;
} frc_changes;

typedef enum frc_change {
    FRC_CHANGE_NAME = 1,    // a point has other tags, a triangle another number
    FRC_CHANGE_FEATURE = 3  // anything
} frc_change;

typedef struct frc_topology {
    fracas_context* context;
    FRC_ARRAY(frc_point) points;
    FRC_ARRAY(frc_vertex_use) uses;  // by point
    FRC_ARRAY(frc_triangle) triangles;
    FRC_ARRAY(frc_edge) edges;
    FRC_ARRAY(uint32_t) unused_points, unused_triangles, unused_edges;  // free ids
    uint32_t* table;  // hash table of edge ids by points, open addressing; FRACAS_NONE: empty
    uint32_t table_mask, table_used;
    uint64_t edges_version;  // incremented when an edge is added or removed
    // What the search has not seen yet (frc_search_method.follow): points that were added or
    // removed, or have other tags or uses; triangles that were added or removed, or have other
    // corners or numbers; edges that were added or removed, or are used for the first time or no
    // longer.
    bool keeps_changes;
    frc_changes changed_points, changed_edges, changed_triangles;
} frc_topology;

void frc_topology_init(frc_topology* topology, fracas_context* context);
void frc_topology_release(frc_topology* topology);

/// Reserve capacity for that many more of each. False: out of memory, or ids would exceed 31 bits;
/// nothing has changed.
bool frc_topology_reserve(frc_topology* topology, size_t points, size_t triangles, size_t edges);

/// Capacity for ids below `capacity`. False: no memory, nothing has changed.
bool frc_changes_reserve(fracas_context* context, frc_changes* changes, size_t capacity);
void frc_changes_release(fracas_context* context, frc_changes* changes);
void frc_changes_clear(frc_changes* changes);
/// A feature has changed. Needs no memory: the lists have the capacity of the pools.
static inline void frc_list_as(frc_changes* changes, uint32_t id, frc_change what) {
    if (!changes->listed) return;
    if (!changes->listed[id]) changes->ids[changes->count++] = id;
    changes->listed[id] |= (uint8_t)what;
}
static inline void frc_list_change(frc_changes* changes, uint32_t id) {
    frc_list_as(changes, id, FRC_CHANGE_FEATURE);
}
static inline void frc_list_name(frc_changes* changes, uint32_t id) {
    frc_list_as(changes, id, FRC_CHANGE_NAME);
}
/// frc_list_name for many different ids, by all workers.
void frc_list_names(fracas_context* context, frc_changes* changes, const uint32_t* ids,
                    size_t count);

/// The id is the position in memory: callers add points along a space-filling curve, so that
/// neighbours in space are neighbours in memory (add.c).
uint32_t frc_topology_add_point(frc_topology* topology);
void frc_topology_remove_point(frc_topology* topology, uint32_t point);  ///< an unused one

/// Find the edge between two points; frc_topology_find_or_add_edge adds it if there is none.
/// FRACAS_NONE for equal points, and for an edge that was not found.
uint32_t frc_topology_find_or_add_edge(frc_topology* topology, uint32_t a, uint32_t b);
uint32_t frc_topology_find_edge(const frc_topology* topology, uint32_t a, uint32_t b);
/// The edges of a triangle with these corners will be looked up soon: fetch their entries of the
/// table, and when these have arrived, the edges that they name.
void frc_topology_expect_edges(const frc_topology* topology, const uint32_t point[3]);
void frc_topology_expect_found(const frc_topology* topology, const uint32_t point[3]);
/// Remove the edge if it has no triangle and is not a free edge; true: it was removed.
bool frc_topology_remove_unused_edge(frc_topology* topology, uint32_t edge);

uint32_t frc_topology_add_triangle(frc_topology* topology);
void frc_topology_remove_triangle(frc_topology* topology, uint32_t triangle);
