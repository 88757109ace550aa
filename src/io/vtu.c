/// @file vtu.c  XML files of VTK with unstructured grids: arrays as text, as base64 in their tag,
/// or appended (raw or base64); binary arrays may be compressed by zlib. Pieces are concatenated.
///
/// All tags are read first, because arrays may refer to data at the end of the file; then the
/// arrays, piece by piece. Failures in binary arrays are reported at the line of their tag.
#include "io/inflate.h"
#include "io/vtk.h"
#include "io/vtu_bytes.h"
#include "io/xml.h"
#include <inttypes.h>

typedef enum array_format { MISSING, TEXT, INLINE, APPENDED } array_format;

typedef struct array {
    array_format format;
    frc_value_type type;
    const char* place;        // of its tag
    const char *begin, *end;  // content of the tag, of TEXT and INLINE
    uint64_t offset;          // in the appended data, of APPENDED
} array;

enum { POINTS, CONNECTIVITY, OFFSETS, TYPES, ARRAYS };
static const char* const array_names[ARRAYS] = {"Points", "connectivity", "offsets", "types"};

typedef struct piece {
    const char* place;
    uint64_t points, cells;
    array arrays[ARRAYS];
} piece;

typedef struct vtu {
    frc_source* source;
    fracas_mesh_file* file;
    bool swap;
    size_t header_size;  // bytes of each number in the headers of arrays
    bool compressed;
    FRC_ARRAY(piece) pieces;
    const char* appended;  // begin of the appended data; NULL: there is none
    bool appended_base64;
    uint64_t
        used;  // bytes of all arrays read; at most the size of the file, so arrays cannot overlap
} vtu;

// ---- tags

static fracas_status read_file_tag(vtu* reader, const frc_tag* tag) {
    frc_source* source = reader->source;
    frc_word value;
    if (!frc_xml_attribute(tag, "type", &value) || !frc_word_is(value, "UnstructuredGrid")) {
        frc_fail_line(source, tag->place,
                      "the file is not an UnstructuredGrid; only these are read, in one file");
        return FRACAS_ERROR_UNSUPPORTED;
    }
    reader->compressed = frc_xml_attribute(tag, "compressor", &value) && value.length > 0;
    if (reader->compressed && !frc_word_is(value, "vtkZLibDataCompressor")) {
        frc_fail_line(source, tag->place,
                      "the arrays are compressed by %s, which is not read; save the file with "
                      "vtkZLibDataCompressor or without compression",
                      frc_quote_word(value).text);
        return FRACAS_ERROR_UNSUPPORTED;
    }
    bool big = frc_xml_attribute(tag, "byte_order", &value) && frc_word_is(value, "BigEndian");
    reader->swap = frc_swap_needed(big);
    bool wide = frc_xml_attribute(tag, "header_type", &value) && frc_word_is(value, "UInt64");
    reader->header_size = wide ? 8 : 4;
    return FRACAS_OK;
}

static fracas_status read_number(vtu* reader, const frc_tag* tag, const char* name, uint64_t most,
                                 uint64_t* out) {
    frc_word value = {tag->place, 0};
    const bool found = frc_xml_attribute(tag, name, &value);
    // Programs that write offsets afterwards leave blanks at the end of the value.
    while (value.length > 0 && frc_is_blank(value.text[value.length - 1])) value.length--;
    if (found && frc_word_to_count(value, out) && *out <= most) return FRACAS_OK;
    return frc_fail_line(reader->source, tag->place,
                         "the tag needs %s=\"...\", a number from 0 to %" PRIu64 ", not '%s'", name,
                         most, frc_quote_word(value).text);
}

static fracas_status read_piece_tag(vtu* reader, const frc_tag* tag) {
    piece p = {.place = tag->place};
    uint64_t size = (uint64_t)(reader->source->end - reader->source->begin);
    // Each point and cell has at least one byte in the file, or in the decompressed arrays.
    if (reader->compressed) size *= FRC_INFLATE_MAX_RATIO;
    fracas_status status = read_number(reader, tag, "NumberOfPoints", size, &p.points);
    if (status == FRACAS_OK) status = read_number(reader, tag, "NumberOfCells", size, &p.cells);
    if (status != FRACAS_OK) return status;
    return FRC_ARRAY_PUSH(reader->source->context, &reader->pieces, p)
               ? FRACAS_OK
               : frc_fail_memory(reader->source->context, sizeof p);
}

