/// @file rigid_none.c  The program without ODE: no scenes of rigid bodies.
#include "medial_scene.h"
#include "options.h"
#include "rigid.h"
#include <stdio.h>
#include <string.h>

static const char* const names[] = {
    "bricks",        "drop-bunnies", "interactive-bunnies", "piggy-bank", "plates", "rods",
    "rolling-plate", "stairs",       "fast-flyer",          "tori"};

bool cli_rigid_is_scene(const char* name) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

void cli_rigid_list(void) { puts("  (scenes of rigid bodies need ODE: this program has none)"); }

int cli_rigid_scene(int argc, char** argv) {
    (void)argc, (void)argv;
    return cli_fail(CLI_BAD_USAGE, "scenes of rigid bodies need ODE, and this program was built "
                                   "without it: install libode-dev and build again");
}

bool cli_medial_is_scene(const char* name) {
    (void)name;
    return false;
}

void cli_medial_list(void) {}

int cli_medial_scene(int argc, char** argv) { return cli_rigid_scene(argc, argv); }
