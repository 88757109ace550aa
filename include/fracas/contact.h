/// @file contact.h  Queries of a scene and the contacts that they report.
#pragma once
#include "fracas/base.h"

/// No index.
#define FRACAS_NONE UINT32_MAX

/// Handle of a body. All zero: no body. The handle of a removed body is detected and rejected.
typedef struct fracas_body {
    uint32_t index, generation;
} fracas_body;

/// Bits of `modes` in fracas_scene_options and fracas_query.
typedef enum fracas_mode {
    /// Intersections at t = 1.
    FRACAS_MODE_DISCRETE = 1,
    /// Collisions from t = 0 to t = 1.
    FRACAS_MODE_CONTINUOUS = 2,
    FRACAS_MODE_BOTH = 3
} fracas_mode;

/// Kinds of contact, in the order in which they are reported.
typedef enum fracas_contact_kind {
    /// Discrete: two triangles intersect at t = 1.
    FRACAS_CONTACT_TT = 0,
    /// Discrete: a free edge and a triangle intersect at t = 1.
    FRACAS_CONTACT_ET = 1,
    /// Continuous: a vertex and a triangle collide.
    FRACAS_CONTACT_VF = 2,
    /// Continuous: two edges collide.
    FRACAS_CONTACT_EE = 3,
    /// Continuous: a free point and a free edge collide.
    FRACAS_CONTACT_VE = 4,
    /// Continuous: two free points collide.
    FRACAS_CONTACT_VV = 5
} fracas_contact_kind;

/// Which parts of two features are closest to each other: the smallest parts of both that hold the
/// closest points.
typedef enum fracas_closest_type {
    /// No distance was computed.
    FRACAS_CLOSEST_NONE = 0,
    FRACAS_CLOSEST_POINT_POINT = 1,
    FRACAS_CLOSEST_POINT_EDGE = 2,
    FRACAS_CLOSEST_POINT_FACE = 3,
    FRACAS_CLOSEST_EDGE_EDGE = 4,
    /// Two edges side by side, parallel to within an angle of 2^-30: all points of the common part
    /// are equally close, and one pair of them is reported. The distance has no continuous
    /// gradient there.
    FRACAS_CLOSEST_PARALLEL_EDGES = 5
} fracas_closest_type;

/// One contact. Indices are those of the caller. Pairs of features of the same kind are reported
/// once, the smaller (body, index) first.
///   TT: a[0], b[0] triangles         ET: a[0], a[1] vertices of the edge, b[0] triangle
///   VF: a[0] vertex, b[0] triangle   EE: a[0] < a[1] and b[0] < b[1], vertices of the edges
///   VE: a[0] point, b[0] < b[1]      VV: a[0], b[0] points
/// Unused entries are FRACAS_NONE.
typedef struct fracas_contact {
    fracas_contact_kind kind;
    fracas_body body_a, body_b;
    uint32_t a[2], b[2];
    /// Continuous: never later than the true first time, at most the tolerance earlier.
    double toi;
    /// VF: the point is (1-u-v) c0 + u c1 + v c2. EE: positions along edges a and b.
    double u, v;
    /// Unit vector from b to a; zero where none is defined.
    double normal[3];
    /// fracas_scene_nearby: distance of the closest points. Otherwise 0.
    double distance;
    /// fracas_scene_nearby: which parts of the features are closest. Otherwise FRACAS_CLOSEST_NONE.
    fracas_closest_type closest;
    /// Zero; reserved for later versions.
    uint32_t reserved[3];
} fracas_contact;

/// Which pairs with siblings are reported. Siblings are vertices that a split made from one parent;
/// they coincide when the crack opens.
typedef enum fracas_siblings {
    /// Omit pairs that touch only at siblings which still coincide at t = 0.
    FRACAS_SIBLINGS_UNTIL_SEPARATED = 0,
    /// Report all pairs.
    FRACAS_SIBLINGS_REPORT = 1,
    /// Omit every pair that has siblings.
    FRACAS_SIBLINGS_IGNORE = 2
} fracas_siblings;

