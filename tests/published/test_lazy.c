// Which subtrees PCCD's query rebuilds: those below the highest nodes whose LM metric is too low,
// in the trees of bodies and in the tree over bodies, and nothing else.
#include "bvh/metric.h"
#include "pccd_stage.h"
#include "published/lazy_plan.h"
#include "published/lazy_rebuild.h"
#include "scene/test_allocator.h"

static fracas_published_scene_options lazy_options(fracas_published_builder builder) {
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.cull = FRACAS_PUBLISHED_CULL_NONE;
    how.scene.modes = FRACAS_MODE_CONTINUOUS;
    how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_LAZY;
    how.builder = builder;
    return how;
}

static stage open_lazy(fracas_published_scheduler scheduler, uint32_t workers) {
    const fracas_published_scene_options how = lazy_options(FRACAS_PUBLISHED_BUILDER_MEDIAN);
    return open_stage(scheduler, workers, &how);
}

// ---- the rule

enum { MAX_NODES = 4096 };

// The links of all nodes of a tree, and what is to happen to them.
typedef struct record {
    uint32_t child[MAX_NODES][4];
    bool kept[MAX_NODES];
    uint32_t degraded;  // nodes that are rebuilt with all below them
    uint32_t close;     // of these, with a metric above 0.8
} record;

// `base`: the metric after the last rebuild; 0: there was none.
static bool is_bad(const frc_node* node, float base) {
    bool inner = false;
    for (int i = 0; i < 4; i++) inner = inner || !(node->child[i] & FRC_REF_LEAF);
    const float now = frc_node_volumes(node);
    return inner && now < 0.9f && (base == 0 || now < 0.9f * base);
}

static const frc_lazy* lazy_of(const stage* s) { return s->scene->search_data; }

// `block` NULL: the tree over blocks.
static float base_of(const stage* s, const frc_block* block, const frc_node* nodes, uint32_t n) {
    if (block) return ((const frc_lazy_nodes*)block->search_data)->base[n];
    const frc_lazy_top_node* top = &lazy_of(s)->top_nodes[n];
    return memcmp(top->child, nodes[n].child, sizeof top->child) == 0 ? top->base : 0;
}

static void walk(const stage* s, const frc_block* block, const frc_node* nodes, uint32_t n,
                 record* r) {
    if (is_bad(&nodes[n], base_of(s, block, nodes, n))) {
        r->degraded++;
        r->close += frc_node_volumes(&nodes[n]) > 0.8f;
        return;
    }
    r->kept[n] = true;
    for (int i = 0; i < 4; i++)
        if (!(nodes[n].child[i] & FRC_REF_LEAF)) walk(s, block, nodes, nodes[n].child[i], r);
}

static void record_tree(const stage* s, const frc_block* block, const frc_node* nodes,
                        uint32_t node_count, record* r) {
    assert_true(node_count <= MAX_NODES);
    memset(r, 0, sizeof *r);
    for (uint32_t n = 0; n < node_count; n++)
        memcpy(r->child[n], nodes[n].child, sizeof r->child[n]);
    if (node_count) walk(s, block, nodes, 0, r);
}

// Nodes that were to be kept have the same children. True: all others have the same, too.
static bool require_kept(const record* r, const frc_node* nodes, uint32_t node_count) {
    bool same = true;
    for (uint32_t n = 0; n < node_count; n++) {
        const bool equal = memcmp(r->child[n], nodes[n].child, sizeof r->child[n]) == 0;
        if (r->kept[n]) assert_true(equal);
        same = same && equal;
    }
    return same;
}

// ---- the new tree: halves at the median

// Leaves are those of a block, or blocks, or primitives of a plan.
typedef struct tree {
    const frc_node* nodes;
    const frc_block* block;
    frc_block* const* blocks;
    const frc_prim* prims;  // by leaf
} tree;

typedef struct centre_list {
    float at[MAX_NODES][3];
    uint32_t count;
} centre_list;

static float centre_of(float lo_0, float hi_0, float lo_1, float hi_1) {
    return (lo_1 < lo_0 ? lo_1 : lo_0) * 0.5f + (hi_1 > hi_0 ? hi_1 : hi_0) * 0.5f;
}

