/// @file contacts.h  Contacts in the numbers of the user: bodies by their position in the frame,
/// features by their index in the file.
#pragma once
#include "fracas/intersections.h"
#include "fracas/scene.h"

/// Maps from the numbers of a body in the scene to those of its file.
typedef struct cli_body {
    fracas_body handle;
    const uint32_t* vertices;      ///< scene's vertex -> file's; NULL: the same
    const uint32_t* triangles;     ///< scene's triangle -> file's; NULL: the same
    const uint32_t* faces;         ///< file's triangle -> file's face; NULL: the same
    const uint32_t* face_offsets;  ///< face f has face_offsets[f + 1] - face_offsets[f] corners
    const uint32_t* face_tets;     ///< of the surface of a volume: face -> tetrahedron; else NULL
} cli_body;

/// Kinds of contacts: fracas_contact_kind, a vertex in a tetrahedron, and a body inside another.
enum { CLI_VT = FRACAS_CONTACT_VV + 1, CLI_INSIDE, CLI_KINDS };

typedef struct cli_contact {
    uint32_t step;
    int kind;
    uint32_t body_a, body_b;
    uint32_t a[2], b[2];    ///< as in fracas_contact, with faces of the file instead of triangles
    uint32_t a_tri, b_tri;  ///< the triangle of the triangulated file if a[0], b[0] is a face
    uint32_t a_tet, b_tet;  ///< the tetrahedron that the face bounds; FRACAS_NONE: none
    bool polygons;          ///< a face is not a triangle, so a_tri and b_tri are written
    double toi, u, v, normal[3];
    double point[3];            ///< position at the time of impact or at the end of the step
    fracas_intersection where;  ///< of tt and et
    uint32_t place;             ///< its number in the step; FRACAS_NONE: not tt or et
    // CLI_VT: vertex a[0] is in tetrahedron b_tet. If `deep`, `normal` is the direction out of the
    // volume and `depth` the distance.
    bool deep;
    // CLI_INSIDE: so many parts of a are inside b; vertex a[0] belongs to one of them.
    uint32_t parts;
    double barycentric[4], depth;
} cli_contact;

extern const int cli_kinds[CLI_KINDS];  ///< all kinds, in the order of tables
const char* cli_kind_name(int kind);
const char* cli_meeting_name(const cli_contact* contact);  ///< of tt and et
bool cli_kind_is_continuous(int kind);
/// A contact of kind CLI_INSIDE; `place_of` is from cli_places_of.
cli_contact cli_contact_inside(const fracas_scene* scene, const cli_body* bodies,
                               const uint32_t* place_of, uint32_t step,
                               const fracas_inside* inside);
void cli_contacts_sort(cli_contact* contacts, size_t count);

/// From the index of a body's handle to the position of the body in the frame. The caller frees it.
uint32_t* cli_places_of(const cli_body* bodies, uint32_t body_count);

/// Translate contacts, whose intersections are `where` (empty if none is tt or et), and sort them.
/// The caller frees the result.
cli_contact* cli_contacts_translate(const fracas_scene* scene, const cli_body* bodies,
                                    uint32_t body_count, uint32_t step,
                                    const fracas_contact* contacts, size_t count,
                                    const fracas_intersections_view* where);
