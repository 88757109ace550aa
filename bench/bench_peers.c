// fracas bench peers: Fracas compared with Embree, Bullet, CGAL and FCL, interleaved in one run.
#include "arguments.h"
#include "peers/measure.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    const char* only;  ///< NULL: all cases
    const char* data;
    uint32_t rounds;
    bool json, cpu_clock;
} options;

static void print_usage(void) {
    printf("usage: fracas bench peers [--case NAME] [--rounds N] [--data DIR] [--clock wall|cpu]\n"
           "                          [--json]\n"
           "Compares Fracas with the libraries it was built with, on one thread, interleaved; the\n"
           "minimum of N rounds (default 7) counts. DIR contains the test data (default:\n"
           "$FRACAS_DATA, or ../shared/data next to the source). --clock cpu counts CPU time, for\n"
           "machines with other load. Cases:\n");
    for (int i = 0; i < CASE_COUNT; i++) printf("  %s\n", case_names[i]);
}

// Returns the exit code, or -1 to continue.
static int parse(int argc, char** argv, options* out) {
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(name, "--help")) return print_usage(), 0;
        if (!strcmp(name, "--json")) {
            out->json = true;
            continue;
        }
        if (value && !strcmp(name, "--case"))
            out->only = value;
        else if (value && !strcmp(name, "--data"))
            out->data = value;
        else if (value && !strcmp(name, "--rounds"))
            out->rounds = (uint32_t)strtoul(value, NULL, 10);
        else if (value && !strcmp(name, "--clock") &&
                 (!strcmp(value, "cpu") || !strcmp(value, "wall")))
            out->cpu_clock = value[0] == 'c';
        else
            return bench_refuse("peers", name);
        i++;
    }
    bool known = !out->only;
    for (int i = 0; i < CASE_COUNT && !known; i++) known = !strcmp(out->only, case_names[i]);
    if (!known) return bench_refuse("peers", out->only);
    return out->rounds >= 1 && out->rounds <= 100000 ? -1 : bench_refuse("peers", "--rounds");
}

static void print_peers(const bench_case* c, const case_result* r) {
    for (int i = 0; i < PEER_ENTRIES; i++) {
        const peer_result* p = &r->peers[i];
        if (!p->measured) {
            if (p->reason) printf("  %-8s %s\n", peer_entries[i].name, p->reason);
            continue;
        }
        printf("  %-8s %9.2f ms = ", peer_entries[i].name, p->total);
        if (!c->embree_query_only) printf("refit %.2f + ", p->best.refit);
        printf("query %.2f; ", p->best.query);
        switch (peer_entries[i].peer->report) {
        case PEER_CANDIDATES:
            printf("%zu candidates and Fracas' triangle test: equal set (batched test: %.2f)\n",
                   p->candidates, p->batched);
            break;
        case PEER_HITS:
            printf("equal set\n");
            break;
        default:
            printf("%zu pairs by its own definition\n", p->found);
        }
    }
}

static void print_table(const bench_case* c, const case_result* r) {
    const uint64_t* n = r->statistics.contacts;
    printf("%s: %s\n", c->name, c->about);
    printf("  contacts tt %" PRIu64 " vf %" PRIu64 " ee %" PRIu64 ", hash %016" PRIx64 "\n",
           n[FRACAS_CONTACT_TT], n[FRACAS_CONTACT_VF], n[FRACAS_CONTACT_EE], r->hash);
    printf("  %-8s %9.2f ms = move %.2f + update %.2f + traverse %.2f + narrow %.2f + rest %.2f "
           "(median %.2f)\n",
           "fracas", r->ours.total, r->ours.move, r->ours.update, r->ours.traverse, r->ours.narrow,
           r->ours.rest, r->median);
    print_peers(c, r);
    if (r->fastest)
        printf("  %s / fracas = %.2f (target: at least %.2f); with batched triangle tests %.2f\n",
               r->fastest, r->ratio, c->wanted_ratio, r->batched);
    else
        printf("  no peer was measured\n");
}

