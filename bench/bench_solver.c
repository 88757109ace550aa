// fracas bench solver: what a line search costs. A scene is halfway through its run; eight step
// lengths along one direction are tried, each by an update and a query of the whole scene, and by
// candidates that were found once. Exit code 1 when the two disagree.
#include "arguments.h"
#include "fracas/candidates.h"
#include "scenes.h"
#include "timing.h"
#include <string.h>

enum { LENGTHS = 8, ROUNDS = 5 };

// One deforming body, and where its vertices start and end.
typedef struct moving {
    fracas_body body;
    uint32_t count;
    double (*start)[3], (*end)[3], (*at)[3];
} moving;

typedef struct search {
    fracas_context* context;
    fracas_scene* scene;
    const char* name;
    moving* bodies;
    uint32_t body_count, triangles;
} search;

typedef struct times {
    size_t candidates, nearby;
    double full, find, decide;  // ms: eight updates and queries; candidates; eight decisions
    double safe;                // ms: safe distances of all vertices
    double steps[LENGTHS];
    bool equal;
} times;

static void must(fracas_context* context, fracas_status status, const char* what) {
    char message[400] = "";
    if (status == FRACAS_OK) return;
    if (context) fracas_context_get_message(context, message, sizeof message);
    fprintf(stderr, "fracas bench solver: %s: %s\n", what, message);
    exit(1);
}

static void* allocate(size_t count, size_t size) {
    void* memory = calloc(count ? count : 1, size);
    if (!memory) must(NULL, FRACAS_ERROR_OUT_OF_MEMORY, "out of memory");
    return memory;
}

// ---- the scene

static void run_half(search* s, const scenes_scene* kind, uint32_t size) {
    const scenes_options options = {.size = size, .context = s->context};
    fracas_contacts* found;
    void* run;
    must(s->context, kind->create(s->scene, &options, &run), kind->name);
    must(s->context, fracas_contacts_create(s->context, &found), "contacts");
    for (uint32_t frame = 0; frame < scenes_frames(kind, &options) / 2; frame++) {
        size_t count;
        uint64_t edits;
        const fracas_contact* list = fracas_contacts_get_data(found, &count);
        if (frame > 0) must(s->context, fracas_scene_advance(s->scene), "advance");
        must(s->context, kind->step(run, list, count, &edits), "step");
        must(s->context, fracas_scene_update(s->scene), "update");
        const fracas_sink sink = fracas_contacts_get_sink(found);
        must(s->context, fracas_scene_detect(s->scene, NULL, &sink), "detect");
    }
    const scenes_state state = kind->state(run);
    s->bodies = allocate(state.body_count, sizeof *s->bodies);
    for (uint32_t b = 0; b < state.body_count; b++) {
        fracas_body_info info;
        must(s->context, fracas_scene_get_body(s->scene, state.bodies[b], &info), "body");
        s->triangles += info.triangles;
        if (info.motion != FRACAS_MOTION_DEFORMING) continue;
        moving* m = &s->bodies[s->body_count++];
        *m = (moving){.body = state.bodies[b],
                      .count = info.vertex_numbers,
                      .start = allocate(info.vertex_numbers, sizeof *m->start),
                      .end = allocate(info.vertex_numbers, sizeof *m->end),
                      .at = allocate(info.vertex_numbers, sizeof *m->at)};
        for (uint32_t v = 0; v < m->count; v++)
            fracas_scene_get_vertex(s->scene, m->body, v, m->start[v], m->end[v]);
    }
    fracas_contacts_destroy(found);
    kind->destroy(run);
}

static void move_to(search* s, double length) {
    for (uint32_t b = 0; b < s->body_count; b++) {
        moving* m = &s->bodies[b];
        for (uint32_t v = 0; v < m->count; v++)
            for (int k = 0; k < 3; k++) {
                const double x0 = m->start[v][k], x1 = m->end[v][k];
                const double x = length == 1 ? x1 : x0 + length * (x1 - x0);
                m->at[v][k] = x0 < x1 ? (x > x1 ? x1 : x) : (x < x1 ? x1 : x);
            }
        const fracas_points points = {.data = m->at, .count = m->count};
        must(s->context, fracas_scene_move(s->scene, m->body, &points), "move");
    }
}

// ---- measuring

static double length_of(int i) { return 1.0 / (double)(1 << i); }

static double search_fully(search* s, double steps[LENGTHS]) {
    double ms = 0;
    for (int i = 0; i < LENGTHS; i++) {
        move_to(s, length_of(i));
        const double start = bench_clock_ms(true);
        must(s->context, fracas_scene_update(s->scene), "update");
        must(s->context, fracas_scene_max_step(s->scene, NULL, &steps[i]), "max_step");
        ms += bench_clock_ms(true) - start;
    }
    return ms;
}

static void search_candidates(search* s, double steps[LENGTHS], times* t, int round) {
    fracas_candidates* kept;
    move_to(s, 1);
    double start = bench_clock_ms(true), ms = 0;
    must(s->context, fracas_scene_update(s->scene), "update");
    must(s->context, fracas_candidates_create(s->scene, 0, &kept), "candidates");
    const double find = bench_clock_ms(true) - start;
    t->candidates = fracas_candidates_get_count(kept);
    for (int i = 0; i < LENGTHS; i++) {
        move_to(s, length_of(i));
        start = bench_clock_ms(true);
        must(s->context, fracas_candidates_max_step(kept, NULL, &steps[i]), "decide");
        ms += bench_clock_ms(true) - start;
    }
    fracas_candidates_destroy(kept);
    t->find = round && t->find < find ? t->find : find;
    t->decide = round && t->decide < ms ? t->decide : ms;
}

