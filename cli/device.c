/// @file device.c  --device: scenes on the CPU, on a GPU, or on the emulated device of tests.
#include "device.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EMULATED "emulated"

// "cuda" or "cuda:N"; false: another name.
static bool parse_cuda(const char* device, uint32_t* number) {
    *number = 0;
    if (strncmp(device, "cuda", 4) != 0) return false;
    if (!device[4]) return true;
    if (device[4] != ':' || device[5] < '0' || device[5] > '9') return false;
    char* end;
    const unsigned long value = strtoul(device + 5, &end, 10);
    *number = value < 1u << 16 ? (uint32_t)value : 1u << 16;  // no machine has so many
    return !*end;
}

int cli_device_check(const char* device) {
    uint32_t number;
    if (strcmp(device, "cpu") == 0 || strcmp(device, EMULATED) == 0 || parse_cuda(device, &number))
        return CLI_GO_ON;
    return cli_fail(CLI_BAD_USAGE, "--device is '%s'; it takes cpu, cuda, or cuda:N for GPU N",
                    device);
}

static int fail_open(const fracas_context* context, const char* device, fracas_status status) {
    char message[1024];
    if (status == FRACAS_ERROR_OUT_OF_MEMORY) return cli_fail_status(context, status);
    fracas_context_get_message(context, message, sizeof message);
    return cli_fail(CLI_BAD_USAGE, "--device %s: %s; without --device the CPU finds the same",
                    device, message);
}

int cli_device_open(cli_device* out, fracas_context* context, const char* device) {
    *out = (cli_device){NULL, "cpu"};
    if (strcmp(device, "cpu") == 0) return CLI_DONE;
    fracas_cuda_options options = fracas_cuda_default_options();
    parse_cuda(device, &options.device);
    const fracas_status status = fracas_cuda_context_create(context, &options, &out->cuda);
    if (status != FRACAS_OK) return fail_open(context, device, status);
    out->name = fracas_cuda_context_get_name(out->cuda);
    // A program has one kind of device, and is not to be mistaken about it.
    const bool emulated = strcmp(out->name, EMULATED) == 0;
    if (emulated == (strcmp(device, EMULATED) == 0)) return CLI_DONE;
    cli_device_close(out);
    return emulated ? cli_fail(CLI_BAD_USAGE,
                               "--device %s: this program was built for tests, and has the device "
                               "'" EMULATED "' in place of a GPU",
                               device)
                    : cli_fail(CLI_BAD_USAGE, "--device " EMULATED ": only programs built for "
                                              "tests have it; --device cuda is the GPU");
}

void cli_device_close(cli_device* device) {
    fracas_cuda_context_destroy(device->cuda);
    *device = (cli_device){NULL, "cpu"};
}

void cli_device_add(fracas_cuda_statistics* sum, const fracas_cuda_statistics* more) {
    sum->candidates += more->candidates;
    sum->filtered += more->filtered;
    sum->undecided_quick += more->undecided_quick;
    sum->undecided_roots += more->undecided_roots;
    sum->decided_on_host += more->decided_on_host;
    sum->hits += more->hits;
    sum->repeats += more->repeats;
    sum->unordered += more->unordered;
    sum->uploaded_bytes += more->uploaded_bytes;
    sum->changed_clusters += more->changed_clusters;
    if (more->device_bytes > sum->device_bytes) sum->device_bytes = more->device_bytes;
    sum->ms_upload += more->ms_upload;
    sum->ms_device += more->ms_device;
    sum->ms_download += more->ms_download;
    sum->ms_host += more->ms_host;
}

void cli_device_say(const fracas_cuda_statistics* s, char* text, size_t capacity) {
    snprintf(text, capacity,
             "%" PRIu64 " pairs, %" PRIu64 " left by filters, %" PRIu64 " by quick roots, %" PRIu64
             " by roots, %" PRIu64 " decided on the host; %.1f MB; upload %.2f ms, device %.2f ms, "
             "download %.2f ms, host %.2f ms",
             s->candidates, s->filtered, s->undecided_quick, s->undecided_roots, s->decided_on_host,
             (double)s->device_bytes * 1e-6, s->ms_upload, s->ms_device, s->ms_download,
             s->ms_host);
}
