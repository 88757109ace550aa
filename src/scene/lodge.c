/// @file lodge.c  Large parts that break off stay in the block they stand in until the next update.
///
/// When a body shatters all of its triangles change hands at once. To take every feature out of its
/// slot, only to fill it into another one, takes longer than a query, in the very frame in which
/// cracks are full of pairs to be tested. So a large part *lodges*: it is a body, but its features
/// stand in a block of what it broke off, its *host*. The next update gives each piece a block of
/// its own, to which most leaves go over as they are (bvh/keep.c), and drops the host.
///
/// Where its features stand now a feature of such a leaf is not told: that would touch all pools of
/// the scene once more. Its place names a slot of the host, whose number is not given out again
/// until no place names it. Places are asked for by edits only. They are written before one, or in
/// the updates that follow, a quarter at a time.
#include "scene/lodge.h"
#include "base/parallel.h"

enum {
    SMALLEST = FRC_LEAF_SIZE,  // triangles of a part
    PARTS = 32,                // so many of its size would be more than the block
    UPDATES = 4,               // in which features are told their places
    STAYING = 2                // times as many as have left: fewer, and the block is to break
};

bool frc_may_lodge(const fracas_scene* scene, uint32_t block, uint32_t triangles) {
    const fracas_scene_options* how = &scene->options;
    bool kept = how->restructure == FRACAS_RESTRUCTURE_SELECTIVE ||
                how->restructure == FRACAS_RESTRUCTURE_NONE;
    return how->lodge && how->inherit && kept && triangles >= SMALLEST &&
           (uint64_t)triangles * PARTS >= scene->blocks.data[block]->face_slots;
}

void frc_lodge(fracas_scene* scene, uint32_t number, uint32_t block) {
    frc_body* body = &scene->bodies.data[number];
    body->host = block + 1;
    body->lodger_at = (uint32_t)scene->lodgers.count;
    scene->lodgers.data[scene->lodgers.count++] = number;
    scene->blocks.data[block]->lodgers++;
}

// The last of the list takes its place.
void frc_lodger_left(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    uint32_t last = scene->lodgers.data[--scene->lodgers.count];
    scene->lodgers.data[body->lodger_at] = last;
    scene->bodies.data[last].lodger_at = body->lodger_at;
    scene->blocks.data[body->host - 1]->lodgers--;
    body->host = 0;
    FRC_ARRAY_RELEASE(scene->context, &body->lodged_slots);
    FRC_ARRAY_RELEASE(scene->context, &body->lodged_triangles);
}

bool frc_has_lodgers(const fracas_scene* scene, const frc_body* body) {
    for (size_t i = 0; i < body->blocks.count; i++)
        if (scene->blocks.data[body->blocks.data[i]]->lodgers > 0) return true;
    return false;
}

// What comes later waits elsewhere. Where nothing does, of as many as there were none has left.
bool frc_lodger_is_whole(const frc_body* body) {
    return body->host && body->fresh_triangles.count == 0 &&
           body->lodged_slots.count == body->live_triangles &&
           body->fresh_cuts.count == body->live_triangles;
}

// ---- edits

// The blocks of a body that have lodgers become those of one of them. There is room for that in the
// lists of every lodger.
static void hand_over(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    for (size_t i = body->blocks.count; i-- > 0;) {
        uint32_t at = body->blocks.data[i];
        frc_block* block = scene->blocks.data[at];
        if (block->lodgers == 0) continue;
        size_t k = 0;
        while (scene->bodies.data[scene->lodgers.data[k]].host != at + 1) k++;
        uint32_t heir = scene->lodgers.data[k];
        frc_lodger_left(scene, heir);
        scene->bodies.data[heir].fresh_cuts.count = 0;
        frc_ids* blocks = &scene->bodies.data[heir].blocks;
        blocks->data[blocks->count++] = at;
        block->body = heir;
        body->blocks.data[i] = body->blocks.data[--body->blocks.count];
    }
}

static void take_out_edges(fracas_scene* scene, frc_body* body, uint32_t triangle, bool wait) {
    for (int k = 0; k < 3; k++) {
        uint32_t edge = scene->topology.triangles.data[triangle].edge[k];
        if (edge == FRACAS_NONE) continue;
        frc_take_out_edge(scene, edge);
        if (wait) frc_wait_edge(body, edge);
    }
}

