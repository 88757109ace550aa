/// @file split_check.c  Check a split, and simulate it on the tetrahedra and vertices that it
/// names. The cost is that of the elements listed.
#include "tets/split_check.h"
#include "base/sort.h"
#include "mesh/tet_faces.h"
#include <math.h>
#include <string.h>

static fracas_status bad(const frc_tet_draft* d, const char* what, uint32_t entry, const char* why,
                         uint32_t value) {
    return frc_fail(d->tets->context, FRACAS_ERROR_BAD_DATA, "split of body %u: %s %u: %s %u",
                    d->handle.index, what, entry, why, value);
}

static bool has_old_vertex(const frc_tet_draft* d, uint32_t number) {
    return number < d->body->vertex_slots.count &&
           d->body->vertex_slots.data[number] != FRACAS_NONE;
}

static bool has_vertex(const frc_tet_draft* d, uint32_t number) {
    return number < d->body->vertex_slots.count ? has_old_vertex(d, number)
                                                : number < d->vertex_numbers;
}

static bool has_old_tet(const frc_tet_draft* d, uint32_t number) {
    return number < d->body->tet_slots.count && d->body->tet_slots.data[number] != FRACAS_NONE;
}

static const double* position_of(const frc_tet_draft* d, uint32_t number) {
    return d->tets->vertices.data[d->body->vertex_slots.data[number]].at;
}

void frc_tet_draft_place(const frc_tet_draft* d, uint32_t i, double out[3]) {
    const fracas_new_tet_vertex* v = &d->split->new_vertices[i];
    if (v->parent_a == FRACAS_NONE) {
        memcpy(out, v->at, sizeof v->at);
        return;
    }
    const double* a = position_of(d, v->parent_a);
    const double* b = v->parent_b == FRACAS_NONE ? a : position_of(d, v->parent_b);
    const double weight = v->parent_b == FRACAS_NONE ? 0 : v->weight;
    for (int k = 0; k < 3; k++) out[k] = (1 - weight) * a[k] + weight * b[k];
}

static fracas_status check_new_vertex(const frc_tet_draft* d, uint32_t i) {
    const fracas_new_tet_vertex* v = &d->split->new_vertices[i];
    double at[3];
    if (v->parent_a == FRACAS_NONE && v->parent_b != FRACAS_NONE)
        return bad(d, "new vertex", i, "it has a second parent without a first:", v->parent_b);
    if (v->parent_a != FRACAS_NONE && !has_old_vertex(d, v->parent_a))
        return bad(d, "new vertex", i, "its parent is no vertex of the body:", v->parent_a);
    if (v->parent_b != FRACAS_NONE && !has_old_vertex(d, v->parent_b))
        return bad(d, "new vertex", i, "its second parent is no vertex of the body:", v->parent_b);
    if (v->parent_b != FRACAS_NONE && !(v->weight >= 0 && v->weight <= 1))
        return bad(d, "new vertex", i, "its weight is not between 0 and 1; parent", v->parent_a);
    frc_tet_draft_place(d, i, at);
    for (int k = 0; k < 3; k++)
        if (!isfinite(at[k])) return bad(d, "new vertex", i, "it is not finite: coordinate", k);
    return FRACAS_OK;
}

// ---- tetrahedra

static void add_item(frc_tet_draft* d, uint32_t number, const uint32_t corner[4]) {
    frc_draft_tet* item = &d->items[d->count];
    *item = (frc_draft_tet){.number = number, .owner = FRC_TET_STAYS};
    memcpy(item->corner, corner, sizeof item->corner);
    frc_map_set(&d->by_number, number, d->count++);
}

// NULL: there is no such tetrahedron.
static frc_draft_tet* item_of(frc_tet_draft* d, uint32_t number) {
    const uint32_t at = number < d->tet_numbers ? frc_map_find(&d->by_number, number) : 0;
    if (number < d->tet_numbers && at != FRC_MAP_NONE) return &d->items[at];
    if (!has_old_tet(d, number)) return NULL;
    const frc_tet_corners* slots = &d->tets->tets.data[d->body->tet_slots.data[number]];
    uint32_t corner[4];
    for (int i = 0; i < 4; i++) corner[i] = d->tets->vertices.data[slots->corner[i]].index;
    add_item(d, number, corner);
    return &d->items[d->count - 1];
}

static fracas_status draft_tets(frc_tet_draft* d) {
    const fracas_tet_split* s = d->split;
    for (uint32_t i = 0; i < s->new_tet_count; i++) {
        const uint32_t* corner = &s->new_tets[4 * (size_t)i];
        for (int k = 0; k < 4; k++)
            if (!has_vertex(d, corner[k]))
                return bad(d, "new tetrahedron", i, "there is no vertex", corner[k]);
        add_item(d, (uint32_t)d->body->tet_slots.count + i, corner);
    }
    for (uint32_t i = 0; i < s->repoint_count; i++) {
        const fracas_tet_repoint* r = &s->repoints[i];
        if (!has_old_tet(d, r->tet))
            return bad(d, "repoint", i, "the body has no tetrahedron", r->tet);
        if (r->corner > 3) return bad(d, "repoint", i, "there is no corner", r->corner);
        if (!has_vertex(d, r->vertex)) return bad(d, "repoint", i, "there is no vertex", r->vertex);
        item_of(d, r->tet)->corner[r->corner] = r->vertex;
    }
    for (uint32_t i = 0; i < s->removed_tet_count; i++) {
        frc_draft_tet* item = item_of(d, s->removed_tets[i]);
        if (!item)
            return bad(d, "removed tetrahedron", i, "the body has no tetrahedron",
                       s->removed_tets[i]);
        if (item->owner == FRC_TET_REMOVED)
            return bad(d, "removed tetrahedron", i, "it is listed twice:", s->removed_tets[i]);
        item->owner = FRC_TET_REMOVED;
    }
    for (uint32_t p = 0; p < s->part_count; p++)
        for (uint32_t i = s->part_offsets[p]; i < s->part_offsets[p + 1]; i++) {
            frc_draft_tet* item = item_of(d, s->part_tets[i]);
            if (!item) return bad(d, "part", p, "the body has no tetrahedron", s->part_tets[i]);
            if (item->owner != FRC_TET_STAYS)
                return bad(d, "part", p, "it is removed, or listed twice: tetrahedron",
                           s->part_tets[i]);
            item->owner = p + 1;
        }
    return FRACAS_OK;
}

