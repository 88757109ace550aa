/// @file prices.c  What building a tree costs, and a query.
///
/// Prices are in nanoseconds. The fixed ones were measured on a Neoverse-V1 at 2.6 GHz; what a
/// query has cost is then made up from what it has counted, so that decisions are the same
/// everywhere.
#include "base/clock.h"
#include "scene/quality.h"
#include "scene/restructure.h"
#include <math.h>
#include <string.h>

// Triangles. What makes a tree bad is large parts that drift over each other.
enum { SMALLEST_PART = 256 };

static double price_of(frc_builder builder) { return builder == FRC_BUILD_GRID ? 12 : 35; }

frc_prices frc_default_prices(const frc_scene_settings* options) {
    return (frc_prices){.build = price_of(options->rebuild),
                        .build_well = price_of(options->builder) / 2,
                        .build_whole = price_of(options->rebuild) / 2,
                        .visit = 100,
                        .smallest_part = SMALLEST_PART};
}

void frc_add_work(const fracas_scene* scene, const fracas_query* query,
                  const fracas_statistics* s) {
    const uint64_t box = query->modes == FRACAS_DISCRETE ? 50 : 160;
    uint64_t ns = scene->options.calibrate ? (uint64_t)((s->ms_traverse + s->ms_narrow) * 1e6)
                                           : box * s->box_pairs + 24 * s->tt_candidates +
                                                 40 * (s->vf_candidates + s->ee_candidates);
    atomic_fetch_add_explicit(&scene->work_done->sum, ns, memory_order_relaxed);
}

double frc_tree_price(double price, uint32_t triangles) {
    double levels = 1;
    for (uint32_t n = triangles; n > 1; n /= 2) levels++;
    return price * triangles * levels;
}

// ---- measuring

enum { SIDE = 64 };
static const frc_rebuild_policy NEVER = {0};

typedef struct sheet {
    double mixed[(SIDE + 1) * (SIDE + 1)][3], smooth[(SIDE + 1) * (SIDE + 1)][3];
    uint32_t corners[2 * SIDE * SIDE][3];
} sheet;

// A bumpy sheet of 8192 triangles, and one whose neighbours lie far apart: a tree built for that is
// bad for the other. Without libm.
static void make_sheet(sheet* s) {
    for (uint32_t i = 0; i < (SIDE + 1) * (SIDE + 1); i++) {
        uint32_t x = i % (SIDE + 1), y = i / (SIDE + 1);
        s->smooth[i][0] = x, s->smooth[i][1] = y;
        s->smooth[i][2] = 0.25 * (double)((x * x + 3 * y) % 7) + 0.125 * (double)(x * y % 5);
        s->mixed[i][0] = 27 * x % (SIDE + 1), s->mixed[i][1] = 27 * y % (SIDE + 1);
        s->mixed[i][2] = 0;
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t a = i / SIDE * (SIDE + 1) + i % SIDE;
        const uint32_t pair[2][3] = {
            {a,     a + 1,        a + SIDE + 1},
            {a + 1, a + SIDE + 2, a + SIDE + 1}
        };
        memcpy(s->corners[2 * i], pair, sizeof pair);
    }
}

typedef struct sample {
    double update_ms, query_ms, cost;
} sample;

// At rest as the smooth sheet: update, search; the smallest of three.
static bool take_sample(fracas_scene* scene, fracas_body handle, const fracas_points* smooth,
                        bool rebuild, sample* out) {
    fracas_query query = fracas_query_default();
    query.modes = scene->options.modes & FRACAS_DISCRETE ? FRACAS_DISCRETE : FRACAS_CONTINUOUS;
    frc_body* body = &scene->bodies.data[handle.index - 1];
    *out = (sample){INFINITY, INFINITY, 0};
    for (int run = 0; run < 3; run++) {
        fracas_statistics statistics;
        const fracas_sink sink = {.statistics = &statistics};
        if (fracas_scene_move(scene, handle, smooth) != FRACAS_OK ||
            fracas_scene_advance(scene) != FRACAS_OK)
            return false;
        body->worn = rebuild;
        double start = frc_clock_ms();
        if (fracas_scene_update(scene) != FRACAS_OK) return false;
        double update = frc_clock_ms() - start;
        if (fracas_scene_detect(scene, &query, &sink) != FRACAS_OK) return false;
        double ms = statistics.ms_traverse + statistics.ms_narrow;
        if (update < out->update_ms) out->update_ms = update;
        if (ms < out->query_ms) out->query_ms = ms;
    }
    frc_block* block = scene->blocks.data[body->blocks.data[0]];
    if (!frc_quality_reserve(scene, block)) return false;
    frc_quality_fit(block, 0, block->node_count);
    out->cost = (double)block->quality[0].cost.self;
    return true;
}

// What a unit of cost takes is seen from a bad and a good tree over the same triangles: most of the
// time of a query does not depend on the tree. In its place a part takes about twice as long to
// build as a whole body does.
static bool measure(fracas_scene* scene, const sheet* s, frc_prices* out) {
    const fracas_mesh_view mesh = {
        .points = {.data = s->mixed, .count = (SIDE + 1) * (SIDE + 1)},
        .triangles = s->corners[0],
        .triangle_count = 2 * SIDE * SIDE
    };
    const fracas_points smooth = {.data = s->smooth, .count = (SIDE + 1) * (SIDE + 1)};
    fracas_body body;
    sample bad, good;
    if (fracas_scene_add(scene, &mesh, NULL, &body) != FRACAS_OK ||
        fracas_scene_update(scene) != FRACAS_OK ||
        !take_sample(scene, body, &smooth, false, &bad) ||
        !take_sample(scene, body, &smooth, true, &good))
        return false;
    const double triangles = 2.0 * SIDE * SIDE, levels = 14;
    out->build = 2 * (good.update_ms - bad.update_ms) * 1e6 / (triangles * levels);
    out->visit = (bad.query_ms - good.query_ms) * 1e6 / (bad.cost - good.cost);
    return out->build > 0 && out->visit > 0 && out->visit < INFINITY;
}

// What is not measured goes with what is.
static void scale_prices(frc_prices* prices, const frc_prices* measured) {
    prices->build_well *= measured->build / prices->build;
    prices->build_whole *= measured->build / prices->build;
    prices->build = measured->build;
    prices->visit = measured->visit;
}

frc_prices frc_measured_prices(fracas_context* context, const frc_scene_settings* given) {
    frc_prices prices = frc_default_prices(given), measured;
    sheet* s = frc_allocate(context, sizeof *s);
    fracas_scene* scene = NULL;
    frc_scene_settings options = *given;
    options.calibrate = false;
    options.policy = &NEVER;
    options.cull = NULL;  // or there would be hardly a visit to measure
    if (s && frc_scene_create(context, &options, &scene) == FRACAS_OK) {
        make_sheet(s);
        if (measure(scene, s, &measured)) scale_prices(&prices, &measured);
    }
    fracas_scene_destroy(scene);
    frc_release(context, s, sizeof *s);
    return prices;
}
