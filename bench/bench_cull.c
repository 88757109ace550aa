// fracas bench cull: savings and cost of culling. A mesh deforms from frame to frame; each culling
// mode gets the same frames. Prints a hash of the contacts before any time: `none` and
// `certificate` must agree. Small balls are sunk into the smooth meshes, so that there are
// contacts, and parts without a certificate. Times
// are of one thread, the minimum over the frames after the first. When Embree is built in, its
// discrete query of the same frames is compared with `none` by time per pair of boxes.
#include "arguments.h"
#include "fracas/published.h"
#include "fracas/scene.h"
#include "generate.h"
#include "peers/registry.h"
#include "timing.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct settings {
    uint32_t size, frames;
    const char* mesh;
    uint32_t modes;
    bool json;
} settings;

// Uses sin and cos of libm: hashes are comparable between modes, not between machines.
static bench_mesh make_torus(uint32_t size) {
    uint32_t rows = (uint32_t)sqrt(size / 4.0), columns = size / 2 / rows;
    bench_mesh m = bench_mesh_allocate(rows * columns, 2 * rows * columns);
    for (uint32_t i = 0; i < rows * columns; i++) {
        double a = 6.283185307179586 * (i % columns) / columns;
        double b = 6.283185307179586 * (i / columns) / rows;
        double r = 0.35 * (1 + 0.1 * sin(9 * a) * sin(5 * b));
        m.points[3 * i] = (1 + r * cos(b)) * cos(a);
        m.points[3 * i + 1] = (1 + r * cos(b)) * sin(a);
        m.points[3 * i + 2] = r * sin(b);
    }
    for (uint32_t i = 0; i < rows * columns; i++) {
        uint32_t x = i % columns, y = i / columns, nx = (x + 1) % columns, ny = (y + 1) % rows;
        const uint32_t t[6] = {i, y * columns + nx,  ny * columns + nx,
                               i, ny * columns + nx, ny * columns + x};
        memcpy(&m.triangles[6 * i], t, sizeof t);
    }
    return m;
}

// Add small balls whose centres are about on the surface: on the outer equator of the torus, or in
// the middles of the quarters of the sheet.
static bench_mesh sink_balls(bench_mesh mesh, bool torus) {
    const uint32_t count = torus ? 8 : 4, n = (uint32_t)sqrt(mesh.triangle_count / 4000.0) + 2;
    for (uint32_t i = 0; i < count; i++) {
        const double a = 0.7853981633974483 * i;
        const double around[3] = {1.35 * cos(a), 1.35 * sin(a), 0};
        const double within[3] = {0.25 + 0.5 * (i % 2), 0.25 + 0.5 * (i / 2), 0};
        mesh = bench_join(mesh, bench_ball(n, torus ? 0.1 : 0.06, torus ? around : within));
    }
    return mesh;
}

static bench_mesh make_mesh(const settings* s) {
    if (strcmp(s->mesh, "torus") == 0) return sink_balls(make_torus(s->size), true);
    uint32_t side = (uint32_t)sqrt(s->size / 2.0);
    bench_mesh m = bench_sheet(side, side);
    const bool smooth = strcmp(s->mesh, "sheet") == 0;
    bench_crumple(&m, 7, smooth ? 0.05 : 0.9);
    return smooth ? sink_balls(m, false) : m;
}

// The points in a frame: a wave runs through the mesh.
static void deform(const bench_mesh* m, uint32_t frame, double* out) {
    for (uint32_t i = 0; i < m->point_count; i++) {
        const double* p = &m->points[3 * i];
        double wave = 0.02 * sin(4 * p[0] + 0.2 * frame) * cos(3 * p[1] - 0.1 * frame);
        out[3 * i] = p[0] + wave;
        out[3 * i + 1] = p[1] + 0.5 * wave;
        out[3 * i + 2] = p[2] + wave;
    }
}

typedef struct result {
    uint64_t hash, contacts;
    fracas_statistics last;
    fracas_update_statistics update_counts;  ///< of the last update
    double first_cull, cull, update, detect, traverse, narrow;
} result;

