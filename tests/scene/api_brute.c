// Contacts of the model: exact tests of all pairs of features.
#include "api_model.h"
#include "geom/separation.h"
#include "geom/tri_tri.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct vertex_ref {
    uint32_t body, number;
    uint64_t order;  // index of the body, and vertex number
    bool is_free;    // a free point
} vertex_ref;

typedef struct edge_ref {
    vertex_ref end[2];  // the smaller vertex number first
    bool is_free;       // a free edge
} edge_ref;

typedef struct face_ref {
    vertex_ref corner[3];
    uint32_t body, number;
} face_ref;

enum { MOST = MODEL_BODIES * MODEL_TRIANGLES };

typedef struct brute {
    const model* m;
    const fracas_query* query;
    bool boxes;
    bool nearby;   // at t = 1, within `reach`
    double reach;  // continuous; reach 0 means touching
    model_contacts* out;
    uint32_t vertex_count, edge_count, face_count;
    vertex_ref vertices[MODEL_BODIES * MODEL_VERTICES];
    edge_ref edges[3 * MOST];
    face_ref faces[MOST];
} brute;

// ---- features

static vertex_ref make_ref(const brute* b, uint32_t body, uint32_t number) {
    const uint64_t index = b->m->bodies[body].handle.index;
    return (vertex_ref){body, number, index << 32 | number, false};
}

static void add_edge(brute* b, uint32_t first, uint32_t body, uint32_t x, uint32_t y,
                     bool is_free) {
    if (x == y) return;
    for (uint32_t i = first; i < b->edge_count; i++) {
        const vertex_ref* e = b->edges[i].end;
        if ((e[0].number == x && e[1].number == y) || (e[0].number == y && e[1].number == x))
            return;
    }
    vertex_ref p = make_ref(b, body, x), q = make_ref(b, body, y);
    b->edges[b->edge_count++] = p.order < q.order ? (edge_ref){
                                                 {p, q},
                                                 is_free
    }
                                           : (edge_ref){{q, p}, is_free};
}

static void add_features(brute* b, uint32_t place) {
    const model_body* body = &b->m->bodies[place];
    bool of_triangle[MODEL_VERTICES] = {0}, used[MODEL_VERTICES] = {0};
    bool is_point[MODEL_VERTICES] = {0};
    uint32_t first = b->edge_count;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        if (!body->triangles[t].there) continue;
        const uint32_t* c = body->triangles[t].corner;
        face_ref* f = &b->faces[b->face_count++];
        f->body = place;
        f->number = t;
        for (int k = 0; k < 3; k++) {
            f->corner[k] = make_ref(b, place, c[k]);
            of_triangle[c[k]] = used[c[k]] = true;
            add_edge(b, first, place, c[k], c[(k + 1) % 3], false);
        }
    }
    for (uint32_t i = 0; i < body->edge_count; i++) {
        add_edge(b, first, place, body->edges[i][0], body->edges[i][1], true);
        used[body->edges[i][0]] = used[body->edges[i][1]] = true;
    }
    for (uint32_t i = 0; i < body->point_count; i++)
        is_point[body->points[i]] = used[body->points[i]] = true;
    for (uint32_t v = 0; v < body->vertex_count; v++) {
        if (!used[v]) continue;
        vertex_ref* ref = &b->vertices[b->vertex_count++];
        *ref = make_ref(b, place, v);
        ref->is_free = is_point[v] && !of_triangle[v];
    }
}

static bool meet(const brute* b, uint32_t x, uint32_t y) {
    const fracas_body_options *ox = &b->m->bodies[x].options, *oy = &b->m->bodies[y].options;
    if (x == y) return ox->self_collision;
    return (ox->group & oy->mask) && (oy->group & ox->mask);
}

static const model_vertex* vertex(const brute* b, vertex_ref r) {
    return &b->m->bodies[r.body].vertices[r.number];
}

static bool same_vertex(vertex_ref a, vertex_ref b) {
    return a.body == b.body && a.number == b.number;
}

static bool share(const vertex_ref* a, int a_count, const vertex_ref* b, int b_count) {
    for (int i = 0; i < a_count; i++)
        for (int j = 0; j < b_count; j++)
            if (same_vertex(a[i], b[j])) return true;
    return false;
}

// Whether the boxes of both features, over the ends from `begin` to 1, are disjoint along some
// axis.
static bool boxes_apart(const brute* b, const vertex_ref* x, int x_count, const vertex_ref* y,
                        int y_count, int begin) {
    double margin = begin == 0 ? b->reach * 1.001 : 0;
    for (int k = 0; k < 3; k++) {
        double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < x_count + y_count; i++) {
            int side = i >= x_count;
            const model_vertex* v = vertex(b, side ? y[i - x_count] : x[i]);
            for (int end = begin; end < 2; end++) {
                if (v->at[end][k] < lo[side]) lo[side] = v->at[end][k];
                if (v->at[end][k] > hi[side]) hi[side] = v->at[end][k];
            }
        }
        if (lo[0] > hi[1] + margin || lo[1] > hi[0] + margin) return true;
    }
    return false;
}

