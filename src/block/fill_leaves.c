/// @file fill_leaves.c  Make primitives from features, and slots of leaves from a built tree.
#include "block/fill_leaves.h"
#include "base/simd.h"
#include <string.h>

// ---- primitives

// The id of a primitive is its index in the three lists of the input, concatenated.
static frc_prim make_prim(const frc_block_input* input, const uint32_t* point, int count,
                          size_t id) {
    f32x4 lo = f32x4_load(input->lows[point[0]].at[1]), hi = lo;
    for (int i = 1; i < count; i++) {
        const f32x4 low = f32x4_load(input->lows[point[i]].at[1]);
        lo = f32x4_min(lo, low);
        hi = f32x4_max(hi, low);
    }
    hi = f32x4_next(hi);
    const f32x4 most = f32x4_splat(FLT_MAX), least = f32x4_splat(-FLT_MAX);
    frc_prim prim;
    f32x4_store(prim.lo, f32x4_max(f32x4_min(lo, most), least));
    f32x4_store(prim.hi, f32x4_max(f32x4_min(hi, most), least));
    prim.id = (uint32_t)id;
    return prim;
}

// While primitives are made, `slot` of a place without a block marks a feature that a primitive of
// the input contains.
static const uint32_t CONTAINED = (uint32_t)-2, UNMARKED = (uint32_t)-1;

static void mark_features(frc_topology* topology, const frc_triangle* t, uint32_t mark) {
    for (int i = 0; i < 3; i++) {
        frc_place* place = &topology->uses.data[t->point[i]].place;
        if (place->block == FRACAS_NONE) place->slot = mark;
        if (t->edge[i] == FRACAS_NONE) continue;
        place = &topology->edges.data[t->edge[i]].place;
        if (place->block == FRACAS_NONE) place->slot = mark;
    }
}

uint32_t frc_make_prims(frc_topology* topology, const frc_block_input* input, frc_prim* prims) {
    const frc_triangle* triangles = topology->triangles.data;
    const uint32_t triangle_count = (uint32_t)input->triangle_count;
    uint32_t count = triangle_count;
    for (uint32_t i = 0; i < triangle_count; i++)
        prims[i] = make_prim(input, triangles[input->triangles[i]].point, 3, i);
    if (input->edge_count + input->point_count == 0) return count;
    for (uint32_t i = 0; i < triangle_count; i++)
        mark_features(topology, &triangles[input->triangles[i]], CONTAINED);
    // Edges without a triangle. A free edge contains its points.
    for (size_t i = 0; i < input->edge_count; i++) {
        const frc_edge* edge = &topology->edges.data[input->edges[i]];
        if (edge->place.slot == CONTAINED) continue;
        prims[count++] = make_prim(input, edge->point, 2, triangle_count + i);
        for (int k = 0; k < 2 && input->free_elements; k++) {
            frc_place* place = &topology->uses.data[edge->point[k]].place;
            if (place->block == FRACAS_NONE) place->slot = CONTAINED;
        }
    }
    for (size_t i = 0; i < input->point_count; i++)
        if (topology->uses.data[input->points[i]].place.slot != CONTAINED)
            prims[count++] =
                make_prim(input, &input->points[i], 1, triangle_count + input->edge_count + i);
    // Clear the marks.
    for (uint32_t i = 0; i < triangle_count; i++)
        mark_features(topology, &triangles[input->triangles[i]], UNMARKED);
    for (size_t i = 0; i < input->point_count; i++) {
        frc_place* place = &topology->uses.data[input->points[i]].place;
        if (place->block == FRACAS_NONE) place->slot = UNMARKED;
    }
    return count;
}

// ---- slots

enum { AHEAD = 16 };  // triangles: those of a leaf are scattered over the pool, so prefetch pays

// May this leaf have the feature? An earlier leaf of this block has written the block's number.
static inline bool is_free(const frc_place* place, uint32_t number, bool whole) {
    return (place->block != number) & (whole | (place->block == FRACAS_NONE));
}

