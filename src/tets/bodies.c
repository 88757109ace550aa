/// @file bodies.c  Add, move and remove bodies.
#include "base/parallel.h"
#include "mesh/tet_faces.h"
#include "mesh/validate.h"
#include "mesh/view.h"
#include "tets/tets.h"
#include <inttypes.h>

// The body of a handle; NULL with a status and a message.
static frc_tet_body* find_body(const fracas_tets* tets, fracas_body handle, fracas_status* status) {
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

// ---- add

static fracas_status check_view(const fracas_tets* tets, const fracas_tet_view* view) {
    fracas_status status = frc_tets_check(tets->context, view);
    if (status == FRACAS_OK) status = frc_tets_validate(tets->context, view);
    if (status != FRACAS_OK) return status;
    // Ranks number the points and tetrahedra of all bodies with 32 bits.
    uint64_t points = view->points.count, all = view->tet_count;
    for (size_t b = 0; b < tets->bodies.count; b++) {
        points += tets->bodies.data[b].point_count;
        all += tets->bodies.data[b].tet_count;
    }
    if (points < UINT32_MAX && all < UINT32_MAX && tets->tets.count + view->tet_count < UINT32_MAX)
        return FRACAS_OK;
    return frc_fail(tets->context, FRACAS_ERROR_BAD_DATA,
                    "all bodies together would have %" PRIu64 " vertices and %" PRIu64
                    " tetrahedra; the limit is %" PRIu32 " of each",
                    points, all, UINT32_MAX - 1);
}

static bool find_surface(fracas_context* context, const fracas_tet_view* view, frc_tet_body* body) {
    const size_t count = (size_t)view->tet_count * 4;
    bool ok = true;
    uint32_t* tets = frc_allocate_array(context, count, sizeof *tets, &ok);
    if (!ok) return false;
    for (size_t i = 0; i < count; i++) tets[i] = body->vertex_slots[view->tets[i]];
    ok = frc_surface_find(context, tets, view->tet_count, body->vertex_count, &body->surface);
    frc_release(context, tets, frc_array_size(count, sizeof *tets));
    return ok;
}

// All allocations of fracas_tets_add. False: no memory; release_body releases what was allocated.
static bool reserve_body(fracas_tets* tets, const fracas_tet_view* view, frc_tet_body* body) {
    fracas_context* context = tets->context;
    bool ok = true;
    body->vertex_slots = frc_allocate_array(context, view->points.count, sizeof(uint32_t), &ok);
    body->tet_slots = frc_allocate_array(context, view->tet_count, sizeof(uint32_t), &ok);
    const size_t all = tets->tets.count + view->tet_count;
    return ok &&
           frc_tets_renumber(context, view, body->vertex_slots, body->tet_slots,
                             &body->vertex_count) &&
           (!tets->options.depth || find_surface(context, view, body)) &&
           frc_handles_reserve(context, &tets->handles, 1) &&
           FRC_ARRAY_RESERVE(context, &tets->bodies, tets->bodies.count + 1) &&
           FRC_ARRAY_RESERVE(context, &tets->vertices, tets->vertices.count + body->vertex_count) &&
           FRC_ARRAY_RESERVE(context, &tets->tets, all) &&
           FRC_ARRAY_RESERVE(context, &tets->tet_indices, all) &&
           FRC_ARRAY_RESERVE(context, &tets->tet_bodies, all);
}

static void release_body(fracas_context* context, frc_tet_body* body) {
    frc_release(context, body->vertex_slots, frc_array_size(body->point_count, sizeof(uint32_t)));
    frc_release(context, body->tet_slots, frc_array_size(body->tet_count, sizeof(uint32_t)));
    frc_surface_release(context, &body->surface);
    *body = (frc_tet_body){0};
}

static void set_points(fracas_tets* tets, const frc_tet_body* body, const fracas_points* points) {
    for (uint32_t i = 0; i < points->count; i++) {
        if (body->vertex_slots[i] == FRACAS_NONE) continue;
        const uint32_t at = body->first_vertex + body->vertex_slots[i];
        frc_view_point(points, i, tets->vertices.data[at].at);
    }
}

static void fill_pools(fracas_tets* tets, const fracas_tet_view* view, uint32_t number) {
    const frc_tet_body* body = &tets->bodies.data[number];
    for (uint32_t i = 0; i < view->points.count; i++) {
        if (body->vertex_slots[i] == FRACAS_NONE) continue;
        frc_tet_vertex* v = &tets->vertices.data[body->first_vertex + body->vertex_slots[i]];
        v->index = i, v->body = number;
    }
    set_points(tets, body, &view->points);
    for (uint32_t t = 0; t < view->tet_count; t++) {
        const size_t slot = (size_t)body->first_tet + body->tet_slots[t];
        for (size_t i = 0; i < 4; i++)
            tets->tets.data[slot].corner[i] =
                body->first_vertex + body->vertex_slots[view->tets[4 * (size_t)t + i]];
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
                         .tet_count = view->tet_count,
                         .point_count = view->points.count};
    for (size_t t = 0; t < view->tet_count; t++)
        body.repeated_count += frc_tet_repeats(&view->tets[4 * t]);
    if (!reserve_body(tets, view, &body)) {
        release_body(tets->context, &body);
        return frc_fail_memory(tets->context, view->tet_count * sizeof(frc_tet_corners));
    }
    const uint32_t number = frc_handles_allocate(&tets->handles);
    if (number == tets->bodies.count) tets->bodies.count++;
    tets->bodies.data[number] = body;
    tets->vertices.count += body.vertex_count;
    tets->tets.count += view->tet_count;
    tets->tet_indices.count = tets->tet_bodies.count = tets->tets.count;
    tets->repeated_count += body.repeated_count;
    fill_pools(tets, view, number);
    tets->bodies_changed = true;
    tets->updated = false;
    *out = (fracas_body){number + 1, frc_handles_generation(&tets->handles, number)};
    return FRACAS_OK;
}

// ---- move and remove

fracas_status fracas_tets_move(fracas_tets* tets, fracas_body handle, const fracas_points* points) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!points) return frc_fail_null(tets->context, "fracas_tets_move", "points");
    fracas_status status;
    const frc_tet_body* body = find_body(tets, handle, &status);
    if (!body) return status;
    if (points->count != body->point_count)
        return frc_fail(tets->context, FRACAS_ERROR_BAD_DATA,
                        "body %u has %" PRIu32 " points but %" PRIu32
                        " are given: give all, used by tetrahedra or not",
                        handle.index, body->point_count, points->count);
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
    for (uint32_t i = 0; i < body->vertex_count; i++)
        tets->vertices.data[body->first_vertex + i].body = FRACAS_NONE;
    for (uint32_t i = 0; i < body->tet_count; i++)
        tets->tet_bodies.data[body->first_tet + i] = FRACAS_NONE;
    tets->repeated_count -= body->repeated_count;
    release_body(tets->context, body);
    frc_handles_free(&tets->handles, number);
    tets->has_gaps = tets->bodies_changed = true;
    tets->updated = false;
}

fracas_status fracas_tets_remove(fracas_tets* tets, fracas_body handle) {
    if (!tets) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status;
    if (find_body(tets, handle, &status)) frc_tets_drop_body(tets, handle.index - 1);
    return status;
}
