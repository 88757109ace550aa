/// @file session.h  One run of `detect` or `scene`: the Fracas scene, the steps it has done, and
/// everything that is told about them.
#pragma once
#include "contacts.h"
#include "progress.h"
#include "report.h"
#include "settings.h"
#include "writer.h"

typedef struct cli_session {
    cli_settings settings;
    const char* input;  ///< what ms.read is spent with: "reading"
    fracas_context* context;
    fracas_scene* scene;
    fracas_contacts* contacts;  ///< of the latest step
    cli_step* steps;
    uint32_t step_count;
    cli_table table;  ///< widen with cli_table_fit before the first step
    cli_writer writer;
    cli_progress progress;
} cli_session;

/// All functions return an exit code, CLI_DONE when the run goes on; failures have been explained.
int cli_session_open(cli_session* session, const cli_settings* settings, uint32_t max_steps);

/// Begin with an empty scene that can be asked for `modes`.
int cli_session_restart(cli_session* session, uint32_t modes);

/// Update the scene, detect, write contacts, print. `step` comes with its names, counts of
/// elements, edits, `ms.read` and, in `ms.update`, what editing took. `bodies` say how to
/// translate.
int cli_session_step(cli_session* session, uint32_t modes, const cli_body* bodies,
                     uint32_t body_count, const cli_step* step);

/// What follows a step that was detected elsewhere: write its contacts, which are sorted, print it
/// and count it.
int cli_session_push(cli_session* session, const cli_step* step, const cli_contact* contacts,
                     size_t count);

/// Print what is printed at the end, unless `code` says that the run failed, and free everything.
/// @return the program's exit code
int cli_session_close(cli_session* session, int code);
