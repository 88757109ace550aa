// Any bytes as a Gmsh file.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    return fuzz_read_volume(fuzz_parse, "fuzz.msh", bytes, size);
}
