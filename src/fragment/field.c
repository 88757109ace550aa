/// @file field.c  Propagation of distances from new cracks along the edges of tetrahedra.
///
/// Closest point: a node that gets nearer to the surface offers its nearest triangle to its
/// neighbours in the same fragment. A stored distance is always that from a triangle outside the
/// fragment or on its surface, so it is never below the distance from the surface: the straight way
/// to such a triangle leaves the fragment. It may be above, where the nearest triangle of a node is
/// that of none of its neighbours. The plane through the nearest point of u's triangle, across the
/// direction n from u, has the triangle on its far side: a neighbour v is not nearer to it than
/// d_u - n . (v - u), and is offered nothing if it is at that distance already.
///
/// The published rules average the tangent planes of neighbours. Based on: glondu2014, after
/// heidelberger2004; read literally they do not converge (docs/fragment.md).
#include "fragment/field.h"
#include "geom/vec3.h"
#include <string.h>

enum { LITERAL_STEPS = 64 };

// ---- triangles

void frc_field_triangle(const frc_object* object, uint32_t triangle, const double* out[3]) {
    if (!(triangle & FRC_CRACK_TRIANGLE)) {
        frc_solid_surface_triangle(object->solid, triangle, out);
        return;
    }
    uint32_t points[3];
    frc_crack_triangle(object, triangle & ~FRC_CRACK_TRIANGLE, points);
    for (int i = 0; i < 3; i++) out[i] = object->points.data[points[i]].at;
}

// Corner a, sides e = b - a, f = c - a and g = c - b, and their products; d is the square of twice
// the area.
typedef struct frame {
    double a[3], e[3], f[3], g[3];
    double ee, ef, ff, gg, d;
} frame;

static frame frame_of(const double* const corner[3]) {
    frame t;
    memcpy(t.a, corner[0], sizeof t.a);
    frc_vec3_subtract(corner[1], corner[0], t.e);
    frc_vec3_subtract(corner[2], corner[0], t.f);
    frc_vec3_subtract(t.f, t.e, t.g);
    t.ee = frc_vec3_dot(t.e, t.e), t.ef = frc_vec3_dot(t.e, t.f), t.ff = frc_vec3_dot(t.f, t.f);
    t.gg = frc_vec3_dot(t.g, t.g);
    t.d = t.ee * t.ff - t.ef * t.ef;
    return t;
}

// The part of a side up to the foot of a point.
static double along(double square, double product) {
    if (!(product > 0)) return 0;
    return product < square ? product / square : 1;
}

static double finish(const double q[3], const frame* at, double s, double t, double direction[3]) {
    for (int k = 0; k < 3; k++) direction[k] = s * at->e[k] + t * at->f[k] - q[k];
    return frc_vec3_dot(direction, direction);
}

// With q the point relative to a, the foot of q on the plane is a + (s e + t f) / d. Outside the
// triangle the nearest point is on an edge.
static double near_frame(const frame* at, const double p[3], double direction[3]) {
    double q[3];
    frc_vec3_subtract(p, at->a, q);
    const double eq = frc_vec3_dot(at->e, q), fq = frc_vec3_dot(at->f, q);
    const double s = at->ff * eq - at->ef * fq, t = at->ee * fq - at->ef * eq;
    double square;
    if (at->d > 0 && s >= 0 && t >= 0 && s + t <= at->d) {
        square = finish(q, at, s / at->d, t / at->d, direction);
    } else {
        double r[3], other[3];
        square = finish(q, at, along(at->ee, eq), 0, direction);
        const double second = finish(q, at, 0, along(at->ff, fq), other);
        if (second < square) square = second, memcpy(direction, other, sizeof other);
        frc_vec3_subtract(q, at->e, r);
        const double u = along(at->gg, frc_vec3_dot(at->g, r));
        const double third = finish(q, at, 1 - u, u, other);
        if (third < square) square = third, memcpy(direction, other, sizeof other);
    }
    const double distance = sqrt(square);
    if (distance > 0) frc_vec3_scale(direction, 1 / distance, direction);
    return distance;
}

double frc_near_triangle(const double p[3], const double* const corner[3], double direction[3]) {
    const frame t = frame_of(corner);
    return near_frame(&t, p, direction);
}

