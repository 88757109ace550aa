/// @file trace.c  A paged table from old to new elements, behind fracas_scene_trace.
#include "scene/trace.h"
#include <string.h>

enum { KIND_BIT = 31 };  // of a row: rows need fewer than 31 bits
// The row of the last split of a body: in place of a page its cell has the number of the split.
#define SPLIT_ROW (UINT32_MAX >> 1)

static frc_trace_cell key_of(const fracas_element* e) {
    return (frc_trace_cell){e->body, e->index / FRC_TRACE_ROW | (uint32_t)e->kind << KIND_BIT, 0};
}

static bool same_key(const frc_trace_cell* a, const frc_trace_cell* b) {
    return a->from.index == b->from.index && a->from.generation == b->from.generation &&
           a->row == b->row;
}

static uint64_t hash_key(const frc_trace_cell* key) {
    uint64_t h = (uint64_t)key->from.index << 32 | key->row;
    h = (h ^ (uint64_t)key->from.generation << 17) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 31;
}

// The cell of a row, or the empty cell to insert it at.
static size_t find_cell(const frc_trace* trace, const frc_trace_cell* key) {
    size_t mask = trace->cell_count - 1, cell = (size_t)hash_key(key) & mask;
    while (trace->cells[cell].from.index && !same_key(&trace->cells[cell], key))
        cell = (cell + 1) & mask;
    return cell;
}

static bool grow_cells(fracas_context* context, frc_trace* trace, size_t more) {
    size_t count = 64;
    while (count < 2 * (trace->pages.count + trace->splits.count + more)) count *= 2;
    if (count <= trace->cell_count) return true;
    frc_trace old = *trace;
    frc_trace_cell* cells = frc_allocate_zero(context, count * sizeof *cells);
    if (!cells) return false;
    trace->cells = cells;
    trace->cell_count = count;
    for (size_t i = 0; i < old.cell_count; i++)
        if (old.cells[i].from.index) cells[find_cell(trace, &old.cells[i])] = old.cells[i];
    frc_release(context, old.cells, old.cell_count * sizeof *old.cells);
    return true;
}

bool frc_trace_reserve(fracas_context* context, frc_trace* trace, size_t pages, size_t merges) {
    return (pages == 0 || (FRC_ARRAY_RESERVE(context, &trace->pages, trace->pages.count + pages) &&
                           grow_cells(context, trace, pages))) &&
           (merges == 0 ||
            FRC_ARRAY_RESERVE(context, &trace->merges, trace->merges.count + merges));
}

// ---- splits

void frc_trace_split_release(fracas_context* context, frc_trace_split* s) {
    for (int k = 0; k < 2; k++) {
        frc_release(context, s->place[k], frc_array_size(s->numbers[k], sizeof *s->place[k]));
        frc_release(context, s->first[k],
                    frc_array_size((size_t)s->part_count + 1, sizeof *s->first[k]));
        s->place[k] = NULL, s->first[k] = NULL;
    }
    frc_release(context, s->parts, frc_array_size(s->part_count, sizeof *s->parts));
    s->parts = NULL;
}

bool frc_trace_split_create(fracas_context* context, frc_trace_split* s) {
    bool ok = true;
    for (int k = 0; k < 2; k++) {
        s->place[k] = frc_allocate_array(context, s->numbers[k], sizeof *s->place[k], &ok);
        s->first[k] =
            frc_allocate_array(context, (size_t)s->part_count + 1, sizeof *s->first[k], &ok);
    }
    s->parts = frc_allocate_array(context, s->part_count, sizeof *s->parts, &ok);
    if (!ok) frc_trace_split_release(context, s);
    return ok;
}

bool frc_trace_reserve_split(fracas_context* context, frc_trace* trace) {
    return FRC_ARRAY_RESERVE(context, &trace->splits, trace->splits.count + 1) &&
           grow_cells(context, trace, 1);
}

void frc_trace_add_split(frc_trace* trace, const frc_trace_split* split) {
    const frc_trace_cell key = {split->from, SPLIT_ROW, 0};
    frc_trace_cell* cell = &trace->cells[find_cell(trace, &key)];
    const uint32_t before = cell->from.index ? cell->page + 1 : 0;
    *cell = key;
    cell->page = (uint32_t)trace->splits.count;
    trace->splits.data[trace->splits.count] = *split;
    trace->splits.data[trace->splits.count++].before = before;
}

