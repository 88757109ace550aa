/// @file text.h  The bytes of a file with a read position: words, numbers, and error messages with
/// the line or the byte.
#pragma once
#include "base/context.h"
#include <string.h>

typedef struct frc_source {
    fracas_context* context;
    const char* name;
    const char *begin, *end;
    const char* at;
    size_t report_at;            // the next progress report is due when this many bytes are left
    double progress_begin;       // progress at the first byte, after loading the file
    bool free_form;              // line ends count as blanks
    bool comments;               // '#' begins a comment
    bool continuations;          // a backslash at the end of a line continues it on the next
    struct frc_source* partner;  // the second file of a TetGen mesh; NULL: none
} frc_source;

typedef struct frc_word {
    const char* text;
    size_t length;
} frc_word;

static inline frc_word frc_word_of(const char* text) { return (frc_word){text, strlen(text)}; }

static inline bool frc_is_newline(char c) { return c == '\n' || c == '\r'; }
static inline bool frc_is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

static inline size_t frc_source_left(const frc_source* source) {
    return (size_t)(source->end - source->at);
}

static inline frc_source frc_source_make(fracas_context* context, const char* name,
                                         const char* bytes, size_t size, double progress_begin) {
    return (frc_source){.context = context,
                        .name = name,
                        .begin = bytes,
                        .end = bytes + size,
                        .at = bytes,
                        .report_at = size,
                        .progress_begin = progress_begin};
}

/// Are the next bytes `text`?
static inline bool frc_source_begins_with(const frc_source* source, const char* text) {
    size_t length = strlen(text);
    return frc_source_left(source) >= length && memcmp(source->at, text, length) == 0;
}

/// For text: remove zero bytes at the end, which some programs append. A file of zeros only is
/// unchanged, so that its reader rejects it.
void frc_source_drop_trailing_zeros(frc_source* source);

/// Skip blanks and continuations; in free form also line ends and comments.
void frc_skip_blanks(frc_source* source);

/// Go to the start of the next line.
void frc_skip_line(frc_source* source);

/// After frc_skip_blanks: has the line (in free form: the file) no further word?
bool frc_at_end(const frc_source* source);

/// The next word after blanks; empty at the end of the line (in free form: of the file).
frc_word frc_peek_word(frc_source* source);
frc_word frc_read_word(frc_source* source);
bool frc_word_is(frc_word word, const char* text);     ///< ASCII letters of either case
bool frc_word_to_count(frc_word word, uint64_t* out);  ///< digits only; saturates above 10^15

/// Read the next word as an integer, which saturates above 10^15. False: it is not an integer, and
/// only blanks are read.
bool frc_read_integer(frc_source* source, int64_t* out);

/// Read one coordinate, or all three, of vertex number `vertex`.
fracas_status frc_read_coordinate(frc_source* source, uint64_t vertex, int axis, double* out);
fracas_status frc_read_coordinates(frc_source* source, uint64_t vertex, double out[3]);

/// Report progress after each megabyte. @return FRACAS_OK or FRACAS_ERROR_CANCELLED
fracas_status frc_source_report_progress(frc_source* source);
static inline fracas_status frc_source_progress(frc_source* source) {
    return frc_source_left(source) > source->report_at ? FRACAS_OK
                                                       : frc_source_report_progress(source);
}

/// A word for a message: at most 40 characters, with '?' for characters that are not printable.
typedef struct frc_quote {
    char text[48];
} frc_quote;
frc_quote frc_quote_word(frc_word word);

/// Fail with FRACAS_ERROR_BAD_DATA; the message begins with "name:line: " of `place`.
fracas_status frc_fail_line(const frc_source* source, const char* place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
/// The same with "name: byte N: ", counting from 0.
fracas_status frc_fail_byte(const frc_source* source, const char* place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
