/// @file brute.c  The slow twin of the traversal: every pair of features, no boxes, no trees.
#include "detect/search.h"
#include <string.h>

typedef struct brute {
    const frc_world* world;
    frc_walk* walk;
} brute;

static bool meets(const brute* b, const frc_block* x, const frc_block* y) {
    return frc_bodies_meet(b->world, x->body, y->body);
}

static void pair_discrete(const brute* b, const frc_block* x, const frc_block* y) {
    for (uint32_t i = 0; i < x->face_slots; i++)
        for (uint32_t j = x == y ? i + 1 : 0; j < y->face_slots; j++) {
            if (x->faces[i].id != FRACAS_NONE && y->faces[j].id != FRACAS_NONE)
                frc_add_tt(b->walk, &x->faces[i], &y->faces[j]);
            frc_walk_flush(b->walk, false);
        }
    for (int turn = 0; turn < (x == y ? 1 : 2); turn++) {
        const frc_block *e = turn ? y : x, *f = turn ? x : y;
        for (uint32_t i = 0; e->free_elements && i < e->edge_slots; i++)
            for (uint32_t j = 0; j < f->face_slots; j++) {
                if (e->edges[i].point[0] != FRACAS_NONE && f->faces[j].id != FRACAS_NONE)
                    frc_add_et(b->walk, &e->edges[i], &f->faces[j]);
                frc_walk_flush(b->walk, false);
            }
    }
}

static void pair_vertices(const brute* b, const frc_block* x, const frc_block* y) {
    bool both_free = x->free_elements && y->free_elements;
    for (uint32_t i = 0; i < x->vertex_slots; i++) {
        if (x->vertices[i] == FRACAS_NONE) continue;
        for (uint32_t j = 0; j < y->face_slots; j++) {
            if (y->faces[j].id != FRACAS_NONE) frc_add_vf(b->walk, x->vertices[i], &y->faces[j]);
            frc_walk_flush(b->walk, false);
        }
        for (uint32_t j = 0; both_free && j < y->edge_slots; j++) {
            if (y->edges[j].point[0] != FRACAS_NONE)
                frc_add_ve(b->walk, x->vertices[i], &y->edges[j]);
            frc_walk_flush(b->walk, false);
        }
    }
}

static void pair_continuous(const brute* b, const frc_block* x, const frc_block* y) {
    for (uint32_t i = 0; i < x->edge_slots; i++)
        for (uint32_t j = x == y ? i + 1 : 0; j < y->edge_slots; j++) {
            if (x->edges[i].point[0] != FRACAS_NONE && y->edges[j].point[0] != FRACAS_NONE)
                frc_add_ee(b->walk, &x->edges[i], &y->edges[j]);
            frc_walk_flush(b->walk, false);
        }
    pair_vertices(b, x, y);
    if (x != y) pair_vertices(b, y, x);
    if (!x->free_elements || !y->free_elements) return;
    for (uint32_t i = 0; i < x->vertex_slots; i++)
        for (uint32_t j = x == y ? i + 1 : 0; j < y->vertex_slots; j++) {
            if (x->vertices[i] != FRACAS_NONE && y->vertices[j] != FRACAS_NONE)
                frc_add_vv(b->walk, x->vertices[i], y->vertices[j]);
            frc_walk_flush(b->walk, false);
        }
}

fracas_status frc_search_brute(const frc_world* world, frc_search search, const fracas_query* query,
                               frc_contact_list* out, fracas_statistics* statistics) {
    frc_walk* walk = frc_allocate_zero(world->context, sizeof *walk);
    if (!walk) return frc_fail_memory(world->context, sizeof *walk);
    frc_pile_clear(&walk->found);
    walk->world = world;
    walk->search = search;
    walk->query = query;
    walk->siblings = query->siblings;
    walk->reach = search == FRC_SEARCH_DISCRETE ? 0 : query->min_separation;
    brute b = {world, walk};
    for (uint32_t i = 0; i < world->block_count; i++)
        for (uint32_t j = i; j < world->block_count; j++) {
            const frc_block *x = world->blocks[i], *y = world->blocks[j];
            if (!x || !y || x->dead || y->dead || !meets(&b, x, y)) continue;
            if (search == FRC_SEARCH_DISCRETE)
                pair_discrete(&b, x, y);
            else
                pair_continuous(&b, x, y);
        }
    frc_walk_flush(walk, true);
    bool ok = !walk->out_of_memory;
    frc_pile* found = &walk->found;
    ok = ok && frc_sort_piles(world->context, &found, 1, out);
    *statistics = walk->statistics;
    frc_pile_release(world->context, &walk->found);
    frc_release(world->context, walk, sizeof *walk);
    return ok ? FRACAS_OK : frc_fail_memory(world->context, sizeof(fracas_contact));
}
