// fracas bench edits: what building, tearing and breaking cost, on one thread.
//
// rebuild: all trees of one body anew, with each builder. tearing: a body whose points all move and
// which is torn in place in every frame, against the same without tears. splits: a part of k
// triangles breaks off one body of N. memory: bytes for each triangle.
#include "generate.h"
#include "scene/scene.h"
#include "timing.h"
#include <stdio.h>
#include <string.h>

typedef struct options {
    bool json, full;
    const char* only;
    uint32_t triangles;
} options;

typedef struct counter {
    size_t live, most;
} counter;

typedef struct setting {
    fracas_context* context;
    fracas_scene* scene;
    fracas_body body;
    counter memory;
} setting;

static void need(fracas_status status, const setting* s) {
    if (status == FRACAS_OK) return;
    char message[512];
    fracas_context_message(s->context, message, sizeof message);
    fprintf(stderr, "%s: %s\n", fracas_status_name(status), message);
    exit(4);
}

static void* count_allocate(size_t size, size_t alignment, void* user) {
    counter* c = user;
    c->live += size;
    if (c->live > c->most) c->most = c->live;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void count_release(void* memory, size_t size, void* user) {
    ((counter*)user)->live -= memory ? size : 0;
    free(memory);
}

static void open_setting(setting* s, const bench_mesh* mesh, const fracas_scene_options* how) {
    memset(s, 0, sizeof *s);
    fracas_context_options one = fracas_context_default_options();
    one.worker_count = 1;
    one.allocator = (fracas_allocator){count_allocate, count_release, &s->memory};
    if (fracas_context_create(&one, &s->context) != FRACAS_OK) exit(4);
    need(fracas_scene_create(s->context, how, &s->scene), s);
    fracas_mesh_view view = bench_mesh_view(mesh);
    need(fracas_scene_add(s->scene, &view, NULL, &s->body), s);
}

static void close_setting(setting* s) {
    fracas_scene_destroy(s->scene);
    fracas_context_destroy(s->context);
}

static double timed_update(setting* s) {
    double start = bench_clock_ms(true);
    need(fracas_scene_update(s->scene), s);
    return bench_clock_ms(true) - start;
}

static void move(setting* s, const double* points, uint32_t count) {
    fracas_points view = bench_points(points, count);
    need(fracas_scene_move(s->scene, s->body, &view), s);
}

// A sheet of about that many triangles, bent so that its boxes are no slabs.
static bench_mesh make_sheet(uint32_t triangles) {
    uint32_t side = 1;
    while (2 * (side + 1) * (side + 1) <= triangles) side++;
    bench_mesh mesh = bench_sheet(side, side);
    bench_crumple(&mesh, 5, 0.15);
    return mesh;
}

// ---- rebuilding

enum { RUNS = 9 };

static const char* const builder_names[] = {"sah", "median", "grid"};

typedef struct rebuild {
    double first, again, refit, detect;
    double tree_bytes, bytes;  // for each triangle
} rebuild;

static double tree_bytes(const fracas_scene* scene) {
    double sum = 0;
    for (size_t i = 0; i < scene->blocks.count; i++) {
        const frc_block* b = scene->blocks.data[i];
        if (!b) continue;
        sum += b->leaf_count * sizeof(frc_leaf) + b->face_slots * sizeof(frc_face_slot) +
               b->edge_slots * sizeof(frc_edge_slot) + b->vertex_slots * sizeof(uint32_t) +
               (b->face_slots + b->edge_slots + b->vertex_slots) / 4 * sizeof(uint32_t);
        for (int m = 0; m < FRC_BOXES_COUNT; m++) {
            const frc_tree* t = &b->tree[m];
            if (!t->nodes) continue;
            sum += b->node_count * sizeof(frc_node) +
                   t->ends * b->leaf_count * sizeof(frc_point_box) +
                   t->ends * b->face_slots / 4 * sizeof(frc_box4) +
                   (t->edge_box ? t->ends * b->edge_slots / 4 * sizeof(frc_box4) : 0) +
                   (t->vertex_box ? t->ends * b->vertex_slots / 4 * sizeof(frc_box4) : 0);
        }
    }
    return sum;
}

static double smallest_update(const bench_mesh* mesh, fracas_scene_options how,
                              fracas_restructure policy, rebuild* out) {
    setting s;
    how.restructure = policy;
    open_setting(&s, mesh, &how);
    double first = timed_update(&s), best = 1e30;
    for (int i = 0; i < RUNS; i++) {
        move(&s, mesh->points, mesh->point_count);
        double ms = timed_update(&s);
        if (ms < best) best = ms;
    }
    if (out) {
        out->first = first;
        out->bytes = (double)s.memory.live / mesh->triangle_count;
        out->tree_bytes = tree_bytes(s.scene) / mesh->triangle_count;
        fracas_query query = fracas_query_default();
        query.modes = how.modes;
        out->detect = 1e30;
        for (int i = 0; i < 3; i++) {
            fracas_sink count = {0};
            double start = bench_clock_ms(true);
            need(fracas_scene_detect(s.scene, &query, &count), &s);
            double ms = bench_clock_ms(true) - start;
            if (ms < out->detect) out->detect = ms;
        }
    }
    close_setting(&s);
    return best;
}

static const char* mode_name(uint32_t modes) {
    return modes == FRACAS_DISCRETE ? "discrete" : modes == FRACAS_BOTH ? "both" : "continuous";
}

static void bench_rebuild(const options* o) {
    const double centre[3] = {0, 0, 0};
    uint32_t n = 1;
    while (8 * (n + 1) * (n + 1) <= o->triangles) n++;
    bench_mesh mesh = bench_ball(n, 1, centre);
    bench_crumple(&mesh, 3, 0.3);
    if (o->json)
        printf("\"rebuild\":[");
    else
        printf("rebuild: a closed body of %u triangles, ms\n"
               "  %-10s %-8s %9s %9s %9s %9s %10s %10s\n",
               mesh.triangle_count, "modes", "builder", "first", "rebuild", "refit", "detect",
               "tree B/tri", "all B/tri");
    const char* separator = "";
    for (uint32_t modes = 1; modes <= FRACAS_BOTH; modes++)
        for (int builder = 0; builder < 3; builder++) {
            rebuild r;
            fracas_scene_options how = fracas_scene_default_options();
            how.modes = modes;
            how.builder = how.rebuild = (fracas_builder)builder;
            r.refit = smallest_update(&mesh, how, FRACAS_RESTRUCTURE_NONE, &r);
            r.again = smallest_update(&mesh, how, FRACAS_RESTRUCTURE_ALWAYS, NULL);
            if (o->json)
                printf("%s{\"modes\":\"%s\",\"builder\":\"%s\",\"triangles\":%u,\"first_ms\":%.3f,"
                       "\"rebuild_ms\":%.3f,\"refit_ms\":%.3f,\"detect_ms\":%.3f,"
                       "\"tree_bytes_per_triangle\":%.1f,\"bytes_per_triangle\":%.1f}",
                       separator, mode_name(modes), builder_names[builder], mesh.triangle_count,
                       r.first, r.again, r.refit, r.detect, r.tree_bytes, r.bytes);
            else
                printf("  %-10s %-8s %9.2f %9.2f %9.2f %9.2f %10.1f %10.1f\n", mode_name(modes),
                       builder_names[builder], r.first, r.again, r.refit, r.detect, r.tree_bytes,
                       r.bytes);
            separator = ",\n";
        }
    printf(o->json ? "]" : "\n");
    bench_mesh_free(&mesh);
}

// ---- tearing in place

enum { TEARS = 20, FRAMES = 60 };

// Triangles around each vertex of the sheet as it was made.
typedef struct fans {
    uint32_t *first, *triangles;
} fans;

static fans find_fans(const bench_mesh* mesh) {
    fans f = {bench_allocate(mesh->point_count + 1, sizeof *f.first),
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

// Vertex v is doubled; the first half of its triangles take the copy.
static void tear(setting* s, const bench_mesh* mesh, const fans* f, uint32_t v) {
    fracas_body_info info;
    need(fracas_scene_body(s->scene, s->body, &info), s);
    fracas_new_vertex copy = {
        v, FRACAS_NONE, 0, {0, 0, 0},
           {0, 0, 0}
    };
    fracas_repoint repoints[8];
    uint32_t count = 0;
    for (uint32_t i = f->first[v]; i < (f->first[v] + f->first[v + 1]) / 2 && count < 8; i++) {
        uint32_t t = f->triangles[i], corner = 0;
        while (mesh->triangles[3 * (size_t)t + corner] != v) corner++;
        repoints[count++] = (fracas_repoint){t, corner, info.vertex_numbers};
    }
    fracas_split split = fracas_split_default();
    split.new_vertices = &copy, split.new_vertex_count = 1;
    split.repoints = repoints, split.repoint_count = count;
    need(fracas_scene_split(s->scene, s->body, &split, NULL), s);
}

typedef struct frame_times {
    double mean, worst;
} frame_times;

// Split and update of each frame, less nothing. Without tears: the refit.
static frame_times run_frames(const bench_mesh* mesh, const fans* f, uint32_t tears,
                              fracas_scene_options how) {
    setting s;
    open_setting(&s, mesh, &how);
    timed_update(&s);
    uint32_t room = mesh->point_count + TEARS * FRAMES, next = 0;
    double *points = bench_allocate(3 * (size_t)room, sizeof *points), ms[FRAMES];
    memcpy(points, mesh->points, 3 * (size_t)mesh->point_count * sizeof *points);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        fracas_body_info info;
        need(fracas_scene_body(s.scene, s.body, &info), &s);
        move(&s, points, info.vertex_numbers);
        double start = bench_clock_ms(true);
        for (uint32_t i = 0; i < tears; i++) {
            // Spread over the sheet, no vertex twice.
            uint32_t v = (uint32_t)((uint64_t)next++ * 40503u % mesh->point_count);
            tear(&s, mesh, f, v);
            memcpy(points + 3 * (size_t)(info.vertex_numbers + i), points + 3 * (size_t)v,
                   3 * sizeof *points);
        }
        need(fracas_scene_update(s.scene), &s);
        ms[frame] = bench_clock_ms(true) - start;
        need(fracas_scene_advance(s.scene), &s);
    }
    free(points);
    close_setting(&s);
    frame_times t = {0, 0};
    for (int i = 0; i < FRAMES; i++) {
        t.mean += ms[i] / FRAMES;
        if (ms[i] > t.worst) t.worst = ms[i];
    }
    return t;
}

static void bench_tearing(const options* o) {
    bench_mesh mesh = make_sheet(o->triangles);
    fans f = find_fans(&mesh);
    fracas_scene_options how = fracas_scene_default_options();
    how.restructure = FRACAS_RESTRUCTURE_NONE;
    how.builder = FRACAS_BUILD_GRID;
    double rebuild_ms = smallest_update(&mesh, how, FRACAS_RESTRUCTURE_ALWAYS, NULL);
    double refit_ms = smallest_update(&mesh, how, FRACAS_RESTRUCTURE_NONE, NULL);
    frame_times whole = run_frames(&mesh, &f, 0, how), torn = run_frames(&mesh, &f, TEARS, how);
    double share = (torn.mean - whole.mean) / (rebuild_ms - refit_ms);
    double worst = (torn.worst - whole.mean) / (rebuild_ms - refit_ms);
    if (o->json)
        printf("\"tearing\":{\"triangles\":%u,\"splits_per_frame\":%d,\"refit_ms\":%.3f,"
               "\"rebuild_ms\":%.3f,\"frame_ms\":%.3f,\"worst_frame_ms\":%.3f,"
               "\"share_of_rebuild\":%.4f,\"worst_share\":%.4f,\"wanted_share\":0.1}",
               mesh.triangle_count, TEARS, whole.mean, rebuild_ms, torn.mean, torn.worst, share,
               worst);
    else
        printf("tearing: a sheet of %u triangles, all moving, %d splits in place per frame, ms\n"
               "  refit %.2f, rebuild %.2f; split + update: mean %.2f, worst %.2f\n"
               "  beyond the refit: mean %.1f %%, worst %.1f %% of a rebuild (wanted: 10 %%)\n\n",
               mesh.triangle_count, TEARS, whole.mean, rebuild_ms, torn.mean, torn.worst,
               100 * share, 100 * worst);
    free(f.first), free(f.triangles);
    bench_mesh_free(&mesh);
}

// ---- parts that break off

enum { SPLITS = 7 };

// Labels for a patch of about k triangles of a sheet: the cells of a square at one of a few places.
static uint32_t label_patch(uint32_t side, uint32_t k, uint32_t turn, uint32_t* labels) {
    uint32_t edge = 1, count = 0;
    while (2 * (edge + 1) * (edge + 1) <= k) edge++;
    uint32_t across = side / (edge + 1), place = turn % (across * across);
    uint32_t x0 = place % across * (edge + 1), y0 = place / across * (edge + 1);
    memset(labels, 0, 2 * (size_t)side * side * sizeof *labels);
    for (uint32_t y = y0; y < y0 + edge; y++)
        for (uint32_t x = x0; x < x0 + edge; x++)
            for (uint32_t t = 0; t < 2; t++, count++) labels[2 * ((size_t)y * side + x) + t] = 1;
    return count;
}

typedef struct split_times {
    double split, update;  // medians
    double worst;          // both
    uint32_t listed;
} split_times;

static split_times time_splits(uint32_t triangles, uint32_t k) {
    setting s;
    // At most half of the body leaves.
    uint32_t runs = triangles / (2 * k) < SPLITS ? triangles / (2 * k) : SPLITS;
    bench_mesh mesh = make_sheet(triangles);
    fracas_scene_options how = fracas_scene_default_options();
    how.restructure = FRACAS_RESTRUCTURE_NONE;
    open_setting(&s, &mesh, &how);
    timed_update(&s);
    uint32_t side = 1;
    while (2 * side * side < mesh.triangle_count) side++;
    uint32_t* labels = bench_allocate(mesh.triangle_count, sizeof *labels);
    double split_ms[SPLITS], update_ms[SPLITS];
    split_times t = {0};
    for (uint32_t i = 0; i < runs; i++) {
        t.listed = label_patch(side, k, i, labels);
        fracas_split_plan* plan;
        fracas_body part;
        need(fracas_split_plan_create(s.scene, s.body, labels, mesh.triangle_count, &plan), &s);
        double start = bench_clock_ms(true);
        need(fracas_scene_split(s.scene, s.body, fracas_split_plan_view(plan), &part), &s);
        split_ms[i] = bench_clock_ms(true) - start;
        update_ms[i] = timed_update(&s);
        if (split_ms[i] + update_ms[i] > t.worst) t.worst = split_ms[i] + update_ms[i];
        fracas_split_plan_destroy(plan);
        need(fracas_scene_advance(s.scene), &s);
        timed_update(&s);
    }
    t.split = bench_median(split_ms, runs);
    t.update = bench_median(update_ms, runs);
    free(labels);
    bench_mesh_free(&mesh);
    close_setting(&s);
    return t;
}

static void bench_splits(const options* o) {
    const char* separator = "";
    if (o->json)
        printf("\"splits\":[");
    else
        printf("splits: a part of k triangles breaks off one body of N, ms (median of up to %d)\n"
               "  %8s %9s %9s %9s %9s %12s\n",
               SPLITS, "k", "N", "split", "update", "worst", "us/triangle");
    for (uint32_t k = 100; k <= (o->full ? 100000 : 10000); k *= 10)
        for (uint32_t n = 10000; n <= (o->full ? 1000000 : 300000); n *= o->full ? 10 : 5) {
            if (4 * k > n) continue;
            split_times t = time_splits(n, k);
            if (o->json)
                printf("%s{\"listed\":%u,\"triangles\":%u,\"split_ms\":%.4f,\"update_ms\":%.4f,"
                       "\"worst_ms\":%.4f}",
                       separator, t.listed, n, t.split, t.update, t.worst);
            else
                printf("  %8u %9u %9.3f %9.3f %9.3f %12.3f\n", t.listed, n, t.split, t.update,
                       t.worst, 1e3 * (t.split + t.update) / t.listed);
            separator = ",\n";
        }
    printf(o->json ? "]" : "\n");
}

// ----

static void print_usage(FILE* out) {
    fprintf(out, "usage: fracas bench edits [--only rebuild|tearing|splits] [--triangles N] "
                 "[--full] [--json]\n"
                 "What building, tearing in place and breaking cost. --full: splits of up to 1e5\n"
                 "triangles off bodies of up to 1e6.\n");
}

// Exit code to end with, or -1 to go on.
static int parse(int argc, char** argv, options* o) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) return print_usage(stdout), 0;
        if (!strcmp(argv[i], "--json"))
            o->json = true;
        else if (!strcmp(argv[i], "--full"))
            o->full = true;
        else if (!strcmp(argv[i], "--only") && i + 1 < argc)
            o->only = argv[++i];
        else if (!strcmp(argv[i], "--triangles") && i + 1 < argc)
            o->triangles = (uint32_t)strtoul(argv[++i], NULL, 10);
        else
            return print_usage(stderr), 2;
    }
    return o->triangles >= 5000 && o->triangles <= 10000000 ? -1 : (print_usage(stderr), 2);
}

int main(int argc, char** argv) {
    options o = {.triangles = 254000};
    int code = parse(argc, argv, &o);
    if (code >= 0) return code;
    static const struct {
        const char* name;
        void (*run)(const options*);
    } parts[] = {
        {"rebuild", bench_rebuild},
        {"tearing", bench_tearing},
        {"splits",  bench_splits }
    };
    bool any = false;
    if (o.json) printf("{");
    for (int i = 0; i < 3; i++) {
        if (o.only && strcmp(o.only, parts[i].name) != 0) continue;
        if (o.json && any) printf(",\n");
        parts[i].run(&o);
        fflush(stdout);
        any = true;
    }
    if (o.json) printf("}\n");
    if (!any) print_usage(stderr);
    return any ? 0 : 2;
}
