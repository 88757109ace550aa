/// @file page_bytes.c  Growing bytes, compressed by zlib where the program has it, and base64.
#include "page_bytes.h"
#include "options.h"
#include <stdlib.h>
#include <string.h>
#ifdef CLI_HAS_ZLIB
#include <zlib.h>
#endif

uint8_t* cli_bytes_extend(cli_bytes* bytes, size_t count) {
    if (bytes->size + count > bytes->capacity) {
        bytes->capacity = 2 * bytes->capacity + count;
        bytes->data = cli_grow(bytes->data, bytes->capacity, 1);
    }
    uint8_t* begin = bytes->data ? bytes->data + bytes->size : NULL;
    bytes->size += count;
    return begin;
}

void cli_bytes_add_u32(cli_bytes* bytes, uint32_t value) {
    uint8_t* to = cli_bytes_extend(bytes, 4);
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> 8 * i);
}

void cli_bytes_add_float(cli_bytes* bytes, double value) {
    const float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    cli_bytes_add_u32(bytes, bits);
}

void cli_bytes_add_double(cli_bytes* bytes, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    cli_bytes_add_u32(bytes, (uint32_t)bits);
    cli_bytes_add_u32(bytes, (uint32_t)(bits >> 32));
}

void cli_bytes_free(cli_bytes* bytes) {
    free(bytes->data);
    *bytes = (cli_bytes){0};
}

// ---- compression

#ifdef CLI_HAS_ZLIB
const char* cli_bytes_encoding(void) { return "deflate"; }

cli_bytes cli_bytes_pack(const cli_bytes* bytes) {
    cli_bytes packed = {0};
    uLongf size = compressBound((uLong)bytes->size);
    cli_bytes_extend(&packed, size);
    const uint8_t nothing = 0;
    if (compress2(packed.data, &size, bytes->data ? bytes->data : &nothing, (uLong)bytes->size,
                  6) != Z_OK)
        exit(cli_fail(CLI_INTERNAL, "out of memory"));
    packed.size = size;
    packed.capacity = size;
    packed.data = cli_grow(packed.data, size, 1);
    return packed;
}
#else
const char* cli_bytes_encoding(void) { return "raw"; }

cli_bytes cli_bytes_pack(const cli_bytes* bytes) {
    cli_bytes copy = {0};
    uint8_t* to = cli_bytes_extend(&copy, bytes->size);
    if (bytes->size) memcpy(to, bytes->data, bytes->size);
    return copy;
}
#endif

// ---- base64

size_t cli_bytes_text_size(const cli_bytes* bytes) { return (bytes->size + 2) / 3 * 4 + 2; }

void cli_bytes_write(FILE* file, const cli_bytes* bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char line[4096];
    size_t used = 0;
    fputc('"', file);
    for (size_t i = 0; i < bytes->size; i += 3) {
        const size_t left = bytes->size - i;
        uint32_t three = (uint32_t)bytes->data[i] << 16;
        if (left > 1) three |= (uint32_t)bytes->data[i + 1] << 8;
        if (left > 2) three |= bytes->data[i + 2];
        line[used++] = digits[three >> 18];
        line[used++] = digits[three >> 12 & 63];
        line[used++] = left > 1 ? digits[three >> 6 & 63] : '=';
        line[used++] = left > 2 ? digits[three & 63] : '=';
        if (used < sizeof line) continue;
        fwrite(line, 1, used, file);
        used = 0;
    }
    fwrite(line, 1, used, file);
    fputc('"', file);
}
