/// @file medial_mesh_kit.h  Medial meshes for tests, and checks of them.
#pragma once
#include "../tet_mesh/tet_mesh_kit.h"

static inline fracas_medial_mesh* kit_medial(fracas_context* context, const kit_surface* s,
                                             const fracas_medial_mesh_options* options) {
    const fracas_mesh_view view = kit_view(s);
    fracas_medial_mesh* mesh = NULL;
    KIT_OK(context, fracas_medial_mesh_create(context, &view, options, &mesh));
    return mesh;
}

static inline fracas_medial_mesh_info kit_medial_info(const fracas_medial_mesh* mesh) {
    fracas_medial_mesh_info info;
    assert_int_equal(fracas_medial_mesh_get_info(mesh, &info), FRACAS_OK);
    return info;
}

static inline bool kit_has_edge(const fracas_medial_view* view, uint32_t a, uint32_t b) {
    for (uint32_t e = 0; e < view->edge_count; e++) {
        const uint32_t* v = view->edges + 2 * (size_t)e;
        if ((v[0] == a && v[1] == b) || (v[0] == b && v[1] == a)) return true;
    }
    return false;
}

/// Numbers are finite, indices in range, edges and triangles distinct, and each side of a triangle
/// is an edge.
static inline void kit_check_medial(const fracas_medial_mesh* mesh) {
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    const fracas_medial_mesh_info info = kit_medial_info(mesh);
    assert_int_equal(info.spheres, view.sphere_count);
    assert_int_equal(info.edges, view.edge_count);
    assert_int_equal(info.triangles, view.triangle_count);
    for (uint32_t v = 0; v < view.sphere_count; v++) {
        assert_true(isfinite(view.spheres[v].radius) && view.spheres[v].radius >= 0);
        for (int k = 0; k < 3; k++) assert_true(isfinite(view.spheres[v].center[k]));
    }
    for (uint32_t e = 0; e < view.edge_count; e++) {
        const uint32_t* v = view.edges + 2 * (size_t)e;
        assert_true(v[0] < view.sphere_count && v[1] < view.sphere_count && v[0] != v[1]);
        const fracas_medial_view before = {.edges = view.edges, .edge_count = e};
        assert_false(kit_has_edge(&before, v[0], v[1]));
    }
    for (uint32_t t = 0; t < view.triangle_count; t++)
        for (size_t k = 0; k < 3; k++) {
            const uint32_t* v = view.triangles + 3 * (size_t)t;
            assert_true(v[k] < view.sphere_count);
            assert_true(kit_has_edge(&view, v[k], v[(k + 1) % 3]));
        }
}

/// A row of docs/medial_mesh.md; distances in percent of the diagonal.
static inline void kit_print_medial(const char* name, const fracas_medial_mesh_info* i) {
    const double percent = 100 / i->diagonal;
    print_message("| %s | %u | %u | %u | %.2f | %.2f | %.2f | %.1f | %.1f |\n", name, i->spheres,
                  i->edges, i->triangles, percent * i->from_surface.max,
                  percent * i->to_surface.max, percent * i->protrusion, 100 * i->volume_covered,
                  i->ms / 1000);
}
