/// @file candidates.c  From pairs of features whose boxes meet to contacts: gather, test in
/// batches, name.
#include "base/clock.h"
#include "detect/walk.h"
#include "geom/separation.h"
#include <math.h>
#include <string.h>

// ---- siblings: vertices that were one before a split

typedef enum kinship {
    STRANGERS,   // nothing special
    SEPARATING,  // siblings that are together at t = 0 and not at t = 1
    TOGETHER     // siblings that stay together, or any siblings where they are ignored
} kinship;

// Are two points at one place? Bit 0: when the step begins; bit 1: when it ends.
static inline unsigned meet_when(const frc_point* a, const frc_point* b) {
    const m64x2 x = f64x2_eq(f64x2_load(a->x), f64x2_load(b->x));
    const m64x2 y = f64x2_eq(f64x2_load(a->y), f64x2_load(b->y));
    const m64x2 z = f64x2_eq(f64x2_load(a->z), f64x2_load(b->z));
    return m64x2_bits(m64x2_and(m64x2_and(x, y), z));
}

// Without branches: nobody could foresee them.
static inline kinship point_kinship(const frc_point* a, const frc_point* b, bool anywhere) {
    static const uint8_t BY_MEETING[4] = {STRANGERS, SEPARATING, STRANGERS, TOGETHER};
    const int tag = anywhere ? FRC_TAG_FAMILY : FRC_TAG_TOGETHER;
    const uint32_t number = a->tag[tag];
    // A common vertex is no sibling: the mesh rules know it.
    const bool kin = (a != b) & (number != 0) & (number == b->tag[tag]);
    const unsigned when = anywhere ? 3 : meet_when(a, b);
    return (kinship)(kin ? BY_MEETING[when] : STRANGERS);
}

// The strongest kinship between the points of two features.
static inline kinship feature_kinship(const frc_walk* walk, const uint32_t* a, int a_count,
                                      const uint32_t* b, int b_count) {
    const frc_point* points = walk->world->topology->points.data;
    const bool anywhere = walk->siblings == FRACAS_SIBLINGS_IGNORE;
    kinship strongest = STRANGERS;
    if (walk->siblings == FRACAS_SIBLINGS_REPORT) return STRANGERS;
    for (int i = 0; i < a_count; i++)
        for (int j = 0; j < b_count; j++) {
            const kinship k = point_kinship(&points[a[i]], &points[b[j]], anywhere);
            strongest = k > strongest ? k : strongest;
        }
    return strongest;
}

// ---- naming

static void name_body(const frc_world* world, uint32_t body, fracas_body* out) {
    *out = (fracas_body){body + 1, world->bodies[body].generation};
}

static uint32_t body_of(const frc_world* world, uint32_t point) {
    return world->topology->points.data[point].tag[FRC_TAG_BODY];
}

static uint32_t number_of(const frc_world* world, uint32_t point) {
    return world->topology->points.data[point].tag[FRC_TAG_NUMBER];
}

static void add_contact(frc_walk* walk, const fracas_contact* contact) {
    walk->statistics.contacts[contact->kind]++;
    if (!frc_pile_add(walk->world->context, &walk->found, contact)) walk->out_of_memory = true;
}

static fracas_contact blank_contact(fracas_contact_kind kind) {
    return (fracas_contact){
        .kind = kind, .a = {FRACAS_NONE, FRACAS_NONE},
             .b = {FRACAS_NONE, FRACAS_NONE}
    };
}

static void set_impact(fracas_contact* contact, const frc_ccd_hit* hit) {
    contact->toi = hit->toi;
    contact->u = hit->u;
    contact->v = hit->v;
    for (int k = 0; k < 3; k++) contact->normal[k] = hit->normal[k];
}

static void swap_sides(fracas_contact* c) {
    fracas_body body = c->body_a;
    c->body_a = c->body_b, c->body_b = body;
    for (int i = 0; i < 2; i++) {
        uint32_t t = c->a[i];
        c->a[i] = c->b[i], c->b[i] = t;
    }
    double u = c->u;
    c->u = c->v, c->v = u;
    for (int k = 0; k < 3; k++) c->normal[k] = 0 - c->normal[k];
}

