/// @file report.h  The results of all steps, as a table or as JSON.
#pragma once
#include "contacts.h"

typedef struct cli_times {
    double read, update, cull, traverse, narrow,
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
    bool restart;
    bool misses_counted;
    cli_counts counts;
    double earliest_toi;  ///< infinity: none
    cli_times ms;
} cli_step;

typedef struct cli_summary {
    cli_counts counts;
    uint64_t all_contacts, restarts;
    cli_times ms;
} cli_summary;

double cli_no_impact(void);  ///< for cli_step.earliest_toi

cli_summary cli_summarise(const cli_step* steps, uint32_t count);

/// A row is printed after each step, so the width of the names is determined before the first.
typedef struct cli_table {
    int name_width;
    bool header_printed;
    bool volumes;  ///< columns for vertices in tetrahedra
} cli_table;

void cli_table_fit(cli_table* table, const char* const* from, uint32_t from_count,
                   const char* const* to, uint32_t to_count);  ///< widen for the names of a step
void cli_table_row(cli_table* table, uint32_t number, const cli_step* step);
/// Print the totals. `input` says what ms.read is the time of.
void cli_table_end(const cli_step* steps, uint32_t count, const char* out, const char* input);

void cli_report_json(const char* mode, const cli_step* steps, uint32_t count);
