/// @file closed_surface.c  Is a surface closed, oriented, and around a volume?
#include "mesh/closed_surface.h"
#include "base/array.h"
#include "base/sort.h"
#include "geom/vec3.h"
#include "mesh/view.h"
#include <inttypes.h>
#include <string.h>

enum { MOST_TRIANGLES = 1u << 29 };  // half-edges, and triangles with vertices, have 32-bit numbers

static fracas_status copy(fracas_context* context, const fracas_mesh_view* view,
                          frc_closed_surface* s) {
    bool ok = true;
    if (view->triangle_count == 0)
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "the surface has no triangles; a solid needs a closed surface");
    if (view->triangle_count > MOST_TRIANGLES)
        return frc_fail(context, FRACAS_ERROR_UNSUPPORTED,
                        "the surface has %" PRIu32 " triangles, but at most %" PRIu32
                        " are possible",
                        view->triangle_count, (uint32_t)MOST_TRIANGLES);
    s->point_count = view->points.count;
    s->points = frc_allocate_array(context, s->point_count, sizeof *s->points, &ok);
    s->triangle_count = view->triangle_count;
    s->triangles = frc_allocate_array(context, view->triangle_count, sizeof *s->triangles, &ok);
    if (!ok) return frc_fail_memory(context, view->triangle_count * sizeof *s->triangles);
    for (uint32_t v = 0; v < s->point_count; v++) frc_view_point(&view->points, v, s->points[v]);
    for (uint32_t f = 0; f < view->triangle_count; f++) {
        const uint32_t* corner = view->triangles + 3 * (size_t)f;
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0])
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "triangle %" PRIu32 " has vertex %" PRIu32 " twice; remove it", f,
                            corner[0] == corner[1] ? corner[0] : corner[2]);
        memcpy(s->triangles[f], corner, 3 * sizeof *corner);
    }
    return FRACAS_OK;
}

// ---- edges

static void release_edges(fracas_context* context, frc_half_edges* e) {
    frc_release(context, e->keys, frc_array_size(e->count, sizeof *e->keys));
    frc_release(context, e->spare, frc_array_size(e->count, sizeof *e->spare));
    frc_release(context, e->first, frc_array_size(e->vertex_count + 1, sizeof *e->first));
}

// Bucket the half-edges by counting, then sort each bucket.
static bool list_edges(fracas_context* context, const frc_closed_surface* s, frc_half_edges* e) {
    bool ok = true;
    e->count = 3 * (size_t)s->triangle_count, e->vertex_count = s->point_count;
    e->keys = frc_allocate_array(context, e->count, sizeof *e->keys, &ok);
    e->spare = frc_allocate_array(context, e->count, sizeof *e->spare, &ok);
    e->first = frc_allocate_array(context, e->vertex_count + 1, sizeof *e->first, &ok);
    if (!ok) return false;
    memset(e->first, 0, (e->vertex_count + 1) * sizeof *e->first);
    for (uint32_t h = 0; h < e->count; h++) {
        const uint32_t a = frc_corner_of(s, h, 0), b = frc_corner_of(s, h, 1);
        e->first[a < b ? a : b]++;
    }
    size_t sum = 0;
    for (size_t v = 0; v <= e->vertex_count; v++) sum += e->first[v], e->first[v] = sum;
    // From behind, so that each bucket ends up at its begin, in order.
    for (uint32_t h = (uint32_t)e->count; h-- > 0;) {
        const uint32_t a = frc_corner_of(s, h, 0), b = frc_corner_of(s, h, 1);
        e->keys[--e->first[a < b ? a : b]] = (uint64_t)(a < b ? b : a) << 32 | h;
    }
    return true;
}

