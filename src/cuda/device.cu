/// @file device.cu  The device by CUDA: one kernel for each stage, in order on one stream.
#include "cuda/device.h"
#include "cuda/lanes.h"
#include <cuda_runtime.h>
#include <cstdlib>

namespace {

const unsigned THREADS = FRC_BLOCK_WARPS * FRC_WARP;  // of a block

typedef void kernel_fn(const __grid_constant__ frc_step step);
#define STAGE_NAME(name) frc_run_##name,
kernel_fn* const KERNELS[FRC_STAGE_COUNT] = {FRC_STAGES(STAGE_NAME)};
#undef STAGE_NAME

}  // namespace

struct frc_device {
    fracas_context* context;
    int number;
    unsigned cores, blocks[FRC_STAGE_COUNT];  // of the grid: as many blocks as run at once
    cudaStream_t stream;
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
    return true;
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
        !size_grids(device, &properties) ||
        !check(device, cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking))) {
        const fracas_status status =
            frc_fail(context, FRACAS_ERROR_UNSUPPORTED, "CUDA device %d cannot be used: %s",
                     device->number, cudaGetErrorString(device->error));
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
    if (select_device(device)) cudaStreamDestroy(device->stream);
    frc_release(device->context, device, sizeof *device);
}

const char* frc_device_name(const frc_device* device) { return device->name; }

uint32_t frc_device_exact_threads(const frc_device* device) { return device->cores * 32; }

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
    return select_device(device) &&
           check(device,
                 cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToHost, device->stream)) &&
           check(device, cudaStreamSynchronize(device->stream));
}

bool frc_device_clear(frc_device* device, void* memory, size_t size) {
    return select_device(device) &&
           check(device, cudaMemsetAsync(memory, 0, size, device->stream));
}

bool frc_device_run(frc_device* device, frc_stage stage, const frc_step* step) {
    if (!select_device(device)) return false;
    KERNELS[stage]<<<device->blocks[stage], THREADS, 0, device->stream>>>(*step);
    return check(device, cudaGetLastError());
}

const char* frc_device_error(const frc_device* device) { return cudaGetErrorString(device->error); }
