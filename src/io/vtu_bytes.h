/// @file vtu_bytes.h  The bytes of an array of a .vtu file that is not text: raw or base64, as they
/// are or in compressed blocks.
#pragma once
#include "io/text.h"

/// An array as the file has it.
typedef struct frc_vtu_packed {
    const frc_source* source;
    const char* name;         // of the array, for messages
    const char* place;        // of its tag
    const char *begin, *end;  // its bytes begin with the first and end before the other
    bool base64, compressed;
    bool swap;           // the bytes of headers run the other way than the machine's
    size_t header_size;  // of each number in a header: 4 or 8
    uint64_t needed;     // bytes that the values of the array take, by the counts of its piece
} frc_vtu_packed;

typedef struct frc_vtu_bytes {
    const char *begin, *end;
    uint64_t taken;         // bytes of the file, after base64, that were used for it
    unsigned char* memory;  // theirs, when they are not the file's own
    size_t capacity;
} frc_vtu_bytes;

/// Failures are reported at the line of the array's tag. Sizes in the header are limited by the
/// size of the file; a compressed array takes at most FRC_INFLATE_MAX_RATIO bytes for each of the
/// file, and one that claims more bytes than `needed` is refused before any block is inflated.
/// Release `out` after failures as well.
fracas_status frc_vtu_unpack(const frc_vtu_packed* packed, frc_vtu_bytes* out);
void frc_vtu_bytes_release(fracas_context* context, frc_vtu_bytes* bytes);

/// The array called `name`, whose tag is at `place`, ends too early.
fracas_status frc_vtu_fail_cut(const frc_source* source, const char* place, const char* name);
