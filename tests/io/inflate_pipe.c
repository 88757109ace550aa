// Inflates streams sent by inflate_differential.py: the sizes of a stream and of its content, four
// bytes each, little-endian, then the stream. Replies with 1 and the content, or 0.
#include "io/inflate.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static size_t number(const unsigned char* bytes) {
    return bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
}

int main(void) {
    unsigned char head[8];
    while (fread(head, 1, sizeof head, stdin) == sizeof head) {
        const size_t size = number(head), count = number(head + 4);
        // Of the exact size, so that out-of-bounds accesses are detected.
        unsigned char *stream = malloc(size), *out = malloc(count);
        if ((size && !stream) || (count && !out)) return 1;
        if (fread(stream, 1, size, stdin) != size) return 1;
        size_t place = 0;
        const char* wrong = frc_inflate(stream, size, out, count, &place);
        if (wrong && place > size) return 1;
        putchar(!wrong);
        if (!wrong) fwrite(out, 1, count, stdout);
        free(stream);
        free(out);
    }
    return 0;
}
