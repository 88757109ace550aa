/// @file place.c  Give new features a place in a tree: blocks come and go.
///
/// Based on: bentley1980. What edits add to a body goes into a new block. Small blocks are
/// swallowed by the next one, so that a body has a number of blocks that grows with the logarithm
/// of its size and a feature is built into a tree as often; a block that has lost half of its
/// features is built anew.
#include "scene/place.h"
#include "base/parallel.h"
#include "bvh/keep.h"
#include "scene/lodge.h"
#include "scene/provisional.h"
#include <string.h>

enum { KEPT_ROOM = 1024 };  // ids

// ---- fresh features

// Features that wait and still belong to the body; sorted out by what they are now.
typedef struct waiting {
    frc_ids triangles;
    frc_ids edges[2], points[2];  // [0] used by triangles, [1] by free elements only
} waiting;

static bool reserve_waiting(fracas_scene* scene, const frc_body* body, waiting* w) {
    fracas_context* context = scene->context;
    return FRC_ARRAY_RESERVE(context, &w->triangles, body->fresh_triangles.count) &&
           FRC_ARRAY_RESERVE(context, &w->edges[0], body->fresh_edges.count) &&
           FRC_ARRAY_RESERVE(context, &w->edges[1], body->fresh_edges.count) &&
           FRC_ARRAY_RESERVE(context, &w->points[0], body->fresh_points.count) &&
           FRC_ARRAY_RESERVE(context, &w->points[1], body->fresh_points.count);
}

static void release_waiting(fracas_context* context, waiting* w) {
    FRC_ARRAY_RELEASE(context, &w->triangles);
    for (int i = 0; i < 2; i++) {
        FRC_ARRAY_RELEASE(context, &w->edges[i]);
        FRC_ARRAY_RELEASE(context, &w->points[i]);
    }
}

// A feature may have been removed and its id given to another body, or may wait twice: it is taken
// when it is this body's and has no place. A mark in the slot keeps it from being taken again.
enum { TAKEN = -3 };

static bool take(frc_place* place) {
    if (place->block != FRACAS_NONE || place->slot == (uint32_t)TAKEN) return false;
    place->slot = (uint32_t)TAKEN;
    return true;
}

static void unmark(frc_place* place) {
    if (place->block == FRACAS_NONE) place->slot = FRACAS_NONE;
}

static void sort_out(fracas_scene* scene, uint32_t number, waiting* w) {
    frc_topology* topology = &scene->topology;
    const frc_body* body = &scene->bodies.data[number];
    for (size_t i = 0; i < body->fresh_triangles.count; i++) {
        uint32_t id = body->fresh_triangles.data[i];
        frc_triangle* t = &topology->triangles.data[id];
        if (t->body == number && t->point[0] != FRACAS_NONE && take(&t->place))
            w->triangles.data[w->triangles.count++] = id;
    }
    for (size_t i = 0; i < body->fresh_edges.count; i++) {
        uint32_t id = body->fresh_edges.data[i];
        frc_edge* e = &topology->edges.data[id];
        if (e->point[0] == FRACAS_NONE || !(e->uses || e->free)) continue;
        if (topology->points.data[e->point[0]].tag[FRC_TAG_BODY] != number || !take(&e->place))
            continue;
        frc_ids* list = &w->edges[e->uses == 0];
        list->data[list->count++] = id;
    }
    for (size_t i = 0; i < body->fresh_points.count; i++) {
        uint32_t id = body->fresh_points.data[i];
        frc_vertex_use* use = &topology->uses.data[id];
        if (topology->points.data[id].tag[FRC_TAG_BODY] != number) continue;
        if (!(use->triangles || use->free_edges || use->free_point) || !take(&use->place)) continue;
        frc_ids* list = &w->points[use->triangles == 0];
        list->data[list->count++] = id;
    }
    for (size_t i = 0; i < w->triangles.count; i++)
        unmark(&topology->triangles.data[w->triangles.data[i]].place);
    for (int f = 0; f < 2; f++) {
        for (size_t i = 0; i < w->edges[f].count; i++)
            unmark(&topology->edges.data[w->edges[f].data[i]].place);
        for (size_t i = 0; i < w->points[f].count; i++)
            unmark(&topology->uses.data[w->points[f].data[i]].place);
    }
}

// ---- blocks

