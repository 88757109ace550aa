/// @file grid.h  A table of texts that fits the terminal.
#pragma once
#include "fracas/base.h"

enum { CLI_GRID_COLUMNS = 12, CLI_GRID_CELL = 256 };

typedef char cli_grid_row[CLI_GRID_COLUMNS][CLI_GRID_CELL];

/// The first columns are names: they are to the left, and cut in the middle where the terminal is
/// too narrow. The others are to the right.
typedef struct cli_grid {
    int names, columns;
    const char* header[CLI_GRID_COLUMNS];
    cli_grid_row* rows;  ///< "" is an empty cell
    size_t count, capacity;
} cli_grid;

cli_grid_row* cli_grid_add(cli_grid* grid);  ///< a row of empty cells

/// Print it without columns that are empty everywhere, then free it.
void cli_grid_print(cli_grid* grid);

/// Print a line; on a terminal it is broken at spaces. `strong`: the answer, in bold where colours
/// are wanted.
void cli_print_line(const char* text, bool strong);

/// A number with commas: 1,092.
const char* cli_number(uint64_t number, char text[32]);
