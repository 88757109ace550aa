/// @file rebuild_policies.c  Policies of rebuilding that others are compared with.
///
/// Based on: heo2010, whose comparisons these are: HPCCD refits, T-CCD restarts on a topology
/// change.
#include "published/rebuild_policies.h"

// Bodies without blocks, which have nothing to rebuild, are built in any case.
static void mark_updated(fracas_scene* scene) {
    for (size_t i = 0; i < scene->stale_bodies.count; i++)
        scene->bodies.data[scene->stale_bodies.data[i]].worn = true;
}

static void mark_all_after_an_edit(fracas_scene* scene) {
    for (uint32_t i = 0; scene->topology_changed && i < scene->bodies.count; i++)
        if (frc_handles_in_use(&scene->handles, i)) {
            frc_scene_mark_stale(scene, i);
            scene->bodies.data[i].worn = true;
        }
}

const frc_rebuild_policy frc_rebuild_never = {.begin = NULL};
const frc_rebuild_policy frc_rebuild_always = {.begin = mark_updated};
const frc_rebuild_policy frc_rebuild_restart = {.begin = mark_all_after_an_edit};