// Put the smaller (body, indices) first.
static void order_sides(fracas_contact* c) {
    bool swap = c->body_a.index != c->body_b.index ? c->body_a.index > c->body_b.index
                : c->a[0] != c->b[0]               ? c->a[0] > c->b[0]
                                                   : c->a[1] > c->b[1];
    if (swap) swap_sides(c);
}

static void set_edge(const frc_world* world, const uint32_t point[2], uint32_t out[2],
                     double* along) {
    out[0] = number_of(world, point[0]);
    out[1] = number_of(world, point[1]);
    if (out[0] > out[1]) {
        uint32_t t = out[0];
        out[0] = out[1], out[1] = t;
        *along = 1 - *along;
    }
}

static void add_tt_contact(frc_walk* walk, const uint32_t face[2], const frc_tri_pair* pair) {
    const frc_world* world = walk->world;
    fracas_contact c =
        blank_contact(face[0] == FRACAS_NONE ? FRACAS_CONTACT_ET : FRACAS_CONTACT_TT);
    const frc_triangle* b = &world->topology->triangles.data[face[1]];
    name_body(world, b->body, &c.body_b);
    c.b[0] = b->number;
    double unused = 0;
    if (c.kind == FRACAS_CONTACT_ET) {
        name_body(world, body_of(world, pair->a[0]), &c.body_a);
        set_edge(world, pair->a, c.a, &unused);
    } else {
        const frc_triangle* a = &world->topology->triangles.data[face[0]];
        name_body(world, a->body, &c.body_a);
        c.a[0] = a->number;
        order_sides(&c);
    }
    add_contact(walk, &c);
}

static void add_vf_contact(frc_walk* walk, const frc_ccd_pair* pair, uint32_t face,
                           const frc_ccd_hit* hit, double distance) {
    const frc_world* world = walk->world;
    fracas_contact c = blank_contact(FRACAS_CONTACT_VF);
    set_impact(&c, hit);
    c.distance = distance;
    name_body(world, body_of(world, pair->point[0]), &c.body_a);
    name_body(world, body_of(world, pair->point[1]), &c.body_b);
    c.a[0] = number_of(world, pair->point[0]);
    if (face != FRACAS_NONE) {
        c.b[0] = world->topology->triangles.data[face].number;
    } else if (pair->point[1] != pair->point[3]) {
        // A free point on an edge, tested as a triangle (a, b, b): both later corners lie at b.
        c.kind = FRACAS_CONTACT_VE;
        c.u = c.u + c.v, c.v = 0;
        set_edge(world, &pair->point[1], c.b, &c.u);
    } else {
        c.kind = FRACAS_CONTACT_VV;
        c.u = c.v = 0;
        c.b[0] = number_of(world, pair->point[1]);
        order_sides(&c);
    }
    add_contact(walk, &c);
}

static void add_ee_contact(frc_walk* walk, const frc_ccd_pair* pair, const frc_ccd_hit* hit,
                           double distance) {
    const frc_world* world = walk->world;
    fracas_contact c = blank_contact(FRACAS_CONTACT_EE);
    set_impact(&c, hit);
    c.distance = distance;
    name_body(world, body_of(world, pair->point[0]), &c.body_a);
    name_body(world, body_of(world, pair->point[2]), &c.body_b);
    set_edge(world, &pair->point[0], c.a, &c.u);
    set_edge(world, &pair->point[2], c.b, &c.v);
    order_sides(&c);
    add_contact(walk, &c);
}

// ---- one candidate at a time: nearby pairs, siblings that move apart

static void load_points(const frc_walk* walk, const frc_ccd_pair* pair, frc_point points[4]) {
    for (int i = 0; i < 4; i++) points[i] = walk->world->topology->points.data[pair->point[i]];
}

