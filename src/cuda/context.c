/// @file context.c  The functions of fracas/cuda.h.
#include "cuda/context.h"
#include "cuda/search.h"
#include "scene/scene.h"

fracas_cuda_options fracas_cuda_default_options(void) {
    return (fracas_cuda_options){.struct_size = sizeof(fracas_cuda_options)};
}

fracas_status fracas_cuda_context_create(fracas_context* context, const fracas_cuda_options* given,
                                         fracas_cuda_context** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(context, "fracas_cuda_context_create", "out");
    const fracas_cuda_options options = given ? *given : fracas_cuda_default_options();
    if (options.struct_size != sizeof options)
        return frc_fail(
            context, FRACAS_ERROR_INVALID_ARGUMENT,
            "CUDA options are not initialised: start from fracas_cuda_default_options()");
    fracas_cuda_context* cuda = frc_allocate_zero(context, sizeof *cuda);
    if (!cuda) return frc_fail_memory(context, sizeof *cuda);
    cuda->context = context;
    cuda->options = options;
    const fracas_status status = frc_device_open(context, &options, &cuda->device);
    if (status != FRACAS_OK) {
        frc_release(context, cuda, sizeof *cuda);
        return status;
    }
    *out = cuda;
    return FRACAS_OK;
}

void fracas_cuda_context_destroy(fracas_cuda_context* cuda) {
    if (!cuda) return;
    frc_device_close(cuda->device);
    frc_release(cuda->context, cuda, sizeof *cuda);
}

const char* fracas_cuda_context_get_name(const fracas_cuda_context* cuda) {
    return cuda ? frc_device_name(cuda->device) : NULL;
}

fracas_status fracas_cuda_scene_create(fracas_cuda_context* cuda, const fracas_scene_options* given,
                                       fracas_scene** out) {
    if (out) *out = NULL;
    if (!cuda) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = cuda->context;
    if (!out) return frc_fail_null(context, "fracas_cuda_scene_create", "out");
    const fracas_scene_options options = given ? *given : fracas_scene_default_options();
    fracas_status status = frc_scene_check_options(context, &options);
    if (status != FRACAS_OK) return status;
    frc_scene_settings settings = frc_scene_default_settings(&options);
    settings.search = &frc_search_cuda;
    fracas_scene* scene = NULL;
    frc_device* device = NULL;  // streams of its own: queries of two scenes may run at once
    frc_cuda_search* search = NULL;
    status = frc_scene_create(context, &settings, &scene);
    if (status == FRACAS_OK) status = frc_device_open(context, &cuda->options, &device);
    if (status == FRACAS_OK) status = frc_cuda_search_create(scene, device, &search);
    if (status != FRACAS_OK) {
        frc_device_close(device);
        fracas_scene_destroy(scene);
        return status;
    }
    scene->search_data = search;
    scene->topology.keeps_changes = true;
    *out = scene;
    return FRACAS_OK;
}

frc_cuda_search* frc_cuda_search_of(const fracas_scene* scene) {
    if (scene->options.search == &frc_search_cuda) return scene->search_data;
    frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
             "the scene is not on a device: create it by fracas_cuda_scene_create");
    return NULL;
}

fracas_status fracas_cuda_scene_get_statistics(const fracas_scene* scene,
                                               fracas_cuda_statistics* out) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(scene->context, "fracas_cuda_scene_get_statistics", "out");
    frc_cuda_search* search = frc_cuda_search_of(scene);
    if (!search) return FRACAS_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&search->lock);
    *out = search->statistics;
    pthread_mutex_unlock(&search->lock);
    return FRACAS_OK;
}
