// The methods of `fracas bench fastcd`: each differs from the one that it names in one thing.
#include "cmocka_all.h"
#include "fastcd/methods.h"
#include <string.h>

static void names_are_unique(void** state) {
    (void)state;
    for (uint32_t i = 0; i < fastcd_method_count; i++)
        assert_ptr_equal(fastcd_find_method(fastcd_methods[i].name), &fastcd_methods[i]);
    assert_null(fastcd_find_method("no such method"));
}

static void variants_differ_in_one_thing(void** state) {
    (void)state;
    uint32_t variants = 0;
    for (uint32_t i = 0; i < fastcd_method_count; i++) {
        const fastcd_method* method = &fastcd_methods[i];
        if (!method->like) continue;
        const fastcd_method* other = fastcd_find_method(method->like);
        assert_non_null(other);
        if (fastcd_method_differences(method, other) != 1)
            fail_msg("%s and %s differ in %u things", method->name, other->name,
                     fastcd_method_differences(method, other));
        variants++;
    }
    assert_true(variants >= 10);
}

// Options that differ.
static uint32_t option_differences(const char* a_name, const char* b_name) {
    const fracas_published_scene_options a = fastcd_method_options(fastcd_find_method(a_name),
                                                                   FRACAS_MODE_DISCRETE),
                                         b = fastcd_method_options(fastcd_find_method(b_name),
                                                                   FRACAS_MODE_DISCRETE);
    return (a.builder != b.builder) + (a.rebuild != b.rebuild) + (a.inherit != b.inherit) +
           (a.grid_levels != b.grid_levels) + (a.grid_stop != b.grid_stop) +
           (a.restructure != b.restructure) + (a.metric != b.metric) +
           (a.restructure_share != b.restructure_share) + (a.cull != b.cull) +
           (a.broad != b.broad) + (a.scheduler != b.scheduler);
}

static void ablations_change_one_option(void** state) {
    (void)state;
    assert_int_equal(option_differences("fracas", "without-grid"), 1);
    assert_int_equal(option_differences("without-grid", "without-grid-cost"), 1);
    assert_int_equal(option_differences("fracas", "dual-cone"), 1);
    assert_int_equal(option_differences("t-ccd", "t-ccd-boundary"), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(variants_differ_in_one_thing),
        cmocka_unit_test(ablations_change_one_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
