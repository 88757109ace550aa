/// @file frame_names.c  FRAME arguments and --body: files, folders, patterns, and names of bodies.
#include "frames.h"
#include "options.h"
#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

// Names of files, owned.
typedef struct names {
    char** data;
    size_t count, capacity;
} names;

static void add_name(names* all, const char* text, size_t length) {
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 8;
        all->data = cli_grow(all->data, all->capacity, sizeof *all->data);
    }
    char* name = cli_allocate(length + 1, 1);  // zeros: the end of the name
    memcpy(name, text, length);
    all->data[all->count++] = name;
}

static void free_names(names* all) {
    for (size_t i = 0; i < all->count; i++) free(all->data[i]);
    free(all->data);
    *all = (names){0};
}

// ---- order: digits by their number, so that frame 9 comes before frame 10

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Compare two runs of digits and step over them. Zeros in front do not count.
static int compare_numbers(const char** a, const char** b) {
    while (**a == '0') ++*a;
    while (**b == '0') ++*b;
    size_t la = strspn(*a, "0123456789"), lb = strspn(*b, "0123456789");
    int order = la != lb ? (la < lb ? -1 : 1) : strncmp(*a, *b, la);
    *a += la, *b += lb;
    return order;
}

static int compare_names(const void* left, const void* right) {
    const char *a = *(char*const*)left, *b = *(char*const*)right;
    while (*a && *b) {
        int order = is_digit(*a) && is_digit(*b) ? compare_numbers(&a, &b)
                                                 : (unsigned char)*a++ - (unsigned char)*b++;
        if (order) return order;
    }
    if (*a || *b) return *a ? 1 : -1;
    return strcmp(*(char* const*)left, *(char* const*)right);  // 01 and 1
}

// ---- one word: files

static bool is_mesh(const char* name) {
    static const char* const endings[] = {".obj", ".ply", ".stl", ".off",  ".msh",
                                          ".vtk", ".vtu", ".ele", ".mesh", ".meshb"};
    const char* dot = strrchr(name, '.');
    for (size_t i = 0; dot && dot > name && i < sizeof endings / sizeof endings[0]; i++)
        if (strcasecmp(dot, endings[i]) == 0) return true;
    return false;
}

static int add_folder(names* all, const char* folder) {
    DIR* open = opendir(folder);
    if (!open) return cli_fail(CLI_BAD_INPUT, "%s: the folder cannot be read", folder);
    const size_t before = all->count, length = strlen(folder);
    for (const struct dirent* entry; (entry = readdir(open));) {
        if (!is_mesh(entry->d_name)) continue;
        const size_t capacity = length + strlen(entry->d_name) + 2;
        char* path = cli_allocate(capacity, 1);
        const int written = snprintf(path, capacity, "%s%s%s", folder,
                                     length && folder[length - 1] == '/' ? "" : "/", entry->d_name);
        add_name(all, path, (size_t)written);
        free(path);
    }
    closedir(open);
    if (all->count == before)
        return cli_fail(CLI_BAD_INPUT,
                        "%s: no mesh is in the folder (.obj .ply .stl .off .msh .vtk .vtu .ele "
                        ".mesh .meshb)",
                        folder);
    return CLI_DONE;
}

static int add_pattern(names* all, const char* pattern) {
    glob_t found;
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return cli_fail(CLI_BAD_INPUT, "%s: no file matches the pattern", pattern);
    for (size_t i = 0; i < found.gl_pathc; i++)
        add_name(all, found.gl_pathv[i], strlen(found.gl_pathv[i]));
    globfree(&found);
    return CLI_DONE;
}

// Append the files that `word` means, sorted. A missing file is reported when it is read.
static int expand(names* all, const char* word) {
    const size_t before = all->count;
    struct stat status;
    int code = CLI_DONE;
    if (stat(word, &status) == 0 && S_ISDIR(status.st_mode))
        code = add_folder(all, word);
    else if (access(word, F_OK) != 0 && strpbrk(word, "*?["))
        code = add_pattern(all, word);
    else
        add_name(all, word, strlen(word));
    if (all->count > before + 1)
        qsort(all->data + before, all->count - before, sizeof *all->data, compare_names);
    return code;
}

// ---- frames

static cli_frame* add_frame(cli_frames* frames, uint32_t file_count) {
    frames->data = cli_grow(frames->data, (size_t)frames->count + 1, sizeof *frames->data);
    cli_frame* frame = &frames->data[frames->count++];
    *frame = (cli_frame){.paths = cli_allocate(file_count, sizeof *frame->paths),
                         .files = cli_allocate(file_count, sizeof(fracas_mesh_file*)),
                         .lent = cli_allocate(file_count, sizeof *frame->lent)};
    return frame;
}

static void set_path(cli_frame* frame, const char* text, size_t length) {
    char* path = cli_allocate(length + 1, 1);
    memcpy(path, text, length);
    frame->paths[frame->file_count++] = path;
}

// FILE+FILE+...
static int add_joined(cli_frames* frames, const char* argument) {
    uint32_t count = 1;
    for (const char* c = argument; *c; c++) count += *c == '+';
    cli_frame* frame = add_frame(frames, count);
    for (const char* start = argument; frame->file_count < count;) {
        const size_t length = strcspn(start, "+");
        if (length == 0)
            return cli_fail(CLI_BAD_USAGE,
                            "'%s' has an empty file name; a frame is FILE or FILE+FILE+...",
                            argument);
        set_path(frame, start, length);
        start += length + 1;
    }
    return CLI_DONE;
}

