/// @file scene.c  `fracas scene`: run a built-in scene and detect on every frame.
#include "commands.h"
#include "medial_scene.h"
#include "rigid.h"
#include "scenes.h"
#include "session.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct scene_arguments {
    cli_settings settings;
    const scenes_scene* scene;
    uint32_t frames;
    scenes_options options;
    const char* folder;  // to write frames to; NULL: none
} scene_arguments;

typedef struct scene_run {
    const scene_arguments* arguments;
    cli_session* session;
    void* scene;   // of the scene's own type
    char** names;  // of all frames
} scene_run;

// Make the names of all frames, which are paths if frames are written.
static void name_frames(scene_run* run) {
    const scene_arguments* arguments = run->arguments;
    run->names = cli_allocate((size_t)arguments->frames + 1, sizeof *run->names);
    for (uint32_t k = 0; k <= arguments->frames; k++) {
        size_t capacity = (arguments->folder ? strlen(arguments->folder) : 0) + 64;
        char* name = cli_allocate(capacity, 1);
        if (arguments->folder)
            snprintf(name, capacity, "%s/%s-%06u.ply", arguments->folder, arguments->scene->name,
                     k);
        else
            snprintf(name, capacity, "%s-%06u", arguments->scene->name, k);
        run->names[k] = name;
        const char* const* to = (const char* const*)&run->names[k];
        cli_rows_fit(&run->session->rows, k ? to - 1 : to, 1, to, 1);
    }
}

// ---- steps

// Write the frame `to` and detect there. `step` has the edits and times of the step already.
static int detect(scene_run* run, uint32_t from, uint32_t to, uint32_t modes, cli_step* step) {
    scenes_state state = run->arguments->scene->state(run->scene);
    step->from = (const char* const*)&run->names[from], step->from_count = 1;
    step->to = (const char* const*)&run->names[to], step->to_count = 1;
    step->frame = to;
    fracas_context* context = run->session->context;
    fracas_status status = FRACAS_OK;
    if (run->arguments->folder)
        status = fracas_ply_write(context, run->names[to], &state.mesh, state.vertex_parents,
                                  state.triangle_parents);
    fracas_mesh_info info;
    if (status == FRACAS_OK) status = fracas_mesh_describe(context, &state.mesh, &info);
    if (status != FRACAS_OK) return cli_fail_status(context, status);
    step->counts.vertices = info.vertices;
    step->counts.edges = info.edges;
    step->counts.triangles = info.triangles;
    if (!modes) return CLI_DONE;
    cli_body* bodies = cli_allocate(state.body_count, sizeof *bodies);
    for (uint32_t b = 0; b < state.body_count; b++) {
        bodies[b].handle = state.bodies[b];
        if (!state.maps) continue;
        bodies[b].vertices = state.maps[b].vertices;
        bodies[b].triangles = state.maps[b].triangles;
    }
    int code = cli_session_step(run->session, modes, bodies, state.body_count, step);
    free(bodies);
    return code;
}

// Create the scene and detect on the first frame.
static int begin(scene_run* run) {
    const scene_arguments* arguments = run->arguments;
    uint32_t modes = cli_mode_bits(arguments->settings.mode);
    if (arguments->folder && mkdir(arguments->folder, 0777) != 0 && errno != EEXIST)
        return cli_fail(CLI_BAD_INPUT, "%s: cannot be made: %s", arguments->folder,
                        strerror(errno));
    int code = cli_session_restart(run->session, modes);
    if (code != CLI_DONE) return code;
    char message[512] = "";
    scenes_options options = arguments->options;
    options.context = run->session->context;
    options.message = message;
    options.message_size = sizeof message;
    double start = cli_clock_ms();
    cli_progress_phase(&run->session->progress, CLI_ADDING);
    fracas_status status = arguments->scene->create(run->session->scene, &options, &run->scene);
    if (status != FRACAS_OK && *message) return cli_fail(CLI_BAD_INPUT, "%s", message);
    if (status != FRACAS_OK) return cli_fail_status(run->session->context, status);
    cli_step first = {.ms.update = cli_clock_ms() - start};
    return detect(run, 0, 0, modes & FRACAS_MODE_DISCRETE, &first);
}

// Advance the scene by one frame and detect.
static int next(scene_run* run, uint32_t frame) {
    cli_session* session = run->session;
    size_t count = 0;
    const fracas_contact* found = fracas_contacts_get_data(session->contacts, &count);
    cli_step step = {0};
    double start = cli_clock_ms();
    fracas_status status = fracas_scene_advance(session->scene);
    if (status == FRACAS_OK)
        status = run->arguments->scene->step(run->scene, found, count, &step.counts.edits);
    if (status != FRACAS_OK) return cli_fail_status(session->context, status);
    // The time of the scene itself counts like reading files: it is not in the total.
    step.ms.update = run->arguments->scene->state(run->scene).ms_edits;
    step.ms.read = cli_clock_ms() - start - step.ms.update;
    return detect(run, frame - 1, frame, cli_mode_bits(session->settings.mode), &step);
}

