/// @file io_write_vtk.h  A volume as legacy VTK and as VTK XML.
#pragma once
#include "io_deflate.h"

enum { IO_CELLS = IO_TRIANGLES + IO_TETS, IO_CORNERS = 3 * IO_TRIANGLES + 4 * IO_TETS };

typedef struct io_cells {
    uint32_t corners[IO_CORNERS], ends[IO_CELLS], types[IO_CELLS];
} io_cells;

// A triangle, the tetrahedra, the other triangle: mixed cells.
static inline io_cells io_cells_of(const io_volume* volume) {
    io_cells cells;
    unsigned corners = 0;
    for (unsigned i = 0; i < IO_CELLS; i++) {
        bool tet = i >= 1 && i <= IO_TETS;
        const uint32_t* from = tet      ? volume->tets[i - 1]
                               : i == 0 ? volume->triangles[0]
                                        : volume->triangles[1];
        for (int k = 0; k < (tet ? 4 : 3); k++) cells.corners[corners++] = from[k];
        cells.ends[i] = corners;
        cells.types[i] = tet ? 10 : 5;
    }
    assert_int_equal(corners, IO_CORNERS);
    return cells;
}

// ---- legacy

typedef struct io_vtk {
    bool binary, single, offsets;
    unsigned index_size;  // of offsets and connectivity: 4 or 8
} io_vtk;

static inline void io_vtk_int(io_bytes* out, const io_vtk* how, uint64_t value, unsigned size) {
    if (how->binary)
        io_put_int(out, value, size, true);
    else
        io_put(out, "%llu ", (unsigned long long)value);
}

static inline void io_vtk_cells(io_bytes* out, const io_vtk* how, const io_cells* cells) {
    const char* type = how->index_size == 8 ? "vtktypeint64" : "vtktypeint32";
    if (how->offsets) {
        io_put(out, "CELLS %d %d\nOFFSETS %s\n", IO_CELLS + 1, IO_CORNERS, type);
        io_vtk_int(out, how, 0, how->index_size);
        for (int i = 0; i < IO_CELLS; i++) io_vtk_int(out, how, cells->ends[i], how->index_size);
        io_put(out, "\nCONNECTIVITY %s\n", type);
        for (int i = 0; i < IO_CORNERS; i++)
            io_vtk_int(out, how, cells->corners[i], how->index_size);
    } else {
        io_put(out, "CELLS %d %d\n", IO_CELLS, IO_CELLS + IO_CORNERS);
        for (unsigned i = 0, corner = 0; i < IO_CELLS; i++) {
            io_vtk_int(out, how, cells->ends[i] - corner, 4);
            while (corner < cells->ends[i]) io_vtk_int(out, how, cells->corners[corner++], 4);
        }
    }
    io_put(out, "\nCELL_TYPES %d\n", IO_CELLS);
    for (int i = 0; i < IO_CELLS; i++) io_vtk_int(out, how, cells->types[i], 4);
    io_put(out, "\n");
}

static inline void io_write_vtk(io_bytes* out, const io_vtk* how, const io_volume* volume) {
    io_put(out, "# vtk DataFile Version %s\nPOINTS of a title\n%s\nDATASET UNSTRUCTURED_GRID\n",
           how->offsets ? "5.1" : "3.0", how->binary ? "BINARY" : "ASCII");
    io_put(out, "FIELD FieldData 1\nTIME 1 2 double\n");
    for (int i = 0; i < 2; i++) {
        if (how->binary)
            io_put_double(out, 0.5, true);
        else
            io_put(out, "0.5 ");
    }
    io_put(out, "\nPOINTS %d %s\n", IO_POINTS, how->single ? "float" : "double");
    for (int i = 0; i < 3 * IO_POINTS; i++) {
        double value = volume->points[i / 3][i % 3];
        if (!how->binary)
            io_put(out, "%.17g%s", value, i % 9 == 8 ? "\n" : " ");
        else if (how->single)
            io_put_float(out, (float)value, true);
        else
            io_put_double(out, value, true);
    }
    io_put(out, "\nMETADATA\nINFORMATION 1\nNAME CELLS\nDATA 1 2\n\n");
    io_cells cells = io_cells_of(volume);
    io_vtk_cells(out, how, &cells);
    io_put(out, "POINT_DATA 6\nSCALARS anything\n");
}

// ---- XML

typedef enum io_vtu_format { IO_ASCII, IO_BINARY, IO_RAW, IO_APPENDED64 } io_vtu_format;

typedef struct io_vtu {
    io_vtu_format format;
    bool big, wide_header, single,
        split_header;  // the base64 of the header is separate from that of the data
    unsigned index_size;
    unsigned block;  // the size of compressed blocks; 0: not compressed
    io_kind kind;    // of the first block; kinds alternate
    bool last_full;  // the size of a full last block is written as such, not as 0
} io_vtu;

static inline void io_put_base64(io_bytes* out, const unsigned char* bytes, size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++) bits = bits << 8 | (i + k < count ? bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            io_put(out, "%c", i + k > count ? '=' : digits[bits >> (18 - 6 * k) & 63]);
        if (i % 57 == 54) io_put(out, "\n  ");
    }
}

static inline void io_vtu_header(io_bytes* out, const io_vtu* how, size_t size) {
    io_put_int(out, size, how->wide_header ? 8 : 4, how->big);
}

