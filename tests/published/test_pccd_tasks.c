// What PCCD's rules do, by counts: how many nodes become low- and high-level nodes, how many tasks
// there are, how tasks of high-level nodes and trees to refit are divided.
#include "base/parallel.h"
#include "detect/traverse.h"
#include "detect/worker.h"
#include "pccd_stage.h"
#include "published/pccd.h"
#include "published/pccd_rounds.h"

static fracas_published_scene_options no_culling(void) {
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.cull = FRACAS_PUBLISHED_CULL_NONE;
    how.scene.modes = FRACAS_MODE_CONTINUOUS;
    how.builder = FRACAS_PUBLISHED_BUILDER_MEDIAN;
    return how;
}

static fracas_published_statistics count_work(const stage* s) {
    fracas_published_statistics did;
    const fracas_sink sink = {0};
    assert_int_equal(fracas_published_scene_detect(s->scene, NULL, &sink, &did), FRACAS_OK);
    return did;
}

// ---- nodes and tasks

// Every node has one task when all bodies collide with themselves.
static uint64_t all_nodes(const stage* s) {
    uint64_t sum = s->scene->top.node_count;
    for (size_t b = 0; b < s->scene->blocks.count; b++)
        if (s->scene->blocks.data[b]) sum += s->scene->blocks.data[b]->node_count;
    return sum;
}

// Nodes are expanded until there is one for each worker, and no longer: an expansion adds at most
// three. With them go all nodes below, one task each.
static void one_low_level_node_for_each_worker(void** state) {
    (void)state;
    static const int scripts[] = {4, 5};
    for (int i = 0; i < 2; i++)
        for (int scheduler = 1; scheduler < SCHEDULERS; scheduler++)
            for (uint32_t workers = 1; workers <= (i ? 16 : 8); workers++) {
                const fracas_published_scene_options how = no_culling();
                stage s = open_stage((fracas_published_scheduler)scheduler, workers, &how);
                begin_script(&s, scripts[i]);
                // The third sheet does not collide with itself: it would have no tasks.
                if (scripts[i] == 5) {
                    assert_int_equal(fracas_scene_remove(s.scene, s.bodies[2]), FRACAS_OK);
                    s.bodies[2] = s.bodies[--s.count];
                }
                step_script(&s, scripts[i], 0);
                const fracas_published_statistics did = count_work(&s);
                assert_true(did.low_nodes >= workers && did.low_nodes <= workers + 2);
                assert_true((did.high_nodes == 0) == (workers == 1));
                assert_true(did.low_nodes <= 1 + 3 * did.high_nodes);
                assert_true(did.high_nodes <= workers);
                // One level after the other: the root of the only body, its children. The tree over
                // bodies has no pairs then.
                const uint32_t levels = workers == 1 ? 0 : did.high_nodes < 3 ? 1 : 2;
                if (scripts[i] == 4 && scheduler != FRACAS_PUBLISHED_SCHEDULER_PCCD_DISJOINT)
                    assert_int_equal(did.high_rounds, levels);
                else if (scripts[i] == 4)
                    assert_true(did.high_rounds >= 4 * levels && did.high_rounds <= 12 * levels);
                assert_int_equal(did.low_tasks + did.high_nodes, all_nodes(&s));
                close_stage(&s);
            }
}

// Of several nodes of a level the largest is expanded: that of the sheet, not those of small
// bodies, which have nothing below.
static void the_largest_node_is_expanded(void** state) {
    (void)state;
    const fracas_published_scene_options how = no_culling();
    for (uint32_t place = 0; place < 4; place++) {
        stage s = open_stage(FRACAS_PUBLISHED_SCHEDULER_PCCD, 5, &how);
        for (uint32_t b = 0; b < 4; b++) {
            if (b == place) add_sheet(&s, 0, false, FRACAS_MOTION_DEFORMING, true);
            if (b != place) add_single_leaf(&s, 4, 40 * b, 0);
        }
        assert_int_equal(fracas_scene_update(s.scene), FRACAS_OK);
        assert_int_equal(s.scene->top.node_count, 1);
        const fracas_published_statistics did = count_work(&s);
        assert_int_equal(did.high_nodes, 2);
        assert_int_equal(did.low_nodes, 7);
        close_stage(&s);
    }
}

// Pairs of high-level nodes: a few for each worker, in rounds when they must be disjoint.
static void high_level_pairs_for_each_worker(void** state) {
    (void)state;
    const fracas_published_scene_options how = no_culling();
    for (int scheduler = 1; scheduler < SCHEDULERS; scheduler++)
        for (uint32_t workers = 2; workers <= 8; workers++) {
            stage s = open_stage((fracas_published_scheduler)scheduler, workers, &how);
            begin_script(&s, 5), step_script(&s, 5, 0);
            const fracas_published_statistics did = count_work(&s);
            if (scheduler != FRACAS_PUBLISHED_SCHEDULER_PCCD_DISJOINT)
                assert_true(did.high_pairs >= 4 * workers);
            assert_true(did.high_pairs > did.high_nodes);
            close_stage(&s);
        }
}

