/// @file stage_medial_hits.c  The narrow phase: one pair of primitives in a lane.
#include "cuda/lists.h"
#include "cuda/medial_lists.h"
#include "cuda/medial_quick.h"

// A pair of primitives and what is known of their bodies.
typedef struct found {
    const frc_medial_device_body *a, *b;
    const frc_medial_primitive *primitive_a, *primitive_b;
} found;

FRC_DEVICE static found find(const frc_medial_device_step* s, frc_medial_item item) {
    found f;
    f.a = &s->bodies[s->pairs[item.pair].a];
    f.b = &s->bodies[s->pairs[item.pair].b];
    f.primitive_a = &s->primitives[s->shapes[f.a->shape].first_primitive + item.a];
    f.primitive_b = &s->primitives[s->shapes[f.b->shape].first_primitive + item.b];
    return f;
}

FRC_DEVICE static void gather(const frc_medial_device_step* s, const frc_medial_device_body* body,
                              const frc_medial_primitive* primitive, frc_medial_gathered* out) {
    const uint32_t first = body->first_sphere;
    frc_medial_spheres spheres;
    spheres.own = s->spheres + s->shapes[body->shape].first_sphere;
    spheres.start = (const double(*)[4])(s->start + first);
    spheres.end = (const double(*)[4])(s->end + first);
    spheres.bulge = s->bulge + first;
    frc_medial_gather(&spheres, primitive, out);
}

FRC_DEVICE static double tolerance_of(const frc_medial_device_step* s, const found* f) {
    return s->tolerance * (f->b->radius < f->a->radius ? f->b->radius : f->a->radius);
}

FRC_MEDIAL_STAGE(apart) {
    const frc_medial_items* in = &s->items[FRC_MEDIAL_CANDIDATES];
    const uint64_t count = frc_medial_stored(in->count, in->capacity);
    FRC_EACH_32(first, count, warp, warps) {
        bool left[FRC_LANES];
        frc_medial_item item[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            left[i] = false;
            if (n >= count) continue;
            item[i] = in->data[n];
            const found f = find(s, item[i]);
            const frc_medial_between between = frc_medial_between_make(f.a, f.b, s->tolerance);
            left[i] =
                !frc_medial_quick_apart(s->lanes + f.a->first_sphere, f.primitive_a,
                                        s->lanes + f.b->first_sphere, f.primitive_b, &between);
        }
        frc_medial_items_append(&s->items[FRC_MEDIAL_CLOSE], left, item);
    }
}

FRC_MEDIAL_STAGE(start) {
    const frc_medial_items* in = &s->items[FRC_MEDIAL_CLOSE];
    const uint64_t count = frc_medial_stored(in->count, in->capacity);
    FRC_EACH_32(first, count, warp, warps) {
        bool touch[FRC_LANES], unsure[FRC_LANES];
        frc_medial_item item[FRC_LANES];
        frc_medial_hit hit[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            frc_medial_gathered a, b;
            touch[i] = unsure[i] = false;
            if (n >= count) continue;
            item[i] = in->data[n];
            const found f = find(s, item[i]);
            gather(s, f.a, f.primitive_a, &a);
            gather(s, f.b, f.primitive_b, &b);
            const frc_medial_verdict v =
                frc_medial_test_start(&a, &b, tolerance_of(s, &f), &hit[i]);
            touch[i] = v == FRC_MEDIAL_HIT, unsure[i] = v == FRC_MEDIAL_UNSURE;
        }
        frc_medial_hits_append(&s->hits[FRC_MEDIAL_HITS], touch, item, hit);
        frc_medial_hits_append(&s->hits[FRC_MEDIAL_WAYS], unsure, item, hit);
    }
}

FRC_MEDIAL_STAGE(ways) {
    const frc_medial_hits* in = &s->hits[FRC_MEDIAL_WAYS];
    const uint64_t count = frc_medial_stored(in->count, in->capacity);
    FRC_EACH_32(first, count, warp, warps) {
        bool touch[FRC_LANES], unsure[FRC_LANES], host[FRC_LANES];
        frc_medial_item item[FRC_LANES];
        frc_medial_hit hit[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            frc_medial_gathered a, b;
            touch[i] = unsure[i] = host[i] = false;
            if (n >= count) continue;
            item[i] = in->data[n].item;
            for (int k = 0; k < 3; k++) hit[i].direction[k] = in->data[n].direction[k];
            const found f = find(s, item[i]);
            gather(s, f.a, f.primitive_a, &a);
            gather(s, f.b, f.primitive_b, &b);
            const frc_medial_verdict v =
                frc_medial_test_ways(&a, &b, tolerance_of(s, &f), s->most_ways, &hit[i]);
            touch[i] = v == FRC_MEDIAL_HIT;
            host[i] = v == FRC_MEDIAL_UNSURE && hit[i].unfinished;
            unsure[i] = v == FRC_MEDIAL_UNSURE && !hit[i].unfinished;
        }
        frc_medial_hits_append(&s->hits[FRC_MEDIAL_HITS], touch, item, hit);
        frc_medial_hits_append(&s->hits[FRC_MEDIAL_MOTION], unsure, item, hit);
        frc_medial_items_append(&s->items[FRC_MEDIAL_HOST], host, item);
    }
}

FRC_MEDIAL_STAGE(motion) {
    const frc_medial_hits* in = &s->hits[FRC_MEDIAL_MOTION];
    const uint64_t count = frc_medial_stored(in->count, in->capacity);
    FRC_EACH_32(first, count, warp, warps) {
        bool touch[FRC_LANES], host[FRC_LANES];
        frc_medial_item item[FRC_LANES];
        frc_medial_hit hit[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            frc_medial_gathered a, b;
            touch[i] = host[i] = false;
            if (n >= count) continue;
            item[i] = in->data[n].item;
            hit[i].t = in->data[n].t;
            for (int k = 0; k < 3; k++) hit[i].direction[k] = in->data[n].direction[k];
            const found f = find(s, item[i]);
            gather(s, f.a, f.primitive_a, &a);
            gather(s, f.b, f.primitive_b, &b);
            const frc_medial_verdict v = frc_medial_test_motion(
                &a, &f.a->motion, &b, &f.b->motion, tolerance_of(s, &f), s->most_motion, &hit[i]);
            touch[i] = v == FRC_MEDIAL_HIT, host[i] = v == FRC_MEDIAL_UNSURE;
        }
        frc_medial_hits_append(&s->hits[FRC_MEDIAL_HITS], touch, item, hit);
        frc_medial_items_append(&s->items[FRC_MEDIAL_HOST], host, item);
    }
}
