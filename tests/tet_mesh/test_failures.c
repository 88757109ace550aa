// Bad input, each with its message; failed allocations; progress and cancelling.
#include "tet_mesh_kit.h"

// Creating must fail, leave no mesh, and say `text`.
static void refuses(fracas_status status, const char* text, const fracas_mesh_view* view,
                    const fracas_tet_mesh_options* options) {
    fracas_context* context = kit_context(1, NULL);
    fracas_tet_mesh* mesh = (fracas_tet_mesh*)(void*)&context;
    KIT_REFUSED(context, fracas_tet_mesh_create(context, view, options, &mesh), status, text);
    assert_null(mesh);
    fracas_context_destroy(context);
}

static void refuses_surface(const char* text, const kit_surface* s) {
    const fracas_mesh_view view = kit_view(s);
    refuses(FRACAS_ERROR_BAD_DATA, text, &view, NULL);
}

static void bad_surfaces(void** state) {
    (void)state;
    kit_surface s = kit_box(1, 1, 1);
    // Triangle 11 has the corners 1, 7, 5; without it three edges belong to one triangle.
    s.triangle_count--;
    refuses_surface("the surface is not closed: the edge from vertex 1 to 5 belongs to triangle 4 "
                    "only; close the hole, or join",
                    &s);
    s.triangle_count++;
    s.triangles[11][1] = 5, s.triangles[11][2] = 7;
    refuses_surface("not consistently oriented: triangles 4 and 11 both traverse the edge from "
                    "vertex 1 to 5; turn one",
                    &s);
    s.triangles[11][1] = 7, s.triangles[11][2] = 7;
    refuses_surface("triangle 11 has vertex 7 twice; remove it", &s);
    s.triangles[11][2] = 8;
    refuses_surface("triangle 11 refers to vertex 8", &s);
    s.triangles[11][2] = 5;
    s.points[3][1] = NAN;
    refuses_surface("vertex 3 has y = nan", &s);
    s.points[3][1] = 1;
    kit_turn_over(&s);
    refuses_surface("the surface is inside out: its volume is -1; turn", &s);
    kit_turn_over(&s);
    for (int v = 0; v < 8; v++) s.points[v][2] = 0;
    refuses_surface("the surface encloses no volume", &s);
    for (int v = 0; v < 8; v++) memset(s.points[v], 0, sizeof s.points[v]);
    refuses_surface("the surface encloses no volume", &s);
    s.triangle_count = 0;
    refuses_surface("the surface has no triangles", &s);
    kit_free(&s);
    // A plate thinner than the cells.
    s = kit_box(1, 1, 0.001);
    refuses_surface("too thin for a cell size of 0.03125: there is no tetrahedron in it; use cells "
                    "of 0.00781 or smaller",
                    &s);
    kit_free(&s);
    // A third triangle at an edge.
    kit_surface more = kit_make(9, 13);
    s = kit_box(1, 1, 1);
    memcpy(more.points, s.points, 8 * sizeof *s.points);
    memcpy(more.triangles, s.triangles, 12 * sizeof *s.triangles);
    more.point_count = 9, more.triangle_count = 12;
    kit_triangle(&more, 0, 1, 8);
    refuses_surface("of the 3 triangles at the edge of vertices 0 and 1 2 traverse it in one "
                    "direction and 1 in the other",
                    &more);
    kit_free(&more);
    kit_free(&s);
}

static void bad_options(void** state) {
    (void)state;
    static const struct {
        double cell_size;
        uint32_t cells;
        const char* text;
    } cases[] = {
        {-1,       32,    "the cell size is -1; it must be positive"                  },
        {NAN,      32,    "the cell size is"                                          },
        {INFINITY, 32,    "the cell size is inf"                                      },
        {0,        0,     "both 0; set one"                                           },
        {0,        10000, "10004 x 10004 x 10004 cells with 2e+12 points, but at most"},
        {1e-12,    32,    "a cell size of 1e-12 is too small for coordinates up to 1" },
        {1e-80,    32,    "scale lengths"                                             },
    };
    kit_surface s = kit_box(1, 1, 1);
    const fracas_mesh_view view = kit_view(&s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
        options.cell_size = cases[i].cell_size, options.cells = cases[i].cells;
        refuses(FRACAS_ERROR_INVALID_ARGUMENT, cases[i].text, &view, &options);
    }
    fracas_tet_mesh_options zero = {0};
    refuses(FRACAS_ERROR_INVALID_ARGUMENT, "not initialised", &view, &zero);
    for (int i = 0; i < 3; i++) {
        fracas_tet_mesh_options sharp = fracas_tet_mesh_default_options();
        sharp.sharp_angle = i == 0 ? -1 : i == 1 ? 181 : NAN;
        refuses(FRACAS_ERROR_INVALID_ARGUMENT, "it must be from 0 to 180 degrees", &view, &sharp);
    }
    // The size that the message advises is possible; it is not tried, for it takes gigabytes.
    fracas_tet_mesh_options huge = fracas_tet_mesh_default_options();
    huge.cells = 513;
    refuses(FRACAS_ERROR_INVALID_ARGUMENT, "use cells of 0.0021 or more", &view, &huge);
    for (int v = 0; v < 8; v++)
        for (int k = 0; k < 3; k++) s.points[v][k] *= 1e70;
    refuses(FRACAS_ERROR_INVALID_ARGUMENT, "scale lengths", &view, NULL);
    kit_free(&s);
    assert_int_equal(fracas_tet_mesh_get_view(NULL).tet_count, 0);
    fracas_tet_mesh_destroy(NULL);
}

