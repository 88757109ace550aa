// Bad surfaces and options, each with its message; failed allocations; progress and cancelling.
#include "medial_mesh_kit.h"
#include "share.h"

static void refuses(fracas_status status, const char* text, const fracas_mesh_view* view,
                    const fracas_medial_mesh_options* options) {
    fracas_context* context = kit_context(1, NULL);
    fracas_medial_mesh* mesh = (fracas_medial_mesh*)(void*)&context;
    KIT_REFUSED(context, fracas_medial_mesh_create(context, view, options, &mesh), status, text);
    assert_null(mesh);
    fracas_context_destroy(context);
}

static void refuses_surface(const char* text, const kit_surface* s) {
    const fracas_mesh_view view = kit_view(s);
    refuses(FRACAS_ERROR_BAD_DATA, text, &view, NULL);
}

// The message names two triangles, the smaller number first, one of each of two boxes.
static void names_a_pair_that_intersects(const kit_surface* boxes) {
    fracas_context* context = kit_context(1, NULL);
    const fracas_mesh_view view = kit_view(boxes);
    fracas_medial_mesh* mesh;
    unsigned a = 0, b = 0;
    assert_int_equal(fracas_medial_mesh_create(context, &view, NULL, &mesh), FRACAS_ERROR_BAD_DATA);
    const char* text = strstr(kit_message(context), "triangles ");
    assert_non_null(text);
    assert_int_equal(sscanf(text, "triangles %u and %u near", &a, &b), 2);
    assert_true(a < boxes->triangle_count / 2 && b >= boxes->triangle_count / 2 &&
                b < boxes->triangle_count);
    fracas_context_destroy(context);
}

// tests/tet_mesh/test_failures.c has all faults of a surface that is not closed.
static void bad_surfaces(void** state) {
    (void)state;
    kit_surface s = kit_box(1, 1, 1);
    s.triangle_count--;
    refuses_surface("not closed: the edge from vertex 1 to 5 belongs to triangle 4 only", &s);
    s.triangle_count++;
    kit_turn_over(&s);
    refuses_surface("inside out", &s);
    kit_turn_over(&s);
    s.points[3][1] = NAN;
    refuses_surface("vertex 3 has y = nan", &s);
    s.points[3][1] = 1;
    // A corner that goes through the opposite face.
    for (int k = 0; k < 3; k++) s.points[7][k] = k == 0 ? -0.5 : 0.4;
    refuses_surface("the surface intersects itself: triangles ", &s);
    kit_free(&s);
    // Two boxes.
    kit_surface a = kit_box(1, 1, 1), b = kit_box(1, 1, 1);
    const double to[3] = {0.5, 0.5, 0.5};
    kit_place(&b, 0, 0, to);
    a = kit_join(a, b);
    refuses_surface("the surface intersects itself: triangles ", &a);
    names_a_pair_that_intersects(&a);
    kit_free(&a);
}

static void bad_options(void** state) {
    (void)state;
    kit_surface s = kit_box(1, 1, 1);
    const fracas_mesh_view view = kit_view(&s);
    for (int i = 0; i < 6; i++) {
        static const char* const texts[] = {
            "not initialised",
            "7 samples; there can be 100 to 200000, or 0 for 15000",
            "1000000 samples",
            "spheres_only needs the number",
            "the error is 0; it must be above 0 and at most 1",
            "the error is ",  // nan or -nan
        };
        fracas_medial_mesh_options options = fracas_medial_mesh_default_options();
        if (i == 0) options.struct_size = 0;
        if (i == 1) options.samples = 7;
        if (i == 2) options.samples = 1000000;
        if (i == 3) options.spheres_only = true;
        if (i == 4) options.error = 0;
        if (i == 5) options.error = NAN;
        refuses(FRACAS_ERROR_INVALID_ARGUMENT, texts[i], &view, &options);
    }
    kit_free(&s);
    assert_int_equal(fracas_medial_mesh_get_view(NULL).sphere_count, 0);
    fracas_medial_mesh_destroy(NULL);
}

static fracas_medial_mesh_options small(int kind) {
    fracas_medial_mesh_options options = fracas_medial_mesh_default_options();
    options.spheres = kind == 0 ? 8 : kind == 1 ? 0 : 6;
    options.error = 0.05;
    options.spheres_only = kind == 2;
    options.samples = 100;
    options.fit_rounds = 8;
    return options;
}

