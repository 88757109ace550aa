/// @file split.c  A body breaks: new vertices, re-pointed corners, new and removed tetrahedra,
/// leaving parts.
///
/// The split is simulated first (split_check.c); a valid one is applied: what leaves or disappears
/// is marked in the pools, what is new is appended to them, and the next update regroups them.
#include "mesh/tet_faces.h"
#include "tets/split_check.h"

fracas_tet_split fracas_tets_default_split(void) {
    return (fracas_tet_split){.struct_size = sizeof(fracas_tet_split)};
}

static fracas_status check_struct(const fracas_tets* tets, const fracas_tet_split* s,
                                  const fracas_body* parts) {
    if (s->struct_size != sizeof *s)
        return frc_fail(tets->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the split is not initialised: start from fracas_tets_default_split()");
    const struct {
        uint32_t count;
        const void* list;
        const char* name;
    } lists[] = {
        {s->new_vertex_count,  s->new_vertices, "split->new_vertices"},
        {s->repoint_count,     s->repoints,     "split->repoints"    },
        {s->new_tet_count,     s->new_tets,     "split->new_tets"    },
        {s->removed_tet_count, s->removed_tets, "split->removed_tets"},
        {s->part_count,        s->part_offsets, "split->part_offsets"},
        {s->part_count,        s->part_tets,    "split->part_tets"   },
        {s->part_count,        parts,           "parts"              }
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (lists[i].count && !lists[i].list)
            return frc_fail_null(tets->context, "fracas_tets_split", lists[i].name);
    if (s->part_count && s->part_offsets[0] != 0)
        return frc_fail(tets->context, FRACAS_ERROR_BAD_DATA, "part_offsets must begin with 0");
    return FRACAS_OK;
}

// ---- memory

// All memory that the split needs. The arrays of the parts are in `bodies`.
static bool reserve_all(frc_tet_draft* d, frc_tet_body* bodies) {
    fracas_tets* tets = d->tets;
    fracas_context* context = tets->context;
    const fracas_tet_split* s = d->split;
    frc_tet_body* body = &tets->bodies.data[d->handle.index - 1];
    if (!FRC_ARRAY_RESERVE(context, &body->vertex_slots, d->vertex_numbers) ||
        !FRC_ARRAY_RESERVE(context, &body->tet_slots, d->tet_numbers) ||
        !frc_tets_reserve(tets, d->vertex_count, d->count))
        return false;
    for (uint32_t i = 0; i < d->vertex_count; i++) {
        const uint32_t owner = d->vertices[i].owner;
        if (owner != FRC_TET_STAYS && owner != FRC_TET_REMOVED) bodies[owner - 1].vertex_count++;
    }
    for (uint32_t p = 0; p < s->part_count; p++) {
        const size_t count = s->part_offsets[p + 1] - s->part_offsets[p];
        if (!FRC_ARRAY_RESERVE(context, &bodies[p].vertex_slots, bodies[p].vertex_count) ||
            !FRC_ARRAY_RESERVE(context, &bodies[p].tet_slots, count))
            return false;
    }
    // Last, because it invalidates pointers to bodies.
    return frc_handles_reserve(context, &tets->handles, s->part_count) &&
           FRC_ARRAY_RESERVE(context, &tets->bodies, tets->bodies.count + s->part_count);
}

// ---- the change

static void position_of(const frc_tet_draft* d, const frc_tet_body* body, uint32_t number,
                        double out[3]) {
    const uint32_t first_new = d->vertex_numbers - d->split->new_vertex_count;
    if (number >= first_new) {
        frc_tet_draft_place(d, number - first_new, out);
        return;
    }
    const double* at = d->tets->vertices.data[body->vertex_slots.data[number]].at;
    for (int k = 0; k < 3; k++) out[k] = at[k];
}

// Append the vertices of an owner that are new there. Positions are read before anything is marked
// as removed.
static void add_vertices(frc_tet_draft* d, uint32_t owner, uint32_t number) {
    fracas_tets* tets = d->tets;
    const frc_tet_body* from = &tets->bodies.data[d->handle.index - 1];
    frc_tet_body* to = &tets->bodies.data[number];
    for (uint32_t i = 0; i < d->vertex_count; i++) {
        frc_draft_vertex* v = &d->vertices[i];
        double at[3];
        if (v->owner != owner) continue;
        const bool stays = owner == FRC_TET_STAYS;
        if (stays && v->number < d->vertex_numbers - d->split->new_vertex_count) {
            v->slot = from->vertex_slots.data[v->number];
        } else {
            const uint32_t name = stays ? v->number : (uint32_t)to->vertex_slots.count;
            position_of(d, from, v->number, at);
            v->slot = frc_tets_append_vertex(tets, number, name, at);
            if (!stays) to->vertex_slots.data[to->vertex_slots.count++] = v->slot;
        }
        tets->uses.data[v->slot] = v->uses;
    }
}

static void slots_of(const frc_tet_draft* d, const frc_draft_tet* item, uint32_t out[4]) {
    for (int i = 0; i < 4; i++) out[i] = frc_tet_draft_vertex(d, item->corner[i])->slot;
}

static fracas_body make_part(frc_tet_draft* d, uint32_t part, frc_tet_body* lists) {
    fracas_tets* tets = d->tets;
    const fracas_tet_split* s = d->split;
    const uint32_t number = frc_handles_allocate(&tets->handles);
    if (number == tets->bodies.count) tets->bodies.count++;
    lists->user = tets->bodies.data[d->handle.index - 1].user;
    lists->edited = true;
    tets->bodies.data[number] = *lists;
    add_vertices(d, part + 1, number);
    frc_tet_body* to = &tets->bodies.data[number];
    for (uint32_t i = s->part_offsets[part]; i < s->part_offsets[part + 1]; i++) {
        const frc_draft_tet* item = &d->items[frc_map_find(&d->by_number, s->part_tets[i])];
        uint32_t slots[4];
        slots_of(d, item, slots);
        const uint32_t name = (uint32_t)to->tet_slots.count++;
        to->tet_slots.data[name] = frc_tets_append_tet(tets, number, name, slots);
        to->repeated_count += frc_tet_repeats(slots);
    }
    to->live_tets = (uint32_t)to->tet_slots.count;
    tets->repeated_count += to->repeated_count;
    tets->vertex_numbers += to->vertex_slots.count;
    tets->tet_numbers += to->tet_slots.count;
    return frc_tets_handle(tets, number);
}

// What stays in the body, and what disappears from it.
static void change_body(frc_tet_draft* d) {
    fracas_tets* tets = d->tets;
    const uint32_t number = d->handle.index - 1;
    frc_tet_body* body = &tets->bodies.data[number];
    for (uint32_t i = 0; i < d->count; i++) {
        const frc_draft_tet* item = &d->items[i];
        const bool stays = item->owner == FRC_TET_STAYS;
        uint32_t slots[4], *slot = &body->tet_slots.data[item->number];
        const bool old = *slot != FRACAS_NONE;
        if (stays) slots_of(d, item, slots);
        if (stays && old) {
            for (int k = 0; k < 4; k++) tets->tets.data[*slot].corner[k] = slots[k];
        } else if (stays) {
            *slot = frc_tets_append_tet(tets, number, item->number, slots);
        } else if (old) {
            tets->tet_bodies.data[*slot] = FRACAS_NONE;
            *slot = FRACAS_NONE;
        }
        body->live_tets += (uint32_t)stays - (uint32_t)old;
    }
    for (uint32_t i = 0; i < d->vertex_count; i++) {
        const frc_draft_vertex* v = &d->vertices[i];
        uint32_t* slot = &body->vertex_slots.data[v->number];
        const bool stays = v->owner == FRC_TET_STAYS, old = *slot != FRACAS_NONE;
        if (old && !stays) tets->vertices.data[*slot].body = FRACAS_NONE;
        *slot = stays ? v->slot : FRACAS_NONE;
        body->vertex_count += (uint32_t)stays - (uint32_t)old;
    }
    body->repeated_count += (uint32_t)d->repeated;
    tets->repeated_count += (uint32_t)d->repeated;
    body->edited = true;
}

static void apply(frc_tet_draft* d, frc_tet_body* bodies, fracas_body* parts) {
    fracas_tets* tets = d->tets;
    const uint32_t number = d->handle.index - 1;
    frc_tet_body* body = &tets->bodies.data[number];
    d->body = body;  // the array of bodies may have moved
    tets->vertex_numbers += d->split->new_vertex_count;
    tets->tet_numbers += d->split->new_tet_count;
    while (body->vertex_slots.count < d->vertex_numbers)
        body->vertex_slots.data[body->vertex_slots.count++] = FRACAS_NONE;
    while (body->tet_slots.count < d->tet_numbers)
        body->tet_slots.data[body->tet_slots.count++] = FRACAS_NONE;
    for (uint32_t p = 0; p < d->split->part_count; p++) parts[p] = make_part(d, p, &bodies[p]);
    add_vertices(d, FRC_TET_STAYS, number);
    change_body(d);
    tets->has_gaps = tets->bodies_changed = true;
    tets->updated = false;
}

fracas_status fracas_tets_split(fracas_tets* tets, fracas_body handle,
                                const fracas_tet_split* split, fracas_body* parts) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!split) return frc_fail_null(tets->context, "fracas_tets_split", "split");
    fracas_status status;
    const frc_tet_body* body = frc_tets_find(tets, handle, &status);
    if (!body) return status;
    status = check_struct(tets, split, parts);
    if (status != FRACAS_OK) return status;
    status = frc_tets_check_counts(tets, split->new_vertex_count, split->new_tet_count);
    if (status != FRACAS_OK) return status;
    frc_tet_draft d = {.tets = tets, .handle = handle, .body = body, .split = split};
    d.arena = frc_arena_make(tets->context);
    d.vertex_numbers = (uint32_t)body->vertex_slots.count + split->new_vertex_count;
    d.tet_numbers = (uint32_t)body->tet_slots.count + split->new_tet_count;
    const size_t part_count = split->part_count;
    frc_tet_body* bodies = frc_arena_allocate_zero(&d.arena, part_count, sizeof *bodies);
    bool memory = bodies && frc_tet_draft_make(&d, &status);
    if (memory && status == FRACAS_OK) memory = reserve_all(&d, bodies);
    if (memory && status == FRACAS_OK)
        apply(&d, bodies, parts);
    else
        for (size_t p = 0; bodies && p < part_count; p++)
            frc_tets_release_body(tets->context, &bodies[p]);
    frc_arena_release(&d.arena);
    return memory ? status : frc_fail_memory(tets->context, d.count * sizeof *d.items);
}
