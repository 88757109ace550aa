/// @file clusters.c  Orders the features of each body by a k-d tree with clusters as its leaves:
/// their boxes are tighter than those of a space-filling curve.
///
/// The order is that of the positions at the start of the step in which the scene has changed. It
/// stays when bodies move and deform.
#include "cuda/clusters.h"
#include "cuda/lanes.h"
#include <math.h>
#include <string.h>

// ---- the features of a set

static frc_feature feature_of(uint32_t a, uint32_t b, uint32_t c, uint32_t id) {
    return (frc_feature){
        {a, b, c},
        id
    };
}

static bool list_vertices(const frc_topology* t, bool free_only, frc_feature_list* out) {
    for (uint32_t i = 0; i < t->uses.count; i++) {
        const frc_vertex_use* use = &t->uses.data[i];
        if (t->points.data[i].tag[FRC_TAG_BODY] == FRACAS_NONE) continue;  // unused id
        const bool any = use->triangles || use->free_edges || use->free_point;
        if (free_only ? use->triangles || !use->free_point : !any) continue;
        if (!FRC_ARRAY_PUSH(t->context, out, feature_of(i, i, i, FRACAS_NONE))) return false;
    }
    return true;
}

static bool list_edges(const frc_topology* t, bool free_only, frc_feature_list* out) {
    for (uint32_t i = 0; i < t->edges.count; i++) {
        const frc_edge* e = &t->edges.data[i];
        if (e->point[0] == FRACAS_NONE || (free_only && (e->uses || !e->free))) continue;
        const frc_feature f = feature_of(e->point[0], e->point[1], e->point[1], FRACAS_NONE);
        if (!FRC_ARRAY_PUSH(t->context, out, f)) return false;
    }
    return true;
}

static bool list_faces(const frc_topology* t, frc_feature_list* out) {
    for (uint32_t i = 0; i < t->triangles.count; i++) {
        const uint32_t* p = t->triangles.data[i].point;
        if (p[0] == FRACAS_NONE) continue;
        if (!FRC_ARRAY_PUSH(t->context, out, feature_of(p[0], p[1], p[2], i))) return false;
    }
    return true;
}

static bool list_set(const frc_topology* t, frc_set_kind kind, frc_feature_list* out) {
    switch (kind) {
    case FRC_SET_VERTICES:
        return list_vertices(t, false, out);
    case FRC_SET_EDGES:
        return list_edges(t, false, out);
    case FRC_SET_FACES:
        return list_faces(t, out);
    case FRC_SET_FREE_EDGES:
        return list_edges(t, true, out);
    default:
        return list_vertices(t, true, out);
    }
}

// ---- their order

typedef struct item {
    double at[3];  // the sum of the corners
    uint32_t feature;
} item;

typedef struct sorting {
    fracas_context* context;
    const frc_topology* topology;
    frc_feature_list features;  // by body
    item* items;
} sorting;

static uint32_t body_of(const frc_topology* t, const frc_feature* f) {
    return t->points.data[f->point[0]].tag[FRC_TAG_BODY];
}

// Move the `rank` items with the smallest coordinates to the front. Of equal coordinates the
// smaller number comes first, so that the order is unique.
static bool is_less(const item* a, const item* b, int axis) {
    return a->at[axis] != b->at[axis] ? a->at[axis] < b->at[axis] : a->feature < b->feature;
}

static void select_smallest(item* items, size_t count, size_t rank, int axis) {
    size_t lo = 0, hi = count;
    while (hi - lo > 1) {
        const item pivot = items[lo + (hi - lo - 1) / 2];
        size_t i = lo, j = hi - 1;
        for (;;) {
            while (is_less(&items[i], &pivot, axis)) i++;
            while (is_less(&pivot, &items[j], axis)) j--;
            if (i >= j) break;
            const item t = items[i];
            items[i] = items[j], items[j] = t;
            i++, j--;
        }
        if (rank == j + 1) return;
        if (rank <= j)
            hi = j + 1;
        else
            lo = j + 1;
    }
}

static int longest_axis(const item* items, size_t count) {
    double lo[3], hi[3];
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        lo[k] = INFINITY, hi[k] = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            lo[k] = items[i].at[k] < lo[k] ? items[i].at[k] : lo[k];
            hi[k] = items[i].at[k] > hi[k] ? items[i].at[k] : hi[k];
        }
        if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
    }
    return axis;
}

