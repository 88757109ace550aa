/// @file null_queries.h  Calls of test_null_arguments.c, which includes it behind its macros: batches
/// of pairs, streams, places of contacts.
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
