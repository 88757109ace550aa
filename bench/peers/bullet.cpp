// Bullet: a btDbvt with one leaf per triangle, as its soft bodies use for their faces.
//
// The tree is built top-down and refitted node by node, as btSoftBody::updateFaceTree does, which
// is much faster than removing and inserting every leaf (btDbvt::update). GImpact's trees apply a
// rotation in every node test and report each pair twice, which is five times slower.
#include "peers/float_boxes.h"
#include "peers/peer.h"
#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace {

struct tree {
    explicit tree(const peer_mesh& mesh) : boxes(mesh) {}
    float_boxes boxes;
    btDbvt dbvt;
};

btDbvtVolume volume(const float_boxes& boxes, size_t triangle) {
    float low[3], high[3];
    boxes.box(triangle, low, high);
    return btDbvtVolume::FromMM(btVector3(low[0], low[1], low[2]),
                                btVector3(high[0], high[1], high[2]));
}

void* create(const peer_mesh* mesh) {
    tree* t = new tree(*mesh);
    btDbvt build;
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        build.insert(volume(t->boxes, i), reinterpret_cast<void*>(uintptr_t(i)));
    build.optimizeTopDown();
    // A clone stores its nodes in tree order, which halves the time of a refit.
    btDbvt::IClone nothing_to_clone;
    build.clone(t->dbvt, &nothing_to_clone);
    return t;
}

uint32_t triangle(const btDbvtNode* leaf) { return uint32_t(uintptr_t(leaf->data)); }

void refit_node(const float_boxes& boxes, btDbvtNode* node) {
    if (node->isleaf()) {
        node->volume = volume(boxes, triangle(node));
        return;
    }
    refit_node(boxes, node->childs[0]);
    refit_node(boxes, node->childs[1]);
    Merge(node->childs[0]->volume, node->childs[1]->volume, node->volume);
}

void refit(void* handle, const double* points) {
    tree* t = static_cast<tree*>(handle);
    t->boxes.update(points);
    if (t->dbvt.m_root) refit_node(t->boxes, t->dbvt.m_root);
}

struct collector : btDbvt::ICollide {
    explicit collector(peer_sink* s) : sink(s) {}
    peer_sink* sink;
    void Process(const btDbvtNode* a, const btDbvtNode* b) {
        peer_push(sink, triangle(a), triangle(b));
    }
};

void query_self(void* handle, peer_sink* sink) {
    tree* t = static_cast<tree*>(handle);
    collector policy(sink);
    t->dbvt.selfCollideTT(t->dbvt.m_root, policy);
}

void query_pair(void* a, void* b, peer_sink* sink) {
    btDbvt& first = static_cast<tree*>(a)->dbvt;
    collector policy(sink);
    first.collideTT(first.m_root, static_cast<tree*>(b)->dbvt.m_root, policy);
}

void destroy(void* handle) { delete static_cast<tree*>(handle); }

}  // namespace

const peer peer_bullet = {"bullet",        "btDbvt of boxes, refitted; selfCollideTT, collideTT",
                          PEER_CANDIDATES, create,
                          refit,           query_self,
                          query_pair,      destroy};
