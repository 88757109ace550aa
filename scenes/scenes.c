/// @file scenes.c  The list of scenes, lookup by name, and the clock.
#include "scenes.h"
#include <string.h>
#include <time.h>

static const scenes_scene* const scenes[] = {
    &scenes_wall,           &scenes_cloth_ball,       &scenes_n_body,
    &scenes_breaking_walls, &scenes_exploding_dragon, &scenes_pulling_apart,
    &scenes_merge};

double scenes_clock_ms(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

const scenes_scene* const* scenes_list(size_t* count) {
    *count = sizeof scenes / sizeof scenes[0];
    return scenes;
}

const scenes_scene* scenes_find(const char* name) {
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (strcmp(scenes[i]->name, name) == 0) return scenes[i];
    return NULL;
}

uint32_t scenes_frames(const scenes_scene* scene, const scenes_options* options) {
    if (!options || !options->size || !scene->frames_at) return scene->frames;
    return scene->frames_at(options->size);
}
