// Random edits and queries of a scene on an emulated device, compared with the plain model of
// tests/scene bit for bit: splits, merges, siblings, free elements, groups, separation, nearby,
// max_step; allocations fail, also those of the device.
#include "api_model.h"
#include "cmocka_all.h"
#include "fracas/cuda.h"
#include "share.h"

enum { STEPS = 2000, STEPS_PER_SCENE = 100 };

static void* open_device(fracas_context* context) {
    fracas_cuda_context* cuda;
    assert_int_equal(fracas_cuda_context_create(context, NULL, &cuda), FRACAS_OK);
    return cuda;
}

static fracas_status create_scene(void* opened, fracas_scene** out) {
    return fracas_cuda_scene_create(opened, NULL, out);
}

static void close_device(void* opened) { fracas_cuda_context_destroy(opened); }

static void same_as_the_model(void** state) {
    static const model_maker maker = {open_device, create_scene, close_device};
    (void)state;
    model_counts counts = {0};
    for (uint64_t seed = 1; counts.steps < share_of(STEPS); seed++) {
        model_source source = {.state = seed * 0x9E3779B97F4A7C15u | 1};
        for (int i = 0; i < 8; i++) model_pick(&source, 1000);
        model_run_made(&source, 1 + (uint32_t)(seed % 3), STEPS_PER_SCENE, &maker, &counts);
    }
    assert_true(counts.contacts > counts.steps && counts.queries > counts.steps / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_the_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