static inline uint32_t add_point(frc_filler* f, uint32_t point, uint32_t at) {
    frc_place* place = &f->topology->uses.data[point].place;
    if (!is_free(place, f->number, f->whole)) return at;
    *place = (frc_place){f->number, at};
    f->vertices[at] = point;
    return at + 1;
}

static inline uint32_t next_corner(uint32_t k) { return k == 2 ? 0 : k + 1; }

// Half-edge k of the triangle in face slot `slot`, with corners `a`, and the first half-edge of its
// edge are opposite unless both run in the same direction.
static inline void pair_half_edges(const frc_face_slot* faces, uint32_t* opposite,
                                   const uint32_t a[3], uint32_t slot, uint32_t k,
                                   uint32_t first_half) {
    const uint32_t other = first_half / 4, j = first_half % 4;
    const uint32_t* b = faces[other].point;
    if (other == slot || a[k] != b[next_corner(j)] || b[j] != a[next_corner(k)]) return;
    opposite[3 * slot + k] = 3 * other + j;
    opposite[3 * other + j] = 3 * slot + k;
}

static inline void clear_opposites(frc_filler* f, uint32_t slot, bool empty) {
    for (uint32_t h = 3 * slot; f->opposite && h < 3 * slot + 3; h++)
        f->opposite[h] = empty ? h : FRACAS_NONE;
}

static inline void add_triangle(frc_filler* f, uint32_t triangle) {
    frc_triangle* t = &f->topology->triangles.data[triangle];
    uint32_t vertex = f->vertex, edge = f->edge, slot = f->face++;
    t->place = (frc_place){f->number, slot};
    f->faces[slot] = (frc_face_slot){
        {t->point[0], t->point[1], t->point[2]},
        triangle
    };
    clear_opposites(f, slot, false);
    for (int k = 0; k < 3; k++) vertex = add_point(f, t->point[k], vertex);
    for (uint32_t k = 0; k < 3; k++) {
        if (t->edge[k] == FRACAS_NONE) continue;
        frc_edge* e = &f->topology->edges.data[t->edge[k]];
        if (is_free(&e->place, f->number, f->whole)) {
            e->place = (frc_place){f->number, edge};
            memcpy(f->edges[edge].point, e->point, sizeof e->point);
            if (f->first_half) f->first_half[edge] = 4 * slot + k;
            edge++;
        } else if (f->first_half && e->uses == 2 && e->place.block == f->number) {
            // The edge was listed as a primitive, or an earlier triangle has it.
            uint32_t* first = &f->first_half[e->place.slot];
            if (*first == FRACAS_NONE)
                *first = 4 * slot + k;
            else
                pair_half_edges(f->faces, f->opposite, t->point, slot, k, *first);
        }
    }
    f->vertex = vertex;
    f->edge = edge;
}

// An edge or point that no triangle of the input has. `id` counts from the first edge.
static void add_edge_or_point(frc_filler* f, size_t id) {
    const frc_block_input* input = f->input;
    if (id >= input->edge_count) {
        f->vertex = add_point(f, input->points[id - input->edge_count], f->vertex);
        return;
    }
    frc_edge* e = &f->topology->edges.data[input->edges[id]];
    if (is_free(&e->place, f->number, f->whole)) {
        e->place = (frc_place){f->number, f->edge};
        memcpy(f->edges[f->edge].point, e->point, sizeof e->point);
        if (f->first_half) f->first_half[f->edge] = FRACAS_NONE;
        f->edge++;
    }
    for (int k = 0; k < 2 && input->free_elements; k++)
        f->vertex = add_point(f, e->point[k], f->vertex);
}

// Empty slots up to the next multiple of four.
static inline void pad_slots(frc_filler* f) {
    for (; f->face % 4; f->face++) {
        f->faces[f->face] = (frc_face_slot){
            {FRACAS_NONE, 0, 0},
            FRACAS_NONE
        };
        clear_opposites(f, f->face, true);
    }
    for (; f->edge % 4; f->edge++)
        f->edges[f->edge] = (frc_edge_slot){
            {FRACAS_NONE, FRACAS_NONE}
        };
    for (; f->vertex % 4; f->vertex++) f->vertices[f->vertex] = FRACAS_NONE;
}

