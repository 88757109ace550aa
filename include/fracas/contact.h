/// @file contact.h  What is asked for and what is reported.
#pragma once
#include "fracas/base.h"

#define FRACAS_NONE UINT32_MAX

/// A body of a scene. Zero is no body. A handle of a body that is gone is found out and refused.
typedef struct fracas_body {
    uint32_t index, generation;
} fracas_body;

enum { FRACAS_MODE_DISCRETE = 1, FRACAS_MODE_CONTINUOUS = 2, FRACAS_MODE_BOTH = 3 };

/// Kinds of contact, in the order in which they are reported.
typedef enum fracas_contact_kind {
    FRACAS_CONTACT_TT = 0,  ///< discrete: two triangles intersect at t = 1
    FRACAS_CONTACT_ET = 1,  ///< discrete: a free edge meets a triangle at t = 1
    FRACAS_CONTACT_VF = 2,  ///< continuous: a vertex meets a triangle
    FRACAS_CONTACT_EE = 3,  ///< continuous: two edges meet
    FRACAS_CONTACT_VE = 4,  ///< continuous: a free point meets a free edge
    FRACAS_CONTACT_VV = 5   ///< continuous: two free points meet
} fracas_contact_kind;

/// One contact. Indices are the caller's own. Pairs of equal kinds of features are reported once,
/// the smaller (body, index) first.
///   TT: a[0], b[0] triangles         ET: a[0], a[1] the edge's vertices, b[0] triangle
///   VF: a[0] vertex, b[0] triangle   EE: a[0] < a[1] and b[0] < b[1], the edges' vertices
///   VE: a[0] point, b[0] < b[1]      VV: a[0], b[0] points
/// Unused entries are FRACAS_NONE.
typedef struct fracas_contact {
    fracas_contact_kind kind;
    fracas_body body_a, body_b;
    uint32_t a[2], b[2];
    double
        toi;  ///< continuous: never later than the true first time, at most the tolerance earlier
    double u, v;  ///< VF: the point is (1-u-v) c0 + u c1 + v c2; EE: positions along edges a and b
    double normal[3];  ///< unit, from b to a; zero where none is defined
    double distance;   ///< nearby: of the closest points; else 0
} fracas_contact;

/// Pairs of siblings: vertices that a split made of one parent coincide when the crack is born.
typedef enum fracas_siblings {
    FRACAS_SIBLINGS_UNTIL_SEPARATED =
        0,  ///< leave out pairs that touch only at siblings still together at t = 0
    FRACAS_SIBLINGS_REPORT = 1,  ///< the plain exact set
    FRACAS_SIBLINGS_IGNORE = 2   ///< leave out every pair that has siblings
} fracas_siblings;

/// Start from fracas_scene_default_query(); a NULL pointer means exactly that.
typedef struct fracas_query {
    uint32_t struct_size;
    uint32_t modes;  ///< FRACAS_MODE_DISCRETE, FRACAS_MODE_CONTINUOUS (default) or both
    bool first;      ///< only the earliest contact (then the smallest); discrete: the smallest
    fracas_siblings siblings;
    double tolerance;  ///< how early a time may be, as a fraction of the step; default 1e-6
    /// Continuous: report pairs that come within this distance (default 0: that touch). Contains
    /// all pairs with distance <= d and none with distance > d (1 + 2^-20).
    double min_separation;
} fracas_query;

FRACAS_API fracas_query fracas_scene_default_query(void);

/// What a query did. Times are wall-clock milliseconds.
typedef struct fracas_statistics {
    uint64_t contacts[6];  ///< by kind
    uint64_t siblings_left_out;
    uint64_t box_pairs;  ///< tests of a box against four
    uint64_t tt_candidates, vf_candidates, ee_candidates;
    uint64_t filtered;    ///< continuous: candidates that the filters dropped
    uint64_t exact;       ///< candidates that needed exact arithmetic
    double earliest_toi;  ///< infinity when there is no continuous contact
    double ms_traverse, ms_narrow, ms_total;
    double ms_sort;  ///< of ms_total
    double ms_idle;  ///< of ms_traverse: how long a worker had nothing to do, on average
} fracas_statistics;

/// Where contacts go. The callback is called from the calling thread, in order; false stops the
/// reporting.
typedef bool fracas_contact_fn(const fracas_contact* contact, void* user);
typedef struct fracas_sink {
    fracas_contact_fn* report;  ///< may be NULL: only count
    void* user;
    fracas_statistics* statistics;  ///< may be NULL; overwritten
} fracas_sink;

/// A growing list of contacts that the caller keeps and reuses. It never drops one.
typedef struct fracas_contacts fracas_contacts;
FRACAS_API fracas_status fracas_contacts_create(fracas_context* context, fracas_contacts** out);
FRACAS_API void fracas_contacts_destroy(fracas_contacts* contacts);  ///< NULL is allowed
FRACAS_API fracas_sink
fracas_contacts_get_sink(fracas_contacts* contacts);  ///< empties it, then collects
FRACAS_API const fracas_contact* fracas_contacts_get_data(const fracas_contacts* contacts,
                                                          size_t* count);
FRACAS_API const fracas_statistics* fracas_contacts_get_statistics(const fracas_contacts* contacts);
