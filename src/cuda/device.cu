/// @file device.cu  The device by CUDA: one kernel for each stage.
///
/// The stages of all steps are one CUDA graph, with a branch for each stream. Graphs of the last
/// queries are kept: one is captured when a step has changed, which happens when lists grow, or for
/// another kind of query.
#include "cuda/device.h"
#include "cuda/device_stream.cuh"
#include "cuda/lanes.h"
#include <cuda_runtime.h>
#include <cstring>

namespace {

const unsigned THREADS = FRC_BLOCK_WARPS * FRC_WARP;  // of a block
const uint32_t GRAPHS = 4;

typedef void kernel_fn(const __grid_constant__ frc_step step);
#define STAGE_NAME(name) frc_run_stage_##name,
kernel_fn* const KERNELS[FRC_STAGE_COUNT] = {FRC_STAGES(STAGE_NAME)};
#undef STAGE_NAME

__global__ void __launch_bounds__(THREADS) run_patches(frc_patches patches) {
    frc_patch_arrays(&patches, (blockIdx.x * blockDim.x + threadIdx.x) / FRC_WARP,
                     gridDim.x * blockDim.x / FRC_WARP);
}

}  // namespace

// A graph that runs `work`; `run` is NULL: none.
struct kept_graph {
    cudaGraphExec_t run;
    unsigned char work[FRC_MOST_WORK];
    size_t size;
};

struct frc_device {
    fracas_context* context;
    int number;
    unsigned cores, blocks[FRC_STAGE_COUNT];  // of the grid: as many blocks as run at once
    cudaStream_t stream, branches[FRC_BRANCHES];
    cudaEvent_t begun, ended[FRC_BRANCHES];
    kept_graph graphs[GRAPHS];
    uint32_t oldest;  // of the graphs
    uint64_t captures;
    cudaError_t error;
    char name[256];
};

// False and the error, if there is one. The device is that of the calling thread only until it
// calls CUDA for another.
static bool check(frc_device* device, cudaError_t error) {
    if (error != cudaSuccess) device->error = error;
    return error == cudaSuccess;
}

static bool select_device(frc_device* device) {
    return check(device, cudaSetDevice(device->number));
}

static bool size_grids(frc_device* device, const cudaDeviceProp* properties) {
    device->cores = (unsigned)properties->multiProcessorCount;
    for (int k = 0; k < FRC_STAGE_COUNT; k++) {
        int count = 0;
        if (!check(device, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, KERNELS[k],
                                                                         (int)THREADS, 0)))
            return false;
        device->blocks[k] = device->cores * (unsigned)(count > 0 ? count : 1);
    }
    // Few warps fill the bus, and leave room for the other branch.
    device->blocks[FRC_STAGE_send] = device->cores;
    // These two divide the bins in the same way.
    device->blocks[FRC_STAGE_bin_sums] = device->blocks[FRC_STAGE_bin_starts] = device->cores * 4;
    return true;
}

static bool create_streams(frc_device* device) {
    bool ok = check(device, cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking)) &&
              check(device, cudaEventCreateWithFlags(&device->begun, cudaEventDisableTiming));
    for (int i = 0; i < FRC_BRANCHES && ok; i++)
        ok = check(device,
                   cudaStreamCreateWithFlags(&device->branches[i], cudaStreamNonBlocking)) &&
             check(device, cudaEventCreateWithFlags(&device->ended[i], cudaEventDisableTiming));
    return ok;
}

static void destroy_streams(frc_device* device) {
    for (kept_graph& graph : device->graphs)
        if (graph.run) cudaGraphExecDestroy(graph.run);
    if (device->stream) cudaStreamDestroy(device->stream);
    if (device->begun) cudaEventDestroy(device->begun);
    for (int i = 0; i < FRC_BRANCHES; i++) {
        if (device->branches[i]) cudaStreamDestroy(device->branches[i]);
        if (device->ended[i]) cudaEventDestroy(device->ended[i]);
    }
}

fracas_status frc_device_open(fracas_context* context, const fracas_cuda_options* options,
                              frc_device** out) {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
        return frc_fail(context, FRACAS_ERROR_UNSUPPORTED, "there is no CUDA device: %s",
                        error != cudaSuccess ? cudaGetErrorString(error) : "none is installed");
    if (options->device >= (uint32_t)count)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "there is no CUDA device %u: there are %d", options->device, count);
    frc_device* device = static_cast<frc_device*>(frc_allocate_zero(context, sizeof *device));
    if (!device) return frc_fail_memory(context, sizeof *device);
    device->context = context;
    device->number = (int)options->device;
    cudaDeviceProp properties;
    if (!select_device(device) ||
        !check(device, cudaGetDeviceProperties(&properties, device->number)) ||
        !size_grids(device, &properties) || !create_streams(device)) {
        const fracas_status status =
            frc_fail(context, FRACAS_ERROR_UNSUPPORTED, "CUDA device %d cannot be used: %s",
                     device->number, cudaGetErrorString(device->error));
        destroy_streams(device);
        frc_release(context, device, sizeof *device);
        return status;
    }
    for (size_t i = 0; i + 1 < sizeof device->name && properties.name[i]; i++)
        device->name[i] = properties.name[i];
    *out = device;
    return FRACAS_OK;
}

