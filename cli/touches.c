/// @file touches.c  How many contacts the vertices and triangles of a step have.
#include "options.h"
#include "vtk_xml.h"
#include <stdlib.h>

static void add(uint32_t* counts, const uint32_t* begins, uint32_t body, uint32_t number) {
    if (number == FRACAS_NONE || number >= begins[body + 1] - begins[body]) return;
    uint32_t* count = &counts[begins[body] + number];
    *count += *count < UINT32_MAX;
}

// One side of a contact: its triangle, or the ends of its edge, or its vertex.
static void add_side(const cli_touches* t, const cli_frame_mesh* mesh, uint32_t body,
                     const uint32_t* ends, uint32_t triangle, uint32_t tet) {
    if (body >= mesh->body_count) return;
    for (int i = 0; ends && i < 2; i++) add(t->vertices, mesh->vertex_begins, body, ends[i]);
    add(t->triangles, mesh->triangle_begins, body, triangle);
    add(t->tets, mesh->tet_begins, body, tet);
}

cli_touches cli_touches_of(const cli_frame_mesh* mesh, const cli_contact* contacts, size_t count) {
    cli_touches t = {.vertices = cli_allocate(mesh->vertex_count, sizeof(uint32_t)),
                     .triangles = cli_allocate(mesh->triangle_count, sizeof(uint32_t)),
                     .tets = cli_allocate(mesh->tet_count, sizeof(uint32_t))};
    for (size_t i = 0; i < count; i++) {
        const cli_contact* c = &contacts[i];
        const bool faces = c->kind == FRACAS_CONTACT_TT;
        const bool b_face = faces || c->kind == FRACAS_CONTACT_VF || c->kind == FRACAS_CONTACT_ET;
        const bool b_ends = c->kind == FRACAS_CONTACT_EE || c->kind == FRACAS_CONTACT_VE ||
                            c->kind == FRACAS_CONTACT_VV;
        add_side(&t, mesh, c->body_a, faces ? NULL : c->a, faces ? c->a_tri : FRACAS_NONE,
                 FRACAS_NONE);
        add_side(&t, mesh, c->body_b, b_ends ? c->b : NULL, b_face ? c->b_tri : FRACAS_NONE,
                 c->kind == CLI_VT ? c->b_tet : FRACAS_NONE);
    }
    return t;
}

void cli_touches_free(cli_touches* touches) {
    free(touches->vertices);
    free(touches->triangles);
    free(touches->tets);
    *touches = (cli_touches){0};
}
