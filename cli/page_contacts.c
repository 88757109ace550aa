/// @file page_contacts.c  The contacts of a report.
#include "page_contacts.h"
#include "options.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- triangles with contacts

// What is marked while the triangles of a step are found. Edges are in a hash table.
typedef struct marks {
    const cli_frame_mesh* frame;
    uint8_t *triangles, *vertices;  // bits
    uint64_t* edges;                // smaller vertex << 32 | larger, plus 1; 0: free
    size_t edge_slots;
} marks;

static void set_bit(uint8_t* bits, size_t i) { bits[i / 8] |= (uint8_t)(1u << i % 8); }
static bool get_bit(const uint8_t* bits, size_t i) { return bits[i / 8] >> i % 8 & 1; }

static void mark_triangle(marks* m, uint32_t body, uint32_t triangle) {
    if (triangle == FRACAS_NONE || body >= m->frame->body_count) return;
    const uint32_t* begins = m->frame->triangle_begins + body;
    if (triangle < begins[1] - begins[0]) set_bit(m->triangles, begins[0] + triangle);
}

static void mark_vertex(marks* m, uint32_t body, uint32_t vertex) {
    if (body >= m->frame->body_count) return;
    const uint32_t* begins = m->frame->vertex_begins + body;
    if (vertex < begins[1] - begins[0]) set_bit(m->vertices, begins[0] + vertex);
}

static uint64_t* find_edge(const marks* m, uint32_t x, uint32_t y) {
    const uint64_t key = ((uint64_t)(x < y ? x : y) << 32 | (x < y ? y : x)) + 1;
    size_t slot = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (m->edge_slots - 1);
    while (m->edges[slot] && m->edges[slot] != key) slot = (slot + 1) & (m->edge_slots - 1);
    return &m->edges[slot];
}

static void mark_edge(marks* m, uint32_t body, const uint32_t ends[2]) {
    if (body >= m->frame->body_count) return;
    const uint32_t* begins = m->frame->vertex_begins + body;
    const uint32_t count = begins[1] - begins[0];
    if (ends[0] >= count || ends[1] >= count) return;
    const uint32_t x = begins[0] + ends[0], y = begins[0] + ends[1];
    *find_edge(m, x, y) = ((uint64_t)(x < y ? x : y) << 32 | (x < y ? y : x)) + 1;
}

static void mark_contact(marks* m, const cli_contact* c) {
    switch (c->kind) {
    case FRACAS_CONTACT_TT:
        mark_triangle(m, c->body_a, c->a_tri);
        mark_triangle(m, c->body_b, c->b_tri);
        break;
    case FRACAS_CONTACT_ET:
        mark_triangle(m, c->body_b, c->b_tri);
        break;
    case FRACAS_CONTACT_VF:
        mark_vertex(m, c->body_a, c->a[0]);
        mark_triangle(m, c->body_b, c->b_tri);
        break;
    case FRACAS_CONTACT_EE:
        mark_edge(m, c->body_a, c->a);
        mark_edge(m, c->body_b, c->b);
        break;
    case CLI_VT:
    case CLI_INSIDE:
        mark_vertex(m, c->body_a, c->a[0]);
        break;
    default:
        break;
    }
}

// A triangle is marked if it, one of its edges or one of its corners has a contact.
static uint64_t spread_marks(marks* m) {
    uint64_t sum = 0;
    for (uint32_t t = 0; t < m->frame->triangle_count; t++) {
        const uint32_t* c = m->frame->corners[t];
        bool marked = get_bit(m->triangles, t);
        for (int i = 0; i < 3 && !marked; i++) {
            const uint32_t next = c[(i + 1) % 3];
            marked = get_bit(m->vertices, c[i]) || (m->edge_slots > 1 && *find_edge(m, c[i], next));
        }
        if (!marked) continue;
        set_bit(m->triangles, t);
        sum++;
    }
    return sum;
}

static void mark_all(cli_page_contacts* out, const cli_frame_mesh* frame,
                     const cli_contact* contacts, size_t count) {
    cli_bytes bits = {0};
    const size_t size = ((size_t)frame->triangle_count + 7) / 8;
    marks m = {.frame = frame, .edge_slots = 1};
    m.triangles = cli_bytes_extend(&bits, size);
    if (size) memset(m.triangles, 0, size);
    m.vertices = cli_allocate((size_t)frame->vertex_count / 8 + 1, 1);
    size_t edges = 0;
    for (size_t i = 0; i < count; i++) edges += contacts[i].kind == FRACAS_CONTACT_EE ? 2 : 0;
    while (edges && m.edge_slots < 2 * edges) m.edge_slots *= 2;
    m.edges = cli_allocate(m.edge_slots, sizeof *m.edges);
    for (size_t i = 0; i < count; i++) mark_contact(&m, &contacts[i]);
    out->marked = spread_marks(&m);
    out->marks = cli_bytes_pack(&bits);
    cli_bytes_free(&bits);
    free(m.vertices);
    free(m.edges);
}

