/// @file volumes.h  `fracas detect` on volumes: which vertices are inside which tetrahedra, frame
/// by frame.
#pragma once
#include "frames.h"
#include "session.h"

/// Has any file of the loaded frame tetrahedra?
bool cli_volumes_in(const cli_frame* frame);

/// Check all frames; the first is loaded and has tetrahedra. @return an exit code; the message of a
/// failure has been printed.
int cli_volumes_run(cli_session* session, cli_frame* frames, int count);
