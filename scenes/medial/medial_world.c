/// @file medial_world.c  A step: motions, contacts, joints, ODE.
#include "medial/medial_world.h"
#include "ode/ode_world.h"
#include "ode_medial.h"
#include <stdlib.h>
#include <string.h>

#define DENSITY 1000.0

typedef struct body {
    fracas_medial_body body;
    const medial_model* model;
    dBodyID ode;       // NULL: fixed
    fracas_pose pose;  // of a fixed body
} body;

struct medial_world {
    medial_options options;
    fracas_medial_bodies* bodies;
    ode_world ode;
    body* list;  // by index of the body
    uint32_t count, capacity;
    medial_model** models;
    uint32_t model_count;
    fracas_medial_contact* contacts;
    size_t contact_count, contact_capacity;
    bool failed;  // no memory
};

medial_options medial_default_options(void) {
    return (medial_options){
        .query = fracas_medial_bodies_default_query(), .step = 0.01, .friction = 0.5};
}

fracas_status medial_create(const medial_options* options, medial_world** out) {
    *out = NULL;
    medial_world* w = calloc(1, sizeof *w);
    if (!w) return FRACAS_ERROR_OUT_OF_MEMORY;
    w->options = *options;
    const fracas_status status = fracas_medial_bodies_create(options->context, &w->bodies);
    if (status != FRACAS_OK) {
        free(w);
        return status;
    }
    w->ode = ode_world_create(&(ode_world_settings){
        .erp = 0.3, .surface_layer = 0.0005, .linear_damping = 0.005, .iterations = 60});
    dWorldSetMaxAngularSpeed(w->ode.world, 60);
    *out = w;
    return FRACAS_OK;
}

void medial_destroy(medial_world* w) {
    if (!w) return;
    fracas_medial_bodies_destroy(w->bodies);
    for (uint32_t i = 0; i < w->model_count; i++) {
        fracas_medial_shape_destroy(w->models[i]->shape);
        fracas_medial_mesh_destroy(w->models[i]->mesh);
        free(w->models[i]);
    }
    ode_world_destroy(&w->ode);
    free(w->models);
    free(w->list);
    free(w->contacts);
    free(w);
}

// ---- models

static void add_mass(medial_model* m, const double at[3], double radius, double mass) {
    const double own = 0.4 * mass * radius * radius;
    for (int k = 0; k < 3; k++) {
        const double y = at[(k + 1) % 3], z = at[(k + 2) % 3];
        m->centre[k] += mass * at[k];
        m->inertia[k] += mass * (y * y + z * z) + own;
    }
    m->inertia[3] -= mass * at[0] * at[1];
    m->inertia[4] -= mass * at[1] * at[2];
    m->inertia[5] -= mass * at[2] * at[0];
    m->mass += mass;
}

// Spheres at points of a primitive with these weights; each stands for a part of its volume.
static void add_primitive(medial_model* m, const fracas_medial_sphere* const s[3], int count) {
    enum { PARTS = 4 };
    const int samples = count == 1 ? 1 : count == 2 ? PARTS : PARTS * PARTS;
    for (int i = 0; i < samples; i++) {
        double u = (i % PARTS + 0.5) / PARTS, v = count == 3 ? (i / PARTS + 0.5) / PARTS : 0;
        if (u + v > 1) u = 1 - u, v = 1 - v;
        const double weight[3] = {count == 1 ? 1 : 1 - u - v, u, v};
        double at[3] = {0, 0, 0}, radius = 0, extent = 1;
        for (int n = 0; n < count; n++) {
            for (int k = 0; k < 3; k++) at[k] += weight[n] * s[n]->center[k];
            radius += weight[n] * s[n]->radius;
            double way = 0;
            for (int k = 0; k < 3; k++) way += pow(s[n]->center[k] - s[0]->center[k], 2);
            if (n > 0) extent *= sqrt(way) + radius;
        }
        const double across = count == 1   ? 4.0 / 3 * radius * radius * radius
                              : count == 2 ? radius * radius
                                           : radius;
        add_mass(m, at, radius, 3.14 * across * extent / samples);
    }
}

static void add_masses(medial_model* m, const fracas_medial_view* v) {
    const fracas_medial_sphere* s = v->spheres;
    for (uint32_t e = 0; e < v->edge_count; e++) {
        const uint32_t* i = &v->edges[2 * e];
        add_primitive(m, (const fracas_medial_sphere* const[3]){&s[i[0]], &s[i[1]], NULL}, 2);
    }
    for (uint32_t t = 0; t < v->triangle_count; t++) {
        const uint32_t* i = &v->triangles[3 * t];
        add_primitive(m, (const fracas_medial_sphere* const[3]){&s[i[0]], &s[i[1]], &s[i[2]]}, 3);
    }
    if (v->edge_count + v->triangle_count == 0)
        for (uint32_t i = 0; i < v->sphere_count; i++)
            add_primitive(m, (const fracas_medial_sphere* const[3]){&s[i], NULL, NULL}, 1);
    // About the centre of mass.
    for (int k = 0; k < 3; k++) m->centre[k] /= m->mass;
    const double *c = m->centre, x = c[0], y = c[1], z = c[2];
    m->inertia[0] -= m->mass * (y * y + z * z);
    m->inertia[1] -= m->mass * (z * z + x * x);
    m->inertia[2] -= m->mass * (x * x + y * y);
    m->inertia[3] += m->mass * x * y;
    m->inertia[4] += m->mass * y * z;
    m->inertia[5] += m->mass * z * x;
}

