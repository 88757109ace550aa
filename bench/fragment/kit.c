/// @file kit.c  Lattices, balls, turned profiles; fractures; all contacts.
#include "fragment/kit.h"
#include "fragment/fragments.h"
#include "geom/pose.h"
#include "shapes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void bench_need(const bench_settings* settings, fracas_status status, const char* what) {
    if (status == FRACAS_OK) return;
    char message[400] = "";
    fracas_context_get_message(settings->context, message, sizeof message);
    fprintf(stderr, "%s: %s\n", what, message);
    exit(4);
}

void* bench_memory(void* memory) {
    if (memory) return memory;
    fprintf(stderr, "out of memory\n");
    exit(4);
}

FILE* bench_open_csv(const bench_settings* settings) {
    if (!settings->csv) return NULL;
    FILE* out = fopen(settings->csv, "w");
    if (out) return out;
    perror(settings->csv);
    exit(1);
}

// ---- lattices

static bool is_solid(bench_mask mask, const uint32_t at[3], uint32_t n) {
    if (mask == BENCH_ANGLE) return 2 * at[0] < n || 2 * at[1] < n;
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += pow((at[k] + 0.5) / n - 0.5, 2);
    return mask == BENCH_BOX || sum < 0.25;
}

fracas_solid* bench_make_solid(const bench_settings* settings, const fracas_tet_view* view) {
    fracas_solid* solid;
    bench_need(settings, fracas_solid_create(settings->context, view, NULL, &solid), "solid");
    return solid;
}

fracas_solid* bench_make_lattice(const bench_settings* settings, uint32_t n, bench_mask mask) {
    const uint32_t step[3] = {1, n + 1, (n + 1) * (n + 1)}, count = step[2] * (n + 1);
    double(*points)[3] = bench_memory(malloc(count * sizeof *points));
    uint32_t(*tets)[4] = bench_memory(malloc(6 * (size_t)n * n * n * sizeof *tets));
    uint64_t random = 7 + (uint64_t)mask;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t at = i / step[k] % (n + 1);
            const double jitter = kit_uniform(&random, -0.12, 0.12);
            points[i][k] = (at + (at > 0 && at < n ? jitter : 0)) / n;
        }
    uint32_t tet_count = 0;
    for (uint32_t c = 0; c < n * n * n; c++) {
        const uint32_t at[3] = {c % n, c / n % n, c / (n * n)};
        const uint32_t first = at[0] + at[1] * step[1] + at[2] * step[2];
        if (!is_solid(mask, at, n)) continue;
        kit_fill_cube((const double(*)[3])points, first, step, tets + tet_count);
        tet_count += 6;
    }
    const fracas_tet_view view = {
        .points = {.data = points, .count = count},
          .tets = tets[0], .tet_count = tet_count
    };
    fracas_solid* solid = bench_make_solid(settings, &view);
    free(points);
    free(tets);
    return solid;
}

// ---- filled surfaces

static fracas_tet_mesh* fill(const bench_settings* settings, const scenes_mesh* mesh,
                             uint32_t cells) {
    const fracas_mesh_view view = {
        .points = {.data = mesh->points, .count = mesh->vertex_count},
        .triangles = mesh->triangles,
        .triangle_count = mesh->triangle_count
    };
    fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
    options.cells = cells;
    fracas_tet_mesh* filled;
    bench_need(settings, fracas_tet_mesh_create(settings->context, &view, &options, &filled),
               "tetrahedra");
    return filled;
}

fracas_solid* bench_make_ball(const bench_settings* settings, uint32_t tets) {
    static const double centre[3] = {0, 0, 0};
    scenes_mesh mesh = {0};
    if (!scenes_make_ball(&mesh, 20, 0.5, centre)) bench_memory(NULL);
    fracas_tet_view view;
    fracas_tet_mesh* filled = NULL;
    for (uint32_t cells = 4;; cells++) {
        fracas_tet_mesh_destroy(filled);
        filled = fill(settings, &mesh, cells);
        view = fracas_tet_mesh_get_view(filled);
        if (view.tet_count >= tets - tets / 16) break;
    }
    fracas_solid* solid = bench_make_solid(settings, &view);
    fracas_tet_mesh_destroy(filled);
    scenes_mesh_free(&mesh);
    return solid;
}

enum { AROUND = 64 };

static void turn(const double (*profile)[2], uint32_t count, scenes_mesh* mesh) {
    const uint32_t last = mesh->vertex_count - 1, rings = count - 2;
    for (uint32_t v = 0; v <= last; v++) {
        const uint32_t ring = v == 0 ? 0 : v == last ? count - 1 : 1 + (v - 1) / AROUND;
        const double angle = 4 * acos(0) * ((v + AROUND - 1) % AROUND) / AROUND;
        mesh->points[3 * v] = profile[ring][0] * cos(angle);
        mesh->points[3 * v + 1] = profile[ring][0] * sin(angle);
        mesh->points[3 * v + 2] = profile[ring][1];
    }
    uint32_t* t = mesh->triangles;
    for (uint32_t i = 0; i < AROUND; i++) {
        const uint32_t j = (i + 1) % AROUND;
        t[0] = 0, t[1] = 1 + j, t[2] = 1 + i, t += 3;
        for (uint32_t r = 0; r + 1 < rings; r++) {
            const uint32_t a = 1 + r * AROUND + i, b = 1 + r * AROUND + j;
            t[0] = a, t[1] = b, t[2] = b + AROUND, t += 3;
            t[0] = a, t[1] = b + AROUND, t[2] = a + AROUND, t += 3;
        }
        t[0] = last - AROUND + i, t[1] = last - AROUND + j, t[2] = last, t += 3;
    }
}

