/// @file bench_page.c  `fracas bench NAME --report`: run a benchmark and write its numbers as a
/// page. docs/benchmarks_json.md describes the data.
#include "bench_page.h"
#include "options.h"
#include "page_private.h"
#include "report.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct output {
    char* text;
    size_t size;
    double seconds;
} output;

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool has_argument(char* const* arguments, const char* wanted) {
    for (; *arguments; arguments++)
        if (strcmp(*arguments, wanted) == 0) return true;
    return false;
}

// ---- the run

// The command line of the program: what was given, and --json if it has that. Only one part of
// `medial` has it. The caller frees the array.
static char** make_command(const cli_bench_run* run, bool* json) {
    static char name[] = "fracas-bench", json_option[] = "--json", scenes[] = "scenes";
    size_t count = 0;
    while (run->arguments[count]) count++;
    char** command = cli_allocate(count + 4, sizeof *command);
    size_t used = 0;
    command[used++] = name;
    for (size_t i = 0; i < count; i++) command[used++] = run->arguments[i];
    *json = run->has_json;
    if (strcmp(run->name, "medial") == 0) {
        *json = !has_argument(run->arguments, "models");
        if (*json && !has_argument(run->arguments, scenes)) command[used++] = scenes;
    }
    if (*json && !has_argument(run->arguments, json_option)) command[used++] = json_option;
    return command;
}

static void read_all(int file, output* out) {
    size_t capacity = 0;
    for (;;) {
        if (out->size == capacity) {
            capacity = 2 * capacity + 65536;
            out->text = cli_grow(out->text, capacity, 1);
        }
        const ssize_t count = read(file, out->text + out->size, capacity - out->size);
        if (count == 0) return;
        if (count > 0) out->size += (size_t)count;
        if (count < 0 && errno != EINTR) return;
    }
}

// Run the program and keep what it prints on stdout. @return its exit status
static int capture(const char* path, char** command, output* out) {
    int ends[2];
    if (pipe(ends) != 0) return cli_fail(CLI_INTERNAL, "no pipe: %s", strerror(errno));
    const double start = seconds_now();
    const pid_t child = fork();
    if (child < 0) return cli_fail(CLI_INTERNAL, "no process: %s", strerror(errno));
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(path, command);
        _exit(cli_fail(CLI_INTERNAL, "%s: cannot be started: %s", path, strerror(errno)));
    }
    close(ends[1]);
    read_all(ends[0], out);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    out->seconds = seconds_now() - start;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    return WTERMSIG(status) == SIGINT ? CLI_CANCELLED : CLI_INTERNAL;
}

// ---- the data

// The name of the processor; "" if the system does not tell.
static void find_processor(char* name, size_t size) {
    static const char key[] = "model name";
    *name = 0;
    FILE* file = fopen("/proc/cpuinfo", "r");
    if (!file) return;
    char line[512];
    while (!*name && fgets(line, sizeof line, file)) {
        const char* colon = strchr(line, ':');
        if (strncmp(line, key, sizeof key - 1) != 0 || !colon) continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(name, size, "%s", colon + 1 + strspn(colon + 1, " "));
    }
    fclose(file);
}

// Processes that want a processor, the mean of the last minute; -1: not known.
static double find_load(void) {
    char text[32] = "";
    FILE* file = fopen("/proc/loadavg", "r");
    if (!file) return -1;
    const char* read = fgets(text, sizeof text, file);
    fclose(file);
    return read ? strtod(text, NULL) : -1;
}

static void write_key(FILE* file, const char* key, const char* text) {
    fprintf(file, "\"%s\":", key);
    cli_json_string(file, text);
}

static void write_machine(FILE* file, double load) {
    char processor[256];
    struct utsname system = {0};
    uname(&system);
    find_processor(processor, sizeof processor);
    fputs("\"machine\":{", file);
    write_key(file, "processor", *processor ? processor : system.machine);
    fprintf(file, ",\"cores\":%ld,", sysconf(_SC_NPROCESSORS_ONLN));
    write_key(file, "system", system.sysname);
    fputc(',', file);
    write_key(file, "release", system.release);
    fputc(',', file);
    write_key(file, "architecture", system.machine);
    fputc(',', file);
    write_key(file, "compiler", __VERSION__);
    if (load >= 0) fprintf(file, ",\"load_before\":%.2f", load);
    fputc('}', file);
}

