/// @file containment.h  Winding numbers of points, and which bodies are closed.
#pragma once
#include "fracas/distance.h"
#include "scene/scene.h"

/// The triangles that a ray counts; `counts` NULL: all of the body.
typedef struct frc_ray_filter {
    bool (*counts)(const void* data, const frc_triangle* triangle);
    const void* data;
    bool stop_on_surface;  // decide whether the point is on a triangle; the winding is not set then
} frc_ray_filter;

typedef struct frc_winding {
    int32_t number;
    bool on_surface;
} frc_winding;

/// The winding number of a point at t = 1. The scene is updated.
frc_winding frc_scene_find_winding(const fracas_scene* scene, const frc_body* body,
                                   const double p[3], const frc_ray_filter* filter);

/// The side of a point; the body is closed.
fracas_side frc_scene_find_side(const fracas_scene* scene, const frc_body* body, const double p[3]);

/// Check that the scene is updated and keeps trees.
fracas_status frc_scene_check_trees(const fracas_scene* scene, const char* call);

/// Check that a body has triangles.
fracas_status frc_scene_check_triangles(const fracas_scene* scene, const frc_body* body);

/// Check that a body has triangles and is closed. Finds out once after each edit of the body.
fracas_status frc_scene_check_closed(const fracas_scene* scene, frc_body* body);

/// Check the arguments of a query of points.
fracas_status frc_scene_check_points(const fracas_scene* scene, const fracas_points* points,
                                     const void* out, const char* call);

/// Check the arguments of a query of pairs of bodies.
fracas_status frc_scene_check_pairs(const fracas_scene* scene, const fracas_body_pair* pairs,
                                    size_t count, const void* out, const char* call);

/// Boxes for the positions at t = 1: those of the end of the step, or of the step.
static inline const frc_tree* frc_block_end_tree(const frc_block* block, bool* has_face_boxes) {
    *has_face_boxes = block->tree[FRC_BOXES_END].nodes != NULL;
    return &block->tree[*has_face_boxes ? FRC_BOXES_END : FRC_BOXES_STEP];
}