// Of an arranged pair: by the caller's numbers, so that times depend neither on the tree nor on
// where points lie nor on earlier edits.
static void add_ccd_contact(frc_walk* walk, frc_ccd_kind kind, const frc_ccd_pair* pair,
                            uint32_t face, const frc_ccd_hit* hit, double distance) {
    if (kind == FRC_CCD_VF)
        add_vf_contact(walk, pair, face, hit, distance);
    else
        add_ee_contact(walk, pair, hit, distance);
}

static frc_ccd_pair arrange(const frc_walk* walk, frc_ccd_kind kind, const frc_ccd_pair* pair) {
    _Static_assert(FRC_TAG_BODY == 0 && FRC_TAG_NUMBER == 1, "as frc_point_order has it");
    return frc_ccd_arrange(kind, walk->world->topology->points.data, pair);
}

static void test_nearby(frc_walk* walk, frc_ccd_kind kind, const frc_ccd_pair* given,
                        uint32_t face) {
    const frc_ccd_pair pair = arrange(walk, kind, given);
    frc_point points[4];
    frc_closest closest;
    load_points(walk, &pair, points);
    if (!frc_separation_static(kind, points, walk->reach, &closest)) return;
    frc_ccd_hit hit = {.u = closest.u, .v = closest.v};
    for (int k = 0; k < 3; k++) hit.normal[k] = closest.normal[k];
    add_ccd_contact(walk, kind, &pair, face, &hit, closest.distance);
}

// The features touch at t = 0, where they were one. Only what they do afterwards counts.
static void test_parting(frc_walk* walk, frc_ccd_kind kind) {
    frc_parting* p = &walk->parting[kind];
    const frc_ccd_options options = {.tolerance = walk->query->tolerance, .after_start = true};
    size_t hits = frc_ccd_batch(kind, walk->world->topology->points.data, p->pairs, p->count,
                                &options, walk->parting_hits);
    for (size_t i = 0; i < hits; i++) {
        const frc_ccd_hit* hit = &walk->parting_hits[i];
        add_ccd_contact(walk, kind, &p->pairs[hit->pair], p->faces[hit->pair], hit, 0);
    }
    walk->statistics.siblings_left_out += p->count - hits;
    p->count = 0;
}

static void add_parting(frc_walk* walk, frc_ccd_kind kind, const frc_ccd_pair* pair,
                        uint32_t face) {
    frc_parting* p = &walk->parting[kind];
    assert(p->count < FRC_PARTING);
    p->pairs[p->count] = arrange(walk, kind, pair);
    p->faces[p->count++] = face;
    if (p->count == FRC_PARTING) test_parting(walk, kind);
}

// Which point of one feature is kin (`tag`) of which of the other: for a vertex and a face bit j is
// point j of the face, for two edges bit 2 i + j is point i of the one and j of the other. Without
// branches: nobody could foresee them. A common vertex is among them.
static unsigned kin_bits(const frc_point* points, int tag, frc_ccd_kind kind,
                         const frc_ccd_pair* pair) {
    const uint32_t* const p = pair->point;
    const uint32_t a = points[p[0]].tag[tag], b = points[p[1]].tag[tag];
    const uint32_t c = points[p[2]].tag[tag], d = points[p[3]].tag[tag];
    const unsigned of_a = a != 0 ? 7 : 0, of_b = b != 0 ? 12 : 0;
    if (kind == FRC_CCD_VF) return ((a == b) | (a == c) << 1 | (a == d) << 2) & of_a;
    return (((a == c) | (a == d) << 1) & of_a) | (((b == c) << 2 | (b == d) << 3) & of_b);
}