static void sort_bucket(frc_half_edges* e, size_t begin, size_t end) {
    uint64_t* keys = e->keys + begin;
    const size_t count = end - begin;
    if (count > 32) {
        const uint64_t* sorted = frc_sort_keys(keys, e->spare, count, 0);
        if (sorted != keys) memcpy(keys, sorted, count * sizeof *keys);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const uint64_t key = keys[i];
        size_t k = i;
        for (; k > 0 && keys[k - 1] > key; k--) keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

// The failure of an edge: keys[0 .. count) are its half-edges.
static fracas_status fail_edge(fracas_context* context, const frc_closed_surface* s,
                               const uint64_t* keys, size_t count, size_t forward) {
    const uint32_t first = (uint32_t)keys[0], last = (uint32_t)keys[count - 1];
    const uint32_t from = frc_corner_of(s, first, 0), to = frc_corner_of(s, first, 1);
    if (count == 1)
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "the surface is not closed: the edge from vertex %" PRIu32 " to %" PRIu32
                        " belongs to triangle %" PRIu32
                        " only; close the hole, or join vertices at equal positions",
                        from, to, first / 3);
    if (count == 2)
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "the surface is not consistently oriented: triangles %" PRIu32
                        " and %" PRIu32 " both traverse the edge from vertex %" PRIu32
                        " to %" PRIu32 "; turn one of them over",
                        first / 3, last / 3, from, to);
    return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                    "the surface is not closed: of the %zu triangles at the edge of vertices "
                    "%" PRIu32 " and %" PRIu32
                    " %zu traverse it in one direction and %zu in the other, among them triangle "
                    "%" PRIu32 "; remove or add triangles there",
                    count, from < to ? from : to, from < to ? to : from, forward, count - forward,
                    first / 3);
}

// As many triangles must traverse each edge in one direction as in the other.
static fracas_status check_edges(fracas_context* context, const frc_closed_surface* s,
                                 frc_half_edges* e) {
    for (size_t v = 0; v < e->vertex_count; v++) {
        sort_bucket(e, e->first[v], e->first[v + 1]);
        for (size_t i = e->first[v], end; i < e->first[v + 1]; i = end) {
            size_t forward = 0;
            for (end = i; end < e->first[v + 1] && e->keys[end] >> 32 == e->keys[i] >> 32; end++)
                forward += frc_corner_of(s, (uint32_t)e->keys[end], 0) == v;
            if (2 * forward != end - i) return fail_edge(context, s, e->keys + i, end - i, forward);
        }
    }
    return FRACAS_OK;
}

// ---- volume

static fracas_status find_volume(fracas_context* context, frc_closed_surface* s) {
    double centre[3], sum = 0, magnitude = 0;
    for (int k = 0; k < 3; k++) s->lo[k] = INFINITY, s->hi[k] = -INFINITY;
    for (size_t c = 0; c < 3 * (size_t)s->triangle_count; c++) {
        const double* p = s->points[s->triangles[c / 3][c % 3]];
        for (int k = 0; k < 3; k++) {
            s->lo[k] = p[k] < s->lo[k] ? p[k] : s->lo[k];
            s->hi[k] = p[k] > s->hi[k] ? p[k] : s->hi[k];
        }
    }
    // Lengths relative to the box: the volume neither overflows nor underflows.
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * s->lo[k] + 0.5 * s->hi[k];
        longest = fmax(longest, 0.5 * s->hi[k] - 0.5 * s->lo[k]);
    }
    for (uint32_t f = 0; longest > 0 && f < s->triangle_count; f++) {
        double p[3][3], cross[3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                p[i][k] = (s->points[s->triangles[f][i]][k] - centre[k]) / longest;
        frc_vec3_cross(p[1], p[2], cross);
        const double part = frc_vec3_dot(p[0], cross);
        sum += part, magnitude += fabs(part);
    }
    if (!(fabs(sum) > 1e-13 * magnitude))
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "the surface encloses no volume: it is flat, or its two sides coincide");
    if (sum < 0)
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "the surface is inside out: its volume is %g; turn all triangles over",
                        sum / 6 * longest * longest * longest);
    s->volume = sum / 6 * longest * longest * longest;
    return FRACAS_OK;
}

// ---- all

fracas_status frc_closed_surface_read(fracas_context* context, const fracas_mesh_view* view,
                                      frc_closed_surface* s) {
    fracas_status status = copy(context, view, s);
    if (status != FRACAS_OK) return status;
    if (!list_edges(context, s, &s->edges))
        return frc_fail_memory(context, s->edges.count * sizeof(uint64_t));
    status = check_edges(context, s, &s->edges);
    return status == FRACAS_OK ? find_volume(context, s) : status;
}

void frc_closed_surface_release(fracas_context* context, frc_closed_surface* s) {
    release_edges(context, &s->edges);
    frc_release(context, s->triangles, frc_array_size(s->triangle_count, sizeof *s->triangles));
    frc_release(context, s->points, frc_array_size(s->point_count, sizeof *s->points));
    *s = (frc_closed_surface){0};
}
