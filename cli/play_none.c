/// @file play_none.c  The program without civetweb: no `fracas play`.
#include "commands.h"
#include "options.h"

int cli_play(int argc, char** argv) {
    const cli_command command = {"play",
                                 "SCENE [options]",
                                 "Runs a built-in scene and shows it in a browser.",
                                 NULL,
                                 0,
                                 "This program was built without civetweb, which it needs: install "
                                 "libcivetweb-dev and build\nagain."};
    int count;
    const int code = cli_parse(&command, argc, argv, &count);
    if (code != CLI_GO_ON) return code;
    return cli_fail(CLI_BAD_USAGE, "play needs civetweb, and this program was built without it: "
                                   "install libcivetweb-dev and build again");
}
