// FASTCD as published: which subtrees are rebuilt, where merged bodies are inserted, and how the
// grid divides space.
#include "fracas/published.h"
#include "published/fastcd_policy.h"
#include "published/regroup.h"
#include "scene/scene_kit.h"
#include <math.h>
#include <stdlib.h>

static fracas_published_scene_options published(uint32_t modes) {
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.scene.modes = modes;
    how.builder = how.rebuild = FRACAS_PUBLISHED_BUILDER_GRID;
    how.inherit = false;
    how.grid_levels = 1, how.grid_stop = 100, how.grid_in_turn = true;
    how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_SUBTREES;
    how.cull = FRACAS_PUBLISHED_CULL_DUAL_CONE;
    return how;
}

static kit open_scene(const fracas_published_scene_options* how) {
    kit k = {NULL, NULL};
    assert_int_equal(fracas_context_create(NULL, &k.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(k.context, how, &k.scene), FRACAS_OK);
    return k;
}

static void validate(const fracas_scene* s) {
    for (uint32_t i = 0; i < s->blocks.count; i++) {
        const char* wrong =
            s->blocks.data[i] ? frc_block_validate(s->blocks.data[i], &s->topology, i) : NULL;
        if (wrong) fail_msg("block %u: %s", i, wrong);
    }
    const char* wrong = frc_top_tree_validate(&s->top, s->blocks.data, (uint32_t)s->blocks.count);
    if (wrong) fail_msg("%s", wrong);
}

// ---- a sheet whose left half is mixed: subtrees of that half degrade

enum { SIDE = 48, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

static void place_points(double amount, double (*out)[3]) {
    for (uint32_t i = 0; i < POINTS; i++) {
        const uint32_t row = SIDE + 1, x = i % row, y = i / row;
        const double mixed = x < row / 2 ? amount : 0, far = i * 389 % POINTS;
        out[i][0] = (1 - mixed) * x + mixed * fmod(far, row / 2.0);
        out[i][1] = (1 - mixed) * y + mixed * floor(far / row);
        // A wave: dual cones cull parts of the right half.
        out[i][2] = 2 * fabs(fmod(x, 16) - 8) + mixed * (i % 7);
        // Points in general position are decided without exact arithmetic.
        for (uint32_t k = 0; k < 3; k++) out[i][k] += 1e-4 * ((i * (7919 + 2 * k)) % 997);
    }
}

static fracas_body add_sheet(kit* k) {
    static double points[POINTS][3];
    static uint32_t corners[TRIANGLES][3];
    place_points(0, points);
    kit_sheet(SIDE, corners);
    const fracas_mesh_view mesh =
        kit_mesh((const double(*)[3])points, POINTS, (const uint32_t(*)[3])corners, TRIANGLES);
    return kit_add(k, &mesh, FRACAS_MOTION_DEFORMING);
}

static void move_sheet(kit* k, fracas_body body, double amount) {
    static double points[POINTS][3];
    place_points(amount, points);
    const fracas_points view = {.data = points, .count = POINTS};
    assert_int_equal(fracas_scene_move(k->scene, body, &view), FRACAS_OK);
}

static uint64_t detect(const kit* k) {
    fracas_query query = fracas_scene_default_query();
    query.modes = k->scene->options.modes;
    fracas_statistics statistics;
    const fracas_sink sink = {.statistics = &statistics};
    assert_int_equal(fracas_scene_detect(k->scene, &query, &sink), FRACAS_OK);
    return statistics.box_pairs;
}

static uint32_t only_block(const fracas_scene* scene) {
    for (uint32_t i = 0; i < scene->blocks.count; i++)
        if (scene->blocks.data[i]) return i;
    fail();
    return 0;
}

// ---- Eqs. 6 and 7, from their definition

static double extent(const frc_box4* box, int lane, double out[3]) {
    double most = 0;
    for (int k = 0; k < 3; k++) {
        out[k] = (double)box->hi[k][lane] - (double)box->lo[k][lane];
        most = out[k] > most ? out[k] : most;
    }
    return most;
}

static double volume(const double size[3], double more) {
    return (size[0] + more) * (size[1] + more) * (size[2] + more);
}

typedef struct cost {
    double inter, self;
    uint32_t triangles;
} cost;

// With four children: the sum over all pairs of children, and over all children.
static cost cost_of(const frc_block* block, frc_boxes boxes, uint32_t ref) {
    cost own = {1, 0, 0}, child[4];
    if (ref & FRC_REF_LEAF) {
        own.triangles = block->leaves[ref & ~FRC_REF_LEAF].face_count;
        return own;
    }
    const frc_node* node = &block->tree[boxes].nodes[ref];
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    double whole[3], size[3], most = 0;
    int count = 0;
    for (; count < 4 && node->child[count] != FRC_REF_NONE; count++)
        for (int k = 0; k < 3; k++) {
            lo[k] = fmin(lo[k], (double)node->box.lo[k][count]);
            hi[k] = fmax(hi[k], (double)node->box.hi[k][count]);
        }
    for (int k = 0; k < 3; k++) whole[k] = hi[k] - lo[k], most = fmax(most, whole[k]);
    for (int i = 0; i < count; i++) {
        child[i] = cost_of(block, boxes, node->child[i]);
        extent(&node->box, i, size);
        own.inter += volume(size, 1e-6 * most) / volume(whole, 1e-6 * most) * child[i].inter;
        if (!frc_block_skips(block, boxes, node->child[i])) own.self += child[i].self;
        for (int j = 0; j < i; j++) own.self += child[i].inter + child[j].inter;
        own.triangles += child[i].triangles;
    }
    return own;
}

static void costs_follow_the_equations(void** state) {
    (void)state;
    for (uint32_t mode = FRACAS_MODE_DISCRETE; mode <= FRACAS_MODE_CONTINUOUS; mode++) {
        const fracas_published_scene_options how = published(mode);
        kit k = open_scene(&how);
        const fracas_body body = add_sheet(&k);
        const frc_boxes boxes = mode == FRACAS_MODE_DISCRETE ? FRC_BOXES_END : FRC_BOXES_STEP;
        uint32_t culled = 0;
        for (int step = 0; step < 3; step++) {
            move_sheet(&k, body, 0.1 * step);
            assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
            const frc_block* block = k.scene->blocks.data[only_block(k.scene)];
            frc_cost* costs = calloc(block->node_count, sizeof *costs);
            frc_fastcd_costs(block, costs);
            for (uint32_t n = 0; n < block->node_count; n++) {
                if (n > 0 && block->tree[boxes].nodes[n].parent == FRC_REF_NONE) continue;
                const cost wanted = cost_of(block, boxes, n);
                assert_true(fabs((double)costs[n].inter - wanted.inter) <= 1e-4 * wanted.inter);
                assert_true(fabs((double)costs[n].self - wanted.self) <= 1e-4 * wanted.self);
                culled += frc_block_skips(block, boxes, n);
            }
            free(costs);
            assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
        }
        assert_true(culled > 0);  // the term I matters
        kit_destroy(&k);
    }
}

// ---- the two conditions

// Counts what a visit should do, from the root down.
static void expect_visit(const fracas_scene* scene, const frc_block* block, frc_boxes boxes,
                         uint32_t n, double allowed_ns, frc_fastcd_decisions* out) {
    const frc_node* node = &block->tree[boxes].nodes[n];
    const float* base = block->search_data;
    if (frc_regroup_last_inner(node) == FRC_REF_NONE || frc_block_skips(block, boxes, n)) return;
    const cost now = cost_of(block, boxes, n);
    const double loss = frc_fastcd_rebuild_ns(now.triangles);
    const double gain = frc_fastcd_query_ns * (now.self - (double)base[n]);
    out->examined++;
    out->gained += gain > loss;
    out->allowed += gain > loss && loss <= allowed_ns;
    if (gain > loss && loss <= allowed_ns) return;
    for (int i = 0; i < 4; i++)
        if (!(node->child[i] & FRC_REF_LEAF))
            expect_visit(scene, block, boxes, node->child[i], allowed_ns, out);
}

static void both_conditions_decide_at_each_node(void** state) {
    (void)state;
    uint32_t rebuilt = 0, below_root = 0, held_back = 0;
    for (uint32_t mode = FRACAS_MODE_DISCRETE; mode <= FRACAS_MODE_CONTINUOUS; mode++)
        for (int budget = 0; budget < 4; budget++) {
            fracas_published_scene_options how = published(mode);
            how.restructure_share = 0.25;
            kit k = open_scene(&how);
            const fracas_body body = add_sheet(&k);
            const frc_boxes boxes = mode == FRACAS_MODE_DISCRETE ? FRC_BOXES_END : FRC_BOXES_STEP;
            assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
            const uint32_t number = only_block(k.scene);
            const frc_block* block = k.scene->blocks.data[number];
            // The first visit records the costs of the new tree.
            frc_fastcd_decisions did = frc_fastcd_visit(k.scene, number, false, 1e18);
            assert_int_equal(did.rebuilt, 0);
            assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
            // Without queries nothing is allowed, so that the policy itself does nothing.
            move_sheet(&k, body, 0.8);
            assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
            // Nothing; a few per cent of the price of the whole; half; everything.
            const double shares[] = {0, 0.05, 0.5, 2},
                         query_ns = 4 * shares[budget] * frc_fastcd_rebuild_ns(TRIANGLES);
            frc_fastcd_decisions wanted = {0};
            expect_visit(k.scene, block, boxes, 0, 0.25 * query_ns, &wanted);
            const uint64_t before = k.scene->regroup_count;
            did = frc_fastcd_visit(k.scene, number, false, query_ns);
            assert_int_equal(did.examined, wanted.examined);
            assert_int_equal(did.gained, wanted.gained);
            assert_int_equal(did.allowed, wanted.allowed);
            assert_true(did.gained > 0);
            if (budget == 0) assert_int_equal(did.rebuilt, 0);
            rebuilt += did.rebuilt, below_root += (uint32_t)(k.scene->regroup_count - before);
            held_back += did.gained - did.allowed;
            print_message("mode %u, budget %g: %u of %u nodes gain, %u rebuilt\n", mode,
                          shares[budget], did.gained, did.examined, did.rebuilt);
            kit_destroy(&k);
        }
    assert_true(rebuilt > 2 && below_root > 0 && held_back > 0);
}

// ---- the LM metric

// Volume of a node over the sum of its children's.
static double lm_of(const frc_node* node) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    double whole[3], size[3], most = 0, sum = 0;
    for (int i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++)
        for (int k = 0; k < 3; k++) {
            lo[k] = fmin(lo[k], (double)node->box.lo[k][i]);
            hi[k] = fmax(hi[k], (double)node->box.hi[k][i]);
        }
    for (int k = 0; k < 3; k++) whole[k] = hi[k] - lo[k], most = fmax(most, whole[k]);
    for (int i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
        extent(&node->box, i, size);
        sum += volume(size, 1e-6 * most);
    }
    return volume(whole, 1e-6 * most) / sum;
}

typedef struct lm_count {
    uint32_t examined, fallen, low;  // low: below 0.9, but not below 0.9 of the base
} lm_count;

static void expect_lm(const frc_block* block, const frc_node* nodes, uint32_t n, lm_count* out) {
    if (frc_regroup_last_inner(&nodes[n]) == FRC_REF_NONE) return;
    const double now = lm_of(&nodes[n]), base = (double)((const float*)block->search_data)[n];
    const bool fallen = now < 0.9 && now < 0.9 * base;
    out->examined++, out->fallen += fallen, out->low += now < 0.9 && !fallen;
    for (int i = 0; i < 4 && !fallen; i++)
        if (!(nodes[n].child[i] & FRC_REF_LEAF)) expect_lm(block, nodes, nodes[n].child[i], out);
}

static void lm_is_compared_with_the_last_rebuild(void** state) {
    (void)state;
    lm_count all = {0};
    for (int step = 1; step < 5; step++) {
        fracas_published_scene_options how = published(FRACAS_MODE_DISCRETE);
        how.restructure = FRACAS_PUBLISHED_RESTRUCTURE_NONE;
        how.cull = FRACAS_PUBLISHED_CULL_NONE;
        kit k = open_scene(&how);
        const fracas_body body = add_sheet(&k);
        // Boxes of the first tree overlap already.
        move_sheet(&k, body, 0.3);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        const uint32_t number = only_block(k.scene);
        const frc_block* block = k.scene->blocks.data[number];
        assert_int_equal(frc_fastcd_visit(k.scene, number, true, 0).rebuilt, 0);
        assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
        move_sheet(&k, body, 0.3 + 0.04 * step);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        lm_count wanted = {0};
        expect_lm(block, block->tree[FRC_BOXES_END].nodes, 0, &wanted);
        // No share: the metric alone decides.
        const frc_fastcd_decisions did = frc_fastcd_visit(k.scene, number, true, 0);
        assert_int_equal(did.examined, wanted.examined);
        assert_int_equal(did.allowed, wanted.fallen);
        all.fallen += wanted.fallen, all.low += wanted.low;
        kit_destroy(&k);
    }
    print_message("%u nodes have fallen, %u others are low\n", all.fallen, all.low);
    assert_true(all.fallen > 0 && all.low > 0);
}

// p through the interface: without a share nothing is rebuilt, with a large one contacts stay.
static void the_share_limits_rebuilds(void** state) {
    (void)state;
    for (int metric = 0; metric < 2; metric++)
        for (uint32_t mode = FRACAS_MODE_DISCRETE; mode <= FRACAS_MODE_CONTINUOUS; mode++) {
            uint64_t changes[3];
            for (int run = 0; run < 3; run++) {
                fracas_published_scene_options how = published(mode);
                const double shares[] = {0, 0.25, 1e9};
                how.restructure_share = shares[run];
                how.metric = (fracas_published_metric)metric;
                kit k = open_scene(&how);
                const fracas_body body = add_sheet(&k);
                for (int frame = 0; frame <= 5; frame++) {
                    move_sheet(&k, body, 0.16 * frame);
                    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
                    validate(k.scene);
                    detect(&k);
                    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
                }
                changes[run] = k.scene->rebuild_count + k.scene->regroup_count;
                kit_destroy(&k);
            }
            print_message("metric %d, mode %u: %d, %d, %d rebuilds\n", metric, mode,
                          (int)changes[0], (int)changes[1], (int)changes[2]);
            // The LM metric has no share.
            if (metric == FRACAS_PUBLISHED_METRIC_TC) assert_int_equal(changes[0], 0);
            if (metric == FRACAS_PUBLISHED_METRIC_LM) assert_int_equal(changes[0], changes[2]);
            assert_true(changes[2] > 0);
        }
}

// ---- the grid

// The links of a tree and the order of its primitives.
static uint64_t hash_tree(const frc_shape* shape, const frc_prim* prims, uint32_t count) {
    uint64_t hash = 1469598103934665603u;
    for (uint32_t n = 0; n < shape->node_count; n++)
        for (int i = 0; i < 4; i++) hash = (hash ^ shape->nodes[n].child[i]) * 1099511628211u;
    for (uint32_t i = 0; i < count; i++) hash = (hash ^ prims[i].id) * 1099511628211u;
    return hash;
}

enum { CLOUD = 4000 };

// Points that are dense near a corner: cells differ much in size and contents.
static void make_cloud(frc_prim* prims) {
    uint64_t random = 12345;
    for (uint32_t i = 0; i < CLOUD; i++) {
        prims[i] = (frc_prim){.id = i};
        for (int k = 0; k < 3; k++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            const double u = (double)(random >> 11) * 0x1p-53;
            prims[i].lo[k] = prims[i].hi[k] = (float)(u * u * u * (k + 1));
        }
    }
}

static uint64_t build_cloud(fracas_context* context, const frc_build_options* how) {
    static frc_prim prims[CLOUD];
    frc_shape shape;
    make_cloud(prims);
    assert_true(frc_tree_build(context, how, prims, CLOUD, &shape));
    const uint64_t hash = hash_tree(&shape, prims, CLOUD);
    frc_shape_release(context, &shape);
    return hash;
}

static void each_parameter_of_the_grid_matters(void** state) {
    (void)state;
    fracas_context* context;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    const frc_build_options paper = {.builder = FRC_BUILD_GRID,
                                     .leaf_size = 8,
                                     .grid_levels = 1,
                                     .grid_stop = 100,
                                     .grid_in_turn = true};
    frc_build_options other = paper;
    const uint64_t hash = build_cloud(context, &paper);
    assert_true(hash == build_cloud(context, &other));
    other.grid_levels = 2;
    assert_true(hash != build_cloud(context, &other));
    other = paper, other.grid_stop = 1000;
    assert_true(hash != build_cloud(context, &other));
    other = paper, other.grid_in_turn = false;
    assert_true(hash != build_cloud(context, &other));
    other = paper, other.builder = FRC_BUILD_MEDIAN;
    assert_true(hash != build_cloud(context, &other));
    fracas_context_destroy(context);
}

// The order of the paper's method: cells of 2 x 2 x 2 over the bounds, in the order of the balanced
// tree that halves along x, then y, then z. Cells of `stop` or more points are divided again;
// `cell` numbers all cells that are not, in their order.
static void paper_order(const float (*at)[3], uint32_t* ids, uint32_t count, uint32_t stop,
                        uint32_t* cell, uint32_t* cells) {
    float lo[3], hi[3];
    if (count < stop) {
        for (uint32_t i = 0; i < count; i++) cell[ids[i]] = *cells;
        *cells += count > 0;
        return;
    }
    for (int k = 0; k < 3; k++) {
        lo[k] = INFINITY, hi[k] = -INFINITY;
        for (uint32_t i = 0; i < count; i++)
            lo[k] = fminf(lo[k], at[ids[i]][k]), hi[k] = fmaxf(hi[k], at[ids[i]][k]);
    }
    uint32_t *sorted = malloc(count * sizeof *sorted), filled = 0, first[9];
    for (uint32_t c = 0; c < 8; c++) {
        first[c] = filled;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t own = 0;
            for (int k = 0; k < 3; k++)
                own = 2 * own + (at[ids[i]][k] - lo[k] >= (hi[k] - lo[k]) / 2);
            if (own == c) sorted[filled++] = ids[i];
        }
    }
    first[8] = filled;
    memcpy(ids, sorted, count * sizeof *ids);
    free(sorted);
    for (int c = 0; c < 8; c++)
        paper_order(at, ids + first[c], first[c + 1] - first[c], stop, cell, cells);
}