// Out of whatever blocks they stand in, in the order of `triangles`. If they are to wait there is
// room for that.
static void leave(fracas_scene* scene, uint32_t number, const frc_ids* triangles, bool wait) {
    frc_body* body = &scene->bodies.data[number];
    for (size_t i = 0; i < triangles->count; i++) {
        uint32_t id = triangles->data[i];
        if (id == FRACAS_NONE) continue;
        frc_take_out_triangle(scene, id);
        if (wait) body->fresh_triangles.data[body->fresh_triangles.count++] = id;
        take_out_edges(scene, body, id, wait);
    }
    for (size_t i = 0; i < body->points.count; i++) {
        if (body->points.data[i] == FRACAS_NONE) continue;
        frc_take_out_point(scene, body->points.data[i]);
        if (wait) frc_wait_point(body, body->points.data[i]);
    }
    if (body->host) frc_lodger_left(scene, number);
}

static bool reserve_waiting(fracas_scene* scene, frc_body* body) {
    return frc_body_reserve_fresh(scene, body, body->live_triangles,
                                  3 * (size_t)body->live_triangles, body->live_points);
}

// After this it has no lodgers.
static void leave_as_numbered(fracas_scene* scene, uint32_t number, bool wait) {
    frc_need_places(scene, number);
    hand_over(scene, number);
    leave(scene, number, &scene->bodies.data[number].triangles, wait);
}

void frc_leave_lodgings(fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    if (body->host || frc_has_lodgers(scene, body)) leave_as_numbered(scene, number, false);
}

bool frc_part_lodgers(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    if (!body->host && !frc_has_lodgers(scene, body)) return true;
    if (!reserve_waiting(scene, body)) return false;
    body->fresh_cuts.count = 0;
    leave_as_numbered(scene, number, true);
    return true;
}

// ---- an update

// A body that stays behind with most of the block, by far, keeps it. What has left is taken out as
// by any edit, and waits in the order of the block, unless it has been edited since.
static bool take_out_lodger(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    const bool ordered = frc_lodger_is_whole(body);
    if (!reserve_waiting(scene, body)) return false;
    if (!ordered) body->fresh_cuts.count = 0;
    leave(scene, number, ordered ? &body->lodged_triangles : &body->triangles, true);
    return true;
}

// To take a triangle out, and fill it into another block, takes three times as long as to let it go
// over. Where the owner of a block has less than two thirds of what is in it, all go over.
static bool is_to_break(const fracas_scene* scene, uint32_t block) {
    uint64_t lodging = 0;
    for (size_t i = 0; i < scene->lodgers.count; i++) {
        const frc_body* body = &scene->bodies.data[scene->lodgers.data[i]];
        if (body->host == block + 1) lodging += body->live_triangles;
    }
    return scene->bodies.data[scene->blocks.data[block]->body].live_triangles < STAYING * lodging;
}

bool frc_lodgers_begin(fracas_scene* scene) {
    for (size_t i = 0; i < scene->lodgers.count; i++) {
        uint32_t at = scene->bodies.data[scene->lodgers.data[i]].host - 1;
        frc_block* host = scene->blocks.data[at];
        if (i == 0 || scene->bodies.data[scene->lodgers.data[i - 1]].host != at + 1)
            host->breaking = is_to_break(scene, at);
        frc_scene_mark_stale(scene, scene->lodgers.data[i]);
        frc_scene_mark_stale(scene, host->body);
    }
    for (size_t i = scene->lodgers.count; i-- > 0;) {
        const frc_body* body = &scene->bodies.data[scene->lodgers.data[i]];
        if (body->live_triangles == 0)
            frc_lodger_left(scene, scene->lodgers.data[i]);
        else if (!scene->blocks.data[body->host - 1]->breaking &&
                 !take_out_lodger(scene, scene->lodgers.data[i]))
            return false;
    }
    return true;
}

uint32_t frc_breaking_block(const fracas_scene* scene, const frc_body* body) {
    if (body->host) return body->host - 1;
    for (size_t i = 0; i < body->blocks.count; i++)
        if (scene->blocks.data[body->blocks.data[i]]->lodgers > 0) return body->blocks.data[i];
    return FRACAS_NONE;
}

// By where they stand: each marks its slot, then marks are read in order.
static bool sort_slots(const fracas_scene* scene, const frc_body* body, uint32_t block,
                       frc_ids* out) {
    const size_t words = scene->blocks.data[block]->face_slots / 64 + 1;
    uint64_t* marks = frc_allocate_zero(scene->context, words * sizeof *marks);
    if (!marks) return false;
    for (size_t i = 0; i < body->triangles.count; i++) {
        if (body->triangles.data[i] == FRACAS_NONE) continue;
        frc_place place = scene->topology.triangles.data[body->triangles.data[i]].place;
        if (place.block == block) marks[place.slot / 64] |= (uint64_t)1 << place.slot % 64;
    }
    for (size_t w = 0; w < words; w++)
        for (uint64_t left = marks[w]; left; left &= left - 1)
            out->data[out->count++] = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
    frc_release(scene->context, marks, words * sizeof *marks);
    return true;
}

