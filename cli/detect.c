/// @file detect.c  `fracas detect`: contacts in the user's meshes, at frames and between them.
#include "commands.h"
#include "frames.h"
#include "session.h"
#include "track.h"
#include "volumes.h"
#include <stdlib.h>

// A sequence of frames, and the bodies of the current frame.
typedef struct sequence {
    cli_session* session;
    cli_frame* frames;
    int count;
    cli_track* tracks;  // one per file of the current frame
    cli_body* bodies;
    uint32_t body_count;
} sequence;

static void free_bodies(sequence* s) {
    for (uint32_t f = 0; f < s->body_count; f++) cli_track_free(&s->tracks[f]);
    free(s->tracks);
    free(s->bodies);
    s->tracks = NULL, s->bodies = NULL, s->body_count = 0;
}

// ---- from one frame to the next

// Begin with an empty scene and add the bodies of `frame`.
static int start(sequence* s, const cli_frame* frame, uint32_t modes) {
    free_bodies(s);
    s->tracks = cli_allocate(frame->file_count, sizeof *s->tracks);
    s->bodies = cli_allocate(frame->file_count, sizeof *s->bodies);
    cli_progress_phase(&s->session->progress, CLI_ADDING);
    int code = cli_session_restart(s->session, modes);
    if (code != CLI_DONE) return code;
    for (; s->body_count < frame->file_count; s->body_count++) {
        fracas_status status = cli_track_add(&s->tracks[s->body_count], s->session->scene,
                                             frame->files[s->body_count]);
        if (status != FRACAS_OK) return cli_fail_status(s->session->context, status);
    }
    return CLI_DONE;
}

// Triangulate moved polygons as in the frame before, independent of their new shape.
static int keep_diagonals(sequence* s, const cli_frame* before, const cli_frame* now) {
    for (uint32_t f = 0; f < now->file_count; f++) {
        if (before->files[f] == now->files[f] ||
            cli_file_relation(before->files[f], now->files[f]) != CLI_SAME)
            continue;
        fracas_status status = fracas_mesh_file_triangulate_like(now->files[f], before->files[f]);
        if (status != FRACAS_OK) return cli_fail_status(s->session->context, status);
    }
    return CLI_DONE;
}

// Cut and move the bodies to the next frame.
static int follow(sequence* s, const cli_frame* before, const cli_frame* now, uint64_t* edits) {
    cli_session* session = s->session;
    fracas_status status = fracas_scene_advance(session->scene);
    for (uint32_t f = 0; status == FRACAS_OK && f < now->file_count; f++) {
        if (cli_file_relation(before->files[f], now->files[f]) == CLI_CUT) {
            int code =
                cli_track_cut(&s->tracks[f], session->scene, session->context, before->files[f],
                              now->files[f], before->paths[f], now->paths[f], edits);
            if (code != CLI_DONE) return code;
        }
        status = cli_track_move(&s->tracks[f], session->scene, now->files[f]);
    }
    return status == FRACAS_OK ? CLI_DONE : cli_fail_status(session->context, status);
}

// ---- steps

// Detect contacts and report them as one step.
static int step(sequence* s, const cli_frame* from, const cli_frame* to, uint32_t modes,
                cli_step* step) {
    step->from = from->paths, step->from_count = from->file_count;
    step->to = to->paths, step->to_count = to->file_count;
    step->frame = (uint32_t)(to - s->frames);
    step->counts.vertices = to->vertices;
    step->counts.edges = to->edges;
    step->counts.triangles = to->triangles;
    for (uint32_t f = 0; f < to->file_count; f++)
        s->bodies[f] = cli_track_body(&s->tracks[f], to->files[f]);
    return cli_session_step(s->session, modes, s->bodies, s->body_count, step);
}