static void failed_allocations(void** state) {
    (void)state;
    kit_surface s = kit_box(1, 0.8, 0.6);
    const fracas_mesh_view view = kit_view(&s);
    for (int kind = 0; kind < 3; kind++) {
        const fracas_medial_mesh_options some = small(kind);
        test_allocator memory = {0};
        fracas_context* context = kit_context(1, &memory);
        const size_t before = atomic_load(&memory.live);
        fracas_medial_mesh* mesh = NULL;
        fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
        // The first allocations fail in turn, then more and more of them are skipped.
        const size_t first = 3 + share_of(12);
        size_t fail = 1;
        for (; status == FRACAS_ERROR_OUT_OF_MEMORY; fail += 1 + fail / first) {
            test_allocator_fail_at(&memory, fail);
            status = fracas_medial_mesh_create(context, &view, &some, &mesh);
            assert_true((mesh != NULL) == (status == FRACAS_OK));
            if (status != FRACAS_OK) assert_int_equal(atomic_load(&memory.live), before);
        }
        test_allocator_fail_at(&memory, 0);
        assert_int_equal(status, FRACAS_OK);
        assert_true(fail > 60);
        kit_check_medial(mesh);
        fracas_medial_mesh_destroy(mesh);
        assert_int_equal(atomic_load(&memory.live), before);
        // Reading and copying.
        static const char text[] = "3 1 1\nv 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nc 0 1\ns 0 1 2\n";
        status = FRACAS_ERROR_OUT_OF_MEMORY;
        for (fail = 1; status == FRACAS_ERROR_OUT_OF_MEMORY; fail++) {
            test_allocator_fail_at(&memory, fail);
            status = fracas_medial_mesh_parse(context, "a.mat", text, strlen(text), &mesh);
            if (status != FRACAS_OK) assert_int_equal(atomic_load(&memory.live), before);
        }
        test_allocator_fail_at(&memory, 0);
        const fracas_medial_view parsed = fracas_medial_mesh_get_view(mesh);
        fracas_medial_mesh* copy = NULL;
        status = FRACAS_ERROR_OUT_OF_MEMORY;
        const size_t with_mesh = atomic_load(&memory.live);
        for (fail = 1; status == FRACAS_ERROR_OUT_OF_MEMORY; fail++) {
            test_allocator_fail_at(&memory, fail);
            status = fracas_medial_mesh_create_from(context, &parsed, &copy);
            if (status != FRACAS_OK) assert_int_equal(atomic_load(&memory.live), with_mesh);
        }
        test_allocator_fail_at(&memory, 0);
        kit_check_medial(copy);
        fracas_medial_mesh_destroy(copy);
        fracas_medial_mesh_destroy(mesh);
        fracas_context_destroy(context);
        assert_int_equal(atomic_load(&memory.live), 0);
    }
    kit_free(&s);
}

// ---- progress

static void cancelling(void** state) {
    (void)state;
    kit_progress p = {0};
    fracas_context* context = kit_progress_context(2, &p);
    kit_surface s = kit_torus(20, 10, 1, 0.4);
    const fracas_mesh_view view = kit_view(&s);
    for (int kind = 0; kind < 3; kind++) {
        const fracas_medial_mesh_options some = small(kind);
        uint32_t cancelled = 0;
        for (uint32_t at = 1;; at += 1 + at / 4, cancelled++) {
            fracas_medial_mesh* mesh = NULL;
            p = (kit_progress){.cancel_at = at};
            const fracas_status status = fracas_medial_mesh_create(context, &view, &some, &mesh);
            if (status == FRACAS_OK) {
                assert_true(mesh && p.last == 1);
                fracas_medial_mesh_destroy(mesh);
                break;
            }
            assert_int_equal(status, FRACAS_ERROR_CANCELLED);
            assert_null(mesh);
        }
        assert_true(cancelled > 5);
    }
    fracas_medial_mesh* mesh = NULL;
    const fracas_medial_mesh_options some = small(0);
    fracas_context_cancel(context);
    assert_int_equal(fracas_medial_mesh_create(context, &view, &some, &mesh),
                     FRACAS_ERROR_CANCELLED);
    fracas_context_resume(context);
    kit_free(&s);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_surfaces),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(failed_allocations),
        cmocka_unit_test(cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
