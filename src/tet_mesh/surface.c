/// @file surface.c  Read the given surface: is it closed, oriented, and around a volume?
#include "base/array.h"
#include "base/sort.h"
#include "geom/vec3.h"
#include "mesh/view.h"
#include "tet_mesh/stuffing.h"
#include <inttypes.h>
#include <string.h>

enum { MOST_TRIANGLES = 1u << 29 };  // half-edges, and triangles with vertices, have 32-bit numbers

static fracas_status copy(frc_stuffing* s, const fracas_mesh_view* view) {
    bool ok = true;
    if (view->triangle_count == 0)
        return frc_fail(s->context, FRACAS_ERROR_BAD_DATA,
                        "the surface has no triangles; a solid needs a closed surface");
    if (view->triangle_count > MOST_TRIANGLES)
        return frc_fail(s->context, FRACAS_ERROR_UNSUPPORTED,
                        "the surface has %" PRIu32 " triangles, but at most %" PRIu32
                        " are possible",
                        view->triangle_count, (uint32_t)MOST_TRIANGLES);
    s->point_count = view->points.count;
    s->points = frc_allocate_array(s->context, s->point_count, sizeof *s->points, &ok);
    s->surface.faces = frc_allocate_array(s->context, view->triangle_count, sizeof(frc_face), &ok);
    if (s->surface.faces) s->surface.count = s->surface.capacity = view->triangle_count;
    if (!ok) return frc_fail_memory(s->context, view->triangle_count * sizeof(frc_face));
    for (uint32_t v = 0; v < s->point_count; v++) frc_view_point(&view->points, v, s->points[v]);
    for (uint32_t f = 0; f < view->triangle_count; f++) {
        const uint32_t* corner = view->triangles + 3 * (size_t)f;
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0])
            return frc_fail(s->context, FRACAS_ERROR_BAD_DATA,
                            "triangle %" PRIu32 " has vertex %" PRIu32 " twice; remove it", f,
                            corner[0] == corner[1] ? corner[0] : corner[2]);
        memcpy(s->surface.faces[f].corner, corner, 3 * sizeof *corner);
    }
    return FRACAS_OK;
}

// ---- edges

// Half-edges by their smaller vertex: (larger vertex) << 32 | 3 * triangle + corner.
typedef struct edge_lists {
    uint64_t *keys, *spare;
    size_t* first;  // by vertex, one more
    size_t count, vertex_count;
} edge_lists;

static void release_edges(fracas_context* context, edge_lists* e) {
    frc_release(context, e->keys, frc_array_size(e->count, sizeof *e->keys));
    frc_release(context, e->spare, frc_array_size(e->count, sizeof *e->spare));
    frc_release(context, e->first, frc_array_size(e->vertex_count + 1, sizeof *e->first));
}

static uint32_t corner_of(const frc_stuffing* s, uint32_t half_edge, uint32_t next) {
    return s->surface.faces[half_edge / 3].corner[(half_edge % 3 + next) % 3];
}

// Bucket the half-edges by counting, then sort each bucket.
static bool list_edges(const frc_stuffing* s, edge_lists* e) {
    bool ok = true;
    e->count = 3 * (size_t)s->surface.count, e->vertex_count = s->point_count;
    e->keys = frc_allocate_array(s->context, e->count, sizeof *e->keys, &ok);
    e->spare = frc_allocate_array(s->context, e->count, sizeof *e->spare, &ok);
    e->first = frc_allocate_array(s->context, e->vertex_count + 1, sizeof *e->first, &ok);
    if (!ok) return false;
    memset(e->first, 0, (e->vertex_count + 1) * sizeof *e->first);
    for (uint32_t h = 0; h < e->count; h++) {
        const uint32_t a = corner_of(s, h, 0), b = corner_of(s, h, 1);
        e->first[a < b ? a : b]++;
    }
    size_t sum = 0;
    for (size_t v = 0; v <= e->vertex_count; v++) sum += e->first[v], e->first[v] = sum;
    // From behind, so that each bucket ends up at its begin, in order.
    for (uint32_t h = (uint32_t)e->count; h-- > 0;) {
        const uint32_t a = corner_of(s, h, 0), b = corner_of(s, h, 1);
        e->keys[--e->first[a < b ? a : b]] = (uint64_t)(a < b ? b : a) << 32 | h;
    }
    return true;
}

