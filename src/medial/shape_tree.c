/// @file shape_tree.c  Halve the primitives at the median along the longest side of their box.
#include "base/arena.h"
#include "base/array.h"
#include "geom/vec3.h"
#include "medial/shape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct item {
    double centre[3];  // of the primitive's spheres
    double key;
    uint32_t primitive;
} item;

typedef struct range {
    uint32_t node, first, count;
} range;

static int compare_items(const void* x, const void* y) {
    const item *a = x, *b = y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->primitive < b->primitive ? -1 : 1;
}

// ---- spheres and boxes around primitives

// The box of the spheres of a range along three axes.
static void extent(const fracas_medial_shape* shape, const item* items, uint32_t count,
                   const double axes[3][3], double lo[3], double hi[3]) {
    for (int k = 0; k < 3; k++) lo[k] = INFINITY, hi[k] = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const frc_medial_primitive* p = &shape->primitives[items[i].primitive];
        for (uint32_t n = 0; n < p->count; n++) {
            const double* s = shape->spheres[p->sphere[n]];
            for (int k = 0; k < 3; k++) {
                const double x = frc_vec3_dot(axes[k], s);
                lo[k] = fmin(lo[k], x - s[3]);
                hi[k] = fmax(hi[k], x + s[3]);
            }
        }
    }
}

static const double IDENTITY[3][3] = {
    {1, 0, 0},
    {0, 1, 0},
    {0, 0, 1}
};

static void fit_sphere(const fracas_medial_shape* shape, const item* items, uint32_t count,
                       frc_medial_node* node) {
    double lo[3], hi[3];
    extent(shape, items, count, IDENTITY, lo, hi);
    for (int k = 0; k < 3; k++) node->centre[k] = (lo[k] + hi[k]) / 2;
    for (uint32_t i = 0; i < count; i++) {
        const frc_medial_primitive* p = &shape->primitives[items[i].primitive];
        for (uint32_t n = 0; n < p->count; n++) {
            const double* s = shape->spheres[p->sphere[n]];
            double way[3];
            frc_vec3_subtract(s, node->centre, way);
            const double far = (sqrt(frc_vec3_dot(way, way)) + s[3]) * (1 + 0x1p-48);
            if (far > node->radius) node->radius = far;
        }
    }
}

static bool make_unit(double v[3]) {
    const double largest = frc_vec3_largest(v);
    if (!(largest > 0)) return false;
    frc_vec3_scale(v, 1 / largest, v);
    frc_vec3_scale(v, 1 / sqrt(frc_vec3_dot(v, v)), v);
    return true;
}

// Axes along the longest side of a primitive and across it. False: it is a sphere.
static bool own_axes(const fracas_medial_shape* shape, const frc_medial_primitive* p,
                     double axes[3][3]) {
    double longest = 0, side[3];
    uint32_t apex = 0;
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t j = 0; j < i; j++) {
            frc_vec3_subtract(shape->spheres[p->sphere[i]], shape->spheres[p->sphere[j]], side);
            const double square = frc_vec3_dot(side, side);
            if (!(square > longest)) continue;
            longest = square;
            apex = 3 - i - j;
            memcpy(axes[0], side, sizeof side);
        }
    if (!make_unit(axes[0])) return false;
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(axes[0][k]) < fabs(axes[0][least])) least = k;
    double other[3] = {least == 0, least == 1, least == 2};
    if (p->count == 3)
        frc_vec3_subtract(shape->spheres[p->sphere[apex]],
                          shape->spheres[p->sphere[(apex + 1) % 3]], other);
    frc_vec3_cross(axes[0], other, axes[2]);
    if (!(frc_vec3_dot(axes[2], axes[2]) > 0x1p-40 * frc_vec3_dot(other, other))) {
        const double any[3] = {least == 0, least == 1, least == 2};
        frc_vec3_cross(axes[0], any, axes[2]);
    }
    if (!make_unit(axes[2])) return false;
    frc_vec3_cross(axes[2], axes[0], axes[1]);
    return make_unit(axes[1]);
}

