/// @file follow.c  The slots of a scene's features follow its edits: an edit costs what it edits.
///
/// The topology lists what has changed (frc_changes). A feature that is new is put into an empty
/// slot near its neighbours, or with others into a new cluster. Features keep their slots when
/// their body breaks.
#include "cuda/following.h"
#include "mesh/union_find.h"
#include <string.h>

enum {
    GRAIN = 2048,
    FEW = 64  // new features that are not divided into patches
};

// ---- the features of a set

static frc_feature feature_of(uint32_t a, uint32_t b, uint32_t c, uint32_t id) {
    return (frc_feature){
        {a, b, c},
        id
    };
}

static bool vertex_of(const frc_topology* t, uint32_t id, bool free_only, frc_feature* out) {
    const frc_vertex_use* use = &t->uses.data[id];
    if (t->points.data[id].tag[FRC_TAG_BODY] == FRACAS_NONE) return false;  // unused id
    *out = feature_of(id, id, id, FRACAS_NONE);
    return free_only ? !use->triangles && use->free_point
                     : use->triangles || use->free_edges || use->free_point;
}

static bool edge_of(const frc_topology* t, uint32_t id, bool free_only, frc_feature* out) {
    const frc_edge* e = &t->edges.data[id];
    if (e->point[0] == FRACAS_NONE) return false;
    *out = feature_of(e->point[0], e->point[1], e->point[1], FRACAS_NONE);
    return !free_only || (!e->uses && e->free);
}

bool frc_is_in_set(const frc_topology* t, frc_set_kind kind, uint32_t id, frc_feature* out) {
    switch (kind) {
    case FRC_SET_VERTICES:
    case FRC_SET_FREE_POINTS:
        return vertex_of(t, id, kind == FRC_SET_FREE_POINTS, out);
    case FRC_SET_EDGES:
    case FRC_SET_FREE_EDGES:
        return edge_of(t, id, kind == FRC_SET_FREE_EDGES, out);
    default: {
        const uint32_t* p = t->triangles.data[id].point;
        *out = feature_of(p[0], p[1], p[2], id);
        return p[0] != FRACAS_NONE;
    }
    }
}

static const frc_changes* changes_of(const frc_topology* t, frc_set_kind kind) {
    if (kind == FRC_SET_FACES) return &t->changed_triangles;
    return kind == FRC_SET_EDGES || kind == FRC_SET_FREE_EDGES ? &t->changed_edges
                                                               : &t->changed_points;
}

// Ids that the pool has room for: memory by id grows when the pool does.
static size_t id_capacity(const frc_topology* t, frc_set_kind kind) {
    if (kind == FRC_SET_FACES) return t->triangles.capacity;
    return kind == FRC_SET_EDGES || kind == FRC_SET_FREE_EDGES ? t->edges.capacity
                                                               : t->points.capacity;
}

static size_t id_count(const frc_topology* t, frc_set_kind kind) {
    if (kind == FRC_SET_FACES) return t->triangles.count;
    return kind == FRC_SET_EDGES || kind == FRC_SET_FREE_EDGES ? t->edges.count : t->points.count;
}

// ---- memory

static bool reserve_ids(fracas_context* context, uint32_t** array, size_t* capacity,
                        size_t wanted) {
    const size_t old = *capacity;
    if (wanted <= old) return true;
    if (!frc_array_grow(context, (void**)array, capacity, wanted, sizeof **array)) return false;
    memset(*array + old, 0xff, (*capacity - old) * sizeof **array);
    return true;
}

static bool reserve(frc_following* w) {
    frc_followed* f = w->f;
    fracas_context* context = w->scene->context;
    const frc_topology* t = w->topology;
    for (int k = 0; k < FRC_SET_COUNT; k++)
        if (!frc_slots_reserve(context, &f->sets[k], id_capacity(t, (frc_set_kind)k),
                               t->points.capacity))
            return false;
    return frc_changes_reserve(context, &f->points, t->changed_points.capacity) &&
           frc_changes_reserve(context, &f->triangles, t->changed_triangles.capacity) &&
           frc_changes_reserve(context, &f->bodies, w->scene->bodies.capacity) &&
           frc_changes_reserve(context, &f->waiting, w->scene->bodies.capacity) &&
           frc_changes_reserve(context, &f->decayed, w->scene->bodies.capacity) &&
           reserve_ids(context, &f->body_of, &f->body_of_capacity, t->points.capacity) &&
           reserve_ids(context, &f->root, &f->root_capacity, t->points.capacity);
}

