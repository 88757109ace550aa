/// @file bodies.c  Add, move and remove bodies.
#include "base/parallel.h"
#include "mesh/tet_faces.h"
#include "mesh/validate.h"
#include "mesh/view.h"
#include "tets/tets.h"
#include <inttypes.h>
#include <string.h>

frc_tet_body* frc_tets_find(const fracas_tets* tets, fracas_body handle, fracas_status* status) {
    const uint32_t number = handle.index - 1;
    *status = FRACAS_OK;
    if (frc_handles_in_use(&tets->handles, number) &&
        frc_handles_generation(&tets->handles, number) == handle.generation)
        return &tets->bodies.data[number];
    *status = frc_fail(tets->context, FRACAS_ERROR_STALE_HANDLE,
                       "there is no body %u (generation %u) in this fracas_tets: it was removed or "
                       "belongs to another one",
                       handle.index, handle.generation);
    return NULL;
}

fracas_body frc_tets_handle(const fracas_tets* tets, uint32_t number) {
    return (fracas_body){number + 1, frc_handles_generation(&tets->handles, number)};
}

fracas_status frc_tets_check_counts(const fracas_tets* tets, uint64_t points, uint64_t count) {
    const uint64_t vertex_slots = tets->vertices.count + points,
                   tet_slots = tets->tets.count + count;
    points += tets->vertex_numbers, count += tets->tet_numbers;
    if (points < UINT32_MAX && count < UINT32_MAX && vertex_slots < UINT32_MAX &&
        tet_slots < UINT32_MAX)
        return FRACAS_OK;
    return frc_fail(tets->context, FRACAS_ERROR_BAD_DATA,
                    "all bodies together would have %" PRIu64 " vertices and %" PRIu64
                    " tetrahedra; the limit is %" PRIu32 " of each",
                    points, count, UINT32_MAX - 1);
}

// ---- pools

bool frc_tets_reserve(fracas_tets* tets, size_t vertices, size_t tetrahedra) {
    fracas_context* context = tets->context;
    const size_t points = tets->vertices.count + vertices, all = tets->tets.count + tetrahedra;
    return FRC_ARRAY_RESERVE(context, &tets->vertices, points) &&
           FRC_ARRAY_RESERVE(context, &tets->uses, points) &&
           FRC_ARRAY_RESERVE(context, &tets->tets, all) &&
           FRC_ARRAY_RESERVE(context, &tets->tet_indices, all) &&
           FRC_ARRAY_RESERVE(context, &tets->tet_bodies, all);
}

uint32_t frc_tets_append_vertex(fracas_tets* tets, uint32_t body, uint32_t number,
                                const double at[3]) {
    const uint32_t slot = (uint32_t)tets->vertices.count++;
    tets->vertices.data[slot] = (frc_tet_vertex){
        {at[0], at[1], at[2]},
        number, body
    };
    tets->uses.data[tets->uses.count++] = 0;
    return slot;
}

uint32_t frc_tets_append_tet(fracas_tets* tets, uint32_t body, uint32_t number,
                             const uint32_t slots[4]) {
    const uint32_t slot = (uint32_t)tets->tets.count++;
    for (int i = 0; i < 4; i++) tets->tets.data[slot].corner[i] = slots[i];
    tets->tet_indices.data[slot] = number;
    tets->tet_bodies.data[slot] = body;
    tets->tet_indices.count = tets->tet_bodies.count = tets->tets.count;
    return slot;
}

// ---- add

static fracas_status check_view(const fracas_tets* tets, const fracas_tet_view* view) {
    fracas_status status = frc_tets_check(tets->context, view);
    if (status == FRACAS_OK) status = frc_tets_validate(tets->context, view);
    if (status != FRACAS_OK) return status;
    return frc_tets_check_counts(tets, view->points.count, view->tet_count);
}

// All allocations of fracas_tets_add. `slots` are relative to the first of the body. False: no
// memory; frc_tets_release_body releases what was allocated.
static bool reserve_body(fracas_tets* tets, const fracas_tet_view* view, frc_tet_body* body) {
    fracas_context* context = tets->context;
    const size_t points = view->points.count, count = view->tet_count;
    if (!FRC_ARRAY_RESERVE(context, &body->vertex_slots, points) ||
        !FRC_ARRAY_RESERVE(context, &body->tet_slots, count))
        return false;
    body->vertex_slots.count = points, body->tet_slots.count = count;
    return frc_tets_renumber(context, view, body->vertex_slots.data, body->tet_slots.data,
                             &body->vertex_count) &&
           frc_handles_reserve(context, &tets->handles, 1) &&
           FRC_ARRAY_RESERVE(context, &tets->bodies, tets->bodies.count + 1) &&
           frc_tets_reserve(tets, body->vertex_count, count);
}

