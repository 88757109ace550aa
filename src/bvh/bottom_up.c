/// @file bottom_up.c  Trees cut into parts that are worked on at the same time.
///
/// Nodes stand in depth-first order, so what is below a node is a range of numbers. The largest
/// such ranges that are not too large are the branches of a tree. Its numbers are dealt out in
/// stretches of one length, and who has a stretch works on the branches that begin there: it finds
/// them from the root down, so that nobody goes through the trees before all can begin. The few
/// nodes above the branches come at the end, one after the other. With the scheduler of PCCD trees
/// are cut beforehand, as that paper does: breadth first, until there are two parts for each
/// worker.
#include "bvh/bottom_up.h"
#include "base/parallel.h"

// Nodes of a branch, and of a stretch: no fewer than some ten microseconds take, and no more than
// that there are a few stretches for each worker.
enum { FEWEST_NODES = 64, PARTS_EACH = 8 };

typedef struct part {
    uint32_t block, begin, end;
} part;

/// Branches of a block that begin in [begin, end).
typedef struct stretch {
    part whole;
    uint32_t begin, end;
} stretch;

typedef struct plan {
    fracas_context* context;
    frc_block* const* blocks;
    frc_nodes_fn* fit;
    void* data;
    uint32_t branch_nodes;         // at most
    FRC_ARRAY(stretch) stretches;  // of all blocks
    FRC_ARRAY(part) parts;         // PCCD: as they were cut
    FRC_ARRAY(part) above;         // PCCD: single nodes, each before those below it
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

static void fit_part(const plan* p, const part* what) {
    p->fit(p->blocks[what->block], what->begin, what->end, p->data);
}

static void fit_first_node(const plan* p, const part* what) {
    p->fit(p->blocks[what->block], what->begin, what->begin + 1, p->data);
}

// ---- branches

static bool is_branch(const plan* p, const part* what) {
    return what->end - what->begin <= p->branch_nodes;
}

// Those below, or at, the first node of a part that begin within a stretch.
static void fit_branches(const plan* p, const stretch* s, const part* what) {
    if (what->end <= s->begin || what->begin >= s->end) return;
    if (is_branch(p, what)) {
        if (what->begin >= s->begin) fit_part(p, what);
        return;
    }
    part below[4];
    const uint32_t count = parts_below(p, what, below);
    for (uint32_t i = 0; i < count; i++) fit_branches(p, s, &below[i]);
}

static void fit_stretches(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const plan* p = data;
    for (uint32_t i = begin; i < end; i++) {
        const stretch* s = &p->stretches.data[i];
        fit_branches(p, s, &s->whole);
    }
}

// Nodes above branches have been written by other cores: those side by side are asked for together.
static void look_ahead(const plan* p, const part parts[4], uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        for (int m = 0; m < FRC_BOXES_COUNT && !is_branch(p, &parts[i]); m++) {
            const frc_node* nodes = p->blocks[parts[i].block]->tree[m].nodes;
            if (nodes) frc_node_fetch(&nodes[parts[i].begin]);
        }
}

// The nodes above branches, from the last to the first.
static void fit_above_branches(const plan* p, const part* what) {
    if (is_branch(p, what)) return;
    part below[4];
    uint32_t count = parts_below(p, what, below);
    look_ahead(p, below, count);
    while (count-- > 0) fit_above_branches(p, &below[count]);
    fit_first_node(p, what);
}

static uint32_t choose_branch_nodes(const plan* p, const frc_tall* list, uint32_t count) {
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < count; i++) nodes += list[i].nodes;
    uint64_t each = nodes / ((uint64_t)PARTS_EACH * frc_worker_count(p->context));
    return each > FEWEST_NODES ? (uint32_t)each : FEWEST_NODES;
}

static bool make_stretches(plan* p, const frc_tall* list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const part whole = {list[i].block, 0, list[i].nodes};
        for (uint32_t begin = 0, end; begin < whole.end; begin = end) {
            end = whole.end - begin > p->branch_nodes ? begin + p->branch_nodes : whole.end;
            const stretch s = {whole, begin, end};
            if (!FRC_ARRAY_PUSH(p->context, &p->stretches, s)) return false;
        }
    }
    return true;
}

static bool run_by_branches(plan* p, const frc_tall* list, uint32_t count) {
    p->branch_nodes = choose_branch_nodes(p, list, count);
    if (!make_stretches(p, list, count)) return false;
    frc_parallel_for(p->context, (uint32_t)p->stretches.count, 1, fit_stretches, p);
    for (uint32_t i = 0; i < count; i++)
        fit_above_branches(p, &(part){list[i].block, 0, list[i].nodes});
    return true;
}

// ---- PCCD

// Whole trees are there; the oldest part is cut as long as there are too few. One without inner
// nodes below stays as it is.
static bool cut_breadth_first(plan* p, uint32_t wanted) {
    size_t first = 0;
    while (first < p->parts.count && p->parts.count < wanted) {
        part whole = p->parts.data[first], below[4];
        uint32_t count = parts_below(p, &whole, below);
        if (count == 0) {
            first++;
            continue;
        }
        if (!FRC_ARRAY_PUSH(p->context, &p->above, whole)) return false;
        for (size_t i = first + 1; i < p->parts.count; i++) p->parts.data[i - 1] = p->parts.data[i];
        p->parts.count--;
        for (uint32_t i = 0; i < count; i++)
            if (!FRC_ARRAY_PUSH(p->context, &p->parts, below[i])) return false;
    }
    return true;
}

static void fit_parts(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const plan* p = data;
    for (uint32_t i = begin; i < end; i++) fit_part(p, &p->parts.data[i]);
}

static bool run_by_parts(plan* p, const frc_tall* list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const part whole = {list[i].block, 0, list[i].nodes};
        if (!FRC_ARRAY_PUSH(p->context, &p->parts, whole)) return false;
    }
    if (!cut_breadth_first(p, 2 * frc_worker_count(p->context))) return false;
    frc_parallel_for(p->context, (uint32_t)p->parts.count, 1, fit_parts, p);
    for (size_t i = p->above.count; i-- > 0;) fit_first_node(p, &p->above.data[i]);
    return true;
}

bool frc_blocks_bottom_up(fracas_context* context, frc_block* const* blocks, const frc_tall* list,
                          uint32_t count, frc_nodes_fn* fit, void* data) {
    if (frc_worker_count(context) == 1) {
        for (uint32_t i = 0; i < count; i++) fit(blocks[list[i].block], 0, list[i].nodes, data);
        return true;
    }
    plan p = {.context = context, .blocks = blocks, .fit = fit, .data = data};
    const bool steal = context->options.scheduler == FRACAS_SCHEDULER_STEAL;
    const bool ok = steal ? run_by_branches(&p, list, count) : run_by_parts(&p, list, count);
    FRC_ARRAY_RELEASE(context, &p.stretches);
    FRC_ARRAY_RELEASE(context, &p.parts);
    FRC_ARRAY_RELEASE(context, &p.above);
    return ok;
}
