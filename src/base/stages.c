/// @file stages.c  The stage that is open, its parts, and who opens the next.
#include "base/stages.h"
#include "base/parallel.h"

typedef struct stage_state {
    _Alignas(64) atomic_uint_fast64_t taken;  // lower half: from the first on; upper: from the last
    _Alignas(64) atomic_uint_fast32_t done;
    uint32_t parts;
} stage_state;

typedef struct job {
    fracas_context* context;
    const frc_stage* stages;
    uint32_t count;
    void* data;
    bool failed;
    _Alignas(64) atomic_uint_fast32_t open;  // the stage whose parts may be taken; `count`: none
    stage_state states[FRC_STAGES];
} job;

// All stages before `s` are done, and nobody else is here: the next one that has parts begins.
static void open_from(job* j, uint32_t s) {
    for (; s < j->count; s++) {
        stage_state* state = &j->states[s];
        state->parts = 0;
        if (!j->stages[s].before(j->data, &state->parts)) {
            j->failed = true;
            s = j->count;
            break;
        }
        atomic_init(&state->taken, 0);
        atomic_init(&state->done, 0);
        if (state->parts > 0) break;
    }
    atomic_store_explicit(&j->open, s, memory_order_release);
}

#define BACK ((uint64_t)1 << 32)

static bool take(stage_state* state, bool back, uint32_t* part) {
    const uint64_t taken =
        atomic_fetch_add_explicit(&state->taken, back ? BACK : 1, memory_order_relaxed);
    const uint32_t first = (uint32_t)taken, last = (uint32_t)(taken >> 32);
    *part = back ? state->parts - 1 - last : first;
    return (uint64_t)first + last < state->parts;
}

// Until nothing of a stage is left to take. Whoever does the last part opens the next stage.
static void work_on(job* j, uint32_t s, bool back) {
    stage_state* state = &j->states[s];
    const uint32_t parts = state->parts;
    for (uint32_t part; take(state, back, &part);) {
        frc_jitter(j->context);
        j->stages[s].part(part, j->data);
        if (atomic_fetch_add_explicit(&state->done, 1, memory_order_acq_rel) + 1 == parts)
            open_from(j, s + 1);
    }
}

static void work(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)begin, (void)end;
    job* j = data;
    for (uint32_t s, turn = 0, last = j->count;;) {
        s = (uint32_t)atomic_load_explicit(&j->open, memory_order_acquire);
        if (s >= j->count) return;
        if (s == last) {
            frc_relax(j->context, turn++);
            continue;
        }
        work_on(j, s, worker % 2);
        last = s, turn = 0;
    }
}

bool frc_stages_run(fracas_context* context, const frc_stage* stages, uint32_t count, void* data) {
    job j = {.context = context, .stages = stages, .count = count, .data = data};
    atomic_init(&j.open, 0);
    open_from(&j, 0);
    frc_parallel_for(context, frc_worker_count(context), 1, work, &j);
    return !j.failed;
}