void frc_tets_release_body(fracas_context* context, frc_tet_body* body) {
    FRC_ARRAY_RELEASE(context, &body->vertex_slots);
    FRC_ARRAY_RELEASE(context, &body->tet_slots);
    frc_surface_release(context, &body->surface);
    *body = (frc_tet_body){0};
}

static void set_points(fracas_tets* tets, const frc_tet_body* body, const fracas_points* points) {
    for (uint32_t i = 0; i < points->count; i++) {
        const uint32_t slot = body->vertex_slots.data[i];
        if (slot != FRACAS_NONE) frc_view_point(points, i, tets->vertices.data[slot].at);
    }
}

static void fill_pools(fracas_tets* tets, const fracas_tet_view* view, uint32_t number) {
    frc_tet_body* body = &tets->bodies.data[number];
    for (uint32_t i = 0; i < view->points.count; i++) {
        if (body->vertex_slots.data[i] == FRACAS_NONE) continue;
        const uint32_t slot = body->vertex_slots.data[i] += body->first_vertex;
        frc_tet_vertex* v = &tets->vertices.data[slot];
        v->index = i, v->body = number;
        tets->uses.data[slot] = 0;
    }
    set_points(tets, body, &view->points);
    for (uint32_t t = 0; t < view->tet_count; t++) {
        const uint32_t slot = body->tet_slots.data[t] += body->first_tet;
        for (size_t i = 0; i < 4; i++) {
            const uint32_t corner = body->vertex_slots.data[view->tets[4 * (size_t)t + i]];
            tets->tets.data[slot].corner[i] = corner;
            tets->uses.data[corner]++;
        }
        tets->tet_indices.data[slot] = t;
        tets->tet_bodies.data[slot] = number;
    }
}

fracas_status fracas_tets_add(fracas_tets* tets, const fracas_tet_view* view, fracas_body* out) {
    if (out) *out = (fracas_body){0, 0};
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!view) return frc_fail_null(tets->context, "fracas_tets_add", "view");
    if (!out) return frc_fail_null(tets->context, "fracas_tets_add", "out");
    const fracas_status status = check_view(tets, view);
    if (status != FRACAS_OK) return status;
    frc_tet_body body = {.first_vertex = (uint32_t)tets->vertices.count,
                         .first_tet = (uint32_t)tets->tets.count,
                         .live_tets = view->tet_count,
                         .edited = true};
    for (size_t t = 0; t < view->tet_count; t++)
        body.repeated_count += frc_tet_repeats(&view->tets[4 * t]);
    if (!reserve_body(tets, view, &body)) {
        frc_tets_release_body(tets->context, &body);
        return frc_fail_memory(tets->context, view->tet_count * sizeof(frc_tet_corners));
    }
    const uint32_t number = frc_handles_allocate(&tets->handles);
    if (number == tets->bodies.count) tets->bodies.count++;
    tets->bodies.data[number] = body;
    tets->vertices.count += body.vertex_count;
    tets->uses.count = tets->vertices.count;
    tets->tets.count += view->tet_count;
    tets->tet_indices.count = tets->tet_bodies.count = tets->tets.count;
    tets->repeated_count += body.repeated_count;
    tets->vertex_numbers += view->points.count;
    tets->tet_numbers += view->tet_count;
    fill_pools(tets, view, number);
    tets->bodies_changed = true;
    tets->updated = false;
    *out = frc_tets_handle(tets, number);
    return FRACAS_OK;
}

// ---- move and remove