/// Start from fracas_scene_default_query(); a NULL pointer means exactly that.
typedef struct fracas_query {
    /// Filled in by fracas_scene_default_query; detects an uninitialised query.
    uint32_t struct_size;
    /// Bits of fracas_mode; default FRACAS_MODE_CONTINUOUS.
    uint32_t modes;
    /// Report only the earliest contact; of several at that time, or of discrete contacts, the
    /// first in the order of reports.
    bool first;
    fracas_siblings siblings;
    /// How early a time of impact may be, as a fraction of the step; above 0, at most 1. Default
    /// 1e-6.
    double tolerance;
    /// Continuous: report pairs that come within this distance (default 0: that touch). Contains
    /// all pairs with distance <= d and none with distance > d (1 + 2^-20).
    double min_separation;
    /// Continuous: report only contacts up to this time, above 0; default 1. A contact at exactly
    /// this time counts.
    double t_max;
    /// The largest number of contacts to report, 0 (default): all. Which ones does not depend on
    /// the number of threads: the first in the order of fracas_scene_stream with its default block;
    /// of kept candidates and on a device the first in the order of reports. When there are more,
    /// fracas_statistics.limit_reached is 1. Ignored with `first`. A scene of published.h refuses.
    uint64_t max_contacts;
} fracas_query;

FRACAS_API fracas_query fracas_scene_default_query(void);

/// Work of one query. Times are wall-clock milliseconds.
typedef struct fracas_statistics {
    /// By fracas_contact_kind.
    uint64_t contacts[6];
    uint64_t siblings_left_out;
    /// Tests of one box against four.
    uint64_t box_pairs;
    uint64_t tt_candidates, vf_candidates, ee_candidates;
    /// Continuous: candidates that the filters rejected.
    uint64_t filtered;
    /// Candidates that needed exact arithmetic.
    uint64_t exact;
    /// INFINITY when there is no continuous contact.
    double earliest_toi;
    double ms_traverse, ms_narrow, ms_total;
    /// Part of ms_total.
    double ms_sort;
    /// Part of ms_traverse: idle time of a worker, on average.
    double ms_idle;
    /// Contacts that the filter of the scene has left out.
    uint64_t left_out;
    /// 1: there are more contacts than fracas_query.max_contacts; those were not counted.
    uint64_t limit_reached;
    /// Zero; reserved for later versions.
    uint64_t reserved[6];
} fracas_statistics;

/// Called on the calling thread, in the order of the contacts. Return false to stop.
typedef bool fracas_contact_fn(const fracas_contact* contact, void* user);

/// Receiver of contacts.
typedef struct fracas_sink {
    /// NULL: count only.
    fracas_contact_fn* report;
    void* user;
    /// NULL or overwritten on success.
    fracas_statistics* statistics;
} fracas_sink;

/// A growing list of contacts that the caller keeps and reuses. It never drops a contact.
typedef struct fracas_contacts fracas_contacts;

/// On any error `*out` is NULL.
FRACAS_API fracas_status fracas_contacts_create(fracas_context* context, fracas_contacts** out);
/// NULL is allowed.
FRACAS_API void fracas_contacts_destroy(fracas_contacts* contacts);
/// Clear the list and return a sink that fills it. All zero for a NULL list.
FRACAS_API fracas_sink fracas_contacts_get_sink(fracas_contacts* contacts);
/// The contacts of the last query, valid until the next one or fracas_contacts_get_sink. `count`
/// may be NULL. NULL and 0 for a NULL list.
FRACAS_API const fracas_contact* fracas_contacts_get_data(const fracas_contacts* contacts,
                                                          size_t* count);
/// Statistics of the last query. NULL for a NULL list.
FRACAS_API const fracas_statistics* fracas_contacts_get_statistics(const fracas_contacts* contacts);
