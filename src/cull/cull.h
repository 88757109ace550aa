/// @file cull.h  Which parts of a tree cannot collide with themselves.
///
/// The self pairs of a node are most of the work of a traversal, and on smooth surfaces nearly all
/// of them are neighbours that cannot touch. This room marks nodes within which no pair counts, in
/// frc_block.skip; the traversal leaves their self pairs out. A criterion decides; docs/cull.md has
/// the theory, and which criteria are sound.
#pragma once
#include "bvh/block.h"

typedef struct frc_cull_counts {
    uint64_t tried, certified;  ///< nodes and leaves looked at; those with a certificate
    uint64_t faces;             ///< triangles in the certified ones, for all kinds of boxes
} frc_cull_counts;

/// What is kept from update to update, and between the two halves of one: memory of the workers,
/// and what is noted of blocks. Zero bytes are an empty one.
typedef struct frc_cull_room {
    struct frc_looker* lookers;
    FRC_ARRAY(uint8_t) notes;
} frc_cull_room;
void frc_cull_room_release(fracas_context* context, frc_cull_room* room);

typedef struct frc_cull_job {
    fracas_context* context;
    const frc_topology* topology;
    const struct frc_cull_criterion* criterion;  ///< NULL: nothing is culled
    frc_block* const* blocks;
    uint32_t count;
    frc_cull_room* room;
    // ---- the second half only
    const frc_low* lows;      ///< of points, or NULL
    frc_cull_counts* counts;  ///< added to
} frc_cull_job;

/// How it is decided whether the self pairs of a node can be left out. A criterion sees the nodes
/// of an update one by one, from the root down to the first that it accepts.
struct frc_cull_scratch;
typedef struct frc_cull_criterion {
    uint32_t least_faces[FRC_BOXES_COUNT];  ///< smaller nodes are not tested
    /// What holds for a node holds for every part of it, and until something in it moves: failed
    /// nodes are tested again after a wait, and nodes without an edit or motion are not.
    bool lasts;
    /// Or NULL: prepare data for the blocks of a job; `*out` goes to `release` in any case. False:
    /// no memory.
    bool (*prepare)(const frc_cull_job* job, void** out);
    void (*release)(const frc_cull_job* job, void* data);
    /// Can the self pairs of `ref` in block number `block` of the job be left out? False also when
    /// there is no memory, which the scratch then has noted.
    bool (*accepts)(const frc_cull_job* job, void* data, uint32_t block, frc_boxes boxes,
                    uint32_t ref, struct frc_cull_scratch* scratch);
} frc_cull_criterion;

/// The default: certificates (certify.c). Sound.
extern const frc_cull_criterion frc_cull_certificate;

/// One update has two halves. The first comes after edits and before boxes are refitted: it makes
/// the notebooks of new blocks and takes down which leaves are stale. The second comes when boxes
/// fit; what has been built anew in between was told to frc_cull_rebuilt.
/// False: no memory; then the blocks are left without marks, which is always right.
bool frc_cull_begin(const frc_cull_job* job);
bool frc_cull_run(const frc_cull_job* job);

/// The tree below `node` was built anew in its place, from the same features: nodes
/// [node, node_end) and leaves [leaf, leaf_end) are others. What was known about them is forgotten;
/// what is above them still holds. Costs what was built, and a byte or so for each node. Twins must
/// have been moved (frc_block_begin_move).
void frc_cull_rebuilt(frc_block* block, uint32_t node, uint32_t node_end, uint32_t leaf,
                      uint32_t leaf_end);

/// How many triangles of a block stand below marks. Costs what is above them.
uint32_t frc_cull_covered(const frc_block* block, frc_boxes boxes);

/// For tests: is there a certificate for what is below `ref`? No notebook is kept or asked, no node
/// is too small. Needs twins.
bool frc_cull_certify(fracas_context* context, const frc_topology* topology, const frc_low* lows,
                      frc_block* block, frc_boxes boxes, uint32_t ref);
