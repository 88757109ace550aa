// Any bytes as a zlib stream; the first two are the decompressed size.
#include "io/inflate.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    if (size < 2) return 0;
    const size_t count = bytes[0] | (size_t)bytes[1] << 8;
    unsigned char* out = malloc(count + 1);
    size_t place = 0;
    if (!out) return 0;
    const char* wrong = frc_inflate(bytes + 2, size - 2, out, count, &place);
    if (wrong && (place > size - 2 || strlen(wrong) == 0)) abort();
    // A valid stream is complete: one byte less, or another size, is an error.
    if (!wrong && (!frc_inflate(bytes + 2, size - 3, out, count, &place) ||
                   !frc_inflate(bytes + 2, size - 2, out, count + 1, &place)))
        abort();
    free(out);
    return 0;
}
