/// @file published.h  The methods of published systems, to be compared with the defaults of Fracas.
///
/// A scene made here is an ordinary fracas_scene. It differs in how pairs are found, what is culled
/// and when trees are rebuilt. fracas.h does not include this header. docs/fastcd.md,
/// docs/parallel.md and docs/cull.md say which paper each method is from.
#pragma once
#include "fracas/published_tets.h"
#include "fracas/scene.h"

/// How a tree is built. The contacts are the same with each.
typedef enum fracas_published_builder {
    FRACAS_PUBLISHED_BUILDER_SAH = 0,
    FRACAS_PUBLISHED_BUILDER_MEDIAN = 1,
    FRACAS_PUBLISHED_BUILDER_GRID = 2  ///< several levels at once by counting
} fracas_published_builder;

/// When the trees of deforming bodies are rebuilt. The contacts are the same with each.
typedef enum fracas_published_restructure {
    /// Default: subtrees whose cost has grown, where the rebuild pays (FASTCD).
    FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE = 0,
    /// Never: boxes are refitted.
    FRACAS_PUBLISHED_RESTRUCTURE_NONE = 1,
    /// Every body that has changed, in each update.
    FRACAS_PUBLISHED_RESTRUCTURE_ALWAYS = 2,
    /// All bodies, in each update after a split or a merge (T-CCD).
    FRACAS_PUBLISHED_RESTRUCTURE_RESTART = 3,
    /// Subtrees, by the query that finds them degraded (PCCD): see
    /// fracas_published_scene_detect_lazy. Only with cull = NONE, modes = FRACAS_MODE_CONTINUOUS
    /// and a
    /// PCCD scheduler.
    FRACAS_PUBLISHED_RESTRUCTURE_LAZY = 4
} fracas_published_restructure;

/// How FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE measures a subtree.
typedef enum fracas_published_metric {
    FRACAS_PUBLISHED_METRIC_TC = 0,  ///< traversal cost, against that after the last build (FASTCD)
    FRACAS_PUBLISHED_METRIC_LM = 1   ///< volume of a node over the sum of its children's (LM 2006)
} fracas_published_metric;

/// Which parts of a body are left out of its self-collision. Contacts are the same with CERTIFICATE
/// and NONE; the others are UNSOUND: they miss contacts (docs/cull.md).
typedef enum fracas_published_cull {
    FRACAS_PUBLISHED_CULL_CERTIFICATE = 0,           ///< default: the projected contour is simple
    FRACAS_PUBLISHED_CULL_NONE = 1,                  ///< nothing is left out
    FRACAS_PUBLISHED_CULL_NORMAL_CONE = 2,           ///< normals within a cone (Provot; T-CCD\CCT)
    FRACAS_PUBLISHED_CULL_NORMAL_CONE_BOUNDARY = 3,  ///< and the mesh boundary is simple
    FRACAS_PUBLISHED_CULL_NORMAL_CONE_CONTOUR = 4,   ///< and the contour is simple (T-CCD)
    FRACAS_PUBLISHED_CULL_DUAL_CONE = 5              ///< cones of normals and binormals (FASTCD)
} fracas_published_cull;

/// How pairs that may touch are found. The contacts are the same with each.
typedef enum fracas_published_broad {
    FRACAS_PUBLISHED_BROAD_TREE = 0,  ///< trees of boxes, kept from frame to frame
    /// Spatial hashing of triangles (Teschner et al.; the S-Hash that FASTCD is compared with).
    /// Each query fills its own hash grid. There are no trees: builders, restructuring, culling and
    /// the scheduler make no difference.
    FRACAS_PUBLISHED_BROAD_HASH = 1
} fracas_published_broad;