// Add the centres of all leaves below a reference.
static void list_centres(const tree* t, uint32_t ref, centre_list* out) {
    if (ref == FRC_REF_NONE) return;
    if (!(ref & FRC_REF_LEAF)) {
        for (int i = 0; i < 4; i++) list_centres(t, t->nodes[ref].child[i], out);
        return;
    }
    const uint32_t leaf = ref & ~FRC_REF_LEAF;
    const float *lo[2], *hi[2];
    for (int i = 0; i < 2; i++) {
        if (t->prims) {
            lo[i] = t->prims[leaf].lo, hi[i] = t->prims[leaf].hi;
        } else if (t->block) {
            const frc_box* box = &t->block->tree[FRC_BOXES_STEP].leaf_box[2 * leaf + (uint32_t)i];
            lo[i] = box->lo, hi[i] = box->hi;
        } else {
            lo[i] = t->blocks[leaf]->lo[FRC_BOXES_STEP];
            hi[i] = t->blocks[leaf]->hi[FRC_BOXES_STEP];
        }
    }
    for (int k = 0; k < 3; k++)
        out->at[out->count][k] = centre_of(lo[0][k], hi[0][k], lo[1][k], hi[1][k]);
    out->count++;
}

static int compare_floats(const void* a, const void* b) {
    const float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

// Along the longest axis of the centres below a node, each child is in one half. The halves are
// equal but for less than the four leaves of a group. False: there are no more leaves than in two
// groups.
static bool require_halves(const tree* t, uint32_t n) {
    static centre_list all;
    float sorted[MAX_NODES], lo[4][3], hi[4][3], longest = -1;
    uint32_t count[4] = {0}, axis = 0;
    all.count = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t first = all.count;
        list_centres(t, t->nodes[n].child[i], &all);
        count[i] = all.count - first;
        for (uint32_t c = first; c < all.count; c++)
            for (int k = 0; k < 3; k++) {
                if (c == first || all.at[c][k] < lo[i][k]) lo[i][k] = all.at[c][k];
                if (c == first || all.at[c][k] > hi[i][k]) hi[i][k] = all.at[c][k];
            }
    }
    if (all.count <= 8) return false;
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t c = 0; c < all.count; c++) sorted[c] = all.at[c][k];
        qsort(sorted, all.count, sizeof *sorted, compare_floats);
        if (sorted[all.count - 1] - sorted[0] > longest)
            longest = sorted[all.count - 1] - sorted[0], axis = k;
    }
    for (uint32_t c = 0; c < all.count; c++) sorted[c] = all.at[c][axis];
    qsort(sorted, all.count, sizeof *sorted, compare_floats);
    bool found = false;
    for (uint32_t half = all.count / 2 - 3; half <= all.count / 2 + 3; half++) {
        uint32_t below = 0;
        bool divided = true;
        for (int i = 0; i < 4 && count[i]; i++) {
            if (hi[i][axis] <= sorted[half - 1])
                below += count[i];
            else if (lo[i][axis] < sorted[half])
                divided = false;
        }
        found = found || (divided && below == half);
    }
    assert_true(found);
    return true;
}

// All nodes that were rebuilt. Returns the number of those with more leaves than two groups.
static uint32_t require_medians(const stage* s, const tree* t, const record* before, uint32_t n,
                                bool rebuilt) {
    uint32_t sum = 0;
    rebuilt = rebuilt || !before->kept[n];
    // The metric is compared with that of the new tree from now on.
    if (rebuilt) assert_true(base_of(s, t->block, t->nodes, n) == frc_node_volumes(&t->nodes[n]));
    if (rebuilt) sum += require_halves(t, n);
    for (int i = 0; i < 4; i++)
        if (!(t->nodes[n].child[i] & FRC_REF_LEAF))
            sum += require_medians(s, t, before, t->nodes[n].child[i], rebuilt);
    return sum;
}

// Large trees, too.
static void plans_are_halved_at_the_median(void** state) {
    (void)state;
    enum { PRIMS = 3000 };
    static frc_prim prims[PRIMS], leaves[PRIMS];
    static frc_node nodes[PRIMS];
    static uint32_t from[PRIMS];
    stage s = open_lazy(FRACAS_PUBLISHED_SCHEDULER_PCCD, 1);
    uint64_t random = 77;
    uint32_t halved = 0;
    for (uint32_t count = 1; count <= PRIMS; count += 1 + count / 4) {
        for (uint32_t i = 0; i < count; i++) {
            prims[i] = (frc_prim){.id = i};
            for (int k = 0; k < 3; k++) {
                // Most of them in a corner.
                const double at = noise(&random) * noise(&random) * noise(&random) * (3 - k);
                prims[i].lo[k] = (float)at;
                prims[i].hi[k] = (float)(at + 0.01 * (noise(&random) + 0.5));
            }
        }
        frc_prim given[PRIMS];
        memcpy(given, prims, count * sizeof *prims);
        frc_lazy_plan plan = {
            .nodes = nodes, .from = from, .node_capacity = count, .leaf_count = count};
        assert_true(frc_lazy_plan_tree(s.context, &frc_lazy_median, prims, &plan));
        assert_true(plan.fits && plan.leaf_count == count);
        for (uint32_t i = 0; i < count; i++) leaves[i] = given[from[i]];
        const tree t = {.nodes = nodes, .prims = leaves};
        for (uint32_t n = 0; n < plan.node_count; n++) halved += require_halves(&t, n);
    }
    assert_true(halved > 200);
    close_stage(&s);
}

