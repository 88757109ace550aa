// Builders and refit on ordinary and extreme input: every primitive is in one leaf, boxes enclose
// their contents, partial refits are bit-identical to full ones.
#include "cmocka_all.h"
#include "fracas/published.h"
#include "scene/scene.h"
#include "scene/test_allocator.h"
#include "share.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t next_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

static double unit(uint64_t* state) { return (double)next_random(state) * 0x1p-53; }

typedef enum form { RANDOM, CLUSTERED, EQUAL, HUGE_SIZE, COLLINEAR, SUBNORMAL, SHAPES } form;

static void make_point(form kind, uint64_t* random, uint32_t i, double p[3]) {
    for (int k = 0; k < 3; k++) {
        double u = unit(random), sign = next_random(random) % 2 ? 1 : -1;
        switch (kind) {
        case RANDOM:
            p[k] = u;
            break;
        case CLUSTERED:  // all but a few within a millionth of each other
            p[k] = i % 50 ? u * 1e-6 : u * 1e6;
            break;
        case EQUAL:
            p[k] = 3.25;
            break;
        case HUGE_SIZE:  // float boxes are infinite
            p[k] = u * 1e300 * sign;
            break;
        case COLLINEAR:
            p[k] = k == 0 ? i : 0;
            break;
        default:
            p[k] = floor(u * 100) * 0x1p-1074 * sign;
        }
    }
}

// ---- the builders alone

static void check_shape(const frc_shape* shape, const frc_prim* prims, uint32_t count,
                        uint32_t leaf_size) {
    uint8_t* seen = calloc(count, 1);
    uint32_t next = 0;
    uint8_t* is_child = calloc(shape->node_count, 1);
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        const frc_leaf_range* leaf = &shape->leaves[i];
        assert_true(leaf->count >= 1 && leaf->count <= leaf_size);
        for (uint32_t k = 0; k < leaf->count; k++) assert_int_equal(seen[leaf->first + k]++, 0);
        next += leaf->count;
        assert_int_equal(shape->nodes[leaf->parent].child[leaf->lane], i | FRC_REF_LEAF);
    }
    assert_int_equal(next, count);
    memset(seen, 0, count);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(seen[prims[i].id]++, 0);
    for (uint32_t n = 0; n < shape->node_count; n++) {
        const frc_node* node = &shape->nodes[n];
        uint32_t children = 0;
        for (uint32_t i = 0; i < 4; i++) {
            if (node->child[i] == FRC_REF_NONE) continue;
            assert_int_equal(children++, i);  // no slot is in use after an empty one
            if (node->child[i] & FRC_REF_LEAF) continue;
            assert_true(node->child[i] > n && node->child[i] < shape->node_count);
            assert_int_equal(shape->nodes[node->child[i]].parent, n);
            assert_int_equal(shape->nodes[node->child[i]].lane, i);
            assert_int_equal(is_child[node->child[i]]++, 0);
        }
        assert_true(children >= 2 || n == 0);
    }
    free(seen);
    free(is_child);
}

static void random_prims(form kind, uint64_t* random, frc_prim* prims, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        prims[i] = (frc_prim){.id = i};
        for (int end = 0; end < 2; end++) {
            double p[3];
            make_point(kind, random, i, p);
            for (int k = 0; k < 3; k++) {
                float f = frc_clamp_to_finite((float)p[k]);
                prims[i].lo[k] = end == 0 || f < prims[i].lo[k] ? f : prims[i].lo[k];
                prims[i].hi[k] = end == 0 || f > prims[i].hi[k] ? f : prims[i].hi[k];
            }
        }
    }
}