// A copy of the spheres with this length of the longest side of their box. NULL: no memory.
static fracas_medial_sphere* scale(const fracas_medial_view* view, double length) {
    fracas_medial_sphere* spheres = malloc(view->sphere_count * sizeof *spheres);
    if (!spheres) return NULL;
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double lo = INFINITY, hi = -INFINITY;
        for (uint32_t i = 0; i < view->sphere_count; i++) {
            const fracas_medial_sphere* s = &view->spheres[i];
            lo = fmin(lo, s->center[k] - s->radius);
            hi = fmax(hi, s->center[k] + s->radius);
        }
        longest = fmax(longest, hi - lo);
    }
    const double factor = length > 0 && longest > 0 ? length / longest : 1;
    for (uint32_t i = 0; i < view->sphere_count; i++) {
        spheres[i] = view->spheres[i];
        for (int k = 0; k < 3; k++) spheres[i].center[k] *= factor;
        spheres[i].radius *= factor;
    }
    return spheres;
}

// A new model of the world, of a mesh and a shape; it takes both. Without a shape, or if there is
// no memory, it destroys them.
static fracas_status keep_model(medial_world* w, const medial_model* given, fracas_status status,
                                const medial_model** out) {
    medial_model* model = malloc(sizeof *model);
    medial_model** models = realloc(w->models, (w->model_count + 1) * sizeof(medial_model*));
    if (models) w->models = models;
    if (status == FRACAS_OK && (!model || !models)) status = FRACAS_ERROR_OUT_OF_MEMORY;
    if (status != FRACAS_OK) {
        fracas_medial_shape_destroy(given->shape);
        fracas_medial_mesh_destroy(given->mesh);
        free(model);
        return status;
    }
    *model = *given;
    *out = w->models[w->model_count++] = model;
    return FRACAS_OK;
}

fracas_status medial_add_model(medial_world* w, const fracas_medial_view* view, double length,
                               const medial_model** out) {
    fracas_context* context = w->options.context;
    medial_model model = {0};
    fracas_medial_shape_options options = fracas_medial_shape_default_options();
    fracas_medial_view scaled = *view;
    fracas_medial_sphere* spheres = scale(view, length);
    if (!spheres) return FRACAS_ERROR_OUT_OF_MEMORY;
    scaled.spheres = spheres;
    add_masses(&model, &scaled);
    memcpy(options.centre, model.centre, sizeof options.centre);
    fracas_status status = fracas_medial_mesh_create_from(context, &scaled, &model.mesh);
    free(spheres);
    if (status == FRACAS_OK)
        status = fracas_medial_shape_create(context, model.mesh, &options, &model.shape);
    return keep_model(w, &model, status, out);
}

// ---- bodies

// Room for one more in the list by index.
static bool grow(medial_world* w, uint32_t index) {
    if (index < w->capacity) return true;
    const uint32_t more = 2 * index + 16;
    body* list = realloc(w->list, more * sizeof *list);
    if (!list) return false;
    memset(list + w->capacity, 0, (more - w->capacity) * sizeof *list);
    w->list = list;
    w->capacity = more;
    return true;
}

static fracas_status add(medial_world* w, const medial_model* model, body** out) {
    fracas_medial_body handle;
    const fracas_status status = fracas_medial_bodies_add(w->bodies, model->shape, &handle);
    if (status != FRACAS_OK) return status;
    if (!grow(w, handle.index)) return FRACAS_ERROR_OUT_OF_MEMORY;
    *out = &w->list[handle.index];
    (*out)->body = handle;
    (*out)->model = model;
    w->count = handle.index + 1;
    return FRACAS_OK;
}

// The pose of the model's frame: the placement is that of its centre.
static fracas_pose pose_of(const medial_placement* p) {
    fracas_pose pose = p->pose;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            pose.translation[k] -= pose.rotation[3 * k + j] * p->model->centre[j];
    return pose;
}

fracas_status medial_add(medial_world* w, const medial_placement* p) {
    body* b;
    const fracas_status status = add(w, p->model, &b);
    if (status != FRACAS_OK) return status;
    const medial_model* m = p->model;
    const double *r = p->pose.rotation, *i = m->inertia;
    b->ode = dBodyCreate(w->ode.world);
    dMass mass;
    dMassSetParameters(&mass, DENSITY * m->mass, 0, 0, 0, DENSITY * i[0], DENSITY * i[1],
                       DENSITY * i[2], DENSITY * i[3], DENSITY * i[5], DENSITY * i[4]);
    dBodySetMass(b->ode, &mass);
    const dMatrix3 rotation = {r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0};
    dBodySetRotation(b->ode, rotation);
    dBodySetPosition(b->ode, p->pose.translation[0], p->pose.translation[1],
                     p->pose.translation[2]);
    ode_set_velocity(b->ode, p->velocity, p->spin);
    return FRACAS_OK;
}

