// Any bytes as an OFF file.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    return fuzz_read("fuzz.off", bytes, size, FRACAS_WELD_DEFAULT);
}
