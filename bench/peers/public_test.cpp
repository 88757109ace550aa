// The exact triangle test that everybody can have: CGAL's, with the rules of its
// self_intersections.
//
// Triangles without a common vertex: do_intersect. With one: the edge of either that is opposite to
// it must meet the other triangle. With two: both lie in one plane, on the same side of the common
// edge.
#include "peers/peer.h"
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>
#include <vector>

namespace {

typedef CGAL::Exact_predicates_inexact_constructions_kernel kernel;
typedef kernel::Point_3 point;
typedef kernel::Triangle_3 triangle;
typedef kernel::Segment_3 segment;

triangle corners(const std::vector<point>& p, const uint32_t c[3]) {
    return triangle(p[c[0]], p[c[1]], p[c[2]]);
}

segment opposite(const std::vector<point>& p, const uint32_t c[3], int corner) {
    return segment(p[c[(corner + 1) % 3]], p[c[(corner + 2) % 3]]);
}

bool folded(const std::vector<point>& p, const uint32_t a[3], int apex_a, const uint32_t b[3],
            int apex_b) {
    const point &u = p[a[(apex_a + 1) % 3]], &v = p[a[(apex_a + 2) % 3]];
    return CGAL::coplanar(u, v, p[a[apex_a]], p[b[apex_b]]) &&
           CGAL::coplanar_orientation(u, v, p[a[apex_a]], p[b[apex_b]]) == CGAL::POSITIVE;
}

bool meet(const std::vector<point>& p, const uint32_t a[3], const uint32_t b[3]) {
    // Sums of the common corners' places: of one, its place; of two, 3 less the place left.
    int common = 0, place_a = 0, place_b = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (a[i] == b[j]) common++, place_a += i, place_b += j;
    if (common == 0) return CGAL::do_intersect(corners(p, a), corners(p, b));
    if (common == 1)
        return CGAL::do_intersect(corners(p, a), opposite(p, b, place_b)) ||
               CGAL::do_intersect(corners(p, b), opposite(p, a, place_a));
    return common > 2 || folded(p, a, 3 - place_a, b, 3 - place_b);
}

struct test {
    std::vector<point> points[2];
    const uint32_t* triangles[2];
    bool self;
};

void* create(const peer_mesh* meshes, uint32_t mesh_count) {
    test* t = new test;
    t->self = mesh_count == 1;
    for (uint32_t m = 0; m < 2; m++) {
        const peer_mesh& mesh = meshes[m % mesh_count];
        t->triangles[m] = mesh.triangles;
        for (uint32_t i = 0; m < mesh_count && i < mesh.point_count; i++) {
            const double* x = mesh.points + size_t(3) * i;
            t->points[m].push_back(point(x[0], x[1], x[2]));
        }
    }
    return t;
}

size_t run(void* handle, const peer_pair* pairs, size_t count, uint32_t* hits) {
    const test* t = static_cast<const test*>(handle);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t* a = t->triangles[0] + size_t(3) * pairs[i].a;
        const uint32_t* b = t->triangles[1] + size_t(3) * pairs[i].b;
        bool hit = t->self ? meet(t->points[0], a, b)
                           : CGAL::do_intersect(corners(t->points[0], a), corners(t->points[1], b));
        hits[found] = uint32_t(i);
        found += hit;
    }
    return found;
}

void destroy(void* handle) { delete static_cast<test*>(handle); }

}  // namespace

const peer_test peer_test_cgal = {"cgal", create, run, destroy};
