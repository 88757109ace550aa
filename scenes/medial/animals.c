/// @file animals.c  Animals by their measures: a body of slabs, and chains of cones.
#include "medial/animals.h"
#include <math.h>
#include <stdlib.h>

enum { BODY = 32, LEG = 16, NECK = 14, TAIL = 24, HEAD = 8, TWIG = 10 };

// Lengths as parts of the length of the body.
typedef struct animal {
    const char* name;
    double height;       // of the legs
    double girth;        // of the body: the radius
    double width;        // between the two rows of spheres of the body
    uint32_t legs;       // in pairs
    double spread;       // of the legs to the side
    double leg;          // the radius of a leg at the top
    double neck, rise;   // the length; how steep it is
    double head;         // the radius
    double tail, fall;   // the length; how much it hangs
    double horns, ears;  // their lengths
    double plates;       // the height of a row of plates on the back
    double fins;         // the length of fins at the sides
} animal;

static const animal animals[ANIMALS_COUNT] = {
    {"deer",      0.75, 0.13, 0.10, 2, 0.02, 0.05, 0.45, 1.3, 0.09, 0.12, 0.3, 0.40, 0.12, 0,    0  },
    {"cow",       0.50, 0.21, 0.16, 2, 0.03, 0.07, 0.28, 0.5, 0.13, 0.45, 1.0, 0.15, 0.10, 0,    0  },
    {"armadillo", 0.40, 0.24, 0.20, 2, 0.15, 0.10, 0.15, 0.8, 0.13, 0.60, 0.4, 0,    0.18, 0.10, 0  },
    {"bear",      0.42, 0.27, 0.18, 2, 0.06, 0.12, 0.18, 0.4, 0.16, 0.06, 0.2, 0,    0.08, 0,    0  },
    {"bug",       0.22, 0.22, 0.22, 3, 0.35, 0.03, 0.06, 0.1, 0.14, 0.05, 0.0, 0.35, 0,    0,    0.5},
    {"dolphin",   0,    0.17, 0.08, 0, 0,    0,    0.12, 0.0, 0.12, 0.45, 0.2, 0,    0,    0.15, 0.3},
    {"spider",    0.35, 0.17, 0.14, 4, 0.55, 0.03, 0.05, 0.1, 0.10, 0.05, 0.0, 0.1,  0,    0,    0  },
    {"rabbit",    0.20, 0.26, 0.14, 2, 0.06, 0.09, 0.15, 1.0, 0.17, 0.08, 0.0, 0,    0.45, 0,    0  },
    {"dinosaur",  0.45, 0.20, 0.12, 2, 0.06, 0.09, 0.75, 0.9, 0.09, 1.00, 0.3, 0,    0,    0.20, 0  },
};

const char* animals_name(uint32_t which) { return animals[which].name; }

// ---- parts

// Memory for one more of `count` entries of a size; a power of two of them is kept.
static bool grow(animals_mesh* m, void** data, uint32_t count, size_t size) {
    if (m->failed) return false;
    if (count & (count - 1) || count == 1) return true;
    void* bigger = realloc(*data, 2 * (count > 0 ? count : 1) * size);
    if (bigger)
        *data = bigger;
    else
        m->failed = true;
    return bigger != NULL;
}

static uint32_t add_sphere(animals_mesh* m, double x, double y, double z, double radius) {
    if (grow(m, (void**)&m->spheres, m->sphere_count, sizeof *m->spheres))
        m->spheres[m->sphere_count++] = (fracas_medial_sphere){
            {x, y, z},
            radius
        };
    return m->sphere_count - 1;
}

static void add_edge(animals_mesh* m, uint32_t a, uint32_t b) {
    if (!grow(m, (void**)&m->edges, m->edge_count, 2 * sizeof *m->edges)) return;
    m->edges[2 * m->edge_count] = a;
    m->edges[2 * m->edge_count++ + 1] = b;
}

