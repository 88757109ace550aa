/// @file vtk_xml.c  VTK XML: the pieces of .vtp and .vtu files. Arrays are base64 of a length in
/// bytes and the numbers, both in the byte order of the machine, which the header names.
#include "vtk_xml.h"
#include "fracas/contact.h"
#include "options.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- arrays

typedef struct base64 {
    FILE* file;
    unsigned char rest[3];
    int count;
} base64;

static void put_group(base64* b) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t bits = (uint32_t)b->rest[0] << 16 | (uint32_t)b->rest[1] << 8 | b->rest[2];
    for (int i = 0; i < 4; i++)
        fputc(i <= b->count ? digits[bits >> (18 - 6 * i) & 63] : '=', b->file);
    memset(b->rest, 0, sizeof b->rest);
    b->count = 0;
}

static void put_bytes(base64* b, const void* data, size_t size) {
    const unsigned char* from = data;
    for (size_t i = 0; i < size; i++) {
        b->rest[b->count++] = from[i];
        if (b->count == 3) put_group(b);
    }
}

static void write_array(FILE* file, const char* type, const char* name, int components,
                        const void* data, size_t size) {
    fprintf(file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">",
            type, name, components);
    base64 b = {.file = file};
    const uint64_t length = size;
    put_bytes(&b, &length, sizeof length);
    put_bytes(&b, data, size);
    if (b.count > 0) put_group(&b);
    fputs("</DataArray>\n", file);
}

static void write_int32(FILE* file, const char* name, const int32_t* data, size_t count) {
    write_array(file, "Int32", name, 1, data, count * sizeof *data);
}

static void write_double(FILE* file, const char* name, int components, const double* data,
                         size_t count) {
    write_array(file, "Float64", name, components, data, count * (size_t)components * sizeof *data);
}

// Cells of so many corners each, whose points have these numbers, one after the other.
static void write_cells(FILE* file, const char* name, const int64_t* corners, const int64_t* ends,
                        size_t count) {
    fprintf(file, "<%s>\n", name);
    write_array(file, "Int64", "connectivity", 1, corners,
                (count ? (size_t)ends[count - 1] : 0) * sizeof *corners);
    write_array(file, "Int64", "offsets", 1, ends, count * sizeof *ends);
}

static void begin_file(FILE* file, const char* type) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\">\n<%s>\n",
            type, first ? "LittleEndian" : "BigEndian", type);
}

static void end_file(FILE* file, const char* type) {
    fprintf(file, "</Piece>\n</%s>\n</VTKFile>\n", type);
}

// ---- contacts

// The contacts in the order of the cells: all, those with a segment, those with a polygon.
typedef struct cells {
    const cli_contact* contacts;
    size_t count, lines, polygons, corners;
    const cli_contact** owner;  // by cell
} cells;

static cells make_cells(const cli_contact* contacts, size_t count) {
    cells c = {.contacts = contacts, .count = count};
    for (size_t i = 0; i < count; i++) {
        const uint32_t corners = contacts[i].where.count;
        if (corners < 2) continue;
        corners == 2 ? c.lines++ : c.polygons++;
        c.corners += corners;
    }
    c.owner = cli_allocate(count + c.lines + c.polygons, sizeof *c.owner);
    size_t line = count, polygon = count + c.lines;
    for (size_t i = 0; i < count; i++) {
        c.owner[i] = &contacts[i];
        if (contacts[i].where.count == 2) c.owner[line++] = &contacts[i];
        if (contacts[i].where.count > 2) c.owner[polygon++] = &contacts[i];
    }
    return c;
}

// How bad a contact is, the larger the worse: depth of a vertex in a volume, extent of an
// intersection, or how early in the step it begins.
static double severity(const cli_contact* c) {
    if (c->kind == CLI_VT) return c->depth;
    if (cli_kind_is_continuous(c->kind)) return 1 - c->toi;
    double largest = 0;
    for (uint32_t i = 0; i < c->where.count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const double *p = c->where.points[i], *q = c->where.points[k];
            const double d = sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                                  (p[2] - q[2]) * (p[2] - q[2]));
            if (d > largest) largest = d;
        }
    return largest;
}

enum { COLUMNS = 11 };

static const char* const column_names[COLUMNS] = {"step", "kind", "body_a",  "body_b", "a0",   "a1",
                                                  "b0",   "b1",   "meeting", "place",  "parts"};

