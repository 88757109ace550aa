/// @file rigid_models.c  Boxes, the ground, poses.
#include "rigid/rigid_models.h"
#include "models.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

fracas_pose rigid_pose(double x, double y, double z, const double axis[3], double angle) {
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double a[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
    const double c = cos(angle), s = sin(angle);
    const double cross[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    fracas_pose pose = {
        .translation = {x, y, z}
    };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            pose.rotation[3 * i + j] =
                (i == j ? c : 0) + s * cross[3 * i + j] + (1 - c) * a[i] * a[j];
    return pose;
}

// Six tetrahedra of a cube, each from corner 0 to corner 7 along three edges; positive.
static const uint8_t cube_tets[6][4] = {
    {0, 1, 3, 7},
    {0, 5, 1, 7},
    {0, 3, 2, 7},
    {0, 2, 6, 7},
    {0, 4, 5, 7},
    {0, 6, 4, 7}
};

static void fill_box(const double size[3], const uint32_t n[3], double (*points)[3],
                     uint32_t (*tets)[4]) {
    const uint32_t step[3] = {1, n[0] + 1, (n[0] + 1) * (n[1] + 1)};
    for (uint32_t i = 0; i < step[2] * (n[2] + 1); i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t at = i / step[k] % (n[k] + 1);
            points[i][k] = size[k] * ((double)at / n[k] - 0.5);
        }
    for (uint32_t c = 0; c < n[0] * n[1] * n[2]; c++) {
        const uint32_t first =
            c % n[0] * step[0] + c / n[0] % n[1] * step[1] + c / (n[0] * n[1]) * step[2];
        for (int t = 0; t < 6; t++)
            for (int i = 0; i < 4; i++) {
                const uint32_t corner = cube_tets[t][i];
                tets[6 * c + (uint32_t)t][i] = first + (corner & 1) * step[0] +
                                               (corner >> 1 & 1) * step[1] +
                                               (corner >> 2) * step[2];
            }
    }
}

fracas_status rigid_make_box(rigid_run* run, fracas_context* context, const double size[3],
                             const uint32_t n[3], const fracas_solid** out) {
    const uint32_t points = (n[0] + 1) * (n[1] + 1) * (n[2] + 1), tets = 6 * n[0] * n[1] * n[2];
    double(*p)[3] = malloc(points * sizeof *p);
    uint32_t(*t)[4] = malloc(tets * sizeof *t);
    fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
    fracas_solid** solid = &run->solids[run->solid_count];
    if (p && t) {
        fill_box(size, n, p, t);
        const fracas_tet_view view = {
            .points = {.data = p, .count = points},
              .tets = t[0], .tet_count = tets
        };
        status = fracas_solid_create(context, &view, NULL, solid);
    }
    free(p);
    free(t);
    if (status != FRACAS_OK) return status;
    run->solid_count++;
    *out = *solid;
    return FRACAS_OK;
}

// ---- filled surfaces

static void scale(scenes_mesh* mesh, double length) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        lo[i % 3] = fmin(lo[i % 3], mesh->points[i]);
        hi[i % 3] = fmax(hi[i % 3], mesh->points[i]);
    }
    const double longest = fmax(hi[0] - lo[0], fmax(hi[1] - lo[1], hi[2] - lo[2]));
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
        mesh->points[i] = (mesh->points[i] - (lo[i % 3] + hi[i % 3]) / 2) * (length / longest);
}

fracas_status rigid_make_filled(rigid_run* run, fracas_context* context, scenes_mesh* mesh,
                                double length, uint32_t cells, const fracas_solid** out) {
    scale(mesh, length);
    const fracas_mesh_view view = {
        .points = {.data = mesh->points, .count = mesh->vertex_count},
        .triangles = mesh->triangles,
        .triangle_count = mesh->triangle_count
    };
    fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
    options.cells = cells;
    fracas_tet_mesh* filled;
    fracas_status status = fracas_tet_mesh_create(context, &view, &options, &filled);
    if (status != FRACAS_OK) return status;
    const fracas_tet_view tets = fracas_tet_mesh_get_view(filled);
    fracas_solid** solid = &run->solids[run->solid_count];
    status = fracas_solid_create(context, &tets, NULL, solid);
    fracas_tet_mesh_destroy(filled);
    if (status != FRACAS_OK) return status;
    run->solid_count++;
    *out = *solid;
    return FRACAS_OK;
}

fracas_status rigid_make_bunny(rigid_run* run, fracas_context* context, const rigid_setup* setup,
                               double length, uint32_t cells, const fracas_solid** out) {
    scenes_mesh mesh = {0};
    fracas_status status = FRACAS_OK;
    if (setup->mesh) {
        const scenes_options options = {.mesh = setup->mesh,
                                        .context = context,
                                        .message = setup->message,
                                        .message_size = setup->message_size};
        status = scenes_read_model(&options, 0, &mesh);
    } else if (!scenes_make_rabbit(&mesh, 26)) {
        status = FRACAS_ERROR_OUT_OF_MEMORY;
    }
    // y was up.
    for (uint32_t i = 0; i < mesh.vertex_count && status == FRACAS_OK; i++) {
        double* p = mesh.points + 3 * (size_t)i;
        const double y = p[1];
        p[1] = -p[2];
        p[2] = y;
    }
    if (status == FRACAS_OK) status = rigid_make_filled(run, context, &mesh, length, cells, out);
    scenes_mesh_free(&mesh);
    return status;
}

fracas_status rigid_add_ground(rigid_run* run, fracas_context* context, double side, bool walls) {
    const double depth = side / 2, size[3] = {2 * side, 2 * side, depth};
    const uint32_t one[3] = {1, 1, 1};
    static const double up[3] = {0, 0, 1}, ahead[3] = {1, 0, 0};
    const fracas_solid* box;
    fracas_status status = rigid_make_box(run, context, size, one, &box);
    if (status != FRACAS_OK) return status;
    rigid_placement p = {.solid = box, .pose = rigid_pose(0, 0, -depth / 2, up, 0), .fixed = true};
    status = rigid_add(run->world, &p);
    for (int i = 0; i < 4 && walls && status == FRACAS_OK; i++) {
        // The box on its side: its normal is y; then turned about z.
        const double angle = acos(0) * i, way = (side + depth) / 2;
        const fracas_pose flat = rigid_pose(0, 0, 0, ahead, acos(0)),
                          turn = rigid_pose(0, 0, 0, up, angle);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                p.pose.rotation[3 * r + c] = 0;
                for (int k = 0; k < 3; k++)
                    p.pose.rotation[3 * r + c] +=
                        turn.rotation[3 * r + k] * flat.rotation[3 * k + c];
            }
        p.pose.translation[0] = -sin(angle) * way;
        p.pose.translation[1] = cos(angle) * way;
        p.pose.translation[2] = side;
        status = rigid_add(run->world, &p);
    }
    return status;
}
