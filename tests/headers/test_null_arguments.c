// Every public function that returns a status rejects NULL for each pointer argument that must not
// be NULL: the status is FRACAS_ERROR_INVALID_ARGUMENT, and the message names function and argument
// and replaces that of an earlier failure. Without an object there is no context, and the message
// does not change.
//
// The last test reads the headers: each pointer argument of a new function must be listed here.
#include "null_fixture.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- expectations

static char tested[300][80];  // "function.argument"
static size_t tested_count;
static char earlier[1024];  // message of the failure before the call

static fracas_status fail_earlier(const fixture* f) {
    const fracas_body gone = {77, 1};
    fracas_scene_remove(f->scene, gone);
    fracas_context_get_message(f->context, earlier, sizeof earlier);
    assert_non_null(strstr(earlier, "77"));
    return FRACAS_ERROR_STALE_HANDLE;
}

// `call` is the text of the call.
static void expect(const fixture* f, const char* call, const char* argument, bool has_context,
                   fracas_status status) {
    char function[60], wanted[sizeof earlier], message[sizeof earlier];
    snprintf(function, sizeof function, "%.*s", (int)strcspn(call, "("), call);
    snprintf(wanted, sizeof wanted, "%s: %s is NULL", function, argument);
    fracas_context_get_message(f->context, message, sizeof message);
    if (status != FRACAS_ERROR_INVALID_ARGUMENT)
        fail_msg("%s: %s", call, fracas_status_get_name(status));
    assert_string_equal(message, has_context ? wanted : earlier);
    assert_true(tested_count < sizeof tested / sizeof tested[0]);
    snprintf(tested[tested_count++], sizeof tested[0], "%s.%s", function, argument);
}

