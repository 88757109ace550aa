/// @file page_mesh.h  The meshes of a report: positions on grids of 16 bits, topologies where they
/// change, and fewer steps when they need too much room.
#pragma once
#include "frame_mesh.h"
#include "page_bytes.h"

typedef struct cli_page_grid {
    double origin[3], cell;
} cli_page_grid;

/// The positions of all vertices at one time.
typedef struct cli_page_state {
    uint32_t topology;
    cli_page_grid* grids;  ///< by body
    uint16_t (*places)[3];
} cli_page_state;

typedef struct cli_page_topology {
    uint32_t body_count, vertex_count, triangle_count;
    uint32_t *vertex_begins, *triangle_begins;
    uint32_t (*corners)[3];
    uint32_t keys;  ///< how many are of this topology
} cli_page_topology;

/// The motion of a step. Without a state at its begin it continues the key before.
typedef struct cli_page_key {
    uint32_t step;
    bool has_t0;
    cli_page_state t0, t1;
} cli_page_key;

typedef struct cli_page_meshes {
    bool placed;  ///< origin and scale are known
    double origin[3], scale;
    cli_page_topology* topologies;
    cli_page_key* keys;
    uint32_t topology_count, key_count;
    size_t topology_capacity, key_capacity;
    uint32_t stride;  ///< every so many steps are recorded
    size_t bytes;     ///< memory of all keys and topologies
    size_t most_bytes;
    bool given_up;  ///< not even one step fits
} cli_page_meshes;

/// Choose origin and scale by the first frame, whose positions are still those of the files, and
/// convert the positions of this frame.
void cli_page_meshes_place(cli_page_meshes* meshes, cli_frame_mesh* frame);
void cli_page_meshes_point(const cli_page_meshes* meshes, const double from[3], double to[3]);

/// Is the frame of this topology?
bool cli_page_has_topology(const cli_frame_mesh* frame, const cli_page_topology* topology);
/// The places of `points`, which are converted. `before` is a state of the same topology, whose
/// grids are kept where they fit, or NULL. The caller frees its arrays.
cli_page_state cli_page_make_state(const cli_frame_mesh* frame, double (*points)[3],
                                   uint32_t topology, const cli_page_state* before);

/// Record the frame of a step. @return the number of its topology, or FRACAS_NONE
uint32_t cli_page_meshes_add(cli_page_meshes* meshes, const cli_frame_mesh* frame, uint32_t step);

/// Keep every second step only. @return false if no step can be removed
bool cli_page_meshes_thin(cli_page_meshes* meshes);
void cli_page_meshes_drop(cli_page_meshes* meshes);  ///< keep none
void cli_page_meshes_free(cli_page_meshes* meshes);

/// Compressed.
cli_bytes cli_page_pack_begins(const cli_page_topology* topology);
cli_bytes cli_page_pack_corners(const cli_page_topology* topology);
cli_bytes cli_page_pack_grids(const cli_page_topology* topology, const cli_page_state* state);
/// As differences to `before`, a state of the same topology, or if NULL to the vertex before.
cli_bytes cli_page_pack_places(const cli_page_topology* topology, const cli_page_state* before,
                               const cli_page_state* state);
