// Any bytes as a medial mesh, MA or MAT.
#include "fracas/medial_mesh.h"
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    fuzz_memory memory = {0};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.allocator = (fracas_allocator){fuzz_allocate, fuzz_release, &memory};
    fracas_context* context = NULL;
    fuzz_require(fracas_context_create(&options, &context) == FRACAS_OK, "the context is created");
    fracas_medial_mesh *mesh = NULL, *copy = NULL;
    const fracas_status status = fracas_medial_mesh_parse(context, "fuzz.ma", bytes, size, &mesh);
    fuzz_require(memory.most <= 64 * size + (1 << 20), "memory is in proportion to the file");
    fuzz_require((status == FRACAS_OK) == (mesh != NULL), "a mesh is returned on success only");
    if (mesh) {
        const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
        const fracas_status copied = fracas_medial_mesh_create_from(context, &view, &copy);
        fuzz_require(copied == FRACAS_OK || copied == FRACAS_ERROR_OUT_OF_MEMORY,
                     "the mesh is valid");
    } else {
        char message[1200];
        fracas_context_get_message(context, message, sizeof message);
        fuzz_require(status == FRACAS_ERROR_OUT_OF_MEMORY || strstr(message, "fuzz.ma") != NULL,
                     "the message names the file");
    }
    fracas_medial_mesh_destroy(copy);
    fracas_medial_mesh_destroy(mesh);
    fracas_context_destroy(context);
    fuzz_require(memory.live == 0, "nothing leaks");
    return 0;
}
