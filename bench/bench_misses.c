// fracas bench misses: searches for wrong certificates. The shapes are random strips, ramps, pipes,
// folded sheets, non-manifold joints, torn meshes, layers and fans, at rest and moving, before and
// after edits. Every node and leaf of their trees is tried; every one that is certified or marked
// is checked by exact tests of all pairs below it. Exits with 1 and prints the shape when a pair
// was missed.
#include "arguments.h"
#include "cull/cull_check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    uint64_t nodes, seed;
    uint32_t compare;
    bool json;
} settings;

static uint64_t node_count(const cull_tally* t) { return t->nodes[0] + t->nodes[1]; }

// ---- edits

// Duplicates a vertex of a random triangle, removes the triangle, or adds another one.
static bool edit(const cull_world* w, uint64_t* r) {
    fracas_body_info info;
    if (fracas_scene_get_body(w->scene, w->body, &info) != FRACAS_OK) return false;
    uint32_t t = cull_below(r, info.triangle_numbers), corners[3];
    if (fracas_scene_get_triangle(w->scene, w->body, t, corners) != FRACAS_OK) return true;
    fracas_split split = fracas_scene_default_split();
    fracas_new_vertex copy = {corners[0], FRACAS_NONE, 0, {0}, {0}};
    fracas_repoint repoints[8];
    uint32_t triangle[3] = {corners[1], corners[0], cull_below(r, info.vertex_numbers)};
    double here[3];
    switch (cull_below(r, 4)) {
    case 0:
        if (info.triangles < 2) return true;
        split.removed_triangles = &t, split.removed_triangle_count = 1;
        break;
    case 1:
        if (fracas_scene_get_vertex(w->scene, w->body, triangle[2], here, NULL) != FRACAS_OK)
            return true;
        split.new_triangles = triangle, split.new_triangle_count = 1;
        break;
    default:
        // Triangles with neighbouring numbers are mostly adjacent: they get the copy together.
        for (uint32_t n = t; n < t + 4 && n < info.triangle_numbers; n++) {
            uint32_t c[3];
            if (fracas_scene_get_triangle(w->scene, w->body, n, c) != FRACAS_OK) continue;
            for (uint32_t k = 0; k < 3; k++)
                if (c[k] == corners[0])
                    repoints[split.repoint_count++] = (fracas_repoint){n, k, info.vertex_numbers};
            if (split.repoint_count > 4) break;
        }
        split.new_vertices = &copy, split.new_vertex_count = 1;
        split.repoints = repoints;
    }
    return fracas_scene_split(w->scene, w->body, &split, NULL) == FRACAS_OK;
}

// Starts a new step in which all vertices move at random.
static bool move_vertices(const cull_world* w, uint64_t* r) {
    fracas_body_info info;
    if (fracas_scene_advance(w->scene) != FRACAS_OK ||
        fracas_scene_get_body(w->scene, w->body, &info) != FRACAS_OK)
        return false;
    double(*points)[3] = calloc(info.vertex_numbers, sizeof *points);
    double amount = cull_uniform(r, 0, 0.2);
    for (uint32_t i = 0; i < info.vertex_numbers; i++) {
        if (fracas_scene_get_vertex(w->scene, w->body, i, points[i], NULL) != FRACAS_OK) continue;
        double size = 0;
        for (int k = 0; k < 3; k++) size += points[i][k] < 0 ? 0 - points[i][k] : points[i][k];
        for (int k = 0; k < 3; k++) points[i][k] += amount * size * cull_uniform(r, -0.2, 0.2);
    }
    fracas_points view = {.data = points, .count = info.vertex_numbers};
    bool ok = fracas_scene_move(w->scene, w->body, &view) == FRACAS_OK;
    free(points);
    return ok;
}

// Up to two updates after random edits and motion; checks all marks after each.
static bool run_updates(const cull_world* w, uint64_t* r, cull_tally* tally) {
    for (uint32_t updates = cull_below(r, 3); updates > 0; updates--) {
        uint32_t edits = cull_below(r, 4);
        if (cull_below(r, 2) && !move_vertices(w, r)) return false;
        for (uint32_t i = 0; i < edits; i++)
            if (!edit(w, r)) return false;
        if (fracas_scene_update(w->scene) != FRACAS_OK) return false;
        cull_check_scene(w, false, tally);
    }
    return true;
}

static bool try_shape(uint64_t seed, cull_tally* tally) {
    uint64_t r = seed * 0x9e3779b97f4a7c15 | 1;
    for (int i = 0; i < 4; i++) cull_random(&r);
    cull_kind kind = (cull_kind)cull_below(&r, CULL_KINDS);
    uint32_t size = 4 + cull_below(&r, cull_below(&r, 8) ? 60 : 400);
    cull_shape shape = cull_make_shape(kind, size, &r);
    cull_world world;
    bool ok = cull_world_open(&world, &shape, FRACAS_PUBLISHED_CULL_CERTIFICATE, 1);
    if (ok) cull_check_scene(&world, false, tally);
    ok = ok && run_updates(&world, &r, tally);
    cull_world_close(&world);
    cull_free_shape(&shape);
    return ok;
}

// ---- contacts missed by each mode

