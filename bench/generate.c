// Meshes for the benchmarks: sheets, balls and noise.
#include "generate.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void* bench_allocate(size_t count, size_t size) {
    // Aligned to cache lines, so that times do not depend on where an array happens to be.
    size_t bytes = (count * size + 127) / 64 * 64;
    void* memory = aligned_alloc(64, bytes);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(4);
    }
    return memset(memory, 0, bytes);
}

bench_mesh bench_mesh_allocate(uint32_t point_count, uint32_t triangle_count) {
    bench_mesh mesh = {0};
    mesh.points = bench_allocate((size_t)point_count * 3, sizeof(double));
    mesh.triangles = bench_allocate((size_t)triangle_count * 3, sizeof(uint32_t));
    mesh.point_count = point_count;
    mesh.triangle_count = triangle_count;
    return mesh;
}

void bench_mesh_free(bench_mesh* mesh) {
    free(mesh->points);
    free(mesh->triangles);
    memset(mesh, 0, sizeof *mesh);
}

fracas_points bench_points(const double* points, uint32_t count) {
    fracas_points view = {.data = points, .count = count, .scalar = FRACAS_SCALAR_DOUBLE};
    return view;
}

fracas_mesh_view bench_mesh_view(const bench_mesh* mesh) {
    fracas_mesh_view view = {.points = bench_points(mesh->points, mesh->point_count),
                             .triangles = mesh->triangles,
                             .triangle_count = mesh->triangle_count};
    return view;
}

double* bench_points_copy(const bench_mesh* mesh) {
    double* copy = bench_allocate((size_t)mesh->point_count * 3, sizeof(double));
    memcpy(copy, mesh->points, (size_t)mesh->point_count * 3 * sizeof(double));
    return copy;
}

static void set_triangle(bench_mesh* mesh, size_t t, uint32_t a, uint32_t b, uint32_t c) {
    mesh->triangles[3 * t] = a;
    mesh->triangles[3 * t + 1] = b;
    mesh->triangles[3 * t + 2] = c;
}

// The square with corners a b / c d; `rising` chooses the diagonal b-c.
static void set_square(bench_mesh* mesh, size_t square, const uint32_t corners[4], bool rising) {
    uint32_t a = corners[0], b = corners[1], c = corners[2], d = corners[3];
    set_triangle(mesh, 2 * square, a, b, rising ? c : d);
    set_triangle(mesh, 2 * square + 1, rising ? b : a, d, c);
}

bench_mesh bench_sheet(uint32_t columns, uint32_t rows) {
    bench_mesh mesh = bench_mesh_allocate((columns + 1) * (rows + 1), 2 * columns * rows);
    for (uint32_t j = 0; j <= rows; j++) {
        for (uint32_t i = 0; i <= columns; i++) {
            double* p = mesh.points + 3 * ((size_t)j * (columns + 1) + i);
            p[0] = (double)i / columns;
            p[1] = (double)j / rows;
        }
    }
    for (uint32_t j = 0; j < rows; j++) {
        for (uint32_t i = 0; i < columns; i++) {
            uint32_t a = j * (columns + 1) + i, c = a + columns + 1;
            const uint32_t corners[4] = {a, a + 1, c, c + 1};
            set_square(&mesh, (size_t)j * columns + i, corners, (i + j) % 2 == 0);
        }
    }
    return mesh;
}

// The octahedron is a square of 2n x 2n folded so that its corners meet: on its border (n, j) and
// (n, -j) are one point. Replaces (i, j) by the representative with non-negative coordinates.
static void unify_border(int n, int* i, int* j) {
    if (*i == n || *i == -n) *j = abs(*j);
    if (*j == n || *j == -n) *i = abs(*i);
    if (*i == n || *i == -n) *j = abs(*j);
}

static void ball_point(int n, int i, int j, double radius, const double centre[3], double out[3]) {
    int beyond = abs(i) + abs(j) - n;
    double x = i, y = j, z = -beyond;
    if (beyond > 0) {
        x = (i < 0 ? -1 : 1) * (n - abs(j));
        y = (j < 0 ? -1 : 1) * (n - abs(i));
    }
    double length = sqrt((x * x + y * y) + z * z);
    out[0] = centre[0] + radius * (x / length);
    out[1] = centre[1] + radius * (y / length);
    out[2] = centre[2] + radius * (z / length);
}

