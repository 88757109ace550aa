/// @file play_server.c  The web server of `fracas play`, over civetweb.
#include "play_server.h"
#include "options.h"
#include <arpa/inet.h>
#include <civetweb.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    TOKEN = 32,       // hexadecimal digits: 128 bits
    MOST_PEERS = 6,   // open websockets; more are refused
    MOST_TEXTS = 64,  // that wait for a page
    MOST_BAD = 20,    // malformed messages of a page, after which it is disconnected
    TEXT_FRAME = 0x81,
    CLOSE_FRAME = 0x88,
};

// An open websocket.
typedef struct peer {
    struct mg_connection* connection;  // NULL: free
    int bad;                           // malformed messages
    bool failed;                       // a write to it failed
} peer;

typedef struct parcel {
    struct mg_connection* to;
    char* text;  // NULL: close
} parcel;

struct cli_play_server {
    cli_play_server_options options;
    struct mg_context* web;
    char token[TOKEN + 1], address[96], hosts[2][32], origins[2][48], error[256];
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    pthread_t writer;
    // With the mutex:
    peer peers[MOST_PEERS];
    struct mg_connection* client;   // the page that has the scene
    struct mg_connection* writing;  // the writer is writing to it
    parcel parcels[MOST_TEXTS];
    int parcel_count;
    cli_bytes frame;  // to the client; empty: none
    bool stopping;
    cli_play_server_counts counts;
};

static cli_play_server* server_of(const struct mg_connection* connection) {
    return mg_get_user_data(mg_get_context(connection));
}

// ---- writing

static peer* find_peer(cli_play_server* s, const struct mg_connection* connection) {
    for (int i = 0; i < MOST_PEERS; i++)
        if (s->peers[i].connection == connection) return &s->peers[i];
    return NULL;
}

// With the mutex. A page that does not read is disconnected.
static void push(cli_play_server* s, struct mg_connection* to, const char* text) {
    if (!to) return;
    if (s->parcel_count == MOST_TEXTS) {
        mg_close_connection(to);
        return;
    }
    char* copy = NULL;
    if (text) {
        const size_t size = strlen(text) + 1;
        copy = cli_allocate(size, 1);
        memcpy(copy, text, size);
    }
    s->parcels[s->parcel_count++] = (parcel){.to = to, .text = copy};
    pthread_cond_broadcast(&s->wake);
}

// With the mutex: remove what is for a connection; NULL: everything.
static void drop_parcels(cli_play_server* s, const struct mg_connection* to) {
    int kept = 0;
    for (int i = 0; i < s->parcel_count; i++)
        if (!to || s->parcels[i].to == to)
            free(s->parcels[i].text);
        else
            s->parcels[kept++] = s->parcels[i];
    s->parcel_count = kept;
}

static parcel take_parcel(cli_play_server* s) {
    const parcel first = s->parcels[0];
    s->parcel_count--;
    memmove(s->parcels, s->parcels + 1, (size_t)s->parcel_count * sizeof *s->parcels);
    return first;
}

static bool write_parcel(const parcel* p, const cli_bytes* frame) {
    if (frame->size)
        return mg_websocket_write(p->to, MG_WEBSOCKET_OPCODE_BINARY, (const char*)frame->data,
                                  frame->size) > 0;
    if (p->text)
        return mg_websocket_write(p->to, MG_WEBSOCKET_OPCODE_TEXT, p->text, strlen(p->text)) > 0;
    static const char normal[] = {0x03, (char)0xe8};  // status 1000
    return mg_websocket_write(p->to, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, normal, sizeof normal) >
           0;
}

