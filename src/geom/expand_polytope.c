/// @file expand_polytope.c  The expanding polytope algorithm.
///
/// The polytope inside of the body grows by the support point of its nearest face, until that face
/// is on the boundary. The origin may be outside of the polytope: its nearest face then has a
/// negative distance, and the polytope grows towards it. Rounding errors can only end the search
/// early: every direction that was tried gives an upper bound.
/// Based on: bergen2001.
#include "geom/expand_polytope.h"
#include "geom/vec3.h"
#include <stdbool.h>
#include <string.h>

typedef struct expansion {
    frc_polytope* p;
    frc_support_fn* support;
    void* data;
    double best, direction[3];
} expansion;

// The support point in a direction becomes the next point. Returns its coordinate.
static double add_point(expansion* e, const double direction[3]) {
    const double value = e->support(e->data, direction, e->p->points[e->p->point_count]);
    if (value < e->best) {
        e->best = value;
        memcpy(e->direction, direction, sizeof e->direction);
    }
    e->p->point_count++;
    return value;
}

static bool normalize(double v[3]) {
    const double length = sqrt(frc_vec3_dot(v, v));
    if (!(length > 1e-14)) return false;
    for (int k = 0; k < 3; k++) v[k] /= length;
    return true;
}

// Returns false for a face without an area.
static bool add_face(frc_polytope* p, uint16_t a, uint16_t b, uint16_t c) {
    frc_polytope_face* f = &p->faces[p->face_count];
    double u[3], v[3];
    frc_vec3_subtract(p->points[b], p->points[a], u);
    frc_vec3_subtract(p->points[c], p->points[a], v);
    frc_vec3_cross(u, v, f->normal);
    if (p->face_count == FRC_POLYTOPE_FACES || !normalize(f->normal)) return false;
    f->point[0] = a, f->point[1] = b, f->point[2] = c;
    f->distance = frc_vec3_dot(f->normal, p->points[a]);
    p->face_count++;
    return true;
}

// ---- the first tetrahedron

// The point of those before `count` that is furthest from point 0, from the line or the plane of
// the first points; false: all are on it, up to rounding. It becomes point `rank`.
static bool pick(frc_polytope* p, uint32_t rank) {
    double largest = 1e-8, u[3], v[3], n[3];
    uint32_t found = 0;
    for (uint32_t i = rank; i < p->point_count; i++) {
        double x[3];
        frc_vec3_subtract(p->points[i], p->points[0], x);
        double size = sqrt(frc_vec3_dot(x, x));
        if (rank >= 2) frc_vec3_subtract(p->points[1], p->points[0], u);
        if (rank == 2) {
            frc_vec3_cross(u, x, n);
            size = sqrt(frc_vec3_dot(n, n));
        } else if (rank == 3) {
            frc_vec3_subtract(p->points[2], p->points[0], v);
            frc_vec3_cross(u, v, n);
            size = normalize(n) ? fabs(frc_vec3_dot(n, x)) : 0;
        }
        if (size > largest) largest = size, found = i;
    }
    if (found == 0) return false;
    double kept[3];
    memcpy(kept, p->points[rank], sizeof kept);
    memcpy(p->points[rank], p->points[found], sizeof kept);
    memcpy(p->points[found], kept, sizeof kept);
    return true;
}

// Points in the directions of the axes, and of the plane through the first three if they are flat.
static bool make_tetrahedron(expansion* e) {
    frc_polytope* p = e->p;
    p->point_count = p->face_count = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double n[3] = {0, 0, 0};
            n[axis] = sign;
            add_point(e, n);
        }
    if (!pick(p, 1) || !pick(p, 2)) return false;
    if (!pick(p, 3)) {
        double u[3], v[3], n[3];
        frc_vec3_subtract(p->points[1], p->points[0], u);
        frc_vec3_subtract(p->points[2], p->points[0], v);
        frc_vec3_cross(u, v, n);
        if (!normalize(n)) return false;
        add_point(e, n);
        frc_vec3_scale(n, -1, n);
        add_point(e, n);
        if (!pick(p, 3)) return false;
    }
    p->point_count = 4;
    double u[3], v[3], w[3], n[3];
    frc_vec3_subtract(p->points[1], p->points[0], u);
    frc_vec3_subtract(p->points[2], p->points[0], v);
    frc_vec3_subtract(p->points[3], p->points[0], w);
    frc_vec3_cross(u, v, n);
    const bool below = frc_vec3_dot(n, w) < 0;
    const uint16_t b = below ? 1 : 2, c = below ? 2 : 1;
    return add_face(p, 0, b, c) && add_face(p, 0, c, 3) && add_face(p, c, b, 3) &&
           add_face(p, b, 0, 3);
}

// ---- growth

// Replace the faces that the last point is above. False: their border is not one loop, or there is
// no room.
static bool grow(frc_polytope* p, double tolerance) {
    const uint16_t last = (uint16_t)(p->point_count - 1);
    uint16_t border[FRC_POLYTOPE_FACES][2];
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->face_count;) {
        const frc_polytope_face* f = &p->faces[i];
        if (frc_vec3_dot(f->normal, p->points[last]) <= f->distance + tolerance) {
            i++;
            continue;
        }
        // An edge that two removed faces have is not on the border.
        for (int k = 0; k < 3; k++) {
            const uint16_t a = f->point[k], b = f->point[(k + 1) % 3];
            uint32_t other = 0;
            while (other < count && !(border[other][0] == b && border[other][1] == a)) other++;
            if (other < count) {
                memcpy(border[other], border[--count], sizeof *border);
            } else {
                if (count == FRC_POLYTOPE_FACES) return false;
                border[count][0] = a, border[count][1] = b;
                count++;
            }
        }
        p->faces[i] = p->faces[--p->face_count];
    }
    if (count < 3) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t begins = 0;
        for (uint32_t j = 0; j < count; j++) begins += border[j][0] == border[i][0];
        if (begins != 1 || !add_face(p, border[i][0], border[i][1], last)) return false;
    }
    return true;
}

double frc_polytope_expand(frc_polytope* p, frc_support_fn* support, void* data, double tolerance,
                           double direction[3], double* least) {
    expansion e = {
        p, support, data, INFINITY, {1, 0, 0}
    };
    bool going = make_tetrahedron(&e);
    *least = -1;
    while (going && e.best >= 0) {
        const frc_polytope_face* nearest = &p->faces[0];
        for (uint32_t i = 1; i < p->face_count; i++)
            if (p->faces[i].distance < nearest->distance) nearest = &p->faces[i];
        double n[3];
        memcpy(n, nearest->normal, sizeof n);
        // The polytope is inside of the body: the boundary is not nearer than its nearest face.
        *least = nearest->distance;
        if (e.best - *least <= tolerance || p->point_count == FRC_POLYTOPE_POINTS) break;
        going = add_point(&e, n) - *least > 0.25 * tolerance && grow(p, 1e-3 * tolerance);
    }
    memcpy(direction, e.direction, sizeof e.direction);
    return e.best;
}
