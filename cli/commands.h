/// @file commands.h  The commands, each in a file of its own. argv[0] is the command's name.
#pragma once

int cli_detect(int argc, char** argv);
int cli_scene(int argc, char** argv);
int cli_bench(int argc, char** argv);
int cli_info(int argc, char** argv);
