/// @file inflate.h  Decompress a zlib stream (RFC 1950) whose decompressed size is known.
#pragma once
#include <stddef.h>

/// Upper bound of the compression ratio: a match of 258 bytes takes at least two bits.
#define FRC_INFLATE_MAX_RATIO 1032

/// Decompress `stream` to `out`. All `size` bytes must be one zlib stream of exactly `count` bytes.
/// Nothing is allocated. As in zlib, distances beyond the window size of the header are allowed.
/// @return NULL, or the error, as a text that follows "byte N: "; `*place` is then the position of
///     the error in the stream, counted from 0, and the content of `out` is undefined
const char* frc_inflate(const void* stream, size_t size, void* out, size_t count, size_t* place);