static void get_columns(const cli_contact* c, int32_t out[COLUMNS]) {
    const uint32_t all[COLUMNS] = {
        c->step, (uint32_t)c->kind,          c->body_a, c->body_b, c->a[0], c->a[1], c->b[0],
        c->b[1], (uint32_t)c->where.meeting, c->place,  c->parts};
    // None is -1.
    for (int i = 0; i < COLUMNS; i++) out[i] = (int32_t)all[i];
}

static void write_contact_data(FILE* file, const cells* c) {
    const size_t all = c->count + c->lines + c->polygons;
    int32_t* numbers = cli_allocate(all, sizeof *numbers);
    double* reals = cli_allocate(3 * all, sizeof *reals);
    fputs("<CellData>\n", file);
    for (int column = 0; column < COLUMNS; column++) {
        for (size_t i = 0; i < all; i++) {
            int32_t row[COLUMNS];
            get_columns(c->owner[i], row);
            numbers[i] = row[column];
        }
        write_int32(file, column_names[column], numbers, all);
    }
    for (size_t i = 0; i < all; i++)
        reals[i] = cli_kind_is_continuous(c->owner[i]->kind) ? c->owner[i]->toi : 1;
    write_double(file, "toi", 1, reals, all);
    for (size_t i = 0; i < all; i++) reals[i] = severity(c->owner[i]);
    write_double(file, "severity", 1, reals, all);
    for (size_t i = 0; i < 3 * all; i++) reals[i] = c->owner[i / 3]->normal[i % 3];
    write_double(file, "normal", 3, reals, all);
    fputs("</CellData>\n", file);
    free(numbers);
    free(reals);
}

static void write_contact_points(FILE* file, const cells* c) {
    double(*points)[3] = cli_allocate(c->count + c->corners, sizeof *points);
    size_t next = c->count;
    for (size_t i = 0; i < c->count; i++) memcpy(points[i], c->contacts[i].point, sizeof points[i]);
    for (size_t i = c->count; i < c->count + c->lines + c->polygons; i++)
        for (uint32_t k = 0; k < c->owner[i]->where.count; k++)
            memcpy(points[next++], c->owner[i]->where.points[k], sizeof points[0]);
    fputs("<Points>\n", file);
    write_double(file, "points", 3, points[0], c->count + c->corners);
    fputs("</Points>\n", file);
    free(points);
}

void cli_vtk_write_contacts(FILE* file, const cli_contact* contacts, size_t count) {
    const cells c = make_cells(contacts, count);
    const size_t all = count + c.lines + c.polygons;
    begin_file(file, "PolyData");
    fprintf(file,
            "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
            count + c.corners, count, c.lines, c.polygons);
    write_contact_data(file, &c);
    write_contact_points(file, &c);
    int64_t* corners = cli_allocate(count + c.corners, sizeof *corners);
    int64_t* ends = cli_allocate(all, sizeof *ends);
    for (size_t i = 0; i < count + c.corners; i++) corners[i] = (int64_t)i;
    for (size_t i = 0; i < count; i++) ends[i] = (int64_t)i + 1;
    write_cells(file, "Verts", corners, ends, count);
    fputs("</Verts>\n", file);
    size_t from = count;  // the first corner of the cells
    const size_t begins[2] = {count, count + c.lines}, counts[2] = {c.lines, c.polygons};
    for (int k = 0; k < 2; k++) {
        int64_t end = 0;
        for (size_t i = 0; i < counts[k]; i++) ends[i] = end += c.owner[begins[k] + i]->where.count;
        write_cells(file, k ? "Polys" : "Lines", corners + from, ends, counts[k]);
        fputs(k ? "</Polys>\n" : "</Lines>\n", file);
        from += (size_t)end;
    }
    end_file(file, "PolyData");
    free(corners);
    free(ends);
    free(c.owner);
}

// ---- meshes

static void write_mesh_points(FILE* file, const cli_frame_mesh* mesh, const cli_touches* touches) {
    fputs("<PointData>\n", file);
    write_int32(file, "contacts", (const int32_t*)touches->vertices, mesh->vertex_count);
    fputs("</PointData>\n<Points>\n", file);
    write_double(file, "points", 3, mesh->vertex_count ? mesh->t1[0] : NULL, mesh->vertex_count);
    fputs("</Points>\n", file);
}

