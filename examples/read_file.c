/// @file read_file.c  Reads a mesh file and lists its self-intersections by the face numbers of the
/// file. Malformed input is rejected with a message that contains the position.
#include "example.h"
#include <fracas/fracas.h>

static void say(fracas_log_level level, const char* message, void* user) {
    (void)level, (void)user;
    fprintf(stderr, "%s\n", message);
}

static bool print(const fracas_contact* c, void* user) {
    const fracas_mesh_faces* faces = user;
    printf("face %u meets face %u\n", faces->triangle_faces[c->a[0]],
           faces->triangle_faces[c->b[0]]);
    return true;
}

static void intersect(fracas_context* context, const fracas_mesh_file* file) {
    fracas_mesh_view mesh = fracas_mesh_file_get_view(file);
    fracas_mesh_faces faces = fracas_mesh_file_get_faces(file);
    fracas_mesh_info info;
    TRY(fracas_mesh_describe(context, &mesh, &info));
    printf("%s: %u points, %u faces, %u triangles, %s\n", fracas_mesh_file_get_format(file),
           info.vertices, faces.face_count, info.triangles, info.closed ? "closed" : "open");

    fracas_scene_options options = fracas_scene_default_options();
    options.modes = FRACAS_MODE_DISCRETE;  // no motion: boxes of steps are not needed
    fracas_scene* scene;
    fracas_body body;
    TRY(fracas_scene_create(context, &options, &scene));
    TRY(fracas_scene_add(scene, &mesh, NULL, &body));
    TRY(fracas_scene_update(scene));
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    fracas_statistics statistics;
    fracas_sink sink = {.report = print, .user = &faces, .statistics = &statistics};
    TRY(fracas_scene_detect(scene, &query, &sink));
    printf("%llu pairs\n", (unsigned long long)statistics.contacts[FRACAS_CONTACT_TT]);
    fracas_scene_destroy(scene);
}

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    fracas_context_options options = fracas_context_default_options();
    options.log = say;
    fracas_context* context;
    fracas_mesh_file* file;
    TRY(fracas_context_create(&options, &context));
    fracas_status status = fracas_mesh_file_read(context, argv[1], NULL, &file);
    if (status == FRACAS_OK) intersect(context, file);
    fracas_mesh_file_destroy(file);
    fracas_context_destroy(context);
    return status == FRACAS_OK ? 0 : 1;
}
