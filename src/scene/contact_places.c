/// @file contact_places.c  The vertices and points of many contacts in one call.
#include "base/parallel.h"
#include "fracas/stream.h"
#include "scene/scene.h"
#include <stdatomic.h>
#include <string.h>

typedef struct placing {
    const fracas_scene* scene;
    const fracas_contact* contacts;
    size_t count;
    fracas_place_time time;
    fracas_contact_place* out;   // NULL: check only
    atomic_uint_fast64_t first;  // the first bad contact
} placing;

// ---- one contact

static const frc_body* body_of(const fracas_scene* scene, fracas_body handle) {
    const uint32_t number = handle.index - 1;
    return frc_handles_in_use(&scene->handles, number) &&
                   frc_handles_generation(&scene->handles, number) == handle.generation
               ? &scene->bodies.data[number]
               : NULL;
}

static uint32_t id_of(const frc_ids* ids, uint32_t number) {
    return number < ids->count ? ids->data[number] : FRACAS_NONE;
}

// The points of one side; their number, or 0 if one does not exist.
static uint32_t find_side(const fracas_scene* scene, fracas_body handle, bool triangle,
                          const uint32_t index[2], uint32_t points[3]) {
    const frc_body* body = body_of(scene, handle);
    if (!body) return 0;
    if (triangle) {
        const uint32_t id = id_of(&body->triangles, index[0]);
        if (id == FRACAS_NONE) return 0;
        memcpy(points, scene->topology.triangles.data[id].point, 3 * sizeof *points);
        return 3;
    }
    const uint32_t count = index[1] == FRACAS_NONE ? 1 : 2;
    for (uint32_t i = 0; i < count; i++) {
        points[i] = id_of(&body->points, index[i]);
        if (points[i] == FRACAS_NONE) return 0;
    }
    return count;
}

static void set_point(const fracas_scene* scene, const uint32_t* points, const double* weights,
                      uint32_t count, double t, double out[3]) {
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            const double* x = frc_point_axis(&scene->topology.points.data[points[i]], k);
            // Both ends of the step are exact.
            sum += weights[i] * (t < 1 ? x[0] + t * (x[1] - x[0]) : x[1]);
        }
        out[k] = sum;
    }
}

// The weights of the corners of a side: a vertex, an edge with parameter u, a triangle.
static void set_weights(uint32_t count, double u, double v, double out[3]) {
    out[0] = count == 1 ? 1 : count == 2 ? 1 - u : 1 - u - v;
    out[1] = u;
    out[2] = v;
}

static bool place(const placing* p, size_t i) {
    const fracas_contact* c = &p->contacts[i];
    const fracas_scene* scene = p->scene;
    uint32_t a[3], b[3];
    if ((unsigned)c->kind > FRACAS_CONTACT_VV) return false;
    const bool discrete = c->kind <= FRACAS_CONTACT_ET;
    const uint32_t m = find_side(scene, c->body_a, c->kind == FRACAS_CONTACT_TT, c->a, a);
    const uint32_t n =
        find_side(scene, c->body_b, discrete || c->kind == FRACAS_CONTACT_VF, c->b, b);
    if (m == 0 || n == 0) return false;
    if (!p->out) return true;
    fracas_contact_place* out = &p->out[i];
    memset(out, 0, sizeof *out);
    out->a_count = m;
    out->b_count = n;
    const frc_point* points = scene->topology.points.data;
    for (uint32_t k = 0; k < 3; k++) {
        out->a[k] = k < m ? points[a[k]].tag[FRC_TAG_NUMBER] : FRACAS_NONE;
        out->b[k] = k < n ? points[b[k]].tag[FRC_TAG_NUMBER] : FRACAS_NONE;
    }
    if (discrete) return true;
    const double t = p->time == FRACAS_PLACE_AT_END ? 1 : c->toi;
    const bool edges = c->kind == FRACAS_CONTACT_EE;
    double weights[3];
    set_weights(m, edges ? c->u : 0, 0, weights);
    set_point(scene, a, weights, m, t, out->point_a);
    set_weights(n, edges ? c->v : c->u, edges ? 0 : c->v, weights);
    set_point(scene, b, weights, n, t, out->point_b);
    return true;
}

// ---- all contacts

enum { RANGE = 1024 };

static void place_range(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    placing* p = data;
    const size_t last = (size_t)end * RANGE;
    for (size_t i = (size_t)begin * RANGE; i < (last < p->count ? last : p->count); i++) {
        if (place(p, i)) continue;
        // The smallest number; relaxed: read after the loop has ended, which synchronises.
        uint_fast64_t first = atomic_load_explicit(&p->first, memory_order_relaxed);
        while (i < first && !atomic_compare_exchange_weak_explicit(
                                &p->first, &first, i, memory_order_relaxed, memory_order_relaxed)) {
        }
        return;
    }
}

fracas_status fracas_scene_place_contacts(const fracas_scene* scene, const fracas_contact* contacts,
                                          size_t count, fracas_place_time time,
                                          fracas_contact_place* out) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = scene->context;
    if (!contacts) return frc_fail_null(context, "fracas_scene_place_contacts", "contacts");
    if (!out) return frc_fail_null(context, "fracas_scene_place_contacts", "out");
    if ((unsigned)time > FRACAS_PLACE_AT_END)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT, "time %d is no fracas_place_time",
                        (int)time);
    const fracas_status fetched = frc_scene_fetch(scene);
    if (fetched != FRACAS_OK) return fetched;
    placing p = {.scene = scene, .contacts = contacts, .count = count, .time = time};
    atomic_init(&p.first, UINT64_MAX);
    const uint32_t ranges = (uint32_t)((count + RANGE - 1) / RANGE);
    frc_parallel_for(context, ranges, 1, place_range, &p);
    const uint64_t bad = atomic_load_explicit(&p.first, memory_order_relaxed);
    if (bad != UINT64_MAX) {
        const fracas_contact* c = &contacts[bad];
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "contact %llu (kind %d, bodies %u and %u): a body, triangle or vertex of "
                        "it does not exist; place contacts before the next edit",
                        (unsigned long long)bad, (int)c->kind, c->body_a.index, c->body_b.index);
    }
    p.out = out;
    frc_parallel_for(context, ranges, 1, place_range, &p);
    return FRACAS_OK;
}
