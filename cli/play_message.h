/// @file play_message.h  The messages that a page sends to `fracas play`: flat JSON objects,
/// checked field by field. docs/play.md lists them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_PLAY_PROTOCOL = 1, CLI_PLAY_MOST_TEXT = 1024, CLI_PLAY_MESSAGE = 256 };

typedef enum cli_play_verb {
    CLI_PLAY_PLAY,
    CLI_PLAY_PAUSE,
    CLI_PLAY_STEP,
    CLI_PLAY_RESET,
    CLI_PLAY_GOT,  ///< the page has drawn a frame and can take the next one
    CLI_PLAY_GRAB,
    CLI_PLAY_DRAG,
    CLI_PLAY_RELEASE,
    CLI_PLAY_DROP,
    CLI_PLAY_VERBS
} cli_play_verb;

/// Fields, also as bits 1 << field of `given`.
typedef enum cli_play_field {
    CLI_PLAY_THREADS,
    CLI_PLAY_SIZE,
    CLI_PLAY_CULL,
    CLI_PLAY_FRAME,
    CLI_PLAY_BODY,
    CLI_PLAY_X,
    CLI_PLAY_Y,
    CLI_PLAY_Z,
    CLI_PLAY_FIELDS
} cli_play_field;

typedef struct cli_play_command {
    cli_play_verb verb;
    uint32_t given;                    ///< which fields the message has
    uint32_t counts[CLI_PLAY_FIELDS];  ///< of threads, size, frame and body
    char cull[40];
    double at[3];  ///< in the coordinates of the page
} cli_play_command;

/// Read a message of `size` bytes, which need not be text. @return false with what is wrong in
/// `message`, which is printable ASCII.
bool cli_play_read(const char* text, size_t size, cli_play_command* out,
                   char message[CLI_PLAY_MESSAGE]);
