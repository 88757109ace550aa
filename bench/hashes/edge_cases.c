// Free edges and vertices, degenerate triangles, and coordinates near the limits of double.
#include "hashes/run.h"
#include <stdlib.h>
#include <string.h>

void hash_free_elements(hash_run* run) {
    enum { CHAINS = 60, POINTS = 80, CHAIN_POINTS = 5 };
    bench_mesh sheet = bench_sheet(14, 14);
    uint32_t first = sheet.point_count, count = first + CHAINS * CHAIN_POINTS + POINTS;
    double* points = bench_allocate((size_t)count * 3, sizeof *points);
    uint32_t edges[2 * CHAINS * (CHAIN_POINTS - 1)], vertices[POINTS], edge_count = 0;
    memcpy(points, sheet.points, (size_t)first * 3 * sizeof *points);
    for (uint32_t i = first; i < count; i++)
        for (uint32_t k = 0; k < 3; k++)
            points[3 * (size_t)i + k] = 0.5 +
                                        0.5 * bench_random(1, (i - first) / CHAIN_POINTS, k, 0) +
                                        0.1 * bench_random(2, i, k, 0) - (k == 2 ? 0.4 : 0.0);
    for (uint32_t c = 0; c < CHAINS; c++) {
        for (uint32_t n = 0; n + 1 < CHAIN_POINTS; n++, edge_count++) {
            edges[2 * edge_count] = first + c * CHAIN_POINTS + n;
            edges[2 * edge_count + 1] = first + c * CHAIN_POINTS + n + 1;
        }
    }
    for (uint32_t i = 0; i < POINTS; i++) vertices[i] = first + CHAINS * CHAIN_POINTS + i;
    // Some free vertices coincide with each other or with a point of a chain: without this, vertex
    // against vertex and vertex against edge would hardly ever be in contact.
    for (uint32_t i = 0; i + 2 < POINTS; i += 8) {
        memcpy(points + 3 * (size_t)vertices[i + 1], points + 3 * (size_t)vertices[i], 24);
        memcpy(points + 3 * (size_t)vertices[i + 2], points + 3 * (size_t)(first + i), 24);
    }
    fracas_mesh_view view = bench_mesh_view(&sheet);
    view.points = bench_points(points, count);
    view.edges = edges, view.edge_count = edge_count;
    view.vertices = vertices, view.vertex_count = POINTS;
    fracas_scene* scene = hash_begin(run, FRACAS_MODE_BOTH);
    fracas_body body;
    hash_must(run, fracas_scene_add(scene, &view, NULL, &body), "add");
    for (uint32_t i = first; i < count; i++)
        for (uint32_t k = 0; k < 3; k++)
            points[3 * (size_t)i + k] += 0.3 * bench_random(3, i, k, 0);
    hash_move(run, scene, body, points, count);
    fracas_query query = hash_query(FRACAS_MODE_BOTH);
    hash_detect(run, scene, &query);
    fracas_scene_destroy(scene);
    free(points);
    bench_mesh_free(&sheet);
}

// Points on a coarse grid: many triangles are coplanar, collinear, coincident or repeated.
static bench_mesh grid_soup(uint32_t seed) {
    bench_mesh mesh = bench_mesh_allocate(60, 110);
    for (uint32_t i = 0; i < mesh.point_count; i++)
        for (uint32_t k = 0; k < 3; k++)
            mesh.points[3 * (size_t)i + k] = (double)(int)(3.0 * bench_random(seed, i, k, 0));
    for (uint32_t t = 0; t < 3 * mesh.triangle_count; t++)
        mesh.triangles[t] = (uint32_t)((bench_random(seed + 1, t, 0, 0) + 1.0) * 30.0);
    for (uint32_t t = 0; t < 20; t++) {
        mesh.triangles[3 * t + 2] = mesh.triangles[3 * t];  // a segment
        if (t < 5) mesh.triangles[3 * t + 1] = mesh.triangles[3 * t];
        memcpy(mesh.triangles + 3 * (80 + t), mesh.triangles + 3 * (20 + t), 12);  // a duplicate
    }
    return mesh;
}

void hash_degenerate(hash_run* run) {
    fracas_query query = hash_query(FRACAS_MODE_BOTH);
    for (uint32_t seed = 0; seed < 3; seed++) {
        bench_mesh from = grid_soup(300 + 10 * seed), to = grid_soup(305 + 10 * seed);
        fracas_scene* scene = hash_begin(run, FRACAS_MODE_BOTH);
        fracas_body body = hash_add(run, scene, &from, FRACAS_MOTION_DEFORMING);
        hash_detect(run, scene, &query);
        hash_move(run, scene, body, to.points, to.point_count);
        hash_detect(run, scene, &query);
        fracas_scene_destroy(scene);
        bench_mesh_free(&from);
        bench_mesh_free(&to);
    }
}

// The same motion at another scale. Products of these coordinates overflow or underflow.
static void scaled(hash_run* run, double scale) {
    const double origin[3] = {0.0, 0.0, 0.0};
    bench_mesh sheet = bench_sheet(12, 12);
    bench_crumple(&sheet, 31, 0.8);
    double* start = bench_points_copy(&sheet);
    bench_crumple(&sheet, 37, 0.4);
    fracas_scene* scene = hash_begin(run, FRACAS_MODE_BOTH);
    bench_place(start, sheet.point_count, scale, origin);
    bench_place(sheet.points, sheet.point_count, scale, origin);
    double* end = sheet.points;
    sheet.points = start;
    fracas_body body = hash_add(run, scene, &sheet, FRACAS_MOTION_DEFORMING);
    hash_move(run, scene, body, end, sheet.point_count);
    fracas_query query = hash_query(FRACAS_MODE_BOTH);
    hash_detect(run, scene, &query);
    fracas_scene_destroy(scene);
    free(end);
    bench_mesh_free(&sheet);
}

// Boxes are floats: below about 1e-45 all of them overlap, so the sheet has few triangles.
void hash_tiny(hash_run* run) {
    scaled(run, 0x1p-140);
    scaled(run, 0x1p-700);
    scaled(run, 0x1p-1040);
}

void hash_huge(hash_run* run) {
    scaled(run, 0x1p+100);
    scaled(run, 0x1p+400);
    scaled(run, 0x1p+1000);
}
