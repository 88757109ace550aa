/// @file medial_mirror.c  Copies the shapes of bodies to the device, their primitives in clusters.
#include "cuda/lanes.h"
#include "cuda/medial_search.h"
#include <stdlib.h>
#include <string.h>

// The arrays of the host that are copied: in the arena of a search.
typedef struct copies {
    double (*spheres)[4];
    double* distances;
    frc_medial_primitive* primitives;
    frc_medial_node *slots, *clusters;
    frc_medial_row *sphere_rows, *cluster_rows;
    size_t sphere_count, primitive_count, cluster_count;
} copies;

// ---- shapes

typedef struct shape_use {
    const fracas_medial_shape* shape;
    uint32_t body;
} shape_use;

static int compare_uses(const void* x, const void* y) {
    const shape_use *a = x, *b = y;
    const uintptr_t p = (uintptr_t)a->shape, q = (uintptr_t)b->shape;
    if (p != q) return p < q ? -1 : 1;
    return a->body < b->body ? -1 : 1;
}

// Bodies that exist, in the order of their shapes. NULL: no memory.
static shape_use* list_uses(const frc_medial_search* s, frc_arena* arena, uint32_t* count) {
    shape_use* uses = frc_arena_allocate(arena, s->step.count, sizeof *uses);
    *count = 0;
    for (uint32_t i = 0; uses && i < s->step.count; i++)
        if (s->step.moving[i].body)
            uses[(*count)++] = (shape_use){s->step.moving[i].body->shape, i};
    if (uses) qsort(uses, *count, sizeof *uses, compare_uses);
    return uses;
}

// The number of leaves below each node. Children have larger numbers than their parent.
static void count_leaves(const fracas_medial_shape* shape, uint32_t* counts) {
    for (uint32_t i = frc_medial_node_count(shape); i-- > 0;) {
        const uint32_t child = shape->nodes[i].child;
        counts[i] = child ? counts[child] + counts[child + 1] : 1;
    }
}

enum { DEPTH = 2 * 33 };  // as in medial/pair_query.c

// The leaves below a node, into slots of a cluster.
static void add_cluster(const fracas_medial_shape* shape, uint32_t node, copies* out) {
    frc_medial_node* slots = out->slots + out->cluster_count * FRC_WARP;
    uint32_t stack[DEPTH], depth = 1, used = 0;
    memset(slots, 0, FRC_WARP * sizeof *slots);
    stack[0] = node;
    while (depth > 0) {
        const frc_medial_node* n = &shape->nodes[stack[--depth]];
        if (n->child) {
            stack[depth++] = n->child + 1;
            stack[depth++] = n->child;
        } else {
            slots[used++] = *n;
        }
    }
    out->clusters[out->cluster_count] = shape->nodes[node];
    out->clusters[out->cluster_count++].primitive = used;
}

// The largest subtrees of at most 32 leaves. With `out` NULL they are only counted.
static uint32_t cut_tree(const fracas_medial_shape* shape, const uint32_t* leaves, copies* out) {
    uint32_t stack[DEPTH], depth = 1, count = 0;
    stack[0] = 0;
    while (depth > 0) {
        const uint32_t node = stack[--depth];
        if (leaves[node] > FRC_WARP) {
            stack[depth++] = shape->nodes[node].child + 1;
            stack[depth++] = shape->nodes[node].child;
            continue;
        }
        if (out) add_cluster(shape, node, out);
        count++;
    }
    return count;
}

static bool reserve_copies(frc_arena* arena, copies* out) {
    out->spheres = frc_arena_allocate(arena, out->sphere_count, sizeof *out->spheres);
    out->distances = frc_arena_allocate(arena, out->sphere_count, sizeof *out->distances);
    out->primitives = frc_arena_allocate(arena, out->primitive_count, sizeof *out->primitives);
    out->clusters = frc_arena_allocate(arena, out->cluster_count, sizeof *out->clusters);
    out->slots = frc_arena_allocate(arena, out->cluster_count * FRC_WARP, sizeof *out->slots);
    return out->spheres && out->distances && out->primitives && out->clusters && out->slots;
}

