/// @file vtk.c  Legacy VTK: unstructured grids, text and binary (big-endian), with cells in the old
/// layout (count, corners, count, corners, ...) or in the layout of 5.1 (offsets, connectivity).
/// Data of points and cells is skipped.
#include "io/vtk.h"
#include <inttypes.h>

typedef struct vtk {
    frc_source* source;
    frc_values in;  // values of arrays; the words between arrays are text, in binary files too
    frc_vtk_cells cells;
} vtk;

// Fail: `word` is not the expected one. It is empty at the end of the file.
static fracas_status fail_word(vtk* reader, frc_word word, const char* wanted) {
    if (word.length == 0)
        return frc_values_fail(&reader->in, word.text,
                               "the file ends where %s is expected; it is cut off", wanted);
    return frc_values_fail(&reader->in, word.text, "'%s' found where %s is expected",
                           frc_quote_word(word).text, wanted);
}

// Go to the values of an array; binary ones begin on the next line.
static void begin_values(vtk* reader) {
    frc_source* source = reader->source;
    if (reader->in.text) return;
    while (source->at < source->end && *source->at != '\n') source->at++;
    if (source->at < source->end) source->at++;
}

static fracas_status read_type(vtk* reader, frc_value_type* out) {
    static const frc_type_name types[] = {
        {"float",          FRC_FLOAT32},
        {"double",         FRC_FLOAT64},
        {"int",            FRC_INT32  },
        {"unsigned_int",   FRC_UINT32 },
        {"vtktypeint32",   FRC_INT32  },
        {"vtktypeuint32",  FRC_UINT32 },
        {"vtktypeint64",   FRC_INT64  },
        {"vtktypeuint64",  FRC_UINT64 },
        {"long",           FRC_INT64  },
        {"unsigned_long",  FRC_UINT64 },
        {"short",          FRC_INT16  },
        {"unsigned_short", FRC_UINT16 },
        {"char",           FRC_INT8   },
        {"unsigned_char",  FRC_UINT8  },
        {"vtkIdType",      FRC_INT32  }
    };
    frc_word word = frc_read_word(reader->source);
    if (frc_find_type(types, sizeof types / sizeof types[0], word, out)) return FRACAS_OK;
    return fail_word(reader, word, "a type such as double or vtktypeint64");
}

// Read a number in the text between arrays.
static fracas_status read_count(vtk* reader, const char* what, size_t least, uint64_t* out) {
    frc_values words = reader->in;
    words.text = true;
    return frc_values_count(&words, FRC_INT64, what, least, out);
}

// ---- the header

static fracas_status read_header(vtk* reader) {
    frc_source* source = reader->source;
    static const char magic[] = "# vtk DataFile Version";
    if (frc_source_left(source) < sizeof magic || !frc_source_begins_with(source, magic))
        return frc_fail_line(source, source->at,
                             "the file does not begin with '%s'; is this a VTK file?", magic);
    frc_skip_line(source);
    if (source->at < source->end && source->at[-1] == '\r' && *source->at == '\n') source->at++;
    frc_skip_line(source);  // the title
    source->free_form = true;
    frc_word word = frc_read_word(source);
    bool binary = frc_word_is(word, "BINARY");
    if (!binary && !frc_word_is(word, "ASCII")) return fail_word(reader, word, "ASCII or BINARY");
    word = frc_read_word(source);
    if (!frc_word_is(word, "DATASET")) return fail_word(reader, word, "DATASET");
    word = frc_read_word(source);
    if (word.length > 0 && !frc_word_is(word, "UNSTRUCTURED_GRID") && source->at < source->end)
        return frc_values_fail_unsupported(&reader->in, word.text,
                                           "the dataset is '%s'; only UNSTRUCTURED_GRID is read",
                                           frc_quote_word(word).text);
    if (!frc_word_is(word, "UNSTRUCTURED_GRID"))
        return fail_word(reader, word, "UNSTRUCTURED_GRID");
    reader->in.text = !binary;
    if (!binary) frc_source_drop_trailing_zeros(source);
    return FRACAS_OK;
}

// ---- arrays

