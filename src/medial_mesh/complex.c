/// @file complex.c  Vertices, edges and triangles of a medial mesh while it is simplified, and
/// spherical quadrics.
#include "fracas/contact.h"
#include "geom/vec3.h"
#include "medial_mesh/build.h"
#include <string.h>

bool frc_complex_add_vertex(fracas_context* context, frc_complex* c, const double sphere[4]) {
    frc_medial_vertex vertex = {.first_edge = FRACAS_NONE, .first_corner = FRACAS_NONE};
    for (int k = 0; k < 4; k++) vertex.sphere[k] = sphere[k];
    c->alive++;
    return FRC_ARRAY_PUSH(context, &c->vertices, vertex);
}

bool frc_complex_add_edge(fracas_context* context, frc_complex* c, uint32_t u, uint32_t v) {
    frc_medial_edge edge = {
        .end = {u, v}
    };
    const uint32_t number = (uint32_t)c->edges.count;
    for (uint32_t k = 0; k < 2; k++) edge.next[k] = c->vertices.data[edge.end[k]].first_edge;
    if (!FRC_ARRAY_PUSH(context, &c->edges, edge)) return false;
    for (uint32_t k = 0; k < 2; k++) c->vertices.data[edge.end[k]].first_edge = 2 * number + k;
    return true;
}

bool frc_complex_add_triangle(fracas_context* context, frc_complex* c, const uint32_t corner[3]) {
    frc_medial_triangle triangle = {.dead = false};
    const uint32_t number = (uint32_t)c->triangles.count;
    for (uint32_t k = 0; k < 3; k++) {
        triangle.corner[k] = corner[k];
        triangle.next[k] = c->vertices.data[corner[k]].first_corner;
    }
    if (!FRC_ARRAY_PUSH(context, &c->triangles, triangle)) return false;
    for (uint32_t k = 0; k < 3; k++) c->vertices.data[corner[k]].first_corner = 3 * number + k;
    return true;
}

void frc_complex_release(fracas_context* context, frc_complex* c) {
    FRC_ARRAY_RELEASE(context, &c->vertices);
    FRC_ARRAY_RELEASE(context, &c->edges);
    FRC_ARRAY_RELEASE(context, &c->triangles);
    *c = (frc_complex){0};
}

bool frc_complex_copy(fracas_context* context, const frc_complex* c, fracas_medial_mesh* mesh) {
    bool ok = true;
    uint32_t* place = frc_allocate_array(context, c->vertices.count, sizeof *place, &ok);
    for (size_t v = 0; ok && v < c->vertices.count; v++) {
        if (c->vertices.data[v].dead) continue;
        fracas_medial_sphere sphere;
        memcpy(&sphere, c->vertices.data[v].sphere, sizeof sphere);
        place[v] = (uint32_t)mesh->spheres.count;
        ok = FRC_ARRAY_PUSH(context, &mesh->spheres, sphere);
    }
    for (size_t e = 0; ok && e < c->edges.count; e++)
        for (int k = 0; ok && k < 2 && c->edges.data[e].version != FRACAS_NONE; k++)
            ok = FRC_ARRAY_PUSH(context, &mesh->edges, place[c->edges.data[e].end[k]]);
    for (size_t t = 0; ok && t < c->triangles.count; t++)
        for (int k = 0; ok && k < 3 && !c->triangles.data[t].dead; k++)
            ok = FRC_ARRAY_PUSH(context, &mesh->triangles, place[c->triangles.data[t].corner[k]]);
    frc_release(context, place, frc_array_size(c->vertices.count, sizeof *place));
    return ok;
}

// ---- quadrics

// The square of (row . x - height).
static void add_square(frc_sphere_quadric* q, const double row[4], double height, double weight) {
    for (int i = 0, n = 0; i < 4; i++)
        for (int k = i; k < 4; k++) q->a[n++] += weight * row[i] * row[k];
    for (int i = 0; i < 4; i++) q->b[i] += weight * height * row[i];
    q->c += weight * height * height;
}

void frc_quadric_add_sample(frc_sphere_quadric* q, const frc_sample* sample, double weight) {
    const double* d = sample->direction;
    q->weight += weight;
    if (sample->kind == FRC_ON_FACE) {
        const double row[4] = {d[0], d[1], d[2], 1};
        add_square(q, row, frc_vec3_dot(d, sample->at), weight);
        return;
    }
    // The components of the distance from the point, or from the line: the identity less d d^T.
    const double radius[4] = {0, 0, 0, 1};
    add_square(q, radius, 0, weight);
    for (int k = 0; k < 3; k++) {
        double row[4] = {0};
        row[k] = 1;
        for (int i = 0; i < 3 && sample->kind == FRC_ON_EDGE; i++) row[i] -= d[k] * d[i];
        add_square(q, row, frc_vec3_dot(row, sample->at), weight);
    }
}

void frc_quadric_add(frc_sphere_quadric* q, const frc_sphere_quadric* other) {
    for (int i = 0; i < 10; i++) q->a[i] += other->a[i];
    for (int i = 0; i < 4; i++) q->b[i] += other->b[i];
    q->c += other->c;
    q->weight += other->weight;
}

double frc_quadric_error(const frc_sphere_quadric* q, const double x[4]) {
    double sum = q->c;
    for (int i = 0, n = 0; i < 4; i++) {
        for (int k = i; k < 4; k++) sum += (i == k ? 1 : 2) * q->a[n++] * x[i] * x[k];
        sum -= 2 * q->b[i] * x[i];
    }
    return sum > 0 ? sum : 0;
}