// ---- changed features

enum { SAME, GONE, NEW, OTHER_CORNERS, OTHER_FEATURE };

static bool have_common_point(const frc_feature* a, const frc_feature* b) {
    bool common = false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) common |= a->point[i] == b->point[j];
    return common;
}

static uint8_t compare_feature(const frc_topology* t, const frc_slots* slots, frc_set_kind kind,
                               uint32_t id) {
    frc_feature now;
    const uint32_t slot = slots->slot[id];
    if (!frc_is_in_set(t, kind, id, &now)) return slot == FRACAS_NONE ? SAME : GONE;
    if (slot == FRACAS_NONE) return NEW;
    const frc_feature* old = &slots->features.data[slot];
    if (memcmp(old, &now, sizeof now) == 0) return SAME;
    // An id that was removed and used again may be anywhere.
    return have_common_point(old, &now) ? OTHER_CORNERS : OTHER_FEATURE;
}

static void compare_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const frc_following* w = data;
    const frc_changes* changes = changes_of(w->topology, w->kind);
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t id = changes->ids[i];
        w->code[w->kind][i] = changes->listed[id] == FRC_CHANGE_NAME
                                  ? SAME
                                  : compare_feature(w->topology, &w->f->sets[w->kind], w->kind, id);
    }
}

// The next feature from `i` on that is not the same. Most are, where a body breaks.
static size_t next_change(const uint8_t* code, size_t i, size_t count) {
    for (uint64_t eight; i + sizeof eight <= count; i += sizeof eight) {
        memcpy(&eight, code + i, sizeof eight);
        if (eight) break;
    }
    while (i < count && code[i] == SAME) i++;
    return i;
}

bool frc_add_unplaced(frc_following* w, frc_set_kind kind, uint32_t id) {
    const frc_unplaced h = {.id = id};
    return FRC_ARRAY_PUSH(w->scene->context, &w->unplaced[kind], h);
}

static void describe_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    frc_following* w = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        frc_unplaced* h = &w->unplaced[w->kind].data[i];
        frc_is_in_set(w->topology, w->kind, h->id, &h->feature);
        h->group = frc_body_of(w->topology, &h->feature) | 1u << 31;
    }
}

void frc_describe_unplaced(frc_following* w) {
    for (int k = 0; k < FRC_SET_COUNT; k++) {
        w->kind = (frc_set_kind)k;
        frc_parallel_for(w->scene->context, (uint32_t)w->unplaced[k].count, GRAIN, describe_some,
                         w);
    }
}

static bool follow_set(frc_following* w, frc_set_kind kind) {
    frc_slots* slots = &w->f->sets[kind];
    const frc_changes* changes = changes_of(w->topology, kind);
    const size_t count = changes->count;
    const uint8_t* codes = w->code[kind];
    frc_feature now;
    size_t more = 0;
    for (size_t i = 0; i < count; i++) more += codes[i] == NEW || codes[i] == OTHER_FEATURE;
    if (!FRC_ARRAY_RESERVE(w->scene->context, &w->unplaced[kind], more)) return false;
    for (size_t i = next_change(codes, 0, count); i < count; i = next_change(codes, i + 1, count)) {
        const uint32_t id = changes->ids[i];
        const int code = codes[i];
        if (code == GONE || code == OTHER_FEATURE) frc_slots_remove(slots, id);
        if (code == OTHER_CORNERS) {
            frc_is_in_set(w->topology, kind, id, &now);
            frc_slots_rewrite(slots, id, &now);
        }
        if ((code == NEW || code == OTHER_FEATURE) && !frc_add_unplaced(w, kind, id)) return false;
    }
    return true;
}

// The sets have nothing in common: one worker for each.
static void follow_sets(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    frc_following* w = data;
    (void)worker;
    for (uint32_t k = begin; k < end; k++) w->ok[k] = follow_set(w, (frc_set_kind)k);
}

static void place_sets_near(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    frc_following* w = data;
    (void)worker;
    for (uint32_t k = begin; k < end; k++)
        frc_place_near(w->topology, &w->f->sets[k], &w->unplaced[k]);
}

