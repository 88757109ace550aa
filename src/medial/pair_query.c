/// @file pair_query.c  Descend two trees of moving spheres; test the primitives of leaves in time.
///
/// Nodes are spheres, because those do not change when a body turns. Where one body rests, as
/// scenery does, its nodes are also oriented boxes, and the path of the other node is a cone of
/// constant radius against a box: a sphere around a large triangle is mostly empty.
#include "medial/pair_query.h"
#include "geom/vec3.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    fracas_context* context;
    const frc_medial_moving *a, *b;
    uint32_t number_a, number_b;
    const fracas_medial_query* query;
    frc_medial_scratch* scratch;
    double tolerance;
    double until;         // later contacts are not wanted
    size_t first;         // of the contacts of the pair
    double way[3], size;  // of frc_medial_lanes_meet
    frc_lane_pairs lanes;
    uint32_t waiting[FRC_MEDIAL_LANES][2];  // pairs of primitives that are tested together
    int waiting_count;
} pair;

static frc_medial_spheres spheres_of(const frc_medial_moving* m) {
    return (frc_medial_spheres){(const double(*)[4])m->body->shape->spheres,
                                (const double(*)[4])m->start, (const double(*)[4])m->end, m->bulge};
}

bool frc_medial_find_hit(const frc_medial_moving* a, const frc_medial_primitive* primitive_a,
                         const frc_medial_moving* b, const frc_medial_primitive* primitive_b,
                         double tolerance, frc_medial_hit* hit) {
    const frc_medial_spheres spheres_a = spheres_of(a), spheres_b = spheres_of(b);
    frc_medial_gathered x, y;
    frc_medial_gather(&spheres_a, primitive_a, &x);
    frc_medial_gather(&spheres_b, primitive_b, &y);
    frc_medial_verdict v = frc_medial_test_start(&x, &y, tolerance, hit);
    if (v == FRC_MEDIAL_UNSURE) v = frc_medial_test_ways(&x, &y, tolerance, INT_MAX, hit);
    if (v == FRC_MEDIAL_UNSURE)
        v = frc_medial_test_motion(&x, &a->body->motion, &y, &b->body->motion, tolerance, INT_MAX,
                                   hit);
    return v == FRC_MEDIAL_HIT;
}

// ---- contacts

// By time; of contacts at the same time, such as when the step begins, the deepest.
static int compare_times(const fracas_medial_contact* a, const fracas_medial_contact* b) {
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    if (a->gap != b->gap) return a->gap < b->gap ? -1 : 1;
    return 0;
}

static int compare_primitives(const fracas_medial_contact* a, const fracas_medial_contact* b) {
    if (a->primitive_a != b->primitive_a) return a->primitive_a < b->primitive_a ? -1 : 1;
    if (a->primitive_b != b->primitive_b) return a->primitive_b < b->primitive_b ? -1 : 1;
    return 0;
}

static int compare_places(const fracas_medial_contact* a, const fracas_medial_contact* b) {
    for (int k = 0; k < 3; k++)
        if (a->position[k] != b->position[k]) return a->position[k] < b->position[k] ? -1 : 1;
    for (int k = 0; k < 3; k++)
        if (a->normal[k] != b->normal[k]) return a->normal[k] < b->normal[k] ? -1 : 1;
    return 0;
}

static int compare_contacts(const void* x, const void* y) {
    const fracas_medial_contact *a = x, *b = y;
    int order = compare_primitives(a, b);
    if (order == 0) order = compare_times(a, b);
    return order != 0 ? order : compare_places(a, b);
}

static bool is_before(const fracas_medial_contact* a, const fracas_medial_contact* b) {
    const int order = compare_times(a, b);
    return (order != 0 ? order : compare_contacts(a, b)) < 0;
}

fracas_medial_contact frc_medial_contact_make(uint32_t a, const frc_medial_primitive* primitive_a,
                                              uint32_t b, const frc_medial_primitive* primitive_b,
                                              const frc_medial_hit* hit) {
    fracas_medial_contact c = {
        .a = {a, 0},
        .b = {b, 0},
        .primitive_a = primitive_a->number,
        .primitive_b = primitive_b->number,
        .time = hit->t,
        .gap = hit->gap
    };
    memcpy(c.position, hit->point, sizeof c.position);
    frc_vec3_scale(hit->direction, -1, c.normal);
    return c;
}

