/// @file split_sweep.c  The check of a split that takes much of its body, by all workers.
///
/// Every leaving triangle claims its place in the list and its vertices for its part; then each
/// looks whether it still has them. So triangles are listed once, and parts share no vertices. A
/// sweep over the vertex numbers adds up all uses of claimed vertices: there are as many as leaving
/// triangles have corners, or something that stays uses one of them. The claims are the trace of
/// the split.
#include "base/parallel.h"
#include "scene/split_check.h"

enum {
    FEWEST = 32,     // leaving triangles
    SHARE = 8,       // and this part of all numbers
    GRAIN = 1024,    // triangles of a task
    STRETCHES = 64,  // of vertex numbers
    SHORTEST = 256   // vertex numbers of a stretch
};

typedef struct sweep {
    frc_draft* d;
    uint32_t (*corners)[3];        // vertex numbers of leaving triangles
    _Atomic(uint32_t)* triangles;  // by number: position in the list plus 1
    _Atomic(uint32_t)* vertices;   // by number: part plus 1, then position in the list plus 1
    uint32_t* counts;              // by stretch and part: vertices, then the position of the first
    uint64_t uses[STRETCHES];      // of claimed vertices, after the split
    uint32_t stretch, stretches;
    atomic_bool bad;
} sweep;

bool frc_draft_sweeps(const frc_draft* d) {
    const size_t leaving = frc_leaving_count(d->split);
    return leaving >= FEWEST && leaving >= d->triangle_numbers / SHARE &&
           leaving >= d->vertex_numbers / SHARE;
}

// Relaxed: what is read was stored in the loop before, or is stored at the same time by a triangle
// that must not be there.
static uint32_t load(const _Atomic(uint32_t)* at) {
    return atomic_load_explicit(at, memory_order_relaxed);
}
static void store(_Atomic(uint32_t)* at, uint32_t value) {
    atomic_store_explicit(at, value, memory_order_relaxed);
}
static void fail(sweep* s) { atomic_store_explicit(&s->bad, true, memory_order_relaxed); }

static void clear_triangles(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const sweep* s = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) store(&s->triangles[i], 0);
}

static void clear_vertices(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const sweep* s = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) store(&s->vertices[i], 0);
}

// ---- claims

// The corners of a triangle after the split. False: it does not exist then.
static bool find_corners(const frc_draft* d, uint32_t number, uint32_t out[3]) {
    const frc_topology* topology = &d->scene->topology;
    const uint32_t old_count = (uint32_t)d->body->triangles.count;
    if (number >= d->triangle_numbers) return false;
    if (number >= old_count) {
        for (int k = 0; k < 3; k++)
            out[k] = d->split->new_triangles[3 * (size_t)(number - old_count) + (size_t)k];
        return true;
    }
    const uint32_t id = d->body->triangles.data[number];
    if (id == FRACAS_NONE) return false;
    const frc_triangle* t = &topology->triangles.data[id];
    if (!(t->number & FRC_DRAFTED)) {
        for (int k = 0; k < 3; k++) out[k] = topology->points.data[t->point[k]].tag[FRC_TAG_NUMBER];
        return true;
    }
    const frc_draft_triangle* draft = &d->triangles[t->number & ~FRC_DRAFTED];
    for (int k = 0; k < 3; k++) out[k] = d->vertices[draft->corner[k]].number;
    return draft->part != FRC_DRAFT_REMOVED;
}

static void claim(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    sweep* s = data;
    const fracas_split* split = s->d->split;
    uint32_t part = frc_part_at(split->part_offsets, split->part_count, begin);
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        while (i >= split->part_offsets[part + 1]) part++;
        const uint32_t number = split->part_triangles[i];
        uint32_t* corner = s->corners[i];
        if (!find_corners(s->d, number, corner)) {
            fail(s);
            return;
        }
        store(&s->triangles[number], i + 1);
        for (int k = 0; k < 3; k++) store(&s->vertices[corner[k]], part + 1);
    }
}

static void check_claims(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    sweep* s = data;
    const fracas_split* split = s->d->split;
    uint32_t part = frc_part_at(split->part_offsets, split->part_count, begin);
    bool same = true;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        while (i >= split->part_offsets[part + 1]) part++;
        same &= load(&s->triangles[split->part_triangles[i]]) == i + 1;
        for (int k = 0; k < 3; k++) same &= load(&s->vertices[s->corners[i][k]]) == part + 1;
    }
    if (!same) fail(s);
}

// ---- vertices

// How many corners use a vertex after the split; `*is_free`: a free element uses it too.
static uint64_t uses_of(const frc_draft* d, uint32_t number, bool* is_free) {
    const uint32_t old_count = (uint32_t)d->body->points.count;
    if (number >= old_count) {
        const uint32_t at = d->new_vertex_at[number - old_count];
        return at ? (uint64_t)d->vertices[at - 1].uses : 0;
    }
    const frc_vertex_use* use = &d->scene->topology.uses.data[d->body->points.data[number]];
    *is_free |= use->free_edges || use->free_point;
    return use->draft ? (uint64_t)d->vertices[use->draft - 1].uses : use->triangles;
}

