// Any bytes as a list of edits and queries; the results are compared with the simple model of
// tests/scene. A difference aborts the program.
#include "api_model.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    model_source source = {.bytes = bytes, .size = size};
    model_counts counts = {0};
    model_run(&source, 1, 200, &counts);
    return 0;
}
