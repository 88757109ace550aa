// fracas bench teschner: the measurements of the paper on spatial hashing, and larger setups.
#include "arguments.h"
#include "generate.h"
#include "teschner/measure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETUPS = 1, VARIANTS = 2, TABLES = 4, CELLS = 8, SCALING = 16, ALL = 31, MOST = 256 };

typedef struct settings {
    uint32_t what, steps, rounds;
    bool full, json;
    bool equal;       // all results so far
    bool continuing;  // JSON: a comma is needed before the next member
} settings;

static void print_usage(void) {
    fputs("usage: fracas bench teschner [--only setups|variants|tables|cells|scaling]\n"
          "                             [--steps N] [--rounds N] [--full] [--json]\n"
          "Vertices in tetrahedra of deforming bodies, milliseconds of update and detection.\n"
          "  setups    A to E of the paper: sorted cells, a hash table, a tree, as published\n"
          "  variants  hash functions, published tests of a pair, one pass, on setup D\n"
          "  tables    sizes of the hash table, on A and D (Figs. 3 and 4 of the paper)\n"
          "  cells     sizes of cells, on A and D (Figs. 5 and 6 of the paper)\n"
          "  scaling   from 10,000 tetrahedra to a million, with --full to ten million\n"
          "For each step the fastest of N rounds counts (6); means are over N steps (20; with\n"
          "--full 1000, and the sweeps are finer). Exit code 1 when results differ; those of\n"
          "the published tests, which are rounded, may.\n",
          stdout);
}

static bool choose(settings* s, const char* name) {
    static const char* const names[] = {"setups", "variants", "tables", "cells", "scaling"};
    for (int i = 0; i < 5; i++)
        if (!strcmp(name, names[i])) return s->what = 1u << i, true;
    return false;
}

static bool parse_count(const char* text, uint32_t* out) {
    char* end;
    unsigned long value = strtoul(text, &end, 10);
    *out = (uint32_t)value;
    return *text && !*end && value > 0 && value < 1000000;
}

// Returns the exit code, or -1 to continue.
static int parse(int count, char** arguments, settings* s) {
    for (int i = 1; i < count; i++) {
        const char *a = arguments[i], *value = i + 1 < count ? arguments[i + 1] : "";
        if (!strcmp(a, "--help")) {
            return print_usage(), 0;
        } else if (!strcmp(a, "--full")) {
            s->full = true;
        } else if (!strcmp(a, "--json")) {
            s->json = true;
        } else if (!strcmp(a, "--only") && choose(s, value)) {
            i++;
        } else if (!strcmp(a, "--steps") && parse_count(value, &s->steps)) {
            i++;
        } else if (!strcmp(a, "--rounds") && parse_count(value, &s->rounds)) {
            i++;
        } else {
            return bench_refuse("teschner", a);
        }
    }
    if (!s->steps) s->steps = s->full ? 1000 : 20;
    return -1;
}

// ---- printing

static void open_list(settings* s, const char* name) {
    if (s->json) printf("%s\"%s\":[", s->continuing ? "," : "", name);
    s->continuing = false;
}

static void close_list(settings* s) {
    if (s->json) printf("]");
    s->continuing = true;
}

static void print_config_json(const teschner_config* l) {
    printf("{\"way\":\"%s\",\"threads\":%u,\"mean\":%.6g,\"min\":%.6g,\"max\":%.6g,\"dev\":%.6g,"
           "\"update\":%.6g,\"detect\":%.6g,\"cell_size\":%.6g,\"cells\":%llu,\"candidates\":%llu,"
           "\"tested\":%llu,\"exact\":%llu,\"penetrations\":%llu}",
           l->name, l->threads, l->mean, l->min, l->max, l->deviation, l->update, l->detect,
           l->cell_size, (unsigned long long)l->last.cells, (unsigned long long)l->last.candidates,
           (unsigned long long)l->last.tested, (unsigned long long)l->last.exact,
           (unsigned long long)l->penetrations);
}

static void print_config(const teschner_config* l) {
    printf("  %-22s %8.3f %8.3f %8.3f %7.3f  %8.3f %8.3f  %10llu %10llu %9llu %7llu\n", l->name,
           l->mean, l->min, l->max, l->deviation, l->update, l->detect,
           (unsigned long long)l->last.cells, (unsigned long long)l->last.candidates,
           (unsigned long long)l->last.tested, (unsigned long long)l->last.exact);
    if (l->wrong) printf("  %-22s finds %llu\n", "", (unsigned long long)l->penetrations);
}

// Speed-up of two threads over one, from two configurations with the same method; 0 when there are
// none.
static double scaling_of(const teschner_config* configs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (configs[i].threads == 1 && configs[k].threads == 2 &&
                configs[i].method == configs[k].method)
                return configs[i].mean / configs[k].mean;
    return 0;
}

