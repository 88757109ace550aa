/// @file write_vtk.c  Contacts as points with data, segments and polygons in legacy VTK, for
/// ParaView. The format begins with the number of points, so contacts are kept in memory until the
/// end.
#include "fracas/contact.h"
#include "options.h"
#include "writer.h"
#include <stdlib.h>
#include <string.h>

static void write_title(cli_writer* writer) {
    fputs("# vtk DataFile Version 3.0\nFracas contacts; kind: 0 tt, 1 et, 2 vf, 3 ee, 4 ve, 5 vv, "
          "6 vt, 7 inside\n"
          "ASCII\nDATASET POLYDATA\n",
          writer->file);
}

// The corners of segments and polygons follow the points of the contacts.
static void write_positions(FILE* file, const cli_contact* kept, size_t count, size_t corners) {
    fprintf(file, "POINTS %zu double\n", count + corners);
    for (size_t i = 0; i < count; i++) {
        const double* p = kept[i].point;
        fprintf(file, "%.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
    for (size_t i = 0; i < count; i++)
        for (uint32_t c = 0; kept[i].where.count > 1 && c < kept[i].where.count; c++) {
            const double* p = kept[i].where.points[c];
            fprintf(file, "%.17g %.17g %.17g\n", p[0], p[1], p[2]);
        }
}

// LINES or POLYGONS with at least and at most so many corners.
static void write_cells(FILE* file, const char* name, const cli_contact* kept, size_t count,
                        uint32_t least, uint32_t most) {
    size_t cells = 0, numbers = 0, next = count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t corners = kept[i].where.count;
        if (corners < least || corners > most) continue;
        cells++;
        numbers += corners + 1;
    }
    if (cells == 0) return;
    fprintf(file, "%s %zu %zu\n", name, cells, numbers);
    for (size_t i = 0; i < count; i++) {
        const uint32_t corners = kept[i].where.count;
        const bool wanted = corners >= least && corners <= most;
        if (wanted) fprintf(file, "%u", corners);
        for (uint32_t c = 0; corners > 1 && c < corners; c++, next++)
            if (wanted) fprintf(file, " %zu", next);
        if (wanted) fputc('\n', file);
    }
}

// The contact of each point: of its own, then those of its corners.
static size_t* make_owners(const cli_contact* kept, size_t count, size_t corners) {
    size_t* owners = cli_allocate(count + corners, sizeof *owners);
    size_t next = count;
    for (size_t i = 0; i < count; i++) {
        owners[i] = i;
        for (uint32_t c = 0; kept[i].where.count > 1 && c < kept[i].where.count; c++)
            owners[next++] = i;
    }
    return owners;
}

static void write_points(cli_writer* writer) {
    FILE* file = writer->file;
    const cli_contact* kept = writer->kept;
    size_t count = writer->kept_count, corners = 0;
    for (size_t i = 0; i < count; i++)
        if (kept[i].where.count > 1) corners += kept[i].where.count;
    write_positions(file, kept, count, corners);
    fprintf(file, "VERTICES %zu %zu\n", count, 2 * count);
    for (size_t i = 0; i < count; i++) fprintf(file, "1 %zu\n", i);
    write_cells(file, "LINES", kept, count, 2, 2);
    write_cells(file, "POLYGONS", kept, count, 3, 6);

    // The data of the points. A discrete contact is at the end of the step.
    size_t* owners = make_owners(kept, count, corners);
    const size_t all = count + corners;
    fprintf(file, "POINT_DATA %zu\nSCALARS kind int 1\nLOOKUP_TABLE default\n", all);
    for (size_t i = 0; i < all; i++) fprintf(file, "%d\n", kept[owners[i]].kind);
    fputs("SCALARS step int 1\nLOOKUP_TABLE default\n", file);
    for (size_t i = 0; i < all; i++) fprintf(file, "%u\n", kept[owners[i]].step);
    fputs("SCALARS meeting int 1\nLOOKUP_TABLE default\n", file);
    for (size_t i = 0; i < all; i++) fprintf(file, "%d\n", (int)kept[owners[i]].where.meeting);
    fputs("SCALARS place int 1\nLOOKUP_TABLE default\n", file);
    for (size_t i = 0; i < all; i++) fprintf(file, "%d\n", (int)kept[owners[i]].place);
    fputs("SCALARS toi double 1\nLOOKUP_TABLE default\n", file);
    for (size_t i = 0; i < all; i++) {
        const cli_contact* c = &kept[owners[i]];
        fprintf(file, "%.17g\n", cli_kind_is_continuous(c->kind) ? c->toi : 1.0);
    }
    fputs("VECTORS normal double\n", file);
    for (size_t i = 0; i < all; i++) {
        const double* n = kept[owners[i]].normal;
        fprintf(file, "%.17g %.17g %.17g\n", n[0], n[1], n[2]);
    }
    free(owners);
}

const cli_writer_format cli_write_vtk = {
    .extension = ".vtk", .begin = write_title, .write = cli_writer_keep, .end = write_points};