// Tasks of low-level nodes check every node, without locks, when all bodies collide with
// themselves. So nothing is left to lock for those of high-level nodes; for bodies that do not
// there is, and only pccd-disjoint needs no locks.
static void low_level_nodes_need_no_locks(void** state) {
    (void)state;
    fracas_published_scene_options how = no_culling();
    how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_LAZY;
    static const int scripts[] = {4, 10, 8};
    for (int i = 0; i < 3; i++)
        for (int scheduler = 1; scheduler < SCHEDULERS; scheduler++)
            for (uint32_t workers = 1; workers <= 5; workers += 2) {
                uint64_t locks = 0, rebuilt = 0;
                stage s = open_stage((fracas_published_scheduler)scheduler, workers, &how);
                begin_script(&s, scripts[i]);
                for (uint32_t step = 0; step < 4; step++) {
                    step_script(&s, scripts[i], step);
                    fracas_published_statistics did;
                    const fracas_sink sink = {0};
                    assert_int_equal(fracas_published_scene_detect_lazy(s.scene, NULL, &sink, &did),
                                     FRACAS_OK);
                    locks += did.locks;
                    rebuilt += did.rebuilt + did.rebuilt_top;
                    assert_int_equal(fracas_scene_advance(s.scene), FRACAS_OK);
                }
                assert_true(rebuilt > 0);
                const bool disjoint = scheduler == FRACAS_PUBLISHED_SCHEDULER_PCCD_DISJOINT;
                assert_true((locks > 0) == (scripts[i] == 8 && !disjoint && workers > 1));
                close_stage(&s);
            }
}

// Of the workers that reach a node one locks it, in whatever order they arrive: the number of locks
// does not depend on the order.
static void each_node_is_locked_once(void** state) {
    (void)state;
    enum { STEPS = 3 };
    uint64_t locks[STEPS] = {0};
    fracas_published_scene_options how = no_culling();
    how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_LAZY;
    for (uint64_t seed = 0; seed < 20; seed++) {
        stage s = open_stage(FRACAS_PUBLISHED_SCHEDULER_PCCD, 4, &how);
        s.context->yield_seed = seed;
        begin_script(&s, 8);
        for (uint32_t step = 0; step < STEPS; step++) {
            step_script(&s, 8, step);
            fracas_published_statistics did;
            const fracas_sink sink = {0};
            assert_int_equal(fracas_published_scene_detect_lazy(s.scene, NULL, &sink, &did),
                             FRACAS_OK);
            if (seed == 0) locks[step] = did.locks;
            assert_true(did.locks > 50);
            assert_int_equal(did.locks, locks[step]);
            assert_int_equal(fracas_scene_advance(s.scene), FRACAS_OK);
        }
        close_stage(&s);
    }
}

// ---- sizes

static uint32_t slots_below(const frc_block* block, const frc_node* nodes, uint32_t ref) {
    uint32_t sum = 0;
    if (ref == FRC_REF_NONE) return 0;
    if (ref & FRC_REF_LEAF) {
        const frc_leaf* leaf = &block->leaves[ref & ~FRC_REF_LEAF];
        return block->free_elements ? (uint32_t)leaf->edge_count + leaf->vertex_count
                                    : leaf->face_count;
    }
    for (int i = 0; i < 4; i++) sum += slots_below(block, nodes, nodes[ref].child[i]);
    return sum;
}

// The size of a node, by which idle workers choose, is the number of features below it, up to the
// padding of its leaves.
static void sizes_are_features_below(void** state) {
    (void)state;
    uint64_t compared = 0;
    static const int scripts[] = {3, 4, 5, 6, 7};
    for (int i = 0; i < 5; i++) {
        const fracas_published_scene_options how = no_culling();
        stage s = open_stage(FRACAS_PUBLISHED_SCHEDULER_PCCD, 1, &how);
        begin_script(&s, scripts[i]), step_script(&s, scripts[i], 0);
        for (size_t b = 0; b < s.scene->blocks.count; b++) {
            const frc_block* block = s.scene->blocks.data[b];
            const frc_node* nodes = block ? frc_block_links(block) : NULL;
            for (uint32_t n = 0; block && n < block->node_count; n++) {
                const uint32_t size = frc_pccd_node_size(block, nodes, n);
                const uint32_t wanted = slots_below(block, nodes, n);
                assert_true(size >= wanted && size <= 2 * wanted + 4);
                compared++;
            }
        }
        close_stage(&s);
    }
    assert_true(compared > 100);
}