// The tag of array `which` of the last piece.
static fracas_status read_array_tag(vtu* reader, const frc_tag* tag, int which) {
    static const frc_type_name types[] = {
        {"Int8",    FRC_INT8   },
        {"UInt8",   FRC_UINT8  },
        {"Int16",   FRC_INT16  },
        {"UInt16",  FRC_UINT16 },
        {"Int32",   FRC_INT32  },
        {"UInt32",  FRC_UINT32 },
        {"Int64",   FRC_INT64  },
        {"UInt64",  FRC_UINT64 },
        {"Float32", FRC_FLOAT32},
        {"Float64", FRC_FLOAT64}
    };
    const frc_source* source = reader->source;
    array* out = &reader->pieces.data[reader->pieces.count - 1].arrays[which];
    if (out->format != MISSING)
        return frc_fail_line(source, tag->place, "there is a second array '%s'",
                             array_names[which]);
    // Points may have any type, the others integers.
    frc_word value = {tag->place, 0};
    bool known = frc_xml_attribute(tag, "type", &value) &&
                 frc_find_type(types, sizeof types / sizeof types[0], value, &out->type);
    if (!known || (which != POINTS && !frc_value_is_integer(out->type)))
        return frc_fail_line(source, tag->place,
                             "the array '%s' needs type=\"%s\" or the like, not '%s'",
                             array_names[which], which == POINTS ? "Float64" : "Int64",
                             known ? "Float" : frc_quote_word(value).text);
    if (which == POINTS && frc_xml_attribute(tag, "NumberOfComponents", &value) &&
        !frc_word_is(value, "3"))
        return frc_fail_line(source, tag->place, "the points have %s coordinates each; they need 3",
                             frc_quote_word(value).text);
    value = frc_word_of("ascii");
    frc_xml_attribute(tag, "format", &value);
    out->place = tag->place;
    out->begin = tag->end + 1;
    const char* end = memchr(out->begin, '<', (size_t)(source->end - out->begin));
    out->end = end ? end : source->end;
    out->format = frc_word_is(value, "ascii")      ? TEXT
                  : frc_word_is(value, "binary")   ? INLINE
                  : frc_word_is(value, "appended") ? APPENDED
                                                   : MISSING;
    if (out->format == APPENDED)
        return read_number(reader, tag, "offset", (uint64_t)1 << 48, &out->offset);
    if (out->format != MISSING) return FRACAS_OK;
    return frc_fail_line(source, tag->place,
                         "format=\"%s\" is unknown; formats are ascii, binary and appended",
                         frc_quote_word(value).text);
}

// Read all tags, to </VTKFile> or the beginning of the appended data.
static fracas_status read_tags(vtu* reader) {
    frc_source* source = reader->source;
    bool in_file = false, in_points = false, in_cells = false;
    for (;;) {
        frc_tag tag;
        frc_word value;
        bool found;
        fracas_status status = frc_xml_next(source, &tag, &found);
        if (status != FRACAS_OK) return status;
        if (!found)
            return frc_fail_line(
                source, source->at,
                "the file ends before </VTKFile>; it is cut off, or not a VTK file");
        bool file_tag = frc_word_is(tag.name, "VTKFile");
        if (!in_file && !file_tag)
            return frc_fail_line(source, tag.place,
                                 "the file begins with <%s> where <VTKFile> is expected; is this a "
                                 "VTK file?",
                                 frc_quote_word(tag.name).text);
        in_file = true;
        bool inside = !tag.closing && tag.end[-1] != '/' && reader->pieces.count > 0;
        if (frc_word_is(tag.name, "Points")) in_points = inside;
        if (frc_word_is(tag.name, "Cells")) in_cells = inside;
        if (tag.closing) {
            if (file_tag) return FRACAS_OK;
            continue;
        }
        if (file_tag) {
            status = read_file_tag(reader, &tag);
        } else if (frc_word_is(tag.name, "Piece")) {
            status = read_piece_tag(reader, &tag);
        } else if (frc_word_is(tag.name, "DataArray") && (in_points || in_cells)) {
            // Other arrays of cells are faces of polyhedra, a cell type that is not supported.
            int which = in_points ? POINTS : CONNECTIVITY;
            while (!in_points && which < ARRAYS &&
                   !(frc_xml_attribute(&tag, "Name", &value) &&
                     frc_word_is(value, array_names[which])))
                which++;
            if (which < ARRAYS) status = read_array_tag(reader, &tag, which);
        } else if (frc_word_is(tag.name, "AppendedData")) {
            reader->appended_base64 =
                !frc_xml_attribute(&tag, "encoding", &value) || frc_word_is(value, "base64");
            frc_skip_blanks(source);
            if (source->at == source->end || *source->at != '_')
                return frc_fail_line(source, tag.place,
                                     "the appended data does not begin with '_'");
            reader->appended = source->at + 1;
            return FRACAS_OK;
        }
        if (status != FRACAS_OK) return status;
    }
}

// ---- arrays

// An array opened for reading.
typedef struct stream {
    frc_source source;
    frc_values in;
    frc_vtu_bytes bytes;  // of a binary array
} stream;

