// Finds the query files of a folder. Names are sorted, because the order of directories varies.
#define _POSIX_C_SOURCE 200809L
#include "query_file.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const KIND_FOLDER[2] = {"vertex-face", "edge-edge"};

static bool fail(char* message, size_t size, const char* where, const char* what) {
    snprintf(message, size, "%s: %s", where, what);
    return false;
}

static int visible(const struct dirent* entry) { return entry->d_name[0] != '.'; }

static bool join(char* out, size_t size, const char* folder, const char* name) {
    return (size_t)snprintf(out, size, "%s/%s", folder, name) < size;
}

static const char* last_part(const char* path, char* out, size_t size) {
    size_t end = strlen(path);
    while (end && path[end - 1] == '/') end--;
    size_t begin = end;
    while (begin && path[begin - 1] != '/') begin--;
    const size_t length = end - begin < size - 1 ? end - begin : size - 1;
    memcpy(out, path + begin, length);
    out[length] = 0;
    return out;
}

static query_set* add_set(query_sets* sets, const char* folder, frc_ccd_kind kind) {
    if (sets->count == sets->capacity) {
        const size_t capacity = sets->capacity ? 2 * sets->capacity : 16;
        query_set* const list = realloc(sets->list, capacity * sizeof *list);
        if (!list) return NULL;
        sets->list = list;
        sets->capacity = capacity;
    }
    query_set* const set = &sets->list[sets->count++];
    memset(set, 0, sizeof *set);
    set->kind = kind;
    last_part(folder, set->name, sizeof set->name);
    return set;
}

static void free_names(struct dirent** name, int count) {
    for (int i = 0; i < count; i++) free(name[i]);
    free(name);
}

// Reads all CSV files of the folder of one kind into one set.
static bool read_kind(const char* set_folder, const char* folder, frc_ccd_kind kind,
                      query_sets* sets, char* message, size_t size) {
    struct dirent** name;
    const int count = scandir(folder, &name, visible, alphasort);
    if (count < 0) return fail(message, size, folder, "cannot be read");
    query_set* const set = add_set(sets, set_folder, kind);
    bool good = set || fail(message, size, folder, "out of memory");
    for (int i = 0; good && i < count; i++) {
        char path[4096];
        const size_t length = strlen(name[i]->d_name);
        if (length < 4 || strcmp(name[i]->d_name + length - 4, ".csv") != 0) continue;
        good = join(path, sizeof path, folder, name[i]->d_name)
                   ? query_file_read(path, &set->list, message, size)
                   : fail(message, size, folder, "the path is too long");
    }
    free_names(name, count);
    return good;
}

enum { DEPTH_LIMIT = 8 };  // stops at cycles of symbolic links

static bool walk(const char* folder, int depth, query_sets* sets, char* message, size_t size) {
    struct dirent** name;
    const int count = scandir(folder, &name, visible, alphasort);
    if (count < 0) return depth ? true : fail(message, size, folder, "is not a readable folder");
    bool good = true;
    for (int i = 0; good && i < count; i++) {
        char path[4096];
        if (!join(path, sizeof path, folder, name[i]->d_name)) continue;
        int kind = -1;
        for (int k = 0; k < 2; k++)
            if (strcmp(name[i]->d_name, KIND_FOLDER[k]) == 0) kind = k;
        if (kind >= 0)
            good = read_kind(folder, path, (frc_ccd_kind)kind, sets, message, size);
        else if (depth < DEPTH_LIMIT)
            good = walk(path, depth + 1, sets, message, size);
    }
    free_names(name, count);
    return good;
}

bool query_sets_read(const char* folder, query_sets* sets, char* message, size_t size) {
    *sets = (query_sets){0};
    if (!walk(folder, 0, sets, message, size)) return false;
    if (sets->count) return true;
    return fail(message, size, folder,
                "no queries: <set>/edge-edge/*.csv or <set>/vertex-face/*.csv expected");
}

void query_sets_free(query_sets* sets) {
    for (size_t i = 0; i < sets->count; i++) {
        free(sets->list[i].list.points);
        free(sets->list[i].list.truth);
    }
    free(sets->list);
    *sets = (query_sets){0};
}
