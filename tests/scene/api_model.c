// The edits of scene.h on plain arrays.
#include "api_model.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void model_fail(const char* file, int line, const char* what, const char* format, ...) {
    fprintf(stderr, "%s:%d: expected: %s: ", file, line, what);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    abort();
}

model* model_create(void) {
    model* m = calloc(1, sizeof *m);
    MODEL_REQUIRE(m, "no memory");
    return m;
}

void model_destroy(model* m) { free(m); }

uint32_t model_free_place(const model* m) {
    uint32_t i = 0;
    while (i < MODEL_BODIES && m->bodies[i].there) i++;
    return i;
}

uint32_t model_body_count(const model* m) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MODEL_BODIES; i++) count += m->bodies[i].there;
    return count;
}

static void copy3(double to[3], const double from[3]) {
    for (int k = 0; k < 3; k++) to[k] = from[k] + 0.0;
}

// ((r0 x + r1 y) + r2 z) + t, the order documented in scene.h.
static void apply(const fracas_pose* pose, const double p[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        const double* r = &pose->rotation[3 * k];
        out[k] = ((r[0] * p[0] + r[1] * p[1]) + r[2] * p[2]) + pose->translation[k] + 0.0;
    }
}

static void place_vertex(const model_body* body, model_vertex* v) {
    for (int end = 0; end < 2 && body->options.motion == FRACAS_MOTION_RIGID; end++)
        apply(&body->pose[end], v->rest, v->at[end]);
}

// ---- traces

static void trace(model* m, uint32_t body, fracas_element_kind kind, uint32_t index,
                  uint32_t to_body, uint32_t to_index) {
    for (uint32_t i = 0; i < m->trace_count; i++) {
        model_trace* t = &m->traces[i];
        if (t->body != body || t->old.kind != kind || t->index != index) continue;
        t->body = to_body;
        t->index = to_index;
    }
}

static void trace_removed(model* m, uint32_t body, fracas_element_kind kind, uint32_t index) {
    trace(m, body, kind, index, MODEL_BODIES, 0);
}

static void remember_element(model* m, uint32_t place, fracas_element_kind kind, uint32_t index) {
    if (m->trace_count == MODEL_TRACES) return;
    m->traces[m->trace_count++] = (model_trace){
        {m->bodies[place].handle, kind, index},
        place, index
    };
}

static void remember_body(model* m, uint32_t place) {
    const model_body* b = &m->bodies[place];
    for (uint32_t i = 0; i < b->vertex_count; i++)
        if (b->vertices[i].there) remember_element(m, place, FRACAS_ELEMENT_VERTEX, i);
    for (uint32_t i = 0; i < b->triangle_count; i++)
        if (b->triangles[i].there) remember_element(m, place, FRACAS_ELEMENT_TRIANGLE, i);
}

void model_remember(model* m) {
    m->trace_count = 0;
    for (uint32_t i = 0; i < MODEL_BODIES; i++)
        if (m->bodies[i].there) remember_body(m, i);
}

// ---- bodies

static void add_edge(model_body* b, uint32_t x, uint32_t y) {
    uint32_t low = x < y ? x : y, high = x < y ? y : x;
    if (low == high) return;
    for (uint32_t i = 0; i < b->edge_count; i++)
        if (b->edges[i][0] == low && b->edges[i][1] == high) return;
    b->edges[b->edge_count][0] = low;
    b->edges[b->edge_count++][1] = high;
}

static void add_point(model_body* b, uint32_t vertex) {
    for (uint32_t i = 0; i < b->point_count; i++)
        if (b->points[i] == vertex) return;
    b->points[b->point_count++] = vertex;
}

void model_add(model* m, uint32_t place, const fracas_mesh_view* mesh,
               const fracas_body_options* options, fracas_body handle) {
    model_body* b = &m->bodies[place];
    memset(b, 0, sizeof *b);
    b->there = true;
    b->handle = handle;
    b->options = *options;
    b->pose[0] = b->pose[1] = options->pose;
    const double(*points)[3] = mesh->points.data;
    for (; b->vertex_count < mesh->points.count; b->vertex_count++) {
        model_vertex* v = &b->vertices[b->vertex_count];
        v->there = true;
        copy3(v->rest, points[b->vertex_count]);
        copy3(v->at[0], v->rest);
        copy3(v->at[1], v->rest);
        place_vertex(b, v);
    }
    for (; b->triangle_count < mesh->triangle_count; b->triangle_count++) {
        b->triangles[b->triangle_count].there = true;
        memcpy(b->triangles[b->triangle_count].corner, &mesh->triangles[3 * b->triangle_count],
               3 * sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < mesh->edge_count; i++)
        add_edge(b, mesh->edges[2 * i], mesh->edges[2 * i + 1]);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) add_point(b, mesh->vertices[i]);
    remember_body(m, place);
}

