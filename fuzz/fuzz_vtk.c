// Any bytes as a legacy VTK file.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    return fuzz_read_volume(fuzz_parse, "fuzz.vtk", bytes, size);
}
