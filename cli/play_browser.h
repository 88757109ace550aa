/// @file play_browser.h  Open an address with a token in the browser of the user.
#pragma once
#include <stdbool.h>

/// The address is in a file that only the user can read: other users see arguments of programs.
typedef struct cli_play_browser {
    char folder[64], file[96];
} cli_play_browser;

/// Does nothing where there is no screen or no xdg-open.
void cli_play_browser_open(cli_play_browser* browser, const char* address);
void cli_play_browser_close(cli_play_browser* browser);
