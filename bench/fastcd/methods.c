// The methods of the benchmark, each described by the one thing in which it differs from another.
#include "fastcd/methods.h"
#include <string.h>

// Values that are not given are those of `fracas`. With one thread the choice of the scheduler
// makes no difference.
#define TREES(name) .trees = FASTCD_TREES_##name
#define RESTRUCTURE(name) .restructure = FRACAS_PUBLISHED_RESTRUCTURE_##name
#define METRIC(name) .metric = FRACAS_PUBLISHED_METRIC_##name
#define CULL(name) .cull = FRACAS_PUBLISHED_CULL_##name
#define FILTER(name) .only_named = true, .filter = FRACAS_PUBLISHED_FILTER_##name
#define T_CCD TREES(MEDIAN), RESTRUCTURE(RESTART_SUBTREES), METRIC(LM)

#define METHOD(...)                                                                                \
    { __VA_ARGS__ }
#define NAMED(own_name, other, difference) .name = own_name, .like = other, .but = difference

const fastcd_method fastcd_methods[] = {
    METHOD(NAMED("fracas", NULL, "the default: SAH, inherited trees, debts, certificates")),
    METHOD(NAMED("none", "fracas", "nothing is culled"), CULL(NONE)),
    METHOD(NAMED("without-grid", "fracas", "trees are rebuilt by the median, not by the grid"),
           TREES(OURS_MEDIAN)),
    METHOD(NAMED("without-grid-cost", "without-grid", "the LM metric, not the traversal cost"),
           TREES(OURS_MEDIAN), METRIC(LM)),
    METHOD(NAMED("refit", "fracas", "trees are never rebuilt"), RESTRUCTURE(NONE)),
    METHOD(NAMED("rebuild", "fracas", "trees are rebuilt in every frame"), RESTRUCTURE(ALWAYS)),
    METHOD(NAMED("dual-cone", "fracas", "dual cones, not certificates"), CULL(DUAL_CONE)),
    METHOD(NAMED("s-hash", "none", "S-Hash: spatial hashing of triangles, no trees"), CULL(NONE),
           .broad = FRACAS_PUBLISHED_BROAD_HASH),
    METHOD(NAMED("published", NULL,
                 "FASTCD: grid with k = 1 and G = 100, subtrees by traversal cost, dual cones"),
           TREES(GRID), RESTRUCTURE(SUBTREES), CULL(DUAL_CONE)),
    METHOD(NAMED("published-none", "published", "nothing is culled: baseline of culling ratios"),
           TREES(GRID), RESTRUCTURE(SUBTREES), CULL(NONE)),
    METHOD(NAMED("published-median", "published", "Ours\\FBVH: the median, not the grid"),
           TREES(MEDIAN), RESTRUCTURE(SUBTREES), CULL(DUAL_CONE)),
    METHOD(NAMED("published-lm", "published-median", "Ours\\FBVH&TC: the LM metric"), TREES(MEDIAN),
           RESTRUCTURE(SUBTREES), METRIC(LM), CULL(DUAL_CONE)),
    METHOD(NAMED("hpccd", "published-lm", "HPCCD: nothing is culled"), TREES(MEDIAN),
           RESTRUCTURE(SUBTREES), METRIC(LM), CULL(NONE)),
    METHOD(NAMED("published-sound", "published", "certificates, not dual cones"), TREES(GRID),
           RESTRUCTURE(SUBTREES), CULL(CERTIFICATE)),
    METHOD(
        NAMED("published-front", "published", "dual cones in SIMD, on a front kept between frames"),
        TREES(GRID), RESTRUCTURE(SUBTREES), CULL(DUAL_CONE_FRONT)),
    METHOD(NAMED("published-longest", "published", "cells are halved along their longest axis"),
           .only_named = true, TREES(GRID_LONGEST), RESTRUCTURE(SUBTREES), CULL(DUAL_CONE)),
    METHOD(NAMED("published-no-filter", "published", "no filter before the exact tests"),
           TREES(GRID), RESTRUCTURE(SUBTREES), CULL(DUAL_CONE), FILTER(NONE)),
    METHOD(NAMED("published-dnf", "published-no-filter", "the deforming non-penetration filter"),
           TREES(GRID), RESTRUCTURE(SUBTREES), CULL(DUAL_CONE), FILTER(NON_PENETRATION)),
    METHOD(NAMED("t-ccd", NULL, "T-CCD: median, LM, restarts, cones and contours"), T_CCD,
           CULL(NORMAL_CONE_CONTOUR)),
    METHOD(NAMED("t-ccd-boundary", "t-ccd", "T-CCD\\CCT(Internal): contours of the mesh boundary"),
           T_CCD, CULL(NORMAL_CONE_BOUNDARY)),
    METHOD(NAMED("t-ccd-cone", "t-ccd", "T-CCD\\CCT: no contours"), T_CCD, CULL(NORMAL_CONE)),
    METHOD(NAMED("t-ccd-dual-cone", "t-ccd", "T-CCD\\CCT+Dual-Cone"), T_CCD, CULL(DUAL_CONE)),
    METHOD(NAMED("t-ccd-dual-front", "t-ccd", "dual cones in SIMD, on a front kept between frames"),
           T_CCD, CULL(DUAL_CONE_FRONT)),
    METHOD(NAMED("t-ccd-none", "t-ccd", "nothing is culled: baseline of culling ratios"), T_CCD,
           CULL(NONE)),
    METHOD(NAMED("t-ccd-no-filter", "t-ccd", "no filter before the exact tests"), T_CCD,
           CULL(NORMAL_CONE_CONTOUR), FILTER(NONE)),
    METHOD(NAMED("t-ccd-dnf", "t-ccd-no-filter", "the deforming non-penetration filter"), T_CCD,
           CULL(NORMAL_CONE_CONTOUR), FILTER(NON_PENETRATION)),
};
const uint32_t fastcd_method_count = sizeof fastcd_methods / sizeof *fastcd_methods;

