/// @file write_spheres.c  Write the spheres of a medial mesh as JSON or YAML, with the numbers that
/// say how well they cover the surface. 17 significant digits determine a double.
#include "write_spheres.h"
#include "options.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool cli_has_ending(const char* path, const char* ending) {
    const size_t length = strlen(path), width = strlen(ending);
    return length > width && strcmp(path + length - width, ending) == 0;
}

cli_spheres_format cli_spheres_format_of(const char* path) {
    if (cli_has_ending(path, ".json")) return CLI_SPHERES_JSON;
    return cli_has_ending(path, ".yaml") || cli_has_ending(path, ".yml") ? CLI_SPHERES_YAML
                                                                         : CLI_SPHERES_NONE;
}

// JSON and YAML differ in brackets and quotes only.
static void write(FILE* file, bool json, const fracas_medial_view* view,
                  const fracas_medial_mesh_info* info) {
    const char *quote = json ? "\"" : "", *comma = json ? "," : "";
    fputs(json ? "{\n" : "", file);
    const struct {
        const char* name;
        double value;
    } numbers[] = {
        {"surface_covered", info->surface_covered },
        {"volume_covered",  info->volume_covered  },
        {"protrusion",      info->protrusion      },
        {"largest_gap",     info->from_surface.max},
        {"diagonal",        info->diagonal        },
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(file, "%s%s%s: %.17g%s\n", quote, numbers[i].name, quote, numbers[i].value, comma);
    fprintf(file, "%sspheres%s:%s\n", quote, quote, json ? " [" : "");
    for (uint32_t v = 0; v < view->sphere_count; v++) {
        const fracas_medial_sphere* s = &view->spheres[v];
        fprintf(file, "%s%scenter%s: [%.17g, %.17g, %.17g], %sradius%s: %.17g}%s\n",
                json ? "{" : "- {", quote, quote, s->center[0], s->center[1], s->center[2], quote,
                quote, s->radius, v + 1 < view->sphere_count ? comma : "");
    }
    fputs(json ? "]\n}\n" : "", file);
}

int cli_write_spheres(const char* path, cli_spheres_format format, const fracas_medial_view* view,
                      const fracas_medial_mesh_info* info) {
    FILE* file = fopen(path, "wb");
    if (!file) return cli_fail(CLI_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
    write(file, format == CLI_SPHERES_JSON, view, info);
    const bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed) return CLI_DONE;
    const int code = cli_fail(CLI_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
    struct stat about;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) remove(path);
    return code;
}
