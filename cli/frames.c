/// @file frames.c  FRAME arguments: parse, load, and compare consecutive frames.
#include "frames.h"
#include "options.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- names

// Split a FRAME argument into the names of its files.
static int parse_frame(const char* argument, cli_frame* frame) {
    // A file may have a + in its name.
    bool whole = !strchr(argument, '+') || access(argument, F_OK) == 0;
    uint32_t count = 1;
    for (const char* c = argument; !whole && *c; c++) count += *c == '+';
    frame->paths = cli_allocate(count, sizeof *frame->paths);
    frame->files = cli_allocate(count, sizeof(fracas_mesh_file*));
    const char* start = argument;
    while (frame->file_count < count) {
        size_t length = whole ? strlen(start) : strcspn(start, "+");
        if (length == 0)
            return cli_fail(CLI_BAD_USAGE,
                            "'%s' has an empty file name; a frame is FILE or FILE+FILE+...",
                            argument);
        char* path = cli_allocate(length + 1, 1);  // zeros: the end of the name
        for (size_t i = 0; i < length; i++) path[i] = start[i];
        frame->paths[frame->file_count++] = path;
        start += length + 1;
    }
    return CLI_DONE;
}

int cli_frames_parse(int count, char** arguments, cli_frame** out) {
    *out = cli_allocate((size_t)count, sizeof **out);
    for (int i = 0; i < count; i++) {
        int code = parse_frame(arguments[i], &(*out)[i]);
        if (code == CLI_DONE) continue;
        cli_frames_free(*out, count);
        return code;
    }
    return CLI_DONE;
}

void cli_frames_free(cli_frame* frames, int count) {
    for (int i = 0; i < count; i++) {
        cli_frame_unload(&frames[i]);
        for (uint32_t f = 0; f < frames[i].file_count; f++)
            free((char*)(uintptr_t)frames[i].paths[f]);
        free(frames[i].paths);
        free(frames[i].files);
    }
    free(frames);
}

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

int cli_frame_load(cli_frame* frame, fracas_context* context,
                   const fracas_mesh_file_options* options, const cli_frame* before,
                   cli_progress* progress) {
    double start = cli_clock_ms();
    for (uint32_t f = 0; f < frame->file_count; f++) {
        fracas_status status =
            fracas_mesh_file_read(context, frame->paths[f], options, &frame->files[f]);
        if (status != FRACAS_OK) return fail_file(context, status, frame->paths[f]);
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
        fracas_mesh_file_destroy(frame->files[f]);
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
