/// @file restructure.c  When to build trees anew: the policies.
///
/// Based on: heo2010, selective restructuring. After boxes have been refitted, each tree is walked
/// from its root; what is below a node is built anew when
///
///   1. the benefit is above the loss, build * N log N,
///   2. the losses of this update stay within a share p (25 %) of what the queries since the last
///      update have cost.
///
/// The paper's benefit is what one query would have gained, visit * (TC_S now - TC_S at the last
/// build). But a better tree serves many queries, and how many is not known. So the benefit is
/// summed up over updates with queries: when a bad tree has cost as much as building it anew, it is
/// built. Whoever knows the future would at best have paid half. The second condition keeps a frame
/// from being spent on building. After a rebuild nothing below is looked at, and the new costs are
/// the ones to compare with.
///
/// With the LM metric a node is bad when its volume is below 0.9 of the sum of its children's; the
/// first condition is that instead. A node that was so when it was built is bad only when it has
/// become worse by as much again: building would not help it.
#include "scene/restructure.h"
#include "base/parallel.h"
#include "bvh/bottom_up.h"
#include "cull/cull.h"
#include "scene/place.h"
#include "scene/provisional.h"
#include "scene/quality.h"
#include <math.h>

// Looking at a tree costs a fifth of refitting it, and trees decay slowly: it is looked at when
// this costs no more than a 200th of what queries have done in it since the last time. A tree
// that is as good as ever is left alone for twice as much as before.
static const double LOOK = 30, LOOK_SHARE = 0.005;  // nanoseconds for a node
static const float AS_GOOD = 1.05f;

// Bodies whose trees are bad wait for each other, this many or for so many updates, unless building
// them is half of what an update may cost: on many workers a few small ones take as long as many,
// for those who have none wait.
enum { TIRED = 16, TIRED_FOR = 8 };
static const double TIRED_SHARE = 0.5;

// Parts that did not fit, less those that did, for which twice the debt is waited for; and at most.
enum { DOUBT = 4, MOST_DOUBT = 120 };

// ---- selecting

// A rebuild does not always bring back what was: what deforms may have become worse for any tree.
// Of what was hoped for, this share has come true lately.
static double gain_share(const fracas_scene* scene) {
    const frc_restructured* r = &scene->restructured;
    return (r->gained + 1) / (r->hoped + 1);
}

static void learn_gain(fracas_scene* scene, double hoped, double gained) {
    frc_restructured* r = &scene->restructured;
    gained = gained < 0 ? 0 : gained > hoped ? hoped : gained;
    r->hoped = 0.9 * r->hoped + hoped;
    r->gained = 0.9 * r->gained + gained;
}

// Nobody looks at pairs below it: however bad it is, it costs nothing.
static bool is_culled(const frc_block* block, uint32_t ref) {
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        if (block->tree[m].nodes && !frc_block_skips(block, (frc_boxes)m, ref)) return false;
    return true;
}

// Of a visit, since the last look: no more than what queries have done in the block for each that
// was to be expected. What certificates or distance spare them has no price.
static double price_of_visits(const fracas_scene* scene, const frc_block* block, uint32_t number) {
    double served = (double)(frc_work_served(scene, number) - block->looked_at);
    double expected = (double)block->quality[0].cost.self;
    double most = block->unseen * scene->prices.visit;
    return served < most * expected ? served / expected : most;
}

// Below a node that is small all are: they are passed one by one, which is faster than to look for
// their end. Nodes that are not in use have no triangles.
static bool is_large(const fracas_scene* scene, const frc_block* block, uint32_t n) {
    return block->quality[n].triangles >= scene->prices.smallest_part;
}

static void add_debts(const fracas_scene* scene, frc_block* block, uint32_t number) {
    float price = (float)(price_of_visits(scene, block, number) * gain_share(scene));
    for (uint32_t n = 0; n < block->node_count;) {
        frc_quality* q = &block->quality[n];
        bool large = is_large(scene, block, n);
        if (large && is_culled(block, n)) {
            n = frc_block_part_end(block, n);
            continue;
        }
        n++;
        float more = price * (q->cost.self - q->base);
        if (large && more > 0) q->debt += more;
    }
}