void frc_device_close(frc_device* device) {
    if (!device) return;
    if (select_device(device)) destroy_streams(device);
    frc_release(device->context, device, sizeof *device);
}

const char* frc_device_name(const frc_device* device) { return device->name; }

uint32_t frc_device_exact_threads(const frc_device* device) { return device->cores * 32; }

uint32_t frc_device_warps(const frc_device* device) {
    return device->blocks[FRC_STAGE_bin_sums] * FRC_BLOCK_WARPS;
}

void* frc_device_allocate(frc_device* device, size_t size) {
    void* memory = nullptr;
    if (!select_device(device) || !check(device, cudaMalloc(&memory, size))) {
        cudaGetLastError();  // a failed allocation is no failure of later calls
        return nullptr;
    }
    return memory;
}

void frc_device_release(frc_device* device, void* memory, size_t size) {
    (void)size;
    if (memory && select_device(device)) cudaFree(memory);
}

void* frc_device_allocate_host(frc_device* device, size_t size) {
    void* memory = nullptr;
    if (!select_device(device) || !check(device, cudaMallocHost(&memory, size))) {
        cudaGetLastError();
        return nullptr;
    }
    return memory;
}

void frc_device_release_host(frc_device* device, void* memory, size_t size) {
    (void)size;
    if (memory && select_device(device)) cudaFreeHost(memory);
}

bool frc_device_upload(frc_device* device, void* to, const void* from, size_t size) {
    return select_device(device) && check(device, cudaMemcpyAsync(to, from, size,
                                                                  cudaMemcpyHostToDevice,
                                                                  device->stream));
}

bool frc_device_download(frc_device* device, void* to, const void* from, size_t size) {
    return select_device(device) && check(device, cudaMemcpyAsync(to, from, size,
                                                                  cudaMemcpyDeviceToHost,
                                                                  device->stream));
}

bool frc_device_patch(frc_device* device, const frc_patches* patches) {
    if (!select_device(device)) return false;
    run_patches<<<4 * device->cores, THREADS, 0, device->stream>>>(*patches);
    return check(device, cudaGetLastError());
}

bool frc_device_wait(frc_device* device) {
    return select_device(device) && check(device, cudaStreamSynchronize(device->stream));
}

// ---- stages

static bool launch_step(frc_device* device, const frc_step* s) {
    const cudaStream_t stream = device->branches[s->branch];
    bool ok = check(device, cudaMemsetAsync(s->counts, 0, s->cleared, stream));
    for (int stage = 0; stage < FRC_STAGE_COUNT && ok; stage++) {
        if (!(s->stages >> stage & 1)) continue;
        KERNELS[stage]<<<device->blocks[stage], THREADS, 0, stream>>>(*s);
        ok = check(device, cudaGetLastError());
    }
    return ok && check(device, cudaMemcpyAsync(s->host_counts, s->counts,
                                               FRC_STEP_COUNTS * sizeof *s->counts,
                                               cudaMemcpyDeviceToHost, stream));
}

// Stages that follow are in the queue of the device before the first one runs, so that the times
// between them are theirs and not those of launches.
__global__ void wait_for_launches() {
    const long long begin = clock64();
    while (clock64() - begin < 1000000) {
    }
}

static bool time_stages(frc_device* device, const frc_step* s, cudaEvent_t* events) {
    const cudaStream_t stream = device->stream;
    bool ok = check(device, cudaMemsetAsync(s->counts, 0, s->cleared, stream));
    wait_for_launches<<<1, 1, 0, stream>>>();
    ok = ok && check(device, cudaEventRecord(events[0], stream));
    for (int stage = 0; stage < FRC_STAGE_COUNT && ok; stage++) {
        if (s->stages >> stage & 1) KERNELS[stage]<<<device->blocks[stage], THREADS, 0, stream>>>(*s);
        ok = check(device, cudaGetLastError()) &&
             check(device, cudaEventRecord(events[stage + 1], stream));
    }
    return ok && check(device, cudaStreamSynchronize(stream));
}

bool frc_device_time(frc_device* device, const frc_step* step, double us[FRC_STAGE_COUNT]) {
    cudaEvent_t events[FRC_STAGE_COUNT + 1] = {};
    bool ok = select_device(device);
    for (int i = 0; i <= FRC_STAGE_COUNT && ok; i++) ok = check(device, cudaEventCreate(&events[i]));
    ok = ok && time_stages(device, step, events);
    for (int i = 0; i < FRC_STAGE_COUNT && ok; i++) {
        float ms = 0;
        ok = check(device, cudaEventElapsedTime(&ms, events[i], events[i + 1]));
        us[i] = step->stages >> i & 1 ? 1e3 * ms : 0;
    }
    for (int i = 0; i <= FRC_STAGE_COUNT; i++)
        if (events[i]) cudaEventDestroy(events[i]);
    return ok;
}

