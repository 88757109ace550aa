/// @file published.h  The methods of published systems, for comparison with the defaults of Fracas.
///
/// A scene created here is an ordinary fracas_scene. It differs in how pairs are found, what is
/// culled and when trees are rebuilt. fracas.h does not include this header. docs/fastcd.md,
/// docs/pccd.md, docs/tets.md and docs/cull.md say which paper each method is from.
#pragma once
#include "fracas/published_tets.h"
#include "fracas/scene.h"

/// How a tree is built. The contacts are the same with each.
typedef enum fracas_published_builder {
    FRACAS_PUBLISHED_BUILDER_SAH = 0,
    FRACAS_PUBLISHED_BUILDER_MEDIAN = 1,
    /// A counting sort of triangle centres into a grid gives several levels of the tree at once.
    FRACAS_PUBLISHED_BUILDER_GRID = 2
} fracas_published_builder;

/// When the trees of deforming bodies are rebuilt. The contacts are the same with each.
typedef enum fracas_published_restructure {
    /// Default: bodies that have lost more time than a rebuild takes (after FASTCD).
    FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE = 0,
    /// Never: boxes are refitted.
    FRACAS_PUBLISHED_RESTRUCTURE_NONE = 1,
    /// Every body that has changed, in each update.
    FRACAS_PUBLISHED_RESTRUCTURE_ALWAYS = 2,
    /// All bodies, in each update after a split or a merge (T-CCD).
    FRACAS_PUBLISHED_RESTRUCTURE_RESTART = 3,
    /// Subtrees, also of the tree over bodies, by the query that finds them degraded (PCCD): see
    /// fracas_published_scene_detect_lazy. Only with cull = NONE, modes = FRACAS_MODE_CONTINUOUS,
    /// broad = TREE and a PCCD scheduler.
    FRACAS_PUBLISHED_RESTRUCTURE_LAZY = 4,
    /// Subtrees, from the root down, as FASTCD describes it: where a rebuild gains more in one
    /// query
    /// than it costs, and costs at most restructure_share of the queries since the last update.
    /// With
    /// the LM metric: where it has fallen below 0.9 of its value after the last rebuild (HPCCD).
    FRACAS_PUBLISHED_RESTRUCTURE_SUBTREES = 5,
    /// All bodies, in an update after a split or a merge; in all others as SUBTREES (T-CCD).
    FRACAS_PUBLISHED_RESTRUCTURE_RESTART_SUBTREES = 6
} fracas_published_restructure;

/// How FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE and ..._SUBTREES measure a tree.
typedef enum fracas_published_metric {
    /// Traversal cost relative to that after the last build (FASTCD). SUBTREES uses the formula of
    /// the paper, which leaves out what is culled; SELECTIVE counts overlaps of boxes.
    FRACAS_PUBLISHED_METRIC_TC = 0,
    /// Volume of a node relative to the sum of its children's (Larsson and Akenine-Möller 2006).
    FRACAS_PUBLISHED_METRIC_LM = 1
} fracas_published_metric;

/// Which parts of a body are left out of its self-collision. Contacts are the same with CERTIFICATE
/// and NONE; the others are UNSOUND: they miss contacts (docs/cull.md).
typedef enum fracas_published_cull {
    /// Default: the projected contour is simple.
    FRACAS_PUBLISHED_CULL_CERTIFICATE = 0,
    /// Nothing is left out.
    FRACAS_PUBLISHED_CULL_NONE = 1,
    /// Normals lie in a cone (Provot; T-CCD\CCT).
    FRACAS_PUBLISHED_CULL_NORMAL_CONE = 2,
    /// Normals lie in a cone, and the mesh boundary is simple.
    FRACAS_PUBLISHED_CULL_NORMAL_CONE_BOUNDARY = 3,
    /// Normals lie in a cone, and the contour is simple (T-CCD).
    FRACAS_PUBLISHED_CULL_NORMAL_CONE_CONTOUR = 4,
    /// Cones of normals and binormals (FASTCD).
    FRACAS_PUBLISHED_CULL_DUAL_CONE = 5,
    /// The same condition, tested with SIMD and on a front that is kept between updates.
    FRACAS_PUBLISHED_CULL_DUAL_CONE_FRONT = 6
} fracas_published_cull;

/// How pairs that may touch are found. The contacts are the same with each.
typedef enum fracas_published_broad {
    /// Trees of boxes, kept from frame to frame.
    FRACAS_PUBLISHED_BROAD_TREE = 0,
    /// Spatial hashing of triangles (Teschner et al.; the S-Hash that FASTCD is compared with).
    /// Each query fills its own hash grid. There are no trees: builders, restructuring, culling and
    /// the scheduler have no effect.
    FRACAS_PUBLISHED_BROAD_HASH = 1
} fracas_published_broad;