static uint64_t mix(uint64_t h, uint64_t x) { return (h ^ x) * 0x100000001b3; }

static uint64_t hash_contacts(uint64_t h, const fracas_contacts* contacts) {
    size_t count;
    const fracas_contact* c = fracas_contacts_get_data(contacts, &count);
    for (size_t i = 0; i < count; i++) {
        h = mix(h, (uint64_t)c[i].kind);
        for (int k = 0; k < 2; k++) h = mix(mix(h, c[i].a[k]), c[i].b[k]);
    }
    return h;
}

static void check(fracas_context* context, fracas_status status) {
    if (status == FRACAS_OK) return;
    char message[512];
    fracas_context_get_message(context, message, sizeof message);
    fprintf(stderr, "%s\n", message);
    exit(4);
}

static result run(const settings* s, const bench_mesh* mesh, fracas_published_cull cull) {
    fracas_context* context = NULL;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    if (fracas_context_create(&options, &context) != FRACAS_OK) exit(4);
    fracas_scene* scene = NULL;
    fracas_published_scene_options so = fracas_published_scene_default_options();
    so.scene.modes = s->modes;
    so.cull = cull;
    check(context, fracas_published_scene_create(context, &so, &scene));
    fracas_contacts* contacts = NULL;
    check(context, fracas_contacts_create(context, &contacts));
    fracas_mesh_view view = bench_mesh_view(mesh);
    fracas_body body;
    check(context, fracas_scene_add(scene, &view, NULL, &body));
    double* points = bench_points_copy(mesh);
    result r = {.hash = 0xcbf29ce484222325,
                .cull = 1e9,
                .update = 1e9,
                .detect = 1e9,
                .traverse = 1e9,
                .narrow = 1e9};
    for (uint32_t f = 0; f < s->frames; f++) {
        deform(mesh, f, points);
        fracas_points p = bench_points(points, mesh->point_count);
        check(context, fracas_scene_move(scene, body, &p));
        double t0 = bench_clock_ms(true);
        check(context, fracas_scene_update(scene));
        double t1 = bench_clock_ms(true);
        fracas_query query = fracas_scene_default_query();
        query.modes = s->modes;
        fracas_sink sink = fracas_contacts_get_sink(contacts);
        check(context, fracas_scene_detect(scene, &query, &sink));
        double t2 = bench_clock_ms(true);
        r.last = *fracas_contacts_get_statistics(contacts);
        check(context, fracas_scene_get_update_statistics(scene, &r.update_counts));
        r.hash = hash_contacts(r.hash, contacts);
        for (int k = 0; k < 6; k++) r.contacts += r.last.contacts[k];
        if (f == 0) r.first_cull = r.update_counts.ms_cull;
        if (f > 0) {
            r.cull = fmin(r.cull, r.update_counts.ms_cull);
            r.update = fmin(r.update, t1 - t0);
            r.detect = fmin(r.detect, t2 - t1);
            r.traverse = fmin(r.traverse, r.last.ms_traverse);
            r.narrow = fmin(r.narrow, r.last.ms_narrow);
        }
        check(context, fracas_scene_advance(scene));
    }
    free(points);
    fracas_contacts_destroy(contacts);
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
    return r;
}

// ---- Embree

// The two searches are compared by their time per pair of triangles with overlapping boxes: each
// has to visit all these pairs, neighbours included, whatever it tests on the way to them.
typedef struct embree_times {
    uint64_t pairs;  // in the last frame; 0: Embree was not measured
    double refit, query;
} embree_times;

static void count_pairs(peer_sink* sink) {
    *(uint64_t*)sink->user += sink->count;
    sink->count = 0;
}

