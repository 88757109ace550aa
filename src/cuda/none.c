/// @file none.c  The functions of fracas/cuda.h for programs that are built without CUDA: there is
/// no device, and the message says how to get one.
#include "base/context.h"
#include "cuda/stage_times.h"

fracas_cuda_options fracas_cuda_default_options(void) {
    return (fracas_cuda_options){.struct_size = sizeof(fracas_cuda_options)};
}

fracas_status fracas_cuda_context_create(fracas_context* context, const fracas_cuda_options* given,
                                         fracas_cuda_context** out) {
    (void)given;
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    return frc_fail(context, FRACAS_ERROR_UNSUPPORTED,
                    "this build has no CUDA: configure it with -DFRACAS_CUDA=ON, which needs nvcc "
                    "of CUDA 13");
}

void fracas_cuda_context_destroy(fracas_cuda_context* cuda) { (void)cuda; }

const char* fracas_cuda_context_get_name(const fracas_cuda_context* cuda) {
    (void)cuda;
    return NULL;
}

fracas_status fracas_cuda_scene_create(fracas_cuda_context* cuda,
                                       const fracas_scene_options* options, fracas_scene** out) {
    (void)cuda;
    (void)options;
    if (out) *out = NULL;
    return FRACAS_ERROR_INVALID_ARGUMENT;
}

fracas_status frc_cuda_time_stages(const fracas_scene* scene, frc_stage_time* out,
                                   uint32_t* count) {
    (void)scene;
    (void)out;
    *count = 0;
    return FRACAS_ERROR_INVALID_ARGUMENT;
}

fracas_status fracas_cuda_scene_get_statistics(const fracas_scene* scene,
                                               fracas_cuda_statistics* out) {
    (void)scene;
    (void)out;
    return FRACAS_ERROR_INVALID_ARGUMENT;
}

fracas_status fracas_cuda_scene_move(fracas_scene* scene, const fracas_cuda_move* moves,
                                     size_t count, void* stream) {
    (void)scene;
    (void)moves;
    (void)count;
    (void)stream;
    return FRACAS_ERROR_INVALID_ARGUMENT;
}

fracas_status fracas_cuda_scene_detect(fracas_scene* scene, const fracas_query* query,
                                       fracas_cuda_place place, void* stream,
                                       fracas_cuda_contacts* out) {
    (void)scene;
    (void)query;
    (void)place;
    (void)stream;
    if (out) *out = (fracas_cuda_contacts){0};
    return FRACAS_ERROR_INVALID_ARGUMENT;
}

fracas_status fracas_cuda_medial_bodies_create(fracas_cuda_context* cuda,
                                               fracas_medial_bodies** out) {
    (void)cuda;
    if (out) *out = NULL;
    return FRACAS_ERROR_INVALID_ARGUMENT;
}

fracas_status fracas_cuda_medial_bodies_get_statistics(const fracas_medial_bodies* bodies,
                                                       fracas_cuda_statistics* out) {
    (void)bodies;
    (void)out;
    return FRACAS_ERROR_INVALID_ARGUMENT;
}
