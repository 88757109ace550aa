/// @file device_emulated.c  The device on the host: a loop over warps, each a loop over lanes
/// (lanes.h). For tests where there is no GPU.
#include "base/clock.h"
#include "cuda/device.h"
#include <string.h>

enum { WARPS = 3 };  // that divide the work of a stage between them

// In front of each allocation: those of a device are a list.
typedef struct block {
    struct block *next, *previous;
    size_t size;
    size_t unused;  // the memory behind it is aligned to 32 bytes
} block;

struct frc_device {
    fracas_context* context;
    block blocks;                       // the head of the list
    unsigned char work[FRC_MOST_WORK];  // as on a GPU, where a graph runs it
    size_t work_size;
    uint64_t captures;
};

fracas_status frc_device_open(fracas_context* context, const fracas_cuda_options* options,
                              frc_device** out) {
    if (options->device != 0)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "there is no CUDA device %u: this build emulates one, number 0",
                        options->device);
    frc_device* device = frc_allocate_zero(context, sizeof *device);
    if (!device) return frc_fail_memory(context, sizeof *device);
    device->context = context;
    device->blocks.next = device->blocks.previous = &device->blocks;
    *out = device;
    return FRACAS_OK;
}

void frc_device_close(frc_device* device) {
    if (device) frc_release(device->context, device, sizeof *device);
}

const char* frc_device_name(const frc_device* device) {
    (void)device;
    return "emulated";
}

uint32_t frc_device_exact_threads(const frc_device* device) {
    (void)device;
    return 32;
}

uint32_t frc_device_warps(const frc_device* device) {
    (void)device;
    return WARPS;
}

// Memory of a GPU is not zero either.
void* frc_device_allocate_host(frc_device* device, size_t size) {
    void* memory = frc_allocate(device->context, size);
    if (memory) memset(memory, 0xA5, size);
    return memory;
}

void frc_device_release_host(frc_device* device, void* memory, size_t size) {
    frc_release(device->context, memory, size);
}

void* frc_device_allocate(frc_device* device, size_t size) {
    block* b = frc_device_allocate_host(device, sizeof *b + size);
    if (!b) return NULL;
    *b = (block){device->blocks.next, &device->blocks, size, 0};
    b->next->previous = b->previous->next = b;
    return b + 1;
}

void frc_device_release(frc_device* device, void* memory, size_t size) {
    block* b = memory;
    if (!memory) return;
    b--;
    b->next->previous = b->previous;
    b->previous->next = b->next;
    frc_device_release_host(device, b, sizeof *b + size);
}

bool frc_device_can_read(frc_device* device, const void* memory, size_t size) {
    const uintptr_t at = (uintptr_t)memory;
    for (const block* b = device->blocks.next; b != &device->blocks; b = b->next)
        if (at >= (uintptr_t)(b + 1) && at + size <= (uintptr_t)(b + 1) + b->size) return true;
    return false;
}

bool frc_device_follow(frc_device* device, void* stream) {
    (void)device, (void)stream;
    return true;
}

bool frc_device_upload(frc_device* device, void* to, const void* from, size_t size) {
    (void)device;
    if (size) memcpy(to, from, size);
    return true;
}

bool frc_device_download(frc_device* device, void* to, const void* from, size_t size) {
    return frc_device_upload(device, to, from, size);
}

bool frc_device_wait(frc_device* device) {
    (void)device;
    return true;
}

bool frc_device_patch(frc_device* device, const frc_patches* patches) {
    (void)device;
    for (uint32_t warp = WARPS; warp-- > 0;) frc_patch_arrays(patches, warp, WARPS);
    return true;
}

_Static_assert(sizeof(frc_step) * 6 <= FRC_MOST_WORK, "room for the steps of a query");

typedef void stage_fn(const frc_step* step, uint32_t warp, uint32_t warps);

// Warps run in any order on a GPU; here the last one is the first.
static void run_stage(const frc_step* s, int stage) {
#define STAGE_FUNCTION(name) frc_stage_##name,
    static stage_fn* const stages[FRC_STAGE_COUNT] = {FRC_STAGES(STAGE_FUNCTION)};
#undef STAGE_FUNCTION
    for (uint32_t warp = s->stages >> stage & 1 ? WARPS : 0; warp-- > 0;)
        stages[stage](s, warp, WARPS);
}

static void run_step(const frc_step* s) {
    memset(s->counts, 0, s->cleared);
    for (int stage = 0; stage < FRC_STAGE_COUNT; stage++) run_stage(s, stage);
    memcpy(s->host_counts, s->counts, FRC_STEP_COUNTS * sizeof *s->counts);
}

// Branches run at the same time on a GPU; here the last one is the first.
static bool run_steps(frc_device* device, const void* work, size_t size) {
    const frc_step* steps = work;
    (void)device;
    for (uint32_t branch = FRC_BRANCHES; branch-- > 0;)
        for (size_t i = 0; i < size / sizeof *steps; i++)
            if (steps[i].branch == branch) run_step(&steps[i]);
    return true;
}

bool frc_device_run(frc_device* device, const frc_step* steps, uint32_t count) {
    return frc_device_run_graph(device, run_steps, steps, count * sizeof *steps);
}

// Counts where a graph would be captured.
bool frc_device_run_graph(frc_device* device, frc_launch_fn* launch, const void* work,
                          size_t size) {
    if (size != device->work_size || memcmp(device->work, work, size) != 0) {
        memcpy(device->work, work, size);
        device->work_size = size;
        device->captures++;
    }
    return launch(device, work, size);
}

uint64_t frc_device_captures(const frc_device* device) { return device->captures; }

bool frc_device_time(frc_device* device, const frc_step* step, double us[FRC_STAGE_COUNT]) {
    (void)device;
    memset(step->counts, 0, step->cleared);
    for (int stage = 0; stage < FRC_STAGE_COUNT; stage++) {
        const double begin = frc_clock_ms();
        run_stage(step, stage);
        us[stage] = step->stages >> stage & 1 ? 1e3 * (frc_clock_ms() - begin) : 0;
    }
    return true;
}

bool frc_device_run_motion(frc_device* device, frc_motion_stage stage, const frc_motion* motion) {
#define MOTION_FUNCTION(name) frc_motion_##name,
    static void (*const stages[])(const frc_motion*, uint32_t,
                                  uint32_t) = {FRC_MOTION_STAGES(MOTION_FUNCTION)};
#undef MOTION_FUNCTION
    (void)device;
    for (uint32_t warp = WARPS; warp-- > 0;) stages[stage](motion, warp, WARPS);
    return true;
}

const char* frc_device_error(const frc_device* device) {
    (void)device;
    return "no error";
}
