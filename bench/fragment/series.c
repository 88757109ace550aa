/// @file series.c  What happens in each step of a scene: Figs. 5 and 12 of Glondu et al.
#include "fragment/kit.h"
#include "rigid/rigid_scenes.h"
#include <math.h>

enum { ROWS = 12, AFTER = 5 };

typedef struct row {
    rigid_step_info info;
    uint64_t colliding;  // all contacts
    double deepest;      // of them
} row;

static double total_ms(const rigid_step_info* s) {
    return s->ms_detect + s->ms_solve + s->ms_fracture;
}

// NULL: the check of the contacts failed.
static row* run(const bench_settings* settings, const rigid_scene* scene) {
    rigid_options options = rigid_scene_options(scene, settings->context);
    char message[200] = "";
    const rigid_setup setup = {.message = message, .message_size = sizeof message};
    rigid_run* r;
    bench_need(settings, rigid_run_create(scene, &options, &setup, &r), scene->name);
    row* rows = bench_memory(calloc(scene->steps, sizeof *rows));
    for (uint32_t i = 0; i < scene->steps; i++) {
        bench_need(settings, rigid_run_step(scene, r, &rows[i].info), scene->name);
        // The poses are still those of the step's query; but a body that broke is replaced.
        const bench_contacts all = bench_find_all(settings, rigid_fragments(r->world));
        rows[i].colliding = rows[i].info.broken && i > 0 ? rows[i - 1].colliding : all.count;
        rows[i].deepest = all.deepest;
    }
    printf("\n  %s, %u steps\n", scene->name, scene->steps);
    const bool same = bench_check_all(settings, rigid_fragments(r->world));
    rigid_run_destroy(r);
    if (same) return rows;
    free(rows);
    return NULL;
}

static void write_rows(FILE* out, const rigid_scene* scene, const row* rows) {
    if (!out) return;
    for (uint32_t i = 0; i < scene->steps; i++) {
        const rigid_step_info* s = &rows[i].info;
        fprintf(out, "%s,%u,%u,%u,%llu,%llu,%llu,%.6f,%.4f,%.4f,%.4f,%.4f\n", scene->name, i,
                s->bodies, s->broken, (unsigned long long)s->found.contacts,
                (unsigned long long)rows[i].colliding, (unsigned long long)s->found.pairs,
                rows[i].deepest, s->ms_detect, s->ms_solve, s->ms_fracture, s->ms_update);
    }
}

static FILE* open_rows(const bench_settings* settings) {
    FILE* out = bench_open_csv(settings);
    if (out)
        fprintf(out, "scene,step,bodies,broken,contacts,colliding,pairs,deepest,detect_ms,solve_ms,"
                     "fracture_ms,update_ms\n");
    return out;
}

// ---- Fig. 12

// One line for some steps.
static void print_interval(const row* rows, uint32_t begin, uint32_t end) {
    double contacts = 0, colliding = 0, pairs = 0, detect = 0, solve = 0;
    double most = 0, most_fracture = 0, most_total = 0;
    uint32_t broken = 0;
    for (uint32_t i = begin; i < end; i++) {
        const rigid_step_info* s = &rows[i].info;
        contacts += (double)s->found.contacts / (end - begin);
        colliding += (double)rows[i].colliding / (end - begin);
        pairs += (double)s->found.pairs / (end - begin);
        detect += s->ms_detect / (end - begin);
        solve += s->ms_solve / (end - begin);
        broken += s->broken;
        most = fmax(most, s->ms_detect);
        most_fracture = fmax(most_fracture, s->ms_fracture);
        most_total = fmax(most_total, total_ms(s));
    }
    printf("  %4u-%-4u %6u %6u %8.0f %9.0f %6.0f %8.2f %8.2f %8.2f %8.2f %8.2f\n", begin, end - 1,
           rows[end - 1].info.bodies, broken, contacts, colliding, pairs, detect, most, solve,
           most_fracture, most_total);
}

