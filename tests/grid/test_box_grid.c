// Boxes in cells compared with all pairs: two overlapping boxes share exactly one cell in which
// their overlap begins along all axes and one of them has its home entry. Boxes of all sizes, flat
// and infinite ones, cells of any size, several threads.
#include "cmocka_all.h"
#include "grid/box_grid.h"
#include "scene/test_allocator.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 200 };

static uint32_t state;
static uint32_t draw(uint32_t below) {
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)state * below >> 32);
}

static float draw_float(double scale) {
    return (float)(((double)draw(2001) - 1000) / 1000 * scale);
}

typedef enum kind { SOUP, MIXED, FAR, TINY, HUGE_ONES, POINTS_ONLY, INTEGERS, SAME, KINDS } kind;

static void set_axis(frc_grid_box* box, int k, double at, double extent) {
    box->lo[k] = (float)at;
    box->hi[k] = (float)(at + extent);
    if (!(box->hi[k] >= box->lo[k])) box->hi[k] = box->lo[k];
}

static void make_box(frc_grid_box* box, kind what) {
    static const double sizes[] = {1e-6, 0.01, 0.1, 1, 30, 1e5, 1e12};
    const double mixed = sizes[draw(7)];
    const bool large = draw(50) == 0;
    for (int k = 0; k < 3; k++) {
        const double u = draw(1000) / 1000.0;
        switch (what) {
        case SOUP:
            set_axis(box, k, (double)draw_float(3), u);
            break;
        case MIXED:
            set_axis(box, k, (double)draw_float(10), draw(4) ? u * mixed : 0);
            break;
        case FAR:
            set_axis(box, k, 3e7 + (double)draw_float(20), u * 8);
            break;
        case TINY:
            set_axis(box, k, (double)draw_float(1e-43), u * 1e-44);
            break;
        case HUGE_ONES:
            set_axis(box, k, (double)draw_float(3e38), u * 1e38);
            break;
        case POINTS_ONLY:
            set_axis(box, k, (double)(int)draw(5), 0);
            break;
        case INTEGERS:  // few large ones, which others touch at the bounds of their level
            set_axis(box, k, (double)draw(40), large ? 16 : 1);
            break;
        default:
            set_axis(box, k, 1, 2);
            break;
        }
        if (what != HUGE_ONES && what != MIXED) continue;
        if (draw(40) == 0) box->lo[k] = -INFINITY;
        if (draw(40) == 0) box->hi[k] = INFINITY;
    }
    if (draw(25) == 0) box->lo[0] = 1, box->hi[0] = 0;  // empty
}

static bool is_box(const frc_grid_box* b) { return b->lo[0] <= b->hi[0]; }

static bool overlap(const frc_grid_box* a, const frc_grid_box* b) {
    bool yes = is_box(a) && is_box(b);
    for (int k = 0; k < 3; k++) yes = yes && a->lo[k] <= b->hi[k] && b->lo[k] <= a->hi[k];
    return yes;
}

// Counted pairs of the entries of one cell.
static void count_cell(const frc_grid_entry* entries, uint32_t count, uint8_t* found) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            if ((entries[i].mark | entries[j].mark) != (FRC_GRID_BEGINS | FRC_GRID_OWN_LEVEL))
                continue;
            assert_int_not_equal(entries[i].item, entries[j].item);
            found[entries[i].item * COUNT + entries[j].item]++;
            found[entries[j].item * COUNT + entries[i].item]++;
        }
}

// A box that covers a cell without an entry there belongs to a coarser level, or to a finer one and
// overlaps no box with its home entry in this cell.
static void check_absent(const frc_box_grid* grid, uint32_t item, const frc_grid_entry* entries,
                         uint32_t count, const frc_grid_box* boxes) {
    for (uint32_t e = 0; e < count && entries[e].mark & FRC_GRID_OWN_LEVEL; e++) {
        const int level = grid->shapes[item] >> 6, here = grid->shapes[entries[e].item] >> 6;
        assert_int_not_equal(level, here);
        assert_true(level > here || !overlap(&boxes[item], &boxes[entries[e].item]));
    }
}

// The bounds of a cell agree with the marks of its entries.
static void check_bounds(const frc_box_grid* grid, uint32_t bucket, const frc_grid_entry* entries,
                         uint32_t count, const frc_grid_box* boxes, frc_cell_bounds* bounds) {
    frc_box_grid_bounds(grid, bucket, entries[0].cell, bounds);
    for (uint32_t i = 0; i < COUNT; i++) {
        bool covers = is_box(&boxes[i]), entered = false;
        uint32_t begins = 0, mark = 0;
        for (int k = 0; k < 3; k++) {
            covers =
                covers && bounds->lo[k] <= boxes[i].hi[k] && !(bounds->hi[k] <= boxes[i].lo[k]);
            begins |= (uint32_t)(bounds->lo[k] <= boxes[i].lo[k]) << k;
        }
        for (uint32_t e = 0; e < count; e++)
            if (entries[e].item == i) entered = true, mark = entries[e].mark;
        if (entered) assert_true(covers && begins == (mark & FRC_GRID_BEGINS));
        if (covers && !entered) check_absent(grid, i, entries, count, boxes);
    }
}

