// CGAL: Polygon_mesh_processing::self_intersections with exact predicates; for two meshes
// box_intersection_d and do_intersect, which is what self_intersections is made of.
//
// It keeps no tree between frames, so refitting is copying the points.
#include "peers/peer.h"
#include <CGAL/box_intersection_d.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <vector>

namespace {

typedef CGAL::Exact_predicates_inexact_constructions_kernel kernel;
typedef kernel::Point_3 point;
typedef CGAL::Surface_mesh<point> surface;
typedef surface::Face_index face;
typedef CGAL::Box_intersection_d::Box_with_info_d<double, 3, uint32_t> box;

struct tree {
    surface mesh;
    const uint32_t* triangles;
};

point at(const double* points, uint32_t i) {
    return point(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

void* create(const peer_mesh* mesh) {
    tree* t = new tree;
    t->triangles = mesh->triangles;
    for (uint32_t i = 0; i < mesh->point_count; i++) t->mesh.add_vertex(at(mesh->points, i));
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t* c = mesh->triangles + size_t(3) * i;
        face f = t->mesh.add_face(surface::Vertex_index(c[0]), surface::Vertex_index(c[1]),
                                  surface::Vertex_index(c[2]));
        // Only manifolds fit into a Surface_mesh.
        if (f == surface::null_face()) return delete t, nullptr;
    }
    return t;
}

void refit(void* handle, const double* points) {
    surface& mesh = static_cast<tree*>(handle)->mesh;
    for (uint32_t i = 0; i < mesh.number_of_vertices(); i++)
        mesh.point(surface::Vertex_index(i)) = at(points, i);
}

void query_self(void* handle, peer_sink* sink) {
    tree* t = static_cast<tree*>(handle);
    std::vector<std::pair<face, face>> pairs;
    CGAL::Polygon_mesh_processing::self_intersections<CGAL::Sequential_tag>(
        t->mesh, std::back_inserter(pairs));
    for (const std::pair<face, face>& p : pairs) peer_push(sink, p.first, p.second);
}

kernel::Triangle_3 triangle(const tree* t, uint32_t i) {
    const uint32_t* c = t->triangles + size_t(3) * i;
    return kernel::Triangle_3(t->mesh.point(surface::Vertex_index(c[0])),
                              t->mesh.point(surface::Vertex_index(c[1])),
                              t->mesh.point(surface::Vertex_index(c[2])));
}

std::vector<box> boxes(const tree* t) {
    std::vector<box> out;
    uint32_t count = uint32_t(t->mesh.number_of_faces());
    out.reserve(count);
    for (uint32_t i = 0; i < count; i++) out.emplace_back(triangle(t, i).bbox(), i);
    return out;
}

void query_pair(void* a, void* b, peer_sink* sink) {
    const tree* first = static_cast<tree*>(a);
    const tree* second = static_cast<tree*>(b);
    std::vector<box> boxes_a = boxes(first), boxes_b = boxes(second);
    CGAL::box_intersection_d(
        boxes_a.begin(), boxes_a.end(), boxes_b.begin(), boxes_b.end(),
        [&](const box& p, const box& q) {
            if (CGAL::do_intersect(triangle(first, p.info()), triangle(second, q.info())))
                peer_push(sink, p.info(), q.info());
        });
}

void destroy(void* handle) { delete static_cast<tree*>(handle); }

}  // namespace

const peer peer_cgal = {"cgal",     "self_intersections; box_intersection_d and do_intersect",
                        PEER_HITS,  create,
                        refit,      query_self,
                        query_pair, destroy};
