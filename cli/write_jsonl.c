/// @file write_jsonl.c  Contacts as JSON lines, one object per line.
#include "fracas/contact.h"
#include "writer.h"

static void nothing(cli_writer* writer) { (void)writer; }

static void write_tet(FILE* file, const char* name, uint32_t tet) {
    if (tet != FRACAS_NONE) fprintf(file, ",\"%s\":%u", name, tet);
}

static void write_features(FILE* file, const cli_contact* c) {
    switch (c->kind) {
    case FRACAS_CONTACT_TT:
        fprintf(file, ",\"a\":%u,\"b\":%u", c->a[0], c->b[0]);
        if (c->polygons) fprintf(file, ",\"a_tri\":%u,\"b_tri\":%u", c->a_tri, c->b_tri);
        write_tet(file, "a_tet", c->a_tet);
        write_tet(file, "b_tet", c->b_tet);
        break;
    case FRACAS_CONTACT_ET:
        fprintf(file, ",\"edge_a\":[%u,%u],\"face\":%u", c->a[0], c->a[1], c->b[0]);
        if (c->polygons) fprintf(file, ",\"tri\":%u", c->b_tri);
        write_tet(file, "tet", c->b_tet);
        break;
    case FRACAS_CONTACT_VF:
        fprintf(file, ",\"vertex\":%u,\"face\":%u", c->a[0], c->b[0]);
        if (c->polygons) fprintf(file, ",\"tri\":%u", c->b_tri);
        write_tet(file, "tet", c->b_tet);
        break;
    case FRACAS_CONTACT_EE:
        fprintf(file, ",\"edge_a\":[%u,%u],\"edge_b\":[%u,%u]", c->a[0], c->a[1], c->b[0], c->b[1]);
        break;
    case FRACAS_CONTACT_VE:
        fprintf(file, ",\"vertex\":%u,\"edge_b\":[%u,%u]", c->a[0], c->b[0], c->b[1]);
        break;
    case FRACAS_CONTACT_VV:
        fprintf(file, ",\"vertex\":%u,\"vertex_b\":%u", c->a[0], c->b[0]);
        break;
    case CLI_VT:
        fprintf(file, ",\"vertex\":%u,\"tet\":%u,\"barycentric\":[%.17g,%.17g,%.17g,%.17g]",
                c->a[0], c->b_tet, c->barycentric[0], c->barycentric[1], c->barycentric[2],
                c->barycentric[3]);
        if (c->deep)
            fprintf(file, ",\"depth\":%.17g,\"direction\":[%.17g,%.17g,%.17g]", c->depth,
                    c->normal[0], c->normal[1], c->normal[2]);
        break;
    case CLI_INSIDE:
        fprintf(file, ",\"vertex\":%u,\"parts\":%u", c->a[0], c->parts);
        break;
    }
}

static void write_where(FILE* file, const cli_contact* c) {
    fprintf(file, ",\"meeting\":\"%s\",\"place\":%u,\"points\":[", cli_meeting_name(c), c->place);
    for (uint32_t i = 0; i < c->where.count; i++)
        fprintf(file, "%s[%.17g,%.17g,%.17g]", i > 0 ? "," : "", c->where.points[i][0],
                c->where.points[i][1], c->where.points[i][2]);
    fputs("]", file);
}

static void write_lines(cli_writer* writer, const cli_contact* contacts, size_t count) {
    FILE* file = writer->file;
    for (size_t i = 0; i < count; i++) {
        const cli_contact* c = &contacts[i];
        fprintf(file, "{\"step\":%u,\"kind\":\"%s\",\"body_a\":%u,\"body_b\":%u", c->step,
                cli_kind_name(c->kind), c->body_a, c->body_b);
        write_features(file, c);
        if (c->place != FRACAS_NONE) write_where(file, c);
        if (cli_kind_is_continuous(c->kind))
            fprintf(file, ",\"toi\":%.17g,\"u\":%.17g,\"v\":%.17g,\"normal\":[%.17g,%.17g,%.17g]",
                    c->toi, c->u, c->v, c->normal[0], c->normal[1], c->normal[2]);
        fputs("}\n", file);
    }
}

const cli_writer_format cli_write_jsonl = {
    .extension = ".jsonl", .begin = nothing, .write = write_lines, .end = nothing};
