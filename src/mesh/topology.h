/// @file topology.h  All points, edges and triangles of a scene: one pool each, every edge once.
///
/// Ids are positions in the pools and stay with a feature for its life, whichever body it belongs
/// to: a split that moves triangles to another body moves no memory. What is used by nothing is
/// taken out and its id is given out again. Growing is done beforehand by frc_topology_reserve; the
/// functions that change the pools then cannot fail.
#pragma once
#include "base/array.h"
#include "fracas/contact.h"
#include "geom/point.h"

/// Meaning of frc_point.tag here. The first two are what the caller knows a vertex by, and the
/// order in which the exact tests take points (frc_point_order): results depend neither on ids nor
/// on how the scene came to be.
enum {
    FRC_TAG_BODY = 0,    // number of the body's record
    FRC_TAG_NUMBER = 1,  // the caller's number of the vertex in that body
    FRC_TAG_FAMILY = 2,  // siblings have the same family; 0: none
    // Of a family those that have never been apart at the start of a step; 0: none (siblings.h)
    FRC_TAG_TOGETHER = 3
};

/// Where a feature stands in a tree: block and slot, or FRACAS_NONE: in none (yet).
typedef struct frc_place {
    uint32_t block, slot;
} frc_place;

typedef struct frc_triangle {
    uint32_t point[3];  // FRACAS_NONE in point[0]: this id is not in use
    uint32_t edge[3];   // edge k joins corners k and k + 1; FRACAS_NONE where they are one vertex
    uint32_t body, number;
    frc_place place;
} frc_triangle;

/// The smaller point id first.
typedef struct frc_edge {
    uint32_t point[2];  // FRACAS_NONE in point[0]: not in use
    uint32_t uses;      // triangles
    uint32_t free;      // 1: listed as a free edge
    frc_place place;
} frc_edge;

typedef struct frc_vertex_use {
    uint32_t triangles;  // that have this corner
    uint32_t free_edges;
    uint32_t free_point;  // 1: listed as a free point
    uint32_t
        rings;  // the serial number of the rings that hold its own (vertex_rings.h); 0: none do
    uint32_t draft;  // while a split is checked: one more than its place there (split_check.c)
    frc_place place;
} frc_vertex_use;

typedef struct frc_topology {
    fracas_context* context;
    FRC_ARRAY(frc_point) points;
    FRC_ARRAY(frc_vertex_use) uses;  // beside points
    FRC_ARRAY(frc_triangle) triangles;
    FRC_ARRAY(frc_edge) edges;
    FRC_ARRAY(uint32_t) unused_points, unused_triangles, unused_edges;  // ids to give out again
    uint32_t* table;  // open addressing: edge ids by their two points; FRACAS_NONE: empty
    uint32_t table_mask, table_used;
} frc_topology;

void frc_topology_init(frc_topology* topology, fracas_context* context);
void frc_topology_release(frc_topology* topology);

/// Make room for that many more of each. False: no memory (or ids would not fit 31 bits); nothing
/// changed.
bool frc_topology_reserve(frc_topology* topology, size_t points, size_t triangles, size_t edges);

/// Ids say where points lie, and neighbours are to lie side by side: they go along a curve (add.c).
uint32_t frc_topology_add_point(frc_topology* topology);
void frc_topology_remove_point(frc_topology* topology, uint32_t point);  // must be unused

/// Use and release the edge between two points; the edge is made and destroyed as needed. Equal
/// points have no edge: FRACAS_NONE.
uint32_t frc_topology_use_edge(frc_topology* topology, uint32_t a, uint32_t b);
uint32_t frc_topology_find_edge(const frc_topology* topology, uint32_t a, uint32_t b);
/// Take the edge out when nothing uses it any more; true when it was taken out.
bool frc_topology_drop_edge(frc_topology* topology, uint32_t edge);

uint32_t frc_topology_add_triangle(frc_topology* topology);
void frc_topology_remove_triangle(frc_topology* topology, uint32_t triangle);
