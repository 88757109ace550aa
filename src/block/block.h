/// @file block.h  A tree over some of the triangles, edges and points of one body.
///
/// A body has one block after it was added; what edits add goes into further blocks, what they
/// remove leaves an empty slot. A leaf holds a few triangles and the edges and points that no
/// earlier leaf holds: every feature stands in exactly one slot of one block, so every pair is met
/// once.
#pragma once
#include "bvh/metric.h"
#include "bvh/tree.h"
#include "geom/tri_plane_filter.h"
#include "mesh/topology.h"

enum { FRC_LEAF_SIZE = 8 };  // primitives; measured, see docs/bvh.md

/// Boxes for the discrete query are those of the end positions, for the continuous query of the
/// step.
/// (A step from one end to the other that is apart along an axis, in the same order at both ends,
/// is apart all along it: keeping both boxes of a feature tells much more than the box around
/// both.)
typedef enum frc_boxes { FRC_BOXES_END = 0, FRC_BOXES_STEP = 1, FRC_BOXES_COUNT = 2 } frc_boxes;

/// A box in two registers; the fourth entries are not used.
typedef struct frc_box {
    float lo[4], hi[4];
} frc_box;

/// Where a point is at the start and at the end of the step: along each axis the largest float that
/// is not above it, and never -0. The next float up is not below it, so that one number is both
/// bounds; where the point is a float itself the upper one is not the tightest. Both ends lie side
/// by side, as who asks for one mostly asks for the other. The fourth entries are 0.
typedef struct frc_low {
    float at[2][4];
} frc_low;

/// The lows of all points by id. Upper bounds are the floats after those in `hi`: the same list as
/// `lo`, unless points are not known so well.
typedef struct frc_lows {
    const frc_low *lo, *hi;
} frc_lows;

/// Ranges in multiples of four slots: each leaf begins at a packet of its own.
typedef struct frc_leaf {
    uint32_t face, edge, vertex;  // first slots
    uint16_t face_count, edge_count, vertex_count;
    uint8_t loose;  // 1: holds edges or points of which it has no triangle; see src/cull
    uint32_t parent, lane;
} frc_leaf;

typedef struct frc_face_slot {
    uint32_t point[3], id;  // id FRACAS_NONE: empty
} frc_face_slot;
typedef struct frc_edge_slot {
    uint32_t point[2];  // point[0] FRACAS_NONE: empty
} frc_edge_slot;

#define FRC_STAR_OPEN 0x80000000u  // with an id: of this one nothing is known

/// Vertices by which pairs of triangles are told not to count: two triangles that have a vertex in
/// common here meet in nothing but what they share. Each is compared once, however many triangles
/// have it. A leaf of four pieces has at most sixteen; what there is no room for is compared like
/// others.
/// The bytes of ids stand apart: the lowest two tell almost always that vertices differ.
enum { FRC_LEAF_STARS = 16 };
typedef struct frc_leaf_star {
    uint16_t low[FRC_LEAF_STARS];
    uint8_t third[FRC_LEAF_STARS], fourth[FRC_LEAF_STARS];  // with FRC_STAR_OPEN: nothing is known
    uint8_t faces[FRC_LEAF_STARS];  // bit i: triangle i of the leaf has it; 0: none, nor after it
} frc_leaf_star;

static inline uint32_t frc_leaf_star_id(const frc_leaf_star* star, uint32_t i) {
    return star->low[i] | (uint32_t)star->third[i] << 16 | (uint32_t)star->fourth[i] << 24;
}
static inline void frc_leaf_star_set_id(frc_leaf_star* star, uint32_t i, uint32_t id) {
    star->low[i] = (uint16_t)id;
    star->third[i] = (uint8_t)(id >> 16);
    star->fourth[i] = (uint8_t)(id >> 24);
}

/// Boxes of up to eight triangles of a leaf, in whole numbers: see quantized_boxes.h.
typedef struct frc_quantized_boxes {
    uint16_t lo[3][8], hi[3][8];
} frc_quantized_boxes;