// Parts of a degenerate slab have its number: one contact for them.
size_t frc_medial_contacts_finish(fracas_medial_contact* own, size_t count,
                                  fracas_medial_selection selection) {
    size_t kept = 1;
    if (count < 2) return count;
    if (selection == FRACAS_MEDIAL_SELECTION_FIRST) {
        for (size_t i = 1; i < count; i++)
            if (is_before(&own[i], &own[0])) own[0] = own[i];
        return 1;
    }
    qsort(own, count, sizeof *own, compare_contacts);
    for (size_t i = 1; i < count; i++)
        if (compare_primitives(&own[kept - 1], &own[i]) != 0) own[kept++] = own[i];
    return kept;
}

// ---- pairs of primitives

static void report(pair* q, const frc_medial_primitive* a, const frc_medial_primitive* b,
                   const frc_medial_hit* hit) {
    frc_medial_contacts* all = &q->scratch->contacts;
    const fracas_medial_contact c = frc_medial_contact_make(q->number_a, a, q->number_b, b, hit);
    if (q->query->selection == FRACAS_MEDIAL_SELECTION_FIRST && all->count > q->first) {
        if (is_before(&c, &all->data[q->first])) all->data[q->first] = c;
    } else if (!FRC_ARRAY_PUSH(q->context, all, c)) {
        q->scratch->failed = true;
        return;
    }
    if (q->query->selection == FRACAS_MEDIAL_SELECTION_FIRST) q->until = all->data[q->first].time;
}

// The spheres of a primitive in a lane; the first is repeated. Returns their number.
static int set_lane(const frc_medial_moving* m, uint32_t number, const frc_lane_sphere** out) {
    const frc_medial_primitive* p = &m->body->shape->primitives[number];
    for (uint32_t i = 0; i < 3; i++) out[i] = &m->lanes[i < p->count ? p->sphere[i] : p->sphere[0]];
    return (int)p->count;
}

// Test the pairs that wait: most are apart.
static void test_waiting(pair* q) {
    frc_lane_pairs* lanes = &q->lanes;
    if (q->waiting_count == 0) return;
    lanes->count_a = lanes->count_b = 1;
    for (int l = 0; l < FRC_MEDIAL_LANES; l++) {
        const uint32_t* numbers = q->waiting[l < q->waiting_count ? l : 0];
        const int a = set_lane(q->a, numbers[0], lanes->a[l]);
        const int b = set_lane(q->b, numbers[1], lanes->b[l]);
        if (a > lanes->count_a) lanes->count_a = a;
        if (b > lanes->count_b) lanes->count_b = b;
    }
    const unsigned apart = frc_medial_lanes_apart(lanes);
    q->scratch->statistics.primitive_tests += (uint64_t)q->waiting_count;
    for (int l = 0; l < q->waiting_count; l++) {
        const frc_medial_primitive* a = &q->a->body->shape->primitives[q->waiting[l][0]];
        const frc_medial_primitive* b = &q->b->body->shape->primitives[q->waiting[l][1]];
        frc_medial_hit hit;
        if (apart >> l & 1) continue;
        if (frc_medial_find_hit(q->a, a, q->b, b, q->tolerance, &hit)) report(q, a, b, &hit);
    }
    q->waiting_count = 0;
}

static void test_primitives(pair* q, uint32_t number_a, uint32_t number_b) {
    uint32_t* waiting = q->waiting[q->waiting_count++];
    waiting[0] = number_a;
    waiting[1] = number_b;
    if (q->waiting_count == FRC_MEDIAL_LANES) test_waiting(q);
}

// ---- trees

// Does the path of a node of one body meet the box of a node of another body, which rests?
static bool meets_box(const frc_medial_moving* moves, uint32_t number,
                      const frc_medial_moving* rests, uint32_t other) {
    const frc_lane_nodes* path = &moves->nodes[(number + 1) / 2];
    const uint32_t lane = (number + 1) % 2;
    const fracas_pose* pose = &rests->pose;
    double ends[2][4];
    for (int e = 0; e < 2; e++) {
        double way[3];
        frc_vec3_subtract(moves->body->motion.position[e], pose->translation, way);
        for (int k = 0; k < 3; k++)
            way[k] += (double)path->start[k][lane] + (e == 1 ? (double)path->way[k][lane] : 0);
        for (int k = 0; k < 3; k++)
            ends[e][k] = pose->rotation[k] * way[0] + pose->rotation[3 + k] * way[1] +
                         pose->rotation[6 + k] * way[2];
        // The slack of both bodies covers the change of the frame.
        ends[e][3] =
            (double)path->radius[lane] + rests->bound.radius - rests->body->shape->info.radius;
    }
    return frc_medial_overlaps_obb((const double(*)[4])ends, 2, &rests->body->shape->boxes[other]);
}

