/// @file contour.c  Is a projected contour simple, with winding number 1 inside? (patch.h has the
/// theorem.)
///
/// Sweep along u: boxes of edges are sorted by their lower bound into about as many bins as there
/// are edges, then each is compared with those that begin before it ends, four at a time. Edges
/// whose boxes overlap are tested exactly. Two edges with a common vertex have boxes that overlap,
/// so the same sweep links edges into loops and finds vertices where two of them begin. A contour
/// that is known to be one loop needs no links.
///
/// Every test holds for all coordinates within ETA of the computed ones. So the true contour can be
/// moved to the computed one without ever crossing itself, and the winding numbers, which do not
/// change on the way, may be taken from the computed one.
#include "base/simd.h"
#include "cull/patch.h"
#include <math.h>
#include <string.h>

typedef struct edge_box {
    float lo_u, hi_u, lo_w, hi_w;
} edge_box;

typedef struct sweep {
    const frc_patch* patch;
    const frc_cull_edge* edges;
    uint32_t count;
    bool one_loop;  // each edge begins where the one before it ends
    double eta, error;
    // Boxes in the order of the sweep, ended by four empty ones; edge numbers likewise.
    float *lo_u, *hi_u, *lo_w, *hi_w;
    edge_box* sorted;
    uint32_t *order, *next, *loop;
    uint32_t bins;
    uint32_t* bin;  // where each begins; one more at the end
} sweep;

// ---- two edges

static double cross(double au, double aw, double bu, double bw) { return au * bw - aw * bu; }
static double dot(double au, double aw, double bu, double bw) { return au * bu + aw * bw; }

typedef double product(double, double, double, double);

// An end of an edge.
typedef struct corner {
    const frc_cull_edge* edge;
    int which;
} corner;

// The sign of a product of the vectors p - o and q - r at all times; 0: not certain. Over a step it
// is a quadratic in time: all Bernstein coefficients must have the sign.
static inline int sign_of(const sweep* s, product* f, corner o, corner p, corner r, corner q) {
    double u[2][2], w[2][2];
    uint32_t t = 0;
    do {
        u[t][0] = p.edge->u[t][p.which] - o.edge->u[t][o.which];
        w[t][0] = p.edge->w[t][p.which] - o.edge->w[t][o.which];
        u[t][1] = q.edge->u[t][q.which] - r.edge->u[t][r.which];
        w[t][1] = q.edge->w[t][q.which] - r.edge->w[t][r.which];
    } while (++t < s->patch->ends);
    double first = f(u[0][0], w[0][0], u[0][1], w[0][1]);
    const double e = s->error;
    if (s->patch->ends == 1) return first > e ? 1 : first < -e ? -1 : 0;
    double last = f(u[1][0], w[1][0], u[1][1], w[1][1]);
    // Twice the middle coefficient.
    double middle = f(u[0][0], w[0][0], u[1][1], w[1][1]) + f(u[1][0], w[1][0], u[0][1], w[0][1]);
    if (first > e && last > e && middle > 2 * e) return 1;
    return first < -e && last < -e && middle < -2 * e ? -1 : 0;
}

// Which side of the line through x both ends of y are on, at all times; 0: not certain.
static int side(const sweep* s, const frc_cull_edge* x, const frc_cull_edge* y) {
    corner a = {x, 0}, b = {x, 1}, c = {y, 0}, d = {y, 1};
    int sign = sign_of(s, cross, a, b, a, c);
    return sign != 0 && sign_of(s, cross, a, b, a, d) == sign ? sign : 0;
}

// Are two edges separated along an axis, in the same order at both ends of the span? Then they are
// separated at all times.
static bool apart_along(const sweep* s, const double (*x)[2], const double (*y)[2]) {
    bool below = true, above = true;
    for (uint32_t t = 0; t < s->patch->ends; t++) {
        double x_lo = fmin(x[t][0], x[t][1]), x_hi = fmax(x[t][0], x[t][1]);
        double y_lo = fmin(y[t][0], y[t][1]), y_hi = fmax(y[t][0], y[t][1]);
        // 3 ETA: twice ETA, and the rounding of the difference.
        below = below && y_lo - x_hi > 3 * s->eta;
        above = above && x_lo - y_hi > 3 * s->eta;
    }
    return below || above;
}

// Do two edges without a common vertex never meet?
static bool apart(const sweep* s, const frc_cull_edge* x, const frc_cull_edge* y) {
    return side(s, x, y) != 0 || side(s, y, x) != 0 || apart_along(s, x->u, y->u) ||
           apart_along(s, x->w, y->w);
}

