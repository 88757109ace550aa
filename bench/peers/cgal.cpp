// CGAL: Polygon_mesh_processing::self_intersections with exact predicates; for two meshes an
// AABB_tree of the first, queried with all triangles of the second (box_intersection_d with
// do_intersect takes three times as long).
//
// CGAL's trees cannot be refitted: they are built in the query, and `refit` only copies the points.
#include "peers/peer.h"
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <vector>

namespace {

typedef CGAL::Exact_predicates_inexact_constructions_kernel kernel;
typedef kernel::Point_3 point;
typedef CGAL::Surface_mesh<point> surface;
typedef surface::Face_index face;
typedef std::vector<kernel::Triangle_3> soup;
typedef CGAL::AABB_triangle_primitive<kernel, soup::const_iterator> primitive;
typedef CGAL::AABB_tree<CGAL::AABB_traits<kernel, primitive>> box_tree;

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
        // A Surface_mesh rejects faces that are not manifold.
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

soup triangles(const tree* t) {
    soup out;
    out.reserve(t->mesh.number_of_faces());
    for (uint32_t i = 0; i < t->mesh.number_of_faces(); i++) {
        const uint32_t* c = t->triangles + size_t(3) * i;
        out.emplace_back(t->mesh.point(surface::Vertex_index(c[0])),
                         t->mesh.point(surface::Vertex_index(c[1])),
                         t->mesh.point(surface::Vertex_index(c[2])));
    }
    return out;
}

void query_pair(void* a, void* b, peer_sink* sink) {
    const soup first = triangles(static_cast<tree*>(a)), second = triangles(static_cast<tree*>(b));
    box_tree boxes(first.begin(), first.end());
    boxes.build();
    std::vector<soup::const_iterator> met;
    for (uint32_t i = 0; i < second.size(); i++) {
        met.clear();
        boxes.all_intersected_primitives(second[i], std::back_inserter(met));
        for (soup::const_iterator m : met) peer_push(sink, uint32_t(m - first.begin()), i);
    }
}

void destroy(void* handle) { delete static_cast<tree*>(handle); }

}  // namespace

const peer peer_cgal = {
    "cgal", "self_intersections; AABB_tree", PEER_HITS, create, refit, query_self, query_pair,
    destroy};
