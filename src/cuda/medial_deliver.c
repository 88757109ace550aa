/// @file medial_deliver.c  Contacts from the hits of a device, which come in any order.
#include "base/parallel.h"
#include "cuda/medial_search.h"
#include <string.h>

typedef struct delivery {
    frc_medial_search* s;
    const frc_medial_device_hit* hits;
    const frc_medial_item* items;
    size_t hit_count, item_count;
    frc_medial_hit* found;  // by item
    bool* is_hit;           // by item
    uint32_t* order;        // numbers of hits and items by pair
} delivery;

// ---- pairs of primitives that the host decides

static void fill(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const delivery* d = data;
    for (uint32_t i = begin; i < end; i++)
        if (d->s->step.moving[i].nodes) frc_medial_moving_fill(&d->s->step.moving[i]);
}

static void decide(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const delivery* d = data;
    for (uint32_t i = begin; i < end; i++) {
        const frc_medial_item* item = &d->items[i];
        const frc_body_pair pair = d->s->pairs.data[item->pair];
        const frc_medial_moving *a = &d->s->step.moving[pair.a], *b = &d->s->step.moving[pair.b];
        const fracas_medial_shape *of_a = a->body->shape, *of_b = b->body->shape;
        d->is_hit[i] =
            frc_medial_find_hit(a, &of_a->primitives[item->a], b, &of_b->primitives[item->b],
                                frc_medial_tolerance(d->s->query, of_a, of_b), &d->found[i]);
    }
}

// False: no memory.
static bool decide_items(delivery* d) {
    frc_medial_search* s = d->s;
    fracas_context* context = s->bodies->context;
    if (d->item_count == 0) return true;
    for (size_t i = 0; i < d->item_count; i++)
        for (int side = 0; side < 2; side++) {
            const frc_body_pair pair = s->pairs.data[d->items[i].pair];
            frc_medial_moving* m = &s->step.moving[side == 0 ? pair.a : pair.b];
            if (!m->nodes && !frc_medial_moving_allocate(m, &s->arena)) return false;
        }
    d->found = frc_arena_allocate(&s->arena, d->item_count, sizeof *d->found);
    d->is_hit = frc_arena_allocate(&s->arena, d->item_count, sizeof *d->is_hit);
    if (!d->found || !d->is_hit) return false;
    frc_parallel_for(context, s->step.count, 1, fill, d);
    frc_parallel_for(context, (uint32_t)d->item_count, 1, decide, d);
    return true;
}

// ---- contacts by pair

// The number of a hit, or of an item that follows all hits, at the end of the range of its pair.
static void add(const delivery* d, uint32_t pair, size_t number) {
    d->order[d->s->ranges[pair].end++] = (uint32_t)number;
}

// By pair the numbers of its hits, in ranges. Returns how many there are.
static size_t sort_by_pair(const delivery* d) {
    frc_medial_range* ranges = d->s->ranges;
    size_t next = 0;
    memset(ranges, 0, d->s->pairs.count * sizeof *ranges);
    for (size_t i = 0; i < d->hit_count; i++) ranges[d->hits[i].item.pair].end++;
    for (size_t i = 0; i < d->item_count; i++)
        if (d->is_hit[i]) ranges[d->items[i].pair].end++;
    for (size_t i = 0; i < d->s->pairs.count; i++) {
        const size_t count = ranges[i].end;
        ranges[i] = (frc_medial_range){0, next, next};
        next += count;
    }
    for (size_t i = 0; i < d->hit_count; i++) add(d, d->hits[i].item.pair, i);
    for (size_t i = 0; i < d->item_count; i++)
        if (d->is_hit[i]) add(d, d->items[i].pair, d->hit_count + i);
    return next;
}

static fracas_medial_contact contact_of(const delivery* d, size_t number) {
    const bool here = number >= d->hit_count;
    const frc_medial_item* item = here ? &d->items[number - d->hit_count] : &d->hits[number].item;
    const frc_body_pair pair = d->s->pairs.data[item->pair];
    const frc_medial_moving* moving = d->s->step.moving;
    frc_medial_hit hit = {.t = 0};
    if (here) {
        hit = d->found[number - d->hit_count];
    } else {
        const frc_medial_device_hit* from = &d->hits[number];
        hit.t = from->t;
        hit.gap = from->gap;
        memcpy(hit.direction, from->direction, sizeof hit.direction);
        memcpy(hit.point, from->point, sizeof hit.point);
    }
    return frc_medial_contact_make(pair.a, &moving[pair.a].body->shape->primitives[item->a], pair.b,
                                   &moving[pair.b].body->shape->primitives[item->b], &hit);
}

// The contacts of some pairs. Gaps remain where contacts are not selected.
static void finish(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const delivery* d = data;
    for (uint32_t i = begin; i < end; i++) {
        frc_medial_range* r = &d->s->ranges[i];
        fracas_medial_contact* all = d->s->workers[0].contacts.data;
        for (size_t k = r->begin; k < r->end; k++) all[k] = contact_of(d, d->order[k]);
        if (r->end > r->begin)
            r->end = r->begin + frc_medial_contacts_finish(all + r->begin, r->end - r->begin,
                                                           d->s->query->selection);
    }
}

enum { GRAIN = 16 };  // pairs of bodies of one task

bool frc_medial_deliver(const frc_medial_device_search* search, frc_medial_search* s,
                        const uint64_t counts[FRC_MEDIAL_LISTS]) {
    fracas_context* context = s->bodies->context;
    delivery d = {.s = s,
                  .hits = search->host_hits.data,
                  .items = search->host_items.data,
                  .hit_count = counts[FRC_MEDIAL_NUMBER(FRC_MEDIAL_HITS)],
                  .item_count = counts[FRC_MEDIAL_HOST]};
    const size_t most = d.hit_count + d.item_count;
    if (most >= UINT32_MAX || !decide_items(&d)) return false;
    d.order = frc_arena_allocate(&s->arena, most, sizeof *d.order);
    if (!d.order || !FRC_ARRAY_RESERVE(context, &s->workers[0].contacts, most)) return false;
    s->workers[0].contacts.count = sort_by_pair(&d);
    frc_parallel_for(context, (uint32_t)s->pairs.count, GRAIN, finish, &d);
    return true;
}
