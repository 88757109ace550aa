/// @file fracture.c  Break a fragment: check, allocate everything, then change the object.
///
/// New cuts are the edges between nodes of different parts. Only tetrahedra at these edges change;
/// distances change where the new cracks are nearer than the old surface.
#include "base/arena.h"
#include "base/sort.h"
#include "fragment/field.h"
#include "fragment/fragments.h"
#include <inttypes.h>
#include <string.h>

// One call. Arrays are in the arena unless said otherwise.
typedef struct breaking {
    fracas_fragments* fragments;
    fracas_context* context;
    fracas_fragment old;
    frc_object* object;
    const frc_fragment* fragment;
    const fracas_fracture* fracture;
    frc_arena* arena;
    uint32_t* part_sizes;  // nodes
    // Keys of given cuts: edge << 32 | number of the cut; sorted.
    uint64_t* given;
    uint32_t given_count;
    uint32_t *edges, *tets;  // newly cut, ascending
    uint32_t edge_count, tet_count;
    uint32_t** part_nodes;   // in the context's memory
    uint32_t* part_numbers;  // of the new fragments
    frc_field_node* saved;   // by position in fragment->nodes
    size_t old_point_count;
    frc_field_update field;
} breaking;

static fracas_status fail_memory(const breaking* b) {
    return frc_fail(b->context, FRACAS_ERROR_OUT_OF_MEMORY,
                    "no memory to break a fragment of %" PRIu32 " nodes", b->fragment->node_count);
}

static uint32_t part_of(const breaking* b, uint32_t node) { return b->fracture->node_parts[node]; }

static bool is_own(const breaking* b, uint32_t node) {
    return node < b->object->solid->point_count && b->object->nodes[node].fragment == b->old.index;
}

// ---- checks

static fracas_status check_parts(breaking* b) {
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
    if (!b->part_sizes) return fail_memory(b);
    for (uint32_t i = 0; i < b->fragment->node_count; i++) {
        const uint32_t node = b->fragment->nodes[i], part = part_of(b, node);
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

static fracas_status check_cut(const breaking* b, uint32_t number, uint32_t* edge) {
    const fracas_cut_edge* cut = &b->fracture->cuts[number];
    const uint32_t m = cut->node[0], n = cut->node[1];
    for (int k = 0; k < 2; k++)
        if (!is_own(b, cut->node[k]))
            return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                            "cut %" PRIu32 ": point %" PRIu32 " is not a node of the fragment",
                            number, cut->node[k]);
    *edge = frc_tet_topology_find_edge(&b->object->solid->topology, m, n);
    if (*edge == FRACAS_NONE)
        return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                        "cut %" PRIu32 ": no tetrahedron has an edge (%" PRIu32 ", %" PRIu32 ")",
                        number, m, n);
    if (part_of(b, m) == part_of(b, n))
        return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                        "cut %" PRIu32 ": nodes %" PRIu32 " and %" PRIu32
                        " are of the same part %" PRIu32 ": an edge is cut between two parts",
                        number, m, n, part_of(b, m));
    if (!(cut->at >= FRACAS_CUT_MARGIN && cut->at <= 1 - FRACAS_CUT_MARGIN))
        return frc_fail(b->context, FRACAS_ERROR_BAD_DATA,
                        "cut %" PRIu32 " of edge (%" PRIu32 ", %" PRIu32
                        ") is at %g: it must be from %g to %g",
                        number, m, n, cut->at, FRACAS_CUT_MARGIN, 1 - FRACAS_CUT_MARGIN);
    return FRACAS_OK;
}