// Load the next frame and check the step to it. `carried` is time to add to the step.
static int next_frame(sequence* s, int k, const cli_times* carried) {
    const cli_settings* settings = &s->session->settings;
    cli_frame *before = &s->frames[k - 1], *now = &s->frames[k];
    fracas_mesh_file_options options = cli_settings_read(settings);
    int code = cli_frame_load(now, s->session->context, &options, before, &s->session->progress);
    if (code != CLI_DONE) return code;
    if (!settings->surface && cli_volumes_in(now))
        return cli_fail(
            CLI_BAD_USAGE,
            "%s has tetrahedra, but the frame before has none: volumes and surfaces are "
            "not checked together; --surface checks all of them as surfaces",
            now->paths[0]);
    cli_relation relation = cli_frame_relation(before, now);
    uint32_t modes = cli_mode_bits(settings->mode);
    cli_step next = {
        .restart = relation == CLI_RESTART,
        .ms = {.read = carried->read + now->ms_read, .update = carried->update}
    };
    if (!next.restart) code = keep_diagonals(s, before, now);
    double begin = cli_clock_ms();
    if (code == CLI_DONE) {
        // After a restart the frame is checked by itself; later steps may need all modes.
        code = next.restart ? start(s, now, modes | FRACAS_MODE_DISCRETE)
                            : follow(s, before, now, &next.counts.edits);
    }
    next.ms.update += cli_clock_ms() - begin;
    if (code != CLI_DONE) return code;
    code = step(s, before, now, next.restart ? FRACAS_MODE_DISCRETE : modes, &next);
    cli_frame_unload(before);
    return code;
}

static int run_surfaces(sequence* s) {
    cli_frame* frame = &s->frames[0];
    uint32_t modes = cli_mode_bits(s->session->settings.mode);
    if (s->session->settings.first_at_rest) modes |= FRACAS_MODE_DISCRETE;
    double begin = cli_clock_ms();
    int code = start(s, frame, modes);
    // The first frame is a step in discrete mode; otherwise its time is added to the next step.
    cli_step first = {.ms.read = frame->ms_read, .ms.update = cli_clock_ms() - begin};
    cli_times carried = {0};
    if (!(modes & FRACAS_MODE_DISCRETE))
        carried = first.ms;
    else if (code == CLI_DONE)
        code = step(s, frame, frame, FRACAS_MODE_DISCRETE, &first);
    for (int k = 1; k < s->count && code == CLI_DONE; k++) {
        code = next_frame(s, k, &carried);
        carried = (cli_times){0};
    }
    free_bodies(s);
    return code;
}

// The content of the first frame determines whether volumes or surfaces are checked.
static int run_frames(sequence* s) {
    const cli_settings* settings = &s->session->settings;
    fracas_mesh_file_options options = cli_settings_read(settings);
    int code =
        cli_frame_load(&s->frames[0], s->session->context, &options, NULL, &s->session->progress);
    if (code != CLI_DONE) return code;
    bool volumes = cli_volumes_in(&s->frames[0]);
    if (settings->surface && !volumes)
        return cli_fail(CLI_BAD_USAGE, "--surface is for volumes, but no file of the first frame "
                                       "has tetrahedra");
    if (settings->depth && (settings->surface || !volumes))
        return cli_fail(CLI_BAD_USAGE, "--depth is for vertices in tetrahedra, which are not "
                                       "checked here");
    return volumes && !settings->surface ? cli_volumes_run(s->session, s->frames, s->count)
                                         : run_surfaces(s);
}

// Open a session, check all frames and close it.
static int run(const cli_settings* settings, const cli_frames* frames) {
    cli_session session;
    sequence s = {.session = &session, .frames = frames->data, .count = frames->count};
    // Continuous alone: one step less than frames.
    const bool first = settings->mode != CLI_CONTINUOUS || settings->first_at_rest;
    int code = cli_session_open(&session, settings, (uint32_t)frames->count - !first);
    session.bodies = (const char* const*)frames->bodies;
    session.body_count = frames->body_count;
    for (int k = 0; k < s.count; k++) {
        const cli_frame *from = &s.frames[k ? k - 1 : 0], *to = &s.frames[k];
        cli_rows_fit(&session.rows, from->paths, from->file_count, to->paths, to->file_count);
    }
    if (code == CLI_DONE) code = run_frames(&s);
    // The meshes must be destroyed before the context of the session.
    for (int k = 0; k < s.count; k++) cli_frame_unload(&s.frames[k]);
    return cli_session_close(&session, code);
}

