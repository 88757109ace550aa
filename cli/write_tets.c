/// @file write_tets.c  Tetrahedra as a legacy VTK unstructured grid or as Gmsh MSH 2.2, in ASCII.
/// 17 significant digits determine a double.
#include "write_tets.h"
#include "options.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void write_vtk(FILE* file, const fracas_tet_view* view) {
    const double* p = view->points.data;
    const uint32_t* v = view->tets;
    fprintf(file,
            "# vtk DataFile Version 3.0\nFracas tetrahedra\nASCII\nDATASET UNSTRUCTURED_GRID\n"
            "POINTS %" PRIu32 " double\n",
            view->points.count);
    for (uint32_t i = 0; i < view->points.count; i++, p += 3)
        fprintf(file, "%.17g %.17g %.17g\n", p[0], p[1], p[2]);
    fprintf(file, "CELLS %" PRIu32 " %" PRIu64 "\n", view->tet_count,
            5 * (uint64_t)view->tet_count);
    for (uint32_t t = 0; t < view->tet_count; t++, v += 4)
        fprintf(file, "4 %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", v[0], v[1], v[2],
                v[3]);
    fprintf(file, "CELL_TYPES %" PRIu32 "\n", view->tet_count);
    for (uint32_t t = 0; t < view->tet_count; t++) fputs("10\n", file);
}

// Nodes and elements count from 1. An element has a type (4: tetrahedron) and two tags.
static void write_msh(FILE* file, const fracas_tet_view* view) {
    const double* p = view->points.data;
    const uint32_t* v = view->tets;
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%" PRIu32 "\n",
            view->points.count);
    for (uint32_t i = 0; i < view->points.count; i++, p += 3)
        fprintf(file, "%" PRIu64 " %.17g %.17g %.17g\n", (uint64_t)i + 1, p[0], p[1], p[2]);
    fprintf(file, "$EndNodes\n$Elements\n%" PRIu32 "\n", view->tet_count);
    for (uint32_t t = 0; t < view->tet_count; t++, v += 4)
        fprintf(file, "%" PRIu64 " 4 2 1 1 %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                (uint64_t)t + 1, (uint64_t)v[0] + 1, (uint64_t)v[1] + 1, (uint64_t)v[2] + 1,
                (uint64_t)v[3] + 1);
    fputs("$EndElements\n", file);
}

static const struct {
    const char* ending;
    void (*write)(FILE* file, const fracas_tet_view* view);
} formats[] = {
    {".vtk", write_vtk},
    {".msh", write_msh}
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

static int format_of(const char* path) {
    const size_t length = strlen(path);
    for (int i = 0; i < FORMAT_COUNT; i++) {
        const size_t width = strlen(formats[i].ending);
        if (length > width && strcmp(path + length - width, formats[i].ending) == 0) return i;
    }
    return -1;
}

int cli_check_tets_name(const char* path) {
    if (format_of(path) >= 0) return CLI_GO_ON;
    return cli_fail(CLI_BAD_USAGE, "--out is '%s'; the name must end in .vtk or .msh", path);
}

bool cli_same_file(const char* a, const char* b) {
    struct stat of_a, of_b;
    if (stat(a, &of_a) != 0 || stat(b, &of_b) != 0) return false;
    return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

int cli_write_tets(const char* path, const fracas_tet_view* view) {
    FILE* file = fopen(path, "wb");
    if (!file) return cli_fail(CLI_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
    formats[format_of(path)].write(file, view);
    const bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed) return CLI_DONE;
    const int code = cli_fail(CLI_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
    struct stat about;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) remove(path);
    return code;
}
