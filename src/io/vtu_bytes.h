/// @file vtu_bytes.h  The bytes of a binary array of a .vtu file: raw or base64, plain or in
/// compressed blocks.
#pragma once
#include "io/text.h"

/// A binary array as stored in the file.
typedef struct frc_vtu_packed {
    const frc_source* source;
    const char* name;         // of the array, for messages
    const char* place;        // of its tag
    const char *begin, *end;  // its bytes, and possibly more after them
    bool base64, compressed;
    bool swap;           // the byte order differs from that of the machine
    size_t header_size;  // of each number in a header: 4 or 8
    uint64_t needed;     // bytes of all values, by the counts of the piece
} frc_vtu_packed;

typedef struct frc_vtu_bytes {
    const char *begin, *end;
    uint64_t consumed;      // bytes of the file, after decoding base64, that the array has
    unsigned char* memory;  // owned block that contains the bytes; NULL: they are those of the file
    size_t capacity;
} frc_vtu_bytes;

/// Decode and decompress an array. Failures are reported at the line of the array's tag. Sizes in
/// headers are limited by the size of the file, times FRC_INFLATE_MAX_RATIO for compressed arrays.
/// An array that claims more bytes than `needed` is rejected before any block is decompressed.
/// Release `out` also after failures.
fracas_status frc_vtu_unpack(const frc_vtu_packed* packed, frc_vtu_bytes* out);
void frc_vtu_bytes_release(fracas_context* context, frc_vtu_bytes* bytes);

/// Fail: the array called `name`, whose tag is at `place`, ends too early.
fracas_status frc_vtu_fail_cut(const frc_source* source, const char* place, const char* name);
