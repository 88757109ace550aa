/// @file crew.c  Who has work puts some where all can reach it.
///
/// `busy` counts workers that have, or may get by themselves, something to do, and tasks on the
/// shelf. Only the busy put tasks there, and count them before they let go; who takes one takes
/// over its count. When the number is 0 and the list is used up, nothing can come any more and all
/// may leave. A worker that arrives late, or never, is no matter.
#include "base/crew.h"
#include "base/clock.h"

// ---- one number for all

// Two counts that change together, so that a task changes hands with one step of it: in the lower
// half who is busy, in the upper half what is wanted, which may fall below 0.
#define BUSY ((uint64_t)1)
#define WANTED ((uint64_t)1 << 32)

static uint32_t busy_of(uint64_t counts) { return (uint32_t)counts; }

// ---- the shelf

/// What lies there: a task, or a call for help.
typedef struct errand {
    frc_task task;
    uint32_t caller;  // one more than the worker who calls for help; 0: a task
    uint32_t loop;    // which of its loops
} errand;

/// A place is free until somebody claims it to put something there. That it is full says a bit of
/// the crew's: who looks for a task need not go from place to place.
typedef struct place {
    _Alignas(64) atomic_bool taken;
    errand errand;
} place;

/// The loop within a task of one worker. Helpers go in and out through the door while that loop is
/// open: calls for a loop that is over find it shut, or another number on it.
typedef struct bench {
    _Alignas(64) atomic_uint_fast64_t door;  // upper half: the loop, 0 when shut; lower: who is in
    _Alignas(64) atomic_uint_fast32_t next;
    uint32_t count, loops;  // loops: how many there have been
    frc_range_fn* body;
    void* data;
} bench;

struct frc_crew {
    fracas_context* context;
    const frc_crew_work* work;
    uint32_t workers;
    bool aside;                  // is still to be done; of the calling thread
    double* idle_ms;             // by worker
    place* shelf;                // two for each worker; NULL: nobody waits
    bench* benches;              // by worker
    atomic_uint_fast64_t* full;  // which places are: a bit for each, in words of 64
    uint32_t places;
    _Alignas(64) atomic_uint_fast32_t next;  // task of the list
    // Busy, and wanted: workers that wait, and the spare, less what is on the shelf.
    _Alignas(64) atomic_uint_fast64_t counts;
};

static bool claim(place* p) {
    if (atomic_load_explicit(&p->taken, memory_order_relaxed)) return false;
    return !atomic_exchange_explicit(&p->taken, true, memory_order_acquire);
}

static bool put_on_shelf(const frc_hand* hand, const errand* what) {
    frc_crew* crew = hand->crew;
    for (uint32_t i = 0; i < crew->places; i++) {
        const uint32_t at = (2 * hand->worker + i) % crew->places;
        place* p = &crew->shelf[at];
        if (!claim(p)) continue;
        p->errand = *what;
        atomic_fetch_add_explicit(&crew->counts, BUSY - WANTED, memory_order_relaxed);
        frc_jitter(crew->context);
        atomic_fetch_or_explicit(&crew->full[at / 64], (uint64_t)1 << at % 64,
                                 memory_order_release);
        return true;
    }
    return false;
}

bool frc_give(frc_hand* hand, const frc_task* task) {
    const errand what = {.task = *task};
    return put_on_shelf(hand, &what);
}

// The first bit of a word from number `from` on, and round.
static uint32_t first_bit(uint64_t word, uint32_t from) {
    const uint64_t turned = from ? word >> from | word << (64 - from) : word;
    return (from + (uint32_t)__builtin_ctzll(turned)) % 64;
}

// One of the full places of a word; false when there is none.
static bool take_from_word(frc_crew* crew, uint32_t word, uint32_t from, errand* out) {
    atomic_uint_fast64_t* full = &crew->full[word];
    uint64_t bits = atomic_load_explicit(full, memory_order_relaxed);
    while (bits) {
        const uint32_t bit = first_bit(bits, from);
        const uint64_t mask = (uint64_t)1 << bit;
        bits = atomic_fetch_and_explicit(full, ~mask, memory_order_acquire);
        if (!(bits & mask)) continue;  // somebody else was first
        place* p = &crew->shelf[64 * word + bit];
        *out = p->errand;
        frc_jitter(crew->context);
        atomic_store_explicit(&p->taken, false, memory_order_release);
        return true;
    }
    return false;
}

