// One case: check, then measure in turns.
#include "peers/measure.h"
#include "timing.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct bout {
    const bench_case* c;
    ours* us;
    judge* referees[TEST_COUNT];  // NULL: there is no such test
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
    bool ready = b->trees[i][0] && (b->c->peers.mesh_count == 1 || b->trees[i][1]);
    if (!ready) r->why_not = "refuses the mesh";
    for (int k = 0; k < TEST_COUNT; k++)
        r->lanes[k].measured =
            ready && (p->report == PEER_CANDIDATES ? b->referees[k] != NULL : k == TEST_PUBLIC);
}

static bool check_counts(const bout* b) {
    static const char* const kinds[3] = {"tt", "vf", "ee"};
    const uint64_t* found = b->out->statistics.contacts;
    const uint64_t counts[3] = {found[FRACAS_TT], found[FRACAS_VF], found[FRACAS_EE]};
    bool good = true;
    for (int k = 0; k < 3; k++) {
        if (!b->c->truth[k] || b->c->truth[k] == counts[k]) continue;
        fprintf(stderr, "%s: ours finds %" PRIu64 " %s, the truth is %" PRIu64 "\n", b->c->name,
                counts[k], kinds[k], b->c->truth[k]);
        good = false;
    }
    return good;
}

// A peer with a test of its own needs none: any referee will do.
static judge* referee_of(const bout* b, int test) {
    return b->referees[test] ? b->referees[test] : b->referees[TEST_LENT];
}

// Peers are compared with our set where both were asked the same question.
static bool check_peer(bout* b, int i, int test, const pair_list* expected) {
    peer_lane* lane = &b->out->peers[i].lanes[test];
    judge* referee = referee_of(b, test);
    const peer* p = peer_entries[i].peer;
    judge_run(referee, &b->c->peers, p, b->trees[i]);
    lane->candidates = referee->candidates;
    lane->found = referee->found.count;
    if (p->report == PEER_COUNTS) return true;
    pair_list_sort(&referee->found, b->c->peers.mesh_count == 1);
    size_t different = pair_list_difference(&referee->found, expected);
    if (different)
        fprintf(stderr, "%s: %s (test of %s) finds %zu pairs, ours %zu; %zu differ\n", b->c->name,
                p->name, referee->test->name, lane->found, expected->count, different);
    return different == 0;
}

// The pairs that the peers must find: ours, asked discretely.
static void expected_pairs(const bout* b, pair_list* out) {
    if (b->c->mode == FRACAS_DISCRETE) {
        ours_pairs(b->us, out);
        return;
    }
    ours* discrete = ours_create(&b->c->peers, FRACAS_DISCRETE);
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
        for (int k = 0; k < TEST_COUNT; k++)
            if (b->out->peers[i].lanes[k].measured) good &= check_peer(b, i, k, &expected);
    pair_list_free(&expected);
    return good;
}

static void run_lane(bout* b, int i, int test, bool first) {
    peer_lane* lane = &b->out->peers[i].lanes[test];
    if (!lane->measured) return;
    peer_times p = judge_run(referee_of(b, test), &b->c->peers, peer_entries[i].peer, b->trees[i]);
    double total = b->c->embree_query_only ? p.query : p.refit + p.query;
    if (!first && total >= lane->total) return;
    lane->best = p;
    lane->total = total;
}

static void run_round(bout* b, uint32_t round, double* totals) {
    case_result* out = b->out;
    ours_times t = ours_run(b->us, &b->c->ours);
    totals[round] = t.total;
    if (round == 0 || t.total < out->ours.total) out->ours = t;
    for (int i = 0; i < PEER_ENTRIES; i++)
        for (int k = 0; k < TEST_COUNT; k++) run_lane(b, i, k, round == 0);
}

// Lanes up to `test`: who may have our test is also free to use another.
static void find_ratio(case_result* out, int test) {
    double fastest = 0.0;
    for (int i = 0; i < PEER_ENTRIES * (test + 1); i++) {
        const peer_lane* lane = &out->peers[i % PEER_ENTRIES].lanes[i / PEER_ENTRIES];
        if (!lane->measured || (out->fastest[test] && lane->total >= fastest)) continue;
        fastest = lane->total;
        out->fastest[test] = peer_entries[i % PEER_ENTRIES].name;
    }
    if (out->fastest[test]) out->ratio[test] = fastest / out->ours.total;
}

static void finish(bout* b) {
    for (int i = 0; i < PEER_ENTRIES; i++)
        for (int m = 0; m < 2; m++)
            if (b->trees[i][m]) peer_entries[i].peer->destroy(b->trees[i][m]);
    for (int k = 0; k < TEST_COUNT; k++) judge_destroy(b->referees[k]);
    ours_destroy(b->us);
}

bool measure_case(const bench_case* c, uint32_t rounds, case_result* out) {
    memset(out, 0, sizeof *out);
    bout b = {.c = c, .out = out};
    b.us = ours_create(&c->ours, c->mode);
    for (int k = 0; k < TEST_COUNT; k++)
        if (peer_tests[k]) b.referees[k] = judge_create(&c->peers, peer_tests[k]);
    for (int i = 0; i < PEER_ENTRIES; i++) start_peer(&b, i);
    bool good = check(&b);
    double* totals = bench_allocate(rounds, sizeof *totals);
    for (uint32_t round = 0; good && round < rounds; round++) run_round(&b, round, totals);
    if (good) {
        out->median = bench_median(totals, rounds);
        for (int k = 0; k < TEST_COUNT; k++) find_ratio(out, k);
        if (ours_hash(b.us) != out->hash) {
            fprintf(stderr, "%s: ours differs from round to round\n", c->name);
            good = false;
        }
    }
    free(totals);
    finish(&b);
    return good;
}