bench_mesh bench_ball(uint32_t count, double radius, const double centre[3]) {
    int n = (int)count, width = 2 * n + 1;
    bench_mesh mesh = bench_mesh_allocate(4 * count * count + 2, 8 * count * count);
    uint32_t* numbers = bench_allocate((size_t)width * (size_t)width, sizeof *numbers);
    uint32_t made = 0;
    for (int j = -n; j <= n; j++) {
        for (int i = -n; i <= n; i++) {
            int ti = i, tj = j;
            unify_border(n, &ti, &tj);
            if (ti != i || tj != j) continue;
            ball_point(n, i, j, radius, centre, mesh.points + 3 * (size_t)made);
            numbers[(j + n) * width + i + n] = made++;
        }
    }
    for (int j = -n; j < n; j++) {
        for (int i = -n; i < n; i++) {
            uint32_t corners[4];
            for (int k = 0; k < 4; k++) {
                int ci = i + k % 2, cj = j + k / 2;
                unify_border(n, &ci, &cj);
                corners[k] = numbers[(cj + n) * width + ci + n];
            }
            set_square(&mesh, (size_t)((j + n) * 2 * n + i + n), corners, (i < 0) == (j < 0));
        }
    }
    free(numbers);
    return mesh;
}

bench_mesh bench_join(bench_mesh a, bench_mesh b) {
    bench_mesh mesh =
        bench_mesh_allocate(a.point_count + b.point_count, a.triangle_count + b.triangle_count);
    memcpy(mesh.points, a.points, (size_t)a.point_count * 3 * sizeof(double));
    memcpy(mesh.points + 3 * (size_t)a.point_count, b.points,
           (size_t)b.point_count * 3 * sizeof(double));
    memcpy(mesh.triangles, a.triangles, (size_t)a.triangle_count * 3 * sizeof(uint32_t));
    uint32_t* triangles = mesh.triangles + 3 * (size_t)a.triangle_count;
    for (size_t i = 0; i < (size_t)b.triangle_count * 3; i++)
        triangles[i] = b.triangles[i] + a.point_count;
    bench_mesh_free(&a);
    bench_mesh_free(&b);
    return mesh;
}

double bench_random(uint32_t seed, uint32_t i, uint32_t j, uint32_t k) {
    uint64_t h = seed;
    const uint32_t keys[3] = {i, j, k};
    for (int n = 0; n < 3; n++) {
        h = (h ^ keys[n]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    h *= UINT64_C(0xd6e8feb86659fd93);
    return (double)(int32_t)(uint32_t)(h >> 32) * 0x1p-31;
}

double bench_noise(uint32_t seed, const double at[3]) {
    uint32_t cell[3];
    double weight[3];
    for (int k = 0; k < 3; k++) {
        // Shifted to positive numbers, for which the conversion rounds down.
        double shifted = at[k] + 1048576.0;
        cell[k] = (uint32_t)shifted;
        double x = shifted - cell[k];
        weight[k] = x * x * (3.0 - 2.0 * x);
    }
    double sum = 0.0;
    for (uint32_t corner = 0; corner < 8; corner++) {
        double w = 1.0;
        for (uint32_t k = 0; k < 3; k++) w *= corner >> k & 1 ? weight[k] : 1.0 - weight[k];
        sum += w * bench_random(seed, cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1),
                                cell[2] + (corner >> 2 & 1));
    }
    return sum;
}

void bench_crumple(bench_mesh* mesh, uint32_t seed, double amount) {
    static const double frequency[3] = {3.0, 9.0, 22.0}, reach[3] = {0.35, 0.13, 0.035};
    for (size_t i = 0; i < mesh->point_count; i++) {
        double *p = mesh->points + 3 * i, sum[3] = {p[0], p[1], p[2]};
        for (uint32_t octave = 0; octave < 3; octave++) {
            double at[3];
            for (int k = 0; k < 3; k++) at[k] = frequency[octave] * p[k];
            for (uint32_t k = 0; k < 3; k++)
                sum[k] += amount * reach[octave] * bench_noise(seed + 3 * octave + k, at);
        }
        memcpy(p, sum, sizeof sum);
    }
}

void bench_place(double* points, uint32_t count, double scale, const double offset[3]) {
    for (size_t i = 0; i < (size_t)count * 3; i++) points[i] = scale * points[i] + offset[i % 3];
}

bench_mesh bench_crumpled_sheet(void) {
    bench_mesh mesh = bench_sheet(215, 215);
    bench_crumple(&mesh, 1, 1.0);
    return mesh;
}