// Its own places first: what it has put there is nearest. The task's count in `busy` comes along.
static bool take_from_shelf(frc_crew* crew, uint32_t worker, errand* out) {
    const uint32_t words = (crew->places + 63) / 64, own = 2 * worker;
    for (uint32_t i = 0; i < words; i++)
        if (take_from_word(crew, (own / 64 + i) % words, i ? 0 : own % 64, out)) return true;
    return false;
}

static bool take_from_list(frc_crew* crew, errand* out) {
    // The number stays small however often it is asked for.
    const frc_crew_work* work = crew->work;
    if (atomic_load_explicit(&crew->next, memory_order_relaxed) >= work->count) return false;
    uint_fast32_t i = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
    if (i >= work->count) return false;
    *out = (errand){.task = work->tasks[i]};
    return true;
}

uint32_t frc_crew_taken(const frc_hand* hand) {
    const uint32_t count = hand->crew->work->count;
    uint_fast32_t next = atomic_load_explicit(&hand->crew->next, memory_order_relaxed);
    return next < count ? (uint32_t)next : count;
}

// Wait until there is a task; false when there will be none.
static bool wait_for_task(frc_crew* crew, uint32_t worker, errand* out) {
    bool found = false;
    // What this worker has done is seen by those who find that nobody is busy.
    atomic_fetch_add_explicit(&crew->counts, WANTED - BUSY, memory_order_acq_rel);
    for (uint32_t turn = 0; !found; turn++) {
        if (busy_of(atomic_load_explicit(&crew->counts, memory_order_acquire)) == 0) break;
        found = take_from_shelf(crew, worker, out);
        if (!found) frc_relax(crew->context, turn);
    }
    // One that waits less, or one task less on the shelf: see `wanted`.
    if (!found) atomic_fetch_sub_explicit(&crew->counts, WANTED, memory_order_relaxed);
    return found;
}

// Without waiting.
static bool find_task(frc_crew* crew, uint32_t worker, errand* out) {
    if (take_from_list(crew, out)) return true;
    if (!crew->shelf || !take_from_shelf(crew, worker, out)) return false;
    // It is counted twice now, and there is one task less on the shelf.
    atomic_fetch_add_explicit(&crew->counts, WANTED - BUSY, memory_order_relaxed);
    return true;
}

// ---- loops within tasks

#define LOOP_STEP ((uint64_t)1 << 32)

