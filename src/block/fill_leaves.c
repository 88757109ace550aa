/// @file fill_leaves.c  Features as primitives to build over, and features into the slots of
/// leaves.
#include "block/fill_leaves.h"
#include "base/simd.h"
#include <string.h>

// ---- primitives

// The id of a primitive is its place in the three lists of the input, one after the other.
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

// While a block is built, places mark what a triangle of the input brings along: FRACAS_NONE in
// `block` and CLAIMED in `slot`.
enum { UNCLAIMED = -1, CLAIMED = -2 };
static const uint32_t claimed = (uint32_t)CLAIMED, unclaimed = (uint32_t)UNCLAIMED;

static void claim_features(frc_topology* topology, const frc_triangle* t, uint32_t mark) {
    for (int i = 0; i < 3; i++) {
        frc_place* place = &topology->uses.data[t->point[i]].place;
        if (place->block == FRACAS_NONE) place->slot = mark;
        if (t->edge[i] == FRACAS_NONE) continue;
        place = &topology->edges.data[t->edge[i]].place;
        if (place->block == FRACAS_NONE) place->slot = mark;
    }
}

static uint32_t make_loose_prims(frc_topology* topology, const frc_block_input* input,
                                 frc_prim* prims, uint32_t count) {
    for (size_t i = 0; i < input->edge_count; i++) {
        frc_edge* edge = &topology->edges.data[input->edges[i]];
        if (edge->place.slot == claimed) continue;
        prims[count++] = make_prim(input, edge->point, 2, input->triangle_count + i);
        // A free edge brings its points along, as a triangle does.
        if (input->free_elements)
            for (int k = 0; k < 2; k++) {
                frc_place* place = &topology->uses.data[edge->point[k]].place;
                if (place->block == FRACAS_NONE) place->slot = claimed;
            }
    }
    for (size_t i = 0; i < input->point_count; i++)
        if (topology->uses.data[input->points[i]].place.slot != claimed)
            prims[count++] = make_prim(input, &input->points[i], 1,
                                       input->triangle_count + input->edge_count + i);
    return count;
}

static void unclaim(frc_topology* topology, const frc_block_input* input) {
    for (size_t i = 0; i < input->triangle_count; i++)
        claim_features(topology, &topology->triangles.data[input->triangles[i]], unclaimed);
    for (size_t i = 0; i < input->point_count; i++) {
        frc_place* place = &topology->uses.data[input->points[i]].place;
        if (place->block == FRACAS_NONE) place->slot = unclaimed;
    }
}

uint32_t frc_make_prims(frc_topology* topology, const frc_block_input* input, frc_prim* prims) {
    const frc_triangle* triangles = topology->triangles.data;
    uint32_t count = (uint32_t)input->triangle_count;
    for (uint32_t i = 0; i < count; i++)
        prims[i] = make_prim(input, triangles[input->triangles[i]].point, 3, i);
    if (input->edge_count + input->point_count == 0) return count;
    for (uint32_t i = 0; i < count; i++)
        claim_features(topology, &triangles[input->triangles[i]], claimed);
    count = make_loose_prims(topology, input, prims, count);
    unclaim(topology, input);
    return count;
}

// ---- slots

// Is a feature still to be taken? What another leaf has taken stands in this block already.
static inline bool may_take(const frc_place* place, uint32_t number, bool whole) {
    return (place->block != number) & (whole | (place->block == FRACAS_NONE));
}

// (Writing always and keeping or not by what is added to the count, to save branches, is slower.)
static inline uint32_t take_point(frc_filler* f, uint32_t point, uint32_t at) {
    frc_place* place = &f->topology->uses.data[point].place;
    if (!may_take(place, f->number, f->whole)) return at;
    *place = (frc_place){f->number, at};
    f->vertices[at] = point;
    return at + 1;
}

static inline void set_taker(frc_filler* f, uint32_t at, uint32_t taker) {
    if (f->taker) f->taker[at] = taker;
}

// Corner k of the triangle in a slot meets an edge that stands in this block already. What took it,
// or met it first, is its twin when nothing else has the edge and both run through it differently.
static inline void find_twin(frc_filler* f, const frc_edge* e, uint32_t slot, uint32_t k) {
    if (!f->taker || e->uses != 2 || e->place.block != f->number) return;
    uint32_t* taker = &f->taker[e->place.slot];
    if (*taker == FRACAS_NONE) {
        *taker = 4 * slot + k;
        return;
    }
    uint32_t other = *taker / 4, j = *taker % 4, half = 3 * slot + k;
    const uint32_t *a = f->faces[slot].point, *b = f->faces[other].point;
    if (other == slot || a[k] != b[(j + 1) % 3] || b[j] != a[(k + 1) % 3]) return;
    f->twin[half] = 3 * other + j;
    f->twin[3 * other + j] = half;
}

