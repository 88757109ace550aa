/// @file pair_query.c  Maximum-distance breadth-first traversal with self-adapting selection.
///
/// Based on: glondu2014, algorithm 1, with these repairs. The end of a level is the empty first
/// queue, the end of the traversal both. A visit looks a point up once: what is known about it goes
/// with the node in the queue, and from a node to its child with the same point. Distances are
/// signed: a contact is deeper than the current tolerance t if its distance is below t, and the
/// points of a sphere of radius r may be if the distance of its centre is below r + t. For centres
/// outside, a lower bound of the distance decides: that of the occupied cells, and that of the
/// dense grid of the solid. The field of another fragment of the same solid is no lower bound.
#include "fragment/pair_query.h"
#include "fragment/locate.h"
#include "fragment/pair_box.h"
#include "geom/pose.h"
#include <math.h>
#include <string.h>

// frc_sphere_visit.seen: the point, but not the sphere. Else 0, or the phase in which the sphere
// was tested.
enum { SEEN_POINT = 3 };

typedef struct pair {
    const frc_fragment *a, *b;
    uint32_t number_a, number_b;
    const frc_object* object;  // of b
    const fracas_fragment_query* query;
    frc_pair_scratch* scratch;
    fracas_pose pose;  // of a, seen from b
    double tolerance;  // now
    uint8_t phase;     // 1, then 2 when the tolerance has been reduced
    double skin;
    double slack;  // exceeds the rounding of points and distances
    // In the frame of a: a point elsewhere is no contact.
    frc_pair_box box;
    const frc_pair_slab* slab;
    uint32_t found;
    fracas_field_update mode;
} pair;

// False: no point within the distance of p is in the fragment b.
static bool may_touch(const pair* q, const double p[3], double distance) {
    if (!(distance >= 0)) return false;
    distance += q->slack;
    if (!frc_occupancy_may_touch(&q->b->occupancy, p, distance)) return false;
    const frc_distance_cell* cell = frc_distance_grid_at(&q->object->solid->distance_grid, p);
    return !cell || cell->bound <= distance;
}

// False: p is neither in the fragment b nor near it. A cell with a bound has no point of the solid.
static bool may_be_near(const pair* q, const double p[3]) {
    if (q->query->distance > 0) return may_touch(q, p, q->query->distance);
    if (!frc_occupancy_has(&q->b->occupancy, p)) return false;
    const frc_distance_cell* cell = frc_distance_grid_at(&q->object->solid->distance_grid, p);
    return !cell || cell->bound == 0;
}

static void report(pair* q, frc_sphere_visit* visit, const double p[3], const double normal[3]) {
    frc_pair_scratch* s = q->scratch;
    const frc_sphere_node* node = &q->a->tree.nodes[visit->node];
    fracas_fragment_contact c = {
        .point = node->point,
        .depth = -visit->distance,
        .a = {q->number_a, 0},
        .b = {q->number_b, 0}
    };
    frc_pose_apply(&q->b->pose, p, c.position);
    frc_pose_rotate(q->b->pose.rotation, normal, c.normal);
    if (!FRC_ARRAY_PUSH(q->object->solid->context, &s->contacts, c)) s->failed = true;
    q->found++;
    if (q->found >= q->query->contact_count &&
        q->query->selection == FRACAS_CONTACT_SELECTION_ADAPTIVE)
        q->tolerance = -q->skin, q->phase = 2;
}

// Look up the point of a node, and report it if it is deep enough.
static void look_up(pair* q, frc_sphere_visit* visit, const double p[3]) {
    fracas_depth depth;
    q->scratch->statistics.located++;
    const uint32_t tet = frc_fragment_find_tet(q->object, q->number_b, p);
    if (tet != FRACAS_NONE) {
        frc_fragment_depth(q->object, q->number_b, q->mode, tet, p, &depth);
        visit->inside = true;
        visit->distance = -depth.depth;
    } else if (q->query->distance > 0) {
        visit->inside = frc_fragment_near(q->object, q->number_b, p, q->query->distance, &depth);
        visit->distance = depth.depth;
        for (int k = 0; k < 3; k++) depth.direction[k] = -depth.direction[k];
    }
    if (!visit->inside) return;
    q->scratch->statistics.colliding++;
    // A point on the surface is a contact.
    if (visit->distance < q->tolerance || (visit->distance == 0 && q->tolerance == 0))
        report(q, visit, p, depth.direction);
}

// May points of the node's sphere be contacts?
static bool may_descend(const pair* q, const frc_sphere_visit* visit, const double p[3]) {
    const double reach = q->a->tree.nodes[visit->node].radius + q->tolerance;
    if (visit->inside && visit->distance <= 0) return visit->distance - reach < 0;
    return may_touch(q, p, reach);
}

