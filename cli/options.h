/// @file options.h  The option parser, exit codes, error messages and allocation of all commands.
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
    CLI_GO_ON = -1  ///< not an exit code: the arguments are valid, the command may start
};

typedef enum cli_option_kind {
    CLI_FLAG,      ///< target: bool*
    CLI_TEXT,      ///< target: const char**
    CLI_LIST,      ///< target: cli_list*; may be given several times
    CLI_COUNT,     ///< target: uint32_t*
    CLI_NUMBER,    ///< target: double*; finite and not negative
    CLI_CHOICE,    ///< target: int*, the position in `value`, which lists "one|two|three"
    CLI_NOT_BUILT  ///< not implemented: has a value and is rejected
} cli_option_kind;

/// Texts that are not owned.
typedef struct cli_list {
    const char** data;
    size_t count;
} cli_list;

void cli_list_add(cli_list* list, const char* text);
void cli_list_free(cli_list* list);

typedef struct cli_option {
    const char* name;  ///< without the dashes
    cli_option_kind kind;
    const char* value;  ///< name of the value in the help; NULL for a flag
    void* target;
    const char* help;
} cli_option;

typedef struct cli_command {
    const char* name;
    const char* usage;    ///< the text after "fracas NAME"
    const char* summary;  ///< one line, also in the list of commands
    const cli_option* options;
    size_t option_count;
    const char* notes;  ///< printed below the options; may be NULL
} cli_command;

/// Parse `argv[1..]`. Arguments that are not options are moved to the front: argv[0 .. *count).
/// @return CLI_GO_ON, or the exit code after help or bad usage.
int cli_parse(const cli_command* command, int argc, char** argv, int* count);

/// Print "fracas: MESSAGE" on stderr. @return `code`
int cli_fail(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// The same with the message of the context and the exit code of `status`.
int cli_fail_status(const fracas_context* context, fracas_status status);

/// The same before a context exists.
int cli_fail_start(fracas_status status);

/// The most similar to `word` of `count` names, whose pointers are `stride` bytes apart; NULL: none
/// is similar.
const char* cli_nearest(const char* word, const void* names, size_t count, size_t stride);

/// Memory for the program itself, never NULL: out of memory exits with CLI_INTERNAL and a message.
/// cli_allocate zeroes it.
void* cli_allocate(size_t count, size_t size);
void* cli_grow(void* memory, size_t count, size_t size);
