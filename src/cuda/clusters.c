/// @file clusters.c  Orders the features of each patch by a k-d tree with clusters as its leaves:
/// their boxes are tighter than those of a space-filling curve.
///
/// The order is that of the positions at the start of the step in which features were added. It
/// stays when bodies move and deform. Patches that touch are not mixed: they may move apart.
#include "cuda/clusters.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "cuda/lanes.h"
#include <math.h>

enum {
    HALF = FRC_WARP / 2,
    BUNDLE = FRC_WARP * FRC_WARP,
    LARGE = 8 * BUNDLE  // features of a part that one worker orders
};

// ---- empty slots

// The body of a cluster that is in use.
static uint32_t body_of_cluster(const frc_topology* t, const frc_slots* s, uint32_t cluster) {
    const uint32_t slot = cluster * FRC_WARP + frc_lowest_bit(s->used.data[cluster]);
    return frc_body_of(t, &s->features.data[slot]);
}

void frc_place_near(const frc_topology* topology, frc_slots* slots, frc_homeless_list* list) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const frc_homeless* h = &list->data[i];
        uint32_t found = FRACAS_NONE;
        for (int k = 0; k < 3 && found == FRACAS_NONE; k++) {
            const uint32_t cluster = slots->near[h->feature.point[k]];
            if (cluster == FRACAS_NONE || slots->used.data[cluster] == 0 ||
                slots->used.data[cluster] == UINT32_MAX)
                continue;
            if (body_of_cluster(topology, slots, cluster) == frc_body_of(topology, &h->feature))
                found = cluster;
        }
        if (found == FRACAS_NONE)
            list->data[kept++] = *h;
        else
            frc_slots_put(slots, found, &h->feature, h->id);
    }
    list->count = kept;
}

// ---- the order of a group

typedef struct item {
    double at[3];      // the sum of the corners
    uint32_t feature;  // position in the list
} item;

typedef struct part {
    size_t begin, end;  // of items
} part;

typedef struct placing {
    fracas_context* context;
    const frc_topology* topology;
    const frc_homeless* list;
    size_t count;
    uint64_t *keys, *spare, *sorted;  // group and position in the list
    item* items;
    FRC_ARRAY(part) groups;
    FRC_ARRAY(part) parts;  // that are ordered
} placing;

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

// Where a part is divided: halves are whole clusters, and of long parts whole bundles.
static size_t halve(item* items, size_t count) {
    const size_t unit = count > BUNDLE ? BUNDLE : FRC_WARP;
    const size_t half = (count / 2 + unit - 1) / unit * unit;
    select_smallest(items, count, half, longest_axis(items, count));
    return half;
}

// Halve until a part is one cluster.
static void order(item* items, size_t count) {
    while (count > FRC_WARP) {
        const size_t half = halve(items, count);
        order(items, half);
        items += half;
        count -= half;
    }
}

static void order_parts(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const placing* p = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        const part* q = &p->parts.data[i];
        order(p->items + q->begin, q->end - q->begin);
    }
}

// Every part of more than LARGE items becomes two: part i and part i + count.
static void halve_parts(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const placing* p = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        part *q = &p->parts.data[i], *second = &p->parts.data[p->parts.count + i];
        *second = (part){q->end, q->end};
        if (q->end - q->begin <= LARGE) continue;
        second->begin = q->begin + halve(p->items + q->begin, q->end - q->begin);
        q->end = second->begin;
    }
}

static bool order_groups(placing* p) {
    size_t largest = 0;
    for (size_t i = 0; i < p->groups.count; i++) {
        const part* g = &p->groups.data[i];
        if (g->end - g->begin > largest) largest = g->end - g->begin;
        if (!FRC_ARRAY_PUSH(p->context, &p->parts, *g)) return false;
    }
    for (; largest > LARGE; largest = largest / 2 + BUNDLE) {
        const size_t count = p->parts.count;
        if (!FRC_ARRAY_RESERVE(p->context, &p->parts, 2 * count)) return false;
        frc_parallel_for(p->context, (uint32_t)count, 1, halve_parts, p);
        for (size_t i = count; i < 2 * count; i++)
            if (p->parts.data[i].end > p->parts.data[i].begin)
                p->parts.data[p->parts.count++] = p->parts.data[i];
    }
    frc_parallel_for(p->context, (uint32_t)p->parts.count, 1, order_parts, p);
    return true;
}