void model_remove(model* m, uint32_t place) {
    for (uint32_t i = 0; i < m->trace_count; i++)
        if (m->traces[i].body == place) m->traces[i].body = MODEL_BODIES;
    m->bodies[place].there = false;
}

void model_move(model* m, uint32_t place, const double (*points)[3]) {
    model_body* b = &m->bodies[place];
    for (uint32_t i = 0; i < b->vertex_count; i++)
        if (b->vertices[i].there) copy3(b->vertices[i].at[1], points[i]);
}

void model_pose(model* m, uint32_t place, const fracas_pose* t0, const fracas_pose* t1) {
    model_body* b = &m->bodies[place];
    b->pose[0] = *t0;
    b->pose[1] = *t1;
    for (uint32_t i = 0; i < b->vertex_count; i++) place_vertex(b, &b->vertices[i]);
}

// Siblings whose positions differ at either end of a step separate: each vertex gets the number of
// the first vertex that has been together with it until now, and still is.
static void separate(model* m) {
    model_vertex* list[MODEL_BODIES * MODEL_VERTICES];
    uint32_t before[MODEL_BODIES * MODEL_VERTICES], count = 0;
    for (uint32_t i = 0; i < MODEL_BODIES; i++)
        for (uint32_t v = 0; m->bodies[i].there && v < m->bodies[i].vertex_count; v++)
            if (m->bodies[i].vertices[v].there && m->bodies[i].vertices[v].family)
                list[count++] = &m->bodies[i].vertices[v];
    for (uint32_t i = 0; i < count; i++) {
        before[i] = list[i]->together;
        uint32_t j = 0;
        while (before[j] != before[i] || memcmp(list[j]->at, list[i]->at, sizeof list[i]->at) != 0)
            j++;
        list[i]->together = j < i ? list[j]->together : ++m->together_count;
    }
}

void model_advance(model* m) {
    separate(m);
    for (uint32_t i = 0; i < MODEL_BODIES; i++) {
        model_body* b = &m->bodies[i];
        b->pose[0] = b->pose[1];
        for (uint32_t v = 0; b->there && v < b->vertex_count; v++)
            copy3(b->vertices[v].at[0], b->vertices[v].at[1]);
    }
    model_remember(m);
}

// ---- split

static void mix(const double a[3], const double b[3], double weight, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = (1 - weight) * a[k] + weight * b[k] + 0.0;
}

static bool vertex_there(const model_body* b, uint32_t v) {
    return v < b->vertex_count && b->vertices[v].there;
}

static bool make_vertex(model* m, model_body* b, uint32_t old_count, const fracas_new_vertex* n) {
    model_vertex v = {.there = true};
    bool child = n->parent_a != FRACAS_NONE, two = n->parent_b != FRACAS_NONE;
    if ((child && (n->parent_a >= old_count || !b->vertices[n->parent_a].there)) ||
        (two && (!child || n->parent_b >= old_count || !b->vertices[n->parent_b].there)) ||
        (two && !(n->weight >= 0 && n->weight <= 1)))
        return false;
    if (child) {
        model_vertex* pa = &b->vertices[n->parent_a];
        const model_vertex* pb = two ? &b->vertices[n->parent_b] : pa;
        double weight = two ? n->weight : 0;
        mix(pa->rest, pb->rest, weight, v.rest);
        for (int end = 0; end < 2; end++) mix(pa->at[end], pb->at[end], weight, v.at[end]);
        if (!two) {
            if (!pa->family) pa->family = ++m->family_count, pa->together = ++m->together_count;
            v.family = pa->family;
            v.together = pa->together;
        }
    } else {
        copy3(v.rest, n->t0);
        copy3(v.at[0], n->t0);
        copy3(v.at[1], n->t1);
    }
    place_vertex(b, &v);
    b->vertices[b->vertex_count++] = v;
    return b->options.motion != FRACAS_MOTION_STATIC ||
           memcmp(v.at[0], v.at[1], sizeof v.at[0]) == 0;
}

