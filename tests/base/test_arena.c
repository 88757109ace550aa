// Arenas: allocations do not overlap, are aligned, are not moved, and all memory is released.
#include "base/arena.h"
#include "cmocka_all.h"
#include "scene/test_allocator.h"
#include <stdlib.h>
#include <string.h>

typedef struct counting_memory {
    size_t bytes, left;  // bytes currently allocated; allocations allowed
} counting_memory;

static void* count_allocate(size_t size, size_t alignment, void* user) {
    counting_memory* l = user;
    if (l->left == 0) return NULL;
    l->left--;
    l->bytes += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void count_release(void* memory, size_t size, void* user) {
    ((counting_memory*)user)->bytes -= size;
    free(memory);
}

static fracas_context* make_context(counting_memory* l) {
    fracas_context_options options = fracas_context_default_options();
    options.allocator = (fracas_allocator){count_allocate, count_release, l};
    options.worker_count = 1;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

static void allocations_do_not_overlap(void** state) {
    (void)state;
    counting_memory l = {0, SIZE_MAX};
    fracas_context* context = make_context(&l);
    size_t before = l.bytes;
    frc_arena arena = frc_arena_make(context);
    enum { TAKES = 200 };
    unsigned char* taken[TAKES];
    size_t size[TAKES];
    for (size_t i = 0; i < TAKES; i++) {
        size[i] = i * i * 7 % 5003;
        taken[i] = i % 2 ? frc_arena_allocate(&arena, size[i], 1)
                         : frc_arena_allocate_zero(&arena, size[i], 1);
        assert_non_null(taken[i]);
        assert_int_equal((uintptr_t)taken[i] % 64, 0);
        for (size_t k = 0; k < size[i] && i % 2 == 0; k++) assert_int_equal(taken[i][k], 0);
        memset(taken[i], (int)i, size[i]);
    }
    for (size_t i = 0; i < TAKES; i++)
        for (size_t k = 0; k < size[i]; k++) assert_int_equal(taken[i][k], i & 255);
    frc_arena_release(&arena);
    assert_int_equal(l.bytes, before);
    fracas_context_destroy(context);
    assert_int_equal(l.bytes, 0);
}

// The allocator checks the bytes before and after a chunk.
static void large_allocations_fit(void** state) {
    (void)state;
    test_allocator memory = {0};
    fracas_context_options options = fracas_context_default_options();
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &memory};
    options.worker_count = 1;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    for (size_t size = 1 << 13; size < 1 << 22; size *= 2)
        for (size_t more = 0; more < 256; more += 32) {
            frc_arena arena = frc_arena_make(context);
            memset(frc_arena_allocate(&arena, size + more, 1), 1, size + more);
            memset(frc_arena_allocate(&arena, 4 * size - more, 1), 2, 4 * size - more);
            frc_arena_release(&arena);
        }
    fracas_context_destroy(context);
    assert_int_equal(memory.live, 0);
}

static void failed_allocations_are_reported(void** state) {
    (void)state;
    counting_memory l = {0, 2};  // the context and one chunk
    fracas_context* context = make_context(&l);
    frc_arena arena = frc_arena_make(context);
    assert_non_null(frc_arena_allocate(&arena, 100, 8));
    assert_null(frc_arena_allocate(&arena, 1 << 20, 8));
    assert_non_null(frc_arena_allocate(&arena, 1, 8));
    assert_null(frc_arena_allocate(&arena, SIZE_MAX / 2, 8));
    frc_arena_release(&arena);
    fracas_context_destroy(context);
    assert_int_equal(l.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_do_not_overlap),
        cmocka_unit_test(large_allocations_fit),
        cmocka_unit_test(failed_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
