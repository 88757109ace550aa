/// @file pccd.c  PCCD: the self-collision of each node is a task. Tasks of many nodes run in
/// parallel first, then the tasks of the nodes near the root.
///
/// Based on: kim2009. The task of a node is all pairs between its children, down to the features;
/// each child has a task of its own. (Pairs within a leaf belong to the task of the node above it.)
/// Tasks of two nodes use disjoint parts of the trees if neither node is above the other. So
///
///   1. from the root, breadth first, nodes are expanded until there are as many as workers;
///   2. these, the low-level nodes, and all nodes below them are tasks of independent workers,
///      which lock nothing (work_requests.c);
///   3. the expanded nodes, the high-level nodes, follow level by level from below, with a barrier
///      after each. Only few nodes are left, so the pairs of one task are distributed to all
///      workers: round-robin, or, for frc_search_pccd_disjoint, in rounds of pairs without a common
///      node (pccd_rounds.c).
///
/// Trees have four children per node, and the tree over blocks is the upper part of one large tree,
/// as in the paper. docs/pccd.md lists the deviations from the paper.
#include "published/pccd.h"
#include "base/clock.h"
#include "detect/narrow_phase.h"
#include "detect/traverse.h"
#include "published/lazy_rebuild.h"
#include "published/pccd_rounds.h"
#include "published/work_requests.h"

enum { PAIRS_EACH = 4 };  // for each worker, when the pairs of high-level nodes are distributed

typedef struct pccd pccd;
typedef struct pccd_worker {
    frc_task_worker task_worker;  // with counts of zero: traversals never publish tasks
    frc_work_list parts;          // of its current task
    pccd* all;
    double busy_ms;
    uint64_t locks, rebuilt, rebuilt_top;
} pccd_worker;

// The three methods.
typedef struct variant {
    bool disjoint;    // high-level pairs in rounds without a common node
    bool front_only;  // frc_work_requests.front_only
} variant;

struct pccd {
    const frc_world* world;
    frc_detect_worker** detect;
    pccd_worker* workers;
    variant variant;
    uint32_t* triangles;  // by node of the tree over blocks
    size_t top_nodes;
    frc_self_task_list low, high;  // low- and high-level nodes; high: in the order of expansion
    frc_work_requests requests;
    const double* progress;
    double reported;
    double all_tasks;
    atomic_uint_fast64_t done_tasks;
    atomic_bool stopped;
    const frc_round* round;  // the round of high-level pairs that runs now
    uint64_t high_pairs, high_rounds;
};

static const double LOW_SHARE = 0.9;  // the part of progress that low-level nodes make up

// ---- the sizes of nodes

// The size of a node is its number of triangle slots, or of slots of free elements.
static uint32_t first_slot(const frc_block* block, uint32_t leaf) {
    return block->free_elements ? block->leaves[leaf].edge + block->leaves[leaf].vertex
                                : block->leaves[leaf].face;
}

// The slots below a node are contiguous, with those of its own leaves first: the first and the last
// leaf below it give their number.
uint32_t frc_pccd_node_size(const frc_block* block, const frc_node* nodes, uint32_t n) {
    uint32_t first = FRC_REF_NONE, last = FRC_REF_NONE;
    for (uint32_t at = n; first == FRC_REF_NONE; at = nodes[at].child[0]) {
        for (int i = 3; i >= 0; i--)
            if (nodes[at].child[i] != FRC_REF_NONE && nodes[at].child[i] & FRC_REF_LEAF)
                first = nodes[at].child[i] & ~FRC_REF_LEAF;
        if (nodes[at].child[0] == FRC_REF_NONE) return 0;
    }
    for (uint32_t at = n, next; last == FRC_REF_NONE; at = next) {
        next = FRC_REF_NONE;
        for (int i = 0; i < 4; i++)
            if (!(nodes[at].child[i] & FRC_REF_LEAF)) next = nodes[at].child[i];
        for (int i = 0; i < 4 && next == FRC_REF_NONE; i++)
            if (nodes[at].child[i] != FRC_REF_NONE) last = nodes[at].child[i] & ~FRC_REF_LEAF;
    }
    const frc_leaf* l = &block->leaves[last];
    const uint32_t in_last =
        block->free_elements ? (uint32_t)l->edge_count + l->vertex_count : l->face_count;
    return first_slot(block, last) + in_last - first_slot(block, first);
}

