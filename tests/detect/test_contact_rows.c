// Contacts by vertex, edge or face of a body, against loops over the whole list.
#include "context_kit.h"
#include "near_kit.h"
#include "share.h"

// Does a side of the contact have this feature of the body?
static bool has_feature(const near_scene* s, const fracas_contact* c, int side,
                        const fracas_contact_rows* rows, uint32_t row) {
    uint32_t corner[3];
    if (!kit_same_body(side ? c->body_b : c->body_a, rows->body)) return false;
    const int count = near_corners(s, c, side, corner);
    if (count != (int)rows->feature + 1) return false;
    if (rows->feature != FRACAS_FEATURE_EDGE) return (side ? c->b : c->a)[0] == row;
    const uint32_t* e = &rows->edges[2 * row];
    return (e[0] == corner[0] && e[1] == corner[1]) || (e[0] == corner[1] && e[1] == corner[0]);
}

static void rows_equal_the_list(void** state) {
    (void)state;
    uint64_t random = 10;
    near_list near = {0};
    size_t entries_seen = 0;
    for (uint32_t round = 0; round < 3 + share_of(10); round++) {
        near_scene* s = near_create(1, &random, 0.25);
        fracas_sink sink = near_sink(&near);
        if (round % 2) {
            KIT_OK(s->k.context, fracas_scene_nearby(s->k.scene, 0.125, &sink));
        } else {
            fracas_query query = fracas_scene_default_query();
            query.modes = FRACAS_MODE_BOTH;
            KIT_OK(s->k.context, fracas_scene_detect(s->k.scene, &query, &sink));
        }
        // Two of the three sides of each triangle, in any direction.
        uint32_t edges[4 * NEAR_SIDE * NEAR_SIDE][2], edge_count = 0;
        for (int i = 0; i < 2 * NEAR_SIDE * NEAR_SIDE; i += 2) {
            const uint32_t* t = s->body[0].triangles[i];
            edges[edge_count][0] = t[1], edges[edge_count++][1] = t[0];
            edges[edge_count][0] = t[1], edges[edge_count++][1] = t[2];
        }
        for (int b = 0; b < NEAR_BODIES; b++)
            for (int f = 0; f < 3; f++) {
                size_t offsets[100];
                size_t* entries = calloc(2 * near.count + 1, sizeof *entries);
                const uint32_t counts[3] = {NEAR_POINTS, edge_count, 2 * NEAR_SIDE * NEAR_SIDE};
                const fracas_contact_rows rows = {.body = s->body[b].handle,
                                                  .feature = (fracas_feature)f,
                                                  .row_count = counts[f],
                                                  .edges = &edges[0][0],
                                                  .offsets = offsets,
                                                  .entries = entries,
                                                  .entry_capacity = 2 * near.count};
                KIT_OK(s->k.context,
                       fracas_contacts_group(s->k.context, near.data, near.count, &rows));
                size_t at = 0;
                for (uint32_t r = 0; r < rows.row_count; r++) {
                    assert_int_equal(offsets[r], at);
                    for (size_t i = 0; i < near.count; i++)
                        if (has_feature(s, &near.data[i], 0, &rows, r) ||
                            has_feature(s, &near.data[i], 1, &rows, r))
                            assert_int_equal(entries[at++], i);
                }
                assert_int_equal(offsets[rows.row_count], at);
                entries_seen += at;
                free(entries);
            }
        near_destroy(s);
    }
    assert_true(entries_seen > 50);
    free(near.data);
}

static void bad_rows(void** state) {
    (void)state;
    test_allocator memory = {0};
    fracas_context* context = kit_context(1, &memory);
    const fracas_body body = {1, 1};
    fracas_contact c[2] = {
        {.kind = FRACAS_CONTACT_VF,
         .body_a = body,
         .body_b = body,
         .a = {4, FRACAS_NONE},
         .b = {2, FRACAS_NONE}                                                              },
        {.kind = FRACAS_CONTACT_EE, .body_a = body, .body_b = body, .a = {0, 1}, .b = {2, 3}}
    };
    size_t offsets[6], entries[4];
    const uint32_t edges[6] = {0, 1, 2, 3, 1, 0};
    for (int i = 0; i < 6; i++) offsets[i] = 77;
    for (int i = 0; i < 4; i++) entries[i] = 77;
    fracas_contact_rows rows = {.body = body,
                                .row_count = 4,
                                .edges = edges,
                                .offsets = offsets,
                                .entries = entries,
                                .entry_capacity = 4};
    KIT_REFUSED(context, fracas_contacts_group(context, c, 2, &rows), FRACAS_ERROR_BAD_DATA,
                "contact 0 has vertex 4 of body 1, but there are 4 rows");
    rows.feature = FRACAS_FEATURE_EDGE, rows.row_count = 3;
    KIT_REFUSED(context, fracas_contacts_group(context, c, 2, &rows), FRACAS_ERROR_BAD_DATA,
                "edges 0 and 2 of the rows are the same, from vertex 1 to 0");
    rows.row_count = 2, rows.entry_capacity = 1;
    KIT_REFUSED(context, fracas_contacts_group(context, c, 2, &rows), FRACAS_ERROR_INVALID_ARGUMENT,
                "there is room for 1 entries, 2 are needed");
    rows.feature = (fracas_feature)3;
    KIT_REFUSED(context, fracas_contacts_group(context, c, 2, &rows), FRACAS_ERROR_INVALID_ARGUMENT,
                "feature 3");
    rows.feature = FRACAS_FEATURE_EDGE, rows.entry_capacity = 4, rows.edges = NULL;
    KIT_REFUSED(context, fracas_contacts_group(context, c, 2, &rows), FRACAS_ERROR_INVALID_ARGUMENT,
                "edges");
    rows.edges = edges;
    c[1].kind = (fracas_contact_kind)6;
    KIT_REFUSED(context, fracas_contacts_group(context, c, 2, &rows), FRACAS_ERROR_BAD_DATA,
                "kind 6 of contact 1");
    c[1].kind = FRACAS_CONTACT_EE;
    for (int i = 0; i < 6; i++) assert_true(offsets[i] == 77 && (i > 3 || entries[i] == 77));
    rows.entries = NULL;
    KIT_OK(context, fracas_contacts_group(context, c, 2, &rows));
    assert_true(offsets[0] == 0 && offsets[1] == 1 && offsets[2] == 2 && entries[0] == 77);
    fracas_context_destroy(context);
    assert_int_equal(memory.live, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_equal_the_list),
        cmocka_unit_test(bad_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
