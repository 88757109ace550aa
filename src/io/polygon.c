/// @file polygon.c  Triangulate a polygon by ear clipping, projected along the axis nearest to its
/// (Newell's) normal. Dropping a coordinate does not round, so orientation tests are exact.
///
/// If the fan around the first corner covers the polygon exactly, the fan is the result: this takes
/// linear time and is what other programs do with convex faces. Otherwise ears are clipped (Based
/// on: orourke1998). The state of a corner changes only when a neighbour is removed, so the time is
/// corners times reflex corners. When there is no ear (the polygon crosses itself) or the caller's
/// budget is used up, a fan covers the rest: there are always count - 2 triangles.
#include "io/polygon.h"
#include "exact/predicates.h"
#include <math.h>
#include <string.h>

enum { MAX_RETRIES = 4 };
enum { BLOCKED = 0, REFLEX = 1, EAR = 2 };  // states of a corner; BLOCKED is convex but not an ear

typedef struct polygon {
    const double* points;  // two each
    uint32_t* next;
    uint32_t* before;  // links of the remaining corners
    uint32_t* reflex;  // list of the reflex corners, in any order
    uint32_t* place;   // position of a reflex corner in that list
    uint8_t* state;
    uint64_t* budget;
    uint32_t count, reflex_count;
    int sign;  // 1: counter-clockwise in the projection, -1: clockwise, 0: no normal
} polygon;

// ---- projection