// Measures all configurations on one setup and prints the results, the hash before any time.
static void show(settings* s, const teschner_setup* setup, const char* note,
                 teschner_config* configs, uint32_t count, uint32_t steps, uint32_t rounds) {
    const uint32_t tets = setup->body_count * setup->shape.tet_count;
    const uint32_t vertices = setup->body_count * setup->shape.point_count;
    bool equal = teschner_measure(setup, configs, count, steps, rounds);
    s->equal &= equal;
    if (s->json) {
        printf("%s{\"setup\":\"%s\",\"bodies\":%u,\"tets\":%u,\"vertices\":%u,\"steps\":%u,"
               "\"penetrations\":%llu,\"hash\":\"%016llx\",\"equal\":%s,\"ways\":[",
               s->continuing ? "," : "", setup->name, setup->body_count, tets, vertices, steps,
               (unsigned long long)configs[0].penetrations, (unsigned long long)configs[0].hash,
               equal ? "true" : "false");
        for (uint32_t i = 0; i < count; i++) {
            if (i) printf(",");
            print_config_json(&configs[i]);
        }
        printf("]");
        if (scaling_of(configs, count) > 0) printf(",\"scaling\":%.4g", scaling_of(configs, count));
        printf("}");
        s->continuing = true;
    } else {
        printf("%s: %u bodies, %u tetrahedra, %u vertices, %u steps%s\n", setup->name,
               setup->body_count, tets, vertices, steps, note);
        printf("  %llu penetrations, hash %016llx, %s\n",
               (unsigned long long)configs[0].penetrations, (unsigned long long)configs[0].hash,
               equal ? "equal for all" : "NOT EQUAL FOR ALL");
        printf("  %-22s %8s %8s %8s %7s  %8s %8s  %10s %10s %9s %7s\n", "", "mean ms", "min", "max",
               "dev", "update", "detect", "cells", "candidates", "tested", "exact");
        for (uint32_t i = 0; i < count; i++) print_config(&configs[i]);
    }
    fflush(stdout);
}

// ---- the parts of the benchmark

static void run_setups(settings* s) {
    static const char* const published[] = {"4.3", "12.6", "30.4", "70.0", "172.5"};
    open_list(s, "setups");
    for (int i = 0; i < 5; i++) {
        teschner_setup setup = teschner_paper_setup((char)('A' + i));
        teschner_config configs[] = {
            teschner_make_config("sorted", TESCHNER_METHOD_SORTED_CELLS, 1),
            teschner_make_config("teschner", TESCHNER_METHOD_HASH_TABLE, 1),
            teschner_make_config("bvh", TESCHNER_METHOD_BVH, 1),
            teschner_make_config("sorted, 2 threads", TESCHNER_METHOD_SORTED_CELLS, 2),
            teschner_make_config("as published", TESCHNER_METHOD_HASH_TABLE, 1),
        };
        // The sizes of the table are those of Figs. 5 and 6.
        configs[4].published.test = FRACAS_PUBLISHED_TETS_TEST_BARYCENTRIC;
        configs[4].published.table_size = i == 0 ? 4999 : 9973;
        char note[96];
        snprintf(note, sizeof note, "; published mean %s ms (Pentium 4, 1.8 GHz)", published[i]);
        show(s, &setup, note, configs, 5, s->steps, s->rounds);
        if (!s->json)
            printf("  sorted is %.2f times as fast as the tree; speed-up with 2 threads %.2f\n",
                   configs[2].mean / configs[0].mean, scaling_of(configs, 5));
        // Every vertex against every tetrahedron, in one step.
        teschner_config slow[] = {
            teschner_make_config("sorted", TESCHNER_METHOD_SORTED_CELLS, 1),
            teschner_make_config("every pair", TESCHNER_METHOD_BRUTE_FORCE, 1),
        };
        if (i < 4 || s->full) show(s, &setup, ", with every pair", slow, 2, 1, 1);
        teschner_setup_release(&setup);
    }
    close_list(s);
}

static teschner_config make_table(uint32_t size) {
    teschner_config config = teschner_make_config("", TESCHNER_METHOD_HASH_TABLE, 1);
    snprintf(config.name, sizeof config.name, "table of %u", size);
    config.published.table_size = size;
    return config;
}

static void run_variants(settings* s) {
    static const char* const names[] = {
        "xor",         "additive", "rotating",          "barycentric",
        "half spaces", "one pass", "default table size"};
    enum { COUNT = 1 + sizeof names / sizeof *names };
    teschner_setup setup = teschner_paper_setup('D');
    teschner_config configs[COUNT];
    configs[0] = teschner_make_config("sorted", TESCHNER_METHOD_SORTED_CELLS, 1);
    for (uint32_t i = 1; i < COUNT; i++) {
        configs[i] = make_table(9973);
        snprintf(configs[i].name, sizeof configs[i].name, "%s", names[i - 1]);
    }
    configs[2].published.hash = FRACAS_PUBLISHED_TETS_HASH_ADDITIVE;
    configs[3].published.hash = FRACAS_PUBLISHED_TETS_HASH_ROTATING;
    configs[4].published.test = FRACAS_PUBLISHED_TETS_TEST_BARYCENTRIC;
    configs[5].published.test = FRACAS_PUBLISHED_TETS_TEST_HALF_SPACES;
    configs[6].one_pass = true;
    configs[7].published.table_size = 0;
    open_list(s, "variants");
    show(s, &setup, ", table of 9973", configs, COUNT, s->steps, s->rounds);
    close_list(s);
    teschner_setup_release(&setup);
}

