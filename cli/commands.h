/// @file commands.h  The commands; each is in its own file. argv[0] is the name of the command.
#pragma once

int cli_detect(int argc, char** argv);
int cli_scene(int argc, char** argv);
int cli_bench(int argc, char** argv);
int cli_play(int argc, char** argv);
int cli_info(int argc, char** argv);
int cli_tet(int argc, char** argv);
int cli_medial(int argc, char** argv);
