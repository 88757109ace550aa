// Inflate: streams of zlib, streams written bit by bit, every kind of invalid stream, and each
// stream truncated at every byte and corrupted at every bit. inflate_differential.py compares it
// with zlib.
#include "io/inflate.h"
#include "io_deflate.h"

// Uses copies of the exact size, so that out-of-bounds accesses are detected.
static const char* inflate(const void* stream, size_t size, size_t count, unsigned char** out,
                           size_t* place) {
    unsigned char* copy = malloc(size + !size);
    *out = malloc(count + !count);
    assert_non_null(copy);
    assert_non_null(*out);
    memcpy(copy, stream, size);
    const char* wrong = frc_inflate(copy + !size, size, *out + !count, count, place);
    assert_true(*place <= size);
    free(copy);
    return wrong;
}

static void accepts(const void* stream, size_t size, const void* content, size_t count) {
    unsigned char* out;
    size_t place = 0;
    const char* wrong = inflate(stream, size, count, &out, &place);
    if (wrong) fail_msg("byte %zu: %s", place, wrong);
    assert_memory_equal(out, content, count);
    free(out);
}

static void refuses(const void* stream, size_t size, size_t count, size_t at, const char* part) {
    unsigned char* out;
    size_t place = 0;
    const char* wrong = inflate(stream, size, count, &out, &place);
    assert_non_null(wrong);
    if (!strstr(wrong, part)) fail_msg("'%s' is not in: %s", part, wrong);
    assert_int_equal(place, at);
    free(out);
}