static void sort_bucket(edge_lists* e, size_t begin, size_t end) {
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
static fracas_status fail_edge(const frc_stuffing* s, const uint64_t* keys, size_t count,
                               size_t forward) {
    const uint32_t first = (uint32_t)keys[0], last = (uint32_t)keys[count - 1];
    const uint32_t from = corner_of(s, first, 0), to = corner_of(s, first, 1);
    if (count == 1)
        return frc_fail(s->context, FRACAS_ERROR_BAD_DATA,
                        "the surface is not closed: the edge from vertex %" PRIu32 " to %" PRIu32
                        " belongs to triangle %" PRIu32
                        " only; close the hole, or join vertices at equal positions",
                        from, to, first / 3);
    if (count == 2)
        return frc_fail(s->context, FRACAS_ERROR_BAD_DATA,
                        "the surface is not consistently oriented: triangles %" PRIu32
                        " and %" PRIu32 " both traverse the edge from vertex %" PRIu32
                        " to %" PRIu32 "; turn one of them over",
                        first / 3, last / 3, from, to);
    return frc_fail(s->context, FRACAS_ERROR_BAD_DATA,
                    "the surface is not closed: of the %zu triangles at the edge of vertices "
                    "%" PRIu32 " and %" PRIu32
                    " %zu traverse it in one direction and %zu in the other, among them triangle "
                    "%" PRIu32 "; remove or add triangles there",
                    count, from < to ? from : to, from < to ? to : from, forward, count - forward,
                    first / 3);
}

// As many triangles must traverse each edge in one direction as in the other.
static fracas_status check_edges(const frc_stuffing* s, edge_lists* e) {
    for (size_t v = 0; v < e->vertex_count; v++) {
        sort_bucket(e, e->first[v], e->first[v + 1]);
        for (size_t i = e->first[v], end; i < e->first[v + 1]; i = end) {
            size_t forward = 0;
            for (end = i; end < e->first[v + 1] && e->keys[end] >> 32 == e->keys[i] >> 32; end++)
                forward += corner_of(s, (uint32_t)e->keys[end], 0) == v;
            if (2 * forward != end - i) return fail_edge(s, e->keys + i, end - i, forward);
        }
    }
    return FRACAS_OK;
}

// ---- sharp edges and corners

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
static uint32_t copy_sharp(const frc_stuffing* s, const edge_lists* e, frc_face* out) {
    uint32_t count = 0;
    for (size_t i = 0, end; i < e->count; i = end) {
        const uint32_t a = corner_of(s, (uint32_t)e->keys[i], 0),
                       b = corner_of(s, (uint32_t)e->keys[i], 1), low = a < b ? a : b;
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

static bool find_sharp(frc_stuffing* s, const edge_lists* e) {
    bool ok = true;
    const uint32_t count = copy_sharp(s, e, NULL);
    edge_sum* sums = frc_allocate_array(s->context, s->point_count, sizeof *sums, &ok);
    s->edges.faces = frc_allocate_array(s->context, count, sizeof(frc_face), &ok);
    if (ok) {
        s->edges.count = s->edges.capacity = copy_sharp(s, e, s->edges.faces);
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

// ---- volume

static fracas_status find_volume(frc_stuffing* s) {
    double centre[3], sum = 0, magnitude = 0;
    for (int k = 0; k < 3; k++) s->lo[k] = INFINITY, s->hi[k] = -INFINITY;
    for (size_t c = 0; c < 3 * (size_t)s->surface.count; c++) {
        const double* p = s->points[s->surface.faces[c / 3].corner[c % 3]];
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
    for (uint32_t f = 0; longest > 0 && f < s->surface.count; f++) {
        double p[3][3], cross[3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                p[i][k] = (s->points[s->surface.faces[f].corner[i]][k] - centre[k]) / longest;
        frc_vec3_cross(p[1], p[2], cross);
        const double part = frc_vec3_dot(p[0], cross);
        sum += part, magnitude += fabs(part);
    }
    if (!(fabs(sum) > 1e-13 * magnitude))
        return frc_fail(s->context, FRACAS_ERROR_BAD_DATA,
                        "the surface encloses no volume: it is flat, or its two sides coincide");
    if (sum < 0)
        return frc_fail(s->context, FRACAS_ERROR_BAD_DATA,
                        "the surface is inside out: its volume is %g; turn all triangles over",
                        sum / 6 * longest * longest * longest);
    s->volume = sum / 6 * longest * longest * longest;
    return FRACAS_OK;
}

fracas_status frc_stuffing_read(frc_stuffing* s, const fracas_mesh_view* view) {
    fracas_status status = copy(s, view);
    if (status != FRACAS_OK) return status;
    edge_lists edges = {0};
    status = list_edges(s, &edges) ? check_edges(s, &edges)
                                   : frc_fail_memory(s->context, edges.count * sizeof(uint64_t));
    if (status == FRACAS_OK && s->sharp_cosine > -1 && !find_sharp(s, &edges))
        status = frc_fail_memory(s->context, edges.count * sizeof(frc_face));
    release_edges(s->context, &edges);
    return status == FRACAS_OK ? find_volume(s) : status;
}
