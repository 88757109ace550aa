/// @file stream.h  Contacts in blocks of compact records, and the vertices and points of contacts.
#pragma once
#include "fracas/scene.h"

/// The indices of fracas_contact, whose kind and bodies are those of the run: 16 bytes.
typedef struct fracas_contact_record {
    uint32_t a[2], b[2];
} fracas_contact_record;

/// Successive records of one kind and one pair of bodies.
typedef struct fracas_contact_run {
    fracas_contact_kind kind;
    fracas_body body_a, body_b;
    uint32_t first, count;
} fracas_contact_run;

/// What a block has besides the indices, bits of fracas_stream.values.
typedef enum fracas_record_values {
    FRACAS_RECORD_TOI = 1,
    FRACAS_RECORD_PARAMETERS = 2,
    FRACAS_RECORD_NORMALS = 4,
    FRACAS_RECORD_DISTANCES = 8,
    FRACAS_RECORD_CLOSEST = 16
} fracas_record_values;

/// Some contacts, in the order of fracas_scene_detect within the block. Valid during the call.
typedef struct fracas_contact_block {
    uint32_t count, run_count;
    const fracas_contact_record* records;
    /// Together all records, in order.
    const fracas_contact_run* runs;
    /// One for each record; NULL unless selected.
    const double* toi;
    /// u and v of each record.
    const double* parameters;
    /// x, y and z of each record.
    const double* normals;
    const double* distances;
    const fracas_closest_type* closest;
} fracas_contact_block;

/// Called on the calling thread. Return false to stop.
typedef bool fracas_block_fn(const fracas_contact_block* block, void* user);

/// Receiver of contacts in blocks. Start from fracas_scene_default_stream().
typedef struct fracas_stream {
    /// Filled in by fracas_scene_default_stream; detects an uninitialised stream.
    uint32_t struct_size;
    /// The largest number of contacts in a block, default 65536. The call needs about 500 bytes of
    /// memory for each, and 2 MB for each worker. Small blocks take longer: below 1000 much longer.
    uint32_t block_contacts;
    /// Bits of fracas_record_values; default 0.
    uint32_t values;
    /// NULL: count only.
    fracas_block_fn* report;
    void* user;
    /// NULL or overwritten on success.
    fracas_statistics* statistics;
} fracas_stream;

FRACAS_API fracas_stream fracas_scene_default_stream(void);

/// The contacts of fracas_scene_detect in blocks of compact records, with memory for one block
/// instead of all contacts. The blocks and their order depend on the scene, the query and
/// stream.block_contacts, and not on the number of threads; the order is that of parts of the
/// scene, sorted within a block. When all contacts fit into one block it is the order of
/// fracas_scene_detect. A scene on a device finds all contacts at once: they are in that order, and
/// need memory for all. Discrete contacts come before continuous ones. After an error some blocks
/// may have been reported. query.first must be false. The callback of a filter of pairs may be
/// called more than once for a pair.
FRACAS_API fracas_status fracas_scene_stream(const fracas_scene* scene, const fracas_query* query,
                                             const fracas_stream* stream);
/// The same for the pairs of fracas_scene_nearby.
FRACAS_API fracas_status fracas_scene_stream_nearby(const fracas_scene* scene, double distance,
                                                    const fracas_stream* stream);

// ---- places

/// The vertices of a contact, and where it is.
typedef struct fracas_contact_place {
    /// Vertex numbers in body_a and in body_b: the corners of a triangle in their order, the ends
    /// of an edge, a vertex. Unused: FRACAS_NONE.
    uint32_t a[3], b[3];
    uint32_t a_count, b_count;
    /// The points of body_a and of body_b that touch or are closest, from u and v of the contact.
    /// TT, ET: zero; fracas_scene_find_intersection has them.
    double point_a[3], point_b[3];
} fracas_contact_place;

typedef enum fracas_place_time {
    /// At toi of each contact.
    FRACAS_PLACE_AT_IMPACT = 0,
    /// At t = 1, for contacts of fracas_scene_nearby.
    FRACAS_PLACE_AT_END = 1
} fracas_place_time;

/// The vertices and points of `count` contacts, in one call and on all workers. Call it before
/// the next edit or move. On any error `out`, which has one entry for each contact, is unchanged.
/// @return FRACAS_ERROR_BAD_DATA when a body, triangle or vertex of a contact does not exist; the
/// message has the number of the first such contact.
FRACAS_API fracas_status fracas_scene_place_contacts(const fracas_scene* scene,
                                                     const fracas_contact* contacts, size_t count,
                                                     fracas_place_time time,
                                                     fracas_contact_place* out);