static void* write_all(void* data) {
    cli_play_server* s = data;
    pthread_mutex_lock(&s->mutex);
    for (;;) {
        const bool has_frame = s->client && s->frame.size;
        if (s->parcel_count == 0 && !has_frame) {
            if (s->stopping) break;
            pthread_cond_wait(&s->wake, &s->mutex);
            continue;
        }
        parcel p = {.to = s->client};
        cli_bytes frame = {0};
        if (s->parcel_count) {
            p = take_parcel(s);
        } else {
            frame = s->frame;
            s->frame = (cli_bytes){0};
        }
        peer* to = find_peer(s, p.to);
        if (to && !to->failed) {
            // The handler that closes the connection waits while this thread writes.
            s->writing = p.to;
            pthread_mutex_unlock(&s->mutex);
            const bool written = write_parcel(&p, &frame);
            pthread_mutex_lock(&s->mutex);
            s->writing = NULL;
            s->counts.frames += written && frame.size > 0;
            if (!written) {
                to->failed = true;
                mg_close_connection(p.to);
            }
            pthread_cond_broadcast(&s->wake);
        }
        free(p.text);
        cli_bytes_free(&frame);
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

void cli_play_server_send_text(cli_play_server* s, const char* text) {
    pthread_mutex_lock(&s->mutex);
    push(s, s->client, text);
    pthread_mutex_unlock(&s->mutex);
}

void cli_play_server_send_frame(cli_play_server* s, cli_bytes* frame) {
    pthread_mutex_lock(&s->mutex);
    cli_bytes_free(&s->frame);
    s->frame = *frame;
    *frame = (cli_bytes){0};
    pthread_cond_broadcast(&s->wake);
    pthread_mutex_unlock(&s->mutex);
}

// ---- requests

static int refuse(struct mg_connection* connection, int status, const char* title,
                  const char* text) {
    cli_play_server* s = server_of(connection);
    pthread_mutex_lock(&s->mutex);
    s->counts.refused_requests++;
    pthread_mutex_unlock(&s->mutex);
    mg_printf(connection,
              "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %zu\r\n"
              "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
              "Connection: close\r\n\r\n%s\n",
              status, title, strlen(text) + 1, text);
    return status;
}

static int send_page(struct mg_connection* connection, bool with_body) {
    const cli_bytes* page = &server_of(connection)->options.page;
    mg_printf(connection,
              "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %zu\r\n"
              "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
              "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
              "Cross-Origin-Resource-Policy: same-origin\r\n"
              "Cross-Origin-Opener-Policy: same-origin\r\nConnection: close\r\n\r\n",
              page->size);
    if (with_body) mg_write(connection, page->data, page->size);
    return 200;
}

static bool is_one_of(const char* text, const char* a, const char* b) {
    return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

// What follows the token in a path; NULL: another token. The time does not depend on where it
// differs.
static const char* behind_token(const cli_play_server* s, const char* path) {
    if (strlen(path) < TOKEN + 2 || path[0] != '/' || path[TOKEN + 1] != '/') return NULL;
    unsigned difference = 0;
    for (int i = 0; i < TOKEN; i++)
        difference |= (unsigned)(unsigned char)path[i + 1] ^ (unsigned char)s->token[i];
    return difference == 0 ? path + TOKEN + 2 : NULL;
}

static bool has_free_peer(cli_play_server* s) {
    pthread_mutex_lock(&s->mutex);
    const bool free = find_peer(s, NULL) != NULL;
    pthread_mutex_unlock(&s->mutex);
    return free;
}

// Every request. 0: civetweb continues with the websocket.
static int on_request(struct mg_connection* connection) {
    cli_play_server* s = server_of(connection);
    pthread_mutex_lock(&s->mutex);
    s->counts.requests++;
    pthread_mutex_unlock(&s->mutex);
    const struct mg_request_info* request = mg_get_request_info(connection);
    const char* host = mg_get_header(connection, "Host");
    const char* origin = mg_get_header(connection, "Origin");
    if (!host || !is_one_of(host, s->hosts[0], s->hosts[1]))
        return refuse(connection, 403, "Forbidden", "The Host of the request is not this server.");
    if (origin && !is_one_of(origin, s->origins[0], s->origins[1]))
        return refuse(connection, 403, "Forbidden",
                      "The Origin of the request is another page; it has no access.");
    const char* method = request->request_method;
    if (!is_one_of(method, "GET", "HEAD"))
        return refuse(connection, 405, "Method Not Allowed", "Only GET and HEAD.");
    const char* path = behind_token(s, request->request_uri ? request->request_uri : "");
    if (!path || (*path && strcmp(path, "socket") != 0))
        return refuse(connection, 404, "Not Found",
                      "There is nothing here. The address that 'fracas play' prints has a token.");
    if (!*path) return send_page(connection, *method == 'G');
    if (!origin) return refuse(connection, 403, "Forbidden", "The websocket needs an Origin.");
    const char* upgrade = mg_get_header(connection, "Upgrade");
    if (!upgrade || strcmp(upgrade, "websocket") != 0)
        return refuse(connection, 426, "Upgrade Required", "This is the address of a websocket.");
    if (!has_free_peer(s))
        return refuse(connection, 503, "Service Unavailable",
                      "Too many pages are connected to this scene; close some.");
    return 0;
}

// ---- the websocket

static int on_connect(const struct mg_connection* connection, void* user) {
    (void)connection;
    return has_free_peer(user) ? 0 : 1;
}

static void on_ready(struct mg_connection* connection, void* user) {
    cli_play_server* s = user;
    pthread_mutex_lock(&s->mutex);
    peer* free_peer = find_peer(s, NULL);
    if (!free_peer || s->stopping) {
        mg_close_connection(connection);
        pthread_mutex_unlock(&s->mutex);
        return;
    }
    *free_peer = (peer){.connection = connection};
    struct mg_connection* before = s->client;
    if (before) {
        push(s, before, "{\"type\":\"taken\",\"message\":\"Another page shows this scene now.\"}");
        push(s, before, NULL);
    }
    s->client = connection;
    s->counts.clients++;
    cli_bytes_free(&s->frame);
    pthread_mutex_unlock(&s->mutex);
    if (before) s->options.closed(s->options.user);
    s->options.opened(s->options.user);
}

// A message that is refused: say why; too many, and the page is disconnected.
static void refuse_text(cli_play_server* s, struct mg_connection* connection, const char* reason) {
    char text[512];
    peer* from = find_peer(s, connection);
    s->counts.refused_texts++;
    if (!from) return;
    // `reason` is printable ASCII, but may have quotation marks.
    size_t used = (size_t)snprintf(text, sizeof text, "{\"type\":\"refused\",\"message\":\"");
    for (const char* c = reason; *c && used < sizeof text - 8; c++) {
        if (*c == '"' || *c == '\\') text[used++] = '\\';
        text[used++] = *c;
    }
    snprintf(text + used, sizeof text - used, "\"}");
    push(s, connection, text);
    if (++from->bad < MOST_BAD) return;
    push(s, connection,
         "{\"type\":\"bye\",\"message\":\"Too many malformed messages: disconnected.\"}");
    push(s, connection, NULL);
}

// 0: close the connection.
static int on_data(struct mg_connection* connection, int bits, char* data, size_t size,
                   void* user) {
    cli_play_server* s = user;
    const int opcode = bits & 0x0f;
    if (opcode == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE) return 0;
    if (opcode == MG_WEBSOCKET_OPCODE_PING || opcode == MG_WEBSOCKET_OPCODE_PONG) return 1;
    char reason[256] = "";
    pthread_mutex_lock(&s->mutex);
    const peer* from = find_peer(s, connection);
    const bool is_client = s->client == connection, dead = from && from->bad >= MOST_BAD;
    s->counts.texts++;
    pthread_mutex_unlock(&s->mutex);
    if (dead) return 0;
    bool good = false;
    if ((bits & 0xff) != TEXT_FRAME)
        snprintf(reason, sizeof reason, "a message has to be one unfragmented text");
    else if (size > s->options.most_text)
        snprintf(reason, sizeof reason, "the message has %zu bytes; %zu are the most", size,
                 s->options.most_text);
    else if (!is_client)
        snprintf(reason, sizeof reason, "another page shows this scene now");
    else
        good = s->options.text(s->options.user, data, size, reason, sizeof reason);
    if (good) return 1;
    pthread_mutex_lock(&s->mutex);
    refuse_text(s, connection, reason);
    pthread_mutex_unlock(&s->mutex);
    return 1;
}

static void on_close(const struct mg_connection* connection, void* user) {
    cli_play_server* s = user;
    pthread_mutex_lock(&s->mutex);
    while (s->writing == connection) pthread_cond_wait(&s->wake, &s->mutex);
    peer* closed = find_peer(s, connection);
    if (closed) *closed = (peer){0};
    drop_parcels(s, connection);
    const bool was_client = closed && s->client == connection;
    if (was_client) {
        s->client = NULL;
        cli_bytes_free(&s->frame);
    }
    pthread_mutex_unlock(&s->mutex);
    if (was_client) s->options.closed(s->options.user);
}

// ---- start and stop

static int keep_error(const struct mg_connection* connection, const char* message) {
    (void)connection, (void)message;
    return 1;  // not printed
}

static bool make_token(char token[TOKEN + 1]) {
    unsigned char bytes[TOKEN / 2];
    FILE* file = fopen("/dev/urandom", "rb");
    const bool good = file && fread(bytes, 1, sizeof bytes, file) == sizeof bytes;
    if (file) fclose(file);
    for (size_t i = 0; i < sizeof bytes && good; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return good;
}

// civetweb does not say why it cannot listen.
static int check_port(uint16_t port) {
    const struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int on = 1, probe = socket(AF_INET, SOCK_STREAM, 0);
    int error = 0;
    setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (probe < 0 || bind(probe, (const struct sockaddr*)&at, sizeof at) != 0 ||
        listen(probe, 1) != 0)
        error = errno;
    if (probe >= 0) close(probe);
    if (error == EADDRINUSE)
        return cli_fail(CLI_BAD_INPUT,
                        "port %u of 127.0.0.1 is in use by another program; give another --port, "
                        "or none for any free one",
                        port);
    return error ? cli_fail(CLI_BAD_INPUT, "port %u of 127.0.0.1 cannot be opened: %s", port,
                            strerror(error))
                 : CLI_DONE;
}

static bool start_web(cli_play_server* s) {
    char listen_at[32];
    snprintf(listen_at, sizeof listen_at, "127.0.0.1:%u", s->options.port);
    const char* settings[] = {"listening_ports",
                              listen_at,
                              "num_threads",
                              "12",
                              "request_timeout_ms",
                              "5000",
                              "max_request_size",
                              "8192",
                              "websocket_timeout_ms",
                              "4000",
                              "enable_websocket_ping_pong",
                              "yes",
                              "enable_keep_alive",
                              "no",
                              "tcp_nodelay",
                              "1",
                              "enable_directory_listing",
                              "no",
                              "access_control_allow_origin",
                              "",
                              "enable_auth_domain_check",
                              "no",
                              NULL};
    const struct mg_callbacks callbacks = {.begin_request = on_request, .log_message = keep_error};
    s->web = mg_start(&callbacks, s, settings);
    struct mg_server_port ports[2];
    if (!s->web || mg_get_server_ports(s->web, 2, ports) != 1) return false;
    char path[TOKEN + 16];
    snprintf(path, sizeof path, "/%s/socket", s->token);
    mg_set_websocket_handler(s->web, path, on_connect, on_ready, on_data, on_close, s);
    const int port = ports[0].port;
    static const char* const names[2] = {"127.0.0.1", "localhost"};
    for (int i = 0; i < 2; i++) {
        snprintf(s->hosts[i], sizeof s->hosts[i], "%s:%d", names[i], port);
        snprintf(s->origins[i], sizeof s->origins[i], "http://%s", s->hosts[i]);
    }
    snprintf(s->address, sizeof s->address, "http://%s/%s/", s->hosts[0], s->token);
    return true;
}

int cli_play_server_start(const cli_play_server_options* options, cli_play_server** out) {
    *out = NULL;
    const int code = options->port ? check_port(options->port) : CLI_DONE;
    if (code != CLI_DONE) return code;
    mg_init_library(MG_FEATURES_WEBSOCKET);
    if (!mg_check_feature(MG_FEATURES_WEBSOCKET)) {
        mg_exit_library();
        return cli_fail(CLI_BAD_INPUT, "this civetweb was built without websockets, which 'fracas "
                                       "play' needs; install libcivetweb1 of Debian");
    }
    cli_play_server* s = cli_allocate(1, sizeof *s);
    s->options = *options;
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->wake, NULL);
    const bool has_token = make_token(s->token);
    if (!has_token || pthread_create(&s->writer, NULL, write_all, s) != 0) {
        free(s);
        mg_exit_library();
        return cli_fail(CLI_INTERNAL, has_token ? "no thread for the server could be started"
                                                : "/dev/urandom gives no random token");
    }
    if (!start_web(s)) {
        cli_play_server_stop(s);
        return cli_fail(CLI_BAD_INPUT, "the web server could not be started on port %u",
                        options->port);
    }
    *out = s;
    return CLI_DONE;
}

void cli_play_server_stop(cli_play_server* s) {
    if (!s) return;
    pthread_mutex_lock(&s->mutex);
    push(s, s->client, "{\"type\":\"bye\",\"message\":\"fracas play has ended.\"}");
    for (int i = 0; i < MOST_PEERS; i++) push(s, s->peers[i].connection, NULL);
    s->stopping = true;
    pthread_cond_broadcast(&s->wake);
    pthread_mutex_unlock(&s->mutex);
    pthread_join(s->writer, NULL);
    if (s->web) mg_stop(s->web);
    mg_exit_library();
    drop_parcels(s, NULL);
    cli_bytes_free(&s->frame);
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->mutex);
    free(s);
}

const char* cli_play_server_address(const cli_play_server* s) { return s->address; }

cli_play_server_counts cli_play_server_get_counts(cli_play_server* s) {
    pthread_mutex_lock(&s->mutex);
    const cli_play_server_counts counts = s->counts;
    pthread_mutex_unlock(&s->mutex);
    return counts;
}