uint32_t frc_part_at(const uint32_t* first, uint32_t part_count, uint32_t position) {
    uint32_t low = 0, high = part_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (first[middle] <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool leave_with_part(const frc_trace_split* s, fracas_element* e) {
    if (e->index >= s->numbers[e->kind]) return false;
    const uint32_t place = atomic_load_explicit(&s->place[e->kind][e->index], memory_order_relaxed);
    if (place == 0) return false;
    const uint32_t part = frc_part_at(s->first[e->kind], s->part_count, place - 1);
    e->body = s->parts[part];
    e->index = place - 1 - s->first[e->kind][part];
    return true;
}

// False: no split has moved the element.
static bool follow_split(const frc_trace* trace, fracas_element* e) {
    const frc_trace_cell key = {e->body, SPLIT_ROW, 0};
    const frc_trace_cell* cell = &trace->cells[find_cell(trace, &key)];
    for (uint32_t n = cell->from.index ? cell->page + 1 : 0; n > 0;) {
        const frc_trace_split* s = &trace->splits.data[n - 1];
        if (leave_with_part(s, e)) return true;
        n = s->before;
    }
    return false;
}

// ---- pages

// Make the page of a row `last`.
static void select_page(frc_trace* trace, const frc_trace_cell* key) {
    if (trace->last.from.index && same_key(&trace->last, key)) return;
    frc_trace_cell* cell = &trace->cells[find_cell(trace, key)];
    if (!cell->from.index) {
        *cell = *key;
        cell->page = (uint32_t)trace->pages.count++;
        memset(&trace->pages.data[cell->page], 0, sizeof *trace->pages.data);
    }
    trace->last = *cell;
}

void frc_trace_add(frc_trace* trace, fracas_element from, fracas_element to) {
    frc_trace_cell key = key_of(&from);
    select_page(trace, &key);
    frc_trace_page* page = &trace->pages.data[trace->last.page];
    page->to[from.index % FRC_TRACE_ROW] = to.body;
    page->number[from.index % FRC_TRACE_ROW] = to.index;
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

// Follow one edit; false: the element has not moved.
static bool step_on(const frc_trace* trace, fracas_element* e) {
    if (!trace->cell_count) return false;
    if (trace->splits.count > 0 && follow_split(trace, e)) return true;
    frc_trace_cell key = key_of(e);
    const frc_trace_cell* cell = &trace->cells[find_cell(trace, &key)];
    if (!cell->from.index) return false;
    const frc_trace_page* page = &trace->pages.data[cell->page];
    uint32_t at = e->index % FRC_TRACE_ROW;
    if (!page->to[at].index) return false;
    e->body = page->to[at];
    e->index = page->number[at];
    return true;
}

fracas_element frc_trace_follow(const frc_trace* trace, fracas_element e) {
    // Edits are followed in the order of time, so there is no cycle.
    while (e.body.index) {
        if (step_on(trace, &e)) continue;
        const frc_trace_merge* merge = find_merge(trace, e.body);
        if (!merge) break;
        e.index += merge->shift[e.kind];
        e.body = merge->to;
    }
    return e;
}

void frc_trace_clear(fracas_context* context, frc_trace* trace) {
    // Released, because the next step may need no trace.
    frc_release(context, trace->cells, trace->cell_count * sizeof *trace->cells);
    trace->cells = NULL;
    trace->cell_count = 0;
    trace->last = (frc_trace_cell){0};
    FRC_ARRAY_RELEASE(context, &trace->pages);
    for (size_t i = 0; i < trace->splits.count; i++)
        frc_trace_split_release(context, &trace->splits.data[i]);
    FRC_ARRAY_RELEASE(context, &trace->splits);
    trace->merges.count = 0;
}

void frc_trace_release(fracas_context* context, frc_trace* trace) {
    frc_trace_clear(context, trace);
    FRC_ARRAY_RELEASE(context, &trace->merges);
}