fracas_solid* bench_make_turned(const bench_settings* settings, const double (*profile)[2],
                                uint32_t count, uint32_t cells) {
    scenes_mesh mesh = {.vertex_count = 2 + (count - 2) * AROUND,
                        .triangle_count = 2 * (count - 2) * AROUND};
    mesh.points = bench_memory(malloc(3 * sizeof(double) * mesh.vertex_count));
    mesh.triangles = bench_memory(malloc(3 * sizeof(uint32_t) * mesh.triangle_count));
    turn(profile, count, &mesh);
    fracas_tet_mesh* filled = fill(settings, &mesh, cells);
    const fracas_tet_view view = fracas_tet_mesh_get_view(filled);
    fracas_solid* solid = bench_make_solid(settings, &view);
    fracas_tet_mesh_destroy(filled);
    scenes_mesh_free(&mesh);
    return solid;
}

// ---- fractures and contacts

fracas_fracture_pattern* bench_make_cells(const bench_settings* settings,
                                          const fracas_fragments* fragments,
                                          fracas_fragment fragment, uint32_t sites,
                                          uint64_t* random) {
    double site[64][3];
    fracas_fragment_info info;
    bench_need(settings, fracas_fragments_get_info(fragments, fragment, &info), "fragment");
    for (uint32_t i = 0; i < sites; i++)
        for (int k = 0; k < 3; k++)
            site[i][k] = kit_uniform(random, info.box_min[k], info.box_max[k]);
    fracas_fracture_pattern* pattern;
    const fracas_status status = fracas_fracture_pattern_create_voronoi(
        fragments, fragment, (const double(*)[3])site, sites, &pattern);
    if (status == FRACAS_ERROR_BAD_DATA) return NULL;
    bench_need(settings, status, "pattern");
    return pattern;
}

static uint64_t mix(uint64_t hash, const void* data, size_t size) {
    const unsigned char* byte = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * 1099511628211u;
    return hash;
}

static bool add(const fracas_fragment_contact* contact, void* user) {
    bench_contacts* found = user;
    uint64_t hash = 1469598103934665603u;
    hash = mix(hash, &contact->a, sizeof contact->a);
    hash = mix(hash, &contact->b, sizeof contact->b);
    hash = mix(hash, &contact->point, sizeof contact->point);
    hash = mix(hash, &contact->depth, sizeof contact->depth);
    hash = mix(hash, contact->normal, sizeof contact->normal);
    found->hash += hash ^ hash >> 29;
    found->count++;
    found->deepest = fmax(found->deepest, contact->depth);
    return true;
}

bench_contacts bench_find_all(const bench_settings* settings, const fracas_fragments* fragments) {
    bench_contacts found = {0};
    fracas_fragment_query query = fracas_fragments_default_query();
    query.selection = FRACAS_CONTACT_SELECTION_ALL;
    const fracas_fragment_sink sink = {.report = add, .user = &found};
    bench_need(settings, fracas_fragments_detect(fragments, &query, &sink), "contacts");
    return found;
}

// The points of fragment a in fragment b, one after another.
static void locate_all(const bench_settings* settings, const fracas_fragments* fragments,
                       fracas_fragment a, fracas_fragment b, bench_contacts* out) {
    const frc_fragment *own = frc_fragments_get(fragments, a),
                       *other = frc_fragments_get(fragments, b);
    const frc_object* object = own->object;
    const fracas_pose pose = frc_pose_relative(&own->pose, &other->pose);
    const uint32_t nodes = object->solid->point_count;
    fracas_fragment_info info;
    bench_need(settings, fracas_fragments_get_info(fragments, b, &info), "fragment");
    for (uint32_t i = 0; i < nodes + object->surface_points.count; i++) {
        if (object->nodes[frc_object_tree_node(object, i)].fragment != a.index) continue;
        double p[3];
        frc_pose_apply(
            &pose, i < nodes ? object->solid->points[i] : object->surface_points.data[i - nodes].at,
            p);
        bool in_box = true;
        for (int k = 0; k < 3; k++) in_box &= p[k] >= info.box_min[k] && p[k] <= info.box_max[k];
        if (!in_box) continue;
        fracas_depth depth;
        bench_need(settings, fracas_fragments_locate(fragments, b, p, &depth), "depth");
        if (!depth.inside) continue;
        fracas_fragment_contact contact = {.a = a, .b = b, .point = i, .depth = depth.depth};
        frc_pose_rotate(other->pose.rotation, depth.direction, contact.normal);
        add(&contact, out);
    }
}

bool bench_check_all(const bench_settings* settings, const fracas_fragments* fragments) {
    bench_contacts truth = {0};
    const frc_handles* handles = &fragments->handles;
    const uint32_t count = (uint32_t)handles->generations.count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++) {
            if (i == j || !frc_handles_in_use(handles, i) || !frc_handles_in_use(handles, j))
                continue;
            const fracas_fragment a = {i, frc_handles_generation(handles, i)},
                                  b = {j, frc_handles_generation(handles, j)};
            if (fragments->list.data[i].fixed && fragments->list.data[j].fixed) continue;
            locate_all(settings, fragments, a, b, &truth);
        }
    const bench_contacts found = bench_find_all(settings, fragments);
    const bool same = found.count == truth.count && found.hash == truth.hash;
    printf("  all contacts against each point in each fragment: %llu, %llu, hash %016llx  %s\n",
           (unsigned long long)found.count, (unsigned long long)truth.count,
           (unsigned long long)found.hash, same ? "same" : "DIFFERENT");
    return same;
}