// At distance 0 the direction is the normal.
static double frame_distance(const frame* t, const double p[3], double direction[3]) {
    const double distance = near_frame(t, p, direction);
    if (distance > 0) return distance;
    frc_vec3_cross(t->e, t->f, direction);
    const double length = sqrt(frc_vec3_dot(direction, direction));
    if (length > 0) frc_vec3_scale(direction, 1 / length, direction);
    return 0;
}

double frc_field_distance(const frc_object* object, uint32_t triangle, const double p[3],
                          double direction[3]) {
    const double* corners[3];
    frc_field_triangle(object, triangle, corners);
    const frame t = frame_of(corners);
    return frame_distance(&t, p, direction);
}

void frc_crack_for_each(const frc_object* object, uint32_t tet, uint32_t fragment,
                        frc_crack_fn* visit, void* data) {
    const uint32_t* nodes = object->solid->tets[tet];
    for (int k = 0; k < 6; k++) {
        const uint8_t* c = frc_tet_edge_corners[k];
        const bool first = object->nodes[nodes[c[0]]].fragment == fragment;
        const bool second = object->nodes[nodes[c[1]]].fragment == fragment;
        if (first == second) continue;
        for (uint32_t side = 0; side < 2; side++)
            visit(data, 12 * tet + 2 * (uint32_t)k + side, first ? c[0] : c[1]);
    }
}

// ---- the front

// Add a node to the next front, once per step.
static void append(frc_field_update* u, uint32_t node, uint32_t step, uint32_t* count) {
    if (u->steps[node] == step) return;
    u->steps[node] = step;
    u->next[(*count)++] = node;
}

static void swap_fronts(frc_field_update* u) {
    uint32_t* front = u->front;
    u->front = u->next;
    u->next = front;
}

// Lower the distance of a node to that of a triangle, if that is less.
static bool lower(frc_object* object, uint32_t node, uint32_t triangle, const frame* t) {
    frc_field_node* n = &object->nodes[node];
    double direction[3];
    const double distance = frame_distance(t, object->solid->points[node], direction);
    if (!(distance < n->distance)) return false;
    n->distance = distance;
    n->nearest = triangle;
    memcpy(n->direction, direction, sizeof direction);
    return true;
}

// ---- start: nodes of tetrahedra with new cuts

// Offer a triangle of a crack to all corners of the fragments on its two sides, not only to those
// of its own edge. A corner whose distance is less than that of a sphere around the triangle gains
// nothing.
static void seed(frc_object* object, const frc_field_update* u, uint32_t tet,
                 const uint32_t sides[2], uint32_t triangle) {
    const double* corners[3];
    frc_field_triangle(object, triangle, corners);
    const frame t = frame_of(corners);
    // The sphere around b contains a and c.
    const double radius = sqrt(t.ee > t.gg ? t.ee : t.gg) * (1 + 0x1p-40);
    for (int i = 0; i < 4; i++) {
        const uint32_t p = object->solid->tets[tet][i];
        const frc_field_node* node = &object->nodes[p];
        if (u->steps[p] == FRACAS_NONE) continue;
        if (node->fragment != sides[0] && node->fragment != sides[1]) continue;
        double way[3];
        frc_vec3_subtract(object->solid->points[p], corners[1], way);
        const double reach = node->distance + radius;
        if (frc_vec3_dot(way, way) > reach * reach) continue;
        lower(object, p, triangle, &t);
    }
}

// The nodes become the first front; returns their number.
static uint32_t start(frc_object* object, frc_field_update* u) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < u->tet_count; t++) {
        const uint32_t tet = u->tets[t], *nodes = object->solid->tets[tet];
        for (uint32_t k = 0; k < 6; k++) {
            const uint8_t* end = frc_tet_edge_corners[k];
            const uint32_t sides[2] = {object->nodes[nodes[end[0]]].fragment,
                                       object->nodes[nodes[end[1]]].fragment};
            if (sides[0] == sides[1] ||
                (u->steps[nodes[end[0]]] == FRACAS_NONE && u->steps[nodes[end[1]]] == FRACAS_NONE))
                continue;
            for (uint32_t side = 0; side < 2; side++)
                seed(object, u, tet, sides, (12 * tet + 2 * k + side) | FRC_CRACK_TRIANGLE);
        }
        for (int i = 0; i < 4; i++)
            if (u->steps[nodes[i]] != FRACAS_NONE) append(u, nodes[i], 1, &count);
    }
    swap_fronts(u);
    return count;
}

