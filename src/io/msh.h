/// @file msh.h  State of the Gmsh reader, and the lookup of nodes by tag.
#pragma once
#include "io/mesh_file.h"

typedef struct frc_msh {
    frc_values in;
    fracas_mesh_file* file;
    bool version_2;            // 2.x; else 4.1
    frc_value_type size_type;  // of tags and counts in 4.1
    bool has_nodes, has_elements;
    FRC_ARRAY(int64_t) tags;  // of the nodes, in file order
    bool consecutive;         // the tags are first, first + 1, ...; there is no table
    uint32_t* table;          // hash table by tag, open addressing: node + 1; 0: empty
    size_t table_size;        // a power of two
} frc_msh;

/// Read the section $Nodes or $Elements. The source is at the line after the section's name, and
/// afterwards behind the last value.
fracas_status frc_msh_read_nodes(frc_msh* msh);
fracas_status frc_msh_read_elements(frc_msh* msh);

/// The node with this tag, or FRACAS_NONE.
uint32_t frc_msh_find(const frc_msh* msh, int64_t tag);