// What it costs to build what is below a node anew if that is worth it, else 0.
static double worth_price(const fracas_scene* scene, const frc_block* block, uint32_t n) {
    if (!is_large(scene, block, n)) return 0;
    const frc_quality* q = &block->quality[n];
    double price = frc_tree_price(scene->prices.build, q->triangles);
    if (scene->options.metric == FRC_QUALITY_TC)
        return (double)q->debt > price * (double)(1u << block->doubt / DOUBT) ? price : 0;
    float now = frc_quality_metric(scene, block, n);
    return now < 0.9f && now < 0.9f * q->base ? price : 0;
}

// Triangles below a node that have certificates.
static uint32_t culled_below(const frc_block* block, uint32_t node) {
    uint32_t culled = 0;
    for (uint32_t n = node, end = frc_block_part_end(block, node); n < end;) {
        if (is_culled(block, n)) {
            culled += block->quality[n].triangles;
            n = frc_block_part_end(block, n);
            continue;
        }
        const frc_node* links = &frc_block_links(block)[n++];
        for (int i = 0; i < 4; i++) {
            uint32_t ref = links->child[i];
            if (ref != FRC_REF_NONE && ref & FRC_REF_LEAF && is_culled(block, ref))
                culled += block->leaves[ref & ~FRC_REF_LEAF].face_count;
        }
    }
    return culled;
}

// A tree that grew before layers came to lie on each other keeps them apart: what has certificates
// would lose many of them, and more is lost by that than won. Its debt is forgotten.
static bool spare_certificates(frc_block* block, uint32_t n) {
    if (culled_below(block, n) <= block->quality[n].triangles / 2) return false;
    block->quality[n].debt = 0;
    return true;
}

// The first node that is worth it, or how many there are. Costs what a look does.
static uint32_t find_worth(const fracas_scene* scene, frc_block* block) {
    uint32_t n = 0;
    while (n < block->node_count &&
           (worth_price(scene, block, n) <= 0 || spare_certificates(block, n)))
        n++;
    return n;
}

// A part that is to be built anew in its place, and what came of it.
typedef struct choice {
    uint32_t block, node;
    bool built;
    double hoped, gained;
} choice;

typedef struct selection {
    fracas_scene* scene;
    FRC_ARRAY(choice) choices;
    frc_ids first;  // choice of each block that was looked at; one more at the end
} selection;

// A whole tree is made elsewhere, by a later update: that takes half the time, and there is room
// for any. Not again before it has become worse.
static void tire(fracas_scene* scene, frc_block* block, double price) {
    frc_body* body = &scene->bodies.data[block->body];
    scene->restructured.tired += !body->tired;
    scene->restructured.tired_price += price;
    body->tired = true;
    frc_quality_set_baseline(scene, block, 0, 1);
}

static void call_tired(frc_restructured* r) {
    r->tired_for += r->tired > 0;
    r->tired_go =
        r->tired >= TIRED || r->tired_for >= TIRED_FOR || r->tired_price > TIRED_SHARE * r->budget;
}

// Nodes in order, depth first; what is chosen is passed over. False: no memory.
static bool select_parts(selection* s, uint32_t number, uint32_t first, double* budget) {
    fracas_scene* scene = s->scene;
    frc_block* block = scene->blocks.data[number];
    for (uint32_t n = first; n < block->node_count;) {
        uint32_t end = n + 1;
        double price = worth_price(scene, block, n);
        if (price > 0 && price <= *budget && (n == first || !spare_certificates(block, n))) {
            choice c = {.block = number, .node = n};
            if (n == 0) tire(scene, block, price);
            if (n > 0 && !FRC_ARRAY_PUSH(scene->context, &s->choices, c)) return false;
            *budget -= price;
            end = frc_block_part_end(block, n);
        }
        n = end;
    }
    return true;
}

