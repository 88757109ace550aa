/// @file cull.h  Self-collision culling: find nodes whose triangles cannot touch each other.
///
/// Self pairs of nodes are most of the work of a traversal, and on smooth surfaces nearly all of
/// them are neighbours that cannot touch. frc_cull_update marks nodes without a self-contact in
/// frc_block.skip; the traversal skips their self pairs.
///
/// To add a criterion: write a file that defines one `const frc_cull_criterion`, with `accepts` and
/// the other fields that it needs, and select it by frc_scene_settings.cull. The default is
/// frc_cull_certificate (certify.c); src/published/cone_criteria.c has four more, from papers.
/// docs/cull.md has the theory and says which criteria are sound.
#pragma once
#include "block/block.h"

typedef struct frc_cull_counts {
    uint64_t tried, certified;  ///< nodes and leaves tested; those accepted
    uint64_t faces;             ///< triangles in accepted ones, summed over kinds of boxes
} frc_cull_counts;

/// The state of culling: one entry per block number, and scratch memory per worker. It persists
/// between updates and is owned by the scene. Zero-initialised: empty.
typedef struct frc_cull_states {
    FRC_ARRAY(struct frc_cull_state*) of;  // by block number; NULL: none
    struct frc_cull_worker* workers;
} frc_cull_states;
void frc_cull_states_release(fracas_context* context, frc_cull_states* states);

typedef struct frc_cull_job {
    fracas_context* context;
    const frc_topology* topology;
    const struct frc_cull_criterion* criterion;  ///< NULL: nothing is culled
    frc_block* const* blocks;                    ///< with stale leaves, boxes refitted
    const uint32_t* numbers;                     ///< of these blocks
    uint32_t count;
    frc_cull_states* states;
    const frc_low* lows;      ///< points rounded down to floats, or NULL
    frc_cull_counts* counts;  ///< added to
} frc_cull_job;

struct frc_cull_scratch;

/// Decides whether the self pairs of a node can be skipped. An update calls `accepts` for nodes of
/// the job's blocks, from the root down to the first node that is accepted.
typedef struct frc_cull_criterion {
    uint32_t least_faces[FRC_BOXES_COUNT];  ///< smaller nodes are not tested
    /// A node that is accepted has only acceptable descendants, and stays acceptable until a point
    /// or triangle below it changes. Then rejected nodes are tested again after a back-off, and
    /// nodes without changes are not tested.
    bool hereditary;
    /// Prepare data for all blocks of a job; NULL: not needed. `*out` is passed to `release` in any
    /// case. False: no memory.
    bool (*prepare)(const frc_cull_job* job, void** out);
    void (*release)(const frc_cull_job* job, void* data);
    /// Can the self pairs of `ref` in job->blocks[block] be skipped? Called by several workers at
    /// once. False also when there is no memory, then scratch->out_of_memory is set.
    bool (*accepts)(const frc_cull_job* job, void* data, uint32_t block, frc_boxes boxes,
                    uint32_t ref, struct frc_cull_scratch* scratch);
} frc_cull_criterion;

/// The default: certificates (certify.c). Sound.
extern const frc_cull_criterion frc_cull_certificate;

/// Update the marks of all blocks of the job. Called after boxes are refitted and before the lists
/// of stale leaves are cleared: these lists say what changed. False: no memory; then the blocks
/// have no marks, which is always correct.
bool frc_cull_update(const frc_cull_job* job);

/// Release the marks and the state of a block. The next update that lists it culls it from scratch.
void frc_cull_release_block(fracas_context* context, frc_cull_states* states, frc_block* block,
                            uint32_t number);

/// The state of a block with marks, else NULL.
struct frc_cull_state* frc_cull_state_find(const frc_cull_states* states, const frc_block* block,
                                           uint32_t number);

/// Number of triangles of a block below marked nodes.
uint32_t frc_cull_covered(const frc_cull_states* states, const frc_block* block, uint32_t number,
                          frc_boxes boxes);

/// For tests: does `ref` have a certificate? Ignores marks, back-off and least_faces.
bool frc_cull_certify(fracas_context* context, const frc_topology* topology, const frc_low* lows,
                      struct frc_cull_state* state, frc_boxes boxes, uint32_t ref);