// The strongest of them: there is one, nearly always.
static inline kinship pair_kinship(const frc_walk* walk, frc_ccd_kind kind,
                                   const frc_ccd_pair* pair, unsigned bits) {
    const frc_point* points = walk->world->topology->points.data;
    const uint32_t* const p = pair->point;
    const bool anywhere = walk->siblings == FRACAS_SIBLINGS_IGNORE;
    kinship strongest = STRANGERS;
    if (walk->siblings == FRACAS_SIBLINGS_REPORT) return STRANGERS;
    for (; bits; bits &= bits - 1) {
        const unsigned bit = (unsigned)__builtin_ctz(bits);
        const uint32_t i = kind == FRC_CCD_VF ? p[0] : p[bit >> 1],
                       j = kind == FRC_CCD_VF ? p[1 + bit] : p[2 + (bit & 1)];
        const kinship k = point_kinship(&points[i], &points[j], anywhere);
        strongest = k > strongest ? k : strongest;
    }
    return strongest;
}

// True: the candidate is a plain one, to be gathered. Otherwise it has been dealt with.
static inline bool is_plain(frc_walk* walk, frc_ccd_kind kind, const frc_ccd_pair* pair,
                            uint32_t face, unsigned bits) {
    const kinship k = pair_kinship(walk, kind, pair, bits);
    if (k == TOGETHER || (k == SEPARATING && walk->reach > 0)) {
        walk->statistics.siblings_left_out++;
        return false;
    }
    if (k == SEPARATING) {
        add_parting(walk, kind, pair, face);
        return false;
    }
    return true;
}

// ---- gathering

enum { AHEAD = 8 };  // candidates between the request for a point and its use

// Candidates between siblings are dealt with apart from the batch and taken out of it; returns how
// many are left. `face` may be NULL. For the whole batch at once: its points come from all over
// memory and are requested early.
static inline uint32_t drop_kin(frc_walk* walk, frc_ccd_kind kind, frc_ccd_pair* pairs,
                                uint32_t* face, uint32_t count) {
    const frc_point* points = walk->world->topology->points.data;
    const int tag = frc_walk_kin_tag(walk);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const frc_ccd_pair* const next = &pairs[i + AHEAD < count ? i + AHEAD : i];
        for (int j = 0; j < 4; j++) __builtin_prefetch(&points[next->point[j]]);
        const unsigned kin = kin_bits(points, tag, kind, &pairs[i]);
        if (kin && !is_plain(walk, kind, &pairs[i], face ? face[i] : FRACAS_NONE, kin)) continue;
        pairs[kept] = pairs[i];
        if (face) face[kept] = face[i];
        kept++;
    }
    return kept;
}

void frc_add_tt(frc_walk* walk, const frc_face_slot* a, const frc_face_slot* b) {
    uint32_t first = walk->tt_count;
    walk->tt_count = frc_put_tt(walk, first, a, b);
    if (walk->world->siblings) frc_check_kin_tt(walk, first);
}

void frc_add_vf(frc_walk* walk, uint32_t vertex, const frc_face_slot* face) {
    walk->vf_count = frc_put_vf(walk, walk->vf_count, vertex, face);
}

void frc_add_ee(frc_walk* walk, const frc_edge_slot* a, const frc_edge_slot* b) {
    walk->ee_count = frc_put_ee(walk, walk->ee_count, a, b);
}

static bool is_free_point(const frc_walk* walk, uint32_t vertex) {
    return walk->world->topology->uses.data[vertex].free_point;
}

// A point against an edge or a point is one against a triangle whose corners coincide.
static void add_degenerate(frc_walk* walk, uint32_t vertex, uint32_t a, uint32_t b) {
    const frc_face_slot face = {
        {a, b, b},
        FRACAS_NONE
    };
    frc_add_vf(walk, vertex, &face);
}

static bool is_before(const frc_walk* walk, uint32_t a, uint32_t b) {
    const frc_point* points = walk->world->topology->points.data;
    return frc_point_order(&points[a]) < frc_point_order(&points[b]);
}

void frc_add_ve(frc_walk* walk, uint32_t vertex, const frc_edge_slot* edge) {
    if (!is_free_point(walk, vertex)) return;
    const bool kept = is_before(walk, edge->point[0], edge->point[1]);
    add_degenerate(walk, vertex, edge->point[!kept], edge->point[kept]);
}

