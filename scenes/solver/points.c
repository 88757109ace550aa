/// @file points.c  Points, cloth, links, and solver_step.
#include "solver.h"
#include "vector.h"
#include <stdlib.h>
#include <string.h>

void solver_free(solver* s) {
    for (uint32_t i = 0; i < s->solid_count; i++) free(s->solids[i].points);
    free(s->now);
    free(s->start);
    free(s->velocity);
    free(s->rest);
    free(s->normals);
    free(s->inverse_mass);
    free(s->solid_of);
    free(s->removed);
    free(s->solids);
    free(s->links);
    free(s->contacts);
    free(s->table);
    *s = (solver){0};
}

static bool grow(void* pointer, size_t count, size_t size) {
    void *old, *memory;
    memcpy(&old, pointer, sizeof old);
    memory = realloc(old, count * size);
    if (memory) memcpy(pointer, &memory, sizeof memory);
    return memory != NULL;
}

bool solver_reserve_points(solver* s, uint32_t count) {
    if (count <= s->point_capacity) return true;
    size_t capacity = count + (size_t)count / 4 + 16;
    if (!grow(&s->now, capacity, 3 * sizeof(double)) ||
        !grow(&s->start, capacity, 3 * sizeof(double)) ||
        !grow(&s->velocity, capacity, 3 * sizeof(double)) ||
        !grow(&s->rest, capacity, 3 * sizeof(double)) ||
        !grow(&s->normals, capacity, 3 * sizeof(double)) ||
        !grow(&s->inverse_mass, capacity, sizeof(double)) ||
        !grow(&s->removed, capacity, sizeof(bool)) ||
        !grow(&s->solid_of, capacity, sizeof(uint32_t)))
        return false;
    s->point_capacity = (uint32_t)capacity;
    return true;
}

uint32_t solver_add_point(solver* s, const double p[3], double inverse_mass) {
    size_t i = s->point_count++;
    for (size_t k = 0; k < 3; k++) {
        s->now[3 * i + k] = s->start[3 * i + k] = s->rest[3 * i + k] = p[k];
        s->velocity[3 * i + k] = s->normals[3 * i + k] = 0;
    }
    s->inverse_mass[i] = inverse_mass;
    s->solid_of[i] = SOLVER_NONE;
    s->removed[i] = false;
    return (uint32_t)i;
}

bool solver_add_link(solver* s, uint32_t a, uint32_t b, double stiffness) {
    if (s->link_count == s->link_capacity) {
        uint32_t capacity = 2 * s->link_capacity + 64;
        if (!grow(&s->links, capacity, sizeof *s->links)) return false;
        s->link_capacity = capacity;
    }
    double d[3];
    vector_subtract(s->now + 3 * (size_t)a, s->now + 3 * (size_t)b, d);
    s->links[s->link_count++] = (solver_link){a, b, vector_length(d), stiffness};
    return true;
}

// ---- a step

static void predict_points(solver* s) {
    for (size_t i = 0; i < s->point_count; i++) {
        if (s->solid_of[i] != SOLVER_NONE) continue;
        double* v = s->velocity + 3 * i;
        if (s->inverse_mass[i] > 0) v[1] -= s->gravity;
        for (size_t k = 0; k < 3; k++) s->now[3 * i + k] += v[k];
    }
}

static void keep_distance(solver* s, uint32_t a, uint32_t b, double length, double stiffness) {
    double *p = s->now + 3 * (size_t)a, *q = s->now + 3 * (size_t)b, d[3];
    double wa = s->inverse_mass[a], wb = s->inverse_mass[b], w = wa + wb;
    vector_subtract(q, p, d);
    double square = vector_dot(d, d);
    if (w == 0 || square == 0) return;
    double scale = stiffness * (1 - length / sqrt(square)) / w;
    vector_add_scaled(p, d, wa * scale);
    vector_add_scaled(q, d, -wb * scale);
}

// Corrects the lengths of edges and links. The two triangles of an edge traverse it in opposite
// directions: even iterations process the ascending one, odd iterations the descending one. So an
// inner edge is processed once per iteration, a border edge in every other.
static void correct_lengths(solver* s, bool odd) {
    for (uint32_t t = s->cloth_begin; t < s->cloth_end; t++) {
        const uint32_t* c = s->cloth + 3 * (size_t)t;
        const double* length = s->cloth_lengths + 3 * (size_t)(t - s->cloth_begin);
        for (int k = 0; k < 3; k++) {
            uint32_t a = c[k], b = c[(k + 1) % 3];
            if ((a < b) != odd) keep_distance(s, a, b, length[k], s->cloth_stiffness);
        }
    }
    for (uint32_t i = 0; i < s->link_count; i++) {
        const solver_link* link = &s->links[i];
        keep_distance(s, link->a, link->b, link->length, link->stiffness);
    }
}

static void finish_points(solver* s) {
    double keep = 1 - s->drag;
    for (size_t i = 0; i < s->point_count; i++) {
        if (s->solid_of[i] != SOLVER_NONE || s->inverse_mass[i] == 0) continue;
        double* v = s->velocity + 3 * i;
        for (size_t k = 0; k < 3; k++) v[k] = keep * (s->now[3 * i + k] - s->start[3 * i + k]);
        double square = vector_dot(v, v);
        if (square <= s->max_speed * s->max_speed) continue;
        double scale = s->max_speed / sqrt(square);
        for (size_t k = 0; k < 3; k++) v[k] *= scale;
    }
}

void solver_step(solver* s) {
    memcpy(s->start, s->now, 3 * sizeof(double) * s->point_count);
    solver_prepare_contacts(s);
    predict_points(s);
    for (uint32_t i = 0; i < s->solid_count; i++) solver_predict_solid(s, &s->solids[i]);
    for (uint32_t k = 0; k < s->iterations; k++) {
        if (s->cloth || s->link_count) correct_lengths(s, k % 2);
        solver_push_contacts(s);
    }
    finish_points(s);
    for (uint32_t i = 0; i < s->solid_count; i++) solver_finish_solid(s, i);
    solver_slow_contacts(s);
}