// ---- groups

static uint64_t key_of(uint32_t group, size_t at) { return (uint64_t)group << 32 | at; }

static uint32_t group_at(const placing* p, size_t i) { return (uint32_t)(p->sorted[i] >> 32); }

// Sort by group. Points have 31 bits: a body with the highest bit is the group of its small groups.
static void sort_by_group(placing* p) {
    for (size_t i = 0; i < p->count; i++) p->keys[i] = key_of(p->list[i].group, i);
    p->sorted = frc_sort_keys(p->keys, p->spare, p->count, 32);
    bool small = false;
    for (size_t begin = 0, end; begin < p->count; begin = end) {
        for (end = begin + 1; end < p->count && group_at(p, end) == group_at(p, begin);) end++;
        if (end - begin > HALF || group_at(p, begin) >> 31) continue;
        small = true;
        for (size_t i = begin; i < end; i++) {
            const size_t at = (uint32_t)p->sorted[i];
            p->sorted[i] = key_of(frc_body_of(p->topology, &p->list[at].feature) | 1u << 31, at);
        }
    }
    if (small)
        p->sorted =
            frc_sort_keys(p->sorted, p->sorted == p->keys ? p->spare : p->keys, p->count, 0);
}

static bool list_groups(placing* p) {
    for (size_t begin = 0, end; begin < p->count; begin = end) {
        for (end = begin + 1; end < p->count && group_at(p, end) == group_at(p, begin);) end++;
        if (!FRC_ARRAY_PUSH(p->context, &p->groups, ((part){begin, end}))) return false;
    }
    return true;
}

static void set_items(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const placing* p = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        item* to = &p->items[i];
        to->feature = (uint32_t)p->sorted[i];
        const frc_feature* f = &p->list[to->feature].feature;
        for (int k = 0; k < 3; k++) {
            to->at[k] = 0;
            for (int c = 0; c < 3; c++)
                to->at[k] += frc_point_axis(&p->topology->points.data[f->point[c]], k)[0] * 0.25;
        }
    }
}

// ---- all

static bool put_groups(const placing* p, frc_slots* slots) {
    uint32_t cluster = FRACAS_NONE;
    for (size_t g = 0; g < p->groups.count; g++) {
        const part* group = &p->groups.data[g];
        if (group->end - group->begin > HALF) cluster = FRACAS_NONE;
        for (size_t i = group->begin; i < group->end; i++) {
            if (cluster == FRACAS_NONE || slots->used.data[cluster] == UINT32_MAX)
                cluster = frc_slots_take_cluster(p->context, slots);
            if (cluster == FRACAS_NONE) return false;
            const frc_homeless* h = &p->list[p->items[i].feature];
            frc_slots_put(slots, cluster, &h->feature, h->id);
        }
    }
    return true;
}

enum { GRAIN = 4096 };

bool frc_place_in_clusters(const frc_topology* topology, frc_slots* slots,
                           const frc_homeless_list* list) {
    placing p = {.context = topology->context,
                 .topology = topology,
                 .list = list->data,
                 .count = list->count};
    bool ok = true;
    if (p.count == 0) return true;
    p.keys = frc_allocate_array(p.context, p.count, sizeof *p.keys, &ok);
    p.spare = frc_allocate_array(p.context, p.count, sizeof *p.spare, &ok);
    p.items = frc_allocate_array(p.context, p.count, sizeof *p.items, &ok);
    if (ok) {
        sort_by_group(&p);
        ok = list_groups(&p);
    }
    if (ok) {
        frc_parallel_for(p.context, (uint32_t)p.count, GRAIN, set_items, &p);
        ok = order_groups(&p);
    }
    ok = ok && put_groups(&p, slots);
    FRC_ARRAY_RELEASE(p.context, &p.groups);
    FRC_ARRAY_RELEASE(p.context, &p.parts);
    frc_release(p.context, p.items, frc_array_size(p.count, sizeof *p.items));
    frc_release(p.context, p.spare, frc_array_size(p.count, sizeof *p.spare));
    frc_release(p.context, p.keys, frc_array_size(p.count, sizeof *p.keys));
    return ok;
}
