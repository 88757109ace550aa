/// @file frames.c  Load frames, and compare consecutive ones.
#include "frames.h"
#include "options.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- meshes

// Messages of fracas_mesh_describe do not name the file, so the name is added.
static int fail_file(const fracas_context* context, fracas_status status, const char* path) {
    char message[1024] = "";
    fracas_context_get_message(context, message, sizeof message);
    if (status != FRACAS_ERROR_BAD_DATA || strstr(message, path))
        return cli_fail_status(context, status);
    return cli_fail(CLI_BAD_INPUT, "%s: %s", path, message);
}

static bool equal_left_out(const fracas_mesh_file* a, const fracas_mesh_file* b) {
    uint32_t count = fracas_mesh_file_count_left_out(a);
    if (count != fracas_mesh_file_count_left_out(b)) return false;
    for (uint32_t i = 0; i < count; i++) {
        fracas_left_out x = fracas_mesh_file_get_left_out(a, i);
        fracas_left_out y = fracas_mesh_file_get_left_out(b, i);
        if (x.count != y.count || strcmp(x.name, y.name) != 0) return false;
    }
    return true;
}

// "FILE: left out, as they are not read: 2 surf, 1 call"
static void report_left_out(const cli_frame* frame, const cli_frame* before,
                            cli_progress* progress) {
    for (uint32_t f = 0; f < frame->file_count; f++) {
        const fracas_mesh_file* file = frame->files[f];
        const fracas_mesh_file* last = before && f < before->file_count ? before->files[f] : NULL;
        if (fracas_mesh_file_count_left_out(file) == 0 || equal_left_out(file, last)) continue;
        cli_progress_clear(progress);
        fprintf(stderr, "fracas: %s: left out, as they are not read:", frame->paths[f]);
        for (uint32_t i = 0; i < fracas_mesh_file_count_left_out(file); i++) {
            fracas_left_out kind = fracas_mesh_file_get_left_out(file, i);
            fprintf(stderr, "%s %" PRIu64 " %s", i ? "," : "", kind.count, kind.name);
        }
        fputc('\n', stderr);
    }
}

// All of standard input. @return NULL: it could not be read
static char* read_input(size_t* size) {
    size_t capacity = 1 << 16;
    char* data = cli_grow(NULL, capacity, 1);
    for (*size = 0; !feof(stdin) && !ferror(stdin);) {
        if (*size == capacity) data = cli_grow(data, capacity *= 2, 1);
        *size += fread(data + *size, 1, capacity - *size, stdin);
    }
    if (!ferror(stdin)) return data;
    free(data);
    return NULL;
}

static int read_file(fracas_context* context, const char* path,
                     const fracas_mesh_file_options* options, fracas_mesh_file** out) {
    fracas_status status;
    if (strcmp(path, "-") == 0) {
        size_t size;
        char* data = read_input(&size);
        if (!data) return cli_fail(CLI_BAD_INPUT, "standard input cannot be read");
        status = fracas_mesh_file_parse(context, "standard input", data, size, options, out);
        free(data);
    } else
        status = fracas_mesh_file_read(context, path, options, out);
    return status == FRACAS_OK ? CLI_DONE : fail_file(context, status, path);
}

int cli_frame_load(cli_frame* frame, fracas_context* context,
                   const fracas_mesh_file_options* options, const cli_frame* before,
                   cli_progress* progress) {
    double start = cli_clock_ms();
    for (uint32_t f = 0; f < frame->file_count; f++) {
        // A body that stands still is read once, and handed on from frame to frame.
        if (before && f < before->file_count && before->files[f] &&
            strcmp(before->paths[f], frame->paths[f]) == 0) {
            frame->files[f] = before->files[f];
            before->lent[f] = true;
            continue;
        }
        const int code = read_file(context, frame->paths[f], options, &frame->files[f]);
        if (code != CLI_DONE) return code;
    }
    frame->ms_read = cli_clock_ms() - start;
    report_left_out(frame, before, progress);
    frame->vertices = frame->edges = frame->triangles = frame->tets = 0;
    for (uint32_t f = 0; f < frame->file_count; f++) {
        fracas_mesh_view view = fracas_mesh_file_get_view(frame->files[f]);
        frame->tets += fracas_mesh_file_get_tets(frame->files[f]).tet_count;
        fracas_mesh_info info;
        fracas_status status = fracas_mesh_describe(context, &view, &info);
        if (status != FRACAS_OK) return fail_file(context, status, frame->paths[f]);
        frame->vertices += info.vertices;
        frame->edges += (uint64_t)info.edges + info.free_edges;
        frame->triangles += info.triangles;
    }
    return CLI_DONE;
}

