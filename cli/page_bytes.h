/// @file page_bytes.h  Growing bytes, little-endian columns, compression and base64 of a report.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// Begin with zeros; free `data`.
typedef struct cli_bytes {
    uint8_t* data;
    size_t size, capacity;
} cli_bytes;

/// Make room for `count` more bytes and return where they begin; the size grows by `count`.
uint8_t* cli_bytes_extend(cli_bytes* bytes, size_t count);
void cli_bytes_add_u32(cli_bytes* bytes, uint32_t value);
void cli_bytes_add_float(cli_bytes* bytes, double value);
void cli_bytes_add_double(cli_bytes* bytes, double value);
void cli_bytes_free(cli_bytes* bytes);

/// The encoding of all binary data: "deflate" (zlib format), or "raw" in a build without zlib.
const char* cli_bytes_encoding(void);

/// Compress. The caller frees the result.
cli_bytes cli_bytes_pack(const cli_bytes* bytes);

/// Write a JSON string with the bytes as base64.
void cli_bytes_write(FILE* file, const cli_bytes* bytes);
/// The number of characters that cli_bytes_write writes.
size_t cli_bytes_text_size(const cli_bytes* bytes);