// Header and compressed blocks. @return the size of the header
static inline size_t io_vtu_blocks(io_bytes* out, const io_vtu* how, const io_bytes* binary) {
    io_bytes data = {0};
    const size_t count = (binary->count + how->block - 1) / how->block;
    const size_t last = binary->count % how->block;
    io_vtu_header(out, how, count);
    io_vtu_header(out, how, how->block);
    io_vtu_header(out, how, last || !how->last_full ? last : how->block);
    for (size_t i = 0; i < count; i++) {
        const size_t size = i + 1 < count || last == 0 ? how->block : last;
        io_bytes stream =
            io_zlib((io_kind)((how->kind + i) % 3), binary->data + i * how->block, size);
        io_vtu_header(out, how, stream.count);
        io_put_bytes(&data, stream.data, stream.count);
        free(stream.data);
    }
    const size_t head = out->count;
    io_put_bytes(out, data.data, data.count);
    free(data.data);
    return head;
}

// One array, in place or into `appended`.
static inline void io_vtu_array(io_bytes* out, io_bytes* appended, const io_vtu* how,
                                const char* name, const char* type, const io_bytes* binary,
                                const io_bytes* text) {
    static const char* const formats[] = {"ascii", "binary", "appended", "appended"};
    io_put(out, "<DataArray type=\"%s\" Name='%s' NumberOfComponents=\"%d\" format=\"%s\"", type,
           name, strcmp(name, "Points") == 0 ? 3 : 1, formats[how->format]);
    io_bytes whole = {0};
    size_t head = how->wide_header ? 8 : 4;
    if (how->block) {
        head = io_vtu_blocks(&whole, how, binary);
    } else {
        io_vtu_header(&whole, how, binary->count);
        io_put_bytes(&whole, binary->data, binary->count);
    }
    io_bytes* to = how->format >= IO_RAW ? appended : out;
    if (how->format >= IO_RAW)
        io_put(out, " offset=\"%-9zu\"/>\n", appended->count);
    else
        io_put(out, ">\n");
    if (how->format == IO_ASCII) {
        io_put_bytes(out, text->data, text->count);
    } else if (how->format == IO_RAW) {
        io_put_bytes(to, whole.data, whole.count);
    } else if (how->split_header) {
        io_put_base64(to, whole.data, head);
        io_put_base64(to, whole.data + head, whole.count - head);
    } else {
        io_put_base64(to, whole.data, whole.count);
    }
    if (how->format < IO_RAW) io_put(out, "\n</DataArray>\n");
    free(whole.data);
}

static inline void io_vtu_indices(io_bytes* out, io_bytes* appended, const io_vtu* how,
                                  const char* name, const uint32_t* list, unsigned count,
                                  unsigned size) {
    io_bytes binary = {0}, text = {0};
    for (unsigned i = 0; i < count; i++) {
        io_put_int(&binary, list[i], size, how->big);
        io_put(&text, "%u ", list[i]);
    }
    const char* type = size == 8 ? "Int64" : size == 4 ? "Int32" : "UInt8";
    io_vtu_array(out, appended, how, name, type, &binary, &text);
    free(binary.data);
    free(text.data);
}

static inline void io_vtu_points(io_bytes* out, io_bytes* appended, const io_vtu* how,
                                 const io_volume* volume) {
    io_bytes binary = {0}, text = {0};
    for (int i = 0; i < 3 * IO_POINTS; i++) {
        double value = volume->points[i / 3][i % 3];
        io_put(&text, "%.17g ", value);
        if (how->single)
            io_put_float(&binary, (float)value, how->big);
        else
            io_put_double(&binary, value, how->big);
    }
    io_vtu_array(out, appended, how, "Points", how->single ? "Float32" : "Float64", &binary, &text);
    free(binary.data);
    free(text.data);
}

static inline void io_write_vtu(io_bytes* out, const io_vtu* how, const io_volume* volume) {
    io_cells cells = io_cells_of(volume);
    io_bytes appended = {0};
    io_put(out, "<?xml version=\"1.0\"?>\n<!-- a <Piece> is not > here -->\n");
    io_put(out,
           "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" "
           "header_type=\"%s\"%s>\n<UnstructuredGrid>\n",
           how->big ? "BigEndian" : "LittleEndian", how->wide_header ? "UInt64" : "UInt32",
           how->block ? " compressor=\"vtkZLibDataCompressor\"" : "");
    io_put(out,
           "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<PointData Scalars=\"a>b\">"
           "<DataArray type=\"Int8\" format=\"ascii\">1 2 3</DataArray></PointData>\n",
           IO_POINTS, IO_CELLS);
    io_put(out, "<Points>\n");
    io_vtu_points(out, &appended, how, volume);
    io_put(out, "</Points>\n<Cells>\n");
    io_vtu_indices(out, &appended, how, "connectivity", cells.corners, IO_CORNERS, how->index_size);
    io_vtu_indices(out, &appended, how, "offsets", cells.ends, IO_CELLS, how->index_size);
    io_vtu_indices(out, &appended, how, "types", cells.types, IO_CELLS, 1);
    io_put(out, "</Cells>\n</Piece>\n</UnstructuredGrid>\n");
    if (how->format >= IO_RAW) {
        io_put(out, "<AppendedData encoding=\"%s\">\n _", how->format == IO_RAW ? "raw" : "base64");
        io_put_bytes(out, appended.data, appended.count);
        io_put(out, "\n</AppendedData>\n");
    }
    io_put(out, "</VTKFile>\n");
    free(appended.data);
}
