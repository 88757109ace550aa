/// @file fracture_pattern.c  Fractures by a plane and by Voronoi cells.
///
/// Every node falls to a side of the plane, or to its nearest site. A part is a connected component
/// of the edges between nodes of one side or site, so it is connected where its nodes are.
#include "base/array.h"
#include "fragment/fragments.h"
#include "geom/vec3.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

// Cuts keep this distance from the ends of their edges, as a part of its length: pieces of
// tetrahedra are not much flatter than the tetrahedra.
#define MARGIN 0.05

struct fracas_fracture_pattern {
    fracas_context* context;
    uint32_t point_count, part_count;
    uint32_t* node_parts;  // by point of the solid; FRACAS_NONE: not a node of the fragment
    FRC_ARRAY(fracas_cut_edge) cuts;
};

// A plane, or sites (point is NULL).
typedef struct rule {
    const double *point, *normal;
    const double (*sites)[3];
    uint32_t site_count;
} rule;

static double square(const double a[3], const double b[3]) {
    double way[3];
    frc_vec3_subtract(a, b, way);
    return frc_vec3_dot(way, way);
}

// Sides: 0 and 1, or the number of the site.
static uint32_t side_of(const rule* r, const double p[3]) {
    if (r->point) {
        double way[3];
        frc_vec3_subtract(p, r->point, way);
        return frc_vec3_dot(way, r->normal) >= 0;
    }
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < r->site_count; i++) {
        const double distance = square(p, r->sites[i]);
        if (distance < least) least = distance, best = i;
    }
    return best;
}

// A linear function that is zero between two sides.
static double level(const rule* r, const double p[3], uint32_t a, uint32_t b) {
    if (!r->point) return square(p, r->sites[a]) - square(p, r->sites[b]);
    double way[3];
    frc_vec3_subtract(p, r->point, way);
    return frc_vec3_dot(way, r->normal);
}

// Where the edge from p to q, of sides a and b, is cut.
static double cut_at(const rule* r, const double p[3], const double q[3], uint32_t a, uint32_t b) {
    const double from = level(r, p, a, b), to = level(r, q, a, b);
    const double at = from / (from - to);
    // A quotient of zeros is no number: the middle.
    if (at != at) return 0.5;
    return fmin(fmax(at, MARGIN), 1 - MARGIN);
}

// ---- parts

typedef struct making {
    fracas_fracture_pattern* pattern;
    const frc_object* object;
    const frc_fragment* fragment;
    uint32_t number;
    uint32_t *sides, *queue;  // by point; by position
} making;

static bool is_own(const making* m, uint32_t node) {
    return m->object->nodes[node].fragment == m->number;
}

// All nodes that are connected with `first` on its side.
static void flood(making* m, uint32_t first) {
    const frc_tet_topology* topology = &m->object->solid->topology;
    uint32_t* parts = m->pattern->node_parts;
    uint32_t count = 1;
    m->queue[0] = first;
    parts[first] = m->pattern->part_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t p = m->queue[i];
        for (uint32_t n = topology->neighbour_begins[p]; n < topology->neighbour_begins[p + 1];
             n++) {
            const uint32_t q = topology->neighbours[n];
            if (!is_own(m, q) || parts[q] != FRACAS_NONE || m->sides[q] != m->sides[p]) continue;
            parts[q] = m->pattern->part_count;
            m->queue[count++] = q;
        }
    }
    m->pattern->part_count++;
}

// Cuts of edges from a node to larger ones. False: no memory.
static bool cut_edges(making* m, const rule* r, uint32_t p) {
    const fracas_solid* solid = m->object->solid;
    const frc_tet_topology* topology = &solid->topology;
    for (uint32_t n = topology->neighbour_begins[p]; n < topology->neighbour_begins[p + 1]; n++) {
        const uint32_t q = topology->neighbours[n];
        if (q < p || !is_own(m, q) || m->sides[q] == m->sides[p]) continue;
        const fracas_cut_edge cut = {
            {p, q},
            cut_at(r, solid->points[p], solid->points[q], m->sides[p], m->sides[q])
        };
        if (!FRC_ARRAY_PUSH(m->pattern->context, &m->pattern->cuts, cut)) return false;
    }
    return true;
}

static bool make(making* m, const rule* r) {
    const frc_fragment* f = m->fragment;
    const fracas_solid* solid = m->object->solid;
    fracas_fracture_pattern* pattern = m->pattern;
    bool ok = true;
    pattern->node_parts =
        frc_allocate_array(pattern->context, pattern->point_count, sizeof(uint32_t), &ok);
    if (!ok) return false;
    memset(pattern->node_parts, 0xff, pattern->point_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < f->node_count; i++)
        m->sides[f->nodes[i]] = side_of(r, solid->points[f->nodes[i]]);
    for (uint32_t i = 0; i < f->node_count; i++)
        if (pattern->node_parts[f->nodes[i]] == FRACAS_NONE) flood(m, f->nodes[i]);
    for (uint32_t i = 0; ok && i < f->node_count; i++) ok = cut_edges(m, r, f->nodes[i]);
    return ok;
}