// Append a shape to the arrays, which are large enough.
static void add_shape(const fracas_medial_shape* shape, const uint32_t* leaves,
                      frc_medial_device_shape* to, copies* out) {
    *to = (frc_medial_device_shape){.first_sphere = (uint32_t)out->sphere_count,
                                    .sphere_count = shape->sphere_count,
                                    .first_primitive = (uint32_t)out->primitive_count,
                                    .first_cluster = (uint32_t)out->cluster_count};
    memcpy(out->spheres + out->sphere_count, shape->spheres,
           shape->sphere_count * sizeof *out->spheres);
    memcpy(out->distances + out->sphere_count, shape->distances,
           shape->sphere_count * sizeof *out->distances);
    memcpy(out->primitives + out->primitive_count, shape->primitives,
           shape->primitive_count * sizeof *out->primitives);
    out->sphere_count += shape->sphere_count;
    out->primitive_count += shape->primitive_count;
    to->cluster_count = cut_tree(shape, leaves, out);
}

// Arrays of all shapes, each once; the shapes of all bodies. False: no memory.
static bool copy_shapes(frc_medial_mirror* m, const frc_medial_search* s, frc_arena* arena,
                        copies* out) {
    fracas_context* context = s->bodies->context;
    uint32_t count, shapes = 0, nodes = 0;
    const shape_use* uses = list_uses(s, arena, &count);
    if (!uses) return false;
    for (uint32_t i = 0; i < count; i++) {
        const fracas_medial_shape* shape = uses[i].shape;
        if (i > 0 && uses[i - 1].shape == shape) continue;
        const uint32_t own = frc_medial_node_count(shape);
        nodes = own > nodes ? own : nodes;
        out->sphere_count += shape->sphere_count;
        out->primitive_count += shape->primitive_count;
        // A cluster has at least half of 32 leaves, or all.
        out->cluster_count += shape->primitive_count / (FRC_WARP / 2) + 1;
        shapes++;
    }
    uint32_t* leaves = frc_arena_allocate(arena, nodes, sizeof *leaves);
    if (!leaves || !reserve_copies(arena, out) || !FRC_ARRAY_RESERVE(context, &m->shapes, shapes) ||
        !FRC_ARRAY_RESERVE(context, &m->places, s->step.count))
        return false;
    out->sphere_count = out->primitive_count = out->cluster_count = 0;
    m->shapes.count = 0;
    m->places.count = s->step.count;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || uses[i - 1].shape != uses[i].shape) {
            count_leaves(uses[i].shape, leaves);
            add_shape(uses[i].shape, leaves, &m->shapes.data[m->shapes.count++], out);
        }
        m->places.data[uses[i].body].shape = (uint32_t)m->shapes.count - 1;
    }
    return true;
}

// ---- bodies

static uint32_t rows_of(uint32_t count) { return (count + FRC_WARP - 1) / FRC_WARP; }

// Places of all bodies, and rows. False: no memory.
static bool place_bodies(frc_medial_mirror* m, const frc_medial_search* s, frc_arena* arena,
                         copies* out) {
    m->sphere_count = m->cluster_count = m->sphere_row_count = m->cluster_row_count = 0;
    for (uint32_t i = 0; i < s->step.count; i++) {
        if (!s->step.moving[i].body) continue;
        frc_medial_place* p = &m->places.data[i];
        p->first_sphere = m->sphere_count;
        p->first_cluster = m->cluster_count;
        m->sphere_count += m->shapes.data[p->shape].sphere_count;
        m->cluster_count += m->shapes.data[p->shape].cluster_count;
        m->sphere_row_count += rows_of(m->shapes.data[p->shape].sphere_count);
    }
    out->sphere_rows = frc_arena_allocate(arena, m->sphere_row_count, sizeof *out->sphere_rows);
    out->cluster_rows = frc_arena_allocate(arena, m->cluster_count, sizeof *out->cluster_rows);
    if (!out->sphere_rows || !out->cluster_rows) return false;
    uint32_t row = 0;
    for (uint32_t i = 0; i < s->step.count; i++) {
        if (!s->step.moving[i].body) continue;
        const frc_medial_device_shape* shape = &m->shapes.data[m->places.data[i].shape];
        for (uint32_t k = 0; k < shape->sphere_count; k += FRC_WARP)
            out->sphere_rows[row++] = (frc_medial_row){i, k};
        for (uint32_t k = 0; k < shape->cluster_count; k++)
            out->cluster_rows[m->cluster_row_count++] = (frc_medial_row){i, k};
    }
    return true;
}

// ---- the device

