/// @file pair_query.c  Descend two trees of moving spheres; test the primitives of leaves in time.
///
/// Nodes are spheres, because those do not change when a body turns. Where one body rests, as
/// scenery does, its nodes are also oriented boxes, and the path of the other node is a cone of
/// constant radius against a box: a sphere around a large triangle is mostly empty.
#include "medial/pair_query.h"
#include "geom/vec3.h"
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
    double until;  // later contacts are not wanted
    size_t first;  // of the contacts of the pair
} pair;

// ---- primitives

typedef struct primitive {
    const frc_medial_primitive* data;
    double start[3][4], end[3][4];
    frc_medial_sweep sweep;
} primitive;

static void gather(const frc_medial_moving* m, uint32_t number, primitive* out) {
    out->data = &m->body->shape->primitives[number];
    double bulge = 0;
    for (uint32_t i = 0; i < out->data->count; i++) {
        const uint32_t s = out->data->sphere[i];
        memcpy(out->start[i], m->start[s], sizeof out->start[i]);
        memcpy(out->end[i], m->end[s], sizeof out->end[i]);
        if (m->bulge[s] > bulge) bulge = m->bulge[s];
    }
    out->sweep = (frc_medial_sweep){(const double(*)[4])out->start, (const double(*)[4])out->end,
                                    (int)out->data->count, bulge};
}

// The motion itself, where straight ways are not near enough to it.
static bool search_motion(const pair* q, const primitive* a, const primitive* b,
                          frc_medial_hit* hit) {
    double own[2][3][4];
    const primitive* both[2] = {a, b};
    const frc_medial_body* body[2] = {q->a->body, q->b->body};
    for (int i = 0; i < 2; i++)
        for (uint32_t n = 0; n < both[i]->data->count; n++)
            memcpy(own[i][n], body[i]->shape->spheres[both[i]->data->sphere[n]], sizeof own[i][n]);
    return frc_medial_ccd_rigid((const double(*)[4])own[0], a->sweep.count, &body[0]->motion,
                                (const double(*)[4])own[1], b->sweep.count, &body[1]->motion,
                                q->tolerance, hit);
}

// Gap of two primitives along a unit vector at the start or the end.
static double gap_along(const double n[3], const double (*a)[4], int na, const double (*b)[4],
                        int nb) {
    double first = -INFINITY, second = INFINITY;
    for (int i = 0; i < na; i++) {
        const double x = frc_vec3_dot(n, a[i]) + a[i][3];
        if (x > first) first = x;
    }
    for (int i = 0; i < nb; i++) {
        const double x = frc_vec3_dot(n, b[i]) - b[i][3];
        if (x < second) second = x;
    }
    return second - first;
}

// Are they apart along a direction of length 1? Then the gap of spheres on straight ways is a
// minimum of linear functions of time, so it is least at an end. The slack in the bulges exceeds
// the rounding.
static bool are_apart(const pair* q, const primitive* a, const primitive* b, const double n[3]) {
    const frc_medial_sweep *x = &a->sweep, *y = &b->sweep;
    const double reach = q->tolerance + x->bulge + y->bulge;
    return gap_along(n, x->start, x->count, y->start, y->count) > reach &&
           gap_along(n, x->end, x->count, y->end, y->count) > reach;
}

// Along the way between their middles.
static bool are_far(const pair* q, const primitive* a, const primitive* b) {
    const frc_medial_sweep *x = &a->sweep, *y = &b->sweep;
    double n[3];
    for (int k = 0; k < 3; k++)
        n[k] =
            y->start[0][k] + y->start[y->count - 1][k] - x->start[0][k] - x->start[x->count - 1][k];
    const double square = frc_vec3_dot(n, n);
    if (!(square > 0x1p-1000)) return false;
    frc_vec3_scale(n, 1 / sqrt(square), n);
    return are_apart(q, a, b, n);
}

// A contact when the step begins.
static frc_medial_hit touching(const frc_medial_gap* gap) {
    frc_medial_hit hit = {.gap = gap->upper};
    memcpy(hit.direction, gap->direction, sizeof hit.direction);
    for (int k = 0; k < 3; k++) hit.point[k] = (gap->point_a[k] + gap->point_b[k]) / 2;
    return hit;
}

// Contacts of bodies at rest, and most pairs that are apart, are found without a search.
static bool find_hit(const pair* q, const primitive* a, const primitive* b, frc_medial_hit* hit) {
    if (are_far(q, a, b)) return false;
    frc_medial_gap gap;
    frc_medial_separation(a->sweep.start, a->sweep.count, b->sweep.start, b->sweep.count, &gap);
    if (gap.upper <= q->tolerance) {
        *hit = touching(&gap);
        return true;
    }
    if (are_apart(q, a, b, gap.direction)) return false;
    if (!frc_medial_ccd(&a->sweep, &b->sweep, q->tolerance, hit)) return false;
    return a->sweep.bulge + b->sweep.bulge <= 0.25 * q->tolerance || search_motion(q, a, b, hit);
}

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