// ---- closest point

static void propagate_triangles(frc_object* object, frc_field_update* u, uint32_t count) {
    const frc_tet_topology* topology = &object->solid->topology;
    for (uint32_t step = 2; count > 0; step++) {
        uint32_t next = 0;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t p = u->front[i];
            const frc_field_node* from = &object->nodes[p];
            const double* corners[3];
            frc_field_triangle(object, from->nearest, corners);
            const frame t = frame_of(corners);
            for (uint32_t n = topology->neighbour_begins[p]; n < topology->neighbour_begins[p + 1];
                 n++) {
                const uint32_t q = topology->neighbours[n];
                const frc_field_node* to = &object->nodes[q];
                if (to->fragment != from->fragment || to->nearest == from->nearest) continue;
                double way[3];
                frc_vec3_subtract(object->solid->points[q], object->solid->points[p], way);
                if (from->distance > 0 &&
                    from->distance - frc_vec3_dot(from->direction, way) >= to->distance)
                    continue;
                if (lower(object, q, from->nearest, &t)) append(u, q, step, &next);
            }
        }
        swap_fronts(u);
        count = next;
    }
}

// ---- published rules

typedef struct average {
    double weight, distance, direction[3];
} average;

// Equations 1 and 2 over the neighbours in the front of `step`.
static bool extrapolate(const frc_object* object, const frc_field_update* u, uint32_t p,
                        uint32_t step, average* out) {
    const frc_tet_topology* topology = &object->solid->topology;
    *out = (average){0};
    for (uint32_t n = topology->neighbour_begins[p]; n < topology->neighbour_begins[p + 1]; n++) {
        const uint32_t q = topology->neighbours[n];
        const frc_field_node* from = &object->nodes[q];
        if (u->steps[q] != step || from->fragment != object->nodes[p].fragment) continue;
        double way[3];
        frc_vec3_subtract(object->solid->points[q], object->solid->points[p], way);
        const double weight = 1 / frc_vec3_dot(way, way);
        out->weight += weight;
        out->distance += weight * (from->distance + frc_vec3_dot(from->direction, way));
        for (int k = 0; k < 3; k++) out->direction[k] += weight * from->direction[k];
    }
    if (out->weight > 0) out->distance /= out->weight;
    const double length = sqrt(frc_vec3_dot(out->direction, out->direction));
    if (length > 0) frc_vec3_scale(out->direction, 1 / length, out->direction);
    return out->weight > 0;
}

static void propagate_averages(frc_object* object, frc_field_update* u, uint32_t count,
                               bool literal) {
    const frc_tet_topology* topology = &object->solid->topology;
    const uint32_t last = literal ? LITERAL_STEPS : UINT32_MAX;
    for (uint32_t step = 1; count > 0 && step < last; step++) {
        uint32_t next = 0;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t p = u->front[i];
            for (uint32_t n = topology->neighbour_begins[p]; n < topology->neighbour_begins[p + 1];
                 n++) {
                const uint32_t q = topology->neighbours[n];
                frc_field_node* to = &object->nodes[q];
                if (to->fragment != object->nodes[p].fragment || u->steps[q] == step + 1) continue;
                if (!literal && u->steps[q] > 0) continue;
                average mean;
                if (!extrapolate(object, u, q, step, &mean)) continue;
                if (!literal && mean.distance < 0) mean.distance = 0;
                if (!(mean.distance < to->distance)) continue;
                to->distance = mean.distance;
                memcpy(to->direction, mean.direction, sizeof mean.direction);
                append(u, q, step + 1, &next);
            }
        }
        swap_fronts(u);
        count = next;
    }
}

void frc_field_begin(const frc_object* object, frc_field_update* u) {
    memset(u->steps, 0xff, object->solid->point_count * sizeof *u->steps);
    for (uint32_t i = 0; i < u->node_count; i++) u->steps[u->nodes[i]] = 0;
}

void frc_field_propagate(frc_object* object, frc_field_update* u) {
    const uint32_t count = start(object, u);
    if (u->mode == FRACAS_FIELD_UPDATE_CLOSEST_POINT)
        propagate_triangles(object, u, count);
    else if (u->mode != FRACAS_FIELD_UPDATE_EXACT)
        propagate_averages(object, u, count, u->mode == FRACAS_FIELD_UPDATE_LITERAL);
}
