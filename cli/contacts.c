/// @file contacts.c  Translate contacts from the numbers of the scene to those of the files. After
/// a cut the two orders differ, so the sides of a contact and the list are ordered again.
#include "contacts.h"
#include "options.h"
#include <stdlib.h>
#include <string.h>

const int cli_kinds[CLI_KINDS] = {FRACAS_CONTACT_VF,
                                  FRACAS_CONTACT_EE,
                                  FRACAS_CONTACT_TT,
                                  FRACAS_CONTACT_ET,
                                  FRACAS_CONTACT_VE,
                                  FRACAS_CONTACT_VV,
                                  CLI_VT,
                                  CLI_INSIDE};

const char* cli_kind_name(int kind) {
    static const char* const names[CLI_KINDS] = {"tt", "et", "vf", "ee",
                                                 "ve", "vv", "vt", "inside"};
    return names[kind];
}

const char* cli_meeting_name(const cli_contact* c) {
    return c->where.meeting == FRACAS_MEETING_CROSS ? "cross" : "touch";
}

bool cli_kind_is_continuous(int kind) { return kind >= FRACAS_CONTACT_VF && kind < CLI_VT; }

// ---- positions of contacts

static void add_scaled(double sum[3], const double p[3], double weight) {
    for (int i = 0; i < 3; i++) sum[i] += weight * p[i];
}

// Add `weight` times the position of the vertex at `time`. A vertex without a position adds
// nothing.
static void add_vertex(const fracas_scene* scene, fracas_body body, uint32_t vertex, double time,
                       double weight, double sum[3]) {
    double t0[3], t1[3];
    if (fracas_scene_get_vertex(scene, body, vertex, t0, t1) != FRACAS_OK) return;
    add_scaled(sum, t0, weight * (1 - time));
    add_scaled(sum, t1, weight * time);
}

// Add the position of the contact to `point`.
static void locate(const fracas_scene* scene, const fracas_contact* c,
                   const fracas_intersection* where, double point[3]) {
    switch (c->kind) {
    case FRACAS_CONTACT_TT:
    case FRACAS_CONTACT_ET:
        for (uint32_t i = 0; i < where->count; i++)
            add_scaled(point, where->points[i], 1.0 / where->count);
        break;
    case FRACAS_CONTACT_EE:
        add_vertex(scene, c->body_a, c->a[0], c->toi, 1 - c->u, point);
        add_vertex(scene, c->body_a, c->a[1], c->toi, c->u, point);
        break;
    default:
        add_vertex(scene, c->body_a, c->a[0], c->toi, 1, point);
    }
}

// ---- translation

static uint32_t look_up(const uint32_t* map, uint32_t index) { return map ? map[index] : index; }

static void translate_face(const cli_body* body, uint32_t triangle, uint32_t* face, uint32_t* tri,
                           uint32_t* tet, bool* polygons) {
    *tri = look_up(body->triangles, triangle);
    *face = look_up(body->faces, *tri);
    if (body->face_tets) *tet = body->face_tets[*face];
    const uint32_t* offsets = body->face_offsets;
    *polygons |= offsets && offsets[*face + 1] - offsets[*face] != 3;
}

// The smaller index comes first; the parameter `along` runs from the first to the second.
static void translate_edge(const cli_body* body, const uint32_t from[2], uint32_t edge[2],
                           double* along) {
    edge[0] = look_up(body->vertices, from[0]);
    edge[1] = look_up(body->vertices, from[1]);
    if (edge[0] < edge[1]) return;
    uint32_t larger = edge[0];
    edge[0] = edge[1];
    edge[1] = larger;
    *along = 1 - *along;
}

static void translate_features(const cli_body* a, const cli_body* b, const fracas_contact* from,
                               cli_contact* c) {
    double unused = 0;
    switch (from->kind) {
    case FRACAS_CONTACT_TT:
        translate_face(a, from->a[0], &c->a[0], &c->a_tri, &c->a_tet, &c->polygons);
        break;
    case FRACAS_CONTACT_ET:
        translate_edge(a, from->a, c->a, &unused);
        break;
    case FRACAS_CONTACT_EE:
        translate_edge(a, from->a, c->a, &c->u);
        break;
    default:
        c->a[0] = look_up(a->vertices, from->a[0]);
    }
    switch (from->kind) {
    case FRACAS_CONTACT_TT:
    case FRACAS_CONTACT_ET:
    case FRACAS_CONTACT_VF:
        translate_face(b, from->b[0], &c->b[0], &c->b_tri, &c->b_tet, &c->polygons);
        break;
    case FRACAS_CONTACT_EE:
        translate_edge(b, from->b, c->b, &c->v);
        break;
    case FRACAS_CONTACT_VE:
        translate_edge(b, from->b, c->b, &c->u);
        break;
    case FRACAS_CONTACT_VV:
        c->b[0] = look_up(b->vertices, from->b[0]);
        break;
    }
}

// ---- order

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static void swap_numbers(uint32_t* a, uint32_t* b) {
    uint32_t kept = *a;
    *a = *b, *b = kept;
}

