/// @file siblings.c  Groups of sibling vertices that have been together since they were made.
///
/// All points of a group that are in bodies at rest have one position, which the group stores. So
/// an advance reads only points of bodies that moved. Those that are still at that position stay in
/// the group. The others are sorted by group and path; those with one path form a new group. A
/// point alone leaves its group, and costs nothing any more.
#include "base/sort.h"
#include "scene/points.h"
#include <string.h>

static frc_sibling_group* group_of(fracas_scene* scene, const frc_point* point) {
    return &scene->siblings.groups.data[point->tag[FRC_TAG_SIBLING_GROUP] - 1];
}

bool frc_siblings_reserve(fracas_scene* scene, size_t count) {
    frc_siblings* s = &scene->siblings;
    return FRC_ARRAY_RESERVE(scene->context, &s->groups, s->groups.count + count);
}

// A group at the position of the point at this end of the step; needs reserved memory.
static uint32_t new_group(frc_siblings* s, const frc_point* point, int end) {
    uint32_t number = s->first_unused;
    if (number)
        s->first_unused = s->groups.data[number - 1].next_unused;
    else
        number = (uint32_t)++s->groups.count;
    frc_sibling_group* group = &s->groups.data[number - 1];
    group->count = 0;
    frc_get_point(point, end, group->at);
    return number;
}

static void enter(frc_siblings* s, frc_point* point, uint32_t number) {
    point->tag[FRC_TAG_SIBLING_GROUP] = number;
    s->groups.data[number - 1].count++;
    s->members++;
}

static void leave(frc_siblings* s, frc_point* point) {
    const uint32_t number = point->tag[FRC_TAG_SIBLING_GROUP];
    frc_sibling_group* group = &s->groups.data[number - 1];
    point->tag[FRC_TAG_SIBLING_GROUP] = 0;
    s->members--;
    if (--group->count > 0) return;
    group->next_unused = s->first_unused;
    s->first_unused = number;
}

void frc_siblings_join(fracas_scene* scene, uint32_t parent, uint32_t child) {
    frc_siblings* s = &scene->siblings;
    frc_point *p = &scene->topology.points.data[parent], *c = &scene->topology.points.data[child];
    // The parent has no group before its first child, and when all siblings have separated from it.
    if (p->tag[FRC_TAG_FAMILY] == 0) p->tag[FRC_TAG_FAMILY] = ++s->family_count;
    if (p->tag[FRC_TAG_SIBLING_GROUP] == 0) enter(s, p, new_group(s, p, 0));
    c->tag[FRC_TAG_FAMILY] = p->tag[FRC_TAG_FAMILY];
    frc_list_name(&scene->topology.changed_points, parent);
    frc_list_name(&scene->topology.changed_points, child);
    enter(s, c, p->tag[FRC_TAG_SIBLING_GROUP]);
}

void frc_siblings_leave(fracas_scene* scene, uint32_t point) {
    frc_point* p = &scene->topology.points.data[point];
    if (!p->tag[FRC_TAG_SIBLING_GROUP]) return;
    leave(&scene->siblings, p);
    frc_list_name(&scene->topology.changed_points, point);
}

// ---- separating siblings at an advance

// By all workers. The order of the list does not matter: group numbers are only compared with each
// other.
static void list_moved(fracas_scene* scene, const uint32_t* ids, size_t count) {
    enum { BATCH = 64 };
    frc_siblings* s = &scene->siblings;
    uint64_t found[BATCH], words[offsetof(frc_point, tag) / sizeof(uint64_t)];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const frc_point* p = &scene->topology.points.data[ids[i] == FRACAS_NONE ? 0 : ids[i]];
        bool moved = false;
        if (ids[i] != FRACAS_NONE && p->tag[FRC_TAG_SIBLING_GROUP]) {
            const double* at = group_of(scene, p)->at;
            moved = !(p->x[0] == at[0] && p->x[1] == at[0] && p->y[0] == at[1] &&
                      p->y[1] == at[1] && p->z[0] == at[2] && p->z[1] == at[2]);
        }
        if (moved) {
            uint64_t hash = p->tag[FRC_TAG_SIBLING_GROUP];
            memcpy(words, p, sizeof words);
            for (size_t k = 0; k < sizeof words / sizeof *words; k++)
                hash = (hash ^ hash >> 29 ^ words[k]) * UINT64_C(0x9e3779b97f4a7c15);
            found[n++] = (hash & ~(uint64_t)UINT32_MAX) | ids[i];
        }
        if (n < BATCH && i + 1 < count) continue;
        const size_t at = atomic_fetch_add_explicit(&s->moved_count, n, memory_order_relaxed);
        if (n) memcpy(&s->moved[at], found, n * sizeof *found);
        n = 0;
    }
}

// Regroup points with one hash, which nearly always have one group and path. Equal positions are
// equal bits (frc_set_point).
static void regroup(fracas_scene* scene, uint64_t* keys, size_t count) {
    frc_siblings* s = &scene->siblings;
    frc_point* points = scene->topology.points.data;
    for (size_t same; count > 0; keys += same, count -= same) {
        // Those with the path of the first point to the front.
        frc_point* first = &points[(uint32_t)keys[0]];
        same = 1;
        for (size_t i = 1; i < count; i++) {
            const uint64_t key = keys[i];
            const frc_point* p = &points[(uint32_t)key];
            if (p->tag[FRC_TAG_SIBLING_GROUP] != first->tag[FRC_TAG_SIBLING_GROUP] ||
                memcmp(p, first, offsetof(frc_point, tag)) != 0)
                continue;
            keys[i] = keys[same];
            keys[same++] = key;
        }
        // A whole group moves together; else they leave it, and two or more form a new one.
        frc_sibling_group* old = group_of(scene, first);
        if (same > 1 && same == old->count) {
            frc_get_point(first, 1, old->at);
            continue;
        }
        for (size_t i = 0; i < same; i++) {
            leave(s, &points[(uint32_t)keys[i]]);
            frc_list_name(&scene->topology.changed_points, (uint32_t)keys[i]);
        }
        if (same == 1) continue;
        const uint32_t number = new_group(s, first, 1);
        for (size_t i = 0; i < same; i++) enter(s, &points[(uint32_t)keys[i]], number);
    }
}

bool frc_siblings_separate(fracas_scene* scene) {
    fracas_context* context = scene->context;
    frc_siblings* s = &scene->siblings;
    const size_t members = s->members;
    if (members == 0 || scene->moved_bodies.count == 0) return true;
    bool ok = true;
    atomic_init(&s->moved_count, 0);
    s->moved = frc_allocate_array(context, members, sizeof *s->moved, &ok);
    uint64_t* spare = frc_allocate_array(context, members, sizeof *spare, &ok);
    // A new group has at least two points that moved.
    ok = ok && frc_siblings_reserve(scene, members / 2) &&
         frc_each_point(scene, &scene->moved_bodies, FRC_VISIT_MOVED, list_moved);
    const size_t count = ok ? atomic_load(&s->moved_count) : 0;
    uint64_t* keys = ok ? frc_sort_keys(s->moved, spare, count, 32) : NULL;
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && keys[end] >> 32 == keys[begin] >> 32;) end++;
        regroup(scene, keys + begin, end - begin);
    }
    frc_release(context, spare, frc_array_size(members, sizeof *spare));
    frc_release(context, s->moved, frc_array_size(members, sizeof *s->moved));
    s->moved = NULL;
    return ok;
}

void frc_siblings_release(fracas_scene* scene) {
    FRC_ARRAY_RELEASE(scene->context, &scene->siblings.groups);
}
