/// @file play_run.h  The loop of `fracas play`: it owns the scene, obeys the page, and sends
/// frames.
#pragma once
#include "play_scene.h"

typedef struct cli_play_options {
    const char* name;
    const cli_play_kind* kind;
    cli_play_settings settings;
    uint32_t port;  ///< 0: any free one
    bool no_open;   ///< do not start a browser
} cli_play_options;

/// Run until Ctrl-C. @return the exit code of the program
int cli_play_run(const cli_play_options* options);
