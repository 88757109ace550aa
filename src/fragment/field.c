/// @file field.c  Propagation of distances from new cracks along the edges of tetrahedra.
///
/// Closest point: a node that gets nearer to the surface offers its nearest triangle to its
/// neighbours in the same fragment. A stored distance is always that from a triangle outside the
/// fragment or on its surface, so it is never below the distance from the surface: the straight way
/// to such a triangle leaves the fragment. It may be above, where the nearest triangle of a node is
/// that of none of its neighbours. A node at distance d_u offers nothing to a neighbour at distance
/// d_v unless d_u - |u v| < d_v, because a distance changes by at most the length of the way.
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

// Corner a, edge ab: coordinates along the sides of the triangle decide which of its parts is
// nearest. With e = b - a, f = c - a and q the point relative to a, the foot of q on the plane is
// a + (s e + t f) / d. Outside the triangle the nearest point is on an edge.
static double along(const double e[3], const double q[3]) {
    const double square = frc_vec3_dot(e, e), t = frc_vec3_dot(e, q);
    if (!(t > 0)) return 0;
    return t < square ? t / square : 1;
}

static double finish(const double q[3], const double e[3], const double f[3], double s, double t,
                     double direction[3]) {
    for (int k = 0; k < 3; k++) direction[k] = s * e[k] + t * f[k] - q[k];
    return frc_vec3_dot(direction, direction);
}

double frc_near_triangle(const double p[3], const double* const corner[3], double direction[3]) {
    double e[3], f[3], q[3];
    frc_vec3_subtract(corner[1], corner[0], e);
    frc_vec3_subtract(corner[2], corner[0], f);
    frc_vec3_subtract(p, corner[0], q);
    const double ee = frc_vec3_dot(e, e), ef = frc_vec3_dot(e, f), ff = frc_vec3_dot(f, f),
                 eq = frc_vec3_dot(e, q), fq = frc_vec3_dot(f, q);
    const double d = ee * ff - ef * ef, s = ff * eq - ef * fq, t = ee * fq - ef * eq;
    double square;
    if (d > 0 && s >= 0 && t >= 0 && s + t <= d) {
        square = finish(q, e, f, s / d, t / d, direction);
    } else {
        double g[3], r[3], other[3];
        square = finish(q, e, f, along(e, q), 0, direction);
        const double second = finish(q, e, f, 0, along(f, q), other);
        if (second < square) square = second, memcpy(direction, other, sizeof other);
        frc_vec3_subtract(f, e, g);
        frc_vec3_subtract(q, e, r);
        const double u = along(g, r), third = finish(q, e, f, 1 - u, u, other);
        if (third < square) square = third, memcpy(direction, other, sizeof other);
    }
    const double distance = sqrt(square);
    if (distance > 0) frc_vec3_scale(direction, 1 / distance, direction);
    return distance;
}

double frc_field_distance(const frc_object* object, uint32_t triangle, const double p[3],
                          double direction[3]) {
    const double* corners[3];
    frc_field_triangle(object, triangle, corners);
    const double distance = frc_near_triangle(p, corners, direction);
    if (distance > 0) return distance;
    double e[3], f[3];
    frc_vec3_subtract(corners[1], corners[0], e);
    frc_vec3_subtract(corners[2], corners[0], f);
    frc_vec3_cross(e, f, direction);
    const double length = sqrt(frc_vec3_dot(direction, direction));
    if (length > 0) frc_vec3_scale(direction, 1 / length, direction);
    return 0;
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
static bool lower(frc_object* object, uint32_t node, uint32_t triangle) {
    frc_field_node* n = &object->nodes[node];
    double direction[3];
    const double distance =
        frc_field_distance(object, triangle, object->solid->points[node], direction);
    if (!(distance < n->distance)) return false;
    n->distance = distance;
    n->nearest = triangle;
    memcpy(n->direction, direction, sizeof direction);
    return true;
}

// ---- start: nodes of tetrahedra with new cuts

typedef struct seed_data {
    frc_object* object;
    uint32_t tet;
    uint32_t fragment;
} seed_data;

// All corners of the fragment, not only that of the triangle's own edge.
static void seed(void* data, uint32_t triangle, int corner) {
    (void)corner;
    const seed_data* s = data;
    const uint32_t* nodes = s->object->solid->tets[s->tet];
    for (int i = 0; i < 4; i++)
        if (s->object->nodes[nodes[i]].fragment == s->fragment)
            lower(s->object, nodes[i], triangle | FRC_CRACK_TRIANGLE);
}

// The nodes become the first front; returns their number.
static uint32_t start(frc_object* object, frc_field_update* u) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < u->tet_count; t++) {
        const uint32_t* nodes = object->solid->tets[u->tets[t]];
        for (int i = 0; i < 4; i++) {
            const uint32_t fragment = object->nodes[nodes[i]].fragment;
            if (u->steps[nodes[i]] == FRACAS_NONE) continue;
            bool seen = false;
            for (int j = 0; j < i; j++) seen |= object->nodes[nodes[j]].fragment == fragment;
            seed_data data = {object, u->tets[t], fragment};
            if (!seen) frc_crack_for_each(object, u->tets[t], fragment, seed, &data);
            append(u, nodes[i], 1, &count);
        }
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
            for (uint32_t n = topology->neighbour_begins[p]; n < topology->neighbour_begins[p + 1];
                 n++) {
                const uint32_t q = topology->neighbours[n];
                const frc_field_node* to = &object->nodes[q];
                if (to->fragment != from->fragment || to->nearest == from->nearest) continue;
                double way[3];
                frc_vec3_subtract(object->solid->points[q], object->solid->points[p], way);
                const double gain = from->distance - to->distance;
                if (gain > 0 && gain * gain > frc_vec3_dot(way, way)) continue;
                if (lower(object, q, from->nearest)) append(u, q, step, &next);
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
