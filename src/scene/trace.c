/// @file trace.c  The table behind fracas_scene_trace.
#include "scene/trace.h"
#include <string.h>

// Eight elements in a row stand together: they mostly come in rows.
static uint64_t hash_element(const fracas_element* e) {
    uint64_t h = (uint64_t)e->body.index << 32 | e->index >> 3;
    h = (h ^ (uint64_t)e->body.generation << 17 ^ (uint64_t)e->kind << 63) * 0x9E3779B97F4A7C15u;
    return (h ^ h >> 31) << 3 | (e->index & 7);
}

static bool same_element(const fracas_element* a, const fracas_element* b) {
    return a->body.index == b->body.index && a->body.generation == b->body.generation &&
           a->kind == b->kind && a->index == b->index;
}

// The cell of an element, or the empty one (body index 0) where it would stand.
static size_t find_cell(const frc_trace* trace, const fracas_element* e) {
    size_t mask = trace->step_cells - 1, cell = (size_t)hash_element(e) & mask;
    while (trace->steps[cell].from.body.index && !same_element(&trace->steps[cell].from, e))
        cell = (cell + 1) & mask;
    return cell;
}

static bool grow_steps(fracas_context* context, frc_trace* trace, size_t more) {
    size_t cells = 64;
    while (cells < 2 * (trace->step_count + more)) cells *= 2;
    if (cells <= trace->step_cells) return true;
    frc_trace old = *trace;
    frc_trace_step* steps = frc_allocate_zero(context, cells * sizeof *steps);
    if (!steps) return false;
    trace->steps = steps;
    trace->step_cells = cells;
    for (size_t i = 0; i < old.step_cells; i++)
        if (old.steps[i].from.body.index)
            steps[find_cell(trace, &old.steps[i].from)] = old.steps[i];
    frc_release(context, old.steps, old.step_cells * sizeof *old.steps);
    return true;
}

bool frc_trace_reserve(fracas_context* context, frc_trace* trace, size_t steps, size_t merges) {
    return (steps == 0 || grow_steps(context, trace, steps)) &&
           (merges == 0 ||
            FRC_ARRAY_RESERVE(context, &trace->merges, trace->merges.count + merges));
}

void frc_trace_add(frc_trace* trace, fracas_element from, fracas_element to) {
    size_t cell = find_cell(trace, &from);
    if (!trace->steps[cell].from.body.index) trace->step_count++;
    trace->steps[cell] = (frc_trace_step){from, to};
}

void frc_trace_add_merge(frc_trace* trace, const frc_trace_merge* merge) {
    trace->merges.data[trace->merges.count++] = *merge;
}

static const frc_trace_merge* find_merge(const frc_trace* trace, fracas_body body) {
    for (size_t i = 0; i < trace->merges.count; i++) {
        const frc_trace_merge* m = &trace->merges.data[i];
        if (m->from.index == body.index && m->from.generation == body.generation) return m;
    }
    return NULL;
}

fracas_element frc_trace_follow(const frc_trace* trace, fracas_element e) {
    // Every step leads to a body made or kept later: there is no way back.
    while (e.body.index) {
        if (trace->step_cells) {
            const frc_trace_step* step = &trace->steps[find_cell(trace, &e)];
            if (step->from.body.index) {
                e = step->to;
                continue;
            }
        }
        const frc_trace_merge* merge = find_merge(trace, e.body);
        if (!merge) break;
        e.index += merge->shift[e.kind];
        e.body = merge->to;
    }
    return e;
}

void frc_trace_clear(fracas_context* context, frc_trace* trace) {
    // A table that was used is given back: the next step may need none.
    frc_release(context, trace->steps, trace->step_cells * sizeof *trace->steps);
    trace->steps = NULL;
    trace->step_cells = trace->step_count = 0;
    trace->merges.count = 0;
}

void frc_trace_release(fracas_context* context, frc_trace* trace) {
    frc_trace_clear(context, trace);
    FRC_ARRAY_RELEASE(context, &trace->merges);
}
