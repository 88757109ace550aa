// Any bytes as a Medit file, text or binary.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    return fuzz_read_volume(fuzz_parse, "fuzz.mesh", bytes, size);
}