// Elements of three or four corners, by body.
typedef struct elements {
    const uint32_t *corners, *begins, *faces, *touches;
    uint32_t size, count;
    // What is written.
    int64_t *kept, *ends;
    int32_t *body, *number, *contacts;
    size_t kept_count;
} elements;

static void keep_elements(elements* e, const cli_frame_mesh* mesh) {
    e->kept = cli_allocate((size_t)e->size * e->count, sizeof *e->kept);
    e->ends = cli_allocate(e->count, sizeof *e->ends);
    e->body = cli_allocate(e->count, sizeof *e->body);
    e->number = cli_allocate(e->count, sizeof *e->number);
    e->contacts = cli_allocate(e->count, sizeof *e->contacts);
    for (uint32_t b = 0; b < mesh->body_count; b++)
        for (uint32_t i = e->begins[b]; i < e->begins[b + 1]; i++) {
            const uint32_t* from = e->corners + (size_t)e->size * i;
            if (e->size == 3 && !cli_frame_mesh_has(mesh, i)) continue;
            for (uint32_t k = 0; k < e->size; k++) e->kept[e->size * e->kept_count + k] = from[k];
            e->body[e->kept_count] = (int32_t)b;
            e->number[e->kept_count] = (int32_t)(e->faces ? e->faces[i] : i - e->begins[b]);
            e->contacts[e->kept_count] = (int32_t)e->touches[i];
            e->ends[e->kept_count] = (int64_t)e->size * (int64_t)(e->kept_count + 1);
            e->kept_count++;
        }
}

static void write_element_data(FILE* file, const elements* e, const char* number) {
    fputs("<CellData>\n", file);
    write_int32(file, "body", e->body, e->kept_count);
    write_int32(file, number, e->number, e->kept_count);
    write_int32(file, "contacts", e->contacts, e->kept_count);
    fputs("</CellData>\n", file);
}

static void free_elements(elements* e) {
    free(e->kept);
    free(e->ends);
    free(e->body);
    free(e->number);
    free(e->contacts);
}

void cli_vtk_write_surfaces(FILE* file, const cli_frame_mesh* mesh, const cli_contact* contacts,
                            size_t count) {
    cli_touches touches = cli_touches_of(mesh, contacts, count);
    elements e = {.corners = (const uint32_t*)mesh->corners,
                  .begins = mesh->triangle_begins,
                  .faces = mesh->faces,
                  .touches = touches.triangles,
                  .size = 3,
                  .count = mesh->triangle_count};
    keep_elements(&e, mesh);
    begin_file(file, "PolyData");
    fprintf(file,
            "<Piece NumberOfPoints=\"%u\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
            mesh->vertex_count, e.kept_count);
    write_element_data(file, &e, "face");
    write_mesh_points(file, mesh, &touches);
    write_cells(file, "Polys", e.kept, e.ends, e.kept_count);
    fputs("</Polys>\n", file);
    end_file(file, "PolyData");
    free_elements(&e);
    cli_touches_free(&touches);
}

void cli_vtk_write_volumes(FILE* file, const cli_frame_mesh* mesh, const cli_contact* contacts,
                           size_t count) {
    enum { VTK_TETRA = 10 };
    cli_touches touches = cli_touches_of(mesh, contacts, count);
    elements e = {.corners = (const uint32_t*)mesh->tets,
                  .begins = mesh->tet_begins,
                  .touches = touches.tets,
                  .size = 4,
                  .count = mesh->tet_count};
    keep_elements(&e, mesh);
    unsigned char* types = cli_allocate(e.kept_count, 1);
    memset(types, VTK_TETRA, e.kept_count);
    begin_file(file, "UnstructuredGrid");
    fprintf(file, "<Piece NumberOfPoints=\"%u\" NumberOfCells=\"%zu\">\n", mesh->vertex_count,
            e.kept_count);
    write_element_data(file, &e, "tet");
    write_mesh_points(file, mesh, &touches);
    write_cells(file, "Cells", e.kept, e.ends, e.kept_count);
    write_array(file, "UInt8", "types", 1, types, e.kept_count);
    fputs("</Cells>\n", file);
    end_file(file, "UnstructuredGrid");
    free(types);
    free_elements(&e);
    cli_touches_free(&touches);
}