static embree_times run_embree(const settings* s, const bench_mesh* mesh) {
    embree_times r = {.refit = 1e9, .query = 1e9};
    const peer* embree = peer_entries[0].peer;
    if (!embree || s->modes != FRACAS_MODE_DISCRETE) return (embree_times){0};
    peer_mesh view = {mesh->points, mesh->triangles, mesh->point_count, mesh->triangle_count};
    void* tree = embree->create(&view);
    if (!tree) return (embree_times){0};
    double* points = bench_points_copy(mesh);
    peer_sink* sink = bench_allocate(1, sizeof *sink);
    sink->flush = count_pairs;
    sink->user = &r.pairs;
    for (uint32_t f = 0; f < s->frames; f++) {
        deform(mesh, f, points);
        r.pairs = 0;
        double t0 = bench_clock_ms(true);
        embree->refit(tree, points);
        double t1 = bench_clock_ms(true);
        embree->query_self(tree, sink);
        sink->flush(sink);
        double t2 = bench_clock_ms(true);
        if (f == 0) continue;
        r.refit = fmin(r.refit, t1 - t0);
        r.query = fmin(r.query, t2 - t1);
    }
    free(sink);
    free(points);
    embree->destroy(tree);
    return r;
}

// Compares the whole query with `none`, exact tests included, with Embree's search for pairs of
// boxes.
static void print_embree(const settings* s, const embree_times* r, const result* none) {
    const double pairs = (double)(r->pairs ? r->pairs : 1);
    const double theirs = 1e6 * r->query / pairs, ours = 1e6 * none->detect / pairs;
    if (s->json && !r->pairs)
        printf("],\"embree\":null}\n");
    else if (s->json)
        printf("],\"embree\":{\"pairs\":%llu,\"ms\":{\"refit\":%.3f,\"query\":%.3f},"
               "\"ns_per_pair\":%.2f,\"none_ns_per_pair\":%.2f,\"none_ratio\":%.4f}}\n",
               (unsigned long long)r->pairs, r->refit, r->query, theirs, ours, ours / theirs);
    else if (r->pairs)
        printf("embree: refit %.2f, query %.2f ms; %llu pairs of boxes of triangles overlap: %.1f "
               "ns each, detect with none %.1f, %.2f times as much (target: at most 1.2)\n",
               r->refit, r->query, (unsigned long long)r->pairs, theirs, ours, ours / theirs);
    else if (s->modes == FRACAS_MODE_DISCRETE)
        printf("embree: not built in\n");
}

// ---- the program

static const char* const names[] = {"certificate",         "none",
                                    "normal-cone",         "normal-cone+boundary-contour",
                                    "normal-cone+contour", "dual-cone"};

static void print_row(const settings* s, fracas_published_cull cull, const result* r, bool last) {
    uint64_t candidates = r->last.tt_candidates + r->last.vf_candidates + r->last.ee_candidates;
    if (s->json)
        printf("  {\"cull\":\"%s\",\"hash\":\"%016llx\",\"contacts\":%llu,\"tried\":%llu,"
               "\"certified\":%llu,\"box_pairs\":%llu,\"candidates\":%llu,\"ms\":{\"first_cull\":"
               "%.3f,\"cull\":%.3f,\"update\":%.3f,\"traverse\":%.3f,\"narrow\":%.3f,\"detect\":"
               "%.3f}}%s\n",
               names[cull], (unsigned long long)r->hash, (unsigned long long)r->contacts,
               (unsigned long long)r->update_counts.cull_tried,
               (unsigned long long)r->update_counts.cull_certified,
               (unsigned long long)r->last.box_pairs, (unsigned long long)candidates, r->first_cull,
               r->cull, r->update, r->traverse, r->narrow, r->detect, last ? "" : ",");
    else
        printf("%-29s %016llx %9llu %7llu %7llu %9llu %9llu %7.2f %7.2f %7.2f %7.2f %7.2f %7.2f\n",
               names[cull], (unsigned long long)r->hash, (unsigned long long)r->contacts,
               (unsigned long long)r->update_counts.cull_tried,
               (unsigned long long)r->update_counts.cull_certified,
               (unsigned long long)r->last.box_pairs, (unsigned long long)candidates, r->first_cull,
               r->cull, r->update, r->traverse, r->narrow, r->detect);
}