// Project to two coordinates by dropping the axis of the largest component of Newell's normal, the
// first of equal ones. @return the sign of that component; 0 when the normal is zero
static int project(const double* points, const uint32_t* corners, uint32_t count, double* out) {
    // Scale by a power of two, so that products neither overflow nor underflow.
    double largest = 0;
    for (uint32_t i = 0; i < count; i++)
        for (size_t axis = 0; axis < 3; axis++)
            largest = fmax(largest, fabs(points[3 * (size_t)corners[i] + axis]));
    int exponent = 0;
    frexp(largest, &exponent);
    const double* origin = points + 3 * (size_t)corners[0];
    double last[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
    for (uint32_t i = 1; i < count; i++) {
        const double* point = points + 3 * (size_t)corners[i];
        double now[3];
        for (int axis = 0; axis < 3; axis++)
            now[axis] = ldexp(point[axis], -exponent) - ldexp(origin[axis], -exponent);
        normal[0] += last[1] * now[2] - last[2] * now[1];
        normal[1] += last[2] * now[0] - last[0] * now[2];
        normal[2] += last[0] * now[1] - last[1] * now[0];
        memcpy(last, now, sizeof last);
    }
    size_t drop = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
    if (fabs(normal[2]) > fabs(normal[drop])) drop = 2;
    for (uint32_t i = 0; i < count; i++) {
        const double* point = points + 3 * (size_t)corners[i];
        out[2 * (size_t)i] = point[(drop + 1) % 3];
        out[2 * (size_t)i + 1] = point[(drop + 2) % 3];
    }
    return (normal[drop] > 0) - (normal[drop] < 0);
}

// ---- ears

static const double* point_of(const polygon* p, uint32_t v) { return p->points + 2 * (size_t)v; }

static int turn(const polygon* p, uint32_t a, uint32_t b, uint32_t c) {
    return p->sign * frc_orient2d(point_of(p, a), point_of(p, b), point_of(p, c));
}

// Is v in the closed triangle, but not at one of its corners (as it is on a bridge to a hole)?
static bool blocks(const polygon* p, uint32_t v, const uint32_t t[3]) {
    // Most points lie outside the bounding box.
    for (int axis = 0; axis < 2; axis++) {
        double at = point_of(p, v)[axis];
        int above = 0, below = 0;
        for (int i = 0; i < 3; i++) {
            above += at > point_of(p, t[i])[axis];
            below += at < point_of(p, t[i])[axis];
        }
        if (above == 3 || below == 3) return false;
    }
    for (int i = 0; i < 3; i++) {
        const double *at = point_of(p, v), *corner = point_of(p, t[i]);
        if (at[0] == corner[0] && at[1] == corner[1]) return false;
    }
    return turn(p, t[0], t[1], v) >= 0 && turn(p, t[1], t[2], v) >= 0 &&
           turn(p, t[2], t[0], v) >= 0;
}

// Use one test of the budget; false: none is left.
static bool spend(const polygon* p) {
    if (*p->budget == 0) return false;
    --*p->budget;
    return true;
}

// The state of corner b, by its neighbours and the reflex corners.
static uint8_t find_state(const polygon* p, uint32_t b) {
    const uint32_t ear[3] = {p->before[b], b, p->next[b]};
    if (turn(p, ear[0], b, ear[2]) <= 0) return REFLEX;
    for (uint32_t i = 0; i < p->reflex_count; i++) {
        uint32_t v = p->reflex[i];
        if (!spend(p)) return BLOCKED;
        if (v != ear[0] && v != ear[2] && blocks(p, v, ear)) return BLOCKED;
    }
    return EAR;
}

static void set_state(polygon* p, uint32_t v, uint8_t state) {
    if (state == REFLEX && p->state[v] != REFLEX) {
        p->place[v] = p->reflex_count;
        p->reflex[p->reflex_count++] = v;
    } else if (state != REFLEX && p->state[v] == REFLEX) {
        uint32_t last = p->reflex[--p->reflex_count];
        p->reflex[p->place[v]] = last;
        p->place[last] = p->place[v];
    }
    p->state[v] = state;
}

// Set the states of all corners. Reflex corners come first, because ears depend on them.
static void find_states(polygon* p, uint32_t first) {
    uint32_t v = first;
    do set_state(p, v, turn(p, p->before[v], v, p->next[v]) <= 0 ? REFLEX : BLOCKED);
    while ((v = p->next[v]) != first);
    do set_state(p, v, find_state(p, v));
    while ((v = p->next[v]) != first);
}

static uint32_t* emit(uint32_t* out, const uint32_t* corners, uint32_t a, uint32_t b, uint32_t c) {
    out[0] = corners[a];
    out[1] = corners[b];
    out[2] = corners[c];
    return out + 3;
}

// The first ear from v on, or `none`.
static uint32_t next_ear(const polygon* p, uint32_t v, uint32_t left, uint32_t none) {
    for (; left > 0 && spend(p); left--, v = p->next[v])
        if (p->state[v] == EAR) return v;
    return none;
}

// Remove ears until three corners are left; a fan covers what has no ears.
static void clip_ears(polygon* p, const uint32_t* corners, uint32_t* out) {
    uint32_t left = p->count, v = 0;
    int retries = MAX_RETRIES;
    memset(p->state, BLOCKED, p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        p->next[i] = i + 1 < p->count ? i + 1 : 0;
        p->before[i] = i > 0 ? i - 1 : p->count - 1;
    }
    find_states(p, 0);
    while (left > 3) {
        uint32_t ear = next_ear(p, v, left, p->count);
        if (ear == p->count) {
            // Where corners coincide, a removed corner may have been the only one that blocked an
            // ear.
            if (retries-- == 0) break;
            find_states(p, v);
            if (next_ear(p, v, left, p->count) == p->count) break;
            continue;
        }
        uint32_t a = p->before[ear], c = p->next[ear];
        out = emit(out, corners, a, ear, c);
        p->next[a] = c;
        p->before[c] = a;
        left--;
        set_state(p, a, find_state(p, a));
        set_state(p, c, find_state(p, c));
        v = p->next[c];  // move on, so that the ears do not all share one corner
    }
    for (uint32_t b = p->next[v]; p->next[b] != v; b = p->next[b])
        out = emit(out, corners, v, b, p->next[b]);
}

// ---- triangulation

// Triangulate as a fan around the corner `first`.
static void emit_fan(const uint32_t* corners, uint32_t count, uint32_t first, uint32_t* out) {
    for (uint32_t i = 1; i + 1 < count; i++)
        out = emit(out, corners, first, (first + i) % count, (first + i + 1) % count);
}

bool frc_polygon_triangulate(fracas_context* context, frc_polygon_work* work, const double* points,
                             const uint32_t* corners, uint32_t count, uint32_t* out) {
    if (count == 3) {
        emit(out, corners, 0, 1, 2);
        return true;
    }
    if (!FRC_ARRAY_RESERVE(context, &work->points, 2 * (size_t)count) ||
        !FRC_ARRAY_RESERVE(context, &work->links, 4 * (size_t)count) ||
        !FRC_ARRAY_RESERVE(context, &work->state, count))
        return false;
    polygon p = {.points = work->points.data,
                 .next = work->links.data,
                 .before = work->links.data + count,
                 .reflex = work->links.data + 2 * (size_t)count,
                 .place = work->links.data + 3 * (size_t)count,
                 .state = work->state.data,
                 .budget = &work->budget,
                 .count = count};
    p.sign = project(points, corners, count, work->points.data);
    bool fan_fills = true;
    for (uint32_t i = 1; p.sign != 0 && fan_fills && i + 1 < count; i++)
        fan_fills = turn(&p, 0, i, i + 1) > 0;
    if (fan_fills) {
        emit_fan(corners, count, 0, out);
    } else if (count == 4) {
        bool other = turn(&p, 1, 2, 3) > 0 && turn(&p, 1, 3, 0) > 0;
        emit_fan(corners, count, other ? 1 : 0, out);
    } else {
        clip_ears(&p, corners, out);
    }
    return true;
}

void frc_polygon_work_release(fracas_context* context, frc_polygon_work* work) {
    FRC_ARRAY_RELEASE(context, &work->points);
    FRC_ARRAY_RELEASE(context, &work->links);
    FRC_ARRAY_RELEASE(context, &work->state);
}
