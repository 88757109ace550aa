// Any bytes as the two files of TetGen: .node up to the first zero byte, .ele after it.
#include "fuzz_mesh.h"
#include "io/mesh_file.h"

static fracas_status parse_pair(fracas_context* context, const char* name, const uint8_t* bytes,
                                size_t size, const fracas_mesh_file_options* options,
                                fracas_mesh_file** out) {
    const char* const names[2] = {"fuzz.node", "fuzz.ele"};
    const char* text = (const char*)bytes;
    const char* zero = size ? memchr(text, 0, size) : NULL;
    const size_t first = zero ? (size_t)(zero - text) : size;
    const char* const texts[2] = {text, zero ? zero + 1 : text + size};
    const size_t sizes[2] = {first, zero ? size - first - 1 : 0};
    (void)name;
    return frc_tetgen_parse(context, names, texts, sizes, options, out);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    return fuzz_read_volume(parse_pair, "fuzz.", bytes, size);
}
