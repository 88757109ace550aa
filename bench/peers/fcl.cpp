// FCL: a BVHModel refitted by replacing its vertices, then the traversal of its mesh collision.
//
// fcl::collide of a model with itself reports every pair twice and every triangle with itself; the
// internal self collision, which reports each pair once, is used instead. Of FCL's bounding
// volumes axis-aligned boxes refit fastest; oriented boxes are five times slower here, KDOP<16> is
// as fast.
#include "peers/peer.h"
#include <fcl/fcl.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>
#include <limits>
#include <vector>

namespace {

typedef fcl::AABB<double> volume;
typedef fcl::BVHModel<volume> model;

struct tree {
    model bvh;
    std::vector<fcl::Vector3d> points;
};

void copy_points(std::vector<fcl::Vector3d>& out, const double* points) {
    for (size_t i = 0; i < out.size(); i++)
        out[i] = fcl::Vector3d(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

void* create(const peer_mesh* mesh) {
    tree* t = new tree;
    t->points.resize(mesh->point_count);
    copy_points(t->points, mesh->points);
    std::vector<fcl::Triangle> triangles;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t* c = mesh->triangles + size_t(3) * i;
        triangles.emplace_back(c[0], c[1], c[2]);
    }
    t->bvh.beginModel(int(mesh->triangle_count), int(mesh->point_count));
    t->bvh.addSubModel(t->points, triangles);
    if (t->bvh.endModel() != fcl::BVH_OK) return delete t, nullptr;
    return t;
}

// Replacing vertices instead of updating them: an update also stores the previous vertices for
// FCL's continuous test.
void refit(void* handle, const double* points) {
    tree* t = static_cast<tree*>(handle);
    copy_points(t->points, points);
    t->bvh.beginReplaceModel();
    t->bvh.replaceSubModel(t->points);
    t->bvh.endReplaceModel(true, true);
}

// FCL's own leaf function appends a contact of a hundred bytes per pair. This one calls FCL's
// triangle test and pushes the two triangle numbers only.
struct traversal : fcl::detail::MeshCollisionTraversalNode<volume> {
    peer_sink* sink = nullptr;

    void leafTesting(int b1, int b2) const override {
        int a = this->model1->getBV(b1).primitiveId(), b = this->model2->getBV(b2).primitiveId();
        const fcl::Triangle &p = this->tri_indices1[a], &q = this->tri_indices2[b];
        const fcl::Vector3d *x = this->vertices1, *y = this->vertices2;
        if (fcl::detail::Intersect<double>::intersect_Triangle(x[p[0]], x[p[1]], x[p[2]], y[q[0]],
                                                               y[q[1]], y[q[2]]))
            peer_push(sink, uint32_t(a), uint32_t(b));
    }
    bool canStop() const override { return false; }
};

void prepare(traversal& node, const tree* a, const tree* b, peer_sink* sink) {
    node.model1 = &a->bvh, node.model2 = &b->bvh;
    node.vertices1 = a->bvh.vertices, node.vertices2 = b->bvh.vertices;
    node.tri_indices1 = a->bvh.tri_indices, node.tri_indices2 = b->bvh.tri_indices;
    node.sink = sink;
}

void query_self(void* handle, peer_sink* sink) {
    const tree* t = static_cast<tree*>(handle);
    traversal node;
    prepare(node, t, t, sink);
    fcl::detail::selfCollide<double>(&node);
}

void query_pair(void* a, void* b, peer_sink* sink) {
    traversal node;
    prepare(node, static_cast<tree*>(a), static_cast<tree*>(b), sink);
    fcl::detail::collide<double>(&node);
}

void destroy(void* handle) { delete static_cast<tree*>(handle); }

}  // namespace

const peer peer_fcl = {"fcl",       "BVHModel<AABB>, refitted; selfCollide, collide",
                       PEER_COUNTS, create,
                       refit,       query_self,
                       query_pair,  destroy};
