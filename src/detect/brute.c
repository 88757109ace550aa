/// @file brute.c  All pairs of features, without boxes and trees: the oracle of the tests.
#include "detect/detect.h"
#include "detect/narrow_phase.h"

static void pair_discrete(frc_detect_worker* worker, const frc_block* x, const frc_block* y) {
    for (uint32_t i = 0; i < x->face_slots; i++)
        for (uint32_t j = x == y ? i + 1 : 0; j < y->face_slots; j++) {
            if (x->faces[i].id != FRACAS_NONE && y->faces[j].id != FRACAS_NONE)
                frc_add_tt(worker, &x->faces[i], &y->faces[j]);
            frc_flush_candidates(worker, false);
        }
    for (int turn = 0; turn < (x == y ? 1 : 2); turn++) {
        const frc_block *e = turn ? y : x, *f = turn ? x : y;
        for (uint32_t i = 0; e->free_elements && i < e->edge_slots; i++)
            for (uint32_t j = 0; j < f->face_slots; j++) {
                if (e->edges[i].point[0] != FRACAS_NONE && f->faces[j].id != FRACAS_NONE)
                    frc_add_et(worker, &e->edges[i], &f->faces[j]);
                frc_flush_candidates(worker, false);
            }
    }
}

static void pair_vertices(frc_detect_worker* worker, const frc_block* x, const frc_block* y) {
    bool both_free = x->free_elements && y->free_elements;
    for (uint32_t i = 0; i < x->vertex_slots; i++) {
        if (x->vertices[i] == FRACAS_NONE) continue;
        for (uint32_t j = 0; j < y->face_slots; j++) {
            if (y->faces[j].id != FRACAS_NONE) frc_add_vf(worker, x->vertices[i], &y->faces[j]);
            frc_flush_candidates(worker, false);
        }
        for (uint32_t j = 0; both_free && j < y->edge_slots; j++) {
            if (y->edges[j].point[0] != FRACAS_NONE)
                frc_add_ve(worker, x->vertices[i], &y->edges[j]);
            frc_flush_candidates(worker, false);
        }
    }
}

static void pair_continuous(frc_detect_worker* worker, const frc_block* x, const frc_block* y) {
    for (uint32_t i = 0; i < x->edge_slots; i++)
        for (uint32_t j = x == y ? i + 1 : 0; j < y->edge_slots; j++) {
            if (x->edges[i].point[0] != FRACAS_NONE && y->edges[j].point[0] != FRACAS_NONE)
                frc_add_ee(worker, &x->edges[i], &y->edges[j]);
            frc_flush_candidates(worker, false);
        }
    pair_vertices(worker, x, y);
    if (x != y) pair_vertices(worker, y, x);
    if (!x->free_elements || !y->free_elements) return;
    for (uint32_t i = 0; i < x->vertex_slots; i++)
        for (uint32_t j = x == y ? i + 1 : 0; j < y->vertex_slots; j++) {
            if (x->vertices[i] != FRACAS_NONE && y->vertices[j] != FRACAS_NONE)
                frc_add_vv(worker, x->vertices[i], y->vertices[j]);
            frc_flush_candidates(worker, false);
        }
}

fracas_status frc_search_brute(const frc_world* world, frc_search_kind kind,
                               const fracas_query* query, frc_contact_list* out,
                               fracas_statistics* statistics) {
    frc_detect_worker* worker = frc_allocate_zero(world->context, sizeof *worker);
    if (!worker) return frc_fail_memory(world->context, sizeof *worker);
    frc_contact_buffer_clear(&worker->found);
    worker->world = world;
    worker->search = kind;
    worker->query = query;
    worker->batch = 1;  // test each candidate at once
    worker->siblings = query->siblings;
    worker->distance = kind == FRC_SEARCH_DISCRETE ? 0 : query->min_separation;
    frc_detect_worker_reach_all(worker);
    for (uint32_t i = 0; i < world->block_count; i++)
        for (uint32_t j = i; j < world->block_count; j++) {
            const frc_block *x = world->blocks[i], *y = world->blocks[j];
            if (!x || !y || !frc_bodies_can_collide(world, x->body, y->body)) continue;
            if (kind == FRC_SEARCH_DISCRETE)
                pair_discrete(worker, x, y);
            else
                pair_continuous(worker, x, y);
        }
    frc_flush_candidates(worker, true);
    bool ok = !worker->out_of_memory;
    frc_contact_buffer* found = &worker->found;
    ok = ok && frc_sort_contacts(world->context, &found, 1, out);
    *statistics = worker->statistics;
    frc_contact_buffer_release(world->context, &worker->found);
    frc_release(world->context, worker, sizeof *worker);
    return ok ? FRACAS_OK : frc_fail_memory(world->context, sizeof(fracas_contact));
}