static void drop_block(fracas_scene* scene, frc_body* body, size_t at) {
    frc_scene_drop_block(scene, body->blocks.data[at]);
    body->blocks.data[at] = body->blocks.data[--body->blocks.count];
}

// Put what is in a block back among the waiting, and destroy it. False: no memory, nothing changed.
static bool swallow(fracas_scene* scene, frc_body* body, size_t at) {
    uint32_t number = body->blocks.data[at];
    frc_block* block = scene->blocks.data[number];
    frc_topology* topology = &scene->topology;
    const frc_place nowhere = {FRACAS_NONE, FRACAS_NONE};
    if (!frc_body_reserve_fresh(scene, body, block->face_slots, block->edge_slots,
                                block->vertex_slots))
        return false;
    for (uint32_t s = 0; s < block->face_slots; s++) {
        uint32_t id = block->faces[s].id;
        if (id == FRACAS_NONE) continue;
        topology->triangles.data[id].place = nowhere;
        body->fresh_triangles.data[body->fresh_triangles.count++] = id;
    }
    for (uint32_t s = 0; s < block->edge_slots; s++) {
        const uint32_t* p = block->edges[s].point;
        if (p[0] == FRACAS_NONE) continue;
        uint32_t id = frc_topology_find_edge(topology, p[0], p[1]);
        topology->edges.data[id].place = nowhere;
        frc_wait_edge(body, id);
    }
    for (uint32_t s = 0; s < block->vertex_slots; s++) {
        if (block->vertices[s] == FRACAS_NONE) continue;
        topology->uses.data[block->vertices[s]].place = nowhere;
        frc_wait_point(body, block->vertices[s]);
    }
    drop_block(scene, body, at);
    return true;
}

size_t frc_fresh_count(const frc_body* body) {
    return body->fresh_triangles.count + body->fresh_edges.count + body->fresh_points.count;
}

// A block that has lost half of its features, or is small beside what waits.
static bool is_small(const frc_block* block, size_t fresh) {
    if (block->lodgers > 0) return false;
    return block->live * 2u < block->built_live || block->live < 2 * fresh;
}

// Will all blocks be swallowed, each by what waits and those before it? What is swallowed then need
// not be listed: the body is built anew as a whole.
static bool swallows_all(const fracas_scene* scene, const frc_body* body) {
    size_t fresh = frc_fresh_count(body), before, more = fresh;
    bool all;
    if (body->live_triangles == 0 || body->free_edges.count + body->free_points.count > 0)
        return false;
    if (body->host) return false;
    do {
        before = more;
        more = fresh;
        all = true;
        for (size_t i = 0; i < body->blocks.count; i++) {
            const frc_block* block = scene->blocks.data[body->blocks.data[i]];
            bool goes = !block->free_elements && is_small(block, before);
            if (goes) more += block->live;
            all &= goes;
        }
    } while (!all && more != before);
    return all && more > 0;
}

// `meeting` becomes the node of the tree over blocks where all that are swallowed meet.
static bool swallow_small(fracas_scene* scene, frc_body* body, uint32_t* meeting) {
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < body->blocks.count && !again; i++) {
            const frc_block* block = scene->blocks.data[body->blocks.data[i]];
            if (!is_small(block, frc_fresh_count(body))) continue;
            uint32_t spot = frc_top_spot(&scene->top, body->blocks.data[i]);
            if (!swallow(scene, body, i)) return false;
            *meeting = *meeting == FRACAS_NONE ? frc_top_meeting(&scene->top, spot, spot)
                                               : frc_top_meeting(&scene->top, *meeting, spot);
            again = true;
        }
    }
    return true;
}

frc_build_options frc_scene_build_options(const fracas_scene* scene, bool built) {
    return (frc_build_options){.builder = built ? scene->options.rebuild : scene->options.builder,
                               .leaf_size = FRC_LEAF_SIZE,
                               .grid_levels = scene->options.grid_levels,
                               .grid_stop = scene->options.grid_stop};
}

// ---- a new block: a number for it, its tree, its place in the lists

typedef struct new_block {
    frc_block_input input;
    uint32_t start;  // where it goes in the tree over blocks
    frc_block* block;
} new_block;

