/// @file vtk_xml.h  Parts of VTK XML files: arrays in base64, contacts and meshes as pieces.
#pragma once
#include "frame_mesh.h"
#include <stdio.h>

/// Contacts as points, each a vertex cell, then their segments and polygons; all data is by cell.
void cli_vtk_write_contacts(FILE* file, const cli_contact* contacts, size_t count);

/// All triangles of the bodies, with body, face and number of contacts by cell, and the number of
/// contacts by vertex.
void cli_vtk_write_surfaces(FILE* file, const cli_frame_mesh* mesh, const cli_contact* contacts,
                            size_t count);

/// The same for tetrahedra.
void cli_vtk_write_volumes(FILE* file, const cli_frame_mesh* mesh, const cli_contact* contacts,
                           size_t count);

/// How many contacts each vertex and each triangle of the meshes has itself. A contact of an edge
/// counts for its vertices. The caller frees both.
typedef struct cli_touches {
    uint32_t *vertices, *triangles, *tets;
} cli_touches;
cli_touches cli_touches_of(const cli_frame_mesh* mesh, const cli_contact* contacts, size_t count);
void cli_touches_free(cli_touches* touches);
