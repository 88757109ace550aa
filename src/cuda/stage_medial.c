/// @file stage_medial.c  Paths of spheres, primitives and clusters; pairs of clusters and of
/// primitives that may meet.
#include "cuda/medial_lists.h"
#include "cuda/medial_quick.h"
#include "geom/pose_apply.h"

// ---- paths

// As set_lane in medial/moving.c.
FRC_DEVICE static void set_lane(const frc_medial_device_step* s, const frc_rigid_motion* motion,
                                uint32_t sphere) {
    frc_lane_sphere lane;
    for (int k = 0; k < 3; k++) {
        lane.start[k] = (float)(s->start[sphere][k] - motion->position[0][k]);
        lane.end[k] = (float)(s->end[sphere][k] - motion->position[1][k]);
    }
    lane.radius = (float)s->start[sphere][3];
    lane.bulge = (float)s->bulge[sphere] * (1 + 0x1p-22F) + 0x1p-140F;
    s->lanes[sphere] = lane;
}

FRC_MEDIAL_STAGE(spheres) {
    for (uint32_t n = warp; n < s->sphere_row_count; n += warps) {
        const frc_medial_row row = s->sphere_rows[n];
        const frc_medial_device_body* body = &s->bodies[row.body];
        const frc_medial_device_shape* shape = &s->shapes[body->shape];
        fracas_pose first, last;
        if (!body->wanted) continue;
        frc_rigid_motion_at(&body->motion, 0, &first);
        frc_rigid_motion_at(&body->motion, 1, &last);
        FRC_EACH_LANE(i) {
            const uint32_t number = row.first + FRC_LANE(i), at = body->first_sphere + number;
            if (number >= shape->sphere_count) continue;
            const double* own = s->spheres[shape->first_sphere + number];
            frc_pose_apply(&first, own, s->start[at]);
            frc_pose_apply(&last, own, s->end[at]);
            s->start[at][3] = s->end[at][3] = own[3];
            s->bulge[at] =
                body->motion.bend * s->distances[shape->first_sphere + number] + body->rounding;
            set_lane(s, &body->motion, at);
        }
    }
}

// As set_nodes in medial/moving.c.
FRC_DEVICE static void set_slot(const frc_medial_device_body* body, const fracas_pose* first,
                                const fracas_pose* last, const frc_medial_node* node,
                                frc_medial_slot* out) {
    double start[3], end[3];
    frc_pose_rotate(first->rotation, node->centre, start);
    frc_pose_rotate(last->rotation, node->centre, end);
    for (int k = 0; k < 3; k++) {
        out->start[k] = (float)start[k];
        out->way[k] = (float)(end[k] - start[k]);
    }
    const double most = node->radius + body->slack + (body->motion.bend + 0x1p-20) * node->distance;
    out->radius = (float)most * (1 + 0x1p-22F) + 0x1p-140F;
    out->primitive = node->primitive;
}

FRC_MEDIAL_STAGE(slots) {
    for (uint32_t n = warp; n < s->cluster_row_count; n += warps) {
        const frc_medial_row row = s->cluster_rows[n];
        const frc_medial_device_body* body = &s->bodies[row.body];
        const uint32_t cluster = s->shapes[body->shape].first_cluster + row.first;
        const uint32_t at = body->first_cluster + row.first;
        fracas_pose first, last;
        if (!body->wanted) continue;
        frc_rigid_motion_at(&body->motion, 0, &first);
        frc_rigid_motion_at(&body->motion, 1, &last);
        FRC_EACH_LANE(i) {
            if (FRC_LANE(i) == 0)
                set_slot(body, &first, &last, &s->clusters[cluster], &s->cluster_paths[at]);
            if (FRC_LANE(i) < s->clusters[cluster].primitive)
                set_slot(body, &first, &last, &s->slots[(size_t)cluster * FRC_WARP + FRC_LANE(i)],
                         &s->slot_paths[(size_t)at * FRC_WARP + FRC_LANE(i)]);
        }
    }
}

