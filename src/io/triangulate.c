/// @file triangulate.c  Polygons into triangles by clipping ears, seen along the axis that is
/// nearest to the polygon's (Newell's) normal. Dropping a coordinate rounds nothing, so what is
/// left and right is exact.
///
/// A polygon that the fan around its first corner fills is cut that way; this takes linear time and
/// is what other programs do with convex faces. Else ears are clipped (Based on: orourke1998): the
/// state of a corner changes only when a neighbour goes, which makes it quadratic. Above MOST_EARS
/// corners, or when no ear is left (the polygon crosses itself), the fan takes what remains: there
/// are always count - 2 triangles.
#include "io/triangulate.h"
#include "geom/predicates.h"
#include "io/mesh_file.h"
#include <math.h>

enum { MOST_EARS = 1000, MOST_RETRIES = 4 };
enum { PLAIN = 0, REFLEX = 1, EAR = 2 };  // states of a corner; PLAIN is convex, but blocked

typedef struct polygon {
    const double* points;  // two each
    uint32_t* next;
    uint32_t* before;
    uint8_t* state;
    uint32_t count;
    int sign;  // 1 when it runs to the left, seen along the axis
} polygon;

// ---- seeing it flat

static double largest_coordinate(const double* points, const uint32_t* corners, uint32_t count) {
    double largest = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            double size = fabs(points[3 * (size_t)corners[i] + (size_t)axis]);
            if (size > largest) largest = size;
        }
    return largest;
}

// Twice the area vector, of the polygon brought to a size that neither over- nor underflows.
static void find_normal(const double* points, const uint32_t* corners, uint32_t count,
                        double normal[3]) {
    int exponent = 0;
    frexp(largest_coordinate(points, corners, count), &exponent);
    const double* origin = points + 3 * (size_t)corners[0];
    double last[3] = {0, 0, 0};
    normal[0] = normal[1] = normal[2] = 0;
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
}

// Drop the axis in which the normal is longest; the first of equals. 0 when there is no normal.
static int flatten(const double* points, const uint32_t* corners, uint32_t count, double* out) {
    double normal[3];
    find_normal(points, corners, count, normal);
    int drop = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
    if (fabs(normal[2]) > fabs(normal[drop])) drop = 2;
    int first = (drop + 1) % 3, second = (drop + 2) % 3;
    for (uint32_t i = 0; i < count; i++) {
        out[2 * (size_t)i] = points[3 * (size_t)corners[i] + (size_t)first];
        out[2 * (size_t)i + 1] = points[3 * (size_t)corners[i] + (size_t)second];
    }
    return (normal[drop] > 0) - (normal[drop] < 0);
}

// ---- ears

static int turn(const polygon* p, uint32_t a, uint32_t b, uint32_t c) {
    return p->sign * frc_orient2d(p->points + 2 * (size_t)a, p->points + 2 * (size_t)b,
                                  p->points + 2 * (size_t)c);
}

static bool same_place(const polygon* p, uint32_t a, uint32_t b) {
    const double *at = p->points + 2 * (size_t)a, *other = p->points + 2 * (size_t)b;
    return at[0] == other[0] && at[1] == other[1];
}

// Is v in the closed triangle? A corner of the triangle met again (a bridge to a hole) is not.
static bool blocks(const polygon* p, uint32_t v, uint32_t a, uint32_t b, uint32_t c) {
    if (turn(p, a, b, v) < 0 || turn(p, b, c, v) < 0 || turn(p, c, a, v) < 0) return false;
    return !same_place(p, v, a) && !same_place(p, v, b) && !same_place(p, v, c);
}

static uint8_t find_state(const polygon* p, uint32_t b) {
    uint32_t a = p->before[b], c = p->next[b];
    if (turn(p, a, b, c) <= 0) return REFLEX;
    for (uint32_t v = p->next[c]; v != a; v = p->next[v])
        if (p->state[v] == REFLEX && blocks(p, v, a, b, c)) return PLAIN;
    return EAR;
}

// Which corners are reflex must be known before ears are looked for.
static void find_states(const polygon* p, uint32_t first) {
    uint32_t v = first;
    do {
        p->state[v] = turn(p, p->before[v], v, p->next[v]) <= 0 ? REFLEX : PLAIN;
    } while ((v = p->next[v]) != first);
    do p->state[v] = find_state(p, v);
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
    for (; left > 0; left--, v = p->next[v])
        if (p->state[v] == EAR) return v;
    return none;
}

