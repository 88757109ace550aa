/// @file contacts.c  Contacts: which are kept, which way they push, and how they are resolved.
///
/// A contact is told after the step in which it happened, so its sides may already be a little past
/// each other. Which side is the right one is known from the closed body, whose triangles face
/// outward; where both are open, from the side on which the features were before they met. That is
/// why a contact is kept until its sides are well apart: found again on the way back it must not
/// turn round.
#include "solver.h"
#include "vector.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_LATE = 4 };

// ---- the table: features -> contact

static uint32_t hash_features(bool edges, const uint32_t points[4]) {
    uint32_t x = edges;
    for (int k = 0; k < 4; k++) {
        x = (x ^ points[k]) * 0x9e3779b1u;
        x ^= x >> 15;
    }
    return x;
}

static bool same_features(const solver_contact* c, bool edges, const uint32_t points[4]) {
    return c->edges == edges && memcmp(c->points, points, sizeof c->points) == 0;
}

static uint32_t* find_slot(const solver* s, bool edges, const uint32_t points[4]) {
    uint32_t at = hash_features(edges, points) & (s->table_size - 1);
    while (s->table[at] && !same_features(&s->contacts[s->table[at] - 1], edges, points))
        at = (at + 1) & (s->table_size - 1);
    return &s->table[at];
}

static void fill_table(solver* s) {
    if (s->table_size) memset(s->table, 0, sizeof *s->table * s->table_size);
    for (uint32_t i = 0; i < s->contact_count; i++)
        *find_slot(s, s->contacts[i].edges, s->contacts[i].points) = i + 1;
}

static bool make_room(solver* s) {
    if (s->contact_count == s->contact_room) {
        uint32_t room = 2 * s->contact_room + 256;
        solver_contact* contacts = realloc(s->contacts, room * sizeof *contacts);
        if (!contacts) return false;
        s->contacts = contacts;
        s->contact_room = room;
    }
    if (2 * (s->contact_count + 1) <= s->table_size) return true;
    uint32_t size = s->table_size ? 2 * s->table_size : 1024;
    uint32_t* table = realloc(s->table, size * sizeof *table);
    if (!table) return false;
    s->table = table;
    s->table_size = size;
    fill_table(s);
    return true;
}

// ---- geometry

static const double* at(const solver* s, uint32_t point) { return s->now + 3 * (size_t)point; }

// The normal of the triangle, or of the two edges: unit; false where there is none.
static bool raw_normal(const solver* s, const solver_contact* c, double normal[3]) {
    double e[3], f[3];
    const uint32_t* p = c->points;
    vector_subtract(at(s, c->edges ? p[1] : p[2]), at(s, c->edges ? p[0] : p[1]), e);
    vector_subtract(at(s, p[3]), at(s, c->edges ? p[2] : p[1]), f);
    vector_cross(e, f, normal);
    double sine = vector_normalise(normal), size = vector_dot(e, e) * vector_dot(f, f);
    return sine * sine > (c->edges ? 1e-3 : 1e-12) * size;
}

// The outward normals of a closed side, added up in the world; false for an open one.
static bool outward(const solver* s, const uint32_t* points, int count, double out[3]) {
    uint32_t number = s->solid_of[points[0]];
    memset(out, 0, 3 * sizeof *out);
    if (number == SOLVER_NONE || !s->solids[number].closed) return false;
    double sum[3] = {0};
    for (int i = 0; i < count; i++) vector_add_scaled(sum, s->normals + 3 * (size_t)points[i], 1);
    vector_rotate(s->solids[number].rotation, sum, out);
    return true;
}

static double find_side(const solver* s, const solver_contact* c, const double raw[3],
                        const double found[3]) {
    int first = c->edges ? 2 : 1;
    double a[3], b[3], way[3];
    bool b_closed = outward(s, c->points + first, 4 - first, b);
    if (b_closed && !c->edges) return 1;
    bool a_closed = outward(s, c->points, first, a);
    vector_subtract(b, a, way);
    return vector_dot(raw, a_closed || b_closed ? way : found) < 0 ? -1 : 1;
}

