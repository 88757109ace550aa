/// @file play_run.c  The loop of `fracas play`. Threads of the server put commands into a queue;
/// all else happens on the thread of the loop. The page acknowledges a frame before it gets the
/// next one, so a slow page sees fewer frames, and the newest.
#include "play_run.h"
#include "page_private.h"
#include "play_browser.h"
#include "play_frame.h"
#include "play_server.h"
#include "progress.h"
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_QUEUED = 256, MOST_THREADS = 256, MOST_SIZE = 1000000, LEAST_SIZE = 100 };

// What the threads of the server tell the loop.
typedef enum event_kind { OPENED, CLOSED, COMMAND } event_kind;
typedef struct event {
    event_kind kind;
    cli_play_command command;
} event;

typedef struct play {
    const cli_play_options* options;
    const cli_play_kind* kind;
    cli_play_settings settings;
    void* scene;
    cli_play_server* server;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    event events[MOST_QUEUED];  // with the mutex
    int event_count;            // with the mutex
    // Of the loop:
    cli_play_encoder encoder;
    cli_play_look look;
    bool looked;  // `look` is that of the last step
    bool playing, ended, connected;
    bool ready;    // the page can take a frame
    bool changed;  // since the last frame that was sent
    uint32_t step, frame, last_sent;
    uint64_t steps, skipped, commands;
    double next;  // when the next step is due
} play;

// ---- the queue

static void add_event(play* p, const event* e) {
    pthread_mutex_lock(&p->mutex);
    event* last = p->event_count ? &p->events[p->event_count - 1] : NULL;
    // Only the last position of the mouse matters.
    if (last && last->kind == COMMAND && e->kind == COMMAND &&
        last->command.verb == CLI_PLAY_DRAG && e->command.verb == CLI_PLAY_DRAG)
        *last = *e;
    else if (p->event_count < MOST_QUEUED)
        p->events[p->event_count++] = *e;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->mutex);
}

static void on_opened(void* user) { add_event(user, &(event){.kind = OPENED}); }
static void on_closed(void* user) { add_event(user, &(event){.kind = CLOSED}); }

static bool on_text(void* user, const char* text, size_t size, char* reply, size_t reply_size) {
    play* p = user;
    event e = {.kind = COMMAND};
    char message[CLI_PLAY_MESSAGE] = "";
    bool good = cli_play_read(text, size, &e.command, message);
    if (good) {
        pthread_mutex_lock(&p->mutex);
        // Room is left for pages that come and go.
        good = p->event_count < MOST_QUEUED - 32;
        pthread_mutex_unlock(&p->mutex);
        if (!good) snprintf(message, sizeof message, "too many messages at once");
    }
    if (good)
        add_event(p, &e);
    else
        snprintf(reply, reply_size, "%s", message);
    return good;
}

// Wait until there are events or `until`, in milliseconds of cli_clock_ms. @return their number
static int take_events(play* p, double until, event* out) {
    pthread_mutex_lock(&p->mutex);
    // A signal does not end this wait: never wait long.
    const double left = until - cli_clock_ms(), wait = left > 50 ? 50 : left;
    if (p->event_count == 0 && wait > 0) {
        struct timespec at;
        clock_gettime(CLOCK_REALTIME, &at);
        at.tv_nsec += (long)(wait * 1e6);
        at.tv_sec += at.tv_nsec / 1000000000;
        at.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&p->wake, &p->mutex, &at);
    }
    const int count = p->event_count;
    memcpy(out, p->events, (size_t)count * sizeof *out);
    p->event_count = 0;
    pthread_mutex_unlock(&p->mutex);
    return count;
}

// ---- texts for the page

static void send_message(play* p, const char* type, const char* message) {
    char* text = NULL;
    size_t length = 0;
    FILE* file = open_memstream(&text, &length);
    if (!file) return;
    fprintf(file, "{\"type\":\"%s\",\"message\":", type);
    cli_json_string(file, message);
    fputc('}', file);
    if (fclose(file) == 0) cli_play_server_send_text(p->server, text);
    free(text);
}