static void every_primitive_in_one_leaf(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 34, 65, 200, 1000};
    uint64_t random = 5;
    frc_prim prims[1000];
    for (int kind = 0; kind < SHAPES; kind++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (uint32_t leaf_size = 1; leaf_size <= 8; leaf_size++)
                for (int builder = 0; builder < 3; builder++) {
                    frc_shape shape;
                    random_prims((form)kind, &random, prims, counts[c]);
                    const frc_build_options how = {.builder = (frc_builder)builder,
                                                   .leaf_size = leaf_size,
                                                   .grid_levels = 1 + leaf_size % 4,
                                                   .grid_stop = 5 * leaf_size};
                    assert_true(frc_tree_build(context, &how, prims, counts[c], &shape));
                    check_shape(&shape, prims, counts[c], leaf_size);
                    frc_shape_release(context, &shape);
                }
    fracas_context_destroy(context);
}

// Large trees have branches that workers build concurrently.

static fracas_context* make_context(uint32_t workers) {
    fracas_context* context = NULL;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

static void expect_same_shape(const frc_shape* a, const frc_shape* b) {
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->leaf_count, b->leaf_count);
    for (uint32_t i = 0; i < a->node_count; i++) {
        assert_memory_equal(a->nodes[i].child, b->nodes[i].child, sizeof a->nodes[i].child);
        assert_int_equal(a->nodes[i].parent, b->nodes[i].parent);
        assert_int_equal(a->nodes[i].lane, b->nodes[i].lane);
    }
    assert_memory_equal(a->leaves, b->leaves, a->leaf_count * sizeof *a->leaves);
}

static void large_trees_are_the_same_on_any_number_of_workers(void** state) {
    (void)state;
    enum { LARGE = 40000 };
    static const uint32_t workers[] = {2, 7, 32};
    uint64_t random = 11;
    fracas_context* one = make_context(1);
    frc_prim* prims = malloc(2 * LARGE * sizeof *prims);
    frc_prim* others = prims + LARGE;
    const int step = share_of(100) < 100 ? 5 : 1;  // still every builder and number of workers
    for (int i = 0; i < 3 * SHAPES; i += step) {
        fracas_context* many = make_context(workers[(i + i / 3) % 3]);
        const uint32_t count = LARGE - next_random(&random) % 1000;
        const frc_build_options how = {.builder = (frc_builder)(i % 3),
                                       .leaf_size = 1 + next_random(&random) % 8};
        frc_shape alone, together;
        random_prims((form)(i / 3), &random, prims, count);
        memcpy(others, prims, count * sizeof *prims);
        assert_true(frc_tree_build(one, &how, prims, count, &alone));
        assert_true(frc_tree_build(many, &how, others, count, &together));
        check_shape(&together, others, count, how.leaf_size);
        expect_same_shape(&alone, &together);
        for (uint32_t k = 0; k < count; k++) assert_int_equal(prims[k].id, others[k].id);
        frc_shape_release(one, &alone);
        frc_shape_release(many, &together);
        fracas_context_destroy(many);
    }
    free(prims);
    fracas_context_destroy(one);
}

// For any failed allocation, and when cancelled: nothing is built, and no memory is leaked.
static void failed_builds_of_large_trees(void** state) {
    (void)state;
    enum { LARGE = 20000 };
    test_allocator memory = {0};
    uint64_t random = 12;
    fracas_context* context = NULL;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 2;
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &memory};
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    const size_t live = memory.live;
    frc_prim *prims = malloc(2 * LARGE * sizeof *prims), *copy = prims + LARGE;
    const frc_build_options how = {.builder = FRC_BUILD_GRID, .leaf_size = 8};
    random_prims(RANDOM, &random, prims, LARGE);
    bool built = false;
    size_t n = 0;
    while (!built) {
        frc_shape shape;
        memcpy(copy, prims, LARGE * sizeof *prims);
        test_allocator_fail_at(&memory, ++n);
        built = frc_tree_build(context, &how, copy, LARGE, &shape);
        if (built) frc_shape_release(context, &shape);
        assert_int_equal(memory.live, live);
    }
    // Shape, centres and cells; the trunk; a stack for it and one per branch.
    assert_true(n > 2 + 4 + 4 + 1 + 8);
    test_allocator_fail_at(&memory, 0);
    fracas_context_cancel(context);
    frc_shape shape;
    assert_false(frc_tree_build(context, &how, prims, LARGE, &shape));
    assert_int_equal(memory.live, live);
    free(prims);
    fracas_context_destroy(context);
}

