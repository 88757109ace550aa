/// @file fracture_check.c  What is refused: parts without a node, cuts of edges that do not exist,
/// are not between two parts, or are cut twice.
#include "base/sort.h"
#include "fragment/fracture.h"
#include <inttypes.h>

fracas_status frc_breaking_fail_memory(const frc_breaking* b) {
    return frc_fail(b->context, FRACAS_ERROR_OUT_OF_MEMORY,
                    "no memory to break a fragment of %" PRIu32 " nodes", b->fragment->node_count);
}

static fracas_status check_parts(frc_breaking* b) {
    const fracas_fracture* f = b->fracture;
    if (f->part_count < 2)
        return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                        "the fracture has %" PRIu32 " parts: it must have at least 2",
                        f->part_count);
    if (f->part_count > b->fragment->node_count)
        return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                        "the fracture has %" PRIu32 " parts, but the fragment has only %" PRIu32
                        " nodes: every part needs one",
                        f->part_count, b->fragment->node_count);
    b->part_sizes = frc_arena_allocate_zero(b->arena, f->part_count, sizeof *b->part_sizes);
    if (!b->part_sizes) return frc_breaking_fail_memory(b);
    for (uint32_t i = 0; i < b->fragment->node_count; i++) {
        const uint32_t node = b->fragment->nodes[i], part = frc_breaking_part(b, node);
        if (part >= f->part_count)
            return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                            "node %" PRIu32 " has part %" PRIu32 ", but there are %" PRIu32
                            " parts; parts count from 0",
                            node, part, f->part_count);
        b->part_sizes[part]++;
    }
    for (uint32_t p = 0; p < f->part_count; p++)
        if (b->part_sizes[p] == 0)
            return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                            "part %" PRIu32 " has no node of the fragment", p);
    return FRACAS_OK;
}

static fracas_status check_cut(const frc_breaking* b, uint32_t number, uint32_t* edge) {
    const fracas_cut_edge* cut = &b->fracture->cuts[number];
    const uint32_t m = cut->node[0], n = cut->node[1];
    for (int k = 0; k < 2; k++)
        if (!frc_breaking_owns(b, cut->node[k]))
            return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                            "cut %" PRIu32 ": point %" PRIu32 " is not a node of the fragment",
                            number, cut->node[k]);
    *edge = frc_tet_topology_find_edge(&b->object->solid->topology, m, n);
    if (*edge == FRACAS_NONE)
        return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                        "cut %" PRIu32 ": no tetrahedron has an edge (%" PRIu32 ", %" PRIu32 ")",
                        number, m, n);
    if (frc_breaking_part(b, m) == frc_breaking_part(b, n))
        return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                        "cut %" PRIu32 ": nodes %" PRIu32 " and %" PRIu32
                        " are of the same part %" PRIu32 ": an edge is cut between two parts",
                        number, m, n, frc_breaking_part(b, m));
    if (!(cut->at >= FRACAS_CUT_MARGIN && cut->at <= 1 - FRACAS_CUT_MARGIN))
        return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                        "cut %" PRIu32 " of edge (%" PRIu32 ", %" PRIu32
                        ") is at %g: it must be from %g to %g",
                        number, m, n, cut->at, FRACAS_CUT_MARGIN, 1 - FRACAS_CUT_MARGIN);
    return FRACAS_OK;
}

static fracas_status check_cuts(frc_breaking* b) {
    const fracas_fracture* f = b->fracture;
    if (f->cut_count > 0 && !f->cuts)
        return frc_fail(b->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "cuts is NULL, but cut_count is %" PRIu32, f->cut_count);
    uint64_t* keys = frc_arena_allocate(b->arena, f->cut_count, sizeof *keys);
    uint64_t* spare = frc_arena_allocate(b->arena, f->cut_count, sizeof *spare);
    if (!keys || !spare) return frc_breaking_fail_memory(b);
    for (uint32_t i = 0; i < f->cut_count; i++) {
        uint32_t edge = FRACAS_NONE;
        const fracas_status status = check_cut(b, i, &edge);
        if (status != FRACAS_OK) return status;
        keys[i] = (uint64_t)edge << 32 | i;
    }
    b->given = frc_sort_keys(keys, spare, f->cut_count, 0);
    b->given_count = f->cut_count;
    for (uint32_t i = 1; i < f->cut_count; i++)
        if (b->given[i] >> 32 == b->given[i - 1] >> 32)
            return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                            "cuts %" PRIu32 " and %" PRIu32 " are both of edge (%" PRIu32
                            ", %" PRIu32 "): an edge is cut at most once",
                            (uint32_t)b->given[i - 1], (uint32_t)b->given[i],
                            f->cuts[(uint32_t)b->given[i]].node[0],
                            f->cuts[(uint32_t)b->given[i]].node[1]);
    return FRACAS_OK;
}

fracas_status frc_breaking_check(frc_breaking* b) {
    const fracas_status status = check_parts(b);
    return status == FRACAS_OK ? check_cuts(b) : status;
}