static void add_triangle(animals_mesh* m, uint32_t a, uint32_t b, uint32_t c) {
    if (!grow(m, (void**)&m->triangles, m->triangle_count, 3 * sizeof *m->triangles)) return;
    uint32_t* t = &m->triangles[3 * m->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

// Cones from a sphere along an arc: to a point, bent at half way by a displacement, with a radius
// that goes to `last`.
static uint32_t add_limb(animals_mesh* m, uint32_t from, const double to[3], const double bend[3],
                         double first, double last, uint32_t count) {
    if (m->failed) return 0;
    const fracas_medial_sphere root = m->spheres[from];
    for (uint32_t i = 1; i <= count; i++) {
        const double t = (double)i / count, arc = 4 * t * (1 - t);
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = root.center[k] + t * (to[k] - root.center[k]) + arc * bend[k];
        const uint32_t next = add_sphere(m, at[0], at[1], at[2], first + t * (last - first));
        add_edge(m, from, next);
        from = next;
    }
    return from;
}

// ---- animals

typedef struct body {
    uint32_t left[BODY + 1], right[BODY + 1];
    double z;  // of the axis
} body;

static void add_body(animals_mesh* m, const animal* a, body* out) {
    out->z = a->height + a->girth;
    for (uint32_t i = 0; i <= BODY; i++) {
        const double t = (double)i / BODY, x = t - 0.5, full = sqrt(1 - 0.8 * pow(2 * t - 1, 4));
        const double z = out->z + 0.04 * sin(6 * t), r = a->girth * full;
        out->left[i] = add_sphere(m, x, a->width * full, z, r);
        out->right[i] = add_sphere(m, x, -a->width * full, z, r);
        if (i == 0) continue;
        add_triangle(m, out->left[i - 1], out->right[i - 1], out->left[i]);
        add_triangle(m, out->right[i - 1], out->right[i], out->left[i]);
    }
}

static void add_legs(animals_mesh* m, const animal* a, const body* b) {
    for (uint32_t pair = 0; pair < a->legs; pair++)
        for (int side = -1; side <= 1; side += 2) {
            const double t = a->legs > 1 ? 0.12 + 0.76 * pair / (a->legs - 1) : 0.5;
            const uint32_t station = (uint32_t)(t * BODY);
            const uint32_t root = side > 0 ? b->left[station] : b->right[station];
            const double to[3] = {t - 0.5 + 0.05 * (2 * t - 1), side * (a->width + a->spread),
                                  a->leg * 0.6};
            const double bend[3] = {0.03 * (pair % 2 ? 1 : -1), side * 0.3 * a->spread,
                                    0.25 * a->spread};
            add_limb(m, root, to, bend, a->leg, a->leg * 0.6, LEG);
        }
}

static void add_head(animals_mesh* m, const animal* a, const body* b) {
    const double slope = 1 / sqrt(1 + a->rise * a->rise);
    const double end[3] = {0.5 + a->neck * slope, 0, b->z + a->neck * slope * a->rise};
    const double bend[3] = {0, 0, -0.1 * a->neck}, still[3] = {0, 0, 0};
    const uint32_t neck = add_limb(m, b->left[BODY], end, bend, a->girth * 0.6, a->head, NECK);
    const double nose[3] = {end[0] + 2 * a->head, 0, end[2] - 0.6 * a->head};
    add_limb(m, neck, nose, still, a->head, 0.5 * a->head, HEAD);
    for (int side = -1; side <= 1; side += 2) {
        const double up = end[2] + a->head;
        const double horn[3] = {end[0] - 0.3 * a->horns, side * (0.05 + 0.6 * a->horns),
                                up + a->horns};
        const double out[3] = {0, side * 0.15 * a->horns, -0.1 * a->horns};
        if (a->horns > 0) {
            const uint32_t tip = add_limb(m, neck, horn, out, 0.02, 0.008, TWIG);
            const double twig[3] = {end[0] + 0.3 * a->horns, side * (0.05 + 0.3 * a->horns),
                                    up + 0.9 * a->horns};
            if (!m->failed) add_limb(m, tip - TWIG / 2, twig, still, 0.015, 0.006, TWIG / 2);
        }
        const double ear[3] = {end[0] - 0.4 * a->ears, side * (a->head + 0.3 * a->ears),
                               up + 0.8 * a->ears};
        if (a->ears > 0) add_limb(m, neck, ear, still, 0.03, 0.015, TWIG);
    }
}

static void add_tail(animals_mesh* m, const animal* a, const body* b) {
    const double to[3] = {-0.5 - a->tail, 0, fmax(0.02, b->z - a->fall * a->tail)};
    const double bend[3] = {0, 0.05 * a->tail, 0.05 * a->tail};
    add_limb(m, b->right[0], to, bend, a->girth * 0.4, 0.015, TAIL);
}

// Slabs: a row of plates on the back, and fins at the sides.
static void add_plates(animals_mesh* m, const animal* a, const body* b) {
    for (uint32_t i = 4; i + 4 < BODY && a->plates > 0; i += 2) {
        const double x = (i + 1.0) / BODY - 0.5;
        const uint32_t tip = add_sphere(m, x, 0, b->z + a->girth + a->plates, 0.008);
        add_triangle(m, b->left[i], b->left[i + 2], tip);
    }
    for (int side = -1; side <= 1 && a->fins > 0; side += 2) {
        const uint32_t* row = side > 0 ? b->left : b->right;
        for (uint32_t i = 8; i < 20; i += 2) {
            const double x = i / (double)BODY - 0.7;
            const uint32_t tip = add_sphere(m, x, side * (a->width + a->fins), b->z, 0.01);
            add_triangle(m, row[i], row[i + 2], tip);
        }
    }
}

void animals_make(uint32_t which, animals_mesh* out) {
    const animal* a = &animals[which];
    body b;
    *out = (animals_mesh){0};
    add_body(out, a, &b);
    add_legs(out, a, &b);
    add_head(out, a, &b);
    add_tail(out, a, &b);
    add_plates(out, a, &b);
}

// ---- simple models

void animals_make_ring(uint32_t count, double radius, double thickness, animals_mesh* out) {
    *out = (animals_mesh){0};
    for (uint32_t i = 0; i < count; i++) {
        const double angle = 2 * 3.14159265358979 * i / count;
        add_sphere(out, radius * cos(angle), radius * sin(angle), 0, thickness);
        add_edge(out, i, (i + 1) % count);
    }
}

void animals_make_rod(const double from[3], const double to[3], double radius, animals_mesh* out) {
    *out = (animals_mesh){0};
    add_sphere(out, from[0], from[1], from[2], radius);
    add_sphere(out, to[0], to[1], to[2], radius);
    add_edge(out, 0, 1);
}

fracas_medial_view animals_view(const animals_mesh* m) {
    return (fracas_medial_view){m->spheres,      m->edges,      m->triangles,
                                m->sphere_count, m->edge_count, m->triangle_count};
}

void animals_free(animals_mesh* mesh) {
    free(mesh->spheres);
    free(mesh->edges);
    free(mesh->triangles);
    *mesh = (animals_mesh){0};
}