// ---- the order of another tree

static uint32_t plain_meeting(const frc_shape* shape, uint32_t leaf_a, uint32_t leaf_b) {
    if (leaf_a == leaf_b) return FRC_CUT_LEAF;
    for (uint32_t a = shape->leaves[leaf_a].parent;; a = shape->nodes[a].parent)
        for (uint32_t b = shape->leaves[leaf_b].parent; b != FRC_REF_NONE;
             b = shape->nodes[b].parent)
            if (a == b) return a;
}

// The cuts between the remaining primitives of a tree, by the leaves that contain them.
static uint32_t list_cuts(const frc_shape* shape, uint32_t keep_one_in, uint64_t* random,
                          uint32_t* cuts, uint32_t* leaf_of) {
    uint32_t count = 0;
    for (uint32_t l = 0; l < shape->leaf_count; l++)
        for (uint32_t k = 0; k < shape->leaves[l].count; k++) {
            if (next_random(random) % keep_one_in) continue;
            cuts[count] = count ? plain_meeting(shape, leaf_of[count - 1], l) : 0;
            leaf_of[count++] = l;
        }
    return count;
}

static frc_shape build_by_cuts(fracas_context* context, const uint32_t* cuts, uint32_t count) {
    frc_prim prims[1000];
    frc_shape shape;
    const frc_build_options how = {.leaf_size = 8, .cuts = cuts};
    assert_true(frc_tree_build(context, &how, NULL, count, &shape));
    for (uint32_t i = 0; i < count; i++) prims[i].id = i;
    check_shape(&shape, prims, count, 8);
    return shape;
}

// Primitives of one leaf are still in one leaf.
static void expect_leaves_kept(const frc_shape* shape, const uint32_t* cuts) {
    for (uint32_t l = 0; l < shape->leaf_count; l++)
        if (shape->leaves[l].first > 0) assert_true(cuts[shape->leaves[l].first] != FRC_CUT_LEAF);
}

// No node of the new tree mixes parts of two old nodes unless it contains all of their remaining
// primitives: the contents of a new node are the remaining contents of an old node, or of several
// of its children.
static void expect_no_mixing(const frc_shape* shape, const uint32_t* cuts, uint32_t count) {
    for (uint32_t n = 1; n < shape->node_count; n++) {
        uint32_t first = UINT32_MAX, end = 0, inside = UINT32_MAX;
        for (uint32_t l = 0; l < shape->leaf_count; l++) {
            uint32_t up = shape->leaves[l].parent;
            while (up > n) up = shape->nodes[up].parent;
            if (up != n) continue;
            if (shape->leaves[l].first < first) first = shape->leaves[l].first;
            if (shape->leaves[l].first + shape->leaves[l].count > end)
                end = shape->leaves[l].first + shape->leaves[l].count;
        }
        for (uint32_t i = first + 1; i < end; i++) inside = cuts[i] < inside ? cuts[i] : inside;
        if (first > 0) assert_true(cuts[first] <= inside);
        if (end < count) assert_true(cuts[end] <= inside);
    }
}