// All branches between two points of the stream of the device.
static bool launch_steps(frc_device* device, const void* work, size_t size) {
    const frc_step* steps = static_cast<const frc_step*>(work);
    bool ok = check(device, cudaEventRecord(device->begun, device->stream)), used[FRC_BRANCHES] = {};
    for (size_t i = 0; i < size / sizeof *steps && ok; i++) {
        const uint32_t branch = steps[i].branch;
        if (!used[branch])
            ok = check(device, cudaStreamWaitEvent(device->branches[branch], device->begun, 0));
        used[branch] = true;
        ok = ok && launch_step(device, &steps[i]);
    }
    for (int i = 0; i < FRC_BRANCHES && ok; i++)
        ok = !used[i] || (check(device, cudaEventRecord(device->ended[i], device->branches[i])) &&
                          check(device, cudaStreamWaitEvent(device->stream, device->ended[i], 0)));
    return ok;
}

bool frc_device_run(frc_device* device, const frc_step* steps, uint32_t count) {
    return frc_device_run_graph(device, launch_steps, steps, count * sizeof *steps);
}

// ---- graphs

static bool capture(frc_device* device, kept_graph* to, frc_launch_fn* launch, const void* work,
                    size_t size) {
    cudaGraph_t graph = nullptr;
    if (to->run) cudaGraphExecDestroy(to->run);
    to->run = nullptr;
    if (!check(device, cudaStreamBeginCapture(device->stream, cudaStreamCaptureModeThreadLocal)))
        return false;
    const bool launched = launch(device, work, size);
    const bool ended = check(device, cudaStreamEndCapture(device->stream, &graph));
    const bool ok = launched && ended && check(device, cudaGraphInstantiate(&to->run, graph, 0));
    if (graph) cudaGraphDestroy(graph);
    if (!ok) to->run = nullptr;
    memcpy(to->work, work, size);
    to->size = size;
    device->captures++;
    return ok;
}

bool frc_device_run_graph(frc_device* device, frc_launch_fn* launch, const void* work,
                          size_t size) {
    if (!select_device(device)) return false;
    kept_graph* graph = nullptr;
    for (kept_graph& kept : device->graphs)
        if (kept.run && kept.size == size && memcmp(kept.work, work, size) == 0) graph = &kept;
    if (!graph) {
        graph = &device->graphs[device->oldest];
        device->oldest = (device->oldest + 1) % GRAPHS;
        if (!capture(device, graph, launch, work, size)) return false;
    }
    return check(device, cudaGraphLaunch(graph->run, device->stream)) &&
           check(device, cudaStreamSynchronize(device->stream));
}

uint64_t frc_device_captures(const frc_device* device) { return device->captures; }

// ---- moves

typedef void motion_kernel_fn(const __grid_constant__ frc_motion motion);

bool frc_device_run_motion(frc_device* device, frc_motion_stage stage, const frc_motion* motion) {
#define MOTION_NAME(name) frc_run_motion_##name,
    static motion_kernel_fn* const kernels[] = {FRC_MOTION_STAGES(MOTION_NAME)};
#undef MOTION_NAME
    if (!select_device(device)) return false;
    kernels[stage]<<<device->cores * 8, THREADS, 0, device->stream>>>(*motion);
    return check(device, cudaGetLastError());
}

bool frc_device_follow(frc_device* device, void* stream) {
    return select_device(device) &&
           check(device, cudaEventRecord(device->begun, (cudaStream_t)stream)) &&
           check(device, cudaStreamWaitEvent(device->stream, device->begun, 0));
}

// Memory of the device, managed memory, or pinned memory of the host.
static bool can_read_byte(frc_device* device, const void* memory) {
    cudaPointerAttributes attributes;
    if (!select_device(device) || cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    return attributes.type == cudaMemoryTypeManaged ||
           (attributes.devicePointer &&
            (attributes.type == cudaMemoryTypeHost || attributes.device == device->number));
}

// CUDA tells where an allocation is mapped, which may be a little longer than it is.
bool frc_device_can_read(frc_device* device, const void* memory, size_t size) {
    const char* first = static_cast<const char*>(memory);
    return can_read_byte(device, first) && can_read_byte(device, first + size - 1);
}

// ---- stages of other files

bool frc_device_select(frc_device* device) { return select_device(device); }
bool frc_device_check(frc_device* device, cudaError_t error) { return check(device, error); }
cudaStream_t frc_device_stream(const frc_device* device) { return device->stream; }
unsigned frc_device_cores(const frc_device* device) { return device->cores; }

const char* frc_device_error(const frc_device* device) { return cudaGetErrorString(device->error); }
