// Counts the bytes of trees, and provides a counting allocator.
#include "footprint.h"
#include "cull/cull_state.h"
#include "scene/scene.h"
#include <stdlib.h>

static void* count_allocate(size_t size, size_t alignment, void* user) {
    bench_counter* c = user;
    void* memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (!memory) return NULL;
    size_t live = atomic_fetch_add(&c->live, size) + size, most = atomic_load(&c->most);
    while (live > most && !atomic_compare_exchange_weak(&c->most, &most, live)) continue;
    return memory;
}

static void count_release(void* memory, size_t size, void* user) {
    if (memory) atomic_fetch_sub(&((bench_counter*)user)->live, size);
    free(memory);
}

fracas_allocator bench_counting_allocator(bench_counter* counter) {
    return (fracas_allocator){count_allocate, count_release, counter};
}

static void add_block(const frc_block* b, bench_memory* out) {
    const double slots = b->face_slots + b->edge_slots + b->vertex_slots;
    const double places = b->node_count + b->leaf_count;
    out->nodes += b->node_count;
    out->leaves += b->leaf_count;
    out->links += b->leaf_count * sizeof(frc_leaf) + b->face_slots * sizeof(frc_face_slot) +
                  b->edge_slots * sizeof(frc_edge_slot) + b->vertex_slots * sizeof(uint32_t) +
                  slots / 4 * sizeof(uint32_t);
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        const frc_tree* t = &b->tree[m];
        if (!t->nodes) continue;
        double packets =
            (t->face_box ? b->face_slots : 0) + (double)(t->edge_box ? b->edge_slots : 0);
        out->links += b->node_count * sizeof(frc_node);
        out->boxes += packets / 4 * sizeof(frc_box4);
        if (t->cells) out->boxes += b->leaf_count * sizeof *t->cells;
        if (t->leaf_box) out->boxes += 2.0 * b->leaf_count * sizeof(frc_box);
    }
    if (b->skip) out->culling += places;
    if (b->opposite) out->culling += 3.0 * b->face_slots * sizeof *b->opposite;
    if (b->stars) out->culling += b->leaf_count * sizeof *b->stars;
    if (b->marks) out->upkeep += places;
    out->upkeep += (double)(b->stale.capacity + b->unpaired.capacity) * sizeof(uint32_t);
}

bench_memory bench_memory_of(const fracas_scene* scene) {
    bench_memory out = {0};
    const frc_top_tree* top = &scene->top;
    for (size_t i = 0; i < scene->blocks.count; i++)
        if (scene->blocks.data[i]) add_block(scene->blocks.data[i], &out);
    for (size_t i = 0; i < scene->cull_states.of.count; i++)
        if (scene->cull_states.of.data[i])
            out.culling += (double)scene->cull_states.of.data[i]->size;
    for (int m = 0; m < FRC_BOXES_COUNT; m++)
        if (top->nodes[m]) out.top += (top->capacity + 1.0) * sizeof(frc_node);
    out.top += top->capacity * (double)(sizeof *top->leaf_block + sizeof *top->leaves);
    out.top += (top->capacity + 1.0) * (double)(sizeof *top->info + sizeof *top->order);
    return out;
}
