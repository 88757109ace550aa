/// @file report.h  The results of all steps: an answer in words and tables, or JSON.
#pragma once
#include "contacts.h"
#include "fracas/cuda.h"
#include "pairs.h"
#include <stdio.h>

typedef struct cli_times {
    double read, update, cull, traverse, narrow, inside,
        total;  ///< milliseconds; total does not include read
} cli_times;

typedef struct cli_counts {
    uint64_t edits, vertices, edges, triangles, tets;
    uint64_t contacts[CLI_KINDS];
    uint64_t places, crossing;  ///< of tt and et
    uint64_t siblings_left_out;
    uint64_t cull_tried, cull_certified;  ///< parts of bodies
    uint64_t missed;                      ///< contacts that culling missed
} cli_counts;

typedef struct cli_step {
    const char *const *from, *const *to;  ///< names of files; not owned
    uint32_t from_count, to_count;
    uint32_t frame;  ///< number of the frame that it ends at
    bool moves;      ///< it checks the way from the frame before, not only the frame
    bool restart;
    bool misses_counted;
    cli_counts counts;
    double earliest_toi;  ///< infinity: none
    cli_times ms;
    bool on_device;
    fracas_cuda_statistics device;  ///< of the query, if it was on a device
} cli_step;

typedef struct cli_summary {
    cli_counts counts;
    uint64_t all_contacts, restarts;
    cli_times ms;
    fracas_cuda_statistics device;
} cli_summary;

double cli_no_impact(void);  ///< for cli_step.earliest_toi

uint64_t cli_step_contacts(const cli_step* step);  ///< of all kinds
cli_summary cli_summarise(const cli_step* steps, uint32_t count);

/// The results of a run, for the answer, the tables and the page.
typedef struct cli_results {
    const cli_step* steps;
    uint32_t count;
    const cli_pairs* pairs;
    const char* const* bodies;  ///< names; NULL: they have none, only numbers
    uint32_t body_count;
    const char* input;  ///< what ms.read is the time of: "reading"
    const char* mode;
    const char* device;  ///< its name, "cpu", or NULL: not to be said
    bool points;         ///< contacts are points of rigid bodies, not vertices in tetrahedra
} cli_results;

enum { CLI_ANSWER = 1024 };

/// What was found, in one sentence; longer ones are cut. @return `text`
const char* cli_answer(const cli_results* results, char text[CLI_ANSWER]);

/// Tables of steps and of pairs of bodies, as wide as the terminal, without what is the same
/// everywhere; then the totals.
void cli_report_tables(const cli_results* results);
void cli_report_totals(const cli_results* results);

/// The row of a step with --verbose: all numbers, printed at once. The header comes first, so the
/// width of the names is determined before the first row.
typedef struct cli_rows {
    int name_width;
    bool header_printed;
    bool volumes;  ///< columns for vertices in tetrahedra
} cli_rows;

void cli_rows_fit(cli_rows* rows, const char* const* from, uint32_t from_count,
                  const char* const* to, uint32_t to_count);  ///< widen for the names of a step
void cli_rows_print(cli_rows* rows, uint32_t number, const cli_step* step);

void cli_report_json(FILE* file, const cli_results* results);
void cli_json_string(FILE* file, const char* text);  ///< with quotes, for a file name
