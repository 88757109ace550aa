/// @file bottom_up.c  Trees cut into parts that are worked on at the same time.
///
/// Nodes stand in depth-first order, so what is below a node is a range of numbers. Every tree is
/// cut into the largest such ranges that are not too large; the few nodes above them come at the
/// end, one after the other. All wait while trees are cut, so that goes level by level: the nodes
/// of the next level, which other cores have written last, are on their way meanwhile. With the
/// scheduler of PCCD trees are cut as that paper does: breadth first, until there are two parts for
/// each worker.
#include "bvh/bottom_up.h"
#include "base/parallel.h"

// Nodes of a part: no fewer than some ten microseconds take, and no more than that there are a few
// parts for each worker.
enum { FEWEST_NODES = 64, PARTS_EACH = 8 };

typedef struct part {
    uint32_t block, begin, end;
} part;

typedef FRC_ARRAY(part) part_list;

typedef struct plan {
    fracas_context* context;
    frc_block* const* blocks;
    uint32_t part_nodes;
    part_list parts;
    part_list above;  // whose first nodes are above the parts; each before those below it
    frc_nodes_fn* fit;
    void* data;
} plan;

// The parts below the first node of a part. Inner children have growing numbers; where one's range
// ends the next one's begins. Nodes behind the last that are not in use go with the last.
static uint32_t parts_below(const plan* p, const part* whole, part out[4]) {
    uint32_t count = 0;
    const frc_node* n = &frc_block_links(p->blocks[whole->block])[whole->begin];
    for (int i = 0; i < 4; i++)
        if (!(n->child[i] & FRC_REF_LEAF))
            out[count++] = (part){whole->block, n->child[i], whole->end};
    for (uint32_t i = 0; i + 1 < count; i++) out[i].end = out[i + 1].begin;
    return count;
}

static bool put(plan* p, part_list* list, const part* what) {
    return FRC_ARRAY_PUSH(p->context, list, *what);
}

static bool put_where_it_belongs(plan* p, const part* what) {
    if (what->end - what->begin <= p->part_nodes) return put(p, &p->parts, what);
    __builtin_prefetch(frc_block_links(p->blocks[what->block])[what->begin].child);
    return put(p, &p->above, what);
}

static uint32_t choose_part_nodes(const plan* p, const frc_tall* list, uint32_t count) {
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < count; i++) nodes += list[i].nodes;
    uint64_t each = nodes / ((uint64_t)PARTS_EACH * frc_worker_count(p->context));
    return each > FEWEST_NODES ? (uint32_t)each : FEWEST_NODES;
}

static bool cut_by_size(plan* p, const frc_tall* list, uint32_t count) {
    // Most parts are much smaller than they may be: there are four or five times as many.
    const size_t least = PARTS_EACH * (size_t)frc_worker_count(p->context);
    if (!FRC_ARRAY_RESERVE(p->context, &p->parts, count + 6 * least) ||
        !FRC_ARRAY_RESERVE(p->context, &p->above, 2 * least))
        return false;
    p->part_nodes = choose_part_nodes(p, list, count);
    for (uint32_t i = 0; i < count; i++)
        if (!put_where_it_belongs(p, &(part){list[i].block, 0, list[i].nodes})) return false;
    for (size_t i = 0; i < p->above.count; i++) {
        const part whole = p->above.data[i];
        part below[4];
        const uint32_t n = parts_below(p, &whole, below);
        for (uint32_t k = 0; k < n; k++)
            if (!put_where_it_belongs(p, &below[k])) return false;
    }
    return true;
}

// Whole trees first; the oldest part is cut as long as there are too few. One without inner nodes
// below stays as it is.
static bool cut_by_count(plan* p, const frc_tall* list, uint32_t count) {
    const uint32_t wanted = 2 * frc_worker_count(p->context);
    size_t first = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!put(p, &p->parts, &(part){list[i].block, 0, list[i].nodes})) return false;
    while (first < p->parts.count && p->parts.count < wanted) {
        const part whole = p->parts.data[first];
        part below[4];
        const uint32_t n = parts_below(p, &whole, below);
        if (n == 0) {
            first++;
            continue;
        }
        if (!put(p, &p->above, &whole)) return false;
        for (size_t i = first + 1; i < p->parts.count; i++) p->parts.data[i - 1] = p->parts.data[i];
        p->parts.count--;
        for (uint32_t i = 0; i < n; i++)
            if (!put(p, &p->parts, &below[i])) return false;
    }
    return true;
}

static void fit_parts(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const plan* p = data;
    for (uint32_t i = begin; i < end; i++) {
        const part* what = &p->parts.data[i];
        p->fit(p->blocks[what->block], what->begin, what->end, p->data);
    }
}

enum { AHEAD = 8 };  // nodes

// One after the other, the last first. What workers have written into them is asked for beforehand.
static void fit_above(const plan* p) {
    for (size_t i = p->above.count; i-- > 0;) {
        const part* what = &p->above.data[i];
        const part* later = &p->above.data[i < AHEAD ? 0 : i - AHEAD];
        for (int m = 0; m < FRC_BOXES_COUNT; m++) {
            const frc_node* nodes = p->blocks[later->block]->tree[m].nodes;
            if (nodes) frc_node_fetch(&nodes[later->begin]);
        }
        p->fit(p->blocks[what->block], what->begin, what->begin + 1, p->data);
    }
}

bool frc_blocks_bottom_up(fracas_context* context, frc_block* const* blocks, const frc_tall* list,
                          uint32_t count, frc_nodes_fn* fit, void* data) {
    if (frc_worker_count(context) == 1) {
        for (uint32_t i = 0; i < count; i++) fit(blocks[list[i].block], 0, list[i].nodes, data);
        return true;
    }
    plan p = {.context = context, .blocks = blocks, .fit = fit, .data = data};
    const bool by_size = context->options.scheduler == FRACAS_SCHEDULER_STEAL;
    const bool ok = by_size ? cut_by_size(&p, list, count) : cut_by_count(&p, list, count);
    if (ok) {
        frc_parallel_for(context, (uint32_t)p.parts.count, 1, fit_parts, &p);
        fit_above(&p);
    }
    FRC_ARRAY_RELEASE(context, &p.parts);
    FRC_ARRAY_RELEASE(context, &p.above);
    return ok;
}
