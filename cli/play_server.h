/// @file play_server.h  A web server for one page on this machine: HTTP and a websocket. It knows
/// nothing of what it carries.
///
/// Only 127.0.0.1; the address has a random token; Host and Origin are checked. The newest page has
/// the scene: one that had it before is told so. Threads of the server write, so that a slow page
/// does not delay others.
#pragma once
#include "page_bytes.h"

typedef struct cli_play_server cli_play_server;

/// Its functions are called on threads of the server, and must not call it.
typedef struct cli_play_server_options {
    uint16_t port;     ///< 0: any free one
    cli_bytes page;    ///< the HTML; outlives the server
    size_t most_text;  ///< bytes of a message
    /// A page is connected, and has been sent nothing.
    void (*opened)(void* user);
    /// A text of the page that is connected. @return false: it is malformed, and `reply` says why
    bool (*text)(void* user, const char* text, size_t size, char* reply, size_t reply_size);
    void (*closed)(void* user);
    void* user;
} cli_play_server_options;

typedef struct cli_play_server_counts {
    uint64_t requests, refused_requests;  ///< HTTP; refused: host, origin, token, method
    uint64_t texts, refused_texts;
    uint64_t frames;   ///< written
    uint64_t clients;  ///< that were connected
} cli_play_server_counts;

/// @return an exit code after a message, or CLI_DONE
int cli_play_server_start(const cli_play_server_options* options, cli_play_server** out);
/// Says goodbye to the page and waits for all threads. NULL is allowed.
void cli_play_server_stop(cli_play_server* server);

const char* cli_play_server_address(const cli_play_server* server);
cli_play_server_counts cli_play_server_get_counts(cli_play_server* server);

/// Send to the page that is connected, if there is one. Texts are copied and kept in order; a page
/// that does not read 64 of them is disconnected.
void cli_play_server_send_text(cli_play_server* server, const char* text);
/// Takes the bytes. A frame that has not been sent yet is replaced.
void cli_play_server_send_frame(cli_play_server* server, cli_bytes* frame);
