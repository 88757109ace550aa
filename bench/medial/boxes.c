/// @file boxes.c  A baseline: trees of oriented boxes.
///
/// Two boxes are apart during an interval of time if their projections on one of 15 axes are apart
/// at both of its ends: corners move along chords up to a deviation, so a gap is at least the
/// smaller one of both ends less the deviations. A pair of leaves that this does not separate is
/// divided in time until its motion is within the tolerance.
#include "geom/vec3.h"
#include "medial/baselines.h"
#include "medial/kit.h"
#include <math.h>
#include <string.h>

// A box in the world.
typedef struct box {
    double centre[3], axes[3][3];
    const double* half;
} box;

typedef struct search {
    const frc_medial_moving *a, *b;
    double tolerance;
    bench_work* work;
} search;

static void place(const frc_obb* own, const fracas_pose* pose, box* out) {
    for (int k = 0; k < 3; k++) {
        const double* r = pose->rotation + 3 * k;
        out->centre[k] = frc_vec3_dot(r, own->center) + pose->translation[k];
        for (int i = 0; i < 3; i++) out->axes[i][k] = frc_vec3_dot(r, own->axes[i]);
    }
    out->half = own->half;
}

static double reach(const box* b, const double n[3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += b->half[i] * fabs(frc_vec3_dot(b->axes[i], n));
    return sum;
}

// The gap of the projections; signed by the side on which b is.
static double gap_along(const box* a, const box* b, const double n[3], double* side) {
    double way[3];
    frc_vec3_subtract(b->centre, a->centre, way);
    const double along = frc_vec3_dot(way, n);
    *side = along < 0 ? -1 : 1;
    return fabs(along) - reach(a, n) - reach(b, n);
}

// Are they apart from one time to another? Half of the sum of the reaches must not be crossed.
static bool is_apart(const box a[2], const box b[2], double slack) {
    for (int i = 0; i < 15; i++) {
        double n[3], side[2];
        if (i < 3)
            memcpy(n, a[0].axes[i], sizeof n);
        else if (i < 6)
            memcpy(n, b[0].axes[i - 3], sizeof n);
        else
            frc_vec3_cross(a[0].axes[(i - 6) / 3], b[0].axes[(i - 6) % 3], n);
        const double square = frc_vec3_dot(n, n);
        if (square < 1e-12) continue;
        if (i >= 6) frc_vec3_scale(n, 1 / sqrt(square), n);
        if (gap_along(&a[0], &b[0], n, &side[0]) > slack &&
            gap_along(&a[1], &b[1], n, &side[1]) > slack && side[0] == side[1])
            return true;
    }
    return false;
}

typedef struct interval {
    double begin, end;
    fracas_pose poses[2][2];  // of a and b, at the begin and the end
} interval;

static double deviation(const frc_medial_moving* m, const frc_obb* own, double width) {
    const double far =
        sqrt(frc_vec3_dot(own->center, own->center)) + sqrt(frc_vec3_dot(own->half, own->half));
    return m->body->motion.bend * width * width * far;
}

// How far a corner moves in an interval at most.
static double motion_of(const frc_obb* own, const fracas_pose poses[2]) {
    double square = 0, turned = 0;
    for (int k = 0; k < 3; k++) {
        square += pow(poses[1].translation[k] - poses[0].translation[k], 2);
        for (int j = 0; j < 3; j++)
            turned += pow(poses[1].rotation[3 * k + j] - poses[0].rotation[3 * k + j], 2);
    }
    return sqrt(square) + sqrt(turned) * (sqrt(frc_vec3_dot(own->center, own->center)) +
                                          sqrt(frc_vec3_dot(own->half, own->half)));
}

static bool separated(const search* s, const frc_obb* x, const frc_obb* y, const interval* t) {
    box a[2], b[2];
    for (int e = 0; e < 2; e++) {
        place(x, &t->poses[0][e], &a[e]);
        place(y, &t->poses[1][e], &b[e]);
    }
    const double width = t->end - t->begin;
    return is_apart((const box*)a, (const box*)b,
                    deviation(s->a, x, width) + deviation(s->b, y, width));
}

// The first half first; true: a contact.
static bool leaves_touch(const search* s, const frc_obb* x, const frc_obb* y, const interval* t) {
    s->work->leaf_tests++;
    if (separated(s, x, y, t)) return false;
    if (motion_of(x, t->poses[0]) + motion_of(y, t->poses[1]) <= s->tolerance ||
        t->end - t->begin < 0x1p-30)
        return true;
    const double middle = (t->begin + t->end) / 2;
    interval first = *t, second = *t;
    first.end = second.begin = middle;
    for (int i = 0; i < 2; i++) {
        const frc_medial_moving* m = i == 0 ? s->a : s->b;
        frc_rigid_motion_at(&m->body->motion, middle, &first.poses[i][1]);
        second.poses[i][0] = first.poses[i][1];
    }
    return leaves_touch(s, x, y, &first) || leaves_touch(s, x, y, &second);
}

static double size_of(const frc_obb* b) { return b->half[0] + b->half[1] + b->half[2]; }

static void descend(const search* s, uint32_t i, uint32_t j, const interval* whole) {
    const fracas_medial_shape *p = s->a->body->shape, *r = s->b->body->shape;
    const frc_obb *x = &p->boxes[i], *y = &r->boxes[j];
    const uint32_t first = p->nodes[i].child, second = r->nodes[j].child;
    if (first == 0 && second == 0) {
        s->work->contacts += leaves_touch(s, x, y, whole);
        return;
    }
    s->work->node_tests++;
    if (separated(s, x, y, whole)) return;
    if (second == 0 || (first != 0 && size_of(x) >= size_of(y))) {
        descend(s, first, j, whole);
        descend(s, first + 1, j, whole);
    } else {
        descend(s, i, second, whole);
        descend(s, i, second + 1, whole);
    }
}

bench_work bench_boxes(const fracas_medial_bodies* bodies, const fracas_medial_query* query) {
    bench_work work = {0};
    const double begin = bench_thread_ms();
    const uint32_t count = (uint32_t)bodies->list.count;
    frc_medial_moving* moving = bench_memory(calloc(count, sizeof *moving));
    for (uint32_t i = 0; i < count; i++)
        frc_medial_moving_begin(&bodies->list.data[i], query->tolerance, &moving[i]);
    frc_body_pairs pairs = {0};
    const frc_medial_step step = {moving, count};
    bench_memory(
        frc_medial_broad_phase(bodies->context, &step, FRACAS_MEDIAL_BROAD_PHASE_SWEEP, &pairs)
            ? moving
            : NULL);
    work.pairs = pairs.count;
    for (size_t i = 0; i < pairs.count; i++) {
        const search s = {&moving[pairs.data[i].a], &moving[pairs.data[i].b], 0, &work};
        search own = s;
        own.tolerance =
            query->tolerance * fmin(s.a->body->shape->info.radius, s.b->body->shape->info.radius);
        interval whole = {.begin = 0, .end = 1};
        for (int e = 0; e < 2; e++) {
            frc_rigid_motion_at(&s.a->body->motion, e, &whole.poses[0][e]);
            frc_rigid_motion_at(&s.b->body->motion, e, &whole.poses[1][e]);
        }
        descend(&own, 0, 0, &whole);
    }
    FRC_ARRAY_RELEASE(bodies->context, &pairs);
    free(moving);
    work.ms = bench_thread_ms() - begin;
    return work;
}