// ---- the contacts themselves

// Indices of the contacts that are written.
static size_t* select_contacts(const cli_contact* contacts, size_t count, size_t most,
                               size_t* out) {
    size_t* chosen = cli_allocate(count, sizeof *chosen);
    size_t kept = 0;
    const size_t every = most > 0 ? (count + most - 1) / most : count;
    for (size_t i = 0; i < count; i++) {
        const cli_contact* c = &contacts[i];
        const bool begins = i == 0 || c->kind != c[-1].kind || c->body_a != c[-1].body_a ||
                            c->body_b != c[-1].body_b;
        if ((begins && kept < most) || i % every == 0) chosen[kept++] = i;
    }
    *out = kept;
    return chosen;
}

static void add_numbers(cli_bytes* bytes, const cli_contact* c, int column) {
    const uint32_t numbers[] = {c->body_a, c->body_b, c->a[0],  c->a[1],  c->b[0], c->b[1],
                                c->a_tri,  c->b_tri,  c->a_tet, c->b_tet, c->place};
    cli_bytes_add_u32(bytes, numbers[column]);
}

static void add_points(cli_bytes* bytes, const cli_page_meshes* meshes, const cli_contact* c) {
    for (uint32_t k = 0; k < c->where.count; k++) {
        double point[3];
        cli_page_meshes_point(meshes, c->where.points[k], point);
        for (int i = 0; i < 3; i++) cli_bytes_add_float(bytes, point[i]);
    }
}

// Columns, one after the other: three of bytes (kind, meeting, number of points), eleven of 32-bit
// numbers, eight of floats, and the points.
static cli_bytes pack_columns(const cli_page_meshes* meshes, const cli_contact* contacts,
                              const size_t* chosen, size_t count) {
    enum { NUMBERS = 11 };
    cli_bytes bytes = {0};
    uint8_t* heads = cli_bytes_extend(&bytes, 3 * count);
    for (size_t i = 0; i < count; i++) {
        const cli_contact* c = &contacts[chosen[i]];
        heads[i] = (uint8_t)c->kind;
        heads[count + i] = (uint8_t)c->where.meeting;
        heads[2 * count + i] = (uint8_t)c->where.count;
    }
    for (int column = 0; column < NUMBERS; column++)
        for (size_t i = 0; i < count; i++) add_numbers(&bytes, &contacts[chosen[i]], column);
    for (size_t i = 0; i < count; i++) {
        const cli_contact* c = &contacts[chosen[i]];
        cli_bytes_add_float(&bytes, cli_kind_is_continuous(c->kind) ? c->toi : 1);
    }
    for (size_t i = 0; i < count; i++) {
        const cli_contact* c = &contacts[chosen[i]];
        cli_bytes_add_float(&bytes, c->deep ? c->depth / meshes->scale : 0);
    }
    for (int axis = 0; axis < 3; axis++)
        for (size_t i = 0; i < count; i++) {
            double point[3];
            cli_page_meshes_point(meshes, contacts[chosen[i]].point, point);
            cli_bytes_add_float(&bytes, point[axis]);
        }
    for (int axis = 0; axis < 3; axis++)
        for (size_t i = 0; i < count; i++)
            cli_bytes_add_float(&bytes, contacts[chosen[i]].normal[axis]);
    for (size_t i = 0; i < count; i++) add_points(&bytes, meshes, &contacts[chosen[i]]);
    cli_bytes packed = cli_bytes_pack(&bytes);
    cli_bytes_free(&bytes);
    return packed;
}

cli_page_contacts cli_page_contacts_make(const cli_page_meshes* meshes, const cli_frame_mesh* frame,
                                         uint32_t topology, const cli_contact* contacts,
                                         size_t count, size_t most) {
    cli_page_contacts out = {.found = count, .topology = frame ? topology : FRACAS_NONE};
    if (frame) mark_all(&out, frame, contacts, count);
    size_t kept;
    size_t* chosen = select_contacts(contacts, count, most, &kept);
    out.written = kept;
    out.features = pack_columns(meshes, contacts, chosen, kept);
    free(chosen);
    return out;
}

void cli_page_contacts_free(cli_page_contacts* contacts) {
    cli_bytes_free(&contacts->marks);
    cli_bytes_free(&contacts->features);
}
