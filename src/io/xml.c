/// @file xml.c  Tags, attributes and base64.
#include "io/xml.h"

static bool ends_name(char c) {
    return frc_is_blank(c) || frc_is_newline(c) || c == '/' || c == '>' || c == '=';
}

// Read the tag at '<'.
static fracas_status read_tag(frc_source* source, frc_tag* tag) {
    *tag = (frc_tag){.place = source->at};
    // '>' within quotes does not end a tag.
    const char* end = source->at + 1;
    for (char quote = 0; end < source->end && (quote || *end != '>'); end++) {
        if (quote)
            quote = *end == quote ? 0 : quote;
        else if (*end == '"' || *end == '\'')
            quote = *end;
    }
    if (end == source->end)
        return frc_fail_line(source, tag->place, "a tag has no end '>'; the file is cut off");
    const char* at = source->at + 1;
    tag->closing = *at == '/';
    at += tag->closing;
    tag->name.text = at;
    while (at < end && !ends_name(*at)) at++;
    tag->name.length = (size_t)(at - tag->name.text);
    tag->attributes = at;
    tag->end = end;
    source->at = end + 1;
    return FRACAS_OK;
}

fracas_status frc_xml_next(frc_source* source, frc_tag* tag, bool* found) {
    *found = false;
    for (;;) {
        fracas_status status = frc_source_progress(source);
        if (status != FRACAS_OK) return status;
        const char* next = memchr(source->at, '<', frc_source_left(source));
        source->at = next ? next : source->end;
        if (!next) return FRACAS_OK;
        bool comment = frc_source_begins_with(source, "<!--");
        if (!frc_source_begins_with(source, "<?") && !frc_source_begins_with(source, "<!")) {
            *found = true;
            return read_tag(source, tag);
        }
        const char* end = comment ? "-->" : ">";
        while (source->at < source->end && !frc_source_begins_with(source, end)) source->at++;
        if (source->at == source->end)
            return frc_fail_line(source, next, "a %s has no end; the file is cut off",
                                 comment ? "comment" : "declaration");
        source->at += strlen(end);
    }
}

bool frc_xml_attribute(const frc_tag* tag, const char* name, frc_word* out) {
    const char *at = tag->attributes, *end = tag->end;
    while (at < end) {
        while (at < end && (ends_name(*at) || *at == '"' || *at == '\'')) at++;
        frc_word key = {at, 0};
        while (at < end && !ends_name(*at)) at++;
        key.length = (size_t)(at - key.text);
        while (at < end && *at != '"' && *at != '\'') at++;
        if (at == end) return false;
        char quote = *at++;
        const char* close = memchr(at, quote, (size_t)(end - at));
        if (!close) return false;
        if (frc_word_is(key, name)) {
            *out = (frc_word){at, (size_t)(close - at)};
            return true;
        }
        at = close + 1;
    }
    return false;
}

static int digit_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t frc_base64_decode(const char* at, const char* end, size_t limit, unsigned char* out) {
    size_t count = 0;
    uint32_t bits = 0;
    int digits = 0, padding = 0;
    for (; at < end && count < limit; at++) {
        if (frc_is_blank(*at) || frc_is_newline(*at)) continue;
        int digit = digit_of(*at);
        if (*at == '=')
            padding++;
        else if (digit < 0 || padding > 0)
            break;
        bits = bits << 6 | (uint32_t)(digit < 0 ? 0 : digit);
        if (++digits < 4) continue;
        if (padding > 2) break;
        for (int i = 0; i < 3 - padding; i++) out[count++] = (unsigned char)(bits >> (16 - 8 * i));
        bits = 0, digits = 0, padding = 0;
    }
    return count;
}
