#include "bvh/features.h"
#include "bvh/register_box.h"

static void fit_faces(const frc_block* block, const frc_leaf* leaf, const frc_point_box* point_box,
                      frc_box4* out) {
    const frc_face_slot* slot = &block->faces[leaf->face];
    for (uint32_t s = 0; s < leaf->face_count; s += 4, slot += 4, out += 2) {
        box boxes[4];
        for (int i = 0; i < 4; i++)
            boxes[i] = slot[i].id == FRACAS_NONE ? no_box() : face_box(point_box, slot[i].point);
        store_packet(out, boxes);
    }
}

static void fit_edges(const frc_block* block, const frc_leaf* leaf, const frc_point_box* point_box,
                      frc_box4* out) {
    const frc_edge_slot* slot = &block->edges[leaf->edge];
    for (uint32_t s = 0; s < leaf->edge_count; s += 4, slot += 4, out += 2) {
        box boxes[4];
        for (int i = 0; i < 4; i++)
            boxes[i] =
                slot[i].point[0] == FRACAS_NONE ? no_box() : edge_box(point_box, slot[i].point);
        store_packet(out, boxes);
    }
}

static void fit_vertices(const frc_block* block, const frc_leaf* leaf,
                         const frc_point_box* point_box, frc_box4* out) {
    const uint32_t* slot = &block->vertices[leaf->vertex];
    for (uint32_t s = 0; s < leaf->vertex_count; s += 4, slot += 4, out += 2) {
        box boxes[4];
        for (int i = 0; i < 4; i++)
            boxes[i] = slot[i] == FRACAS_NONE ? no_box() : load_box(&point_box[slot[i]]);
        store_packet(out, boxes);
    }
}

void frc_features_fit(const frc_block* block, const frc_leaf* leaf,
                      const frc_point_box* const point_boxes[2], frc_features* out) {
    for (int end = 0; end < 2; end++) {
        fit_faces(block, leaf, point_boxes[end], out->face + end);
        fit_edges(block, leaf, point_boxes[end], out->edge + end);
        fit_vertices(block, leaf, point_boxes[end], out->vertex + end);
    }
}