bool frc_list_in_block(const fracas_scene* scene, uint32_t number, uint32_t at, frc_ids* ids,
                       frc_ids* slots, frc_ids* cuts) {
    fracas_context* context = scene->context;
    const frc_body* body = &scene->bodies.data[number];
    size_t room = body->live_triangles;
    if (!FRC_ARRAY_RESERVE(context, ids, room) || !FRC_ARRAY_RESERVE(context, slots, room) ||
        !FRC_ARRAY_RESERVE(context, cuts, room))
        return false;
    const frc_block* block = scene->blocks.data[at];
    if (!sort_slots(scene, body, at, slots)) return false;
    for (size_t i = 0; i < slots->count; i++) {
        ids->data[ids->count++] = block->faces[slots->data[i]].id;
        cuts->data[cuts->count++] = frc_block_cut(block, slots->data[i - (i > 0)], slots->data[i]);
    }
    return true;
}

// ---- places

void frc_unplaced_name(fracas_scene* scene, frc_block* block, uint32_t names) {
    if (block->unplaced == 0) return;
    block->unplaced_in = names + 1;
    scene->named.data[names]++;
}

void frc_unplaced_enter(fracas_scene* scene, uint32_t number) {
    frc_block* block = scene->blocks.data[number];
    if (block->unplaced == 0) return;
    block->unplaced_at = (uint32_t)scene->unplaced_blocks.count;
    scene->unplaced_blocks.data[scene->unplaced_blocks.count++] = number;
    scene->place_quota += block->unplaced / UPDATES + 1;
}

static void forget_names(fracas_scene* scene, frc_block* block) {
    if (block->unplaced_in) frc_scene_release_number(scene, block->unplaced_in - 1);
    block->unplaced_in = 0;
}

static void place_block(fracas_scene* scene, uint32_t number) {
    frc_block* block = scene->blocks.data[number];
    if (block->unplaced) frc_block_write_places(block, &scene->topology, number);
    forget_names(scene, block);
}

// Of the list from its end.
static uint32_t waiting_block(const fracas_scene* scene, uint32_t i) {
    return scene->unplaced_blocks.data[scene->unplaced_blocks.count - 1 - i];
}

// Leaves of a block that is so large that others would wait for who has it.
enum { LARGE = 1024 };

static void place_blocks(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    fracas_scene* scene = data;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t number = waiting_block(scene, i);
        frc_block* block = scene->blocks.data[number];
        if (block->unplaced) frc_block_write_places(block, &scene->topology, number);
    }
}

typedef struct placing {
    fracas_scene* scene;
    uint32_t block;
} placing;

static void place_leaves(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const placing* p = data;
    frc_block_write_some_places(p->scene->blocks.data[p->block], &p->scene->topology, p->block,
                                begin, end);
}

static void place_large(fracas_scene* scene, uint32_t number) {
    frc_block* block = scene->blocks.data[number];
    if (block->leaf_count < LARGE) return;
    placing p = {scene, number};
    frc_parallel_for(scene->context, block->leaf_count, LARGE / 8, place_leaves, &p);
    block->unplaced = 0;
}

// The last of the list, as many as the quota wants. Some may have gone, or been told.
void frc_place_some(fracas_scene* scene) {
    frc_ids* list = &scene->unplaced_blocks;
    uint32_t count = 0;
    uint64_t leaves = 0;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        frc_block* block = scene->blocks.data[list->data[i]];
        if (!block || block->unplaced == 0 || block->unplaced_at != i) continue;
        block->unplaced_at = (uint32_t)kept;
        list->data[kept++] = list->data[i];
    }
    list->count = kept;
    while (count < kept && leaves < scene->place_quota)
        leaves += scene->blocks.data[list->data[kept - 1 - count++]]->unplaced;
    for (uint32_t i = 0; i < count; i++) place_large(scene, waiting_block(scene, i));
    frc_parallel_for(scene->context, count, 1, place_blocks, scene);
    for (uint32_t i = 0; i < count; i++)
        forget_names(scene, scene->blocks.data[list->data[--list->count]]);
    if (list->count == 0) scene->place_quota = 0;
}

void frc_need_places(fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    for (size_t i = 0; i < body->blocks.count; i++) place_block(scene, body->blocks.data[i]);
    if (body->host) place_block(scene, body->host - 1);
}