// Does y, which begins where x ends, never fold back onto x?
static bool unfolds(const sweep* s, const frc_cull_edge* x, const frc_cull_edge* y) {
    corner a = {x, 0}, b = {x, 1}, c = {y, 0}, d = {y, 1};
    return sign_of(s, dot, a, b, c, d) > 0 || sign_of(s, cross, a, b, c, d) != 0;
}

static bool pair_is_simple(const sweep* s, const frc_cull_edge* x, const frc_cull_edge* y) {
    bool xy = x->b == y->a, yx = y->b == x->a;
    // Both begin or end at one vertex, or they are the same edge back and forth.
    if (x->a == y->a || x->b == y->b || (xy && yx)) return false;
    return xy ? unfolds(s, x, y) : yx ? unfolds(s, y, x) : apart(s, x, y);
}

// An edge at one end of the span, as one that does not move.
static frc_cull_edge edge_at(const frc_cull_edge* e, uint32_t t) {
    frc_cull_edge out = *e;
    for (int i = 0; i < 2; i++) {
        memcpy(out.u[i], e->u[t], sizeof out.u[i]);
        memcpy(out.w[i], e->w[t], sizeof out.w[i]);
    }
    return out;
}

// The answer when a pair is not simple: halving the span can help only if the pair is simple at
// both ends of the span, each of which belongs to a half. (A heuristic, as each half has its own
// direction; but edges that touch at one end hardly ever separate in another projection.)
static frc_cull_answer after_failure(const sweep* s, uint32_t i, uint32_t j) {
    for (uint32_t t = 0; t < s->patch->ends; t++) {
        const frc_cull_edge x = edge_at(&s->edges[i], t), y = edge_at(&s->edges[j], t);
        if (!pair_is_simple(s, &x, &y)) return FRC_CULL_NO;
    }
    return FRC_CULL_PART;
}

// ---- the sweep

static bool reserve(sweep* s, frc_cull_scratch* scratch) {
    uint32_t count = s->count, boxes = count + 4;
    for (s->bins = 8; s->bins < count; s->bins *= 2) {}
    size_t words = 3 * (size_t)count + s->bins + 1;
    if (!FRC_ARRAY_RESERVE(scratch->context, &scratch->boxes, 8 * (size_t)boxes) ||
        !FRC_ARRAY_RESERVE(scratch->context, &scratch->words, words)) {
        scratch->out_of_memory = true;
        return false;
    }
    float* box = scratch->boxes.data;
    s->lo_u = box, s->hi_u = box + boxes, s->lo_w = box + 2 * (size_t)boxes,
    s->hi_w = box + 3 * (size_t)boxes;
    s->sorted = (edge_box*)(void*)(box + 4 * (size_t)boxes);
    s->order = scratch->words.data;
    s->next = s->order + count, s->loop = s->next + count, s->bin = s->loop + count;
    return true;
}

// In units of a power of two above D, so that coordinates are at most 2. PAD is more than ETA and
// the rounding to a float (2^-24 of 2) and of the sum (2^-24 of 4).
#define PAD 0x1p-20f

static edge_box box_of(const sweep* s, const frc_cull_edge* e, double scale) {
    edge_box b = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (uint32_t t = 0; t < s->patch->ends; t++)
        for (int k = 0; k < 2; k++) {
            float u = (float)(e->u[t][k] * scale), w = (float)(e->w[t][k] * scale);
            // Not fminf, which handles NaN and is slower.
            b.lo_u = u < b.lo_u ? u : b.lo_u, b.hi_u = u > b.hi_u ? u : b.hi_u;
            b.lo_w = w < b.lo_w ? w : b.lo_w, b.hi_w = w > b.hi_w ? w : b.hi_w;
        }
    return (edge_box){b.lo_u - PAD, b.hi_u + PAD, b.lo_w - PAD, b.hi_w + PAD};
}

// Monotone in x: rounding is.
static uint32_t bin_of(const sweep* s, float x, float origin, float width) {
    float b = (x - origin) * width;
    return b < (float)(s->bins - 1) ? (uint32_t)b : s->bins - 1;
}

static void put_box(sweep* s, uint32_t i, edge_box b) {
    s->lo_u[i] = b.lo_u, s->hi_u[i] = b.hi_u, s->lo_w[i] = b.lo_w, s->hi_w[i] = b.hi_w;
}

