/// @file page_write.c  Write a report: the page of viewer/ with the data as JSON. docs/report.md
/// describes the data.
#include "options.h"
#include "page_private.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

char* cli_page_unfinished(const char* path) {
    static const char ending[] = ".unfinished";
    const size_t length = strlen(path);
    char* name = cli_allocate(length + sizeof ending, 1);
    for (size_t i = 0; i < length; i++) name[i] = path[i];
    for (size_t i = 0; i < sizeof ending; i++) name[length + i] = ending[i];
    return name;
}

// ---- meshes, compressed

typedef struct packed_state {
    bool exists, has_grids, differs;  // differs: from the state before, else from the last vertex
    cli_bytes grids, places;
} packed_state;

// All meshes, in the order of the keys: two states for each key.
typedef struct packed_meshes {
    cli_bytes *begins, *corners;  // by topology
    packed_state* states;
    uint32_t topology_count, state_count;
    size_t text_size;
} packed_meshes;

static void free_packed(packed_meshes* p) {
    for (uint32_t t = 0; t < p->topology_count; t++) {
        cli_bytes_free(&p->begins[t]);
        cli_bytes_free(&p->corners[t]);
    }
    for (uint32_t s = 0; s < p->state_count; s++) {
        cli_bytes_free(&p->states[s].grids);
        cli_bytes_free(&p->states[s].places);
    }
    free(p->begins);
    free(p->corners);
    free(p->states);
    *p = (packed_meshes){0};
}

static void pack_state(packed_meshes* p, const cli_page_meshes* m, const cli_page_state* before,
                       const cli_page_state* state, packed_state* out) {
    const cli_page_topology* t = &m->topologies[state->topology];
    if (before && before->topology != state->topology) before = NULL;
    out->exists = true;
    out->differs = before != NULL;
    out->has_grids =
        !before || memcmp(before->grids, state->grids, t->body_count * sizeof *state->grids) != 0;
    if (out->has_grids) out->grids = cli_page_pack_grids(t, state);
    out->places = cli_page_pack_places(t, before, state);
    p->text_size += cli_bytes_text_size(&out->grids) + cli_bytes_text_size(&out->places) + 64;
}

static packed_meshes pack_meshes(const cli_page_meshes* m) {
    packed_meshes p = {.begins = cli_allocate(m->topology_count, sizeof *p.begins),
                       .corners = cli_allocate(m->topology_count, sizeof *p.corners),
                       .states = cli_allocate(2 * (size_t)m->key_count, sizeof *p.states),
                       .topology_count = m->topology_count,
                       .state_count = 2 * m->key_count};
    for (uint32_t t = 0; t < m->topology_count; t++) {
        if (m->topologies[t].keys == 0) continue;
        p.begins[t] = cli_page_pack_begins(&m->topologies[t]);
        p.corners[t] = cli_page_pack_corners(&m->topologies[t]);
        p.text_size += cli_bytes_text_size(&p.begins[t]) + cli_bytes_text_size(&p.corners[t]);
    }
    const cli_page_state* before = NULL;
    for (uint32_t k = 0; k < m->key_count; k++) {
        const cli_page_key* key = &m->keys[k];
        if (key->has_t0) {
            pack_state(&p, m, before, &key->t0, &p.states[2 * k]);
            before = &key->t0;
        }
        pack_state(&p, m, before, &key->t1, &p.states[2 * k + 1]);
        before = &key->t1;
    }
    return p;
}

// The size of everything but the meshes, a little more rather than less.
static size_t size_without_meshes(const cli_page* page, const cli_results* results) {
    const cli_step* steps = results->steps;
    size_t size = cli_page_begin_size + cli_page_end_size;
    size += 200 * results->pairs->count + 400 * (size_t)page->info_count;
    for (uint32_t s = 0; s < page->step_count; s++) {
        size += 800 + cli_bytes_text_size(&page->steps[s].features) +
                cli_bytes_text_size(&page->steps[s].marks) +
                cli_bytes_text_size(&page->trees[s].packed);
        for (uint32_t i = 0; i < steps[s].from_count; i++) size += strlen(steps[s].from[i]) + 3;
        for (uint32_t i = 0; i < steps[s].to_count; i++) size += strlen(steps[s].to[i]) + 3;
    }
    return size;
}

