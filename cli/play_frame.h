/// @file play_frame.h  A frame of a running scene as bytes for the page; docs/play.md has the
/// layout.
#pragma once
#include "page_contacts.h"
#include "play_scene.h"

/// Begin with zeros, and again for another scene.
typedef struct cli_play_encoder {
    cli_page_meshes place;       ///< only origin and scale
    cli_page_topology topology;  ///< of the last frame
    uint32_t number;             ///< of the topology; 0: none
    uint32_t known;              ///< the number of the one that the page has
} cli_play_encoder;

/// What a frame says besides its meshes and contacts.
typedef struct cli_play_head {
    uint32_t frame, step;
    uint64_t skipped;  ///< steps that were not sent
    bool playing, ended;
    const bool* fixed;  ///< by body; NULL: no body can be dragged
} cli_play_head;

/// `look` has been placed by cli_page_meshes_place.
cli_bytes cli_play_encode(cli_play_encoder* encoder, const cli_play_look* look,
                          const cli_play_head* head);
void cli_play_encoder_free(cli_play_encoder* encoder);
