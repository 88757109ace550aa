/// @file validate.c  Check meshes of the caller; the message names the first bad element.
#include "mesh/validate.h"
#include "mesh/view.h"
#include <inttypes.h>
#include <math.h>

fracas_status frc_points_check(fracas_context* context, const fracas_points* points) {
    if (points->scalar != FRACAS_SCALAR_DOUBLE && points->scalar != FRACAS_SCALAR_FLOAT)
        return frc_fail(
            context, FRACAS_ERROR_INVALID_ARGUMENT,
            "the points have the scalar %d; it must be FRACAS_SCALAR_DOUBLE or FRACAS_SCALAR_FLOAT",
            (int)points->scalar);
    uint32_t least = points->scalar == FRACAS_SCALAR_FLOAT ? 3 * sizeof(float) : 3 * sizeof(double);
    if (points->stride != 0 && points->stride < least)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the points are %" PRIu32 " bytes apart, but a point has %" PRIu32
                        " bytes; a stride of 0 means tightly packed",
                        points->stride, least);
    if (points->count > 0 && !points->data)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "there are %" PRIu32 " points, but their pointer is NULL", points->count);
    return FRACAS_OK;
}

// Check that a list of `count` elements has a pointer.
static fracas_status check_list(fracas_context* context, const char* what, const uint32_t* list,
                                uint32_t count) {
    if (count == 0 || list) return FRACAS_OK;
    return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                    "there are %" PRIu32 " %s, but their pointer is NULL", count, what);
}

fracas_status frc_mesh_check(fracas_context* context, const fracas_mesh_view* mesh) {
    fracas_status status = frc_points_check(context, &mesh->points);
    if (status == FRACAS_OK)
        status = check_list(context, "triangles", mesh->triangles, mesh->triangle_count);
    if (status == FRACAS_OK) status = check_list(context, "edges", mesh->edges, mesh->edge_count);
    if (status == FRACAS_OK)
        status = check_list(context, "free points", mesh->vertices, mesh->vertex_count);
    return status;
}

fracas_status frc_points_validate(fracas_context* context, const fracas_points* points) {
    for (uint32_t v = 0; v < points->count; v++) {
        double point[3];
        frc_view_point(points, v, point);
        for (int axis = 0; axis < 3; axis++)
            if (!isfinite(point[axis]))
                return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                                "vertex %" PRIu32 " has %c = %g; coordinates must be finite", v,
                                "xyz"[axis], point[axis]);
    }
    return FRACAS_OK;
}

// Check the vertex indices of `count` elements with `corners` indices each.
static fracas_status validate_list(fracas_context* context, const char* what, const uint32_t* list,
                                   uint32_t count, uint32_t corners, uint32_t points) {
    size_t total = (size_t)count * corners;
    for (size_t i = 0; i < total; i++)
        if (list[i] >= points)
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "%s %zu refers to vertex %" PRIu32 " but there are %" PRIu32
                            " vertices; indices count from 0",
                            what, i / corners, list[i], points);
    return FRACAS_OK;
}

fracas_status frc_mesh_validate(fracas_context* context, const fracas_mesh_view* mesh) {
    uint32_t points = mesh->points.count;
    fracas_status status = frc_points_validate(context, &mesh->points);
    if (status == FRACAS_OK)
        status =
            validate_list(context, "triangle", mesh->triangles, mesh->triangle_count, 3, points);
    if (status == FRACAS_OK)
        status = validate_list(context, "edge", mesh->edges, mesh->edge_count, 2, points);
    if (status == FRACAS_OK)
        status =
            validate_list(context, "free point", mesh->vertices, mesh->vertex_count, 1, points);
    return status;
}

fracas_status fracas_mesh_validate(fracas_context* context, const fracas_mesh_view* mesh) {
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!mesh) return frc_fail_null(context, "fracas_mesh_validate", "mesh");
    fracas_status status = frc_mesh_check(context, mesh);
    return status == FRACAS_OK ? frc_mesh_validate(context, mesh) : status;
}

// ---- tetrahedra

fracas_status frc_tets_check(fracas_context* context, const fracas_tet_view* view) {
    fracas_status status = frc_points_check(context, &view->points);
    return status == FRACAS_OK ? check_list(context, "tetrahedra", view->tets, view->tet_count)
                               : status;
}

fracas_status frc_tets_validate(fracas_context* context, const fracas_tet_view* view) {
    fracas_status status = frc_points_validate(context, &view->points);
    return status == FRACAS_OK ? validate_list(context, "tetrahedron", view->tets, view->tet_count,
                                               4, view->points.count)
                               : status;
}

fracas_status fracas_tet_validate(fracas_context* context, const fracas_tet_view* view) {
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!view) return frc_fail_null(context, "fracas_tet_validate", "view");
    fracas_status status = frc_tets_check(context, view);
    return status == FRACAS_OK ? frc_tets_validate(context, view) : status;
}