void solver_add_contact(solver* s, bool edges, const uint32_t points[4], const double normal[3]) {
    solver_contact c = {.edges = edges};
    memcpy(c.points, points, sizeof c.points);
    if (s->out_of_memory) return;
    if (!make_room(s)) {
        s->out_of_memory = true;
        return;
    }
    uint32_t* slot = find_slot(s, edges, points);
    double raw[3];
    if (*slot || !raw_normal(s, &c, raw)) return;
    c.side = find_side(s, &c, raw, normal);
    s->contacts[s->contact_count++] = c;
    *slot = s->contact_count;
}

// ---- what is kept, and where it touches

static double limit(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

// Weights of the point of the triangle below the vertex. @return how far that is outside, in the
// triangle's own measure
static double weigh_face(const solver* s, solver_contact* c) {
    const uint32_t* p = c->points;
    double e[3], f[3], d[3];
    vector_subtract(at(s, p[2]), at(s, p[1]), e);
    vector_subtract(at(s, p[3]), at(s, p[1]), f);
    vector_subtract(at(s, p[0]), at(s, p[1]), d);
    double ee = vector_dot(e, e), ef = vector_dot(e, f), ff = vector_dot(f, f);
    double de = vector_dot(d, e), df = vector_dot(d, f), size = ee * ff - ef * ef;
    double u = (ff * de - ef * df) / size, v = (ee * df - ef * de) / size, w = 1 - u - v;
    double outside = -(u < v ? (u < w ? u : w) : (v < w ? v : w));
    u = limit(u, 0, 1), v = limit(v, 0, 1);
    if (u + v > 1) {
        double sum = u + v;
        u /= sum, v /= sum;
    }
    c->weights[0] = 1, c->weights[1] = 1 - u - v, c->weights[2] = u, c->weights[3] = v;
    return outside;
}

static double weigh_edges(const solver* s, solver_contact* c) {
    const uint32_t* p = c->points;
    double e[3], f[3], d[3];
    vector_subtract(at(s, p[1]), at(s, p[0]), e);
    vector_subtract(at(s, p[3]), at(s, p[2]), f);
    vector_subtract(at(s, p[0]), at(s, p[2]), d);
    double ee = vector_dot(e, e), ef = vector_dot(e, f), ff = vector_dot(f, f);
    double de = vector_dot(d, e), df = vector_dot(d, f), size = ee * ff - ef * ef;
    double u = (ef * df - ff * de) / size, v = (ee * df - ef * de) / size;
    double out_u = u < 1 - u ? -u : u - 1, out_v = v < 1 - v ? -v : v - 1;
    u = limit(u, 0, 1), v = limit(v, 0, 1);
    c->weights[0] = 1 - u, c->weights[1] = u, c->weights[2] = 1 - v, c->weights[3] = v;
    return out_u > out_v ? out_u : out_v;
}

static void weighted_point(const solver* s, const solver_contact* c, int side, double out[3]) {
    int split = c->edges ? 2 : 1;
    memset(out, 0, 3 * sizeof *out);
    for (int k = side ? split : 0; k < (side ? 4 : split); k++)
        vector_add_scaled(out, at(s, c->points[k]), c->weights[k]);
}

// The solids of both sides; false when a side has come apart, or both are one.
static bool find_solids(const solver* s, solver_contact* c) {
    int split = c->edges ? 2 : 1;
    for (int k = 0; k < 4; k++) {
        uint32_t solid = s->solid_of[c->points[k]];
        int side = k >= split;
        if (s->gone[c->points[k]]) return false;
        if (k == 0 || k == split)
            c->solids[side] = solid;
        else if (c->solids[side] != solid)
            return false;
    }
    return c->solids[0] != c->solids[1] || c->solids[0] == SOLVER_NONE;
}

static bool can_move(const solver* s, const solver_contact* c) {
    for (int side = 0; side < 2; side++)
        if (c->solids[side] == SOLVER_NONE || s->solids[c->solids[side]].lightness > 0) return true;
    return false;
}

static bool is_closed(const solver* s, uint32_t solid) {
    return solid != SOLVER_NONE && s->solids[solid].closed;
}

// Two shells: they have no inside that would tell which way is out.
static bool are_open(const solver* s, const solver_contact* c) {
    return c->solids[0] != SOLVER_NONE && c->solids[1] != SOLVER_NONE &&
           !s->solids[c->solids[0]].closed && !s->solids[c->solids[1]].closed;
}

static bool prepare(const solver* s, solver_contact* c) {
    if (!find_solids(s, c) || !can_move(s, c) || !raw_normal(s, c, c->normal)) return false;
    for (int k = 0; k < 3; k++) c->normal[k] *= c->side;
    double outside = c->edges ? weigh_edges(s, c) : weigh_face(s, c);
    double p[2][3];
    for (int side = 0; side < 2; side++) weighted_point(s, c, side, p[side]);
    vector_subtract(p[0], p[1], c->apart);
    double gap = vector_dot(c->normal, c->apart);
    // Who is past a closed surface is inside it, also beside the triangle; past the rim of an open
    // one there is nothing to be past of.
    bool inside = gap < 0 && !c->edges && is_closed(s, c->solids[1]);
    if (gap > 3 * s->thickness || outside > (inside ? 1 : 0.05)) return false;
    // So deep it is no contact any more: the features have passed each other elsewhere.
    if (gap < -(inside ? 40 : 10) * s->thickness) return false;
    // What cannot come back is let go: better through each other than tied up.
    c->late = gap < 0 ? c->late + 1 : 0;
    if (c->late > MOST_LATE && !inside && !are_open(s, c)) return false;
    // Out of each other step by step: at once it would be a blow.
    double share = 0.3 * (s->thickness - gap);
    double most = (are_open(s, c) ? 0.1 : inside ? 40 : 1) * s->thickness;
    c->target = gap > 0 ? s->thickness : gap + (share < most ? share : most);
    for (int side = 0; side < 2; side++) {
        if (c->solids[side] == SOLVER_NONE) continue;
        const solver_solid* solid = &s->solids[c->solids[side]];
        double r[3];
        vector_subtract(p[side], solid->centre, r);
        vector_rotate_back(solid->rotation, r, c->local[side]);
    }
    c->push = 0;
    return true;
}

// ---- forces

static void touch_point(const solver* s, const solver_contact* c, int side, double out[3],
                        double arm[3]) {
    if (c->solids[side] == SOLVER_NONE) {
        weighted_point(s, c, side, out);
        return;
    }
    const solver_solid* solid = &s->solids[c->solids[side]];
    vector_rotate(solid->rotation, c->local[side], arm);
    for (int k = 0; k < 3; k++) out[k] = solid->centre[k] + arm[k];
}

// How far a unit push in the direction n moves the touched point of that side.
static double ease(const solver* s, const solver_contact* c, int side, const double arm[3],
                   const double n[3]) {
    if (c->solids[side] == SOLVER_NONE) {
        int split = c->edges ? 2 : 1;
        double sum = 0;
        for (int k = side ? split : 0; k < (side ? 4 : split); k++)
            sum += c->weights[k] * c->weights[k] * s->lightness[c->points[k]];
        return sum;
    }
    const solver_solid* solid = &s->solids[c->solids[side]];
    if (solid->lightness == 0) return 0;
    double moment[3], own[3], turned[3];
    vector_cross(arm, n, moment);
    vector_rotate_back(solid->rotation, moment, own);
    vector_rotate(solid->inertia_inverse, own, turned);
    return solid->lightness + vector_dot(own, turned);
}

// Push one side by `amount` times n: positions, or velocities.
static void push_side(solver* s, const solver_contact* c, int side, const double arm[3],
                      const double n[3], double amount, bool velocities) {
    if (c->solids[side] == SOLVER_NONE) {
        int split = c->edges ? 2 : 1;
        double* to = velocities ? s->velocity : s->now;
        for (int k = side ? split : 0; k < (side ? 4 : split); k++)
            vector_add_scaled(to + 3 * (size_t)c->points[k], n,
                              amount * c->weights[k] * s->lightness[c->points[k]]);
        return;
    }
    solver_solid* solid = &s->solids[c->solids[side]];
    if (solid->lightness == 0) return;
    double moment[3], own[3], turned[3], world[3];
    vector_cross(arm, n, moment);
    vector_rotate_back(solid->rotation, moment, own);
    vector_rotate(solid->inertia_inverse, own, turned);
    vector_rotate(solid->rotation, turned, world);
    for (int k = 0; k < 3; k++) world[k] *= amount;
    vector_add_scaled(velocities ? solid->velocity : solid->centre, n, amount * solid->lightness);
    if (velocities) {
        vector_add_scaled(solid->spin, world, 1);
    } else {
        quaternion_turn(solid->turn, world);
        quaternion_matrix(solid->turn, solid->rotation);
    }
}

static void push_both(solver* s, const solver_contact* c, double arms[2][3], const double n[3],
                      double amount, bool velocities) {
    push_side(s, c, 0, arms[0], n, amount, velocities);
    push_side(s, c, 1, arms[1], n, -amount, velocities);
}

// What has slid along since the step began is held back, as far as the push allows.
static void rub(solver* s, const solver_contact* c, const double apart[3], double arms[2][3],
                double depth) {
    double slide[3];
    vector_subtract(apart, c->apart, slide);
    vector_add_scaled(slide, c->normal, -vector_dot(slide, c->normal));
    double length = vector_normalise(slide);
    if (length == 0) return;
    double most = s->friction * depth, amount = length < most ? length : most;
    double w = ease(s, c, 0, arms[0], slide) + ease(s, c, 1, arms[1], slide);
    if (w > 0) push_both(s, c, arms, slide, -amount / w, false);
}

static void push(solver* s, solver_contact* c) {
    double p[2][3], arms[2][3] = {{0}}, apart[3];
    for (int side = 0; side < 2; side++) touch_point(s, c, side, p[side], arms[side]);
    vector_subtract(p[0], p[1], apart);
    double depth = c->target - vector_dot(c->normal, apart);
    if (depth <= 0) return;
    double w = ease(s, c, 0, arms[0], c->normal) + ease(s, c, 1, arms[1], c->normal);
    if (w == 0) return;
    if (are_open(s, c)) depth *= 0.3;  // shells in a heap contradict each other: gently
    push_both(s, c, arms, c->normal, depth / w, false);
    c->push += depth;
    rub(s, c, apart, arms, depth);
}

void solver_push_contacts(solver* s) {
    for (uint32_t i = 0; i < s->contact_count; i++)
        if (!s->contacts[i].caught) push(s, &s->contacts[i]);
}

// ---- velocities

static void touch_velocity(const solver* s, const solver_contact* c, int side, const double arm[3],
                           double out[3]) {
    if (c->solids[side] == SOLVER_NONE) {
        int split = c->edges ? 2 : 1;
        memset(out, 0, 3 * sizeof *out);
        for (int k = side ? split : 0; k < (side ? 4 : split); k++)
            vector_add_scaled(out, s->velocity + 3 * (size_t)c->points[k], c->weights[k]);
        return;
    }
    const solver_solid* solid = &s->solids[c->solids[side]];
    vector_cross(solid->spin, arm, out);
    vector_add_scaled(out, solid->velocity, 1);
}

static double parting_speed(const solver* s, const solver_contact* c, double arms[2][3],
                            double apart[3]) {
    double p[3], v[2][3];
    for (int side = 0; side < 2; side++) {
        touch_point(s, c, side, p, arms[side]);
        touch_velocity(s, c, side, arms[side], v[side]);
    }
    vector_subtract(v[0], v[1], apart);
    return vector_dot(apart, c->normal);
}

// ---- shells that are caught in each other

static uint64_t pair_of(const solver_contact* c) {
    uint32_t a = c->solids[0], b = c->solids[1];
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int compare_pairs(const void* left, const void* right) {
    uint64_t a = *(const uint64_t*)left, b = *(const uint64_t*)right;
    return (a > b) - (a < b);
}

// Two shells with a contact that has not come right for long are caught: their contacts contradict
// each other. As long as there is such a contact they do not push each other, but come to rest.
static void find_caught(solver* s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->contact_count; i++)
        count += s->contacts[i].late > MOST_LATE && are_open(s, &s->contacts[i]);
    for (uint32_t i = 0; i < s->contact_count; i++) s->contacts[i].caught = false;
    if (count == 0) return;
    uint64_t* pairs = malloc(count * sizeof *pairs);
    if (!pairs) {
        s->out_of_memory = true;
        return;
    }
    count = 0;
    for (uint32_t i = 0; i < s->contact_count; i++)
        if (s->contacts[i].late > MOST_LATE && are_open(s, &s->contacts[i]))
            pairs[count++] = pair_of(&s->contacts[i]);
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (uint32_t i = 0; i < s->contact_count; i++) {
        uint64_t pair = pair_of(&s->contacts[i]);
        s->contacts[i].caught = bsearch(&pair, pairs, count, sizeof *pairs, compare_pairs) != NULL;
    }
    free(pairs);
}

void solver_prepare_contacts(solver* s) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->contact_count; i++) {
        solver_contact c = s->contacts[i];
        double arms[2][3], unused[3];
        if (!prepare(s, &c)) continue;
        c.speed = parting_speed(s, &c, arms, unused);
        s->contacts[kept++] = c;
    }
    s->contact_count = kept;
    fill_table(s);
    find_caught(s);
}