// Anew, in its place; the node and those above it are fitted, and what is below gets its baseline.
static void rebuild_part(fracas_scene* scene, choice* c) {
    frc_block* block = scene->blocks.data[c->block];
    uint32_t n = c->node;
    const frc_block_input input = {.body = block->body,
                                   .number = c->block,
                                   .lows = scene->lows,
                                   .build = frc_scene_build_options(scene, true)};
    frc_quality before = block->quality[n];
    if (!frc_block_rebuild_part(scene->context, &scene->topology, block, n, &input)) {
        // Not again before it has become worse.
        frc_quality_set_baseline(scene, block, n, n + 1);
        return;
    }
    const frc_lows lows = frc_scene_lows(scene);
    frc_block_refit(block, &lows);
    uint32_t end = frc_block_part_end(block, n);
    uint32_t leaf, leaf_end;
    frc_block_part_leaves(block, n, end, &leaf, &leaf_end);
    frc_cull_rebuilt(block, n, end, leaf, leaf_end);
    frc_quality_fit(block, n, end);
    frc_quality_set_baseline(scene, block, n, end);
    c->built = true;
    c->hoped = (double)before.cost.self - (double)before.base;
    c->gained = (double)before.cost.self - (double)block->quality[n].cost.self;
    for (uint32_t up = frc_block_links(block)[n].parent; up != FRC_REF_NONE;
         up = frc_block_links(block)[up].parent)
        frc_quality_fit_node(block, up);
}

// Parts of one block one after the other. Where they seldom fit, one that does not is enough: the
// others are taken not to fit either.
static void rebuild_parts(fracas_scene* scene, choice* list, uint32_t count) {
    bool failed = false;
    for (uint32_t i = 0; i < count; i++) {
        frc_block* block = scene->blocks.data[list[i].block];
        if (failed && block->doubt >= DOUBT)
            frc_quality_set_baseline(scene, block, list[i].node, list[i].node + 1);
        else
            rebuild_part(scene, &list[i]);
        failed = failed || !list[i].built;
    }
}

static void rebuild_blocks(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    selection* s = data;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t first = s->first.data[i];
        rebuild_parts(s->scene, s->choices.data + first, s->first.data[i + 1] - first);
    }
}

// In a block that has no room for what is built anew, as that of a regular mesh whose first tree
// fills every slot, more and more debt is waited for.
static void note_fit(frc_block* block, bool fits) {
    if (fits && block->doubt > 0) block->doubt--;
    if (!fits && block->doubt < MOST_DOUBT) block->doubt++;
}

static void note_choice(fracas_scene* scene, const choice* c) {
    frc_block* block = scene->blocks.data[c->block];
    note_fit(block, c->built);
    if (!c->built) {
        scene->restructured.did_not_fit++;
        return;
    }
    if (scene->options.metric == FRC_QUALITY_TC) learn_gain(scene, c->hoped, c->gained);
    scene->restructured.parts++;
    scene->restructured.triangles += block->quality[c->node].triangles;
}

// Has it served enough since the last look?
static bool pays_a_look(const fracas_scene* scene, const frc_block* block, uint32_t number) {
    double served = (double)(frc_work_served(scene, number) - block->looked_at);
    double every = (double)block->look_every * (1 + block->doubt / DOUBT);
    return LOOK_SHARE * served >= LOOK * (double)block->node_count * every;
}

// Is a tree to be looked at in this update? One that was built well gets its baseline at once, one
// that was made quickly when it has served: a frame in which much breaks has enough to do. An edit
// costs what it edits: what has not moved is as good as it was. Without memory for it a block keeps
// its tree.
static bool wants_look(fracas_scene* scene, uint32_t number, bool queried) {
    frc_block* block = scene->blocks.data[number];
    bool first = !block->quality_known && !block->provisional;
    if (block->free_elements) return false;
    if (!block->look_every) block->look_every = 1;
    block->unseen += queried;
    if (!first && !(scene->bodies.data[block->body].fit && pays_a_look(scene, block, number)))
        return false;
    return frc_quality_reserve(scene, block);
}

static void fit_nodes(frc_block* block, uint32_t begin, uint32_t end, void* data) {
    if (block->quality_known)
        frc_quality_fit_large(data, block, begin, end);
    else
        frc_quality_fit(block, begin, end);
}

typedef struct look {
    fracas_scene* scene;
    const frc_ids* blocks;  // of this update
    bool queried;
    frc_tall* talls;  // those that are looked at; while they are looked for: of all, 0 nodes: not
    uint32_t* worth;  // by place in that list: the first node that is worth it
    uint32_t count;
} look;

static void find_looks(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const look* l = data;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t number = l->blocks->data[i];
        bool wanted = wants_look(l->scene, number, l->queried);
        l->talls[i] = (frc_tall){number, wanted ? l->scene->blocks.data[number]->node_count : 0};
    }
}

