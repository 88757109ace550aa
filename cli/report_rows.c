/// @file report_rows.c  With --verbose: a row for each step, with all numbers.
#include "fracas/contact.h"
#include "report.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MIN = 6, NAME_MAX = 44 };

// Append to a text; what exceeds the capacity is cut off. @return the new length
static size_t append(char* text, size_t length, size_t capacity, const char* more) {
    int written = snprintf(text + length, capacity - length, "%s", more);
    size_t end = length + (written > 0 ? (size_t)written : 0);
    return end < capacity ? end : capacity - 1;
}

// Append the names of the files without folders, joined by '+'.
static size_t append_frame(char* text, size_t length, size_t capacity, const char* const* names,
                           uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (i) length = append(text, length, capacity, "+");
        const char* slash = strrchr(names[i], '/');
        length = append(text, length, capacity, slash && slash[1] ? slash + 1 : names[i]);
    }
    return length;
}

static void name_step(char text[256], const char* const* from, uint32_t from_count,
                      const char* const* to, uint32_t to_count) {
    size_t length = 0;
    text[0] = 0;
    if (from != to) {
        length = append_frame(text, length, 256, from, from_count);
        length = append(text, length, 256, " -> ");
    }
    length = append_frame(text, length, 256, to, to_count);
    // Long names keep their end, which is more specific than the begin.
    if (length > NAME_MAX) {
        memmove(text + 3, text + length - (NAME_MAX - 3), NAME_MAX - 3 + 1);
        memcpy(text, "...", 3);
    }
}

void cli_rows_fit(cli_rows* rows, const char* const* from, uint32_t from_count,
                  const char* const* to, uint32_t to_count) {
    char name[256];
    name_step(name, from, from_count, to, to_count);
    int width = (int)strlen(name);
    if (width > rows->name_width) rows->name_width = width;
}

// ---- rows

static int name_width(const cli_rows* rows) {
    return rows->name_width < NAME_MIN ? NAME_MIN : rows->name_width;
}

// Print the columns that only some rows have.
static void print_others(const cli_step* step) {
    static const struct {
        int kind;
        const char* name;
    } others[] = {
        {FRACAS_CONTACT_ET, "et"},
        {FRACAS_CONTACT_VE, "ve"},
        {FRACAS_CONTACT_VV, "vv"}
    };
    for (int i = 0; i < 3; i++)
        if (step->counts.contacts[others[i].kind])
            printf("  %" PRIu64 " %s", step->counts.contacts[others[i].kind], others[i].name);
    if (step->counts.siblings_left_out)
        printf("  %" PRIu64 " siblings left out", step->counts.siblings_left_out);
    if (step->misses_counted) printf("  %" PRIu64 " missed", step->counts.missed);
    if (step->restart) printf("  restart");
}

void cli_rows_print(cli_rows* rows, uint32_t number, const cli_step* step) {
    if (!rows->header_printed && rows->volumes)
        printf("%5s  %-*s %9s %10s %9s %9s\n", "step", name_width(rows), "frame", "vertices",
               "tetrahedra", "vt", "ms");
    else if (!rows->header_printed)
        printf("%5s  %-*s %9s %9s %9s %8s %8s %8s %9s %10s %9s\n", "step", name_width(rows),
               "frame", "vertices", "edges", "triangles", "edits", "vf", "ee", "tt", "first toi",
               "ms");
    rows->header_printed = true;
    char name[256], toi[32] = "-";
    name_step(name, step->from, step->from_count, step->to, step->to_count);
    if (isfinite(step->earliest_toi)) snprintf(toi, sizeof toi, "%.6f", step->earliest_toi);
    const cli_counts* c = &step->counts;
    if (rows->volumes) {
        printf("%5u  %-*s %9" PRIu64 " %10" PRIu64 " %9" PRIu64 " %9.1f%s\n", number,
               name_width(rows), name, c->vertices, c->tets, c->contacts[CLI_VT], step->ms.total,
               step->restart ? "  restart" : "");
        fflush(stdout);
        return;
    }
    printf("%5u  %-*s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64
           " %9" PRIu64 " %10s %9.1f",
           number, name_width(rows), name, c->vertices, c->edges, c->triangles, c->edits,
           c->contacts[FRACAS_CONTACT_VF], c->contacts[FRACAS_CONTACT_EE],
           c->contacts[FRACAS_CONTACT_TT], toi, step->ms.total);
    print_others(step);
    putchar('\n');
    fflush(stdout);
}
