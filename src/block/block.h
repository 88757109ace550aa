/// @file block.h  A tree over some of the triangles, edges and points of one body.
///
/// A new body has one block, and one more for free elements. Edits add features in further blocks
/// and leave an empty slot for each feature that they remove. A leaf holds a few triangles and the
/// edges and points that no earlier leaf holds. Every feature has exactly one slot of one block, so
/// a query tests every pair once.
#pragma once
#include "bvh/metric.h"
#include "bvh/tree.h"
#include "geom/tri_plane_filter.h"
#include "mesh/topology.h"

enum { FRC_LEAF_SIZE = 8 };  // primitives; docs/bvh.md has the reason

/// The discrete query uses boxes at the end of the step, the continuous query boxes over the step.
/// Leaves keep their boxes at both ends of the step: two features that are apart along an axis, in
/// the same order at both ends, are apart during the whole step. This separates more pairs than the
/// box of the whole step does.
typedef enum frc_boxes { FRC_BOXES_END = 0, FRC_BOXES_STEP = 1, FRC_BOXES_COUNT = 2 } frc_boxes;

/// A box in two registers; the fourth entries are unused.
typedef struct frc_box {
    float lo[4], hi[4];
} frc_box;

/// The position of a point at the start and at the end of the step, rounded down: along each axis
/// the largest float that is not above the coordinate, and never -0. The next float up is not below
/// the coordinate, so one number gives both bounds; for a coordinate that is a float itself the
/// upper bound is one float too large. Both ends are adjacent because most readers load both. The
/// fourth entries are 0.
typedef struct frc_low {
    float at[2][4];
} frc_low;

/// Rounded positions of all points by id. The upper bound of a coordinate is the float after the
/// entry of `hi`. Both pointers are equal, except where positions are known as intervals only.
typedef struct frc_lows {
    const frc_low *lo, *hi;
} frc_lows;

/// The slots of a leaf. Each range begins at a multiple of four: leaves share no packet.
typedef struct frc_leaf {
    uint32_t face, edge, vertex;  // first slots
    uint16_t face_count, edge_count, vertex_count;
    uint8_t loose;  // 1: may hold edges or points of none of its triangles; see src/cull
    uint32_t parent, lane;
} frc_leaf;

typedef struct frc_face_slot {
    uint32_t point[3], id;  // id FRACAS_NONE: empty
} frc_face_slot;
typedef struct frc_edge_slot {
    uint32_t point[2];  // point[0] FRACAS_NONE: empty
} frc_edge_slot;

#define FRC_STAR_UNCERTIFIED 0x80000000u  // set in an id: the vertex has no certificate

/// The vertices of a leaf that certify adjacent pairs: two triangles with a certified vertex in
/// common intersect in nothing but the features that they share, so the query skips the pair. A
/// vertex is compared once, however many triangles of the leaf use it. A leaf of four connected
/// pieces has at most sixteen vertices; pairs by a vertex that is not listed are tested like all
/// others. The bytes of the ids are separate arrays: the lowest two almost always decide that ids
/// differ.
enum { FRC_LEAF_STARS = 16 };
typedef struct frc_leaf_star {
    uint16_t low[FRC_LEAF_STARS];
    uint8_t third[FRC_LEAF_STARS],
        fourth[FRC_LEAF_STARS];     // with FRC_STAR_UNCERTIFIED: no certificate
    uint8_t faces[FRC_LEAF_STARS];  // bit i: triangle i of the leaf uses it; 0 ends the list
} frc_leaf_star;

static inline uint32_t frc_leaf_star_id(const frc_leaf_star* star, uint32_t i) {
    return star->low[i] | (uint32_t)star->third[i] << 16 | (uint32_t)star->fourth[i] << 24;
}
static inline void frc_leaf_star_set_id(frc_leaf_star* star, uint32_t i, uint32_t id) {
    star->low[i] = (uint16_t)id;
    star->third[i] = (uint8_t)(id >> 16);
    star->fourth[i] = (uint8_t)(id >> 24);
}

