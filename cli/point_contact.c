/// @file point_contact.c  Contacts of rigid bodies, which are points, as contacts of a page.
#include "rigid_look.h"
#include <math.h>
#include <string.h>

// The vertex of a body that is nearest to a point of the world: points may be inside of a body.
static uint32_t nearest_vertex(const cli_frame_mesh* m, uint32_t body, const double point[3]) {
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t v = m->vertex_begins[body]; v < m->vertex_begins[body + 1]; v++) {
        double distance = 0;
        for (int k = 0; k < 3; k++) distance += (m->t1[v][k] - point[k]) * (m->t1[v][k] - point[k]);
        if (distance < least) least = distance, best = v - m->vertex_begins[body];
    }
    return best;
}

cli_contact cli_point_contact(const cli_frame_mesh* mesh, uint32_t a, uint32_t b, bool fixed_a,
                              const double point[3], const double normal[3]) {
    cli_contact c = {
        .kind = CLI_VT,
        .body_a = fixed_a ? b : a,
        .body_b = fixed_a ? a : b,
        .b = {FRACAS_NONE, FRACAS_NONE},
        .a_tri = FRACAS_NONE,
        .b_tri = FRACAS_NONE,
        .a_tet = FRACAS_NONE,
        .b_tet = FRACAS_NONE,
        .place = FRACAS_NONE
    };
    c.a[0] = nearest_vertex(mesh, c.body_a, point);
    memcpy(c.point, point, sizeof c.point);
    for (int k = 0; k < 3; k++) c.normal[k] = fixed_a ? -normal[k] : normal[k];
    return c;
}