static void send_hello(play* p) {
    const cli_play_kind* kind = p->kind;
    char* text = NULL;
    size_t length = 0;
    FILE* file = open_memstream(&text, &length);
    if (!file) return;
    fprintf(file, "{\"type\":\"hello\",\"protocol\":%d,\"fracas\":\"%s\",\"scene\":\"%s\",",
            CLI_PLAY_PROTOCOL, fracas_get_version(), p->options->name);
    fputs("\"description\":", file);
    cli_json_string(file, kind->describe(p->options->name));
    fprintf(file, ",\"steps\":%u,\"up\":\"%s\",\"touch\":%s,\"settings\":{\"threads\":%u",
            kind->steps(p->scene), kind->z_up ? "z" : "y", kind->has_touch ? "true" : "false",
            p->settings.threads);
    if (kind->has_size) fprintf(file, ",\"size\":%u", p->settings.size);
    if (kind->has_cull) {
        fprintf(file, ",\"cull\":\"%s\",\"culls\":[", cli_cull_name(p->settings.cull));
        for (int i = 0; cli_cull_name(i); i++)
            fprintf(file, "%s\"%s\"", i ? "," : "", cli_cull_name(i));
        fputc(']', file);
    }
    fputs("}}", file);
    if (fclose(file) == 0) cli_play_server_send_text(p->server, text);
    free(text);
}

// ---- the scene

static int create_scene(play* p, char message[CLI_PLAY_MESSAGE]) {
    p->kind->destroy(p->scene);
    p->scene = NULL;
    cli_play_encoder_free(&p->encoder);
    p->step = p->last_sent = 0;
    p->ended = p->looked = false;
    p->changed = true;
    const int code = p->kind->create(p->options->name, &p->settings, &p->scene, message);
    // Ctrl-C ends the loop after a step, and does not cancel it.
    cli_interrupt_watch(NULL);
    return code;
}

static void step_scene(play* p) {
    char message[CLI_PLAY_MESSAGE] = "";
    if (p->ended || !p->scene) {
        p->playing = false;
        send_message(p, "note", "The scene has ended; reset starts it again.");
        p->changed = true;
        return;
    }
    const int code = p->kind->step(p->scene, message);
    p->looked = false;
    p->changed = true;
    p->step++;
    p->steps++;
    const uint32_t end = p->kind->steps(p->scene);
    p->ended = code != CLI_DONE || (end && p->step >= end);
    if (p->ended) p->playing = false;
    if (code != CLI_DONE && !cli_interrupted())
        send_message(p, "error", *message ? message : "The step failed.");
}

static void send_frame(play* p) {
    if (!p->looked) {
        p->kind->look(p->scene, &p->look);
        cli_page_meshes_place(&p->encoder.place, p->look.mesh);
        p->looked = true;
    }
    if (p->step > p->last_sent + 1) p->skipped += p->step - p->last_sent - 1;
    p->last_sent = p->step;
    cli_play_head head = {.frame = ++p->frame,
                          .step = p->step,
                          .skipped = p->skipped,
                          .playing = p->playing,
                          .ended = p->ended};
    bool* fixed = NULL;
    if (p->kind->has_touch) {
        fixed = cli_allocate((size_t)p->look.bodies + 1, sizeof *fixed);
        for (uint32_t b = 0; b < p->look.bodies; b++) fixed[b] = p->kind->is_fixed(p->scene, b);
        head.fixed = fixed;
    }
    cli_bytes frame = cli_play_encode(&p->encoder, &p->look, &head);
    free(fixed);
    cli_play_server_send_frame(p->server, &frame);
    p->ready = p->changed = false;
}

// ---- commands