// Where a cell is divided again, all its points are in the range of the tree that it has; smaller
// parts are halved at the median and may mix a few neighbouring cells.
static void cells_are_those_of_the_paper(void** state) {
    (void)state;
    static frc_prim prims[CLOUD];
    static float at[CLOUD][3];
    static uint32_t ids[CLOUD], place[CLOUD], cell[CLOUD];
    enum { G = 200 };
    fracas_context* context;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    uint64_t far[2];
    for (int k = 0; k < 2; k++) {
        uint32_t cells = 0;
        make_cloud(prims);
        for (uint32_t i = 0; i < CLOUD; i++) {
            ids[i] = i;
            for (int c = 0; c < 3; c++) at[i][c] = prims[i].lo[c];
        }
        paper_order((const float(*)[3])at, ids, CLOUD, G, cell, &cells);
        assert_true(cells > 20);
        for (uint32_t i = 0; i < CLOUD; i++) place[ids[i]] = i;
        const frc_build_options how = {.builder = FRC_BUILD_GRID,
                                       .leaf_size = 8,
                                       .grid_levels = k ? 3 : 1,
                                       .grid_stop = G,
                                       .grid_in_turn = true};
        frc_shape shape;
        assert_true(frc_tree_build(context, &how, prims, CLOUD, &shape));
        far[k] = 0;
        for (uint32_t i = 0; i < CLOUD; i++) {
            const uint32_t p = place[prims[i].id];
            far[k] += (p > i ? p - i : i - p) >= G;
        }
        frc_shape_release(context, &shape);
    }
    assert_int_equal(far[0], 0);
    assert_true(far[1] > 0);
    fracas_context_destroy(context);
}

