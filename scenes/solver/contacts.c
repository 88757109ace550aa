/// @file contacts.c  Contacts: which are kept, their normals, and how they are resolved.
///
/// A contact is added after the step in which it happened, so its sides may already penetrate. The
/// direction of the normal comes from the closed body, whose triangles face outward; if both are
/// open, from the side on which the features were before the contact. A contact is therefore kept
/// until its sides are well apart: if it was added again while they return, its normal would flip.
#include "solver.h"
#include "vector.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_INVERTED_STEPS = 4 };

// ---- hash table: features -> contact

static uint32_t* find_slot(const solver* s, bool edges, const uint32_t points[4]) {
    uint32_t x = edges;
    for (int k = 0; k < 4; k++) {
        x = (x ^ points[k]) * 0x9e3779b1u;
        x ^= x >> 15;
    }
    for (uint32_t at = x & (s->table_size - 1);; at = (at + 1) & (s->table_size - 1)) {
        if (!s->table[at]) return &s->table[at];
        const solver_contact* c = &s->contacts[s->table[at] - 1];
        if (c->edges == edges && memcmp(c->points, points, sizeof c->points) == 0)
            return &s->table[at];
    }
}

static void fill_table(solver* s) {
    if (s->table_size) memset(s->table, 0, sizeof *s->table * s->table_size);
    for (uint32_t i = 0; i < s->contact_count; i++)
        *find_slot(s, s->contacts[i].edges, s->contacts[i].points) = i + 1;
}