static void check_grid(const frc_box_grid* grid, const frc_grid_box* boxes, bool bounds_too) {
    uint8_t* found = calloc(COUNT * COUNT, 1);
    frc_cell_bounds bounds = {.known = false};
    for (uint32_t b = 0; b < grid->bucket_count; b++) {
        const uint32_t first = frc_box_grid_begin(grid, b);
        const uint32_t end = frc_box_grid_begin(grid, b + 1);
        frc_box_grid_sort_bucket(&grid->entries[first], end - first);
        for (uint32_t i = first, j; i < end; i = j) {
            for (j = i + 1; j < end && grid->entries[j].cell == grid->entries[i].cell;) {
                assert_true((grid->entries[j].mark & FRC_GRID_OWN_LEVEL) <=
                            (grid->entries[j - 1].mark & FRC_GRID_OWN_LEVEL));
                j++;
            }
            count_cell(&grid->entries[i], j - i, found);
            if (bounds_too && draw(3) == 0)
                check_bounds(grid, b, &grid->entries[i], j - i, boxes, &bounds);
        }
    }
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t j = 0; j < COUNT; j++) {
            if (i == j) continue;
            assert_true(found[i * COUNT + j] <= 1);
            if (overlap(&boxes[i], &boxes[j])) assert_int_equal(found[i * COUNT + j], 1);
        }
    free(found);
}

static fracas_context* make_context(uint32_t workers, test_allocator* memory) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    if (memory)
        options.allocator =
            (fracas_allocator){test_allocator_allocate, test_allocator_release, memory};
    fracas_context* context;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

static void every_pair_once(void** unused) {
    (void)unused;
    static const double sizes[] = {0, 0.5, 1e-3, 40, 1e30, 1e300, 1e-300, 5e-324};
    frc_grid_box boxes[COUNT];
    state = 7;
    for (uint32_t workers = 1; workers <= 3; workers += 2) {
        fracas_context* context = make_context(workers, NULL);
        frc_box_grid grid = {0};
        for (int what = 0; what < KINDS; what++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                for (int i = 0; i < COUNT; i++) make_box(&boxes[i], (kind)what);
                assert_true(frc_box_grid_build(context, &grid, boxes, COUNT, sizes[s]));
                check_grid(&grid, boxes, workers == 1);
            }
        assert_true(frc_box_grid_build(context, &grid, boxes, 0, 0));
        assert_int_equal(grid.bucket_count, 0);
        frc_box_grid_release(context, &grid);
        fracas_context_destroy(context);
    }
}

// The number of entries is bounded for any cell size.
static void large_boxes_have_few_entries(void** unused) {
    (void)unused;
    fracas_context* context = make_context(1, NULL);
    frc_grid_box boxes[COUNT];
    frc_box_grid grid = {0};
    state = 8;
    for (int what = 0; what < KINDS; what++) {
        for (int i = 0; i < COUNT; i++) make_box(&boxes[i], (kind)what);
        assert_true(frc_box_grid_build(context, &grid, boxes, COUNT, 1e-30));
        const uint32_t all = frc_box_grid_begin(&grid, grid.bucket_count);
        assert_true(all <= COUNT * 64 * FRC_BOX_GRID_LEVELS);
    }
    frc_box_grid_release(context, &grid);
    fracas_context_destroy(context);
}

static void sizes_are_robust(void** unused) {
    (void)unused;
    frc_grid_box boxes[COUNT];
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++) set_axis(&boxes[i], k, i, 2);
    assert_true(frc_box_grid_choose_size(boxes, COUNT) == 5);
    // Some huge, some infinite, some without extent, some empty.
    for (int i = 0; i < 20; i++) {
        boxes[i].hi[0] = i < 10 ? 1e30f : INFINITY;
        memcpy(boxes[20 + i].hi, boxes[20 + i].lo, sizeof boxes[0].lo);
        boxes[40 + i].lo[0] = 1, boxes[40 + i].hi[0] = 0;
    }
    assert_true(frc_box_grid_choose_size(boxes, COUNT) == 5);
    assert_true(frc_box_grid_choose_size(boxes, 0) > 0);
}

static void without_memory(void** unused) {
    (void)unused;
    test_allocator memory = {0};
    fracas_context* context = make_context(1, &memory);
    frc_grid_box boxes[COUNT];
    frc_box_grid grid = {0};
    state = 9;
    for (int i = 0; i < COUNT; i++) make_box(&boxes[i], MIXED);
    for (size_t n = 1;; n++) {
        test_allocator_fail_at(&memory, n);
        bool built = frc_box_grid_build(context, &grid, boxes, COUNT, 0);
        test_allocator_fail_at(&memory, 0);
        if (!built) {
            frc_box_grid_release(context, &grid);
            continue;
        }
        assert_true(n > 3);
        check_grid(&grid, boxes, false);
        break;
    }
    frc_box_grid_release(context, &grid);
    fracas_context_destroy(context);
    assert_int_equal(memory.live, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_once), cmocka_unit_test(large_boxes_have_few_entries),
        cmocka_unit_test(sizes_are_robust), cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