// Leave out steps until the meshes fit beside the rest.
static packed_meshes fit_meshes(cli_page* page, const cli_results* results) {
    const size_t rest = size_without_meshes(page, results);
    const double most = page->megabytes * 1e6;
    packed_meshes packed = pack_meshes(&page->meshes);
    while (page->meshes.key_count > 0 && (double)(rest + packed.text_size) > most) {
        free_packed(&packed);
        if (!cli_page_meshes_thin(&page->meshes)) cli_page_meshes_drop(&page->meshes);
        packed = pack_meshes(&page->meshes);
    }
    return packed;
}

// ---- JSON

static void write_state(FILE* file, const char* name, const packed_state* state) {
    if (!state->exists) return;
    fprintf(file, ",\"%s\":{\"differs\":%s", name, state->differs ? "true" : "false");
    if (state->has_grids) {
        fputs(",\"grids\":", file);
        cli_bytes_write(file, &state->grids);
    }
    fputs(",\"places\":", file);
    cli_bytes_write(file, &state->places);
    fputc('}', file);
}

static void write_meshes(FILE* file, const cli_page_meshes* m, const packed_meshes* packed) {
    fputs(",\n\"topologies\":[", file);
    for (uint32_t t = 0; t < m->topology_count; t++) {
        const cli_page_topology* topology = &m->topologies[t];
        if (t) fputs(",\n", file);
        if (topology->keys == 0) {
            fputs("null", file);
            continue;
        }
        fprintf(file,
                "{\"bodies\":%u,\"vertices\":%u,\"triangles\":%u,\"begins\":", topology->body_count,
                topology->vertex_count, topology->triangle_count);
        cli_bytes_write(file, &packed->begins[t]);
        fputs(",\"corners\":", file);
        cli_bytes_write(file, &packed->corners[t]);
        fputc('}', file);
    }
    fputs("],\n\"keys\":[", file);
    for (uint32_t k = 0; k < m->key_count; k++) {
        fprintf(file, "%s{\"step\":%u,\"topology\":%u", k ? ",\n" : "", m->keys[k].step,
                m->keys[k].t1.topology);
        write_state(file, "t0", &packed->states[2 * k]);
        write_state(file, "t1", &packed->states[2 * k + 1]);
        fputc('}', file);
    }
    fputc(']', file);
}

static void write_contacts(FILE* file, const cli_page* page) {
    fputs(",\n\"contacts\":[", file);
    for (uint32_t s = 0; s < page->step_count; s++) {
        const cli_page_contacts* c = &page->steps[s];
        fprintf(file, "%s{\"found\":%" PRIu64 ",\"written\":%" PRIu64 ",\"marked\":%" PRIu64,
                s ? ",\n" : "", c->found, c->written, c->marked);
        if (c->topology != FRACAS_NONE) {
            fprintf(file, ",\"topology\":%u,\"marks\":", c->topology);
            cli_bytes_write(file, &c->marks);
        }
        fputs(",\"columns\":", file);
        cli_bytes_write(file, &c->features);
        fputc('}', file);
    }
    fputc(']', file);
}

static void write_trees(FILE* file, const cli_page* page) {
    fputs(",\n\"trees\":[", file);
    for (uint32_t s = 0; s < page->step_count; s++) {
        const cli_page_trees* trees = &page->trees[s];
        if (s) fputc(',', file);
        if (trees->packed.size)
            cli_bytes_write(file, &trees->packed);
        else if (trees->same != FRACAS_NONE)
            fprintf(file, "%u", trees->same);
        else
            fputs("null", file);
    }
    fputc(']', file);
}

static void write_pairs(FILE* file, const cli_pairs* pairs) {
    enum { MOST = 2000 };
    fprintf(file, ",\n\"pair_count\":%zu,\"pairs\":[", pairs->count);
    for (size_t i = 0; i < pairs->count && i < MOST; i++) {
        const cli_pair* p = &pairs->data[i];
        fprintf(file, "%s{\"a\":%u,\"b\":%u,\"steps\":%u,\"first_step\":%u,\"first\":%.9g",
                i ? ",\n" : "", p->body_a, p->body_b, p->steps, p->first_step, p->first);
        for (int k = 0; k < CLI_KINDS; k++)
            if (p->contacts[k]) fprintf(file, ",\"%s\":%" PRIu64, cli_kind_name(k), p->contacts[k]);
        fputc('}', file);
    }
    fputc(']', file);
}