// Corner k of the triangle in a slot asks for its edge.
static inline uint32_t take_edge(frc_filler* f, uint32_t edge, uint32_t at, uint32_t slot,
                                 uint32_t k) {
    if (edge == FRACAS_NONE) return at;
    frc_edge* e = &f->topology->edges.data[edge];
    if (!may_take(&e->place, f->number, f->whole)) {
        find_twin(f, e, slot, k);
        return at;
    }
    e->place = (frc_place){f->number, at};
    memcpy(f->edges[at].point, e->point, sizeof e->point);
    set_taker(f, at, 4 * slot + k);
    return at + 1;
}

static inline void set_twins(frc_filler* f, uint32_t slot, bool empty) {
    for (uint32_t h = 3 * slot; f->twin && h < 3 * slot + 3; h++)
        f->twin[h] = empty ? h : FRACAS_NONE;
}

static inline void take_face(frc_filler* f, uint32_t triangle) {
    frc_triangle* t = &f->topology->triangles.data[triangle];
    uint32_t vertex = f->vertex, edge = f->edge, slot = f->face;
    t->place = (frc_place){f->number, f->face};
    f->faces[f->face++] = (frc_face_slot){
        {t->point[0], t->point[1], t->point[2]},
        triangle
    };
    set_twins(f, slot, false);
    for (int i = 0; i < 3; i++) vertex = take_point(f, t->point[i], vertex);
    for (uint32_t i = 0; i < 3; i++) edge = take_edge(f, t->edge[i], edge, slot, i);
    f->vertex = vertex;
    f->edge = edge;
}

// An edge or point that no triangle of the input has. Its id is counted from the first edge.
static void take_loose(frc_filler* f, size_t id) {
    const frc_block_input* input = f->input;
    if (id >= input->edge_count) {
        f->vertex = take_point(f, input->points[id - input->edge_count], f->vertex);
        return;
    }
    frc_edge* e = &f->topology->edges.data[input->edges[id]];
    if (may_take(&e->place, f->number, f->whole)) {
        e->place = (frc_place){f->number, f->edge};
        memcpy(f->edges[f->edge].point, e->point, sizeof e->point);
        set_taker(f, f->edge++, FRACAS_NONE);
    }
    for (int k = 0; k < 2 && input->free_elements; k++)
        f->vertex = take_point(f, e->point[k], f->vertex);
}

// Was it a triangle?
static inline bool take_prim(frc_filler* f, size_t id) {
    const frc_block_input* input = f->input;
    bool face = id < input->triangle_count;
    if (face)
        take_face(f, input->triangles[id]);
    else
        take_loose(f, id - input->triangle_count);
    return face;
}

