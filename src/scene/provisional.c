/// @file provisional.c  Trees that were made quickly are built well once they have served enough.
///
/// In an update in which much breaks trees have to be made quickly: by the grid, or in the order of
/// the tree that they were cut from. Queries then take longer than with the tree that
/// fracas_scene_options.builder makes, in every frame that follows. How many will follow nobody
/// knows. So such a tree is *provisional*: queries count what they do in each block, and when the
/// share of it that a better tree would have saved has cost as much as making one, it is made. (To
/// rent until the rent is the price: whoever knows the future would at best have paid half.) What
/// nobody looks at, because it is far from everything and has a certificate, is never built.
///
/// A tree that is to be made in any case, and not in the order of another (of what breaks off, or
/// has become bad as a whole), is built well at once when that is expected to pay within a few
/// updates, going by what queries did in the tree that it comes from: on breaking-walls it pays in
/// the very next query.
///
/// The share is learned: the number of boxes that a probe is expected to meet, in the old tree and
/// in the new one. Those that have served most for what they cost come first. All of it stays
/// within restructure_share of what the queries since the last update have cost, less what is to be
/// placed in this one; what is left over is saved while a larger body waits.
///
/// Bodies that do not move are left alone: an edit costs what it edits.
#include "scene/provisional.h"
#include "base/parallel.h"
#include "scene/place.h"
#include "scene/restructure.h"
#include <stdlib.h>

static const double FIRST_SHARE = 0.2, MEMORY = 0.98;

// Of the share of visits that is saved, what is saved of the work. Trees in the order of another
// keep layers apart that have come to lie on each other since, and have certificates where a fresh
// one has none: fewer boxes, but more candidates (measured on exploding-dragon).
static const double WORTH[FRC_PROVISIONAL_COUNT] = {1, 0.25};

// What is to be built in any case is built well when that is expected to pay after so many updates.
static const double SOON = 8;

// A body for which the shares of more updates than these would have to be saved is not built anew
// as a whole: no frame may stand out.
static const double SAVED_SHARES = 4;

void frc_provisional_begin(fracas_scene* scene) {
    for (int k = 0; k < FRC_PROVISIONAL_COUNT; k++) scene->restructured.share[k] = FIRST_SHARE;
}

// ---- counting

bool frc_reserve_served(fracas_scene* scene) {
    frc_work_done* w = scene->work_done;
    size_t room = scene->blocks.capacity;
    if (scene->options.policy != &frc_rebuild_selective ||
        scene->blocks.count <= w->served_capacity)
        return true;
    frc_served* grown = frc_allocate(scene->context, room * sizeof *grown);
    if (!grown) return false;
    for (uint32_t i = 0; i < room; i++) atomic_init(&grown[i], frc_work_served(scene, i));
    frc_release(scene->context, w->served, w->served_capacity * sizeof *w->served);
    w->served = grown;
    w->served_capacity = room;
    return true;
}

uint64_t frc_work_served(const fracas_scene* scene, uint32_t block) {
    const frc_work_done* w = scene->work_done;
    if (block >= w->served_capacity) return 0;
    return atomic_load_explicit(&w->served[block], memory_order_relaxed);
}

void frc_provisional_enter(fracas_scene* scene, uint32_t number, const frc_build_options* how) {
    frc_work_done* w = scene->work_done;
    frc_block* block = scene->blocks.data[number];
    bool cheap = how->builder != scene->options.builder &&
                 scene->prices.build_whole < scene->prices.build_well;
    block->born = scene->restructured.queried;
    block->provisional = !block->free_elements && (block->inherited || cheap);
    if (number < w->served_capacity)
        atomic_store_explicit(&w->served[number], 0, memory_order_relaxed);
}

static frc_provisional kind_of(const frc_block* block) {
    return block->inherited ? FRC_PROVISIONAL_INHERITED : FRC_PROVISIONAL_CHEAP;
}

// ---- selecting

typedef struct candidate {
    uint32_t body;
    double price, debt;
} candidate;

static candidate weigh(const fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    candidate c = {.body = number,
                   .price = frc_tree_price(scene->prices.build_well, body->live_triangles)};
    for (size_t i = 0; i < body->blocks.count; i++) {
        uint32_t b = body->blocks.data[i];
        const frc_block* block = scene->blocks.data[b];
        if (!block->provisional) continue;
        frc_provisional kind = kind_of(block);
        c.debt += WORTH[kind] * scene->restructured.share[kind] * (double)frc_work_served(scene, b);
    }
    return c;
}

