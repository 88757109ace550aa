/// @file fracture.c  Break a fragment: check, allocate everything, then change the object.
///
/// New cuts are the edges between nodes of different parts. Only tetrahedra at these edges change;
/// distances change where the new cracks are nearer than the old surface.
#include "fragment/fracture.h"
#include <string.h>

// ---- what will change

// Arrays of the changes, and for each point its part plus 1; 0: not of the fragment.
typedef struct change_list {
    const frc_breaking* b;
    const uint32_t* keys;
    uint32_t *edges, *tets;
    uint32_t edge_count, tet_count;
} change_list;

// The newly cut edges of a node to larger nodes. Returns whether it has any newly cut edge.
static bool list_edges(change_list* list, uint32_t node) {
    const frc_tet_topology* topology = &list->b->object->solid->topology;
    const uint32_t key = list->keys[node];
    bool any = false;
    for (uint32_t i = topology->neighbour_begins[node]; i < topology->neighbour_begins[node + 1];
         i++) {
        const uint32_t other = topology->neighbours[i];
        if (list->keys[other] == key || list->keys[other] == 0) continue;
        any = true;
        if (other > node) list->edges[list->edge_count++] = topology->neighbour_edges[i];
    }
    return any;
}

// A tetrahedron is listed at its first node of the fragment. If it has nodes of several parts, each
// of them is at a newly cut edge.
static void list_tets(change_list* list, uint32_t node) {
    const fracas_solid* solid = list->b->object->solid;
    const frc_tet_topology* topology = &solid->topology;
    const uint32_t key = list->keys[node];
    for (uint32_t i = topology->tet_begins[node]; i < topology->tet_begins[node + 1]; i++) {
        const uint32_t* corner = solid->tets[topology->tets[i]];
        bool first = true, cut = false;
        for (int k = 0; k < 4; k++) {
            const uint32_t other = list->keys[corner[k]];
            if (other == 0) continue;
            first = first && corner[k] >= node;
            cut = cut || other != key;
        }
        if (first && cut) list->tets[list->tet_count++] = topology->tets[i];
    }
}

// Every listed edge has two nodes of the fragment, and every tetrahedron two or more.
static bool list_changes(frc_breaking* b) {
    const frc_fragment* f = b->fragment;
    const frc_tet_topology* topology = &b->object->solid->topology;
    size_t edge_ends = 0, tet_corners = 0;
    for (uint32_t i = 0; i < f->node_count; i++) {
        const uint32_t n = f->nodes[i];
        edge_ends += topology->neighbour_begins[n + 1] - topology->neighbour_begins[n];
        tet_corners += topology->tet_begins[n + 1] - topology->tet_begins[n];
    }
    uint32_t* keys = frc_arena_allocate_zero(b->arena, b->object->solid->point_count, sizeof *keys);
    b->edges = frc_arena_allocate(b->arena, edge_ends / 2, sizeof *b->edges);
    b->tets = frc_arena_allocate(b->arena, tet_corners / 2, sizeof *b->tets);
    if (!keys || !b->edges || !b->tets) return false;
    for (uint32_t i = 0; i < f->node_count; i++)
        keys[f->nodes[i]] = frc_breaking_part(b, f->nodes[i]) + 1;
    change_list list = {b, keys, b->edges, b->tets, 0, 0};
    for (uint32_t i = 0; i < f->node_count; i++)
        if (list_edges(&list, f->nodes[i])) list_tets(&list, f->nodes[i]);
    b->edge_count = list.edge_count;
    b->tet_count = list.tet_count;
    return true;
}

// ---- memory

