/// @file split_check.h  The draft of a split: copies of the tetrahedra and vertices that it names.
#pragma once
#include "base/arena.h"
#include "base/map.h"
#include "tets/tets.h"

enum { FRC_TET_STAYS = 0 };  // owner of what stays in the body; part p is p + 1
#define FRC_TET_REMOVED (UINT32_MAX - 1)

typedef struct frc_draft_tet {
    uint32_t number;     // in the body, new ones included
    uint32_t corner[4];  // vertex numbers, after the split
    uint32_t owner;      // FRC_TET_STAYS, part + 1 or FRC_TET_REMOVED
} frc_draft_tet;

typedef struct frc_draft_vertex {
    uint32_t number;
    uint32_t owner;  // FRC_TET_REMOVED: no tetrahedron uses it
    uint32_t uses;   // after the split
    uint32_t slot;   // filled in by the change: after the split
} frc_draft_vertex;

typedef struct frc_tet_draft {
    fracas_tets* tets;
    fracas_body handle;
    const frc_tet_body* body;
    const fracas_tet_split* split;
    frc_arena arena;
    uint32_t vertex_numbers, tet_numbers;  // with the new ones
    frc_draft_tet* items;                  // the new ones first
    uint32_t count;
    frc_map by_number;           // of items
    frc_draft_vertex* vertices;  // of the items before and after, ascending
    uint32_t vertex_count;
    int32_t repeated;  // change of the body's number of tetrahedra with a repeated corner
} frc_tet_draft;

/// Check the lists and make the draft. False: no memory. `*status`: a failure with a message.
bool frc_tet_draft_make(frc_tet_draft* d, fracas_status* status);

/// The position of a new vertex.
void frc_tet_draft_place(const frc_tet_draft* d, uint32_t new_vertex, double out[3]);
frc_draft_vertex* frc_tet_draft_vertex(const frc_tet_draft* d, uint32_t number);