// ---- clusters

FRC_DEVICE static frc_medial_between between_of(const frc_medial_device_step* s, uint32_t pair) {
    return frc_medial_between_make(&s->bodies[s->pairs[pair].a], &s->bodies[s->pairs[pair].b],
                                   s->tolerance);
}

// Lane i has one cluster of the side that has more, against all of the other one.
FRC_DEVICE static void pair_clusters(const frc_medial_device_step* s, frc_medial_row row) {
    const frc_medial_device_body *a = &s->bodies[s->pairs[row.body].a],
                                 *b = &s->bodies[s->pairs[row.body].b];
    const uint32_t count_a = s->shapes[a->shape].cluster_count,
                   count_b = s->shapes[b->shape].cluster_count;
    const bool more_in_a = count_a >= count_b;
    const frc_medial_between between = between_of(s, row.body);
    for (uint32_t k = 0; k < (more_in_a ? count_b : count_a); k++) {
        bool meet[FRC_LANES];
        frc_medial_item items[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint32_t number = row.first + FRC_LANE(i);
            items[i].pair = row.body;
            items[i].a = more_in_a ? number : k;
            items[i].b = more_in_a ? k : number;
            meet[i] = items[i].a < count_a && items[i].b < count_b &&
                      (!s->cull || frc_medial_quick_meet(
                                       &s->cluster_paths[a->first_cluster + items[i].a],
                                       &s->cluster_paths[b->first_cluster + items[i].b], &between));
        }
        frc_medial_items_append(&s->items[FRC_MEDIAL_CLUSTERS], meet, items);
    }
}

FRC_MEDIAL_STAGE(clusters) {
    for (uint32_t n = warp; n < *s->pair_row_count; n += warps) pair_clusters(s, s->pair_rows[n]);
}

// ---- primitives

// Lane i compares slot i of one cluster with all slots of the other, whose results are the bits of
// a word.
FRC_DEVICE static void pair_slots(const frc_medial_device_step* s, frc_medial_item clusters) {
    const frc_medial_device_body *a = &s->bodies[s->pairs[clusters.pair].a],
                                 *b = &s->bodies[s->pairs[clusters.pair].b];
    const uint32_t at_a = a->first_cluster + clusters.a, at_b = b->first_cluster + clusters.b;
    const frc_medial_slot *of_a = &s->slot_paths[(size_t)at_a * FRC_WARP],
                          *of_b = &s->slot_paths[(size_t)at_b * FRC_WARP];
    const uint32_t count_a = s->cluster_paths[at_a].primitive,
                   count_b = s->cluster_paths[at_b].primitive;
    const frc_medial_between between = between_of(s, clusters.pair);
    const frc_medial_items* out = &s->items[FRC_MEDIAL_CANDIDATES];
    uint32_t bits[FRC_LANES], at[FRC_LANES];
    FRC_EACH_LANE(i) {
        bits[i] = 0;
        for (uint32_t j = 0; j < count_b && FRC_LANE(i) < count_a; j++)
            if (!s->cull || frc_medial_quick_meet(&of_a[FRC_LANE(i)], &of_b[j], &between))
                bits[i] |= 1u << j;
        at[i] = frc_popcount(bits[i]);
    }
    const uint64_t first = frc_take(out->count, frc_scan(at));
    FRC_EACH_LANE(i) {
        for (uint64_t n = first + at[i]; bits[i] && n < out->capacity; bits[i] &= bits[i] - 1) {
            out->data[n].pair = clusters.pair;
            out->data[n].a = of_a[FRC_LANE(i)].primitive;
            out->data[n].b = of_b[frc_lowest_bit(bits[i])].primitive;
            n++;
        }
    }
}

FRC_MEDIAL_STAGE(primitives) {
    const frc_medial_items* in = &s->items[FRC_MEDIAL_CLUSTERS];
    const uint64_t count = frc_medial_stored(in->count, in->capacity);
    for (uint64_t n = warp; n < count; n += warps) pair_slots(s, in->data[n]);
}