// Room in the lists, for what is built must be kept, and a number. `start` may be FRACAS_NONE:
// where the body came from. False: no memory, nothing has changed.
static bool announce_block(fracas_scene* scene, new_block* b, uint32_t start) {
    fracas_context* context = scene->context;
    frc_body* body = &scene->bodies.data[b->input.body];
    // One more, for a host that it may get.
    if (!FRC_ARRAY_RESERVE(context, &body->blocks, body->blocks.count + 2) ||
        !FRC_ARRAY_RESERVE(context, &scene->blocks, scene->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->named, scene->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->unplaced_blocks,
                           scene->unplaced_blocks.count + scene->announced + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->unused_blocks, scene->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->new_blocks,
                           scene->new_blocks.count + scene->announced + 1))
        return false;
    if (scene->unused_blocks.count > 0) {
        b->input.number = scene->unused_blocks.data[--scene->unused_blocks.count];
    } else {
        b->input.number = (uint32_t)scene->blocks.count;
        scene->named.data[scene->blocks.count] = 0;
        scene->blocks.data[scene->blocks.count++] = NULL;
    }
    scene->announced++;
    b->input.point_boxes = scene->point_boxes[1];
    b->input.modes = scene->options.modes;
    b->input.twins = scene->options.cull != FRACAS_CULL_NONE && !b->input.free_elements &&
                     scene->filters.data[b->input.body].self_collision;
    uint32_t near = body->came_from ? body->came_from - 1 : FRACAS_NONE;
    b->start = start != FRACAS_NONE  ? start
               : near == FRACAS_NONE ? 0
                                     : frc_top_spot(&scene->top, near);
    return true;
}

// Touches nothing but the features of the body.
static void build_block(fracas_scene* scene, new_block* b) {
    b->block = frc_block_build(scene->context, &scene->topology, &b->input);
}

// False: it was not built, and its number is given back.
static bool enter_block(fracas_scene* scene, const new_block* b) {
    frc_body* body = &scene->bodies.data[b->input.body];
    uint32_t number = b->input.number;
    scene->announced--;
    if (!b->block) {
        scene->unused_blocks.data[scene->unused_blocks.count++] = number;
        return false;
    }
    scene->blocks.data[number] = b->block;
    frc_provisional_enter(scene, number, &b->input.build);
    frc_unplaced_enter(scene, number);
    uint32_t near = body->came_from ? body->came_from - 1 : FRACAS_NONE;
    scene->new_blocks.data[scene->new_blocks.count++] = (frc_new_block){number, near, b->start};
    body->blocks.data[body->blocks.count++] = number;
    return true;
}

static bool add_block(fracas_scene* scene, uint32_t number, const waiting* w, bool free_elements,
                      uint32_t start) {
    frc_build_options how = frc_scene_build_options(scene, scene->bodies.data[number].built);
    new_block b = {
        .input = {.triangles = w->triangles.data,
                  .triangle_count = free_elements ? 0 : w->triangles.count,
                  .edges = w->edges[free_elements].data,
                  .edge_count = w->edges[free_elements].count,
                  .points = w->points[free_elements].data,
                  .point_count = w->points[free_elements].count,
                  .body = number,
                  .free_elements = free_elements,
                  .build = how}
    };
    if (b.input.triangle_count + b.input.edge_count + b.input.point_count == 0) return true;
    if (!announce_block(scene, &b, start)) return false;
    build_block(scene, &b);
    return enter_block(scene, &b);
}

// Where the blocks of a body meet in the tree over blocks: what they are merged into is put there.
static uint32_t meeting_of_blocks(const fracas_scene* scene, const frc_body* body) {
    uint32_t node = FRACAS_NONE;
    for (size_t i = 0; i < body->blocks.count; i++) {
        uint32_t spot = frc_top_spot(&scene->top, body->blocks.data[i]);
        node = node == FRACAS_NONE ? spot : frc_top_meeting(&scene->top, node, spot);
    }
    return node;
}

// ---- whole bodies

// The triangles of a body in the order that its new tree is built from, and where to cut that.
typedef struct sequence {
    frc_ids ids, cuts;  // cuts: none when the order is not that of a tree
    frc_ids slots;      // in the block that breaks; none: they stand elsewhere, too
    bool borrowed;      // they are the body's own lists
} sequence;

// The block that has all triangles of a body, or NULL.
static const frc_block* only_block(const fracas_scene* scene, const frc_body* body) {
    const frc_block* only = NULL;
    if (body->fresh_triangles.count > 0) return NULL;
    for (size_t i = 0; i < body->blocks.count; i++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (block->free_elements) continue;
        if (only) return NULL;
        only = block;
    }
    return only;
}