static uint64_t given_up(const stage* s) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < lazy_of(s)->workers; i++) sum += lazy_of(s)->scratch[i].did_not_fit;
    return sum;
}

static fracas_published_statistics query(const stage* s, fracas_contacts** contacts) {
    fracas_published_statistics did;
    assert_int_equal(fracas_contacts_create(s->context, contacts), FRACAS_OK);
    const fracas_sink sink = fracas_contacts_get_sink(*contacts);
    assert_int_equal(fracas_published_scene_detect_lazy(s->scene, NULL, &sink, &did), FRACAS_OK);
    return did;
}

// ---- trees of bodies

static void bodies_are_rebuilt_where_the_metric_says(void** state) {
    (void)state;
    static record r;
    uint64_t rebuilt = 0, untouched = 0, exact = 0, halved = 0;
    for (uint32_t workers = 1; workers <= 3; workers++)
        for (int scheduler = 1; scheduler < SCHEDULERS; scheduler++) {
            stage s = open_lazy((fracas_published_scheduler)scheduler, workers);
            begin_script(&s, 4);
            for (uint32_t step = 0; step < 8; step++) {
                // Few points move in the first steps: most nodes stay good.
                s.local = step < 4, s.step = step;
                move_points(&s, 0.3 * (step + 1));
                assert_int_equal(fracas_scene_update(s.scene), FRACAS_OK);
                const frc_block* block = NULL;
                for (size_t b = 0; b < s.scene->blocks.count; b++)
                    if (s.scene->blocks.data[b]) block = s.scene->blocks.data[b];
                const frc_node* nodes = block->tree[FRC_BOXES_STEP].nodes;
                record_tree(&s, block, nodes, block->node_count, &r);
                const uint64_t before = given_up(&s);
                fracas_contacts* found;
                const fracas_published_statistics did = query(&s, &found);
                const bool same = require_kept(&r, nodes, block->node_count);
                if (given_up(&s) == before) {
                    assert_int_equal(did.rebuilt, r.degraded), exact++;
                    const tree t = {.nodes = nodes, .block = block};
                    halved += require_medians(&s, &t, &r, 0, false);
                }
                if (did.rebuilt == 0) assert_true(same), untouched++;
                rebuilt += did.rebuilt;
                assert_int_equal(did.rebuilt_top, 0);
                fracas_contacts_destroy(found);
                assert_int_equal(fracas_scene_advance(s.scene), FRACAS_OK);
            }
            close_stage(&s);
        }
    print_message("%d rebuilt, %d queries without, %d of 72 as expected, %d nodes halved\n",
                  (int)rebuilt, (int)untouched, (int)exact, (int)halved);
    assert_true(rebuilt > 30 && untouched > 30 && exact == 72 && halved > 100);
}

// ---- the tree over bodies

// Merging halves of a list of trees, recursively: is a range of the list one of the trees?
static bool is_merged(uint32_t first, uint32_t count, uint32_t wanted, uint32_t wanted_count) {
    if (first == wanted && count == wanted_count) return true;
    const uint32_t half = count / 2;
    if (count < 2) return false;
    return wanted < first + half ? is_merged(first, half, wanted, wanted_count)
                                 : is_merged(first + half, count - half, wanted, wanted_count);
}

// The blocks below a node are a tree of the recursion. Returns their number.
static uint32_t require_pairs(const frc_top_tree* top, uint32_t ref, uint32_t blocks,
                              uint32_t* next) {
    if (ref & FRC_REF_LEAF) {
        assert_int_equal(ref & ~FRC_REF_LEAF, (*next)++);
        return 1;
    }
    const uint32_t first = *next;
    uint32_t count = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t child = top->nodes[FRC_BOXES_STEP][ref].child[i];
        if (child != FRC_REF_NONE) count += require_pairs(top, child, blocks, next);
    }
    assert_true(is_merged(0, blocks, first, count));
    return count;
}

