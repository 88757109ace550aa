// Measures one case: checks all sets of pairs, then times Fracas and the peers, interleaved.
#include "peers/measure.h"
#include "timing.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct case_run {
    const bench_case* c;
    ours* fracas;
    peer_run* runner;
    void* trees[PEER_ENTRIES][2];
    case_result* out;
} case_run;

static void start_peer(case_run* run, int i) {
    peer_result* r = &run->out->peers[i];
    const peer* p = peer_entries[i].peer;
    if (run->c->embree_query_only && strcmp(peer_entries[i].name, "embree") != 0) return;
    if (!p) {
        r->reason = "not built in";
        return;
    }
    for (uint32_t m = 0; m < run->c->peers.mesh_count; m++)
        run->trees[i][m] = p->create(&run->c->peers.meshes[m]);
    r->measured = run->trees[i][0] && (run->c->peers.mesh_count == 1 || run->trees[i][1]);
    if (!r->measured) r->reason = "rejects the mesh";
}

static bool check_counts(const case_run* run) {
    static const char* const kinds[3] = {"tt", "vf", "ee"};
    const uint64_t* found = run->out->statistics.contacts;
    const uint64_t counts[3] = {found[FRACAS_CONTACT_TT], found[FRACAS_CONTACT_VF],
                                found[FRACAS_CONTACT_EE]};
    bool good = true;
    for (int k = 0; k < 3; k++) {
        if (!run->c->truth[k] || run->c->truth[k] == counts[k]) continue;
        fprintf(stderr, "%s: Fracas finds %" PRIu64 " %s, expected %" PRIu64 "\n", run->c->name,
                counts[k], kinds[k], run->c->truth[k]);
        good = false;
    }
    return good;
}

// Compares the pairs of a peer with those of Fracas, unless the peer uses its own definition.
static bool check_peer(case_run* run, int i, peer_test test, const pair_list* expected) {
    peer_result* r = &run->out->peers[i];
    const peer* p = peer_entries[i].peer;
    peer_run_measure(run->runner, test, &run->c->peers, p, run->trees[i]);
    r->candidates = run->runner->candidates;
    r->found = run->runner->found.count;
    if (p->report == PEER_COUNTS) return true;
    pair_list_sort(&run->runner->found, run->c->peers.mesh_count == 1);
    size_t different = pair_list_difference(&run->runner->found, expected);
    if (different)
        fprintf(stderr, "%s: %s finds %zu pairs, Fracas %zu; %zu differ\n", run->c->name, p->name,
                r->found, expected->count, different);
    return different == 0;
}

// The pairs that the peers must find: those of Fracas' discrete query.
static void expected_pairs(const case_run* run, pair_list* out) {
    if (run->c->mode == FRACAS_MODE_DISCRETE) {
        ours_pairs(run->fracas, out);
        return;
    }
    ours* discrete = ours_create(&run->c->peers, FRACAS_MODE_DISCRETE);
    ours_run(discrete, &run->c->peers);
    ours_pairs(discrete, out);
    ours_destroy(discrete);
}

static bool check(case_run* run) {
    ours_run(run->fracas, &run->c->ours);
    run->out->statistics = *ours_statistics(run->fracas);
    run->out->hash = ours_hash(run->fracas);
    bool good = check_counts(run);
    pair_list expected = {0};
    expected_pairs(run, &expected);
    for (int i = 0; i < PEER_ENTRIES; i++)
        if (run->out->peers[i].measured)
            good &= check_peer(run, i, PEER_TEST_ELEMENTARY, &expected) &&
                    check_peer(run, i, PEER_TEST_BATCH, &expected);
    pair_list_free(&expected);
    return good;
}

static double run_peer(const case_run* run, int i, peer_test test, peer_times* out) {
    *out = peer_run_measure(run->runner, test, &run->c->peers, peer_entries[i].peer, run->trees[i]);
    return run->c->embree_query_only ? out->query : out->refit + out->query;
}

static void run_round(case_run* run, uint32_t round, double* totals) {
    case_result* out = run->out;
    ours_times t = ours_run(run->fracas, &run->c->ours);
    totals[round] = t.total;
    if (round == 0 || t.total < out->ours.total) out->ours = t;
    for (int i = 0; i < PEER_ENTRIES; i++) {
        peer_result* r = &out->peers[i];
        peer_times times;
        if (!r->measured) continue;
        double total = run_peer(run, i, PEER_TEST_ELEMENTARY, &times);
        if (round == 0 || total < r->total) r->best = times, r->total = total;
        if (peer_entries[i].peer->report != PEER_CANDIDATES) continue;
        total = run_peer(run, i, PEER_TEST_BATCH, &times);
        if (round == 0 || total < r->batched) r->batched = total;
    }
}

static void find_ratio(case_result* out) {
    double fastest = 0, batched = 0;
    for (int i = 0; i < PEER_ENTRIES; i++) {
        const peer_result* r = &out->peers[i];
        if (!r->measured) continue;
        if (!out->fastest || r->total < fastest)
            fastest = r->total, out->fastest = peer_entries[i].name;
        const double with = r->batched > 0 ? r->batched : r->total;
        if (batched == 0 || with < batched) batched = with;
    }
    if (!out->fastest) return;
    out->ratio = fastest / out->ours.total;
    out->batched = batched / out->ours.total;
}

static void finish(case_run* run) {
    for (int i = 0; i < PEER_ENTRIES; i++)
        for (int m = 0; m < 2; m++)
            if (run->trees[i][m]) peer_entries[i].peer->destroy(run->trees[i][m]);
    peer_run_destroy(run->runner);
    ours_destroy(run->fracas);
}

bool measure_case(const bench_case* c, uint32_t rounds, case_result* out) {
    memset(out, 0, sizeof *out);
    case_run run = {.c = c, .out = out};
    run.fracas = ours_create(&c->ours, c->mode);
    run.runner = peer_run_create(&c->peers);
    for (int i = 0; i < PEER_ENTRIES; i++) start_peer(&run, i);
    bool good = check(&run);
    double* totals = bench_allocate(rounds, sizeof *totals);
    for (uint32_t round = 0; good && round < rounds; round++) run_round(&run, round, totals);
    if (good) {
        out->median = bench_median(totals, rounds);
        find_ratio(out);
        if (ours_hash(run.fracas) != out->hash) {
            fprintf(stderr, "%s: the contacts of Fracas differ between rounds\n", c->name);
            good = false;
        }
    }
    free(totals);
    finish(&run);
    return good;
}
