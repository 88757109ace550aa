/// @file points.c  Parallel loops over the points of many bodies.
///
/// The point lists of the bodies are concatenated and cut into stretches of equal length. When
/// these are half of all points or more, the pool of points is swept in memory order instead.
#include "scene/points.h"
#include "base/parallel.h"

enum {
    STRETCH = 256,  // points of a task: a few microseconds
    BODIES = 32     // bodies of a task: reading one from memory takes some 0.1 microseconds
};

// ---- stretches of concatenated lists

typedef struct job {
    const size_t* begin;
    size_t list_count, each;
    frc_stretch_fn* fn;
    void* data;
} job;

static void do_stretches(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const job* j = data;
    size_t at = begin * j->each, stop = end * j->each;
    if (stop > j->begin[j->list_count]) stop = j->begin[j->list_count];
    // The list that has item `at`.
    size_t list = 0, high = j->list_count;
    while (high - list > 1) {
        const size_t middle = (list + high) / 2;
        if (j->begin[middle] <= at)
            list = middle;
        else
            high = middle;
    }
    for (; at < stop; list++) {
        const size_t first = j->begin[list];
        size_t last = j->begin[list + 1] < stop ? j->begin[list + 1] : stop;
        if (at < last) j->fn(list, at - first, last - first, j->data);
        at = last;
    }
}

void frc_each_stretch(fracas_context* context, const size_t* begin, size_t count, size_t each,
                      frc_stretch_fn* fn, void* data) {
    job j = {begin, count, each, fn, data};
    const size_t all = begin[count];
    frc_parallel_for(context, (uint32_t)((all + each - 1) / each), 1, do_stretches, &j);
}

// ---- lists of points

typedef struct task {
    fracas_scene* scene;
    frc_points_fn* fn;
    const uint32_t* const* lists;
} task;

static void do_points(size_t list, size_t begin, size_t end, void* data) {
    const task* t = data;
    t->fn(t->scene, t->lists[list] + begin, end - begin);
}

void frc_each_of(fracas_scene* scene, const frc_ids* ids, frc_points_fn* fn) {
    const size_t begin[2] = {0, ids->count};
    const uint32_t* const list = ids->data;
    task t = {scene, fn, &list};
    frc_each_stretch(scene->context, begin, 1, STRETCH, do_points, &t);
}

static bool is_visited(const frc_body* body, frc_visit visit) {
    if (visit == FRC_VISIT_STALE) return body->points_moved;
    return visit == FRC_VISIT_MOVED ? body->moved_at != 0 && !body->posed : body->posed;
}

// ---- all points in memory order

typedef struct sweep {
    fracas_scene* scene;
    frc_points_fn* fn;
    frc_visit visit;
} sweep;

static void sweep_stretch(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const sweep* s = data;
    const frc_point* points = s->scene->topology.points.data;
    uint32_t ids[STRETCH], last = FRACAS_NONE;
    size_t count = 0;
    bool wanted = false;
    for (uint32_t id = begin; id < end; id++) {
        const uint32_t number = points[id].tag[FRC_TAG_BODY];
        if (number != last) {
            const frc_body* body = &s->scene->bodies.data[number == FRACAS_NONE ? 0 : number];
            wanted = number != FRACAS_NONE && is_visited(body, s->visit);
        }
        last = number;
        if (wanted) ids[count++] = id;
    }
    s->fn(s->scene, ids, count);
}

// ---- points of bodies

// Input and output of find_lists.
typedef struct search {
    const fracas_scene* scene;
    const frc_ids* bodies;
    frc_visit visit;
    const uint32_t** lists;
    size_t* counts;
} search;

// On all workers: a body is a cache miss, and no more than its list of points is read.
static void find_lists(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const search* s = data;
    for (uint32_t i = begin; i < end; i++) {
        const frc_body* body = &s->scene->bodies.data[s->bodies->data[i]];
        s->lists[i] = body->points.data;
        s->counts[i] = is_visited(body, s->visit) ? body->points.count : 0;
    }
}

bool frc_each_point(fracas_scene* scene, const frc_ids* bodies, frc_visit visit,
                    frc_points_fn* fn) {
    fracas_context* context = scene->context;
    const size_t count = bodies->count, pool = scene->topology.points.count;
    bool ok = true;
    search s = {.scene = scene, .bodies = bodies, .visit = visit};
    s.lists = frc_allocate_array(context, count, sizeof *s.lists, &ok);
    s.counts = frc_allocate_array(context, count + 1, sizeof *s.counts, &ok);
    if (ok) {
        frc_parallel_for(context, (uint32_t)count, BODIES, find_lists, &s);
        // Counts become starts in the concatenation.
        size_t all = 0;
        for (size_t i = 0; i < count; i++) {
            const size_t points = s.counts[i];
            s.counts[i] = all;
            all += points;
        }
        s.counts[count] = all;
        sweep in_memory = {scene, fn, visit};
        task by_body = {scene, fn, s.lists};
        if (all >= pool / 2)
            frc_parallel_for(context, (uint32_t)pool, STRETCH, sweep_stretch, &in_memory);
        else
            frc_each_stretch(context, s.counts, count, STRETCH, do_points, &by_body);
    }
    frc_release(context, s.counts, frc_array_size(count + 1, sizeof *s.counts));
    frc_release(context, s.lists, frc_array_size(count, sizeof *s.lists));
    return ok;
}
