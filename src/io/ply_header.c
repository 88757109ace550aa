/// @file ply_header.c  Read the header of a PLY file.
///
/// Unknown lines before the first element are skipped like comments, because some programs omit the
/// word `comment`. Later unknown lines are rejected, because they may be misspelt properties.
#include "io/ply.h"
#include <inttypes.h>

static bool find_type(frc_word word, frc_value_type* out) {
    static const frc_type_name names[] = {
        {"char",    FRC_INT8   },
        {"int8",    FRC_INT8   },
        {"uchar",   FRC_UINT8  },
        {"uint8",   FRC_UINT8  },
        {"short",   FRC_INT16  },
        {"int16",   FRC_INT16  },
        {"ushort",  FRC_UINT16 },
        {"uint16",  FRC_UINT16 },
        {"int",     FRC_INT32  },
        {"int32",   FRC_INT32  },
        {"uint",    FRC_UINT32 },
        {"uint32",  FRC_UINT32 },
        {"float",   FRC_FLOAT32},
        {"float32", FRC_FLOAT32},
        {"double",  FRC_FLOAT64},
        {"float64", FRC_FLOAT64}
    };
    return frc_find_type(names, sizeof names / sizeof names[0], word, out);
}

// The role of the property `name`; SKIPPED when it is unknown or has a type that does not fit.
static frc_ply_role find_role(frc_ply_kind kind, frc_word name, const frc_ply_property* property) {
    static const struct {
        frc_ply_kind kind;
        const char* name;
        frc_ply_role role;
    } roles[] = {
        {FRC_PLY_VERTEX, "x",              FRC_PLY_X      },
        {FRC_PLY_VERTEX, "y",              FRC_PLY_Y      },
        {FRC_PLY_VERTEX, "z",              FRC_PLY_Z      },
        {FRC_PLY_VERTEX, "parent",         FRC_PLY_PARENT },
        {FRC_PLY_FACE,   "parent",         FRC_PLY_PARENT },
        {FRC_PLY_FACE,   "vertex_index",   FRC_PLY_CORNERS},
        {FRC_PLY_FACE,   "vertex_indices", FRC_PLY_CORNERS},
        {FRC_PLY_EDGE,   "vertex1",        FRC_PLY_VERTEX1},
        {FRC_PLY_EDGE,   "vertex2",        FRC_PLY_VERTEX2}
    };
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        if (kind != roles[i].kind || !frc_word_is(name, roles[i].name)) continue;
        if (property->list != (roles[i].role == FRC_PLY_CORNERS)) return FRC_PLY_SKIPPED;
        bool real = roles[i].role <= FRC_PLY_Z;
        return real || frc_value_is_integer(property->type) ? roles[i].role : FRC_PLY_SKIPPED;
    }
    return FRC_PLY_SKIPPED;
}

static fracas_status read_element(frc_source* source, frc_ply_header* header) {
    frc_word name = frc_read_word(source), number = frc_read_word(source);
    frc_ply_element element = {.kind = frc_word_is(name, "vertex") ? FRC_PLY_VERTEX
                                       : frc_word_is(name, "face") ? FRC_PLY_FACE
                                       : frc_word_is(name, "edge") ? FRC_PLY_EDGE
                                                                   : FRC_PLY_OTHER,
                               .name = name,
                               .first_property = header->properties.count};
    if (!frc_word_to_count(number, &element.count))
        return frc_fail_line(source, number.text,
                             "element '%s' has '%s' for its count, which is not a number",
                             frc_quote_word(name).text, frc_quote_word(number).text);
    if (frc_word_is(name, "tristrips"))
        return frc_fail(source->context, FRACAS_ERROR_UNSUPPORTED,
                        "%s: the file has triangle strips, which are not read; convert them to "
                        "faces",
                        source->name);
    for (size_t i = 0; element.kind != FRC_PLY_OTHER && i < header->elements.count; i++)
        if (header->elements.data[i].kind == element.kind)
            return frc_fail_line(source, name.text, "there is a second element '%s'",
                                 frc_quote_word(name).text);
    if (element.kind != FRC_PLY_OTHER && element.count > FRC_MAX_ELEMENTS)
        return frc_fail_line(
            source, number.text, "element '%s' has a count of %s; the limit is %" PRIu64,
            frc_quote_word(name).text, frc_quote_word(number).text, FRC_MAX_ELEMENTS);
    if (element.kind == FRC_PLY_VERTEX) header->vertex_count = element.count;
    return FRC_ARRAY_PUSH(source->context, &header->elements, element)
               ? FRACAS_OK
               : frc_fail_memory(source->context, sizeof element);
}