void frc_add_vv(frc_walk* walk, uint32_t a, uint32_t b) {
    if (!is_free_point(walk, a) || !is_free_point(walk, b)) return;
    // The order of the two must not depend on the tree.
    const bool kept = is_before(walk, a, b);
    const uint32_t first = kept ? a : b, second = kept ? b : a;
    add_degenerate(walk, first, second, second);
}

void frc_add_et(frc_walk* walk, const frc_edge_slot* edge, const frc_face_slot* face) {
    if (edge->point[0] == FRACAS_NONE) return;
    const frc_face_slot flat = {
        {edge->point[0], edge->point[1], edge->point[1]},
        FRACAS_NONE
    };
    frc_add_tt(walk, &flat, face);
}

// Corners that are one vertex, or siblings that stay together, become the first of them: whichever
// triangle comes first, and also within one.
static frc_tri_pair join_kin(const frc_walk* walk, const frc_tri_pair* pair) {
    const frc_point* points = walk->world->topology->points.data;
    const bool anywhere = walk->siblings == FRACAS_SIBLINGS_IGNORE;
    uint32_t point[6], joined[6];
    memcpy(point, pair->a, sizeof pair->a);
    memcpy(point + 3, pair->b, sizeof pair->b);
    for (int i = 0; i < 6; i++) {
        int j = 0;
        while (point[j] != point[i] &&
               point_kinship(&points[point[j]], &points[point[i]], anywhere) != TOGETHER)
            j++;
        joined[i] = point[j];
    }
    frc_tri_pair out;
    memcpy(out.a, joined, sizeof out.a);
    memcpy(out.b, joined + 3, sizeof out.b);
    return out;
}

// Siblings that stay together are one vertex to the mesh rules. When only that keeps the pair from
// being reported it is counted as left out.
static void test_kin_triangles(frc_walk* walk, const frc_tri_pair* pair, const uint32_t face[2]) {
    frc_tri_pair joined = join_kin(walk, pair);
    uint32_t hit;
    if (walk->siblings != FRACAS_SIBLINGS_IGNORE &&
        frc_tri_tri_batch(walk->world->topology->points.data, &joined, 1, &hit, NULL))
        add_tt_contact(walk, face, pair);
    else
        walk->statistics.siblings_left_out++;
}

void frc_check_kin_tt(frc_walk* walk, uint32_t first) {
    uint32_t kept = first;
    for (uint32_t i = first; i < walk->tt_count; i++) {
        if (feature_kinship(walk, walk->tt[i].a, 3, walk->tt[i].b, 3) == TOGETHER) {
            test_kin_triangles(walk, &walk->tt[i], walk->tt_face[i]);
            continue;
        }
        walk->tt[kept] = walk->tt[i];
        walk->tt_face[kept][0] = walk->tt_face[i][0];
        walk->tt_face[kept++][1] = walk->tt_face[i][1];
    }
    walk->tt_count = kept;
}

// ---- testing

// Candidates between two looks at the wish to stop: as many as the exact tests take at a time. Each
// may take many microseconds where only exact arithmetic decides.
enum { STRETCH = 256 };

static void test_tt(frc_walk* walk) {
    const frc_point* points = walk->world->topology->points.data;
    frc_tri_counts counts = {0};
    for (uint32_t i = 0; i < walk->tt_count && !frc_walk_must_stop(walk); i += STRETCH) {
        const uint32_t left = walk->tt_count - i, size = left < STRETCH ? left : STRETCH;
        size_t hits = frc_tri_tri_batch(points, walk->tt + i, size, walk->tt_hits, &counts);
        for (size_t h = 0; h < hits; h++) {
            const uint32_t n = i + walk->tt_hits[h];
            add_tt_contact(walk, walk->tt_face[n], &walk->tt[n]);
        }
    }
    walk->statistics.tt_candidates += walk->tt_count;
    walk->statistics.exact += counts.exact;
    walk->tt_count = 0;
}

