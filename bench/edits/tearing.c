// A sheet whose points all move and which is torn in place at vertices spread over it.
#include "edits/frame_times.h"
#include "scene/scene.h"
#include "timing.h"
#include <string.h>

enum { TEARS = 20 };

// The triangles around each vertex of the original sheet.
typedef struct vertex_triangles {
    uint32_t *first, *triangles;
} vertex_triangles;

static vertex_triangles list_vertex_triangles(const bench_mesh* mesh) {
    vertex_triangles f = {bench_allocate(mesh->point_count + 1, sizeof *f.first),
                          bench_allocate(3 * (size_t)mesh->triangle_count, sizeof *f.triangles)};
    memset(f.first, 0, (mesh->point_count + 1) * sizeof *f.first);
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) f.first[mesh->triangles[i] + 1]++;
    for (uint32_t v = 0; v < mesh->point_count; v++) f.first[v + 1] += f.first[v];
    uint32_t* at = bench_allocate(mesh->point_count, sizeof *at);
    memcpy(at, f.first, mesh->point_count * sizeof *at);
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        f.triangles[at[mesh->triangles[i]]++] = i / 3;
    free(at);
    return f;
}

// Duplicates vertex v; the first half of its triangles get the copy.
static void tear(edits_fixture* s, const bench_mesh* mesh, const vertex_triangles* f, uint32_t v) {
    fracas_body_info info;
    edits_need(fracas_scene_get_body(s->scene, s->body, &info), s);
    fracas_new_vertex copy = {.parent_a = v, .parent_b = FRACAS_NONE};
    fracas_repoint repoints[8];
    uint32_t count = 0;
    for (uint32_t i = f->first[v]; i < (f->first[v] + f->first[v + 1]) / 2 && count < 8; i++) {
        uint32_t t = f->triangles[i], corner = 0;
        while (mesh->triangles[3 * (size_t)t + corner] != v) corner++;
        repoints[count++] = (fracas_repoint){t, corner, info.vertex_numbers};
    }
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = &copy, split.new_vertex_count = 1;
    split.repoints = repoints, split.repoint_count = count;
    edits_need(fracas_scene_split(s->scene, s->body, &split, NULL), s);
}

// The sheet in two shapes, with capacity for copied vertices, which coincide with their parents.
typedef struct shapes {
    double* points[2];
    uint32_t count, original;
} shapes;

// The second shape is twisted smoothly: points move by up to a few edge lengths.
static shapes make_shapes(const bench_mesh* mesh, uint32_t copies) {
    shapes s = {.count = mesh->point_count, .original = mesh->point_count};
    const size_t capacity = 3 * ((size_t)mesh->point_count + copies);
    for (int i = 0; i < 2; i++) s.points[i] = bench_allocate(capacity, sizeof(double));
    for (size_t v = 0; v < 3 * (size_t)mesh->point_count; v += 3) {
        const double* p = mesh->points + v;
        for (size_t k = 0; k < 3; k++) {
            s.points[0][v + k] = p[k];
            s.points[1][v + k] = p[k] + 0.004 * p[(k + 1) % 3] * p[(k + 2) % 3];
        }
    }
    return s;
}

static void copy_point(shapes* s, uint32_t v) {
    for (int i = 0; i < 2; i++)
        memcpy(s->points[i] + 3 * (size_t)s->count, s->points[i] + 3 * (size_t)v,
               3 * sizeof(double));
    s->count++;
}

static double update_to(edits_fixture* s, const shapes* a, uint32_t shape) {
    edits_need(fracas_scene_advance(s->scene), s);
    edits_move(s, s->body, a->points[shape], a->count);
    return edits_update(s);
}