static bool change_triangles(model_body* b, uint32_t old_triangles, const fracas_split* s) {
    for (uint32_t i = 0; i < s->repoint_count; i++) {
        const fracas_repoint* r = &s->repoints[i];
        if (r->triangle >= old_triangles || !b->triangles[r->triangle].there || r->corner > 2 ||
            !vertex_there(b, r->vertex))
            return false;
        b->triangles[r->triangle].corner[r->corner] = r->vertex;
    }
    for (uint32_t i = 0; i < s->new_triangle_count; i++) {
        model_triangle* t = &b->triangles[b->triangle_count++];
        t->there = true;
        for (int k = 0; k < 3; k++) {
            t->corner[k] = s->new_triangles[3 * i + k];
            if (!vertex_there(b, t->corner[k])) return false;
        }
    }
    for (uint32_t i = 0; i < s->removed_triangle_count; i++) {
        uint32_t t = s->removed_triangles[i];
        if (t >= old_triangles || !b->triangles[t].there) return false;
        b->triangles[t].there = false;
    }
    return true;
}

// The part of every triangle, 0 for those that stay; false when the lists are invalid.
static bool assign_parts(const model_body* b, const fracas_split* s, uint32_t* part) {
    memset(part, 0, MODEL_TRIANGLES * sizeof *part);
    for (uint32_t p = 0; p < s->part_count; p++) {
        if (s->part_offsets[p] >= s->part_offsets[p + 1]) return false;
        for (uint32_t i = s->part_offsets[p]; i < s->part_offsets[p + 1]; i++) {
            uint32_t t = s->part_triangles[i];
            if (t >= b->triangle_count || !b->triangles[t].there || part[t]) return false;
            part[t] = p + 1;
        }
    }
    return true;
}

// The part of every vertex; false when a part shares a vertex with the rest or with another part.
static bool assign_vertices(const model_body* b, const uint32_t* part, uint32_t* vertex_part) {
    enum { NO_PART = MODEL_TRIANGLES + 1 };
    for (uint32_t v = 0; v < b->vertex_count; v++) vertex_part[v] = NO_PART;
    for (uint32_t i = 0; i < b->edge_count; i++)
        vertex_part[b->edges[i][0]] = vertex_part[b->edges[i][1]] = 0;
    for (uint32_t i = 0; i < b->point_count; i++) vertex_part[b->points[i]] = 0;
    for (uint32_t t = 0; t < b->triangle_count; t++)
        for (int k = 0; k < 3 && b->triangles[t].there; k++) {
            uint32_t* p = &vertex_part[b->triangles[t].corner[k]];
            if (*p != NO_PART && *p != part[t]) return false;
            *p = part[t];
        }
    for (uint32_t v = 0; v < b->vertex_count; v++)
        if (vertex_part[v] == NO_PART) vertex_part[v] = 0;
    return true;
}

static void move_part(model* m, uint32_t place, uint32_t to_place, uint32_t p,
                      const fracas_split* s, const uint32_t* vertex_part) {
    model_body *b = &m->bodies[place], *to = &m->bodies[to_place];
    uint32_t number[MODEL_VERTICES];
    memset(to, 0, sizeof *to);
    to->there = true;
    to->options = b->options;
    memcpy(to->pose, b->pose, sizeof to->pose);
    for (uint32_t v = 0; v < b->vertex_count; v++) {
        if (vertex_part[v] != p + 1) continue;
        number[v] = to->vertex_count;
        trace(m, place, FRACAS_ELEMENT_VERTEX, v, to_place, number[v]);
        to->vertices[to->vertex_count++] = b->vertices[v];
        b->vertices[v].there = false;
    }
    for (uint32_t i = s->part_offsets[p]; i < s->part_offsets[p + 1]; i++) {
        model_triangle* t = &b->triangles[s->part_triangles[i]];
        trace(m, place, FRACAS_ELEMENT_TRIANGLE, s->part_triangles[i], to_place,
              to->triangle_count);
        model_triangle* n = &to->triangles[to->triangle_count++];
        n->there = true;
        for (int k = 0; k < 3; k++) n->corner[k] = number[t->corner[k]];
        t->there = false;
    }
}