/// How the work of a query is distributed to workers. The contacts are the same with each.
typedef enum fracas_published_scheduler {
    /// Default: busy workers publish pairs of nodes.
    FRACAS_PUBLISHED_SCHEDULER_WORK_SHARING = 0,
    /// PCCD: the self-collision of a node is a task. An idle worker requests a node from the worker
    /// that would give it the largest one, requests of other workers considered.
    FRACAS_PUBLISHED_SCHEDULER_PCCD = 1,
    /// PCCD's first method to divide one task near the root: pairs without a common node run in
    /// rounds, without locks.
    FRACAS_PUBLISHED_SCHEDULER_PCCD_DISJOINT = 2,
    /// PCCD in which idle workers compare the first nodes of queues, whatever is requested already.
    FRACAS_PUBLISHED_SCHEDULER_PCCD_FRONT = 3
} fracas_published_scheduler;

/// Filters of a continuous query before the exact test. The contacts are the same with each.
typedef enum fracas_published_filter {
    /// Default.
    FRACAS_PUBLISHED_FILTER_ALL = 0,
    /// The signs of the coefficients of the cubic.
    FRACAS_PUBLISHED_FILTER_NON_PENETRATION = 1,
    FRACAS_PUBLISHED_FILTER_NONE = 2
} fracas_published_filter;

/// Start from fracas_published_scene_default_options(), which are the defaults of Fracas; a NULL
/// pointer means exactly that.
typedef struct fracas_published_scene_options {
    /// Filled in by fracas_published_scene_default_options; detects uninitialised options.
    uint32_t struct_size;
    /// `quality` is ignored: builder and rebuild replace it.
    fracas_scene_options scene;
    /// First tree of a body; default SAH.
    fracas_published_builder builder;
    /// All later trees; default grid.
    fracas_published_builder rebuild;
    /// The tree of a part that breaks off keeps the leaf order of the old tree; otherwise it is
    /// built by `rebuild`. Default true.
    bool inherit;
    /// Of the grid builder: 2^grid_levels cells along an axis.
    uint32_t grid_levels;
    /// Of the grid builder: smaller ranges are split at the median. At least 1.
    uint32_t grid_stop;
    /// Of the grid builder: cells are halved along x, y and z in turn, as in the paper; otherwise
    /// along their longest axis. Default false.
    bool grid_in_turn;
    fracas_published_restructure restructure;
    fracas_published_metric metric;
    /// Limit of the cost of rebuilding subtrees, as a fraction of the cost of the queries since the
    /// last update; default 0.25.
    double restructure_share;
    fracas_published_cull cull;
    fracas_published_broad broad;
    /// Of FRACAS_PUBLISHED_BROAD_HASH. 0: chosen from the boxes.
    double cell_size;
    fracas_published_scheduler scheduler;
} fracas_published_scene_options;

FRACAS_API fracas_published_scene_options fracas_published_scene_default_options(void);

/// As fracas_scene_create.
FRACAS_API fracas_status fracas_published_scene_create(
    fracas_context* context, const fracas_published_scene_options* options, fracas_scene** out);

/// Start from fracas_published_scene_default_query(); a NULL pointer means exactly that.
typedef struct fracas_published_query {
    /// Filled in by fracas_published_scene_default_query; detects an uninitialised query.
    uint32_t struct_size;
    fracas_query query;
    /// Continuous queries without min_separation.
    fracas_published_filter filter;
    /// Ignore the results of culling.
    bool no_cull;
} fracas_published_query;

FRACAS_API fracas_published_query fracas_published_scene_default_query(void);

/// Work of a PCCD scheduler in one query; zero with every other.
typedef struct fracas_published_statistics {
    /// Wall-clock milliseconds of the tasks of low-level nodes.
    double ms_low;
    /// Wall-clock milliseconds of the tasks of high-level nodes, which run after them.
    double ms_high;
    /// Requests of idle workers for a node of another worker.
    uint64_t requests;
    /// Requests without success.
    uint64_t refusals;
    /// Nodes that a query locked to check them for a rebuild.
    uint64_t locks;
    /// Subtrees that fracas_published_scene_detect_lazy rebuilt: of the trees of bodies, and of the
    /// tree over bodies.
    uint64_t rebuilt, rebuilt_top;
    /// Nodes assigned to workers at the start, and the tasks of these and of all nodes below them.
    uint64_t low_nodes, low_tasks;
    /// Nodes above, the pairs of nodes into which their tasks are divided, and the rounds of pairs,
    /// which run one after the other.
    uint64_t high_nodes, high_pairs, high_rounds;
    /// Zero; reserved for later versions.
    uint64_t reserved[4];
} fracas_published_statistics;

/// As fracas_scene_detect, of any scene. `statistics` may be NULL.
FRACAS_API fracas_status fracas_published_scene_detect(const fracas_scene* scene,
                                                       const fracas_published_query* query,
                                                       const fracas_sink* sink,
                                                       fracas_published_statistics* statistics);

/// The same, and rebuilds the degraded subtrees that it visits. The scene must have been created
/// with FRACAS_PUBLISHED_RESTRUCTURE_LAZY; all other queries use its trees without rebuilding them.
FRACAS_API fracas_status fracas_published_scene_detect_lazy(
    fracas_scene* scene, const fracas_published_query* query, const fracas_sink* sink,
    fracas_published_statistics* statistics);
