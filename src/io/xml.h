/// @file xml.h  The subset of XML that .vtu files use: tags, attributes and base64 content.
#pragma once
#include "io/text.h"

typedef struct frc_tag {
    const char* place;  // of '<'
    frc_word name;
    const char *attributes, *end;  // the text between name and '>'; `end` is at the '>'
    bool closing;                  // </name>
} frc_tag;

/// Read the next tag, skipping comments and declarations; the source is then behind the tag.
/// `*found` is false at the end of the file.
fracas_status frc_xml_next(frc_source* source, frc_tag* tag, bool* found);

/// Get the value of an attribute, without quotes; false: the tag has no attribute `name`.
bool frc_xml_attribute(const frc_tag* tag, const char* name, frc_word* out);

/// Decode base64 text: skips blanks and line ends, continues after '=' (which ends a group), and
/// stops at any other character or after `limit` bytes. `out` has a capacity of limit + 2 bytes.
/// @return the number of bytes written
size_t frc_base64_decode(const char* at, const char* end, size_t limit, unsigned char* out);
