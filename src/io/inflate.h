/// @file inflate.h  Bytes out of a zlib stream (RFC 1950), whose size is known beforehand.
#pragma once
#include <stddef.h>

/// No stream is smaller than its content divided by this: a match of 258 bytes takes two bits.
#define FRC_INFLATE_MAX_RATIO 1032

/// All `size` bytes of `stream` must be one zlib stream of exactly `count` bytes, which go to
/// `out`. Nothing is allocated. A window smaller than the distances used is no failure, as it is
/// none for zlib.
/// @return NULL, or what is wrong, as a text that follows "byte N: "; `*place` is then the byte of
///     the stream, counted from 0, where it shows, and `out` holds anything
const char* frc_inflate(const void* stream, size_t size, void* out, size_t count, size_t* place);
