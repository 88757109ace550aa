/// @file crew.c  Who has work gives some to who has none.
///
/// `busy` counts workers that have, or may get by themselves, something to do. Only those give, and
/// whoever gives counts the receiver before it lets go: when the number is 0 and the list is used
/// up, nothing can come any more and all may leave. A worker that arrives late, or never, is no
/// matter.
#include "base/crew.h"
#include "base/clock.h"

enum { CLOSED, OPEN, TAKEN, FULL };  // a cell; TAKEN: somebody is writing into it

typedef struct cell {
    _Alignas(64) atomic_uint_fast32_t state;
    frc_task task;
} cell;

struct frc_crew {
    fracas_context* context;
    const frc_task* tasks;
    uint32_t count, workers;
    frc_task_fn* run;
    frc_rest_fn* rest;
    void* data;
    double* idle_ms;  // by worker
    cell* cells;      // by worker; NULL: nobody waits, as there was no memory for it
    _Alignas(64) atomic_uint_fast32_t next;  // task of the list
    _Alignas(64) atomic_uint_fast32_t busy;
    _Alignas(64) atomic_uint_fast32_t waiting;
};

bool frc_give(frc_hand* hand, const frc_task* task) {
    frc_crew* crew = hand->crew;
    for (uint32_t i = 1; i < crew->workers; i++) {
        cell* c = &crew->cells[(hand->worker + i) % crew->workers];
        uint_fast32_t open = OPEN;
        if (atomic_load_explicit(&c->state, memory_order_relaxed) != OPEN) continue;
        if (!atomic_compare_exchange_strong_explicit(&c->state, &open, TAKEN, memory_order_acquire,
                                                     memory_order_relaxed))
            continue;
        c->task = *task;
        atomic_fetch_sub_explicit(&crew->waiting, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&crew->busy, 1, memory_order_relaxed);
        frc_jitter(crew->context);
        atomic_store_explicit(&c->state, FULL, memory_order_release);
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

// Wait until somebody gives a task, which is then counted as ours; false when nobody will.
static bool wait_for_task(frc_crew* crew, uint32_t worker, frc_task* out) {
    cell* c = &crew->cells[worker];
    atomic_fetch_add_explicit(&crew->waiting, 1, memory_order_relaxed);
    atomic_store_explicit(&c->state, OPEN, memory_order_release);
    // What this worker has done is seen by those who find that nobody is busy.
    atomic_fetch_sub_explicit(&crew->busy, 1, memory_order_acq_rel);
    for (uint32_t turn = 0;; turn++) {
        uint_fast32_t state = atomic_load_explicit(&c->state, memory_order_acquire);
        if (state == FULL) {
            *out = c->task;
            atomic_store_explicit(&c->state, CLOSED, memory_order_relaxed);
            return true;
        }
        if (state == OPEN && atomic_load_explicit(&crew->busy, memory_order_acquire) == 0) {
            // Nobody is left who could have taken the cell.
            atomic_store_explicit(&c->state, CLOSED, memory_order_relaxed);
            atomic_fetch_sub_explicit(&crew->waiting, 1, memory_order_relaxed);
            return false;
        }
        frc_relax(crew->context, turn);
    }
}

static void work(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)begin, (void)end;
    frc_crew* crew = data;
    frc_hand hand = {crew, &crew->waiting, worker, 0};
    frc_task task;
    atomic_fetch_add_explicit(&crew->busy, 1, memory_order_acq_rel);
    for (bool some = true; some;) {
        while (take_from_list(crew, &task)) {
            frc_jitter(crew->context);
            crew->run(&hand, &task, crew->data);
        }
        if (crew->rest) crew->rest(&hand, crew->data);
        if (!crew->cells) break;
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
    size_t size = workers * (sizeof(cell) + sizeof(double));
    if (workers > 1 && count > 0) crew.cells = frc_allocate_zero(context, size);
    if (crew.cells) crew.idle_ms = (double*)(void*)(crew.cells + workers);
    atomic_init(&crew.next, 0);
    atomic_init(&crew.busy, 0);
    atomic_init(&crew.waiting, 0);
    for (uint32_t i = 0; crew.cells && i < workers; i++) atomic_init(&crew.cells[i].state, CLOSED);
    // One range for every worker; without cells the caller does everything.
    frc_parallel_for(context, crew.cells ? workers : 1, 1, work, &crew);
    double idle = 0;
    for (uint32_t i = 0; i < (crew.cells ? workers : 1); i++) idle += crew.idle_ms[i];
    frc_release(context, crew.cells, size);
    return idle;
}