// The options of a scene reach the builder.
static void scenes_pass_the_grid_on(void** state) {
    (void)state;
    uint64_t hash[4];
    for (int run = 0; run < 4; run++) {
        fracas_published_scene_options how = published(FRACAS_MODE_DISCRETE);
        if (run == 1) how.grid_levels = 3;
        if (run == 2) how.grid_stop = 1000;
        if (run == 3) how.grid_in_turn = false;
        kit k = open_scene(&how);
        const fracas_body body = add_sheet(&k);
        move_sheet(&k, body, 0.8);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        const frc_block* block = k.scene->blocks.data[only_block(k.scene)];
        hash[run] = 1469598103934665603u;
        for (uint32_t s = 0; s < block->face_slots; s++)
            hash[run] = (hash[run] ^ block->faces[s].id) * 1099511628211u;
        kit_destroy(&k);
    }
    for (int run = 1; run < 4; run++) assert_true(hash[run] != hash[0]);
}

// ---- merges at the lowest common ancestor

enum { CLUSTERS = 4, EACH = 12 };

static fracas_body add_triangle(kit* k, const double at[3]) {
    double points[3][3];
    const uint32_t corners[1][3] = {
        {0, 1, 2}
    };
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) points[i][c] = at[c] + (i == c ? 0.5 : 0);
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, 3, corners, 1);
    return kit_add(k, &mesh, FRACAS_MOTION_DEFORMING);
}

