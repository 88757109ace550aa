/// @file page_private.h  The parts of a report, for page.c and page_write.c.
#pragma once
#include "page.h"
#include "page_trees.h"

struct cli_page {
    const char* path;
    double megabytes;
    uint32_t planned_steps;
    cli_page_meshes meshes;
    cli_page_contacts* steps;
    cli_page_trees* trees;  // by step
    cli_page_tree_state tree_state;
    uint32_t step_count, step_capacity;
    cli_page_mesh_info* infos;
    uint32_t info_count;
    uint32_t described;  ///< the topology that `infos` ends with, plus 1
};

/// The name of the file while it is written. The caller frees it.
char* cli_page_unfinished(const char* path);

/// The page around the data: what is before and after it. Made from viewer/ by CMake.
extern const unsigned char cli_page_begin[], cli_page_end[];
extern const unsigned long cli_page_begin_size, cli_page_end_size;

/// The same of the page of `fracas bench --report`.
extern const unsigned char cli_bench_page_begin[], cli_bench_page_end[];
extern const unsigned long cli_bench_page_begin_size, cli_bench_page_end_size;
