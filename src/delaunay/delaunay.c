/// @file delaunay.c  Incremental insertion (Bowyer-Watson) in the order of a Hilbert curve.
///
/// Based on: bowyer1981, watson1981 (cavities), amenta2003 (the order: rounds of random halves,
/// each along a Hilbert curve), devillers2011 (perturbation). A point on the sphere of a
/// tetrahedron is decided as if the square of the norm of each point, its height on the paraboloid,
/// were smaller by an infinitely small number, which is the larger the smaller the number of the
/// point. Heights are then generic, and a generic height function has no flat cells.
#include "delaunay/delaunay.h"
#include "base/array.h"
#include "base/sort.h"
#include "delaunay/insphere.h"
#include <string.h>

enum { MOST_TETS = 1u << 31, POINTS_PER_REPORT = 1024 };
#define NONE FRC_DELAUNAY_NONE

// A face of the cavity, seen from inside: corner `slot` of `tet` becomes the new point.
typedef struct rim_face {
    uint32_t tet, slot;
} rim_face;

typedef struct link {
    uint64_t edge;  // 0: empty; no edge is (0, 0)
    uint32_t tet, slot;
} link;

typedef struct builder {
    fracas_context* context;
    const int32_t (*points)[3];
    frc_delaunay* d;
    FRC_ARRAY(uint32_t) state;  // by tetrahedron: 2 * stamp, + 1 in the cavity; DEAD
    FRC_ARRAY(uint32_t) free, cavity;
    FRC_ARRAY(rim_face) rim;
    FRC_ARRAY(link) links;  // a hash table; capacity 2^n
    size_t link_mask;
    uint32_t stamp, last;
} builder;

#define DEAD UINT32_MAX

void frc_delaunay_release(fracas_context* context, frc_delaunay* d) {
    frc_release(context, d->corners, d->capacity * sizeof *d->corners);
    frc_release(context, d->neighbours, d->neighbour_capacity * sizeof *d->neighbours);
    *d = (frc_delaunay){0};
}

// ---- predicates

// The slot of the point at infinity, or -1.
static int infinite_slot(const uint32_t corners[4]) {
    for (int i = 0; i < 4; i++)
        if (corners[i] == NONE) return i;
    return -1;
}

// The volume of a tetrahedron with point `p` instead of one corner.
static int64_t orient_with(const builder* b, const uint32_t corners[4], int slot, uint32_t p) {
    const int32_t* at[4];
    for (int i = 0; i < 4; i++) at[i] = b->points[i == slot ? p : corners[i]];
    return frc_grid_orient(at[0], at[1], at[2], at[3]);
}

// Is point p inside the circumsphere?
static bool in_sphere(const builder* b, const uint32_t corners[4], uint32_t p) {
    const int32_t* at[4];
    int64_t part[4], volume = 0;
    for (int i = 0; i < 4; i++) at[i] = b->points[corners[i]];
    const int side = frc_grid_insphere(at, b->points[p], part);
    if (side) return side > 0;
    // The smallest number whose height matters decides. A lower p is inside; a lower corner moves
    // the sphere away from p where p replaces it with positive volume.
    for (int i = 0; i < 4; i++) volume += part[i];
    uint32_t smallest = p;
    int64_t effect = volume;
    for (int i = 0; i < 4; i++)
        if (part[i] != 0 && corners[i] < smallest) smallest = corners[i], effect = -part[i];
    return effect > 0;
}

// Does point p destroy the tetrahedron? One at infinity has its face of the hull as a half-space;
// in the plane of the face it has the circle, as the tetrahedron on the other side.
static bool conflicts(const builder* b, uint32_t tet, uint32_t p) {
    const uint32_t* corners = b->d->corners[tet];
    const int slot = infinite_slot(corners);
    if (slot < 0) return in_sphere(b, corners, p);
    const int64_t side = orient_with(b, corners, slot, p);
    if (side != 0) return side > 0;
    return in_sphere(b, b->d->corners[b->d->neighbours[tet][slot]], p);
}

// ---- tetrahedra