// Where certificates cover half of a body whose tree is in the order of another, continuous queries
// lose more by a fresh tree than they win (measured on exploding-dragon; discrete ones do not).
// Such a tree is kept for good. One by the grid has no such order to lose.
static bool is_better_kept(fracas_scene* scene, const frc_body* body) {
    uint32_t covered = 0;
    if (!(scene->options.modes & FRACAS_CONTINUOUS)) return false;
    for (size_t i = 0; i < body->blocks.count; i++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (block->inherited) covered += frc_cull_covered(block, FRC_BOXES_STEP);
    }
    if (covered <= body->live_triangles / 2) return false;
    for (size_t i = 0; i < body->blocks.count; i++)
        scene->blocks.data[body->blocks.data[i]]->provisional = false;
    return true;
}

// The highest debt for its price first.
static int compare_candidates(const void* first, const void* second) {
    const candidate *a = first, *b = second;
    double x = a->debt * b->price, y = b->debt * a->price;
    if (x != y) return x > y ? -1 : 1;
    return a->body < b->body ? -1 : a->body > b->body;
}

// Of each stale body a candidate, whose debt is 0 if it is none, and what there is to be placed.
typedef struct candidates {
    fracas_scene* scene;
    double most;  // none is to cost more
    candidate* list;
    size_t* fresh;
} candidates;

static bool is_candidate(const candidates* c, const frc_body* body, const candidate* its) {
    return its->debt >= its->price && its->price <= c->most && !is_better_kept(c->scene, body);
}

static void weigh_bodies(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const candidates* c = data;
    fracas_scene* scene = c->scene;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t number = scene->stale_bodies.data[i];
        const frc_body* body = &scene->bodies.data[number];
        c->fresh[i] = frc_fresh_count(body);
        c->list[i] = (candidate){0};
        if (c->fresh[i] > 0 || !body->fit || body->worn || body->tired || body->live_triangles == 0)
            continue;
        candidate its = weigh(scene, number);
        if (is_candidate(c, body, &its)) c->list[i] = its;
    }
}

// Returns how many there are. What is to be placed costs as much as the cheaper builder.
static size_t list_candidates(candidates* c, double* placing) {
    const fracas_scene* scene = c->scene;
    size_t count = 0;
    frc_parallel_for(scene->context, (uint32_t)scene->stale_bodies.count, FRC_BODIES_EACH,
                     weigh_bodies, c);
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        if (c->fresh[i])
            *placing += frc_tree_price(scene->prices.build_whole, (uint32_t)c->fresh[i]);
        if (c->list[i].debt > 0) c->list[count++] = c->list[i];
    }
    return count;
}

static frc_block* first_block(const fracas_scene* scene, const frc_body* body) {
    for (size_t i = 0; i < body->blocks.count; i++) {
        frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (!block->free_elements) return block;
    }
    return NULL;
}

// Boxes that a probe which meets the root is expected to meet; 0: no memory.
static double expected_visits(const fracas_scene* scene, const frc_block* block) {
    static const frc_metric metric = {FRC_MEASURE_SURFACE, FRC_PAIR_MEETING};
    size_t size = block->node_count * sizeof(frc_cost);
    frc_cost* costs = frc_allocate(scene->context, size);
    if (!costs) return 0;
    frc_tree_costs(&metric, frc_block_links(block), block->node_count, NULL, costs);
    double visits = (double)costs[0].inter;
    frc_release(scene->context, costs, size);
    return visits;
}

static bool choose(fracas_scene* scene, const candidate* c) {
    frc_body* body = &scene->bodies.data[c->body];
    const frc_block* block = first_block(scene, body);
    body->visits_before = (float)expected_visits(scene, block);
    body->was = kind_of(block);
    if (body->visits_before == 0) return false;
    body->worn = body->ripe = true;
    scene->restructured.spent += c->price;
    scene->restructured.chosen++;
    return true;
}

