/// @file vtu_bytes.c  Headers, base64 and compressed blocks of binary arrays.
///
/// A plain array is its number of bytes and the bytes. A compressed array is a header, with the
/// number of blocks, the size of a block, the size of the last block if it differs (or 0), and the
/// compressed size of each block, and then the blocks, each a zlib stream. In base64, header and
/// data are encoded separately or together, so '=' may be in the middle.
#include "io/vtu_bytes.h"
#include "io/inflate.h"
#include "io/values.h"
#include "io/xml.h"
#include <inttypes.h>

fracas_status frc_vtu_fail_cut(const frc_source* source, const char* place, const char* name) {
    return frc_fail_line(source, place,
                         "the array '%s' has too few bytes; the file is cut off, or the number "
                         "of bytes before it is wrong",
                         name);
}

static fracas_status fail_cut(const frc_vtu_packed* packed) {
    return frc_vtu_fail_cut(packed->source, packed->place, packed->name);
}

void frc_vtu_bytes_release(fracas_context* context, frc_vtu_bytes* bytes) {
    frc_release(context, bytes->memory, bytes->capacity);
    *bytes = (frc_vtu_bytes){0};
}

static fracas_status allocate(fracas_context* context, size_t size, frc_vtu_bytes* out) {
    *out = (frc_vtu_bytes){.memory = frc_allocate(context, size), .capacity = size};
    return out->memory ? FRACAS_OK : frc_fail_memory(context, size);
}

// Replace the content of `out` by the first `size` bytes of the array, decoded.
static fracas_status fetch(const frc_vtu_packed* packed, uint64_t size, frc_vtu_bytes* out) {
    fracas_context* context = packed->source->context;
    if (size > (uint64_t)(packed->end - packed->begin)) return fail_cut(packed);
    const char* begin = packed->begin;
    if (packed->base64) {
        frc_vtu_bytes_release(context, out);
        fracas_status status = allocate(context, (size_t)size + 2, out);
        if (status != FRACAS_OK) return status;
        if (frc_base64_decode(packed->begin, packed->end, (size_t)size, out->memory) < size)
            return fail_cut(packed);
        begin = (const char*)out->memory;
    }
    out->begin = begin;
    out->end = begin + size;
    out->consumed = size;
    return FRACAS_OK;
}

// Number `index` of the header in `bytes`.
static uint64_t header_number(const frc_vtu_packed* packed, const frc_vtu_bytes* bytes,
                              uint64_t index) {
    const char* begin = bytes->begin + index * packed->header_size;
    frc_source source = {.at = begin, .end = begin + packed->header_size};
    frc_values in = {.source = &source, .swap = packed->swap};
    int64_t number = 0;
    frc_values_integer(&in, packed->header_size == 8 ? FRC_UINT64 : FRC_UINT32, &number);
    return (uint64_t)number;
}

// ---- compressed

typedef struct blocks {
    uint64_t count;
    uint64_t size, last;     // decompressed bytes of each block, and of the last one
    uint64_t packed, total;  // bytes of all blocks, compressed and decompressed
    size_t head;             // bytes of the header
} blocks;

// Read the header, check its sizes, and fetch header and blocks into `out`.
static fracas_status read_blocks(const frc_vtu_packed* packed, frc_vtu_bytes* out, blocks* b) {
    const uint64_t most = (uint64_t)(packed->end - packed->begin);
    fracas_status status = fetch(packed, 3 * packed->header_size, out);
    if (status != FRACAS_OK) return status;
    *b = (blocks){.count = header_number(packed, out, 0),
                  .size = header_number(packed, out, 1),
                  .last = header_number(packed, out, 2)};
    if (b->last == 0) b->last = b->size;
    if (b->count > most) return fail_cut(packed);
    b->head = (3 + (size_t)b->count) * packed->header_size;
    status = fetch(packed, b->head, out);
    if (status != FRACAS_OK) return status;
    for (uint64_t i = 0; i < b->count; i++) {
        const uint64_t size = header_number(packed, out, 3 + i);
        if (size > most - b->packed) return fail_cut(packed);
        b->packed += size;
    }
    if (b->count > 0) {
        const uint64_t limit = b->packed * FRC_INFLATE_MAX_RATIO, full = b->count - 1;
        bool fits = full == 0 || b->size <= limit / full;
        fits = fits && b->last <= b->size && b->last <= limit - full * b->size;
        b->total = fits ? full * b->size + b->last : 0;
        if (!fits || (size_t)b->total != b->total)
            return frc_fail_line(packed->source, packed->place,
                                 "the array '%s' says that its %" PRIu64
                                 " compressed bytes are %" PRIu64 " blocks of %" PRIu64
                                 " bytes and the last of %" PRIu64
                                 ", which is impossible; the numbers before it are wrong",
                                 packed->name, b->packed, b->count, b->size, b->last);
    }
    if (b->total > packed->needed)
        return frc_fail_line(packed->source, packed->place,
                             "the array '%s' has more values than the piece says: its header (byte "
                             "%zu) claims %" PRIu64 " bytes, the piece needs %" PRIu64
                             "; correct NumberOfPoints, NumberOfCells or the block sizes",
                             packed->name, (size_t)(packed->begin - packed->source->begin),
                             b->total, packed->needed);
    return fetch(packed, b->head + b->packed, out);
}

// Decompress all blocks to `out`. Cancelling is checked between blocks, once per megabyte.
static fracas_status inflate_blocks(const frc_vtu_packed* packed, const blocks* b,
                                    const frc_vtu_bytes* from, frc_vtu_bytes* out) {
    fracas_status status = allocate(packed->source->context, (size_t)b->total + 1, out);
    unsigned char* to = out->memory;
    frc_source source = *packed->source;
    source.progress_begin = 1;
    source.begin = source.at = from->begin + b->head;
    source.end = from->end;
    source.report_at = frc_source_left(&source);
    for (uint64_t i = 0; status == FRACAS_OK && i < b->count; i++) {
        const size_t size = (size_t)header_number(packed, from, 3 + i);
        const size_t count = (size_t)(i + 1 < b->count ? b->size : b->last);
        size_t place = 0;
        const char* wrong = frc_inflate(source.at, size, to, count, &place);
        if (wrong)
            return frc_fail_line(packed->source, packed->place,
                                 "the array '%s', block %" PRIu64 " of %" PRIu64
                                 " (counting from 0), byte %zu of its %zu: %s",
                                 packed->name, i, b->count, place, size, wrong);
        source.at += size;
        to += count;
        status = frc_source_progress(&source);
    }
    out->begin = (const char*)out->memory;
    out->end = (const char*)to;
    out->consumed = from->consumed;
    return status;
}

fracas_status frc_vtu_unpack(const frc_vtu_packed* packed, frc_vtu_bytes* out) {
    *out = (frc_vtu_bytes){0};
    if (packed->compressed) {
        frc_vtu_bytes from = {0};
        blocks b = {0};
        fracas_status status = read_blocks(packed, &from, &b);
        if (status == FRACAS_OK) status = inflate_blocks(packed, &b, &from, out);
        frc_vtu_bytes_release(packed->source->context, &from);
        return status;
    }
    fracas_status status = fetch(packed, packed->header_size, out);
    if (status != FRACAS_OK) return status;
    uint64_t size = header_number(packed, out, 0);
    if (size > (uint64_t)(packed->end - packed->begin)) return fail_cut(packed);
    status = fetch(packed, packed->header_size + size, out);
    if (status == FRACAS_OK) out->begin += packed->header_size;
    return status;
}
