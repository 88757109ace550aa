/// @file pair_filter.c  Decides which pairs of features the filter of a scene leaves out.
#include "detect/pair_filter.h"
#include "fracas/elementary.h"
#include "geom/separation.h"
#include <string.h>

static uint64_t key_of(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// ---- lists of vertices

static bool is_listed(const frc_pair_filter* filter, uint32_t a, uint32_t b) {
    const size_t known = filter->points.count;
    if (a >= known || b >= known) return false;
    if (!filter->points.data[a].listed || !filter->points.data[b].listed) return false;
    const uint64_t key = key_of(a, b);
    size_t low = 0, high = filter->vertex_pairs.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (filter->vertex_pairs.data[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < filter->vertex_pairs.count && filter->vertex_pairs.data[low] == key;
}

static bool all_listed(const frc_pair_filter* filter, const frc_feature_pair* pair) {
    for (uint32_t i = 0; i < pair->a_count; i++)
        for (uint32_t j = 0; j < pair->b_count; j++)
            if (pair->a[i] != pair->b[j] && !is_listed(filter, pair->a[i], pair->b[j]))
                return false;
    return true;
}

// ---- rings

static bool has_corner(const uint32_t* corners, uint32_t count, uint32_t point) {
    for (uint32_t i = 0; i < count; i++)
        if (corners[i] == point) return true;
    return false;
}

// A path of at most `edges` edges leads from the point to a corner of b.
static bool reaches(const frc_pair_filter* filter, const frc_topology* topology, uint32_t point,
                    const frc_feature_pair* pair, uint32_t edges) {
    if (has_corner(pair->b, pair->b_count, point)) return true;
    if (edges == 0) return false;
    if (edges == 1) {
        for (uint32_t j = 0; j < pair->b_count; j++)
            if (frc_topology_find_edge(topology, point, pair->b[j]) != FRACAS_NONE) return true;
        return false;
    }
    const uint32_t* first = filter->first.data;
    for (uint32_t i = first[point]; i < first[point + 1]; i++)
        if (reaches(filter, topology, filter->neighbours.data[i], pair, edges - 1)) return true;
    return false;
}

static bool is_in_rings(const frc_pair_filter* filter, const frc_topology* topology,
                        const frc_feature_pair* pair) {
    const frc_point* points = topology->points.data;
    if (points[pair->a[0]].tag[FRC_TAG_BODY] != points[pair->b[0]].tag[FRC_TAG_BODY]) return false;
    for (uint32_t i = 0; i < pair->a_count; i++)
        if (reaches(filter, topology, pair->a[i], pair, filter->rings)) return true;
    return false;
}

// For both ends of each edge: `point`, and `other` at the other end.
#define EACH_NEIGHBOUR(topology, point, other)                                                     \
    for (size_t edge_ = 0; edge_ < 2 * (topology)->edges.count; edge_++)                           \
        for (uint32_t point = (topology)->edges.data[edge_ / 2].point[edge_ % 2],                  \
                      other = (topology)->edges.data[edge_ / 2].point[1 - edge_ % 2],              \
                      once_ = (topology)->edges.data[edge_ / 2].point[0] != FRACAS_NONE;           \
             once_; once_ = 0)

bool frc_pair_filter_update(frc_pair_filter* filter, const frc_topology* topology) {
    fracas_context* context = topology->context;
    const size_t points = topology->points.count;
    if (filter->rings < 2) return true;
    if (filter->first.count > 0 && filter->edges_version == topology->edges_version) return true;
    if (!FRC_ARRAY_RESERVE(context, &filter->first, points + 1) ||
        !FRC_ARRAY_RESERVE(context, &filter->neighbours, 2 * topology->edges.count))
        return false;
    uint32_t* first = filter->first.data;
    memset(first, 0, (points + 1) * sizeof *first);
    EACH_NEIGHBOUR(topology, point, other) {
        (void)other;
        first[point]++;
    }
    uint32_t sum = 0;
    for (size_t i = 0; i <= points; i++) sum = first[i] = sum + first[i];
    // Filled from the back, so that first[i] ends at the begin of its list.
    EACH_NEIGHBOUR(topology, point, other) filter->neighbours.data[--first[point]] = other;
    filter->first.count = points + 1;
    filter->neighbours.count = sum;
    filter->edges_version = topology->edges_version;
    return true;
}

// ---- the rest shape

static bool corners_at_rest(const frc_pair_filter* filter, const uint32_t* corners, uint32_t count,
                            double out[3][3]) {
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t id = corners[i < count ? i : count - 1];
        if (id >= filter->points.count || !filter->points.data[id].has_rest) return false;
        memcpy(out[i], filter->points.data[id].rest, sizeof out[i]);
    }
    return true;
}

static bool is_near(frc_ccd_kind kind, const double* const at[4], double distance) {
    frc_point points[4] = {0};
    for (uint32_t i = 0; i < 4; i++) {
        points[i].tag[FRC_TAG_NUMBER] = i;
        points[i].x[0] = points[i].x[1] = at[i][0];
        points[i].y[0] = points[i].y[1] = at[i][1];
        points[i].z[0] = points[i].z[1] = at[i][2];
    }
    return frc_separation_static(kind, points, distance, NULL);
}

// Two triangles, or an edge (a, b, b) and a triangle.
static bool triangles_are_near(const double a[3][3], const double b[3][3], double distance) {
    if (fracas_triangles_intersect(a, b)) return true;
    for (int i = 0; i < 3; i++) {
        const double* const from_a[4] = {a[i], b[0], b[1], b[2]};
        const double* const from_b[4] = {b[i], a[0], a[1], a[2]};
        if (is_near(FRC_CCD_VF, from_a, distance) || is_near(FRC_CCD_VF, from_b, distance))
            return true;
        for (int j = 0; j < 3; j++) {
            const double* const edges[4] = {a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]};
            if (is_near(FRC_CCD_EE, edges, distance)) return true;
        }
    }
    return false;
}

static bool is_near_at_rest(const frc_pair_filter* filter, const frc_feature_pair* pair) {
    double a[3][3], b[3][3];
    if (!corners_at_rest(filter, pair->a, pair->a_count, a)) return false;
    if (!corners_at_rest(filter, pair->b, pair->b_count, b)) return false;
    if (pair->a_count == 1) {
        const double* const at[4] = {a[0], b[0], b[1], b[2]};
        return is_near(FRC_CCD_VF, at, filter->rest_distance);
    }
    if (pair->b_count == 2) {
        const double* const at[4] = {a[0], a[1], b[0], b[1]};
        return is_near(FRC_CCD_EE, at, filter->rest_distance);
    }
    return triangles_are_near(a, b, filter->rest_distance);
}

// ---- all

bool frc_pair_filter_allows(const frc_pair_filter* filter, const frc_topology* topology,
                            const frc_feature_pair* pair) {
    if (filter->rings > 0 && is_in_rings(filter, topology, pair)) return false;
    if (filter->vertex_pairs.count > 0 && all_listed(filter, pair)) return false;
    return !(filter->rest_distance > 0 && is_near_at_rest(filter, pair));
}

void frc_pair_filter_forget(frc_pair_filter* filter, uint32_t point) {
    if (point < filter->points.count) filter->points.data[point] = (frc_filtered_point){0};
}

void frc_pair_filter_release(fracas_context* context, frc_pair_filter* filter) {
    FRC_ARRAY_RELEASE(context, &filter->points);
    FRC_ARRAY_RELEASE(context, &filter->vertex_pairs);
    FRC_ARRAY_RELEASE(context, &filter->first);
    FRC_ARRAY_RELEASE(context, &filter->neighbours);
}