// As they stand in a block.
static void list_slots(const frc_block* block, sequence* out) {
    uint32_t last = FRACAS_NONE;
    for (uint32_t s = 0; s < block->face_slots; s++) {
        if (block->faces[s].id == FRACAS_NONE) continue;
        out->ids.data[out->ids.count++] = block->faces[s].id;
        out->cuts.data[out->cuts.count++] =
            last == FRACAS_NONE ? FRC_CUT_LEAF : frc_block_cut(block, last, s);
        last = s;
    }
}

// As they stood in the block that they broke off, without those that have left since. Between what
// is left the highest cut counts.
static void list_fresh(const fracas_scene* scene, uint32_t number, sequence* out) {
    const frc_body* body = &scene->bodies.data[number];
    uint32_t cut = FRC_CUT_LEAF;
    for (size_t i = 0; i < body->fresh_triangles.count; i++) {
        uint32_t id = body->fresh_triangles.data[i];
        const frc_triangle* t = &scene->topology.triangles.data[id];
        if (body->fresh_cuts.data[i] < cut) cut = body->fresh_cuts.data[i];
        if (t->body != number || t->point[0] == FRACAS_NONE) continue;
        out->ids.data[out->ids.count++] = id;
        out->cuts.data[out->cuts.count++] = cut;
        cut = FRC_CUT_LEAF;
    }
}

static void list_numbers(const frc_body* body, sequence* out) {
    out->ids.count = out->cuts.count = out->slots.count = 0;
    for (size_t i = 0; i < body->triangles.count; i++)
        if (body->triangles.data[i] != FRACAS_NONE)
            out->ids.data[out->ids.count++] = body->triangles.data[i];
}

static void release_sequence(fracas_context* context, sequence* s) {
    if (s->borrowed) return;
    FRC_ARRAY_RELEASE(context, &s->ids);
    FRC_ARRAY_RELEASE(context, &s->cuts);
    FRC_ARRAY_RELEASE(context, &s->slots);
}

static bool list_triangles(const fracas_scene* scene, uint32_t number, bool inherit,
                           sequence* out) {
    fracas_context* context = scene->context;
    const frc_body* body = &scene->bodies.data[number];
    const frc_block* block = inherit ? only_block(scene, body) : NULL;
    bool fresh = inherit && body->blocks.count == 0 && body->fresh_triangles.count > 0 &&
                 body->fresh_cuts.count == body->fresh_triangles.count;
    size_t room = fresh ? body->fresh_triangles.count : body->live_triangles;
    *out = (sequence){0};
    // Whatever comes to a body comes without a cut: of as many as there are none has left.
    if (fresh && room == body->live_triangles) {
        *out = (sequence){.ids = body->fresh_triangles, .cuts = body->fresh_cuts, .borrowed = true};
        return true;
    }
    if (inherit && frc_lodger_is_whole(body)) {
        *out = (sequence){.ids = body->lodged_triangles,
                          .cuts = body->fresh_cuts,
                          .slots = body->lodged_slots,
                          .borrowed = true};
        return true;
    }
    uint32_t breaking = inherit ? frc_breaking_block(scene, body) : FRACAS_NONE;
    if (!FRC_ARRAY_RESERVE(context, &out->ids, room) ||
        ((fresh || block) && !FRC_ARRAY_RESERVE(context, &out->cuts, room)) ||
        (breaking != FRACAS_NONE &&
         !frc_list_in_block(scene, number, breaking, &out->ids, &out->slots, &out->cuts))) {
        release_sequence(context, out);
        return false;
    }
    if (breaking == FRACAS_NONE && block)
        list_slots(block, out);
    else if (breaking == FRACAS_NONE && fresh)
        list_fresh(scene, number, out);
    if (out->ids.count != body->live_triangles) list_numbers(body, out);
    return true;
}

void frc_forget_fresh(fracas_scene* scene, frc_body* body) {
    frc_ids* lists[] = {&body->fresh_triangles, &body->fresh_edges, &body->fresh_points,
                        &body->fresh_cuts};
    body->came_from = 0;
    body->built = true;
    for (int i = 0; i < 4; i++) {
        lists[i]->count = 0;
        // The next edit makes its own room; what a whole body needed is given back.
        if (lists[i]->capacity > KEPT_ROOM) FRC_ARRAY_RELEASE(scene->context, lists[i]);
    }
}

