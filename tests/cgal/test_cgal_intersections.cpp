// Where triangles meet, compared with CGAL's exact kernel: the kind of each intersection (point,
// segment, polygon) and its coordinates. Twenty meshes, each against itself, and against copies of
// it that are moved along an axis, so that flat parts slide over each other, and along no axis.
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/intersections.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fracas/fracas.h>
#include <string>
#include <vector>

typedef CGAL::Exact_predicates_exact_constructions_kernel kernel;
typedef kernel::Point_3 point;
typedef kernel::Segment_3 segment;
typedef kernel::Triangle_3 triangle;

static const char* const meshes[] = {"surfaces/discregrid/box.obj",
                                     "surfaces/discregrid/bunny.obj",
                                     "medial/medial-ipc/dinosaur/dinosaur_h.obj",
                                     "ccd/cloth-ball/frames/cloth_ball92.ply",
                                     "ccd/cloth-funnel/frames/227.ply",
                                     "ccd/n-body-simulation/frames/balls16_18.ply",
                                     "broken/trimesh/suzanne.ply",
                                     "broken/trimesh/quadknot.obj",
                                     "broken/trimesh/fandisk.obj",
                                     "broken/trimesh/rabbit.obj",
                                     "broken/trimesh/fuze.obj",
                                     "broken/trimesh/teapot.stl",
                                     "broken/trimesh/chair_model.obj",
                                     "broken/trimesh/cycloidal.ply",
                                     "broken/trimesh/target.obj",
                                     "broken/trimesh/octagonal_pocket.ply",
                                     "broken/trimesh/ballA.off",
                                     "broken/trimesh/capsule.obj",
                                     "broken/assimp/OBJ/spider.obj",
                                     "broken/assimp/OBJ/WusonOBJ.obj"};
enum { MOST = 3000 };  // pairs of one mesh and shift; of more, as many in equal steps

static size_t compared, polygons, points, segments, flat;

[[noreturn]] static void fail(const std::string& what) {
    std::printf("FAILED: %s\n", what.c_str());
    std::exit(1);
}

static void expect(fracas_status status, fracas_context* context) {
    char message[500] = "";
    if (status == FRACAS_OK) return;
    fracas_context_get_message(context, message, sizeof message);
    fail(message);
}

// ---- one pair

// The corners that CGAL finds.
static std::vector<point> corners_of(const triangle& a, const triangle& b) {
    const auto found = CGAL::intersection(a, b);
    if (!found) return {};
    if (const point* p = boost::get<point>(&*found)) return {*p};
    if (const segment* s = boost::get<segment>(&*found)) return {s->source(), s->target()};
    if (const triangle* t = boost::get<triangle>(&*found)) return {(*t)[0], (*t)[1], (*t)[2]};
    return boost::get<std::vector<point>>(*found);
}

static bool is_near(double x, const kernel::FT& exact) {
    const double y = CGAL::to_double(CGAL::exact(exact));
    const double unit = std::nextafter(std::fabs(x), INFINITY) - std::fabs(x);
    return std::fabs(x - y) <= 4 * unit;
}

static bool is_near(const double x[3], const point& p) {
    return is_near(x[0], p.x()) && is_near(x[1], p.y()) && is_near(x[2], p.z());
}

static void compare(const triangle& a, const triangle& b, const fracas_intersection& ours,
                    const std::string& where) {
    const std::vector<point> truth = corners_of(a, b);
    if (ours.count != truth.size())
        fail(where + ": " + std::to_string(ours.count) + " corners, CGAL has " +
             std::to_string(truth.size()));
    std::vector<bool> taken(truth.size(), false);
    for (uint32_t i = 0; i < ours.count; i++) {
        size_t match = 0;
        while (match < truth.size() && (taken[match] || !is_near(ours.points[i], truth[match])))
            match++;
        if (match == truth.size()) fail(where + ": a corner that CGAL does not have");
        taken[match] = true;
    }
    compared++;
    ours.count == 1 ? points++ : ours.count == 2 ? segments++ : polygons++;
}

// ---- one mesh

struct body {
    std::vector<double> at;
    const uint32_t* triangles;
};

