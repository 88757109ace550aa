/// @file run.h  `fracas bench cuda`: a scene on the CPU and the same scene on a device, which get
/// the same edits. Every query must find the same contacts on both, bit for bit, else the program
/// exits.
#pragma once
#include "cuda/stage_times.h"
#include "fracas/cuda.h"
#include "fracas/io.h"
#include <stdio.h>

typedef struct cuda_settings {
    const char *device, *data, *only;  ///< only: one scene; NULL: all
    uint32_t repetitions, size, frames, threads, modes;
    bool json, kernels;
} cuda_settings;

typedef struct cuda_bench {
    cuda_settings settings;
    fracas_context* context;
    fracas_cuda_context* cuda;
    uint32_t rows;  ///< printed since the last title
} cuda_bench;

/// Exit with the message of the context if a call has failed.
void cuda_must(const cuda_bench* bench, fracas_status status, const char* what);

// ---- a scene on both

enum { CUDA_CPU, CUDA_GPU, CUDA_SIDES };

/// What is measured of each query. Records are contacts as the device has them, on the host.
typedef enum cuda_time {
    CUDA_MS_CPU_UPDATE,
    CUDA_MS_CPU,
    CUDA_MS_UPDATE,
    CUDA_MS_DEVICE,   ///< stages on the device
    CUDA_MS_RECORDS,  ///< with the upload of positions, and the download
    CUDA_MS_GPU,      ///< the whole call
    CUDA_TIMES
} cuda_time;

/// Of a step that takes contacts as records (records.c).
typedef enum cuda_record_time {
    CUDA_RECORD_MOVE,  ///< with the upload of positions
    CUDA_RECORD_UPDATE,
    CUDA_RECORD_DETECT,
    CUDA_RECORD_WHOLE,
    CUDA_RECORD_TIMES
} cuda_record_time;

typedef struct cuda_pair {
    const cuda_bench* bench;
    const char* name;
    fracas_scene* scene[CUDA_SIDES];
    fracas_contacts* contacts[CUDA_SIDES];
    double* ms[CUDA_TIMES];                  ///< of each query
    double record_ms[2][CUDA_RECORD_TIMES];  ///< medians, by fracas_cuda_place
    uint32_t queries, capacity;
    frc_stage_time kernels[FRC_MOST_STAGE_TIMES];  ///< with --kernels: of the last query
    double* kernel_us[FRC_MOST_STAGE_TIMES];       ///< of each query
    uint32_t kernel_count, kernel_queries;
    uint64_t contact_count, hash;  ///< of all queries since cuda_pair_restart
    fracas_cuda_statistics work;   ///< of the last query
    uint64_t candidates, filtered, quick, roots, on_host;  ///< of all
} cuda_pair;

void cuda_pair_open(cuda_pair* pair, const cuda_bench* bench, const char* name);
void cuda_pair_close(cuda_pair* pair);

/// Update both scenes and run a query in them. @return the number of contacts
size_t cuda_pair_query(cuda_pair* pair, const fracas_query* query);

// ---- output

/// The title of a table, or the key of a list of JSON. After its rows: cuda_end.
void cuda_begin(cuda_bench* bench, const char* mode, const char* what);
/// Medians over all queries but the first `warm` of them.
void cuda_row(cuda_bench* bench, cuda_pair* pair, uint32_t warm);
void cuda_end(cuda_bench* bench);

// ---- records (records.c)

/// Repeat a step with positions of the host, and take the contacts as records, on the device and
/// then on the host. The last query of the pair was the same on the CPU.
void cuda_records_measure(cuda_pair* pair, const fracas_cuda_move* move, const fracas_query* query);
/// Two lines of medians; with --json two keys of the row. Nothing if nothing was measured.
void cuda_records_print(const cuda_pair* pair);

// ---- kernels (kernels.c)

/// With --kernels: measure those of the query that has just run.
void cuda_kernels_measure(cuda_pair* pair);
/// A table of medians over all queries but the first `warm`; with --json a key of the row.
void cuda_kernels_print(const cuda_pair* pair, uint32_t warm);

// ---- modes

/// Is a scene among those that are wanted?
bool cuda_wanted(const cuda_bench* bench, const char* name);

void cuda_frames(cuda_bench* bench);   ///< one step between frames of the test data, repeated
void cuda_scenes(cuda_bench* bench);   ///< built-in scenes with their edits
void cuda_queries(cuda_bench* bench);  ///< published queries with known truth
void cuda_edits(cuda_bench* bench);    ///< whole frames of scenes that break, frame by frame
void cuda_copies(cuda_bench* bench);   ///< millions of triangles
void cuda_poses(cuda_bench* bench);    ///< likewise, of rigid bodies
extern const char* const cuda_scene_names[];  ///< ends with NULL
