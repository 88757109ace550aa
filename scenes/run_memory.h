/// @file run_memory.h  Memory management shared by run.c, run_edit.c and run_state.c. All functions
/// return false or NULL when there is no memory; the contents are unchanged then.
#pragma once
#include "run.h"

/// `pointer` is the address of a pointer to an array of elements of `size` bytes.
/// `pointer` is the address of a pointer to an array of elements of `size` bytes.
bool scenes_grow(void* pointer, uint32_t* capacity, size_t count, size_t size);
bool scenes_run_reserve(scenes_run* run, size_t vertices, size_t triangles);
bool scenes_body_reserve(scenes_body* body, size_t vertices, size_t triangles);
scenes_body* scenes_run_new_body(scenes_run* run);
bool scenes_run_register_body(scenes_run* run, uint32_t body, fracas_body handle);
void scenes_body_free(scenes_body* body);
