/// @file grid.c  Tables: widths, cut names, numbers with commas.
#include "grid.h"
#include "options.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH = 80, NAME_MIN = 12, GAP = 2 };

static int terminal_width(void) {
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return WIDTH;
}

const char* cli_number(uint64_t number, char text[32]) {
    char digits[24];
    const int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char* to = text;
    for (int i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0) *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return text;
}

cli_grid_row* cli_grid_add(cli_grid* grid) {
    if (grid->count == grid->capacity) {
        grid->capacity = 2 * grid->capacity + 16;
        grid->rows = cli_grow(grid->rows, grid->capacity, sizeof *grid->rows);
    }
    memset(grid->rows[grid->count], 0, sizeof *grid->rows);
    return &grid->rows[grid->count++];
}

// Bytes of UTF-8 that begin a character.
static bool begins(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

static int length_of(const char* text) {
    int length = 0;
    for (; *text; text++) length += begins(*text);
    return length;
}

// Where to break a line of `text` so that it has at most `width` characters.
static const char* line_end(const char* text, int width) {
    const char* space = NULL;
    int at = 0;
    for (; *text; text++) {
        at += begins(*text);
        if (at > width + (*text == ' ') && space) return space;
        if (*text == ' ') space = text;
    }
    return text;
}

void cli_print_line(const char* text, bool strong) {
    const bool terminal = isatty(STDOUT_FILENO);
    const char *no_color = getenv("NO_COLOR"), *kind = getenv("TERM");
    strong = strong && terminal && !(no_color && *no_color) && kind && strcmp(kind, "dumb") != 0;
    if (strong) fputs("\033[1m", stdout);
    while (*text) {
        const char* end = terminal ? line_end(text, terminal_width()) : text + strlen(text);
        printf("%.*s%s", (int)(end - text), text, *end ? "\n" : "");
        text = *end ? end + 1 : end;
    }
    puts(strong ? "\033[0m" : "");
}

// Print at most `width` characters of `text`: the middle of a longer one is left out, because the
// ends of names tell more.
static void print_cut(const char* text, int width) {
    const int length = length_of(text);
    if (length <= width) {
        fputs(text, stdout);
        return;
    }
    const int head = (width - 2) / 2, tail = width - 2 - head;
    int at = -1;  // of the present character
    for (const char* c = text; *c; c++) {
        at += begins(*c);
        if (at < head || at >= length - tail)
            putchar(*c);
        else if (at == head && begins(*c))
            fputs("..", stdout);
    }
}

static void print_row(const cli_grid* grid, const int* widths, const char* const* cells) {
    int gap = 0;
    for (int c = 0; c < grid->columns; c++) {
        if (widths[c] == 0) continue;
        const char* cell = *cells[c] ? cells[c] : "-";
        const int length = length_of(cell), rest = length < widths[c] ? widths[c] - length : 0;
        const bool is_name = c < grid->names;
        printf("%*s", gap + (is_name ? 0 : rest), "");
        print_cut(cell, widths[c]);
        gap = GAP + (is_name ? rest : 0);
    }
    putchar('\n');
}

// Make the widest names narrower until all columns fit.
static void fit(const cli_grid* grid, int* widths) {
    int all = -GAP;
    for (int c = 0; c < grid->columns; c++)
        if (widths[c] > 0) all += widths[c] + GAP;
    for (int excess = all - terminal_width(); excess > 0; excess--) {
        int widest = 0;
        for (int c = 1; c < grid->names; c++)
            if (widths[c] > widths[widest]) widest = c;
        if (widths[widest] <= NAME_MIN) return;
        widths[widest]--;
    }
}

void cli_grid_print(cli_grid* grid) {
    int widths[CLI_GRID_COLUMNS] = {0};
    for (int c = 0; c < grid->columns; c++) {
        for (size_t r = 0; r < grid->count; r++) {
            const int length = length_of(grid->rows[r][c]);
            if (length > widths[c]) widths[c] = length;
        }
        const int header = length_of(grid->header[c]);
        if (widths[c] > 0 && header > widths[c]) widths[c] = header;
    }
    fit(grid, widths);
    print_row(grid, widths, grid->header);
    for (size_t r = 0; r < grid->count; r++) {
        const char* cells[CLI_GRID_COLUMNS];
        for (int c = 0; c < grid->columns; c++) cells[c] = grid->rows[r][c];
        print_row(grid, widths, cells);
    }
    free(grid->rows);
    *grid = (cli_grid){0};
}