void cli_frame_unload(cli_frame* frame) {
    for (uint32_t f = 0; frame->files && f < frame->file_count; f++) {
        if (!frame->lent[f]) fracas_mesh_file_destroy(frame->files[f]);
        frame->files[f] = NULL;
    }
}

// ---- relations

static bool equal_indices(const uint32_t* a, uint32_t a_count, const uint32_t* b,
                          uint32_t b_count) {
    return a_count == b_count && (a_count == 0 || memcmp(a, b, sizeof *a * a_count) == 0);
}

static bool equal_polygons(const fracas_mesh_file* a, const fracas_mesh_file* b) {
    fracas_mesh_view av = fracas_mesh_file_get_view(a), bv = fracas_mesh_file_get_view(b);
    fracas_mesh_faces af = fracas_mesh_file_get_faces(a), bf = fracas_mesh_file_get_faces(b);
    return av.points.count == bv.points.count && af.face_count == bf.face_count &&
           equal_indices(af.face_offsets, af.face_count + 1, bf.face_offsets, bf.face_count + 1) &&
           equal_indices(af.face_vertices, af.face_offsets[af.face_count], bf.face_vertices,
                         bf.face_offsets[bf.face_count]) &&
           equal_indices(av.edges, 2 * av.edge_count, bv.edges, 2 * bv.edge_count) &&
           equal_indices(av.vertices, av.vertex_count, bv.vertices, bv.vertex_count);
}

// Do the parents imply no change? Each vertex is its own parent, or no vertex has one.
static bool parents_are_trivial(const int32_t* parents, uint32_t count) {
    bool own = true, none = true;
    for (uint32_t i = 0; parents && i < count; i++) {
        own &= parents[i] >= 0 && (uint32_t)parents[i] == i;
        none &= parents[i] < 0;
    }
    return own || none;
}

// Do the parents of the vertices `now` equal the vertices `before`?
static bool equal_through(const int32_t* parents, const uint32_t* now, const uint32_t* before,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (parents[now[i]] < 0 || (uint32_t)parents[now[i]] != before[i]) return false;
    return true;
}

// Are the free edges and free points unchanged? A cut cannot change them.
static bool equal_free_elements(const fracas_mesh_view* before, const fracas_mesh_view* now,
                                const int32_t* parents) {
    return before->edge_count == now->edge_count && before->vertex_count == now->vertex_count &&
           equal_through(parents, now->edges, before->edges, 2 * now->edge_count) &&
           equal_through(parents, now->vertices, before->vertices, now->vertex_count);
}

cli_relation cli_file_relation(const fracas_mesh_file* before, const fracas_mesh_file* now) {
    fracas_mesh_view view = fracas_mesh_file_get_view(now), old = fracas_mesh_file_get_view(before);
    const int32_t* parents = fracas_mesh_file_get_vertex_parents(now);
    if (equal_polygons(before, now) && parents_are_trivial(parents, view.points.count))
        return CLI_SAME;
    if (!parents || !equal_free_elements(&old, &view, parents)) return CLI_RESTART;
    return CLI_CUT;
}

cli_relation cli_frame_relation(const cli_frame* before, const cli_frame* now) {
    if (before->file_count != now->file_count) return CLI_RESTART;
    cli_relation worst = CLI_SAME;
    for (uint32_t f = 0; f < now->file_count; f++) {
        cli_relation relation = cli_file_relation(before->files[f], now->files[f]);
        if (relation > worst) worst = relation;
    }
    return worst;
}
