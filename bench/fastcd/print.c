// Prints summaries as tables or JSON, and every frame as a line of a CSV file.
#include "fastcd/summary.h"
#include <inttypes.h>

const char* const fastcd_part_names[FASTCD_PARTS] = {"edit",     "update", "cull",
                                                     "traverse", "narrow", "rest"};

void fastcd_print(const fastcd_table* t) {
    printf("%s%s, %s: %u to %u triangles, %u frames, %u of them change the topology\n",
           t->scene->name, t->options.pre_cut ? " pre-cut" : "", fastcd_mode_name(t),
           t->frames[0].triangles, fastcd_last_triangles(t), t->frame_count, t->topology_frames);
    printf("  %-18s %8s %8s %7s %8s %8s %9s %7s %11s %11s %10s\n", "method", "ms/frame", "update",
           "cull", "query", "(edits)", "topology", "steady", "box tests", "candidates", "contacts");
    for (uint32_t m = 0; m < t->method_count; m++) {
        const fastcd_summary* s = &t->summaries[m];
        printf("  %-18s %8.2f %8.2f %7.2f %8.2f %8.2f %9.2f %7.2f %11.0f %11.0f %10.0f  ",
               t->methods[m]->name, s->mean, s->update, s->cull, s->detect, s->edit, s->topology,
               s->steady, s->box_pairs, s->candidates, s->contacts);
        if (s->equal)
            printf("equal\n");
        else
            printf("%" PRIu64 " missed\n", s->missed);
    }
    printf("\n");
}

// ---- details

static void print_shares(const fastcd_table* t, bool topology) {
    printf("  shares of %s, %%\n  %-18s %8s",
           topology ? "frames that change the topology" : "a frame", "method", "ms");
    for (int p = 0; p < FASTCD_PARTS; p++) printf(" %9s", fastcd_part_names[p]);
    printf("\n");
    for (uint32_t m = 0; m < t->method_count; m++) {
        const fastcd_summary* s = &t->summaries[m];
        const fastcd_shares* shares = topology ? &s->topology_shares : &s->shares;
        printf("  %-18s %8.2f", t->methods[m]->name, shares->ms);
        for (int p = 0; p < FASTCD_PARTS; p++) printf(" %9.1f", 100 * shares->part[p]);
        printf("\n");
    }
}

static void print_culled(const fastcd_table* t) {
    printf("  work avoided by culling, %%\n  %-18s %10s %10s  %s\n", "method", "box tests",
           "candidates", "compared with");
    for (uint32_t m = 0; m < t->method_count; m++) {
        const fastcd_summary* s = &t->summaries[m];
        if (t->methods[m]->cull == FRACAS_PUBLISHED_CULL_NONE) continue;
        printf("  %-18s %10.1f %10.1f  %s\n", t->methods[m]->name, 100 * s->culled_boxes,
               100 * s->culled_candidates, t->methods[s->against]->name);
    }
}

static double per_triangle(const fastcd_table* t, double bytes) {
    return bytes / fastcd_last_triangles(t);
}

static double bytes_per_node(const bench_memory* m) {
    double count = (double)(m->nodes + m->leaves);
    return count > 0 ? bench_memory_trees(m) / count : 0;
}

static void print_memory(const fastcd_table* t) {
    printf("  bytes after the last frame, per triangle unless marked as per node\n"
           "  %-18s %9s %9s %9s %7s %7s %7s %7s %7s %7s %7s\n",
           "method", "nodes", "leaves", "tree/node", "links", "boxes", "top", "culling", "upkeep",
           "all", "most");
    for (uint32_t m = 0; m < t->method_count; m++) {
        const fastcd_memory* a = &t->memory[m];
        const bench_memory* p = &a->parts;
        printf("  %-18s %9" PRIu64 " %9" PRIu64
               " %9.1f %7.1f %7.1f %7.1f %7.1f %7.1f %7.1f %7.1f\n",
               t->methods[m]->name, p->nodes, p->leaves, bytes_per_node(p),
               per_triangle(t, p->links), per_triangle(t, p->boxes), per_triangle(t, p->top),
               per_triangle(t, p->culling), per_triangle(t, p->upkeep),
               per_triangle(t, (double)a->live), per_triangle(t, (double)a->most));
    }
}

static void print_steady(const fastcd_table* t) {
    printf("  frames that change the topology: ms, median of the next five frames, ratio\n");
    for (uint32_t m = 0; m < t->method_count; m++) {
        const fastcd_frame* frames = fastcd_frames(t, m);
        printf("  %-18s", t->methods[m]->name);
        for (uint32_t f = 0; f < t->frame_count; f++) {
            if (!fastcd_is_topology_frame(&frames[f])) continue;
            double ms = fastcd_ms(&frames[f]), after = fastcd_after(t, m, f);
            printf("  [%u] %.2f / %.2f = %.2f", f + 1, ms, after, after > 0 ? ms / after : 0);
        }
        printf("\n");
    }
}

void fastcd_print_details(const fastcd_table* t) {
    print_shares(t, false);
    if (t->topology_frames) print_shares(t, true);
    print_culled(t);
    print_memory(t);
    if (t->topology_frames) print_steady(t);
    printf("\n");
}

// ---- JSON