static fracas_status upload(frc_mirror* memory, frc_device_buffer* to, const void* from,
                            size_t size) {
    const fracas_status status = frc_device_reserve(memory, to, size);
    if (status != FRACAS_OK) return status;
    return frc_device_upload(memory->device, to->data, from, size) ? FRACAS_OK
                                                                   : frc_device_fail(memory);
}

static fracas_status upload_all(frc_medial_device_search* search, const copies* c) {
    frc_medial_mirror* m = &search->mirror;
    const struct {
        frc_device_buffer* to;
        const void* from;
        size_t size;
    } all[] = {
        {&m->device_shapes, m->shapes.data,  m->shapes.count * sizeof *m->shapes.data      },
        {&m->spheres,       c->spheres,      c->sphere_count * sizeof *c->spheres          },
        {&m->distances,     c->distances,    c->sphere_count * sizeof *c->distances        },
        {&m->primitives,    c->primitives,   c->primitive_count * sizeof *c->primitives    },
        {&m->slots,         c->slots,        c->cluster_count * FRC_WARP * sizeof *c->slots},
        {&m->clusters,      c->clusters,     c->cluster_count * sizeof *c->clusters        },
        {&m->sphere_rows,   c->sphere_rows,  m->sphere_row_count * sizeof *c->sphere_rows  },
        {&m->cluster_rows,  c->cluster_rows, m->cluster_row_count * sizeof *c->cluster_rows},
    };
    fracas_status status = FRACAS_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && status == FRACAS_OK; i++)
        status = upload(&search->memory, all[i].to, all[i].from, all[i].size);
    return status;
}

static fracas_status reserve_paths(frc_medial_device_search* search) {
    frc_medial_mirror* m = &search->mirror;
    const size_t spheres = m->sphere_count, clusters = m->cluster_count;
    const struct {
        frc_device_buffer* buffer;
        size_t size;
    } all[] = {
        {&m->start,         spheres * sizeof(double[4])                  },
        {&m->end,           spheres * sizeof(double[4])                  },
        {&m->bulge,         spheres * sizeof(double)                     },
        {&m->lanes,         spheres * sizeof(frc_lane_sphere)            },
        {&m->slot_paths,    clusters * FRC_WARP * sizeof(frc_medial_slot)},
        {&m->cluster_paths, clusters * sizeof(frc_medial_slot)           },
    };
    fracas_status status = FRACAS_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && status == FRACAS_OK; i++)
        status = frc_device_reserve(&search->memory, all[i].buffer, all[i].size);
    return status;
}

fracas_status frc_medial_mirror_update(frc_medial_device_search* search,
                                       const frc_medial_search* s) {
    frc_medial_mirror* m = &search->mirror;
    if (m->valid && m->version == s->bodies->version) return FRACAS_OK;
    frc_arena arena = frc_arena_make(s->bodies->context);
    copies c = {0};
    m->valid = false;
    fracas_status status = FRACAS_OK;
    if (!copy_shapes(m, s, &arena, &c) || !place_bodies(m, s, &arena, &c))
        status = frc_fail(s->bodies->context, FRACAS_ERROR_OUT_OF_MEMORY,
                          "no memory to copy the shapes of %u bodies", s->step.count);
    if (status == FRACAS_OK) status = upload_all(search, &c);
    if (status == FRACAS_OK) status = reserve_paths(search);
    // Copies are over when the arena is released.
    if (status == FRACAS_OK && !frc_device_wait(search->memory.device))
        status = frc_device_fail(&search->memory);
    frc_arena_release(&arena);
    m->valid = status == FRACAS_OK;
    m->version = s->bodies->version;
    return status;
}

void frc_medial_mirror_release(frc_medial_device_search* search) {
    frc_medial_mirror* m = &search->mirror;
    frc_device_buffer* const all[] = {
        &m->device_shapes, &m->spheres,     &m->distances,    &m->primitives,   &m->slots,
        &m->clusters,      &m->sphere_rows, &m->cluster_rows, &m->start,        &m->end,
        &m->bulge,         &m->lanes,       &m->slot_paths,   &m->cluster_paths};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        frc_device_buffer_release(&search->memory, all[i]);
    FRC_ARRAY_RELEASE(search->memory.context, &m->shapes);
    FRC_ARRAY_RELEASE(search->memory.context, &m->places);
}
