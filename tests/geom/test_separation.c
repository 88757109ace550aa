// Minimum separation compared with the oracle on every generator: decisions and times; the static
// test; symmetric variants.
//
// FRACAS_SEPARATION_QUERIES sets the total number of queries (default 3,000);
// FRACAS_SEPARATION_SEED the seed; FRACAS_SEPARATION_MODE selects one generator.
#include "cmocka_all.h"
#include "generate_ccd.h"
#include "geom/separation.h"
#include "oracle_separation.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Share of the queries in thousandths: extreme exponents make the oracle slow.
static const int SHARE[GENERATE_CCD_COUNT] = {70, 70, 70, 6,  70, 60, 10, 2,  1,  6,  30, 60, 60,
                                              70, 60, 10, 30, 30, 20, 20, 40, 60, 40, 60, 30};

static const double TOLERANCE[4] = {1e-6, 1e-3, 1e-12, 1e-9};

static long number_from(const char* name, long default_value) {
    const char* const text = getenv(name);
    return text && *text ? atol(text) : default_value;
}

static int below(generator* g, int n) { return (int)(generate_bits(g) % (uint64_t)n); }

typedef struct query {
    frc_ccd_kind kind;
    frc_point points[4];
    double distance, tolerance;
} query;

static void print_query(const query* q) {
    print_message("%s, distance %a, tolerance %a\n", q->kind == FRC_CCD_VF ? "VF" : "EE",
                  q->distance, q->tolerance);
    for (int i = 0; i < 4; i++)
        print_message("  {{%a, %a}, {%a, %a}, {%a, %a}, {0}},\n", q->points[i].x[0],
                      q->points[i].x[1], q->points[i].y[0], q->points[i].y[1], q->points[i].z[0],
                      q->points[i].z[1]);
}

// ---- distances that are difficult to decide

static double mix(const double x[2], double t) {
    return t == 0 ? x[0] : t == 1 ? x[1] : (1 - t) * x[0] + t * x[1];
}

static double distance_at(const query* q, double t) {
    frc_point p[4];
    for (int i = 0; i < 4; i++) {
        const frc_point* const a = &q->points[i];
        const double x = mix(a->x, t), y = mix(a->y, t), z = mix(a->z, t);
        p[i] = (frc_point){
            {x,  x},
            {y,  y},
            {z,z},
            {0 }
        };
    }
    frc_closest out = {0};
    frc_separation_static(q->kind, p, DBL_MAX, &out);
    return out.distance;
}

// Approximate smallest distance: the best of some times, then ternary search around it.
static double smallest(const query* q) {
    double best = DBL_MAX, at = 0;
    for (int i = 0; i <= 32; i++) {
        const double d = distance_at(q, i / 32.0);
        if (d < best) best = d, at = i / 32.0;
    }
    double l = at > 0 ? at - 1 / 32.0 : 0, h = at < 1 ? at + 1 / 32.0 : 1;
    for (int i = 0; i < 50; i++) {
        const double a = l + (h - l) / 3, b = h - (h - l) / 3;
        const double da = distance_at(q, a), db = distance_at(q, b);
        if (da < db)
            h = b;
        else
            l = a;
        if (da < best) best = da;
        if (db < best) best = db;
    }
    return best;
}

static double size_of(const query* q) {
    double most = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            most = fmax(most, fabs(q->points[i].x[j] - q->points[0].x[j]));
            most = fmax(most, fabs(q->points[i].y[j] - q->points[0].y[j]));
            most = fmax(most, fabs(q->points[i].z[j] - q->points[0].z[j]));
        }
    return most > 0 && most < DBL_MAX ? most : 1;
}

static double choose_distance(generator* g, const query* q) {
    static const double plain[6] = {1, 2, 0.5, 3, 0x1.6a09e667f3bcdp0, 0x1.bb67ae8584caap0};
    const double least = smallest(q), size = size_of(q);
    double d = 1;
    switch (below(g, 8)) {
    case 0:
        d = plain[below(g, 6)];
        break;
    case 1:
    case 2:
    case 3:
        d = least * (1 + (below(g, 33) - 16) * 0x1p-22);
        break;
    case 4:
        d = least;
        break;
    case 5:
        d = ldexp(size, -below(g, 64));
        break;
    case 6:
        d = least * (0.5 + below(g, 1000) / 667.0);
        break;
    default:
        d = below(g, 4) ? ldexp(size, -1 - below(g, 10)) : ldexp(1, below(g, 2090) - 1070);
        break;
    }
    if (!(d > 0)) d = ldexp(size, -below(g, 200));
    if (!(d > 0)) d = 0x1p-1074;
    return d < DBL_MAX ? d : DBL_MAX;
}

// ---- checks

typedef struct tally {
    long queries, near, band, missed, invented, late, early, strange, statics;
    double slowest;
} tally;

static long wrong(const tally* t) {
    return t->missed + t->invented + t->late + t->early + t->strange + t->statics;
}

static bool is_valid(const frc_ccd_hit* h) {
    const double n =
        h->normal[0] * h->normal[0] + h->normal[1] * h->normal[1] + h->normal[2] * h->normal[2];
    return h->toi >= 0 && h->toi <= 1 && h->u >= 0 && h->u <= 1 && h->v >= 0 && h->v <= 1 &&
           (n == 0 || fabs(n - 1) < 1e-14);
}

