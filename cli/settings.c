/// @file settings.c  The options that `detect` and `scene` share.
#include "settings.h"
#include "device.h"
#include "page.h"
#include "writer.h"
#include <string.h>

cli_settings cli_settings_default(void) {
    return (cli_settings){.mode = CLI_MODE_UNSET,
                          .tolerance = fracas_scene_default_query().tolerance,
                          .weld = -1,
                          .report_size = 50,
                          .device = "cpu",
                          .siblings = FRACAS_SIBLINGS_UNTIL_SEPARATED};
}

void cli_settings_options(cli_settings* s, cli_option options[CLI_SETTINGS_OPTIONS]) {
    const cli_option shared[CLI_SETTINGS_OPTIONS] = {
        {"mode",            CLI_CHOICE, "discrete|continuous|both",            &s->mode,
         "at the frames, between them, or both"                                                                                                },
        {"threads",         CLI_COUNT,  "N",                                   &s->threads,         "threads to use; 0 (default): one per core"},
        {"min-separation",  CLI_NUMBER, "D",                                   &s->min_separation,
         "continuous: also what comes within this distance"                                                                                    },
        {"first",           CLI_FLAG,   NULL,                                  &s->first,           "only the first contact of every step"     },
        {"no-inside",       CLI_FLAG,   NULL,                                  &s->no_inside,       "do not look for bodies inside others"     },
        {"tolerance",       CLI_NUMBER, "T",                                   &s->tolerance,
         "how early a time of impact may be, in steps (default 1e-6)"                                                                          },
        {"weld",            CLI_CHOICE, "exact|none",                          &s->weld,
         "join points at equal positions (default: STL only)"                                                                                  },
        {"siblings",        CLI_CHOICE, "until-separated|report|ignore",       &s->siblings,
         "pairs that a crack has just parted (default until-separated)"                                                                        },
        {"out",             CLI_LIST,   "FILE",                                &s->out,
         "write the contacts (.jsonl .csv .vtk .vtp), or with the meshes (.pvd .ply)"                                                          },
        {"json",            CLI_FLAG,   NULL,                                  &s->json,            "print the summary as JSON"                },
        {"fail-on-contact", CLI_FLAG,   NULL,                                  &s->fail_on_contact, "exit 3 when a contact was found"          },
        {"verbose",         CLI_FLAG,   NULL,                                  &s->verbose,
         "print every step with all numbers, as it is done"                                                                                    },
        {"quiet",           CLI_FLAG,   NULL,                                  &s->quiet,           "print no answer and no progress"          },
        {"cull",            CLI_CHOICE, CLI_CULL_MODES,                        &s->cull,
         "what is left out of self-collision (see below; default certificate)"                                                                 },
        {"count-misses",    CLI_FLAG,   NULL,                                  &s->count_misses,
         "also detect without culling and say how many contacts were missed"                                                                   },
        {"filter",          CLI_CHOICE, "all|non-penetration|none",            &s->filter,
         "continuous: what comes before the exact decision; same contacts (default all)"                                                       },
        {"scheduler",       CLI_CHOICE, "steal|pccd|pccd-disjoint|pccd-front", &s->scheduler,
         "how work is dealt to threads; same contacts (default steal)"                                                                         },
        {"broad",           CLI_CHOICE, "tree|hash",                           &s->broad,
         "how pairs are found: trees, or spatial hashing; same contacts (default tree)"                                                        },
        {"cell-size",       CLI_NUMBER, "S",                                   &s->cell_size,
         "--broad hash: edge of the cells (default 0: chosen from the triangles)"                                                              },
        {"device",          CLI_TEXT,   "cpu|cuda",                            &s->device,
         "where pairs are found and decided (default cpu); cuda:1 is another GPU"                                                              },
        {"report",          CLI_TEXT,   "PAGE.html",                           &s->report,
         "write a page with meshes, contacts and times, for a browser"                                                                         },
        {"report-size",     CLI_NUMBER, "MB",                                  &s->report_size,
         "the largest size of the page (default 50)"                                                                                           }
    };
    memcpy(options, shared, sizeof shared);
}

void cli_settings_free(cli_settings* settings) { cli_list_free(&settings->out); }