// A box with these axes, if its surface is less than `*least`.
static void try_axes(const fracas_medial_shape* shape, const item* items, uint32_t count,
                     const double axes[3][3], double* least, frc_obb* out) {
    double lo[3], hi[3], half[3], slack = 0;
    extent(shape, items, count, axes, lo, hi);
    for (int k = 0; k < 3; k++) {
        half[k] = (hi[k] - lo[k]) / 2;
        slack = fmax(slack, fmax(fabs(lo[k]), fabs(hi[k])));
    }
    const double surface = half[0] * half[1] + half[1] * half[2] + half[2] * half[0];
    if (!(surface < *least)) return;
    *least = surface;
    for (int k = 0; k < 3; k++) out->center[k] = 0;
    for (int k = 0; k < 3; k++) {
        memcpy(out->axes[k], axes[k], sizeof out->axes[k]);
        // The axes are orthonormal up to 2^-48, a coordinate along them has that error.
        out->half[k] = half[k] + 0x1p-44 * slack;
        for (int c = 0; c < 3; c++) out->center[c] += (lo[k] + hi[k]) / 2 * axes[k][c];
    }
}

// The axes of the frame, or those of the longest primitive.
static void fit_box(const fracas_medial_shape* shape, const item* items, uint32_t count,
                    frc_obb* out) {
    double least = INFINITY, axes[3][3], longest = -1;
    uint32_t chosen = 0;
    try_axes(shape, items, count, IDENTITY, &least, out);
    for (uint32_t i = 0; i < count; i++) {
        const frc_medial_primitive* p = &shape->primitives[items[i].primitive];
        double way[3];
        frc_vec3_subtract(shape->spheres[p->sphere[p->count - 1]], shape->spheres[p->sphere[0]],
                          way);
        const double square = frc_vec3_dot(way, way);
        if (square > longest) longest = square, chosen = i;
    }
    if (own_axes(shape, &shape->primitives[items[chosen].primitive], axes))
        try_axes(shape, items, count, (const double(*)[3])axes, &least, out);
}

// ---- the tree

// Order a range so that it can be halved.
static void sort_range(item* items, uint32_t count) {
    double lo[3], hi[3];
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        lo[k] = hi[k] = items[0].centre[k];
        for (uint32_t i = 1; i < count; i++) {
            lo[k] = fmin(lo[k], items[i].centre[k]);
            hi[k] = fmax(hi[k], items[i].centre[k]);
        }
        if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
    }
    for (uint32_t i = 0; i < count; i++) items[i].key = items[i].centre[axis];
    qsort(items, count, sizeof *items, compare_items);
}

static void build(fracas_medial_shape* shape, item* items, range* stack) {
    uint32_t used = 1, depth = 1;
    stack[0] = (range){0, 0, shape->primitive_count};
    while (depth > 0) {
        const range r = stack[--depth];
        item* own = items + r.first;
        frc_medial_node* node = &shape->nodes[r.node];
        *node = (frc_medial_node){.primitive = own->primitive};
        fit_sphere(shape, own, r.count, node);
        node->distance = sqrt(frc_vec3_dot(node->centre, node->centre));
        fit_box(shape, own, r.count, &shape->boxes[r.node]);
        if (r.count == 1) continue;
        sort_range(own, r.count);
        node->child = used;
        used += 2;
        const uint32_t half = r.count / 2;
        stack[depth++] = (range){node->child + 1, r.first + half, r.count - half};
        stack[depth++] = (range){node->child, r.first, half};
    }
}

bool frc_medial_shape_make_tree(fracas_medial_shape* shape) {
    bool ok = true;
    const size_t nodes = frc_medial_node_count(shape);
    shape->nodes = frc_allocate_array(shape->context, nodes, sizeof *shape->nodes, &ok);
    shape->boxes = frc_allocate_array(shape->context, nodes, sizeof *shape->boxes, &ok);
    frc_arena arena = frc_arena_make(shape->context);
    item* items = frc_arena_allocate(&arena, shape->primitive_count, sizeof *items);
    range* stack = frc_arena_allocate(&arena, 64, sizeof *stack);  // ranges halve: 2^32 have 33
    ok = ok && items && stack;
    for (uint32_t p = 0; ok && p < shape->primitive_count; p++) {
        const frc_medial_primitive* primitive = &shape->primitives[p];
        items[p] = (item){.primitive = p};
        for (uint32_t n = 0; n < primitive->count; n++)
            for (int k = 0; k < 3; k++)
                items[p].centre[k] += shape->spheres[primitive->sphere[n]][k] / primitive->count;
    }
    if (ok) build(shape, items, stack);
    frc_arena_release(&arena);
    return ok;
}
