/// @file follow_parts.c  Bodies get clusters of their own.
///
/// The clusters of a part that broke off are rebuilt, in the order of the old slots, some bodies
/// in each update, so that the update that shatters a body does not pay for it. A body whose order
/// has decayed is placed as if it were new.
#include "base/sort.h"
#include "cuda/following.h"
#include "cuda/lanes.h"

enum {
    ORDERED = 2048,     // features whose clusters one update rebuilds at least,
    ORDERED_PART = 128  // and this part of all
};

// Of one set.
typedef struct leaving {
    FRC_ARRAY(uint64_t) keys;  // old slot and id
    uint32_t cluster;          // that is filled
    size_t visited, count;
    bool ok;
} leaving;

typedef struct moving {
    frc_following* w;
    bool apart;  // features in clusters of one body stay, the others get new clusters at once
    uint32_t number;
    const frc_body* body;  // that is moved
    leaving sets[FRC_SET_COUNT];
} moving;

// Has the cluster a feature of another body? Found out once for each body that is moved.
static bool is_mixed(const moving* m, frc_slots* slots, uint32_t cluster) {
    const uint32_t pure = 2 * m->w->f->serial;
    uint32_t* known = &slots->known.data[cluster];
    if (*known >> 1 == m->w->f->serial) return *known != pure;
    *known = pure;
    for (uint32_t bits = slots->used.data[cluster]; bits; bits &= bits - 1) {
        const uint32_t slot = cluster * FRC_WARP + frc_lowest_bit(bits);
        if (frc_body_of(m->w->topology, &slots->features.data[slot]) != m->number)
            *known = pure + 1;
    }
    return *known != pure;
}

static void leave_slot(moving* m, frc_set_kind kind, uint32_t id) {
    frc_slots* slots = &m->w->f->sets[kind];
    leaving* l = &m->sets[kind];
    const uint32_t slot = id == FRACAS_NONE ? FRACAS_NONE : slots->slot[id];
    l->visited++;
    if (slot == FRACAS_NONE || !l->ok) return;
    if (m->apart && !is_mixed(m, slots, slot / FRC_WARP)) return;
    l->ok = FRC_ARRAY_PUSH(m->w->scene->context, &l->keys, (uint64_t)slot << 32 | id);
    if (l->ok) frc_slots_remove(slots, id);
    l->count++;
}

static void leave_listed(moving* m, frc_set_kind kind, const frc_ids* ids) {
    for (size_t i = 0; i < ids->count; i++) leave_slot(m, kind, ids->data[i]);
}

static void leave_edges(moving* m) {
    const frc_ids* triangles = &m->body->triangles;
    leave_listed(m, FRC_SET_EDGES, &m->body->free_edges);
    for (size_t i = 0; i < triangles->count; i++) {
        const uint32_t id = triangles->data[i];
        for (int k = 0; k < 3 && id != FRACAS_NONE; k++)
            leave_slot(m, FRC_SET_EDGES, m->w->topology->triangles.data[id].edge[k]);
    }
}

// Put what has left into new clusters, in the order of the old slots. A small part shares one with
// the part before.
static void enter_clusters(moving* m, frc_set_kind kind) {
    frc_following* w = m->w;
    frc_slots* slots = &w->f->sets[kind];
    leaving* l = &m->sets[kind];
    const size_t count = l->keys.count;
    frc_feature feature;
    if (count == 0 || !l->ok) return;
    uint64_t* spare = frc_allocate_array(w->scene->context, count, sizeof *spare, &l->ok);
    const uint64_t* keys = l->ok ? frc_sort_keys(l->keys.data, spare, count, 32) : NULL;
    if (count > FRC_WARP / 2) l->cluster = FRACAS_NONE;
    for (size_t i = 0; i < count && l->ok; i++) {
        if (l->cluster == FRACAS_NONE || slots->used.data[l->cluster] == UINT32_MAX)
            l->cluster = frc_slots_take_cluster(w->scene->context, slots);
        l->ok = l->cluster != FRACAS_NONE;
        if (l->ok && frc_is_in_set(w->topology, kind, (uint32_t)keys[i], &feature))
            frc_slots_put(slots, l->cluster, &feature, (uint32_t)keys[i]);
    }
    frc_release(w->scene->context, spare, frc_array_size(count, sizeof *spare));
    l->keys.count = 0;
}

