/// @file text.c  Words and numbers of text files. Lines are counted only for an error message.
#include "io/text.h"
#include "io/decimal.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// Integers saturate here, above any count that a file can hold.
#define MAX_INTEGER ((int64_t)1000000000000000)

// The length of a backslash with the line end after it; 0: not at a continuation.
static size_t continuation_length(const frc_source* source) {
    const char* at = source->at;
    if (!source->continuations || *at != '\\') return 0;
    size_t left = frc_source_left(source);
    if (left > 2 && at[1] == '\r' && at[2] == '\n') return 3;
    return left > 1 && frc_is_newline(at[1]) ? 2 : 0;
}

static void skip_to_newline(frc_source* source) {
    while (source->at < source->end && !frc_is_newline(*source->at)) source->at++;
}

void frc_source_drop_trailing_zeros(frc_source* source) {
    const char* end = source->end;
    while (end > source->at && end[-1] == 0) end--;
    if (end > source->begin) source->end = end;
}

void frc_skip_blanks(frc_source* source) {
    while (source->at < source->end) {
        char c = *source->at;
        if (frc_is_blank(c) || (source->free_form && frc_is_newline(c))) {
            source->at++;
        } else if (c == '#' && source->comments && source->free_form) {
            skip_to_newline(source);
        } else {
            size_t joined = continuation_length(source);
            if (joined == 0) return;
            source->at += joined;
        }
    }
}

void frc_skip_line(frc_source* source) {
    while (source->at < source->end && !frc_is_newline(*source->at)) {
        // A backslash at the end of a comment is no continuation: it may end a path.
        if (*source->at == '#' && source->comments) {
            skip_to_newline(source);
            break;
        }
        size_t joined = *source->at == '\\' ? continuation_length(source) : 0;
        source->at += joined ? joined : 1;
    }
    if (source->at < source->end) source->at++;
}

bool frc_at_end(const frc_source* source) {
    return source->at == source->end || frc_is_newline(*source->at) ||
           (source->comments && *source->at == '#');
}

static bool word_ends(const frc_source* source, const char* at) {
    return at == source->end || frc_is_blank(*at) || frc_is_newline(*at) ||
           (*at == '\\' && source->continuations);
}

frc_word frc_peek_word(frc_source* source) {
    frc_skip_blanks(source);
    const char* at = source->at;
    if (!frc_at_end(source)) {
        at++;  // a single backslash is a word
        while (!word_ends(source, at)) at++;
    }
    return (frc_word){source->at, (size_t)(at - source->at)};
}

frc_word frc_read_word(frc_source* source) {
    frc_word word = frc_peek_word(source);
    source->at += word.length;
    return word;
}

static char to_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool frc_word_is(frc_word word, const char* text) {
    for (size_t i = 0; i < word.length; i++)
        if (text[i] == 0 || to_lower(word.text[i]) != to_lower(text[i])) return false;
    return text[word.length] == 0;
}

bool frc_word_to_count(frc_word word, uint64_t* out) {
    uint64_t value = 0;
    for (size_t i = 0; i < word.length; i++) {
        unsigned digit = (unsigned)(word.text[i] - '0');
        if (digit > 9) return false;
        if (value < (uint64_t)MAX_INTEGER) value = value * 10 + digit;
    }
    *out = value;
    return word.length > 0;
}

bool frc_read_integer(frc_source* source, int64_t* out) {
    frc_skip_blanks(source);
    const char* at = source->at;
    bool negative = at < source->end && *at == '-';
    if (at < source->end && (*at == '-' || *at == '+')) at++;
    const char* first = at;
    int64_t value = 0;
    for (; at < source->end && *at >= '0' && *at <= '9'; at++)
        if (value < MAX_INTEGER) value = value * 10 + (*at - '0');
    if (at == first || !word_ends(source, at)) return false;
    *out = negative ? -value : value;
    source->at = at;
    return true;
}

static fracas_status fail_coordinate(frc_source* source, uint64_t vertex, int axis, double value) {
    frc_word word = frc_peek_word(source);
    frc_quote quote = frc_quote_word(word);
    if (word.length == 0)
        return frc_fail_line(source, source->at,
                             "vertex %" PRIu64 " has %d coordinates; it needs 3", vertex, axis);
    if (isinf(value))
        return frc_fail_line(source, source->at,
                             "vertex %" PRIu64 " has the coordinate %s, which is too large for a "
                             "double; scale the mesh down",
                             vertex, quote.text);
    return frc_fail_line(source, source->at,
                         "vertex %" PRIu64 " has the coordinate '%s', which is not a (finite) "
                         "number; write it as in -1.25e-3",
                         vertex, quote.text);
}

fracas_status frc_read_coordinate(frc_source* source, uint64_t vertex, int axis, double* out) {
    frc_skip_blanks(source);
    double value = 0;
    const char* after = frc_decimal_read(source->at, source->end, &value);
    if (!after || !word_ends(source, after)) return fail_coordinate(source, vertex, axis, 0);
    if (isinf(value)) return fail_coordinate(source, vertex, axis, value);
    *out = value;
    source->at = after;
    return FRACAS_OK;
}

fracas_status frc_read_coordinates(frc_source* source, uint64_t vertex, double out[3]) {
    fracas_status status = FRACAS_OK;
    for (int axis = 0; status == FRACAS_OK && axis < 3; axis++)
        status = frc_read_coordinate(source, vertex, axis, &out[axis]);
    return status;
}

fracas_status frc_source_report_progress(frc_source* source) {
    enum { MEGABYTE = 1 << 20 };
    size_t left = frc_source_left(source);
    source->report_at = left > MEGABYTE ? left - MEGABYTE : 0;
    size_t size = (size_t)(source->end - source->begin);
    double done = size ? 1.0 - (double)left / (double)size : 1.0;
    double fraction = source->progress_begin + (1.0 - source->progress_begin) * done;
    if (frc_progress(source->context, fraction)) return FRACAS_OK;
    return frc_fail(source->context, FRACAS_ERROR_CANCELLED, "%s: reading was cancelled",
                    source->name);
}

frc_quote frc_quote_word(frc_word word) {
    enum { MOST = 40 };
    frc_quote quote = {{0}};
    size_t length = word.length < MOST ? word.length : MOST;
    for (size_t i = 0; i < length; i++) {
        char c = word.text[i];
        quote.text[i] = c > ' ' && c < 127 ? c : '?';
    }
    if (length < word.length) memcpy(quote.text + length, "...", 4);
    return quote;
}

fracas_status frc_fail_line(const frc_source* source, const char* place, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    uint64_t line = 1;
    for (const char* at = source->begin; at < place; at++)
        line += *at == '\n' || (*at == '\r' && (at + 1 == source->end || at[1] != '\n'));
    return frc_fail(source->context, FRACAS_ERROR_BAD_DATA, "%s:%" PRIu64 ": %s", source->name,
                    line, text);
}

fracas_status frc_fail_byte(const frc_source* source, const char* place, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return frc_fail(source->context, FRACAS_ERROR_BAD_DATA, "%s: byte %zu: %s", source->name,
                    (size_t)(place - source->begin), text);
}