static inline uint32_t prim_at(const frc_prim* prims, uint32_t at) {
    return prims ? prims[at].id : at;
}

static inline void fill_leaf(frc_filler* f, const frc_leaf_range* range, const frc_prim* prims,
                             frc_leaf* out) {
    const uint32_t* triangles = f->input->triangles;
    const size_t count = f->input->triangle_count;
    uint32_t face = f->face, edge = f->edge, vertex = f->vertex;
    bool loose = false;
    for (uint32_t i = range->first; i < range->first + range->count; i++) {
        if (i + AHEAD < count && prim_at(prims, i + AHEAD) < count)
            __builtin_prefetch(&f->topology->triangles.data[triangles[prim_at(prims, i + AHEAD)]],
                               1);
        const size_t id = prim_at(prims, i);
        if (id < count) {
            add_triangle(f, triangles[id]);
        } else {
            add_edge_or_point(f, id - count);
            loose = true;
        }
    }
    f->live += (f->face - face) + (f->edge - edge) + (f->vertex - vertex);
    *out = (frc_leaf){.face = face,
                      .edge = edge,
                      .vertex = vertex,
                      .face_count = (uint16_t)(f->face - face),
                      .edge_count = (uint16_t)(f->edge - edge),
                      .vertex_count = (uint16_t)(f->vertex - vertex),
                      .loose = loose,
                      .parent = range->parent,
                      .lane = range->lane};
    pad_slots(f);
}

// ---- the common case: all triangles of a body and nothing else, with opposite half-edges
//
// The same result as above without the conditions, and with all pointers in registers: two thirds
// of the time.

typedef struct plain_filler {
    frc_triangle* triangles;
    frc_vertex_use* uses;
    frc_edge* pool;
    const uint32_t* list;
    frc_face_slot* faces;
    frc_edge_slot* edges;
    uint32_t *vertices, *opposite, *first_half;
    uint32_t number, count;
} plain_filler;

static inline void fill_plain_leaf(const plain_filler* p, frc_filler* f,
                                   const frc_leaf_range* range, const frc_prim* prims,
                                   frc_leaf* out) {
    uint32_t face = f->face, edge = f->edge, vertex = f->vertex;
    *out = (frc_leaf){
        .face = face, .edge = edge, .vertex = vertex, .parent = range->parent, .lane = range->lane};
    for (uint32_t i = range->first; i < range->first + range->count; i++, face++) {
        const uint32_t id = p->list[prim_at(prims, i)];
        const uint32_t later = prim_at(prims, i + AHEAD < p->count ? i + AHEAD : i);
        __builtin_prefetch(&p->triangles[p->list[later]], 1);
        frc_triangle* t = &p->triangles[id];
        t->place = (frc_place){p->number, face};
        p->faces[face] = (frc_face_slot){
            {t->point[0], t->point[1], t->point[2]},
            id
        };
        for (uint32_t k = 0; k < 3; k++) p->opposite[3 * face + k] = FRACAS_NONE;
        for (int k = 0; k < 3; k++) {
            frc_place* place = &p->uses[t->point[k]].place;
            if (place->block == p->number) continue;
            *place = (frc_place){p->number, vertex};
            p->vertices[vertex++] = t->point[k];
        }
        for (uint32_t k = 0; k < 3; k++) {
            if (t->edge[k] == FRACAS_NONE) continue;
            frc_edge* e = &p->pool[t->edge[k]];
            if (e->place.block != p->number) {
                e->place = (frc_place){p->number, edge};
                memcpy(p->edges[edge].point, e->point, sizeof e->point);
                p->first_half[edge++] = 4 * face + k;
            } else if (e->uses == 2) {
                pair_half_edges(p->faces, p->opposite, t->point, face, k,
                                p->first_half[e->place.slot]);
            }
        }
    }
    out->face_count = (uint16_t)(face - out->face);
    out->edge_count = (uint16_t)(edge - out->edge);
    out->vertex_count = (uint16_t)(vertex - out->vertex);
    f->live += (uint32_t)out->face_count + out->edge_count + out->vertex_count;
    f->face = face, f->edge = edge, f->vertex = vertex;
}

