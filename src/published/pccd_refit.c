/// @file pccd_refit.c  How PCCD divides trees for refitting.
///
/// Based on: kim2009. Trees are cut breadth first, until there are two subtrees for each worker.
#include "base/parallel.h"
#include "published/pccd.h"

bool frc_pccd_cut(frc_forest* forest, const frc_sized_block* list, uint32_t count) {
    fracas_context* context = forest->context;
    frc_subtree_list* parts = &forest->parts;
    const uint32_t wanted = 2 * frc_worker_count(context);
    for (uint32_t i = 0; i < count; i++)
        if (!FRC_ARRAY_PUSH(context, parts, ((frc_subtree){list[i].block, 0, list[i].nodes})))
            return false;
    // The oldest subtree is cut next. One without inner children stays.
    size_t first = 0;
    while (first < parts->count && parts->count < wanted) {
        const frc_subtree whole = parts->data[first];
        frc_subtree below[4];
        const uint32_t n = frc_forest_children(forest, &whole, below);
        if (n == 0) {
            first++;
            continue;
        }
        if (!FRC_ARRAY_PUSH(context, &forest->above, whole)) return false;
        for (size_t i = first + 1; i < parts->count; i++) parts->data[i - 1] = parts->data[i];
        parts->count--;
        for (uint32_t i = 0; i < n; i++)
            if (!FRC_ARRAY_PUSH(context, parts, below[i])) return false;
    }
    return true;
}