// The same pair with its corners in another order.
static query variant(generator* g, const query* q) {
    static const int vf[6][4] = {
        {0, 1, 2, 3},
        {0, 2, 3, 1},
        {0, 3, 1, 2},
        {0, 2, 1, 3},
        {0, 1, 3, 2},
        {0, 3, 2, 1}
    };
    static const int ee[6][4] = {
        {0, 1, 2, 3},
        {1, 0, 2, 3},
        {0, 1, 3, 2},
        {2, 3, 0, 1},
        {3, 2, 1, 0},
        {2, 3, 1, 0}
    };
    query r = *q;
    const int which = below(g, 6);
    for (int i = 0; i < 4; i++)
        r.points[i] = q->points[q->kind == FRC_CCD_VF ? vf[which][i] : ee[which][i]];
    return r;
}

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void check_time(generator* g, const query* q, tally* sum) {
    const query other = variant(g, q);
    frc_ccd_hit hit[2] = {{0}, {0}};
    bool answer[2];
    const double start = now();
    answer[0] = frc_separation_ccd(q->kind, q->points, q->distance, q->tolerance, &hit[0]);
    const double took = now() - start;
    answer[1] = frc_separation_ccd(q->kind, other.points, q->distance, q->tolerance, &hit[1]);
    if (took > sum->slowest) sum->slowest = took;
    oracle_claim in[2], out[2];
    for (int i = 0; i < 2; i++) in[i] = out[i] = (oracle_claim){hit[i].toi, q->tolerance, 0, 0};
    const bool near = oracle_separation(q->kind, q->points, q->distance, false, in, 2);
    const bool band = oracle_separation(q->kind, q->points, q->distance, true, out, 2);
    sum->near += near;
    sum->band += band && !near;
    for (int i = 0; i < 2; i++) {
        sum->missed += near && !answer[i];
        sum->invented += !band && answer[i];
        sum->late += near && answer[i] && !in[i].not_late;
        sum->early += band && answer[i] && !out[i].close;
        sum->strange += answer[i] && !is_valid(&hit[i]);
    }
}

static void check_end(const query* q, tally* sum) {
    frc_closest out = {0};
    const bool answer = frc_separation_static(q->kind, q->points, q->distance, &out);
    const bool near = oracle_separation_end(q->kind, q->points, q->distance, false);
    const bool band = near || oracle_separation_end(q->kind, q->points, q->distance, true);
    sum->statics += (near && !answer) || (!band && answer);
    // The distance itself: correct to a millionth.
    if (answer && out.distance > 0 && out.distance < 0x1p1000 && out.distance > 0x1p-1000) {
        sum->statics +=
            !oracle_separation_end(q->kind, q->points, out.distance * (1 + 1e-9), false);
        sum->statics += oracle_separation_end(q->kind, q->points, out.distance * (1 - 1e-9), false);
    }
    const bool touch = frc_separation_static(q->kind, q->points, 0, &out);
    sum->statics += touch != oracle_separation_end(q->kind, q->points, 0, false);
    sum->statics += touch && !(out.distance == 0 && out.normal[0] == 0 && out.normal[1] == 0 &&
                               out.normal[2] == 0);
}

static void check(generator* g, int mode, long number, tally* sum) {
    query q = {.tolerance = TOLERANCE[number % 4]};
    q.kind = generate_ccd(g, mode, q.points);
    q.distance = choose_distance(g, &q);
    const long before = wrong(sum);
    sum->queries++;
    check_time(g, &q, sum);
    check_end(&q, sum);
    if (wrong(sum) == before || before > 5) return;
    print_message("mode %d, query %ld: missed %ld, invented %ld, late %ld, early %ld, strange %ld, "
                  "static %ld\n",
                  mode, number, sum->missed, sum->invented, sum->late, sum->early, sum->strange,
                  sum->statics);
    print_query(&q);
}

static void same_as_oracle(void** state) {
    (void)state;
    const long total = number_from("FRACAS_SEPARATION_QUERIES", 3000);
    const long only = number_from("FRACAS_SEPARATION_MODE", -1);
    const uint64_t seed = (uint64_t)number_from("FRACAS_SEPARATION_SEED", 1);
    long share = 0;
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) share += SHARE[mode];
    tally sum = {0};
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) {
        if (only >= 0 && mode != only) continue;
        generator g = {seed * 1000003 + (uint64_t)mode};
        const tally old = sum;
        const long count = only >= 0 ? total : total * SHARE[mode] / share + 1;
        sum.slowest = 0;
        const double start = now();
        for (long i = 0; i < count; i++) check(&g, mode, i, &sum);
        print_message("mode %2d: %ld queries, %ld near, %ld in the band; slowest %.0f us; %.1f s\n",
                      mode, count, sum.near - old.near, sum.band - old.band, 1e6 * sum.slowest,
                      now() - start);
        fflush(stdout);
    }
    print_message("%ld queries, %ld near, %ld in the band: %ld missed, %ld invented, %ld times "
                  "late, %ld early, %ld strange, %ld static\n",
                  sum.queries, sum.near, sum.band, sum.missed, sum.invented, sum.late, sum.early,
                  sum.strange, sum.statics);
    assert_int_equal(wrong(&sum), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_oracle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
