// One case: check, then measure in turns.
#include "peers/measure.h"
#include "timing.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct bout {
    const bench_case* c;
    ours* us;
    judge* referee;
    void* trees[PEER_ENTRIES][2];
    case_result* out;
} bout;

// Only what the case is about takes part.
static bool invited(const bench_case* c, int i) {
    return !c->embree_query_only || !strcmp(peer_entries[i].name, "embree");
}

static void start_peer(bout* b, int i) {
    peer_result* r = &b->out->peers[i];
    const peer* p = peer_entries[i].peer;
    if (!invited(b->c, i)) return;
    if (!p) {
        r->why_not = "not built in";
        return;
    }
    for (uint32_t m = 0; m < b->c->peers.mesh_count; m++)
        b->trees[i][m] = p->create(&b->c->peers.meshes[m]);
    r->measured = b->trees[i][0] && (b->c->peers.mesh_count == 1 || b->trees[i][1]);
    if (!r->measured) r->why_not = "refuses the mesh";
}

static bool check_counts(const bout* b) {
    static const char* const kinds[3] = {"tt", "vf", "ee"};
    const uint64_t* found = b->out->statistics.contacts;
    const uint64_t counts[3] = {found[FRACAS_CONTACT_TT], found[FRACAS_CONTACT_VF],
                                found[FRACAS_CONTACT_EE]};
    bool good = true;
    for (int k = 0; k < 3; k++) {
        if (!b->c->truth[k] || b->c->truth[k] == counts[k]) continue;
        fprintf(stderr, "%s: ours finds %" PRIu64 " %s, the truth is %" PRIu64 "\n", b->c->name,
                counts[k], kinds[k], b->c->truth[k]);
        good = false;
    }
    return good;
}

// Peers are compared with our set where both were asked the same question.
static bool check_peer(bout* b, int i, judge_test test, const pair_list* expected) {
    peer_result* r = &b->out->peers[i];
    const peer* p = peer_entries[i].peer;
    judge_run(b->referee, test, &b->c->peers, p, b->trees[i]);
    r->candidates = b->referee->candidates;
    r->found = b->referee->found.count;
    if (p->report == PEER_COUNTS) return true;
    pair_list_sort(&b->referee->found, b->c->peers.mesh_count == 1);
    size_t different = pair_list_difference(&b->referee->found, expected);
    if (different)
        fprintf(stderr, "%s: %s finds %zu pairs, ours %zu; %zu differ\n", b->c->name, p->name,
                r->found, expected->count, different);
    return different == 0;
}

// The pairs that the peers must find: ours, asked discretely.
static void expected_pairs(const bout* b, pair_list* out) {
    if (b->c->mode == FRACAS_MODE_DISCRETE) {
        ours_pairs(b->us, out);
        return;
    }
    ours* discrete = ours_create(&b->c->peers, FRACAS_MODE_DISCRETE);
    ours_run(discrete, &b->c->peers);
    ours_pairs(discrete, out);
    ours_destroy(discrete);
}

static bool check(bout* b) {
    ours_run(b->us, &b->c->ours);
    b->out->statistics = *ours_statistics(b->us);
    b->out->hash = ours_hash(b->us);
    bool good = check_counts(b);
    pair_list expected = {0};
    expected_pairs(b, &expected);
    for (int i = 0; i < PEER_ENTRIES; i++)
        if (b->out->peers[i].measured)
            good &= check_peer(b, i, JUDGE_ELEMENTARY, &expected) &&
                    check_peer(b, i, JUDGE_BATCH, &expected);
    pair_list_free(&expected);
    return good;
}

static double run_peer(const bout* b, int i, judge_test test, peer_times* out) {
    *out = judge_run(b->referee, test, &b->c->peers, peer_entries[i].peer, b->trees[i]);
    return b->c->embree_query_only ? out->query : out->refit + out->query;
}

static void run_round(bout* b, uint32_t round, double* totals) {
    case_result* out = b->out;
    ours_times t = ours_run(b->us, &b->c->ours);
    totals[round] = t.total;
    if (round == 0 || t.total < out->ours.total) out->ours = t;
    for (int i = 0; i < PEER_ENTRIES; i++) {
        peer_result* r = &out->peers[i];
        peer_times times;
        if (!r->measured) continue;
        double total = run_peer(b, i, JUDGE_ELEMENTARY, &times);
        if (round == 0 || total < r->total) r->best = times, r->total = total;
        if (peer_entries[i].peer->report != PEER_CANDIDATES) continue;
        total = run_peer(b, i, JUDGE_BATCH, &times);
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

static void finish(bout* b) {
    for (int i = 0; i < PEER_ENTRIES; i++)
        for (int m = 0; m < 2; m++)
            if (b->trees[i][m]) peer_entries[i].peer->destroy(b->trees[i][m]);
    judge_destroy(b->referee);
    ours_destroy(b->us);
}

bool measure_case(const bench_case* c, uint32_t rounds, case_result* out) {
    memset(out, 0, sizeof *out);
    bout b = {.c = c, .out = out};
    b.us = ours_create(&c->ours, c->mode);
    b.referee = judge_create(&c->peers);
    for (int i = 0; i < PEER_ENTRIES; i++) start_peer(&b, i);
    bool good = check(&b);
    double* totals = bench_allocate(rounds, sizeof *totals);
    for (uint32_t round = 0; good && round < rounds; round++) run_round(&b, round, totals);
    if (good) {
        out->median = bench_median(totals, rounds);
        find_ratio(out);
        if (ours_hash(b.us) != out->hash) {
            fprintf(stderr, "%s: ours differs from round to round\n", c->name);
            good = false;
        }
    }
    free(totals);
    finish(&b);
    return good;
}
