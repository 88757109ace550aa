/// @file world.c  A step: poses, contacts, joints, ODE, fractures.
#include "rigid/world.h"
#include "ode/ode_world.h"
#include "ode_contacts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNBREAKABLE = 0xffffffff };
#define DENSITY 1000.0
#define RESTING_DEPTH 0.0004  // a body with a deeper contact is not put to rest

typedef struct body {
    fracas_fragment fragment;
    dBodyID ode;       // NULL: fixed
    fracas_pose pose;  // of a fixed body
    double centre[3], mass;
    uint32_t nodes;
    uint32_t broken;  // times; UNBREAKABLE
    // Of the contacts of a step: the sum of their lengths; their sum; the strongest.
    double impulse, net[3], strongest, at[3];
} body;

// A body that is held by a spring.
typedef struct spring {
    bool holds;
    fracas_fragment fragment;
    double from[3];  // relative to the centre of mass, in the frame of the body
    double to[3];    // in the world
} spring;

struct rigid_world {
    rigid_options options;
    fracas_fragments* fragments;
    ode_world ode;
    body* bodies;
    uint32_t count, capacity;
    uint32_t* by_fragment;  // number of the body; by index of the fragment
    uint32_t by_capacity;
    dJointFeedback* feedback;
    fracas_fragment_contact* contacts;
    size_t contact_count, contact_capacity;
    spring spring;
    uint64_t random;
    bool pushed;  // since the last step
    bool failed;  // no memory
};

rigid_options rigid_default_options(void) {
    return (rigid_options){.fragments = fracas_fragments_default_options(),
                           .query = fracas_fragments_default_query(),
                           .step = 0.005,
                           .friction = 0.6,
                           .pieces = 6,
                           .most = 200,
                           .least = 40,
                           .times = 1};
}

fracas_status rigid_create(const rigid_options* options, rigid_world** out) {
    *out = NULL;
    rigid_world* w = calloc(1, sizeof *w);
    if (!w) return FRACAS_ERROR_OUT_OF_MEMORY;
    w->options = *options;
    w->random = 0x9e3779b97f4a7c15u;
    fracas_status status =
        fracas_fragments_create(options->context, &options->fragments, &w->fragments);
    if (status != FRACAS_OK) {
        free(w);
        return status;
    }
    w->ode = ode_world_create(&(ode_world_settings){
        .erp = 0.4, .surface_layer = 0.00005, .linear_damping = 0.01, .iterations = 150});
    dWorldSetAutoDisableAverageSamplesCount(w->ode.world, 10);
    dWorldSetAutoDisableFlag(w->ode.world, 1);
    dWorldSetAutoDisableLinearThreshold(w->ode.world, 0.05);
    dWorldSetAutoDisableAngularThreshold(w->ode.world, 0.3);
    dWorldSetAutoDisableTime(w->ode.world, 0.5);
    *out = w;
    return FRACAS_OK;
}

void rigid_destroy(rigid_world* w) {
    if (!w) return;
    fracas_fragments_destroy(w->fragments);
    ode_world_destroy(&w->ode);
    free(w->bodies);
    free(w->by_fragment);
    free(w->feedback);
    free(w->contacts);
    free(w);
}

const fracas_fragments* rigid_fragments(const rigid_world* w) { return w->fragments; }
uint32_t rigid_count(const rigid_world* w) { return w->count; }

fracas_fragment rigid_get(const rigid_world* w, uint32_t number, fracas_pose* pose) {
    const body* b = &w->bodies[number];
    if (b->ode)
        *pose = ode_get_pose(b->ode, b->centre);
    else
        *pose = b->pose;
    return b->fragment;
}

void rigid_set_velocity(rigid_world* w, uint32_t number, const double v[3]) {
    dBodyID ode = w->bodies[number].ode;
    if (!ode) return;
    dBodyEnable(ode);
    dBodySetLinearVel(ode, v[0], v[1], v[2]);
    w->pushed = true;
}

bool rigid_is_fixed(const rigid_world* w, uint32_t number) { return !w->bodies[number].ode; }

// ---- bodies

