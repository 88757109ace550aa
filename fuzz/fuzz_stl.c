// Any bytes as an STL file.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    return fuzz_read("fuzz.stl", bytes, size, FRACAS_WELD_DEFAULT);
}
