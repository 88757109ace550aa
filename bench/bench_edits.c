// fracas bench edits: the cost of building trees, tearing in place and splitting, on one thread.
//
// rebuild: all trees of one body from scratch, with each builder. tearing: a body whose points all
// move and which is torn in place in every frame. pulling-apart: the same for the scene of that
// name. splits: a part of k triangles is detached from one body of N, or from one of many bodies.
#include "arguments.h"
#include "edits/edits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_usage(void) {
    printf(
        "usage: fracas bench edits [--only rebuild|tearing|pulling-apart|splits]\n"
        "                          [--triangles N] [--frames N] [--rounds N] [--full] [--json]\n"
        "Cost of building trees, tearing in place and splitting. --triangles: for all parts but\n"
        "splits (60000); --frames (20) and --rounds (2, the minimum counts): for tearing and\n"
        "pulling-apart. --full: 254000 triangles, 60 frames, 3 rounds; splits of parts of up to\n"
        "1e5 triangles off bodies of up to 1e6.\n");
}

static bool parse_number(const char* text, uint32_t least, uint32_t most, uint32_t* out) {
    char* end;
    unsigned long value = strtoul(text, &end, 10);
    *out = (uint32_t)value;
    return *text >= '0' && *text <= '9' && !*end && value >= least && value <= most;
}

static bool parse_value(edits_options* o, const char* name, const char* value) {
    if (!strcmp(name, "--only")) return o->only = value, true;
    if (!strcmp(name, "--triangles")) return parse_number(value, 5000, 10000000, &o->triangles);
    if (!strcmp(name, "--frames")) return parse_number(value, 1, 10000, &o->frames);
    if (!strcmp(name, "--rounds")) return parse_number(value, 1, 1000, &o->rounds);
    return false;
}

// Returns the exit code, or -1 to continue.
static int parse(int argc, char** argv, edits_options* o) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) return print_usage(), 0;
        if (!strcmp(argv[i], "--json"))
            o->json = true;
        else if (!strcmp(argv[i], "--full"))
            o->full = true;
        else if (i + 1 < argc && parse_value(o, argv[i], argv[i + 1]))
            i++;
        else
            return bench_refuse("edits", argv[i]);
    }
    return -1;
}

int main(int argc, char** argv) {
    edits_options o = {0};
    int code = parse(argc, argv, &o);
    if (code >= 0) return code;
    if (!o.triangles) o.triangles = o.full ? 254000 : 60000;
    if (!o.frames) o.frames = o.full ? 60 : 20;
    if (!o.rounds) o.rounds = o.full ? 3 : 2;
    static const struct {
        const char* name;
        void (*run)(const edits_options*);
    } parts[] = {
        {"rebuild",       edits_rebuild      },
        {"tearing",       edits_tearing      },
        {"pulling-apart", edits_pulling_apart},
        {"splits",        edits_splits       }
    };
    bool any = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (o.only && strcmp(o.only, parts[i].name) != 0) continue;
        if (o.json) printf(any ? ",\n" : "{");
        parts[i].run(&o);
        fflush(stdout);
        any = true;
    }
    if (o.json && any) printf("}\n");
    return any ? 0 : bench_refuse("edits", o.only);
}