const fastcd_method* fastcd_find_method(const char* name) {
    for (uint32_t i = 0; name && i < fastcd_method_count; i++)
        if (!strcmp(fastcd_methods[i].name, name)) return &fastcd_methods[i];
    return NULL;
}

uint32_t fastcd_method_differences(const fastcd_method* a, const fastcd_method* b) {
    return (a->trees != b->trees) + (a->restructure != b->restructure) + (a->metric != b->metric) +
           (a->cull != b->cull) + (a->filter != b->filter) + (a->scheduler != b->scheduler) +
           (a->broad != b->broad);
}

static void set_trees(fastcd_trees trees, fracas_published_scene_options* o) {
    const fracas_published_builder sah = FRACAS_PUBLISHED_BUILDER_SAH,
                                   median = FRACAS_PUBLISHED_BUILDER_MEDIAN,
                                   grid = FRACAS_PUBLISHED_BUILDER_GRID;
    o->inherit = trees == FASTCD_TREES_OURS || trees == FASTCD_TREES_OURS_MEDIAN;
    if (trees == FASTCD_TREES_OURS_MEDIAN) o->rebuild = median;
    if (trees == FASTCD_TREES_SAH) o->builder = o->rebuild = sah;
    if (trees == FASTCD_TREES_MEDIAN) o->builder = o->rebuild = median;
    if (trees == FASTCD_TREES_GRID || trees == FASTCD_TREES_GRID_LONGEST) {
        o->builder = o->rebuild = grid;
        o->grid_levels = 1, o->grid_stop = 100;
        o->grid_in_turn = trees == FASTCD_TREES_GRID;
    }
}

fracas_published_scene_options fastcd_method_options(const fastcd_method* method, uint32_t mode) {
    fracas_published_scene_options o = fracas_published_scene_default_options();
    o.scene.modes = mode;
    set_trees(method->trees, &o);
    o.restructure = method->restructure;
    o.metric = method->metric;
    o.cull = method->cull;
    o.broad = method->broad;
    o.scheduler = method->scheduler;
    return o;
}