/// Boxes of up to eight triangles of a leaf in 16-bit integers: see quantized_boxes.h.
typedef struct frc_quantized_boxes {
    uint16_t lo[3][8], hi[3][8];
} frc_quantized_boxes;

/// Boxes of everything in a block, for one kind of query.
typedef struct frc_tree {
    frc_node* nodes;
    uint32_t ends;  // 1: boxes at the end of the step; 2: at its start, and at its end
    // With two ends, nodes have the box of the whole step.
    frc_box4 *face_box, *edge_box;  // one end: a packet for each four triangles, free edges
    frc_box* leaf_box;              // two ends: by leaf, at the start and at the end; leaf_boxes.h
    frc_quantized_boxes* cells;     // by leaf; NULL: none
    float scale;                    // of the cells
} frc_tree;

typedef struct frc_block {
    uint32_t body;
    bool free_elements;  // free edges and points, no triangles
    uint32_t node_count, leaf_count;
    uint32_t face_slots, edge_slots, vertex_slots;  // multiples of four
    uint32_t live;                                  // features, now
    uint32_t built_live;                            // features, when it was built
    frc_leaf* leaves;
    frc_face_slot* faces;
    frc_edge_slot* edges;
    uint32_t* vertices;                                      // point ids; FRACAS_NONE: empty
    uint32_t *leaf_of_face, *leaf_of_edge, *leaf_of_vertex;  // per four slots
    frc_leaf_star* stars;                                    // by leaf; NULL: no certificates
    frc_tree tree[FRC_BOXES_COUNT];                          // nodes NULL: mode not in use
    float lo[FRC_BOXES_COUNT][3], hi[FRC_BOXES_COUNT][3];
    FRC_ARRAY(uint32_t) stale;  // leaves to refit, each once
    uint8_t* marks;             // by leaf, 1: listed in `stale`; then counters by node of refit.c
    bool all_stale;
    uint32_t* opposite;  // opposite half-edge by half-edge, see half_edges.c; NULL: not computed
    uint32_t opposite_version;     // incremented when an opposite or an end of a half-edge changes
    FRC_ARRAY(uint32_t) unpaired;  // half-edges whose opposite is to be searched
    // Written by src/cull, read by the traversal: bit b of skip[n] certifies that for boxes b no
    // pair below node n is a contact; entries of leaves follow those of nodes. NULL: none.
    uint8_t* skip;
    // Of the scene's search method or rebuild policy, freed with the block; or NULL.
    void* search_data;
    size_t search_data_size;
} frc_block;

/// Is there a certificate that no pair of features below this reference is a contact?
static inline bool frc_block_skips(const frc_block* block, frc_boxes boxes, uint32_t ref) {
    if (!block->skip) return false;
    uint32_t n = ref & FRC_REF_LEAF ? block->node_count + (ref & ~FRC_REF_LEAF) : ref;
    return block->skip[n] >> boxes & 1;
}

/// Nodes to follow links in, which are equal in all trees of a block.
static inline const frc_node* frc_block_links(const frc_block* block) {
    return block->tree[block->tree[FRC_BOXES_END].nodes ? FRC_BOXES_END : FRC_BOXES_STEP].nodes;
}

/// The lowest common ancestor of two face slots, or FRC_CUT_LEAF when one leaf has both; for the
/// `cuts` of frc_build_options.
uint32_t frc_block_cut(const frc_block* block, uint32_t before, uint32_t after);

/// The features of a new block, by id. Unless `whole` is set they must not belong to a block.
typedef struct frc_block_input {
    const uint32_t *triangles, *edges, *points;
    size_t triangle_count, edge_count, point_count;
    const frc_low* lows;    // by point id
    uint32_t body, number;  // number of the block, written into the places
    bool free_elements;
    // The input has all triangles of the body: the block gets their edges and points, from any
    // other block, and these need not be listed.
    bool whole;
    bool opposites;  // compute opposite half-edges too, if memory suffices
    uint32_t modes;
    frc_build_options build;  // with `cuts`: triangles only, no edges or points may be listed
} frc_block_input;

/// Build a block; writes the places of its features. Edges and points that belong to no triangle of
/// the input become separate primitives. NULL: no memory; the features belong to no block then.
frc_block* frc_block_build(fracas_context* context, frc_topology* topology,
                           const frc_block_input* input);
