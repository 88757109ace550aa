// fracas bench queries: wrong answers to published queries with known truth, and the time per
// query. Exit code 1 when an answer is wrong or the data cannot be read, 2 on wrong usage.
#include "arguments.h"
#include "query_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct result {
    size_t queries, positives, false_positive, false_negative;
    double seconds, hit_seconds;
} result;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);  // one thread, on machines that are shared
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

enum { REPEATS = 9 };

// Buffers of one measurement. A pair refers to four consecutive points of the query list.
typedef struct work {
    frc_ccd_pair *all, *positive;
    frc_ccd_hit* hits;
} work;

// Median of the time of a batch. Each measurement repeats it until the clock is precise enough.
static double time_batch(const query_set* set, const frc_ccd_pair* pairs, size_t count,
                         frc_ccd_hit* hits) {
    const frc_ccd_options options = {.tolerance = 1e-6};
    double seconds[REPEATS];
    if (count == 0) return 0;
    for (int i = 0; i < REPEATS; i++) {
        int rounds = 0;
        const double start = now();
        do {
            frc_ccd_batch(set->kind, set->list.points, pairs, count, &options, hits);
            rounds++;
        } while (now() - start < 0.002);
        seconds[i] = (now() - start) / rounds;
    }
    qsort(seconds, REPEATS, sizeof *seconds, by_value);
    return seconds[REPEATS / 2];
}

static void check_answers(const query_set* set, work* w, result* r) {
    const frc_ccd_options options = {.tolerance = 1e-6};
    for (size_t i = 0; i < set->list.count; i++) {
        const uint32_t first = (uint32_t)(4 * i);
        w->all[i] = (frc_ccd_pair){
            {first, first + 1, first + 2, first + 3}
        };
        if (set->list.truth[i]) w->positive[r->positives++] = w->all[i];
    }
    r->queries = set->list.count;
    const size_t found =
        frc_ccd_batch(set->kind, set->list.points, w->all, r->queries, &options, w->hits);
    size_t right = 0;
    for (size_t i = 0; i < found; i++) right += set->list.truth[w->hits[i].pair];
    r->false_positive = found - right;
    r->false_negative = r->positives - right;
}

static bool measure(const query_set* set, result* r) {
    const size_t capacity = set->list.count + 1;
    work w = {malloc(capacity * sizeof *w.all), malloc(capacity * sizeof *w.positive),
              malloc(capacity * sizeof *w.hits)};
    const bool good = w.all && w.positive && w.hits;
    *r = (result){0};
    if (good) {
        check_answers(set, &w, r);
        r->seconds = time_batch(set, w.all, r->queries, w.hits);
        r->hit_seconds = time_batch(set, w.positive, r->positives, w.hits);
    }
    free(w.all), free(w.positive), free(w.hits);
    return good;
}

static double micro(double seconds, size_t count) {
    return count ? 1e6 * seconds / (double)count : 0;
}

static void add(result* sum, const result* r) {
    sum->queries += r->queries;
    sum->positives += r->positives;
    sum->false_positive += r->false_positive;
    sum->false_negative += r->false_negative;
    sum->seconds += r->seconds;
    sum->hit_seconds += r->hit_seconds;
}

static const char* kind_name(const query_set* set) {
    return set->kind == FRC_CCD_VF ? "vertex-face" : "edge-edge";
}

static void print_row(const char* set, const char* kind, const result* r) {
    printf("%-28s %-12s %8zu %9zu %6zu %6zu %10.3f %10.3f\n", set, kind, r->queries, r->positives,
           r->false_positive, r->false_negative, micro(r->seconds, r->queries),
           micro(r->hit_seconds, r->positives));
}

static void print_table(const query_sets* sets, const result* r, const result* sum) {
    printf("%-28s %-12s %8s %9s %6s %6s %10s %10s\n", "set", "kind", "queries", "positives", "FP",
           "FN", "us/query", "us/hit");
    for (size_t i = 0; i < sets->count; i++)
        print_row(sets->list[i].name, kind_name(&sets->list[i]), &r[i]);
    print_row("all", "", sum);
}

static void print_json_numbers(const result* r) {
    printf("\"queries\":%zu,\"positives\":%zu,\"false_positive\":%zu,\"false_negative\":%zu,"
           "\"us_per_query\":%.6f,\"us_per_hit\":%.6f",
           r->queries, r->positives, r->false_positive, r->false_negative,
           micro(r->seconds, r->queries), micro(r->hit_seconds, r->positives));
}

// Prints a JSON string: escapes quotes, backslashes and control characters.
static void print_json_text(const char* text) {
    putchar('"');
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_json(const query_sets* sets, const result* r, const result* sum) {
    putchar('{');
    print_json_numbers(sum);
    printf(",\"sets\":[");
    for (size_t i = 0; i < sets->count; i++) {
        printf("%s{\"set\":", i ? "," : "");
        print_json_text(sets->list[i].name);
        printf(",\"kind\":\"%s\",", kind_name(&sets->list[i]));
        print_json_numbers(&r[i]);
        putchar('}');
    }
    printf("]}\n");
}

static int run(const char* folder, bool json) {
    char message[8192];
    query_sets sets;
    if (!query_sets_read(folder, &sets, message, sizeof message)) {
        fprintf(stderr, "fracas bench queries: %s\n", message);
        query_sets_free(&sets);
        return 1;
    }
    result* const results = calloc(sets.count, sizeof *results);
    result sum = {0};
    bool good = results;
    for (size_t i = 0; good && i < sets.count; i++) {
        good = measure(&sets.list[i], &results[i]);
        if (good) add(&sum, &results[i]);
    }
    if (!good)
        fprintf(stderr, "fracas bench queries: out of memory\n");
    else if (json)
        print_json(&sets, results, &sum);
    else
        print_table(&sets, results, &sum);
    free(results);
    query_sets_free(&sets);
    return !good ? 4 : sum.false_positive || sum.false_negative ? 1 : 0;
}

int main(int argc, char** argv) {
    char given[2048];
    const char* folder = NULL;
    bool json = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            printf(
                "usage: fracas bench queries [DIR] [--json]\n"
                "Published vertex-face and edge-edge queries with exact answers: wrong answers,\n"
                "which there must not be, and the time per query. DIR contains\n"
                "<set>/<edge-edge|vertex-face>/*.csv, or is one such set (default: queries in\n"
                "the folder of the test data).\n");
            return 0;
        }
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (argv[i][0] == '-' || folder)
            return bench_refuse("queries", argv[i]);
        else
            folder = argv[i];
    }
    snprintf(given, sizeof given, "%s/queries", bench_data_folder());
    return run(folder ? folder : given, json);
}