static uint64_t count_contacts(const cull_world* w, bool no_cull) {
    fracas_published_query query = fracas_published_scene_default_query();
    fracas_statistics found = {0};
    fracas_sink sink = {.statistics = &found};
    query.query.modes = FRACAS_MODE_DISCRETE;
    query.no_cull = no_cull;
    if (fracas_published_scene_detect(w->scene, &query, &sink, NULL) != FRACAS_OK) exit(4);
    return found.contacts[FRACAS_CONTACT_TT];
}

typedef struct misses {
    uint64_t shapes, contacts, all;
} misses;

static misses compare_mode(const settings* s, fracas_published_cull mode, cull_kind kind) {
    misses m = {0};
    uint64_t r = (s->seed + (uint64_t)kind) * 0x9e3779b97f4a7c15 | 1;
    for (uint32_t i = 0; i < s->compare; i++) {
        cull_shape shape = cull_make_shape(kind, 40 + cull_below(&r, 400), &r);
        cull_world world;
        if (!cull_world_open(&world, &shape, mode, 1)) exit(4);
        uint64_t all = count_contacts(&world, true), found = count_contacts(&world, false);
        m.all += all;
        m.contacts += all - found;
        m.shapes += all > found;
        cull_world_close(&world);
        cull_free_shape(&shape);
    }
    return m;
}

static int compare_modes(const settings* s) {
    static const char* const modes[] = {"certificate",         "none",
                                        "normal-cone",         "normal-cone+boundary-contour",
                                        "normal-cone+contour", "dual-cone"};
    static const char* const kinds[CULL_KINDS] = {"strip",  "ramp", "pipe",   "folded",
                                                  "joints", "torn", "layers", "fan"};
    uint64_t wrong = 0;
    printf(s->json ? "{\"shapes\":%u,\"rows\":[" : "%u shapes of every kind\n", s->compare);
    for (int mode = 0; mode < 6; mode++)
        for (int kind = 0; kind < CULL_KINDS; kind++) {
            misses m = compare_mode(s, (fracas_published_cull)mode, (cull_kind)kind);
            if (mode <= FRACAS_PUBLISHED_CULL_NONE) wrong += m.contacts;
            printf(s->json ? "%s{\"mode\":\"%s\",\"kind\":\"%s\",\"shapes\":%llu,\"missed\":%llu,"
                             "\"contacts\":%llu}"
                           : "%s%-29s %-7s misses in %5llu shapes, %7llu of %8llu contacts\n",
                   s->json && mode + kind ? "," : "", modes[mode], kinds[kind],
                   (unsigned long long)m.shapes, (unsigned long long)m.contacts,
                   (unsigned long long)m.all);
        }
    if (s->json) printf("]}\n");
    return wrong ? 1 : 0;
}

// ---- the program

// Returns the exit code, or -1 to continue.
static int read_arguments(int argc, char** argv, settings* s) {
    for (int i = 1; i < argc; i++) {
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        uint64_t compare = s->compare;
        bool known = true;
        if (strcmp(argv[i], "--help") == 0) {
            printf(
                "usage: fracas bench misses [--nodes N] [--seed S] [--compare SHAPES] [--full]\n"
                "                           [--json]\n"
                "Searches for wrong certificates: tries N nodes (1000000; with --full 10000000)\n"
                "of random shapes, and checks all pairs below each that is certified. --compare:\n"
                "instead counts the contacts that each mode of culling misses, in SHAPES shapes\n"
                "of every kind.\n");
            return 0;
        }
        if (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "--full") == 0) {
            if (argv[i][2] == 'j') s->json = true;
            if (argv[i][2] == 'f') s->nodes = 10000000;
            continue;
        }
        if (strcmp(argv[i], "--nodes") == 0)
            known = bench_parse_number(value, 1, UINT64_MAX, &s->nodes);
        else if (strcmp(argv[i], "--compare") == 0)
            known = bench_parse_number(value, 1, UINT32_MAX, &compare);
        else if (strcmp(argv[i], "--seed") == 0)
            known = bench_parse_number(value, 0, UINT64_MAX, &s->seed);
        else
            known = false;
        if (!known) return bench_refuse("misses", argv[i]);
        s->compare = (uint32_t)compare;
        i++;
    }
    return -1;
}

int main(int argc, char** argv) {
    settings s = {1000000, 1, 0, false};
    const int code = read_arguments(argc, argv, &s);
    if (code >= 0) return code;
    if (s.compare) return compare_modes(&s);
    cull_tally tally = {0};
    uint64_t shapes = 0, failed = 0;
    while (node_count(&tally) < s.nodes) {
        uint64_t before = tally.misses;
        if (!try_shape(s.seed + shapes, &tally)) {
            fprintf(stderr, "shape %llu failed\n", (unsigned long long)(s.seed + shapes));
            failed++;
        }
        if (tally.misses > before)
            fprintf(stderr, "shape %llu has %llu wrong certificates\n",
                    (unsigned long long)(s.seed + shapes),
                    (unsigned long long)(tally.misses - before));
        shapes++;
    }
    printf(s.json
               ? "{\"shapes\":%llu,\"nodes\":%llu,\"certified_end\":%llu,\"certified_step\":%llu,"
                 "\"misses\":%llu}\n"
               : "%llu shapes, %llu nodes tried, %llu certified at rest, %llu moving, "
                 "%llu missed pairs\n",
           (unsigned long long)shapes, (unsigned long long)node_count(&tally),
           (unsigned long long)tally.certified[0], (unsigned long long)tally.certified[1],
           (unsigned long long)tally.misses);
    return tally.misses || failed ? 1 : 0;
}
