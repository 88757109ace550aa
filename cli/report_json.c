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

// Bytes that are not UTF-8 become U+FFFD; a `<` could end the script in a page.
void cli_json_string(FILE* file, const char* text) {
    fputc('"', file);
    const unsigned char* c = (const unsigned char*)text;
    while (*c) {
        int length = character_length(c);
        if (length == 0) {
            fputs("\\ufffd", file);
            c++;
        } else if (*c == '"' || *c == '\\') {
            fprintf(file, "\\%c", *c++);
        } else if (*c < 0x20 || *c == 0x7f || *c == '<') {
            fprintf(file, "\\u%04x", *c++);
        } else {
            while (length-- > 0) fputc(*c++, file);
        }
    }
    fputc('"', file);
}

static void print_names(FILE* file, const char* key, const char* const* names, uint32_t count) {
    fprintf(file, "\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        if (i) fputc(',', file);
        cli_json_string(file, names[i]);
    }
    fprintf(file, "],");
}

static void print_counts(FILE* file, const cli_counts* c, bool misses) {
    fprintf(file,
            "\"edits\":%" PRIu64 ",\"vertices\":%" PRIu64 ",\"edges\":%" PRIu64
            ",\"triangles\":%" PRIu64 ",\"tets\":%" PRIu64,
            c->edits, c->vertices, c->edges, c->triangles, c->tets);
    fprintf(file, ",\"vf\":%" PRIu64 ",\"ee\":%" PRIu64 ",\"tt\":%" PRIu64,
            c->contacts[FRACAS_CONTACT_VF], c->contacts[FRACAS_CONTACT_EE],
            c->contacts[FRACAS_CONTACT_TT]);
    fprintf(file,
            ",\"et\":%" PRIu64 ",\"ve\":%" PRIu64 ",\"vv\":%" PRIu64 ",\"vt\":%" PRIu64
            ",\"inside\":%" PRIu64,
            c->contacts[FRACAS_CONTACT_ET], c->contacts[FRACAS_CONTACT_VE],
            c->contacts[FRACAS_CONTACT_VV], c->contacts[CLI_VT], c->contacts[CLI_INSIDE]);
    fprintf(file, ",\"places\":%" PRIu64 ",\"crossing\":%" PRIu64, c->places, c->crossing);
    fprintf(file, ",\"siblings_left_out\":%" PRIu64, c->siblings_left_out);
    fprintf(file, ",\"cull_tried\":%" PRIu64 ",\"cull_certified\":%" PRIu64, c->cull_tried,
            c->cull_certified);
    if (misses) fprintf(file, ",\"missed\":%" PRIu64, c->missed);
}

static void print_times(FILE* file, const cli_times* ms) {
    fprintf(file,
            "\"ms\":{\"read\":%.4f,\"update\":%.4f,\"cull\":%.4f,\"traverse\":%.4f,\"narrow\":%.4f,"
            "\"inside\":%.4f,\"total\":%.4f}",
            ms->read, ms->update, ms->cull, ms->traverse, ms->narrow, ms->inside, ms->total);
}

static void print_device(FILE* file, const fracas_cuda_statistics* s) {
    fprintf(file,
            ",\"device\":{\"candidates\":%" PRIu64 ",\"filtered\":%" PRIu64
            ",\"undecided_quick\":%" PRIu64 ",\"undecided_roots\":%" PRIu64
            ",\"decided_on_host\":%" PRIu64 ",\"hits\":%" PRIu64 ",\"repeats\":%" PRIu64
            ",\"unordered\":%" PRIu64 ",\"device_bytes\":%" PRIu64 ",\"uploaded_bytes\":%" PRIu64
            ",\"changed_clusters\":%" PRIu64,
            s->candidates, s->filtered, s->undecided_quick, s->undecided_roots, s->decided_on_host,
            s->hits, s->repeats, s->unordered, s->device_bytes, s->uploaded_bytes,
            s->changed_clusters);
    fprintf(file, ",\"ms\":{\"upload\":%.4f,\"device\":%.4f,\"download\":%.4f,\"host\":%.4f}}",
            s->ms_upload, s->ms_device, s->ms_download, s->ms_host);
}

void cli_report_json(FILE* file, const cli_results* results) {
    const cli_step* steps = results->steps;
    const uint32_t count = results->count;
    cli_summary sum = cli_summarise(steps, count);
    const bool on_device = results->device && count > 0 && steps[0].on_device;
    fprintf(file, "{\"mode\":\"%s\",", results->mode);
    if (results->device) {
        fputs("\"device\":", file);
        cli_json_string(file, results->device);
        fputc(',', file);
    }
    fputs("\"steps\":[", file);
    for (uint32_t s = 0; s < count; s++) {
        fprintf(file, s ? ",\n" : "\n");
        const cli_step* step = &steps[s];
        fprintf(file, "{\"step\":%u,", s);
        print_names(file, "from", step->from, step->from_count);
        print_names(file, "to", step->to, step->to_count);
        fprintf(file, "\"frame\":%u,\"moves\":%s,\"restart\":%s,", step->frame,
                step->moves ? "true" : "false", step->restart ? "true" : "false");
        print_counts(file, &step->counts, step->misses_counted);
        if (isfinite(step->earliest_toi))
            fprintf(file, ",\"earliest_toi\":%.17g,", step->earliest_toi);
        else
            fprintf(file, ",\"earliest_toi\":null,");
        print_times(file, &step->ms);
        if (on_device) print_device(file, &step->device);
        fputc('}', file);
    }
    fprintf(file, "\n],\"totals\":{");
    print_counts(file, &sum.counts, count > 0 && steps[0].misses_counted);
    fputc(',', file);
    print_times(file, &sum.ms);
    if (on_device) print_device(file, &sum.device);
    fprintf(file, "}}\n");
}