static void keep_unplaced(frc_ids* ids, const void* pool, size_t stride) {
    size_t kept = 0;
    for (size_t i = 0; i < ids->count; i++) {
        frc_place place;
        memcpy(&place, (const char*)pool + ids->data[i] * stride, sizeof place);
        if (place.block == FRACAS_NONE) ids->data[kept++] = ids->data[i];
    }
    ids->count = kept;
}

// All triangles have places. Free edges and points may wait on.
static void forget_placed(fracas_scene* scene, frc_body* body) {
    const frc_topology* topology = &scene->topology;
    if (body->free_edges.count + body->free_points.count == 0) {
        frc_forget_fresh(scene, body);
        return;
    }
    keep_unplaced(&body->fresh_edges, &topology->edges.data->place, sizeof *topology->edges.data);
    keep_unplaced(&body->fresh_points, &topology->uses.data->place, sizeof *topology->uses.data);
    body->fresh_triangles.count = body->fresh_cuts.count = 0;
    body->came_from = 0;
}

// A body that is built anew.
typedef struct renewal {
    const frc_renewal* what;
    sequence triangles;
    size_t old;                     // blocks that it had
    uint32_t breaking;              // the block that it stands in, or FRACAS_NONE
    const frc_keep* keep;           // its leaves; NULL: they do not go over
    bool announced, listed, tried;  // tried: places may have changed
    new_block block;
} renewal;

static bool announce_renewal(fracas_scene* scene, renewal* r) {
    uint32_t number = r->what->body;
    frc_body* body = &scene->bodies.data[number];
    // Points that wait have no boxes yet, unless all were fitted because the body has moved.
    if (!body->fit && body->fresh_points.count > 0) frc_fit_points(scene, &body->points);
    r->block.input =
        (frc_block_input){.body = number,
                          .whole = true,
                          .build = frc_scene_build_options(scene, body->built && !body->ripe)};
    r->old = body->blocks.count;
    r->announced = announce_block(scene, &r->block, meeting_of_blocks(scene, body));
    return r->announced;
}

// Do all triangles of a body stand in the block that breaks, and all that they use there or
// nowhere?
static bool has_one_tree(const fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    uint32_t trees = body->host != 0;
    for (size_t i = 0; i < body->blocks.count; i++)
        trees += !scene->blocks.data[body->blocks.data[i]]->free_elements;
    return trees == 1 && body->fresh_triangles.count == 0;
}

static void build_renewal(fracas_scene* scene, renewal* r) {
    bool inherit = r->what->inherit && scene->options.inherit;
    frc_block_input* input = &r->block.input;
    r->listed = list_triangles(scene, r->what->body, inherit, &r->triangles);
    if (!r->listed) return;
    r->tried = true;
    input->triangles = r->triangles.ids.data, input->triangle_count = r->triangles.ids.count;
    if (r->triangles.cuts.count) input->build.cuts = r->triangles.cuts.data;
    if (input->twins && r->triangles.slots.count == input->triangle_count &&
        has_one_tree(scene, r->what->body))
        input->keep = r->keep, input->slots = r->triangles.slots.data;
    build_block(scene, &r->block);
}

// Its old blocks go, or get their features back.
static bool enter_renewal(fracas_scene* scene, renewal* r) {
    frc_body* body = &scene->bodies.data[r->what->body];
    if (!r->announced) return false;
    bool ok = enter_block(scene, &r->block);
    for (size_t i = r->old; i-- > 0;) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (block->free_elements) continue;
        if (ok)
            drop_block(scene, body, i);
        else if (r->tried)
            frc_block_place(block, &scene->topology, body->blocks.data[i]);
    }
    if (r->listed) release_sequence(scene->context, &r->triangles);
    if (ok && r->what->places) forget_placed(scene, body);
    return ok;
}

typedef struct renewals {
    fracas_scene* scene;
    renewal* list;
    uint32_t count;
    FRC_ARRAY(frc_keep) keeps;
} renewals;

static void build_range(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const renewals* all = data;
    for (uint32_t i = begin; i < end; i++)
        if (all->list[i].announced && !all->list[i].block.block)
            build_renewal(all->scene, &all->list[i]);
}

static void build_all(renewals* all) {
    frc_parallel_for(all->scene->context, all->count, 1, build_range, all);
}