// ---- siblings

typedef enum kinship { STRANGERS, SEPARATING, TOGETHER } kinship;

static kinship vertex_kinship(const brute* b, vertex_ref x, vertex_ref y) {
    const model_vertex *v = vertex(b, x), *w = vertex(b, y);
    if (same_vertex(x, y)) return STRANGERS;
    if (b->query->siblings == FRACAS_SIBLINGS_REPORT || !v->family || v->family != w->family)
        return STRANGERS;
    if (b->query->siblings == FRACAS_SIBLINGS_IGNORE) return TOGETHER;
    if (v->together != w->together) return STRANGERS;
    for (int k = 0; k < 3; k++)
        if (v->at[0][k] != w->at[0][k]) return STRANGERS;
    for (int k = 0; k < 3; k++)
        if (v->at[1][k] != w->at[1][k]) return SEPARATING;
    return TOGETHER;
}

static kinship closest_kin(const brute* b, const vertex_ref* x, int x_count, const vertex_ref* y,
                           int y_count) {
    kinship closest = STRANGERS;
    for (int i = 0; i < x_count; i++)
        for (int j = 0; j < y_count; j++) {
            kinship k = vertex_kinship(b, x[i], y[j]);
            if (k > closest) closest = k;
        }
    return closest;
}

// ---- contacts

static void add_contact(brute* b, const fracas_contact* c) {
    model_contacts* out = b->out;
    if (out->count == out->capacity) {
        out->capacity = 2 * out->capacity + 64;
        out->data = realloc(out->data, out->capacity * sizeof *out->data);
        MODEL_REQUIRE(out->data, "no memory");
    }
    out->data[out->count++] = *c;
}

static fracas_contact blank(const brute* b, fracas_contact_kind kind, uint32_t x, uint32_t y) {
    fracas_contact c;
    memset(&c, 0, sizeof c);
    c.kind = kind;
    c.body_a = b->m->bodies[x].handle;
    c.body_b = b->m->bodies[y].handle;
    c.a[0] = c.a[1] = c.b[0] = c.b[1] = FRACAS_NONE;
    return c;
}

// For features of equal kind the smaller (body, index) comes first.
static void order(fracas_contact* c) {
    bool ordered = c->body_a.index != c->body_b.index ? c->body_a.index < c->body_b.index
                   : c->a[0] != c->b[0]               ? c->a[0] < c->b[0]
                                                      : c->a[1] <= c->b[1];
    if (ordered) return;
    fracas_contact t = *c;
    c->body_a = t.body_b, c->body_b = t.body_a;
    memcpy(c->a, t.b, sizeof c->a);
    memcpy(c->b, t.a, sizeof c->b);
    c->u = t.v, c->v = t.u;
    for (int k = 0; k < 3; k++) c->normal[k] = 0 - t.normal[k];
}

static void name_edge(const vertex_ref end[2], uint32_t out[2], double* along) {
    bool turned = end[0].number > end[1].number;
    out[0] = end[turned].number;
    out[1] = end[!turned].number;
    if (turned) *along = 1 - *along;
}

// ---- continuous

static bool test(const brute* b, frc_ccd_kind kind, const vertex_ref refs[4], bool after_start,
                 fracas_contact* c) {
    frc_point points[4];
    for (int i = 0; i < 4; i++) {
        const model_vertex* v = vertex(b, refs[i]);
        points[i] = (frc_point){
            {v->at[0][0],  v->at[1][0]},
            {v->at[0][1],            v->at[1][1]},
            {v->at[0][2],v->at[1][2]},
            {0 }
        };
    }
    frc_ccd_options options = {.tolerance = b->query->tolerance, .after_start = after_start};
    frc_ccd_hit hit = {0};
    frc_closest closest;
    if (b->nearby) {
        if (!frc_separation_static(kind, points, b->reach, &closest)) return false;
        c->distance = closest.distance;
        hit.u = closest.u, hit.v = closest.v;
        memcpy(hit.normal, closest.normal, sizeof hit.normal);
    } else if (b->reach > 0) {
        if (!frc_separation_ccd(kind, points, b->reach, b->query->tolerance, &hit)) return false;
    } else if (!frc_ccd_one(kind, points, &options, &hit)) {
        return false;
    }
    c->toi = hit.toi, c->u = hit.u, c->v = hit.v;
    memcpy(c->normal, hit.normal, sizeof c->normal);
    return true;
}