// Through the door of a loop, unless it is over.
static bool go_in(bench* b, uint32_t loop) {
    uint_fast64_t door = atomic_load_explicit(&b->door, memory_order_relaxed);
    while (door >> 32 == loop)
        if (atomic_compare_exchange_weak_explicit(&b->door, &door, door + 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return true;
    return false;
}

static bool take_range(bench* b, uint32_t* range) {
    if (atomic_load_explicit(&b->next, memory_order_relaxed) >= b->count) return false;
    *range = (uint32_t)atomic_fetch_add_explicit(&b->next, 1, memory_order_relaxed);
    return *range < b->count;
}

static void help(frc_crew* crew, uint32_t worker, const errand* call) {
    bench* b = &crew->benches[call->caller - 1];
    if (!go_in(b, call->loop)) return;
    frc_jitter(crew->context);
    for (uint32_t i; take_range(b, &i);) b->body(i, i + 1, worker, b->data);
    atomic_fetch_sub_explicit(&b->door, 1, memory_order_release);
}

// Calls, as many as are wanted and there are ranges left for, and works on.
static void run_open_loop(const frc_hand* hand, bench* b) {
    const errand call = {.caller = hand->worker + 1, .loop = b->loops};
    uint32_t calls = 0;
    for (uint32_t i; take_range(b, &i);) {
        while (calls + i + 1 < b->count && frc_is_wanted(hand) && put_on_shelf(hand, &call))
            calls++;
        b->body(i, i + 1, hand->worker, b->data);
    }
}

void frc_hand_for(frc_hand* hand, uint32_t count, frc_range_fn* body, void* data) {
    if (!hand || !hand->crew->shelf || count < 2) {
        const uint32_t worker = hand ? hand->worker : 0;
        for (uint32_t i = 0; i < count; i++) body(i, i + 1, worker, data);
        return;
    }
    bench* b = &hand->crew->benches[hand->worker];
    b->count = count, b->body = body, b->data = data;
    b->loops++;
    atomic_store_explicit(&b->next, 0, memory_order_relaxed);
    atomic_store_explicit(&b->door, b->loops * LOOP_STEP, memory_order_release);
    run_open_loop(hand, b);
    // Nobody may go in any more; those who did are at their last range.
    atomic_fetch_sub_explicit(&b->door, b->loops * LOOP_STEP, memory_order_relaxed);
    for (uint32_t turn = 0; atomic_load_explicit(&b->door, memory_order_acquire) != 0; turn++)
        frc_relax(hand->crew->context, turn);
}

// ---- workers

static void run_errand(frc_hand* hand, const errand* what) {
    frc_crew* crew = hand->crew;
    if (what->caller)
        help(crew, hand->worker, what);
    else
        crew->work->run(hand, &what->task, crew->work->data);
}

// Worker 0 is the calling thread.
static void step_aside(frc_crew* crew) {
    if (crew->aside) crew->work->aside(crew->work->aside_data);
    crew->aside = false;
}

static void work(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)begin, (void)end;
    frc_crew* crew = data;
    const frc_crew_work* w = crew->work;
    frc_hand hand = {crew, &crew->counts, worker, 0};
    errand what;
    bool worked = false;  // since it has rested
    if (worker == 0) step_aside(crew);
    atomic_fetch_add_explicit(&crew->counts, BUSY, memory_order_acq_rel);
    for (bool some = true; some;) {
        while (find_task(crew, worker, &what)) {
            frc_jitter(crew->context);
            run_errand(&hand, &what);
            worked = true;
        }
        if (w->rest && worked) w->rest(&hand, w->data);
        if (!crew->shelf) break;
        double start = frc_clock_ms();
        some = wait_for_task(crew, worker, &what);
        hand.idle_ms += frc_clock_ms() - start;
        if (some) run_errand(&hand, &what);
        worked = some;
    }
    if (w->end) w->end(&hand, w->data);
    crew->idle_ms[worker] += hand.idle_ms;
}

// All that workers meet at, in one piece: lines of their own for places, benches and bits.
typedef struct furniture {
    size_t words, benches, idle, size;  // where each begins after the places, in bytes; the end
} furniture;

static furniture plan_furniture(uint32_t workers) {
    furniture f = {.words = 2 * (size_t)workers * sizeof(place)};
    f.benches = f.words + ((size_t)workers + 255) / 256 * 64;
    f.idle = f.benches + workers * sizeof(bench);
    f.size = f.idle + workers * sizeof(double);
    return f;
}

// Without memory nobody waits: the caller does everything.
static void set_up(frc_crew* crew, const furniture* f) {
    char* room = frc_allocate_zero(crew->context, f->size);
    if (!room) return;
    crew->places = 2 * crew->workers;
    crew->shelf = (place*)(void*)room;
    crew->full = (atomic_uint_fast64_t*)(void*)(room + f->words);
    crew->benches = (bench*)(void*)(room + f->benches);
    crew->idle_ms = (double*)(void*)(room + f->idle);
    for (uint32_t i = 0; i < crew->places; i++) atomic_init(&crew->shelf[i].taken, false);
    for (uint32_t i = 0; i < (crew->places + 63) / 64; i++) atomic_init(&crew->full[i], 0);
    for (uint32_t i = 0; i < crew->workers; i++) atomic_init(&crew->benches[i].door, 0);
    atomic_init(&crew->counts, crew->workers / 2 * WANTED);
}

double frc_crew_run(fracas_context* context, const frc_crew_work* what) {
    const uint32_t workers = frc_worker_count(context);
    const furniture f = plan_furniture(workers);
    double alone = 0;
    frc_crew crew = {.context = context,
                     .work = what,
                     .workers = workers,
                     .aside = what->aside != NULL,
                     .idle_ms = &alone};
    atomic_init(&crew.next, 0);
    atomic_init(&crew.counts, 0);
    if (workers > 1 && what->count > 0) set_up(&crew, &f);
    // One range for every worker; without a shelf the caller does everything.
    frc_parallel_for(context, crew.shelf ? workers : 1, 1, work, &crew);
    // Others may have left nothing for the calling thread.
    step_aside(&crew);
    double idle = 0;
    for (uint32_t i = 0; i < (crew.shelf ? workers : 1); i++) idle += crew.idle_ms[i];
    frc_release(context, crew.shelf, f.size);
    return idle;
}
