// Of `fracas bench cuda`: whole frames with their edits, and steps of many copies of a mesh. A
// frame is the calls of Fracas in it: edits, moves, advance, update and detection.
#include "cuda/run.h"
#include "hash.h"
#include "models.h"
#include "scenes.h"
#include "timing.h"
#include <stdlib.h>

// Milliseconds of one frame on one side.
typedef struct frame {
    double edits, moves, advance, update, detect;
    uint64_t edited;  // elements
    size_t contacts;
} frame;

static double sum_of(const frame* f) {
    return f->edits + f->moves + f->advance + f->update + f->detect;
}

// Update both scenes, and compare a query.
static void query_both(cuda_pair* pair, frame f[CUDA_SIDES]) {
    const fracas_query query = fracas_scene_default_query();
    const uint32_t at = pair->queries;
    const size_t count = cuda_pair_query(pair, &query);
    f[CUDA_CPU].update = pair->ms[CUDA_MS_CPU_UPDATE][at];
    f[CUDA_CPU].detect = pair->ms[CUDA_MS_CPU][at];
    f[CUDA_GPU].update = pair->ms[CUDA_MS_UPDATE][at];
    f[CUDA_GPU].detect = pair->ms[CUDA_MS_GPU][at];
    f[CUDA_CPU].contacts = f[CUDA_GPU].contacts = count;
}

// ---- output

static void begin(cuda_bench* bench, const char* mode, const char* what) {
    if (bench->settings.json)
        cuda_begin(bench, mode, what);
    else
        printf("\n%s: %s, ms\n", mode, what);
}

static void print_title(const cuda_bench* bench) {
    if (bench->settings.json) return;
    printf("%6s %8s %9s | %8s %8s | %7s %7s %7s %7s %7s | %7s %7s %7s %7s %9s %8s\n", "frame",
           "edited", "contacts", "cpu", "gpu", "edits", "moves", "advance", "update", "detect",
           "upload", "device", "copy", "host", "KB", "clusters");
}

static void print_frame(cuda_bench* bench, uint32_t number, const frame f[CUDA_SIDES],
                        const fracas_cuda_statistics* s) {
    const frame* g = &f[CUDA_GPU];
    if (bench->settings.json)
        printf("%s\n{\"frame\":%u,\"edited\":%llu,\"contacts\":%zu,\"cpu\":%.4f,\"gpu\":%.4f,"
               "\"edits\":%.4f,\"moves\":%.4f,\"advance\":%.4f,\"update\":%.4f,\"detect\":%.4f,"
               "\"uploaded_bytes\":%llu,\"changed_clusters\":%llu}",
               bench->rows ? "," : "", number, (unsigned long long)g->edited, g->contacts,
               sum_of(&f[CUDA_CPU]), sum_of(g), g->edits, g->moves, g->advance, g->update,
               g->detect, (unsigned long long)s->uploaded_bytes,
               (unsigned long long)s->changed_clusters);
    else
        printf("%6u %8llu %9zu | %8.2f %8.2f | %7.3f %7.3f %7.3f %7.3f %7.3f | %7.3f %7.3f %7.3f "
               "%7.3f %9.1f %8llu\n",
               number, (unsigned long long)g->edited, g->contacts, sum_of(&f[CUDA_CPU]), sum_of(g),
               g->edits, g->moves, g->advance, g->update, g->detect, s->ms_upload, s->ms_device,
               s->ms_download, s->ms_host, (double)s->uploaded_bytes / 1024,
               (unsigned long long)s->changed_clusters);
    fflush(stdout);
    bench->rows++;
}

