/// @file main.c  A program outside this repository: two crossing triangles, counted through the
/// installed headers and library.
#include <fracas/fracas.h>
#ifdef EXTERNAL_CUDA
#include <fracas/cuda.h>
#endif
#include <stdio.h>
#include <string.h>

static int fail(const char* what) {
    fprintf(stderr, "%s\n", what);
    return 1;
}

// A scene on the CPU, or with EXTERNAL_CUDA on a device.
static fracas_status create_scene(fracas_context* context, const fracas_scene_options* options,
                                  fracas_scene** out) {
#ifdef EXTERNAL_CUDA
    static fracas_cuda_context* cuda;  // as long as the program runs
    const fracas_status status = fracas_cuda_context_create(context, NULL, &cuda);
    return status ? status : fracas_cuda_scene_create(cuda, options, out);
#else
    return fracas_scene_create(context, options, out);
#endif
}

int main(void) {
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", FRACAS_VERSION_MAJOR, FRACAS_VERSION_MINOR,
             FRACAS_VERSION_PATCH);
    if (strcmp(version, fracas_get_version()) != 0)
        return fail("header and library differ in version");

    const double points[6][3] = {
        {0, 0, 0 },
        {4, 0, 0 },
        {0, 4, 0 },
        {1, 1, -1},
        {1, 1, 1 },
        {2, 1, 1 }
    };
    const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
    fracas_mesh_view mesh = {
        .points = {.data = points, .count = 6},
          .triangles = triangles, .triangle_count = 2
    };
    fracas_context* context = NULL;
    fracas_scene* scene = NULL;
    fracas_body body;
    fracas_scene_options options = fracas_scene_default_options();
    options.modes = FRACAS_MODE_DISCRETE;
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    fracas_statistics statistics;
    fracas_sink sink = {.statistics = &statistics};
    if (fracas_context_create(NULL, &context) || create_scene(context, &options, &scene) ||
        fracas_scene_add(scene, &mesh, NULL, &body) || fracas_scene_update(scene) ||
        fracas_scene_detect(scene, &query, &sink))
        return fail("a call failed");
    printf("%llu\n", (unsigned long long)statistics.contacts[FRACAS_CONTACT_TT]);
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
    return statistics.contacts[FRACAS_CONTACT_TT] == 1 ? 0 : 1;
}
