/// @file xml.h  Just as much XML as VTK's files need: tags and their attributes, one after another.
#pragma once
#include "io/text.h"

typedef struct frc_tag {
    const char* place;  // of '<'
    frc_word name;
    const char *attributes, *end;  // what stands between name and '>'; the content begins after end
    bool closing;                  // </name>
} frc_tag;

/// The next tag that is no comment and no declaration; the source then stands after it. `*found` is
/// false at the end of the file.
fracas_status frc_xml_next(frc_source* source, frc_tag* tag, bool* found);

/// The value of an attribute, without its quotes; false when the tag has none of this name.
bool frc_xml_attribute(const frc_tag* tag, const char* name, frc_word* out);

/// Bytes from base64 text: passes over blanks, goes on after '=' (which ends a group), and stops at
/// any other character, or when `limit` bytes are there. `out` has room for limit + 2.
/// @return how many bytes were written
size_t frc_base64_decode(const char* at, const char* end, size_t limit, unsigned char* out);