// ---- vertices

// Keys of corners by vertex: before the split, and after it with their owner + 1.
static size_t list_corners(frc_tet_draft* d, uint64_t* keys) {
    size_t count = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const frc_draft_tet* item = &d->items[i];
        if (item->number < d->body->tet_slots.count) {
            const frc_tet_corners* old = &d->tets->tets.data[d->body->tet_slots.data[item->number]];
            for (int k = 0; k < 4; k++)
                keys[count++] = (uint64_t)d->tets->vertices.data[old->corner[k]].index << 32;
            d->repeated -= frc_tet_repeats(old->corner);
        }
        if (item->owner == FRC_TET_REMOVED) continue;
        for (int k = 0; k < 4; k++)
            keys[count++] = (uint64_t)item->corner[k] << 32 | (item->owner + 1);
        if (item->owner == FRC_TET_STAYS) d->repeated += frc_tet_repeats(item->corner);
    }
    return count;
}

static fracas_status draft_vertices(frc_tet_draft* d, const uint64_t* keys, size_t count) {
    for (size_t i = 0, end; i < count; i = end) {
        frc_draft_vertex* v = &d->vertices[d->vertex_count++];
        const uint32_t number = (uint32_t)(keys[i] >> 32);
        *v = (frc_draft_vertex){number, FRC_TET_REMOVED, 0, FRACAS_NONE};
        const uint32_t uses =
            has_old_vertex(d, number) ? d->tets->uses.data[d->body->vertex_slots.data[number]] : 0;
        uint32_t before = 0;
        for (end = i; end < count && (keys[end] >> 32) == number && (uint32_t)keys[end] == 0; end++)
            before++;
        // Of tetrahedra that are not in the draft.
        if (uses > before) v->owner = FRC_TET_STAYS, v->uses = uses - before;
        for (; end < count && (keys[end] >> 32) == number; end++) {
            const uint32_t owner = (uint32_t)keys[end] - 1;
            if (v->owner != FRC_TET_REMOVED && v->owner != owner)
                return bad(d, "part", owner - 1,
                           v->owner == FRC_TET_STAYS ? "the body has a vertex of it, too:"
                                                     : "another part has a vertex of it, too:",
                           number);
            v->owner = owner;
            v->uses++;
        }
    }
    return FRACAS_OK;
}

frc_draft_vertex* frc_tet_draft_vertex(const frc_tet_draft* d, uint32_t number) {
    uint32_t begin = 0, end = d->vertex_count;
    while (end - begin > 1) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (d->vertices[middle].number <= number)
            begin = middle;
        else
            end = middle;
    }
    return &d->vertices[begin];
}

static size_t listed_tets(const fracas_tet_split* s) {
    return (size_t)s->new_tet_count + s->repoint_count + s->removed_tet_count +
           (s->part_count ? s->part_offsets[s->part_count] : 0);
}

bool frc_tet_draft_make(frc_tet_draft* d, fracas_status* status) {
    const fracas_tet_split* s = d->split;
    *status = FRACAS_OK;
    for (uint32_t p = 0; p < s->part_count; p++)
        if (s->part_offsets[p + 1] <= s->part_offsets[p]) {
            *status = bad(d, "part", p, "it has no tetrahedron; its offset is", s->part_offsets[p]);
            return true;
        }
    const size_t most = listed_tets(s);
    *status = frc_tets_check_counts(d->tets, 8 * most + s->new_vertex_count, most);
    for (uint32_t i = 0; i < s->new_vertex_count && *status == FRACAS_OK; i++)
        *status = check_new_vertex(d, i);
    if (*status != FRACAS_OK) return true;
    d->items = frc_arena_allocate(&d->arena, most, sizeof *d->items);
    if (!d->items || !frc_map_create(&d->arena, &d->by_number, most)) return false;
    *status = draft_tets(d);
    if (*status != FRACAS_OK) return true;
    uint64_t* keys = frc_arena_allocate(&d->arena, 8 * (size_t)d->count, sizeof *keys);
    uint64_t* spare = frc_arena_allocate(&d->arena, 8 * (size_t)d->count, sizeof *spare);
    d->vertices = frc_arena_allocate(&d->arena, 8 * (size_t)d->count, sizeof *d->vertices);
    if (!keys || !spare || !d->vertices) return false;
    const size_t count = list_corners(d, keys);
    *status = draft_vertices(d, frc_sort_keys(keys, spare, count, 0), count);
    return true;
}
