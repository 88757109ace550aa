/// @file candidates.h  Pairs of features that may come into contact, for line searches; and how far
/// each vertex may move.
///
/// A solver that tries several step lengths along one direction finds the candidates once and
/// decides them again for each length: the answers are those of fracas_scene_detect.
#pragma once
#include "fracas/scene.h"

/// Report all vertex–face and edge–edge pairs (free edges and points as in nearby pairs) without a
/// common vertex whose boxes over the step are at most `distance` apart along every axis, the
/// thickness of both bodies apart. No pair that comes closer during the step is missing. Each is a
/// contact at time 0 without u, v and normal.
FRACAS_API fracas_status fracas_scene_candidates(const fracas_scene* scene, double distance,
                                                 const fracas_sink* sink);

/// The same pairs, kept: 20 bytes each.
typedef struct fracas_candidates fracas_candidates;

/// The scene must outlive the candidates. On any error `*out` is NULL.
FRACAS_API fracas_status fracas_candidates_create(const fracas_scene* scene, double distance,
                                                  fracas_candidates** out);
/// NULL is allowed.
FRACAS_API void fracas_candidates_destroy(fracas_candidates* candidates);
/// 0 for NULL.
FRACAS_API size_t fracas_candidates_get_count(const fracas_candidates* candidates);

/// Contacts of the candidates at the present positions of the scene, which may have been moved and
/// advanced since: fracas_scene_update is not needed. Complete as long as each vertex is, at both
/// ends of the step, in the box that its motion had when the candidates were found, enlarged by
/// half of (distance - min_separation) on each side. If x1 was computed as x0 + p, then x0 + s p is
/// in the box for each s from 0 to 1, in floating point too.
/// @return FRACAS_ERROR_BAD_DATA when a vertex has left its box; FRACAS_ERROR_INVALID_ARGUMENT when
/// bodies have been added, removed, split, merged or made thicker since, when the filter has been
/// set, or when min_separation is larger than the distance of the candidates.
FRACAS_API fracas_status fracas_candidates_detect(const fracas_candidates* candidates,
                                                  const fracas_query* query,
                                                  const fracas_sink* sink);
/// fracas_scene_max_step among the candidates, with the same conditions.
FRACAS_API fracas_status fracas_candidates_max_step(const fracas_candidates* candidates,
                                                    const fracas_query* query, double* out);

/// One number for every vertex number of a body, in the caller's memory.
typedef struct fracas_vertex_values {
    fracas_body body;
    uint32_t count;
    double* values;
} fracas_vertex_values;

/// How far each vertex may move from its place at t = 1, in any direction and along any path, so
/// that no vertex–face and no edge–edge pair without a common vertex touches (of thick bodies:
/// comes within their thickness) while all vertices move at the same time, each within its
/// distance. It is at least 0.4999995 times the smallest distance of a pair that the vertex belongs
/// to, less 2^-44 times the extent of the pair, and at most half of `distance`, which is above 0.
/// Removed vertices get 0. Pairs of siblings and pairs that the filter leaves out do not count.
FRACAS_API fracas_status fracas_scene_safe_distances(const fracas_scene* scene, double distance,
                                                     const fracas_vertex_values* bodies,
                                                     uint32_t body_count);

/// Features of a body.
typedef enum fracas_feature {
    FRACAS_FEATURE_VERTEX = 0,
    FRACAS_FEATURE_EDGE = 1,
    FRACAS_FEATURE_FACE = 2
} fracas_feature;

/// The contacts of each vertex, edge or triangle of a body, as rows of a sparse matrix. Row r has
/// the entries offsets[r] to offsets[r + 1] - 1, ascending.
typedef struct fracas_contact_rows {
    fracas_body body;
    fracas_feature feature;
    /// Vertices and triangles: rows are the caller's numbers, all below it. Edges: the number of
    /// `edges`, which are the rows; contacts of other edges have none.
    uint32_t row_count;
    /// Two vertices each, in any order; no edge twice. NULL unless rows are edges.
    const uint32_t* edges;
    /// Receives row_count + 1 numbers.
    size_t* offsets;
    /// Receives offsets[row_count] positions in the list of contacts; NULL: offsets only.
    size_t* entries;
    /// Number of entries for which there is memory.
    size_t entry_capacity;
} fracas_contact_rows;

/// Sort contacts by the features of one body: a contact of a vertex and a face is in the row of the
/// vertex and in the row of the face, one of two edges of the body is in both rows. Triangles of
/// discrete contacts are faces. On any error offsets and entries are not changed.
/// @return FRACAS_ERROR_BAD_DATA for a number of a vertex or triangle outside of the rows.
FRACAS_API fracas_status fracas_contacts_group(fracas_context* context,
                                               const fracas_contact* contacts, size_t count,
                                               const fracas_contact_rows* rows);
