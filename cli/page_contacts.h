/// @file page_contacts.h  The contacts of a report: as many of each step as there is room for, the
/// triangles that have contacts, and the sums by pair of bodies.
#pragma once
#include "page_mesh.h"

typedef struct cli_page_contacts {
    uint64_t found, written;
    uint64_t marked;     ///< triangles with a contact
    uint32_t topology;   ///< of `marks`; FRACAS_NONE: there are none
    cli_bytes marks;     ///< packed: a bit for each triangle
    cli_bytes features;  ///< packed columns, see docs/report.md
} cli_page_contacts;

/// Contacts of a pair of bodies, over all steps.
typedef struct cli_page_pair {
    uint32_t a, b;
    uint64_t counts[CLI_KINDS];
    uint32_t first_step, steps, last_step;
    double earliest;  ///< step + time of impact of the first contact
} cli_page_pair;

typedef struct cli_page_pairs {
    cli_page_pair* pairs;
    uint32_t count;
    uint32_t* slots;  ///< hash table of indices plus 1
    uint32_t slot_count;
} cli_page_pairs;

/// Add the contacts of a step, which are sorted.
void cli_page_pairs_add(cli_page_pairs* pairs, const cli_contact* contacts, size_t count);
void cli_page_pairs_sort(cli_page_pairs* pairs);  ///< most contacts first; add no more
void cli_page_pairs_free(cli_page_pairs* pairs);

/// Record the contacts of a step, `most` at most: of each kind and pair of bodies the first, and of
/// the others every n-th. `frame` is its mesh, of the given topology, or NULL.
cli_page_contacts cli_page_contacts_make(const cli_page_meshes* meshes, const cli_frame_mesh* frame,
                                         uint32_t topology, const cli_contact* contacts,
                                         size_t count, size_t most);
void cli_page_contacts_free(cli_page_contacts* contacts);
