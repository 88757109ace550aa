/// @file medial_quick.c  Each operation is that of a lane of geom/medial_lanes.c, in its order.
#include "cuda/medial_quick.h"
#include "geom/vec3.h"

enum { STEPS = 4 };

FRC_DEVICE frc_medial_between frc_medial_between_make(const frc_medial_device_body* a,
                                                      const frc_medial_device_body* b,
                                                      double tolerance) {
    frc_medial_between out;
    frc_vec3_subtract(b->motion.position[0], a->motion.position[0], out.start);
    frc_vec3_subtract(b->motion.position[1], a->motion.position[1], out.end);
    out.size = a->bound + b->bound;
    out.tolerance = tolerance * (b->radius < a->radius ? b->radius : a->radius);
    return out;
}

// Squares of lengths neither overflow nor vanish.
FRC_DEVICE static bool is_ordinary(double size) { return size >= 0x1p-40 && size <= 0x1p40; }

FRC_DEVICE static double largest_way(const frc_medial_between* between) {
    const double x = frc_vec3_largest(between->start), y = frc_vec3_largest(between->end);
    return x > y ? x : y;
}

FRC_DEVICE bool frc_medial_quick_meet(const frc_medial_slot* a, const frc_medial_slot* b,
                                      const frc_medial_between* between) {
    const double size = between->size + largest_way(between);
    float p[3], v[3], vv = 0, pv = 0, square = 0;
    if (!is_ordinary(size)) return true;
    for (int k = 0; k < 3; k++) {
        p[k] = a->start[k] - b->start[k] - (float)between->start[k];
        v[k] = a->way[k] - b->way[k] - (float)(between->end[k] - between->start[k]);
        vv = vv + v[k] * v[k];
        pv = pv - p[k] * v[k];
    }
    // When they are nearest, within [0, 1]; 0 where they do not approach or nothing moves.
    const float t = pv / vv, at = t > 0 ? t < 1 ? t : 1 : 0;
    for (int k = 0; k < 3; k++) {
        const float x = p[k] + at * v[k];
        square = square + x * x;
    }
    const float reach = a->radius + b->radius + 128 * 0x1p-24F * (float)size;
    return square <= reach * reach;
}

FRC_DEVICE static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Three spheres of each side; b is relative to the first body.
typedef struct corner {
    float at[2][3], radius;  // at the start and the end
} corner;

typedef struct lane {
    corner a[3], b[3];
    uint32_t count_a, count_b;
    float reach;
} lane;

// A point of the hull of differences and its radius.
typedef struct point {
    float at[3], radius;
} point;

FRC_DEVICE static void load_side(const frc_lane_sphere* spheres, const frc_medial_primitive* p,
                                 corner out[3], float* bulge) {
    *bulge = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const frc_lane_sphere* s = &spheres[p->sphere[i]];
        for (int k = 0; k < 3; k++) out[i].at[0][k] = s->start[k], out[i].at[1][k] = s->end[k];
        out[i].radius = s->radius;
        *bulge = s->bulge > *bulge ? s->bulge : *bulge;
    }
}

FRC_DEVICE static void set_point(const corner* c, int end, point* out) {
    for (int k = 0; k < 3; k++) out->at[k] = c->at[end][k];
    out->radius = c->radius;
}

// The sphere that reaches farthest along n, at one end of the step; returns how far.
FRC_DEVICE static float find_farthest(const corner* c, uint32_t count, const float n[3], int end,
                                      point* out) {
    float best = dot(n, c[0].at[end]) + c[0].radius;
    set_point(&c[0], end, out);
    for (uint32_t i = 1; i < count; i++) {
        const float along = dot(n, c[i].at[end]) + c[i].radius;
        if (!(best < along)) continue;
        set_point(&c[i], end, out);
        best = along;
    }
    return best;
}