// The slots up to the next multiple of four are empty.
static inline void pad_slots(frc_filler* f) {
    for (; f->face % 4; f->face++) {
        f->faces[f->face] = (frc_face_slot){
            {FRACAS_NONE, 0, 0},
            FRACAS_NONE
        };
        set_twins(f, f->face, true);
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

// The triangles of a leaf are spread over the pool: a hint ahead of time. (Hints for what they name
// gain nothing.)
enum { AHEAD = 16 };

static inline void look_ahead(const frc_filler* f, const frc_prim* prims, uint32_t at) {
    size_t count = f->input->triangle_count;
    if (at < count && prim_at(prims, at) < count)
        __builtin_prefetch(&f->topology->triangles.data[f->input->triangles[prim_at(prims, at)]],
                           1);
}

static inline void fill_leaf(frc_filler* f, const frc_leaf_range* range, const frc_prim* prims,
                             frc_leaf* out) {
    uint32_t face = f->face, edge = f->edge, vertex = f->vertex;
    bool loose = false;
    for (uint32_t i = range->first; i < range->first + range->count; i++) {
        look_ahead(f, prims, i + AHEAD);
        loose |= !take_prim(f, prim_at(prims, i));
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

static inline void fill_all(frc_filler* f, const frc_shape* shape, const frc_prim* prims) {
    for (uint32_t leaf = 0; leaf < shape->leaf_count; leaf++)
        fill_leaf(f, &shape->leaves[leaf], prims, &f->leaves[leaf]);
}

// ---- a block of triangles alone that takes all they have, with twins: the rule
//
// The same as above with nothing left to ask; what is used all the time stands in registers. Two
// thirds of the time for what breaks off.

typedef struct plain_filler {
    frc_triangle* triangles;
    frc_vertex_use* uses;
    frc_edge* pool;
    const uint32_t* list;
    frc_face_slot* faces;
    frc_edge_slot* edges;
    uint32_t *vertices, *twin, *taker;
    uint32_t number, count;
} plain_filler;

static bool is_plain(const frc_filler* f) {
    const frc_block_input* input = f->input;
    return input->whole && input->edge_count == 0 && input->point_count == 0 && f->twin && f->taker;
}

static inline uint32_t next_corner(uint32_t k) { return k == 2 ? 0 : k + 1; }

static inline uint32_t take_corners(const plain_filler* p, const frc_triangle* t, uint32_t at) {
    for (int k = 0; k < 3; k++) {
        frc_place* place = &p->uses[t->point[k]].place;
        if (place->block == p->number) continue;
        *place = (frc_place){p->number, at};
        p->vertices[at++] = t->point[k];
    }
    return at;
}

static inline void pair_sides(const plain_filler* p, const frc_triangle* t, uint32_t slot,
                              uint32_t k, uint32_t taker) {
    const uint32_t other = taker / 4, j = taker % 4;
    const uint32_t* b = p->faces[other].point;
    if (other == slot || t->point[k] != b[next_corner(j)] || b[j] != t->point[next_corner(k)])
        return;
    p->twin[3 * slot + k] = 3 * other + j;
    p->twin[3 * other + j] = 3 * slot + k;
}

static inline uint32_t take_sides(const plain_filler* p, const frc_triangle* t, uint32_t slot,
                                  uint32_t at) {
    for (uint32_t k = 0; k < 3; k++) {
        if (t->edge[k] == FRACAS_NONE) continue;
        frc_edge* e = &p->pool[t->edge[k]];
        if (e->place.block != p->number) {
            e->place = (frc_place){p->number, at};
            memcpy(p->edges[at].point, e->point, sizeof e->point);
            p->taker[at++] = 4 * slot + k;
        } else if (e->uses == 2) {
            pair_sides(p, t, slot, k, p->taker[e->place.slot]);
        }
    }
    return at;
}

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
        for (int k = 0; k < 3; k++) p->twin[3 * face + (uint32_t)k] = FRACAS_NONE;
        vertex = take_corners(p, t, vertex);
        edge = take_sides(p, t, face, edge);
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
                            f->twin,
                            f->taker,
                            f->input->number,
                            (uint32_t)f->input->triangle_count};
    for (uint32_t leaf = 0; leaf < shape->leaf_count; leaf++) {
        fill_plain_leaf(&p, f, &shape->leaves[leaf], prims, &f->leaves[leaf]);
        pad_slots(f);
    }
}

void frc_fill_leaves(frc_filler* f, const frc_shape* shape, const frc_prim* prims) {
    if (is_plain(f)) {
        fill_plain(f, shape, prims);
        return;
    }
    // A copy that nothing points at: its fields stay in registers.
    frc_filler own = *f;
    own.number = f->input->number;
    own.whole = f->input->whole;
    fill_all(&own, shape, prims);
    *f = own;
}

// With triangles alone, which is the rule, exactly as many as will be filled.
static size_t count_face_slots(const frc_shape* shape) {
    size_t slots = 0;
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        slots += ((size_t)shape->leaves[i].count + 3) / 4 * 4;
    return slots;
}

bool frc_filler_allocate(fracas_context* context, const frc_shape* shape, frc_filler* f) {
    const frc_block_input* input = f->input;
    size_t padding = 4 * (size_t)shape->leaf_count, triangles = input->triangle_count;
    bool ok = true;
    f->leaf_room = shape->leaf_count;
    f->face_room = count_face_slots(shape);
    f->edge_room = 3 * triangles + input->edge_count + padding;
    f->vertex_room = 3 * triangles + 2 * input->edge_count + input->point_count + padding;
    f->leaves = frc_allocate_array(context, f->leaf_room, sizeof *f->leaves, &ok);
    f->faces = frc_allocate_array(context, f->face_room, sizeof *f->faces, &ok);
    f->edges = frc_allocate_array(context, f->edge_room, sizeof *f->edges, &ok);
    f->vertices = frc_allocate_array(context, f->vertex_room, sizeof *f->vertices, &ok);
    if (input->twins) {
        f->twin = frc_allocate_array(context, 3 * f->face_room, sizeof *f->twin, &ok);
        f->taker = frc_allocate_array(context, f->edge_room, sizeof *f->taker, &ok);
    }
    return ok;
}

void frc_filler_release(fracas_context* context, frc_filler* f) {
    frc_release(context, f->leaves, frc_array_size(f->leaf_room, sizeof *f->leaves));
    frc_release(context, f->faces, frc_array_size(f->face_room, sizeof *f->faces));
    frc_release(context, f->edges, frc_array_size(f->edge_room, sizeof *f->edges));
    frc_release(context, f->vertices, frc_array_size(f->vertex_room, sizeof *f->vertices));
    frc_release(context, f->twin, frc_array_size(3 * f->face_room, sizeof *f->twin));
    frc_release(context, f->taker, frc_array_size(f->edge_room, sizeof *f->taker));
}
