/// @file triangle_marks.h  How the trees of a body have its triangles, for pictures and statistics.
#pragma once
#include "fracas/scene.h"

typedef struct fracas_triangle_mark {
    /// How many nodes are above the leaf that has the triangle, in its tree. Features that edits
    /// add have trees of their own.
    uint32_t depth;
    /// The largest part of the body around the triangle that is certified: self-collision within
    /// the part is not tested, because the last update proved that there is none. Parts have
    /// different numbers; 0: none. Numbers stay while the tree is not rebuilt.
    uint32_t region;
} fracas_triangle_mark;

/// Set the mark of each triangle by its number; those of removed triangles are zero. `mode` is
/// FRACAS_MODE_DISCRETE or FRACAS_MODE_CONTINUOUS, one of the modes of the scene; `count` is
/// fracas_body_info.triangle_numbers. Cost: the leaves of the body times their depth. The scene
/// must be updated. On an error `marks` is unchanged.
FRACAS_API fracas_status fracas_scene_get_triangle_marks(const fracas_scene* scene,
                                                         fracas_body body, uint32_t mode,
                                                         fracas_triangle_mark* marks,
                                                         uint32_t count);