static fracas_status create(const fracas_fragments* fragments, fracas_fragment fragment,
                            const frc_fragment* f, const rule* r, fracas_fracture_pattern** out) {
    fracas_context* context = fragments->context;
    fracas_fracture_pattern* pattern = frc_allocate_zero(context, sizeof *pattern);
    if (!pattern) return frc_fail_memory(context, sizeof *pattern);
    pattern->context = context;
    pattern->point_count = f->object->solid->point_count;
    bool ok = true;
    making m = {pattern, f->object, f, fragment.index, NULL, NULL};
    m.sides = frc_allocate_array(context, pattern->point_count, sizeof(uint32_t), &ok);
    m.queue = frc_allocate_array(context, f->node_count, sizeof(uint32_t), &ok);
    ok = ok && make(&m, r);
    frc_release(context, m.sides, frc_array_size(pattern->point_count, sizeof(uint32_t)));
    frc_release(context, m.queue, frc_array_size(f->node_count, sizeof(uint32_t)));
    if (ok && pattern->part_count > 1) {
        *out = pattern;
        return FRACAS_OK;
    }
    fracas_fracture_pattern_destroy(pattern);
    if (ok)
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "fragment %" PRIu32 " would not break: all of its nodes are %s",
                        fragment.index,
                        r->point ? "on one side of the plane" : "nearest to one site");
    return frc_fail(context, FRACAS_ERROR_OUT_OF_MEMORY,
                    "no memory for a fracture of %" PRIu32 " nodes", f->node_count);
}

// ---- public

static bool is_finite(const double p[3]) {
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

fracas_status fracas_fracture_pattern_create_plane(const fracas_fragments* fragments,
                                                   fracas_fragment fragment, const double point[3],
                                                   const double normal[3],
                                                   fracas_fracture_pattern** out) {
    static const char* const function = "fracas_fracture_pattern_create_plane";
    if (out) *out = NULL;
    if (!fragments) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = fragments->context;
    if (!point) return frc_fail_null(context, function, "point");
    if (!normal) return frc_fail_null(context, function, "normal");
    if (!out) return frc_fail_null(context, function, "out");
    const frc_fragment* f = frc_fragments_get(fragments, fragment);
    if (!f) return FRACAS_ERROR_STALE_HANDLE;
    const double length = fmax(fabs(normal[0]), fmax(fabs(normal[1]), fabs(normal[2])));
    if (!is_finite(point) || !is_finite(normal) || length == 0)
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "no plane has the point (%g, %g, %g) and the normal (%g, %g, %g): they "
                        "must be finite, and the normal not zero",
                        point[0], point[1], point[2], normal[0], normal[1], normal[2]);
    double unit[3];
    for (int k = 0; k < 3; k++) unit[k] = normal[k] / length;
    return create(fragments, fragment, f, &(rule){.point = point, .normal = unit}, out);
}

fracas_status fracas_fracture_pattern_create_voronoi(const fracas_fragments* fragments,
                                                     fracas_fragment fragment,
                                                     const double (*sites)[3], uint32_t site_count,
                                                     fracas_fracture_pattern** out) {
    if (out) *out = NULL;
    if (!fragments) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = fragments->context;
    if (!sites) return frc_fail_null(context, "fracas_fracture_pattern_create_voronoi", "sites");
    if (!out) return frc_fail_null(context, "fracas_fracture_pattern_create_voronoi", "out");
    const frc_fragment* f = frc_fragments_get(fragments, fragment);
    if (!f) return FRACAS_ERROR_STALE_HANDLE;
    if (site_count < 2)
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "%" PRIu32 " sites: a fragment breaks with at least 2", site_count);
    for (uint32_t i = 0; i < site_count; i++)
        if (!is_finite(sites[i]))
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "site %" PRIu32 " is (%g, %g, %g): it must be finite", i, sites[i][0],
                            sites[i][1], sites[i][2]);
    return create(fragments, fragment, f, &(rule){.sites = sites, .site_count = site_count}, out);
}

void fracas_fracture_pattern_destroy(fracas_fracture_pattern* pattern) {
    if (!pattern) return;
    fracas_context* context = pattern->context;
    frc_release(context, pattern->node_parts,
                frc_array_size(pattern->point_count, sizeof(uint32_t)));
    FRC_ARRAY_RELEASE(context, &pattern->cuts);
    frc_release(context, pattern, sizeof *pattern);
}

fracas_fracture fracas_fracture_pattern_get(const fracas_fracture_pattern* pattern) {
    if (!pattern) return (fracas_fracture){0};
    return (fracas_fracture){.part_count = pattern->part_count,
                             .cut_count = (uint32_t)pattern->cuts.count,
                             .node_parts = pattern->node_parts,
                             .cuts = pattern->cuts.data};
}
