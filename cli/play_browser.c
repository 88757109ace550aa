/// @file play_browser.c  Open an address in the browser of the user.
#include "play_browser.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static bool write_file(cli_play_browser* b, const char* address) {
    snprintf(b->folder, sizeof b->folder, "/tmp/fracas-play-XXXXXX");
    if (!mkdtemp(b->folder)) {
        *b->folder = 0;
        return false;
    }
    snprintf(b->file, sizeof b->file, "%s/page.html", b->folder);
    FILE* file = fopen(b->file, "w");
    if (!file) return false;
    fprintf(file,
            "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=%s\">"
            "<title>Fracas</title><a href=\"%s\">the running scene</a>\n",
            address, address);
    return fclose(file) == 0;
}

void cli_play_browser_open(cli_play_browser* b, const char* address) {
    extern char** environ;
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
    if (!write_file(b, address)) return;
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY, 0);
    char program[] = "xdg-open";
    char* arguments[] = {program, b->file, NULL};
    pid_t child;
    if (posix_spawnp(&child, program, &quiet, NULL, arguments, environ) == 0)
        waitpid(child, NULL, WNOHANG);
    posix_spawn_file_actions_destroy(&quiet);
}

void cli_play_browser_close(cli_play_browser* b) {
    if (*b->file) remove(b->file);
    if (*b->folder) rmdir(b->folder);
}