// JSON as it was printed, but a `<` could end the script of the page; it is in strings only.
static void write_json(FILE* file, const output* out) {
    for (size_t i = 0; i < out->size; i++)
        if (out->text[i] == '<')
            fputs("\\u003c", file);
        else
            fputc(out->text[i], file);
}

static void write_data(FILE* file, const cli_bench_run* run, char* const* command,
                       const output* out, int status, bool json, double load) {
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    fputs("{\"format\":1,", file);
    write_key(file, "fracas", fracas_get_version());
    fputc(',', file);
    write_key(file, "benchmark", run->name);
    fputc(',', file);
    write_key(file, "about", run->about);
    fputs(",\"arguments\":[", file);
    for (size_t i = 1; command[i]; i++) {
        if (i > 1) fputc(',', file);
        cli_json_string(file, command[i]);
    }
    fprintf(file, "],\"status\":%d,\"seconds\":%.2f,", status, out->seconds);
    write_key(file, "date", date);
    fputs(",\n", file);
    write_machine(file, load);
    fputs(json ? ",\n\"result\":" : ",\n\"text\":", file);
    if (json)
        write_json(file, out);
    else
        cli_json_string(file, out->text);
    fputs("}\n", file);
}

// ---- the page

static int open_page(const char* path, const char* name, FILE** out) {
    *out = fopen(name, "wb");
    if (*out) return CLI_DONE;
    return cli_fail(CLI_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
}

static int write_page(const cli_bench_run* run, char* const* command, const output* out, int status,
                      bool json, double load) {
    char* name = cli_page_unfinished(run->page);
    FILE* file;
    int code = open_page(run->page, name, &file);
    if (code == CLI_DONE) {
        fwrite(cli_bench_page_begin, 1, cli_bench_page_begin_size, file);
        write_data(file, run, command, out, status, json, load);
        fwrite(cli_bench_page_end, 1, cli_bench_page_end_size, file);
        bool failed = ferror(file) != 0;
        failed |= fclose(file) != 0;
        if (failed || rename(name, run->page) != 0) {
            code = cli_fail(CLI_BAD_INPUT, "%s: could not be written completely: %s", run->page,
                            strerror(errno));
            remove(name);
        }
    }
    free(name);
    return code;
}

// Before minutes of measuring: can the page be written?
static int try_page(const char* path) {
    char* name = cli_page_unfinished(path);
    FILE* file;
    const int code = open_page(path, name, &file);
    if (code == CLI_DONE) {
        fclose(file);
        remove(name);
    }
    free(name);
    return code;
}

int cli_bench_report(const cli_bench_run* run) {
    if (!cli_page_is_built())
        return cli_fail(CLI_BAD_USAGE,
                        "--report: this program was built without the page; install Node 18 or "
                        "later with npm, and build it again with -DFRACAS_VIEWER=ON");
    int code = try_page(run->page);
    if (code != CLI_DONE) return code;
    const double load = find_load();
    bool json;
    char** command = make_command(run, &json);
    output out = {0};
    fflush(stdout);
    code = capture(run->path, command, &out);
    out.text = cli_grow(out.text, out.size + 1, 1);
    out.text[out.size] = 0;
    // Wrong results are worth a page; bad usage and missing data print nothing.
    if ((code == CLI_DONE || code == CLI_BAD_INPUT) && out.size > 0) {
        const bool wanted = !json || has_argument(run->arguments, "--json");
        if (wanted) fwrite(out.text, 1, out.size, stdout);
        const int written = write_page(run, command, &out, code, json, load);
        if (written != CLI_DONE) code = written;
        if (written == CLI_DONE && !has_argument(run->arguments, "--json"))
            printf("report written to %s\n", run->page);
        if (fflush(stdout) != 0)
            code = cli_fail(CLI_BAD_INPUT, "the output could not be written completely");
    }
    free(out.text);
    free(command);
    return code;
}