static fracas_status read_property(frc_source* source, frc_ply_header* header) {
    if (header->elements.count == 0)
        return frc_fail_line(source, source->at, "a property comes before the first element");
    frc_ply_element* element = &header->elements.data[header->elements.count - 1];
    frc_ply_property property = {0};
    frc_word word = frc_read_word(source);
    property.list = frc_word_is(word, "list");
    if (property.list) {
        word = frc_read_word(source);
        if (!find_type(word, &property.count_type) || !frc_value_is_integer(property.count_type))
            return frc_fail_line(source, word.text,
                                 "'%s' is not a type for the length of a list; such are uchar and "
                                 "int",
                                 frc_quote_word(word).text);
        word = frc_read_word(source);
    }
    if (!find_type(word, &property.type))
        return frc_fail_line(source, word.text,
                             "'%s' is not a type; types are char, uchar, short, ushort, int, uint, "
                             "float, double and list",
                             frc_quote_word(word).text);
    frc_ply_role role = find_role(element->kind, frc_read_word(source), &property);
    if (!frc_ply_has(element, role)) property.role = role;  // the first property of a name counts
    element->roles |= 1u << property.role;
    element->property_count++;
    // In text a value has at least two bytes: a digit and a blank.
    frc_value_type first = property.list ? property.count_type : property.type;
    element->least_size += header->encoding == FRC_PLY_ASCII ? 2 : frc_value_size(first);
    return FRC_ARRAY_PUSH(source->context, &header->properties, property)
               ? FRACAS_OK
               : frc_fail_memory(source->context, sizeof property);
}

// Read one line; `*done` is set at end_header.
static fracas_status read_line(frc_source* source, frc_ply_header* header, bool* has_format,
                               bool* done) {
    static const char* const encodings[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    frc_word word = frc_read_word(source);
    if (word.length == 0 || frc_word_is(word, "comment") || frc_word_is(word, "obj_info"))
        return FRACAS_OK;
    *done = frc_word_is(word, "end_header");
    if (*done && *has_format) return FRACAS_OK;
    if (frc_word_is(word, "format")) {
        *has_format = true;
        word = frc_read_word(source);
        for (int i = 0; i < 3; i++)
            if (frc_word_is(word, encodings[i])) {
                header->encoding = (frc_ply_encoding)i;
                return FRACAS_OK;
            }
        return frc_fail_line(source, word.text,
                             "the format is '%s'; formats are ascii, binary_little_endian and "
                             "binary_big_endian",
                             frc_quote_word(word).text);
    }
    bool element = frc_word_is(word, "element");
    if ((element || *done) && !*has_format)
        return frc_fail_line(source, word.text,
                             "there is no line 'format ascii 1.0' or the like before this");
    if (element) return read_element(source, header);
    if (frc_word_is(word, "property")) return read_property(source, header);
    if (header->elements.count == 0) return FRACAS_OK;
    return frc_fail_line(source, word.text,
                         "'%s' does not begin a line of a PLY header; such are comment, element, "
                         "property and end_header",
                         frc_quote_word(word).text);
}

fracas_status frc_ply_read_header(frc_source* source, frc_ply_header* header) {
    if (frc_source_left(source) < 4 || !frc_source_begins_with(source, "ply"))
        return frc_fail_line(source, source->at,
                             "the file does not begin with 'ply'; is this a PLY file?");
    // When lines end with a carriage return alone, a line feed after the header is data.
    bool lone_return =
        source->at[3] == '\r' && frc_source_left(source) > 4 && source->at[4] != '\n';
    bool done = false, has_format = false;
    frc_skip_line(source);
    while (!done) {
        if (source->at == source->end)
            return frc_fail_line(source, source->at,
                                 "the file ends before 'end_header'; it is cut off");
        fracas_status status = read_line(source, header, &has_format, &done);
        if (status != FRACAS_OK) return status;
        while (source->at < source->end && !frc_is_newline(*source->at)) source->at++;
        if (!done) frc_skip_line(source);
    }
    bool pair = frc_source_left(source) > 1 && source->at[0] == '\r' && source->at[1] == '\n';
    frc_skip_line(source);
    if (pair && !lone_return) source->at++;
    return FRACAS_OK;
}

void frc_ply_release_header(fracas_context* context, frc_ply_header* header) {
    FRC_ARRAY_RELEASE(context, &header->elements);
    FRC_ARRAY_RELEASE(context, &header->properties);
}