// ---- rounds

// The leaves of one tree or block after the other.
typedef struct leaf_marks {
    const frc_world* world;
    frc_boxes boxes;
    uint32_t *first, *pair;  // by block: its first leaf; by leaf: the pair that has it, from 1
    uint32_t count;
} leaf_marks;

static leaf_marks make_marks(const frc_detect_worker* w) {
    leaf_marks m = {.world = w->world, .boxes = w->boxes};
    m.first = calloc(w->world->block_count + 1, sizeof *m.first);
    for (uint32_t b = 0; b < w->world->block_count; b++) {
        m.first[b] = m.count;
        if (w->world->blocks[b]) m.count += w->world->blocks[b]->leaf_count;
    }
    m.pair = calloc(m.count + 1, sizeof *m.pair);
    return m;
}

// Mark all leaves below a reference for a pair; none may have another mark.
static void mark(leaf_marks* m, uint32_t block, uint32_t ref, uint32_t pair) {
    if (ref == FRC_REF_NONE) return;
    if (ref & FRC_REF_LEAF) {
        const uint32_t leaf = ref & ~FRC_REF_LEAF;
        if (block == FRC_TOP) {
            mark(m, m->world->top->leaf_block[leaf], 0, pair);
            return;
        }
        uint32_t* own = &m->pair[m->first[block] + leaf];
        assert_true(*own == 0 || *own == pair);
        *own = pair;
        return;
    }
    const frc_node* nodes = block == FRC_TOP ? m->world->top->nodes[m->boxes]
                                             : m->world->blocks[block]->tree[m->boxes].nodes;
    for (int i = 0; i < 4; i++) mark(m, block, nodes[ref].child[i], pair);
}

static struct { uint64_t rounds, pairs, largest, nodes; } checked;

// The pairs of one node's task, added to rounds: no two pairs of a round have a leaf in common.
static void check_node(frc_detect_worker* w, uint32_t block, uint32_t node, leaf_marks* m,
                       frc_rounds* rounds, frc_work_list* parts) {
    const frc_work whole = {block, block, node, node};
    const frc_self_task task = {.block = block, .node = node};
    parts->count = 0;
    frc_split_work(w, &whole, parts);
    frc_rounds_clear(rounds);
    for (size_t i = 0; i < parts->count; i++)
        if (parts->data[i].ref_a != parts->data[i].ref_b)
            assert_true(frc_rounds_add(rounds, w, &task, &parts->data[i]));
    for (int r = 0; r < FRC_ROUNDS; r++) {
        const frc_round* round = &rounds->round[r];
        memset(m->pair, 0, m->count * sizeof *m->pair);
        for (size_t i = 0; i < round->count; i++) {
            mark(m, round->data[i].block_a, round->data[i].ref_a, (uint32_t)i + 1);
            mark(m, round->data[i].block_b, round->data[i].ref_b, (uint32_t)i + 1);
        }
        checked.rounds += round->count > 0;
        checked.pairs += round->count;
        if (round->count > checked.largest) checked.largest = round->count;
    }
    checked.nodes++;
}

static void check_rounds(frc_search_run* search, fracas_statistics* statistics) {
    frc_detect_worker* w = search->workers[0];
    const frc_world* world = search->world;
    leaf_marks m = make_marks(w);
    frc_rounds rounds = {0};
    frc_work_list parts = {0};
    for (uint32_t n = 0; n < world->top->node_count; n++)
        check_node(w, FRC_TOP, n, &m, &rounds, &parts);
    for (uint32_t b = 0; b < world->block_count; b++)
        for (uint32_t n = 0; world->blocks[b] && n < world->blocks[b]->node_count; n++)
            check_node(w, b, n, &m, &rounds, &parts);
    frc_rounds_release(world->context, &rounds);
    FRC_ARRAY_RELEASE(world->context, &parts);
    free(m.first), free(m.pair);
    frc_search_pccd_disjoint.run(search, statistics);
}

static void pairs_of_a_round_have_no_common_node(void** state) {
    (void)state;
    const fracas_published_scene_options how = no_culling();
    frc_search_method method = frc_search_pccd_disjoint;
    method.run = check_rounds;
    memset(&checked, 0, sizeof checked);
    static const int scripts[] = {2, 4, 5, 6, 7, 10};
    for (int i = 0; i < 6; i++) {
        stage s = open_stage(FRACAS_PUBLISHED_SCHEDULER_PCCD_DISJOINT, 3, &how);
        s.scene->options.search = &method;
        begin_script(&s, scripts[i]);
        for (uint32_t step = 0; step < 3; step++) {
            step_script(&s, scripts[i], step);
            count_work(&s);
            assert_int_equal(fracas_scene_advance(s.scene), FRACAS_OK);
        }
        close_stage(&s);
    }
    print_message("%d nodes, %d rounds, %d pairs, at most %d in a round\n", (int)checked.nodes,
                  (int)checked.rounds, (int)checked.pairs, (int)checked.largest);
    // Up to two pairs of children, divided into four rounds each of up to four pairs.
    assert_true(checked.nodes > 500 && checked.pairs > checked.rounds);
    assert_int_equal(checked.largest, 8);
}