static bool add_tet(builder* b, const uint32_t corners[4], uint32_t* out) {
    frc_delaunay* d = b->d;
    if (b->free.count > 0) {
        *out = b->free.data[--b->free.count];
    } else {
        const size_t wanted = (size_t)d->count + 1;
        if (wanted > d->capacity && !frc_array_grow(b->context, (void**)&d->corners, &d->capacity,
                                                    wanted, sizeof *d->corners))
            return false;
        if (wanted > d->neighbour_capacity &&
            !frc_array_grow(b->context, (void**)&d->neighbours, &d->neighbour_capacity, wanted,
                            sizeof *d->neighbours))
            return false;
        if (!FRC_ARRAY_PUSH(b->context, &b->state, 0)) return false;
        *out = d->count++;
    }
    memcpy(d->corners[*out], corners, sizeof *d->corners);
    b->state.data[*out] = 0;
    return true;
}

static int slot_of_neighbour(const frc_delaunay* d, uint32_t tet, uint32_t neighbour) {
    int slot = 0;
    while (d->neighbours[tet][slot] != neighbour) slot++;
    return slot;
}

// ---- insertion

// Walk to a tetrahedron that point p destroys. In a Delaunay tetrahedralization a step across a
// face that p is behind never leads back, in whatever order the faces are tried.
static uint32_t locate(const builder* b, uint32_t p) {
    const frc_delaunay* d = b->d;
    uint32_t tet = b->last;
    int slot = infinite_slot(d->corners[tet]);
    if (slot >= 0) tet = d->neighbours[tet][slot];
    for (uint32_t turn = 0;; turn++) {
        if (infinite_slot(d->corners[tet]) >= 0) return tet;
        int i = 0;
        for (; i < 4; i++) {
            slot = (int)((turn + (uint32_t)i) & 3);
            if (orient_with(b, d->corners[tet], slot, p) < 0) break;
        }
        if (i == 4) return tet;
        tet = d->neighbours[tet][slot];
    }
}

// List the tetrahedra that p destroys, among them `first`, and the faces around them.
static bool find_cavity(builder* b, uint32_t first, uint32_t p) {
    const frc_delaunay* d = b->d;
    const uint32_t tested = 2 * ++b->stamp;
    b->cavity.count = b->rim.count = 0;
    b->state.data[first] = tested + 1;
    if (!FRC_ARRAY_PUSH(b->context, &b->cavity, first)) return false;
    for (size_t i = 0; i < b->cavity.count; i++) {
        const uint32_t tet = b->cavity.data[i];
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t next = d->neighbours[tet][k];
            if (b->state.data[next] < tested) {
                const bool inside = conflicts(b, next, p);
                b->state.data[next] = tested + inside;
                if (inside && !FRC_ARRAY_PUSH(b->context, &b->cavity, next)) return false;
            }
            if (b->state.data[next] == tested &&
                !FRC_ARRAY_PUSH(b->context, &b->rim, ((rim_face){tet, k})))
                return false;
        }
    }
    return true;
}

// Join the faces of new tetrahedra at an edge of the rim: each edge is met twice.
static void join(builder* b, uint32_t u, uint32_t v, uint32_t tet, uint32_t slot) {
    const uint64_t edge = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
    const size_t mask = b->link_mask;
    size_t at = (edge * 0x9e3779b97f4a7c15ull >> 32) & mask;
    while (b->links.data[at].edge != 0 && b->links.data[at].edge != edge) at = (at + 1) & mask;
    link* found = &b->links.data[at];
    if (found->edge == 0) {
        *found = (link){edge, tet, slot};
        return;
    }
    b->d->neighbours[tet][slot] = found->tet;
    b->d->neighbours[found->tet][found->slot] = tet;
}

// Empty the hash table, with room for the edges of the rim.
static bool clear_links(builder* b) {
    size_t wanted = 64;
    while (wanted < 4 * b->rim.count) wanted *= 2;
    if (wanted > b->links.capacity) {
        FRC_ARRAY_RELEASE(b->context, &b->links);
        bool ok = true;
        b->links.data = frc_allocate_array(b->context, wanted, sizeof *b->links.data, &ok);
        if (!ok) return false;
        b->links.capacity = wanted;
    }
    b->link_mask = wanted - 1;
    memset(b->links.data, 0, wanted * sizeof *b->links.data);
    return true;
}

// A point that is a corner of its tetrahedron is left out.
static bool is_corner(const builder* b, uint32_t tet, uint32_t p) {
    for (int k = 0; k < 4; k++) {
        const uint32_t corner = b->d->corners[tet][k];
        if (corner != NONE && memcmp(b->points[corner], b->points[p], sizeof *b->points) == 0)
            return true;
    }
    return false;
}