static void write_infos(FILE* file, const cli_page* page) {
    fputs(",\n\"meshes\":[", file);
    for (uint32_t i = 0; i < page->info_count; i++) {
        const fracas_mesh_info* m = &page->infos[i].mesh;
        fprintf(file,
                "%s{\"step\":%u,\"body\":%u,\"vertices\":%u,\"triangles\":%u,\"edges\":%u,"
                "\"components\":%u,\"closed\":%s,\"manifold\":%s,\"boundary_edges\":%u,"
                "\"nonmanifold_edges\":%u,\"misoriented_edges\":%u,"
                "\"repeated_index_triangles\":%u,\"flat_triangles\":%u,\"duplicate_triangles\":%u}",
                i ? ",\n" : "", page->infos[i].step, page->infos[i].body, m->vertices, m->triangles,
                m->edges, m->components, m->closed ? "true" : "false",
                m->manifold ? "true" : "false", m->boundary_edges, m->nonmanifold_edges,
                m->misoriented_edges, m->repeated_index_triangles, m->flat_triangles,
                m->duplicate_triangles);
    }
    fputc(']', file);
}

static void write_left_out(FILE* file, const cli_page* page) {
    uint64_t contacts = 0;
    for (uint32_t s = 0; s < page->step_count; s++)
        contacts += page->steps[s].found - page->steps[s].written;
    fprintf(file,
            ",\n\"left_out\":{\"megabytes\":%g,\"steps_without_meshes\":%u,\"contacts\":%" PRIu64
            "}",
            page->megabytes, page->step_count - page->meshes.key_count, contacts);
}

static void write_data(FILE* file, cli_page* page, const packed_meshes* packed, const char* title,
                       const cli_results* results) {
    const cli_page_meshes* m = &page->meshes;
    char answer[CLI_ANSWER];
    fprintf(file,
            "{\"format\":1,\"fracas\":\"%s\",\"encoding\":\"%s\",\"title\":", fracas_get_version(),
            cli_bytes_encoding());
    cli_json_string(file, title ? title : "");
    // Bodies that ODE moves fall along -z.
    if (results->points) fputs(",\"up\":\"z\"", file);
    fputs(",\n\"answer\":", file);
    cli_json_string(file, cli_answer(results, answer));
    fputs(",\"bodies\":[", file);
    for (uint32_t b = 0; results->bodies && b < results->body_count; b++) {
        if (b) fputc(',', file);
        cli_json_string(file, results->bodies[b]);
    }
    fputc(']', file);
    fprintf(file, ",\"origin\":[%.17g,%.17g,%.17g],\"scale\":%.17g,\n\"summary\":", m->origin[0],
            m->origin[1], m->origin[2], m->placed ? m->scale : 1);
    cli_results plain = *results;
    plain.device = NULL;  // the page does not show it
    cli_report_json(file, &plain);
    write_infos(file, page);
    write_pairs(file, results->pairs);
    write_left_out(file, page);
    write_contacts(file, page);
    write_trees(file, page);
    write_meshes(file, m, packed);
    fputs("}\n", file);
}

// ---- the file

int cli_page_write(cli_page* page, const char* title, const cli_results* results) {
    char* name = cli_page_unfinished(page->path);
    FILE* file = fopen(name, "wb");
    if (!file) {
        const int code =
            cli_fail(CLI_BAD_INPUT, "%s: cannot be written: %s", page->path, strerror(errno));
        free(name);
        return code;
    }
    packed_meshes packed = fit_meshes(page, results);
    fwrite(cli_page_begin, 1, cli_page_begin_size, file);
    write_data(file, page, &packed, title, results);
    fwrite(cli_page_end, 1, cli_page_end_size, file);
    free_packed(&packed);
    bool failed = ferror(file) != 0;
    failed |= fclose(file) != 0;
    int code = CLI_DONE;
    if (failed)
        code = cli_fail(CLI_BAD_INPUT, "%s: could not be written completely; is the disk full?",
                        page->path);
    else if (rename(name, page->path) != 0)
        code = cli_fail(CLI_BAD_INPUT, "%s: cannot be written: %s", page->path, strerror(errno));
    if (code != CLI_DONE) remove(name);
    free(name);
    return code;
}