static int add_argument(cli_frames* frames, const char* argument) {
    // A file may have a + in its name.
    if (strchr(argument, '+') && access(argument, F_OK) != 0) return add_joined(frames, argument);
    names all = {0};
    const int code = expand(&all, argument);
    for (size_t i = 0; i < all.count && code == CLI_DONE; i++)
        set_path(add_frame(frames, 1), all.data[i], strlen(all.data[i]));
    free_names(&all);
    return code;
}

// One body for each list. A body of one file stands still in all frames.
static int add_bodies(cli_frames* frames, const cli_list* bodies, const names* files) {
    size_t count = 1, longest = 0;
    for (size_t b = 0; b < bodies->count; b++)
        if (files[b].count > count) count = files[b].count, longest = b;
    for (size_t b = 0; b < bodies->count; b++)
        if (files[b].count != 1 && files[b].count != count)
            return cli_fail(CLI_BAD_USAGE,
                            "--body %s is %zu files, but --body %s is %zu: each body has one file "
                            "per frame, or one for all frames",
                            bodies->data[b], files[b].count, bodies->data[longest], count);
    for (size_t k = 0; k < count; k++) {
        cli_frame* frame = add_frame(frames, (uint32_t)bodies->count);
        for (size_t b = 0; b < bodies->count; b++) {
            const char* path = files[b].data[files[b].count == 1 ? 0 : k];
            set_path(frame, path, strlen(path));
        }
    }
    return CLI_DONE;
}

// ---- names of bodies

static const char* base_name(const char* path) {
    if (strcmp(path, "-") == 0) return "standard input";
    const char* slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

// What the names of a body's files have in common: "cloth_*.ply".
static char* common_name(const cli_frames* frames, uint32_t body) {
    const char* first = NULL;
    size_t head = 0, tail = 0, shortest = 0;
    for (int k = 0; k < frames->count; k++) {
        if (body >= frames->data[k].file_count) continue;
        const char* name = base_name(frames->data[k].paths[body]);
        const size_t length = strlen(name);
        if (!first) {
            first = name, head = tail = shortest = length;
            continue;
        }
        const char* end = first + strlen(first);
        size_t same = 0;
        while (same < head && name[same] == first[same]) same++;
        head = same;
        for (same = 0;
             same < tail && same < length && name[length - 1 - same] == end[-1 - (long)same];)
            same++;
        tail = same;
        if (length < shortest) shortest = length;
    }
    const size_t all = strlen(first);
    const bool equal = head == all && tail == all;
    if (!equal && head + tail > shortest) tail = shortest - head;
    // A number is left out whole.
    while (!equal && head > 0 && is_digit(first[head - 1])) head--;
    while (!equal && tail > 0 && is_digit(first[all - tail])) tail--;
    char* name = cli_allocate(all + 2, 1);
    if (equal)
        snprintf(name, all + 2, "%s", first);
    else
        snprintf(name, all + 2, "%.*s*%s", (int)head, first, first + (all - tail));
    return name;
}

static void name_bodies(cli_frames* frames) {
    for (int k = 0; k < frames->count; k++)
        if (frames->data[k].file_count > frames->body_count)
            frames->body_count = frames->data[k].file_count;
    frames->bodies = cli_allocate(frames->body_count, sizeof *frames->bodies);
    for (uint32_t b = 0; b < frames->body_count; b++) frames->bodies[b] = common_name(frames, b);
}

// ---- all

static int parse_bodies(cli_frames* frames, const cli_list* bodies) {
    names* files = cli_allocate(bodies->count, sizeof *files);
    int code = CLI_DONE;
    for (size_t b = 0; b < bodies->count && code == CLI_DONE; b++)
        code = expand(&files[b], bodies->data[b]);
    if (code == CLI_DONE) code = add_bodies(frames, bodies, files);
    for (size_t b = 0; b < bodies->count; b++) free_names(&files[b]);
    free(files);
    return code;
}

int cli_frames_parse(int count, char** arguments, const cli_list* bodies, cli_frames* out) {
    *out = (cli_frames){0};
    int code = CLI_DONE;
    if (bodies->count > 0 && count > 0)
        code = cli_fail(CLI_BAD_USAGE, "'%s': with --body all files are named by --body",
                        arguments[0]);
    else if (bodies->count > 0)
        code = parse_bodies(out, bodies);
    for (int i = 0; i < count && code == CLI_DONE; i++) code = add_argument(out, arguments[i]);
    if (code == CLI_DONE)
        name_bodies(out);
    else
        cli_frames_free(out);
    return code;
}

void cli_frames_free(cli_frames* frames) {
    for (int i = 0; i < frames->count; i++) {
        cli_frame* frame = &frames->data[i];
        cli_frame_unload(frame);
        for (uint32_t f = 0; f < frame->file_count; f++) free((char*)(uintptr_t)frame->paths[f]);
        free(frame->paths);
        free(frame->files);
        free(frame->lent);
    }
    for (uint32_t b = 0; b < frames->body_count; b++) free(frames->bodies[b]);
    free(frames->bodies);
    free(frames->data);
    *frames = (cli_frames){0};
}