// ---- blocks that break: all of their pieces are built, or none

static bool has_breaking(const renewals* all) {
    bool some = false;
    for (uint32_t i = 0; i < all->count; i++) some |= all->list[i].breaking != FRACAS_NONE;
    return some;
}

// One for each block that breaks. Where there is no memory its leaves do not go over.
static void open_keeps(renewals* all) {
    fracas_scene* scene = all->scene;
    if (!has_breaking(all) || !FRC_ARRAY_RESERVE(scene->context, &all->keeps, all->count)) return;
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t number = all->list[i].breaking;
        if (number == FRACAS_NONE || !scene->blocks.data[number]->twin) continue;
        size_t k = 0;
        while (k < all->keeps.count && all->keeps.data[k].number != number) k++;
        if (k == all->keeps.count) {
            if (!frc_keep_open(scene->context, scene->blocks.data[number], number,
                               &all->keeps.data[k]))
                return;
            all->keeps.count++;
        }
        all->list[i].keep = &all->keeps.data[k];
    }
}

static void close_keeps(renewals* all) {
    for (size_t k = 0; k < all->keeps.count; k++)
        frc_keep_close(all->scene->context, &all->keeps.data[k]);
    FRC_ARRAY_RELEASE(all->scene->context, &all->keeps);
}

// Has everything that waited in a body a place?
static bool has_placed_fresh(const fracas_scene* scene, uint32_t number) {
    const frc_topology* topology = &scene->topology;
    const frc_body* body = &scene->bodies.data[number];
    for (size_t i = 0; i < body->fresh_edges.count; i++) {
        const frc_edge* e = &topology->edges.data[body->fresh_edges.data[i]];
        if (e->place.block == FRACAS_NONE && e->uses > 0 &&
            topology->points.data[e->point[0]].tag[FRC_TAG_BODY] == number)
            return false;
    }
    for (size_t i = 0; i < body->fresh_points.count; i++) {
        uint32_t id = body->fresh_points.data[i];
        const frc_vertex_use* use = &topology->uses.data[id];
        if (use->place.block == FRACAS_NONE && use->triangles > 0 &&
            topology->points.data[id].tag[FRC_TAG_BODY] == number)
            return false;
    }
    return true;
}

static bool is_complete(const renewals* all) {
    for (size_t k = 0; k < all->keeps.count; k++) {
        uint64_t taken = 0;
        for (uint32_t i = 0; i < all->count; i++)
            if (all->list[i].keep == &all->keeps.data[k]) taken += all->list[i].block.block->taken;
        if (taken != frc_keep_left(&all->keeps.data[k])) return false;
    }
    for (uint32_t i = 0; i < all->count; i++)
        if (all->list[i].keep && !has_placed_fresh(all->scene, all->list[i].what->body))
            return false;
    return true;
}

static bool all_are_built(const renewals* all) {
    for (uint32_t i = 0; i < all->count; i++)
        if (all->list[i].breaking != FRACAS_NONE && !all->list[i].block.block) return false;
    return true;
}

// What has a place in one of the pieces has none then; what has one in the old block keeps it.
static void unbuild(renewals* all) {
    fracas_scene* scene = all->scene;
    for (uint32_t i = 0; i < all->count; i++) {
        renewal* r = &all->list[i];
        if (r->breaking == FRACAS_NONE) continue;
        if (r->block.block)
            frc_block_unbuild(scene->context, &scene->topology, &r->block.input, r->block.block);
        if (r->listed) release_sequence(scene->context, &r->triangles);
        r->block.block = NULL;
        r->block.input.keep = r->keep = NULL;
        r->block.input.build.cuts = NULL;
        r->listed = false;
    }
}

// Bodies lodge no more, and what they stood in belongs to one that is about to drop it, unless that
// has no triangles left.
static void leave_hosts(fracas_scene* scene) {
    while (scene->lodgers.count > 0) {
        uint32_t lodger = scene->lodgers.data[scene->lodgers.count - 1];
        uint32_t number = scene->bodies.data[lodger].host - 1;
        const frc_block* host = scene->blocks.data[number];
        frc_body* owner = &scene->bodies.data[host->body];
        frc_lodger_left(scene, lodger);
        if (host->lodgers > 0 || owner->live_triangles > 0) continue;
        for (size_t i = owner->blocks.count; i-- > 0;)
            if (owner->blocks.data[i] == number) drop_block(scene, owner, i);
    }
}