static uint32_t block_of(const fracas_scene* scene, fracas_body body) {
    const frc_body* b = &scene->bodies.data[body.index - 1];
    assert_int_equal(b->blocks.count, 1);
    return b->blocks.data[0];
}

// The node above both leaves that is farthest from the root, by the links alone.
static uint32_t lowest_above_both(const frc_top_tree* top, uint32_t a, uint32_t b) {
    const frc_node* nodes = top->nodes[FRC_BOXES_END];
    for (uint32_t n = top->leaves[a].parent;; n = nodes[n].parent)
        for (uint32_t m = top->leaves[b].parent; m != FRC_REF_NONE; m = nodes[m].parent)
            if (n == m) return n;
}

static bool is_below(const frc_top_tree* top, uint32_t block, uint32_t node) {
    uint32_t n = top->leaves[block].parent;
    while (n != node && n != FRC_REF_NONE) n = top->nodes[FRC_BOXES_END][n].parent;
    return n == node;
}

// Clusters of triangles far from each other. One of them is deleted, so that the root has a free
// lane: an insertion that began there would use it.
static void merged_bodies_stay_below_their_ancestor(void** state) {
    (void)state;
    uint32_t checked = 0;
    for (uint32_t pair = 0; pair < EACH - 1; pair++) {
        const fracas_published_scene_options how = published(FRACAS_MODE_DISCRETE);
        kit k = open_scene(&how);
        fracas_body bodies[CLUSTERS][EACH], merged;
        for (uint32_t c = 0; c < CLUSTERS; c++)
            for (uint32_t i = 0; i < EACH; i++) {
                const double at[3] = {1000.0 * (c % 2) + 2 * (i % 3),
                                      1000.0 * (c / 2) + 2 * (i / 3), i % 2};
                bodies[c][i] = add_triangle(&k, at);
            }
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        for (uint32_t i = 0; i < EACH; i++)
            assert_int_equal(fracas_scene_remove(k.scene, bodies[3][i]), FRACAS_OK);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        const frc_top_tree* top = &k.scene->top;
        assert_int_equal(top->nodes[FRC_BOXES_END][0].child[3], FRC_REF_NONE);
        const fracas_body both[2] = {bodies[1][pair], bodies[1][pair + 1]};
        const uint32_t a = block_of(k.scene, both[0]), b = block_of(k.scene, both[1]);
        const uint32_t ancestor = lowest_above_both(top, a, b);
        assert_true(ancestor != 0);
        // The node itself must survive the removal of both.
        const uint32_t leaves = top->info[ancestor].leaves;
        const fracas_merge merge = fracas_scene_default_merge();
        assert_int_equal(fracas_scene_merge(k.scene, both, 2, &merge, &merged), FRACAS_OK);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        validate(k.scene);
        const uint32_t now = block_of(k.scene, merged);
        assert_true(top->leaves[now].parent != 0);
        if (leaves > 3 && top->info[ancestor].leaves > 0) {
            assert_true(is_below(top, now, ancestor));
            assert_int_equal(top->info[ancestor].leaves, leaves - 1);
            checked++;
        }
        kit_destroy(&k);
    }
    assert_true(checked > 0);
}