static void fill_plain(frc_filler* f, const frc_shape* shape, const frc_prim* prims) {
    const plain_filler p = {f->topology->triangles.data,
                            f->topology->uses.data,
                            f->topology->edges.data,
                            f->input->triangles,
                            f->faces,
                            f->edges,
                            f->vertices,
                            f->opposite,
                            f->first_half,
                            f->input->number,
                            (uint32_t)f->input->triangle_count};
    for (uint32_t leaf = 0; leaf < shape->leaf_count; leaf++) {
        fill_plain_leaf(&p, f, &shape->leaves[leaf], prims, &f->leaves[leaf]);
        pad_slots(f);
    }
}

void frc_fill_leaves(frc_filler* f, const frc_shape* shape, const frc_prim* prims) {
    const frc_block_input* input = f->input;
    if (input->whole && input->edge_count == 0 && input->point_count == 0 && f->opposite &&
        f->first_half) {
        fill_plain(f, shape, prims);
        return;
    }
    // Compilers keep the fields of a copy without aliases in registers.
    frc_filler own = *f;
    own.number = input->number;
    own.whole = input->whole;
    for (uint32_t leaf = 0; leaf < shape->leaf_count; leaf++)
        fill_leaf(&own, &shape->leaves[leaf], prims, &own.leaves[leaf]);
    *f = own;
}

bool frc_filler_allocate(fracas_context* context, const frc_shape* shape, frc_filler* f) {
    const frc_block_input* input = f->input;
    size_t padding = 4 * (size_t)shape->leaf_count, triangles = input->triangle_count;
    bool ok = true;
    f->leaf_capacity = shape->leaf_count;
    // Exact for triangles only, which is the common case.
    f->face_capacity = 0;
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        f->face_capacity += ((size_t)shape->leaves[i].count + 3) / 4 * 4;
    f->edge_capacity = 3 * triangles + input->edge_count + padding;
    f->vertex_capacity = 3 * triangles + 2 * input->edge_count + input->point_count + padding;
    f->leaves = frc_allocate_array(context, f->leaf_capacity, sizeof *f->leaves, &ok);
    f->faces = frc_allocate_array(context, f->face_capacity, sizeof *f->faces, &ok);
    f->edges = frc_allocate_array(context, f->edge_capacity, sizeof *f->edges, &ok);
    f->vertices = frc_allocate_array(context, f->vertex_capacity, sizeof *f->vertices, &ok);
    if (input->opposites) {
        f->opposite = frc_allocate_array(context, 3 * f->face_capacity, sizeof *f->opposite, &ok);
        f->first_half = frc_allocate_array(context, f->edge_capacity, sizeof *f->first_half, &ok);
    }
    return ok;
}

void frc_filler_release(fracas_context* context, frc_filler* f) {
    frc_release(context, f->leaves, frc_array_size(f->leaf_capacity, sizeof *f->leaves));
    frc_release(context, f->faces, frc_array_size(f->face_capacity, sizeof *f->faces));
    frc_release(context, f->edges, frc_array_size(f->edge_capacity, sizeof *f->edges));
    frc_release(context, f->vertices, frc_array_size(f->vertex_capacity, sizeof *f->vertices));
    frc_release(context, f->opposite, frc_array_size(3 * f->face_capacity, sizeof *f->opposite));
    frc_release(context, f->first_half, frc_array_size(f->edge_capacity, sizeof *f->first_half));
}

void frc_write_leaf_numbers(frc_block* block, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; i++) {
        const frc_leaf* leaf = &block->leaves[i];
        for (uint32_t s = 0; s < leaf->face_count; s += 4)
            block->leaf_of_face[(leaf->face + s) / 4] = i;
        for (uint32_t s = 0; s < leaf->edge_count; s += 4)
            block->leaf_of_edge[(leaf->edge + s) / 4] = i;
        for (uint32_t s = 0; s < leaf->vertex_count; s += 4)
            block->leaf_of_vertex[(leaf->vertex + s) / 4] = i;
    }
}
