/// @file null_fixture.h  One object of every kind, for calls that are refused.
#pragma once
#include "cmocka_all.h"
#include "fracas/fracas.h"
#include "fracas/published.h"

typedef struct fixture {
    fracas_context* context;
    fracas_scene* scene;
    fracas_scene* lazy;  // of published.h
    fracas_tets* tets;
    fracas_solid* solid;
    fracas_fragments* fragments;
    fracas_fragment fragment;
    fracas_mesh_file* file;
    fracas_tet_mesh* tet_mesh;
    fracas_medial_mesh* medial_mesh;
    fracas_mesh_view mesh;
    fracas_tet_view volume;
    fracas_body body, rigid, tet_body;
    fracas_sink sink;
    fracas_tets_sink tets_sink;
} fixture;

static const double points[4][3] = {
    {0, 0, 0},
    {1, 0, 0},
    {0, 1, 0},
    {0, 0, 1}
};
static const uint32_t corners[4] = {0, 1, 2, 3};
// A tetrahedron, counter-clockwise from outside.
static const uint32_t shell[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

#define SUCCEEDS(call) assert_int_equal(call, FRACAS_OK)

static fixture create(void) {
    fixture f = {0};
    fracas_context_options options = fracas_context_default_options();
    fracas_body_options rigid = fracas_body_default_options();
    fracas_published_scene_options lazy = fracas_published_scene_default_options();
    options.worker_count = 1;
    rigid.motion = FRACAS_MOTION_RIGID;
    lazy.scene.modes = FRACAS_MODE_CONTINUOUS;
    lazy.restructure = FRACAS_PUBLISHED_RESTRUCTURE_LAZY;
    lazy.cull = FRACAS_PUBLISHED_CULL_NONE;
    lazy.scheduler = FRACAS_PUBLISHED_SCHEDULER_PCCD;
    f.mesh.points = f.volume.points = (fracas_points){.data = points, .count = 4};
    f.mesh.triangles = f.volume.tets = corners;
    f.mesh.triangle_count = f.volume.tet_count = 1;
    SUCCEEDS(fracas_context_create(&options, &f.context));
    SUCCEEDS(fracas_scene_create(f.context, NULL, &f.scene));
    SUCCEEDS(fracas_scene_add(f.scene, &f.mesh, NULL, &f.body));
    SUCCEEDS(fracas_scene_add(f.scene, &f.mesh, &rigid, &f.rigid));
    SUCCEEDS(fracas_scene_update(f.scene));
    SUCCEEDS(fracas_published_scene_create(f.context, &lazy, &f.lazy));
    SUCCEEDS(fracas_scene_update(f.lazy));
    SUCCEEDS(fracas_tets_create(f.context, NULL, &f.tets));
    SUCCEEDS(fracas_tets_add(f.tets, &f.volume, &f.tet_body));
    SUCCEEDS(fracas_tets_update(f.tets));
    SUCCEEDS(fracas_solid_create(f.context, &f.volume, NULL, &f.solid));
    SUCCEEDS(fracas_fragments_create(f.context, NULL, &f.fragments));
    SUCCEEDS(fracas_fragments_add(f.fragments, f.solid, &f.fragment));
    SUCCEEDS(fracas_mesh_file_parse(f.context, "a.obj", obj, sizeof obj - 1, NULL, &f.file));
    const fracas_mesh_view closed = {
        .points = f.mesh.points, .triangles = shell, .triangle_count = 4};
    fracas_tet_mesh_options coarse = fracas_tet_mesh_default_options();
    coarse.cells = 4;
    SUCCEEDS(fracas_tet_mesh_create(f.context, &closed, &coarse, &f.tet_mesh));
    static const fracas_medial_sphere sphere = {
        {0, 0, 0},
        1
    };
    const fracas_medial_view medial = {.spheres = &sphere, .sphere_count = 1};
    SUCCEEDS(fracas_medial_mesh_create_from(f.context, &medial, &f.medial_mesh));
    return f;
}

// The objects are unchanged: queries need no update, and nothing was added.
static void destroy(fixture* f) {
    fracas_body_info info;
    SUCCEEDS(fracas_scene_get_body(f->scene, f->body, &info));
    assert_int_equal(info.triangles, 1);
    SUCCEEDS(fracas_scene_detect(f->scene, NULL, &f->sink));
    SUCCEEDS(fracas_published_scene_detect_lazy(f->lazy, NULL, &f->sink, NULL));
    SUCCEEDS(fracas_tets_detect(f->tets, NULL, &f->tets_sink));
    fracas_fragment_info part;
    SUCCEEDS(fracas_fragments_get_info(f->fragments, f->fragment, &part));
    assert_int_equal(part.nodes, 4);
    fracas_fragments_destroy(f->fragments);
    fracas_solid_destroy(f->solid);
    fracas_mesh_file_destroy(f->file);
    fracas_medial_mesh_destroy(f->medial_mesh);
    fracas_tet_mesh_destroy(f->tet_mesh);
    fracas_tets_destroy(f->tets);
    fracas_scene_destroy(f->lazy);
    fracas_scene_destroy(f->scene);
    fracas_context_destroy(f->context);
}
