/// @file bench.c  `fracas bench`: list the benchmarks, which are separate programs, or run one by
/// exec.
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
} descriptions[] = {
    {"ccd",         "the test of features in time, on the candidates of real scenes" },
    {"cull",        "what each mode of culling saves and costs on a deforming mesh"  },
    {"edits",       "building trees, tearing in place, breaking"                     },
    {"fastcd",      "scenes that break, under each method of FASTCD and others"      },
    {"fragment",    "rigid bodies that break: depths, fractures, contacts, scenes"   },
    {"hashes",      "no times: contacts of built-in scenes against committed hashes" },
    {"medial",      "medial meshes of real surfaces, and their contacts in time"     },
    {"misses",      "searches for wrong certificates; contacts that other modes miss"},
    {"pccd",        "frames on several numbers of threads, under each scheduler"     },
    {"peers",       "Fracas against Embree, Bullet, CGAL and FCL"                    },
    {"queries",     "published queries in time: wrong answers, time per query"       },
    {"restructure", "policies of rebuilding trees while a body deforms"              },
    {"separation",  "the test of minimum separation in time"                         },
    {"tc",          "how well cost metrics predict the box tests of a query"         },
    {"teschner",    "vertices in tetrahedra: spatial hashing and others"             },
    {"tri",         "the test of two triangles, in batches"                          }
};

static const char* description_of(const char* name) {
    for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++)
        if (strcmp(name, descriptions[i].name) == 0) return descriptions[i].about;
    return "";
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
        puts("usage: fracas bench [NAME [arguments]]\n\n"
             "Runs one benchmark; what follows the name goes to it, --help lists its options.\n"
             "Without a name: lists them.\n");
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
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        char path[2 * PATH_MAX];
        snprintf(path, sizeof path, "%s%s/" PREFIX "%s", own, places[i], name);
        if (access(path, X_OK) != 0) continue;
        execv(path, argv + 1);
        return cli_fail(CLI_INTERNAL, "%s: cannot be started: %s", path, strerror(errno));
    }
    return unknown(own, name);
}