static bool insert(builder* b, uint32_t p) {
    frc_delaunay* d = b->d;
    const uint32_t first = locate(b, p);
    if (is_corner(b, first, p)) return true;
    if (!find_cavity(b, first, p) || !clear_links(b)) return false;
    for (size_t i = 0; i < b->rim.count; i++) {
        const uint32_t old = b->rim.data[i].tet, slot = b->rim.data[i].slot;
        uint32_t corners[4], tet;
        memcpy(corners, d->corners[old], sizeof corners);
        const uint32_t outer = d->neighbours[old][slot];
        const int back = slot_of_neighbour(d, outer, old);
        corners[slot] = p;
        if (!add_tet(b, corners, &tet)) return false;
        d->neighbours[tet][slot] = outer;
        d->neighbours[outer][back] = tet;
        for (uint32_t k = 0; k < 4; k++) {
            if (k == slot) continue;
            uint32_t end[2], n = 0;
            for (uint32_t m = 0; m < 4; m++)
                if (m != slot && m != k) end[n++] = corners[m];
            join(b, end[0], end[1], tet, k);
        }
        b->last = tet;
    }
    for (size_t i = 0; i < b->cavity.count; i++) b->state.data[b->cavity.data[i]] = DEAD;
    // The rim refers to tetrahedra of the cavity, so these become free only now.
    for (size_t i = 0; i < b->cavity.count; i++)
        if (!FRC_ARRAY_PUSH(b->context, &b->free, b->cavity.data[i])) return false;
    return true;
}

// ---- the first tetrahedron

static bool collinear(const int32_t a[3], const int32_t b[3], const int32_t c[3]) {
    int64_t x[3], y[3];
    frc_grid_subtract(b, a, x), frc_grid_subtract(c, a, y);
    return x[1] * y[2] == x[2] * y[1] && x[2] * y[0] == x[0] * y[2] && x[0] * y[1] == x[1] * y[0];
}

// Move four points that are not in a plane to the begin of the order; false: there are none.
static bool find_first(const builder* b, uint32_t* order, uint32_t count) {
    const int32_t(*p)[3] = b->points;
    uint32_t found = count > 0;
    for (uint32_t i = 1; i < count && found < 4; i++) {
        const int32_t* next = p[order[i]];
        const bool ok = found == 1 ? memcmp(p[order[0]], next, sizeof *p) != 0
                        : found == 2
                            ? !collinear(p[order[0]], p[order[1]], next)
                            : frc_grid_orient(p[order[0]], p[order[1]], p[order[2]], next) != 0;
        if (!ok) continue;
        const uint32_t other = order[i];
        order[i] = order[found], order[found++] = other;
    }
    if (found < 4) return false;
    if (frc_grid_orient(p[order[0]], p[order[1]], p[order[2]], p[order[3]]) < 0) {
        const uint32_t other = order[0];
        order[0] = order[1], order[1] = other;
    }
    return true;
}

static bool make_first(builder* b, const uint32_t first[4]) {
    uint32_t tet[5];
    if (!add_tet(b, first, &tet[4])) return false;
    for (int i = 0; i < 4; i++) {
        // Outside face i: the point at infinity replaces corner i; two others change places.
        uint32_t corners[4];
        memcpy(corners, first, sizeof corners);
        corners[i] = NONE;
        const int j = (i + 1) & 3, k = (i + 2) & 3;
        const uint32_t other = corners[j];
        corners[j] = corners[k], corners[k] = other;
        if (!add_tet(b, corners, &tet[i])) return false;
    }
    for (int i = 0; i < 4; i++) {
        b->d->neighbours[tet[4]][i] = tet[i];
        for (int k = 0; k < 4; k++) {
            const uint32_t corner = b->d->corners[tet[i]][k];
            int opposite = 4;
            for (int m = 0; m < 4; m++)
                if (first[m] == corner) opposite = m;
            b->d->neighbours[tet[i]][k] = tet[opposite];
        }
    }
    b->last = tet[4];
    return true;
}

// ---- the order, and all

