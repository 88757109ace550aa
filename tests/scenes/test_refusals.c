// Scenes that cannot be created or run: bad meshes, failed allocations, cancelled. Each failure has
// a message and leaks nothing.
#include "scene_driver.h"
#include "test_allocator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                  "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
static const char open_mesh[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
static const char no_triangles[] = "v 0 0 0\nv 1 0 0\n";
static const char no_size[] = "v 1 1 1\nv 1 1 1\nv 1 1 1\nv 1 1 1\n"
                              "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
static const char twice[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\nf 1 2 3\nf 1 3 2\n";

typedef struct fixture {
    fracas_context* context;
    fracas_scene* scene;
    char path[64], message[256];
    scenes_options options;
} fixture;

static fixture open_fixture(const char* text) {
    fixture r = {.path = "/tmp/fracas-scene-XXXXXX"};
    assert_int_equal(fracas_context_create(NULL, &r.context), FRACAS_OK);
    assert_int_equal(fracas_scene_create(r.context, NULL, &r.scene), FRACAS_OK);
    int file = mkstemp(r.path);
    assert_true(file >= 0);
    assert_true(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    return r;
}

static fracas_status create(fixture* r, void** run) {
    char path[80];
    snprintf(path, sizeof path, "%s.obj", r->path);
    rename(r->path, path);
    r->options.mesh = path;
    r->options.size = 500;
    r->options.context = r->context;
    r->options.message = r->message;
    r->options.message_size = sizeof r->message;
    fracas_status status = scenes_exploding_dragon.create(r->scene, &r->options, run);
    unlink(path);
    return status;
}

static void close_fixture(fixture* r) {
    fracas_scene_destroy(r->scene);
    fracas_context_destroy(r->context);
}

static void require_refusal(const char* text, const char* why) {
    fixture r = open_fixture(text);
    void* run = &r;
    assert_int_equal(create(&r, &run), FRACAS_ERROR_BAD_DATA);
    assert_null(run);
    if (!strstr(r.message, why)) fail_msg("'%s' is not in: %s", why, r.message);
    close_fixture(&r);
}

static void test_bad_meshes(void** unused) {
    (void)unused;
    require_refusal(open_mesh, "not closed, it has 3 boundary edges");
    require_refusal(no_triangles, "no triangles");
    require_refusal(no_size, "no size");
    require_refusal(twice, "1 triangles have a corner twice");
    fixture r = open_fixture("v 0 0 oh\n");
    void* run = &r;
    assert_int_equal(create(&r, &run), FRACAS_ERROR_BAD_DATA);
    assert_null(run);
    char message[256];
    fracas_context_get_message(r.context, message, sizeof message);
    assert_non_null(strstr(message, ":1"));
    close_fixture(&r);
}

static void test_no_file(void** unused) {
    (void)unused;
    fixture r = open_fixture("");
    unlink(r.path);
    r.options = (scenes_options){.mesh = "/there/is/no/such.obj", .context = r.context};
    void* run = &r;
    assert_int_equal(scenes_exploding_dragon.create(r.scene, &r.options, &run), FRACAS_ERROR_FILE);
    assert_null(run);
    r.options.context = NULL;
    assert_int_equal(scenes_exploding_dragon.create(r.scene, &r.options, &run),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    close_fixture(&r);
}

static void test_own_mesh(void** unused) {
    (void)unused;
    fixture r = open_fixture(tetrahedron);
    void* run;
    assert_int_equal(create(&r, &run), FRACAS_OK);
    scenes_state state = scenes_exploding_dragon.state(run);
    uint32_t triangles = state.triangle_begins[3] - state.triangle_begins[2];
    assert_true(triangles >= 240 && triangles <= 1000);
    uint64_t edits, all = 0;
    for (int frame = 0; frame < 80; frame++) {
        assert_int_equal(fracas_scene_advance(r.scene), FRACAS_OK);
        assert_int_equal(scenes_exploding_dragon.step(run, NULL, 0, &edits), FRACAS_OK);
        all += edits;
    }
    assert_true(all > 0);
    scenes_exploding_dragon.destroy(run);
    close_fixture(&r);
}

static void test_cancelled(void** unused) {
    (void)unused;
    fixture r = open_fixture(tetrahedron);
    void* run = &r;
    fracas_context_cancel(r.context);
    assert_int_equal(create(&r, &run), FRACAS_ERROR_CANCELLED);
    assert_null(run);
    close_fixture(&r);
}

// The smallest size of each scene, all steps, without contacts.
static void test_smallest(void** unused) {
    (void)unused;
    size_t count;
    const scenes_scene* const* list = scenes_list(&count);
    assert_int_equal(count, 7);
    for (size_t i = 0; i < count; i++) {
        scenes_options options = {.size = 1};
        scene_driver d = driver_start(list[i]->name, &options, 1);
        assert_true(d.what->state(d.run).mesh.triangle_count < 900);
        d.modes = FRACAS_MODE_DISCRETE;
        for (uint32_t frame = 0; frame < list[i]->frames && frame < 160; frame++) driver_step(&d);
        driver_end(&d);
        list[i]->destroy(NULL);
    }
}

// The scenes allocate from the C library: the linker redirects their calls to these functions
// (--wrap).
void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);

static size_t own_calls, own_fail_at;  // counted from 1; 0: none fails

static bool refuse(void) { return ++own_calls == own_fail_at; }

void* __wrap_malloc(size_t size) { return refuse() ? NULL : __real_malloc(size); }
void* __wrap_calloc(size_t count, size_t size) {
    return refuse() ? NULL : __real_calloc(count, size);
}
void* __wrap_realloc(void* memory, size_t size) {
    return refuse() ? NULL : __real_realloc(memory, size);
}

// Let each allocation of the library, or of the scene itself, fail in turn, during creation and in
// the steps with splits and merges.
static bool run_with_failure(const scenes_scene* what, test_allocator* w, size_t fail_at,
                             size_t own_at) {
    fracas_context_options how = fracas_context_default_options();
    how.worker_count = 1;
    how.allocator = (fracas_allocator){test_allocator_allocate, test_allocator_release, w};
    fracas_context* context;
    fracas_scene* scene;
    void* run = NULL;
    test_allocator_fail_at(w, 0);
    assert_int_equal(fracas_context_create(&how, &context), FRACAS_OK);
    assert_int_equal(fracas_scene_create(context, NULL, &scene), FRACAS_OK);
    test_allocator_fail_at(w, fail_at);
    own_calls = 0, own_fail_at = own_at;
    scenes_options options = {.size = 300};
    fracas_status status = what->create(scene, &options, &run);
    assert_true((status == FRACAS_OK) == (run != NULL));
    for (int frame = 0; frame < 32 && status == FRACAS_OK; frame++) {
        uint64_t edits;
        status = fracas_scene_advance(scene);
        if (status == FRACAS_OK) status = what->step(run, NULL, 0, &edits);
        if (status == FRACAS_OK) status = fracas_scene_update(scene);
    }
    assert_true(status == FRACAS_OK || status == FRACAS_ERROR_OUT_OF_MEMORY);
    own_fail_at = 0;
    what->destroy(run);
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
    assert_true(atomic_load(&w->live) == 0);
    return status == FRACAS_OK;
}

static void test_no_memory(void** unused) {
    (void)unused;
    size_t count;
    const scenes_scene* const* list = scenes_list(&count);
    for (size_t i = 0; i < count; i++) {
        test_allocator w = {0};
        size_t fail_at = 1, failures = 0;
        while (!run_with_failure(list[i], &w, fail_at, 0)) fail_at += 1 + fail_at / 6, failures++;
        assert_true(failures > 5);
    }
}

static void test_no_memory_of_its_own(void** unused) {
    (void)unused;
    size_t count;
    const scenes_scene* const* list = scenes_list(&count);
    for (size_t i = 0; i < count; i++) {
        test_allocator w = {0};
        size_t fail_at = 0, failures = 0;
        // Shrinking a list may fail without consequences: not every failed allocation fails the
        // scene.
        do {
            fail_at += 1 + fail_at / 12;
            failures += !run_with_failure(list[i], &w, 0, fail_at);
        } while (own_calls >= fail_at);
        assert_true(failures > 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_meshes),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_own_mesh),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_no_memory_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
