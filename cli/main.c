/// @file main.c  `fracas COMMAND`: find the command and run it.
#include "commands.h"
#include "options.h"
#include <stdio.h>
#include <string.h>

static const struct {
    const char* name;
    int (*run)(int argc, char** argv);
    const char* summary;
} commands[] = {
    {"detect", cli_detect, "contacts in your own meshes: at a frame, or from frame to frame"},
    {"scene",  cli_scene,  "run a built-in scene, detecting on every frame"                 },
    {"play",   cli_play,   "run a built-in scene and show it in a browser while it runs"    },
    {"info",   cli_info,   "what is in a mesh file"                                         },
    {"tet",    cli_tet,    "fill a closed surface with tetrahedra"                          },
    {"medial", cli_medial, "describe a closed surface by spheres, cones and slabs"          },
    {"bench",  cli_bench,  "run one of the benchmarks"                                      },
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static int print_help(FILE* to) {
    fputs("usage: fracas COMMAND [arguments]\n\n"
          "Finds every collision between things that deform, break and move.\n\ncommands:\n",
          to);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fputs("\n'fracas help COMMAND' says more. 'fracas --version' prints the version.\n", to);
    return CLI_DONE;
}

int main(int argc, char** argv) {
    const char* name = argc > 1 ? argv[1] : "";
    if (argc < 2) {
        print_help(stderr);
        return CLI_BAD_USAGE;
    }
    char* help[] = {argv[0], argc > 2 ? argv[2] : NULL, "--help", NULL};
    if (strcmp(name, "help") == 0 && argc > 2) argc = 3, argv = help, name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return print_help(stdout);
    if (strcmp(name, "--version") == 0) {
        printf("fracas %s\n", fracas_get_version());
        return CLI_DONE;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
    const char* near = cli_nearest(name, &commands[0].name, COMMAND_COUNT, sizeof commands[0]);
    if (near)
        return cli_fail(CLI_BAD_USAGE, "unknown command '%s'; did you mean '%s'?", name, near);
    return cli_fail(CLI_BAD_USAGE, "unknown command '%s'; 'fracas --help' lists them", name);
}