/// Boxes of everything in a block, for one kind of query.
typedef struct frc_tree {
    frc_node* nodes;
    uint32_t ends;  // 1: boxes at the end of the step; 2: at its start, and at its end
    // Nodes have the box of the whole step. With one end a packet for each four slots: of
    // triangles, and of free edges. With two the boxes of leaves at both, side by side; see
    // features.h.
    frc_box4 *face_box, *edge_box;
    frc_box* leaf_box;
    frc_quantized_boxes* cells;  // by leaf; NULL: none
    float scale;                 // of the cells
} frc_tree;

typedef struct frc_block {
    uint32_t body;
    bool free_elements;  // free edges and points, no triangles
    bool dead;           // nothing in it any more
    uint32_t node_count, leaf_count;
    uint32_t face_slots, edge_slots, vertex_slots;  // multiples of four
    uint32_t live;                                  // features that are there
    uint32_t built_live;                            // features when it was built
    frc_leaf* leaves;
    frc_face_slot* faces;
    frc_edge_slot* edges;
    uint32_t* vertices;                                      // point ids; FRACAS_NONE: empty
    uint32_t *leaf_of_face, *leaf_of_edge, *leaf_of_vertex;  // per four slots
    frc_leaf_star* stars;                                    // by leaf; NULL: nothing is known
    frc_tree tree[FRC_BOXES_COUNT];                          // nodes NULL: not prepared
    float lo[FRC_BOXES_COUNT][3], hi[FRC_BOXES_COUNT][3];
    FRC_ARRAY(uint32_t) stale;  // leaves to be refitted, each once
    uint8_t* marks;             // by leaf, 1: in that list; then by node, for refit.c
    bool all_stale;
    uint32_t* twin;                // by half-edge, see half_edges.c; NULL: not kept
    uint32_t twin_version;         // raised when a twin or an end of a half-edge changes
    FRC_ARRAY(uint32_t) unpaired;  // half-edges that changed
    // Written by src/cull, read by the traversal: bit b of skip[n] says that no self pair of node n
    // counts for boxes b; leaves follow the nodes. NULL: nothing is known.
    uint8_t* skip;
    void* search_data;  // of the scene's search method, freed with the block; or NULL
    size_t search_data_size;
} frc_block;

/// Is there a certificate that no pair of features below this reference counts?
static inline bool frc_block_skips(const frc_block* block, frc_boxes boxes, uint32_t ref) {
    if (!block->skip) return false;
    uint32_t n = ref & FRC_REF_LEAF ? block->node_count + (ref & ~FRC_REF_LEAF) : ref;
    return block->skip[n] >> boxes & 1;
}

/// Nodes for their links, which all trees of a block have in common.
static inline const frc_node* frc_block_links(const frc_block* block) {
    return block->tree[block->tree[FRC_BOXES_END].nodes ? FRC_BOXES_END : FRC_BOXES_STEP].nodes;
}

/// The lowest node above two face slots, or FRC_CUT_LEAF when one leaf has both; for the `cuts` of
/// frc_build_options.
uint32_t frc_block_cut(const frc_block* block, uint32_t before, uint32_t after);

/// Features by id that a block is to be built over. They must not stand in any block, or `whole` is
/// set.
typedef struct frc_block_input {
    const uint32_t *triangles, *edges, *points;
    size_t triangle_count, edge_count, point_count;
    const frc_low* lows;    // by point id
    uint32_t body, number;  // number: the block's own, written into the places
    bool free_elements;
    // The triangles are all of the body's: their edges and points need not be listed, and come
    // along from whatever block they stand in.
    bool whole;
    bool twins;  // find them on the way; what needs them finds them itself where they are missing
    uint32_t modes;
    frc_build_options build;  // with `cuts`: of triangles alone, no edges or points may be listed
} frc_block_input;

/// Build a block; writes the places of its features. Edges and points that belong to no triangle of
/// the input become primitives of their own. NULL: no memory; the features stand in no block then.
frc_block* frc_block_build(fracas_context* context, frc_topology* topology,
                           const frc_block_input* input);
