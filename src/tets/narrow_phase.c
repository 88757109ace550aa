/// @file narrow_phase.c  Decides candidates: filter on units, then doubles, then exact signs.
#include "tets/narrow_phase.h"
#include "base/sort.h"
#include <string.h>

void frc_tets_narrow_phase_begin(frc_tets_narrow_phase* n, const fracas_tets* tets,
                                 const fracas_tets_query* query) {
    memset(n, 0, offsetof(frc_tets_narrow_phase, vertices));
    n->tets = tets, n->self = query->self, n->inter = query->inter;
    n->keys = n->inline_keys, n->key_capacity = FRC_TETS_BATCH;
}

void frc_tets_narrow_phase_release(frc_tets_narrow_phase* n) {
    frc_release(n->tets->context, n->heap_keys, n->key_capacity * sizeof *n->heap_keys);
}

static bool reserve_keys(frc_tets_narrow_phase* n, size_t wanted) {
    if (wanted <= n->key_capacity) return true;
    const size_t half_more = n->key_capacity + n->key_capacity / 2;
    const size_t capacity = wanted > half_more ? wanted : half_more;
    uint64_t* keys = frc_allocate(n->tets->context, capacity * sizeof *keys);
    if (!keys) {
        n->out_of_memory = true;
        return false;
    }
    memcpy(keys, n->keys, n->key_count * sizeof *keys);
    frc_tets_narrow_phase_release(n);
    n->keys = n->heap_keys = keys, n->key_capacity = capacity;
    return true;
}

void frc_tets_add_pair(frc_tets_narrow_phase* n, uint32_t vertex, uint32_t tet) {
    const fracas_tets* tets = n->tets;
    const frc_tet_vertex* v = &tets->vertices.data[vertex];
    const uint32_t body = tets->tet_bodies.data[tet];
    const uint32_t rank = tets->bodies.data[v->body].first_rank + v->index;
    const uint32_t tet_rank = tets->bodies.data[body].first_tet_rank + tets->tet_indices.data[tet];
    if (reserve_keys(n, n->key_count + 1))
        n->keys[n->key_count++] = (uint64_t)rank << 32 | tet_rank;
}

void frc_tets_decide(frc_tets_narrow_phase* n) {
    const fracas_tets* tets = n->tets;
    if (!tets->clamped) {
        frc_tet_pairs pairs = {n->vertices, n->candidate_tets, n->count};
        frc_tet_pairs inside = {n->inside, n->inside_tets, 0};
        frc_tet_filter((const int32_t(*)[4])tets->units.data, (const uint32_t(*)[4])tets->tets.data,
                       &pairs, &inside);
        for (uint32_t i = 0; i < inside.count; i++)
            frc_tets_add_pair(n, inside.vertices[i], inside.tets[i]);
        n->count = pairs.count;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        const double* corners[4];
        bool exact;
        frc_tets_corner_points(tets, n->candidate_tets[i], corners);
        if (frc_tet_has_point(tets->vertices.data[n->vertices[i]].at, corners, &exact))
            frc_tets_add_pair(n, n->vertices[i], n->candidate_tets[i]);
        n->exact += exact;
    }
}

void frc_tets_flush(frc_tets_narrow_phase* n) {
    if (!n->self || !n->inter) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < n->count; i++) {
            n->vertices[kept] = n->vertices[i], n->candidate_tets[kept] = n->candidate_tets[i];
            kept += frc_tets_wants(n, n->vertices[i], n->candidate_tets[i]);
        }
        n->count = kept;
    }
    n->tested += n->count;
    n->tets->decide(n);
    n->count = 0;
}

void frc_tets_narrow_phase_finish(frc_tets_narrow_phase* n) {
    frc_tets_flush(n);
    const size_t count = n->key_count;
    if (!reserve_keys(n, 2 * count)) return;
    uint64_t* sorted = n->keys = frc_sort_halves(n->keys, n->keys + count, count);
    n->key_count = count > 0;
    for (size_t i = 1; i < count; i++) {
        sorted[n->key_count] = sorted[i];
        n->key_count += sorted[n->key_count] != sorted[n->key_count - 1];
    }
}