// About the mean length of an edge.
static double edge_length(const search* s) {
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t b = 0; b < s->body_count && count < 1000; b++)
        for (uint32_t t = 0; t < 1000; t++) {
            uint32_t c[3];
            const moving* m = &s->bodies[b];
            if (fracas_scene_get_triangle(s->scene, m->body, t, c) != FRACAS_OK) break;
            double most = 0;
            for (int k = 0; k < 3; k++) {
                const double d = m->start[c[0]][k] - m->start[c[1]][k];
                if (d > most || -d > most) most = d < 0 ? -d : d;
            }
            sum += most, count++;
        }
    return count ? sum / count : 1;
}

static void find_safe(search* s, times* t, int round) {
    fracas_vertex_values* values = allocate(s->body_count, sizeof *values);
    fracas_statistics statistics;
    const fracas_sink sink = {.statistics = &statistics};
    const double distance = edge_length(s) / 10;
    move_to(s, 1);
    must(s->context, fracas_scene_update(s->scene), "update");
    must(s->context, fracas_scene_nearby(s->scene, distance, &sink), "nearby");
    t->nearby = 0;
    for (int k = 0; k < 6; k++) t->nearby += statistics.contacts[k];
    for (uint32_t b = 0; b < s->body_count; b++)
        values[b] = (fracas_vertex_values){s->bodies[b].body, s->bodies[b].count,
                                           allocate(s->bodies[b].count, sizeof(double))};
    const double start = bench_clock_ms(true);
    must(s->context, fracas_scene_safe_distances(s->scene, distance, values, s->body_count),
         "safe distances");
    const double ms = bench_clock_ms(true) - start;
    t->safe = round && t->safe < ms ? t->safe : ms;
    for (uint32_t b = 0; b < s->body_count; b++) free(values[b].values);
    free(values);
}

static times measure(const scenes_scene* kind, uint32_t size, search* s) {
    times t = {.equal = true};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    must(NULL, fracas_context_create(&options, &s->context), "context");
    must(s->context, fracas_scene_create(s->context, NULL, &s->scene), "scene");
    run_half(s, kind, size);
    for (int round = 0; round < ROUNDS; round++) {
        double full[LENGTHS], kept[LENGTHS];
        const double ms = search_fully(s, full);
        t.full = round && t.full < ms ? t.full : ms;
        search_candidates(s, kept, &t, round);
        find_safe(s, &t, round);
        t.equal = t.equal && memcmp(full, kept, sizeof full) == 0;
        memcpy(t.steps, full, sizeof full);
    }
    for (uint32_t b = 0; b < s->body_count; b++)
        free(s->bodies[b].start), free(s->bodies[b].end), free(s->bodies[b].at);
    free(s->bodies);
    fracas_scene_destroy(s->scene);
    fracas_context_destroy(s->context);
    return t;
}

static void print_row(const char* name, const search* s, const times* t, bool json, bool last) {
    if (json)
        printf("  {\"scene\": \"%s\", \"triangles\": %u, \"candidates\": %zu, \"full_ms\": %.3f, "
               "\"find_ms\": %.3f, \"decide_ms\": %.3f, \"safe_ms\": %.3f, \"nearby\": %zu, "
               "\"equal\": %s}%s\n",
               name, s->triangles, t->candidates, t->full, t->find, t->decide, t->safe, t->nearby,
               t->equal ? "true" : "false", last ? "" : ",");
    else
        printf("%-18s %9u %10zu %9.2f %9.2f %9.2f %7.2f %9.2f%s\n", name, s->triangles,
               t->candidates, t->full, t->find, t->decide, t->full / (t->find + t->decide), t->safe,
               t->equal ? "" : "  WRONG");
}

static void print_help(void) {
    puts("usage: fracas bench solver [--size N] [--json]\n\n"
         "A line search of eight step lengths by whole queries, and by candidates found once;\n"
         "safe distances up to a tenth of an edge. CPU milliseconds, one thread, smallest of five "
         "rounds.\n\n"
         "  --size N  about N triangles in each scene (default 20000)\n"
         "  --json    print the table as JSON");
}

int main(int argc, char** argv) {
    const char* const names[] = {"cloth-ball", "n-body", "exploding-dragon"};
    const size_t count = sizeof names / sizeof *names;
    uint64_t size = 20000;
    bool json = false, equal = true;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) return print_help(), 0;
        if (!strcmp(argv[i], "--json"))
            json = true;
        else if (strcmp(argv[i], "--size") != 0 || i + 1 == argc ||
                 !bench_parse_number(argv[++i], 100, 10000000, &size))
            return bench_refuse("solver", argv[i]);
    }
    if (json)
        puts("[");
    else
        printf("%-18s %9s %10s %9s %9s %9s %7s %9s\n", "scene", "triangles", "candidates",
               "full ms", "find ms", "decide ms", "ratio", "safe ms");
    for (size_t i = 0; i < count; i++) {
        search s = {.name = names[i]};
        const times t = measure(scenes_find(names[i]), (uint32_t)size, &s);
        print_row(names[i], &s, &t, json, i + 1 == count);
        equal = equal && t.equal;
    }
    if (json) puts("]");
    if (!equal) fputs("fracas bench solver: the two searches disagree\n", stderr);
    return equal ? 0 : 1;
}