static uint32_t end_of(const sweep* s, uint32_t stretch) {
    const uint64_t end = (uint64_t)s->stretch * (stretch + 1);
    return end < s->d->vertex_numbers ? (uint32_t)end : s->d->vertex_numbers;
}

static void count_vertices(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    sweep* s = data;
    (void)worker;
    for (uint32_t n = begin; n < end; n++) {
        uint32_t* counts = s->counts + (size_t)n * s->d->split->part_count;
        uint64_t uses = 0;
        bool is_free = false;
        for (uint32_t p = 0; p < s->d->split->part_count; p++) counts[p] = 0;
        for (uint32_t v = n * s->stretch; v < end_of(s, n); v++) {
            const uint32_t claimed = load(&s->vertices[v]);
            if (!claimed) continue;
            uses += uses_of(s->d, v, &is_free);
            counts[claimed - 1]++;
        }
        s->uses[n] = uses;
        if (is_free) fail(s);
    }
}

// Counts become positions, part by part.
static void find_positions(sweep* s) {
    const uint32_t parts = s->d->split->part_count;
    uint32_t at = 0;
    for (uint32_t p = 0; p < parts; p++) {
        s->d->first_leaving[p] = at;
        for (uint32_t n = 0; n < s->stretches; n++) {
            uint32_t* count = &s->counts[(size_t)n * parts + p];
            const uint32_t first = at;
            at += *count;
            *count = first;
        }
    }
    s->d->first_leaving[parts] = at;
}

static void list_vertices(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    sweep* s = data;
    (void)worker;
    for (uint32_t n = begin; n < end; n++) {
        uint32_t* next = s->counts + (size_t)n * s->d->split->part_count;
        for (uint32_t v = n * s->stretch; v < end_of(s, n); v++) {
            const uint32_t claimed = load(&s->vertices[v]);
            if (!claimed) continue;
            const uint32_t at = next[claimed - 1]++;
            s->d->leaving[at] = v;
            store(&s->vertices[v], at + 1);
        }
    }
}

// ---- all

static bool reserve(sweep* s) {
    frc_draft* d = s->d;
    const fracas_split* split = d->split;
    d->trace = (frc_trace_split){
        .from = d->handle,
        .part_count = split->part_count,
        .numbers = {d->vertex_numbers, d->triangle_numbers}
    };
    // As many stretches as keep their counts below the number of vertices.
    uint32_t shortest = split->part_count > SHORTEST ? split->part_count : SHORTEST;
    s->stretches = d->vertex_numbers / shortest;
    s->stretches = s->stretches < 1 ? 1 : s->stretches > STRETCHES ? STRETCHES : s->stretches;
    s->stretch = (d->vertex_numbers + s->stretches - 1) / s->stretches;
    s->corners = frc_arena_allocate(&d->arena, frc_leaving_count(split), sizeof *s->corners);
    s->counts =
        frc_arena_allocate(&d->arena, (size_t)s->stretches * split->part_count, sizeof *s->counts);
    if (!s->corners || !s->counts || !frc_trace_split_create(d->scene->context, &d->trace))
        return false;
    s->triangles = d->trace.place[FRACAS_ELEMENT_TRIANGLE];
    s->vertices = d->trace.place[FRACAS_ELEMENT_VERTEX];
    d->first_leaving = d->trace.first[FRACAS_ELEMENT_VERTEX];
    return true;
}

static bool is_valid(sweep* s) {
    frc_draft* d = s->d;
    fracas_context* context = d->scene->context;
    const uint32_t count = frc_leaving_count(d->split);
    uint64_t uses = 0;
    frc_parallel_for(context, d->triangle_numbers, 16 * GRAIN, clear_triangles, s);
    frc_parallel_for(context, d->vertex_numbers, 16 * GRAIN, clear_vertices, s);
    frc_parallel_for(context, count, GRAIN, claim, s);
    if (atomic_load(&s->bad)) return false;
    frc_parallel_for(context, count, GRAIN, check_claims, s);
    frc_parallel_for(context, s->stretches, 1, count_vertices, s);
    for (uint32_t n = 0; n < s->stretches; n++) uses += s->uses[n];
    return !atomic_load(&s->bad) && uses == 3 * (uint64_t)count;
}

bool frc_draft_sweep(frc_draft* d, bool* valid) {
    sweep s = {.d = d};
    if (!reserve(&s)) return false;
    atomic_init(&s.bad, false);
    *valid = is_valid(&s);
    if (*valid) {
        find_positions(&s);
        d->leaving = frc_arena_allocate(&d->arena, d->first_leaving[d->split->part_count],
                                        sizeof *d->leaving);
        if (d->leaving) frc_parallel_for(d->scene->context, s.stretches, 1, list_vertices, &s);
    }
    d->swept = *valid && d->leaving;
    if (!d->swept) frc_trace_split_release(d->scene->context, &d->trace);
    return !*valid || d->leaving;
}