// Applies the rules for siblings to a pair, then tests it.
static bool decide(brute* b, frc_ccd_kind kind, const vertex_ref refs[4], fracas_contact* c) {
    int a_count = kind == FRC_CCD_VF ? 1 : 2;
    if (share(refs, a_count, refs + a_count, 4 - a_count)) return false;
    kinship kin = closest_kin(b, refs, a_count, refs + a_count, 4 - a_count);
    if (kin == STRANGERS && b->boxes &&
        boxes_apart(b, refs, a_count, refs + a_count, 4 - a_count, 0))
        return false;
    // Siblings that separate are within any distance of each other at first: tested only without a
    // distance.
    if (kin == SEPARATING && b->reach > 0) kin = TOGETHER;
    bool hit = kin != TOGETHER && test(b, kind, refs, kin == SEPARATING, c);
    if (!hit && kin != STRANGERS) b->out->left_out++;
    return hit;
}

static void try_vf(brute* b, vertex_ref v, const face_ref* f) {
    vertex_ref refs[4] = {v, f->corner[0], f->corner[1], f->corner[2]};
    fracas_contact c = blank(b, FRACAS_CONTACT_VF, v.body, f->body);
    if (!decide(b, FRC_CCD_VF, refs, &c)) return;
    c.a[0] = v.number;
    c.b[0] = f->number;
    add_contact(b, &c);
}

static void try_ee(brute* b, const edge_ref* x, const edge_ref* y) {
    if (y->end[0].order < x->end[0].order) {
        const edge_ref* t = x;
        x = y, y = t;
    }
    vertex_ref refs[4] = {x->end[0], x->end[1], y->end[0], y->end[1]};
    fracas_contact c = blank(b, FRACAS_CONTACT_EE, x->end[0].body, y->end[0].body);
    if (!decide(b, FRC_CCD_EE, refs, &c)) return;
    name_edge(x->end, c.a, &c.u);
    name_edge(y->end, c.b, &c.v);
    order(&c);
    add_contact(b, &c);
}

static void try_ve(brute* b, vertex_ref v, const edge_ref* e) {
    vertex_ref refs[4] = {v, e->end[0], e->end[1], e->end[1]};
    fracas_contact c = blank(b, FRACAS_CONTACT_VE, v.body, e->end[0].body);
    if (!decide(b, FRC_CCD_VF, refs, &c)) return;
    c.a[0] = v.number;
    c.u = c.u + c.v, c.v = 0;
    name_edge(e->end, c.b, &c.u);
    add_contact(b, &c);
}

static void try_vv(brute* b, vertex_ref v, vertex_ref w) {
    vertex_ref low = v.order < w.order ? v : w, high = v.order < w.order ? w : v;
    vertex_ref refs[4] = {low, high, high, high};
    fracas_contact c = blank(b, FRACAS_CONTACT_VV, low.body, high.body);
    if (!decide(b, FRC_CCD_VF, refs, &c)) return;
    c.u = c.v = 0;
    c.a[0] = low.number;
    c.b[0] = high.number;
    order(&c);
    add_contact(b, &c);
}

static void all_continuous(brute* b) {
    for (uint32_t i = 0; i < b->vertex_count; i++) {
        vertex_ref v = b->vertices[i];
        for (uint32_t j = 0; j < b->face_count; j++)
            if (meet(b, v.body, b->faces[j].body)) try_vf(b, v, &b->faces[j]);
        for (uint32_t j = 0; j < b->edge_count && v.is_free; j++)
            if (b->edges[j].is_free && meet(b, v.body, b->edges[j].end[0].body))
                try_ve(b, v, &b->edges[j]);
        for (uint32_t j = i + 1; j < b->vertex_count && v.is_free; j++)
            if (b->vertices[j].is_free && meet(b, v.body, b->vertices[j].body))
                try_vv(b, v, b->vertices[j]);
    }
    for (uint32_t i = 0; i < b->edge_count; i++)
        for (uint32_t j = i + 1; j < b->edge_count; j++)
            if (meet(b, b->edges[i].end[0].body, b->edges[j].end[0].body))
                try_ee(b, &b->edges[i], &b->edges[j]);
}

// ---- discrete

// A number for each of the six corners: siblings that stay together are one vertex, also within one
// triangle.
static void number_corners(const brute* b, const vertex_ref corners[6], uint32_t out[6]) {
    for (uint32_t i = 0; i < 6; i++) {
        out[i] = i;
        for (uint32_t j = i; j-- > 0;)
            if (same_vertex(corners[i], corners[j]) ||
                vertex_kinship(b, corners[i], corners[j]) == TOGETHER)
                out[i] = j;
    }
}

