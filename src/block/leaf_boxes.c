/// @file leaf_boxes.c  Compute the boxes of the triangles, edges and points of one leaf.
#include "block/leaf_boxes.h"
#include "block/simd_box.h"

static inline void fit_all(const frc_block* block, const frc_leaf* leaf, frc_lows lows,
                           frc_leaf_boxes* out) {
    const frc_face_slot* face = &block->faces[leaf->face];
    const frc_edge_slot* edge = &block->edges[leaf->edge];
    const uint32_t* vertex = &block->vertices[leaf->vertex];
    span spans[4];
    for (int end = 0; end < 2; end++) {
        for (uint32_t s = 0; s < leaf->face_count; s += 4) {
            for (uint32_t i = 0; i < 4; i++)
                spans[i] = face[s + i].id == FRACAS_NONE ? empty_slot_span()
                                                         : face_span(lows, end, face[s + i].point);
            store_packet(&out->face[s / 2 + (uint32_t)end], spans);
        }
        for (uint32_t s = 0; s < leaf->edge_count; s += 4) {
            for (uint32_t i = 0; i < 4; i++)
                spans[i] = edge[s + i].point[0] == FRACAS_NONE
                               ? empty_slot_span()
                               : edge_span(lows, end, edge[s + i].point);
            store_packet(&out->edge[s / 2 + (uint32_t)end], spans);
        }
        for (uint32_t s = 0; s < leaf->vertex_count; s += 4) {
            for (uint32_t i = 0; i < 4; i++)
                spans[i] = vertex[s + i] == FRACAS_NONE ? empty_slot_span()
                                                        : span_of(lows, end, vertex[s + i]);
            store_packet(&out->vertex[s / 2 + (uint32_t)end], spans);
        }
    }
}

void frc_leaf_boxes_fit(const frc_block* block, const frc_leaf* leaf, const frc_lows* lows,
                        frc_leaf_boxes* out) {
    // With one list for both bounds every position is loaded once.
    if (lows->lo == lows->hi)
        fit_all(block, leaf, same_lows(lows->lo), out);
    else
        fit_all(block, leaf, *lows, out);
}