// False: no memory.
static bool grow(void** data, uint32_t* capacity, uint32_t count, size_t size) {
    if (count <= *capacity) return true;
    const uint32_t more = 2 * count + 16;
    void* bigger = realloc(*data, more * size);
    if (!bigger) return false;
    *data = bigger;
    *capacity = more;
    return true;
}

static fracas_status add_body(rigid_world* w, fracas_fragment fragment, const fracas_pose* pose,
                              bool fixed, uint32_t broken, uint32_t* out) {
    fracas_fragment_info info;
    fracas_status status = fracas_fragments_set_pose(w->fragments, fragment, pose);
    if (status == FRACAS_OK) status = fracas_fragments_set_fixed(w->fragments, fragment, fixed);
    if (status == FRACAS_OK) status = fracas_fragments_get_info(w->fragments, fragment, &info);
    if (status != FRACAS_OK) return status;
    const uint32_t before = w->by_capacity;
    if (!grow((void**)&w->bodies, &w->capacity, w->count + 1, sizeof *w->bodies) ||
        !grow((void**)&w->by_fragment, &w->by_capacity, fragment.index + 1, sizeof(uint32_t)))
        return FRACAS_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = before; i < w->by_capacity; i++) w->by_fragment[i] = UINT32_MAX;
    body* b = &w->bodies[w->count];
    *b = (body){.fragment = fragment, .pose = *pose, .nodes = info.nodes, .broken = broken};
    memcpy(b->centre, info.centre, sizeof b->centre);
    b->mass = DENSITY * info.volume;
    if (!fixed) b->ode = ode_add_body(w->ode.world, &info, DENSITY, pose);
    w->by_fragment[fragment.index] = w->count;
    *out = w->count++;
    return FRACAS_OK;
}

fracas_status rigid_add(rigid_world* w, const rigid_placement* placement) {
    fracas_fragment fragment;
    uint32_t number;
    fracas_status status = fracas_fragments_add(w->fragments, placement->solid, &fragment);
    if (status != FRACAS_OK) return status;
    status = add_body(w, fragment, &placement->pose, placement->fixed,
                      placement->unbreakable || placement->fixed ? UNBREAKABLE : 0, &number);
    if (status != FRACAS_OK || placement->fixed) return status;
    ode_set_velocity(w->bodies[number].ode, placement->velocity, placement->spin);
    return FRACAS_OK;
}

// ---- contacts

static bool keep(const fracas_fragment_contact* contact, void* user) {
    rigid_world* w = user;
    if (w->contact_count == w->contact_capacity) {
        const size_t more = 2 * w->contact_capacity + 256;
        fracas_fragment_contact* contacts = realloc(w->contacts, more * sizeof *contacts);
        if (contacts) w->contacts = contacts;
        dJointFeedback* feedback = contacts ? realloc(w->feedback, more * sizeof *feedback) : NULL;
        if (feedback) w->feedback = feedback;
        if (!contacts || !feedback) {
            w->failed = true;
            return false;
        }
        w->contact_capacity = more;
    }
    w->contacts[w->contact_count++] = *contact;
    return true;
}

// Contacts of one pair of bodies come one after another, in both directions. A point near an edge
// of the other body may be nearest to the far side of it; contacts against the mean normal of the
// pair, weighted by depth, would hold the bodies together, and are left out.
static void drop_opposing(rigid_world* w) {
    size_t kept = 0;
    for (size_t begin = 0, end; begin < w->contact_count; begin = end) {
        const fracas_fragment_contact first = w->contacts[begin];
        double mean[3] = {0, 0, 0};
        for (end = begin; end < w->contact_count; end++) {
            const fracas_fragment_contact* c = &w->contacts[end];
            const bool same = c->a.index == first.a.index && c->b.index == first.b.index;
            if (!same && !(c->a.index == first.b.index && c->b.index == first.a.index)) break;
            for (int k = 0; k < 3; k++)
                mean[k] += (same ? 1 : -1) * (c->depth + 1e-12) * c->normal[k];
        }
        for (size_t i = begin; i < end; i++) {
            const fracas_fragment_contact c = w->contacts[i];
            const double along =
                c.normal[0] * mean[0] + c.normal[1] * mean[1] + c.normal[2] * mean[2];
            if ((c.a.index == first.a.index ? along : -along) >= 0) w->contacts[kept++] = c;
        }
    }
    w->contact_count = kept;
}

