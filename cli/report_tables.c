/// @file report_tables.c  The results as tables that fit the terminal, and the totals.
#include "fracas/contact.h"
#include "grid.h"
#include "options.h"
#include "report.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = 10, ROWS_MAX = 20 };

enum { KINDS_MAX = 4 };  // more have one column for all

// ---- cells

static void set(char cell[CLI_GRID_CELL], const char* text) {
    snprintf(cell, CLI_GRID_CELL, "%s", text);
}

// Zero is an empty cell.
static void set_number(char cell[CLI_GRID_CELL], uint64_t number) {
    char text[32];
    if (number) set(cell, cli_number(number, text));
}

static void set_contacts(cli_grid_row* row, int column, const uint64_t contacts[CLI_KINDS],
                         bool by_kind) {
    uint64_t all = 0;
    for (int k = 0; k < CLI_KINDS; k++) {
        if (by_kind) set_number((*row)[column + k], contacts[cli_kinds[k]]);
        all += contacts[cli_kinds[k]];
    }
    if (!by_kind) set_number((*row)[column], all);
}

// Columns of contacts: one for each kind, or one for all if there are too many kinds.
static int contact_columns(cli_grid* grid, const cli_summary* sum, bool* by_kind) {
    int present = 0;
    for (int k = 0; k < CLI_KINDS; k++) present += sum->counts.contacts[cli_kinds[k]] > 0;
    *by_kind = present <= KINDS_MAX;
    for (int k = 0; k < CLI_KINDS && *by_kind; k++)
        grid->header[grid->columns++] = cli_kind_name(cli_kinds[k]);
    if (!*by_kind) grid->header[grid->columns++] = "contacts";
    return *by_kind ? CLI_KINDS : 1;
}

// ---- steps

static bool is_quiet(const cli_step* step) {
    return cli_step_contacts(step) == 0 && !step->restart && step->counts.edits == 0 &&
           step->counts.missed == 0;
}

static void set_frames(char cell[CLI_GRID_CELL], const cli_step* first, const cli_step* last) {
    const uint32_t from = first->frame - first->moves;
    if (from == last->frame)
        snprintf(cell, CLI_GRID_CELL, "%u%s", from, first->restart ? " (restart)" : "");
    else
        snprintf(cell, CLI_GRID_CELL, "%u to %u", from, last->frame);
}

// A row of the table: a step, or several in which nothing happens.
typedef struct step_row {
    uint32_t begin, end;  // of the steps
    double ms;
    bool shown;
} step_row;

static uint32_t group_steps(const cli_results* r, step_row* rows) {
    uint32_t count = 0;
    for (uint32_t i = 0, end; i < r->count; i = end) {
        const cli_step* step = &r->steps[i];
        double ms = step->ms.total;
        for (end = i + 1; end < r->count && is_quiet(step) && is_quiet(&r->steps[end]); end++)
            ms += r->steps[end].ms.total;
        rows[count++] = (step_row){.begin = i, .end = end, .ms = ms};
    }
    return count;
}

static double contacts_of(const cli_step* step) { return (double)cli_step_contacts(step); }
static double milliseconds_of(const cli_step* step) { return step->ms.total; }
static double edits_of(const cli_step* step) {
    return (double)step->counts.edits + (step->restart ? 1e18 : 0);
}

// Show up to `most` rows more: those with the greatest values; of equal ones the first.
static void show_greatest(const cli_results* r, step_row* rows, uint32_t count,
                          double (*value)(const cli_step*), int most) {
    for (; most > 0; most--) {
        step_row* best = NULL;
        for (uint32_t i = 0; i < count; i++) {
            if (rows[i].shown || value(&r->steps[rows[i].begin]) == 0) continue;
            if (!best || value(&r->steps[rows[i].begin]) > value(&r->steps[best->begin]))
                best = &rows[i];
        }
        if (!best) return;
        best->shown = true;
    }
}

