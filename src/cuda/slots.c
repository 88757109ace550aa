/// @file slots.c  Features in slots.
#include "cuda/slots.h"
#include "cuda/lanes.h"
#include "fracas/contact.h"
#include <string.h>

static const frc_feature empty = {
    {FRACAS_NONE, FRACAS_NONE, FRACAS_NONE},
    FRACAS_NONE
};

// ---- memory

// A longer array; what is new is FRACAS_NONE.
static bool grow(fracas_context* context, uint32_t** array, size_t* capacity, size_t wanted) {
    const size_t old = *capacity;
    if (wanted <= old) return true;
    if (!frc_array_grow(context, (void**)array, capacity, wanted, sizeof **array)) return false;
    memset(*array + old, 0xff, (*capacity - old) * sizeof **array);
    return true;
}

bool frc_slots_reserve(fracas_context* context, frc_slots* s, size_t ids, size_t points) {
    return grow(context, &s->slot, &s->id_capacity, ids) &&
           grow(context, &s->near, &s->point_capacity, points);
}

void frc_slots_release(fracas_context* context, frc_slots* s) {
    FRC_ARRAY_RELEASE(context, &s->features);
    FRC_ARRAY_RELEASE(context, &s->used);
    FRC_ARRAY_RELEASE(context, &s->used_clusters);
    FRC_ARRAY_RELEASE(context, &s->free_bundles);
    FRC_ARRAY_RELEASE(context, &s->listed);
    FRC_ARRAY_RELEASE(context, &s->known);
    FRC_ARRAY_RELEASE(context, &s->changed);
    frc_release(context, s->slot, s->id_capacity * sizeof *s->slot);
    frc_release(context, s->near, s->point_capacity * sizeof *s->near);
    *s = (frc_slots){0};
}

void frc_slots_clear(frc_slots* s) {
    s->features.count = s->used.count = s->used_clusters.count = 0;
    s->free_bundles.count = s->listed.count = s->known.count = s->changed.count = 0;
    s->next = s->end = 0;
    s->live = 0;
    if (s->slot) memset(s->slot, 0xff, s->id_capacity * sizeof *s->slot);
    if (s->near) memset(s->near, 0xff, s->point_capacity * sizeof *s->near);
}

// ---- clusters

static void mark(frc_slots* s, uint32_t cluster) {
    if (s->listed.data[cluster]) return;
    s->listed.data[cluster] = 1;
    s->changed.data[s->changed.count++] = cluster;
}

// More clusters behind all others: a sixteenth of them, so that their number changes seldom.
static bool append_clusters(fracas_context* context, frc_slots* s) {
    const size_t more = 1 + s->used.count / 16, clusters = s->used.count + more,
                 bundles = (clusters + FRC_WARP - 1) / FRC_WARP;
    // Every list of clusters and bundles has room for all of them.
    if (!FRC_ARRAY_RESERVE(context, &s->features, clusters * FRC_WARP) ||
        !FRC_ARRAY_RESERVE(context, &s->used, clusters) ||
        !FRC_ARRAY_RESERVE(context, &s->listed, clusters) ||
        !FRC_ARRAY_RESERVE(context, &s->known, clusters) ||
        !FRC_ARRAY_RESERVE(context, &s->changed, clusters) ||
        !FRC_ARRAY_RESERVE(context, &s->used_clusters, bundles) ||
        !FRC_ARRAY_RESERVE(context, &s->free_bundles, bundles))
        return false;
    while (s->features.count < clusters * FRC_WARP) s->features.data[s->features.count++] = empty;
    for (; s->used.count < clusters; s->used.count++) {
        s->used.data[s->used.count] = 0;
        s->listed.data[s->listed.count++] = 0;
        s->known.data[s->known.count++] = FRACAS_NONE;
        mark(s, (uint32_t)s->used.count);
    }
    while (s->used_clusters.count < bundles) s->used_clusters.data[s->used_clusters.count++] = 0;
    return true;
}

uint32_t frc_slots_take_cluster(fracas_context* context, frc_slots* s) {
    if (s->next == s->end) {
        if (s->free_bundles.count > 0) {
            const uint32_t all = (uint32_t)s->used.count;
            s->next = s->free_bundles.data[--s->free_bundles.count] * FRC_WARP;
            s->end = s->next + FRC_WARP < all ? s->next + FRC_WARP : all;
        } else {
            s->next = (uint32_t)s->used.count;
            s->end = s->next;
            if (!append_clusters(context, s)) return FRACAS_NONE;
            s->end = (uint32_t)s->used.count;
        }
    }
    return s->next++;
}

void frc_slots_clear_changed(frc_slots* s) {
    for (size_t i = 0; i < s->changed.count; i++) s->listed.data[s->changed.data[i]] = 0;
    s->changed.count = 0;
}

// ---- features

void frc_slots_put(frc_slots* s, uint32_t cluster, const frc_feature* feature, uint32_t id) {
    const uint32_t bit = frc_lowest_bit(~s->used.data[cluster]), slot = cluster * FRC_WARP + bit;
    s->features.data[slot] = *feature;
    s->slot[id] = slot;
    s->used.data[cluster] |= 1u << bit;
    s->used_clusters.data[cluster / FRC_WARP] |= 1u << cluster % FRC_WARP;
    for (int i = 0; i < 3; i++) s->near[feature->point[i]] = cluster;
    s->live++;
    mark(s, cluster);
}

void frc_slots_remove(frc_slots* s, uint32_t id) {
    const uint32_t slot = s->slot[id], cluster = slot / FRC_WARP, bundle = cluster / FRC_WARP;
    s->features.data[slot] = empty;
    s->slot[id] = FRACAS_NONE;
    s->used.data[cluster] &= ~(1u << slot % FRC_WARP);
    s->live--;
    mark(s, cluster);
    if (s->used.data[cluster]) return;
    s->used_clusters.data[bundle] &= ~(1u << cluster % FRC_WARP);
    // Clusters that are taken next are not free.
    const bool open = s->next < s->end && s->next / FRC_WARP == bundle;
    if (!s->used_clusters.data[bundle] && !open)
        s->free_bundles.data[s->free_bundles.count++] = bundle;
}

void frc_slots_rewrite(frc_slots* s, uint32_t id, const frc_feature* feature) {
    const uint32_t slot = s->slot[id];
    s->features.data[slot] = *feature;
    for (int i = 0; i < 3; i++) s->near[feature->point[i]] = slot / FRC_WARP;
    mark(s, slot / FRC_WARP);
}