bool model_split(model* m, uint32_t place, const fracas_split* s, const uint32_t* places) {
    model_body* b = &m->bodies[place];
    model_body* before = malloc(sizeof *before);
    uint32_t families = m->family_count, part[MODEL_TRIANGLES], vertex_part[MODEL_VERTICES];
    MODEL_REQUIRE(before, "no memory");
    *before = *b;
    bool ok = true;
    for (uint32_t i = 0; i < s->new_vertex_count && ok; i++)
        ok = make_vertex(m, b, before->vertex_count, &s->new_vertices[i]);
    ok = ok && change_triangles(b, before->triangle_count, s) && assign_parts(b, s, part) &&
         assign_vertices(b, part, vertex_part);
    if (ok) {
        for (uint32_t i = 0; i < s->removed_triangle_count; i++)
            trace_removed(m, place, FRACAS_ELEMENT_TRIANGLE, s->removed_triangles[i]);
        for (uint32_t p = 0; p < s->part_count; p++)
            move_part(m, place, places[p], p, s, vertex_part);
    } else {
        *b = *before;
        m->family_count = families;
    }
    free(before);
    return ok;
}

// ---- merge

static void write_map(uint32_t* map, uint32_t* at, uint32_t number, bool there) {
    if (map) map[(*at)++] = there ? number : FRACAS_NONE;
}

// Append all elements of a body to the first; their numbers follow those of the first.
static void append(model* m, uint32_t first, uint32_t place, uint32_t shift[2]) {
    model_body *a = &m->bodies[first], *b = &m->bodies[place];
    shift[0] = a->vertex_count;
    shift[1] = a->triangle_count;
    for (uint32_t v = 0; v < b->vertex_count; v++) {
        trace(m, place, FRACAS_ELEMENT_VERTEX, v, first, a->vertex_count);
        a->vertices[a->vertex_count++] = b->vertices[v];
    }
    for (uint32_t t = 0; t < b->triangle_count; t++) {
        trace(m, place, FRACAS_ELEMENT_TRIANGLE, t, first, a->triangle_count);
        model_triangle* n = &a->triangles[a->triangle_count++];
        *n = b->triangles[t];
        for (int k = 0; k < 3; k++) n->corner[k] += shift[0];
    }
    for (uint32_t i = 0; i < b->edge_count; i++)
        add_edge(a, b->edges[i][0] + shift[0], b->edges[i][1] + shift[0]);
    for (uint32_t i = 0; i < b->point_count; i++) add_point(a, b->points[i] + shift[0]);
    b->there = false;
}

static void replace_vertex(model* m, uint32_t place, uint32_t drops, uint32_t stays) {
    model_body* b = &m->bodies[place];
    for (uint32_t t = 0; t < b->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (b->triangles[t].corner[k] == drops) b->triangles[t].corner[k] = stays;
    model_body old = *b;
    b->edge_count = b->point_count = 0;
    for (uint32_t i = 0; i < old.edge_count; i++)
        add_edge(b, old.edges[i][0] == drops ? stays : old.edges[i][0],
                 old.edges[i][1] == drops ? stays : old.edges[i][1]);
    for (uint32_t i = 0; i < old.point_count; i++)
        add_point(b, old.points[i] == drops ? stays : old.points[i]);
    b->vertices[drops].there = false;
    trace(m, place, FRACAS_ELEMENT_VERTEX, drops, place, stays);
}

void model_merge(model* m, const uint32_t* places, uint32_t count, const fracas_merge* merge) {
    uint32_t shifts[MODEL_BODIES][2] = {0}, became[MODEL_VERTICES], vertex_at = 0, triangle_at = 0;
    uint32_t counts[MODEL_BODIES][2];
    for (uint32_t i = 0; i < count; i++) {
        counts[i][0] = m->bodies[places[i]].vertex_count;
        counts[i][1] = m->bodies[places[i]].triangle_count;
        if (i) append(m, places[0], places[i], shifts[i]);
    }
    model_body* b = &m->bodies[places[0]];
    bool was_there[MODEL_VERTICES];
    for (uint32_t v = 0; v < b->vertex_count; v++)
        became[v] = v, was_there[v] = b->vertices[v].there;
    for (uint32_t i = 0; i < merge->weld_count; i++) {
        const fracas_weld_pair* w = &merge->welds[i];
        uint32_t stays = became[shifts[w->body_a][0] + w->vertex_a];
        uint32_t drops = became[shifts[w->body_b][0] + w->vertex_b];
        if (stays == drops) continue;
        for (uint32_t v = 0; v < b->vertex_count; v++)
            if (became[v] == drops) became[v] = stays;
        replace_vertex(m, places[0], drops, stays);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t v = 0; v < counts[i][0]; v++)
            write_map(merge->vertex_map, &vertex_at, became[shifts[i][0] + v],
                      was_there[shifts[i][0] + v]);
        for (uint32_t t = 0; t < counts[i][1]; t++)
            write_map(merge->triangle_map, &triangle_at, shifts[i][1] + t,
                      b->triangles[shifts[i][1] + t].there);
    }
}
