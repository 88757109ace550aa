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
#include <time.h>
#include <unistd.h>

enum {
    TOKEN = 32,       // hexadecimal digits: 128 bits
    MOST_PEERS = 6,   // open websockets; more are refused
    MOST_TEXTS = 64,  // that wait for a page
    MOST_BAD = 20,    // malformed messages of a page, after which it is disconnected
    TEXT_FRAME = 0x81,
    CLOSE_FRAME = 0x88,
};

// An open websocket, with a thread of its own that writes: a page that does not read delays no
// other one.
typedef struct peer {
    cli_play_server* server;
    struct mg_connection* connection;  // NULL: free
    pthread_t writer;
    char* texts[MOST_TEXTS];  // that wait; NULL: close
    int text_count;
    cli_bytes frame;  // that waits; empty: none
    int bad;          // malformed messages
    bool failed;      // it does not read: nothing more is written, and its next message ends it
    bool writing, closing;
} peer;

struct cli_play_server {
    cli_play_server_options options;
    struct mg_context* web;
    char token[TOKEN + 1], address[96], hosts[2][32], origins[2][48];
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    // With the mutex:
    peer peers[MOST_PEERS];
    peer* client;  // the page that has the scene
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

// With the mutex; NULL text: close.
static void push(peer* to, const char* text) {
    if (!to || !to->connection) return;
    if (to->text_count == MOST_TEXTS) {
        to->failed = true;
        return;
    }
    char* copy = NULL;
    if (text) {
        const size_t size = strlen(text) + 1;
        copy = cli_allocate(size, 1);
        memcpy(copy, text, size);
    }
    to->texts[to->text_count++] = copy;
    pthread_cond_broadcast(&to->server->wake);
}

static char* take_text(peer* p) {
    char* first = p->texts[0];
    p->text_count--;
    memmove(p->texts, p->texts + 1, (size_t)p->text_count * sizeof *p->texts);
    return first;
}

static bool write_text(struct mg_connection* to, const char* text) {
    static const char normal[] = {0x03, (char)0xe8};  // status 1000
    if (text) return mg_websocket_write(to, MG_WEBSOCKET_OPCODE_TEXT, text, strlen(text)) > 0;
    return mg_websocket_write(to, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, normal, sizeof normal) > 0;
}

static bool write_frame(struct mg_connection* to, const cli_bytes* frame) {
    return mg_websocket_write(to, MG_WEBSOCKET_OPCODE_BINARY, (const char*)frame->data,
                              frame->size) > 0;
}

// The thread of a page: texts in their order, then the frame.
static void* write_all(void* data) {
    peer* p = data;
    cli_play_server* s = p->server;
    pthread_mutex_lock(&s->mutex);
    while (!p->closing) {
        if (p->failed || (p->text_count == 0 && p->frame.size == 0)) {
            pthread_cond_wait(&s->wake, &s->mutex);
            continue;
        }
        const bool is_text = p->text_count > 0;
        char* text = is_text ? take_text(p) : NULL;
        cli_bytes frame = {0};
        if (!is_text) {
            frame = p->frame;
            p->frame = (cli_bytes){0};
        }
        p->writing = true;
        pthread_mutex_unlock(&s->mutex);
        const bool written =
            is_text ? write_text(p->connection, text) : write_frame(p->connection, &frame);
        free(text);
        cli_bytes_free(&frame);
        pthread_mutex_lock(&s->mutex);
        p->writing = false;
        p->failed |= !written;
        s->counts.frames += written && !is_text;
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

void cli_play_server_send_text(cli_play_server* s, const char* text) {
    pthread_mutex_lock(&s->mutex);
    push(s->client, text);
    pthread_mutex_unlock(&s->mutex);
}

void cli_play_server_send_frame(cli_play_server* s, cli_bytes* frame) {
    pthread_mutex_lock(&s->mutex);
    if (s->client) {
        cli_bytes_free(&s->client->frame);
        s->client->frame = *frame;
        *frame = (cli_bytes){0};
        pthread_cond_broadcast(&s->wake);
    }
    pthread_mutex_unlock(&s->mutex);
    cli_bytes_free(frame);
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
    peer* p = find_peer(s, NULL);
    bool opened = false;
    if (p && !s->stopping) {
        *p = (peer){.server = s, .connection = connection};
        opened = pthread_create(&p->writer, NULL, write_all, p) == 0;
        // Without a peer its first message ends the connection.
        if (!opened) *p = (peer){0};
    }
    if (opened) {
        const bool taken = s->client != NULL;
        push(s->client, "{\"type\":\"taken\",\"message\":\"Another page shows this scene now.\"}");
        push(s->client, NULL);
        if (taken) cli_bytes_free(&s->client->frame);
        s->client = p;
        s->counts.clients++;
        // With the mutex, so that these calls have the order in which pages connect and leave.
        if (taken) s->options.closed(s->options.user);
        s->options.opened(s->options.user);
    }
    pthread_mutex_unlock(&s->mutex);
}

// A message that is refused: say why; too many, and the page is disconnected.
static void refuse_text(peer* from, const char* reason) {
    char text[512];
    from->server->counts.refused_texts++;
    // `reason` is printable ASCII, but may have quotation marks.
    size_t used = (size_t)snprintf(text, sizeof text, "{\"type\":\"refused\",\"message\":\"");
    for (const char* c = reason; *c && used < sizeof text - 8; c++) {
        if (*c == '"' || *c == '\\') text[used++] = '\\';
        text[used++] = *c;
    }
    snprintf(text + used, sizeof text - used, "\"}");
    push(from, text);
    if (++from->bad < MOST_BAD) return;
    push(from, "{\"type\":\"bye\",\"message\":\"Too many malformed messages: disconnected.\"}");
    push(from, NULL);
}

// 0: close the connection.
static int on_data(struct mg_connection* connection, int bits, char* data, size_t size,
                   void* user) {
    cli_play_server* s = user;
    const int opcode = bits & 0x0f;
    if (opcode == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE) return 0;
    const bool control = opcode == MG_WEBSOCKET_OPCODE_PING || opcode == MG_WEBSOCKET_OPCODE_PONG;
    char reason[256] = "";
    pthread_mutex_lock(&s->mutex);
    // It stays while this connection is handled.
    peer* from = find_peer(s, connection);
    const bool is_client = s->client == from;
    const bool dead = !from || from->failed || from->bad >= MOST_BAD;
    s->counts.texts += !control;
    pthread_mutex_unlock(&s->mutex);
    if (dead) return 0;
    if (control) return 1;
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
    refuse_text(from, reason);
    pthread_mutex_unlock(&s->mutex);
    return 1;
}

static void on_close(const struct mg_connection* connection, void* user) {
    cli_play_server* s = user;
    pthread_mutex_lock(&s->mutex);
    peer* p = find_peer(s, connection);
    const bool was_client = p && s->client == p;
    if (was_client) {
        s->client = NULL;
        s->options.closed(s->options.user);
    }
    if (p) p->closing = true;
    pthread_cond_broadcast(&s->wake);
    pthread_mutex_unlock(&s->mutex);
    if (!p) return;
    pthread_join(p->writer, NULL);
    pthread_mutex_lock(&s->mutex);
    for (int i = 0; i < p->text_count; i++) free(p->texts[i]);
    cli_bytes_free(&p->frame);
    *p = (peer){0};
    pthread_mutex_unlock(&s->mutex);
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
    // Threads of the server run already; they read these after they have had the mutex.
    pthread_mutex_lock(&s->mutex);
    for (int i = 0; i < 2; i++) {
        snprintf(s->hosts[i], sizeof s->hosts[i], "%s:%d", names[i], port);
        snprintf(s->origins[i], sizeof s->origins[i], "http://%s", s->hosts[i]);
    }
    snprintf(s->address, sizeof s->address, "http://%s/%s/", s->hosts[0], s->token);
    pthread_mutex_unlock(&s->mutex);
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
    if (!make_token(s->token)) {
        cli_play_server_stop(s);
        return cli_fail(CLI_INTERNAL, "/dev/urandom gives no random token");
    }
    if (!start_web(s)) {
        cli_play_server_stop(s);
        return cli_fail(CLI_BAD_INPUT, "the web server could not be started on port %u",
                        options->port);
    }
    *out = s;
    return CLI_DONE;
}

// With the mutex: has everything been written to all pages that read?
static bool is_idle(const cli_play_server* s) {
    for (int i = 0; i < MOST_PEERS; i++) {
        const peer* p = &s->peers[i];
        if (p->connection && !p->failed && (p->writing || p->text_count || p->frame.size))
            return false;
    }
    return true;
}

void cli_play_server_stop(cli_play_server* s) {
    if (!s) return;
    pthread_mutex_lock(&s->mutex);
    push(s->client, "{\"type\":\"bye\",\"message\":\"fracas play has ended.\"}");
    for (int i = 0; i < MOST_PEERS; i++) push(&s->peers[i], NULL);
    s->stopping = true;
    for (int i = 0; i < 50 && !is_idle(s); i++) {
        pthread_mutex_unlock(&s->mutex);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        pthread_mutex_lock(&s->mutex);
    }
    pthread_mutex_unlock(&s->mutex);
    if (s->web) mg_stop(s->web);
    mg_exit_library();
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
