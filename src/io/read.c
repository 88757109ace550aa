/// @file read.c  The public reading functions: check arguments, find the format, run its reader.
#include "io/mesh_file.h"

fracas_mesh_file_options fracas_mesh_file_default_options(void) {
    return (fracas_mesh_file_options){.struct_size = sizeof(fracas_mesh_file_options)};
}

typedef struct format {
    const char* name;
    const char* extensions[2];
    frc_mesh_reader* reader;
} format;

enum { OBJ, PLY, STL, OFF, MSH, VTK, VTU, TETGEN, MEDIT, FORMAT_COUNT };
static const format formats[FORMAT_COUNT] = {
    {"obj",    {"obj"},           frc_obj_read   },
    {"ply",    {"ply"},           frc_ply_read   },
    {"stl",    {"stl"},           frc_stl_read   },
    {"off",    {"off"},           frc_off_read   },
    {"msh",    {"msh"},           frc_msh_read   },
    {"vtk",    {"vtk"},           frc_vtk_read   },
    {"vtu",    {"vtu"},           frc_vtu_read   },
    {"tetgen", {"node", "ele"},   frc_tetgen_read},
    {"medit",  {"mesh", "meshb"}, frc_medit_read }
};

static const format* find_format_by_name(const char* name) {
    const char* dot = strrchr(name, '.');
    if (!dot) return NULL;
    const frc_word extension = {dot + 1, strlen(dot + 1)};
    for (int f = 0; f < FORMAT_COUNT; f++)
        for (int e = 0; e < 2 && formats[f].extensions[e]; e++)
            if (frc_word_is(extension, formats[f].extensions[e])) return &formats[f];
    return NULL;
}

// For names without a known extension: by the first word, or by the size of a binary STL.
static const format* find_format_by_content(frc_source source) {
    static const struct {
        const char* word;
        int format;
    } words[] = {
        {"solid",                STL  },
        {"OFF",                  OFF  },
        {"COFF",                 OFF  },
        {"NOFF",                 OFF  },
        {"CNOFF",                OFF  },
        {"STOFF",                OFF  },
        {"STCNOFF",              OFF  },
        {"v",                    OBJ  },
        {"vn",                   OBJ  },
        {"vt",                   OBJ  },
        {"f",                    OBJ  },
        {"g",                    OBJ  },
        {"o",                    OBJ  },
        {"s",                    OBJ  },
        {"l",                    OBJ  },
        {"p",                    OBJ  },
        {"mtllib",               OBJ  },
        {"usemtl",               OBJ  },
        {"$MeshFormat",          MSH  },
        {"MeshVersionFormatted", MEDIT},
        {"<?xml",                VTU  },
        {"<VTKFile",             VTU  }
    };
    if (frc_stl_has_binary_size(&source)) return &formats[STL];
    if (frc_source_begins_with(&source, "# vtk DataFile")) return &formats[VTK];
    source.free_form = source.comments = true;
    frc_word word = frc_peek_word(&source);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (frc_word_is(word, words[i].word)) return &formats[words[i].format];
    return NULL;
}

static fracas_status parse(frc_source* source, const fracas_mesh_file_options* options,
                           fracas_mesh_file** out) {
    if (source->begin == source->end)
        return frc_fail(source->context, FRACAS_ERROR_BAD_DATA, "%s: the file is empty",
                        source->name);
    if (frc_source_begins_with(source, "\xEF\xBB\xBF")) source->at += 3;
    // The format by the PLY magic, by the name, or by the content.
    const format* known = NULL;
    if (frc_source_left(source) > 3 && frc_source_begins_with(source, "ply") &&
        (frc_is_newline(source->at[3]) || frc_is_blank(source->at[3])))
        known = &formats[PLY];
    if (!known) known = find_format_by_name(source->name);
    if (!known) known = find_format_by_content(*source);
    // UTF-16 has a byte order mark, or zeros in every other byte.
    bool utf16 = false;
    if (frc_source_left(source) >= 4) {
        const unsigned char* byte = (const unsigned char*)source->at;
        utf16 = (byte[0] == 0xFE && byte[1] == 0xFF) || (byte[0] == 0xFF && byte[1] == 0xFE) ||
                (byte[0] == 0 && byte[1] && byte[2] == 0 && byte[3]) ||
                (byte[0] && byte[1] == 0 && byte[2] && byte[3] == 0);
    }
    if (utf16 && known != &formats[STL])
        return frc_fail(source->context, FRACAS_ERROR_BAD_DATA,
                        "%s:1: the text is UTF-16; save it as UTF-8", source->name);
    if (!known)
        return frc_fail(
            source->context, FRACAS_ERROR_UNSUPPORTED,
            "%s: the format is unknown; .obj, .ply, .stl, .off, .msh, .vtk, .vtu, .node "
            "with .ele, .mesh and .meshb are read",
            source->name);
    return frc_mesh_file_create(source, known->name, known->reader, options, out);
}

// Set `*used` to the given or the default options and check them.
static fracas_status check_options(fracas_context* context, const char* name,
                                   const fracas_mesh_file_options* options,
                                   fracas_mesh_file_options* used) {
    *used = options ? *options : fracas_mesh_file_default_options();
    if (used->struct_size != sizeof *used)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "%s: the read options do not come from fracas_mesh_file_default_options",
                        name);
    if (used->weld != FRACAS_WELD_DEFAULT && used->weld != FRACAS_WELD_EXACT &&
        used->weld != FRACAS_WELD_NONE)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT, "%s: %d is not a way to weld", name,
                        (int)used->weld);
    return FRACAS_OK;
}

fracas_status fracas_mesh_file_parse(fracas_context* context, const char* name, const void* bytes,
                                     size_t size, const fracas_mesh_file_options* options,
                                     fracas_mesh_file** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!name) return frc_fail_null(context, "fracas_mesh_file_parse", "name");
    if (!bytes && size > 0) return frc_fail_null(context, "fracas_mesh_file_parse", "bytes");
    if (!out) return frc_fail_null(context, "fracas_mesh_file_parse", "out");
    fracas_mesh_file_options used;
    fracas_status status = check_options(context, name, options, &used);
    if (status != FRACAS_OK) return status;
    frc_source source = frc_source_make(context, name, bytes ? bytes : "", size, 0);
    return parse(&source, &used, out);
}

fracas_status fracas_mesh_file_read(fracas_context* context, const char* path,
                                    const fracas_mesh_file_options* options,
                                    fracas_mesh_file** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!path) return frc_fail_null(context, "fracas_mesh_file_read", "path");
    if (!out) return frc_fail_null(context, "fracas_mesh_file_read", "out");
    fracas_mesh_file_options used;
    fracas_status status = check_options(context, path, options, &used);
    if (status != FRACAS_OK) return status;
    if (find_format_by_name(path) == &formats[TETGEN])
        return frc_tetgen_load(context, path, &used, out);
    char* bytes = NULL;
    size_t size = 0, capacity = 0;
    status = frc_file_load(context, path, &bytes, &size, &capacity);
    if (status != FRACAS_OK) return status;
    frc_source source = frc_source_make(context, path, bytes, size, FRC_LOAD_SHARE);
    status = parse(&source, &used, out);
    frc_release(context, bytes, capacity);
    return status;
}
