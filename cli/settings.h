/// @file settings.h  The options that `detect` and `scene` share.
#pragma once
#include "fracas/contact.h"
#include "fracas/io.h"
#include "fracas/published.h"
#include "fracas/scene.h"
#include "options.h"

typedef enum cli_mode { CLI_MODE_UNSET = -1, CLI_DISCRETE, CLI_CONTINUOUS, CLI_BOTH } cli_mode;

typedef struct cli_settings {
    int mode;  ///< a cli_mode, as listed in the option
    uint32_t threads;
    double min_separation, tolerance;
    bool first, json, fail_on_contact, quiet, verbose, no_inside;
    int weld;      ///< 0 exact, 1 none; -1: the default of the format
    int siblings;  ///< as fracas_siblings
    int cull;      ///< as listed in the option
    bool count_misses;
    int filter;     ///< as fracas_published_filter
    int scheduler;  ///< as fracas_published_scheduler
    int broad;      ///< as fracas_published_broad
    double cell_size;
    const char* device;  ///< of --device
    cli_list out;
    const char* report;   ///< the page to write, or NULL
    double report_size;   ///< megabytes
    bool surface, depth;  ///< of `detect`, for volumes
    bool mode_given;      ///< --mode is on the command line
    bool first_at_rest;   ///< continuous: the first frame is checked by itself, too
} cli_settings;

/// Part of the notes of both commands.
#define CLI_CULL_NOTES                                                                             \
    "--cull certificate and none find the same contacts. The other modes are published methods\n"  \
    "that are UNSOUND: they miss contacts, and are here to be compared with (--count-misses)."

// In the order of fracas_published_cull.
#define CLI_CULL_MODES                                                                             \
    "certificate|none|normal-cone|normal-cone+boundary-contour|normal-cone+contour|dual-cone|"     \
    "dual-cone-front"

enum { CLI_SETTINGS_OPTIONS = 22 };

cli_settings cli_settings_default(void);

/// Set `options` to the shared options, with targets in `settings`.
void cli_settings_options(cli_settings* settings, cli_option options[CLI_SETTINGS_OPTIONS]);

void cli_settings_free(cli_settings* settings);

/// Check the combination of options. @return CLI_GO_ON or CLI_BAD_USAGE.
int cli_settings_check(const cli_settings* settings);

const char* cli_cull_name(int cull);  ///< NULL: there is no such number
const char* cli_mode_name(int mode);
uint32_t
cli_mode_bits(int mode);  ///< FRACAS_MODE_DISCRETE, FRACAS_MODE_CONTINUOUS or FRACAS_MODE_BOTH
fracas_mesh_file_options cli_settings_read(const cli_settings* settings);
fracas_published_scene_options cli_settings_scene(const cli_settings* settings, uint32_t modes);
fracas_published_query cli_settings_query(const cli_settings* settings, uint32_t modes);