/// How the work of a query is distributed to workers. The contacts are the same with each.
typedef enum fracas_published_scheduler {
    FRACAS_PUBLISHED_SCHEDULER_WORK_SHARING = 0,  ///< default: busy workers publish pairs of nodes
    FRACAS_PUBLISHED_SCHEDULER_PCCD = 1,          ///< PCCD: the self-collision of a node is a task
    /// PCCD's first way to share one task near the root: pairs without a common node run in rounds,
    /// without locks.
    FRACAS_PUBLISHED_SCHEDULER_PCCD_DISJOINT = 2
} fracas_published_scheduler;

/// What candidates of a continuous query pass before the exact test. The contacts are the same with
/// each.
typedef enum fracas_published_filter {
    FRACAS_PUBLISHED_FILTER_ALL = 0,              ///< default
    FRACAS_PUBLISHED_FILTER_NON_PENETRATION = 1,  ///< the signs of the coefficients of the cubic
    FRACAS_PUBLISHED_FILTER_NONE = 2
} fracas_published_filter;

/// Start from fracas_published_scene_default_options(), which are the defaults of Fracas; a NULL
/// pointer means exactly that.
typedef struct fracas_published_scene_options {
    uint32_t struct_size;
    fracas_scene_options scene;        ///< `quality` is ignored: builder and rebuild replace it
    fracas_published_builder builder;  ///< of bodies that are added; default SAH
    fracas_published_builder rebuild;  ///< of every later build; default grid
    bool inherit;                      ///< a part that breaks off is built from the order of the
                                       ///< tree it was in, instead of by `rebuild`; default true
    uint32_t grid_levels;              ///< of the grid builder: 2^grid_levels cells along an axis
    uint32_t grid_stop;                ///< smaller ranges are halved at the median, at least 1
    fracas_published_restructure restructure;
    fracas_published_metric metric;
    double restructure_share;  ///< subtrees are rebuilt for at most this share of the cost
                               ///< of the queries since the last update; default 0.25
    fracas_published_cull cull;
    fracas_published_broad broad;
    double cell_size;  ///< of FRACAS_PUBLISHED_BROAD_HASH; 0: from the boxes
    fracas_published_scheduler scheduler;
} fracas_published_scene_options;

FRACAS_API fracas_published_scene_options fracas_published_scene_default_options(void);

/// As fracas_scene_create.
FRACAS_API fracas_status fracas_published_scene_create(
    fracas_context* context, const fracas_published_scene_options* options, fracas_scene** out);

/// Start from fracas_published_scene_default_query(); a NULL pointer means exactly that.
typedef struct fracas_published_query {
    uint32_t struct_size;
    fracas_query query;
    fracas_published_filter filter;  ///< continuous, without min_separation
    bool no_cull;                    ///< test everything, whatever culling has left out
} fracas_published_query;

FRACAS_API fracas_published_query fracas_published_scene_default_query(void);

/// What a PCCD scheduler did in one query; zero with every other.
typedef struct fracas_published_statistics {
    double ms_low;      ///< tasks of the low-level nodes, on all workers at the same time
    double ms_high;     ///< then tasks of the high-level nodes
    uint64_t requests;  ///< of idle workers for a node of another worker
    uint64_t refusals;  ///< requests that got none
    uint64_t locks;     ///< nodes that were locked
    uint64_t rebuilt;   ///< subtrees that fracas_published_scene_detect_lazy rebuilt
} fracas_published_statistics;

/// As fracas_scene_detect, of any scene. `statistics` may be NULL.
FRACAS_API fracas_status fracas_published_scene_detect(const fracas_scene* scene,
                                                       const fracas_published_query* query,
                                                       const fracas_sink* sink,
                                                       fracas_published_statistics* statistics);

/// The same, and rebuilds the degraded subtrees that it comes to. The scene must have been made
/// with FRACAS_PUBLISHED_RESTRUCTURE_LAZY; all other queries use its trees as they are.
FRACAS_API fracas_status fracas_published_scene_detect_lazy(
    fracas_scene* scene, const fracas_published_query* query, const fracas_sink* sink,
    fracas_published_statistics* statistics);