// What does not depend on the number of new surface points.
static bool allocate(frc_breaking* b) {
    fracas_fragments* all = b->fragments;
    frc_object* object = b->object;
    const uint32_t parts = b->fracture->part_count, nodes = b->fragment->node_count;
    const uint32_t points = object->solid->point_count;
    b->field = (frc_field_update){.mode = all->options.field_update,
                                  .nodes = b->fragment->nodes,
                                  .node_count = nodes,
                                  .tets = b->tets,
                                  .tet_count = b->tet_count,
                                  .front = frc_arena_allocate(b->arena, nodes, sizeof(uint32_t)),
                                  .next = frc_arena_allocate(b->arena, nodes, sizeof(uint32_t)),
                                  .steps = frc_arena_allocate(b->arena, points, sizeof(uint32_t))};
    b->saved = frc_arena_allocate(b->arena, nodes, sizeof *b->saved);
    b->saved_corners = frc_arena_allocate(b->arena, b->tet_count, 1);
    b->part_numbers = frc_arena_allocate(b->arena, parts, sizeof *b->part_numbers);
    b->parts = frc_arena_allocate_zero(b->arena, parts, sizeof *b->parts);
    bool ok = b->field.front && b->field.next && b->field.steps && b->saved && b->saved_corners &&
              b->part_numbers && b->parts;
    for (uint32_t p = 0; ok && p < parts; p++) {
        b->parts[p].nodes = frc_allocate_array(b->context, b->part_sizes[p], sizeof(uint32_t), &ok);
        b->parts[p].node_count = ok ? b->part_sizes[p] : 0;
    }
    const size_t crack = object->points.count + b->edge_count + 5 * (size_t)b->tet_count;
    const size_t surface =
        object->surface_points.count + 2 * (size_t)b->edge_count + 4 * (size_t)b->tet_count;
    return ok && frc_object_make_cuttable(object) && points + surface < FRACAS_NONE &&
           FRC_ARRAY_RESERVE(b->context, &object->points, crack) &&
           FRC_ARRAY_RESERVE(b->context, &object->surface_points, surface) &&
           FRC_ARRAY_RESERVE(b->context, &object->surface_point_nodes, surface) &&
           frc_handles_reserve(b->context, &all->handles, parts) &&
           FRC_ARRAY_RESERVE(b->context, &all->list, all->list.count + parts);
}

static void release_parts(frc_breaking* b) {
    for (uint32_t p = 0; b->parts && p < b->fracture->part_count; p++)
        frc_fragment_release(b->context, &b->parts[p]);
}

// ---- the object

// At one of its nodes.
static void add_surface_point(frc_object* object, const frc_crack_point* point, uint32_t node) {
    object->surface_points.data[object->surface_points.count++] = *point;
    object->surface_point_nodes.data[object->surface_point_nodes.count++] = node;
}

static void cut_edges(frc_breaking* b) {
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
        for (int end = 0; end < 2; end++) add_surface_point(object, point, ends[end]);
    }
    for (uint32_t t = 0; t < b->tet_count; t++) {
        frc_crack_fix_points(object, b->tets[t]);
        frc_crack_bound_cells(object, b->tets[t]);
    }
}

static void assign_nodes(frc_breaking* b) {
    const frc_fragment* f = b->fragment;
    uint32_t parts = b->fracture->part_count;
    for (uint32_t p = 0; p < parts; p++) {
        b->part_numbers[p] = frc_handles_allocate(&b->fragments->handles);
        b->parts[p].object = b->object;
        b->parts[p].pose = f->pose;
        b->parts[p].fixed = f->fixed;
        b->part_sizes[p] = 0;
    }
    for (uint32_t i = 0; i < f->node_count; i++) {
        const uint32_t node = f->nodes[i], part = frc_breaking_part(b, node);
        b->saved[i] = b->object->nodes[node];
        b->object->nodes[node].fragment = b->part_numbers[part];
        b->parts[part].nodes[b->part_sizes[part]++] = node;
    }
}

