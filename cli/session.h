/// @file session.h  One run of `detect` or `scene`: the Fracas scene, the results of its steps, and
/// their output.
#pragma once
#include "contacts.h"
#include "device.h"
#include "page.h"
#include "progress.h"
#include "report.h"
#include "settings.h"
#include "writer.h"

typedef struct cli_session {
    cli_settings settings;
    const char* input;  ///< what ms.read is the time of: "reading"
    fracas_context* context;
    cli_device device;
    fracas_scene* scene;
    fracas_contacts* contacts;  ///< of the latest step
    cli_step* steps;
    uint32_t step_count;
    cli_pairs pairs;            ///< counted unless the settings are quiet or JSON
    const char* const* bodies;  ///< names for the answer, not owned; NULL: numbers
    uint32_t body_count;
    cli_rows rows;  ///< widen with cli_rows_fit before the first step
    cli_writer* writers;
    size_t writer_count;
    cli_page* page;       ///< of --report; NULL: none
    cli_frame_mesh mesh;  ///< of the step that is reported, if cli_session_needs_mesh
    const char* title;    ///< of the page; may be NULL
    /// Called after each step with its contacts, when session->mesh is set; may be NULL.
    void (*watch)(void* user, const cli_step* step, const cli_contact* contacts, size_t count);
    void* watch_user;
    cli_progress progress;
} cli_session;

/// Does an output of this run need the contacts themselves, not only their number?
bool cli_session_needs_contacts(const cli_session* session);
/// The same for its meshes: then session->mesh is set before cli_session_push.
bool cli_session_needs_mesh(const cli_session* session);

/// The following functions return an exit code, CLI_DONE to continue; messages of failures have
/// been printed.
int cli_session_open(cli_session* session, const cli_settings* settings, uint32_t max_steps);

/// Replace the scene by an empty one that supports `modes`.
int cli_session_restart(cli_session* session, uint32_t modes);

/// Update the scene, detect, write contacts. The caller sets in `step` the names,
/// counts of elements, edits, ms.read, and ms.update to the time of the edits. `bodies` are the
/// maps for the translation of contacts.
int cli_session_step(cli_session* session, uint32_t modes, const cli_body* bodies,
                     uint32_t body_count, const cli_step* step);

/// Does the session print an answer, for which it counts contacts by pair of bodies?
bool cli_session_answers(const cli_session* session);

/// Output of a step that the caller has detected: count its contacts, which are sorted, write them,
/// and print a row.
int cli_session_push(cli_session* session, const cli_step* step, const cli_contact* contacts,
                     size_t count);

/// Print the answer and its tables, unless `code` is a failure, and free everything.
/// @return the exit code of the program
int cli_session_close(cli_session* session, int code);
