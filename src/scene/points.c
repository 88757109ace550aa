/// @file points.c  Points of one body after the other are one long list, dealt out in stretches.
/// Where that is most of all that there are, they are taken as they lie in memory instead.
#include "scene/points.h"
#include "base/parallel.h"

enum {
    STRETCH = 256,  // points that a worker takes at a time: a few microseconds
    BODIES = 32     // bodies: reading one from memory takes some tenths of a microsecond
};

// ---- lists

typedef struct job {
    const size_t* begin;
    size_t list_count, each;
    frc_stretch_fn* fn;
    void* data;
} job;

static size_t find_list(const job* j, size_t at) {
    size_t low = 0, high = j->list_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (j->begin[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void do_stretches(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const job* j = data;
    size_t at = begin * j->each, stop = end * j->each;
    if (stop > j->begin[j->list_count]) stop = j->begin[j->list_count];
    for (size_t list = find_list(j, at); at < stop; list++) {
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

// What is done with them.
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

// ---- by where they lie

typedef struct sweep {
    fracas_scene* scene;
    frc_points_fn* fn;
    bool fit;
} sweep;

static bool is_wanted(const sweep* s, uint32_t number) {
    if (number == FRACAS_NONE) return false;
    const frc_body* body = &s->scene->bodies.data[number];
    return s->fit ? body->points_moved : body->moved_at != 0;
}

static void sweep_stretch(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const sweep* s = data;
    const frc_point* points = s->scene->topology.points.data;
    uint32_t ids[STRETCH], last = FRACAS_NONE;
    size_t count = 0;
    bool wanted = false;
    for (uint32_t id = begin; id < end; id++) {
        const uint32_t number = points[id].tag[FRC_TAG_BODY];
        if (number != last) wanted = is_wanted(s, number);
        last = number;
        if (wanted) ids[count++] = id;
    }
    s->fn(s->scene, ids, count);
}

// ---- by bodies

// The lists are looked up by all workers: to fetch a body takes longer than to note where its
// points are.
typedef struct search {
    const fracas_scene* scene;
    const frc_ids* bodies;
    bool fit;
    const uint32_t** lists;
    size_t* counts;
} search;

static void find_lists(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const search* s = data;
    for (uint32_t i = begin; i < end; i++) {
        const frc_body* body = &s->scene->bodies.data[s->bodies->data[i]];
        s->lists[i] = body->points.data;
        s->counts[i] = body->points_moved || !s->fit ? body->points.count : 0;
    }
}

static void run_lists(fracas_scene* scene, search* s, frc_points_fn* fn) {
    size_t count = s->bodies->count, all = 0;
    frc_parallel_for(scene->context, (uint32_t)count, BODIES, find_lists, s);
    for (size_t i = 0; i < count; i++) {
        size_t points = s->counts[i];
        s->counts[i] = all;
        all += points;
    }
    s->counts[count] = all;
    const size_t there = scene->topology.points.count;
    if (all >= there / 2) {
        sweep by_place = {scene, fn, s->fit};
        frc_parallel_for(scene->context, (uint32_t)there, STRETCH, sweep_stretch, &by_place);
        return;
    }
    task t = {scene, fn, s->lists};
    frc_each_stretch(scene->context, s->counts, count, STRETCH, do_points, &t);
}

bool frc_each_point(fracas_scene* scene, const frc_ids* bodies, bool fit, frc_points_fn* fn) {
    fracas_context* context = scene->context;
    size_t count = bodies->count;
    bool ok = true;
    search s = {.scene = scene, .bodies = bodies, .fit = fit};
    s.lists = frc_allocate_array(context, count, sizeof *s.lists, &ok);
    s.counts = frc_allocate_array(context, count + 1, sizeof *s.counts, &ok);
    if (ok) run_lists(scene, &s, fn);
    frc_release(context, s.counts, frc_array_size(count + 1, sizeof *s.counts));
    frc_release(context, s.lists, frc_array_size(count, sizeof *s.lists));
    return ok;
}
