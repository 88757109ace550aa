/// @file triangle_marks.c  Where the tree of a body has its triangles, and which are certified.
#include "fracas/triangle_marks.h"
#include "scene/scene.h"
#include <string.h>

/// A leaf's depth, and the highest node above it, or itself, that is certified.
static fracas_triangle_mark mark_leaf(const frc_block* block, frc_boxes boxes, uint32_t leaf,
                                      uint32_t base) {
    fracas_triangle_mark mark = {0};
    if (frc_block_skips(block, boxes, FRC_REF_LEAF | leaf))
        mark.region = base + block->node_count + leaf + 1;
    const frc_node* nodes = frc_block_links(block);
    if (!nodes) return mark;  // a search method without trees
    for (uint32_t n = block->leaves[leaf].parent; n != FRC_REF_NONE; n = nodes[n].parent) {
        mark.depth++;
        if (frc_block_skips(block, boxes, n)) mark.region = base + n + 1;
    }
    return mark;
}

static void mark_block(const fracas_scene* scene, const frc_block* block, frc_boxes boxes,
                       uint32_t base, fracas_triangle_mark* marks) {
    for (uint32_t l = 0; l < block->leaf_count; l++) {
        const frc_leaf* leaf = &block->leaves[l];
        const fracas_triangle_mark mark = mark_leaf(block, boxes, l, base);
        for (uint32_t i = 0; i < leaf->face_count; i++) {
            const uint32_t id = block->faces[leaf->face + i].id;
            if (id != FRACAS_NONE) marks[scene->topology.triangles.data[id].number] = mark;
        }
    }
}

fracas_status fracas_scene_get_triangle_marks(const fracas_scene* scene, fracas_body handle,
                                              uint32_t mode, fracas_triangle_mark* marks,
                                              uint32_t count) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = scene->context;
    fracas_status status;
    const frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    if (count > 0 && !marks)
        return frc_fail_null(context, "fracas_scene_get_triangle_marks", "marks");
    if ((mode != FRACAS_MODE_DISCRETE && mode != FRACAS_MODE_CONTINUOUS) ||
        !(scene->options.modes & mode))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_scene_get_triangle_marks: mode is %u; it is one of the modes of "
                        "the scene, which are %u",
                        mode, scene->options.modes);
    if (count != body->triangles.count)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_scene_get_triangle_marks: count is %u, but body %u has %zu numbers "
                        "of triangles",
                        count, handle.index, body->triangles.count);
    if (!scene->updated)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the scene has changed: call fracas_scene_update before "
                        "fracas_scene_get_triangle_marks");
    if (count) memset(marks, 0, count * sizeof *marks);
    const frc_boxes boxes = mode == FRACAS_MODE_DISCRETE ? FRC_BOXES_END : FRC_BOXES_STEP;
    uint32_t base = 0;  // regions of blocks have different numbers
    for (size_t b = 0; b < body->blocks.count; b++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[b]];
        if (!block->free_elements) mark_block(scene, block, boxes, base, marks);
        base += block->node_count + block->leaf_count;
    }
    return FRACAS_OK;
}
