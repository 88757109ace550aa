/// @file medial_look.c  What is drawn of a world of spheres, cones and slabs: its surfaces and
/// contacts.
#include "medial/medial_world.h"
#include "medial_triangles.h"
#include "options.h"
#include "rigid_look.h"
#include <stdlib.h>

// The triangles of a model, which its bodies share.
typedef struct cli_medial_skin {
    const fracas_medial_sphere* spheres;  // of the model
    cli_triangles triangles;
} skin;

void cli_medial_look_release(cli_medial_look* m) {
    for (uint32_t i = 0; i < m->skin_count; i++) cli_triangles_free(&m->skins[i].triangles);
    cli_frame_mesh_free(&m->mesh);
    free(m->skins);
    free(m->contacts);
    *m = (cli_medial_look){0};
}

static const cli_triangles* find_skin(cli_medial_look* m, const fracas_medial_view* view) {
    enum { SIDES = 6 };
    for (uint32_t i = 0; i < m->skin_count; i++)
        if (m->skins[i].spheres == view->spheres) return &m->skins[i].triangles;
    m->skins = cli_grow(m->skins, (size_t)m->skin_count + 1, sizeof *m->skins);
    skin* s = &m->skins[m->skin_count++];
    *s = (skin){.spheres = view->spheres};
    cli_medial_triangles(view, SIDES, &s->triangles);
    return &s->triangles;
}

cli_world_look cli_medial_look_take(cli_medial_look* m, const medial_world* world) {
    cli_frame_mesh_clear(&m->mesh);
    for (uint32_t i = 0; i < medial_body_count(world); i++) {
        fracas_pose pose;
        const fracas_medial_view view = medial_get(world, i, &pose);
        const fracas_mesh_view mesh = cli_triangles_view(find_skin(m, &view));
        cli_frame_mesh_add_surface(&m->mesh, &mesh, &pose);
    }
    size_t count;
    const fracas_medial_contact* found = medial_contacts(world, &count);
    m->contacts = cli_grow(m->contacts, count + 1, sizeof *m->contacts);
    for (size_t i = 0; i < count; i++) {
        cli_contact* c = &m->contacts[i];
        const uint32_t a = found[i].a.index, b = found[i].b.index;
        *c = cli_point_contact(&m->mesh, a, b, medial_is_fixed(world, a), found[i].position,
                               found[i].normal);
    }
    cli_contacts_sort(m->contacts, count);
    return (cli_world_look){.mesh = &m->mesh, .contacts = m->contacts, .count = count};
}
