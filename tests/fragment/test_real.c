// Real surfaces, from surface to fragments: filled, broken twice; the surfaces of the fragments are
// closed, do not intersect themselves, add up to the volume, and meet only where they were cut.
#include "../data.h"
#include "fracas/io.h"
#include "fracas/tet_mesh.h"
#include "fragment_kit.h"

enum { PARTS = 128 };

typedef struct pieces {
    fracas_context* context;
    fracas_fragment_surface* surfaces[PARTS];
    fracas_body bodies[PARTS];
    uint32_t count;
    uint64_t shared, other;  // pairs of triangles that have a corner in common, or do not
} pieces;

static fracas_solid* read_solid(fracas_context* context, const char* folder, const char* name,
                                uint32_t cells) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    fracas_mesh_file_options reading = fracas_mesh_file_default_options();
    reading.surface = true;
    fracas_mesh_file* file;
    KIT_OK(context, fracas_mesh_file_read(context, path, &reading, &file));
    const fracas_mesh_view view = fracas_mesh_file_get_view(file);
    fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
    options.cells = cells;
    fracas_tet_mesh* mesh;
    KIT_OK(context, fracas_tet_mesh_create(context, &view, &options, &mesh));
    const fracas_tet_view tets = fracas_tet_mesh_get_view(mesh);
    fracas_solid* solid;
    KIT_OK(context, fracas_solid_create(context, &tets, NULL, &solid));
    fracas_tet_mesh_destroy(mesh);
    fracas_mesh_file_destroy(file);
    return solid;
}

static uint32_t find_piece(const pieces* p, fracas_body body) {
    for (uint32_t i = 0; i < p->count; i++)
        if (p->bodies[i].index == body.index) return i;
    fail_msg("no body %u", body.index);
    return 0;
}

// The surfaces are parts of one division of the solid: what touches has a corner in common.
static bool count_pair(const fracas_contact* contact, void* user) {
    pieces* p = user;
    const uint32_t i = find_piece(p, contact->body_a), j = find_piece(p, contact->body_b);
    const fracas_mesh_view a = fracas_fragment_surface_get_view(p->surfaces[i]),
                           b = fracas_fragment_surface_get_view(p->surfaces[j]);
    bool shared = false;
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++)
            shared |= memcmp(kit_corner(&a, contact->a[0], m), kit_corner(&b, contact->b[0], n),
                             3 * sizeof(double)) == 0;
    if (shared && i != j)
        p->shared++;
    else
        p->other++;
    return true;
}

static void check_pieces(pieces* p, double volume, uint32_t solid_nonmanifold) {
    fracas_scene* scene;
    double sum = 0;
    uint32_t nonmanifold = 0;
    KIT_OK(p->context, fracas_scene_create(p->context, NULL, &scene));
    for (uint32_t i = 0; i < p->count; i++) {
        const fracas_mesh_view view = fracas_fragment_surface_get_view(p->surfaces[i]);
        fracas_mesh_info info;
        KIT_OK(p->context, fracas_mesh_describe(p->context, &view, &info));
        assert_int_equal(info.boundary_edges + info.misoriented_edges, 0);
        nonmanifold += info.nonmanifold_edges;
        KIT_OK(p->context, fracas_scene_add(scene, &view, NULL, &p->bodies[i]));
        sum += kit_volume(&view);
    }
    assert_float_equal(sum, volume, 1e-9 * volume);
    // An edge of the solid that is no manifold may be cut in two.
    assert_true(nonmanifold <= 2 * solid_nonmanifold);
    KIT_OK(p->context, fracas_scene_update(scene));
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    KIT_OK(p->context,
           fracas_scene_detect(scene, &query, &(fracas_sink){.report = count_pair, .user = p}));
    assert_int_equal(p->other, 0);
    assert_true(p->shared > 1000);
    fracas_scene_destroy(scene);
}

// Edges of the solid's surface with more than two triangles: tetrahedra may touch in an edge.
static uint32_t count_nonmanifold(fracas_context* context, const fracas_solid* solid) {
    fracas_fragments* all;
    fracas_fragment whole;
    fracas_fragment_surface* surface;
    fracas_mesh_info info;
    KIT_OK(context, fracas_fragments_create(context, NULL, &all));
    KIT_OK(context, fracas_fragments_add(all, solid, &whole));
    KIT_OK(context, fracas_fragment_surface_create(all, whole, &surface));
    const fracas_mesh_view view = fracas_fragment_surface_get_view(surface);
    KIT_OK(context, fracas_mesh_describe(context, &view, &info));
    fracas_fragment_surface_destroy(surface);
    fracas_fragments_destroy(all);
    return info.nonmanifold_edges;
}

static void break_surface(fracas_context* context, const char* folder, const char* name,
                          uint32_t cells, uint32_t least) {
    uint64_t random = 5;
    fracas_solid* solid = read_solid(context, folder, name, cells);
    fracas_solid_info info;
    KIT_OK(context, fracas_solid_get_info(solid, &info));
    fracas_fragments* all;
    fracas_fragment whole, parts[PARTS], more[PARTS];
    KIT_OK(context, fracas_fragments_create(context, NULL, &all));
    KIT_OK(context, fracas_fragments_add(all, solid, &whole));
    uint32_t count = kit_break(context, all, whole, 12, &random, parts, PARTS);
    for (uint32_t i = 0; i < 3 && i < count; i++) {
        const uint32_t again = kit_break(context, all, parts[i], 6, &random, more, PARTS - count);
        if (again > 0) parts[i] = more[0];
        for (uint32_t k = 1; k < again; k++) parts[count++] = more[k];
    }
    assert_true(count >= least);
    const uint32_t solid_nonmanifold = count_nonmanifold(context, solid);
    pieces p = {.context = context, .count = count};
    for (uint32_t i = 0; i < count; i++)
        KIT_OK(context, fracas_fragment_surface_create(all, parts[i], &p.surfaces[i]));
    check_pieces(&p, info.volume, solid_nonmanifold);
    printf("%s: %u tetrahedra, %u fragments, %llu pairs at cracks\n", name, info.tets, count,
           (unsigned long long)p.shared);
    for (uint32_t i = 0; i < count; i++) fracas_fragment_surface_destroy(p.surfaces[i]);
    fracas_fragments_destroy(all);
    fracas_solid_destroy(solid);
}

static void real_surfaces(void** state) {
    (void)state;
    const char* folder = fracas_test_data();
    if (!folder) exit(FRACAS_TEST_SKIP);
    fracas_context* context = kit_context(2, NULL);
    break_surface(context, folder, "surfaces/discregrid/bunny.obj", 24, 12);
    break_surface(context, folder, "surfaces/discregrid/dragon.obj", 32, 12);
    break_surface(context, folder, "surfaces/discregrid/box.obj", 12, 12);
    break_surface(context, folder, "medial/medial-ipc/dinosaur/dinosaur_h.obj", 32, 10);
    break_surface(context, folder, "tets/ipc/hollowCat7.5K.msh", 24, 10);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_surfaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
