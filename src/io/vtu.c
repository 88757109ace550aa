/// @file vtu.c  XML files of VTK with unstructured grids: arrays as text, as base64 in place, or
/// appended (raw or base64), these two also compressed by zlib. Several pieces become one mesh.
///
/// First all tags are looked at, for arrays may point to the end of the file; then the arrays are
/// read, piece by piece. Failures in arrays that are not text are told at the line of their tag.
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
    const char *begin, *end;  // its content, when it is in place
    uint64_t offset;          // when it is appended
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
    size_t header_size;  // of the numbers before each array
    bool compressed;
    FRC_ARRAY(piece) pieces;
    const char* appended;  // where offsets count from; NULL: there is no such section
    bool appended_base64;
    uint64_t spent;  // bytes of arrays, in all: they may not be read again and again
} vtu;

// ---- tags

static fracas_status read_file_tag(vtu* reader, const frc_tag* tag) {
    frc_source* source = reader->source;
    frc_word value;
    if (!frc_xml_attribute(tag, "type", &value) || !frc_word_is(value, "UnstructuredGrid")) {
        frc_fail_line(source, tag->place,
                      "the file is no UnstructuredGrid; only those are read, in one file");
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
    // Writers that fill in offsets later leave blanks behind them.
    while (value.length > 0 && frc_is_blank(value.text[value.length - 1])) value.length--;
    if (found && frc_word_to_count(value, out) && *out <= most) return FRACAS_OK;
    return frc_fail_line(reader->source, tag->place,
                         "the tag needs %s=\"...\", a number from 0 to %" PRIu64 ", not '%s'", name,
                         most, frc_quote_word(value).text);
}

static fracas_status read_piece_tag(vtu* reader, const frc_tag* tag) {
    piece p = {.place = tag->place};
    uint64_t size = (uint64_t)(reader->source->end - reader->source->begin);
    // Each takes a byte of the file at least, or of what its arrays are when they are inflated.
    if (reader->compressed) size *= FRC_INFLATE_MAX_RATIO;
    fracas_status status = read_number(reader, tag, "NumberOfPoints", size, &p.points);
    if (status == FRACAS_OK) status = read_number(reader, tag, "NumberOfCells", size, &p.cells);
    if (status != FRACAS_OK) return status;
    return FRC_ARRAY_PUSH(reader->source->context, &reader->pieces, p)
               ? FRACAS_OK
               : frc_fail_memory(reader->source->context, sizeof p);
}

static bool type_of(frc_word word, frc_value_type* out) {
    static const char* const names[] = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                        "UInt32", "Int64", "UInt64", "Float32", "Float64"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (frc_word_is(word, names[i])) {
            *out = (frc_value_type)i;
            return true;
        }
    return false;
}

// Points may have any type, the others whole numbers.
static fracas_status check_type(vtu* reader, const frc_tag* tag, int which, array* out) {
    frc_word value = {tag->place, 0};
    bool known = frc_xml_attribute(tag, "type", &value) && type_of(value, &out->type);
    if (known && (which == POINTS || frc_value_is_integer(out->type))) return FRACAS_OK;
    return frc_fail_line(reader->source, tag->place,
                         "the array '%s' needs type=\"%s\" or the like, not '%s'",
                         array_names[which], which == POINTS ? "Float64" : "Int64",
                         known ? "Float" : frc_quote_word(value).text);
}

static fracas_status read_array_tag(vtu* reader, const frc_tag* tag, int which) {
    piece* p = &reader->pieces.data[reader->pieces.count - 1];
    array* out = &p->arrays[which];
    if (out->format != MISSING)
        return frc_fail_line(reader->source, tag->place, "the array '%s' is here a second time",
                             array_names[which]);
    fracas_status status = check_type(reader, tag, which, out);
    if (status != FRACAS_OK) return status;
    frc_word value;
    if (which == POINTS && frc_xml_attribute(tag, "NumberOfComponents", &value) &&
        !frc_word_is(value, "3"))
        return frc_fail_line(reader->source, tag->place,
                             "the points have %s coordinates each; it takes 3",
                             frc_quote_word(value).text);
    value = (frc_word){"ascii", 5};
    frc_xml_attribute(tag, "format", &value);
    out->place = tag->place;
    out->begin = tag->end + 1;
    const char* end = memchr(out->begin, '<', (size_t)(reader->source->end - out->begin));
    out->end = end ? end : reader->source->end;
    out->format = frc_word_is(value, "ascii")      ? TEXT
                  : frc_word_is(value, "binary")   ? INLINE
                  : frc_word_is(value, "appended") ? APPENDED
                                                   : MISSING;
    if (out->format == APPENDED)
        return read_number(reader, tag, "offset", (uint64_t)1 << 48, &out->offset);
    if (out->format != MISSING) return FRACAS_OK;
    return frc_fail_line(reader->source, tag->place,
                         "format=\"%s\" is unknown; it takes ascii, binary or appended",
                         frc_quote_word(value).text);
}

static int array_of(const frc_tag* tag, bool in_points) {
    frc_word name;
    if (in_points) return POINTS;
    for (int i = CONNECTIVITY; i < ARRAYS; i++)
        if (frc_xml_attribute(tag, "Name", &name) && frc_word_is(name, array_names[i])) return i;
    return ARRAYS;  // faces of polyhedra, which are refused by their type
}

static fracas_status begin_appended(vtu* reader, const frc_tag* tag) {
    frc_source* source = reader->source;
    frc_word value;
    reader->appended_base64 =
        !frc_xml_attribute(tag, "encoding", &value) || frc_word_is(value, "base64");
    frc_skip_blanks(source);
    if (source->at == source->end || *source->at != '_')
        return frc_fail_line(source, tag->place, "the appended data does not begin with '_'");
    reader->appended = ++source->at;
    return FRACAS_OK;
}

typedef struct where {
    bool file, points, cells, done;
} where;

static fracas_status look_at(vtu* reader, const frc_tag* tag, where* in) {
    bool inside = !tag->closing && tag->end[-1] != '/';
    bool has_piece = reader->pieces.count > 0;
    if (!in->file && !frc_word_is(tag->name, "VTKFile"))
        return frc_fail_line(reader->source, tag->place,
                             "the file begins with <%s> where <VTKFile> is expected; is this a VTK "
                             "file?",
                             frc_quote_word(tag->name).text);
    if (frc_word_is(tag->name, "VTKFile")) {
        in->file = true;
        in->done = tag->closing;
        return tag->closing ? FRACAS_OK : read_file_tag(reader, tag);
    }
    if (frc_word_is(tag->name, "Piece") && !tag->closing) return read_piece_tag(reader, tag);
    if (frc_word_is(tag->name, "Points")) in->points = inside && has_piece;
    if (frc_word_is(tag->name, "Cells")) in->cells = inside && has_piece;
    if (frc_word_is(tag->name, "AppendedData") && !tag->closing) {
        in->done = true;
        return begin_appended(reader, tag);
    }
    if (!frc_word_is(tag->name, "DataArray") || tag->closing || !(in->points || in->cells))
        return FRACAS_OK;
    int which = array_of(tag, in->points);
    return which == ARRAYS ? FRACAS_OK : read_array_tag(reader, tag, which);
}

static fracas_status read_tags(vtu* reader) {
    where in = {0};
    while (!in.done) {
        frc_tag tag;
        bool found;
        fracas_status status = frc_xml_next(reader->source, &tag, &found);
        if (status == FRACAS_OK && !found)
            return frc_fail_line(reader->source, reader->source->at,
                                 "the file ends before </VTKFile>; it is cut off, or no VTK file");
        if (status == FRACAS_OK) status = look_at(reader, &tag, &in);
        if (status != FRACAS_OK) return status;
    }
    return FRACAS_OK;
}

// ---- arrays

// An array opened for reading.
typedef struct stream {
    frc_source source;
    frc_values in;
    frc_vtu_bytes bytes;  // unless it is text
    uint64_t taken;       // of the file
} stream;

// Where the bytes of an array that is not text begin and end.
static fracas_status find_bytes(const vtu* reader, const array* a, int which, uint64_t count,
                                frc_vtu_packed* out) {
    const frc_source* source = reader->source;
    const uint64_t size = frc_value_size(a->type);
    *out = (frc_vtu_packed){.source = source,
                            .name = array_names[which],
                            .place = a->place,
                            .begin = a->begin,
                            .end = a->end,
                            .base64 = a->format == INLINE || reader->appended_base64,
                            .compressed = reader->compressed,
                            .swap = reader->swap,
                            .header_size = reader->header_size,
                            .needed = count <= UINT64_MAX / size ? count * size : UINT64_MAX};
    if (a->format == INLINE) return FRACAS_OK;
    if (!reader->appended)
        return frc_fail_line(source, a->place,
                             "the array '%s' is appended, but the file has no <AppendedData>",
                             array_names[which]);
    if (a->offset > (uint64_t)(source->end - reader->appended))
        return frc_vtu_fail_cut(source, a->place, array_names[which]);
    out->begin = reader->appended + a->offset;
    out->end = source->end;
    return FRACAS_OK;
}

static fracas_status open_bytes(const vtu* reader, const array* a, int which, uint64_t count,
                                stream* out) {
    frc_vtu_packed packed;
    fracas_status status = find_bytes(reader, a, which, count, &packed);
    if (status == FRACAS_OK) status = frc_vtu_unpack(&packed, &out->bytes);
    if (status != FRACAS_OK) return status;
    out->in = (frc_values){.source = &out->source,
                           .swap = reader->swap,
                           .fail_source = reader->source,
                           .fail_place = a->place};
    out->source.begin = out->source.at = out->bytes.begin;
    out->source.end = out->bytes.end;
    out->taken = out->bytes.taken;
    return FRACAS_OK;
}

static void open_text(const array* a, stream* out) {
    out->in = (frc_values){.source = &out->source, .text = true};
    out->source.at = a->begin;
    out->source.end = a->end;
    out->taken = frc_source_left(&out->source);
}

// Open the array for reading `count` values.
static fracas_status open_array(vtu* reader, const piece* p, int which, uint64_t count,
                                stream* out) {
    const array* a = &p->arrays[which];
    frc_source* source = reader->source;
    *out = (stream){.source = *source};
    out->source.progress_begin = 1;  // the tags were the way; cancelling is still seen
    out->source.free_form = true;
    fracas_status status = FRACAS_OK;
    if (a->format == MISSING)
        return frc_fail_line(source, p->place, "the piece has no array '%s'", array_names[which]);
    if (a->format == TEXT)
        open_text(a, out);
    else
        status = open_bytes(reader, a, which, count, out);
    if (status != FRACAS_OK) return status;
    out->source.report_at = frc_source_left(&out->source);
    reader->spent += out->taken;
    if (reader->spent <= (uint64_t)(source->end - source->begin)) return FRACAS_OK;
    return frc_fail_line(source, a->place,
                         "the arrays of the file take more bytes than it has; they overlap");
}

// Are `count` values of the array there? Text takes a digit and a blank for each, the last may lack
// one.
static fracas_status check_room(const vtu* reader, const array* a, int which, const stream* s,
                                uint64_t count) {
    size_t left = frc_source_left(&s->source);
    bool fits = s->in.text ? count <= (left + 1) / 2 : count <= left / frc_value_size(a->type);
    return fits ? FRACAS_OK : frc_vtu_fail_cut(reader->source, a->place, array_names[which]);
}

// ---- pieces

static fracas_status read_points(vtu* reader, const piece* p, stream* s) {
    fracas_mesh_file* file = reader->file;
    size_t before = file->points.count;
    if (!FRC_ARRAY_RESERVE(file->context, &file->points, before + 3 * p->points))
        return frc_fail_memory(file->context, 3 * p->points * sizeof(double));
    fracas_status status = FRACAS_OK;
    for (uint64_t i = 0; status == FRACAS_OK && i < p->points; i++) {
        double point[3];
        status = frc_values_coordinates(&s->in, p->arrays[POINTS].type, i, point);
        if (status == FRACAS_OK) status = frc_mesh_file_add_point(file, point);
        if (status == FRACAS_OK) status = frc_source_progress(&s->source);
    }
    return status;
}

static fracas_status read_array(vtu* reader, const piece* p, int which, frc_vtk_cells* cells) {
    frc_value_type type = p->arrays[which].type;
    uint64_t first = frc_mesh_file_point_count(reader->file) - (which == POINTS ? 0 : p->points);
    uint64_t corners = cells->ends.count ? cells->ends.data[cells->ends.count - 1] : 0;
    const uint64_t counts[ARRAYS] = {3 * p->points, corners, p->cells, p->cells};
    if (counts[which] == 0) return FRACAS_OK;
    stream s;
    fracas_status status = open_array(reader, p, which, counts[which], &s);
    if (status == FRACAS_OK)
        status = check_room(reader, &p->arrays[which], which, &s, counts[which]);
    if (status == FRACAS_OK && which == POINTS) status = read_points(reader, p, &s);
    if (status == FRACAS_OK && which == OFFSETS)
        status = frc_vtk_read_ends(&s.in, type, cells, p->cells, false);
    if (status == FRACAS_OK && which == CONNECTIVITY)
        status = frc_vtk_read_corners(&s.in, type, cells, corners, first, p->points);
    if (status == FRACAS_OK && which == TYPES) status = frc_vtk_read_types(&s.in, type, cells);
    if (status == FRACAS_OK && frc_values_place(&s.in) < s.source.end)
        status = frc_values_fail(&s.in, s.source.at,
                                 "the array '%s' has more values than the piece says",
                                 array_names[which]);
    frc_vtu_bytes_release(reader->source->context, &s.bytes);
    return status;
}

static fracas_status read_piece(vtu* reader, const piece* p) {
    static const int order[ARRAYS] = {POINTS, OFFSETS, CONNECTIVITY, TYPES};
    frc_vtk_cells cells = {.file = reader->file};
    fracas_status status = FRACAS_OK;
    for (int i = 0; status == FRACAS_OK && i < ARRAYS; i++)
        status = read_array(reader, p, order[i], &cells);
    frc_vtk_release(&cells);
    return status;
}

fracas_status frc_vtu_read(frc_source* source, fracas_mesh_file* file) {
    source->free_form = true;
    vtu reader = {.source = source, .file = file};
    fracas_status status = read_tags(&reader);
    for (size_t i = 0; status == FRACAS_OK && i < reader.pieces.count; i++)
        status = read_piece(&reader, &reader.pieces.data[i]);
    FRC_ARRAY_RELEASE(source->context, &reader.pieces);
    return status;
}