// Check what the page wants to change. @return NULL, or why not
static const char* read_settings(const play* p, const cli_play_command* c, cli_play_settings* out,
                                 char message[CLI_PLAY_MESSAGE]) {
    *out = p->settings;
    const bool has_size = c->given & 1u << CLI_PLAY_SIZE, has_cull = c->given & 1u << CLI_PLAY_CULL;
    if (c->given & 1u << CLI_PLAY_THREADS) out->threads = c->counts[CLI_PLAY_THREADS];
    if (has_size) out->size = c->counts[CLI_PLAY_SIZE];
    if (out->threads > MOST_THREADS) {
        snprintf(message, CLI_PLAY_MESSAGE,
                 "%u threads are too many; %d are the most, 0 is one per core", out->threads,
                 MOST_THREADS);
        return message;
    }
    if ((has_size && !p->kind->has_size) || (has_cull && !p->kind->has_cull)) {
        snprintf(message, CLI_PLAY_MESSAGE, "scene %s has no %s", p->options->name,
                 has_size && !p->kind->has_size ? "sizes" : "cull modes");
        return message;
    }
    if (has_size && out->size && (out->size < LEAST_SIZE || out->size > MOST_SIZE)) {
        snprintf(message, CLI_PLAY_MESSAGE,
                 "size is %u; it takes %d to %d triangles, or 0 for the default", out->size,
                 LEAST_SIZE, MOST_SIZE);
        return message;
    }
    if (!has_cull) return NULL;
    for (out->cull = 0; cli_cull_name(out->cull); out->cull++)
        if (strcmp(cli_cull_name(out->cull), c->cull) == 0) return NULL;
    snprintf(message, CLI_PLAY_MESSAGE, "there is no cull mode '%s'", c->cull);
    return message;
}

static void reset(play* p, const cli_play_command* c) {
    char message[CLI_PLAY_MESSAGE] = "";
    cli_play_settings wanted;
    const cli_play_settings before = p->settings;
    const char* problem = read_settings(p, c, &wanted, message);
    if (problem) {
        send_message(p, "error", problem);
        send_hello(p);  // the page shows the settings as they are
        return;
    }
    p->settings = wanted;
    p->playing = false;
    if (create_scene(p, message) != CLI_DONE && !cli_interrupted()) {
        send_message(p, "error", *message ? message : "The scene could not be made.");
        p->settings = before;
        if (create_scene(p, message) != CLI_DONE) {
            p->kind->destroy(p->scene);
            p->scene = NULL;
            return;
        }
    }
    send_hello(p);
}

static void touch(play* p, const cli_play_command* c) {
    double at[3];
    const cli_page_meshes* place = &p->encoder.place;
    const char* problem = NULL;
    if (!p->kind->has_touch || !p->scene) {
        send_message(p, "error", "The bodies of this scene cannot be touched.");
        return;
    }
    for (int k = 0; k < 3; k++) at[k] = place->origin[k] + place->scale * c->at[k];
    switch (c->verb) {
    case CLI_PLAY_GRAB:
        problem = p->kind->grab(p->scene, c->counts[CLI_PLAY_BODY], at);
        break;
    case CLI_PLAY_DRAG:
        problem = p->kind->drag(p->scene, at);
        break;
    case CLI_PLAY_DROP:
        problem = p->kind->drop(p->scene, at);
        if (!problem) p->looked = false, p->changed = true;
        break;
    default:
        p->kind->release(p->scene);
        break;
    }
    if (problem) send_message(p, "error", problem);
}

static void obey(play* p, const cli_play_command* c) {
    p->commands++;
    switch (c->verb) {
    case CLI_PLAY_PLAY:
        p->playing = true;
        p->next = cli_clock_ms();
        break;
    case CLI_PLAY_PAUSE:
        p->playing = false;
        p->changed = true;
        break;
    case CLI_PLAY_STEP:
        p->playing = false;
        step_scene(p);
        break;
    case CLI_PLAY_RESET:
        reset(p, c);
        break;
    case CLI_PLAY_GOT:
        p->ready |= c->counts[CLI_PLAY_FRAME] == p->frame;
        break;
    default:
        touch(p, c);
        break;
    }
}

static void handle(play* p, const event* e) {
    switch (e->kind) {
    case OPENED:
        p->connected = p->ready = p->changed = true;
        p->encoder.known = 0;
        send_hello(p);
        break;
    case CLOSED:
        // A scene without a page waits.
        p->connected = p->playing = false;
        if (p->kind->has_touch && p->scene) p->kind->release(p->scene);
        break;
    default:
        if (p->connected) obey(p, &e->command);
        break;
    }
}