static void the_first_tree_over_bodies_is_merged_in_pairs(void** state) {
    (void)state;
    uint32_t differ = 0;
    for (uint32_t count = 1; count <= BODIES; count++)
        for (int sah = 0; sah < 2; sah++) {
            const fracas_published_scene_options how =
                lazy_options(sah ? FRACAS_PUBLISHED_BUILDER_SAH : FRACAS_PUBLISHED_BUILDER_MEDIAN);
            stage s = open_stage(FRACAS_PUBLISHED_SCHEDULER_PCCD, 1, &how);
            // Neighbours in the list are apart in space.
            for (uint32_t i = 0; i < count; i++) add_single_leaf(&s, 4, 4 * (i * 17 % 40), 0);
            assert_int_equal(fracas_scene_update(s.scene), FRACAS_OK);
            const frc_top_tree* top = &s.scene->top;
            uint32_t next = 0;
            assert_int_equal(top->leaf_count, count);
            if (!sah) assert_int_equal(require_pairs(top, 0, count, &next), count);
            bool in_order = true;
            for (uint32_t b = 1; b < count; b++)
                in_order &= top->leaves[b].parent >= top->leaves[b - 1].parent;
            differ += sah && !in_order;
            close_stage(&s);
        }
    assert_true(differ > 30);
}

// An update fails at any allocation of its first tree, and then succeeds.
static void the_first_tree_needs_memory(void** state) {
    (void)state;
    test_allocator memory = {0};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &memory};
    stage s = {.count = 0};
    fracas_published_scene_options how = lazy_options(FRACAS_PUBLISHED_BUILDER_MEDIAN);
    how.scheduler = FRACAS_PUBLISHED_SCHEDULER_PCCD;
    assert_int_equal(fracas_context_create(&options, &s.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(s.context, &how, &s.scene), FRACAS_OK);
    for (uint32_t i = 0; i < 9; i++) add_single_leaf(&s, 4, 4 * i, 0);
    fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
    size_t failures = 0;
    uint32_t next = 0;
    for (; status != FRACAS_OK; failures += status != FRACAS_OK) {
        test_allocator_fail_at(&memory, failures + 1);
        status = fracas_scene_update(s.scene);
        assert_true(status == FRACAS_OK || status == FRACAS_ERROR_OUT_OF_MEMORY);
    }
    test_allocator_fail_at(&memory, 0);
    assert_true(failures > 5);
    assert_int_equal(require_pairs(&s.scene->top, 0, 9, &next), 9);
    close_stage(&s);
    assert_int_equal(memory.live, 0);
}

// The same bodies at the same positions, in a scene that has just been created.
static stage copy_of(const stage* s) {
    stage fresh = open_lazy(FRACAS_PUBLISHED_SCHEDULER_PCCD, 1);
    begin_script(&fresh, 10);
    for (int end = 0; end < 2; end++) {
        for (uint32_t b = 0; b < s->count; b++) {
            double at[2][5][3];
            for (uint32_t i = 0; i < 5; i++)
                assert_int_equal(
                    fracas_scene_get_vertex(s->scene, s->bodies[b], i, at[0][i], at[1][i]),
                    FRACAS_OK);
            const fracas_points view = {.data = at[end], .count = 5};
            assert_int_equal(fracas_scene_move(fresh.scene, fresh.bodies[b], &view), FRACAS_OK);
        }
        if (end == 0) assert_int_equal(fracas_scene_advance(fresh.scene), FRACAS_OK);
    }
    assert_int_equal(fracas_scene_update(fresh.scene), FRACAS_OK);
    return fresh;
}

static size_t require_same(const fracas_contacts* a, const fracas_contacts* b) {
    size_t count_a, count_b;
    const fracas_contact* data_a = fracas_contacts_get_data(a, &count_a);
    const fracas_contact* data_b = fracas_contacts_get_data(b, &count_b);
    model_require_same(data_a, count_a, data_b, count_b, "a fresh scene");
    return count_a;
}

