/// @file report_table.c  The results as a table, and their totals.
#include "fracas/contact.h"
#include "report.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MIN = 6, NAME_MAX = 44 };

double cli_no_impact(void) { return INFINITY; }

cli_summary cli_summarise(const cli_step* steps, uint32_t count) {
    cli_summary sum = {0};
    for (uint32_t s = 0; s < count; s++) {
        const cli_counts* c = &steps[s].counts;
        sum.counts.edits += c->edits;
        sum.counts.vertices += c->vertices;
        sum.counts.edges += c->edges;
        sum.counts.triangles += c->triangles;
        sum.counts.tets += c->tets;
        sum.counts.siblings_left_out += c->siblings_left_out;
        sum.counts.places += c->places;
        sum.counts.crossing += c->crossing;
        sum.counts.cull_tried += c->cull_tried;
        sum.counts.cull_certified += c->cull_certified;
        sum.counts.missed += c->missed;
        for (int k = 0; k < CLI_KINDS; k++) sum.counts.contacts[k] += c->contacts[k];
        for (int k = 0; k < CLI_KINDS; k++) sum.all_contacts += c->contacts[k];
        sum.restarts += steps[s].restart;
        const cli_times* ms = &steps[s].ms;
        sum.ms.read += ms->read;
        sum.ms.update += ms->update;
        sum.ms.cull += ms->cull;
        sum.ms.traverse += ms->traverse;
        sum.ms.narrow += ms->narrow;
        sum.ms.total += ms->total;
    }
    return sum;
}

// ---- names of frames

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

void cli_table_fit(cli_table* table, const char* const* from, uint32_t from_count,
                   const char* const* to, uint32_t to_count) {
    char name[256];
    name_step(name, from, from_count, to, to_count);
    int width = (int)strlen(name);
    if (width > table->name_width) table->name_width = width;
}

// ---- rows

static int name_width(const cli_table* table) {
    return table->name_width < NAME_MIN ? NAME_MIN : table->name_width;
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

void cli_table_row(cli_table* table, uint32_t number, const cli_step* step) {
    if (!table->header_printed && table->volumes)
        printf("%5s  %-*s %9s %10s %9s %9s\n", "step", name_width(table), "frame", "vertices",
               "tetrahedra", "vt", "ms");
    else if (!table->header_printed)
        printf("%5s  %-*s %9s %9s %9s %8s %8s %8s %9s %10s %9s\n", "step", name_width(table),
               "frame", "vertices", "edges", "triangles", "edits", "vf", "ee", "tt", "first toi",
               "ms");
    table->header_printed = true;
    char name[256], toi[32] = "-";
    name_step(name, step->from, step->from_count, step->to, step->to_count);
    if (isfinite(step->earliest_toi)) snprintf(toi, sizeof toi, "%.6f", step->earliest_toi);
    const cli_counts* c = &step->counts;
    if (table->volumes) {
        printf("%5u  %-*s %9" PRIu64 " %10" PRIu64 " %9" PRIu64 " %9.1f%s\n", number,
               name_width(table), name, c->vertices, c->tets, c->contacts[CLI_VT], step->ms.total,
               step->restart ? "  restart" : "");
        fflush(stdout);
        return;
    }
    printf("%5u  %-*s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64
           " %9" PRIu64 " %10s %9.1f",
           number, name_width(table), name, c->vertices, c->edges, c->triangles, c->edits,
           c->contacts[FRACAS_CONTACT_VF], c->contacts[FRACAS_CONTACT_EE],
           c->contacts[FRACAS_CONTACT_TT], toi, step->ms.total);
    print_others(step);
    putchar('\n');
    fflush(stdout);
}

void cli_table_end(const cli_step* steps, uint32_t count, const char* out, const char* input) {
    cli_summary sum = cli_summarise(steps, count);
    const uint64_t* c = sum.counts.contacts;
    printf("%u step%s", count, count == 1 ? "" : "s");
    if (sum.all_contacts == 0)
        printf(": no contacts");
    else if (sum.counts.tets)
        printf(": %" PRIu64 " contacts (%" PRIu64 " vt", sum.all_contacts, c[CLI_VT]);
    else
        printf(": %" PRIu64 " contacts (%" PRIu64 " vf, %" PRIu64 " ee, %" PRIu64 " tt",
               sum.all_contacts, c[FRACAS_CONTACT_VF], c[FRACAS_CONTACT_EE], c[FRACAS_CONTACT_TT]);
    if (c[FRACAS_CONTACT_ET] + c[FRACAS_CONTACT_VE] + c[FRACAS_CONTACT_VV])
        printf(", %" PRIu64 " et, %" PRIu64 " ve, %" PRIu64 " vv", c[FRACAS_CONTACT_ET],
               c[FRACAS_CONTACT_VE], c[FRACAS_CONTACT_VV]);
    if (sum.all_contacts) putchar(')');
    if (sum.counts.edits) printf(", %" PRIu64 " elements edited", sum.counts.edits);
    if (sum.counts.siblings_left_out)
        printf(", %" PRIu64 " sibling pairs left out", sum.counts.siblings_left_out);
    if (count > 0 && steps[0].misses_counted)
        printf(", %" PRIu64 " missed by culling", sum.counts.missed);
    if (sum.restarts) printf(", %" PRIu64 " restarts", sum.restarts);
    printf("; %.1f ms", sum.ms.total);
    if (sum.ms.read > 0) printf(", %s %.1f ms", input, sum.ms.read);
    putchar('\n');
    if (out) printf("contacts written to %s\n", out);
}
