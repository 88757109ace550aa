/// @file build.h  The steps from a closed surface to a medial mesh.
///
/// Based on: li2015 (simplification), thiery2013 (quadrics of spheres). Samples of the surface;
/// their Delaunay tetrahedra, whose circumcentres inside the surface are spheres; edges and
/// triangles between them from Voronoi faces; edge collapses; fitting of the spheres to the
/// surface.
#pragma once
#include "base/array.h"
#include "bvh/surface.h"
#include "fracas/medial_mesh.h"
#include "mesh/closed_surface.h"

// ---- the surface

typedef enum frc_sample_kind { FRC_ON_FACE, FRC_ON_EDGE, FRC_ON_CORNER } frc_sample_kind;

/// A point of the surface, with the normal of its triangle, or the unit vector along its sharp
/// edge.
typedef struct frc_sample {
    double at[3], direction[3];
    frc_sample_kind kind;
} frc_sample;

typedef FRC_ARRAY(frc_sample) frc_samples;

/// A triangle of the surface by cells of x and y, for vertical rays.
typedef struct frc_ray_grid {
    double lo[2], cell;
    uint32_t size[2];
    uint32_t *first, *faces;  // by cell, one more; triangles
    size_t first_count, face_count;
} frc_ray_grid;

// ---- the complex

/// A sum of squares: of (normal . (at - centre) - radius), the distances of a sphere inside from
/// tangent planes; and at sharp edges and corners, which a sphere of radius 0 touches, of its
/// distance and of its radius. It is x A x - 2 b x + c for x = (centre, radius).
typedef struct frc_sphere_quadric {
    double a[10];  // upper triangle, by rows
    double b[4], c;
    double weight;  // sum of the weights of the planes
} frc_sphere_quadric;

typedef struct frc_medial_vertex {
    double sphere[4];
    frc_sphere_quadric quadric;
    uint32_t first_edge, first_corner;  // heads of lists; FRACAS_NONE: empty
    bool dead;
} frc_medial_vertex;

/// Edges and triangles of a vertex are lists through their ends and corners: number 2 * edge + k,
/// and 3 * triangle + k. Dead ones stay in the lists.
typedef struct frc_medial_edge {
    uint32_t end[2], next[2];
    uint32_t version;  // FRACAS_NONE: dead
} frc_medial_edge;

typedef struct frc_medial_triangle {
    uint32_t corner[3], next[3];
    bool dead;
} frc_medial_triangle;

typedef struct frc_complex {
    FRC_ARRAY(frc_medial_vertex) vertices;
    FRC_ARRAY(frc_medial_edge) edges;
    FRC_ARRAY(frc_medial_triangle) triangles;
    uint32_t alive;  // vertices
} frc_complex;

// ---- the result

struct fracas_medial_mesh {
    fracas_context* context;
    FRC_ARRAY(fracas_medial_sphere) spheres;
    FRC_ARRAY(uint32_t) edges;      // two each
    FRC_ARRAY(uint32_t) triangles;  // three each
    fracas_medial_mesh_info info;
};

/// Set the counts in the information.
void frc_medial_count(fracas_medial_mesh* mesh);

typedef struct frc_medial_build {
    fracas_context* context;
    const fracas_medial_mesh_options* options;
    frc_closed_surface closed;
    frc_surface surface;
    frc_ray_grid rays;
    double diagonal, area;
    frc_samples samples;
    double spacing;  // between neighbouring samples
    frc_complex complex;
    double from, to, reported;  // progress of the current step, and the last reported
    bool stopped;               // by the progress function
} frc_medial_build;

static inline frc_surface_points frc_medial_points(const frc_medial_build* b) {
    return (frc_surface_points){(const char*)b->closed.points, sizeof *b->closed.points};
}

/// The next step is this part of the progress.
static inline void frc_medial_step(frc_medial_build* b, double from, double to) {
    b->from = from, b->to = to;
}