static void tell_load(solver* s, const solver_contact* c) {
    for (int side = 0; side < 2; side++) {
        if (c->solids[side] == SOLVER_NONE) continue;
        solver_solid* solid = &s->solids[c->solids[side]];
        double own[3];
        vector_rotate_back(solid->rotation, c->normal, own);
        vector_add_scaled(solid->load, own, side ? -c->push : c->push);
    }
}

static void slow_along(solver* s, const solver_contact* c, double arms[2][3], const double n[3],
                       double change) {
    double w = ease(s, c, 0, arms[0], n) + ease(s, c, 1, arms[1], n);
    if (w > 0) push_both(s, c, arms, n, change / w, true);
}

static double limit_speed(const solver_contact* c, double speed) {
    if (c->caught) return 0.7 * speed;
    if (speed < 0) return 0;
    // Points take their velocity from where they were pushed: that is no reason to fly off.
    bool points = c->solids[0] == SOLVER_NONE || c->solids[1] == SOLVER_NONE;
    double allowed = c->speed > 0 ? c->speed : 0;
    return points && speed > allowed ? allowed : speed;
}

// What touches does not come closer, and rubs; what is caught in each other comes to rest.
static void slow(solver* s, const solver_contact* c) {
    double arms[2][3] = {{0}}, v[3], speed = parting_speed(s, c, arms, v);
    double change = limit_speed(c, speed) - speed;
    if (change != 0) slow_along(s, c, arms, c->normal, change);
    vector_add_scaled(v, c->normal, -speed);
    double slide = vector_normalise(v), rubbed = s->friction * fabs(change);
    if (c->late && rubbed < 0.3 * slide) rubbed = 0.3 * slide;
    if (slide > 0) slow_along(s, c, arms, v, -(rubbed < slide ? rubbed : slide));
}

void solver_slow_contacts(solver* s) {
    enum { PASSES = 4 };
    for (uint32_t i = 0; i < s->contact_count; i++)
        if (s->contacts[i].push > 0) tell_load(s, &s->contacts[i]);
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t i = 0; i < s->contact_count; i++)
            if (s->contacts[i].push > 0 || s->contacts[i].caught) slow(s, &s->contacts[i]);
}