static void leave_sets(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    moving* m = data;
    (void)worker;
    for (uint32_t k = begin; k < end; k++) {
        const frc_set_kind kind = (frc_set_kind)k;
        if (kind == FRC_SET_EDGES)
            leave_edges(m);
        else if (kind == FRC_SET_FACES)
            leave_listed(m, kind, &m->body->triangles);
        else
            leave_listed(m, kind,
                         kind == FRC_SET_FREE_EDGES ? &m->body->free_edges : &m->body->points);
        if (m->apart) enter_clusters(m, kind);
    }
}

// The features of a body leave their slots: one worker for each set.
static void leave_slots(moving* m, const frc_body* body) {
    m->body = body;
    m->number = frc_body_number(m->w->scene, body);
    m->w->f->serial = (m->w->f->serial + 1) & INT32_MAX;
    frc_each_set(m->w, body->triangles.count, leave_sets, m);
}

// The next body of a list.
static const frc_body* next_body(const frc_following* w, frc_changes* list) {
    const uint32_t number = list->ids[--list->count];
    list->listed[number] = 0;
    return frc_handles_in_use(&w->scene->handles, number) ? &w->scene->bodies.data[number] : NULL;
}

static moving begin_moving(frc_following* w, bool apart) {
    moving m = {.w = w, .apart = apart};
    for (int k = 0; k < FRC_SET_COUNT; k++)
        m.sets[k] = (leaving){.cluster = FRACAS_NONE, .ok = true};
    return m;
}

static bool has_failed(const moving* m) {
    bool ok = true;
    for (int k = 0; k < FRC_SET_COUNT; k++) ok = ok && m->sets[k].ok;
    return !ok;
}

// The work of a move so far.
static size_t work_of(const moving* m) {
    size_t visited = 0, count = 0;
    for (int k = 0; k < FRC_SET_COUNT; k++)
        visited += m->sets[k].visited, count += m->sets[k].count;
    return count + visited / 4;
}

static void end_moving(moving* m) {
    for (int k = 0; k < FRC_SET_COUNT; k++) {
        FRC_ARRAY_RELEASE(m->w->scene->context, &m->sets[k].keys);
        m->w->f->ordered += m->sets[k].count;
    }
}

bool frc_move_parts(frc_following* w) {
    frc_followed* f = w->f;
    moving m = begin_moving(w, true);
    size_t budget = 0;
    for (int k = 0; k < FRC_SET_COUNT; k++) budget += f->sets[k].live / ORDERED_PART;
    if (budget < ORDERED) budget = ORDERED;
    while (f->waiting.count > 0 && work_of(&m) < budget && !has_failed(&m)) {
        const frc_body* body = next_body(w, &f->waiting);
        if (body) leave_slots(&m, body);
    }
    end_moving(&m);
    return !has_failed(&m);
}

bool frc_rebuild_order(frc_following* w) {
    frc_changes* decayed = &w->f->decayed;
    const frc_body* body = decayed->count > 0 ? next_body(w, decayed) : NULL;
    moving m = begin_moving(w, false);
    if (!body) return true;
    leave_slots(&m, body);
    bool ok = !has_failed(&m);
    for (int k = 0; k < FRC_SET_COUNT; k++)
        for (size_t i = 0; i < m.sets[k].keys.count && ok; i++)
            ok = frc_add_unplaced(w, (frc_set_kind)k, (uint32_t)m.sets[k].keys.data[i]);
    end_moving(&m);
    if (ok) frc_describe_unplaced(w);
    return ok && frc_place_unplaced(w);
}
