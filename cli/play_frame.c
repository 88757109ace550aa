/// @file play_frame.c  Encode a frame: a head as JSON, and the arrays, little-endian. Positions are
/// on the grids of a report; marks and contacts are those of a report, too.
#include "play_frame.h"
#include "options.h"
#include "progress.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Contacts that are listed; all are counted and marked.
enum { MOST_CONTACTS = 1500, SECTIONS = 6 };
enum { BEGINS, CORNERS, GRIDS, PLACES, MARKS, COLUMNS };

// ---- sections

static void free_topology(cli_page_topology* t) {
    free(t->vertex_begins);
    free(t->triangle_begins);
    free(t->corners);
    *t = (cli_page_topology){0};
}

static void* copy(const void* from, size_t size) {
    void* to = cli_allocate(size ? size : 1, 1);
    if (size) memcpy(to, from, size);
    return to;
}

static void follow_topology(cli_play_encoder* e, const cli_frame_mesh* f) {
    if (e->number && cli_page_has_topology(f, &e->topology)) return;
    free_topology(&e->topology);
    const size_t begins = ((size_t)f->body_count + 1) * sizeof(uint32_t);
    e->topology = (cli_page_topology){.body_count = f->body_count,
                                      .vertex_count = f->vertex_count,
                                      .triangle_count = f->triangle_count};
    e->topology.vertex_begins = copy(f->vertex_begins, begins);
    e->topology.triangle_begins = copy(f->triangle_begins, begins);
    e->topology.corners = copy(f->corners, f->triangle_count * sizeof *f->corners);
    e->number++;
}

static void pack_topology(const cli_page_topology* t, cli_bytes* begins, cli_bytes* corners) {
    for (uint32_t b = 0; b <= t->body_count; b++) cli_bytes_add_u32(begins, t->vertex_begins[b]);
    for (uint32_t b = 0; b <= t->body_count; b++) cli_bytes_add_u32(begins, t->triangle_begins[b]);
    for (uint32_t i = 0; i < t->triangle_count; i++)
        for (int k = 0; k < 3; k++) cli_bytes_add_u32(corners, t->corners[i][k]);
}

static void pack_state(const cli_frame_mesh* f, cli_bytes* grids, cli_bytes* places) {
    cli_page_state state = cli_page_make_state(f, f->t1, 0, NULL);
    for (uint32_t b = 0; b < f->body_count; b++) {
        for (int k = 0; k < 3; k++) cli_bytes_add_double(grids, state.grids[b].origin[k]);
        cli_bytes_add_double(grids, state.grids[b].cell);
    }
    uint8_t* to = cli_bytes_extend(places, 6 * (size_t)f->vertex_count);
    for (size_t v = 0; v < f->vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            *to++ = (uint8_t)state.places[v][k];
            *to++ = (uint8_t)(state.places[v][k] >> 8);
        }
    free(state.grids);
    free(state.places);
}

// ---- the head

static void print_fixed(FILE* file, const bool* fixed, uint32_t count) {
    bool some = false;
    fputs(",\"fixed\":[", file);
    for (uint32_t b = 0; b < count; b++) {
        if (!fixed[b]) continue;
        fprintf(file, "%s%u", some ? "," : "", b);
        some = true;
    }
    fputc(']', file);
}

static void print_head(FILE* file, const cli_play_encoder* e, const cli_play_look* look,
                       const cli_play_head* head, const cli_page_contacts* contacts,
                       const cli_bytes* sections) {
    const cli_page_meshes* p = &e->place;
    const cli_frame_mesh* m = look->mesh;
    fprintf(file,
            "{\"frame\":%u,\"step\":%u,\"skipped\":%" PRIu64 ",\"playing\":%s,\"ended\":%s,"
            "\"topology\":%u,\"bodies\":%u,\"vertices\":%u,\"triangles\":%u,\"broken\":%u,"
            "\"origin\":[%.17g,%.17g,%.17g],\"scale\":%.17g,\"found\":%" PRIu64
            ",\"written\":%" PRIu64 ",\"marked\":%" PRIu64
            ",\"ms\":{\"step\":%.3f,\"detect\":%.3f}",
            head->frame, head->step, head->skipped, head->playing ? "true" : "false",
            head->ended ? "true" : "false", e->number, m->body_count, m->vertex_count,
            m->triangle_count, look->broken, p->origin[0], p->origin[1], p->origin[2], p->scale,
            contacts->found, contacts->written, contacts->marked, look->ms_step, look->ms_detect);
    if (head->fixed) print_fixed(file, head->fixed, m->body_count);
    fputs(",\"sizes\":[", file);
    for (int i = 0; i < SECTIONS; i++) fprintf(file, "%s%zu", i ? "," : "", sections[i].size);
    fputs("]}", file);
}

// ---- the frame

static void add_padded(cli_bytes* out, const void* data, size_t size, uint8_t padding) {
    const size_t padded = (size + 7) / 8 * 8;
    uint8_t* to = cli_bytes_extend(out, padded);
    if (size) memcpy(to, data, size);
    if (padded > size) memset(to + size, padding, padded - size);
}

cli_bytes cli_play_encode(cli_play_encoder* e, const cli_play_look* look,
                          const cli_play_head* head) {
    cli_bytes sections[SECTIONS] = {{0}};
    follow_topology(e, look->mesh);
    if (e->known != e->number) pack_topology(&e->topology, &sections[BEGINS], &sections[CORNERS]);
    e->known = e->number;
    pack_state(look->mesh, &sections[GRIDS], &sections[PLACES]);
    const cli_page_contacts contacts = cli_page_contacts_make(
        &e->place, look->mesh, e->number, look->contacts, look->count, MOST_CONTACTS);
    sections[MARKS] = contacts.marks;
    sections[COLUMNS] = contacts.features;

    char* text = NULL;
    size_t length = 0;
    FILE* file = open_memstream(&text, &length);
    if (!file) exit(cli_fail(CLI_INTERNAL, "out of memory"));
    print_head(file, e, look, head, &contacts, sections);
    if (fclose(file) != 0) exit(cli_fail(CLI_INTERNAL, "out of memory"));
    cli_bytes out = {0};
    cli_bytes_add_u32(&out, CLI_PLAY_PROTOCOL);
    cli_bytes_add_u32(&out, (uint32_t)length);
    add_padded(&out, text, length, ' ');
    for (int i = 0; i < SECTIONS; i++) {
        add_padded(&out, sections[i].data, sections[i].size, 0);
        cli_bytes_free(&sections[i]);
    }
    free(text);
    return out;
}

void cli_play_encoder_free(cli_play_encoder* e) {
    free_topology(&e->topology);
    *e = (cli_play_encoder){0};
}