// `face` may be NULL.
static void test_stretch(frc_walk* walk, frc_ccd_kind kind, frc_ccd_pair* pairs,
                         const uint32_t* face, uint32_t count, frc_ccd_counts* counts) {
    const frc_point* points = walk->world->topology->points.data;
    double tolerance = walk->query->tolerance;
    frc_ccd_options touch = {.tolerance = tolerance,
                             .axis_tested = true,
                             .arranged = true,
                             .counts = counts,
                             .filters = walk->world->filters};
    frc_separation_options apart = {walk->reach, tolerance, counts};
    // Whether something comes close enough is decided but for rounding: that must not depend on the
    // order either.
    for (uint32_t i = 0; i < count && walk->reach > 0; i++)
        pairs[i] = arrange(walk, kind, &pairs[i]);
    size_t hits = walk->reach > 0
                      ? frc_separation_batch(kind, points, pairs, count, &apart, walk->hits)
                      : frc_ccd_batch(kind, points, pairs, count, &touch, walk->hits);
    for (size_t i = 0; i < hits; i++) {
        uint32_t n = walk->hits[i].pair;
        const frc_ccd_pair pair = arrange(walk, kind, &pairs[n]);
        add_ccd_contact(walk, kind, &pair, face ? face[n] : FRACAS_NONE, &walk->hits[i], 0);
    }
}

static void test_ccd(frc_walk* walk, frc_ccd_kind kind, frc_ccd_pair* pairs, uint32_t count) {
    const uint32_t* face = kind == FRC_CCD_VF ? walk->vf_face : NULL;
    const frc_ccd_counts last = walk->rejected[kind];
    frc_ccd_counts counts = {
        .cubic = last.cubic, .sweep = last.sweep, .directions = last.directions};
    for (uint32_t i = 0; i < count && !frc_walk_must_stop(walk); i += STRETCH) {
        const uint32_t size = count - i < STRETCH ? count - i : STRETCH;
        const uint32_t* faces = face ? face + i : NULL;
        if (walk->search != FRC_SEARCH_NEARBY)
            test_stretch(walk, kind, pairs + i, faces, size, &counts);
        else
            for (uint32_t j = 0; j < size; j++)
                test_nearby(walk, kind, &pairs[i + j], faces ? faces[j] : FRACAS_NONE);
    }
    counts.cubic -= last.cubic, counts.sweep -= last.sweep, counts.directions -= last.directions;
    walk->statistics.exact += counts.exact;
    walk->statistics.filtered += counts.axis + counts.cubic + counts.sweep + counts.directions;
    walk->rejected[kind] = counts;
}

static void flush_vf(frc_walk* walk) {
    if (walk->world->siblings)
        walk->vf_count = drop_kin(walk, FRC_CCD_VF, walk->vf, walk->vf_face, walk->vf_count);
    test_ccd(walk, FRC_CCD_VF, walk->vf, walk->vf_count);
    walk->statistics.vf_candidates += walk->vf_count;
    walk->vf_count = 0;
}

static void flush_ee(frc_walk* walk) {
    if (walk->world->siblings)
        walk->ee_count = drop_kin(walk, FRC_CCD_EE, walk->ee, NULL, walk->ee_count);
    test_ccd(walk, FRC_CCD_EE, walk->ee, walk->ee_count);
    walk->statistics.ee_candidates += walk->ee_count;
    walk->ee_count = 0;
}

void frc_walk_flush(frc_walk* walk, bool force) {
    uint32_t enough = force ? 1 : walk->batch;
    // Every parting pair was a candidate first.
    bool parting = force && (walk->parting[0].count > 0 || walk->parting[1].count > 0);
    if (walk->tt_count < enough && walk->vf_count < enough && walk->ee_count < enough && !parting)
        return;
    double start = frc_clock_ms();
    if (walk->tt_count >= enough) test_tt(walk);
    if (walk->vf_count >= enough) flush_vf(walk);
    if (walk->ee_count >= enough) flush_ee(walk);
    for (int kind = 0; kind < 2 && force; kind++)
        if (walk->parting[kind].count > 0) test_parting(walk, (frc_ccd_kind)kind);
    walk->narrow_ms += frc_clock_ms() - start;
}