static void a_tree_inherits_its_order(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    uint64_t random = 17;
    frc_prim prims[1000];
    uint32_t cuts[1000], leaf_of[1000];
    for (int kind = 0; kind < SHAPES; kind++)
        for (int builder = 0; builder < 3; builder++)
            for (uint32_t keep = 1; keep < 6; keep++) {
                frc_shape old;
                random_prims((form)kind, &random, prims, 1000);
                const frc_build_options how = {.builder = (frc_builder)builder, .leaf_size = 8};
                assert_true(frc_tree_build(context, &how, prims, 1000, &old));
                uint32_t count = list_cuts(&old, keep, &random, cuts, leaf_of);
                frc_shape shape = build_by_cuts(context, cuts, count);
                expect_leaves_kept(&shape, cuts);
                expect_no_mixing(&shape, cuts, count);
                frc_shape_release(context, &shape);
                frc_shape_release(context, &old);
            }
    fracas_context_destroy(context);
}

static uint32_t depth_of(const frc_shape* shape) {
    uint32_t deepest = 0;
    for (uint32_t l = 0; l < shape->leaf_count; l++) {
        uint32_t depth = 0;
        for (uint32_t n = shape->leaves[l].parent; n; n = shape->nodes[n].parent) depth++;
        if (depth > deepest) deepest = depth;
    }
    return deepest;
}

// Cuts that no tree has: any cuts give a tree, and for equal cuts it is not deep.
static void any_cuts_give_a_tree(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    uint64_t random = 23;
    uint32_t cuts[1000];
    for (uint32_t count = 1; count <= 1000; count = 2 * count + 3)
        for (uint32_t range = 0; range < 9; range++) {
            for (uint32_t i = 0; i < count; i++)
                cuts[i] = range == 5   ? i
                          : range == 6 ? count - i
                          : range == 4 || (range > 6 && next_random(&random) % 2)
                              ? FRC_CUT_LEAF
                              : (uint32_t)(next_random(&random) % (1 + 5 * (range % 7)));
            frc_shape shape = build_by_cuts(context, cuts, count);
            expect_no_mixing(&shape, cuts, count);
            if (range == 0 || range == 4) assert_true(depth_of(&shape) <= 8);
            frc_shape_release(context, &shape);
        }
    fracas_context_destroy(context);
}

// ---- blocks, through scenes

enum { TRIANGLES = 400 };

typedef struct soup {
    fracas_context* context;
    fracas_scene* scene;
    fracas_body body;
    double points[TRIANGLES + 2][3];
    uint32_t count;
} soup;

static void make_soup(soup* s, form kind, frc_builder builder, uint32_t triangles,
                      uint64_t* random) {
    static uint32_t corners[TRIANGLES][3];
    for (uint32_t i = 0; i < triangles + 2; i++) make_point(kind, random, i, s->points[i]);
    for (uint32_t i = 0; i < triangles; i++)
        for (uint32_t k = 0; k < 3; k++)
            corners[i][k] =
                next_random(random) % 8 ? i + k : (uint32_t)(next_random(random) % (triangles + 2));
    const uint32_t edges[4] = {0, triangles, 1, triangles + 1}, vertices[2] = {0, triangles};
    fracas_mesh_view mesh = {
        .points = {.data = s->points, .count = triangles + 2},
        .triangles = corners[0],
        .triangle_count = triangles,
        .edges = edges,
        .edge_count = 2,
        .vertices = vertices,
        .vertex_count = 2
    };
    s->count = triangles;
    fracas_published_scene_options options = fracas_published_scene_default_options();
    options.builder = options.rebuild = (fracas_published_builder)builder;
    assert_int_equal(fracas_context_create(NULL, &s->context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(s->context, &options, &s->scene), FRACAS_OK);
    assert_int_equal(fracas_scene_add(s->scene, &mesh, NULL, &s->body), FRACAS_OK);
    assert_int_equal(fracas_scene_update(s->scene), FRACAS_OK);
}

static void destroy_soup(soup* s) {
    fracas_scene_destroy(s->scene);
    fracas_context_destroy(s->context);
}

static void validate_blocks(const soup* s) {
    for (uint32_t i = 0; i < s->scene->blocks.count; i++) {
        if (!s->scene->blocks.data[i]) continue;
        const char* wrong = frc_block_validate(s->scene->blocks.data[i], &s->scene->topology, i);
        if (wrong) fail_msg("block %u: %s", i, wrong);
    }
}

// All bytes of a block's boxes, one tree after the other.
static size_t copy_boxes(const frc_block* b, char* out) {
    size_t at = 0;
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        const frc_tree* t = &b->tree[m];
        const void* arrays[] = {t->nodes, t->leaf_box, t->face_box, t->edge_box,
                                t->cells, b->lo[m],    b->hi[m]};
        const size_t sizes[] = {b->node_count * sizeof(frc_node),
                                t->leaf_box ? 2 * b->leaf_count * sizeof(frc_box) : 0,
                                t->face_box ? b->face_slots / 4 * sizeof(frc_box4) : 0,
                                t->edge_box ? b->edge_slots / 4 * sizeof(frc_box4) : 0,
                                t->cells ? b->leaf_count * sizeof(frc_quantized_boxes) : 0,
                                sizeof b->lo[m],
                                sizeof b->hi[m]};
        for (int i = 0; i < 7; i++) {
            if (out && sizes[i]) memcpy(out + at, arrays[i], sizes[i]);
            at += sizes[i];
        }
    }
    return at;
}