// Halve until a part is one cluster; halves are whole clusters, and of long lists whole bundles.
static void order(item* items, size_t count) {
    while (count > FRC_WARP) {
        const size_t unit = count > FRC_WARP * FRC_WARP ? FRC_WARP * FRC_WARP : FRC_WARP;
        const size_t half = (count / 2 + unit - 1) / unit * unit;
        select_smallest(items, count, half, longest_axis(items, count));
        order(items, half);
        items += half;
        count -= half;
    }
}

static void set_items(const sorting* s) {
    for (size_t i = 0; i < s->features.count; i++) {
        const frc_feature* f = &s->features.data[i];
        item* to = &s->items[i];
        to->feature = (uint32_t)i;
        memset(to->at, 0, sizeof to->at);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                to->at[k] += frc_point_axis(&s->topology->points.data[f->point[c]], k)[0] * 0.25;
    }
}

static bool pad(const sorting* s, frc_feature_list* out) {
    const frc_feature empty = feature_of(FRACAS_NONE, FRACAS_NONE, FRACAS_NONE, FRACAS_NONE);
    while (out->count % FRC_WARP != 0)
        if (!FRC_ARRAY_PUSH(s->context, out, empty)) return false;
    return true;
}

// Features with the same body, which are items[begin] to items[end - 1].
static bool append_body(const sorting* s, size_t begin, size_t end, frc_feature_list* out) {
    if (end - begin > FRC_WARP / 2 && !pad(s, out)) return false;
    order(s->items + begin, end - begin);
    for (size_t i = begin; i < end; i++)
        if (!FRC_ARRAY_PUSH(s->context, out, s->features.data[s->items[i].feature])) return false;
    return true;
}

// A counting sort: the features of a body are then consecutive, in the order of their ids.
static bool sort_by_body(sorting* s) {
    const frc_topology* t = s->topology;
    FRC_ARRAY(uint32_t) start = {0};
    frc_feature_list sorted = {0};
    bool ok = FRC_ARRAY_RESERVE(s->context, &sorted, s->features.count + 1);
    for (size_t i = 0; i < s->features.count && ok; i++) {
        const uint32_t body = body_of(t, &s->features.data[i]);
        while (start.count < (size_t)body + 2 && ok) ok = FRC_ARRAY_PUSH(s->context, &start, 0);
        if (ok) start.data[body + 1]++;
    }
    if (ok) {
        for (size_t i = 1; i < start.count; i++) start.data[i] += start.data[i - 1];
        for (size_t i = 0; i < s->features.count; i++) {
            const uint32_t at = start.data[body_of(t, &s->features.data[i])]++;
            sorted.data[at] = s->features.data[i];
        }
        sorted.count = s->features.count;
        const frc_feature_list old = s->features;
        s->features = sorted;
        sorted = old;
    }
    FRC_ARRAY_RELEASE(s->context, &sorted);
    FRC_ARRAY_RELEASE(s->context, &start);
    return ok;
}

static bool append_all(const sorting* s, frc_feature_list* out) {
    const frc_topology* t = s->topology;
    for (size_t begin = 0, end; begin < s->features.count; begin = end) {
        const uint32_t body = body_of(t, &s->features.data[begin]);
        for (end = begin; end < s->features.count && body_of(t, &s->features.data[end]) == body;)
            end++;
        if (!append_body(s, begin, end, out)) return false;
    }
    return pad(s, out);
}

bool frc_list_features(const frc_topology* topology, frc_set_kind kind, frc_feature_list* out) {
    sorting s = {.context = topology->context, .topology = topology};
    out->count = 0;
    bool ok = list_set(topology, kind, &s.features) && sort_by_body(&s);
    const size_t count = s.features.count;
    s.items = frc_allocate_array(s.context, count, sizeof *s.items, &ok);
    if (ok) {
        set_items(&s);
        ok = append_all(&s, out);
    }
    frc_release(s.context, s.items, frc_array_size(count, sizeof *s.items));
    FRC_ARRAY_RELEASE(s.context, &s.features);
    return ok;
}
