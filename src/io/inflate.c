/// @file inflate.c  A decoder of RFC 1950 and 1951: stored, fixed and dynamic blocks, and the
/// checksum. It exists because the library depends on the C library only.
///
/// Codes of up to 10 bits are looked up in a table. The decoder rejects what zlib rejects, and
/// bytes after the end of the stream.
#include "io/inflate.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LONGEST = 15, QUICK = 10, LITERALS = 288, DISTANCES = 32, END_OF_BLOCK = 256 };

// A Huffman code. `quick` is indexed by the next QUICK bits; an entry is symbol << 4 | code length,
// or 0 when the code is longer than QUICK or there is none.
typedef struct code {
    uint16_t quick[1 << QUICK];
    uint16_t symbols[LITERALS];    // sorted by code
    uint16_t counts[LONGEST + 1];  // number of symbols by code length
} code;

typedef struct inflater {
    const unsigned char *begin, *at, *end;
    uint64_t bits;       // buffered bits, the next one lowest
    unsigned bit_count;  // valid ones; higher bits are zero, or equal to the stream's next bits
    unsigned char *out_begin, *out, *out_end;
    code literals, distances;
    bool fixed;  // `literals` and `distances` are the codes of fixed blocks
    const char* wrong;
    size_t wrong_place;
} inflater;

static const char too_long[] = "the stream has more bytes than the array's header says";

static bool fail(inflater* z, const char* wrong) {
    z->wrong = wrong;
    z->wrong_place =
        (size_t)(z->at - z->begin) - (z->bit_count + 7) / 8;  // of the next buffered bit
    return false;
}

static bool fail_cut(inflater* z) {
    z->wrong = "the stream ends early; the file is cut off, or a size is wrong";
    z->wrong_place = (size_t)(z->end - z->begin);
    return false;
}

// ---- bits

// Buffer at least 48 bits, enough for a match, or all that are left.
static inline void refill(inflater* z) {
    if (z->bit_count >= 48) return;
    if (z->end - z->at >= 8) {
        uint64_t next = 0;
        for (unsigned i = 0; i < 8; i++) next |= (uint64_t)z->at[i] << 8 * i;
        z->bits |= next << z->bit_count;
        z->at += (63 - z->bit_count) / 8;
        z->bit_count |= 56;
        return;
    }
    for (; z->bit_count <= 56 && z->at < z->end; z->bit_count += 8)
        z->bits |= (uint64_t)*z->at++ << z->bit_count;
}

static inline void drop(inflater* z, unsigned count) {
    z->bits >>= count;
    z->bit_count -= count;
}

// Read up to 16 bits as a number.
static bool read_bits(inflater* z, unsigned count, unsigned* out) {
    refill(z);
    if (z->bit_count < count) return fail_cut(z);
    *out = (unsigned)(z->bits & (((uint64_t)1 << count) - 1));
    drop(z, count);
    return true;
}

// Skip to the next whole byte and empty the buffer; `at` then points to that byte.
static void align(inflater* z) {
    z->at -= z->bit_count / 8;
    z->bits = z->bit_count = 0;
}

// ---- codes

// Make the canonical code from the code lengths of the symbols; length 0: the symbol has no code.
// @return the number of unused codes of the longest length; negative: the code is oversubscribed
static int make_code(code* c, const unsigned char* lengths, unsigned count) {
    memset(c, 0, sizeof *c);
    for (unsigned i = 0; i < count; i++) c->counts[lengths[i]]++;
    c->counts[0] = 0;
    int left = 1;
    unsigned next_code[LONGEST + 1] = {0}, next_place[LONGEST + 1] = {0};
    for (int length = 1; length <= LONGEST; length++) {
        left = 2 * left - c->counts[length];
        if (left < 0) return left;
        if (length == LONGEST) break;
        next_code[length + 1] = (next_code[length] + c->counts[length]) << 1;
        next_place[length + 1] = next_place[length] + c->counts[length];
    }
    for (unsigned i = 0; i < count; i++) {
        const unsigned length = lengths[i];
        if (length == 0) continue;
        c->symbols[next_place[length]++] = (uint16_t)i;
        const unsigned bits = next_code[length]++;
        if (length > QUICK) continue;
        // A code is stored from its highest bit on, but the stream is read from the lowest.
        unsigned reversed = 0;
        for (unsigned b = 0; b < length; b++) reversed |= (bits >> b & 1) << (length - 1 - b);
        for (unsigned k = reversed; k < 1u << QUICK; k += 1u << length)
            c->quick[k] = (uint16_t)(i << 4 | length);
    }
    return left;
}