static triangle triangle_of(const body& b, uint32_t t) {
    point p[3];
    for (int i = 0; i < 3; i++) {
        const double* x = &b.at[3 * (size_t)b.triangles[3 * (size_t)t + i]];
        p[i] = point(x[0], x[1], x[2]);
    }
    return triangle(p[0], p[1], p[2]);
}

// The mesh, and a copy of it that is moved by `shift`; no copy if that is NULL.
static void check(fracas_context* context, const fracas_mesh_view& view, const double* shift,
                  const std::string& name) {
    fracas_scene* scene;
    fracas_contacts* list;
    body bodies[2];
    fracas_body handles[2];
    const int count = shift ? 2 : 1;
    expect(fracas_scene_create(context, NULL, &scene), context);
    expect(fracas_contacts_create(context, &list), context);
    for (int b = 0; b < count; b++) {
        const double* from = (const double*)view.points.data;
        bodies[b] = {std::vector<double>(from, from + 3 * (size_t)view.points.count),
                     view.triangles};
        for (size_t i = 0; b && i < bodies[b].at.size(); i++) bodies[b].at[i] += shift[i % 3];
        fracas_mesh_view mesh = view;
        mesh.points.data = bodies[b].at.data();
        mesh.edge_count = mesh.vertex_count = 0;
        fracas_body_options options = fracas_body_default_options();
        options.self_collision = !shift;
        expect(fracas_scene_add(scene, &mesh, &options, &handles[b]), context);
    }
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    const fracas_sink sink = fracas_contacts_get_sink(list);
    expect(fracas_scene_update(scene), context);
    expect(fracas_scene_detect(scene, &query, &sink), context);
    size_t found;
    const fracas_contact* contacts = fracas_contacts_get_data(list, &found);
    const size_t step = found / MOST + 1;
    for (size_t i = 0; i < found; i += step) {
        const fracas_contact& c = contacts[i];
        const triangle a = triangle_of(bodies[c.body_a.index != handles[0].index], c.a[0]),
                       b = triangle_of(bodies[c.body_b.index != handles[0].index], c.b[0]);
        fracas_intersection where;
        expect(fracas_scene_find_intersection(scene, &c, &where), context);
        if (a.is_degenerate() || b.is_degenerate()) {  // CGAL does not take them
            flat++;
            continue;
        }
        compare(a, b, where,
                name + ", triangles " + std::to_string(c.a[0]) + " and " + std::to_string(c.b[0]));
    }
    fracas_contacts_destroy(list);
    fracas_scene_destroy(scene);
}

int main() {
    const char* data = std::getenv("FRACAS_DATA");
    FILE* there = data ? std::fopen((std::string(data) + "/" + meshes[0]).c_str(), "rb") : NULL;
    if (!there) {
        std::puts("skipped: no test data; FRACAS_DATA is its folder");
        return 77;
    }
    std::fclose(there);
    fracas_context* context;
    if (fracas_context_create(NULL, &context) != FRACAS_OK) return 1;
    for (const char* name : meshes) {
        fracas_mesh_file* file;
        expect(
            fracas_mesh_file_read(context, (std::string(data) + "/" + name).c_str(), NULL, &file),
            context);
        const fracas_mesh_view view = fracas_mesh_file_get_view(file);
        const double* at = (const double*)view.points.data;
        double lo[3] = {at[0], at[1], at[2]}, hi[3] = {at[0], at[1], at[2]};
        for (size_t i = 0; i < 3 * (size_t)view.points.count; i++) {
            lo[i % 3] = std::min(lo[i % 3], at[i]);
            hi[i % 3] = std::max(hi[i % 3], at[i]);
        }
        const double along[3] = {(hi[0] - lo[0]) / 8, 0, 0},
                     across[3] = {(hi[0] - lo[0]) / 17, (hi[1] - lo[1]) / 23, (hi[2] - lo[2]) / 19};
        const size_t before = compared;
        check(context, view, NULL, name);
        check(context, view, along, std::string(name) + " along x");
        check(context, view, across, std::string(name) + " across");
        std::printf("%-50s %zu pairs\n", name, compared - before);
        fracas_mesh_file_destroy(file);
    }
    fracas_context_destroy(context);
    std::printf("%zu pairs as CGAL: %zu points, %zu segments, %zu polygons; %zu flat triangles "
                "not compared\n",
                compared, points, segments, polygons, flat);
    return points > 100 && segments > 10000 && polygons > 100 ? 0 : 1;
}
