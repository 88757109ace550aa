/// @file contacts.h  Contacts in the user's numbers: bodies by their place in the frame, features
/// as the files count them.
#pragma once
#include "fracas/scene.h"

/// How the numbers of a scene's body translate into those of the user's file.
typedef struct cli_body {
    fracas_body handle;
    const uint32_t* vertices;      ///< scene's vertex -> file's; NULL: the same
    const uint32_t* triangles;     ///< scene's triangle -> file's; NULL: the same
    const uint32_t* faces;         ///< file's triangle -> file's face; NULL: the same
    const uint32_t* face_offsets;  ///< corners of face f: face_offsets[f + 1] - face_offsets[f]
    const uint32_t* face_tets;     ///< of the surface of a volume: face -> tetrahedron; else NULL
} cli_body;

/// Kinds of contacts: those of fracas_contact_kind, and vertices in tetrahedra.
enum { CLI_VT = FRACAS_CONTACT_VV + 1, CLI_KINDS };

typedef struct cli_contact {
    uint32_t step;
    int kind;
    uint32_t body_a, body_b;
    uint32_t a[2], b[2];    ///< as fracas_contact, with the file's faces instead of triangles
    uint32_t a_tri, b_tri;  ///< the triangle of the triangulated file, where a[0], b[0] is a face
    uint32_t a_tet, b_tet;  ///< the tetrahedron that the face bounds; FRACAS_NONE: none
    bool polygons;          ///< one of the faces is no triangle: a_tri and b_tri are worth telling
    double toi, u, v, normal[3];
    double point[3];  ///< where it is, at the time of impact or the end of the step
    // CLI_VT: vertex a[0] in tetrahedron b_tet; normal is the way out, depth its length, when
    // asked.
    bool deep;
    double barycentric[4], depth;
} cli_contact;

const char* cli_kind_name(int kind);
bool cli_kind_is_continuous(int kind);
void cli_contacts_sort(cli_contact* contacts, size_t count);

/// Translate and sort. `points` asks for cli_contact.point. The result is to be freed.
cli_contact* cli_contacts_translate(const fracas_scene* scene, const cli_body* bodies,
                                    uint32_t body_count, uint32_t step,
                                    const fracas_contact* contacts, size_t count, bool points);