// Does detection have spikes when something breaks? Its largest time in the few steps after a
// fracture, and its mean.
static void print_spikes(const rigid_scene* scene, const row* rows) {
    double most = 0, mean = 0;
    uint32_t since = AFTER;  // steps
    for (uint32_t i = 0; i < scene->steps; i++) {
        const rigid_step_info* s = &rows[i].info;
        mean += s->ms_detect / scene->steps;
        if (since < AFTER) most = fmax(most, s->ms_detect);
        since = s->broken ? 0 : since + 1;
    }
    printf(
        "  detection in the %d steps after a fracture takes at most %.1f ms, %.1f times the mean\n",
        AFTER, most, most / mean);
}

bool bench_steps(const bench_settings* settings) {
    static const char* const names[] = {"drop-bunnies", "bricks"};
    printf("steps: Fig. 12 of Glondu et al.: contacts selected and all, pairs of bodies with "
           "overlapping boxes, means; times in ms\nof the wall clock: detection, mean and largest; "
           "ODE; fracture with the choice of its cells, largest; all three,\nlargest. Published: "
           "detection grows steadily with the number of bodies; no noticeable spikes at fractures; "
           "peaks\nof the whole step come from fractures.\n");
    FILE* out = open_rows(settings);
    bool passed = true;
    for (int n = 0; n < 2 && passed; n++) {
        const rigid_scene* scene = rigid_scenes_find(names[n]);
        row* rows = run(settings, scene);
        passed = rows != NULL;
        if (!rows) break;
        printf("  %-9s %6s %6s %8s %9s %6s %8s %8s %8s %8s %8s\n", "steps", "bodies", "broken",
               "contacts", "colliding", "pairs", "detect", "largest", "ODE", "fracture", "step");
        for (uint32_t r = 0; r < ROWS; r++)
            print_interval(rows, scene->steps * r / ROWS, scene->steps * (r + 1) / ROWS);
        print_spikes(scene, rows);
        write_rows(out, scene, rows);
        free(rows);
    }
    if (out) fclose(out);
    return passed;
}

// ---- Fig. 5

bool bench_rolling(const bench_settings* settings) {
    const rigid_scene* scene = rigid_scenes_find("rolling-plate");
    printf("rolling: Fig. 5 of Glondu et al.: contacts of a rolling plate, selected (adaptive) and "
           "all. Published, 5 392 triangles:\nat most 6, and 128.\n");
    row* rows = run(settings, scene);
    if (!rows) return false;
    printf("  %-9s %9s %9s %9s %9s %11s\n", "steps", "selected", "largest", "all", "largest",
           "deepest mm");
    uint64_t most = 0, most_all = 0;
    for (uint32_t r = 0; r < ROWS; r++) {
        const uint32_t begin = scene->steps * r / ROWS, end = scene->steps * (r + 1) / ROWS;
        uint64_t selected = 0, all = 0, most_here = 0, most_all_here = 0;
        double deepest = 0;
        for (uint32_t i = begin; i < end; i++) {
            const uint64_t contacts = rows[i].info.found.contacts;
            selected += contacts;
            all += rows[i].colliding;
            if (contacts > most_here) most_here = contacts;
            if (rows[i].colliding > most_all_here) most_all_here = rows[i].colliding;
            deepest = fmax(deepest, rows[i].deepest);
        }
        printf("  %4u-%-4u %9.1f %9llu %9.1f %9llu %11.2f\n", begin, end - 1,
               (double)selected / (end - begin), (unsigned long long)most_here,
               (double)all / (end - begin), (unsigned long long)most_all_here, 1e3 * deepest);
        if (most_here > most) most = most_here;
        if (most_all_here > most_all) most_all = most_all_here;
    }
    printf("  at most %llu selected contacts, %llu in all\n", (unsigned long long)most,
           (unsigned long long)most_all);
    FILE* out = open_rows(settings);
    write_rows(out, scene, rows);
    if (out) fclose(out);
    free(rows);
    return true;
}