static fracas_status detect(rigid_world* w, rigid_step_info* info) {
    for (uint32_t i = 0; i < w->count; i++) {
        const body* b = &w->bodies[i];
        if (!b->ode) continue;
        const fracas_pose pose = ode_get_pose(b->ode, b->centre);
        const fracas_status status = fracas_fragments_set_pose(w->fragments, b->fragment, &pose);
        if (status != FRACAS_OK) return status;
    }
    w->contact_count = 0;
    const double start = ode_clock_ms();
    const fracas_status status = fracas_fragments_detect(
        w->fragments, &w->options.query, &(fracas_fragment_sink){keep, w, &info->found});
    info->ms_detect = ode_clock_ms() - start;
    if (w->failed) return FRACAS_ERROR_OUT_OF_MEMORY;
    drop_opposing(w);
    for (size_t i = 0; i < w->contact_count; i++)
        info->deepest = fmax(info->deepest, w->contacts[i].depth);
    return status;
}

// ---- a body that is held

// The number of the body; UINT32_MAX: it broke.
static uint32_t find_body(const rigid_world* w, fracas_fragment fragment) {
    if (fragment.index >= w->by_capacity) return UINT32_MAX;
    const uint32_t number = w->by_fragment[fragment.index];
    if (number == UINT32_MAX || w->bodies[number].fragment.generation != fragment.generation)
        return UINT32_MAX;
    return number;
}

void rigid_grab(rigid_world* w, uint32_t number, const double at[3]) {
    const body* b = &w->bodies[number];
    if (!b->ode) return;
    w->spring = (spring){.holds = true, .fragment = b->fragment};
    dVector3 from;
    dBodyGetPosRelPoint(b->ode, at[0], at[1], at[2], from);
    for (int k = 0; k < 3; k++) {
        w->spring.from[k] = from[k];
        w->spring.to[k] = at[k];
    }
}

bool rigid_drag(rigid_world* w, const double to[3]) {
    if (w->spring.holds) memcpy(w->spring.to, to, sizeof w->spring.to);
    return w->spring.holds;
}

void rigid_release(rigid_world* w) { w->spring.holds = false; }

// A damped spring that also carries the weight; its acceleration is limited, so that a body that is
// held behind another one is not pressed through it.
static void pull(rigid_world* w) {
    if (!w->spring.holds) return;
    const uint32_t number = find_body(w, w->spring.fragment);
    if (number == UINT32_MAX) {
        w->spring.holds = false;
        return;
    }
    const double stiffness = 120, damping = 18, most = 60;
    const body* b = &w->bodies[number];
    const double* from = w->spring.from;
    dVector3 at, velocity;
    dBodyGetRelPointPos(b->ode, from[0], from[1], from[2], at);
    dBodyGetRelPointVel(b->ode, from[0], from[1], from[2], velocity);
    double change[3], length = 0;
    for (int k = 0; k < 3; k++) {
        change[k] = stiffness * (w->spring.to[k] - at[k]) - damping * velocity[k];
        length += change[k] * change[k];
    }
    length = sqrt(length);
    const double part = length > most ? most / length : 1;
    dBodyEnable(b->ode);
    dBodyAddForceAtPos(b->ode, b->mass * part * change[0], b->mass * part * change[1],
                       b->mass * part * change[2], at[0], at[1], at[2]);
    dBodyAddForce(b->ode, 0, 0, b->mass * ODE_GRAVITY);
    const dReal* spin = dBodyGetAngularVel(b->ode);
    const double calm = 1 - fmin(4 * w->options.step, 0.5);
    dBodySetAngularVel(b->ode, calm * spin[0], calm * spin[1], calm * spin[2]);
    w->pushed = true;
}