static void loop(play* p) {
    event* events = cli_allocate(MOST_QUEUED, sizeof *events);
    while (!cli_interrupted()) {
        const double now = cli_clock_ms();
        const int count = take_events(p, p->playing ? p->next : now + 50, events);
        for (int i = 0; i < count && !cli_interrupted(); i++) handle(p, &events[i]);
        if (p->playing && cli_clock_ms() >= p->next) {
            step_scene(p);
            // Not faster later for being late now.
            const double due = p->next + 1e3 * (p->scene ? p->kind->interval(p->scene) : 0);
            p->next = due > cli_clock_ms() ? due : cli_clock_ms();
        }
        if (p->connected && p->ready && p->changed && p->scene && !cli_interrupted()) send_frame(p);
    }
    free(events);
}

// ---- the run

static cli_bytes make_page(const char* title) {
    cli_bytes page = {0};
    memcpy(cli_bytes_extend(&page, cli_page_begin_size), cli_page_begin, cli_page_begin_size);
    // A report connects to nothing; this page to its server.
    static const char closed[] = "connect-src 'none'", open[] = "connect-src 'self'";
    for (size_t i = 0; i + sizeof closed <= page.size; i++)
        if (memcmp(page.data + i, closed, sizeof closed - 1) == 0)
            memcpy(page.data + i, open, sizeof open - 1);
    char data[256];
    const int length =
        snprintf(data, sizeof data,
                 "{\"format\":1,\"live\":%d,\"fracas\":\"%s\",\"title\":\"%s\","
                 "\"encoding\":\"%s\"}",
                 CLI_PLAY_PROTOCOL, fracas_get_version(), title, cli_bytes_encoding());
    memcpy(cli_bytes_extend(&page, (size_t)length), data, (size_t)length);
    memcpy(cli_bytes_extend(&page, cli_page_end_size), cli_page_end, cli_page_end_size);
    return page;
}

static void print_counts(const play* p) {
    const cli_play_server_counts c = cli_play_server_get_counts(p->server);
    printf("ended: %" PRIu64 " steps, %" PRIu64 " frames sent, %" PRIu64
           " steps not shown; %" PRIu64 " pages, %" PRIu64 " messages (%" PRIu64
           " refused), %" PRIu64 " requests (%" PRIu64 " refused)\n",
           p->steps, c.frames, p->skipped, c.clients, c.texts, c.refused_texts, c.requests,
           c.refused_requests);
}

int cli_play_run(const cli_play_options* options) {
    play p = {.options = options, .kind = options->kind, .settings = options->settings};
    char message[CLI_PLAY_MESSAGE] = "";
    int code = create_scene(&p, message);
    cli_bytes page = make_page(options->name);
    pthread_mutex_init(&p.mutex, NULL);
    pthread_cond_init(&p.wake, NULL);
    const cli_play_server_options server = {.port = (uint16_t)options->port,
                                            .page = page,
                                            .most_text = CLI_PLAY_MOST_TEXT,
                                            .opened = on_opened,
                                            .text = on_text,
                                            .closed = on_closed,
                                            .user = &p};
    if (code == CLI_DONE) code = cli_play_server_start(&server, &p.server);
    if (code == CLI_DONE) {
        const char* address = cli_play_server_address(p.server);
        printf("scene %s is at %s\nCtrl-C ends it\n", options->name, address);
        fflush(stdout);
        cli_play_browser browser = {0};
        if (!options->no_open) cli_play_browser_open(&browser, address);
        loop(&p);
        cli_play_browser_close(&browser);
        print_counts(&p);
    }
    cli_play_server_stop(p.server);
    p.kind->destroy(p.scene);
    cli_play_encoder_free(&p.encoder);
    cli_bytes_free(&page);
    pthread_cond_destroy(&p.wake);
    pthread_mutex_destroy(&p.mutex);
    return code;
}
