/// @file inside.h  Bodies inside others at the end of a step.
#pragma once
#include "session.h"

/// Append the bodies inside others to the `*count` contacts of a step that has just been detected
/// for `modes`, and count them in `step`. Without discrete contacts, or with --no-inside, nothing
/// is looked for.
/// @return a status with a message
fracas_status cli_find_inside(cli_session* session, uint32_t modes, const cli_body* bodies,
                              uint32_t body_count, cli_step* step, cli_contact** contacts,
                              size_t* count);