// All pairs of nodes of a tree.
static void common_ancestors_are_the_lowest(void** state) {
    (void)state;
    const fracas_published_scene_options how = published(FRACAS_MODE_DISCRETE);
    kit k = open_scene(&how);
    for (uint32_t i = 0; i < 60; i++)
        add_triangle(&k, (const double[3]){i % 5 * (1 + i % 3), i / 5 % 4 * 3, i / 20 * 7});
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    const frc_top_tree* top = &k.scene->top;
    uint32_t inner = 0;
    for (uint32_t a = 0; a < 60; a++)
        for (uint32_t b = 0; b < 60; b++) {
            const uint32_t wanted = lowest_above_both(top, a, b);
            assert_int_equal(frc_top_tree_common_ancestor(top, frc_top_tree_last_node(top, a),
                                                          frc_top_tree_last_node(top, b)),
                             wanted);
            inner += wanted != 0;
        }
    assert_true(inner > 60);
    kit_destroy(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_follow_the_equations),
        cmocka_unit_test(both_conditions_decide_at_each_node),
        cmocka_unit_test(lm_is_compared_with_the_last_rebuild),
        cmocka_unit_test(the_share_limits_rebuilds),
        cmocka_unit_test(each_parameter_of_the_grid_matters),
        cmocka_unit_test(cells_are_those_of_the_paper),
        cmocka_unit_test(scenes_pass_the_grid_on),
        cmocka_unit_test(merged_bodies_stay_below_their_ancestor),
        cmocka_unit_test(common_ancestors_are_the_lowest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
