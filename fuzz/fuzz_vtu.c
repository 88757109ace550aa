// Any bytes as an XML file of VTK.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    return fuzz_read_volume(fuzz_parse, "fuzz.vtu", bytes, size);
}
