// fracas bench hashes: built-in scenes on 1, 2, 3 and 8 threads, compared with committed hashes.
//
// It needs no test library and no data, so that any machine can be checked.
#include "golden_hashes.h"
#include "hashes/run.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    bool json, update, serial;
    const char* only;
} options;

static const uint32_t thread_counts[4] = {1, 2, 3, 8};

static void print_usage(FILE* out) {
    fprintf(out,
            "usage: fracas bench hashes [--scene NAME] [--serial] [--json] [--update]\n"
            "Runs the built-in scenes on 1, 2, 3 and 8 threads and compares the hash of every\n"
            "bit of every contact with the committed one. --serial: one thread only, for\n"
            "platforms without threads. --update prints a new golden_hashes.h.\nScenes:\n");
    for (int i = 0; i < HASH_SCENE_COUNT; i++) fprintf(out, "  %s\n", hash_scenes[i].name);
}

// Exit code to end with, or -1 to go on.
static int parse(int argc, char** argv, options* out) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) return print_usage(stdout), 0;
        if (!strcmp(argv[i], "--json"))
            out->json = true;
        else if (!strcmp(argv[i], "--update"))
            out->update = true;
        else if (!strcmp(argv[i], "--serial"))
            out->serial = true;
        else if (!strcmp(argv[i], "--scene") && i + 1 < argc)
            out->only = argv[++i];
        else
            return print_usage(stderr), 2;
    }
    bool known = !out->only;
    for (int i = 0; i < HASH_SCENE_COUNT && !known; i++)
        known = !strcmp(out->only, hash_scenes[i].name);
    if (!known) print_usage(stderr);
    return known ? -1 : 2;
}

static const golden_hash* golden_of(const char* name) {
    for (size_t i = 0; i < sizeof golden_hashes / sizeof *golden_hashes; i++)
        if (!strcmp(golden_hashes[i].scene, name)) return &golden_hashes[i];
    return NULL;
}

static void print_line(const options* o, const char* name, uint32_t threads, const hash_run* run,
                       bool same, bool first) {
    if (o->json)
        printf("%s{\"scene\":\"%s\",\"threads\":%u,\"contacts\":%" PRIu64 ",\"hash\":\"%016" PRIx64
               "\",\"ok\":%s}",
               first ? "" : ",\n", name, threads, run->contact_count, run->hash,
               same ? "true" : "false");
    else
        printf("%-24s %7u %10" PRIu64 "  %016" PRIx64 "  %s\n", name, threads, run->contact_count,
               run->hash, same ? "ok" : "DIFFERENT");
    fflush(stdout);
}

static bool compare_all(const options* o) {
    bool good = true, first = true;
    if (o->json)
        printf("{\"scenes\":[");
    else
        printf("%-24s %7s %10s  %-16s\n", "scene", "threads", "contacts", "hash");
    for (int i = 0; i < HASH_SCENE_COUNT; i++) {
        const char* name = hash_scenes[i].name;
        if (o->only && strcmp(o->only, name)) continue;
        const golden_hash* golden = golden_of(name);
        for (int t = 0; t < (o->serial ? 1 : 4); t++) {
            hash_run run;
            hash_scene_run(&hash_scenes[i], thread_counts[t], &run);
            bool same = golden && golden->contacts == run.contact_count && golden->hash == run.hash;
            print_line(o, name, thread_counts[t], &run, same, first);
            good &= same;
            first = false;
        }
    }
    if (o->json)
        printf("],\"ok\":%s}\n", good ? "true" : "false");
    else
        printf(good ? "all as committed\n" : "DIFFERENT from what is committed\n");
    return good;
}

static void print_golden(void) {
    printf("/// @file golden_hashes.h  What every machine must get; made by `fracas bench hashes "
           "--update`.\n#pragma once\n#include <stdint.h>\n\n"
           "typedef struct golden_hash {\n    const char* scene;\n    uint64_t contacts, hash;\n"
           "} golden_hash;\n\nstatic const golden_hash golden_hashes[] = {\n");
    for (int i = 0; i < HASH_SCENE_COUNT; i++) {
        hash_run run;
        hash_scene_run(&hash_scenes[i], 1, &run);
        printf("    {\"%s\", %" PRIu64 ", UINT64_C(0x%016" PRIx64 ")},\n", hash_scenes[i].name,
               run.contact_count, run.hash);
    }
    printf("};\n");
}

int main(int argc, char** argv) {
    options o = {0};
    int code = parse(argc, argv, &o);
    if (code >= 0) return code;
    if (o.update) {
        print_golden();
        return 0;
    }
    return compare_all(&o) ? 0 : 1;
}