// Balls of one to five cells.
static void coarse_cells(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    kit_surface s = kit_ball(10, 20, NULL);
    for (uint32_t cells = 1; cells < 6; cells++) {
        fracas_tet_mesh* mesh = kit_fill(context, &s, cells);
        kit_check(context, mesh, false);
        fracas_tet_mesh_destroy(mesh);
    }
    kit_free(&s);
    fracas_context_destroy(context);
}

// ---- memory

static void failed_allocations(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= 2; workers++) {
        test_allocator memory = {0};
        fracas_context* context = kit_context(workers, &memory);
        const size_t before = atomic_load(&memory.live);
        kit_surface s = kit_torus(20, 5, 1, 0.4);  // with sharp edges
        const fracas_mesh_view view = kit_view(&s);
        fracas_tet_mesh_options coarse = fracas_tet_mesh_default_options();
        coarse.cells = 8;
        fracas_tet_mesh* mesh = NULL;
        fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
        size_t fail = 1;
        for (; status == FRACAS_ERROR_OUT_OF_MEMORY; fail++) {
            test_allocator_fail_at(&memory, fail);
            status = fracas_tet_mesh_create(context, &view, &coarse, &mesh);
            assert_true((mesh != NULL) == (status == FRACAS_OK));
            if (status != FRACAS_OK) assert_int_equal(atomic_load(&memory.live), before);
            assert_true(fail < 1000);
        }
        test_allocator_fail_at(&memory, 0);
        assert_int_equal(status, FRACAS_OK);
        assert_true(fail > 20);
        kit_check(context, mesh, true);
        fracas_tet_mesh_destroy(mesh);
        assert_int_equal(atomic_load(&memory.live), before);
        kit_free(&s);
        fracas_context_destroy(context);
        assert_int_equal(atomic_load(&memory.live), 0);
    }
}

// ---- progress

static void cancel_with(uint32_t workers) {
    kit_progress p = {0};
    fracas_context* context = kit_progress_context(workers, &p);
    kit_surface s = kit_torus(20, 10, 1, 0.4);
    const fracas_mesh_view view = kit_view(&s);
    fracas_tet_mesh_options coarse = fracas_tet_mesh_default_options();
    coarse.cells = 8;
    uint32_t cancelled = 0;
    for (;; cancelled++) {
        fracas_tet_mesh* mesh = NULL;
        p = (kit_progress){.cancel_at = cancelled + 1};
        const fracas_status status = fracas_tet_mesh_create(context, &view, &coarse, &mesh);
        if (status == FRACAS_OK) {
            assert_true(mesh && p.last == 1);
            fracas_tet_mesh_destroy(mesh);
            break;
        }
        assert_int_equal(status, FRACAS_ERROR_CANCELLED);
        assert_null(mesh);
    }
    // The calling thread reports while it works: with others it may get few items.
    assert_true(cancelled > (workers == 1 ? 5 : 0));
    fracas_tet_mesh* mesh = NULL;
    fracas_context_cancel(context);
    assert_int_equal(fracas_tet_mesh_create(context, &view, &coarse, &mesh),
                     FRACAS_ERROR_CANCELLED);
    assert_string_equal(kit_message(context), "the tetrahedralization was cancelled");
    fracas_context_resume(context);
    kit_free(&s);
    fracas_context_destroy(context);
}

static void cancelling(void** state) {
    (void)state;
    cancel_with(1);
    cancel_with(2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_surfaces), cmocka_unit_test(bad_options),
        cmocka_unit_test(coarse_cells), cmocka_unit_test(failed_allocations),
        cmocka_unit_test(cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
