/// @file surface.c  Read the given surface, and find its sharp edges and corners.
#include "base/array.h"
#include "geom/vec3.h"
#include "mesh/closed_surface.h"
#include "tet_mesh/stuffing.h"
#include <string.h>

// Do the two triangles of an edge turn by more than the angle that is sharp?
static bool is_sharp(const frc_stuffing* s, const uint64_t* keys, size_t count) {
    double normal[2][3];
    if (count != 2) return true;
    for (int i = 0; i < 2; i++) {
        double a[3], b[3];
        const uint32_t* corner = s->surface.faces[(uint32_t)keys[i] / 3].corner;
        frc_vec3_subtract(s->points[corner[1]], s->points[corner[0]], a);
        frc_vec3_subtract(s->points[corner[2]], s->points[corner[0]], b);
        frc_vec3_cross(a, b, normal[i]);
    }
    const double length =
        sqrt(frc_vec3_dot(normal[0], normal[0])) * sqrt(frc_vec3_dot(normal[1], normal[1]));
    return frc_vec3_dot(normal[0], normal[1]) < s->sharp_cosine * length;
}

// The sharp edges at a vertex: how many, and the sum of the unit vectors along them.
typedef struct edge_sum {
    double direction[3];
    uint32_t count;
} edge_sum;

// Append the sharp edges to `out`, unless it is NULL; returns their number.
static uint32_t copy_sharp(const frc_stuffing* s, const frc_closed_surface* c, frc_face* out) {
    const frc_half_edges* e = &c->edges;
    uint32_t count = 0;
    for (size_t i = 0, end; i < e->count; i = end) {
        const uint32_t a = frc_corner_of(c, (uint32_t)e->keys[i], 0),
                       b = frc_corner_of(c, (uint32_t)e->keys[i], 1), low = a < b ? a : b;
        for (end = i; end < e->first[low + 1] && e->keys[end] >> 32 == e->keys[i] >> 32;) end++;
        if (!is_sharp(s, e->keys + i, end - i)) continue;
        if (out)
            out[count] = (frc_face){
                {a, b, b}
            };
        count++;
    }
    return count;
}

// A vertex where sharp edges end, meet or bend.
static bool is_corner(const frc_stuffing* s, const edge_sum* at) {
    const double turn = frc_vec3_dot(at->direction, at->direction);
    return at->count > 0 && (at->count != 2 || turn > 2 - 2 * s->sharp_cosine);
}

static bool find_sharp(frc_stuffing* s, const frc_closed_surface* c) {
    bool ok = true;
    const uint32_t count = copy_sharp(s, c, NULL);
    edge_sum* sums = frc_allocate_array(s->context, s->point_count, sizeof *sums, &ok);
    s->edges.faces = frc_allocate_array(s->context, count, sizeof(frc_face), &ok);
    if (ok) {
        s->edges.count = s->edges.capacity = copy_sharp(s, c, s->edges.faces);
        memset(sums, 0, frc_array_size(s->point_count, sizeof *sums));
    }
    for (uint32_t i = 0; ok && i < count; i++) {
        const uint32_t* end = s->edges.faces[i].corner;
        double d[3];
        frc_vec3_subtract(s->points[end[1]], s->points[end[0]], d);
        const double length = sqrt(frc_vec3_dot(d, d));
        for (int k = 0; k < 3 && length > 0; k++) {
            sums[end[0]].direction[k] += d[k] / length;
            sums[end[1]].direction[k] -= d[k] / length;
        }
        sums[end[0]].count++, sums[end[1]].count++;
    }
    uint32_t corners = 0;
    for (uint32_t v = 0; ok && v < s->point_count; v++) corners += is_corner(s, &sums[v]);
    s->corners.faces = frc_allocate_array(s->context, corners, sizeof(frc_face), &ok);
    if (ok) s->corners.capacity = corners;
    for (uint32_t v = 0; ok && v < s->point_count; v++)
        if (is_corner(s, &sums[v]))
            s->corners.faces[s->corners.count++] = (frc_face){
                {v, v, v}
            };
    frc_release(s->context, sums, frc_array_size(s->point_count, sizeof *sums));
    return ok;
}

fracas_status frc_stuffing_read(frc_stuffing* s, const fracas_mesh_view* view) {
    frc_closed_surface closed = {0};
    fracas_status status = frc_closed_surface_read(s->context, view, &closed);
    bool ok = true;
    if (status == FRACAS_OK) {
        s->points = closed.points, s->point_count = closed.point_count;
        closed.points = NULL;
        memcpy(s->lo, closed.lo, sizeof s->lo);
        memcpy(s->hi, closed.hi, sizeof s->hi);
        s->volume = closed.volume;
        s->surface.faces =
            frc_allocate_array(s->context, closed.triangle_count, sizeof(frc_face), &ok);
        if (ok) {
            s->surface.count = s->surface.capacity = closed.triangle_count;
            memcpy(s->surface.faces, closed.triangles, closed.triangle_count * sizeof(frc_face));
        }
        if (!ok || (s->sharp_cosine > -1 && !find_sharp(s, &closed)))
            status = frc_fail_memory(s->context, closed.edges.count * sizeof(frc_face));
    }
    frc_closed_surface_release(s->context, &closed);
    return status;
}
