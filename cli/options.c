/// @file options.c  The option parser: a table per command defines parsing, checking and help. Also
/// error messages and allocation.
#include "options.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_fail(int code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    // On a terminal a progress bar may be in the line.
    fputs(isatty(STDERR_FILENO) ? "\r\033[Kfracas: " : "fracas: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return code;
}

static int exit_code(fracas_status status) {
    switch (status) {
    case FRACAS_OK:
        return CLI_DONE;
    case FRACAS_ERROR_BAD_DATA:
    case FRACAS_ERROR_FILE:
    case FRACAS_ERROR_UNSUPPORTED:
        return CLI_BAD_INPUT;
    case FRACAS_ERROR_CANCELLED:
        return CLI_CANCELLED;
    default:
        return CLI_INTERNAL;
    }
}

int cli_fail_status(const fracas_context* context, fracas_status status) {
    char message[1024] = "";
    if (status == FRACAS_ERROR_CANCELLED) return cli_fail(CLI_CANCELLED, "cancelled");
    fracas_context_get_message(context, message, sizeof message);
    return cli_fail(exit_code(status), "%s", *message ? message : fracas_status_get_name(status));
}

int cli_fail_start(fracas_status status) {
    const bool old = status == FRACAS_ERROR_UNSUPPORTED;
    return cli_fail(CLI_INTERNAL, "cannot start: %s%s", fracas_status_get_name(status),
                    old ? " processor; build with -DFRACAS_SIMD=sse2" : "");
}

static void* checked(void* memory) {
    if (!memory) exit(cli_fail(CLI_INTERNAL, "out of memory"));
    return memory;
}

void* cli_allocate(size_t count, size_t size) { return checked(calloc(count ? count : 1, size)); }

void* cli_grow(void* memory, size_t count, size_t size) {
    if (count > SIZE_MAX / size) return checked(NULL);
    return checked(realloc(memory, count * size));
}

void cli_list_add(cli_list* list, const char* text) {
    // Lists of options are short.
    list->data = cli_grow(list->data, list->count + 1, sizeof *list->data);
    list->data[list->count++] = text;
}

void cli_list_free(cli_list* list) {
    free(list->data);
    *list = (cli_list){0};
}

// ---- suggestions

// Levenshtein distance: insertions, deletions and changes. SIZE_MAX for long words.
static size_t edit_distance(const char* a, const char* b) {
    enum { LONGEST = 32 };
    size_t row[LONGEST + 1], length = strlen(b);
    if (length > LONGEST) return SIZE_MAX;
    for (size_t j = 0; j <= length; j++) row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t corner = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t best = corner + (a[i] != b[j]);
            if (row[j] + 1 < best) best = row[j] + 1;
            corner = row[j + 1];
            if (corner + 1 < best) best = corner + 1;
            row[j + 1] = best;
        }
    }
    return row[length];
}

const char* cli_nearest(const char* word, const void* names, size_t count, size_t stride) {
    const char* nearest = NULL;
    size_t least =
        strlen(word) / 2 + 1;  // a name with more than half the letters wrong is not similar
    for (size_t i = 0; i < count; i++) {
        const char* name = *(const char* const*)((const char*)names + i * stride);
        size_t distance = edit_distance(word, name);
        if (distance < least) least = distance, nearest = name;
    }
    return nearest;
}

// ---- help

static void print_help(const cli_command* command) {
    printf("usage: fracas %s %s\n\n%s\n", command->name, command->usage, command->summary);
    if (command->option_count) puts("\noptions:");
    for (size_t i = 0; i < command->option_count; i++) {
        const cli_option* option = &command->options[i];
        char left[160];
        snprintf(left, sizeof left, "--%s%s%s", option->name, option->value ? " " : "",
                 option->value ? option->value : "");
        if (strlen(left) <= 24)
            printf("  %-24s %s\n", left, option->help);
        else
            printf("  %s\n  %-24s %s\n", left, "", option->help);
    }
    printf("  %-24s %s\n", "--help", "this text");
    if (command->notes) printf("\n%s\n", command->notes);
}

