/// @file merge.c  Bodies become one, and vertices are welded.
#include "base/arena.h"
#include "base/map.h"
#include "mesh/tet_faces.h"
#include "tets/tets.h"
#include <string.h>

fracas_tet_merge fracas_tets_default_merge(void) {
    return (fracas_tet_merge){.struct_size = sizeof(fracas_tet_merge)};
}

typedef struct merge_job {
    fracas_tets* tets;
    const fracas_body* handles;
    uint32_t count;
    const fracas_tet_merge* merge;
    frc_map listed;               // bodies, by number
    frc_map welded;               // from the slot of a removed vertex to that of the kept one
    bool first_welds;             // a removed vertex is of the first body
    size_t vertices, tetrahedra;  // numbers of the bodies after the first
} merge_job;

static frc_tet_body* body_at(const merge_job* j, uint32_t i) {
    return &j->tets->bodies.data[j->handles[i].index - 1];
}

static bool has_vertex(const merge_job* j, uint32_t body, uint32_t vertex) {
    if (body >= j->count) return false;
    const frc_tet_slots* slots = &body_at(j, body)->vertex_slots;
    return vertex < slots->count && slots->data[vertex] != FRACAS_NONE;
}

static fracas_status check(merge_job* j) {
    fracas_context* context = j->tets->context;
    for (uint32_t i = 0; i < j->count; i++) {
        fracas_status status;
        const frc_tet_body* body = frc_tets_find(j->tets, j->handles[i], &status);
        if (!body) return status;
        if (frc_map_find(&j->listed, j->handles[i].index) != FRC_MAP_NONE)
            return frc_fail(context, FRACAS_ERROR_BAD_DATA, "merge: body %u is listed twice",
                            j->handles[i].index);
        frc_map_set(&j->listed, j->handles[i].index, i);
        if (i == 0) continue;
        j->vertices += body->vertex_slots.count;
        j->tetrahedra += body->tet_slots.count;
    }
    for (uint32_t i = 0; i < j->merge->weld_count; i++) {
        const fracas_tet_weld* w = &j->merge->welds[i];
        if (!has_vertex(j, w->body_a, w->vertex_a) || !has_vertex(j, w->body_b, w->vertex_b))
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "merge: there is no such body or vertex in weld %u", i);
    }
    return FRACAS_OK;
}

// The vertex that a vertex is welded to in the end: union-find with path halving.
static uint32_t follow(merge_job* j, uint32_t slot) {
    for (uint32_t next; (next = frc_map_find(&j->welded, slot)) != FRC_MAP_NONE;) {
        const uint32_t after = frc_map_find(&j->welded, next);
        if (after == FRC_MAP_NONE) return next;
        frc_map_set(&j->welded, slot, after);
        slot = after;
    }
    return slot;
}

// Of two vertices the first of the pair is kept, or the one that it is welded to.
static void weld(merge_job* j) {
    for (uint32_t i = 0; i < j->merge->weld_count; i++) {
        const fracas_tet_weld* w = &j->merge->welds[i];
        const uint32_t kept = follow(j, body_at(j, w->body_a)->vertex_slots.data[w->vertex_a]);
        const uint32_t removed = follow(j, body_at(j, w->body_b)->vertex_slots.data[w->vertex_b]);
        if (kept == removed) continue;
        frc_map_set(&j->welded, removed, kept);
        j->first_welds |= j->tets->vertices.data[removed].body == j->handles[0].index - 1;
    }
}

// ---- the change, which needs no memory

static void append_body(merge_job* j, frc_tet_body* to, uint32_t i) {
    fracas_tets* tets = j->tets;
    frc_tet_body* from = body_at(j, i);
    const uint32_t first = j->handles[0].index - 1;
    const uint32_t vertices = (uint32_t)to->vertex_slots.count,
                   tetrahedra = (uint32_t)to->tet_slots.count;
    for (size_t v = 0; v < from->vertex_slots.count; v++) {
        const uint32_t slot = from->vertex_slots.data[v];
        to->vertex_slots.data[to->vertex_slots.count++] = slot;
        if (slot == FRACAS_NONE) continue;
        tets->vertices.data[slot].body = first;
        tets->vertices.data[slot].index += vertices;
    }
    for (size_t t = 0; t < from->tet_slots.count; t++) {
        const uint32_t slot = from->tet_slots.data[t];
        to->tet_slots.data[to->tet_slots.count++] = slot;
        if (slot == FRACAS_NONE) continue;
        tets->tet_bodies.data[slot] = first;
        tets->tet_indices.data[slot] += tetrahedra;
    }
    to->vertex_count += from->vertex_count;
    to->live_tets += from->live_tets;
    to->repeated_count += from->repeated_count;
    frc_tets_release_body(tets->context, from);
    frc_handles_free(&tets->handles, j->handles[i].index - 1);
}

