/// @file ply_value.h  Single values of a PLY body, text or binary.
#pragma once
#include "io/decimal.h"
#include "io/ply.h"

typedef struct frc_ply_body {
    frc_source* source;
    bool text;
    bool swap;  // the bytes of the file run the other way than the machine's
} frc_ply_body;

static inline frc_ply_body frc_ply_body_of(frc_source* source, frc_ply_encoding encoding) {
    bool big_machine = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    return (frc_ply_body){.source = source,
                          .text = encoding == FRC_PLY_ASCII,
                          .swap = (encoding == FRC_PLY_BIG_ENDIAN) != big_machine};
}

static inline uint16_t frc_ply_load16(const frc_ply_body* body) {
    uint16_t bits;
    memcpy(&bits, body->source->at, sizeof bits);
    return body->swap ? __builtin_bswap16(bits) : bits;
}
static inline uint32_t frc_ply_load32(const frc_ply_body* body) {
    uint32_t bits;
    memcpy(&bits, body->source->at, sizeof bits);
    return body->swap ? __builtin_bswap32(bits) : bits;
}
static inline uint64_t frc_ply_load64(const frc_ply_body* body) {
    uint64_t bits;
    memcpy(&bits, body->source->at, sizeof bits);
    return body->swap ? __builtin_bswap64(bits) : bits;
}

/// A whole number; false (and nothing skipped) when the bytes end or the word is none.
static inline bool frc_ply_integer(frc_ply_body* body, frc_ply_type type, int64_t* out) {
    frc_source* source = body->source;
    if (body->text) return frc_read_integer(source, out);
    size_t size = frc_ply_size(type);
    if (frc_source_left(source) < size) return false;
    switch (type) {
    case FRC_PLY_INT8:
        *out = (signed char)*source->at;
        break;
    case FRC_PLY_UINT8:
        *out = (unsigned char)*source->at;
        break;
    case FRC_PLY_INT16:
        *out = (int16_t)frc_ply_load16(body);
        break;
    case FRC_PLY_UINT16:
        *out = frc_ply_load16(body);
        break;
    case FRC_PLY_INT32:
        *out = (int32_t)frc_ply_load32(body);
        break;
    case FRC_PLY_UINT32:
        *out = frc_ply_load32(body);
        break;
    default:
        return false;
    }
    source->at += size;
    return true;
}

/// A binary number of any type; the bytes are there.
static inline double frc_ply_real(frc_ply_body* body, frc_ply_type type) {
    if (type == FRC_PLY_FLOAT32) {
        uint32_t bits = frc_ply_load32(body);
        float value;
        memcpy(&value, &bits, sizeof value);
        body->source->at += sizeof bits;
        return value;
    }
    if (type == FRC_PLY_FLOAT64) {
        uint64_t bits = frc_ply_load64(body);
        double value;
        memcpy(&value, &bits, sizeof value);
        body->source->at += sizeof bits;
        return value;
    }
    int64_t value = 0;
    frc_ply_integer(body, type, &value);
    return (double)value;
}

/// Pass over `count` values; false when the file ends before.
static inline bool frc_ply_skip(frc_ply_body* body, frc_ply_type type, uint64_t count) {
    frc_source* source = body->source;
    if (!body->text) {
        if (count > frc_source_left(source) / frc_ply_size(type)) return false;
        source->at += count * frc_ply_size(type);
        return true;
    }
    for (; count > 0; count--)
        if (frc_read_word(source).length == 0) return false;
    return true;
}