// Compute the sizes of a node of the tree over blocks and of all below it.
static uint32_t measure_below(pccd* p, uint32_t n) {
    const frc_boxes boxes = p->detect[0]->boxes;
    const frc_node* node = &p->world->top->nodes[boxes][n];
    p->triangles[n] = 0;
    for (int i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
        if (!(node->child[i] & FRC_REF_LEAF)) {
            p->triangles[n] += measure_below(p, node->child[i]);
            continue;
        }
        const frc_block* block = p->world->blocks[node->child[i] & ~FRC_REF_LEAF];
        p->triangles[n] += frc_pccd_node_size(block, block->tree[boxes].nodes, 0);
    }
    return p->triangles[n];
}

// The same for the whole tree, and the largest possible number of tasks.
static void measure_top(pccd* p) {
    const frc_top_tree* top = p->world->top;
    measure_below(p, 0);
    p->all_tasks = top->node_count;
    for (uint32_t b = 0; b < p->world->block_count && b < top->capacity; b++) {
        const frc_block* block = p->world->blocks[b];
        if (block && frc_bodies_can_collide(p->world, block->body, block->body))
            p->all_tasks += block->node_count;
    }
}

// ---- tasks

typedef enum part_kind { PART_PAIR, PART_NODE, PART_NOTHING } part_kind;

// A part of a task is a pair to traverse, or a node with a task of its own, written to `out`.
static part_kind classify(const pccd* p, const frc_work* part, frc_self_task* out) {
    if (part->ref_a != part->ref_b || part->block_a != part->block_b) return PART_PAIR;
    *out = (frc_self_task){.block = part->block_a, .node = part->ref_a};
    if (part->ref_a & FRC_REF_LEAF) {
        if (part->block_a != FRC_TOP) return PART_PAIR;
        out->block = p->world->top->leaf_block[part->ref_a & ~FRC_REF_LEAF];
        out->node = 0;
        uint32_t body = p->world->blocks[out->block]->body;
        if (!frc_bodies_can_collide(p->world, body, body)) return PART_NOTHING;
    }
    if (out->block == FRC_TOP) {
        out->triangles = p->triangles[out->node];
    } else {
        const frc_block* block = p->world->blocks[out->block];
        out->triangles =
            frc_pccd_node_size(block, block->tree[p->detect[0]->boxes].nodes, out->node);
    }
    return PART_NODE;
}

// The state of a worker. Its own thread initialises it, so that it is in the cache of that core.
static frc_detect_worker* own_worker(const pccd* p, uint32_t worker) {
    frc_detect_worker* w = p->detect[worker];
    if (!w->task_worker) frc_detect_worker_clear_caches(w);
    w->task_worker = &p->workers[worker].task_worker;
    return w;
}

// Write the parts of a node's task, which include its child nodes, into `parts`.
static void divide_self(frc_detect_worker* w, const frc_self_task* node, frc_work_list* parts) {
    const frc_work whole = {node->block, node->block, node->node, node->node};
    parts->count = 0;
    frc_split_work(w, &whole, parts);
}

static bool has_stopped(const frc_detect_worker* w) { return w->out_of_memory || w->cancelled; }