// ---- reading

static int bad_value(const cli_option* option, const char* given, const char* wanted) {
    return cli_fail(CLI_BAD_USAGE, "--%s is '%s'; it takes %s", option->name, given, wanted);
}

// Set the target to the position of `given` in the list of choices.
static int set_choice(const cli_option* option, const char* given) {
    size_t length = strlen(given);
    const char* choice = option->value;
    for (int position = 0;; position++) {
        size_t width = strcspn(choice, "|");
        if (width == length && strncmp(choice, given, length) == 0) {
            *(int*)option->target = position;
            return CLI_GO_ON;
        }
        if (!choice[width]) return bad_value(option, given, option->value);
        choice += width + 1;
    }
}

static int set_value(const cli_option* option, const char* given) {
    char* end;
    switch (option->kind) {
    case CLI_TEXT:
        *(const char**)option->target = given;
        return CLI_GO_ON;
    case CLI_LIST:
        cli_list_add(option->target, given);
        return CLI_GO_ON;
    case CLI_COUNT: {
        errno = 0;
        unsigned long long value = strtoull(given, &end, 10);
        if (errno || *end || end == given || *given == '-' || value > UINT32_MAX)
            return bad_value(option, given, "a whole number that is not negative");
        *(uint32_t*)option->target = (uint32_t)value;
        return CLI_GO_ON;
    }
    case CLI_NUMBER: {
        double value = strtod(given, &end);
        if (*end || end == given || !isfinite(value) || value < 0)
            return bad_value(option, given, "a number that is not negative");
        *(double*)option->target = value;
        return CLI_GO_ON;
    }
    case CLI_CHOICE:
        return set_choice(option, given);
    default:
        return cli_fail(CLI_BAD_USAGE, "--%s is not built yet", option->name);
    }
}

// Parse the option at argv[*i]. If its value is the next argument, `*i` moves to that.
static int read_option(const cli_command* command, int argc, char** argv, int* i) {
    const char* name = argv[*i] + 2;
    size_t length = strcspn(name, "=");
    for (size_t o = 0; o < command->option_count; o++) {
        const cli_option* option = &command->options[o];
        if (strlen(option->name) != length || strncmp(option->name, name, length) != 0) continue;
        const char* value = name[length] ? name + length + 1 : NULL;
        if (option->kind == CLI_FLAG) {
            if (value) return cli_fail(CLI_BAD_USAGE, "--%s takes no value", option->name);
            *(bool*)option->target = true;
            return CLI_GO_ON;
        }
        if (!value && *i + 1 < argc) value = argv[++*i];
        if (!value && option->kind != CLI_NOT_BUILT)
            return cli_fail(CLI_BAD_USAGE, "--%s needs a value: %s", option->name, option->value);
        return set_value(option, value);
    }
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const char* near =
        cli_nearest(word, &command->options->name, command->option_count, sizeof *command->options);
    if (near) return cli_fail(CLI_BAD_USAGE, "unknown option --%s; did you mean --%s?", word, near);
    return cli_fail(CLI_BAD_USAGE, "unknown option --%s; 'fracas %s --help' lists them", word,
                    command->name);
}

int cli_parse(const cli_command* command, int argc, char** argv, int* count) {
    int kept = 0;
    bool only_names = false;
    for (int i = 1; i < argc; i++) {
        const char* word = argv[i];
        if (only_names || word[0] != '-' || !word[1]) {
            argv[kept++] = argv[i];
        } else if (strcmp(word, "--") == 0) {
            only_names = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(command);
            return CLI_DONE;
        } else if (word[1] != '-') {
            return cli_fail(CLI_BAD_USAGE, "unknown option %s; 'fracas %s --help' lists them", word,
                            command->name);
        } else {
            int code = read_option(command, argc, argv, &i);
            if (code != CLI_GO_ON) return code;
        }
    }
    *count = kept;
    return CLI_GO_ON;
}