// Open an array for reading `count` values; a binary array is unpacked.
static fracas_status open_array(vtu* reader, const piece* p, int which, uint64_t count,
                                stream* out) {
    const array* a = &p->arrays[which];
    const char* name = array_names[which];
    const uint64_t size = frc_value_size(a->type);
    frc_source* source = reader->source;
    *out = (stream){.source = *source};
    out->source.progress_begin = 1;  // progress was reported with the tags; cancelling still works
    out->source.free_form = true;
    out->in = (frc_values){.source = &out->source, .text = a->format == TEXT};
    if (a->format == MISSING)
        return frc_fail_line(source, p->place, "the piece has no array '%s'", name);
    const char *begin = a->begin, *end = a->end;
    if (a->format == APPENDED) {
        if (!reader->appended)
            return frc_fail_line(source, a->place,
                                 "the array '%s' is appended, but the file has no <AppendedData>",
                                 name);
        if (a->offset > (uint64_t)(source->end - reader->appended))
            return frc_vtu_fail_cut(source, a->place, name);
        begin = reader->appended + a->offset;
        end = source->end;
    }
    uint64_t used = (uint64_t)(end - begin);
    if (a->format != TEXT) {
        const frc_vtu_packed packed = {.source = source,
                                       .name = name,
                                       .place = a->place,
                                       .begin = begin,
                                       .end = end,
                                       .base64 = a->format == INLINE || reader->appended_base64,
                                       .compressed = reader->compressed,
                                       .swap = reader->swap,
                                       .header_size = reader->header_size,
                                       .needed =
                                           count <= UINT64_MAX / size ? count * size : UINT64_MAX};
        fracas_status status = frc_vtu_unpack(&packed, &out->bytes);
        if (status != FRACAS_OK) return status;
        out->in.swap = reader->swap;
        out->in.fail_source = source;
        out->in.fail_place = a->place;
        begin = out->source.begin = out->bytes.begin;
        end = out->bytes.end;
        used = out->bytes.consumed;
    }
    out->source.at = begin;
    out->source.end = end;
    reader->used += used;
    if (reader->used > (uint64_t)(source->end - source->begin))
        return frc_fail_line(source, a->place,
                             "the arrays of the file have more bytes than the file; they overlap");
    // A value of text has a digit and a blank; the last blank may be missing.
    const size_t left = out->source.report_at = frc_source_left(&out->source);
    if (count > (out->in.text ? (left + 1) / 2 : left / size))
        return frc_vtu_fail_cut(source, a->place, name);
    return FRACAS_OK;
}

// Read one array of a piece and add its values to the mesh or to `cells`.
static fracas_status read_array(vtu* reader, const piece* p, int which, frc_vtk_cells* cells) {
    const frc_value_type type = p->arrays[which].type;
    const uint64_t corners = cells->ends.count ? cells->ends.data[cells->ends.count - 1] : 0;
    const uint64_t counts[ARRAYS] = {3 * p->points, corners, p->cells, p->cells};
    if (counts[which] == 0) return FRACAS_OK;
    stream s;
    fracas_status status = open_array(reader, p, which, counts[which], &s);
    if (status == FRACAS_OK && which == POINTS)
        status = frc_mesh_file_read_points(reader->file, &s.in, type, p->points);
    if (status == FRACAS_OK && which == OFFSETS)
        status = frc_vtk_read_ends(&s.in, type, cells, p->cells, false);
    if (status == FRACAS_OK && which == CONNECTIVITY)
        status =
            frc_vtk_read_corners(&s.in, type, cells, corners,
                                 frc_mesh_file_point_count(reader->file) - p->points, p->points);
    if (status == FRACAS_OK && which == TYPES) status = frc_vtk_read_types(&s.in, type, cells);
    if (status == FRACAS_OK && frc_values_place(&s.in) < s.source.end)
        status = frc_values_fail(&s.in, s.source.at,
                                 "the array '%s' has more values than the piece says",
                                 array_names[which]);
    frc_vtu_bytes_release(reader->source->context, &s.bytes);
    return status;
}

fracas_status frc_vtu_read(frc_source* source, fracas_mesh_file* file) {
    static const int order[ARRAYS] = {POINTS, OFFSETS, CONNECTIVITY, TYPES};
    source->free_form = true;
    vtu reader = {.source = source, .file = file};
    fracas_status status = read_tags(&reader);
    for (size_t i = 0; status == FRACAS_OK && i < reader.pieces.count; i++) {
        frc_vtk_cells cells = {.file = file};
        for (int k = 0; status == FRACAS_OK && k < ARRAYS; k++)
            status = read_array(&reader, &reader.pieces.data[i], order[k], &cells);
        frc_vtk_release(&cells);
    }
    FRC_ARRAY_RELEASE(source->context, &reader.pieces);
    return status;
}