// The sphere around scenery is mostly empty.
static bool boxes_meet(const pair* q, uint32_t a, uint32_t b) {
    if (q->b->rests) return meets_box(q->a, a, q->b, b);
    return !q->a->rests || meets_box(q->b, b, q->a, a);
}

typedef struct node_pair {
    uint32_t a, b;
} node_pair;

// A subtree has at most half of the primitives of its parent, rounded up: trees of 2^32 have a
// depth of 32, and a descent through one or both leaves three pairs per level.
enum { DEPTH = 3 * 2 * 33 + 1 };

// Nodes of one side of a pair of nodes: the node, or its children.
typedef struct nodes {
    const frc_lane_nodes* group;
    frc_lane_choice choice;
    uint32_t first, count;
} nodes;

static nodes choose_nodes(const frc_medial_moving* m, uint32_t node, bool divide) {
    const uint32_t first = divide ? m->body->shape->nodes[node].child : node;
    const frc_lane_choice own = node % 2 == 1 ? FRC_LANE_FIRST : FRC_LANE_SECOND;
    return (nodes){&m->nodes[(first + 1) / 2], divide ? FRC_LANE_BOTH : own, first, divide ? 2 : 1};
}

static void descend(pair* q) {
    const frc_medial_node *nodes_a = q->a->body->shape->nodes, *nodes_b = q->b->body->shape->nodes;
    node_pair stack[DEPTH];
    int count = 1;
    stack[0] = (node_pair){0, 0};
    while (count > 0 && !q->scratch->failed) {
        const node_pair top = stack[--count];
        const frc_medial_node *a = &nodes_a[top.a], *b = &nodes_b[top.b];
        if (a->child == 0 && b->child == 0) {
            test_primitives(q, a->primitive, b->primitive);
            continue;
        }
        // Much larger nodes first.
        const bool divide_a = a->child != 0 && (b->child == 0 || 2 * a->radius >= b->radius);
        const bool divide_b = b->child != 0 && (a->child == 0 || 2 * b->radius >= a->radius);
        const nodes x = choose_nodes(q->a, top.a, divide_a);
        const nodes y = choose_nodes(q->b, top.b, divide_b);
        const unsigned meet = frc_medial_lanes_meet(x.group, x.choice, y.group, y.choice,
                                                    q->lanes.start, q->way, q->size, q->until);
        q->scratch->statistics.node_tests += x.count * y.count;
        for (uint32_t j = 0; j < x.count; j++)
            for (uint32_t i = 0; i < y.count; i++)
                if (meet >> (i + 2 * j) & 1 && boxes_meet(q, x.first + j, y.first + i))
                    stack[count++] = (node_pair){x.first + j, y.first + i};
    }
}

static void test_all(pair* q) {
    for (uint32_t a = 0; a < q->a->body->shape->primitive_count; a++)
        for (uint32_t b = 0; b < q->b->body->shape->primitive_count && !q->scratch->failed; b++)
            test_primitives(q, a, b);
}

void frc_medial_pair_query(fracas_context* context, const frc_medial_moving* moving, uint32_t a,
                           uint32_t b, const fracas_medial_query* query,
                           frc_medial_scratch* scratch) {
    const fracas_medial_shape *first = moving[a].body->shape, *second = moving[b].body->shape;
    pair q = {.context = context,
              .a = &moving[a],
              .b = &moving[b],
              .number_a = a,
              .number_b = b,
              .query = query,
              .scratch = scratch,
              .tolerance = frc_medial_tolerance(query, first, second),
              .until = 1,
              .first = scratch->contacts.count};
    const double(*from)[3] = moving[a].body->motion.position;
    const double(*to)[3] = moving[b].body->motion.position;
    frc_vec3_subtract(to[0], from[0], q.lanes.start);
    frc_vec3_subtract(to[1], from[1], q.lanes.end);
    q.lanes.size = moving[a].bound.radius + moving[b].bound.radius;
    q.lanes.tolerance = q.tolerance;
    frc_vec3_subtract(q.lanes.end, q.lanes.start, q.way);
    q.size = q.lanes.size + fmax(frc_vec3_largest(q.lanes.start), frc_vec3_largest(q.lanes.end));
    scratch->statistics.primitive_pairs +=
        (uint64_t)first->primitive_count * second->primitive_count;
    if (query->broad_phase == FRACAS_MEDIAL_BROAD_PHASE_SWEEP)
        descend(&q);
    else
        test_all(&q);
    test_waiting(&q);
    if (scratch->failed || scratch->contacts.count == q.first) return;
    scratch->contacts.count =
        q.first + frc_medial_contacts_finish(scratch->contacts.data + q.first,
                                             scratch->contacts.count - q.first, query->selection);
}