static inline unsigned overlap_bits(const sweep* s, edge_box x, uint32_t j) {
    m32x4 u = m32x4_and(f32x4_le(f32x4_load(s->lo_u + j), f32x4_splat(x.hi_u)),
                        f32x4_le(f32x4_splat(x.lo_u), f32x4_load(s->hi_u + j)));
    m32x4 w = m32x4_and(f32x4_le(f32x4_load(s->lo_w + j), f32x4_splat(x.hi_w)),
                        f32x4_le(f32x4_splat(x.lo_w), f32x4_load(s->hi_w + j)));
    return m32x4_bits(m32x4_and(u, w));
}

// Limit on comparisons: a patch whose contour needs more is not certified.
static uint64_t work_limit(const sweep* s) {
    return 64 * (uint64_t)(s->patch->end - s->patch->begin) + 4096;
}

static frc_cull_answer run_sweep(const sweep* s, float lo, float width) {
    uint64_t work = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        edge_box x = {s->lo_u[i], s->hi_u[i], s->lo_w[i], s->hi_w[i]};
        uint32_t end = s->bin[bin_of(s, x.hi_u, lo, width) + 1];
        work += end - i;
        if (work > work_limit(s)) return FRC_CULL_NO;
        // Boxes from `end` on in the last group begin after x ends and do not overlap it.
        for (uint32_t j = i + 1; j < end; j += 4)
            for (unsigned bits = overlap_bits(s, x, j); bits; bits &= bits - 1) {
                uint32_t a = s->order[i], b = s->order[j + (uint32_t)__builtin_ctz(bits)];
                // Consecutive edges of a loop are tested after the sweep.
                const uint32_t apart = a < b ? b - a : a - b;
                if (s->one_loop && (apart == 1 || apart == s->count - 1)) continue;
                if (!pair_is_simple(s, &s->edges[a], &s->edges[b])) return after_failure(s, a, b);
                if (s->edges[a].b == s->edges[b].a) s->next[a] = b;
                if (s->edges[b].b == s->edges[a].a) s->next[b] = a;
            }
    }
    return FRC_CULL_YES;
}

// Consecutive edges of a loop.
static frc_cull_answer test_consecutive(const sweep* s) {
    if (s->count < 3) return FRC_CULL_NO;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t j = i + 1 < s->count ? i + 1 : 0;
        if (!unfolds(s, &s->edges[i], &s->edges[j])) return after_failure(s, i, j);
    }
    return FRC_CULL_YES;
}

static frc_cull_answer sweep_edges(sweep* s) {
    int exponent;
    (void)frexp(s->patch->size, &exponent);
    const double scale = 1 / ldexp(1, exponent);
    float lo = INFINITY, hi = -INFINITY;
    for (uint32_t i = 0; i < s->count; i++) {
        edge_box b = box_of(s, &s->edges[i], scale);
        put_box(s, i, b);
        lo = b.lo_u < lo ? b.lo_u : lo;
        hi = b.hi_u > hi ? b.hi_u : hi;
        s->next[i] = FRACAS_NONE;
    }
    float width = (float)s->bins / (hi - lo);
    if (!(width > 0 && width < INFINITY)) return FRC_CULL_NO;
    // A stable counting sort by bin.
    memset(s->bin, 0, (s->bins + 1) * sizeof *s->bin);
    for (uint32_t i = 0; i < s->count; i++) s->bin[bin_of(s, s->lo_u[i], lo, width) + 1]++;
    for (uint32_t b = 0; b < s->bins; b++) s->bin[b + 1] += s->bin[b];
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t at = s->bin[bin_of(s, s->lo_u[i], lo, width)]++;
        s->order[at] = i;
        s->sorted[at] = (edge_box){s->lo_u[i], s->hi_u[i], s->lo_w[i], s->hi_w[i]};
    }
    // Each entry is now the begin of the next bin.
    memmove(s->bin + 1, s->bin, s->bins * sizeof *s->bin);
    s->bin[0] = 0;
    for (uint32_t i = 0; i < s->count; i++) put_box(s, i, s->sorted[i]);
    for (uint32_t i = 0; i < 4; i++) put_box(s, s->count + i, (edge_box){NAN, NAN, NAN, NAN});
    return run_sweep(s, lo, width);
}

// ---- loops