/// Write the places of all features of a block: after `whole` has failed.
void frc_block_place(const frc_block* block, frc_topology* topology, uint32_t number);
void frc_block_destroy(fracas_context* context, frc_block* block);  // NULL is allowed

/// Empty a slot (its feature is gone) or change the corners of a triangle; the leaf becomes stale.
/// Where there is no memory to remember one leaf the whole block becomes stale: it never fails.
void frc_block_clear_face(fracas_context* context, frc_block* block, uint32_t slot);
void frc_block_clear_edge(fracas_context* context, frc_block* block, uint32_t slot);
void frc_block_clear_vertex(fracas_context* context, frc_block* block, uint32_t slot);
void frc_block_set_face(fracas_context* context, frc_block* block, uint32_t slot,
                        const uint32_t point[3]);

/// Room for `stars`, whose entries the caller then writes, and cells: where self-collision is
/// looked for leaf by leaf both pay. False: no memory.
bool frc_block_need_stars(fracas_context* context, frc_block* block);
void frc_block_drop_stars(fracas_context* context, frc_block* block);
/// Forget what is known of leaves [begin, end).
void frc_block_open_stars(frc_block* block, uint32_t begin, uint32_t end);
/// A leaf's boxes are out of date. Never fails: where there is no memory the whole block is.
void frc_block_mark_stale(fracas_context* context, frc_block* block, uint32_t leaf);

/// Bring boxes up to date with the boxes of the points (by point id, at the start and at the end of
/// the step; those at the start are needed for the continuous query only): all of them, or the
/// stale leaves and what is above them. The list of stale leaves is kept: culling reads it.
void frc_block_refit(frc_block* block, const frc_lows* lows);
/// Nothing is stale any more: at the end of an update.
void frc_block_clear_stale(frc_block* block);
/// Are so many of its leaves stale that all are refitted?
bool frc_block_is_stale_all_over(const frc_block* block);

/// One node's box into its parent, from its children's.
void frc_tree_fit_node(frc_tree* tree, uint32_t node);

/// The planes of a leaf's triangles at the end of the step.
void frc_leaf_planes(const frc_block* block, const frc_leaf* leaf, const frc_point* points,
                     frc_tri4 out[FRC_LEAF_SIZE / 4]);

/// One kind of boxes into another tree of the same shape: for queries over a part of the step.
void frc_block_refit_into(const frc_block* block, const frc_lows* lows, frc_tree* tree, float lo[3],
                          float hi[3]);
bool frc_tree_allocate(fracas_context* context, const frc_block* block, frc_boxes boxes,
                       frc_tree* tree);
void frc_tree_release(fracas_context* context, const frc_block* block, frc_tree* tree);

// ---- half-edges (half_edges.c)

/// Make `twin`. False: no memory.
bool frc_half_edges_build(fracas_context* context, const frc_topology* topology, frc_block* block);
/// Find the twins of half-edges that wait. False: no memory, they still wait.
bool frc_half_edges_update(fracas_context* context, const frc_topology* topology, frc_block* block);
/// A face goes, or gets other corners: its half-edges lose their twins. These never fail.
void frc_half_edges_remove_face(frc_block* block, uint32_t slot);
void frc_half_edges_change_face(fracas_context* context, frc_block* block, uint32_t slot,
                                const uint32_t point[3]);
const char* frc_half_edges_check(const frc_block* block);

static inline size_t frc_half_edges_size(const frc_block* block) {
    size_t halves = 3 * (size_t)block->face_slots;
    return (halves ? halves : 1) * sizeof(uint32_t);
}

/// Release half-edges and cull marks: must be called when slots or nodes are rearranged. The next
/// update culls the block from scratch.
void frc_block_forget_cull(fracas_context* context, frc_block* block);

/// Slow check of every invariant, for tests and debug builds: NULL when all is well, else what is
/// wrong.
const char* frc_block_validate(const frc_block* block, const frc_topology* topology,
                               uint32_t number);

frc_low frc_low_of(const frc_point* point);
