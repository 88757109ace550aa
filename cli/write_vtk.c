/// @file write_vtk.c  Contacts as points with data in legacy VTK, for ParaView. The format begins
/// with the number of points, so contacts are kept in memory until the end.
#include "fracas/contact.h"
#include "options.h"
#include "writer.h"
#include <string.h>

static void write_title(cli_writer* writer) {
    fputs("# vtk DataFile Version 3.0\nFracas contacts; kind: 0 tt, 1 et, 2 vf, 3 ee, 4 ve, 5 vv, "
          "6 vt\n"
          "ASCII\nDATASET POLYDATA\n",
          writer->file);
}

static void keep(cli_writer* writer, const cli_contact* contacts, size_t count) {
    if (!count) return;
    if (writer->kept_count + count > writer->kept_capacity) {
        writer->kept_capacity = 2 * (writer->kept_count + count);
        writer->kept = cli_grow(writer->kept, writer->kept_capacity, sizeof *writer->kept);
    }
    memcpy(writer->kept + writer->kept_count, contacts, count * sizeof *contacts);
    writer->kept_count += count;
}

static void write_points(cli_writer* writer) {
    FILE* file = writer->file;
    const cli_contact* kept = writer->kept;
    size_t count = writer->kept_count;
    fprintf(file, "POINTS %zu double\n", count);
    for (size_t i = 0; i < count; i++) {
        const double* p = kept[i].point;
        fprintf(file, "%.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
    fprintf(file, "VERTICES %zu %zu\n", count, 2 * count);
    for (size_t i = 0; i < count; i++) fprintf(file, "1 %zu\n", i);

    // The data of the points. A discrete contact is at the end of the step.
    fprintf(file, "POINT_DATA %zu\nSCALARS kind int 1\nLOOKUP_TABLE default\n", count);
    for (size_t i = 0; i < count; i++) fprintf(file, "%d\n", kept[i].kind);
    fputs("SCALARS step int 1\nLOOKUP_TABLE default\n", file);
    for (size_t i = 0; i < count; i++) fprintf(file, "%u\n", kept[i].step);
    fputs("SCALARS toi double 1\nLOOKUP_TABLE default\n", file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%.17g\n", cli_kind_is_continuous(kept[i].kind) ? kept[i].toi : 1.0);
    fputs("VECTORS normal double\n", file);
    for (size_t i = 0; i < count; i++) {
        const double* n = kept[i].normal;
        fprintf(file, "%.17g %.17g %.17g\n", n[0], n[1], n[2]);
    }
}

const cli_writer_format cli_write_vtk = {".vtk", true, write_title, keep, write_points};
