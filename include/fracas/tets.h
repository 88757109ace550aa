/// @file tets.h  Volumes: which vertices of deforming tetrahedral bodies are inside which
/// tetrahedra.
///
/// Bodies are added once and moved in every step; `fracas_tets_update` puts the vertices into
/// cells, `fracas_tets_detect` asks every tetrahedron for the vertices within it. A pair is
/// reported when the vertex is in the closed tetrahedron (touching counts), decided exactly on the
/// given doubles, of one body or of two, each once. A vertex is never inside a tetrahedron that
/// has it as a corner, by index; another vertex at the same place counts. The set does not depend
/// on any option below but `self` and `inter`.
#pragma once
#include "fracas/contact.h"
#include "fracas/mesh.h"

/// How vertices are found that may be inside a tetrahedron.
typedef enum fracas_tets_method {
    FRACAS_TETS_SORTED = 0,    ///< vertices sorted by cell (default)
    FRACAS_TETS_TESCHNER = 1,  ///< a hash table of cells with time stamps, as published
    FRACAS_TETS_BVH = 2,       ///< a tree of boxes over vertices, to be compared with
    FRACAS_TETS_BRUTE = 3      ///< every vertex against every tetrahedron: the slow twin
} fracas_tets_method;

/// Hash functions of FRACAS_TETS_TESCHNER.
typedef enum fracas_tets_hash {
    FRACAS_TETS_HASH_XOR = 0,       ///< the published one: products with three large numbers
    FRACAS_TETS_HASH_ADDITIVE = 1,  ///< the same numbers, added
    FRACAS_TETS_HASH_ROTATING = 2   ///< shifts and xor
} fracas_tets_hash;

/// Start from fracas_tets_default_options(); a NULL pointer means exactly that.
typedef struct fracas_tets_options {
    uint32_t struct_size;
    fracas_tets_method method;
    double cell_size;     ///< 0: chosen from the lengths of edges. Below a sixteenth of that it is
                          ///< raised: a tetrahedron would look into thousands of cells
    uint32_t table_size;  ///< of FRACAS_TETS_TESCHNER; 0: chosen from the number of vertices
    fracas_tets_hash hash;
    bool one_pass;    ///< FRACAS_TETS_TESCHNER: tetrahedra and vertices in one table, in one pass
    bool half_space;  ///< try one plane after the other, not all volumes at once
    bool depth;       ///< prepare for queries of depth: update then keeps surfaces up to date
} fracas_tets_options;

/// One vertex inside one tetrahedron. Indices are the caller's own.
typedef struct fracas_penetration {
    fracas_body vertex_body, tet_body;
    uint32_t vertex, tet;
    double barycentric[4];  ///< of the vertex, one per corner; they sum to 1 but for rounding, and
                            ///< may be below 0 by that; all zero in a flat tetrahedron
    double depth;  ///< if asked for: how far the nearest point of the tetrahedron's body's surface
                   ///< is; else 0
    double direction[3];  ///< if asked for: unit, from the vertex to that point; zero at depth 0
} fracas_penetration;

typedef struct fracas_tets_query {
    uint32_t struct_size;
    bool self, inter;  ///< within bodies; between bodies; default both
    bool depth;        ///< compute depth and direction; needs fracas_tets_options.depth
} fracas_tets_query;

/// What a query did. Times are wall-clock milliseconds.
typedef struct fracas_tets_statistics {
    uint64_t penetrations;
    uint64_t cells;       ///< looked into
    uint64_t candidates;  ///< vertices found there
    uint64_t tested;      ///< of these, within the box of the tetrahedron, and no corner of it
    uint64_t exact;       ///< of these, that needed exact arithmetic
    double cell_size;
    double ms_update;  ///< of the last fracas_tets_update
    double ms_detect;
} fracas_tets_statistics;

/// Penetrations come from the calling thread, sorted by vertex body, vertex, tetrahedron body,
/// tetrahedron; false stops the reporting.
typedef bool fracas_penetration_fn(const fracas_penetration* penetration, void* user);
typedef struct fracas_tets_sink {
    fracas_penetration_fn* report;  ///< may be NULL: only count
    void* user;
    fracas_tets_statistics* statistics;  ///< may be NULL; overwritten
} fracas_tets_sink;

typedef struct fracas_tets fracas_tets;
FRACAS_API fracas_tets_options fracas_tets_default_options(void);
FRACAS_API fracas_tets_query fracas_tets_query_default(void);

FRACAS_API fracas_status fracas_tets_create(fracas_context* context,
                                            const fracas_tets_options* options, fracas_tets** out);
FRACAS_API void fracas_tets_destroy(fracas_tets* tets);  ///< NULL is allowed

/// Add a body; points and indices are copied. On any error nothing has changed and `*out` is zero.
/// @return FRACAS_ERROR_BAD_DATA for a number that is not finite or an index out of range.
FRACAS_API fracas_status fracas_tets_add(fracas_tets* tets, const fracas_tet_view* view,
                                         fracas_body* out);
FRACAS_API fracas_status fracas_tets_remove(fracas_tets* tets, fracas_body body);
/// New positions of all points of a body. On any error the old ones stay.
FRACAS_API fracas_status fracas_tets_move(fracas_tets* tets, fracas_body body,
                                          const fracas_points* points);
/// After edits and moves, before queries.
FRACAS_API fracas_status fracas_tets_update(fracas_tets* tets);
/// @return FRACAS_ERROR_INVALID_ARGUMENT when something changed since the last update.
FRACAS_API fracas_status fracas_tets_detect(const fracas_tets* tets, const fracas_tets_query* query,
                                            const fracas_tets_sink* sink);
