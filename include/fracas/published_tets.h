/// @file published_tets.h  Published methods for vertices in tetrahedra, for comparison.
///
/// Every method reports the same set as the default of fracas/tets.h, with the same bits, unless a
/// rounded test is chosen.
#pragma once
#include "fracas/tets.h"

/// How candidate vertices of a tetrahedron are found.
typedef enum fracas_published_tets_method {
    /// Counting sort of vertices by cell: the default of fracas_tets_create().
    FRACAS_PUBLISHED_TETS_METHOD_SORTED_CELLS = 0,
    /// Spatial hashing with time stamps (Teschner et al. 2003): vertices are inserted, then every
    /// tetrahedron looks up the cells of its box.
    FRACAS_PUBLISHED_TETS_METHOD_TESCHNER = 1,
    /// The one-pass variant: tetrahedra are inserted into the cells of their boxes, and those that
    /// are in one cell are compared with each other.
    FRACAS_PUBLISHED_TETS_METHOD_TESCHNER_ONE_PASS = 2,
    /// A bounding volume hierarchy over tetrahedra, queried by every vertex.
    FRACAS_PUBLISHED_TETS_METHOD_BVH = 3
} fracas_published_tets_method;

/// Hash function of the Teschner methods.
typedef enum fracas_published_tets_hash {
    /// Published: xor of the products of the cell's indices with three large primes.
    FRACAS_PUBLISHED_TETS_HASH_XOR = 0,
    /// Sum of the same products.
    FRACAS_PUBLISHED_TETS_HASH_ADDITIVE = 1,
    /// Rotations and xor.
    FRACAS_PUBLISHED_TETS_HASH_ROTATING = 2
} fracas_published_tets_hash;

/// How a pair of a vertex and a tetrahedron is decided. The last two are UNSOUND: their arithmetic
/// is rounded, so they miss and invent pairs near the boundary, and no vertex is in a flat
/// tetrahedron.
typedef enum fracas_published_tets_test {
    /// Exact signs, with filters.
    FRACAS_PUBLISHED_TETS_TEST_EXACT = 0,
    /// Published: barycentric coordinates with respect to one corner, in doubles.
    FRACAS_PUBLISHED_TETS_TEST_BARYCENTRIC = 1,
    /// What the paper compares them with: the half-space of one face after the other, in doubles.
    FRACAS_PUBLISHED_TETS_TEST_HALF_SPACES = 2
} fracas_published_tets_test;

/// Start from fracas_published_tets_default_options(); a NULL pointer means exactly that.
typedef struct fracas_published_tets_options {
    uint32_t struct_size;
    /// Default: FRACAS_PUBLISHED_TETS_METHOD_TESCHNER.
    fracas_published_tets_method method;
    /// Of the Teschner methods, ignored by others.
    fracas_published_tets_hash hash;
    /// Buckets of the Teschner methods, ignored by others. 0: chosen from the number of vertices.
    uint32_t table_size;
    fracas_published_tets_test test;
} fracas_published_tets_options;

FRACAS_API fracas_published_tets_options fracas_published_tets_default_options(void);

/// Like fracas_tets_create(), with a published method. All other calls are those of fracas/tets.h.
/// @return FRACAS_ERROR_INVALID_ARGUMENT for options that are not initialised or out of range.
FRACAS_API fracas_status
fracas_published_tets_create(fracas_context* context, const fracas_tets_options* options,
                             const fracas_published_tets_options* published, fracas_tets** out);
