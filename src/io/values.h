/// @file values.h  Read single values of a file, text or binary, in either byte order.
#pragma once
#include "io/text.h"

typedef enum frc_value_type {
    FRC_INT8,
    FRC_UINT8,
    FRC_INT16,
    FRC_UINT16,
    FRC_INT32,
    FRC_UINT32,
    FRC_INT64,
    FRC_UINT64,
    FRC_FLOAT32,
    FRC_FLOAT64
} frc_value_type;

static inline bool frc_value_is_integer(frc_value_type type) { return type < FRC_FLOAT32; }
static inline size_t frc_value_size(frc_value_type type) {
    static const unsigned char sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return sizes[type];
}

/// Find the type called `word` in a table; false: not in the table.
typedef struct frc_type_name {
    const char* name;
    frc_value_type type;
} frc_type_name;
bool frc_find_type(const frc_type_name* names, size_t count, frc_word word, frc_value_type* out);

typedef struct frc_values {
    frc_source* source;
    bool text;
    bool swap;  // the byte order of the file differs from that of the machine
    // For decoded arrays, whose bytes are not those of the file: failures are reported at
    // `fail_place` of `fail_source`. NULL: at the value.
    const frc_source* fail_source;
    const char* fail_place;
} frc_values;

static inline bool frc_swap_needed(bool big_endian) {
    return big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline uint16_t frc_values_load16(const frc_values* in) {
    uint16_t bits;
    memcpy(&bits, in->source->at, sizeof bits);
    return in->swap ? __builtin_bswap16(bits) : bits;
}
static inline uint32_t frc_values_load32(const frc_values* in) {
    uint32_t bits;
    memcpy(&bits, in->source->at, sizeof bits);
    return in->swap ? __builtin_bswap32(bits) : bits;
}
static inline uint64_t frc_values_load64(const frc_values* in) {
    uint64_t bits;
    memcpy(&bits, in->source->at, sizeof bits);
    return in->swap ? __builtin_bswap64(bits) : bits;
}

/// Read an integer. False, with nothing read: too few bytes, or the word is not an integer.
/// Unsigned values above INT64_MAX become INT64_MAX.
static inline bool frc_values_integer(frc_values* in, frc_value_type type, int64_t* out) {
    frc_source* source = in->source;
    if (in->text) return frc_read_integer(source, out);
    size_t size = frc_value_size(type);
    if (frc_source_left(source) < size) return false;
    switch (type) {
    case FRC_INT8:
        *out = (signed char)*source->at;
        break;
    case FRC_UINT8:
        *out = (unsigned char)*source->at;
        break;
    case FRC_INT16:
        *out = (int16_t)frc_values_load16(in);
        break;
    case FRC_UINT16:
        *out = frc_values_load16(in);
        break;
    case FRC_INT32:
        *out = (int32_t)frc_values_load32(in);
        break;
    case FRC_UINT32:
        *out = frc_values_load32(in);
        break;
    case FRC_INT64:
        *out = (int64_t)frc_values_load64(in);
        break;
    case FRC_UINT64: {
        uint64_t value = frc_values_load64(in);
        *out = value > INT64_MAX ? INT64_MAX : (int64_t)value;
        break;
    }
    default:
        return false;
    }
    source->at += size;
    return true;
}

/// Read a binary number of any type. The caller has checked that enough bytes are left.
static inline double frc_values_real(frc_values* in, frc_value_type type) {
    if (type == FRC_FLOAT32) {
        uint32_t bits = frc_values_load32(in);
        float value;
        memcpy(&value, &bits, sizeof value);
        in->source->at += sizeof bits;
        return value;
    }
    if (type == FRC_FLOAT64) {
        uint64_t bits = frc_values_load64(in);
        double value;
        memcpy(&value, &bits, sizeof value);
        in->source->at += sizeof bits;
        return value;
    }
    int64_t value = 0;
    frc_values_integer(in, type, &value);
    return (double)value;
}

/// The beginning of the next value.
static inline const char* frc_values_place(frc_values* in) {
    if (in->text) frc_skip_blanks(in->source);
    return in->source->at;
}

/// Fail with FRACAS_ERROR_BAD_DATA; the message names the line (text) or byte (binary) of `place`.
fracas_status frc_values_fail(const frc_values* in, const char* place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
/// The same for valid content that is not supported, with FRACAS_ERROR_UNSUPPORTED.
fracas_status frc_values_fail_unsupported(const frc_values* in, const char* place,
                                          const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Fail: a value of `what` number `index` is missing or not an integer.
fracas_status frc_values_fail_value(frc_values* in, const char* what, uint64_t index);

/// Read an integer of `what` number `index`.
fracas_status frc_values_read(frc_values* in, frc_value_type type, const char* what, uint64_t index,
                              int64_t* out);

/// Skip `count` values of `what` number `index`.
fracas_status frc_values_skip(frc_values* in, frc_value_type type, uint64_t count, const char* what,
                              uint64_t index);

/// Read the number of `what`; the rest of the file must have at least `least` bytes for each.
fracas_status frc_values_count(frc_values* in, frc_value_type type, const char* what, size_t least,
                               uint64_t* out);

/// Read `count` vertex indices of `what` number `index`. The file counts vertices from `first`.
fracas_status frc_values_corners(frc_values* in, frc_value_type type, const char* what,
                                 uint64_t index, int64_t first, uint64_t vertices, uint32_t count,
                                 uint32_t* out);

/// Read one coordinate, or all three, and check that they are finite.
fracas_status frc_values_coordinate(frc_values* in, frc_value_type type, uint64_t vertex, int axis,
                                    double* out);
fracas_status frc_values_coordinates(frc_values* in, frc_value_type type, uint64_t vertex,
                                     double out[3]);
