/// @file windows.c  A search in windows: the tasks that the trees divide into run one group after
/// the other, each on all workers, and the contacts of a group are sorted and passed on.
///
/// A group whose contacts exceed the limit is stopped and run again with half of its tasks; a
/// single task is split into the pairs of children that it consists of. How many contacts a group
/// has does not depend on workers and timing, so neither do the windows. The work of stopped groups
/// is lost, at most the limit each; groups grow only while they stay below a quarter of it.
#include "base/clock.h"
#include "detect/stream.h"
#include "detect/traverse.h"
#include <math.h>

typedef struct share {
    frc_work work;
    double part;  // of the whole search, for progress
} share;

typedef struct windows {
    frc_search_run run;
    const frc_search_options* options;
    frc_window window;
    FRC_ARRAY(share) left;  // the next task last
    size_t group;           // tasks in the next group
    double done;            // part of the search
    double progress[2];
    frc_contact_list contacts;
} windows;

// The tasks of the trees, in order.
static bool divide(windows* w) {
    fracas_context* context = w->run.world->context;
    w->run.world->method->divide(&w->run);
    if (w->run.workers[0]->out_of_memory) return false;
    const size_t count = w->run.tasks.count;
    for (size_t i = count; i > 0; i--) {
        const share s = {w->run.tasks.data[i - 1], 1 / (double)count};
        if (!FRC_ARRAY_PUSH(context, &w->left, s)) return false;
    }
    // All of them: few contacts are one window, in the order of a query without windows.
    w->group = count;
    return true;
}

// Replace the next task by its parts. False: it has none, or `*memory` is false.
static bool split_next(windows* w, bool* memory) {
    fracas_context* context = w->run.world->context;
    frc_work_list parts = {0};
    const share whole = w->left.data[w->left.count - 1];
    const bool split = frc_split_work(w->run.workers[0], &whole.work, &parts);
    *memory = !w->run.workers[0]->out_of_memory &&
              FRC_ARRAY_RESERVE(context, &w->left, w->left.count + parts.count);
    if (split && *memory) {
        w->left.count--;
        if (parts.count == 0) w->done += whole.part;
        for (size_t i = parts.count; i > 0; i--)
            w->left.data[w->left.count++] =
                (share){parts.data[i - 1], whole.part / (double)parts.count};
    }
    FRC_ARRAY_RELEASE(context, &parts);
    return split && *memory;
}

static size_t count_found(const frc_search_run* run) {
    size_t all = 0;
    for (uint32_t i = 0; i < run->worker_count; i++) all += run->buffers[i]->contacts.count;
    return all;
}

typedef enum outcome { DONE, TOO_MANY, NO_MEMORY, CANCELLED } outcome;

// Run the next group and sort its contacts; `limit` SIZE_MAX: whatever their number.
static outcome run_group(windows* w, size_t limit, fracas_statistics* statistics) {
    fracas_context* context = w->run.world->context;
    fracas_statistics found = {.earliest_toi = statistics->earliest_toi};
    bool memory = true, stopped = false;
    w->window.limit = limit;
    atomic_store_explicit(&w->window.found, 0, memory_order_relaxed);
    w->progress[0] = w->progress[1] =
        w->options->progress[0] + (w->options->progress[1] - w->options->progress[0]) * w->done;
    frc_search_begin_workers(&w->run, w->options);
    w->run.tasks.count = 0;
    if (!FRC_ARRAY_RESERVE(context, &w->run.tasks, w->group)) return NO_MEMORY;
    for (size_t i = 0; i < w->group; i++)
        w->run.tasks.data[w->run.tasks.count++] = w->left.data[w->left.count - 1 - i].work;
    frc_search_run_tasks(&w->run, &found);
    frc_search_gather(&w->run, &found, &memory, &stopped);
    if (!memory) return NO_MEMORY;
    if (frc_cancelled(context) || atomic_load_explicit(&w->run.stopped, memory_order_relaxed))
        return CANCELLED;
    if (count_found(&w->run) > limit) return TOO_MANY;
    // A request to cancel that was withdrawn meanwhile.
    if (stopped) return CANCELLED;
    const double start = frc_clock_ms();
    w->contacts.count = 0;
    if (!frc_sort_contacts(context, w->run.buffers, w->run.worker_count, &w->contacts))
        return NO_MEMORY;
    statistics->ms_sort += frc_clock_ms() - start;
    for (int k = 0; k < 6; k++) statistics->contacts[k] += found.contacts[k];
    statistics->siblings_left_out += found.siblings_left_out;
    statistics->left_out += found.left_out;
    statistics->box_pairs += found.box_pairs;
    statistics->tt_candidates += found.tt_candidates;
    statistics->vf_candidates += found.vf_candidates;
    statistics->ee_candidates += found.ee_candidates;
    statistics->filtered += found.filtered;
    statistics->exact += found.exact;
    statistics->ms_narrow += found.ms_narrow;
    statistics->ms_idle += found.ms_idle;
    statistics->earliest_toi = found.earliest_toi;
    for (size_t i = 0; i < w->group; i++) w->done += w->left.data[w->left.count - 1 - i].part;
    w->left.count -= w->group;
    return DONE;
}

