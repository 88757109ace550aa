/// @file pccd_rounds.c  Rounds of pairs that have no node in common and may run at the same time.
///
/// Children i and j of one node are paired in round i xor j: {01, 23}, {02, 13}, {03, 12}. Of a
/// pair of nodes, child i of one and child j of the other likewise: {00, 11, 22, 33}, and so on.
/// These are the paper's {(LL), (RR)}, {(LR), (RL)} for four children.
#include "published/pccd_rounds.h"
#include "detect/traverse.h"

void frc_rounds_clear(frc_rounds* rounds) {
    for (int i = 0; i < FRC_ROUNDS; i++) rounds->round[i].count = 0;
}

void frc_rounds_release(fracas_context* context, frc_rounds* rounds) {
    for (int i = 0; i < FRC_ROUNDS; i++) FRC_ARRAY_RELEASE(context, &rounds->round[i]);
    FRC_ARRAY_RELEASE(context, &rounds->parts);
}

// Which child of a node is this?
static uint32_t lane_of(const frc_detect_worker* w, uint32_t block, uint32_t node, uint32_t ref) {
    const frc_world* world = w->world;
    const frc_node* nodes =
        block == FRC_TOP ? world->top->nodes[w->boxes] : world->blocks[block]->tree[w->boxes].nodes;
    uint32_t lane = 0;
    while (lane < 3 && nodes[node].child[lane] != ref) lane++;
    return lane;
}

bool frc_rounds_add(frc_rounds* rounds, frc_detect_worker* w, const frc_self_task* node,
                    const frc_work* given) {
    fracas_context* context = w->world->context;
    uint32_t lanes = lane_of(w, node->block, node->node, given->ref_a) ^
                     lane_of(w, node->block, node->node, given->ref_b);
    // Pairs within a leaf may be in any round.
    frc_round* first = &rounds->round[lanes > 0 ? 4 * (lanes - 1) : 0];
    frc_work pair = *given;
    // Two leaves of the tree over blocks: continue with the pair of the roots of their blocks, if
    // their bodies may collide.
    if (pair.block_a == FRC_TOP && pair.ref_a & pair.ref_b & FRC_REF_LEAF) {
        rounds->parts.count = 0;
        frc_split_work(w, &pair, &rounds->parts);
        if (rounds->parts.count == 0) return !w->out_of_memory;
        pair = rounds->parts.data[0];
    }
    // All pairs of a leaf have it in common, so they must not be divided.
    if ((pair.ref_a | pair.ref_b) & FRC_REF_LEAF) return FRC_ARRAY_PUSH(context, first, pair);
    rounds->parts.count = 0;
    frc_split_work(w, &pair, &rounds->parts);
    for (size_t i = 0; i < rounds->parts.count; i++) {
        frc_work part = rounds->parts.data[i];
        lanes = lane_of(w, pair.block_a, pair.ref_a, part.ref_a) ^
                lane_of(w, pair.block_b, pair.ref_b, part.ref_b);
        if (!FRC_ARRAY_PUSH(context, &first[lanes], part)) return false;
    }
    return !w->out_of_memory;
}

bool frc_rounds_add_any(frc_rounds* rounds, const frc_detect_worker* w, const frc_work* pair) {
    return FRC_ARRAY_PUSH(w->world->context, &rounds->round[0], *pair);
}

void frc_rounds_refine(frc_rounds* rounds, frc_detect_worker* w, size_t wanted) {
    fracas_context* context = w->world->context;
    frc_round* all = &rounds->round[0];
    // Breadth first: parts are appended. A pair that cannot be divided stays in place.
    for (size_t i = 0; i < all->count && all->count < wanted && !w->out_of_memory;) {
        rounds->parts.count = 0;
        if (!frc_split_work(w, &all->data[i], &rounds->parts)) {
            i++;
            continue;
        }
        memmove(&all->data[i], &all->data[i + 1], (all->count - i - 1) * sizeof *all->data);
        all->count--;
        for (size_t k = 0; k < rounds->parts.count; k++)
            if (!FRC_ARRAY_PUSH(context, all, rounds->parts.data[k])) w->out_of_memory = true;
    }
}