// Worker 0 is the calling thread: only it may invoke the callback of the application.
static void report_progress(pccd* p, uint32_t worker, double done) {
    frc_detect_worker* w = p->detect[worker];
    double fraction = p->progress[0] + (p->progress[1] - p->progress[0]) * done;
    if (worker == 0 && !w->cancelled && done >= p->reported + 0.01) {
        p->reported = done;
        if (!frc_progress(p->world->context, fraction)) {
            w->cancelled = true;
            atomic_store_explicit(&p->stopped, true, memory_order_relaxed);
        }
    }
    if (atomic_load_explicit(&p->stopped, memory_order_relaxed)) w->cancelled = true;
}

static void run_task(frc_work_requests* requests, uint32_t worker, const frc_self_task* node,
                     void* data) {
    pccd* p = data;
    frc_detect_worker* w = own_worker(p, worker);
    frc_work_list* parts = &p->workers[worker].parts;
    frc_self_task below;
    uint64_t done = atomic_fetch_add_explicit(&p->done_tasks, 1, memory_order_relaxed);
    report_progress(p, worker, LOW_SHARE * (double)done / p->all_tasks);
    if (has_stopped(w)) return;
    divide_self(w, node, parts);
    for (size_t i = 0; i < parts->count; i++)
        if (classify(p, &parts->data[i], &below) == PART_NODE &&
            !frc_work_requests_push(requests, worker, &below))
            w->out_of_memory = true;
    frc_work_requests_offer(requests, worker);
    for (size_t i = 0; i < parts->count && !has_stopped(w); i++)
        if (classify(p, &parts->data[i], &below) == PART_PAIR)
            frc_traverse(w, &parts->data[i], NULL);
}

// Before a worker becomes idle it tests its collected candidates.
static void flush(uint32_t worker, void* data) {
    frc_detect_worker* w = ((pccd*)data)->detect[worker];
    if (!has_stopped(w)) frc_flush_candidates(w, true);
}

// ---- subtrees that are rebuilt by the query

// Check a node, and rebuild its subtree if it is degraded.
static void rebuild_degraded(frc_detect_worker* w, uint32_t number, uint32_t node) {
    const frc_world* world = w->world;
    pccd_worker* worker = w->visit_data;
    const uint32_t index = worker->task_worker.index;
    if (number != FRC_TOP) {
        worker->rebuilt +=
            frc_lazy_check(world->context, world->method_data, index, world->blocks[number], node);
    } else if (frc_lazy_check_top(world->context, world->method_data, index, world->blocks, node)) {
        worker->rebuilt_top++;
        measure_below(worker->all, node);
    }
}

static _Atomic uint8_t* state_of(const frc_detect_worker* w, uint32_t number, uint32_t node) {
    return number == FRC_TOP ? frc_lazy_top_state(w->world->method_data, node)
                             : frc_lazy_state(w->world->blocks[number], node);
}

// Low-level nodes: no other worker reaches the node.
static void visit_alone(frc_detect_worker* w, uint32_t number, uint32_t node) {
    _Atomic uint8_t* state = state_of(w, number, node);
    if (!state || atomic_load_explicit(state, memory_order_relaxed) == FRC_VISITED) return;
    rebuild_degraded(w, number, node);
    atomic_store_explicit(state, FRC_VISITED, memory_order_relaxed);
}

// High-level nodes: several workers may reach the node. The first one locks it, the others wait.
static void visit_shared(frc_detect_worker* w, uint32_t number, uint32_t node) {
    _Atomic uint8_t* state = state_of(w, number, node);
    uint8_t was = FRC_NOT_VISITED;
    if (!state || atomic_load_explicit(state, memory_order_acquire) == FRC_VISITED) return;
    frc_test_yield(w->world->context);
    if (atomic_compare_exchange_strong_explicit(state, &was, FRC_LOCKED, memory_order_acquire,
                                                memory_order_acquire)) {
        ((pccd_worker*)w->visit_data)->locks++;
        rebuild_degraded(w, number, node);
        atomic_store_explicit(state, FRC_VISITED, memory_order_release);
        return;
    }
    for (uint32_t turn = 0; atomic_load_explicit(state, memory_order_acquire) != FRC_VISITED;
         turn++)
        frc_back_off(w->world->context, turn);
}