// @return wall-clock milliseconds
static double solve(rigid_world* w) {
    const double start = ode_clock_ms();
    for (size_t i = 0; i < w->contact_count; i++) {
        const fracas_fragment_contact* c = &w->contacts[i];
        dBodyID ends[2] = {w->bodies[w->by_fragment[c->a.index]].ode,
                           w->bodies[w->by_fragment[c->b.index]].ode};
        // Slow bodies are put to rest, but not while they are pushed apart.
        for (int e = 0; e < 2; e++)
            if (c->depth > RESTING_DEPTH && ends[e]) dBodyEnable(ends[e]);
        dJointID joint = ode_add_contact(w->ode.world, w->ode.contacts, ends[0], ends[1], c,
                                         w->options.friction);
        memset(&w->feedback[i], 0, sizeof w->feedback[i]);
        dJointSetFeedback(joint, &w->feedback[i]);
    }
    pull(w);
    ode_world_step(&w->ode, w->options.step);
    return ode_clock_ms() - start;
}

size_t rigid_contact_count(const rigid_world* w) { return w->contact_count; }

bool rigid_get_contact(const rigid_world* w, size_t i, fracas_fragment_contact* out, uint32_t* a,
                       uint32_t* b) {
    *out = w->contacts[i];
    *a = find_body(w, out->a);
    *b = find_body(w, out->b);
    return *a != UINT32_MAX && *b != UINT32_MAX;
}

// ---- fractures

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// What the contacts of the step did to each body.
static void add_impulses(rigid_world* w) {
    for (uint32_t i = 0; i < w->count; i++) {
        w->bodies[i].impulse = w->bodies[i].strongest = 0;
        memset(w->bodies[i].net, 0, sizeof w->bodies[i].net);
    }
    for (size_t i = 0; i < w->contact_count; i++) {
        const fracas_fragment_contact* c = &w->contacts[i];
        const uint32_t ends[2] = {c->a.index, c->b.index};
        for (int e = 0; e < 2; e++) {
            body* b = &w->bodies[w->by_fragment[ends[e]]];
            double push[3];
            // ODE exchanges the bodies of a joint whose first body is the world.
            const bool first = e == 0 || !w->bodies[w->by_fragment[ends[0]]].ode;
            const dReal* force = first ? w->feedback[i].f1 : w->feedback[i].f2;
            for (int k = 0; k < 3; k++) {
                push[k] = w->options.step * force[k];
                b->net[k] += push[k];
            }
            b->impulse += length_of(push);
            if (!(length_of(push) > b->strongest)) continue;
            b->strongest = length_of(push);
            memcpy(b->at, c->position, sizeof b->at);
        }
    }
}

static double next_random(rigid_world* w) {
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (double)(w->random >> 11) * 0x1p-53;
}

// Sites around a point of the world: half of them near, half of them anywhere in the fragment's
// box.
static void choose_sites(rigid_world* w, const fracas_fragment_info* info, const fracas_pose* pose,
                         const double at[3], double (*sites)[3]) {
    double local[3], way[3];
    for (int k = 0; k < 3; k++) way[k] = at[k] - pose->translation[k];
    for (int k = 0; k < 3; k++)
        local[k] = pose->rotation[k] * way[0] + pose->rotation[3 + k] * way[1] +
                   pose->rotation[6 + k] * way[2];
    for (uint32_t i = 0; i < w->options.pieces; i++)
        for (int k = 0; k < 3; k++) {
            const double lo = info->box_min[k], hi = info->box_max[k];
            const double any = lo + (hi - lo) * next_random(w);
            sites[i][k] = i % 2 ? any : fmin(fmax(local[k] + 0.5 * (any - local[k]), lo), hi);
        }
}