static fracas_status read_points(vtk* reader) {
    fracas_mesh_file* file = reader->cells.file;
    uint64_t count = 0;
    frc_value_type type = FRC_FLOAT64;
    fracas_status status = read_count(reader, "points", reader->in.text ? 6 : 3, &count);
    if (status == FRACAS_OK) status = read_type(reader, &type);
    if (status != FRACAS_OK) return status;
    begin_values(reader);
    size_t left = frc_source_left(reader->source);
    if (!reader->in.text && count > left / (3 * frc_value_size(type)))
        return frc_values_fail(&reader->in, reader->source->at,
                               "there should be %" PRIu64 " points here, but only %zu bytes "
                               "follow; the file is cut off",
                               count, left);
    return frc_mesh_file_read_points(file, &reader->in, type, count);
}

// Cells in the old layout: count, corners, count, corners, ...; `numbers` values in total.
static fracas_status read_old_cells(vtk* reader, uint64_t cell_count, uint64_t numbers) {
    frc_vtk_cells* cells = &reader->cells;
    fracas_context* context = cells->file->context;
    for (uint64_t c = 0; c < cell_count; c++) {
        const char* place = frc_values_place(&reader->in);
        int64_t count = 0;
        fracas_status status = frc_values_read(&reader->in, FRC_INT32, "cell", c, &count);
        if (status != FRACAS_OK) return status;
        if (count < 0 || numbers == 0 || (uint64_t)count > numbers - 1)
            return frc_values_fail(&reader->in, place,
                                   "cell %" PRIu64 " has %" PRId64
                                   " corners, but the line of CELLS leaves %" PRIu64
                                   " numbers for it and the cells after it",
                                   c, count, numbers);
        numbers -= (uint64_t)count + 1;
        size_t before = cells->corners.count;
        if (!FRC_ARRAY_RESERVE(context, &cells->corners, before + (size_t)count) ||
            !FRC_ARRAY_PUSH(context, &cells->ends, before + (uint64_t)count))
            return frc_fail_memory(context, (before + (size_t)count) * sizeof(uint32_t));
        if (count > 0)
            status = frc_values_corners(&reader->in, FRC_INT32, "cell", c, 0,
                                        frc_mesh_file_point_count(cells->file), (uint32_t)count,
                                        cells->corners.data + before);
        cells->corners.count += (size_t)count;
        if (status == FRACAS_OK) status = frc_source_progress(reader->source);
        if (status != FRACAS_OK) return status;
    }
    if (numbers == 0) return FRACAS_OK;
    return frc_values_fail(&reader->in, reader->source->at,
                           "the cells take %" PRIu64
                           " numbers less than the line of CELLS says; its second number is the "
                           "count of all numbers that follow",
                           numbers);
}

static fracas_status read_cells(vtk* reader) {
    uint64_t count = 0, numbers = 0;
    size_t least = reader->in.text ? 2 : 1;
    fracas_status status = read_count(reader, "cells", least, &count);
    if (status == FRACAS_OK) status = read_count(reader, "numbers in cells", least, &numbers);
    if (status != FRACAS_OK) return status;
    begin_values(reader);
    if (reader->in.text) frc_skip_blanks(reader->source);
    if (!frc_source_begins_with(reader->source, "OFFSETS"))
        return read_old_cells(reader, count, numbers);

    // The layout of 5.1: `count` offsets, one more than cells, then `numbers` corners.
    frc_vtk_cells* cells = &reader->cells;
    frc_value_type type = FRC_INT64;
    frc_read_word(reader->source);
    status = read_type(reader, &type);
    if (status != FRACAS_OK) return status;
    begin_values(reader);
    if (count > 0) status = frc_vtk_read_ends(&reader->in, type, cells, count - 1, true);
    if (status != FRACAS_OK) return status;
    frc_word word = frc_read_word(reader->source);
    if (!frc_word_is(word, "CONNECTIVITY")) return fail_word(reader, word, "CONNECTIVITY");
    uint64_t last = cells->ends.count ? cells->ends.data[cells->ends.count - 1] : 0;
    if (last != numbers)
        return frc_values_fail(&reader->in, word.text,
                               "the last offset is %" PRIu64 ", but the line of CELLS says that "
                               "there are %" PRIu64 " corners",
                               last, numbers);
    status = read_type(reader, &type);
    if (status != FRACAS_OK) return status;
    begin_values(reader);
    return frc_vtk_read_corners(&reader->in, type, cells, numbers, 0,
                                frc_mesh_file_point_count(cells->file));
}