fracas_status fracas_tets_move(fracas_tets* tets, fracas_body handle, const fracas_points* points) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!points) return frc_fail_null(tets->context, "fracas_tets_move", "points");
    fracas_status status;
    const frc_tet_body* body = frc_tets_find(tets, handle, &status);
    if (!body) return status;
    if (points->count != body->vertex_slots.count)
        return frc_fail(tets->context, FRACAS_ERROR_BAD_DATA,
                        "body %u has %zu points but %" PRIu32
                        " are given: give all, used by tetrahedra or not",
                        handle.index, body->vertex_slots.count, points->count);
    status = frc_points_check(tets->context, points);
    if (status == FRACAS_OK) status = frc_points_validate(tets->context, points);
    if (status != FRACAS_OK) return status;
    // An update follows: sleeping threads wake up meanwhile.
    frc_wake(tets->context);
    set_points(tets, body, points);
    tets->updated = false;
    return FRACAS_OK;
}

void frc_tets_drop_body(fracas_tets* tets, uint32_t number) {
    frc_tet_body* body = &tets->bodies.data[number];
    for (size_t i = 0; i < body->vertex_slots.count; i++)
        if (body->vertex_slots.data[i] != FRACAS_NONE)
            tets->vertices.data[body->vertex_slots.data[i]].body = FRACAS_NONE;
    for (size_t i = 0; i < body->tet_slots.count; i++)
        if (body->tet_slots.data[i] != FRACAS_NONE)
            tets->tet_bodies.data[body->tet_slots.data[i]] = FRACAS_NONE;
    tets->repeated_count -= body->repeated_count;
    tets->vertex_numbers -= body->vertex_slots.count;
    tets->tet_numbers -= body->tet_slots.count;
    frc_tets_release_body(tets->context, body);
    frc_handles_free(&tets->handles, number);
    tets->has_gaps = tets->bodies_changed = true;
    tets->updated = false;
}

fracas_status fracas_tets_remove(fracas_tets* tets, fracas_body handle) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status;
    if (frc_tets_find(tets, handle, &status)) frc_tets_drop_body(tets, handle.index - 1);
    return status;
}

// ---- public functions that read a body, and the user pointer

fracas_status fracas_tets_get_body(const fracas_tets* tets, fracas_body handle,
                                   fracas_tets_body_info* out) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(tets->context, "fracas_tets_get_body", "out");
    fracas_status status;
    const frc_tet_body* body = frc_tets_find(tets, handle, &status);
    if (!body) return status;
    *out = (fracas_tets_body_info){.user = body->user,
                                   .vertex_numbers = (uint32_t)body->vertex_slots.count,
                                   .tet_numbers = (uint32_t)body->tet_slots.count,
                                   .vertices = body->vertex_count,
                                   .tets = body->live_tets};
    return FRACAS_OK;
}

fracas_status fracas_tets_set_user(fracas_tets* tets, fracas_body handle, void* user) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status;
    frc_tet_body* body = frc_tets_find(tets, handle, &status);
    if (body) body->user = user;
    return status;
}

fracas_status fracas_tets_get_tet(const fracas_tets* tets, fracas_body handle, uint32_t tet,
                                  uint32_t corners[4]) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!corners) return frc_fail_null(tets->context, "fracas_tets_get_tet", "corners");
    fracas_status status;
    const frc_tet_body* body = frc_tets_find(tets, handle, &status);
    if (!body) return status;
    if (tet >= body->tet_slots.count || body->tet_slots.data[tet] == FRACAS_NONE)
        return frc_fail(tets->context, FRACAS_ERROR_BAD_DATA,
                        "body %" PRIu32 " has no tetrahedron %" PRIu32, handle.index, tet);
    const frc_tet_corners* t = &tets->tets.data[body->tet_slots.data[tet]];
    for (int i = 0; i < 4; i++) corners[i] = tets->vertices.data[t->corner[i]].index;
    return FRACAS_OK;
}

fracas_status fracas_tets_get_vertex(const fracas_tets* tets, fracas_body handle, uint32_t vertex,
                                     double at[3]) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!at) return frc_fail_null(tets->context, "fracas_tets_get_vertex", "at");
    fracas_status status;
    const frc_tet_body* body = frc_tets_find(tets, handle, &status);
    if (!body) return status;
    if (vertex >= body->vertex_slots.count || body->vertex_slots.data[vertex] == FRACAS_NONE)
        return frc_fail(tets->context, FRACAS_ERROR_BAD_DATA,
                        "body %" PRIu32 " has no tetrahedron with vertex %" PRIu32, handle.index,
                        vertex);
    memcpy(at, tets->vertices.data[body->vertex_slots.data[vertex]].at, 3 * sizeof *at);
    return FRACAS_OK;
}