// If both sides are of the same kind of feature, the smaller comes first. The normal points from b
// to a, so it is negated by a swap.
static void order_sides(cli_contact* c) {
    bool equal_kinds = c->kind == FRACAS_CONTACT_TT || c->kind == FRACAS_CONTACT_EE ||
                       c->kind == FRACAS_CONTACT_VV;
    if (!equal_kinds) return;
    int order = compare_numbers(c->body_a, c->body_b);
    for (int i = 0; i < 2 && !order; i++) order = compare_numbers(c->a[i], c->b[i]);
    if (!order) order = compare_numbers(c->a_tri, c->b_tri);
    if (order <= 0) return;
    swap_numbers(&c->body_a, &c->body_b);
    swap_numbers(&c->a[0], &c->b[0]);
    swap_numbers(&c->a[1], &c->b[1]);
    swap_numbers(&c->a_tri, &c->b_tri);
    swap_numbers(&c->a_tet, &c->b_tet);
    double u = c->u;
    c->u = c->v, c->v = u;
    for (int i = 0; i < 3; i++) c->normal[i] = -c->normal[i];
}

static int compare_contacts(const void* left, const void* right) {
    const cli_contact *a = left, *b = right;
    int order = compare_numbers((uint32_t)a->kind, (uint32_t)b->kind);
    if (!order) order = compare_numbers(a->body_a, b->body_a);
    if (!order) order = compare_numbers(a->body_b, b->body_b);
    for (int i = 0; i < 2 && !order; i++) order = compare_numbers(a->a[i], b->a[i]);
    for (int i = 0; i < 2 && !order; i++) order = compare_numbers(a->b[i], b->b[i]);
    if (!order) order = compare_numbers(a->a_tri, b->a_tri);
    return order ? order : compare_numbers(a->b_tri, b->b_tri);
}

void cli_contacts_sort(cli_contact* contacts, size_t count) {
    if (count > 1) qsort(contacts, count, sizeof *contacts, compare_contacts);
}

// Places from 0 on in the new order.
static void number_places(cli_contact* contacts, size_t count, uint32_t place_count) {
    uint32_t* numbers = cli_allocate(place_count, sizeof *numbers);  // plus 1
    uint32_t next = 0;
    for (size_t i = 0; i < count; i++) {
        if (contacts[i].place == FRACAS_NONE) continue;
        uint32_t* number = &numbers[contacts[i].place];
        if (*number == 0) *number = ++next;
        contacts[i].place = *number - 1;
    }
    free(numbers);
}

// All but the features is unset.
static cli_contact empty_contact(int kind, uint32_t body_a, uint32_t body_b) {
    return (cli_contact){
        .kind = kind,
        .body_a = body_a,
        .body_b = body_b,
        .a = {FRACAS_NONE, FRACAS_NONE},
        .b = {FRACAS_NONE, FRACAS_NONE},
        .a_tri = FRACAS_NONE,
        .b_tri = FRACAS_NONE,
        .a_tet = FRACAS_NONE,
        .b_tet = FRACAS_NONE,
        .place = FRACAS_NONE
    };
}

// Translate one contact; `places` maps the index of a handle to the body.
static cli_contact translate(const cli_body* bodies, const uint32_t* places,
                             const fracas_contact* from) {
    cli_contact c =
        empty_contact(from->kind, places[from->body_a.index], places[from->body_b.index]);
    c.toi = from->toi, c.u = from->u, c.v = from->v;
    memcpy(c.normal, from->normal, sizeof c.normal);
    translate_features(&bodies[c.body_a], &bodies[c.body_b], from, &c);
    order_sides(&c);
    return c;
}

cli_contact cli_contact_inside(const fracas_scene* scene, const cli_body* bodies,
                               const uint32_t* place_of, uint32_t step,
                               const fracas_inside* inside) {
    const uint32_t a = place_of[inside->inner.index];
    cli_contact c = empty_contact(CLI_INSIDE, a, place_of[inside->outer.index]);
    c.step = step;
    c.a[0] = look_up(bodies[a].vertices, inside->vertex);
    c.parts = inside->parts;
    add_vertex(scene, inside->inner, inside->vertex, 1, 1, c.point);
    return c;
}

uint32_t* cli_places_of(const cli_body* bodies, uint32_t body_count) {
    uint32_t largest = 0;
    for (uint32_t i = 0; i < body_count; i++)
        if (bodies[i].handle.index > largest) largest = bodies[i].handle.index;
    uint32_t* places = cli_allocate((size_t)largest + 1, sizeof *places);
    for (uint32_t i = 0; i < body_count; i++) places[bodies[i].handle.index] = i;
    return places;
}

cli_contact* cli_contacts_translate(const fracas_scene* scene, const cli_body* bodies,
                                    uint32_t body_count, uint32_t step,
                                    const fracas_contact* contacts, size_t count,
                                    const fracas_intersections_view* where) {
    cli_contact* result = cli_allocate(count, sizeof *result);
    uint32_t* places = cli_places_of(bodies, body_count);
    for (size_t i = 0; i < count; i++) {
        result[i] = translate(bodies, places, &contacts[i]);
        result[i].step = step;
        if (where->count > 0) {
            result[i].where = where->data[i];
            result[i].place = where->places[i];
        }
        locate(scene, &contacts[i], &result[i].where, result[i].point);
    }
    free(places);
    cli_contacts_sort(result, count);
    number_places(result, count, where->place_count);
    return result;
}
