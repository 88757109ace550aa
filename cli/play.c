/// @file play.c  `fracas play`: run a scene and show it in a browser while it runs.
#include "commands.h"
#include "page.h"
#include "play_run.h"
#include "scenes.h"
#include <string.h>

static const char notes[] =
    "Serves a page on 127.0.0.1 that shows the scene while it runs: play, pause, step, reset,\n"
    "threads, and where the scene has them culling and size. Bodies that break can be dragged, "
    "and\n"
    "balls dropped on them. The address has a random token, and is printed. Ctrl-C ends it.\n"
    "'fracas scene' lists the scenes.";

static int check(cli_play_options* options, int count, char** names) {
    if (!cli_page_is_built())
        return cli_fail(CLI_BAD_USAGE,
                        "play: this program was built without the page; install Node 18 or later "
                        "with npm, and build it again with -DFRACAS_VIEWER=ON");
    if (count != 1)
        return cli_fail(CLI_BAD_USAGE,
                        count ? "one scene at a time; '%s' is one too many"
                              : "play needs the name of a scene; 'fracas scene' lists them%s",
                        count ? names[1] : "");
    options->name = names[0];
    const cli_play_kind* const kinds[] = {&cli_play_meshes, cli_play_rigid, cli_play_medial};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i] && kinds[i]->describe(options->name)) options->kind = kinds[i];
    if (!options->kind)
        return cli_fail(CLI_BAD_USAGE, "no scene '%s'; 'fracas scene' lists them%s", options->name,
                        cli_play_rigid ? "" : ", and those of rigid bodies need ODE (libode-dev)");
    if (options->settings.size && !options->kind->has_size)
        return cli_fail(CLI_BAD_USAGE, "scene '%s' takes no --size", options->name);
    if (options->settings.cull && !options->kind->has_cull)
        return cli_fail(CLI_BAD_USAGE, "scene '%s' takes no --cull", options->name);
    if (options->settings.mesh && !options->kind->takes_mesh(options->name))
        return cli_fail(CLI_BAD_USAGE, "scene '%s' takes no --mesh", options->name);
    if (options->port > 65535)
        return cli_fail(CLI_BAD_USAGE, "--port is %u; it takes 1 to 65535, or 0 for any free one",
                        options->port);
    return CLI_GO_ON;
}

int cli_play(int argc, char** argv) {
    cli_play_options o = {0};
    const cli_option options[] = {
        {"port",    CLI_COUNT,  "N",            &o.port,             "the port of 127.0.0.1 (default: any free one)"},
        {"no-open", CLI_FLAG,   NULL,           &o.no_open,          "do not start a browser"                       },
        {"threads", CLI_COUNT,  "N",            &o.settings.threads,
         "how many threads (default: one per core)"                                                                 },
        {"size",    CLI_COUNT,  "N",            &o.settings.size,    "about how many triangles"                     },
        {"cull",    CLI_CHOICE, CLI_CULL_MODES, &o.settings.cull,
         "what is left out of self-collision (default certificate)"                                                 },
        {"mesh",    CLI_TEXT,   "FILE",         &o.settings.mesh,    "a closed mesh for the scenes that take one"   },
    };
    const cli_command command = {"play",
                                 "SCENE [options]",
                                 "Runs a built-in scene and shows it in a browser.",
                                 options,
                                 sizeof options / sizeof *options,
                                 notes};
    int count;
    int code = cli_parse(&command, argc, argv, &count);
    if (code == CLI_GO_ON) code = check(&o, count, argv);
    return code == CLI_GO_ON ? cli_play_run(&o) : code;
}
