/// @file options.h  What all commands share: how options are written, told apart and explained, and
/// how a failure is said.
#pragma once
#include "fracas/base.h"

/// Exit codes; programs rely on them.
enum {
    CLI_DONE = 0,
    CLI_BAD_INPUT = 1,
    CLI_BAD_USAGE = 2,
    CLI_CONTACTS_FOUND = 3,
    CLI_INTERNAL = 4,
    CLI_CANCELLED = 130,
    CLI_GO_ON = -1  ///< not an exit code: arguments were read, the command may start
};

typedef enum cli_option_kind {
    CLI_FLAG,      ///< target: bool*
    CLI_TEXT,      ///< target: const char**
    CLI_COUNT,     ///< target: uint32_t*
    CLI_NUMBER,    ///< target: double*; finite and not negative
    CLI_CHOICE,    ///< target: int*, the position in `value`, which lists "one|two|three"
    CLI_NOT_BUILT  ///< known, takes a value, refused
} cli_option_kind;

typedef struct cli_option {
    const char* name;  ///< without the dashes
    cli_option_kind kind;
    const char* value;  ///< what the help calls the value; NULL for a flag
    void* target;
    const char* help;
} cli_option;

typedef struct cli_command {
    const char* name;
    const char* usage;    ///< what follows "fracas NAME"
    const char* summary;  ///< one line, also in the list of commands
    const cli_option* options;
    size_t option_count;
    const char* notes;  ///< printed below the options; may be NULL
} cli_command;

/// Read `argv[1..]`. What is not an option is moved to the front: argv[0 .. *count).
/// @return CLI_GO_ON, or the exit code when there is nothing left to do (help, bad usage).
int cli_parse(const cli_command* command, int argc, char** argv, int* count);

/// Print "fracas: MESSAGE" on stderr. @return `code`
int cli_fail(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// The same with the context's message and the exit code that fits `status`.
int cli_fail_status(const fracas_context* context, fracas_status status);

/// The same where there is no context yet.
int cli_fail_start(fracas_status status);

/// The name of `count` names, `stride` bytes apart, that `word` most likely was meant to be, or
/// NULL.
const char* cli_nearest(const char* word, const void* names, size_t count, size_t stride);

/// Memory for the program itself. There is nothing to save when there is none: says so and exits
/// with CLI_INTERNAL. Zeroed; never NULL.
void* cli_allocate(size_t count, size_t size);
void* cli_grow(void* memory, size_t count, size_t size);