// Choose the rows that tell most. @return how many are left out
static uint32_t choose_rows(const cli_results* r, step_row* rows, uint32_t count) {
    if (count > ROWS_MAX) {
        uint32_t touching = 0, shown = 0;  // the first row with a contact
        while (cli_step_contacts(&r->steps[rows[touching].begin]) == 0) touching++;
        rows[0].shown = rows[touching].shown = rows[count - 1].shown = true;
        show_greatest(r, rows, count, milliseconds_of, 2);
        show_greatest(r, rows, count, contacts_of, 3);
        show_greatest(r, rows, count, edits_of, 6);
        for (uint32_t i = 0; i < count; i++) shown += rows[i].shown;
        show_greatest(r, rows, count, contacts_of, (int)(ROWS_MAX - shown));
    }
    uint32_t left_out = 0;
    for (uint32_t i = 0; i < count && count > ROWS_MAX; i++) left_out += !rows[i].shown;
    return left_out;
}

// Steps in which nothing happens, one after the other, share a row.
static void print_steps(const cli_results* r, const cli_summary* sum) {
    cli_grid grid = {.names = 1, .columns = 1, .header = {"frames"}};
    bool by_kind;
    const int width = contact_columns(&grid, sum, &by_kind), others = grid.columns;
    grid.header[grid.columns++] = "edits";
    grid.header[grid.columns++] = "first";
    grid.header[grid.columns++] = "ms";
    step_row* rows = cli_allocate(r->count, sizeof *rows);
    const uint32_t count = group_steps(r, rows), left_out = choose_rows(r, rows, count);
    for (uint32_t i = 0; i < count; i++) {
        if (left_out && !rows[i].shown) continue;
        const cli_step* step = &r->steps[rows[i].begin];
        cli_grid_row* row = cli_grid_add(&grid);
        set_frames((*row)[0], step, &r->steps[rows[i].end - 1]);
        set_contacts(row, others - width, step->counts.contacts, by_kind);
        set_number((*row)[others], step->counts.edits);
        if (isfinite(step->earliest_toi) && step->moves)
            snprintf((*row)[others + 1], CLI_GRID_CELL, "%.4f",
                     step->frame - 1 + step->earliest_toi);
        snprintf((*row)[others + 2], CLI_GRID_CELL, "%.1f", rows[i].ms);
    }
    free(rows);
    cli_grid_print(&grid);
    char number[32], text[200];
    if (!left_out) return;
    snprintf(text, sizeof text,
             "and %s row%s more; shown are the first, the last, the slowest, and those with the "
             "most contacts and edits; --verbose prints every step",
             cli_number(left_out, number), left_out == 1 ? "" : "s");
    cli_print_line(text, false);
}

// ---- pairs

static void name_body(const cli_results* r, uint32_t body, char name[CLI_GRID_CELL]) {
    if (r->bodies && body < r->body_count)
        snprintf(name, CLI_GRID_CELL, "%s", r->bodies[body]);
    else
        snprintf(name, CLI_GRID_CELL, "body %u", body);
}

static void print_pairs(const cli_results* r, const cli_summary* sum) {
    cli_grid grid = {
        .names = 2, .columns = 2, .header = {"bodies", "with"}
    };
    bool by_kind;
    const int width = contact_columns(&grid, sum, &by_kind), others = grid.columns;
    grid.header[grid.columns++] = "first";
    const bool timed = r->count > 1 || r->steps[0].moves;
    for (size_t i = 0; i < r->pairs->count && i < PAIRS_MAX; i++) {
        const cli_pair* pair = &r->pairs->data[i];
        cli_grid_row* row = cli_grid_add(&grid);
        name_body(r, pair->body_a, (*row)[0]);
        if (pair->body_a != pair->body_b)
            name_body(r, pair->body_b, (*row)[1]);
        else
            set((*row)[1], "itself");
        set_contacts(row, others - width, pair->contacts, by_kind);
        if (timed) snprintf((*row)[others], CLI_GRID_CELL, "%.2f", pair->first);
    }
    cli_grid_print(&grid);
    if (r->pairs->count <= PAIRS_MAX) return;
    const size_t more = r->pairs->count - PAIRS_MAX;
    char number[32];
    printf("and %s pair%s more with fewer contacts\n", cli_number(more, number),
           more == 1 ? "" : "s");
}

void cli_report_tables(const cli_results* r) {
    const cli_summary sum = cli_summarise(r->steps, r->count);
    if (sum.all_contacts == 0) return;
    if (r->count > 1) {
        putchar('\n');
        print_steps(r, &sum);
    }
    if (r->pairs->count > 1) {
        putchar('\n');
        print_pairs(r, &sum);
    }
    putchar('\n');
}