// ---- the command

static const char notes[] =
    "A FRAME is one file, or several joined by '+', each a body of its own: surfaces (OBJ, PLY, "
    "STL,\n"
    "OFF) or volumes of tetrahedra (Gmsh .msh, VTK .vtk and .vtu, TetGen .node or .ele, Medit "
    ".mesh).\n"
    "A folder or a quoted pattern ('cloth_*.ply') is all its files, frame 9 before frame 10; - is\n"
    "standard input. --body 'cloth_*.ply' --body ball.ply gives each body files of its own, or "
    "one\n"
    "file if it stands still.\n"
    "Volumes are checked at every frame for vertices in tetrahedra; --surface takes their surface "
    "for\n"
    "triangles, which are checked as any others:\n\n"
    "One frame is checked for triangles that intersect (discrete). Several are a motion: each "
    "step\n"
    "is checked for everything that touches on the way from one frame to the next (continuous),\n"
    "and the first frame by itself (--mode continuous leaves that out).\n"
    "--mode discrete checks every frame by itself, one step a frame. --mode both checks the way "
    "and\n"
    "the end of every step; the first frame, which no step ends at, is a step of its own before.\n"
    "A frame with other faces than the one before restarts the sequence and is checked by itself,\n"
    "unless it is a PLY file with 'int parent' for its vertices: then the change is a "
    "cut.\n\n" CLI_CULL_NOTES "\n\n"
    "exit codes: 0 done, 1 bad input, 2 bad usage, 3 contacts found (--fail-on-contact),\n"
    "            4 no memory or internal fault, 130 cancelled";

// Check what was given, and set defaults.
static int check(cli_settings* settings, int frame_count) {
    if (frame_count == 1 && settings->mode == CLI_CONTINUOUS)
        return cli_fail(CLI_BAD_USAGE, "--mode continuous needs two frames or more; give the frame "
                                       "that this one moves to, or --mode discrete");
    settings->mode_given = settings->mode != CLI_MODE_UNSET;
    settings->first_at_rest = !settings->mode_given && frame_count > 1;
    if (!settings->mode_given) settings->mode = frame_count == 1 ? CLI_DISCRETE : CLI_CONTINUOUS;
    return cli_settings_check(settings);
}

static int parse_and_run(const cli_command* command, int argc, char** argv, cli_settings* settings,
                         const cli_list* bodies) {
    int count;
    int code = cli_parse(command, argc, argv, &count);
    if (code != CLI_GO_ON) return code;
    if (count == 0 && bodies->count == 0)
        return cli_fail(CLI_BAD_USAGE, "no FRAME given; e.g. fracas detect a.ply b.ply");
    cli_frames frames;
    code = cli_frames_parse(count, argv, bodies, &frames);
    if (code != CLI_DONE) return code;
    code = check(settings, frames.count);
    if (code == CLI_GO_ON) code = run(settings, &frames);
    cli_frames_free(&frames);
    return code;
}

int cli_detect(int argc, char** argv) {
    cli_settings settings = cli_settings_default();
    cli_list bodies = {0};
    enum { OWN = 3 };
    cli_option options[OWN + CLI_SETTINGS_OPTIONS] = {
        {"body",    CLI_LIST, "FILES", &bodies,
         "a body with a sequence of its own: a pattern, folder or file"},
        {"surface", CLI_FLAG, NULL,    &settings.surface,
         "volumes: check their surface, as triangles"                  },
        {"depth",   CLI_FLAG, NULL,    &settings.depth,
         "volumes: how deep vertices are, and which way out"           }
    };
    cli_settings_options(&settings, options + OWN);
    const cli_command command = {"detect",
                                 "FRAME... [options]",
                                 "Finds every contact in meshes that stand, move or break.",
                                 options,
                                 OWN + CLI_SETTINGS_OPTIONS,
                                 notes};
    const int code = parse_and_run(&command, argc, argv, &settings, &bodies);
    cli_list_free(&bodies);
    cli_settings_free(&settings);
    return code;
}