// `x` may be an edge, with its second end repeated.
static bool hulls_meet(brute* b, const vertex_ref x[3], const vertex_ref y[3]) {
    const vertex_ref corners[6] = {x[0], x[1], x[2], y[0], y[1], y[2]};
    bool kin = closest_kin(b, x, 3, y, 3) == TOGETHER;
    if (!kin && b->boxes && boxes_apart(b, x, 3, y, 3, 1)) return false;
    double p[6][3];
    uint32_t number[6];
    number_corners(b, corners, number);
    for (int i = 0; i < 6; i++) {
        memcpy(p[i], vertex(b, corners[i])->at[1], sizeof p[i]);
        if (!kin) number[i] = corners[i].body * MODEL_VERTICES + corners[i].number;
    }
    bool hit =
        !(kin && b->query->siblings == FRACAS_SIBLINGS_IGNORE) &&
        frc_tri_tri_mesh((const double(*)[3])p, number, (const double(*)[3])(p + 3), number + 3);
    if (kin && !hit) b->out->left_out++;
    return hit;
}

static void all_discrete(brute* b) {
    for (uint32_t i = 0; i < b->face_count; i++)
        for (uint32_t j = i + 1; j < b->face_count; j++) {
            const face_ref *x = &b->faces[i], *y = &b->faces[j];
            if (!meet(b, x->body, y->body) || !hulls_meet(b, x->corner, y->corner)) continue;
            fracas_contact c = blank(b, FRACAS_CONTACT_TT, x->body, y->body);
            c.a[0] = x->number;
            c.b[0] = y->number;
            order(&c);
            add_contact(b, &c);
        }
    for (uint32_t i = 0; i < b->edge_count; i++)
        for (uint32_t j = 0; j < b->face_count && b->edges[i].is_free; j++) {
            const vertex_ref* e = b->edges[i].end;
            const face_ref* f = &b->faces[j];
            const vertex_ref flat[3] = {e[0], e[1], e[1]};
            if (!meet(b, e[0].body, f->body) || !hulls_meet(b, flat, f->corner)) continue;
            fracas_contact c = blank(b, FRACAS_CONTACT_ET, e[0].body, f->body);
            double unused = 0;
            name_edge(e, c.a, &unused);
            c.b[0] = f->number;
            add_contact(b, &c);
        }
}

// ---- entry points

static int compare(const void* x, const void* y) {
    const fracas_contact *a = x, *b = y;
    const uint32_t wa[7] = {(uint32_t)a->kind, a->body_a.index, a->body_b.index, a->a[0],
                            a->a[1],           a->b[0],         a->b[1]};
    const uint32_t wb[7] = {(uint32_t)b->kind, b->body_a.index, b->body_b.index, b->a[0],
                            b->a[1],           b->b[0],         b->b[1]};
    for (int i = 0; i < 7; i++)
        if (wa[i] != wb[i]) return wa[i] < wb[i] ? -1 : 1;
    return 0;
}

// Keeps the earliest contact, or the smallest of equal ones; discrete contacts only if there is no
// other.
static void keep_first(model_contacts* out) {
    const fracas_contact* best = NULL;
    for (size_t i = 0; i < out->count; i++) {
        const fracas_contact* c = &out->data[i];
        bool timed = c->kind >= FRACAS_CONTACT_VF,
             best_timed = best && best->kind >= FRACAS_CONTACT_VF;
        if (!best || (timed && !best_timed) || (timed && c->toi < best->toi)) best = c;
    }
    if (!best) return;
    out->data[0] = *best;
    out->count = 1;
}

static brute* create_brute(const model* m, const fracas_query* query, bool boxes,
                           model_contacts* out) {
    brute* b = calloc(1, sizeof *b);
    MODEL_REQUIRE(b, "no memory");
    b->m = m, b->query = query, b->boxes = boxes, b->out = out;
    out->count = 0;
    out->left_out = 0;
    for (uint32_t i = 0; i < MODEL_BODIES; i++)
        if (m->bodies[i].there) add_features(b, i);
    return b;
}

void model_nearby(const model* m, double distance, bool boxes, model_contacts* out) {
    fracas_query query = fracas_scene_default_query();
    query.siblings = FRACAS_SIBLINGS_REPORT;
    brute* b = create_brute(m, &query, boxes, out);
    b->nearby = true;
    b->reach = distance;
    all_continuous(b);
    if (out->count) qsort(out->data, out->count, sizeof *out->data, compare);
    free(b);
}

void model_detect(const model* m, const fracas_query* query, bool boxes, model_contacts* out) {
    brute* b = create_brute(m, query, boxes, out);
    b->reach = query->min_separation;
    if (query->modes & FRACAS_MODE_DISCRETE) all_discrete(b);
    if (query->modes & FRACAS_MODE_CONTINUOUS) all_continuous(b);
    if (out->count) qsort(out->data, out->count, sizeof *out->data, compare);
    if (query->first) keep_first(out);
    free(b);
}

void model_contacts_release(model_contacts* contacts) {
    free(contacts->data);
    *contacts = (model_contacts){0};
}