static int run_scene(const scene_arguments* arguments) {
    cli_session session;
    scene_run run = {.arguments = arguments, .session = &session};
    // In discrete mode the first frame is a step, too.
    uint32_t steps = arguments->frames + (arguments->settings.mode != CLI_CONTINUOUS);
    int code = cli_session_open(&session, &arguments->settings, steps);
    session.input = "the scene itself";
    session.title = arguments->scene->name;
    name_frames(&run);
    if (code == CLI_DONE) code = begin(&run);
    for (uint32_t k = 1; k <= arguments->frames && code == CLI_DONE; k++) code = next(&run, k);
    arguments->scene->destroy(run.scene);
    const char* folder = code == CLI_DONE && !session.settings.json && !session.settings.quiet
                             ? arguments->folder
                             : NULL;
    code = cli_session_close(&session, code);
    if (folder) printf("frames written to %s\n", folder);
    for (uint32_t k = 0; k <= arguments->frames; k++) free(run.names[k]);
    free(run.names);
    return code;
}

// ---- the command

// Check the arguments and set defaults.
static int check(scene_arguments* arguments, int count, char** names) {
    if (count > 1)
        return cli_fail(CLI_BAD_USAGE, "one scene at a time; '%s' is one too many", names[1]);
    arguments->scene = scenes_find(names[0]);
    if (!arguments->scene) {
        size_t scene_count;
        const scenes_scene* const* scenes = scenes_list(&scene_count);
        const char** known = cli_allocate(scene_count, sizeof *known);
        for (size_t i = 0; i < scene_count; i++) known[i] = scenes[i]->name;
        const char* near = cli_nearest(names[0], known, scene_count, sizeof *known);
        free(known);
        if (near)
            return cli_fail(CLI_BAD_USAGE, "no scene '%s'; did you mean '%s'?", names[0], near);
        return cli_fail(CLI_BAD_USAGE, "no scene '%s'; 'fracas scene' lists them", names[0]);
    }
    if (arguments->options.mesh && !arguments->scene->takes_mesh)
        return cli_fail(CLI_BAD_USAGE, "scene '%s' takes no --mesh", names[0]);
    if (arguments->options.pre_cut && !arguments->scene->takes_pre_cut)
        return cli_fail(CLI_BAD_USAGE, "scene '%s' takes no --pre-cut", names[0]);
    if (arguments->frames == 0)
        arguments->frames = scenes_frames(arguments->scene, &arguments->options);
    if (arguments->frames > 999999)
        return cli_fail(CLI_BAD_USAGE, "--frames is %u; it takes 999999 at most",
                        arguments->frames);
    if (arguments->settings.mode == CLI_MODE_UNSET) arguments->settings.mode = CLI_CONTINUOUS;
    return cli_settings_check(&arguments->settings);
}

static const char notes[] =
    "Without a NAME it lists the scenes. --write makes one PLY file a frame, with 'int parent' "
    "for\n"
    "vertices and faces, so that 'fracas detect DIR/*.ply' finds the same contacts. --frames N\n"
    "makes N steps, which are N + 1 files. --mode discrete and both also check the first frame,\n"
    "before anything has moved.\n\n" CLI_CULL_NOTES;

static void list_scenes(void) {
    size_t scene_count;
    const scenes_scene* const* scenes = scenes_list(&scene_count);
    puts("scenes:");
    for (size_t i = 0; i < scene_count; i++)
        printf("  %-16s  %s (%u triangles, %u frames)\n", scenes[i]->name, scenes[i]->description,
               scenes[i]->size, scenes[i]->frames);
    cli_rigid_list();
    cli_medial_list();
}

int cli_scene(int argc, char** argv) {
    for (int i = 1; i < argc; i++)
        if (cli_rigid_is_scene(argv[i])) return cli_rigid_scene(argc, argv);
    for (int i = 1; i < argc; i++)
        if (cli_medial_is_scene(argv[i])) return cli_medial_scene(argc, argv);
    scene_arguments arguments = {.settings = cli_settings_default()};
    enum { OWN = 5 };
    scenes_options* own = &arguments.options;
    cli_option options[OWN + CLI_SETTINGS_OPTIONS] = {
        {"frames",  CLI_COUNT, "N",    &arguments.frames, "how many steps (default: the whole story)"},
        {"size",    CLI_COUNT, "N",    &own->size,        "about how many triangles"                 },
        {"write",   CLI_TEXT,  "DIR",  &arguments.folder, "write every frame as a PLY file"          },
        {"mesh",    CLI_TEXT,  "FILE", &own->mesh,        "exploding-dragon: break this closed mesh" },
        {"pre-cut", CLI_FLAG,  NULL,   &own->pre_cut,     "exploding-dragon: cut before it begins"   }
    };
    cli_settings_options(&arguments.settings, options + OWN);
    const cli_command command = {
        "scene", "[NAME] [options]",         "Runs a built-in scene, detecting on every frame.",
        options, OWN + CLI_SETTINGS_OPTIONS, notes};
    int count;
    int code = cli_parse(&command, argc, argv, &count);
    if (code == CLI_GO_ON && count == 0) {
        list_scenes();
        code = CLI_DONE;
    }
    if (code == CLI_GO_ON) code = check(&arguments, count, argv);
    if (code == CLI_GO_ON) code = run_scene(&arguments);
    cli_settings_free(&arguments.settings);
    return code;
}