static void json_shares(const char* name, const fastcd_shares* s) {
    printf(",\"%s\":", name);
    if (!(s->ms > 0)) {
        printf("null");
        return;
    }
    printf("{\"ms\":%.4f", s->ms);
    for (int p = 0; p < FASTCD_PARTS; p++) printf(",\"%s\":%.6f", fastcd_part_names[p], s->part[p]);
    printf("}");
}

static void json_steady(const fastcd_table* t, uint32_t method) {
    const fastcd_frame* frames = fastcd_frames(t, method);
    const char* separator = "";
    printf(",\"steady_frames\":[");
    for (uint32_t f = 0; f < t->frame_count; f++) {
        if (!fastcd_is_topology_frame(&frames[f])) continue;
        double ms = fastcd_ms(&frames[f]), after = fastcd_after(t, method, f);
        printf("%s{\"frame\":%u,\"edits\":%" PRIu64 ",\"ms\":%.4f,\"after_ms\":", separator, f + 1,
               frames[f].edits, ms);
        if (after > 0)
            printf("%.4f,\"ratio\":%.4f}", after, ms / after);
        else
            printf("null,\"ratio\":null}");
        separator = ",";
    }
    printf("]");
}

static void json_memory(const fastcd_table* t, const fastcd_memory* a) {
    const bench_memory* p = &a->parts;
    printf(",\"memory\":{\"nodes\":%" PRIu64 ",\"leaves\":%" PRIu64
           ",\"tree_bytes_per_node\":%.1f,\"tree_bytes_per_triangle\":%.1f"
           ",\"links\":%.1f,\"boxes\":%.1f,\"top\":%.1f,\"culling\":%.1f,\"upkeep\":%.1f"
           ",\"bytes_per_triangle\":%.1f,\"most_bytes_per_triangle\":%.1f}",
           p->nodes, p->leaves, bytes_per_node(p), per_triangle(t, bench_memory_trees(p)),
           per_triangle(t, p->links), per_triangle(t, p->boxes), per_triangle(t, p->top),
           per_triangle(t, p->culling), per_triangle(t, p->upkeep),
           per_triangle(t, (double)a->live), per_triangle(t, (double)a->most));
}

static void json_method(const fastcd_table* t, uint32_t m) {
    const fastcd_summary* s = &t->summaries[m];
    printf("{\"method\":\"%s\",\"mean_ms\":%.4f,\"edit_ms\":%.4f,\"update_ms\":%.4f,"
           "\"cull_ms\":%.4f,\"query_ms\":%.4f,\"traverse_ms\":%.4f,\"narrow_ms\":%.4f,"
           "\"topology_ms\":%.4f,\"steady\":%.4f,\"box_tests\":%.1f,\"candidates\":%.1f,"
           "\"contacts\":%.1f,\"missed\":%" PRIu64 ",\"equal\":%s",
           t->methods[m]->name, s->mean, s->edit, s->update, s->cull, s->detect, s->traverse,
           s->narrow, s->topology, s->steady, s->box_pairs, s->candidates, s->contacts, s->missed,
           s->equal ? "true" : "false");
    json_shares("shares", &s->shares);
    json_shares("topology_shares", &s->topology_shares);
    printf(",\"culled\":{\"against\":\"%s\",\"box_tests\":%.6f,\"candidates\":%.6f}",
           t->methods[s->against]->name, s->culled_boxes, s->culled_candidates);
    json_memory(t, &t->memory[m]);
    json_steady(t, m);
    printf("}");
}

void fastcd_print_json(const fastcd_table* t) {
    printf("{\"scene\":\"%s\",\"mode\":\"%s\",\"triangles\":[%u,%u],\"frames\":%u,"
           "\"topology_frames\":%u,\"methods\":[",
           t->scene->name, fastcd_mode_name(t), t->frames[0].triangles, fastcd_last_triangles(t),
           t->frame_count, t->topology_frames);
    for (uint32_t m = 0; m < t->method_count; m++) {
        if (m) printf(",\n");
        json_method(t, m);
    }
    printf("]}");
}

// ---- every frame

void fastcd_csv_header(FILE* out) {
    fprintf(out, "scene,mode,method,pre_cut,frame,triangles,edits,topology,edit_ms,update_ms,"
                 "cull_ms,query_ms,traverse_ms,narrow_ms,box_tests,candidates,contacts\n");
}

void fastcd_csv(FILE* out, const fastcd_table* t) {
    for (uint32_t m = 0; m < t->method_count; m++)
        for (uint32_t f = 0; f < t->frame_count; f++) {
            const fastcd_frame* a = &fastcd_frames(t, m)[f];
            fprintf(out,
                    "%s,%s,%s,%d,%u,%u,%" PRIu64 ",%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%" PRIu64
                    ",%" PRIu64 ",%" PRIu64 "\n",
                    t->scene->name, fastcd_mode_name(t), t->methods[m]->name, t->options.pre_cut,
                    f + 1, a->triangles, a->edits, fastcd_is_topology_frame(a), a->ms_edit,
                    a->ms_update - a->ms_cull, a->ms_cull, a->ms_detect, a->ms_traverse,
                    a->ms_narrow, a->box_pairs, a->candidates, a->contacts);
        }
}