static bool read_value(settings* s, const char* name, const char* value) {
    uint64_t number = 0;
    if (strcmp(name, "--size") == 0) {
        s->size = bench_parse_number(value, 64, 100000000, &number) ? (uint32_t)number : 0;
        return s->size > 0;
    }
    if (strcmp(name, "--frames") == 0) {
        s->frames = bench_parse_number(value, 2, 100000, &number) ? (uint32_t)number : 0;
        return s->frames > 0;
    }
    if (strcmp(name, "--mesh") == 0) {
        s->mesh = value;
        return !strcmp(value, "torus") || !strcmp(value, "sheet") || !strcmp(value, "crumpled");
    }
    if (strcmp(name, "--mode") != 0) return false;
    s->modes = strcmp(value, "discrete") ? FRACAS_MODE_CONTINUOUS : FRACAS_MODE_DISCRETE;
    return !strcmp(value, "discrete") || !strcmp(value, "continuous");
}

// Returns the exit code, or -1 to continue.
static int read_arguments(int argc, char** argv, settings* s) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            printf(
                "usage: fracas bench cull [--size N] [--frames N] [--mesh torus|sheet|crumpled]\n"
                "                         [--mode discrete|continuous] [--json]\n"
                "What each mode of culling saves and costs, on one thread: a mesh of about N\n"
                "triangles (252000) deforms over N frames (8). The contacts with certificates\n"
                "must be those without culling; the other modes are unsound.\n");
            return 0;
        }
        if (strcmp(argv[i], "--json") == 0)
            s->json = true;
        else if (i + 1 < argc && read_value(s, argv[i], argv[i + 1]))
            i++;
        else
            return bench_refuse("cull", argv[i]);
    }
    return -1;
}

int main(int argc, char** argv) {
    settings s = {252000, 8, "torus", FRACAS_MODE_DISCRETE, false};
    const int code = read_arguments(argc, argv, &s);
    if (code >= 0) return code;
    bench_mesh mesh = make_mesh(&s);
    static const fracas_published_cull order[] = {FRACAS_PUBLISHED_CULL_NONE,
                                                  FRACAS_PUBLISHED_CULL_CERTIFICATE,
                                                  FRACAS_PUBLISHED_CULL_DUAL_CONE,
                                                  FRACAS_PUBLISHED_CULL_NORMAL_CONE,
                                                  FRACAS_PUBLISHED_CULL_NORMAL_CONE_CONTOUR,
                                                  FRACAS_PUBLISHED_CULL_NORMAL_CONE_BOUNDARY};
    enum { COUNT = sizeof order / sizeof *order };
    if (s.json)
        printf("{\"mesh\":\"%s\",\"triangles\":%u,\"frames\":%u,\"modes\":[\n", s.mesh,
               mesh.triangle_count, s.frames);
    else
        printf("%s, %u triangles, %u frames\n%-29s %-16s %9s %7s %7s %9s %9s %7s %7s %7s %7s %7s "
               "%7s\n",
               s.mesh, mesh.triangle_count, s.frames, "mode", "hash", "contacts", "tried", "cert",
               "boxpairs", "candidat", "1.cull", "cull", "update", "travers", "narrow", "detect");
    result results[COUNT];
    for (int i = 0; i < COUNT; i++) {
        results[i] = run(&s, &mesh, order[i]);
        print_row(&s, order[i], &results[i], i == COUNT - 1);
    }
    embree_times embree = run_embree(&s, &mesh);
    print_embree(&s, &embree, &results[0]);
    bench_mesh_free(&mesh);
    if (results[0].contacts == 0) fprintf(stderr, "fracas bench cull: there are no contacts\n");
    if (results[0].hash != results[1].hash)
        fprintf(stderr, "fracas bench cull: the contacts with certificate and none differ\n");
    return results[0].contacts > 0 && results[0].hash == results[1].hash ? 0 : 1;
}
