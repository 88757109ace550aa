/// @file catch.c  From candidates to penetrations: the filter on units, doubles, exact signs.
#include "tets/catch.h"
#include "base/sort.h"
#include <string.h>

void frc_catch_begin(frc_catch* c, const fracas_tets* tets, const fracas_tets_query* query) {
    memset(c, 0, offsetof(frc_catch, vertices));
    c->tets = tets, c->self = query->self, c->inter = query->inter;
    c->keys = c->few, c->key_room = FRC_CATCH_BATCH;
}

void frc_catch_release(frc_catch* c) {
    frc_release(c->tets->context, c->more, c->key_room * sizeof *c->more);
}

// Room for so many keys in all.
static bool make_room(frc_catch* c, size_t wanted) {
    if (wanted <= c->key_room) return true;
    const size_t half_more = c->key_room + c->key_room / 2;
    const size_t room = wanted > half_more ? wanted : half_more;
    uint64_t* more = frc_allocate(c->tets->context, room * sizeof *more);
    if (!more) {
        c->no_memory = true;
        return false;
    }
    memcpy(more, c->keys, c->key_count * sizeof *more);
    frc_catch_release(c);
    c->keys = c->more = more, c->key_room = room;
    return true;
}

void frc_catch_keep(frc_catch* c, uint32_t vertex, uint32_t tet) {
    const fracas_tets* tets = c->tets;
    const frc_tet_vertex* v = &tets->vertices.data[vertex];
    const uint32_t body = tets->tet_bodies.data[tet];
    const uint32_t rank = tets->bodies.data[v->body].first_rank + v->number;
    const uint32_t tet_rank = tets->bodies.data[body].first_tet_rank + tets->tet_numbers.data[tet];
    if (make_room(c, c->key_count + 1)) c->keys[c->key_count++] = (uint64_t)rank << 32 | tet_rank;
}

static void drop_unwanted(frc_catch* c) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        c->vertices[kept] = c->vertices[i], c->on[kept] = c->on[i];
        kept += frc_catch_wants(c, c->vertices[i], c->on[i]);
    }
    c->count = kept;
}

static bool decide(frc_catch* c, uint32_t vertex, uint32_t tet) {
    const double* corners[4];
    const double* p = c->tets->vertices.data[vertex].at;
    frc_tets_corner_points(c->tets, tet, corners);
    if (c->tets->options.half_space) return frc_tet_has_point_exact(p, corners);
    bool exact;
    const bool inside = frc_tet_has_point(p, corners, &exact);
    c->exact += exact;
    return inside;
}

// Keeps what is certainly inside, and leaves what has to be decided.
static void filter(frc_catch* c) {
    const fracas_tets* tets = c->tets;
    frc_tet_pairs pairs = {c->vertices, c->on, c->count}, inside = {c->inside, c->inside_on, 0};
    frc_tet_filter((const int32_t(*)[4])tets->units.data, (const uint32_t(*)[4])tets->tets.data,
                   &pairs, &inside);
    for (uint32_t i = 0; i < inside.count; i++)
        frc_catch_keep(c, inside.vertices[i], inside.tets[i]);
    c->count = pairs.count;
}

void frc_catch_flush(frc_catch* c) {
    const fracas_tets* tets = c->tets;
    if (!c->self || !c->inter) drop_unwanted(c);
    c->tested += c->count;
    if (!tets->clamped && !tets->options.half_space) filter(c);
    for (uint32_t i = 0; i < c->count; i++)
        if (decide(c, c->vertices[i], c->on[i])) frc_catch_keep(c, c->vertices[i], c->on[i]);
    c->count = 0;
}

// A pair may have been found twice.
static size_t drop_equal(uint64_t* sorted, size_t count) {
    size_t kept = count > 0;
    for (size_t i = 1; i < count; i++) {
        sorted[kept] = sorted[i];
        kept += sorted[kept] != sorted[kept - 1];
    }
    return kept;
}

void frc_catch_finish(frc_catch* c) {
    frc_catch_flush(c);
    const size_t count = c->key_count;
    if (!make_room(c, 2 * count)) return;
    c->keys = frc_sort_halves(c->keys, c->keys + count, count);
    c->key_count = drop_equal(c->keys, count);
}
