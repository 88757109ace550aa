/// @file generate.h  Generated meshes, bit-identical on every machine: no function of libm but
/// sqrt, and no contraction of products and sums.
#pragma once
#include "fracas/mesh.h"

typedef struct bench_mesh {
    double* points;
    uint32_t* triangles;
    uint32_t point_count, triangle_count;
} bench_mesh;

/// Zeroed memory, aligned to 64 bytes, for free(). Exits with a message when there is none.
void* bench_allocate(size_t count, size_t size);

bench_mesh bench_mesh_allocate(uint32_t point_count, uint32_t triangle_count);
void bench_mesh_free(bench_mesh* mesh);
fracas_mesh_view bench_mesh_view(const bench_mesh* mesh);
fracas_points bench_points(const double* points, uint32_t count);
double* bench_points_copy(const bench_mesh* mesh);  ///< the caller frees it

/// A flat sheet of `columns` x `rows` squares, two triangles each, from (0, 0, 0) to (1, 1, 0); the
/// diagonals alternate.
bench_mesh bench_sheet(uint32_t columns, uint32_t rows);

/// A ball of 8 n^2 triangles about `centre`: a subdivided octahedron projected onto a sphere.
bench_mesh bench_ball(uint32_t n, double radius, const double centre[3]);

/// One mesh of both, vertices and triangles of `b` after those of `a`; both are freed.
bench_mesh bench_join(bench_mesh a, bench_mesh b);

/// A pseudo-random number in [-1, 1), a hash of the arguments.
double bench_random(uint32_t seed, uint32_t i, uint32_t j, uint32_t k);

/// Value noise: random numbers at integer coordinates, smoothly interpolated; in [-1, 1].
double bench_noise(uint32_t seed, const double at[3]);

/// Displace every point by noise of three frequencies. With `amount` 1 a sheet of side 1 gets folds
/// so steep that it intersects itself.
void bench_crumple(bench_mesh* mesh, uint32_t seed, double amount);

/// x -> scale * x + offset
void bench_place(double* points, uint32_t count, double scale, const double offset[3]);

/// The sheet of the benchmarks: 92,450 triangles, crumpled.
bench_mesh bench_crumpled_sheet(void);