static void place_in_hosts(fracas_scene* scene) {
    for (size_t i = 0; i < scene->lodgers.count; i++) {
        uint32_t host = scene->bodies.data[scene->lodgers.data[i]].host - 1;
        if (i == 0 || scene->bodies.data[scene->lodgers.data[i - 1]].host != host + 1)
            frc_block_place(scene->blocks.data[host], &scene->topology, host);
    }
}

static void finish_breaking(renewals* all) {
    fracas_scene* scene = all->scene;
    if (!has_breaking(all)) return;
    if (all_are_built(all) && !is_complete(all)) {
        unbuild(all);
        place_in_hosts(scene);
        build_all(all);
    }
    close_keeps(all);
    if (all_are_built(all)) {
        for (uint32_t i = 0; i < all->count; i++)
            if (all->list[i].breaking != FRACAS_NONE)
                frc_unplaced_name(scene, all->list[i].block.block, all->list[i].breaking);
        leave_hosts(scene);
    } else {
        unbuild(all);
        place_in_hosts(scene);
    }
}

static bool renew(fracas_scene* scene, const frc_renewal* what, uint32_t count) {
    fracas_context* context = scene->context;
    renewals all = {scene, frc_allocate_zero(context, count * sizeof(renewal)), count, {0}};
    if (count > 0 && !all.list) return false;
    bool ok = true;
    for (uint32_t i = 0; i < count; i++) {
        all.list[i].what = &what[i];
        all.list[i].breaking = frc_breaking_block(scene, &scene->bodies.data[what[i].body]);
        ok = ok && announce_renewal(scene, &all.list[i]);
    }
    open_keeps(&all);
    build_all(&all);
    finish_breaking(&all);
    for (uint32_t i = 0; i < count; i++) ok &= enter_renewal(scene, &all.list[i]);
    frc_release(context, all.list, count * sizeof(renewal));
    return ok;
}

bool frc_renew_bodies(fracas_scene* scene, frc_renewal* what, uint32_t count) {
    // Those with blocks first: what they give back is there for the others.
    uint32_t first = 0;
    for (uint32_t i = 0; i < count; i++) {
        const frc_body* body = &scene->bodies.data[what[i].body];
        if (body->blocks.count == 0 && !body->host) continue;
        frc_renewal swap = what[i];
        what[i] = what[first];
        what[first++] = swap;
    }
    return renew(scene, what, first) && renew(scene, what + first, count - first);
}

bool frc_has_to_be_placed(const fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    bool some = frc_fresh_count(body) > 0;
    for (size_t i = 0; i < body->blocks.count && !some; i++)
        some = is_small(scene->blocks.data[body->blocks.data[i]], 0);
    return some;
}

bool frc_waits_as_a_whole(const fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    if (frc_breaking_block(scene, body) != FRACAS_NONE) return body->live_triangles > 0;
    return swallows_all(scene, body);
}

// Is no triangle of the body in a block? Then all of them wait, and what they use.
static bool all_wait(const fracas_scene* scene, const frc_body* body) {
    if (body->host) return false;
    for (size_t i = 0; i < body->blocks.count; i++)
        if (!scene->blocks.data[body->blocks.data[i]]->free_elements) return false;
    return body->live_triangles > 0 && body->free_edges.count + body->free_points.count == 0;
}

static bool place_all(fracas_scene* scene, uint32_t number) {
    frc_renewal whole = {.body = number, .inherit = true, .places = true};
    return frc_renew_bodies(scene, &whole, 1);
}

bool frc_place_fresh(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    uint32_t meeting = FRACAS_NONE;
    if (!swallow_small(scene, body, &meeting)) return false;
    if (frc_fresh_count(body) == 0) return true;
    if (all_wait(scene, body)) return place_all(scene, number);
    waiting w = {0};
    bool ok = reserve_waiting(scene, body, &w);
    if (ok) {
        sort_out(scene, number, &w);
        frc_fit_points(scene, &w.points[0]);
        frc_fit_points(scene, &w.points[1]);
        // A triangle that was re-pointed has a new corner that waits; its leaf is stale already.
        ok = add_block(scene, number, &w, false, meeting) &&
             add_block(scene, number, &w, true, meeting);
    }
    release_waiting(scene->context, &w);
    if (!ok) return false;
    frc_forget_fresh(scene, body);
    return true;
}