// Rebuilds are limited to the trees of the scene: boxes that the query has fitted itself rely on
// the shape of the trees.
static void set_visit(pccd* p, bool shared) {
    const frc_pccd_query* query = p->world->method_query;
    if (!query || !query->rebuild || p->detect[0]->trees || p->detect[0]->boxes != FRC_BOXES_STEP)
        return;
    for (uint32_t i = 0; i < p->requests.workers; i++) {
        p->detect[i]->visit_node = shared ? visit_shared : visit_alone;
        p->detect[i]->visit_data = &p->workers[i];
    }
}

// ---- low-level nodes

// Replace the node nearest to the root, the largest of equals, by its children.
static void expand_one(pccd* p) {
    frc_detect_worker* w = p->detect[0];
    fracas_context* context = p->world->context;
    size_t best = 0;
    for (size_t i = 1; i < p->low.count; i++) {
        const frc_self_task *a = &p->low.data[i], *b = &p->low.data[best];
        if (a->level < b->level || (a->level == b->level && a->triangles > b->triangles)) best = i;
    }
    frc_self_task node = p->low.data[best], below;
    p->low.data[best] = p->low.data[--p->low.count];
    divide_self(w, &node, &p->workers[0].parts);
    if (!FRC_ARRAY_PUSH(context, &p->high, node)) w->out_of_memory = true;
    for (size_t i = 0; i < p->workers[0].parts.count; i++) {
        if (classify(p, &p->workers[0].parts.data[i], &below) != PART_NODE) continue;
        below.level = node.level + 1;
        if (!FRC_ARRAY_PUSH(context, &p->low, below)) w->out_of_memory = true;
    }
}

// Expand nodes until there is one for each worker, then run the tasks of these and of all below.
static void run_low(pccd* p) {
    frc_detect_worker* w = own_worker(p, 0);
    frc_self_task_list* low = &p->low;
    const frc_self_task root = {FRC_TOP, 0, 0, 0};
    if (!FRC_ARRAY_PUSH(p->world->context, low, root)) w->out_of_memory = true;
    while (low->count > 0 && low->count < p->requests.workers && !has_stopped(w)) expand_one(p);
    // Sort: the largest start first.
    for (size_t i = 1; i < low->count; i++) {
        frc_self_task node = low->data[i];
        size_t k = i;
        for (; k > 0 && low->data[k - 1].triangles < node.triangles; k--)
            low->data[k] = low->data[k - 1];
        low->data[k] = node;
    }
    p->requests.front_only = p->variant.front_only;
    p->requests.nodes = p->low.data;
    p->requests.node_count = (uint32_t)p->low.count;
    p->requests.task = run_task;
    p->requests.before_idle = flush;
    p->requests.data = p;
    frc_work_requests_run(&p->requests);
}

// ---- high-level nodes

static void run_share(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    pccd* p = data;
    frc_detect_worker* w = own_worker(p, worker);
    double start = frc_clock_ms();
    for (uint32_t share = begin; share < end; share++)
        for (size_t i = share; i < p->round->count; i += p->requests.workers) {
            if (atomic_load_explicit(&p->stopped, memory_order_relaxed)) w->cancelled = true;
            if (!has_stopped(w)) frc_traverse(w, &p->round->data[i], NULL);
        }
    p->workers[worker].busy_ms += frc_clock_ms() - start;
}

static void flush_all(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    pccd* p = data;
    double start = frc_clock_ms();
    for (uint32_t i = begin; i < end; i++) flush(i, p);
    p->workers[worker].busy_ms += frc_clock_ms() - start;
}

