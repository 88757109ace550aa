/// @file run_room.h  What the files of run.h share: room for more. All return false or NULL without
/// memory, and have changed nothing then.
#pragma once
#include "run.h"

bool scenes_grow(void* pointer, uint32_t* room, size_t count, size_t size);
bool scenes_run_reserve(scenes_run* run, size_t vertices, size_t triangles);
bool scenes_body_reserve(scenes_body* body, size_t vertices, size_t triangles);
scenes_body* scenes_run_new_body(scenes_run* run);
bool scenes_run_name_body(scenes_run* run, uint32_t body, fracas_body handle);
void scenes_body_free(scenes_body* body);