static void clip_ears(const polygon* p, const uint32_t* corners, uint32_t* out) {
    uint32_t left = p->count, v = 0;
    int retries = MOST_RETRIES;
    find_states(p, 0);
    while (left > 3) {
        uint32_t ear = next_ear(p, v, left, p->count);
        if (ear == p->count) {
            // Rounding cannot hide an ear, but a degenerate corner that has gone can.
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
        p->state[a] = find_state(p, a);
        p->state[c] = find_state(p, c);
        v = p->next[c];  // walk on, so that the ears do not all meet in one corner
    }
    for (uint32_t b = p->next[v]; p->next[b] != v; b = p->next[b])
        out = emit(out, corners, v, b, p->next[b]);
}

// ---- the easy ones

static bool fan_fills(const polygon* p) {
    for (uint32_t i = 1; i + 1 < p->count; i++)
        if (turn(p, 0, i, i + 1) <= 0) return false;
    return true;
}

static void fan(const uint32_t* corners, uint32_t count, uint32_t first, uint32_t* out) {
    for (uint32_t i = 1; i + 1 < count; i++)
        out = emit(out, corners, first, (first + i) % count, (first + i + 1) % count);
}

static bool make_room(fracas_context* context, frc_polygon_work* work, uint32_t count) {
    return FRC_ARRAY_RESERVE(context, &work->points, 2 * (size_t)count) &&
           FRC_ARRAY_RESERVE(context, &work->next, count) &&
           FRC_ARRAY_RESERVE(context, &work->before, count) &&
           FRC_ARRAY_RESERVE(context, &work->state, count);
}

bool frc_polygon_triangulate(fracas_context* context, frc_polygon_work* work, const double* points,
                             const uint32_t* corners, uint32_t count, uint32_t* out) {
    if (count == 3) {
        emit(out, corners, 0, 1, 2);
        return true;
    }
    if (!make_room(context, work, count)) return false;
    polygon p = {.points = work->points.data,
                 .next = work->next.data,
                 .before = work->before.data,
                 .state = work->state.data,
                 .count = count};
    p.sign = flatten(points, corners, count, work->points.data);
    if (p.sign == 0 || fan_fills(&p)) {
        fan(corners, count, 0, out);
    } else if (count == 4 && turn(&p, 1, 2, 3) > 0 && turn(&p, 1, 3, 0) > 0) {
        fan(corners, count, 1, out);
    } else if (count == 4 || count > MOST_EARS) {
        fan(corners, count, 0, out);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            p.next[i] = i + 1 < count ? i + 1 : 0;
            p.before[i] = i > 0 ? i - 1 : count - 1;
        }
        clip_ears(&p, corners, out);
    }
    return true;
}

void frc_polygon_work_release(fracas_context* context, frc_polygon_work* work) {
    FRC_ARRAY_RELEASE(context, &work->points);
    FRC_ARRAY_RELEASE(context, &work->next);
    FRC_ARRAY_RELEASE(context, &work->before);
    FRC_ARRAY_RELEASE(context, &work->state);
}

// ---- all faces of a file

static size_t count_triangles(const fracas_mesh_file* file) {
    const uint32_t* offsets = file->face_offsets.data;
    size_t triangles = 0, faces = frc_mesh_file_face_count(file);
    for (size_t f = 0; f < faces; f++) {
        uint32_t corners = offsets[f + 1] - offsets[f];
        if (corners > 2) triangles += corners - 2;
    }
    return triangles;
}

// A step is one face; polygons of many corners count as the time they take.
static bool told(fracas_mesh_file* file, uint64_t* work, uint32_t corners) {
    enum { OFTEN = 1 << 22 };
    *work += corners <= 4 ? corners : (uint64_t)corners * corners;
    if (*work < OFTEN) return true;
    *work = 0;
    return frc_progress(file->context, 1.0);
}

static fracas_status triangulate_faces(fracas_mesh_file* file, frc_polygon_work* work) {
    const uint32_t* offsets = file->face_offsets.data;
    size_t faces = frc_mesh_file_face_count(file);
    uint64_t done = 0;
    uint32_t *out = file->triangles.data, *face = file->triangle_faces.data;
    for (size_t f = 0; f < faces; f++) {
        uint32_t corners = offsets[f + 1] - offsets[f];
        if (corners < 3) continue;
        if (!frc_polygon_triangulate(file->context, work, file->points.data,
                                     file->face_vertices.data + offsets[f], corners, out))
            return frc_fail_memory(file->context, corners * 2 * sizeof(double));
        out += 3 * (size_t)(corners - 2);
        for (uint32_t i = 2; i < corners; i++) *face++ = (uint32_t)f;
        if (!told(file, &done, corners))
            return frc_fail(file->context, FRACAS_ERROR_CANCELLED, "%s: reading was cancelled",
                            file->name);
    }
    return FRACAS_OK;
}

fracas_status frc_mesh_file_triangulate(fracas_mesh_file* file) {
    size_t triangles = count_triangles(file);
    if (!FRC_ARRAY_RESERVE(file->context, &file->triangles, 3 * triangles) ||
        !FRC_ARRAY_RESERVE(file->context, &file->triangle_faces, triangles))
        return frc_fail_memory(file->context, 3 * triangles * sizeof(uint32_t));
    frc_polygon_work work = {0};
    fracas_status status = triangulate_faces(file, &work);
    frc_polygon_work_release(file->context, &work);
    file->triangles.count = 3 * triangles;
    file->triangle_faces.count = triangles;
    return status;
}