// Corners and vertices from these numbers on.
static void replace_welded(merge_job* j, frc_tet_body* body, size_t vertices, size_t tetrahedra) {
    fracas_tets* tets = j->tets;
    uint32_t repeated = 0;
    for (size_t t = tetrahedra; t < body->tet_slots.count; t++) {
        if (body->tet_slots.data[t] == FRACAS_NONE) continue;
        uint32_t* corner = tets->tets.data[body->tet_slots.data[t]].corner;
        const bool before = frc_tet_repeats(corner);
        for (int k = 0; k < 4; k++) {
            const uint32_t kept = follow(j, corner[k]);
            tets->uses.data[corner[k]]--;
            tets->uses.data[kept]++;
            corner[k] = kept;
        }
        repeated += (uint32_t)frc_tet_repeats(corner) - (uint32_t)before;
    }
    for (size_t v = vertices; v < body->vertex_slots.count; v++) {
        const uint32_t slot = body->vertex_slots.data[v];
        if (slot == FRACAS_NONE || follow(j, slot) == slot) continue;
        tets->vertices.data[slot].body = FRACAS_NONE;
        body->vertex_slots.data[v] = FRACAS_NONE;
        body->vertex_count--;
    }
    body->repeated_count += repeated;
    tets->repeated_count += repeated;
}

static void carry_out(merge_job* j) {
    fracas_tets* tets = j->tets;
    frc_tet_body* first = body_at(j, 0);
    const size_t vertices = j->first_welds ? 0 : first->vertex_slots.count,
                 tetrahedra = j->first_welds ? 0 : first->tet_slots.count;
    // The maps hold slots until all elements have their new numbers.
    uint32_t *vertex_map = j->merge->vertex_map, *tet_map = j->merge->tet_map;
    size_t v = 0, t = 0;
    for (uint32_t i = 0; i < j->count; i++) {
        const frc_tet_body* body = body_at(j, i);
        for (size_t k = 0; vertex_map && k < body->vertex_slots.count; k++) {
            const uint32_t slot = body->vertex_slots.data[k];
            vertex_map[v++] = slot == FRACAS_NONE ? FRACAS_NONE : follow(j, slot);
        }
        for (size_t k = 0; tet_map && k < body->tet_slots.count; k++)
            tet_map[t++] = body->tet_slots.data[k];
    }
    for (uint32_t i = 1; i < j->count; i++) append_body(j, first, i);
    if (j->merge->weld_count > 0) replace_welded(j, first, vertices, tetrahedra);
    for (size_t i = 0; i < v; i++)
        if (vertex_map[i] != FRACAS_NONE) vertex_map[i] = tets->vertices.data[vertex_map[i]].index;
    for (size_t i = 0; i < t; i++)
        if (tet_map[i] != FRACAS_NONE) tet_map[i] = tets->tet_indices.data[tet_map[i]];
    first->edited = true;
    tets->has_gaps = tets->bodies_changed = true;
    tets->updated = false;
}

fracas_status fracas_tets_merge(fracas_tets* tets, const fracas_body* bodies, uint32_t body_count,
                                const fracas_tet_merge* given, fracas_body* out) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = tets->context;
    if (!bodies) return frc_fail_null(context, "fracas_tets_merge", "bodies");
    if (!out) return frc_fail_null(context, "fracas_tets_merge", "out");
    if (body_count == 0)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_tets_merge: body_count is 0; give at least one body");
    const fracas_tet_merge merge = given ? *given : fracas_tets_default_merge();
    if (merge.struct_size != sizeof merge)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the merge is not initialised: start from fracas_tets_default_merge()");
    if (merge.weld_count && !merge.welds)
        return frc_fail_null(context, "fracas_tets_merge", "merge->welds");
    merge_job j = {.tets = tets, .handles = bodies, .count = body_count, .merge = &merge};
    frc_arena arena = frc_arena_make(context);
    fracas_status status = FRACAS_OK;
    bool memory = frc_map_create(&arena, &j.listed, body_count);
    if (memory) status = check(&j);
    if (memory && status == FRACAS_OK) {
        frc_tet_body* first = body_at(&j, 0);
        memory =
            frc_map_create(&arena, &j.welded, merge.weld_count) &&
            FRC_ARRAY_RESERVE(context, &first->vertex_slots,
                              first->vertex_slots.count + j.vertices) &&
            FRC_ARRAY_RESERVE(context, &first->tet_slots, first->tet_slots.count + j.tetrahedra);
    }
    if (memory && status == FRACAS_OK) {
        *out = bodies[0];
        weld(&j);
        carry_out(&j);
    }
    frc_arena_release(&arena);
    return memory ? status : frc_fail_memory(context, j.vertices * sizeof(uint32_t));
}