// As in zlib, a code may be incomplete when its longest length is at most one bit.
static bool may_be_incomplete(const code* c) {
    for (int length = 2; length <= LONGEST; length++)
        if (c->counts[length] > 0) return false;
    return true;
}

// Slow path of decode() for codes longer than QUICK: codes of one length are consecutive numbers.
static unsigned find_long_code(const code* c, uint64_t bits) {
    unsigned candidate = 0, first = 0, place = 0;
    for (unsigned length = 1; length <= LONGEST; length++, bits >>= 1) {
        candidate = candidate << 1 | (unsigned)(bits & 1);
        first <<= 1;
        const unsigned count = c->counts[length];
        if (candidate < first + count)
            return (unsigned)c->symbols[place + candidate - first] << 4 | length;
        place += count;
        first += count;
    }
    return 0;
}

static inline bool decode(inflater* z, const code* c, unsigned* symbol) {
    refill(z);
    unsigned found = c->quick[z->bits & ((1u << QUICK) - 1)];
    if (!found) found = find_long_code(c, z->bits);
    const unsigned length = found & 15;
    if (length > z->bit_count || (!found && z->bit_count < LONGEST)) return fail_cut(z);
    if (!found) return fail(z, "the bits are not a code of the block");
    *symbol = found >> 4;
    drop(z, length);
    return true;
}

// ---- blocks

static bool read_stored(inflater* z) {
    align(z);
    if (z->end - z->at < 4) return fail_cut(z);
    const unsigned length = z->at[0] | (unsigned)z->at[1] << 8;
    const unsigned inverse = z->at[2] | (unsigned)z->at[3] << 8;
    if ((length ^ inverse) != 0xFFFF)
        return fail(z, "the length of a stored block and its complement do not match");
    z->at += 4;
    if (length > (size_t)(z->end - z->at)) return fail_cut(z);
    if (length > (size_t)(z->out_end - z->out)) return fail(z, too_long);
    if (length > 0) memcpy(z->out, z->at, length);
    z->out += length;
    z->at += length;
    return true;
}

// The header of a dynamic block: the two codes.
static bool read_codes(inflater* z) {
    static const unsigned char order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                            11, 4,  12, 3, 13, 2, 14, 1, 15};
    z->fixed = false;
    unsigned literals = 0, distances = 0, metas = 0;
    if (!read_bits(z, 5, &literals) || !read_bits(z, 5, &distances) || !read_bits(z, 4, &metas))
        return false;
    literals += 257;
    distances += 1;
    if (literals > 286 || distances > 30)
        return fail(z, "the block has more codes than there are lengths or distances");
    // The code that encodes the code lengths of the other two.
    unsigned char meta_lengths[19] = {0}, lengths[286 + 30] = {0};
    for (unsigned i = 0; i < metas + 4; i++) {
        unsigned length = 0;
        if (!read_bits(z, 3, &length)) return false;
        meta_lengths[order[i]] = (unsigned char)length;
    }
    int left = make_code(&z->literals, meta_lengths, 19);
    if (left < 0) return fail(z, "the code of code lengths has too many codes");
    if (left > 0) return fail(z, "the code of code lengths is incomplete");

    // The code lengths of both codes, run-length encoded.
    for (unsigned i = 0, count = literals + distances; i < count;) {
        unsigned symbol = 0, times = 0;
        if (!decode(z, &z->literals, &symbol)) return false;
        if (symbol < 16) {
            lengths[i++] = (unsigned char)symbol;
            continue;
        }
        if (symbol == 16 && i == 0) return fail(z, "the first code length repeats one before it");
        if (!read_bits(z, symbol == 16 ? 2 : symbol == 17 ? 3 : 7, &times)) return false;
        times += symbol == 18 ? 11 : 3;
        if (times > count - i) return fail(z, "the code lengths are more than the block has codes");
        memset(lengths + i, symbol == 16 ? lengths[i - 1] : 0, times);
        i += times;
    }

    if (lengths[END_OF_BLOCK] == 0) return fail(z, "the block has no code for its end");
    left = make_code(&z->literals, lengths, literals);
    if (left < 0) return fail(z, "the code of literals and lengths has too many codes");
    if (left > 0 && !may_be_incomplete(&z->literals))
        return fail(z, "the code of literals and lengths is incomplete");
    left = make_code(&z->distances, lengths + literals, distances);
    if (left < 0) return fail(z, "the code of distances has too many codes");
    return left == 0 || may_be_incomplete(&z->distances) ||
           fail(z, "the code of distances is incomplete");
}

