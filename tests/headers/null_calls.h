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

static void candidates(void** state) {
    (void)state;
    fixture f = create();
    fracas_candidates* all = NULL;
    fracas_pair_filter filter = fracas_scene_default_filter();
    size_t offsets[2];
    double values[4], step;
    fracas_vertex_values bodies = {f.body, 4, NULL};
    fracas_contact_rows rows = {.body = f.body, .feature = FRACAS_FEATURE_EDGE, .row_count = 1};
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_set_filter(NULL, &filter));
    filter.vertex_pair_count = 1;
    REFUSES("vertex_pairs", fracas_scene_set_filter(f.scene, &filter));
    filter.rest_shape_count = 1;
    REFUSES("rest_shapes", fracas_scene_set_filter(f.scene, &filter));
    SUCCEEDS(fracas_scene_set_filter(f.scene, NULL));
    SUCCEEDS(fracas_scene_update(f.scene));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_set_thickness(NULL, f.body, 1));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_candidates(NULL, 1, &f.sink));
    REFUSES("sink", fracas_scene_candidates(f.scene, 1, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_candidates_create(NULL, 1, &all));
    REFUSES("out", fracas_candidates_create(f.scene, 1, NULL));
    SUCCEEDS(fracas_candidates_create(f.scene, 1, &all));
    REFUSES_WITHOUT_CONTEXT("candidates", fracas_candidates_detect(NULL, NULL, &f.sink));
    REFUSES("sink", fracas_candidates_detect(all, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("candidates", fracas_candidates_max_step(NULL, NULL, &step));
    REFUSES("out", fracas_candidates_max_step(all, NULL, NULL));
    fracas_candidates_destroy(all);
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_safe_distances(NULL, 1, &bodies, 1));
    REFUSES("bodies", fracas_scene_safe_distances(f.scene, 1, NULL, 1));
    REFUSES("values", fracas_scene_safe_distances(f.scene, 1, &bodies, 1));
    bodies.values = values;
    SUCCEEDS(fracas_scene_safe_distances(f.scene, 1, &bodies, 1));
    REFUSES_WITHOUT_CONTEXT("context", fracas_contacts_group(NULL, NULL, 0, &rows));
    REFUSES("contacts", fracas_contacts_group(f.context, NULL, 1, &rows));
    REFUSES("rows", fracas_contacts_group(f.context, NULL, 0, NULL));
    REFUSES("offsets", fracas_contacts_group(f.context, NULL, 0, &rows));
    rows.offsets = offsets;
    REFUSES("edges", fracas_contacts_group(f.context, NULL, 0, &rows));
    destroy(&f);
}

static void distances(void** state) {
    (void)state;
    fixture f = create();
    uint8_t side;
    fracas_closest_point closest;
    fracas_body_distance distance;
    fracas_body_depth depth;
    const fracas_body_pair pair = {f.body, f.rigid};
    const fracas_points* at = &f.mesh.points;
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_find_containment(NULL, f.body, at, &side));
    REFUSES("points", fracas_scene_find_containment(f.scene, f.body, NULL, &side));
    REFUSES("out", fracas_scene_find_containment(f.scene, f.body, at, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_find_closest_points(NULL, f.body, at, &closest));
    REFUSES("points", fracas_scene_find_closest_points(f.scene, f.body, NULL, &closest));
    REFUSES("out", fracas_scene_find_closest_points(f.scene, f.body, at, NULL));
    REFUSES_WITHOUT_CONTEXT("scene",
                            fracas_scene_find_signed_distances(NULL, f.body, at, &closest));
    REFUSES("points", fracas_scene_find_signed_distances(f.scene, f.body, NULL, &closest));
    REFUSES("out", fracas_scene_find_signed_distances(f.scene, f.body, at, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_find_distances(NULL, &pair, 1, &distance));
    REFUSES("pairs", fracas_scene_find_distances(f.scene, NULL, 1, &distance));
    REFUSES("out", fracas_scene_find_distances(f.scene, &pair, 1, NULL));
    SUCCEEDS(fracas_scene_find_distances(f.scene, NULL, 0, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_find_depths(NULL, &pair, 1, &depth));
    REFUSES("pairs", fracas_scene_find_depths(f.scene, NULL, 1, &depth));
    REFUSES("out", fracas_scene_find_depths(f.scene, &pair, 1, NULL));
    destroy(&f);
}