void frc_each_set(frc_following* w, size_t work, frc_range_fn* fn, void* data) {
    frc_parallel_for(w->scene->context, FRC_SET_COUNT, work < GRAIN ? FRC_SET_COUNT : 1, fn, data);
}

// The body that a point has broken off into: its body is another one, and the old one is still
// there. FRACAS_NONE: none. As many points change as a body has that shatters: by all workers, into
// `root`, which has room for all points.
static void find_parts(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const frc_following* w = data;
    frc_followed* f = w->f;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t id = w->topology->changed_points.ids[i], old = f->body_of[id],
                       now = w->topology->points.data[id].tag[FRC_TAG_BODY];
        f->root[i] = FRACAS_NONE;
        if (now == old) continue;
        f->body_of[id] = now;
        if (now == FRACAS_NONE)
            for (int k = 0; k < FRC_SET_COUNT; k++) f->sets[k].near[id] = FRACAS_NONE;
        else if (old != FRACAS_NONE && frc_handles_in_use(&w->scene->handles, old))
            f->root[i] = now;
    }
}

static void follow_points(frc_following* w) {
    const size_t count = w->topology->changed_points.count;
    const uint32_t* part = w->f->root;
    frc_parallel_for(w->scene->context, (uint32_t)count, GRAIN, find_parts, w);
    for (size_t i = 0; i < count; i++)
        if (part[i] != FRACAS_NONE && (i == 0 || part[i] != part[i - 1]))
            frc_list_change(&w->f->waiting, part[i]);
}

// Add changes to those that the copy on the device has not got yet, of which there are none after a
// query; they have the same capacity.
static void take_changes(frc_changes* to, frc_changes* from) {
    if (to->count == 0) {
        const frc_changes none = *to;
        *to = *from;
        *from = none;
        return;
    }
    for (size_t i = 0; i < from->count; i++) frc_list_change(to, from->ids[i]);
    frc_changes_clear(from);
}

static bool follow_changes(frc_following* w) {
    size_t all = 0;
    bool ok = true;
    for (int k = 0; k < FRC_SET_COUNT; k++) all += changes_of(w->topology, (frc_set_kind)k)->count;
    uint8_t* codes = frc_allocate_array(w->scene->context, all, sizeof *codes, &ok);
    if (!ok) return false;
    w->code[0] = codes;
    for (int k = 0; k < FRC_SET_COUNT; k++) {
        const size_t count = changes_of(w->topology, (frc_set_kind)k)->count;
        w->kind = (frc_set_kind)k;
        frc_parallel_for(w->scene->context, (uint32_t)count, GRAIN, compare_some, w);
        if (k + 1 < FRC_SET_COUNT) w->code[k + 1] = w->code[k] + count;
    }
    frc_each_set(w, all, follow_sets, w);
    for (int k = 0; k < FRC_SET_COUNT; k++) ok = ok && w->ok[k];
    frc_release(w->scene->context, codes, frc_array_size(all, sizeof *codes));
    if (ok) follow_points(w);
    return ok;
}

static bool begin_set(frc_following* w, frc_set_kind kind) {
    const uint32_t count = (uint32_t)id_count(w->topology, kind);
    frc_feature feature;
    frc_slots_clear(&w->f->sets[kind]);
    for (uint32_t id = 0; id < count; id++)
        if (frc_is_in_set(w->topology, kind, id, &feature) && !frc_add_unplaced(w, kind, id))
            return false;
    return true;
}

static void begin_sets(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    frc_following* w = data;
    (void)worker;
    for (uint32_t k = begin; k < end; k++) w->ok[k] = begin_set(w, (frc_set_kind)k);
}

// All features, without slots.
static bool rebuild_all(frc_following* w) {
    frc_followed* f = w->f;
    const size_t points = w->topology->points.count;
    bool ok = true;
    f->everything = true;
    frc_changes_clear(&f->waiting);
    frc_changes_clear(&f->decayed);
    frc_each_set(w, points, begin_sets, w);
    for (int k = 0; k < FRC_SET_COUNT; k++) ok = ok && w->ok[k];
    for (size_t i = 0; i < points; i++)
        f->body_of[i] = w->topology->points.data[i].tag[FRC_TAG_BODY];
    return ok;
}

// ---- new features

