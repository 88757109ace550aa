/// @file report_json.c  The results as JSON. docs/output.md defines the keys.
#include "fracas/contact.h"
#include "report.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// Length of the UTF-8 character at `text`; 0: the bytes are not UTF-8.
static int character_length(const unsigned char* text) {
    unsigned char lead = text[0];
    int length = lead < 0x80   ? 1
                 : lead < 0xc2 ? 0
                 : lead < 0xe0 ? 2
                 : lead < 0xf0 ? 3
                 : lead < 0xf5 ? 4
                               : 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    // Overlong forms, surrogates, and code points beyond the last.
    if ((lead == 0xe0 && text[1] < 0xa0) || (lead == 0xed && text[1] > 0x9f) ||
        (lead == 0xf0 && text[1] < 0x90) || (lead == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

// Print a file name as a JSON string; bytes that are not UTF-8 become U+FFFD.
static void print_string(const char* text) {
    putchar('"');
    const unsigned char* c = (const unsigned char*)text;
    while (*c) {
        int length = character_length(c);
        if (length == 0) {
            fputs("\\ufffd", stdout);
            c++;
        } else if (*c == '"' || *c == '\\') {
            printf("\\%c", *c++);
        } else if (*c < 0x20 || *c == 0x7f) {
            printf("\\u%04x", *c++);
        } else {
            while (length-- > 0) putchar(*c++);
        }
    }
    putchar('"');
}

static void print_names(const char* key, const char* const* names, uint32_t count) {
    printf("\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        if (i) putchar(',');
        print_string(names[i]);
    }
    printf("],");
}

static void print_counts(const cli_counts* c, bool misses) {
    printf("\"edits\":%" PRIu64 ",\"vertices\":%" PRIu64 ",\"edges\":%" PRIu64
           ",\"triangles\":%" PRIu64 ",\"tets\":%" PRIu64,
           c->edits, c->vertices, c->edges, c->triangles, c->tets);
    printf(",\"vf\":%" PRIu64 ",\"ee\":%" PRIu64 ",\"tt\":%" PRIu64, c->contacts[FRACAS_CONTACT_VF],
           c->contacts[FRACAS_CONTACT_EE], c->contacts[FRACAS_CONTACT_TT]);
    printf(",\"et\":%" PRIu64 ",\"ve\":%" PRIu64 ",\"vv\":%" PRIu64 ",\"vt\":%" PRIu64,
           c->contacts[FRACAS_CONTACT_ET], c->contacts[FRACAS_CONTACT_VE],
           c->contacts[FRACAS_CONTACT_VV], c->contacts[CLI_VT]);
    printf(",\"places\":%" PRIu64 ",\"crossing\":%" PRIu64, c->places, c->crossing);
    printf(",\"siblings_left_out\":%" PRIu64, c->siblings_left_out);
    printf(",\"cull_tried\":%" PRIu64 ",\"cull_certified\":%" PRIu64, c->cull_tried,
           c->cull_certified);
    if (misses) printf(",\"missed\":%" PRIu64, c->missed);
}

static void print_times(const cli_times* ms) {
    printf("\"ms\":{\"read\":%.4f,\"update\":%.4f,\"cull\":%.4f,\"traverse\":%.4f,\"narrow\":%.4f,"
           "\"total\":%.4f}",
           ms->read, ms->update, ms->cull, ms->traverse, ms->narrow, ms->total);
}

void cli_report_json(const char* mode, const cli_step* steps, uint32_t count) {
    cli_summary sum = cli_summarise(steps, count);
    printf("{\"mode\":\"%s\",\"steps\":[", mode);
    for (uint32_t s = 0; s < count; s++) {
        printf(s ? ",\n" : "\n");
        const cli_step* step = &steps[s];
        printf("{\"step\":%u,", s);
        print_names("from", step->from, step->from_count);
        print_names("to", step->to, step->to_count);
        printf("\"restart\":%s,", step->restart ? "true" : "false");
        print_counts(&step->counts, step->misses_counted);
        if (isfinite(step->earliest_toi))
            printf(",\"earliest_toi\":%.17g,", step->earliest_toi);
        else
            printf(",\"earliest_toi\":null,");
        print_times(&step->ms);
        putchar('}');
    }
    printf("\n],\"totals\":{");
    print_counts(&sum.counts, count > 0 && steps[0].misses_counted);
    putchar(',');
    print_times(&sum.ms);
    printf("}}\n");
}
