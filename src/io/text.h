/// @file text.h  A file's bytes with a place in them: words, numbers, and failures that name the
/// line or the byte.
#pragma once
#include "base/context.h"
#include <string.h>

typedef struct frc_source {
    fracas_context* context;
    const char* name;
    const char *begin, *end;
    const char* at;
    size_t tick;                 // progress is told when no more bytes than these are left
    double progress_begin;       // what was done before the first byte: reading the file
    bool free_form;              // a new line is as good as a blank
    bool comments;               // '#' runs to the end of the line
    bool continuations;          // a backslash at the end of a line joins the next one to it
    struct frc_source* partner;  // the second file of a pair; NULL: there is none
} frc_source;

typedef struct frc_word {
    const char* text;
    size_t length;
} frc_word;

static inline bool frc_is_newline(char c) { return c == '\n' || c == '\r'; }
static inline bool frc_is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

static inline size_t frc_source_left(const frc_source* source) {
    return (size_t)(source->end - source->at);
}

/// The source is text: zero bytes at its very end, which some programs append, are no part of it. A
/// file of zeros only keeps them and is refused.
void frc_source_drop_trailing_zeros(frc_source* source);

/// Skip what stands between two words; in free form that includes line ends.
void frc_skip_gap(frc_source* source);

/// To the start of the next line.
void frc_skip_line(frc_source* source);

/// After a gap: is there no further word (on this line)?
bool frc_at_end(const frc_source* source);

/// The next word after a gap; empty at the end (of the line).
frc_word frc_peek_word(frc_source* source);
frc_word frc_read_word(frc_source* source);
bool frc_word_is(frc_word word, const char* text);  ///< capital or small letters
bool frc_word_count(frc_word word, uint64_t* out);  ///< digits only; stops above 10^15

/// The next word as a whole number, which stops growing above 10^15; false (and nothing skipped)
/// when it is none.
bool frc_read_integer(frc_source* source, int64_t* out);

/// A coordinate, or three, of vertex number `vertex`.
fracas_status frc_read_coordinate(frc_source* source, uint64_t vertex, int axis, double* out);
fracas_status frc_read_coordinates(frc_source* source, uint64_t vertex, double out[3]);

/// Tell progress every megabyte. @return FRACAS_ERROR_CANCELLED when asked to stop.
fracas_status frc_source_told(frc_source* source);
static inline fracas_status frc_source_tick(frc_source* source) {
    return frc_source_left(source) > source->tick ? FRACAS_OK : frc_source_told(source);
}

/// A word made fit for a message: at most 40 characters, odd ones replaced.
typedef struct frc_quote {
    char text[48];
} frc_quote;
frc_quote frc_quote_word(frc_word word);

/// Bad data at `place`: "name:line: ...".
fracas_status frc_fail_line(const frc_source* source, const char* place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
/// Bad data at `place`: "name: byte N: ...", counting from 0.
fracas_status frc_fail_byte(const frc_source* source, const char* place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