// The patches of new features: points that their edges and faces connect.
static void find_patches(frc_following* w) {
    uint32_t* root = w->f->root;
    size_t count = 0;
    for (int k = 0; k < FRC_SET_COUNT; k++) count += w->unplaced[k].count;
    if (count < FEW) return;
    for (int k = 0; k < FRC_SET_COUNT; k++)
        for (size_t i = 0; i < w->unplaced[k].count; i++)
            for (int c = 0; c < 3; c++) {
                const uint32_t p = w->unplaced[k].data[i].feature.point[c];
                root[p] = p;
            }
    for (int k = FRC_SET_EDGES; k <= FRC_SET_FACES; k++)
        for (size_t i = 0; i < w->unplaced[k].count; i++) {
            const uint32_t* p = w->unplaced[k].data[i].feature.point;
            frc_union_find_join(root, p[0], p[1]);
            frc_union_find_join(root, p[1], p[2]);
        }
    for (int k = 0; k < FRC_SET_COUNT; k++)
        for (size_t i = 0; i < w->unplaced[k].count; i++) {
            frc_unplaced* h = &w->unplaced[k].data[i];
            h->group = frc_union_find_root(root, h->feature.point[0]);
        }
}

// A new vertex is near the other ends of its new edges.
static void find_neighbours(const frc_following* w) {
    frc_slots* vertices = &w->f->sets[FRC_SET_VERTICES];
    for (size_t i = 0; i < w->unplaced[FRC_SET_EDGES].count; i++) {
        const uint32_t* p = w->unplaced[FRC_SET_EDGES].data[i].feature.point;
        for (int k = 0; k < 2; k++) {
            const uint32_t slot = vertices->slot[p[k]];
            if (slot != FRACAS_NONE && vertices->near[p[1 - k]] == FRACAS_NONE)
                vertices->near[p[1 - k]] = slot / FRC_WARP;
        }
    }
}

bool frc_place_unplaced(frc_following* w) {
    find_patches(w);
    const bool ok = frc_place_in_clusters(w->topology, w->f->sets, w->unplaced);
    for (int k = 0; k < FRC_SET_COUNT; k++) w->unplaced[k].count = 0;
    return ok;
}

static bool place_new(frc_following* w) {
    size_t count = 0;
    for (int k = 0; k < FRC_SET_COUNT; k++) count += w->unplaced[k].count;
    if (count == 0) return true;
    frc_describe_unplaced(w);
    find_neighbours(w);
    frc_each_set(w, count, place_sets_near, w);
    return frc_place_unplaced(w);
}

// ---- all

bool frc_follow(frc_followed* f, fracas_scene* scene) {
    frc_following w = {.f = f, .scene = scene, .topology = &scene->topology};
    if (!reserve(&w)) return false;
    const bool ok = (f->valid ? follow_changes(&w) : rebuild_all(&w)) && place_new(&w) &&
                    frc_move_parts(&w) && frc_rebuild_order(&w);
    for (int k = 0; k < FRC_SET_COUNT; k++) FRC_ARRAY_RELEASE(scene->context, &w.unplaced[k]);
    f->valid = ok;
    if (!ok) return false;
    for (size_t i = 0; i < scene->stale_bodies.count; i++)
        if (scene->bodies.data[scene->stale_bodies.data[i]].points_moved)
            frc_list_change(&f->bodies, scene->stale_bodies.data[i]);
    take_changes(&f->points, &scene->topology.changed_points);
    take_changes(&f->triangles, &scene->topology.changed_triangles);
    frc_changes_clear(&scene->topology.changed_edges);
    return true;
}

void frc_follow_decayed(frc_followed* f, uint32_t body) { frc_list_change(&f->decayed, body); }

void frc_followed_clear(frc_followed* f) {
    frc_changes_clear(&f->points);
    frc_changes_clear(&f->triangles);
    frc_changes_clear(&f->bodies);
    f->everything = false;
}

void frc_followed_release(fracas_context* context, frc_followed* f) {
    for (int k = 0; k < FRC_SET_COUNT; k++) frc_slots_release(context, &f->sets[k]);
    frc_changes_release(context, &f->points);
    frc_changes_release(context, &f->triangles);
    frc_changes_release(context, &f->bodies);
    frc_changes_release(context, &f->waiting);
    frc_changes_release(context, &f->decayed);
    frc_release(context, f->body_of, f->body_of_capacity * sizeof *f->body_of);
    frc_release(context, f->root, f->root_capacity * sizeof *f->root);
}
