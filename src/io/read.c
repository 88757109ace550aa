/// @file read.c  The way in: which format is it, and what is refused before any reader sees it.
#include "io/mesh_file.h"

fracas_read_options fracas_read_default_options(void) {
    return (fracas_read_options){.struct_size = sizeof(fracas_read_options)};
}

typedef struct format {
    const char* name;
    const char* endings;  // of file names, with a blank after each
    frc_mesh_reader* reader;
} format;

static const format formats[] = {
    {"obj",    "obj ",        frc_obj_read   },
    {"ply",    "ply ",        frc_ply_read   },
    {"stl",    "stl ",        frc_stl_read   },
    {"off",    "off ",        frc_off_read   },
    {"msh",    "msh ",        frc_msh_read   },
    {"vtk",    "vtk ",        frc_vtk_read   },
    {"vtu",    "vtu ",        frc_vtu_read   },
    {"tetgen", "node ele ",   frc_tetgen_read},
    {"medit",  "mesh meshb ", frc_medit_read }
};
enum { OBJ, PLY, STL, OFF, MSH, VTK, VTU, TETGEN, MEDIT, FORMAT_COUNT };

static bool has_ending(const format* f, frc_word ending) {
    for (const char* at = f->endings; *at;) {
        char one[8] = {0};
        size_t length = strcspn(at, " ");
        memcpy(one, at, length);
        if (frc_word_is(ending, one)) return true;
        at += length + 1;
    }
    return false;
}

static const format* format_of_name(const char* name) {
    const char* dot = strrchr(name, '.');
    for (int f = 0; dot && f < FORMAT_COUNT; f++)
        if (has_ending(&formats[f], (frc_word){dot + 1, strlen(dot + 1)})) return &formats[f];
    return NULL;
}

static bool is_ply(const frc_source* source) {
    return frc_source_left(source) > 3 && memcmp(source->at, "ply", 3) == 0 &&
           (frc_is_newline(source->at[3]) || frc_is_blank(source->at[3]));
}

static bool is_one_of(frc_word word, const char* const* list) {
    for (; *list; list++)
        if (frc_word_is(word, *list)) return true;
    return false;
}

static bool begins_with(const frc_source* source, const char* text) {
    size_t length = strlen(text);
    return frc_source_left(source) >= length && memcmp(source->at, text, length) == 0;
}

// For names that tell nothing: the first word, or the size of a binary STL.
static const format* format_of_bytes(frc_source source) {
    static const char* const off[] = {"OFF", "COFF", "NOFF", "CNOFF", "STOFF", "STCNOFF", NULL};
    static const char* const obj[] = {"v", "vn", "vt", "f",      "g",      "o",
                                      "s", "l",  "p",  "mtllib", "usemtl", NULL};
    if (frc_stl_fits(&source)) return &formats[STL];
    if (begins_with(&source, "# vtk DataFile")) return &formats[VTK];
    source.free_form = source.comments = true;
    frc_word word = frc_peek_word(&source);
    if (frc_word_is(word, "solid")) return &formats[STL];
    if (is_one_of(word, off)) return &formats[OFF];
    if (is_one_of(word, obj)) return &formats[OBJ];
    if (frc_word_is(word, "$MeshFormat")) return &formats[MSH];
    if (frc_word_is(word, "MeshVersionFormatted")) return &formats[MEDIT];
    if (frc_word_is(word, "<?xml") || frc_word_is(word, "<VTKFile")) return &formats[VTU];
    return NULL;
}

static fracas_status fail_format(const frc_source* source) {
    return frc_fail(source->context, FRACAS_ERROR_UNSUPPORTED,
                    "%s: is of no known format; it takes .obj, .ply, .stl, .off, .msh, .vtk, .vtu, "
                    ".node with .ele, .mesh or .meshb",
                    source->name);
}

// Text of two bytes per letter has zeros that no reader can make sense of.
static bool is_utf16(const frc_source* source) {
    if (frc_source_left(source) < 4) return false;
    const unsigned char* byte = (const unsigned char*)source->at;
    if ((byte[0] == 0xFE && byte[1] == 0xFF) || (byte[0] == 0xFF && byte[1] == 0xFE)) return true;
    return (byte[0] == 0 && byte[1] && byte[2] == 0 && byte[3]) ||
           (byte[0] && byte[1] == 0 && byte[2] && byte[3] == 0);
}

static fracas_status parse(frc_source* source, const fracas_read_options* options,
                           fracas_mesh_file** out) {
    if (source->begin == source->end)
        return frc_fail(source->context, FRACAS_ERROR_BAD_DATA, "%s: the file is empty",
                        source->name);
    if (frc_source_left(source) >= 3 && memcmp(source->at, "\xEF\xBB\xBF", 3) == 0) source->at += 3;
    const format* known = is_ply(source) ? &formats[PLY] : format_of_name(source->name);
    if (!known) known = format_of_bytes(*source);
    if (is_utf16(source) && known != &formats[STL])
        return frc_fail(source->context, FRACAS_ERROR_BAD_DATA,
                        "%s:1: the text is UTF-16; save it as UTF-8", source->name);
    if (!known) return fail_format(source);
    return frc_mesh_file_make(source, known->name, known->reader, options, out);
}

// What both ways in check; fills in `*used`.
static fracas_status check(fracas_context* context, const char* name,
                           const fracas_read_options* options, fracas_mesh_file** out,
                           fracas_read_options* used) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!name || !out)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "a mesh file needs a name and a place for the result");
    *used = options ? *options : fracas_read_default_options();
    if (used->struct_size != sizeof *used)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "%s: the read options do not come from fracas_read_default_options", name);
    if (used->weld != FRACAS_WELD_DEFAULT && used->weld != FRACAS_WELD_EXACT &&
        used->weld != FRACAS_WELD_NONE)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT, "%s: %d is not a way to weld", name,
                        (int)used->weld);
    return FRACAS_OK;
}

fracas_status fracas_mesh_file_parse(fracas_context* context, const char* name, const void* bytes,
                                     size_t size, const fracas_read_options* options,
                                     fracas_mesh_file** out) {
    fracas_read_options used;
    fracas_status status = check(context, name, options, out, &used);
    if (status != FRACAS_OK) return status;
    if (!bytes && size > 0)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT, "%s: the bytes are NULL", name);
    const char* begin = bytes ? bytes : "";
    frc_source source = {.context = context,
                         .name = name,
                         .begin = begin,
                         .end = begin + size,
                         .at = begin,
                         .tick = size};
    return parse(&source, &used, out);
}

fracas_status fracas_mesh_file_read(fracas_context* context, const char* path,
                                    const fracas_read_options* options, fracas_mesh_file** out) {
    fracas_read_options used;
    fracas_status status = check(context, path, options, out, &used);
    if (status != FRACAS_OK) return status;
    if (format_of_name(path) == &formats[TETGEN]) return frc_tetgen_load(context, path, &used, out);
    char* bytes = NULL;
    size_t size = 0, capacity = 0;
    status = frc_file_load(context, path, &bytes, &size, &capacity);
    if (status != FRACAS_OK) return status;
    frc_source source = {.context = context,
                         .name = path,
                         .begin = bytes,
                         .end = bytes + size,
                         .at = bytes,
                         .tick = size,
                         .progress_begin = FRC_LOAD_SHARE};
    status = parse(&source, &used, out);
    frc_release(context, bytes, capacity);
    return status;
}