static outcome run_all(windows* w, size_t limit, frc_window_fn* report, void* user, bool* more,
                       fracas_statistics* statistics) {
    fracas_context* context = w->run.world->context;
    bool memory = true;
    frc_search_begin_workers(&w->run, w->options);
    if (!divide(w)) return NO_MEMORY;
    if (w->left.count == 0 && !frc_progress(context, w->options->progress[1])) return CANCELLED;
    while (w->left.count > 0 && *more) {
        if (w->group > w->left.count) w->group = w->left.count;
        outcome end = run_group(w, limit, statistics);
        if (end == TOO_MANY && w->group > 1) {
            w->group = (w->group + 1) / 2;
            continue;
        }
        if (end == TOO_MANY) {
            if (split_next(w, &memory)) continue;
            end = memory ? run_group(w, SIZE_MAX, statistics) : NO_MEMORY;
        }
        if (end != DONE) return end;
        if (w->contacts.count < limit / 4) w->group *= 2;
        if (!report(w->contacts.data, w->contacts.count, more, user)) return NO_MEMORY;
        const double from = w->options->progress[0], to = w->options->progress[1];
        const double part = w->left.count == 0 || w->done > 1 ? 1 : w->done;
        if (!frc_progress(context, from + (to - from) * part)) return CANCELLED;
    }
    return DONE;
}

// All contacts of a method without trees, in order: one window.
static fracas_status search_at_once(const frc_world* world, const frc_search_options* options,
                                    frc_window_fn* report, void* user, bool* more,
                                    fracas_statistics* statistics) {
    frc_contact_list list = {0};
    fracas_status status = frc_search(world, options, &list, statistics);
    if (status == FRACAS_OK && !report(list.data, list.count, more, user))
        status = frc_fail_memory(world->context, list.count * sizeof *list.data);
    FRC_ARRAY_RELEASE(world->context, &list);
    return status;
}

fracas_status frc_search_in_windows(const frc_world* world, const frc_search_options* options,
                                    size_t limit, frc_window_fn* report, void* user, bool* more,
                                    fracas_statistics* statistics) {
    fracas_context* context = world->context;
    const double start = frc_clock_ms();
    const double before = statistics->ms_sort + statistics->ms_narrow;
    windows w = {.options = options};
    if (world->method->keeps_positions)
        return search_at_once(world, options, report, user, more, statistics);
    if (world->method != &frc_search_trees)
        return frc_fail(context, FRACAS_ERROR_UNSUPPORTED,
                        "contacts in blocks and max_contacts need a scene of "
                        "fracas_scene_create: searches of published.h find all at once");
    atomic_init(&w.window.found, 0);
    outcome end = NO_MEMORY;
    if (frc_search_open(&w.run, world, w.progress)) {
        w.run.window = &w.window;
        end = run_all(&w, limit, report, user, more, statistics);
    }
    const size_t bytes = w.run.worker_count * sizeof(frc_detect_worker);
    frc_search_close(&w.run);
    FRC_ARRAY_RELEASE(context, &w.left);
    FRC_ARRAY_RELEASE(context, &w.contacts);
    statistics->ms_traverse +=
        frc_clock_ms() - start - (statistics->ms_sort + statistics->ms_narrow - before);
    if (end == NO_MEMORY) return frc_fail_memory(context, bytes);
    if (end == CANCELLED)
        return frc_fail(context, FRACAS_ERROR_CANCELLED, "the query was cancelled");
    return FRACAS_OK;
}