static void report(pair* q, const primitive* a, const primitive* b, const frc_medial_hit* hit) {
    frc_medial_contacts* all = &q->scratch->contacts;
    fracas_medial_contact c = {
        .a = {q->number_a, 0},
        .b = {q->number_b, 0},
        .primitive_a = a->data->number,
        .primitive_b = b->data->number,
        .time = hit->t,
        .gap = hit->gap
    };
    memcpy(c.position, hit->point, sizeof c.position);
    frc_vec3_scale(hit->direction, -1, c.normal);
    if (q->query->selection == FRACAS_MEDIAL_SELECTION_FIRST && all->count > q->first) {
        if (is_before(&c, &all->data[q->first])) all->data[q->first] = c;
    } else if (!FRC_ARRAY_PUSH(q->context, all, c)) {
        q->scratch->failed = true;
        return;
    }
    if (q->query->selection == FRACAS_MEDIAL_SELECTION_FIRST) q->until = all->data[q->first].time;
}

static void test_primitives(pair* q, uint32_t number_a, uint32_t number_b) {
    primitive a, b;
    frc_medial_hit hit;
    gather(q->a, number_a, &a);
    gather(q->b, number_b, &b);
    q->scratch->statistics.primitive_tests++;
    if (find_hit(q, &a, &b, &hit)) report(q, &a, &b, &hit);
}

// ---- trees

// Does the path of a node of one body meet the box of a node of another body, which rests?
static bool meets_box(const frc_medial_path* path, const frc_medial_moving* resting,
                      uint32_t node) {
    const fracas_pose* pose = &resting->pose;
    double ends[2][4];
    for (int e = 0; e < 2; e++) {
        double way[3];
        frc_vec3_subtract(path->start, pose->translation, way);
        for (int k = 0; k < 3; k++) way[k] += e == 1 ? path->way[k] : 0;
        for (int k = 0; k < 3; k++)
            ends[e][k] = pose->rotation[k] * way[0] + pose->rotation[3 + k] * way[1] +
                         pose->rotation[6 + k] * way[2];
        // The slack of both bodies covers the change of the frame.
        ends[e][3] = path->radius + resting->bound.radius - resting->body->shape->info.radius;
    }
    return frc_medial_overlaps_obb((const double(*)[4])ends, 2, &resting->body->shape->boxes[node]);
}

static bool nodes_meet(const pair* q, uint32_t a, uint32_t b) {
    const frc_medial_path *x = &q->a->nodes[a], *y = &q->b->nodes[b];
    q->scratch->statistics.node_tests++;
    if (!frc_medial_paths_meet(x, y, q->until)) return false;
    if (q->b->rests) return meets_box(x, q->b, b);
    return !q->a->rests || meets_box(y, q->a, a);
}

typedef struct node_pair {
    uint32_t a, b;
} node_pair;

// A subtree has at most half of the primitives of its parent, rounded up: trees of 2^32 have a
// depth of 32, and a descent through both leaves one pair per level.
enum { DEPTH = 2 * 33 + 2 };

static void descend(pair* q) {
    const frc_medial_node *nodes_a = q->a->body->shape->nodes, *nodes_b = q->b->body->shape->nodes;
    node_pair stack[DEPTH];
    int count = 1;
    stack[0] = (node_pair){0, 0};
    while (count > 0 && !q->scratch->failed) {
        const node_pair top = stack[--count];
        if (!nodes_meet(q, top.a, top.b)) continue;
        const frc_medial_node *a = &nodes_a[top.a], *b = &nodes_b[top.b];
        if (a->child == 0 && b->child == 0) {
            test_primitives(q, a->primitive, b->primitive);
        } else if (b->child == 0 || (a->child != 0 && a->radius >= b->radius)) {
            stack[count++] = (node_pair){a->child + 1, top.b};
            stack[count++] = (node_pair){a->child, top.b};
        } else {
            stack[count++] = (node_pair){top.a, b->child + 1};
            stack[count++] = (node_pair){top.a, b->child};
        }
    }
}

static void test_all(pair* q) {
    for (uint32_t a = 0; a < q->a->body->shape->primitive_count; a++)
        for (uint32_t b = 0; b < q->b->body->shape->primitive_count && !q->scratch->failed; b++)
            test_primitives(q, a, b);
}

// Sort the contacts of the pair. Parts of a degenerate slab have its number: one contact for them.
static void sort_contacts(const pair* q) {
    frc_medial_contacts* all = &q->scratch->contacts;
    const size_t count = all->count - q->first;
    if (count < 2) return;
    fracas_medial_contact* own = all->data + q->first;
    size_t kept = 1;
    qsort(own, count, sizeof *own, compare_contacts);
    for (size_t i = 1; i < count; i++)
        if (compare_primitives(&own[kept - 1], &own[i]) != 0) own[kept++] = own[i];
    all->count = q->first + kept;
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
              .tolerance = query->tolerance * fmin(first->info.radius, second->info.radius),
              .until = 1,
              .first = scratch->contacts.count};
    scratch->statistics.primitive_pairs +=
        (uint64_t)first->primitive_count * second->primitive_count;
    if (query->broad_phase == FRACAS_MEDIAL_BROAD_PHASE_SWEEP)
        descend(&q);
    else
        test_all(&q);
    sort_contacts(&q);
}
