/// @file io_deflate.h  zlib streams written bit by bit: valid ones for whole files, and parts of
/// invalid ones.
#pragma once
#include "io_volume.h"

typedef struct io_bits {
    io_bytes bytes;
    unsigned used;  // number of used bits of the last byte
} io_bits;

/// A number, lowest bit first.
static inline void io_bits_put(io_bits* out, unsigned value, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        if (out->used % 8 == 0) io_put_int(&out->bytes, 0, 1, false);
        out->bytes.data[out->bytes.count - 1] |= (unsigned char)((value >> i & 1) << out->used % 8);
        out->used = out->used % 8 + 1;
    }
}

typedef struct io_code {
    unsigned char lengths[288];
    unsigned count;
} io_code;

/// A symbol in the canonical code of these lengths, highest bit first.
static inline void io_bits_symbol(io_bits* out, const io_code* code, unsigned symbol) {
    unsigned length = code->lengths[symbol], bits = 0;
    assert_true(symbol < code->count && length > 0);
    // The codes before it, each weighted by its share of all codes of its length.
    for (unsigned i = 0; i < code->count; i++) {
        unsigned other = code->lengths[i];
        if (other && (other < length || (other == length && i < symbol)))
            bits += 1u << (15 - other);
    }
    bits >>= 15 - length;
    for (unsigned i = 0; i < length; i++) io_bits_put(out, bits >> (length - 1 - i) & 1, 1);
}

static inline uint32_t io_adler(const unsigned char* bytes, size_t count) {
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = (low + bytes[i]) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

static inline void io_zlib_begin(io_bits* out) { io_put_bytes(&out->bytes, "\x78\x9c", 2); }
static inline void io_zlib_end(io_bits* out, const void* content, size_t count) {
    io_put_int(&out->bytes, io_adler(content, count), 4, true);
    out->used = 0;
}

typedef enum io_kind { IO_STORED, IO_FIXED, IO_DYNAMIC } io_kind;

static inline void io_block_begin(io_bits* out, bool last, unsigned kind) {
    io_bits_put(out, last, 1);
    io_bits_put(out, kind, 2);
}

static inline void io_stored(io_bits* out, bool last, const unsigned char* bytes, unsigned count) {
    io_block_begin(out, last, IO_STORED);
    out->used = 0;
    io_put_int(&out->bytes, count, 2, false);
    io_put_int(&out->bytes, ~count, 2, false);
    if (count > 0) io_put_bytes(&out->bytes, bytes, count);
}

/// The code lengths of fixed blocks, or other complete codes: `few` symbols of `short_bits` bits,
/// the rest one bit more.
static inline io_code io_code_fixed(void) {
    io_code code = {.count = 288};
    for (unsigned i = 0; i < 288; i++)
        code.lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    return code;
}
static inline io_code io_code_even(unsigned count, unsigned few, unsigned char short_bits) {
    io_code code = {.count = count};
    for (unsigned i = 0; i < count; i++)
        code.lengths[i] = (unsigned char)(i < few ? short_bits : short_bits + 1);
    return code;
}

/// The header of a dynamic block: all lengths uncompressed, in a code of four bits each.
static inline void io_put_codes(io_bits* out, const io_code* literals, const io_code* distances) {
    io_code meta = io_code_even(16, 16, 4);
    io_bits_put(out, literals->count - 257, 5);
    io_bits_put(out, distances->count - 1, 5);
    io_bits_put(out, 19 - 4, 4);
    for (unsigned i = 0; i < 19; i++) io_bits_put(out, i < 3 ? 0 : 4, 3);
    for (unsigned i = 0; i < literals->count; i++) io_bits_symbol(out, &meta, literals->lengths[i]);
    for (unsigned i = 0; i < distances->count; i++)
        io_bits_symbol(out, &meta, distances->lengths[i]);
}

/// A match; lengths and distances by the tables of RFC 1951, section 3.2.5.
static inline void io_match(io_bits* out, const io_code* literals, const io_code* distances,
                            unsigned length, unsigned distance) {
    unsigned symbol = 257, first = 3, extra = 0;
    while (length != 258 && length >= first + (1u << extra)) {
        first += 1u << extra;
        symbol++;
        extra = symbol < 265 ? 0 : (symbol - 261) / 4;
    }
    if (length == 258) symbol = 285, first = 258, extra = 0;
    io_bits_symbol(out, literals, symbol);
    io_bits_put(out, length - first, extra);
    for (symbol = 0, first = 1, extra = 0; distance >= first + (1u << extra);) {
        first += 1u << extra;
        symbol++;
        extra = symbol < 4 ? 0 : (symbol - 2) / 2;
    }
    io_bits_symbol(out, distances, symbol);
    io_bits_put(out, distance - first, extra);
}

/// Literals, and matches with the immediately preceding bytes.
static inline void io_symbols(io_bits* out, const io_code* literals, const io_code* distances,
                              const unsigned char* bytes, size_t count) {
    for (size_t i = 0; i < count;) {
        unsigned best = 0, from = 0;
        for (unsigned distance = 1; distance <= i && distance <= 64; distance++) {
            unsigned length = 0;
            while (i + length < count && length < 258 &&
                   bytes[i + length] == bytes[i + length - distance])
                length++;
            if (length > best) best = length, from = distance;
        }
        if (best < 3)
            io_bits_symbol(out, literals, bytes[i++]);
        else
            io_match(out, literals, distances, best, from);
        i += best < 3 ? 0 : best;
    }
    io_bits_symbol(out, literals, 256);
}

static inline void io_block(io_bits* out, bool last, io_kind kind, const unsigned char* bytes,
                            size_t count) {
    if (kind == IO_STORED) {
        io_stored(out, last, bytes, (unsigned)count);
        return;
    }
    const bool fixed = kind == IO_FIXED;
    io_code literals = fixed ? io_code_fixed() : io_code_even(286, 226, 8);
    io_code distances = fixed ? io_code_even(30, 30, 5) : io_code_even(30, 2, 4);
    io_block_begin(out, last, kind);
    if (!fixed) io_put_codes(out, &literals, &distances);
    io_symbols(out, &literals, &distances, bytes, count);
}

/// A whole stream with one block.
static inline io_bytes io_zlib(io_kind kind, const unsigned char* bytes, size_t count) {
    io_bits out = {0};
    io_zlib_begin(&out);
    io_block(&out, true, kind, bytes, count);
    io_zlib_end(&out, bytes, count);
    return out.bytes;
}