// Updates refit the tree over bodies and leave its shape alone. The query rebuilds it where it has
// degraded, and finds the contacts that a fresh scene has.
static void the_tree_over_bodies_is_rebuilt(void** state) {
    (void)state;
    static record before, r;
    uint64_t rebuilt = 0, close = 0, exact = 0, contacts = 0, halved = 0;
    for (uint32_t workers = 1; workers <= 3; workers += 2)
        for (int scheduler = 1; scheduler < SCHEDULERS; scheduler++) {
            stage s = open_lazy((fracas_published_scheduler)scheduler, workers);
            begin_script(&s, 10);
            assert_int_equal(fracas_scene_update(s.scene), FRACAS_OK);
            const frc_top_tree* top = &s.scene->top;
            for (uint32_t step = 0; step < 16; step++) {
                const frc_node* nodes = top->nodes[FRC_BOXES_STEP];
                record_tree(&s, NULL, nodes, top->node_count, &before);
                step_script(&s, 10, step);
                memset(before.kept, true, sizeof before.kept);
                require_kept(&before, nodes, top->node_count);
                record_tree(&s, NULL, nodes, top->node_count, &r);
                const uint64_t not_fitting = given_up(&s);
                fracas_contacts *found, *wanted;
                const fracas_published_statistics did = query(&s, &found);
                require_kept(&r, nodes, top->node_count);
                if (given_up(&s) == not_fitting) {
                    assert_int_equal(did.rebuilt_top, r.degraded), exact++;
                    const tree t = {.nodes = nodes, .blocks = s.scene->blocks.data};
                    halved += require_medians(&s, &t, &r, 0, false);
                }
                rebuilt += did.rebuilt_top;
                close += r.close;
                model_check_blocks(s.scene);
                stage fresh = copy_of(&s);
                query(&fresh, &wanted);
                contacts += require_same(wanted, found);
                fracas_contacts_destroy(found), fracas_contacts_destroy(wanted);
                close_stage(&fresh);
                assert_int_equal(fracas_scene_advance(s.scene), FRACAS_OK);
            }
            close_stage(&s);
        }
    print_message("%d rebuilt, %d of them just below the limit; %d of 96 as expected, %d contacts, "
                  "%d nodes halved\n",
                  (int)rebuilt, (int)close, (int)exact, (int)contacts, (int)halved);
    assert_true(rebuilt > 50 && close > 0 && exact == 96 && contacts > 1000 && halved > 50);
}

// Do updates without a query leave the shape of the tree over bodies alone?
static bool updates_keep_the_tree(const fracas_published_scene_options* how) {
    static record r;
    stage s = open_stage(FRACAS_PUBLISHED_SCHEDULER_PCCD, 1, how);
    begin_script(&s, 10);
    assert_int_equal(fracas_scene_update(s.scene), FRACAS_OK);
    memset(&r, 0, sizeof r);
    for (uint32_t n = 0; n < s.scene->top.node_count; n++)
        memcpy(r.child[n], s.scene->top.nodes[FRC_BOXES_STEP][n].child, sizeof r.child[n]);
    for (uint32_t step = 0; step < 30; step++) {
        step_script(&s, 10, step);
        assert_int_equal(fracas_scene_advance(s.scene), FRACAS_OK);
    }
    const bool kept = require_kept(&r, s.scene->top.nodes[FRC_BOXES_STEP], s.scene->top.node_count);
    close_stage(&s);
    return kept;
}

// Without lazy rebuilding updates replace a tree over bodies that has become too expensive.
static void only_other_policies_rebuild_in_updates(void** state) {
    (void)state;
    const fracas_published_scene_options lazy = lazy_options(FRACAS_PUBLISHED_BUILDER_SAH);
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.scene.modes = FRACAS_MODE_CONTINUOUS;
    assert_true(updates_keep_the_tree(&lazy));
    assert_false(updates_keep_the_tree(&how));
}

// Bodies come and go between queries: unused nodes of the tree over them are used again.
static void bodies_come_and_go(void** state) {
    (void)state;
    uint64_t rebuilt = 0;
    stage s = open_lazy(FRACAS_PUBLISHED_SCHEDULER_PCCD, 3);
    begin_script(&s, 10);
    for (uint32_t step = 0; step < 60; step++) {
        const uint32_t b = step * 7 % BODIES;
        step_script(&s, 10, step);
        fracas_contacts* found;
        rebuilt += query(&s, &found).rebuilt_top;
        fracas_contacts_destroy(found);
        model_check_blocks(s.scene);
        assert_int_equal(fracas_scene_advance(s.scene), FRACAS_OK);
        if (step % 3 == 0) continue;
        assert_int_equal(fracas_scene_remove(s.scene, s.bodies[b]), FRACAS_OK);
        const fracas_body last = s.bodies[BODIES - 1];
        s.count = BODIES - 1;
        s.bodies[b] = last;
        add_single_leaf(&s, 1 + step % 4, 4 * b, 0.1 * (step % 7));
        s.places[b] = s.places[BODIES - 1];
        s.places[BODIES - 1] = b;
    }
    assert_true(rebuilt > 30);
    close_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_halved_at_the_median),
        cmocka_unit_test(bodies_are_rebuilt_where_the_metric_says),
        cmocka_unit_test(the_first_tree_over_bodies_is_merged_in_pairs),
        cmocka_unit_test(the_first_tree_needs_memory),
        cmocka_unit_test(the_tree_over_bodies_is_rebuilt),
        cmocka_unit_test(only_other_policies_rebuild_in_updates),
        cmocka_unit_test(bodies_come_and_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