// Truncated streams, other sizes, trailing bytes; a flipped bit is detected or changes nothing.
static void check_corrupted(const void* stream, size_t size, const void* content, size_t count) {
    accepts(stream, size, content, count);
    unsigned char *out, *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, stream, size);
    copy[size] = 0;
    size_t place;
    for (size_t cut = 0; cut < size; cut++) {
        const char* wrong = inflate(stream, cut, count, &out, &place);
        free(out);
        assert_non_null(wrong);
        if (!strstr(wrong, "the stream ends early")) fail_msg("cut at %zu: %s", cut, wrong);
        assert_int_equal(place, cut);
    }
    for (size_t bit = 0; bit < 8 * size; bit++) {
        copy[bit / 8] ^= (unsigned char)(1 << bit % 8);
        if (!inflate(copy, size, count, &out, &place)) assert_memory_equal(out, content, count);
        free(out);
        copy[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    refuses(copy, size + 1, count, size, "the stream ends before its last byte");
    for (int more = -1; more <= 1; more += 2) {
        if (count == 0 && more < 0) continue;
        const char* wrong = inflate(stream, size, count + (size_t)more, &out, &place);
        free(out);
        assert_non_null(wrong);
        assert_non_null(strstr(wrong, more < 0 ? "more bytes than" : "fewer bytes than"));
    }
    free(copy);
}

#define TEXT "to be, or not to be: that is the question; to be, or not to be"

static void streams_of_zlib(void** state) {
    (void)state;
    static const char stored[] = "\x78\x01\x01\x3e\x00\xc1\xff" TEXT "\x92\xa1\x15\x00";
    check_corrupted(stored, sizeof stored - 1, TEXT, strlen(TEXT));
    static const char fixed[] =
        "\x78\x9c\x2b\xc9\x57\x48\x4a\xd5\x51\xc8\x2f\x52\xc8\xcb\x2f\x51\x28\x01\xf1\xac\x14\x4a"
        "\x32\x12\x4b\x14\x32\x8b\x81\x74\xaa\x42\x61\x69\x6a\x71\x49\x66\x7e\x9e\x35\x44\x12\x55"
        "\x29\x00\x92\xa1\x15\x00";
    check_corrupted(fixed, sizeof fixed - 1, TEXT, strlen(TEXT));
    check_corrupted("\x78\x9c\x03\x00\x00\x00\x00\x01", 8, "", 0);
    // "0 0 1 1 2 4 3 9 ... 99 9801 "
    static const char dynamic[] =
        "\x78\xda\x1d\x92\x89\x0d\x03\x41\x08\x03\x5b\xa1\x84\x3d\x7e\xfa\x6f\x2c\xe3\x28\xba\xe8"
        "\x36\x80\x19\x7b\xf3\xec\xd9\xc7\xc7\x2d\x2d\xec\xf8\xfe\xda\xca\xbc\xac\x2d\xda\xc6\xf2"
        "\x6c\xad\x93\xd2\xd2\x47\xf3\xe3\xe1\xcd\xf5\xd8\x97\x0c\x04\x33\xc7\xab\x7d\xd7\xf6\x31"
        "\xcc\x34\x2a\x5e\x9c\xc6\x7c\xa9\xad\x85\xab\x8e\x26\xbb\x9e\x25\x2a\x28\x64\x72\x62\xf5"
        "\xa6\x79\x58\xf9\x19\x5d\x35\xfd\xdf\xcf\xe3\x6d\xad\xd3\xd8\xa8\xb6\x36\xea\x04\x85\xb9"
        "\x78\x76\xa8\xc4\x67\x87\x66\xc0\xf2\x18\x0e\x60\x1e\x1b\x83\x6d\x1f\x00\x01\x8a\x78\xf0"
        "\xf2\x39\x78\x31\xf0\x42\x1b\x2b\x76\xfa\x81\x2b\x91\xe0\xaa\x91\x43\xf8\x6b\x9c\x26\x7a"
        "\x83\xed\x44\x6f\xc9\x40\x3e\x0f\x91\x04\xea\xa1\x97\x50\x7d\x98\x4c\x0c\xfa\xa3\xbe\x38"
        "\x78\xa9\xb8\x3c\xdf\x67\x85\xbf\x42\xaf\x30\xd8\x3a\x3b\x2e\xa8\x57\x60\x83\xfe\x92\x0f"
        "\x45\x0d\x9a\xf4\x84\x0a\x18\xe6\x95\x14\x75\x12\x0b\xf6\x97\xac\xc0\xd3\x38\x15\x9f\xac"
        "\x0e\xbc\xed\x58\x00\xaa\x03\x0b\xf8\x11\xea\xc3\x5f\x83\x26\xbf\x0d\x5a\x94\xe2\x03\x9d"
        "\x3c\x7a\x41\x26\x1f\x5a\x73\x10\x19\xac\x2a\xbe\x11\x2a\xa6\xc7\x41\x25\xdc\xe1\x1a\x82"
        "\x84\x87\xd5\x34\xda\x08\x0d\xbd\x11\x9a\xce\x03\x92\xea\xfc\x29\x9e\xfa\x91\x76\xe6\x17"
        "\x34\x5d\xaa\x50\x0b\xfd\x75\x56\xb3\x6f\x83\xd5\xab\x1b\x63\x25\x3c\x8b\x94\xf8\x16\x29"
        "\xc0\x6d\xb9\xda\x02\x6a\xb9\xdb\xc1\x0f\xad\x73\xf8\x3b\x49\xa1\x77\x92\x42\xf4\x1c\x09"
        "\xfd\x0d\x83\x51\xf2\x39\x5a\x97\xbc\xae\x68\x45\x0f\x29\xc6\xf8\x1a\x4a\xe4\x7b\xcb\x4f"
        "\xe4\x7d\x7a\x25\xff\x1f\xcb\x95\x88\x4c";
    io_bytes squares = {0};
    for (unsigned i = 0; i < 100; i++) io_put(&squares, "%u %u ", i, i * i);
    check_corrupted(dynamic, sizeof dynamic - 1, squares.data, squares.count);
    free(squares.data);
}

static uint32_t next_random(uint32_t* seed) { return *seed = *seed * 1664525 + 1013904223; }

// Sequences of blocks of all kinds, with more or less repetitive bytes.
static void random_streams(void** state) {
    (void)state;
    uint32_t seed = 7;
    for (int round = 0; round < 300; round++) {
        unsigned char content[1500];
        const size_t count = next_random(&seed) % (round % 10 ? 100 : sizeof content);
        const uint32_t letters = 1 + (next_random(&seed) >> 24) % (round % 2 ? 3 : 255);
        for (size_t i = 0; i < count; i++)
            content[i] = (unsigned char)((next_random(&seed) >> 16) % letters);
        io_bits out = {0};
        io_zlib_begin(&out);
        for (size_t at = 0;;) {
            size_t part = (next_random(&seed) >> 8) % (count - at + 1);
            bool last = part == count - at;
            io_block(&out, last, (io_kind)((next_random(&seed) >> 16) % 3), content + at, part);
            at += part;
            if (last) break;
        }
        io_zlib_end(&out, content, count);
        if (round % 10 == 1)
            check_corrupted(out.bytes.data, out.bytes.count, content, count);
        else
            accepts(out.bytes.data, out.bytes.count, content, count);
        free(out.bytes.data);
    }
}

// Every length and distance, up to the whole window of 32768 bytes and beyond.
static void matches(void** state) {
    (void)state;
    enum { FIRST = 40000, MATCHES = 3000, ROOM = FIRST + MATCHES * 258 };
    unsigned char* content = malloc(ROOM);
    assert_non_null(content);
    uint32_t seed = 3;
    for (int i = 0; i < FIRST; i++) content[i] = (unsigned char)(next_random(&seed) >> 24);
    io_bits out = {0};
    io_zlib_begin(&out);
    io_stored(&out, false, content, FIRST);
    io_code literals = io_code_fixed(), distances = io_code_even(30, 30, 5);
    io_block_begin(&out, true, IO_FIXED);
    size_t count = FIRST;
    for (unsigned i = 0; i < MATCHES; i++) {
        const unsigned length = 3 + i % 256;
        unsigned distance = 1 + (next_random(&seed) >> 12) % 32768;
        if (i % 3 == 0) distance = 1 + (distance >> i % 15);
        if (i % 100 == 0) distance = 32768;
        io_match(&out, &literals, &distances, length, distance);
        for (unsigned k = 0; k < length; k++, count++) content[count] = content[count - distance];
    }
    io_bits_symbol(&out, &literals, 256);
    io_zlib_end(&out, content, count);
    accepts(out.bytes.data, out.bytes.count, content, count);
    free(out.bytes.data);
    free(content);
}

// ---- codes

static const io_code none = {.count = 1};
static const io_code two = {.lengths[0] = 1, .lengths[1] = 1, .count = 2};

// A stream with one dynamic block: `letters` literals of 'a' and the end.
static io_bits with_codes(const io_code* literals, const io_code* distances, unsigned letters) {
    io_bits out = {0};
    io_zlib_begin(&out);
    io_block_begin(&out, true, IO_DYNAMIC);
    io_put_codes(&out, literals, distances);
    for (unsigned i = 0; i < letters; i++) io_bits_symbol(&out, literals, 'a');
    return out;
}

static void code_is(const io_code* literals, const io_code* distances, const char* wrong) {
    io_bits out = with_codes(literals, distances, wrong ? 0 : 3);
    const size_t at = out.bytes.count - (out.used % 8 != 0);  // the first bit after the codes
    if (!wrong) io_bits_symbol(&out, literals, 256);
    io_zlib_end(&out, "aaa", 3);
    if (wrong)
        refuses(out.bytes.data, out.bytes.count, 3, at, wrong);
    else
        check_corrupted(out.bytes.data, out.bytes.count, "aaa", 3);
    free(out.bytes.data);
}

static void codes(void** state) {
    (void)state;
    io_code literals = {.count = 257};
    literals.lengths['a'] = literals.lengths[256] = 1;
    code_is(&literals, &none, NULL);  // no distance is used
    code_is(&literals, &two, NULL);
    io_code one = {.lengths = {1}, .count = 1};
    code_is(&literals, &one, NULL);
    io_code chain = {.count = 257};  // 1, 2, ..., 14, 15, 15
    for (unsigned char i = 0; i < 14; i++) chain.lengths[i] = i + 1;
    chain.lengths['a'] = chain.lengths[256] = 15;
    code_is(&chain, &none, NULL);
}

#define OVER "has too many codes"
#define LESS "is incomplete"

static void wrong_codes(void** state) {
    (void)state;
    io_code literals = {.count = 257}, over, less;
    literals.lengths['a'] = literals.lengths[256] = 1;
    over = literals;
    over.lengths['b'] = 15;
    code_is(&over, &two, "the code of literals and lengths " OVER);
    for (int i = 0; i < 257; i++) over.lengths[i] = 1;
    code_is(&over, &two, "the code of literals and lengths " OVER);
    less = literals;
    less.lengths['a'] = 2;
    code_is(&less, &two, "the code of literals and lengths " LESS);
    literals.lengths[256] = 0;
    code_is(&literals, &two, "the block has no code for its end");
    literals.lengths[256] = 1;
    over = (io_code){
        .lengths = {1, 1, 1},
          .count = 3
    };
    code_is(&literals, &over, "the code of distances " OVER);
    less = (io_code){
        .lengths = {1, 2},
          .count = 2
    };
    code_is(&literals, &less, "the code of distances " LESS);
    less = (io_code){
        .lengths = {0, 2},
          .count = 2
    };
    code_is(&literals, &less, "the code of distances " LESS);
}

// The header of a dynamic block with these lengths of the code of code lengths, in the file's
// order.
static io_bits with_meta(const unsigned char* lengths, unsigned count) {
    io_bits out = {0};
    io_zlib_begin(&out);
    io_block_begin(&out, true, IO_DYNAMIC);
    io_bits_put(&out, 0, 10);
    io_bits_put(&out, count - 4, 4);
    for (unsigned i = 0; i < count; i++) io_bits_put(&out, lengths[i], 3);
    return out;
}

static void meta_is(const unsigned char* lengths, unsigned bits, unsigned count, size_t at,
                    const char* wrong) {
    io_bits out = with_meta(lengths, 4);
    io_bits_put(&out, bits, count);
    io_zlib_end(&out, "", 0);
    refuses(out.bytes.data, out.bytes.count, 0, at, wrong);
    free(out.bytes.data);
}

static void wrong_meta(void** state) {
    (void)state;
    // Of 16 (repeat), 17 (3 to 10 zeros), 18 (11 to 138 zeros) and 0.
    meta_is((const unsigned char[]){1, 1, 1, 0}, 0, 0, 5, "the code of code lengths " OVER);
    meta_is((const unsigned char[]){7, 7, 7, 7}, 0, 0, 5, "the code of code lengths " LESS);
    meta_is((const unsigned char[]){0, 0, 0, 0}, 0, 0, 5, "the code of code lengths " LESS);
    meta_is((const unsigned char[]){1, 0, 0, 1}, 1, 1, 5, "the first code length repeats");
    // Of 258 lengths: 138 zeros, and 138 more.
    meta_is((const unsigned char[]){0, 0, 1, 1}, 0xFFFF, 16, 7, "more than the block has codes");
    // All are zeros: 138 and 120.
    meta_is((const unsigned char[]){0, 0, 1, 1}, 0xFF | (1 | (120 - 11) << 1) << 8, 16, 7,
            "no code for its end");
    io_bits out = {0};
    for (unsigned i = 0; i < 2; i++) {
        out = (io_bits){0};
        io_zlib_begin(&out);
        io_block_begin(&out, true, IO_DYNAMIC);
        io_bits_put(&out, i == 0 ? 30 : 0, 5);
        io_bits_put(&out, i == 0 ? 0 : 30, 5);
        io_bits_put(&out, 0, 4);
        io_zlib_end(&out, "", 0);
        refuses(out.bytes.data, out.bytes.count, 0, 4, "more codes than there are lengths or");
        free(out.bytes.data);
    }
}

// ---- symbols

static void symbol_is(unsigned symbol, unsigned distance, const char* wrong) {
    io_code literals = io_code_fixed(), distances = io_code_even(32, 32, 5);
    io_bits out = {0};
    io_zlib_begin(&out);
    io_block_begin(&out, true, IO_FIXED);
    io_bits_symbol(&out, &literals, 'x');
    io_bits_symbol(&out, &literals, symbol);
    io_bits_symbol(&out, &distances, distance);
    io_bits_symbol(&out, &literals, 256);
    io_zlib_end(&out, "xxxx", 4);
    if (wrong)
        refuses(out.bytes.data, out.bytes.count, 4, 4, wrong);
    else
        accepts(out.bytes.data, out.bytes.count, "xxxx", 4);
    free(out.bytes.data);
}

static void wrong_symbols(void** state) {
    (void)state;
    symbol_is(257, 0, NULL);  // three bytes, one back
    symbol_is(257, 1, "a distance reaches back beyond the first byte");
    symbol_is(286, 0, "a code of a length is reserved");
    symbol_is(287, 0, "a code of a length is reserved");
    symbol_is(257, 30, "a code of a distance is reserved");
    symbol_is(257, 31, "a code of a distance is reserved");
    symbol_is(258, 0, "more bytes than the array's header says");
    // The single bit that the code does not have; a distance in a block without distances.
    io_code literals = {.count = 258}, one = {.lengths = {1}, .count = 1};
    literals.lengths['a'] = 1;
    literals.lengths[256] = literals.lengths[257] = 2;
    for (int i = 0; i < 2; i++) {
        io_bits out = with_codes(&literals, i == 0 ? &one : &none, 1);
        io_bits_symbol(&out, &literals, 257);
        io_bits_put(&out, 1, 1);
        const size_t at = out.bytes.count - 1;
        for (int k = 0; k < 8; k++) io_put_int(&out.bytes, 0xFF, 1, false);
        refuses(out.bytes.data, out.bytes.count, 9, at, "the bits are not a code of the block");
        free(out.bytes.data);
    }
}

static void wrong_streams(void** state) {
    (void)state;
    refuses("\x79\x9c\x03\x00\x00\x00\x00\x01", 8, 0, 0, "this is not a zlib stream");
    refuses("\x88\x1c\x03\x00\x00\x00\x00\x01", 8, 0, 0, "this is not a zlib stream");  // 64 KB
    refuses("\x78\x9d\x03\x00\x00\x00\x00\x01", 8, 0, 0, "this is not a zlib stream");
    refuses("\x1f\x8b\x08\x00\x00\x00\x00\x00", 8, 0, 0, "this is not a zlib stream");  // gzip
    refuses("\x78\xbb\x00\x00\x00\x01\x03\x00\x00\x00\x00\x01", 12, 0, 0, "needs a dictionary");
    refuses("\x78\x9c\x07\x00\x00\x00\x00\x01", 8, 0, 2, "a kind that does not exist");
    refuses("\x78\x9c\x01\x00\x00\xff\xfe\x00\x00\x00\x01", 11, 0, 3, "its complement do not");
    for (unsigned i = 0; i < 32; i++) {
        unsigned char stream[] = "\x78\x9c\x4b\x4c\x4c\x04\x00\x02\x49\x01\x24";  // "aaa"
        if (i == 0) accepts(stream, 11, "aaa", 3);
        stream[7 + i / 8] ^= (unsigned char)(1 << i % 8);
        refuses(stream, 11, 3, 7, "the checksum does not match");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_of_zlib), cmocka_unit_test(random_streams),
        cmocka_unit_test(matches),         cmocka_unit_test(codes),
        cmocka_unit_test(wrong_codes),     cmocka_unit_test(wrong_meta),
        cmocka_unit_test(wrong_symbols),   cmocka_unit_test(wrong_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
