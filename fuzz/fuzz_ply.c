// Any bytes as a PLY file.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    return fuzz_read("fuzz.ply", bytes, size, FRACAS_WELD_DEFAULT);
}