// The gap along n at one end of the step, and the vertex of the hull there.
FRC_DEVICE static float find_gap(const lane* l, const float n[3], int end, point* vertex) {
    const float back[3] = {0 - n[0], 0 - n[1], 0 - n[2]};
    point v, w;
    const float a = find_farthest(l->a, l->count_a, n, end, &v);
    const float b = find_farthest(l->b, l->count_b, back, end, &w);
    for (int k = 0; k < 3; k++) vertex->at[k] = w.at[k] - v.at[k];
    vertex->radius = w.radius + v.radius;
    return 0 - (a + b);
}

// The point of the edge from p to q that is nearest. Where that is no number p stays.
FRC_DEVICE static void advance(point* p, const point* q) {
    float e[3];
    for (int k = 0; k < 3; k++) e[k] = q->at[k] - p->at[k];
    const float slope = q->radius - p->radius, ee = dot(e, e);
    const float along = dot(e, p->at) / ee, c = slope / ee;
    const float rest = dot(p->at, p->at) - along * along * ee, height = rest > 0 ? rest : 0;
    const float sine = 1 - slope * c;
    float x = c * sqrtf(height / sine) - along;
    x = x > 0 ? x : 0;
    x = x < 1 ? x : 1;
    if (sine <= 0) x = slope > 0 ? 1 : 0;  // one sphere of the edge is in the other
    for (int k = 0; k < 3; k++) p->at[k] = p->at[k] + x * e[k];
    p->radius = p->radius + x * slope;
}

// The middle of the first and the last spheres.
FRC_DEVICE static void set_start(const lane* l, point* out) {
    const corner *a = &l->a[0], *b = &l->b[0], *c = &l->a[l->count_a - 1],
                 *d = &l->b[l->count_b - 1];
    for (int k = 0; k < 3; k++)
        out->at[k] = 0.5F * (b->at[0][k] - a->at[0][k] + (d->at[0][k] - c->at[0][k]));
    out->radius = 0.5F * (a->radius + b->radius + (c->radius + d->radius));
}

FRC_DEVICE static bool is_apart(const lane* l) {
    point p;
    set_start(l, &p);
    for (int i = 0; i < STEPS; i++) {
        const float square = dot(p.at, p.at), length = sqrtf(square), inverse = 1 / length;
        const float n[3] = {p.at[0] * inverse, p.at[1] * inverse, p.at[2] * inverse};
        point first, last;
        const float gap0 = find_gap(l, n, 0, &first), gap1 = find_gap(l, n, 1, &last);
        if (gap0 > l->reach && gap1 > l->reach && square > 0x1p-100F) return true;
        // No direction is better than the point itself.
        if (length - p.radius <= l->reach) return false;
        advance(&p, gap1 < gap0 ? &last : &first);
    }
    return false;
}

FRC_DEVICE bool frc_medial_quick_apart(const frc_lane_sphere* spheres_a,
                                       const frc_medial_primitive* a,
                                       const frc_lane_sphere* spheres_b,
                                       const frc_medial_primitive* b,
                                       const frc_medial_between* between) {
    const double size = largest_way(between) + between->size;
    lane l;
    float bulge_a, bulge_b;
    if (!is_ordinary(size)) return false;
    l.count_a = a->count;
    l.count_b = b->count;
    load_side(spheres_a, a, l.a, &bulge_a);
    load_side(spheres_b, b, l.b, &bulge_b);
    for (uint32_t j = 0; j < l.count_b; j++)
        for (int k = 0; k < 3; k++) {
            l.b[j].at[0][k] = l.b[j].at[0][k] + (float)between->start[k];
            l.b[j].at[1][k] = l.b[j].at[1][k] + (float)between->end[k];
        }
    const float margin = (float)between->tolerance * (1 + 0x1p-20F) + 64 * 0x1p-24F * (float)size;
    l.reach = (bulge_a + bulge_b) * (1 + 0x1p-20F) + margin;
    return is_apart(&l);
}