fracas_status medial_add_fixed(medial_world* w, const medial_placement* p) {
    body* b;
    fracas_status status = add(w, p->model, &b);
    if (status != FRACAS_OK) return status;
    b->pose = pose_of(p);
    status = fracas_medial_bodies_set_motion(w->bodies, b->body, &b->pose, NULL);
    return status == FRACAS_OK ? fracas_medial_bodies_set_fixed(w->bodies, b->body, true) : status;
}

fracas_status medial_add_scenery(medial_world* w, const fracas_mesh_view* surface) {
    fracas_context* context = w->options.context;
    const double(*points)[3] = surface->points.data;
    fracas_medial_sphere* spheres = calloc(surface->points.count + 1, sizeof *spheres);
    if (!spheres) return FRACAS_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < surface->points.count; i++)
        memcpy(spheres[i].center, points[i], sizeof points[i]);
    const fracas_medial_view view = {.spheres = spheres,
                                     .triangles = surface->triangles,
                                     .sphere_count = surface->points.count,
                                     .triangle_count = surface->triangle_count};
    medial_placement at = {.pose = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    medial_model model = {0};
    fracas_status status = fracas_medial_mesh_create_from(context, &view, &model.mesh);
    free(spheres);
    if (status == FRACAS_OK)
        status = fracas_medial_shape_create_from_surface(context, surface, NULL, &model.shape);
    status = keep_model(w, &model, status, &at.model);
    return status == FRACAS_OK ? medial_add_fixed(w, &at) : status;
}

const fracas_medial_bodies* medial_bodies(const medial_world* w) { return w->bodies; }

uint32_t medial_count(const medial_world* w) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->count; i++) count += w->list[i].ode != NULL;
    return count;
}

uint32_t medial_body_count(const medial_world* w) { return w->count; }

fracas_medial_view medial_get(const medial_world* w, uint32_t number, fracas_pose* pose) {
    const body* b = &w->list[number];
    *pose = b->ode ? ode_medial_pose(dBodyGetRotation(b->ode), dBodyGetPosition(b->ode),
                                     b->model->centre)
                   : b->pose;
    return fracas_medial_mesh_get_view(b->model->mesh);
}

bool medial_is_fixed(const medial_world* w, uint32_t number) { return !w->list[number].ode; }

const fracas_medial_contact* medial_contacts(const medial_world* w, size_t* count) {
    *count = w->contact_count;
    return w->contacts;
}

// ---- a step

static bool keep(const fracas_medial_contact* contact, void* user) {
    medial_world* w = user;
    if (w->contact_count == w->contact_capacity) {
        const size_t more = 2 * w->contact_capacity + 256;
        fracas_medial_contact* contacts = realloc(w->contacts, more * sizeof *contacts);
        if (!contacts) {
            w->failed = true;
            return false;
        }
        w->contacts = contacts;
        w->contact_capacity = more;
    }
    w->contacts[w->contact_count++] = *contact;
    return true;
}

static fracas_status detect(medial_world* w, medial_step_info* info) {
    for (uint32_t i = 0; i < w->count; i++) {
        const body* b = &w->list[i];
        if (!b->ode) continue;
        fracas_pose start, end;
        ode_medial_motion(w->ode.world, b->ode, w->options.step, b->model->centre, &start, &end);
        const fracas_status status =
            fracas_medial_bodies_set_motion(w->bodies, b->body, &start, &end);
        if (status != FRACAS_OK) return status;
    }
    w->contact_count = 0;
    const double start = ode_clock_ms();
    const fracas_status status = fracas_medial_bodies_detect(
        w->bodies, &w->options.query, &(fracas_medial_sink){keep, w, &info->found});
    info->ms_detect = ode_clock_ms() - start;
    for (size_t i = 0; i < w->contact_count; i++)
        info->deepest = fmax(info->deepest, -w->contacts[i].gap);
    return w->failed ? FRACAS_ERROR_OUT_OF_MEMORY : status;
}

static void measure(const medial_world* w, medial_step_info* info) {
    for (uint32_t i = 0; i < w->count; i++) {
        dBodyID ode = w->list[i].ode;
        if (!ode) continue;
        info->fastest = fmax(info->fastest, ode_get_speed(ode));
        info->energy += ode_get_energy(ode);
    }
}

fracas_status medial_step(medial_world* w, medial_step_info* info) {
    *info = (medial_step_info){0};
    const fracas_status status = detect(w, info);
    if (status != FRACAS_OK) return status;
    const double start = ode_clock_ms();
    for (size_t i = 0; i < w->contact_count; i++) {
        const fracas_medial_contact* c = &w->contacts[i];
        ode_medial_add_contact(w->ode.world, w->ode.contacts, w->list[c->a.index].ode,
                               w->list[c->b.index].ode, c, w->options.friction);
    }
    ode_world_step(&w->ode, w->options.step);
    info->ms_solve = ode_clock_ms() - start;
    measure(w, info);
    return FRACAS_OK;
}