static void print_json_batched(const case_result* r) {
    const char* separator = "";
    printf(",\"peers_batched\":{");
    for (int i = 0; i < PEER_ENTRIES; i++) {
        if (r->peers[i].batched == 0) continue;
        printf("%s\"%s\":%.4f", separator, peer_entries[i].name, r->peers[i].batched);
        separator = ",";
    }
    printf("},\"ratio_to_best_batched\":%.4f", r->batched);
}

static void print_json_peers(const case_result* r, const char* key, bool parts) {
    const char* separator = "";
    printf("\"%s\":{", key);
    for (int i = 0; i < PEER_ENTRIES; i++) {
        const peer_result* p = &r->peers[i];
        if (!p->measured) continue;
        printf("%s\"%s\":", separator, peer_entries[i].name);
        if (parts)
            printf("{\"refit\":%.4f,\"query\":%.4f,\"candidates\":%zu,\"found\":%zu}",
                   p->best.refit, p->best.query, p->candidates, p->found);
        else
            printf("%.4f", p->total);
        separator = ",";
    }
    printf("}");
}

static void print_json(const bench_case* c, const case_result* r, bool first) {
    const uint64_t* n = r->statistics.contacts;
    printf("%s{\"case\":\"%s\",\"ours_ms\":%.4f,", first ? "" : ",\n", c->name, r->ours.total);
    print_json_peers(r, "peers", false);
    if (r->fastest)
        printf(",\"ratio_to_best\":%.4f,\"best\":\"%s\",\"met\":%s", r->ratio, r->fastest,
               r->ratio >= c->wanted_ratio ? "true" : "false");
    else
        printf(",\"ratio_to_best\":null,\"best\":null,\"met\":null");
    printf(",\"wanted_ratio\":%.4f,\"ours\":{\"move\":%.4f,\"update\":%.4f,\"traverse\":%.4f,"
           "\"narrow\":%.4f,\"rest\":%.4f,\"median\":%.4f},",
           c->wanted_ratio, r->ours.move, r->ours.update, r->ours.traverse, r->ours.narrow,
           r->ours.rest, r->median);
    print_json_peers(r, "peer_parts", true);
    print_json_batched(r);
    printf(",\"contacts\":{\"tt\":%" PRIu64 ",\"vf\":%" PRIu64 ",\"ee\":%" PRIu64
           "},\"hash\":\"%016" PRIx64 "\"}",
           n[FRACAS_CONTACT_TT], n[FRACAS_CONTACT_VF], n[FRACAS_CONTACT_EE], r->hash);
    fflush(stdout);
}

static bool run_cases(fracas_context* context, const options* o) {
    bool good = true, first = true;
    for (int i = 0; i < CASE_COUNT; i++) {
        if (o->only && strcmp(o->only, case_names[i])) continue;
        bench_case c;
        case_result r;
        bool loaded = case_load(context, o->data, i, &c);
        c.ours.cpu_clock = c.peers.cpu_clock = o->cpu_clock;
        if (!loaded) fprintf(stderr, "%s: skipped: its data is missing\n", case_names[i]);
        if (loaded && measure_case(&c, o->rounds, &r)) {
            if (o->json)
                print_json(&c, &r, first);
            else
                print_table(&c, &r);
            first = false;
        } else
            good = false;
        fflush(stdout);
        case_free(&c);
    }
    return good;
}

int main(int argc, char** argv) {
    options o = {.data = bench_data_folder(), .rounds = 7};
    int code = parse(argc, argv, &o);
    if (code >= 0) return code;
    fracas_context* context = NULL;
    if (fracas_context_create(NULL, &context) != FRACAS_OK) return 4;
    for (int i = 0; i < PEER_ENTRIES; i++)
        if (!peer_entries[i].peer)
            fprintf(stderr, "%s is not built in: install %s and configure with -DFRACAS_PEERS=ON\n",
                    peer_entries[i].name, peer_entries[i].package);
    if (o.json) printf("{\"cases\":[");
    bool good = run_cases(context, &o);
    if (o.json) printf("]}\n");
    fracas_context_destroy(context);
    return good ? 0 : 1;
}