// The literals and matches of a block, up to its end.
static bool read_symbols(inflater* z) {
    // Lengths and numbers of extra bits by symbol - 257.
    static const uint16_t first[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                       15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                       67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const unsigned char extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                            2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    for (;;) {
        unsigned symbol = 0, more = 0;
        if (!decode(z, &z->literals, &symbol)) return false;
        if (symbol == END_OF_BLOCK) return true;
        if (symbol < END_OF_BLOCK) {
            if (z->out == z->out_end) return fail(z, too_long);
            *z->out++ = (unsigned char)symbol;
            continue;
        }

        // A match: its length, then its distance.
        if (symbol - 257 >= 29) return fail(z, "a code of a length is reserved");
        if (!read_bits(z, extra[symbol - 257], &more)) return false;
        const size_t length = first[symbol - 257] + more;
        if (!decode(z, &z->distances, &symbol)) return false;
        if (symbol >= 30) return fail(z, "a code of a distance is reserved");
        const unsigned distance_extra = symbol < 4 ? 0 : symbol / 2 - 1;
        if (!read_bits(z, distance_extra, &more)) return false;
        const size_t distance =
            (symbol < 4 ? symbol : (2 + symbol % 2) << distance_extra) + (size_t)more + 1;
        if (distance > (size_t)(z->out - z->out_begin))
            return fail(z, "a distance reaches back beyond the first byte");
        if (length > (size_t)(z->out_end - z->out)) return fail(z, too_long);

        // Source and destination may overlap; the copied bytes then repeat.
        const unsigned char* from = z->out - distance;
        if (distance >= length)
            memcpy(z->out, from, length);
        else
            for (size_t i = 0; i < length; i++) z->out[i] = from[i];
        z->out += length;
    }
}

// ---- the stream

static uint32_t adler32(const unsigned char* bytes, size_t count) {
    enum { PRIME = 65521, SAFE = 5552 };  // SAFE: most bytes whose sums do not overflow 32 bits
    uint32_t low = 1, high = 0;
    while (count > 0) {
        const size_t part = count < SAFE ? count : SAFE;
        for (size_t i = 0; i < part; i++) {
            low += bytes[i];
            high += low;
        }
        low %= PRIME;
        high %= PRIME;
        bytes += part;
        count -= part;
    }
    return high << 16 | low;
}

static bool read_stream(inflater* z) {
    // The header: deflate, a window of at most 32 KB, a check value.
    if (z->end - z->at < 2) return fail_cut(z);
    const unsigned method = z->at[0], flags = z->at[1];
    if ((method & 15) != 8 || method >> 4 > 7 || (method << 8 | flags) % 31 != 0)
        return fail(z, "this is not a zlib stream");
    if (flags & 0x20) return fail(z, "the stream needs a dictionary, which the file does not have");
    z->at += 2;

    for (unsigned last = 0; !last;) {
        unsigned kind = 0;
        if (!read_bits(z, 1, &last) || !read_bits(z, 2, &kind)) return false;
        if (kind == 3) return fail(z, "a block is of a kind that does not exist");
        if (kind == 1 && !z->fixed) {
            unsigned char lengths[LITERALS];
            for (int i = 0; i < LITERALS; i++)
                lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
            make_code(&z->literals, lengths, LITERALS);
            memset(lengths, 5, DISTANCES);
            make_code(&z->distances, lengths, DISTANCES);
            z->fixed = true;
        }
        const bool read =
            kind == 0 ? read_stored(z) : (kind != 2 || read_codes(z)) && read_symbols(z);
        if (!read) return false;
    }

    // The size and the checksum, big-endian.
    align(z);
    if (z->out < z->out_end)
        return fail(z, "the stream has fewer bytes than the array's header says");
    if (z->end - z->at < 4) return fail_cut(z);
    uint32_t checksum = 0;
    for (int i = 0; i < 4; i++) checksum = checksum << 8 | z->at[i];
    if (checksum != adler32(z->out_begin, (size_t)(z->out - z->out_begin)))
        return fail(z, "the checksum does not match; the data is damaged");
    z->at += 4;
    return z->at == z->end || fail(z, "the stream ends before its last byte; a size is wrong");
}

const char* frc_inflate(const void* stream, size_t size, void* out, size_t count, size_t* place) {
    inflater z;  // the codes are made when a block needs them
    z.begin = z.at = stream;
    z.end = z.begin + size;
    z.bits = z.bit_count = 0;
    z.out_begin = z.out = out;
    z.out_end = z.out + count;
    z.fixed = false;
    z.wrong = NULL;
    z.wrong_place = 0;
    read_stream(&z);
    *place = z.wrong_place;
    return z.wrong;
}
