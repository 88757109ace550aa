/// @file make_contact.c  Make a contact, in the caller's numbers, from a pair of features.
#include "detect/make_contact.h"
#include "detect/pair_filter.h"
#include "geom/closest_features.h"

static fracas_body name_body(const frc_world* world, uint32_t body) {
    return (fracas_body){body + 1, world->bodies[body].generation};
}

static fracas_body body_of(const frc_world* world, uint32_t point) {
    return name_body(world, world->topology->points.data[point].tag[FRC_TAG_BODY]);
}

static uint32_t number_of(const frc_world* world, uint32_t point) {
    return world->topology->points.data[point].tag[FRC_TAG_NUMBER];
}

static void add_contact(frc_detect_worker* worker, const fracas_contact* contact) {
    const frc_pair_filter* filter = worker->world->filter;
    if (filter && filter->keep && !filter->keep(contact, filter->user)) {
        worker->statistics.left_out++;
        return;
    }
    worker->statistics.contacts[contact->kind]++;
    if (!frc_contact_buffer_add(worker->world->context, &worker->found, contact))
        worker->out_of_memory = true;
}

// The smaller vertex number first; `along` is the parameter on the edge.
static void set_edge(const frc_world* world, const uint32_t point[2], uint32_t out[2],
                     double* along) {
    out[0] = number_of(world, point[0]);
    out[1] = number_of(world, point[1]);
    if (out[0] > out[1]) {
        uint32_t t = out[0];
        out[0] = out[1], out[1] = t;
        *along = 1 - *along;
    }
}

// Swap the sides unless a has the smaller (body, indices).
static void order_sides(fracas_contact* c) {
    bool swap = c->body_a.index != c->body_b.index ? c->body_a.index > c->body_b.index
                : c->a[0] != c->b[0]               ? c->a[0] > c->b[0]
                                                   : c->a[1] > c->b[1];
    if (!swap) return;
    fracas_body body = c->body_a;
    c->body_a = c->body_b, c->body_b = body;
    for (int i = 0; i < 2; i++) {
        uint32_t t = c->a[i];
        c->a[i] = c->b[i], c->b[i] = t;
    }
    double u = c->u;
    c->u = c->v, c->v = u;
    for (int k = 0; k < 3; k++) c->normal[k] = 0 - c->normal[k];
}

static fracas_contact blank_contact(fracas_contact_kind kind) {
    return (fracas_contact){
        .kind = kind, .a = {FRACAS_NONE, FRACAS_NONE},
             .b = {FRACAS_NONE, FRACAS_NONE}
    };
}

// False: the lists of the scene's filter leave the pair out.
static bool is_allowed(frc_detect_worker* worker, const uint32_t* a, uint32_t a_count,
                       const uint32_t* b, uint32_t b_count) {
    const frc_world* world = worker->world;
    frc_feature_pair pair = {.a_count = a_count, .b_count = b_count};
    if (!world->filter) return true;
    memcpy(pair.a, a, a_count * sizeof *a);
    memcpy(pair.b, b, b_count * sizeof *b);
    if (frc_pair_filter_allows(world->filter, world->topology, &pair)) return true;
    worker->statistics.left_out++;
    return false;
}

void frc_add_tt_contact(frc_detect_worker* worker, const uint32_t face[2],
                        const frc_tri_pair* pair) {
    const frc_world* world = worker->world;
    if (!is_allowed(worker, pair->a, 3, pair->b, 3)) return;
    fracas_contact c =
        blank_contact(face[0] == FRACAS_NONE ? FRACAS_CONTACT_ET : FRACAS_CONTACT_TT);
    const frc_triangle* b = &world->topology->triangles.data[face[1]];
    c.body_b = name_body(world, b->body);
    c.b[0] = b->number;
    double unused = 0;
    if (c.kind == FRACAS_CONTACT_ET) {
        c.body_a = body_of(world, pair->a[0]);
        set_edge(world, pair->a, c.a, &unused);
    } else {
        const frc_triangle* a = &world->topology->triangles.data[face[0]];
        c.body_a = name_body(world, a->body);
        c.a[0] = a->number;
        order_sides(&c);
    }
    add_contact(worker, &c);
}

// Which parts are closest at the end of the step.
static fracas_closest_type closest_type(const frc_world* world, frc_ccd_kind kind,
                                        const frc_ccd_pair* pair, const frc_ccd_hit* hit) {
    double at[4][3];
    frc_closest_features features;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            at[i][k] = frc_point_axis(&world->topology->points.data[pair->point[i]], k)[1];
    frc_closest_features_find(kind, at, hit->u, hit->v, &features);
    return features.type;
}

void frc_add_ccd_contact(frc_detect_worker* worker, frc_ccd_kind kind, const frc_ccd_pair* pair,
                         uint32_t face, const frc_ccd_hit* hit, double distance) {
    const frc_world* world = worker->world;
    fracas_contact c = blank_contact(kind == FRC_CCD_VF ? FRACAS_CONTACT_VF : FRACAS_CONTACT_EE);
    const uint32_t a_count = kind == FRC_CCD_VF ? 1 : 2, b_count = 4 - a_count;
    if (!is_allowed(worker, pair->point, a_count, pair->point + a_count, b_count)) return;
    c.toi = hit->toi;
    c.u = hit->u;
    c.v = hit->v;
    for (int k = 0; k < 3; k++) c.normal[k] = hit->normal[k];
    c.distance = distance;
    c.body_a = body_of(world, pair->point[0]);
    c.body_b = body_of(world, pair->point[kind == FRC_CCD_VF ? 1 : 2]);
    if (kind == FRC_CCD_EE) {
        set_edge(world, &pair->point[0], c.a, &c.u);
        set_edge(world, &pair->point[2], c.b, &c.v);
        order_sides(&c);
    } else {
        c.a[0] = number_of(world, pair->point[0]);
        if (face != FRACAS_NONE) {
            c.b[0] = world->topology->triangles.data[face].number;
        } else if (pair->point[1] != pair->point[3]) {
            // An edge (a, b) as the triangle (a, b, b).
            c.kind = FRACAS_CONTACT_VE;
            c.u = c.u + c.v, c.v = 0;
            set_edge(world, &pair->point[1], c.b, &c.u);
        } else {
            // A point as a triangle with three equal corners.
            c.kind = FRACAS_CONTACT_VV;
            c.u = c.v = 0;
            c.b[0] = number_of(world, pair->point[1]);
            order_sides(&c);
        }
    }
    if (worker->search == FRC_SEARCH_NEARBY) c.closest = closest_type(world, kind, pair, hit);
    add_contact(worker, &c);
}
