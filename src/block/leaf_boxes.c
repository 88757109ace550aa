#include "block/leaf_boxes.h"
#include "block/simd_box.h"

static inline void fit_faces(const frc_block* block, const frc_leaf* leaf, frc_lows lows, int end,
                             frc_box4* out) {
    const frc_face_slot* slot = &block->faces[leaf->face];
    for (uint32_t s = 0; s < leaf->face_count; s += 4, slot += 4, out += 2) {
        span spans[4];
        for (int i = 0; i < 4; i++)
            spans[i] = slot[i].id == FRACAS_NONE ? no_span() : face_span(lows, end, slot[i].point);
        store_packet(out, spans);
    }
}

static inline void fit_edges(const frc_block* block, const frc_leaf* leaf, frc_lows lows, int end,
                             frc_box4* out) {
    const frc_edge_slot* slot = &block->edges[leaf->edge];
    for (uint32_t s = 0; s < leaf->edge_count; s += 4, slot += 4, out += 2) {
        span spans[4];
        for (int i = 0; i < 4; i++)
            spans[i] =
                slot[i].point[0] == FRACAS_NONE ? no_span() : edge_span(lows, end, slot[i].point);
        store_packet(out, spans);
    }
}

static inline void fit_vertices(const frc_block* block, const frc_leaf* leaf, frc_lows lows,
                                int end, frc_box4* out) {
    const uint32_t* slot = &block->vertices[leaf->vertex];
    for (uint32_t s = 0; s < leaf->vertex_count; s += 4, slot += 4, out += 2) {
        span spans[4];
        for (int i = 0; i < 4; i++)
            spans[i] = slot[i] == FRACAS_NONE ? no_span() : span_of(lows, end, slot[i]);
        store_packet(out, spans);
    }
}

static inline void fit_all(const frc_block* block, const frc_leaf* leaf, frc_lows lows,
                           frc_leaf_boxes* out) {
    for (int end = 0; end < 2; end++) {
        fit_faces(block, leaf, lows, end, out->face + end);
        fit_edges(block, leaf, lows, end, out->edge + end);
        fit_vertices(block, leaf, lows, end, out->vertex + end);
    }
}

void frc_leaf_boxes_fit(const frc_block* block, const frc_leaf* leaf, const frc_lows* lows,
                        frc_leaf_boxes* out) {
    if (lows->lo == lows->hi)
        fit_all(block, leaf, same_lows(lows->lo), out);
    else
        fit_all(block, leaf, *lows, out);
}
