/// @file experiment.c  The experiment of FASTCD's section 5.2.1: many trees of a model, each node
/// split at the median along a random axis; linear correlation of each metric with the counted box
/// tests, in the query of the model with itself and, in random poses, with another model.
#include "tc/experiment.h"
#include "bvh/count_visits.h"
#include "bvh/metric.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* const tc_metric_names[TC_METRICS] = {
    "tc", "tc_meeting", "tc_overlap", "tc_surface", "tc_surface_overlap", "tc_large", "lm"};

// ---- trees

static void make_boxes(const bench_mesh* mesh, const double* points, frc_prim* out) {
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        out[i] = (frc_prim){.id = i};
        for (int k = 0; k < 3; k++) {
            double lo = INFINITY, hi = -INFINITY;
            for (int c = 0; c < 3; c++) {
                double x = points[3 * (size_t)mesh->triangles[3 * (size_t)i + c] + k];
                lo = x < lo ? x : lo, hi = x > hi ? x : hi;
            }
            out[i].lo[k] = (float)lo, out[i].hi[k] = (float)hi;
        }
    }
}

// ---- the paper's trees: two children, one triangle in a leaf

typedef struct binary {
    frc_shape* shape;
    frc_prim* prims;
    uint64_t random;  // 0: along the longest axis
} binary;

static float center(const frc_prim* prim, int axis) { return prim->lo[axis] + prim->hi[axis]; }

static int choose_axis(binary* b, const frc_prim* prims, uint32_t count) {
    float span[3];
    if (b->random) {
        b->random ^= b->random << 13, b->random ^= b->random >> 7, b->random ^= b->random << 17;
        return (int)(b->random % 3);
    }
    for (int k = 0; k < 3; k++) {
        float lo = INFINITY, hi = -INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            const float at = center(&prims[i], k);
            lo = at < lo ? at : lo, hi = at > hi ? at : hi;
        }
        span[k] = hi - lo;
    }
    const int axis = span[1] > span[0] ? 1 : 0;
    return span[2] > span[axis] ? 2 : axis;
}

// Quickselect: the first half is not above the rest.
static void halve(frc_prim* prims, uint32_t count, int axis) {
    const int64_t half = count / 2;
    for (int64_t begin = 0, end = (int64_t)count - 1; begin < end;) {
        const float pivot = center(&prims[(begin + end) / 2], axis);
        int64_t i = begin, j = end;
        while (i <= j) {
            while (center(&prims[i], axis) < pivot) i++;
            while (center(&prims[j], axis) > pivot) j--;
            if (i > j) break;
            const frc_prim other = prims[i];
            prims[i++] = prims[j], prims[j--] = other;
        }
        if (half <= j)
            end = j;
        else if (half >= i)
            begin = i;
        else
            return;
    }
}

// Nodes have children in two of their four lanes. Returns the reference to the subtree.
static uint32_t add_binary(binary* b, uint32_t first, uint32_t count, uint32_t parent,
                           uint32_t lane) {
    frc_shape* shape = b->shape;
    if (count == 1) {
        shape->leaves[shape->leaf_count] = (frc_leaf_range){first, 1, parent, lane};
        return shape->leaf_count++ | FRC_REF_LEAF;
    }
    const uint32_t number = shape->node_count++, half = count / 2;
    halve(b->prims + first, count, choose_axis(b, b->prims + first, count));
    frc_node* node = &shape->nodes[number];
    *node = (frc_node){.parent = parent, .lane = lane};
    node->child[0] = add_binary(b, first, half, number, 0);
    node->child[1] = add_binary(b, first + half, count - half, number, 1);
    node->child[2] = node->child[3] = FRC_REF_NONE;
    return number;
}

static frc_shape make_binary_tree(fracas_context* context, const frc_prim* boxes, uint32_t count,
                                  uint64_t seed) {
    frc_shape shape = {.node_capacity = count, .leaf_capacity = count};
    frc_prim* prims = bench_allocate(count, sizeof *prims);
    memcpy(prims, boxes, count * sizeof *prims);
    shape.nodes = frc_allocate(context, count * sizeof *shape.nodes);
    shape.leaves = frc_allocate(context, count * sizeof *shape.leaves);
    if (!shape.nodes || !shape.leaves || count < 2) exit(4);
    binary b = {&shape, prims, seed};
    add_binary(&b, 0, count, FRC_REF_NONE, 0);
    frc_shape_fit(&shape, prims, boxes);
    free(prims);
    return shape;
}

static frc_shape make_wide_tree(fracas_context* context, const frc_prim* boxes, uint32_t count,
                                uint32_t leaf_size, uint64_t seed) {
    const frc_build_options how = {
        .builder = FRC_BUILD_MEDIAN, .leaf_size = leaf_size, .seed = seed};
    frc_prim* prims = bench_allocate(count, sizeof *prims);
    frc_shape shape;
    memcpy(prims, boxes, count * sizeof *prims);
    if (!frc_tree_build(context, &how, prims, count, &shape)) exit(4);
    frc_shape_fit(&shape, prims, boxes);
    free(prims);
    return shape;
}

static frc_shape make_tree(fracas_context* context, const tc_options* o, const frc_prim* boxes,
                           uint32_t count, uint64_t seed) {
    return o->binary ? make_binary_tree(context, boxes, count, seed)
                     : make_wide_tree(context, boxes, count, o->leaf_size, seed);
}

