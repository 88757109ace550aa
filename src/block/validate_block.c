/// @file validate_block.c  Check every invariant of a block: slow, for tests and debug builds.
#include "block/block.h"

static bool encloses(const frc_box4* outer, uint32_t outer_lane, const frc_box4* inner,
                     uint32_t inner_lane) {
    for (int k = 0; k < 3; k++) {
        float lo = inner->lo[k][inner_lane], hi = inner->hi[k][inner_lane];
        if (lo != lo) return true;  // empty
        if (!(outer->lo[k][outer_lane] <= lo && hi <= outer->hi[k][outer_lane])) return false;
    }
    return true;
}

static const char* check_links(const frc_block* block, const frc_tree* tree) {
    for (uint32_t n = 0; n < block->node_count; n++)
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t child = tree->nodes[n].child[i];
            if (child == FRC_REF_NONE) continue;
            if (child & FRC_REF_LEAF) {
                uint32_t leaf = child & ~FRC_REF_LEAF;
                if (leaf >= block->leaf_count) return "a child is a leaf that does not exist";
                if (block->leaves[leaf].parent != n || block->leaves[leaf].lane != i)
                    return "a leaf has a wrong parent or lane";
            } else {
                if (child <= n || child >= block->node_count)
                    return "a child has a smaller number than its parent";
                if (tree->nodes[child].parent != n || tree->nodes[child].lane != i)
                    return "a node has a wrong parent or lane";
                for (uint32_t j = 0; j < 4; j++)
                    if (!encloses(&tree->nodes[n].box, i, &tree->nodes[child].box, j))
                        return "a node's box does not enclose its child";
            }
        }
    return NULL;
}

static const char* check_leaf_boxes(const frc_block* block, const frc_tree* tree) {
    for (uint32_t l = 0; l < block->leaf_count; l++) {
        const frc_leaf* leaf = &block->leaves[l];
        if (leaf->parent == FRC_REF_NONE) continue;  // not in use
        const frc_box4* box = &tree->nodes[leaf->parent].box;
        for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count && tree->face_box; s++)
            if (!encloses(box, leaf->lane, &tree->face_box[s / 4], s % 4))
                return "a leaf's box does not enclose its triangle";
        for (uint32_t end = 0; end < 2 && tree->leaf_box; end++) {
            const frc_box* at = &tree->leaf_box[2 * l + end];
            for (int k = 0; k < 3; k++)
                if (at->lo[k] <= at->hi[k] &&
                    !(box->lo[k][leaf->lane] <= at->lo[k] && at->hi[k] <= box->hi[k][leaf->lane]))
                    return "a leaf's box of the step does not enclose that of one end";
        }
    }
    return NULL;
}

static const char* check_places(const frc_block* block, const frc_topology* topology,
                                uint32_t number) {
    uint32_t live = 0;
    for (uint32_t s = 0; s < block->face_slots; s++) {
        const frc_face_slot* slot = &block->faces[s];
        if (slot->id == FRACAS_NONE) continue;
        const frc_triangle* t = &topology->triangles.data[slot->id];
        if (t->place.block != number || t->place.slot != s)
            return "the place of a triangle is wrong";
        for (int k = 0; k < 3; k++)
            if (t->point[k] != slot->point[k])
                return "the corners of a slot and its triangle differ";
        live++;
    }
    for (uint32_t s = 0; s < block->edge_slots; s++) {
        const uint32_t* point = block->edges[s].point;
        if (point[0] == FRACAS_NONE) continue;
        uint32_t id = frc_topology_find_edge(topology, point[0], point[1]);
        if (id == FRACAS_NONE) return "a slot has an edge that does not exist";
        const frc_place* place = &topology->edges.data[id].place;
        if (place->block != number || place->slot != s) return "the place of an edge is wrong";
        live++;
    }
    for (uint32_t s = 0; s < block->vertex_slots; s++) {
        if (block->vertices[s] == FRACAS_NONE) continue;
        const frc_place* place = &topology->uses.data[block->vertices[s]].place;
        if (place->block != number || place->slot != s) return "the place of a point is wrong";
        live++;
    }
    return live == block->live ? NULL : "the number of live features is wrong";
}

const char* frc_block_validate(const frc_block* block, const frc_topology* topology,
                               uint32_t number) {
    const char* wrong = check_places(block, topology, number);
    if (!wrong) wrong = frc_half_edges_check(block);
    for (int m = 0; m < FRC_BOXES_COUNT && !wrong; m++) {
        const frc_tree* tree = &block->tree[m];
        if (!tree->nodes) continue;
        wrong = check_links(block, tree);
        if (!wrong) wrong = check_leaf_boxes(block, tree);
    }
    return wrong;
}
