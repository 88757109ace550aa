/// @file bench.c  `fracas bench`: list the benchmarks, which are separate programs, or run one by
/// exec.
#include "bench_page.h"
#include "commands.h"
#include "options.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "fracas-bench-"

// Folders of benchmarks, relative to that of this program: in a build tree and as installed.
static const char* const places[] = {"", "/../bench", "/../libexec/fracas"};
enum { PLACE_COUNT = sizeof places / sizeof places[0] };

// What a benchmark measures, in the list of `fracas bench`.
static const struct {
    const char *name, *about;
    bool has_json;
} descriptions[] = {
    {"ccd",         "the test of features in time, on the candidates of real scenes",   false},
    {"cuda",        "queries on a GPU beside the CPU, with the same contacts",          true },
    {"cull",        "what each mode of culling saves and costs on a deforming mesh",    true },
    {"distance",    "closest points, containment, distances and depths of bodies",      false},
    {"edits",       "building trees, tearing in place, breaking",                       true },
    {"fastcd",      "scenes that break, under each method of FASTCD and others",        true },
    {"fragment",    "rigid bodies that break: depths, fractures, contacts, scenes",     false},
    {"hashes",      "no times: contacts of built-in scenes against committed hashes",   true },
    {"medial",      "medial meshes of real surfaces, and their contacts in time",       true },
    {"misses",      "searches for wrong certificates; contacts that other modes miss",  true },
    {"pccd",        "frames on several numbers of threads, under each scheduler",       true },
    {"peers",       "Fracas against Embree, Bullet, CGAL and FCL",                      true },
    {"queries",     "published queries in time: wrong answers, time per query",         true },
    {"restructure", "policies of rebuilding trees while a body deforms",                true },
    {"separation",  "the test of minimum separation in time",                           false},
    {"solver",      "line searches by candidates and by whole queries; safe distances", true },
    {"stream",      "all contacts of a crushed surface, in blocks",                     false},
    {"tc",          "how well cost metrics predict the box tests of a query",           true },
    {"teschner",    "vertices in tetrahedra: spatial hashing and others",               true },
    {"tri",         "the test of two triangles, in batches",                            false}
};

enum { DESCRIPTIONS = sizeof descriptions / sizeof *descriptions };

static const char* description_of(const char* name) {
    for (size_t i = 0; i < DESCRIPTIONS; i++)
        if (strcmp(name, descriptions[i].name) == 0) return descriptions[i].about;
    return "";
}

static bool has_json(const char* name) {
    for (size_t i = 0; i < DESCRIPTIONS; i++)
        if (strcmp(name, descriptions[i].name) == 0) return descriptions[i].has_json;
    return false;
}

static int compare_names(const void* a, const void* b) {
    return strcmp(*(char* const*)a, *(char* const*)b);
}

// The names of all benchmarks, sorted; `own` is the folder of this program. The caller frees them.
static char** list_all(const char* own, size_t* count) {
    char** names = NULL;
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        char folder[PATH_MAX + 32];
        snprintf(folder, sizeof folder, "%s%s", own, places[i]);
        DIR* open = opendir(folder);
        if (!open) continue;
        for (struct dirent* entry; (entry = readdir(open));) {
            if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0) continue;
            char path[sizeof folder + 320];
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            if (access(path, X_OK) != 0) continue;
            names = cli_grow(names, *count + 1, sizeof *names);
            const char* name = entry->d_name + strlen(PREFIX);
            names[*count] = cli_allocate(strlen(name) + 1, 1);
            strcpy(names[(*count)++], name);
        }
        closedir(open);
    }
    if (names) qsort(names, *count, sizeof *names, compare_names);
    return names;
}

static void free_names(char** names, size_t count) {
    for (size_t i = 0; i < count; i++) free(names[i]);
    free(names);
}

static int print_list(const char* own, bool help) {
    size_t count = 0;
    char** names = list_all(own, &count);
    if (help)
        puts(
            "usage: fracas bench [NAME [arguments]]\n\n"
            "Runs one benchmark; what follows the name goes to it, --help lists its options.\n"
            "Without a name: lists them.\n\n"
            "options of every benchmark:\n"
            "  --report PAGE.html    write a page with charts of its numbers, beside those of the\n"
            "                        paper that it repeats\n");
    puts(count ? "benchmarks:" : "no benchmark has been built");
    for (size_t i = 0; i < count; i++) printf("  %-11s  %s\n", names[i], description_of(names[i]));
    free_names(names, count);
    return CLI_DONE;
}

// Fail and suggest the most similar name.
static int unknown(const char* own, const char* name) {
    size_t count = 0;
    char** names = list_all(own, &count);
    const char* near = cli_nearest(name, names, count, sizeof *names);
    int code = near ? cli_fail(CLI_BAD_USAGE, "no benchmark '%s'; did you mean '%s'?", name, near)
                    : cli_fail(CLI_BAD_USAGE, "no benchmark '%s'; 'fracas bench' lists them", name);
    free_names(names, count);
    return code;
}

// Take `--report PAGE` out of the arguments. @return CLI_DONE, or CLI_BAD_USAGE after a message
static int take_report(int argc, char** argv, const char** page) {
    static const char option[] = "--report";
    const size_t length = sizeof option - 1;
    int kept = 2;
    *page = NULL;
    for (int i = 2; i < argc; i++) {
        const char* value = NULL;
        if (strcmp(argv[i], option) == 0)
            value = i + 1 < argc ? argv[++i] : "";
        else if (strncmp(argv[i], option, length) == 0 && argv[i][length] == '=')
            value = argv[i] + length + 1;
        else
            argv[kept++] = argv[i];
        if (!value) continue;
        if (!*value || *value == '-')
            return cli_fail(CLI_BAD_USAGE, "--report needs PAGE.html, the file to write");
        if (*page) return cli_fail(CLI_BAD_USAGE, "--report is given twice");
        *page = value;
    }
    argv[kept] = NULL;
    return CLI_DONE;
}

int cli_bench(int argc, char** argv) {
    char own[PATH_MAX];
    // The folder of this program; empty if it is not known.
    ssize_t length = readlink("/proc/self/exe", own, PATH_MAX - 1);
    own[length > 0 ? length : 0] = 0;
    char* slash = strrchr(own, '/');
    if (slash) *slash = 0;
    if (argc < 2) return print_list(own, false);
    const char* name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return print_list(own, true);
    if (*name == '-' || strchr(name, '/')) return unknown(own, name);
    const char* page;
    const int code = take_report(argc, argv, &page);
    if (code != CLI_DONE) return code;
    for (int i = 2; argv[i]; i++)
        if (strcmp(argv[i], "--help") == 0) page = NULL;
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        char path[2 * PATH_MAX];
        snprintf(path, sizeof path, "%s%s/" PREFIX "%s", own, places[i], name);
        if (access(path, X_OK) != 0) continue;
        const cli_bench_run run = {name, description_of(name), path, argv + 2,
                                   page, has_json(name)};
        if (page) return cli_bench_report(&run);
        execv(path, argv + 1);
        return cli_fail(CLI_INTERNAL, "%s: cannot be started: %s", path, strerror(errno));
    }
    return unknown(own, name);
}