// Who does not fit waits, and all after it: what is left is saved, and smaller ones do not take it.
static bool choose_all(fracas_scene* scene, const candidate* list, size_t count, double budget) {
    frc_restructured* r = &scene->restructured;
    for (size_t i = 0; i < count; i++) {
        if (r->spent + list[i].price > budget) {
            r->left = budget > r->spent ? budget - r->spent : 0;
            break;
        }
        if (!choose(scene, &list[i])) return false;
    }
    return true;
}

bool frc_provisional_select(fracas_scene* scene) {
    frc_restructured* r = &scene->restructured;
    r->spent = r->left = 0;
    uint64_t done = atomic_load_explicit(&scene->work_done->sum, memory_order_relaxed);
    if (scene->options.policy != &frc_rebuild_selective || done == 0) return true;
    const double share = scene->options.restructure_share * (double)done;
    const size_t bodies = scene->stale_bodies.count;
    bool ok = true;
    candidates c = {.scene = scene, .most = SAVED_SHARES * share};
    c.list = frc_allocate_array(scene->context, bodies, sizeof *c.list, &ok);
    c.fresh = frc_allocate_array(scene->context, bodies, sizeof *c.fresh, &ok);
    double placing = 0;
    size_t count = ok ? list_candidates(&c, &placing) : 0;
    if (count > 0) {
        qsort(c.list, count, sizeof *c.list, compare_candidates);
        ok = choose_all(scene, c.list, count, r->saved + share - placing);
    }
    frc_release(scene->context, c.fresh, frc_array_size(bodies, sizeof *c.fresh));
    frc_release(scene->context, c.list, frc_array_size(bodies, sizeof *c.list));
    return ok;
}

// ---- what breaks off

// What queries do in a block, for each triangle and update.
static double density(const fracas_scene* scene, uint32_t number) {
    const frc_block* block = number < scene->blocks.count ? scene->blocks.data[number] : NULL;
    if (!block || block->face_slots == 0) return 0;
    uint32_t age = scene->restructured.queried - block->born;
    return age ? (double)frc_work_served(scene, number) / age / block->face_slots : 0;
}

static bool inherits(const fracas_scene* scene, const frc_body* body) {
    return scene->options.inherit && body->fresh_triangles.count > 0 &&
           body->fresh_cuts.count == body->fresh_triangles.count;
}

// What a body will serve is not known, but what that has which it broke off, or was.
static double density_of(const fracas_scene* scene, const frc_body* body) {
    double most = body->came_from ? density(scene, body->came_from - 1) : 0;
    for (size_t i = 0; i < body->blocks.count; i++) {
        double d = density(scene, body->blocks.data[i]);
        if (d > most) most = d;
    }
    return most;
}

void frc_provisional_births(fracas_scene* scene, const frc_renewal* list, uint32_t count) {
    frc_restructured* r = &scene->restructured;
    double more = scene->prices.build_well - scene->prices.build_whole;
    if (scene->options.policy != &frc_rebuild_selective || more <= 0) return;
    for (uint32_t i = 0; i < count; i++) {
        frc_body* body = &scene->bodies.data[list[i].body];
        if (!body->built || body->ripe || inherits(scene, body)) continue;
        double extra = frc_tree_price(more, body->live_triangles);
        double gain =
            SOON * r->share[FRC_PROVISIONAL_CHEAP] * density_of(scene, body) * body->live_triangles;
        if (gain < extra) continue;
        body->ripe = true;
        r->spent += extra;
        r->well_born++;
    }
}

// ---- learning

bool frc_provisional_learn(fracas_scene* scene, const frc_ids* blocks) {
    frc_restructured* r = &scene->restructured;
    for (size_t i = 0; i < blocks->count && r->chosen > 0; i++) {
        const frc_block* block = scene->blocks.data[blocks->data[i]];
        frc_body* body = &scene->bodies.data[block->body];
        if (body->visits_before == 0 || block->free_elements) continue;
        double now = expected_visits(scene, block);
        if (now == 0) return false;
        double share = 1 - now / (double)body->visits_before;
        share = share > 0 ? share : 0;
        r->share[body->was] = MEMORY * r->share[body->was] + (1 - MEMORY) * share;
        r->renewed++;
        r->renewed_triangles += body->live_triangles;
        body->visits_before = 0;
    }
    r->chosen = 0;
    return true;
}