static fracas_status read_types(vtk* reader) {
    uint64_t count = 0;
    const char* place = reader->source->at;
    fracas_status status = read_count(reader, "types of cells", reader->in.text ? 2 : 4, &count);
    if (status != FRACAS_OK) return status;
    if (count != reader->cells.ends.count)
        return frc_values_fail(&reader->in, place,
                               "there are %" PRIu64 " types of cells for %zu cells", count,
                               reader->cells.ends.count);
    begin_values(reader);
    return frc_vtk_read_types(&reader->in, FRC_INT32, &reader->cells);
}

// ---- skipped content

// "FIELD name count", then for each array "name components tuples type" and its values.
static fracas_status skip_field(vtk* reader) {
    uint64_t arrays = 0;
    frc_read_word(reader->source);
    fracas_status status = read_count(reader, "arrays", 8, &arrays);
    for (uint64_t a = 0; status == FRACAS_OK && a < arrays; a++) {
        uint64_t components = 0, tuples = 0;
        frc_value_type type = FRC_FLOAT64;
        frc_read_word(reader->source);
        status = read_count(reader, "components", 1, &components);
        if (status == FRACAS_OK) status = read_count(reader, "tuples", 1, &tuples);
        if (status == FRACAS_OK) status = read_type(reader, &type);
        if (status != FRACAS_OK) return status;
        begin_values(reader);
        // Both counts are below 2^32, so the product does not overflow.
        if (components * tuples > frc_source_left(reader->source))
            return frc_values_fail(
                &reader->in, reader->source->at,
                "the file ends within array %" PRIu64 " of a field; it is cut off", a);
        status = frc_values_skip(&reader->in, type, components * tuples, "array of a field", a);
    }
    return status;
}

// ---- sections

static fracas_status read_sections(vtk* reader) {
    static const char* const names[] = {"POINTS", "CELLS", "CELL_TYPES"};
    static fracas_status (*const readers[])(vtk*) = {read_points, read_cells, read_types};
    bool found[3] = {false, false, false};
    for (;;) {
        frc_word word = frc_read_word(reader->source);
        bool data = frc_word_is(word, "POINT_DATA") || frc_word_is(word, "CELL_DATA");
        if (found[2] && (word.length == 0 || data)) return FRACAS_OK;
        if (frc_word_is(word, "METADATA")) {
            // Skip lines up to and including an empty one; "\r\n" is one line end.
            frc_source* source = reader->source;
            frc_skip_line(source);
            for (bool empty = false; !empty && source->at < source->end; frc_skip_line(source)) {
                const char* begin = source->at;
                while (source->at < source->end && frc_is_blank(*source->at)) source->at++;
                empty = source->at < source->end && frc_is_newline(*source->at);
                if (source->at == begin && begin[0] == '\n' && begin[-1] == '\r') empty = false;
            }
            continue;
        }
        int which = 0;
        while (which < 3 && !frc_word_is(word, names[which])) which++;
        fracas_status status = FRACAS_OK;
        if (which < 3) {
            if (found[which])
                return frc_values_fail(&reader->in, word.text, "there is a second section %s",
                                       names[which]);
            if (which > 0 && !found[which - 1])
                return frc_values_fail(&reader->in, word.text, "%s comes before %s", names[which],
                                       names[which - 1]);
            found[which] = true;
            status = readers[which](reader);
        } else if (frc_word_is(word, "FIELD")) {
            status = skip_field(reader);
        } else {
            status = fail_word(reader, word, "POINTS, CELLS or CELL_TYPES");
        }
        if (status != FRACAS_OK) return status;
    }
}

fracas_status frc_vtk_read(frc_source* source, fracas_mesh_file* file) {
    vtk reader = {
        .source = source,
        .in = {.source = source,               .text = true, .swap = frc_swap_needed(true)},
        .cells = {.file = file}
    };
    fracas_status status = read_header(&reader);
    if (status == FRACAS_OK) status = read_sections(&reader);
    frc_vtk_release(&reader.cells);
    return status;
}
