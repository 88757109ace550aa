// The hash table of numbers compared with a plain array, with keys that collide.
#include "base/map.h"
#include "cmocka_all.h"
#include <stdlib.h>

enum { KEYS = 2000 };

typedef struct plain {
    uint32_t keys[KEYS], values[KEYS];
    uint32_t count;
} plain;

static uint32_t plain_find(const plain* p, uint32_t key) {
    for (uint32_t i = 0; i < p->count; i++)
        if (p->keys[i] == key) return p->values[i];
    return FRC_MAP_NONE;
}

static void plain_set(plain* p, uint32_t key, uint32_t value) {
    for (uint32_t i = 0; i < p->count; i++)
        if (p->keys[i] == key) {
            p->values[i] = value;
            return;
        }
    p->keys[p->count] = key;
    p->values[p->count++] = value;
}

static void same_as_a_plain_array(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    uint64_t random = 7;
    for (uint32_t room = 0; room < KEYS; room = 2 * room + 1) {
        plain p = {.count = 0};
        frc_map map;
        frc_arena arena = frc_arena_make(context);
        assert_true(frc_map_create(&arena, &map, room));
        assert_int_equal(frc_map_find(&map, 3), FRC_MAP_NONE);
        while (p.count < room) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            uint32_t high = (uint32_t)(random >> 33);
            // Keys near each other, far apart, multiples of the table's size, and both limits.
            uint32_t choices[4] = {high % 64, high, high % 64 << 12, UINT32_MAX - 1 - high % 5};
            uint32_t key = choices[random >> 30 & 3], value = high % 100;
            frc_map_set(&map, key, value);
            plain_set(&p, key, value);
            assert_int_equal(frc_map_find(&map, key), value);
            assert_int_equal(frc_map_find(&map, high), plain_find(&p, high));
            assert_int_equal(map.count, p.count);
        }
        for (uint32_t i = 0; i < p.count; i++)
            assert_int_equal(frc_map_find(&map, p.keys[i]), p.values[i]);
        frc_arena_release(&arena);
    }
    fracas_context_destroy(context);
}

static void too_large_sizes_are_refused(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    frc_map map = {0};
    frc_arena arena = frc_arena_make(context);
    assert_false(frc_map_create(&arena, &map, (size_t)1 << 40));
    frc_arena_release(&arena);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_a_plain_array),
        cmocka_unit_test(too_large_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