// ---- refitting

static uint32_t cuts, cut_parts;

static uint32_t depth_of(const frc_forest* forest, const frc_subtree* part) {
    const frc_node* nodes = frc_block_links(forest->blocks[part->block]);
    uint32_t depth = 0;
    for (uint32_t n = part->begin; nodes[n].parent != FRC_REF_NONE; n = nodes[n].parent) depth++;
    return depth;
}

// Two subtrees for each worker, breadth first; fewer when nothing is left to cut.
static bool check_cut(frc_forest* forest, const frc_sized_block* list, uint32_t count) {
    if (!frc_pccd_cut(forest, list, count)) return false;
    const uint32_t wanted = 2 * frc_worker_count(forest->context);
    uint32_t deepest = 0, can_be_cut = 0;
    uint64_t nodes = forest->above.count, all = 0;
    for (size_t i = 0; i < forest->above.count; i++) {
        const uint32_t depth = depth_of(forest, &forest->above.data[i]);
        assert_true(depth >= deepest);
        deepest = depth;
    }
    for (size_t i = 0; i < forest->parts.count; i++) {
        frc_subtree below[4];
        const frc_subtree* part = &forest->parts.data[i];
        nodes += part->end - part->begin;
        if (frc_forest_children(forest, part, below) == 0) continue;
        can_be_cut++;
        assert_true(depth_of(forest, part) >= deepest);
    }
    for (uint32_t i = 0; i < count; i++) all += list[i].nodes;
    assert_int_equal(nodes, all);
    if (can_be_cut > 0) assert_true(forest->parts.count >= wanted);
    if (count < wanted) assert_true(forest->parts.count <= wanted + 2);
    cuts++;
    cut_parts += can_be_cut > 0;
    return true;
}

static void refits_have_two_subtrees_for_each_worker(void** state) {
    (void)state;
    const fracas_published_scene_options how = no_culling();
    frc_search_method method = frc_search_pccd;
    assert_true(method.refit_cut == frc_pccd_cut);
    assert_true(frc_search_pccd_disjoint.refit_cut == frc_pccd_cut);
    assert_true(frc_search_pccd_front.refit_cut == frc_pccd_cut);
    method.refit_cut = check_cut;
    cuts = cut_parts = 0;
    for (uint32_t workers = 2; workers <= 8; workers++) {
        stage s = open_stage(FRACAS_PUBLISHED_SCHEDULER_PCCD, workers, &how);
        s.scene->options.search = &method;
        begin_script(&s, workers % 2 ? 5 : 4);
        for (uint32_t step = 0; step < 4; step++) {
            step_script(&s, workers % 2 ? 5 : 4, step);
            assert_int_equal(fracas_scene_advance(s.scene), FRACAS_OK);
        }
        close_stage(&s);
    }
    assert_true(cuts >= 20 && cut_parts >= 10);
}

// ---- options

static void options_select_the_method(void** state) {
    (void)state;
    static const frc_search_method* const methods[SCHEDULERS] = {
        [FRACAS_PUBLISHED_SCHEDULER_WORK_SHARING] = &frc_search_trees,
        [FRACAS_PUBLISHED_SCHEDULER_PCCD] = &frc_search_pccd,
        [FRACAS_PUBLISHED_SCHEDULER_PCCD_DISJOINT] = &frc_search_pccd_disjoint,
        [FRACAS_PUBLISHED_SCHEDULER_PCCD_FRONT] = &frc_search_pccd_front};
    for (int scheduler = 0; scheduler < SCHEDULERS; scheduler++) {
        stage s = open_stage((fracas_published_scheduler)scheduler, 1, NULL);
        assert_true(s.scene->options.search == methods[scheduler]);
        close_stage(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_low_level_node_for_each_worker),
                                       cmocka_unit_test(the_largest_node_is_expanded),
                                       cmocka_unit_test(high_level_pairs_for_each_worker),
                                       cmocka_unit_test(low_level_nodes_need_no_locks),
                                       cmocka_unit_test(each_node_is_locked_once),
                                       cmocka_unit_test(sizes_are_features_below),
                                       cmocka_unit_test(pairs_of_a_round_have_no_common_node),
                                       cmocka_unit_test(refits_have_two_subtrees_for_each_worker),
                                       cmocka_unit_test(options_select_the_method)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