// List the pairs of the nodes high[first, end), which are all nodes of one level. False: stopped.
static bool list_pairs(pccd* p, size_t first, size_t end, frc_rounds* rounds) {
    frc_detect_worker* w = p->detect[0];
    frc_self_task below;
    frc_rounds_clear(rounds);
    for (size_t k = first; k < end && !has_stopped(w); k++) {
        divide_self(w, &p->high.data[k], &p->workers[0].parts);
        for (size_t i = 0; i < p->workers[0].parts.count; i++) {
            const frc_work* part = &p->workers[0].parts.data[i];
            if (classify(p, part, &below) != PART_PAIR) continue;
            if (!(p->variant.disjoint ? frc_rounds_add(rounds, w, &p->high.data[k], part)
                                      : frc_rounds_add_any(rounds, w, part)))
                w->out_of_memory = true;
        }
    }
    size_t wanted = PAIRS_EACH * (size_t)p->requests.workers;
    if (!p->variant.disjoint && p->requests.workers > 1) frc_rounds_refine(rounds, w, wanted);
    return !has_stopped(w);
}

// Level by level from below, with a barrier after each round.
static void run_high(pccd* p) {
    fracas_context* context = p->world->context;
    frc_rounds rounds = {0};
    for (size_t end = p->high.count, first; end > 0; end = first) {
        for (first = end;
             first > 0 && p->high.data[first - 1].level == p->high.data[end - 1].level;)
            first--;
        const double left = (double)end / (double)p->high.count;
        report_progress(p, 0, LOW_SHARE + (1 - LOW_SHARE) * (1 - left));
        if (!list_pairs(p, first, end, &rounds)) continue;
        for (int i = 0; i < FRC_ROUNDS; i++) {
            p->round = &rounds.round[i];
            if (p->round->count == 0) continue;
            p->high_rounds++;
            p->high_pairs += p->round->count;
            frc_parallel_for(context, p->requests.workers, 1, run_share, p);
        }
    }
    frc_parallel_for(context, p->requests.workers, 1, flush_all, p);
    frc_rounds_release(context, &rounds);
}

// ---- the search

// False: no memory.
static bool begin_search(pccd* p) {
    fracas_context* context = p->world->context;
    uint32_t workers = frc_worker_count(context);
    bool ok = frc_work_requests_init(context, &p->requests);
    p->top_nodes = p->world->top->node_count;
    p->workers = frc_allocate_array(context, workers, sizeof *p->workers, &ok);
    p->triangles = frc_allocate_array(context, p->top_nodes, sizeof *p->triangles, &ok);
    if (!ok) return false;
    static const atomic_uint_fast64_t nothing = 0;
    for (uint32_t i = 0; i < workers; i++)
        p->workers[i] = (pccd_worker){
            .task_worker = {.counts = &nothing, .index = i},
              .all = p
        };
    memset(p->triangles, 0, p->top_nodes * sizeof *p->triangles);
    return true;
}

static void end_search(pccd* p) {
    fracas_context* context = p->world->context;
    uint32_t workers = frc_worker_count(context);
    for (uint32_t i = 0; p->triangles && i < workers; i++)
        FRC_ARRAY_RELEASE(context, &p->workers[i].parts);
    frc_release(context, p->workers, frc_array_size(workers, sizeof *p->workers));
    frc_release(context, p->triangles, frc_array_size(p->top_nodes, sizeof *p->triangles));
    FRC_ARRAY_RELEASE(context, &p->low);
    FRC_ARRAY_RELEASE(context, &p->high);
    frc_work_requests_release(&p->requests);
}