// Give each edge the number of its loop; returns the number of loops, 0 when an edge has no next.
static uint32_t number_loops(const sweep* s) {
    uint32_t loops = 0;
    for (uint32_t i = 0; i < s->count; i++) s->loop[i] = FRACAS_NONE;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->loop[i] != FRACAS_NONE) continue;
        uint32_t e = i;
        while (e != FRACAS_NONE && s->loop[e] == FRACAS_NONE) s->loop[e] = loops, e = s->next[e];
        if (e != i) return 0;
        loops++;
    }
    return loops;
}

// How does edge f of another loop cross the ray from the start of edge e towards greater u, at the
// start of the span? 1: upward, -1: downward, 0: not at all, 2: not certain.
static int crossing(const sweep* s, const frc_cull_edge* e, const frc_cull_edge* f) {
    double pu = e->u[0][0], pw = e->w[0][0], margin = 3 * s->eta;
    const double *u = f->u[0], *w = f->w[0];
    bool right = u[0] - pu > margin && u[1] - pu > margin;
    bool left = pu - u[0] > margin && pu - u[1] > margin;
    bool above = w[0] - pw > margin && w[1] - pw > margin;
    bool below = pw - w[0] > margin && pw - w[1] > margin;
    double turn = cross(u[1] - u[0], w[1] - w[0], pu - u[0], pw - w[0]);
    // Near the edge the side of the point must be certain, or it might be on the edge.
    if (!right && !left && !above && !below && !(fabs(turn) > s->error)) return 2;
    if ((w[0] > pw) == (w[1] > pw) || left) return 0;
    int way = w[1] > w[0] ? 1 : -1;
    // The edge crosses to the right of the point when the point is to the left of the edge,
    // directed upward.
    return right || turn * way > 0 ? way : 0;
}

// 1: counter-clockwise, -1: clockwise, 0: not certain. The turn at the lowest corner decides.
static int turning(const sweep* s, uint32_t start) {
    uint32_t low = start;
    for (uint32_t e = s->next[start]; e != start; e = s->next[e]) {
        double w = s->edges[e].w[0][0], least = s->edges[low].w[0][0];
        if (w < least || (w == least && s->edges[e].u[0][0] < s->edges[low].u[0][0])) low = e;
    }
    uint32_t before = start;
    for (uint32_t e = s->next[start]; s->next[before] != low; e = s->next[e]) before = e;
    const frc_cull_edge *x = &s->edges[before], *y = &s->edges[low];
    double turn = cross(x->u[0][1] - x->u[0][0], x->w[0][1] - x->w[0][0], y->u[0][1] - y->u[0][0],
                        y->w[0][1] - y->w[0][0]);
    return turn > s->error ? 1 : turn < -s->error ? -1 : 0;
}

// Is the winding number to the left of each loop 1? It is the winding number of the other loops
// about a point of the loop, plus 1 when the loop itself is counter-clockwise.
static bool winds_once(const sweep* s, uint32_t loops) {
    // A single loop is counter-clockwise: its area is the sum over all triangles.
    if (loops == 1) return true;
    if ((uint64_t)loops * s->count > work_limit(s)) return false;
    for (uint32_t l = 0, i = 0; l < loops; l++) {
        while (s->loop[i] != l) i++;
        int own = turning(s, i), winding = own > 0;
        if (own == 0) return false;
        for (uint32_t f = 0; f < s->count; f++) {
            if (s->loop[f] == l) continue;
            int way = crossing(s, &s->edges[i], &s->edges[f]);
            if (way == 2) return false;
            winding += way;
        }
        if (winding != 1) return false;
    }
    return true;
}

frc_cull_answer frc_contour_simple(const frc_patch* patch, frc_cull_scratch* scratch,
                                   bool winding) {
    sweep s = {.patch = patch,
               .edges = scratch->edges.data,
               .count = (uint32_t)scratch->edges.count,
               .one_loop = scratch->loop != NULL,
               .eta = FRC_CULL_ETA * patch->size,
               .error = FRC_CULL_ERROR * patch->size * patch->size};
    if (s.count == 0 || !reserve(&s, scratch)) return FRC_CULL_NO;
    frc_cull_answer answer = sweep_edges(&s);
    if (answer == FRC_CULL_YES && s.one_loop) return test_consecutive(&s);
    if (answer != FRC_CULL_YES || !winding) return answer;
    uint32_t loops = number_loops(&s);
    return loops > 0 && winds_once(&s, loops) ? FRC_CULL_YES : FRC_CULL_NO;
}
