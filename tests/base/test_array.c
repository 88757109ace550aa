// Growing arrays: growth keeps the elements, failed growth changes nothing.
#include "base/array.h"
#include "cmocka_all.h"
#include <stdlib.h>

typedef struct memory {
    size_t live, calls, fail_at;
} memory;

static void* allocate(size_t size, size_t alignment, void* user) {
    memory* m = user;
    if (++m->calls == m->fail_at) return NULL;
    m->live += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void* block, size_t size, void* user) {
    ((memory*)user)->live -= size;
    free(block);
}

static fracas_context* make_context(memory* m) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.allocator = (fracas_allocator){allocate, release, m};
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

static void growth_keeps_elements(void** state) {
    (void)state;
    memory m = {0};
    fracas_context* context = make_context(&m);
    size_t before = m.live;
    FRC_ARRAY(uint64_t) list = {0};
    for (uint64_t i = 0; i < 10000; i++) assert_true(FRC_ARRAY_PUSH(context, &list, i * i));
    assert_int_equal(list.count, 10000);
    for (uint64_t i = 0; i < 10000; i++) assert_true(list.data[i] == i * i);
    assert_true(m.calls < 40);  // by at least a half each time
    assert_int_equal(m.live - before, list.capacity * sizeof *list.data);
    FRC_ARRAY_RELEASE(context, &list);
    assert_null(list.data);
    assert_int_equal(list.count + list.capacity, 0);
    FRC_ARRAY_RELEASE(context, &list);  // of an empty array: no effect
    assert_int_equal(m.live, before);
    fracas_context_destroy(context);
    assert_int_equal(m.live, 0);
}

static void failed_growth_changes_nothing(void** state) {
    (void)state;
    memory m = {0};
    fracas_context* context = make_context(&m);
    FRC_ARRAY(uint32_t) list = {0};
    size_t nothing = 0;
    assert_true(FRC_ARRAY_RESERVE(context, &list, nothing));
    assert_null(list.data);
    for (uint32_t i = 0; i < 100; i++) assert_true(FRC_ARRAY_PUSH(context, &list, i));
    uint32_t* data = list.data;
    size_t capacity = list.capacity;
    m.fail_at = m.calls + 1;
    assert_false(FRC_ARRAY_RESERVE(context, &list, 1000));
    // A size beyond size_t is reported like a failed allocation.
    assert_false(FRC_ARRAY_RESERVE(context, &list, SIZE_MAX / 2));
    assert_ptr_equal(list.data, data);
    assert_int_equal(list.capacity, capacity);
    assert_int_equal(list.count, 100);
    for (uint32_t i = 0; i < 100; i++) assert_int_equal(list.data[i], i);
    FRC_ARRAY_RELEASE(context, &list);
    fracas_context_destroy(context);
    assert_int_equal(m.live, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_keeps_elements),
        cmocka_unit_test(failed_growth_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