// The first visit of a node, or one after the tolerance was reduced. False: nothing below it.
static bool inspect(pair* q, frc_sphere_visit* visit) {
    const frc_sphere_node* node = &q->a->tree.nodes[visit->node];
    const uint8_t phase = q->phase;
    const double reach = node->radius + q->tolerance;
    double p[3];
    bool met = false;  // the sphere, at this tolerance
    frc_pose_apply(&q->pose, node->at, p);
    if (!visit->seen) {
        q->scratch->statistics.visited++;
        // A sphere around the point that is not near contains no contact.
        if (node->child_count > 0 && reach >= q->query->distance) {
            met = may_touch(q, p, reach);
            if (!met) return false;
        }
        if (frc_pair_slab_meets(q->slab, node->at, 0) && frc_pair_box_has(&q->box, node->at) &&
            may_be_near(q, p))
            look_up(q, visit, p);
    }
    if (node->child_count == 0) return false;
    if (!(met && phase == q->phase && !visit->inside) && !may_descend(q, visit, p)) return false;
    visit->seen = q->phase;
    return true;
}

static bool is_done(const pair* q) {
    return q->query->selection == FRACAS_CONTACT_SELECTION_FIXED &&
           q->found >= q->query->contact_count;
}

// Append a child to the next queue, unless its sphere is outside the box.
static void push(const pair* q, const frc_sphere_visit* parent, uint32_t child, bool same,
                 uint32_t* next) {
    const frc_sphere_node* node = &q->a->tree.nodes[child];
    if (!frc_pair_slab_meets(q->slab, node->at, node->radius) ||
        !frc_pair_box_meets(&q->box, node->at, node->radius)) {
        q->scratch->statistics.culled++;
        return;
    }
    frc_sphere_visit* visit = &q->scratch->next[(*next)++];
    *visit = (frc_sphere_visit){.node = child};
    if (!same) return;
    visit->seen = SEEN_POINT;
    visit->inside = parent->inside;
    visit->distance = parent->distance;
}

// Process the node at the front; it and one of its children may be appended to the queues.
static void visit_node(pair* q, frc_sphere_visit* visit, uint32_t* last, uint32_t* next) {
    const frc_sphere_node *nodes = q->a->tree.nodes, *node = &nodes[visit->node];
    if (visit->seen != q->phase && !inspect(q, visit)) {
        q->scratch->statistics.culled += node->child_count > 0;
        return;
    }
    const bool plain = q->query->order == FRACAS_CONTACT_ORDER_BREADTH_FIRST;
    do {
        const uint32_t child = node->first_child + visit->next++;
        const bool same = nodes[child].point == node->point;
        if (same && nodes[child].child_count == 0) continue;
        push(q, visit, child, same, next);
        if (!plain) break;
    } while (visit->next < node->child_count);
    if (visit->next < node->child_count) q->scratch->queue[(*last)++] = *visit;
}

// A point of the frame of b is computed with some twenty roundings of numbers that are not larger
// than the coordinates of both boxes and the way between the frames, added along three axes: an
// error below 2^-46 of their sum, and so is that of a distance.
static double slack_of(const pair* q) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const frc_occupancy *a = &q->a->occupancy, *b = &q->b->occupancy;
        sum += fmax(fabs(a->lo[k]), fabs(a->hi[k])) + fmax(fabs(b->lo[k]), fabs(b->hi[k])) +
               fabs(q->pose.translation[k]) + fabs(q->a->pose.translation[k]) +
               fabs(q->b->pose.translation[k]);
    }
    return 0x1p-46 * sum;
}

void frc_pair_query(const frc_numbered* a, const frc_numbered* b, const frc_pair_slab* slab,
                    fracas_field_update mode, const fracas_fragment_query* query,
                    frc_pair_scratch* scratch) {
    const double radius = fmin(a->fragment->radius, b->fragment->radius);
    pair q = {.a = a->fragment,
              .b = b->fragment,
              .number_a = a->number,
              .number_b = b->number,
              .object = b->fragment->object,
              .query = query,
              .scratch = scratch,
              .slab = slab,
              .pose = frc_pose_relative(&a->fragment->pose, &b->fragment->pose),
              .tolerance = query->distance,
              .phase = 1,
              .skin = query->skin * radius,
              .mode = mode};
    if (!frc_pair_box_make(q.a, q.b, &q.pose, query->distance, &q.box)) return;
    q.slack = slack_of(&q);
    uint32_t count = 1;
    scratch->queue[0] = (frc_sphere_visit){0};
    while (count > 0 && !is_done(&q) && !scratch->failed) {
        uint32_t next = 0;
        for (uint32_t i = 0; i < count && !is_done(&q) && !scratch->failed; i++)
            visit_node(&q, &scratch->queue[i], &count, &next);
        frc_sphere_visit* queue = scratch->queue;
        scratch->queue = scratch->next;
        scratch->next = queue;
        count = next;
    }
}
