/// @file write_csv.c  Contacts as CSV: every row has all columns, empty where they do not apply.
#include "fracas/contact.h"
#include "writer.h"

static void write_header(cli_writer* writer) {
    fputs("step,kind,body_a,body_b,vertex,vertex_b,face,tri,edge_a_0,edge_a_1,edge_b_0,edge_b_1,"
          "a,b,a_tri,b_tri,toi,u,v,normal_x,normal_y,normal_z,tet,a_tet,b_tet,barycentric_0,"
          "barycentric_1,barycentric_2,barycentric_3,depth,direction_x,direction_y,direction_z,"
          "meeting,place,"
          "x0,y0,z0,x1,y1,z1,parts\n",
          writer->file);
}

static void write_index(FILE* file, uint32_t index) {
    if (index == FRACAS_NONE)
        fputc(',', file);
    else
        fprintf(file, ",%u", index);
}

// The columns of vertices, edges and faces.
static void write_features(FILE* file, const cli_contact* c) {
    const uint32_t none = FRACAS_NONE;
    bool tt = c->kind == FRACAS_CONTACT_TT,
         faced = c->kind == FRACAS_CONTACT_VF || c->kind == FRACAS_CONTACT_ET;
    bool vertex = c->kind == FRACAS_CONTACT_VF || c->kind == FRACAS_CONTACT_VE ||
                  c->kind == FRACAS_CONTACT_VV || c->kind >= CLI_VT;
    bool edge_a = c->kind == FRACAS_CONTACT_EE || c->kind == FRACAS_CONTACT_ET;
    bool edge_b = c->kind == FRACAS_CONTACT_EE || c->kind == FRACAS_CONTACT_VE;
    const uint32_t columns[] = {vertex ? c->a[0] : none,
                                c->kind == FRACAS_CONTACT_VV ? c->b[0] : none,
                                faced ? c->b[0] : none,
                                faced && c->polygons ? c->b_tri : none,
                                edge_a ? c->a[0] : none,
                                edge_a ? c->a[1] : none,
                                edge_b ? c->b[0] : none,
                                edge_b ? c->b[1] : none,
                                tt ? c->a[0] : none,
                                tt ? c->b[0] : none,
                                tt && c->polygons ? c->a_tri : none,
                                tt && c->polygons ? c->b_tri : none};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) write_index(file, columns[i]);
}

// Of a polygon the first two corners.
static void write_where(FILE* file, const cli_contact* c) {
    const bool any = c->place != FRACAS_NONE;
    fprintf(file, ",%s", any ? cli_meeting_name(c) : "");
    write_index(file, c->place);
    for (uint32_t i = 0; i < 2; i++) {
        const double* p = c->where.points[i];
        if (any && i < c->where.count)
            fprintf(file, ",%.17g,%.17g,%.17g", p[0], p[1], p[2]);
        else
            fputs(",,,", file);
    }
    if (c->kind == CLI_INSIDE)
        fprintf(file, ",%u\n", c->parts);
    else
        fputs(",\n", file);
}

static void write_rows(cli_writer* writer, const cli_contact* contacts, size_t count) {
    FILE* file = writer->file;
    for (size_t i = 0; i < count; i++) {
        const cli_contact* c = &contacts[i];
        fprintf(file, "%u,%s,%u,%u", c->step, cli_kind_name(c->kind), c->body_a, c->body_b);
        write_features(file, c);
        if (cli_kind_is_continuous(c->kind))
            fprintf(file, ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", c->toi, c->u, c->v, c->normal[0],
                    c->normal[1], c->normal[2]);
        else
            fputs(",,,,,,", file);
        // The columns of volumes and of their surfaces.
        const bool tt = c->kind == FRACAS_CONTACT_TT, vt = c->kind == CLI_VT;
        write_index(file, tt ? FRACAS_NONE : c->b_tet);
        write_index(file, tt ? c->a_tet : FRACAS_NONE);
        write_index(file, tt ? c->b_tet : FRACAS_NONE);
        if (vt)
            fprintf(file, ",%.17g,%.17g,%.17g,%.17g", c->barycentric[0], c->barycentric[1],
                    c->barycentric[2], c->barycentric[3]);
        else
            fputs(",,,,", file);
        if (vt && c->deep)
            fprintf(file, ",%.17g,%.17g,%.17g,%.17g", c->depth, c->normal[0], c->normal[1],
                    c->normal[2]);
        else
            fputs(",,,,", file);
        write_where(file, c);
    }
}

static void nothing(cli_writer* writer) { (void)writer; }

const cli_writer_format cli_write_csv = {
    .extension = ".csv", .begin = write_header, .write = write_rows, .end = nothing};