static uint32_t list_tables(const settings* s, teschner_config* configs) {
    static const uint32_t few[] = {99, 199, 499, 999, 1999, 4999, 9973, 19997, 49999};
    uint32_t count = 0;
    if (!s->full)
        for (; count < sizeof few / sizeof *few; count++) configs[count] = make_table(few[count]);
    else
        for (; count < 100; count++) configs[count] = make_table(100 * count + 99);
    return count;
}

static void run_tables(settings* s) {
    static teschner_config configs[MOST];
    open_list(s, "tables");
    for (int i = 0; i < 2; i++) {
        teschner_setup setup = teschner_paper_setup("AD"[i]);
        uint32_t count = list_tables(s, configs);
        show(s, &setup, "", configs, count, s->full ? 50 : s->steps, s->rounds);
        teschner_setup_release(&setup);
    }
    close_list(s);
}

static void add_cells(teschner_config* configs, uint32_t* count, teschner_method method,
                      uint32_t table, double mean, double step) {
    for (double factor = step; factor <= 4; factor += factor < 2 ? step : 2 * step) {
        teschner_config* l = &configs[(*count)++];
        *l = teschner_make_config("", method, 1);
        snprintf(l->name, sizeof l->name, "%s, %.3g edges",
                 method == TESCHNER_METHOD_SORTED_CELLS ? "sorted" : "teschner", factor);
        l->options.cell_size = factor * mean;
        l->published.table_size = table;
    }
}

static void run_cells(settings* s) {
    static const uint32_t tables[2] = {4999, 9973};
    static teschner_config configs[MOST];
    open_list(s, "cells");
    for (int i = 0; i < 2; i++) {
        teschner_setup setup = teschner_paper_setup("AD"[i]);
        // The default of the published method is the mean edge, that of sorted cells 7/8 of it.
        teschner_config edge = teschner_make_config("", TESCHNER_METHOD_HASH_TABLE, 1);
        teschner_measure(&setup, &edge, 1, 1, 1);
        uint32_t count = 0;
        configs[count++] = teschner_make_config("sorted, default", TESCHNER_METHOD_SORTED_CELLS, 1);
        const double step = s->full ? 0.125 : 0.25;
        add_cells(configs, &count, TESCHNER_METHOD_SORTED_CELLS, 0, edge.cell_size, step);
        add_cells(configs, &count, TESCHNER_METHOD_HASH_TABLE, tables[i], edge.cell_size, step);
        show(s, &setup, "; cells in mean edges", configs, count, s->full ? 50 : s->steps,
             s->rounds);
        teschner_setup_release(&setup);
    }
    close_list(s);
}

static void run_scaling(settings* s) {
    double first = 0;
    open_list(s, "scaling");
    for (uint32_t tets = 10000; tets <= (s->full ? 10000000u : 1000000u); tets *= 10) {
        teschner_setup setup = teschner_large_setup(tets / 10000);
        teschner_config configs[] = {
            teschner_make_config("sorted", TESCHNER_METHOD_SORTED_CELLS, 1),
            teschner_make_config("teschner", TESCHNER_METHOD_HASH_TABLE, 1),
            teschner_make_config("sorted, 2 threads", TESCHNER_METHOD_SORTED_CELLS, 2)};
        uint32_t steps = 2000000 / tets;
        steps = steps < 2 ? 2 : steps > s->steps ? s->steps : steps;
        show(s, &setup, "", configs, 3, steps, s->rounds);
        double each = configs[0].mean * 1e6 / tets;
        if (first == 0) first = each;
        if (!s->json)
            printf(
                "  sorted: %.1f ns per tetrahedron, %.2f times that with 10,000; speed-up with 2 "
                "threads %.2f\n",
                each, each / first, scaling_of(configs, 3));
        teschner_setup_release(&setup);
    }
    close_list(s);
}

int main(int count, char** arguments) {
    settings s = {.what = ALL, .rounds = 6, .equal = true};
    const int code = parse(count, arguments, &s);
    if (code >= 0) return code;
    if (s.json) printf("{");
    if (s.what & SETUPS) run_setups(&s);
    if (s.what & VARIANTS) run_variants(&s);
    if (s.what & TABLES) run_tables(&s);
    if (s.what & CELLS) run_cells(&s);
    if (s.what & SCALING) run_scaling(&s);
    if (s.json) printf("%s\"equal\":%s}\n", s.continuing ? "," : "", s.equal ? "true" : "false");
    if (!s.equal) fprintf(stderr, "fracas bench teschner: the results differ\n");
    return s.equal ? 0 : 1;
}