static frame_times run_frame(edits_fixture* s, const bench_mesh* mesh, const vertex_triangles* f,
                             shapes* a, uint32_t tears, uint32_t frame) {
    frame_times out;
    const uint32_t to = (frame + 1) % 2;
    edits_need(fracas_scene_advance(s->scene), s);
    edits_move(s, s->body, a->points[to], a->count);
    double start = bench_clock_ms(true);
    for (uint32_t i = 0; i < tears; i++) {
        // The multiplier spreads the vertices over the sheet; no vertex repeats as long as the
        // vertex count is coprime to it.
        uint32_t v = (uint32_t)((uint64_t)(frame * tears + i) * 40503u % a->original);
        tear(s, mesh, f, v);
        copy_point(a, v);
    }
    out.split = bench_clock_ms(true) - start;
    out.torn = out.split + edits_update(s);
    out.torn_cull = s->scene->cull_ms;
    out.back = update_to(s, a, 1 - to);
    out.quiet = update_to(s, a, to);
    out.quiet_cull = s->scene->cull_ms;
    return out;
}

static void run_frames(const edits_options* o, const bench_mesh* mesh, const vertex_triangles* f,
                       uint32_t tears, const fracas_published_scene_options* how,
                       frame_times* frames) {
    for (uint32_t round = 0; round < o->rounds; round++) {
        shapes a = make_shapes(mesh, tears * o->frames);
        edits_fixture s;
        edits_open(&s, how);
        edits_add(&s, mesh);
        edits_update(&s);
        for (uint32_t frame = 0; frame < o->frames; frame++) {
            frame_times now = run_frame(&s, mesh, f, &a, tears, frame);
            frame_times_keep(&frames[frame], &now, round > 0);
        }
        edits_close(&s);
        free(a.points[0]), free(a.points[1]);
    }
}

// Means of the quiet frames.
static frame_times mean_of(const frame_times* frames, uint32_t count) {
    frame_times mean = {0};
    for (uint32_t i = 0; i < count; i++) {
        mean.quiet += frames[i].quiet / count;
        mean.quiet_cull += frames[i].quiet_cull / count;
    }
    return mean;
}

enum { WHOLE, WHOLE_REBUILT, TORN, TORN_REBUILT, RUNS };

static frame_times_runs measure(const edits_options* o, const bench_mesh* mesh,
                                const vertex_triangles* f, fracas_published_cull cull,
                                const char* name, frame_times* frames[RUNS]) {
    for (int i = 0; i < RUNS; i++) {
        fracas_published_scene_options how = fracas_published_scene_default_options();
        how.builder = FRACAS_PUBLISHED_BUILDER_GRID;
        how.cull = cull;
        how.restructure = i == WHOLE_REBUILT || i == TORN_REBUILT
                              ? FRACAS_PUBLISHED_RESTRUCTURE_ALWAYS
                              : FRACAS_PUBLISHED_RESTRUCTURE_NONE;
        frames[i] = bench_allocate(o->frames, sizeof(frame_times));
        run_frames(o, mesh, f, i == TORN || i == TORN_REBUILT ? TEARS : 0, &how, frames[i]);
    }
    frame_times whole = mean_of(frames[WHOLE], o->frames);
    return (frame_times_runs){name,
                              frames[TORN],
                              frames[TORN_REBUILT],
                              o->frames,
                              whole.quiet,
                              whole.quiet_cull,
                              mean_of(frames[WHOLE_REBUILT], o->frames).quiet};
}

void edits_tearing(const edits_options* o) {
    bench_mesh mesh = edits_sheet(o->triangles);
    vertex_triangles f = list_vertex_triangles(&mesh);
    frame_times* frames[2][RUNS];
    frame_times_runs runs[2] = {
        measure(o, &mesh, &f, FRACAS_PUBLISHED_CULL_CERTIFICATE, "certificate", frames[0]),
        measure(o, &mesh, &f, FRACAS_PUBLISHED_CULL_NONE, "none", frames[1]),
    };
    frame_times_title title = {"tearing", "a sheet", mesh.triangle_count, TEARS, o->rounds};
    frame_times_print(o, &title, runs, 2);
    for (int i = 0; i < 2 * RUNS; i++) free(frames[i / RUNS][i % RUNS]);
    free(f.first), free(f.triangles);
    bench_mesh_free(&mesh);
}
