/// @file crew.c  Who has work puts some where all can reach it.
///
/// `busy` counts workers that have, or may get by themselves, something to do, and tasks on the
/// shelf. Only the busy put tasks there, and count them before they let go; who takes one takes
/// over its count. When the number is 0 and the list is used up, nothing can come any more and all
/// may leave. A worker that arrives late, or never, is no matter.
#include "base/crew.h"
#include "base/clock.h"

enum { EMPTY, CLAIMED, FULL };  // a place on the shelf; CLAIMED: somebody writes or reads it

typedef struct place {
    _Alignas(64) atomic_uint_fast32_t state;
    frc_task task;
} place;

struct frc_crew {
    fracas_context* context;
    const frc_task* tasks;
    uint32_t count, workers;
    frc_task_fn* run;
    frc_rest_fn* rest;
    void* data;
    double* idle_ms;  // by worker
    place* shelf;     // two for each worker; NULL: nobody waits, as there was no memory for it
    uint32_t places;
    _Alignas(64) atomic_uint_fast32_t next;  // task of the list
    _Alignas(64) atomic_uint_fast32_t busy;
    _Alignas(64)
        atomic_int_fast32_t wanted;         // workers that wait, and the spare, less what is there
    _Alignas(64) atomic_int_fast32_t full;  // places; a hint where to look
};

// From one state to another, if it was the first.
static bool claim(place* p, uint_fast32_t state) {
    if (atomic_load_explicit(&p->state, memory_order_relaxed) != state) return false;
    return atomic_compare_exchange_strong_explicit(&p->state, &state, CLAIMED, memory_order_acquire,
                                                   memory_order_relaxed);
}

bool frc_give(frc_hand* hand, const frc_task* task) {
    frc_crew* crew = hand->crew;
    for (uint32_t i = 0; i < crew->places; i++) {
        place* p = &crew->shelf[(2 * hand->worker + i) % crew->places];
        if (!claim(p, EMPTY)) continue;
        p->task = *task;
        atomic_fetch_sub_explicit(&crew->wanted, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&crew->busy, 1, memory_order_relaxed);
        frc_jitter(crew->context);
        atomic_store_explicit(&p->state, FULL, memory_order_release);
        atomic_fetch_add_explicit(&crew->full, 1, memory_order_relaxed);
        return true;
    }
    return false;
}

// Its own places first: what it has put there is nearest. The task's count in `busy` comes along.
static bool take_from_shelf(frc_crew* crew, uint32_t worker, frc_task* out) {
    if (atomic_load_explicit(&crew->full, memory_order_relaxed) <= 0) return false;
    for (uint32_t i = 0; i < crew->places; i++) {
        place* p = &crew->shelf[(2 * worker + i) % crew->places];
        if (!claim(p, FULL)) continue;
        *out = p->task;
        frc_jitter(crew->context);
        atomic_fetch_sub_explicit(&crew->full, 1, memory_order_relaxed);
        atomic_store_explicit(&p->state, EMPTY, memory_order_release);
        return true;
    }
    return false;
}

static bool take_from_list(frc_crew* crew, frc_task* out) {
    // The number stays small however often it is asked for.
    if (atomic_load_explicit(&crew->next, memory_order_relaxed) >= crew->count) return false;
    uint_fast32_t i = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
    if (i >= crew->count) return false;
    *out = crew->tasks[i];
    return true;
}

uint32_t frc_crew_taken(const frc_hand* hand) {
    const frc_crew* crew = hand->crew;
    uint_fast32_t next = atomic_load_explicit(&crew->next, memory_order_relaxed);
    return next < crew->count ? (uint32_t)next : crew->count;
}

// Wait until there is a task; false when there will be none.
static bool wait_for_task(frc_crew* crew, uint32_t worker, frc_task* out) {
    bool found = false;
    atomic_fetch_add_explicit(&crew->wanted, 1, memory_order_relaxed);
    // What this worker has done is seen by those who find that nobody is busy.
    atomic_fetch_sub_explicit(&crew->busy, 1, memory_order_acq_rel);
    for (uint32_t turn = 0; !found; turn++) {
        if (atomic_load_explicit(&crew->busy, memory_order_acquire) == 0) break;
        found = take_from_shelf(crew, worker, out);
        if (!found) frc_relax(crew->context, turn);
    }
    // One that waits less, or one task less on the shelf: see `wanted`.
    if (!found) atomic_fetch_sub_explicit(&crew->wanted, 1, memory_order_relaxed);
    return found;
}

// Without waiting.
static bool find_task(frc_crew* crew, uint32_t worker, frc_task* out) {
    if (take_from_list(crew, out)) return true;
    if (!crew->shelf || !take_from_shelf(crew, worker, out)) return false;
    // It is counted twice now, and there is one task less on the shelf.
    atomic_fetch_sub_explicit(&crew->busy, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&crew->wanted, 1, memory_order_relaxed);
    return true;
}

static void work(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)begin, (void)end;
    frc_crew* crew = data;
    frc_hand hand = {crew, &crew->wanted, worker, 0};
    frc_task task;
    atomic_fetch_add_explicit(&crew->busy, 1, memory_order_acq_rel);
    for (bool some = true; some;) {
        while (find_task(crew, worker, &task)) {
            frc_jitter(crew->context);
            crew->run(&hand, &task, crew->data);
        }
        if (crew->rest) crew->rest(&hand, crew->data);
        if (!crew->shelf) break;
        double start = frc_clock_ms();
        some = wait_for_task(crew, worker, &task);
        hand.idle_ms += frc_clock_ms() - start;
        if (some) crew->run(&hand, &task, crew->data);
    }
    crew->idle_ms[worker] += hand.idle_ms;
}

double frc_crew_run(fracas_context* context, const frc_task* tasks, uint32_t count,
                    frc_task_fn* run, frc_rest_fn* rest, void* data) {
    uint32_t workers = frc_worker_count(context);
    double alone = 0;
    frc_crew crew = {.context = context,
                     .tasks = tasks,
                     .count = count,
                     .workers = workers,
                     .run = run,
                     .rest = rest,
                     .data = data,
                     .idle_ms = &alone};
    size_t size = workers * (2 * sizeof(place) + sizeof(double));
    if (workers > 1 && count > 0) crew.shelf = frc_allocate_zero(context, size);
    crew.places = crew.shelf ? 2 * workers : 0;
    if (crew.shelf) crew.idle_ms = (double*)(void*)(crew.shelf + crew.places);
    atomic_init(&crew.next, 0);
    atomic_init(&crew.busy, 0);
    atomic_init(&crew.wanted, crew.shelf ? (int_fast32_t)(workers / 2) : 0);
    atomic_init(&crew.full, 0);
    for (uint32_t i = 0; i < crew.places; i++) atomic_init(&crew.shelf[i].state, EMPTY);
    // One range for every worker; without a shelf the caller does everything.
    frc_parallel_for(context, crew.shelf ? workers : 1, 1, work, &crew);
    double idle = 0;
    for (uint32_t i = 0; i < (crew.shelf ? workers : 1); i++) idle += crew.idle_ms[i];
    frc_release(context, crew.shelf, size);
    return idle;
}