static void add_statistics(const pccd* p, double low_ms, double high_ms,
                           fracas_statistics* statistics) {
    const frc_pccd_query* query = p->world->method_query;
    double idle = 0, busy = 0;
    fracas_published_statistics sum = {
        .ms_low = low_ms,
        .ms_high = high_ms,
        .low_nodes = p->low.count,
        .low_tasks = atomic_load_explicit(&p->done_tasks, memory_order_relaxed),
        .high_nodes = p->high.count,
        .high_rounds = p->high_rounds,
        .high_pairs = p->high_pairs,
    };
    for (uint32_t i = 0; i < p->requests.workers; i++) {
        idle += p->requests.queues[i].idle_ms;
        busy += p->workers[i].busy_ms;
        sum.requests += p->requests.queues[i].requests;
        sum.refusals += p->requests.queues[i].refusals;
        sum.locks += p->workers[i].locks;
        sum.rebuilt += p->workers[i].rebuilt;
        sum.rebuilt_top += p->workers[i].rebuilt_top;
    }
    double high_idle = high_ms - busy / p->requests.workers;
    statistics->ms_idle += idle / p->requests.workers + (high_idle > 0 ? high_idle : 0);
    if (!query) return;
    query->statistics->ms_low += sum.ms_low;
    query->statistics->ms_high += sum.ms_high;
    query->statistics->requests += sum.requests;
    query->statistics->refusals += sum.refusals;
    query->statistics->locks += sum.locks;
    query->statistics->rebuilt += sum.rebuilt;
    query->statistics->rebuilt_top += sum.rebuilt_top;
    query->statistics->low_nodes += sum.low_nodes;
    query->statistics->low_tasks += sum.low_tasks;
    query->statistics->high_nodes += sum.high_nodes;
    query->statistics->high_rounds += sum.high_rounds;
    query->statistics->high_pairs += sum.high_pairs;
}

// After rebuilds in the tree over blocks.
static void settle_top(const pccd* p) {
    uint64_t rebuilt = 0;
    for (uint32_t i = 0; i < p->requests.workers; i++) rebuilt += p->workers[i].rebuilt_top;
    const frc_lazy* lazy = p->world->method_data;
    if (rebuilt > 0) frc_top_tree_settle(lazy->top);
}

static void run(frc_search_run* search, variant how, fracas_statistics* statistics) {
    frc_detect_worker** workers = search->workers;
    pccd p = {
        .world = search->world, .detect = workers, .progress = search->progress, .variant = how};
    atomic_init(&p.done_tasks, 0);
    atomic_init(&p.stopped, false);
    if (!p.world->top->nodes[workers[0]->boxes] || p.world->top->node_count == 0) return;
    if (begin_search(&p)) {
        measure_top(&p);
        double start = frc_clock_ms();
        set_visit(&p, false);
        run_low(&p);
        double middle = frc_clock_ms();
        set_visit(&p, !how.disjoint);
        run_high(&p);
        settle_top(&p);
        add_statistics(&p, middle - start, frc_clock_ms() - middle, statistics);
    } else {
        workers[0]->out_of_memory = true;
    }
    end_search(&p);
}

static void run_shared(frc_search_run* search, fracas_statistics* statistics) {
    run(search, (variant){false, false}, statistics);
}
static void run_disjoint(frc_search_run* search, fracas_statistics* statistics) {
    run(search, (variant){true, false}, statistics);
}
static void run_front(frc_search_run* search, fracas_statistics* statistics) {
    run(search, (variant){false, true}, statistics);
}

static void refitted(fracas_context* context, void* method_data, frc_block* block) {
    if (method_data) frc_lazy_prepare(context, block);
}

static bool refitted_top(fracas_context* context, void* method_data) {
    if (method_data) frc_lazy_prepare_top(context, method_data);
    return method_data != NULL;
}

static void destroy(fracas_context* context, void* method_data) {
    frc_lazy_destroy(context, method_data);
}

#define PCCD(run_function)                                                                         \
    {                                                                                              \
        .needs_trees = true, .refit_cut = frc_pccd_cut, .refitted = refitted,                      \
        .refitted_top = refitted_top, .run = (run_function), .destroy = destroy                    \
    }
const frc_search_method frc_search_pccd = PCCD(run_shared);
const frc_search_method frc_search_pccd_disjoint = PCCD(run_disjoint);
const frc_search_method frc_search_pccd_front = PCCD(run_front);