// The inside point of a tetrahedron, if three or more fragments share it: one for each part that
// does not have it.
static void add_tet_corners(frc_breaking* b, uint32_t tet) {
    frc_object* object = b->object;
    const uint32_t* nodes = object->solid->tets[tet];
    uint32_t owner[4], count = 0;  // for each fragment its first corner
    uint8_t corners[4];            // all corners of the fragment
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t k = 0;
        while (k < count &&
               object->nodes[nodes[owner[k]]].fragment != object->nodes[nodes[i]].fragment)
            k++;
        if (k == count) owner[count] = i, corners[count++] = 0;
        corners[k] |= (uint8_t)(1u << i);
    }
    for (uint32_t k = 0; k < count && count >= 3; k++) {
        const uint32_t node = nodes[owner[k]];
        // Steps of the field: FRACAS_NONE for nodes that are not of the broken fragment.
        if (object->tet_corners[tet] & corners[k] || b->field.steps[node] == FRACAS_NONE) continue;
        object->tet_corners[tet] |= (uint8_t)(1u << owner[k]);
        add_surface_point(object, &object->points.data[object->tet_points[tet]], node);
    }
}

static void cut(frc_breaking* b) {
    frc_object* object = b->object;
    b->old_points = object->points.count;
    b->old_surface_points = object->surface_points.count;
    for (uint32_t t = 0; t < b->tet_count; t++)
        b->saved_corners[t] = object->tet_corners[b->tets[t]];
    cut_edges(b);
    assign_nodes(b);
    frc_field_begin(object, &b->field);
    for (uint32_t t = 0; t < b->tet_count; t++) add_tet_corners(b, b->tets[t]);
}

// Undo it, when there is no memory for what depends on it.
static void restore(frc_breaking* b) {
    frc_object* object = b->object;
    const frc_tet_topology* topology = &object->solid->topology;
    const uint32_t old = (uint32_t)b->old_points;
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
        object->tet_corners[b->tets[t]] = b->saved_corners[t];
    }
    for (uint32_t t = 0; t < b->tet_count; t++)
        if (frc_tet_is_cut(object, b->tets[t])) frc_crack_bound_cells(object, b->tets[t]);
    object->points.count = b->old_points;
    object->surface_points.count = object->surface_point_nodes.count = b->old_surface_points;
}

// ---- everything

static bool measure(const frc_breaking* b) {
    for (uint32_t p = 0; p < b->fracture->part_count; p++)
        if (!frc_field_measure(b->context, b->object, b->part_numbers[p], b->parts[p].nodes,
                               b->parts[p].node_count))
            return false;
    return true;
}

static fracas_status commit(frc_breaking* b, fracas_fragment* parts) {
    fracas_fragments* all = b->fragments;
    cut(b);
    bool ok = frc_breaking_make_trees(b);
    if (ok) frc_field_propagate(b->object, &b->field);
    if (ok && all->options.field_update == FRACAS_FIELD_UPDATE_EXACT) ok = measure(b);
    for (uint32_t p = 0; ok && p < b->fracture->part_count; p++)
        ok = frc_fragment_measure(&b->parts[p], b->part_numbers[p]);
    if (!ok) {
        restore(b);
        return frc_breaking_fail_memory(b);
    }
    const uint32_t count = b->fracture->part_count;
    for (uint32_t p = 0; p < count; p++) {
        const uint32_t number = b->part_numbers[p];
        if (number >= all->list.count) all->list.count = number + (size_t)1;
        all->list.data[number] = b->parts[p];
        parts[p] = (fracas_fragment){number, frc_handles_generation(&all->handles, number)};
    }
    b->object->fragment_count += count;
    frc_fragments_drop(all, b->old.index);
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
    // The list moves when it grows.
    const frc_fragment copy = *f;
    frc_breaking b = {.fragments = fragments,
                      .context = context,
                      .old = fragment,
                      .object = copy.object,
                      .fragment = &copy,
                      .fracture = fracture,
                      .arena = &arena};
    fracas_status status = frc_breaking_check(&b);
    if (status == FRACAS_OK && (!list_changes(&b) || !allocate(&b)))
        status = frc_breaking_fail_memory(&b);
    if (status == FRACAS_OK) status = commit(&b, parts);
    if (status != FRACAS_OK) release_parts(&b);
    frc_arena_release(&arena);
    return status;
}
