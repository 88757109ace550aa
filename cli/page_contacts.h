/// @file page_contacts.h  The contacts of a report: as many of each step as there is room for, and
/// the triangles that have contacts.
#pragma once
#include "page_mesh.h"

typedef struct cli_page_contacts {
    uint64_t found, written;
    uint64_t marked;     ///< triangles with a contact
    uint32_t topology;   ///< of `marks`; FRACAS_NONE: there are none
    cli_bytes marks;     ///< packed: a bit for each triangle
    cli_bytes features;  ///< packed columns, see docs/report.md
} cli_page_contacts;

/// Record the contacts of a step, `most` at most: of each kind and pair of bodies the first, and of
/// the others every n-th. `frame` is its mesh, of the given topology, or NULL.
cli_page_contacts cli_page_contacts_make(const cli_page_meshes* meshes, const cli_frame_mesh* frame,
                                         uint32_t topology, const cli_contact* contacts,
                                         size_t count, size_t most);
void cli_page_contacts_free(cli_page_contacts* contacts);