// A full refit must not change a block that is up to date.
static void full_refit_changes_nothing(const soup* s) {
    for (size_t i = 0; i < s->scene->blocks.count; i++) {
        frc_block* block = s->scene->blocks.data[i];
        if (!block) continue;
        assert_false(block->all_stale);
        assert_int_equal(block->stale.count, 0);
        size_t size = copy_boxes(block, NULL);
        char *before = malloc(size), *after = malloc(size);
        copy_boxes(block, before);
        block->all_stale = true;
        const frc_lows lows = frc_scene_lows(s->scene);
        frc_block_refit(block, &lows);
        frc_block_clear_stale(block);
        copy_boxes(block, after);
        assert_memory_equal(before, after, size);
        free(before);
        free(after);
    }
}

// Triangles removed, corners repointed, new ones added: few enough that most blocks are refitted
// partially.
static void edit(soup* s, uint64_t* random) {
    uint32_t removed[2], corners[3] = {0, 1, 2}, found = 0;
    for (uint32_t t = (uint32_t)(next_random(random) % s->count); t < s->count && found < 2; t++) {
        uint32_t unused[3];
        if (fracas_scene_get_triangle(s->scene, s->body, t, unused) == FRACAS_OK)
            removed[found++] = t;
    }
    if (found < 2) return;
    fracas_repoint repoint = {removed[0], (uint32_t)(next_random(random) % 3), 2};
    fracas_split split = fracas_scene_default_split();
    split.removed_triangles = &removed[1];
    split.removed_triangle_count = 1;
    split.repoints = &repoint;
    split.repoint_count = 1;
    split.new_triangles = corners;
    split.new_triangle_count = next_random(random) % 2;
    assert_int_equal(fracas_scene_split(s->scene, s->body, &split, NULL), FRACAS_OK);
}

static void partial_refit_equals_full_refit(void** state) {
    (void)state;
    uint64_t random = 9;
    for (int kind = 0; kind < SHAPES; kind++)
        for (int builder = 0; builder < 3; builder++)
            for (uint32_t triangles = 1; triangles <= TRIANGLES; triangles = 3 * triangles + 1) {
                soup s;
                make_soup(&s, (form)kind, (frc_builder)builder, triangles, &random);
                validate_blocks(&s);
                full_refit_changes_nothing(&s);
                for (uint32_t round = 0; round < share_of(20); round++) {
                    edit(&s, &random);
                    assert_int_equal(fracas_scene_update(s.scene), FRACAS_OK);
                    validate_blocks(&s);
                    full_refit_changes_nothing(&s);
                }
                destroy_soup(&s);
            }
}