// Scenes on a device have no trees.
static int check_device(const cli_settings* settings) {
    const struct {
        bool given;
        const char* name;
    } others[] = {
        {settings->cull > 1,       "cull"        }, // 0 and 1: certificate and none
        {settings->count_misses,   "count-misses"},
        {settings->broad != 0,     "broad"       },
        {settings->scheduler != 0, "scheduler"   }
    };
    const int code = cli_device_check(settings->device);
    if (code != CLI_GO_ON || strcmp(settings->device, "cpu") == 0) return code;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].given)
            return cli_fail(CLI_BAD_USAGE, "--%s is for trees on the CPU: leave out --device",
                            others[i].name);
    return CLI_GO_ON;
}

int cli_settings_check(const cli_settings* settings) {
    if (settings->min_separation > 0 && settings->mode == CLI_DISCRETE)
        return cli_fail(CLI_BAD_USAGE,
                        "--min-separation is for continuous detection; for one frame at rest give "
                        "it twice: fracas detect --min-separation D FRAME FRAME");
    if (settings->tolerance <= 0 || settings->tolerance > 1)
        return cli_fail(CLI_BAD_USAGE, "--tolerance is %g; it takes a number above 0, at most 1",
                        settings->tolerance);
    if (settings->cell_size != 0 && settings->broad != FRACAS_PUBLISHED_BROAD_HASH)
        return cli_fail(CLI_BAD_USAGE, "--cell-size is for --broad hash");
    for (size_t i = 0; i < settings->out.count; i++) {
        if (!cli_writer_format_of(settings->out.data[i]))
            return cli_fail(CLI_BAD_USAGE,
                            "--out is '%s'; the name has to end in " CLI_WRITER_ENDINGS,
                            settings->out.data[i]);
        if (settings->json && strcmp(settings->out.data[i], "-") == 0)
            return cli_fail(CLI_BAD_USAGE, "--json and --out - both print JSON on stdout; give "
                                           "--out a file name");
    }
    if (check_device(settings) != CLI_GO_ON) return CLI_BAD_USAGE;
    if (settings->report && !cli_page_is_built())
        return cli_fail(CLI_BAD_USAGE,
                        "--report: this program was built without the page; install Node 18 or "
                        "later with npm, and build it again with -DFRACAS_VIEWER=ON");
    if (settings->report_size < 1 || settings->report_size > 2000)
        return cli_fail(CLI_BAD_USAGE, "--report-size is %g; it takes 1 to 2000 megabytes",
                        settings->report_size);
    return CLI_GO_ON;
}

const char* cli_cull_name(int cull) {
    // As in CLI_CULL_MODES.
    static const char* const names[] = {
        "certificate",         "none",      "normal-cone",    "normal-cone+boundary-contour",
        "normal-cone+contour", "dual-cone", "dual-cone-front"};
    return cull >= 0 && cull < (int)(sizeof names / sizeof *names) ? names[cull] : NULL;
}

const char* cli_mode_name(int mode) {
    static const char* const names[] = {"discrete", "continuous", "both"};
    return names[mode];
}

uint32_t cli_mode_bits(int mode) {
    static const uint32_t bits[] = {FRACAS_MODE_DISCRETE, FRACAS_MODE_CONTINUOUS, FRACAS_MODE_BOTH};
    return bits[mode];
}

fracas_mesh_file_options cli_settings_read(const cli_settings* settings) {
    fracas_mesh_file_options options = fracas_mesh_file_default_options();
    if (settings->weld >= 0)
        options.weld = settings->weld == 0 ? FRACAS_WELD_EXACT : FRACAS_WELD_NONE;
    options.surface = settings->surface;
    return options;
}

fracas_published_scene_options cli_settings_scene(const cli_settings* settings, uint32_t modes) {
    fracas_published_scene_options options = fracas_published_scene_default_options();
    options.scene.modes = modes;
    options.cull = (fracas_published_cull)settings->cull;
    options.broad = (fracas_published_broad)settings->broad;
    options.cell_size = settings->cell_size;
    options.scheduler = (fracas_published_scheduler)settings->scheduler;
    return options;
}

fracas_published_query cli_settings_query(const cli_settings* settings, uint32_t modes) {
    fracas_published_query query = fracas_published_scene_default_query();
    query.query.modes = modes;
    query.query.first = settings->first;
    query.query.siblings = (fracas_siblings)settings->siblings;
    query.query.tolerance = settings->tolerance;
    query.query.min_separation = modes & FRACAS_MODE_CONTINUOUS ? settings->min_separation : 0;
    query.filter = (fracas_published_filter)settings->filter;
    return query;
}
