/// @file collapse.c  Simplification of a medial mesh by edge collapses, cheapest first.
#include "fracas/contact.h"
#include "geom/vec3.h"
#include "medial_mesh/build.h"
#include <string.h>

#define EXACT 5e-5  // a mean distance, as a part of the diagonal

// A candidate; valid while the edge has this version.
typedef struct candidate {
    double cost;
    uint32_t edge, version;
} candidate;

typedef struct collapser {
    frc_medial_build* b;
    frc_complex* c;
    FRC_ARRAY(candidate) heap;
    uint32_t* mark;  // by vertex: a stamp
    uint32_t stamp;
    double least_weight;
} collapser;

// ---- the heap

static bool before(const candidate* a, const candidate* b) {
    return a->cost < b->cost || (a->cost == b->cost && a->edge < b->edge);
}

static bool push(collapser* s, candidate item) {
    if (!FRC_ARRAY_PUSH(s->b->context, &s->heap, item)) return false;
    size_t at = s->heap.count - 1;
    for (; at > 0 && before(&item, &s->heap.data[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap.data[at] = s->heap.data[(at - 1) / 2];
    s->heap.data[at] = item;
    return true;
}

static candidate pop(collapser* s) {
    const candidate top = s->heap.data[0], item = s->heap.data[--s->heap.count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < s->heap.count; at = child) {
        child +=
            child + 1 < s->heap.count && before(&s->heap.data[child + 1], &s->heap.data[child]);
        if (!before(&s->heap.data[child], &item)) break;
        s->heap.data[at] = s->heap.data[child];
    }
    s->heap.data[at] = item;
    return top;
}

// ---- the sphere of a collapsed edge

// Solve (a + shift I) x = b + shift near by Cholesky; a is positive semi-definite.
static bool solve4(const double a[10], const double b[4], double shift, const double near[4],
                   double x[4]) {
    double l[4][4], y[4];
    for (int i = 0, n = 0; i < 4; i++)
        for (int k = i; k < 4; k++) l[k][i] = a[n++] + (i == k ? shift : 0);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k <= i; k++) {
            double sum = l[i][k];
            for (int m = 0; m < k; m++) sum -= l[i][m] * l[k][m];
            if (i > k) {
                l[i][k] = sum / l[k][k];
            } else {
                if (!(sum > 0)) return false;
                l[i][i] = sqrt(sum);
            }
        }
        y[i] = b[i] + shift * near[i];
        for (int m = 0; m < i; m++) y[i] -= l[i][m] * y[m];
        y[i] /= l[i][i];
    }
    for (int i = 3; i >= 0; i--) {
        x[i] = y[i];
        for (int m = i + 1; m < 4; m++) x[i] -= l[m][i] * x[m];
        x[i] /= l[i][i];
    }
    return true;
}

// The sphere with the least error, drawn a little to the better end where the error is flat.
static double best_sphere(const frc_sphere_quadric* q, const double* u, const double* v,
                          double out[4]) {
    double near[4], middle[4], x[4];
    for (int k = 0; k < 4; k++) middle[k] = 0.5 * (u[k] + v[k]);
    double least = frc_quadric_error(q, u);
    memcpy(near, u, sizeof near);
    const double* const others[2] = {v, middle};
    for (int i = 0; i < 2; i++) {
        const double error = frc_quadric_error(q, others[i]);
        if (error < least) least = error, memcpy(near, others[i], sizeof near);
    }
    memcpy(out, near, sizeof near);
    if (!solve4(q->a, q->b, 1e-3 * q->weight + 1e-300, near, x)) return least;
    if (!(x[3] >= 0)) return least;
    const double error = frc_quadric_error(q, x);
    if (error <= least) memcpy(out, x, sizeof x), least = error;
    return least;
}

// How much the edge is needed for the shape: 0 when one sphere contains the other, 1 when they have
// the same radius.
static double stability(const double* u, const double* v) {
    double d[3];
    frc_vec3_subtract(u, v, d);
    const double length = sqrt(frc_vec3_dot(d, d)), growth = fabs(u[3] - v[3]);
    return length > growth ? (length - growth) / length : 0;
}

static double cost_of(const collapser* s, uint32_t edge, double sphere[4]) {
    const uint32_t* end = s->c->edges.data[edge].end;
    const frc_medial_vertex *u = &s->c->vertices.data[end[0]], *v = &s->c->vertices.data[end[1]];
    frc_sphere_quadric q = u->quadric;
    frc_quadric_add(&q, &v->quadric);
    const double error = best_sphere(&q, u->sphere, v->sphere, sphere);
    const double ratio = stability(u->sphere, v->sphere);
    const double d2 = s->b->diagonal * s->b->diagonal;
    return (error + 1e-5 * d2 * q.weight) / sqrt(q.weight + s->least_weight) * ratio * ratio;
}

static bool push_edge(collapser* s, uint32_t edge) {
    double sphere[4];
    frc_medial_edge* e = &s->c->edges.data[edge];
    return push(s, (candidate){cost_of(s, edge, sphere), edge, ++e->version});
}

// ---- topology

static bool is_dead(const frc_medial_edge* e) { return e->version == FRACAS_NONE; }

#define FOR_EDGES(c, v, n)                                                                         \
    for (uint32_t n = (c)->vertices.data[v].first_edge; n != FRACAS_NONE;                          \
         n = (c)->edges.data[n / 2].next[n % 2])
#define FOR_CORNERS(c, v, n)                                                                       \
    for (uint32_t n = (c)->vertices.data[v].first_corner; n != FRACAS_NONE;                        \
         n = (c)->triangles.data[n / 3].next[n % 3])

// Unlink the dead from the lists of a vertex.
static void clean(frc_complex* c, uint32_t v) {
    uint32_t* link = &c->vertices.data[v].first_edge;
    while (*link != FRACAS_NONE) {
        frc_medial_edge* e = &c->edges.data[*link / 2];
        if (is_dead(e))
            *link = e->next[*link % 2];
        else
            link = &e->next[*link % 2];
    }
    link = &c->vertices.data[v].first_corner;
    while (*link != FRACAS_NONE) {
        frc_medial_triangle* t = &c->triangles.data[*link / 3];
        if (t->dead)
            *link = t->next[*link % 3];
        else
            link = &t->next[*link % 3];
    }
}

// Would a triangle of three edges without a slab have a hole? Not if the circle inside it is
// covered by the cones along the edges.
static bool has_hole(const frc_complex* c, uint32_t a, uint32_t b, uint32_t d) {
    const double* s[3] = {c->vertices.data[a].sphere, c->vertices.data[b].sphere,
                          c->vertices.data[d].sphere};
    double e[3][3], n[3], around = 0;
    for (int i = 0; i < 3; i++) {
        frc_vec3_subtract(s[(i + 1) % 3], s[i], e[i]);
        around += sqrt(frc_vec3_dot(e[i], e[i]));
    }
    frc_vec3_cross(e[0], e[1], n);
    const double radius = sqrt(frc_vec3_dot(n, n)) / around;
    return radius > fmin(s[0][3], fmin(s[1][3], s[2][3]));
}

// The link condition, for loops: a vertex adjacent to both ends is that of a triangle of the edge.
// Surfaces around a void may collapse: demanding the whole condition blocks most edges in the end.
static bool keeps_topology(collapser* s, uint32_t a, uint32_t b) {
    frc_complex* c = s->c;
    const uint32_t near = ++s->stamp, both = ++s->stamp;
    FOR_EDGES(c, a, n) s->mark[c->edges.data[n / 2].end[1 - n % 2]] = near;
    FOR_CORNERS(c, a, n) {
        const frc_medial_triangle* t = &c->triangles.data[n / 3];
        const uint32_t u = t->corner[(n % 3 + 1) % 3], v = t->corner[(n % 3 + 2) % 3];
        if (u == b) s->mark[v] = both;
        if (v == b) s->mark[u] = both;
    }
    FOR_EDGES(c, b, n) {
        const uint32_t d = c->edges.data[n / 2].end[1 - n % 2];
        if (s->mark[d] == near && d != a && has_hole(c, a, b, d)) return false;
    }
    return true;
}

static bool has_triangle(const frc_complex* c, uint32_t a, uint32_t u, uint32_t v) {
    FOR_CORNERS(c, a, n) {
        const frc_medial_triangle* t = &c->triangles.data[n / 3];
        const uint32_t x = t->corner[(n % 3 + 1) % 3], y = t->corner[(n % 3 + 2) % 3];
        if (!t->dead && ((x == u && y == v) || (x == v && y == u))) return true;
    }
    return false;
}

// Vertex b becomes a.
static void merge(collapser* s, uint32_t a, uint32_t b) {
    frc_complex* c = s->c;
    const uint32_t near = ++s->stamp;
    s->mark[a] = near;
    FOR_EDGES(c, a, n) s->mark[c->edges.data[n / 2].end[1 - n % 2]] = near;
    uint32_t last = FRACAS_NONE;
    FOR_EDGES(c, b, n) {
        frc_medial_edge* e = &c->edges.data[n / 2];
        last = n;
        if (s->mark[e->end[1 - n % 2]] == near)
            e->version = FRACAS_NONE;
        else
            e->end[n % 2] = a;
    }
    c->edges.data[last / 2].next[last % 2] = c->vertices.data[a].first_edge;
    c->vertices.data[a].first_edge = c->vertices.data[b].first_edge;
    last = FRACAS_NONE;
    FOR_CORNERS(c, b, n) {
        frc_medial_triangle* t = &c->triangles.data[n / 3];
        const uint32_t u = t->corner[(n % 3 + 1) % 3], v = t->corner[(n % 3 + 2) % 3];
        last = n;
        if (u == a || v == a || has_triangle(c, a, u, v))
            t->dead = true;
        else
            t->corner[n % 3] = a;
    }
    if (last != FRACAS_NONE) {
        c->triangles.data[last / 3].next[last % 3] = c->vertices.data[a].first_corner;
        c->vertices.data[a].first_corner = c->vertices.data[b].first_corner;
    }
    c->vertices.data[b].dead = true;
    c->vertices.data[b].first_edge = c->vertices.data[b].first_corner = FRACAS_NONE;
    c->alive--;
    clean(c, a);
}

static bool collapse(collapser* s, uint32_t edge) {
    frc_complex* c = s->c;
    const uint32_t a = c->edges.data[edge].end[0], b = c->edges.data[edge].end[1];
    clean(c, a), clean(c, b);
    if (!keeps_topology(s, a, b)) return true;  // until the neighbourhood changes
    double sphere[4];
    cost_of(s, edge, sphere);
    memcpy(c->vertices.data[a].sphere, sphere, sizeof sphere);
    frc_quadric_add(&c->vertices.data[a].quadric, &c->vertices.data[b].quadric);
    merge(s, a, b);
    FOR_EDGES(c, a, n) {
        if (!push_edge(s, n / 2)) return false;
    }
    return true;
}

// Does a collapse change the shape by no more than the surface differs from a smooth one?
static bool is_exact(const collapser* s, uint32_t edge) {
    const uint32_t* end = s->c->edges.data[edge].end;
    frc_sphere_quadric q = s->c->vertices.data[end[0]].quadric;
    double sphere[4];
    frc_quadric_add(&q, &s->c->vertices.data[end[1]].quadric);
    const double error = best_sphere(&q, s->c->vertices.data[end[0]].sphere,
                                     s->c->vertices.data[end[1]].sphere, sphere);
    return error <= EXACT * EXACT * s->b->diagonal * s->b->diagonal * q.weight;
}

bool frc_complex_collapse(frc_medial_build* b, uint32_t count) {
    frc_complex* c = &b->complex;
    collapser s = {.b = b, .c = c, .least_weight = b->area / (double)b->samples.count};
    const size_t vertices = c->vertices.count;
    const uint32_t before = c->alive;
    bool ok = true, proceed = true;
    s.mark = frc_allocate_array(b->context, vertices, sizeof *s.mark, &ok);
    if (ok) memset(s.mark, 0, frc_array_size(vertices, sizeof *s.mark));
    for (uint32_t e = 0; ok && e < c->edges.count; e++)
        if (!is_dead(&c->edges.data[e])) ok = push_edge(&s, e);
    while (ok && proceed && s.heap.count > 0) {
        const candidate next = pop(&s);
        if (next.version != c->edges.data[next.edge].version) continue;
        if (c->alive <= count && !is_exact(&s, next.edge)) break;
        ok = collapse(&s, next.edge);
        if (c->alive % 256 == 0)
            proceed = frc_medial_proceed(b, (double)(before - c->alive) / before);
    }
    FRC_ARRAY_RELEASE(b->context, &s.heap);
    frc_release(b->context, s.mark, frc_array_size(vertices, sizeof *s.mark));
    return ok;
}