// TC_S without the part of nodes of fewer than TC_LARGE leaves.
static double cost_of_large(const frc_shape* shape, const frc_cost* costs) {
    double sum = 0;
    for (uint32_t n = 0; n < shape->node_count; n++) {
        double own = (double)costs[n].self;
        for (int i = 0; i < 4; i++) {
            const uint32_t child = shape->nodes[n].child[i];
            if (!(child & FRC_REF_LEAF)) own -= (double)costs[child].self;
        }
        if (costs[n].leaves >= TC_LARGE) sum += own;
    }
    return sum;
}

// Self and inter cost of the root by each metric. LM has one value: the mean over all nodes.
static void measure(const frc_shape* shape, double self[TC_METRICS], double inter[TC_METRICS]) {
    frc_cost* costs = bench_allocate(shape->node_count, sizeof *costs);
    static const frc_metric metrics[TC_METRICS - 2] = {
        {FRC_MEASURE_VOLUME,  FRC_PAIR_SUM           },
        {FRC_MEASURE_VOLUME,  FRC_PAIR_SUM_IF_OVERLAP},
        {FRC_MEASURE_VOLUME,  FRC_PAIR_OVERLAP       },
        {FRC_MEASURE_SURFACE, FRC_PAIR_SUM           },
        {FRC_MEASURE_SURFACE, FRC_PAIR_OVERLAP       }
    };
    for (int i = TC_METRICS - 3; i >= 0; i--) {
        frc_tree_costs(&metrics[i], shape->nodes, shape->node_count, NULL, costs);
        self[i] = (double)costs[0].self, inter[i] = (double)costs[0].inter;
    }
    self[TC_METRICS - 2] = inter[TC_METRICS - 2] = cost_of_large(shape, costs);
    free(costs);
    double sum = 0;
    for (uint32_t n = 0; n < shape->node_count; n++)
        sum += 1 / (double)frc_node_volumes(&shape->nodes[n]);
    self[TC_METRICS - 1] = inter[TC_METRICS - 1] = sum / shape->node_count;
}

// A random rotation and translation that keeps the mesh inside or near the unit cube.
static void pose(const bench_mesh* mesh, uint32_t seed, double* out) {
    double q[4], r[9], shift[3], length = 0;
    for (uint32_t i = 0; i < 4; i++) q[i] = bench_random(seed, i, 1, 0), length += q[i] * q[i];
    length = sqrt(length > 0 ? length : 1);
    for (int i = 0; i < 4; i++) q[i] /= length;
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double turn[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(r, turn, sizeof r);
    for (uint32_t k = 0; k < 3; k++) shift[k] = 0.5 + 0.4 * bench_random(seed, k, 2, 0);
    for (uint32_t i = 0; i < mesh->point_count; i++)
        for (int k = 0; k < 3; k++) {
            const double* p = mesh->points + 3 * (size_t)i;
            out[3 * (size_t)i + k] = r[3 * k] * (p[0] - 0.5) + r[3 * k + 1] * (p[1] - 0.5) +
                                     r[3 * k + 2] * (p[2] - 0.5) + shift[k];
        }
}

// ---- correlation

double tc_correlation(const double* x, const double* y, uint32_t count) {
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (uint32_t i = 0; i < count; i++) mx += x[i] / count, my += y[i] / count;
    for (uint32_t i = 0; i < count; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

tc_result tc_run(fracas_context* context, const tc_options* o, const bench_mesh* mesh,
                 const bench_mesh* other) {
    uint32_t count = mesh->triangle_count, other_count = other->triangle_count;
    frc_prim* boxes = bench_allocate(count, sizeof *boxes);
    make_boxes(mesh, mesh->points, boxes);
    frc_shape* others = bench_allocate(o->poses, sizeof *others);
    frc_prim* other_boxes = bench_allocate(other_count, sizeof *other_boxes);
    double* moved = bench_allocate(3 * (size_t)other->point_count, sizeof *moved);
    for (uint32_t p = 0; p < o->poses; p++) {
        pose(other, p + 1, moved);
        make_boxes(other, moved, other_boxes);
        others[p] = make_tree(context, o, other_boxes, other_count, 0);
    }
    double* values = bench_allocate((2 * TC_METRICS + 2) * (size_t)o->trees, sizeof *values);
    double *self_tests = values, *inter_tests = values + o->trees;
    tc_result r = {0};
    for (uint32_t t = 0; t < o->trees; t++) {
        double self[TC_METRICS], inter[TC_METRICS];
        frc_shape tree =
            make_tree(context, o, boxes, count, 0x9E3779B97F4A7C15u * (uint64_t)(t + 1));
        measure(&tree, self, inter);
        self_tests[t] = (double)frc_count_self(tree.nodes);
        inter_tests[t] = 0;
        for (uint32_t p = 0; p < o->poses; p++)
            inter_tests[t] += (double)frc_count_pair(tree.nodes, others[p].nodes) / o->poses;
        r.self_tests += self_tests[t] / o->trees, r.inter_tests += inter_tests[t] / o->trees;
        for (int i = 0; i < TC_METRICS; i++) {
            values[(2 + 2 * (size_t)i) * o->trees + t] = self[i];
            values[(3 + 2 * (size_t)i) * o->trees + t] = inter[i];
        }
        frc_shape_release(context, &tree);
    }
    for (int i = 0; i < TC_METRICS; i++) {
        r.self[i] = tc_correlation(values + (2 + 2 * (size_t)i) * o->trees, self_tests, o->trees);
        r.inter[i] = tc_correlation(values + (3 + 2 * (size_t)i) * o->trees, inter_tests, o->trees);
    }
    for (uint32_t p = 0; p < o->poses; p++) frc_shape_release(context, &others[p]);
    free(values), free(moved), free(other_boxes), free(others), free(boxes);
    return r;
}