static bool reserve_contact(solver* s) {
    if (s->contact_count == s->contact_capacity) {
        uint32_t capacity = 2 * s->contact_capacity + 256;
        solver_contact* contacts = realloc(s->contacts, capacity * sizeof *contacts);
        if (!contacts) return false;
        s->contacts = contacts;
        s->contact_capacity = capacity;
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

// The unit normal of the triangle, or of the two edges; false when it is undefined.
static bool raw_normal(const solver* s, const solver_contact* c, double normal[3]) {
    double e[3], f[3];
    const uint32_t* p = c->points;
    vector_subtract(at(s, c->edges ? p[1] : p[2]), at(s, c->edges ? p[0] : p[1]), e);
    vector_subtract(at(s, p[3]), at(s, c->edges ? p[2] : p[1]), f);
    vector_cross(e, f, normal);
    double sine = vector_normalise(normal), size = vector_dot(e, e) * vector_dot(f, f);
    return sine * sine > (c->edges ? 1e-3 : 1e-12) * size;
}

// The sum of the outward normals of a closed side, in world space; false for an open side.
static bool outward(const solver* s, const uint32_t* points, int count, double out[3]) {
    uint32_t number = s->solid_of[points[0]];
    memset(out, 0, 3 * sizeof *out);
    if (number == SOLVER_NONE || !s->solids[number].closed) return false;
    double sum[3] = {0};
    for (int i = 0; i < count; i++) vector_add_scaled(sum, s->normals + 3 * (size_t)points[i], 1);
    vector_rotate(s->solids[number].rotation, sum, out);
    return true;
}

// The sign by which `raw` points from the second side to the first.
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
    if (!reserve_contact(s)) {
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

// ---- contact points, normals and targets of a step

static double limit(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

// Weights of the projection of the vertex onto the triangle. @return how far it is outside, in
// barycentric coordinates
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

// The same for the closest points of two edges.
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

// The solids of both sides; false when a side was split, or both belong to the same solid.
static bool find_solids(const solver* s, solver_contact* c) {
    int split = c->edges ? 2 : 1;
    for (int k = 0; k < 4; k++) {
        uint32_t solid = s->solid_of[c->points[k]];
        int side = k >= split;
        if (s->removed[c->points[k]]) return false;
        if (k == 0 || k == split)
            c->solids[side] = solid;
        else if (c->solids[side] != solid)
            return false;
    }
    return c->solids[0] != c->solids[1] || c->solids[0] == SOLVER_NONE;
}

// Two shells: neither has an inside that would determine the direction of the normal.
static bool are_open(const solver* s, const solver_contact* c) {
    return c->solids[0] != SOLVER_NONE && c->solids[1] != SOLVER_NONE &&
           !s->solids[c->solids[0]].closed && !s->solids[c->solids[1]].closed;
}

// Computes a contact for the next step. False: it ends.
static bool prepare(const solver* s, solver_contact* c) {
    if (!find_solids(s, c)) return false;
    bool can_move = false;
    for (int side = 0; side < 2; side++)
        can_move |= c->solids[side] == SOLVER_NONE || s->solids[c->solids[side]].inverse_mass > 0;
    if (!can_move || !raw_normal(s, c, c->normal)) return false;
    for (int k = 0; k < 3; k++) c->normal[k] *= c->side;
    double outside = c->edges ? weigh_edges(s, c) : weigh_face(s, c);
    double p[2][3];
    for (int side = 0; side < 2; side++) weighted_point(s, c, side, p[side]);
    vector_subtract(p[0], p[1], c->apart);
    double gap = vector_dot(c->normal, c->apart);
    // A vertex behind a closed surface is inside of it, even if its projection is outside of the
    // triangle. Beyond the rim of an open surface there is no contact.
    bool inside =
        gap < 0 && !c->edges && c->solids[1] != SOLVER_NONE && s->solids[c->solids[1]].closed;
    if (gap > 3 * s->thickness || outside > (inside ? 1 : 0.05)) return false;
    // At such a depth the features have passed each other elsewhere.
    if (gap < -(inside ? 40 : 10) * s->thickness) return false;
    // A contact that stays inverted ends: passing through is better than pulling back and forth.
    c->inverted_steps = gap < 0 ? c->inverted_steps + 1 : 0;
    if (c->inverted_steps > MAX_INVERTED_STEPS && !inside && !are_open(s, c)) return false;
    // Penetration is resolved over several steps: at once it would act like an explosion.
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

// Generalised inverse mass: displacement of the contact point of a side by a unit push along n.
static double push_response(const solver* s, const solver_contact* c, int side, const double arm[3],
                            const double n[3]) {
    if (c->solids[side] == SOLVER_NONE) {
        int split = c->edges ? 2 : 1;
        double sum = 0;
        for (int k = side ? split : 0; k < (side ? 4 : split); k++)
            sum += c->weights[k] * c->weights[k] * s->inverse_mass[c->points[k]];
        return sum;
    }
    const solver_solid* solid = &s->solids[c->solids[side]];
    if (solid->inverse_mass == 0) return 0;
    double moment[3], own[3], turned[3];
    vector_cross(arm, n, moment);
    vector_rotate_back(solid->rotation, moment, own);
    vector_rotate(solid->inertia_inverse, own, turned);
    return solid->inverse_mass + vector_dot(own, turned);
}

// Push one side by `amount` times n: changes positions or velocities.
static void push_side(solver* s, const solver_contact* c, int side, const double arm[3],
                      const double n[3], double amount, bool velocities) {
    if (c->solids[side] == SOLVER_NONE) {
        int split = c->edges ? 2 : 1;
        double* to = velocities ? s->velocity : s->now;
        for (int k = side ? split : 0; k < (side ? 4 : split); k++)
            vector_add_scaled(to + 3 * (size_t)c->points[k], n,
                              amount * c->weights[k] * s->inverse_mass[c->points[k]]);
        return;
    }
    solver_solid* solid = &s->solids[c->solids[side]];
    if (solid->inverse_mass == 0) return;
    double moment[3], own[3], turned[3], world[3];
    vector_cross(arm, n, moment);
    vector_rotate_back(solid->rotation, moment, own);
    vector_rotate(solid->inertia_inverse, own, turned);
    vector_rotate(solid->rotation, turned, world);
    for (int k = 0; k < 3; k++) world[k] *= amount;
    vector_add_scaled(velocities ? solid->velocity : solid->centre, n,
                      amount * solid->inverse_mass);
    if (velocities) {
        vector_add_scaled(solid->spin, world, 1);
    } else {
        quaternion_rotate(solid->orientation, world);
        quaternion_matrix(solid->orientation, solid->rotation);
    }
}

static void push_both(solver* s, const solver_contact* c, double arms[2][3], const double n[3],
                      double amount, bool velocities) {
    push_side(s, c, 0, arms[0], n, amount, velocities);
    push_side(s, c, 1, arms[1], n, -amount, velocities);
}

// Friction: takes back the tangential motion since the start of the step, limited by the push.
static void apply_friction(solver* s, const solver_contact* c, const double apart[3],
                           double arms[2][3], double depth) {
    double slide[3];
    vector_subtract(apart, c->apart, slide);
    vector_add_scaled(slide, c->normal, -vector_dot(slide, c->normal));
    double length = vector_normalise(slide);
    if (length == 0) return;
    double most = s->friction * depth, amount = length < most ? length : most;
    double w = push_response(s, c, 0, arms[0], slide) + push_response(s, c, 1, arms[1], slide);
    if (w > 0) push_both(s, c, arms, slide, -amount / w, false);
}

static void push(solver* s, solver_contact* c) {
    double p[2][3], arms[2][3] = {{0}}, apart[3];
    for (int side = 0; side < 2; side++) touch_point(s, c, side, p[side], arms[side]);
    vector_subtract(p[0], p[1], apart);
    double depth = c->target - vector_dot(c->normal, apart);
    if (depth <= 0) return;
    double w =
        push_response(s, c, 0, arms[0], c->normal) + push_response(s, c, 1, arms[1], c->normal);
    if (w == 0) return;
    if (are_open(s, c))
        depth *= 0.3;  // damping: contacts in a heap of shells contradict each other
    push_both(s, c, arms, c->normal, depth / w, false);
    c->push += depth;
    apply_friction(s, c, apart, arms, depth);
}

void solver_push_contacts(solver* s) {
    for (uint32_t i = 0; i < s->contact_count; i++)
        if (!s->contacts[i].entangled) push(s, &s->contacts[i]);
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

// ---- entangled shells

static uint64_t pair_of(const solver_contact* c) {
    uint32_t a = c->solids[0], b = c->solids[1];
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int compare_pairs(const void* left, const void* right) {
    uint64_t a = *(const uint64_t*)left, b = *(const uint64_t*)right;
    return (a > b) - (a < b);
}

// Two shells with a contact that stays inverted are entangled: their contacts contradict each
// other. As long as such a contact exists, contacts of this pair only damp the relative motion.
static void find_caught(solver* s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->contact_count; i++)
        count += s->contacts[i].inverted_steps > MAX_INVERTED_STEPS && are_open(s, &s->contacts[i]);
    for (uint32_t i = 0; i < s->contact_count; i++) s->contacts[i].entangled = false;
    if (count == 0) return;
    uint64_t* pairs = malloc(count * sizeof *pairs);
    if (!pairs) {
        s->out_of_memory = true;
        return;
    }
    count = 0;
    for (uint32_t i = 0; i < s->contact_count; i++)
        if (s->contacts[i].inverted_steps > MAX_INVERTED_STEPS && are_open(s, &s->contacts[i]))
            pairs[count++] = pair_of(&s->contacts[i]);
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (uint32_t i = 0; i < s->contact_count; i++) {
        uint64_t pair = pair_of(&s->contacts[i]);
        s->contacts[i].entangled =
            bsearch(&pair, pairs, count, sizeof *pairs, compare_pairs) != NULL;
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

static void add_load(solver* s, const solver_contact* c) {
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
    double w = push_response(s, c, 0, arms[0], n) + push_response(s, c, 1, arms[1], n);
    if (w > 0) push_both(s, c, arms, n, change / w, true);
}

static double limit_speed(const solver_contact* c, double speed) {
    if (c->entangled) return 0.7 * speed;
    if (speed < 0) return 0;
    // The correction of a contact adds velocity to points, which is removed again.
    bool points = c->solids[0] == SOLVER_NONE || c->solids[1] == SOLVER_NONE;
    double allowed = c->speed > 0 ? c->speed : 0;
    return points && speed > allowed ? allowed : speed;
}

// Removes approaching velocity and applies friction; damps entangled shells.
static void slow(solver* s, const solver_contact* c) {
    double arms[2][3] = {{0}}, v[3], speed = parting_speed(s, c, arms, v);
    double change = limit_speed(c, speed) - speed;
    if (change != 0) slow_along(s, c, arms, c->normal, change);
    vector_add_scaled(v, c->normal, -speed);
    double slide = vector_normalise(v), rubbed = s->friction * fabs(change);
    if (c->inverted_steps && rubbed < 0.3 * slide) rubbed = 0.3 * slide;
    if (slide > 0) slow_along(s, c, arms, v, -(rubbed < slide ? rubbed : slide));
}

void solver_slow_contacts(solver* s) {
    enum { PASSES = 4 };
    for (uint32_t i = 0; i < s->contact_count; i++)
        if (s->contacts[i].push > 0) add_load(s, &s->contacts[i]);
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t i = 0; i < s->contact_count; i++)
            if (s->contacts[i].push > 0 || s->contacts[i].entangled) slow(s, &s->contacts[i]);
}