static void space_out(const fracas_scene* scene, frc_block* block) {
    const frc_quality* root = &block->quality[0];
    bool good = scene->options.metric == FRC_QUALITY_TC
                    ? root->cost.self <= AS_GOOD * root->base
                    : frc_quality_metric(scene, block, 0) >= root->base / AS_GOOD;
    if (!good) block->look_every = 1;
    if (good && block->look_every < UINT32_MAX / 2) block->look_every *= 2;
}

// A tree that is new is what it is compared with later.
static void compare(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const look* l = data;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t number = l->talls[i].block;
        frc_block* block = l->scene->blocks.data[number];
        if (!block->quality_known)
            frc_quality_set_baseline(l->scene, block, 0, block->node_count);
        else if (l->queried)
            add_debts(l->scene, block, number);
        if (block->quality_known) space_out(l->scene, block);
        l->worth[i] = block->quality_known ? find_worth(l->scene, block) : block->node_count;
        block->looked_at = frc_work_served(l->scene, number);
        block->unseen = 0;
        block->quality_known = true;
    }
}

// False: no memory, nothing was built.
static bool select_blocks(selection* s, const look* l, double budget) {
    if (!FRC_ARRAY_RESERVE(s->scene->context, &s->first, l->count + 1)) return false;
    for (uint32_t i = 0; i < l->count; i++) {
        s->first.data[i] = (uint32_t)s->choices.count;
        if (l->worth[i] < l->talls[i].nodes &&
            !select_parts(s, l->talls[i].block, l->worth[i], &budget))
            return false;
    }
    s->first.data[l->count] = (uint32_t)s->choices.count;
    return true;
}

static bool rebuild_selected(const look* l, double budget) {
    fracas_scene* scene = l->scene;
    fracas_context* context = scene->context;
    selection s = {.scene = scene};
    bool ok = select_blocks(&s, l, budget);
    if (ok && s.choices.count > 0) frc_parallel_for(context, l->count, 1, rebuild_blocks, &s);
    for (size_t i = 0; i < s.choices.count && ok; i++) note_choice(scene, &s.choices.data[i]);
    FRC_ARRAY_RELEASE(context, &s.choices);
    FRC_ARRAY_RELEASE(context, &s.first);
    return ok;
}

static bool look_and_rebuild(look* l, double budget) {
    fracas_scene* scene = l->scene;
    frc_parallel_for(scene->context, (uint32_t)l->blocks->count, 32, find_looks, l);
    for (size_t i = 0; i < l->blocks->count; i++)
        if (l->talls[i].nodes) l->talls[l->count++] = l->talls[i];
    if (!frc_blocks_bottom_up(scene->context, scene->blocks.data, l->talls, l->count,
                              frc_forest_cut_by_size, fit_nodes, scene))
        return false;
    frc_parallel_for(scene->context, l->count, 1, compare, l);
    return rebuild_selected(l, budget);
}

static bool refitted(fracas_scene* scene, const frc_ids* blocks) {
    fracas_context* context = scene->context;
    uint64_t done = atomic_exchange_explicit(&scene->work_done->sum, 0, memory_order_relaxed);
    // Before the first query nothing is known, and everything allowed.
    frc_restructured* r = &scene->restructured;
    double budget = done ? scene->options.restructure_share * (double)done - r->spent : INFINITY;
    r->saved = r->left;
    r->queried += done > 0;
    r->budget = done ? scene->options.restructure_share * (double)done : 0;
    look l = {.scene = scene, .blocks = blocks, .queried = done > 0};
    bool ok = frc_reserve_served(scene);
    l.talls = frc_allocate_array(context, blocks->count, sizeof *l.talls, &ok);
    l.worth = frc_allocate_array(context, blocks->count, sizeof *l.worth, &ok);
    ok = ok && look_and_rebuild(&l, budget);
    frc_release(context, l.worth, frc_array_size(blocks->count, sizeof *l.worth));
    frc_release(context, l.talls, frc_array_size(blocks->count, sizeof *l.talls));
    return ok;
}

// ---- whole bodies

static void begin(fracas_scene* scene) { call_tired(&scene->restructured); }

const frc_rebuild_policy frc_rebuild_selective = {.begin = begin, .refitted = refitted};

bool frc_is_worn(const fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    bool worn = body->worn || (body->tired && scene->restructured.tired_go);
    return worn && body->blocks.count > 0 && body->live_triangles > 0;
}
