/// @file models.c  Medial meshes of real surfaces (Table 1 of Li et al.).
#include "medial/kit.h"
#include <stdio.h>
#include <string.h>

typedef struct model {
    const char *name, *path;  // in the folder of the data
    uint32_t spheres;
    // Published: triangles, cones, slabs, distance from the surface in % of the diagonal.
    const char* published;
} model;

static const model models[] = {
    {"bunny",    "surfaces/discregrid/bunny.obj",             77,  "69630, 201, 125, 1.10 %"},
    {"dinosaur", "medial/medial-ipc/dinosaur/dinosaur_h.obj", 150, "30000, 318, 170, 0.78 %"},
    {"dragon",   "surfaces/discregrid/dragon.obj",            150, "-"                      },
};

static bool run(const bench_settings* settings, const char* folder, const model* m) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, m->path);
    fracas_mesh_file* file;
    if (fracas_mesh_file_read(settings->context, path, NULL, &file) != FRACAS_OK) {
        printf("  %-10s skipped: %s cannot be read\n", m->name, path);
        return true;
    }
    const fracas_mesh_view view = fracas_mesh_file_get_view(file);
    fracas_medial_mesh_options options = fracas_medial_mesh_default_options();
    options.spheres = m->spheres;
    fracas_medial_mesh* mesh;
    fracas_medial_mesh_info info;
    bench_need(settings, fracas_medial_mesh_create(settings->context, &view, &options, &mesh),
               m->name);
    bench_need(settings, fracas_medial_mesh_get_info(mesh, &info), m->name);
    printf("  %-10s %9u %7u %6u %6u %9.2f %9.2f %7.1f   %s\n", m->name, view.triangle_count,
           info.spheres, info.edges, info.triangles, 100 * info.from_surface.max / info.diagonal,
           100 * info.to_surface.max / info.diagonal, info.ms / 1e3, m->published);
    fracas_medial_mesh_destroy(mesh);
    fracas_mesh_file_destroy(file);
    return true;
}

bool bench_models(const bench_settings* settings) {
    const char* data = getenv("FRACAS_DATA");
    const char* folder = data ? data : FRACAS_DATA_DEFAULT;
    printf("models: Table 1 of Li et al.; distances in %% of the box diagonal: from the surface to "
           "the medial mesh, and back.\n  %-10s %9s %7s %6s %6s %9s %9s %7s   %s\n",
           "model", "triangles", "spheres", "cones", "slabs", "from", "to", "s",
           "published: triangles, cones, slabs, from");
    bool passed = true;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        passed = run(settings, folder, &models[i]) && passed;
    return passed;
}