// Median and most of the frames that are edited, or of the others, without the first.
static void print_summary(const cuda_bench* bench, const frame (*frames)[CUDA_SIDES],
                          uint32_t count, bool edited) {
    double* values[CUDA_SIDES];
    uint32_t n = 0;
    if (bench->settings.json) return;
    for (int k = 0; k < CUDA_SIDES; k++) {
        values[k] = malloc(count * sizeof **values);
        if (!values[k]) exit(4);
        n = 0;
        for (uint32_t i = 1; i < count; i++)
            if ((frames[i][CUDA_GPU].edited > 0) == edited) values[k][n++] = sum_of(&frames[i][k]);
        if (n > 0) bench_median(values[k], n);
    }
    if (n > 0)
        printf("%u frames %s edits: cpu median %.2f, most %.2f; gpu median %.2f, most %.2f\n", n,
               edited ? "with" : "without", values[CUDA_CPU][n / 2], values[CUDA_CPU][n - 1],
               values[CUDA_GPU][n / 2], values[CUDA_GPU][n - 1]);
    for (int k = 0; k < CUDA_SIDES; k++) free(values[k]);
}

// ---- scenes

static void run_frame(cuda_pair* pair, const scenes_scene* what, void* const run[CUDA_SIDES],
                      frame f[CUDA_SIDES]) {
    const cuda_bench* bench = pair->bench;
    size_t count;
    const fracas_contact* found = fracas_contacts_get_data(pair->contacts[CUDA_CPU], &count);
    for (int i = 0; i < CUDA_SIDES; i++) {
        const double start = bench_now_ms();
        cuda_must(bench, fracas_scene_advance(pair->scene[i]), what->name);
        f[i].advance = bench_now_ms() - start;
        cuda_must(bench, what->step(run[i], found, count, &f[i].edited), what->name);
        const scenes_state state = what->state(run[i]);
        f[i].moves = state.ms_moves;
        f[i].edits = state.ms_edits - state.ms_moves;
    }
    query_both(pair, f);
}

// Prints the frames that are edited and those after them, and every eighth of the others.
static void run_scene(cuda_bench* bench, const scenes_scene* what) {
    const cuda_settings* settings = &bench->settings;
    const scenes_options options = {.size = settings->size, .context = bench->context};
    const uint32_t count = settings->frames ? settings->frames : scenes_frames(what, &options);
    frame(*frames)[CUDA_SIDES] = calloc(count, sizeof *frames);
    void* run[CUDA_SIDES];
    cuda_pair pair;
    if (!frames) exit(4);
    cuda_pair_open(&pair, bench, what->name);
    if (!settings->json) printf("%s\n", what->name);
    print_title(bench);
    for (int i = 0; i < CUDA_SIDES; i++)
        cuda_must(bench, what->create(pair.scene[i], &options, &run[i]), what->name);
    for (uint32_t i = 0; i < count; i++) {
        run_frame(&pair, what, run, frames[i]);
        const bool shown = frames[i][CUDA_GPU].edited || (i && frames[i - 1][CUDA_GPU].edited);
        if (i % 8 == 0 || shown) print_frame(bench, i, frames[i], &pair.work);
    }
    print_summary(bench, (const frame(*)[CUDA_SIDES])frames, count, false);
    print_summary(bench, (const frame(*)[CUDA_SIDES])frames, count, true);
    for (int i = 0; i < CUDA_SIDES; i++) what->destroy(run[i]);
    cuda_pair_close(&pair);
    free(frames);
}

void cuda_edits(cuda_bench* bench) {
    static const char* const names[] = {"exploding-dragon", "breaking-walls"};
    begin(bench, "edits", "whole frames, edits included");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (cuda_wanted(bench, names[i])) run_scene(bench, scenes_find(names[i]));
    cuda_end(bench);
}

// ---- copies of a mesh

enum { CELLS = 144 };  // 248,832 triangles of a copy

typedef struct copies {
    scenes_mesh mesh;
    uint32_t count, side;  // in a cube of this side
    bool rigid;
    fracas_body (*bodies)[CUDA_SIDES];
    double* points;
} copies;

// The copies touch; in each step every one moves a little.
static fracas_pose place(const copies* c, uint32_t copy, uint32_t step) {
    const uint32_t at[3] = {copy % c->side, copy / c->side % c->side, copy / c->side / c->side};
    fracas_pose pose = fracas_pose_make_identity();
    for (uint32_t k = 0; k < 3; k++)
        pose.translation[k] = 3.1 * at[k] + 0.01 * step * ((copy + k) % 3 == 0 ? 1.0 : -0.5);
    return pose;
}