/// Write the places of all features of a block: restores them when a build with `whole` has failed.
void frc_block_write_places(const frc_block* block, frc_topology* topology, uint32_t number);
void frc_block_destroy(fracas_context* context, frc_block* block);  // NULL is allowed

/// Empty the slot of a removed feature, or change the corners of a triangle; the leaf becomes
/// stale. Never fails: without memory to list the leaf the whole block becomes stale.
void frc_block_clear_face(fracas_context* context, frc_block* block, uint32_t slot);
void frc_block_clear_edge(fracas_context* context, frc_block* block, uint32_t slot);
void frc_block_clear_vertex(fracas_context* context, frc_block* block, uint32_t slot);
void frc_block_set_face(fracas_context* context, frc_block* block, uint32_t slot,
                        const uint32_t point[3]);

/// Allocate `stars`, whose entries the caller then writes, and quantized boxes: both speed up
/// self-collision leaf by leaf. False: no memory.
bool frc_block_allocate_stars(fracas_context* context, frc_block* block);
void frc_block_release_stars(fracas_context* context, frc_block* block);
/// Clear the certificates of leaves [begin, end).
void frc_block_reset_stars(frc_block* block, uint32_t begin, uint32_t end);
/// Mark the boxes of a leaf as out of date. Never fails: without memory the whole block is marked.
void frc_block_mark_stale(fracas_context* context, frc_block* block, uint32_t leaf);

/// Compute boxes from the positions of the points: all boxes, or those of stale leaves and of the
/// nodes above them. The list of stale leaves stays for culling.
void frc_block_refit(frc_block* block, const frc_lows* lows);
/// Clear the list of stale leaves: at the end of an update.
void frc_block_clear_stale(frc_block* block);
/// Are so many leaves stale that all are refitted?
bool frc_block_needs_full_refit(const frc_block* block);

/// Write the box of a node into its parent, from the boxes of its children.
void frc_tree_fit_node(frc_tree* tree, uint32_t node);

/// The planes of a leaf's triangles at the end of the step.
void frc_leaf_planes(const frc_block* block, const frc_leaf* leaf, const frc_point* points,
                     frc_tri4 out[FRC_LEAF_SIZE / 4]);

/// Fit the boxes of another tree of the same shape: for queries over a part of the step.
void frc_block_refit_into(const frc_block* block, const frc_lows* lows, frc_tree* tree, float lo[3],
                          float hi[3]);
bool frc_tree_allocate(fracas_context* context, const frc_block* block, frc_boxes boxes,
                       frc_tree* tree);
void frc_tree_release(fracas_context* context, const frc_block* block, frc_tree* tree);

// ---- half-edges (half_edges.c)

/// Compute `opposite`. False: no memory.
bool frc_half_edges_build(fracas_context* context, const frc_topology* topology, frc_block* block);
/// Find the opposites of the half-edges in `unpaired`. False: no memory, they stay listed.
bool frc_half_edges_update(fracas_context* context, const frc_topology* topology, frc_block* block);
/// Call before a face is removed or gets other corners: its half-edges lose their opposites. Never
/// fails.
void frc_half_edges_remove_face(frc_block* block, uint32_t slot);
void frc_half_edges_change_face(fracas_context* context, frc_block* block, uint32_t slot,
                                const uint32_t point[3]);
const char* frc_half_edges_check(const frc_block* block);

static inline size_t frc_half_edges_size(const frc_block* block) {
    size_t halves = 3 * (size_t)block->face_slots;
    return (halves ? halves : 1) * sizeof(uint32_t);
}

/// Release half-edges and `skip`: must be called when slots or nodes are rearranged. The next
/// update culls the block from scratch.
void frc_block_release_cull(fracas_context* context, frc_block* block);

/// Slow check of every invariant, for tests and debug builds: NULL when all hold, else a message.
const char* frc_block_validate(const frc_block* block, const frc_topology* topology,
                               uint32_t number);

/// The position of a point, rounded down.
frc_low frc_low_of(const frc_point* point);