static fracas_status check_cuts(breaking* b) {
    const fracas_fracture* f = b->fracture;
    if (f->cut_count > 0 && !f->cuts)
        return frc_fail(b->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "cuts is NULL, but cut_count is %" PRIu32, f->cut_count);
    uint64_t* keys = frc_arena_allocate(b->arena, f->cut_count, sizeof *keys);
    uint64_t* spare = frc_arena_allocate(b->arena, f->cut_count, sizeof *spare);
    if (!keys || !spare) return fail_memory(b);
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

// ---- what will change

static bool is_newly_cut(const breaking* b, uint32_t m, uint32_t n) {
    return is_own(b, m) && is_own(b, n) && part_of(b, m) != part_of(b, n);
}

// The newly cut edges of a node to larger nodes, or only their number.
static uint32_t list_edges(const breaking* b, uint32_t node, uint32_t* out) {
    const frc_tet_topology* topology = &b->object->solid->topology;
    uint32_t count = 0;
    for (uint32_t i = topology->neighbour_begins[node]; i < topology->neighbour_begins[node + 1];
         i++) {
        const uint32_t other = topology->neighbours[i];
        if (other < node || !is_newly_cut(b, node, other)) continue;
        if (out) out[count] = topology->neighbour_edges[i];
        count++;
    }
    return count;
}

// A tetrahedron is listed at its first node that has a newly cut edge in it.
static uint32_t list_tets(const breaking* b, uint32_t node, uint32_t* out) {
    const fracas_solid* solid = b->object->solid;
    const frc_tet_topology* topology = &solid->topology;
    uint32_t count = 0;
    for (uint32_t i = topology->tet_begins[node]; i < topology->tet_begins[node + 1]; i++) {
        const uint32_t* corner = solid->tets[topology->tets[i]];
        uint32_t first = FRACAS_NONE;
        for (int k = 0; k < 6; k++) {
            const uint32_t m = corner[frc_tet_edge_corners[k][0]],
                           n = corner[frc_tet_edge_corners[k][1]];
            if (!is_newly_cut(b, m, n)) continue;
            first = m < first ? m : first;
            first = n < first ? n : first;
        }
        if (first != node) continue;
        if (out) out[count] = topology->tets[i];
        count++;
    }
    return count;
}

static bool list_changes(breaking* b) {
    const frc_fragment* f = b->fragment;
    for (uint32_t i = 0; i < f->node_count; i++) {
        b->edge_count += list_edges(b, f->nodes[i], NULL);
        b->tet_count += list_tets(b, f->nodes[i], NULL);
    }
    b->edges = frc_arena_allocate(b->arena, b->edge_count, sizeof *b->edges);
    b->tets = frc_arena_allocate(b->arena, b->tet_count, sizeof *b->tets);
    if (!b->edges || !b->tets) return false;
    uint32_t edges = 0, tets = 0;
    for (uint32_t i = 0; i < f->node_count; i++) {
        edges += list_edges(b, f->nodes[i], b->edges + edges);
        tets += list_tets(b, f->nodes[i], b->tets + tets);
    }
    return true;
}

// ---- memory

static void release_parts(const breaking* b) {
    for (uint32_t p = 0; b->part_nodes && p < b->fracture->part_count; p++)
        frc_release(b->context, b->part_nodes[p],
                    frc_array_size(b->part_sizes[p], sizeof(uint32_t)));
}

static bool allocate_parts(breaking* b) {
    const uint32_t parts = b->fracture->part_count;
    b->part_numbers = frc_arena_allocate(b->arena, parts, sizeof *b->part_numbers);
    b->part_nodes = frc_arena_allocate_zero(b->arena, parts, sizeof *b->part_nodes);
    bool ok = b->part_numbers && b->part_nodes;
    for (uint32_t p = 0; ok && p < parts; p++)
        b->part_nodes[p] = frc_allocate_array(b->context, b->part_sizes[p], sizeof(uint32_t), &ok);
    return ok;
}

static bool allocate(breaking* b) {
    fracas_fragments* all = b->fragments;
    const uint32_t parts = b->fracture->part_count, nodes = b->fragment->node_count;
    b->field = (frc_field_update){
        .mode = all->options.field_update,
        .nodes = b->fragment->nodes,
        .node_count = nodes,
        .tets = b->tets,
        .tet_count = b->tet_count,
        .front = frc_arena_allocate(b->arena, nodes, sizeof(uint32_t)),
        .next = frc_arena_allocate(b->arena, nodes, sizeof(uint32_t)),
        .steps = frc_arena_allocate(b->arena, b->object->solid->point_count, sizeof(uint32_t))};
    b->saved = frc_arena_allocate(b->arena, nodes, sizeof *b->saved);
    const size_t points = b->object->points.count + b->edge_count + 5 * (size_t)b->tet_count;
    return b->field.front && b->field.next && b->field.steps && b->saved && allocate_parts(b) &&
           frc_object_make_cuttable(b->object) && points < FRACAS_NONE &&
           FRC_ARRAY_RESERVE(b->context, &b->object->points, points) &&
           frc_handles_reserve(b->context, &all->handles, parts) &&
           FRC_ARRAY_RESERVE(b->context, &all->list, all->list.count + parts);
}

// ---- the change

static void cut_edges(breaking* b) {
    frc_object* object = b->object;
    uint32_t next = 0;
    for (uint32_t i = 0; i < b->edge_count; i++) {
        const uint32_t edge = b->edges[i], *ends = object->solid->topology.edges[edge];
        while (next < b->given_count && b->given[next] >> 32 < edge) next++;
        double at = 0.5;
        if (next < b->given_count && b->given[next] >> 32 == edge) {
            const fracas_cut_edge* cut = &b->fracture->cuts[(uint32_t)b->given[next]];
            at = cut->node[0] == ends[0] ? cut->at : 1 - cut->at;
        }
        const double *p = object->solid->points[ends[0]], *q = object->solid->points[ends[1]];
        frc_crack_point* point = &object->points.data[object->points.count];
        for (int k = 0; k < 3; k++) point->at[k] = (1 - at) * p[k] + at * q[k];
        object->edge_points[edge] = (uint32_t)object->points.count++;
    }
    for (uint32_t t = 0; t < b->tet_count; t++) frc_crack_fix_points(object, b->tets[t]);
}

static void assign_nodes(breaking* b) {
    const frc_fragment* f = b->fragment;
    uint32_t parts = b->fracture->part_count;
    for (uint32_t p = 0; p < parts; p++) {
        b->part_numbers[p] = frc_handles_allocate(&b->fragments->handles);
        b->part_sizes[p] = 0;
    }
    for (uint32_t i = 0; i < f->node_count; i++) {
        const uint32_t node = f->nodes[i], part = part_of(b, node);
        b->saved[i] = b->object->nodes[node];
        b->object->nodes[node].fragment = b->part_numbers[part];
        b->part_nodes[part][b->part_sizes[part]++] = node;
    }
}

// Undo both, when exact distances could not be found for lack of memory.
static void restore(breaking* b) {
    frc_object* object = b->object;
    const frc_tet_topology* topology = &object->solid->topology;
    const uint32_t old = (uint32_t)b->old_point_count;
    for (uint32_t i = 0; i < b->fragment->node_count; i++)
        object->nodes[b->fragment->nodes[i]] = b->saved[i];
    for (uint32_t p = b->fracture->part_count; p-- > 0;)
        frc_handles_free(&b->fragments->handles, b->part_numbers[p]);
    for (uint32_t i = 0; i < b->edge_count; i++) object->edge_points[b->edges[i]] = FRACAS_NONE;
    for (uint32_t t = 0; t < b->tet_count; t++) {
        uint32_t* inside = &object->tet_points[b->tets[t]];
        if (*inside != FRACAS_NONE && *inside >= old) *inside = FRACAS_NONE;
        for (int k = 0; k < 4; k++) {
            uint32_t* face = &object->face_points[topology->tet_faces[b->tets[t]][k]];
            if (*face != FRACAS_NONE && *face >= old) *face = FRACAS_NONE;
        }
    }
    object->points.count = b->old_point_count;
}

static fracas_status commit(breaking* b, fracas_fragment* parts) {
    fracas_fragments* all = b->fragments;
    b->old_point_count = b->object->points.count;
    cut_edges(b);
    assign_nodes(b);
    frc_field_propagate(b->object, &b->field);
    const uint32_t count = b->fracture->part_count;
    if (all->options.field_update == FRACAS_FIELD_UPDATE_EXACT)
        for (uint32_t p = 0; p < count; p++)
            if (!frc_field_measure(b->context, b->object, b->part_numbers[p], b->part_nodes[p],
                                   b->part_sizes[p])) {
                restore(b);
                return fail_memory(b);
            }
    // The list may hold the old fragment at another address now.
    frc_fragment old = all->list.data[b->old.index];
    for (uint32_t p = 0; p < count; p++) {
        const uint32_t number = b->part_numbers[p];
        if (number >= all->list.count) all->list.count = number + (size_t)1;
        all->list.data[number] = (frc_fragment){b->object, b->part_nodes[p], b->part_sizes[p]};
        parts[p] = (fracas_fragment){number, frc_handles_generation(&all->handles, number)};
    }
    b->object->fragment_count += count;
    frc_fragment_release(all, &old);
    all->list.data[b->old.index] = (frc_fragment){0};
    frc_handles_free(&all->handles, b->old.index);
    return FRACAS_OK;
}

fracas_status fracas_fragments_fracture(fracas_fragments* fragments, fracas_fragment fragment,
                                        const fracas_fracture* fracture, fracas_fragment* parts) {
    if (!fragments) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = fragments->context;
    if (!fracture) return frc_fail_null(context, "fracas_fragments_fracture", "fracture");
    if (!parts) return frc_fail_null(context, "fracas_fragments_fracture", "parts");
    if (!fracture->node_parts)
        return frc_fail_null(context, "fracas_fragments_fracture", "fracture->node_parts");
    const frc_fragment* f = frc_fragments_get(fragments, fragment);
    if (!f) return FRACAS_ERROR_STALE_HANDLE;
    frc_arena arena = frc_arena_make(context);
    const frc_fragment copy = *f;
    breaking b = {.fragments = fragments,
                  .context = context,
                  .old = fragment,
                  .object = copy.object,
                  .fragment = &copy,
                  .fracture = fracture,
                  .arena = &arena};
    fracas_status status = check_parts(&b);
    if (status == FRACAS_OK) status = check_cuts(&b);
    if (status == FRACAS_OK && (!list_changes(&b) || !allocate(&b))) status = fail_memory(&b);
    if (status == FRACAS_OK) status = commit(&b, parts);
    if (status != FRACAS_OK) release_parts(&b);
    frc_arena_release(&arena);
    return status;
}
