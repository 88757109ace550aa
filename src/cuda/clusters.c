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
    LARGE = 2 * BUNDLE,  // features of a part that one worker orders
    GRAIN = 4096,        // features of a task
    FEW = 2048           // features that one worker sorts and places, whatever their sets
};

// ---- empty slots

// The body of a cluster that is in use.
static uint32_t body_of_cluster(const frc_topology* t, const frc_slots* s, uint32_t cluster) {
    const uint32_t slot = cluster * FRC_WARP + frc_lowest_bit(s->used.data[cluster]);
    return frc_body_of(t, &s->features.data[slot]);
}

void frc_place_near(const frc_topology* topology, frc_slots* slots, frc_unplaced_list* list) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const frc_unplaced* h = &list->data[i];
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

typedef struct span {
    size_t begin, end;  // of items
} span;

typedef struct part {
    item* items;
    size_t count;
} part;

// Of one set.
typedef struct placing {
    fracas_context* context;
    const frc_topology* topology;
    frc_slots* slots;
    const frc_unplaced* list;
    size_t count;
    uint64_t *keys, *spare, *sorted;  // group and position in the list
    item* items;
    FRC_ARRAY(span) groups;
    bool ok;
} placing;

// Of all sets: parts that are ordered.
typedef struct ordering {
    FRC_ARRAY(part) parts;
} ordering;

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
    const ordering* o = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) order(o->parts.data[i].items, o->parts.data[i].count);
}

// Every part of more than LARGE items becomes two: part i and part i + count.
static void halve_parts(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const ordering* o = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        part *q = &o->parts.data[i], *second = &o->parts.data[o->parts.count + i];
        *second = (part){q->items + q->count, 0};
        if (q->count <= LARGE) continue;
        const size_t half = halve(q->items, q->count);
        *second = (part){q->items + half, q->count - half};
        q->count = half;
    }
}

// The groups of all sets, so that all workers have work. False: no memory.
static bool order_groups(fracas_context* context, const placing sets[FRC_SET_COUNT]) {
    ordering o = {{0}};
    size_t largest = 0;
    bool ok = true;
    for (int k = 0; k < FRC_SET_COUNT; k++)
        for (size_t i = 0; i < sets[k].groups.count && ok; i++) {
            const span* g = &sets[k].groups.data[i];
            const part p = {sets[k].items + g->begin, g->end - g->begin};
            if (p.count > largest) largest = p.count;
            ok = FRC_ARRAY_PUSH(context, &o.parts, p);
        }
    for (; largest > LARGE && ok; largest = largest / 2 + BUNDLE) {
        const size_t count = o.parts.count;
        ok = FRC_ARRAY_RESERVE(context, &o.parts, 2 * count);
        if (!ok) break;
        frc_parallel_for(context, (uint32_t)count, 1, halve_parts, &o);
        for (size_t i = count; i < 2 * count; i++)
            if (o.parts.data[i].count > 0) o.parts.data[o.parts.count++] = o.parts.data[i];
    }
    if (ok) frc_parallel_for(context, (uint32_t)o.parts.count, 1, order_parts, &o);
    FRC_ARRAY_RELEASE(context, &o.parts);
    return ok;
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
            frc_sort_keys(p->sorted, p->sorted == p->keys ? p->spare : p->keys, p->count, 32);
}

static bool list_groups(placing* p) {
    for (size_t begin = 0, end; begin < p->count; begin = end) {
        for (end = begin + 1; end < p->count && group_at(p, end) == group_at(p, begin);) end++;
        if (!FRC_ARRAY_PUSH(p->context, &p->groups, ((span){begin, end}))) return false;
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

static bool put_groups(const placing* p) {
    frc_slots* slots = p->slots;
    uint32_t cluster = FRACAS_NONE;
    for (size_t g = 0; g < p->groups.count; g++) {
        const span* all = &p->groups.data[g];
        if (all->end - all->begin > HALF) cluster = FRACAS_NONE;
        for (size_t i = all->begin; i < all->end; i++) {
            if (cluster == FRACAS_NONE || slots->used.data[cluster] == UINT32_MAX)
                cluster = frc_slots_take_cluster(p->context, slots);
            if (cluster == FRACAS_NONE) return false;
            const frc_unplaced* h = &p->list[p->items[i].feature];
            frc_slots_put(slots, cluster, &h->feature, h->id);
        }
    }
    return true;
}

// One worker sorts the groups of a set, and one puts them into clusters.
static void begin_sets(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    placing* sets = data;
    (void)worker;
    for (uint32_t k = begin; k < end; k++) {
        placing* p = &sets[k];
        if (p->count == 0) continue;
        p->keys = frc_allocate_array(p->context, p->count, sizeof *p->keys, &p->ok);
        p->spare = frc_allocate_array(p->context, p->count, sizeof *p->spare, &p->ok);
        p->items = frc_allocate_array(p->context, p->count, sizeof *p->items, &p->ok);
        if (!p->ok) continue;
        sort_by_group(p);
        p->ok = list_groups(p);
    }
}

static void put_sets(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    placing* sets = data;
    (void)worker;
    for (uint32_t k = begin; k < end; k++) sets[k].ok = put_groups(&sets[k]);
}

static void release(placing* p) {
    FRC_ARRAY_RELEASE(p->context, &p->groups);
    frc_release(p->context, p->items, frc_array_size(p->count, sizeof *p->items));
    frc_release(p->context, p->spare, frc_array_size(p->count, sizeof *p->spare));
    frc_release(p->context, p->keys, frc_array_size(p->count, sizeof *p->keys));
}

static bool all_ok(const placing sets[FRC_SET_COUNT]) {
    bool ok = true;
    for (int k = 0; k < FRC_SET_COUNT; k++) ok = ok && sets[k].ok;
    return ok;
}

bool frc_place_in_clusters(const frc_topology* topology, frc_slots slots[FRC_SET_COUNT],
                           const frc_unplaced_list lists[FRC_SET_COUNT]) {
    fracas_context* context = topology->context;
    placing sets[FRC_SET_COUNT];
    size_t count = 0;
    for (int k = 0; k < FRC_SET_COUNT; k++) {
        sets[k] = (placing){.context = context,
                            .topology = topology,
                            .slots = &slots[k],
                            .list = lists[k].data,
                            .count = lists[k].count,
                            .ok = true};
        count += lists[k].count;
    }
    if (count == 0) return true;
    const uint32_t grain = count < FEW ? FRC_SET_COUNT : 1;
    frc_parallel_for(context, FRC_SET_COUNT, grain, begin_sets, sets);
    bool ok = all_ok(sets);
    for (int k = 0; k < FRC_SET_COUNT && ok; k++)
        frc_parallel_for(context, (uint32_t)sets[k].count, GRAIN, set_items, &sets[k]);
    ok = ok && order_groups(context, sets);
    if (ok) frc_parallel_for(context, FRC_SET_COUNT, grain, put_sets, sets);
    ok = ok && all_ok(sets);
    for (int k = 0; k < FRC_SET_COUNT; k++) release(&sets[k]);
    return ok;
}