#define REFUSES(argument, call) expect(&f, #call, argument, true, (fail_earlier(&f), (call)))
#define REFUSES_WITHOUT_CONTEXT(argument, call)                                                    \
    expect(&f, #call, argument, false, (fail_earlier(&f), (call)))

// ---- the calls

#include "null_calls.h"

static void bodies(void** state) {
    (void)state;
    fixture f = create();
    fracas_scene* scene = NULL;
    fracas_body body;
    fracas_body_info info;
    fracas_update_statistics statistics;
    const fracas_pose pose = fracas_pose_make_identity();
    const fracas_move move = {.body = f.body, .points_t1 = f.mesh.points};
    uint32_t triangle[3];
    fracas_triangle_mark mark;
    double at[3];
    REFUSES_WITHOUT_CONTEXT("context", fracas_scene_create(NULL, NULL, &scene));
    REFUSES("out", fracas_scene_create(f.context, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_add(NULL, &f.mesh, NULL, &body));
    REFUSES("mesh", fracas_scene_add(f.scene, NULL, NULL, &body));
    REFUSES("out", fracas_scene_add(f.scene, &f.mesh, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_remove(NULL, f.body));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_move(NULL, f.body, &f.mesh.points));
    REFUSES("points_t1", fracas_scene_move(f.scene, f.body, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_pose(NULL, f.rigid, &pose, &pose));
    REFUSES("pose_t0", fracas_scene_pose(f.scene, f.rigid, NULL, &pose));
    REFUSES("pose_t1", fracas_scene_pose(f.scene, f.rigid, &pose, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_move_many(NULL, &move, 1));
    REFUSES("moves", fracas_scene_move_many(f.scene, NULL, 1));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_advance(NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_update(NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_get_update_statistics(NULL, &statistics));
    REFUSES("out", fracas_scene_get_update_statistics(f.scene, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_get_body(NULL, f.body, &info));
    REFUSES("out", fracas_scene_get_body(f.scene, f.body, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_set_user(NULL, f.body, NULL));
    SUCCEEDS(fracas_scene_set_user(f.scene, f.body, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_get_triangle(NULL, f.body, 0, triangle));
    REFUSES("corners", fracas_scene_get_triangle(f.scene, f.body, 0, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_get_vertex(NULL, f.body, 0, at, at));
    SUCCEEDS(fracas_scene_get_vertex(f.scene, f.body, 0, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT(
        "scene", fracas_scene_get_triangle_marks(NULL, f.body, FRACAS_MODE_DISCRETE, &mark, 1));
    REFUSES("marks",
            fracas_scene_get_triangle_marks(f.scene, f.body, FRACAS_MODE_DISCRETE, NULL, 1));
    SUCCEEDS(fracas_scene_move_many(f.scene, NULL, 0));
    destroy(&f);
}

static void splits_and_merges(void** state) {
    (void)state;
    fixture f = create();
    fracas_split split = fracas_scene_default_split(), none = split;
    fracas_merge merge = fracas_scene_default_merge();
    fracas_split_plan* plan = NULL;
    fracas_body out;
    const uint32_t label = 1, offsets[2] = {0, 1}, first = 0;
    const fracas_element old = {.body = f.body};
    fracas_element now;
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_split(NULL, f.body, &none, &out));
    REFUSES("split", fracas_scene_split(f.scene, f.body, NULL, &out));
    split.new_vertex_count = 1;
    REFUSES("split->new_vertices", fracas_scene_split(f.scene, f.body, &split, &out));
    split.new_vertex_count = 0, split.repoint_count = 1;
    REFUSES("split->repoints", fracas_scene_split(f.scene, f.body, &split, &out));
    split.repoint_count = 0, split.new_triangle_count = 1;
    REFUSES("split->new_triangles", fracas_scene_split(f.scene, f.body, &split, &out));
    split.new_triangle_count = 0, split.removed_triangle_count = 1;
    REFUSES("split->removed_triangles", fracas_scene_split(f.scene, f.body, &split, &out));
    split.removed_triangle_count = 0, split.part_count = 1;
    REFUSES("split->part_offsets", fracas_scene_split(f.scene, f.body, &split, &out));
    split.part_offsets = offsets;
    REFUSES("split->part_triangles", fracas_scene_split(f.scene, f.body, &split, &out));
    split.part_triangles = &first;
    REFUSES("parts", fracas_scene_split(f.scene, f.body, &split, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_split_plan_create(NULL, f.body, &label, 1, &plan));
    REFUSES("labels", fracas_split_plan_create(f.scene, f.body, NULL, 1, &plan));
    REFUSES("out", fracas_split_plan_create(f.scene, f.body, &label, 1, NULL));
    assert_null(plan);
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_merge(NULL, &f.body, 1, NULL, &out));
    REFUSES("bodies", fracas_scene_merge(f.scene, NULL, 1, NULL, &out));
    REFUSES("out", fracas_scene_merge(f.scene, &f.body, 1, NULL, NULL));
    merge.weld_count = 1;
    REFUSES("merge->welds", fracas_scene_merge(f.scene, &f.body, 1, &merge, &out));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_trace(NULL, &old, &now));
    REFUSES("old", fracas_scene_trace(f.scene, NULL, &now));
    REFUSES("now", fracas_scene_trace(f.scene, &old, NULL));
    destroy(&f);
}

static bool report(const fracas_inside* inside, void* user) {
    (void)inside, (void)user;
    return true;
}

static void queries(void** state) {
    (void)state;
    fixture f = create();
    fracas_scene* scene = NULL;
    fracas_contacts* contacts = NULL;
    const fracas_contact contact = {.kind = FRACAS_CONTACT_TT};
    fracas_intersection one;
    fracas_intersections* all = NULL;
    double step;
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_detect(NULL, NULL, &f.sink));
    REFUSES("sink", fracas_scene_detect(f.scene, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_nearby(NULL, 1, &f.sink));
    REFUSES("sink", fracas_scene_nearby(f.scene, 1, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_max_step(NULL, NULL, &step));
    REFUSES("out", fracas_scene_max_step(f.scene, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_find_intersection(NULL, &contact, &one));
    REFUSES("contact", fracas_scene_find_intersection(f.scene, NULL, &one));
    REFUSES("out", fracas_scene_find_intersection(f.scene, &contact, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_intersections_create(NULL, &contact, 1, &all));
    REFUSES("contacts", fracas_intersections_create(f.scene, NULL, 1, &all));
    REFUSES("out", fracas_intersections_create(f.scene, &contact, 1, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_scene_find_inside(NULL, NULL, 0, report, NULL));
    REFUSES("contacts", fracas_scene_find_inside(f.scene, NULL, 1, report, NULL));
    REFUSES("report", fracas_scene_find_inside(f.scene, NULL, 0, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_contacts_create(NULL, &contacts));
    REFUSES("out", fracas_contacts_create(f.context, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_published_scene_create(NULL, NULL, &scene));
    REFUSES("out", fracas_published_scene_create(f.context, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_published_scene_detect(NULL, NULL, &f.sink, NULL));
    REFUSES("sink", fracas_published_scene_detect(f.scene, NULL, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("scene", fracas_published_scene_detect_lazy(NULL, NULL, &f.sink, NULL));
    REFUSES("sink", fracas_published_scene_detect_lazy(f.lazy, NULL, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("out", fracas_context_create(NULL, NULL));
    destroy(&f);
}

static void volumes(void** state) {
    (void)state;
    fixture f = create();
    fracas_tets* tets = NULL;
    fracas_tets_update_statistics statistics;
    fracas_body body;
    REFUSES_WITHOUT_CONTEXT("context", fracas_tets_create(NULL, NULL, &tets));
    REFUSES("out", fracas_tets_create(f.context, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_published_tets_create(NULL, NULL, NULL, &tets));
    REFUSES("out", fracas_published_tets_create(f.context, NULL, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_add(NULL, &f.volume, &body));
    REFUSES("view", fracas_tets_add(f.tets, NULL, &body));
    REFUSES("out", fracas_tets_add(f.tets, &f.volume, NULL));
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_remove(NULL, f.tet_body));
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_move(NULL, f.tet_body, &f.volume.points));
    REFUSES("points", fracas_tets_move(f.tets, f.tet_body, NULL));
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_update(NULL));
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_get_update_statistics(NULL, &statistics));
    REFUSES("out", fracas_tets_get_update_statistics(f.tets, NULL));
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_detect(NULL, NULL, &f.tets_sink));
    REFUSES("sink", fracas_tets_detect(f.tets, NULL, NULL));
    fracas_penetrations* penetrations = NULL;
    REFUSES_WITHOUT_CONTEXT("context", fracas_penetrations_create(NULL, &penetrations));
    REFUSES("out", fracas_penetrations_create(f.context, NULL));
    destroy(&f);
}

static void edits_of_volumes(void** state) {
    (void)state;
    fixture f = create();
    fracas_tet_split split = fracas_tets_default_split(), none = split;
    fracas_tet_merge merge = fracas_tets_default_merge();
    fracas_tets_body_info info;
    fracas_body out;
    uint32_t tet[4];
    double at[3];
    const uint32_t offsets[2] = {0, 1}, first = 0;
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_get_body(NULL, f.tet_body, &info));
    REFUSES("out", fracas_tets_get_body(f.tets, f.tet_body, NULL));
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_set_user(NULL, f.tet_body, NULL));
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_get_tet(NULL, f.tet_body, 0, tet));
    REFUSES("corners", fracas_tets_get_tet(f.tets, f.tet_body, 0, NULL));
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_get_vertex(NULL, f.tet_body, 0, at));
    REFUSES("at", fracas_tets_get_vertex(f.tets, f.tet_body, 0, NULL));
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_split(NULL, f.tet_body, &none, &out));
    REFUSES("split", fracas_tets_split(f.tets, f.tet_body, NULL, &out));
    split.new_vertex_count = 1;
    REFUSES("split->new_vertices", fracas_tets_split(f.tets, f.tet_body, &split, &out));
    split.new_vertex_count = 0, split.repoint_count = 1;
    REFUSES("split->repoints", fracas_tets_split(f.tets, f.tet_body, &split, &out));
    split.repoint_count = 0, split.new_tet_count = 1;
    REFUSES("split->new_tets", fracas_tets_split(f.tets, f.tet_body, &split, &out));
    split.new_tet_count = 0, split.removed_tet_count = 1;
    REFUSES("split->removed_tets", fracas_tets_split(f.tets, f.tet_body, &split, &out));
    split.removed_tet_count = 0, split.part_count = 1;
    REFUSES("split->part_offsets", fracas_tets_split(f.tets, f.tet_body, &split, &out));
    split.part_offsets = offsets;
    REFUSES("split->part_tets", fracas_tets_split(f.tets, f.tet_body, &split, &out));
    split.part_tets = &first;
    REFUSES("parts", fracas_tets_split(f.tets, f.tet_body, &split, NULL));
    REFUSES_WITHOUT_CONTEXT("tets", fracas_tets_merge(NULL, &f.tet_body, 1, NULL, &out));
    REFUSES("bodies", fracas_tets_merge(f.tets, NULL, 1, NULL, &out));
    REFUSES("out", fracas_tets_merge(f.tets, &f.tet_body, 1, NULL, NULL));
    merge.weld_count = 1;
    REFUSES("merge->welds", fracas_tets_merge(f.tets, &f.tet_body, 1, &merge, &out));
    destroy(&f);
}

static void fragments(void** state) {
    (void)state;
    fixture f = create();
    fracas_solid* solid = NULL;
    fracas_solid_info solid_info;
    fracas_fragments* all = NULL;
    fracas_fragment fragment, parts[2];
    fracas_fragment_info info;
    fracas_fragment_surface* surface = NULL;
    fracas_fracture_pattern* pattern = NULL;
    fracas_depth depth;
    const fracas_pose pose = fracas_pose_make_identity();
    const uint32_t node_parts[4] = {0, 1, 0, 1};
    const fracas_fracture fracture = {.part_count = 2, .node_parts = node_parts};
    const fracas_fragment_sink sink = {0};
    REFUSES_WITHOUT_CONTEXT("context", fracas_solid_create(NULL, &f.volume, NULL, &solid));
    REFUSES("tets", fracas_solid_create(f.context, NULL, NULL, &solid));
    REFUSES("out", fracas_solid_create(f.context, &f.volume, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("solid", fracas_solid_get_info(NULL, &solid_info));
    REFUSES("out", fracas_solid_get_info(f.solid, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_fragments_create(NULL, NULL, &all));
    REFUSES("out", fracas_fragments_create(f.context, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("fragments", fracas_fragments_add(NULL, f.solid, &fragment));
    REFUSES("solid", fracas_fragments_add(f.fragments, NULL, &fragment));
    REFUSES("out", fracas_fragments_add(f.fragments, f.solid, NULL));
    REFUSES_WITHOUT_CONTEXT("fragments", fracas_fragments_remove(NULL, f.fragment));
    REFUSES_WITHOUT_CONTEXT("fragments",
                            fracas_fragments_fracture(NULL, f.fragment, &fracture, parts));
    REFUSES("fracture", fracas_fragments_fracture(f.fragments, f.fragment, NULL, parts));
    REFUSES("parts", fracas_fragments_fracture(f.fragments, f.fragment, &fracture, NULL));
    REFUSES_WITHOUT_CONTEXT("fragments", fracas_fragments_get_info(NULL, f.fragment, &info));
    REFUSES("out", fracas_fragments_get_info(f.fragments, f.fragment, NULL));
    REFUSES_WITHOUT_CONTEXT("fragments",
                            fracas_fragments_locate(NULL, f.fragment, points[0], &depth));
    REFUSES("point", fracas_fragments_locate(f.fragments, f.fragment, NULL, &depth));
    REFUSES("out", fracas_fragments_locate(f.fragments, f.fragment, points[0], NULL));
    REFUSES_WITHOUT_CONTEXT("fragments",
                            fracas_fragment_surface_create(NULL, f.fragment, &surface));
    REFUSES("out", fracas_fragment_surface_create(f.fragments, f.fragment, NULL));
    REFUSES_WITHOUT_CONTEXT("fragments", fracas_fracture_pattern_create_plane(
                                             NULL, f.fragment, points[0], points[1], &pattern));
    REFUSES("point", fracas_fracture_pattern_create_plane(f.fragments, f.fragment, NULL, points[1],
                                                          &pattern));
    REFUSES("normal", fracas_fracture_pattern_create_plane(f.fragments, f.fragment, points[0], NULL,
                                                           &pattern));
    REFUSES("out", fracas_fracture_pattern_create_plane(f.fragments, f.fragment, points[0],
                                                        points[1], NULL));
    REFUSES_WITHOUT_CONTEXT(
        "fragments", fracas_fracture_pattern_create_voronoi(NULL, f.fragment, points, 2, &pattern));
    REFUSES("sites",
            fracas_fracture_pattern_create_voronoi(f.fragments, f.fragment, NULL, 2, &pattern));
    REFUSES("out",
            fracas_fracture_pattern_create_voronoi(f.fragments, f.fragment, points, 2, NULL));
    REFUSES_WITHOUT_CONTEXT("fragments", fracas_fragments_set_pose(NULL, f.fragment, &pose));
    REFUSES("pose", fracas_fragments_set_pose(f.fragments, f.fragment, NULL));
    REFUSES_WITHOUT_CONTEXT("fragments", fracas_fragments_set_fixed(NULL, f.fragment, true));
    REFUSES_WITHOUT_CONTEXT("fragments", fracas_fragments_detect(NULL, NULL, &sink));
    REFUSES("sink", fracas_fragments_detect(f.fragments, NULL, NULL));
    destroy(&f);
}

static void medial_bodies(void** state) {
    (void)state;
    fixture f = create();
    const fracas_medial_sphere sphere = {
        {0, 0, 0},
        1
    };
    const fracas_medial_view view = {&sphere, NULL, NULL, 1, 0, 0};
    fracas_medial_mesh* mesh;
    fracas_medial_shape *shape, *other = NULL;
    fracas_medial_shape_info info;
    fracas_medial_bodies *all, *others = NULL;
    fracas_medial_body body, second;
    const fracas_medial_sink sink = {0};
    const fracas_pose pose = fracas_pose_make_identity();
    SUCCEEDS(fracas_medial_mesh_create_from(f.context, &view, &mesh));
    SUCCEEDS(fracas_medial_shape_create(f.context, mesh, NULL, &shape));
    SUCCEEDS(fracas_medial_bodies_create(f.context, &all));
    SUCCEEDS(fracas_medial_bodies_add(all, shape, &body));
    REFUSES_WITHOUT_CONTEXT("context", fracas_medial_shape_create(NULL, mesh, NULL, &other));
    REFUSES("mesh", fracas_medial_shape_create(f.context, NULL, NULL, &other));
    REFUSES("out", fracas_medial_shape_create(f.context, mesh, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("context",
                            fracas_medial_shape_create_from_surface(NULL, &f.mesh, NULL, &other));
    REFUSES("surface", fracas_medial_shape_create_from_surface(f.context, NULL, NULL, &other));
    REFUSES("out", fracas_medial_shape_create_from_surface(f.context, &f.mesh, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("shape", fracas_medial_shape_get_info(NULL, &info));
    REFUSES("out", fracas_medial_shape_get_info(shape, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_medial_bodies_create(NULL, &others));
    REFUSES("out", fracas_medial_bodies_create(f.context, NULL));
    REFUSES_WITHOUT_CONTEXT("bodies", fracas_medial_bodies_add(NULL, shape, &second));
    REFUSES("shape", fracas_medial_bodies_add(all, NULL, &second));
    REFUSES("out", fracas_medial_bodies_add(all, shape, NULL));
    REFUSES_WITHOUT_CONTEXT("bodies", fracas_medial_bodies_remove(NULL, body));
    REFUSES_WITHOUT_CONTEXT("bodies", fracas_medial_bodies_set_fixed(NULL, body, true));
    REFUSES_WITHOUT_CONTEXT("bodies", fracas_medial_bodies_set_motion(NULL, body, &pose, NULL));
    REFUSES("start", fracas_medial_bodies_set_motion(all, body, NULL, &pose));
    REFUSES_WITHOUT_CONTEXT("bodies", fracas_medial_bodies_detect(NULL, NULL, &sink));
    REFUSES("sink", fracas_medial_bodies_detect(all, NULL, NULL));
    fracas_medial_bodies_destroy(all);
    fracas_medial_shape_destroy(shape);
    fracas_medial_mesh_destroy(mesh);
    destroy(&f);
}

static void tet_meshes(void** state) {
    (void)state;
    fixture f = create();
    fracas_tet_mesh* mesh = NULL;
    fracas_tet_mesh_info info;
    REFUSES_WITHOUT_CONTEXT("context", fracas_tet_mesh_create(NULL, &f.mesh, NULL, &mesh));
    REFUSES("surface", fracas_tet_mesh_create(f.context, NULL, NULL, &mesh));
    REFUSES("out", fracas_tet_mesh_create(f.context, &f.mesh, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("mesh", fracas_tet_mesh_get_info(NULL, &info));
    REFUSES("out", fracas_tet_mesh_get_info(f.tet_mesh, NULL));
    destroy(&f);
}

static void meshes_and_files(void** state) {
    (void)state;
    fixture f = create();
    fracas_mesh_file* file = NULL;
    fracas_mesh_info info;
    fracas_tet_info tet_info;
    uint64_t count;
    REFUSES_WITHOUT_CONTEXT("context", fracas_mesh_validate(NULL, &f.mesh));
    REFUSES("mesh", fracas_mesh_validate(f.context, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_mesh_describe(NULL, &f.mesh, &info));
    REFUSES("mesh", fracas_mesh_describe(f.context, NULL, &info));
    REFUSES("out", fracas_mesh_describe(f.context, &f.mesh, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_tet_validate(NULL, &f.volume));
    REFUSES("view", fracas_tet_validate(f.context, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_tet_describe(NULL, &f.volume, &tet_info));
    REFUSES("view", fracas_tet_describe(f.context, NULL, &tet_info));
    REFUSES("out", fracas_tet_describe(f.context, &f.volume, NULL));
    REFUSES_WITHOUT_CONTEXT("context",
                            fracas_tet_find_boundary(NULL, &f.volume, NULL, NULL, &count));
    REFUSES("view", fracas_tet_find_boundary(f.context, NULL, NULL, NULL, &count));
    REFUSES("count", fracas_tet_find_boundary(f.context, &f.volume, NULL, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_mesh_file_read(NULL, "a.obj", NULL, &file));
    REFUSES("path", fracas_mesh_file_read(f.context, NULL, NULL, &file));
    REFUSES("out", fracas_mesh_file_read(f.context, "a.obj", NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_mesh_file_parse(NULL, "a.obj", obj, 1, NULL, &file));
    REFUSES("name", fracas_mesh_file_parse(f.context, NULL, obj, 1, NULL, &file));
    REFUSES("bytes", fracas_mesh_file_parse(f.context, "a.obj", NULL, 1, NULL, &file));
    REFUSES("out", fracas_mesh_file_parse(f.context, "a.obj", obj, 1, NULL, NULL));
    REFUSES_WITHOUT_CONTEXT("file", fracas_mesh_file_triangulate_like(NULL, f.file));
    REFUSES("like", fracas_mesh_file_triangulate_like(f.file, NULL));
    REFUSES_WITHOUT_CONTEXT("context", fracas_ply_write(NULL, "a.ply", &f.mesh, NULL, NULL));
    REFUSES("path", fracas_ply_write(f.context, NULL, &f.mesh, NULL, NULL));
    REFUSES("mesh", fracas_ply_write(f.context, "/nowhere/a.ply", NULL, NULL, NULL));
    destroy(&f);
}

// Functions without a status have no effect, or return what their comment documents.
static void objects_without_a_status(void** state) {
    (void)state;
    size_t count = 9;
    fracas_context_destroy(NULL);
    fracas_scene_destroy(NULL);
    fracas_split_plan_destroy(NULL);
    fracas_contacts_destroy(NULL);
    fracas_candidates_destroy(NULL);
    fracas_intersections_destroy(NULL);
    assert_int_equal(fracas_intersections_get_view(NULL).count, 0);
    fracas_tets_destroy(NULL);
    fracas_mesh_file_destroy(NULL);
    fracas_solid_destroy(NULL);
    fracas_fragments_destroy(NULL);
    fracas_fragment_surface_destroy(NULL);
    fracas_medial_shape_destroy(NULL);
    fracas_medial_bodies_destroy(NULL);
    fracas_fracture_pattern_destroy(NULL);
    assert_int_equal(fracas_solid_get_tets(NULL).tet_count, 0);
    assert_null(fracas_fragments_get_solid(NULL, (fracas_fragment){1, 1}));
    assert_int_equal(fracas_fragment_surface_get_view(NULL).triangle_count, 0);
    assert_null(fracas_fragment_surface_get_cracks(NULL));
    assert_int_equal(fracas_fracture_pattern_get(NULL).part_count, 0);
    fracas_tet_mesh_destroy(NULL);
    assert_int_equal(fracas_tet_mesh_get_view(NULL).tet_count, 0);
    fracas_medial_mesh_destroy(NULL);
    assert_int_equal(fracas_medial_mesh_get_view(NULL).sphere_count, 0);
    fracas_context_cancel(NULL);
    fracas_context_resume(NULL);
    assert_int_equal(fracas_context_get_message(NULL, NULL, 0), 0);
    assert_int_equal(fracas_context_get_worker_count(NULL), 0);
    assert_null(fracas_split_plan_get_split(NULL));
    assert_null(fracas_contacts_get_sink(NULL).report);
    assert_null(fracas_contacts_get_data(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(fracas_contacts_get_statistics(NULL));
    fracas_penetrations_destroy(NULL);
    assert_null(fracas_penetrations_get_sink(NULL).report);
    assert_null(fracas_penetrations_get_data(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(fracas_penetrations_get_statistics(NULL));
    assert_int_equal(fracas_mesh_file_get_view(NULL).triangle_count, 0);
    assert_int_equal(fracas_mesh_file_get_tets(NULL).tet_count, 0);
    assert_int_equal(fracas_mesh_file_get_faces(NULL).face_count, 0);
    assert_null(fracas_mesh_file_get_face_tets(NULL));
    assert_null(fracas_mesh_file_get_vertex_parents(NULL));
    assert_null(fracas_mesh_file_get_face_parents(NULL));
    assert_int_equal(fracas_mesh_file_count_left_out(NULL), 0);
    assert_string_equal(fracas_mesh_file_get_left_out(NULL, 0).name, "");
    assert_string_equal(fracas_mesh_file_get_format(NULL), "");
}

// ---- the headers

static bool may_be_null(const char* name) {
    static const char* const optional[] = {
        ".options",
        ".query",
        ".merge",
        ".published",
        ".statistics",
        ".user",
        ".vertex_parents",
        ".face_parents",
        "fracas_medial_bodies_set_motion.end",
        "fracas_scene_get_vertex.t0",
        "fracas_scene_get_vertex.t1",
        "fracas_scene_set_filter.filter",
        "fracas_pairs_find_impacts.context",
        "fracas_pairs_find_impacts.hits",
        "fracas_pairs_find_impacts.impacts",
        "fracas_pairs_find_impacts.result",
        "fracas_pairs_find_distances.context",
        "fracas_pairs_find_distances.hits",
        "fracas_pairs_find_distances.distances",
        "fracas_pairs_find_distances.result",
        "fracas_tet_find_boundary.triangles",
        "fracas_tet_find_boundary.tets",
    };
    bool found = false;
    for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++)
        found |= strcmp(optional[i][0] == '.' ? strchr(name, '.') : name, optional[i]) == 0;
    return found;
}

// One argument of a declaration, from `begin` to `end`.
static void check_argument(const char* function, const char* begin, const char* end) {
    char name[sizeof tested[0]];
    bool found = false;
    const char* bracket = memchr(begin, '[', (size_t)(end - begin));
    if (!bracket && !memchr(begin, '*', (size_t)(end - begin))) return;
    const char* last = bracket ? bracket : end;
    const char* first = last;
    while (first > begin && !strchr(" *", first[-1])) first--;
    snprintf(name, sizeof name, "%s.%.*s", function, (int)(last - first), first);
    for (size_t i = 0; i < tested_count; i++) found |= strcmp(tested[i], name) == 0;
    if (!found && !may_be_null(name)) fail_msg("no test for %s", name);
}

static size_t check_header(const char* text) {
    static const char start[] = "FRACAS_API fracas_status";
    size_t functions = 0;
    for (const char* at = strstr(text, start); at; at = strstr(at, start), functions++) {
        char function[60];
        at += sizeof start - 1;
        at += strspn(at, " \n");
        const size_t length = strcspn(at, "(");
        snprintf(function, sizeof function, "%.*s", (int)length, at);
        at += length;
        while (*at != ')') {
            const size_t argument = 1 + strcspn(at + 1, ",)");
            check_argument(function, at + 1, at + argument);
            at += argument;
        }
    }
    return functions;
}

static void every_argument_is_tested(void** state) {
    (void)state;
    DIR* folder = opendir(FRACAS_HEADERS);
    size_t functions = 0;
    assert_non_null(folder);
    for (const struct dirent* entry; (entry = readdir(folder));) {
        char path[1024];
        static char text[100000];
        // Another library has the functions of cuda.h: tests/cuda/test_api.c.
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "cuda.h") == 0) continue;
        snprintf(path, sizeof path, "%s/%s", FRACAS_HEADERS, entry->d_name);
        FILE* stream = fopen(path, "rb");
        assert_non_null(stream);
        const size_t size = fread(text, 1, sizeof text - 1, stream);
        text[size] = 0;
        assert_true(size < sizeof text - 1);
        fclose(stream);
        functions += check_header(text);
    }
    closedir(folder);
    assert_true(functions >= 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies),
                                       cmocka_unit_test(splits_and_merges),
                                       cmocka_unit_test(queries),
                                       cmocka_unit_test(candidates),
                                       cmocka_unit_test(distances),
                                       cmocka_unit_test(volumes),
                                       cmocka_unit_test(edits_of_volumes),
                                       cmocka_unit_test(fragments),
                                       cmocka_unit_test(medial_bodies),
                                       cmocka_unit_test(tet_meshes),
                                       cmocka_unit_test(medial_meshes),
                                       cmocka_unit_test(streams),
                                       cmocka_unit_test(pairs),
                                       cmocka_unit_test(meshes_and_files),
                                       cmocka_unit_test(objects_without_a_status),
                                       cmocka_unit_test(every_argument_is_tested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