// Pseudo-random bits of a number.
static uint32_t mix(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// Rounds: half of all points in the last, half of the rest in the one before, ...; each along the
// curve. A key is the round (5 bits), the place on the curve (27), and the number of the point.
static bool sort_points(fracas_context* context, const int32_t (*points)[3], uint32_t count,
                        uint32_t* order) {
    bool ok = true;
    uint64_t* keys = frc_allocate_array(context, count, sizeof *keys, &ok);
    uint64_t* spare = frc_allocate_array(context, count, sizeof *spare, &ok);
    for (uint32_t i = 0; ok && i < count; i++) {
        uint64_t round = 31;
        for (uint32_t bits = mix(i); round > 0 && (bits & 1); bits >>= 1) round--;
        keys[i] = round << 59 | (uint64_t)frc_hilbert_key(points[i]) << 32 | i;
    }
    const uint64_t* sorted = ok ? frc_sort_keys(keys, spare, count, 0) : NULL;
    for (uint32_t i = 0; ok && i < count; i++) order[i] = (uint32_t)sorted[i];
    frc_release(context, spare, frc_array_size(count, sizeof *spare));
    frc_release(context, keys, frc_array_size(count, sizeof *keys));
    return ok;
}

// Move the remaining tetrahedra together, finite ones first. `place` has room for all.
static void compact(builder* b, uint32_t* place) {
    frc_delaunay* d = b->d;
    uint32_t count = 0;
    for (int infinite = 0; infinite < 2; infinite++) {
        for (uint32_t t = 0; t < d->count; t++)
            if (b->state.data[t] != DEAD && (infinite_slot(d->corners[t]) >= 0) == (infinite == 1))
                place[t] = count++;
        if (!infinite) d->finite_count = count;
    }
    for (uint32_t t = 0; t < d->count; t++)
        for (int k = 0; k < 4 && b->state.data[t] != DEAD; k++)
            d->neighbours[t][k] = place[d->neighbours[t][k]];
    // Follow the chains of places: each step moves one tetrahedron to where it belongs.
    for (uint32_t t = 0; t < d->count; t++) {
        while (b->state.data[t] != DEAD && place[t] != t) {
            const uint32_t to = place[t], state = b->state.data[to], place_of = place[to];
            uint32_t corners[4], neighbours[4];
            memcpy(corners, d->corners[to], sizeof corners);
            memcpy(neighbours, d->neighbours[to], sizeof neighbours);
            memcpy(d->corners[to], d->corners[t], sizeof corners);
            memcpy(d->neighbours[to], d->neighbours[t], sizeof neighbours);
            memcpy(d->corners[t], corners, sizeof corners);
            memcpy(d->neighbours[t], neighbours, sizeof neighbours);
            b->state.data[to] = b->state.data[t], place[to] = to;
            b->state.data[t] = state, place[t] = place_of;
        }
    }
    d->count = count;
}

static fracas_status build(builder* b, uint32_t* order, uint32_t count) {
    if (!find_first(b, order, count)) return FRACAS_OK;
    bool ok = make_first(b, order);
    for (uint32_t i = 4; ok && i < count; i++) {
        if (b->d->count > MOST_TETS)
            return frc_fail(b->context, FRACAS_ERROR_UNSUPPORTED,
                            "the points have more than 2^31 Delaunay tetrahedra; use fewer");
        if (i % POINTS_PER_REPORT == 0 && frc_cancelled(b->context))
            return frc_fail(b->context, FRACAS_ERROR_CANCELLED,
                            "the Delaunay tetrahedralization was cancelled");
        ok = insert(b, order[i]);
    }
    const uint32_t all = b->d->count;
    uint32_t* place = frc_allocate_array(b->context, all, sizeof *place, &ok);
    if (ok) compact(b, place);
    frc_release(b->context, place, frc_array_size(all, sizeof *place));
    return ok ? FRACAS_OK : frc_fail_memory(b->context, all * sizeof *b->d->corners);
}

fracas_status frc_delaunay_create(fracas_context* context, const int32_t (*points)[3],
                                  uint32_t count, frc_delaunay* out) {
    builder b = {.context = context, .points = points, .d = out};
    bool ok = true;
    uint32_t* order = frc_allocate_array(context, count, sizeof *order, &ok);
    ok = ok && sort_points(context, points, count, order);
    const fracas_status status =
        ok ? build(&b, order, count) : frc_fail_memory(context, count * sizeof(uint64_t));
    FRC_ARRAY_RELEASE(context, &b.links);
    FRC_ARRAY_RELEASE(context, &b.rim);
    FRC_ARRAY_RELEASE(context, &b.cavity);
    FRC_ARRAY_RELEASE(context, &b.free);
    FRC_ARRAY_RELEASE(context, &b.state);
    frc_release(context, order, frc_array_size(count, sizeof *order));
    return status;
}