// Replace a body by its parts, which go on with its motion.
static fracas_status replace(rigid_world* w, uint32_t number, const fracas_pose* pose,
                             const fracas_fragment* parts, uint32_t count) {
    const body old = w->bodies[number];
    const dReal *v = dBodyGetLinearVel(old.ode), *s = dBodyGetAngularVel(old.ode),
                *at = dBodyGetPosition(old.ode);
    w->by_fragment[old.fragment.index] = UINT32_MAX;
    for (uint32_t p = 0; p < count; p++) {
        uint32_t part;
        const fracas_status status = add_body(w, parts[p], pose, false, old.broken + 1, &part);
        if (status != FRACAS_OK) return status;
        dBodyID ode = w->bodies[part].ode;
        double way[3];
        for (int k = 0; k < 3; k++) way[k] = dBodyGetPosition(ode)[k] - at[k];
        dBodySetLinearVel(ode, v[0] + s[1] * way[2] - s[2] * way[1],
                          v[1] + s[2] * way[0] - s[0] * way[2],
                          v[2] + s[0] * way[1] - s[1] * way[0]);
        dBodySetAngularVel(ode, s[0], s[1], s[2]);
    }
    dBodyDestroy(old.ode);
    w->bodies[number] = w->bodies[--w->count];
    w->by_fragment[w->bodies[number].fragment.index] = number;
    return FRACAS_OK;
}

// Break a body; it stays whole if all sites fall to one part.
static fracas_status break_body(rigid_world* w, uint32_t number, rigid_step_info* info) {
    const body* b = &w->bodies[number];
    const fracas_pose pose = ode_get_pose(b->ode, b->centre);
    fracas_fragment_info shape;
    double sites[64][3];
    fracas_fracture_pattern* pattern;
    fracas_status status = fracas_fragments_get_info(w->fragments, b->fragment, &shape);
    if (status != FRACAS_OK) return status;
    choose_sites(w, &shape, &pose, b->at, sites);
    status = fracas_fracture_pattern_create_voronoi(
        w->fragments, b->fragment, (const double(*)[3])sites, w->options.pieces, &pattern);
    if (status == FRACAS_ERROR_BAD_DATA) return FRACAS_OK;
    if (status != FRACAS_OK) return status;
    const fracas_fracture fracture = fracas_fracture_pattern_get(pattern);
    fracas_fragment* parts = malloc(fracture.part_count * sizeof *parts);
    const double start = ode_clock_ms();
    status = parts ? fracas_fragments_fracture(w->fragments, b->fragment, &fracture, parts)
                   : FRACAS_ERROR_OUT_OF_MEMORY;
    info->ms_update = fmax(info->ms_update, ode_clock_ms() - start);
    info->broken++;
    if (status == FRACAS_OK) status = replace(w, number, &pose, parts, fracture.part_count);
    free(parts);
    fracas_fracture_pattern_destroy(pattern);
    return status;
}

static fracas_status break_bodies(rigid_world* w, rigid_step_info* info) {
    const double start = ode_clock_ms();
    fracas_status status = FRACAS_OK;
    for (uint32_t i = w->count; i-- > 0 && status == FRACAS_OK;) {
        const body* b = &w->bodies[i];
        if (!b->ode) continue;
        const double change = b->impulse / b->mass;
        if (length_of(b->net) / b->mass > 10 * ODE_GRAVITY * w->options.step) info->impact = true;
        if (w->options.strength > 0 && change > w->options.strength &&
            b->broken < w->options.times && b->nodes >= w->options.least &&
            w->count < w->options.most)
            status = break_body(w, i, info);
    }
    info->ms_fracture = ode_clock_ms() - start;
    return status;
}

// ---- a step

static void measure(const rigid_world* w, rigid_step_info* info) {
    info->bodies = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        dBodyID ode = w->bodies[i].ode;
        if (!ode) continue;
        info->bodies++;
        info->energy += ode_get_energy(ode);
        if (dBodyIsEnabled(ode)) info->fastest = fmax(info->fastest, ode_get_speed(ode));
    }
}

fracas_status rigid_step(rigid_world* w, rigid_step_info* info) {
    *info = (rigid_step_info){0};
    fracas_status status = detect(w, info);
    if (status != FRACAS_OK) return status;
    info->ms_solve = solve(w);
    info->impact = w->pushed;
    w->pushed = false;
    add_impulses(w);
    status = break_bodies(w, info);
    measure(w, info);
    return status;
}