/// Report the completed part of the step, from the calling thread. False: stop.
bool frc_medial_proceed(frc_medial_build* b, double part);
bool frc_medial_stopped(const frc_medial_build* b);

/// FRACAS_OK, or the failure of a call that was stopped or, with `ok` false, has no memory.
fracas_status frc_medial_finish(const frc_medial_build* b, bool ok, size_t size);

// ---- intersections.c

/// Do two triangles of the surface intersect? Fails with FRACAS_ERROR_BAD_DATA and their numbers.
fracas_status frc_medial_check_intersections(frc_medial_build* b);

// ---- rays.c

bool frc_ray_grid_create(frc_medial_build* b);
void frc_ray_grid_release(frc_medial_build* b);
/// How often the surface winds around a point; exact.
int32_t frc_winding_number(const frc_medial_build* b, const double p[3]);

// ---- samples.c

/// Set `samples`, `spacing` and `area`: about `count` points at nearly equal distances on the
/// surface, its sharp convex corners and edges among them. False: no memory.
bool frc_sample_surface(frc_medial_build* b, uint32_t count);

// ---- voronoi.c

/// Fill the complex with the medial part of the Voronoi diagram of the samples.
fracas_status frc_medial_voronoi(frc_medial_build* b);

// ---- complex.c

bool frc_complex_add_vertex(fracas_context* context, frc_complex* c, const double sphere[4]);
/// Repeated edges and triangles must not be added.
bool frc_complex_add_edge(fracas_context* context, frc_complex* c, uint32_t u, uint32_t v);
bool frc_complex_add_triangle(fracas_context* context, frc_complex* c, const uint32_t corner[3]);
void frc_complex_release(fracas_context* context, frc_complex* c);

/// The tangent plane, edge or corner of a sample.
void frc_quadric_add_sample(frc_sphere_quadric* q, const frc_sample* sample, double weight);
void frc_quadric_add(frc_sphere_quadric* q, const frc_sphere_quadric* other);
double frc_quadric_error(const frc_sphere_quadric* q, const double sphere[4]);

// ---- collapse.c

/// Collapse edges until `count` vertices are left, or no edge can be collapsed without changing the
/// topology; and on while that changes nothing. False: no memory.
bool frc_complex_collapse(frc_medial_build* b, uint32_t count);

/// What is left, numbered again, into an empty mesh. False: no memory.
bool frc_complex_copy(fracas_context* context, const frc_complex* c, fracas_medial_mesh* mesh);

// ---- simplify.c

/// Collapse and fit: spheres, edges and triangles of the result.
fracas_status frc_medial_simplify(frc_medial_build* b, fracas_medial_mesh* mesh);

// ---- cover.c

/// Single spheres: those of the complex that touch most of the samples within the same small
/// distance, then fitted.
fracas_status frc_medial_cover(frc_medial_build* b, fracas_medial_mesh* mesh);

// ---- measure.c

/// From the surface to the shape; `*covered` is the share within 0.1 % of the diagonal, `*outside`
/// the largest distance of a sample outside the shape. False: no memory.
bool frc_medial_measure_surface(frc_medial_build* b, const fracas_medial_view* view,
                                fracas_medial_fit* out, double* covered, double* outside);
/// Fill in all distances and volumes. False: no memory.
bool frc_medial_measure(frc_medial_build* b, const fracas_medial_view* view,
                        fracas_medial_mesh_info* info);

// ---- prune.c

/// Remove slabs whose boundary is nowhere farther than `gap` from what is left. False: no memory.
bool frc_medial_prune(fracas_medial_mesh* mesh, double gap);

// ---- fill.c

/// Add slabs that bring the shape nearer to samples far outside it. `farthest` is the largest
/// distance. False: no memory.
bool frc_medial_fill(frc_medial_build* b, fracas_medial_mesh* mesh, const frc_samples* samples,
                     double farthest);