// Workers refit parts of a large block at the same time, and then the nodes above them.
static void parallel_refit_equals_full_refit(void** state) {
    (void)state;
    enum { SIDE = 100, POINTS = SIDE * SIDE, FACES = 2 * (SIDE - 1) * (SIDE - 1) };
    static double points[POINTS][3];
    static uint32_t corners[FACES][3];
    uint32_t count = 0;
    for (uint32_t i = 0; i + 1 < SIDE; i++)
        for (uint32_t j = 0; j + 1 < SIDE; j++) {
            const uint32_t at = i * SIDE + j;
            memcpy(corners[count++], (uint32_t[3]){at, at + 1, at + SIDE}, sizeof *corners);
            memcpy(corners[count++], (uint32_t[3]){at + 1, at + SIDE + 1, at + SIDE},
                   sizeof *corners);
        }
    soup s = {.context = make_context(3)};
    const fracas_mesh_view mesh = {
        .points = {.data = points, .count = POINTS},
        .triangles = corners[0],
        .triangle_count = FACES
    };
    assert_int_equal(fracas_scene_create(s.context, NULL, &s.scene), FRACAS_OK);
    for (uint32_t step = 0; step < 4; step++) {
        for (uint32_t i = 0; i < POINTS; i++) {
            const double at[3] = {i / SIDE, i % SIDE, (i * 7919 % 97) * 0.1 * step};
            memcpy(points[i], at, sizeof at);
        }
        if (step == 0)
            assert_int_equal(fracas_scene_add(s.scene, &mesh, NULL, &s.body), FRACAS_OK);
        else
            assert_int_equal(fracas_scene_move(s.scene, s.body, &mesh.points), FRACAS_OK);
        assert_int_equal(fracas_scene_update(s.scene), FRACAS_OK);
        validate_blocks(&s);
        full_refit_changes_nothing(&s);
    }
    destroy_soup(&s);
}

// The centre of a box from -inf to inf is not a number. Regression: the median of such boxes took
// quadratic time, minutes for the triangles below.
static void huge_boxes_are_built_in_time(void** state) {
    (void)state;
    const uint32_t many = share_of(100000);
    double(*points)[3] = malloc((size_t)2 * many * sizeof *points);
    uint32_t(*corners)[3] = malloc(many * sizeof *corners);
    for (uint32_t i = 0; i < many; i++)
        for (uint32_t k = 0; k < 3; k++) {
            points[2 * i][k] = -1e300 - 1e290 * i;
            points[2 * i + 1][k] = 1e300 + 1e290 * i;
            corners[i][k] = 2 * i + k % 2;
        }
    fracas_mesh_view mesh = {
        .points = {.data = points, .count = (size_t)2 * many},
        .triangles = corners[0],
        .triangle_count = many
    };
    for (int builder = 0; builder < 3; builder++) {
        fracas_context* context = NULL;
        fracas_scene* scene = NULL;
        fracas_body body;
        fracas_published_scene_options options = fracas_published_scene_default_options();
        options.builder = options.rebuild = (fracas_published_builder)builder;
        assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
        assert_int_equal(fracas_published_scene_create(context, &options, &scene), FRACAS_OK);
        assert_int_equal(fracas_scene_add(scene, &mesh, NULL, &body), FRACAS_OK);
        clock_t start = clock();
        assert_int_equal(fracas_scene_update(scene), FRACAS_OK);
        assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);
        fracas_scene_destroy(scene);
        fracas_context_destroy(context);
    }
    free(points);
    free(corners);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_primitive_in_one_leaf),
        cmocka_unit_test(large_trees_are_the_same_on_any_number_of_workers),
        cmocka_unit_test(failed_builds_of_large_trees),
        cmocka_unit_test(a_tree_inherits_its_order),
        cmocka_unit_test(any_cuts_give_a_tree),
        cmocka_unit_test(partial_refit_equals_full_refit),
        cmocka_unit_test(parallel_refit_equals_full_refit),
        cmocka_unit_test(huge_boxes_are_built_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
