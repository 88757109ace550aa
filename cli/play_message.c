/// @file play_message.c  Read the messages of a page: a strict parser for flat JSON objects.
#include "play_message.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORD = 39 };

static const char* const verbs[CLI_PLAY_VERBS] = {"play", "pause", "step",    "reset", "got",
                                                  "grab", "drag",  "release", "drop"};
static const char* const fields[CLI_PLAY_FIELDS] = {"threads", "size", "cull", "frame",
                                                    "body",    "x",    "y",    "z"};

#define BIT(field) (1u << CLI_PLAY_##field)
#define POINT (BIT(X) | BIT(Y) | BIT(Z))

// The fields that a message needs and may have.
static const struct {
    uint32_t needed, allowed;
} rules[CLI_PLAY_VERBS] = {
    [CLI_PLAY_RESET] = {0,                 BIT(THREADS) | BIT(SIZE) | BIT(CULL)},
    [CLI_PLAY_GOT] = {BIT(FRAME),        BIT(FRAME)                          },
    [CLI_PLAY_GRAB] = {POINT | BIT(BODY), POINT | BIT(BODY)                   },
    [CLI_PLAY_DRAG] = {POINT,             POINT                               },
    [CLI_PLAY_DROP] = {POINT,             POINT                               },
};

// ---- parsing

typedef struct parser {
    const char* at;  // ends with a zero byte
    char* message;
} parser;

__attribute__((format(printf, 2, 3))) static bool fail(const parser* p, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->message, CLI_PLAY_MESSAGE, format, arguments);
    va_end(arguments);
    return false;
}

static void skip_space(parser* p) {
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r') p->at++;
}

static bool expect(parser* p, char wanted) {
    skip_space(p);
    if (*p->at != wanted)
        return fail(p, "the message is not a JSON object: '%c' is missing", wanted);
    p->at++;
    return true;
}

// A string of printable ASCII without escapes; no message needs more.
static bool read_word(parser* p, char word[MOST_WORD + 1]) {
    size_t length = 0;
    if (!expect(p, '"')) return false;
    for (; *p->at != '"'; p->at++) {
        if (*p->at < ' ' || *p->at > '~' || *p->at == '\\')
            return fail(p, "a text of the message has a character that no message needs");
        if (length == MOST_WORD)
            return fail(p, "a text of the message is longer than %d characters", MOST_WORD);
        word[length++] = *p->at;
    }
    p->at++;
    word[length] = 0;
    return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char* skip_digits(const char* at) {
    while (is_digit(*at)) at++;
    return at;
}

// A number as JSON has it; strtod alone would also read "inf" and hexadecimal digits.
static bool read_number(parser* p, const char* name, double* out) {
    skip_space(p);
    const char* end = p->at + (*p->at == '-');
    if (!is_digit(*end)) return fail(p, "'%s' is not a number", name);
    end = skip_digits(end);
    if (*end == '.') {
        if (!is_digit(end[1])) return fail(p, "'%s' is not a number", name);
        end = skip_digits(end + 1);
    }
    if (*end == 'e' || *end == 'E') {
        end += end[1] == '-' || end[1] == '+' ? 2 : 1;
        if (!is_digit(*end)) return fail(p, "'%s' is not a number", name);
        end = skip_digits(end);
    }
    *out = strtod(p->at, NULL);
    p->at = end;
    return true;
}

static int find(const char* word, const char* const* words, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0) return i;
    return -1;
}

static bool read_value(parser* p, int field, cli_play_command* out) {
    if (field == CLI_PLAY_CULL) return read_word(p, out->cull);
    double number = 0;
    if (!read_number(p, fields[field], &number)) return false;
    if (field >= CLI_PLAY_X) {
        if (!(fabs(number) <= 1e6))
            return fail(p, "'%s' is out of range: -1e6 to 1e6", fields[field]);
        out->at[field - CLI_PLAY_X] = number;
        return true;
    }
    if (!(number >= 0 && number <= UINT32_MAX && floor(number) == number))
        return fail(p, "'%s' is not a whole number from 0 to 4294967295", fields[field]);
    out->counts[field] = (uint32_t)number;
    return true;
}

static bool read_member(parser* p, bool* has_verb, cli_play_command* out) {
    char name[MOST_WORD + 1], verb[MOST_WORD + 1];
    if (!read_word(p, name) || !expect(p, ':')) return false;
    if (strcmp(name, "do") == 0) {
        if (*has_verb) return fail(p, "the message has 'do' twice");
        if (!read_word(p, verb)) return false;
        const int number = find(verb, verbs, CLI_PLAY_VERBS);
        if (number < 0) return fail(p, "there is no 'do' named '%s'", verb);
        out->verb = (cli_play_verb)number;
        *has_verb = true;
        return true;
    }
    const int field = find(name, fields, CLI_PLAY_FIELDS);
    if (field < 0) return fail(p, "no message has a field '%s'", name);
    if (out->given & 1u << field) return fail(p, "the message has '%s' twice", name);
    out->given |= 1u << field;
    return read_value(p, field, out);
}

static bool check_fields(const parser* p, const cli_play_command* c) {
    for (int f = 0; f < CLI_PLAY_FIELDS; f++) {
        const uint32_t bit = 1u << f;
        if (rules[c->verb].needed & bit & ~c->given)
            return fail(p, "'%s' needs '%s'", verbs[c->verb], fields[f]);
        if (c->given & bit & ~rules[c->verb].allowed)
            return fail(p, "'%s' takes no '%s'", verbs[c->verb], fields[f]);
    }
    return true;
}

bool cli_play_read(const char* text, size_t size, cli_play_command* out,
                   char message[CLI_PLAY_MESSAGE]) {
    char copy[CLI_PLAY_MOST_TEXT + 1];
    parser p = {.at = copy, .message = message};
    *out = (cli_play_command){0};
    if (size > CLI_PLAY_MOST_TEXT)
        return fail(&p, "the message has %zu bytes; %d are the most", size, CLI_PLAY_MOST_TEXT);
    if (size && memchr(text, 0, size)) return fail(&p, "the message has a zero byte");
    if (size) memcpy(copy, text, size);
    copy[size] = 0;
    bool has_verb = false;
    if (!expect(&p, '{')) return false;
    do {
        skip_space(&p);
        if (!read_member(&p, &has_verb, out)) return false;
        skip_space(&p);
    } while (*p.at == ',' && *p.at++);
    if (!expect(&p, '}')) return false;
    skip_space(&p);
    if (*p.at) return fail(&p, "the message goes on behind its JSON object");
    if (!has_verb) return fail(&p, "the message has no 'do'");
    return check_fields(&p, out);
}
