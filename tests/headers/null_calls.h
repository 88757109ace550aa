/// @file null_calls.h  Some calls of test_null_arguments.c, which defines their macros: streams and
/// places of contacts, batches of pairs, medial meshes.
#pragma once

static void streams(void** state) {
    (void)state;
    fixture f = create();
    const fracas_stream to = fracas_scene_default_stream();
    const fracas_contact contact = {.kind = FRACAS_CONTACT_VF};
    fracas_contact_place place;
    const fracas_place_time at = FRACAS_PLACE_AT_END;
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_stream(NULL, NULL, &to));
    REFUSES("stream", fracas_scene_stream(f.scene, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_stream_nearby(NULL, 1, &to));
    REFUSES("stream", fracas_scene_stream_nearby(f.scene, 1, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_place_contacts(NULL, &contact, 1, at, &place));
    REFUSES("contacts", fracas_scene_place_contacts(f.scene, NULL, 1, at, &place));
    REFUSES("out", fracas_scene_place_contacts(f.scene, &contact, 1, at, NULL));
    destroy(&f);
}

static void pairs(void** state) {
    (void)state;
    fixture f = create();
    REFUSES("batch", fracas_pairs_find_impacts(f.context, NULL, NULL, NULL, NULL));
    REFUSES("batch", fracas_pairs_find_distances(f.context, NULL, NULL, NULL, NULL));
    destroy(&f);
}

static void medial_meshes(void** state) {
    (void)state;
    fixture f = create();
    fracas_medial_mesh* mesh = NULL;
    fracas_medial_mesh_info info;
    const fracas_medial_view view = fracas_medial_mesh_get_view(f.medial_mesh);
    REFUSES_WITHOUT_CONTEXT("context", fracas_medial_mesh_create(NULL, &f.mesh, NULL, &mesh));
    REFUSES("surface", fracas_medial_mesh_create(f.context, NULL, NULL, &mesh));
    REFUSES("out", fracas_medial_mesh_create(f.context, &f.mesh, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_medial_mesh_create_from(NULL, &view, &mesh));
    REFUSES("view", fracas_medial_mesh_create_from(f.context, NULL, &mesh));
    REFUSES("out", fracas_medial_mesh_create_from(f.context, &view, NULL));
    REFUSES_WITHOUT_CONTEXT("mesh", fracas_medial_mesh_get_info(NULL, &info));
    REFUSES("out", fracas_medial_mesh_get_info(f.medial_mesh, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_medial_mesh_read(NULL, "a.ma", &mesh));
    REFUSES("path", fracas_medial_mesh_read(f.context, NULL, &mesh));
    REFUSES("out", fracas_medial_mesh_read(f.context, "a.ma", NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_medial_mesh_parse(NULL, "a.ma", "0 0 0", 5, &mesh));
    REFUSES("name", fracas_medial_mesh_parse(f.context, NULL, "0 0 0", 5, &mesh));
    REFUSES("bytes", fracas_medial_mesh_parse(f.context, "a.ma", NULL, 5, &mesh));
    REFUSES("out", fracas_medial_mesh_parse(f.context, "a.ma", "0 0 0", 5, NULL));
    REFUSES_WITHOUT_CONTEXT("mesh", fracas_medial_mesh_write(NULL, "a.ma"));
    REFUSES("path", fracas_medial_mesh_write(f.medial_mesh, NULL));
    destroy(&f);
}