static fracas_points points_at(const copies* c, const fracas_pose* pose) {
    for (uint32_t v = 0; v < c->mesh.vertex_count; v++)
        for (uint32_t k = 0; k < 3; k++)
            c->points[3 * v + k] = c->mesh.points[3 * v + k] + pose->translation[k];
    return (fracas_points){.data = (const double(*)[3])c->points, .count = c->mesh.vertex_count};
}

static void add_copies(cuda_pair* pair, copies* c) {
    const fracas_pose none = fracas_pose_make_identity();
    fracas_body_options options = fracas_body_default_options();
    if (c->rigid) options.motion = FRACAS_MOTION_RIGID;
    for (uint32_t i = 0; i < c->count; i++) {
        const fracas_pose pose = place(c, i, 0);
        if (c->rigid) options.pose = pose;
        const fracas_mesh_view view = {.points = points_at(c, c->rigid ? &none : &pose),
                                       .triangles = c->mesh.triangles,
                                       .triangle_count = c->mesh.triangle_count};
        for (int k = 0; k < CUDA_SIDES; k++)
            cuda_must(pair->bench,
                      fracas_scene_add(pair->scene[k], &view, &options, &c->bodies[i][k]),
                      pair->name);
    }
}

static void move_copies(cuda_pair* pair, const copies* c, uint32_t step, frame f[CUDA_SIDES]) {
    for (uint32_t i = 0; i < c->count; i++) {
        const fracas_pose last = place(c, i, step - 1), pose = place(c, i, step);
        const fracas_points view = c->rigid ? (fracas_points){0} : points_at(c, &pose);
        for (int k = 0; k < CUDA_SIDES; k++) {
            fracas_scene* scene = pair->scene[k];
            const double start = bench_now_ms();
            const fracas_status status =
                c->rigid ? fracas_scene_pose(scene, c->bodies[i][k], &last, &pose)
                         : fracas_scene_move(scene, c->bodies[i][k], &view);
            f[k].moves += bench_now_ms() - start;
            cuda_must(pair->bench, status, pair->name);
        }
    }
}

static void run_copies(cuda_bench* bench, const char* mode, const char* what, bool rigid) {
    const uint32_t size = bench->settings.size ? bench->settings.size : 6000000,
                   steps = bench->settings.frames ? bench->settings.frames : 4;
    copies c = {.side = 1, .rigid = rigid};
    cuda_pair pair;
    if (!scenes_make_dragon(&c.mesh, CELLS)) exit(4);
    c.count = (size + c.mesh.triangle_count - 1) / c.mesh.triangle_count;
    while (c.side * c.side * c.side < c.count) c.side++;
    c.bodies = calloc(c.count, sizeof *c.bodies);
    c.points = malloc(3 * sizeof *c.points * c.mesh.vertex_count);
    if (!c.bodies || !c.points) exit(4);
    begin(bench, mode, what);
    if (!bench->settings.json)
        printf("%u copies, %llu triangles\n", c.count,
               (unsigned long long)c.count * c.mesh.triangle_count);
    print_title(bench);
    cuda_pair_open(&pair, bench, mode);
    add_copies(&pair, &c);
    for (uint32_t step = 0; step < steps; step++) {
        frame f[CUDA_SIDES] = {{0}};
        for (int i = 0; i < CUDA_SIDES && step > 0; i++) {
            const double start = bench_now_ms();
            cuda_must(bench, fracas_scene_advance(pair.scene[i]), mode);
            f[i].advance = bench_now_ms() - start;
        }
        if (step > 0) move_copies(&pair, &c, step, f);
        query_both(&pair, f);
        print_frame(bench, step, f, &pair.work);
    }
    cuda_end(bench);
    cuda_pair_close(&pair);
    scenes_mesh_free(&c.mesh);
    free(c.bodies);
    free(c.points);
}

void cuda_copies(cuda_bench* bench) {
    run_copies(bench, "copies", "many copies of a mesh, all of which move", false);
}

void cuda_poses(cuda_bench* bench) {
    run_copies(bench, "poses", "many rigid copies of a mesh, all of which move", true);
}
