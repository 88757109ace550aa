/// @file bottom_up.c  Trees cut into parts that are worked on at the same time.
///
/// Nodes stand in depth-first order, so what is below a node is a range of numbers. Every tree is
/// cut into the largest such ranges that are not too large; the few nodes above them come at the
/// end, one after the other.
#include "bvh/bottom_up.h"
#include "base/parallel.h"

enum { PART_NODES = 64 };  // some ten microseconds

typedef struct part {
    uint32_t block, begin, end;
} part;

typedef struct plan {
    fracas_context* context;
    frc_block* const* blocks;
    FRC_ARRAY(part) parts;
    FRC_ARRAY(part) above;  // single nodes, each before those below it
    frc_nodes_fn* fit;
    void* data;
} plan;

static const frc_node* links(const frc_block* block) {
    return block->tree[FRC_BOXES_STEP].nodes ? block->tree[FRC_BOXES_STEP].nodes
                                             : block->tree[FRC_BOXES_END].nodes;
}

// Inner children have growing numbers; where one's range ends the next one's begins.
static bool cut(plan* p, uint32_t block, uint32_t node, uint32_t end) {
    const part whole = {block, node, end}, alone = {block, node, node + 1};
    if (end - node <= PART_NODES) return FRC_ARRAY_PUSH(p->context, &p->parts, whole);
    if (!FRC_ARRAY_PUSH(p->context, &p->above, alone)) return false;
    uint32_t inner[4], count = 0;
    const frc_node* n = &links(p->blocks[block])[node];
    for (int i = 0; i < 4; i++)
        if (!(n->child[i] & FRC_REF_LEAF)) inner[count++] = n->child[i];
    for (uint32_t i = 0; i < count; i++)
        if (!cut(p, block, inner[i], i + 1 < count ? inner[i + 1] : end)) return false;
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

bool frc_blocks_bottom_up(fracas_context* context, frc_block* const* blocks, const uint32_t* list,
                          uint32_t count, frc_nodes_fn* fit, void* data) {
    if (frc_worker_count(context) == 1) {
        for (uint32_t i = 0; i < count; i++)
            fit(blocks[list[i]], 0, blocks[list[i]]->node_count, data);
        return true;
    }
    plan p = {.context = context, .blocks = blocks, .fit = fit, .data = data};
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = cut(&p, list[i], 0, blocks[list[i]]->node_count);
    if (ok) {
        frc_parallel_for(context, (uint32_t)p.parts.count, 1, fit_parts, &p);
        for (size_t i = p.above.count; i-- > 0;) {
            const part* what = &p.above.data[i];
            fit(blocks[what->block], what->begin, what->end, data);
        }
    }
    FRC_ARRAY_RELEASE(context, &p.parts);
    FRC_ARRAY_RELEASE(context, &p.above);
    return ok;
}
