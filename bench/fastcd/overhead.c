// Compares the breaking and the pre-cut version of a scene, frame by frame.
#include "fastcd/overhead.h"

// The first frame after the last in which either version is edited.
static uint32_t find_after(const fastcd_table tables[2]) {
    uint32_t after = 1;
    for (uint32_t f = 1; f < tables[0].frame_count; f++)
        if (tables[0].frames[f].edits || tables[1].frames[f].edits) after = f + 1;
    return after;
}

fastcd_overhead fastcd_overhead_of(const fastcd_table tables[2], uint32_t method) {
    fastcd_overhead o = {0};
    const uint32_t count = tables[0].frame_count, after = find_after(tables);
    for (int v = 0; v < 2; v++) {
        const fastcd_frame* frames = fastcd_frames(&tables[v], method);
        for (uint32_t f = 1; f < count; f++) {
            o.ms[v] += fastcd_ms(&frames[f]) / (count - 1);
            o.edit[v] += frames[f].ms_edit / (count - 1);
            o.contacts[v] += (double)frames[f].contacts / (count - 1);
            if (f >= after) o.after[v] += fastcd_ms(&frames[f]) / (count - after);
        }
    }
    return o;
}

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

void fastcd_print_overhead(const fastcd_table tables[2], fastcd_apart apart) {
    const fastcd_table* t = &tables[0];
    printf("%s, %s: %u triangles, frames 2 to %u; breaking in %u of them against pre-cut\n"
           "  after the last frame, corners of the same triangles are %.3g apart in the mean, %.3g "
           "at most\n"
           "  ms per frame       update and query           and edits                  frames "
           "after the last edit\n"
           "  %-18s %8s %8s %7s  %8s %8s %7s  %8s %8s %7s\n",
           t->scene->name, fastcd_mode_name(t), t->frames[0].triangles, t->frame_count,
           t->topology_frames, apart.mean, apart.most, "method", "breaking", "pre-cut", "ratio",
           "breaking", "pre-cut", "ratio", "breaking", "pre-cut", "ratio");
    for (uint32_t m = 0; m < t->method_count; m++) {
        fastcd_overhead o = fastcd_overhead_of(tables, m);
        double with[2] = {o.ms[0] + o.edit[0], o.ms[1] + o.edit[1]};
        printf("  %-18s %8.2f %8.2f %7.3f  %8.2f %8.2f %7.3f  %8.2f %8.2f %7.3f\n",
               t->methods[m]->name, o.ms[0], o.ms[1], ratio(o.ms[0], o.ms[1]), with[0], with[1],
               ratio(with[0], with[1]), o.after[0], o.after[1], ratio(o.after[0], o.after[1]));
    }
    printf("\n");
}

void fastcd_print_overhead_json(const fastcd_table tables[2], fastcd_apart apart) {
    const fastcd_table* t = &tables[0];
    printf("{\"scene\":\"%s\",\"mode\":\"%s\",\"triangles\":%u,\"frames\":%u,"
           "\"topology_frames\":%u,\"apart_mean\":%.6g,\"apart_most\":%.6g,\"methods\":[",
           t->scene->name, fastcd_mode_name(t), t->frames[0].triangles, t->frame_count,
           t->topology_frames, apart.mean, apart.most);
    for (uint32_t m = 0; m < t->method_count; m++) {
        fastcd_overhead o = fastcd_overhead_of(tables, m);
        printf("%s{\"method\":\"%s\",\"breaking_ms\":%.4f,\"pre_cut_ms\":%.4f,\"ratio\":%.4f,"
               "\"breaking_edit_ms\":%.4f,\"pre_cut_edit_ms\":%.4f,\"ratio_with_edits\":%.4f,"
               "\"after_breaking_ms\":%.4f,\"after_pre_cut_ms\":%.4f,\"after_ratio\":%.4f,"
               "\"breaking_contacts\":%.1f,\"pre_cut_contacts\":%.1f,\"equal\":%s}",
               m ? ",\n" : "", t->methods[m]->name, o.ms[0], o.ms[1], ratio(o.ms[0], o.ms[1]),
               o.edit[0], o.edit[1], ratio(o.ms[0] + o.edit[0], o.ms[1] + o.edit[1]), o.after[0],
               o.after[1], ratio(o.after[0], o.after[1]), o.contacts[0], o.contacts[1],
               t->summaries[m].equal && tables[1].summaries[m].equal ? "true" : "false");
    }
    printf("]}");
}
