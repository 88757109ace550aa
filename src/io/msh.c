/// @file msh.c  Gmsh MSH 2.x and 4.1: the header and the sections.
///
/// The names of sections are lines of text, in binary files too. The layout of other sections is
/// not known, so the reader skips them by searching for their end line, also among binary values.
#include "io/msh.h"
#include <inttypes.h>

// Skip to the first byte of the next line; "\r\n" is one line end.
static void end_line(frc_source* source) {
    bool pair = false;
    while (source->at < source->end && !frc_is_newline(*source->at)) source->at++;
    if (frc_source_left(source) > 1) pair = source->at[0] == '\r' && source->at[1] == '\n';
    source->at += pair ? 2 : source->at < source->end;
}

// Read "$EndNAME", the end of the section NAME.
static fracas_status expect_end(frc_msh* msh, frc_word name) {
    frc_source* source = msh->in.source;
    frc_word word = frc_read_word(source);
    if (word.length == name.length + 4 && memcmp(word.text, "$End", 4) == 0 &&
        memcmp(word.text + 4, name.text, name.length) == 0)
        return FRACAS_OK;
    if (word.length == 0)
        return frc_values_fail(&msh->in, word.text,
                               "the file ends where '$End%s' is expected; it is cut off",
                               frc_quote_word(name).text);
    return frc_values_fail(&msh->in, word.text,
                           "'%s' found where '$End%s' is expected; the number of values in the "
                           "section does not match its count",
                           frc_quote_word(word).text, frc_quote_word(name).text);
}

static fracas_status fail_version(frc_msh* msh, const char* place, const char* version) {
    return frc_values_fail_unsupported(&msh->in, place,
                                       "the version of MSH is '%s'; 2.2 and 4.1 are read; save it "
                                       "as one of these (gmsh -save -format msh41)",
                                       version);
}

// Skip a section to behind its end line.
static fracas_status skip_section(frc_msh* msh, frc_word name) {
    frc_source* source = msh->in.source;
    const char* begin = source->at;
    while (source->at < source->end) {
        const char* dollar = memchr(source->at, '$', frc_source_left(source));
        if (!dollar) break;
        source->at = dollar + 1;
        fracas_status status = frc_source_progress(source);
        if (status != FRACAS_OK) return status;
        if (frc_source_left(source) < name.length + 3 || memcmp(source->at, "End", 3) != 0 ||
            memcmp(source->at + 3, name.text, name.length) != 0)
            continue;
        source->at += 3 + name.length;
        if (source->at == source->end || frc_is_newline(*source->at) || frc_is_blank(*source->at))
            return FRACAS_OK;
    }
    return frc_values_fail(&msh->in, begin,
                           "the section '$%s' has no end '$End%s'; the file is cut off",
                           frc_quote_word(name).text, frc_quote_word(name).text);
}

// The section $MeshFormat: version, text or binary, size of numbers, and in binary the number 1,
// which determines the byte order.
static fracas_status read_format(frc_msh* msh) {
    frc_source* source = msh->in.source;
    const frc_word version = frc_read_word(source);
    const char* text = version.text;
    if (version.length == 0)
        return frc_values_fail(&msh->in, text, "the file ends before its version; it is cut off");
    msh->version_2 = text[0] == '2' && (version.length == 1 || text[1] == '.');
    if (!msh->version_2 && (version.length < 3 || memcmp(text, "4.1", 3) != 0))
        return fail_version(msh, text, frc_quote_word(version).text);
    int64_t binary = 0, size = 0, one = 0;
    const char* place = frc_values_place(&msh->in);
    if (!frc_read_integer(source, &binary) || !frc_read_integer(source, &size) || binary < 0 ||
        binary > 1)
        return frc_values_fail(&msh->in, place,
                               "the line should be like '4.1 0 8': version, 0 for text or 1 for "
                               "binary, and size of numbers");
    if (binary && size != 8 && (msh->version_2 || size != 4))
        return frc_values_fail_unsupported(
            &msh->in, place, "numbers of %" PRId64 " bytes are not read; save it with 8", size);
    msh->size_type = size == 4 ? FRC_UINT32 : FRC_UINT64;
    msh->in.text = !binary;
    if (!binary) {
        frc_source_drop_trailing_zeros(source);
        return FRACAS_OK;
    }
    end_line(source);
    place = source->at;
    for (int swap = 0; swap < 2; swap++) {
        msh->in.swap = swap == 1;
        source->at = place;
        if (frc_values_integer(&msh->in, FRC_INT32, &one) && one == 1) return FRACAS_OK;
    }
    return frc_values_fail(&msh->in, place,
                           "the number 1 that determines the byte order is missing; the file is "
                           "cut off or was converted as if it were text");
}

static fracas_status read_sections(frc_msh* msh) {
    frc_source* source = msh->in.source;
    frc_word word = frc_read_word(source);
    if (frc_word_is(word, "$NOD")) return fail_version(msh, word.text, "1");
    if (!frc_word_is(word, "$MeshFormat"))
        return frc_values_fail(
            &msh->in, word.text,
            "the file begins with '%s' where $MeshFormat is expected; is this a Gmsh file?",
            frc_quote_word(word).text);
    fracas_status status = read_format(msh);
    if (status == FRACAS_OK) status = expect_end(msh, (frc_word){word.text + 1, word.length - 1});
    while (status == FRACAS_OK && (word = frc_read_word(source)).length > 0) {
        if (word.text[0] != '$' || word.length < 2)
            return frc_values_fail(&msh->in, word.text,
                                   "'%s' found where a section such as '$Nodes' is expected",
                                   frc_quote_word(word).text);
        const frc_word name = {word.text + 1, word.length - 1};
        const bool nodes = frc_word_is(name, "Nodes"), elements = frc_word_is(name, "Elements");
        if (!nodes && !elements) {
            status = skip_section(msh, name);
            continue;
        }
        bool* found = nodes ? &msh->has_nodes : &msh->has_elements;
        if (*found)
            return frc_values_fail(&msh->in, name.text,
                                   "there is a second section '$%s'; a mesh has one",
                                   frc_quote_word(name).text);
        *found = true;
        if (elements && !msh->has_nodes)
            return frc_values_fail(&msh->in, name.text, "the elements come before the nodes");
        end_line(source);
        status = nodes ? frc_msh_read_nodes(msh) : frc_msh_read_elements(msh);
        if (status == FRACAS_OK) status = expect_end(msh, name);
    }
    if (status != FRACAS_OK || msh->has_elements) return status;
    return frc_values_fail(&msh->in, source->at,
                           "the file ends without a section '$%s'; it is cut off, or has no mesh",
                           msh->has_nodes ? "Elements" : "Nodes");
}

fracas_status frc_msh_read(frc_source* source, fracas_mesh_file* file) {
    source->free_form = true;
    frc_msh msh = {
        .in = {.source = source, .text = true},
          .file = file
    };
    fracas_status status = read_sections(&msh);
    FRC_ARRAY_RELEASE(source->context, &msh.tags);
    frc_release(source->context, msh.table, msh.table_size * sizeof *msh.table);
    return status;
}
