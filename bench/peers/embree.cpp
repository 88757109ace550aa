// Embree: boxes of triangles as user geometry, rtcCollide for the pairs.
//
// A scene of low quality has one tree per geometry, and a commit refits the tree of a geometry of
// quality REFIT: the documented way for deforming meshes. Its leaves contain several boxes, and
// rtcCollide reports all pairs of two overlapping leaves, so the callback compares the boxes, which
// is cheaper than a triangle test. A scene of higher quality has one box per leaf, but cannot be
// refitted, and its query takes twice as long.
#include "peers/float_boxes.h"
#include "peers/peer.h"
#if FRACAS_EMBREE_MAJOR >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace {

// Four numbers each, the last always zero, so that one vector comparison is enough.
struct box {
    float low[4], high[4];
};

struct tree {
    explicit tree(const peer_mesh& mesh) : boxes(mesh), flat(mesh.triangle_count) {}
    float_boxes boxes;
    std::vector<box> flat;
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;
};

struct query {
    peer_sink* sink;
    const box *a, *b;
};

bool overlap(const box& a, const box& b) {
    int apart = 0;
    for (int k = 0; k < 4; k++) apart |= (a.low[k] > b.high[k]) | (b.low[k] > a.high[k]);
    return !apart;
}

void bounds(const RTCBoundsFunctionArguments* arguments) {
    tree* t = static_cast<tree*>(arguments->geometryUserPtr);
    RTCBounds* out = arguments->bounds_o;
    box& b = t->flat[arguments->primID];
    t->boxes.box(arguments->primID, b.low, b.high);
    out->lower_x = b.low[0], out->lower_y = b.low[1], out->lower_z = b.low[2];
    out->upper_x = b.high[0], out->upper_y = b.high[1], out->upper_z = b.high[2];
}

// A scene against itself yields (a, b) and (b, a): skip one of them first.
void collide(void* user, RTCCollision* found, unsigned int count) {
    const query q = *static_cast<const query*>(user);
    bool self = q.a == q.b;
    for (unsigned int i = 0; i < count; i++) {
        unsigned int a = found[i].primID0, b = found[i].primID1;
        if ((!self || a < b) && overlap(q.a[a], q.b[b])) peer_push(q.sink, a, b);
    }
}

void destroy(void* handle) {
    tree* t = static_cast<tree*>(handle);
    if (t->geometry) rtcReleaseGeometry(t->geometry);
    if (t->scene) rtcReleaseScene(t->scene);
    if (t->device) rtcReleaseDevice(t->device);
    delete t;
}

// One device for all trees: both scenes of an rtcCollide call must belong to the same device.
RTCDevice shared_device() {
    static RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    return device;
}

void* create(const peer_mesh* mesh) {
    tree* t = new tree(*mesh);
    t->device = shared_device();
    if (!t->device) return destroy(t), nullptr;
    rtcRetainDevice(t->device);
    t->scene = rtcNewScene(t->device);
    rtcSetSceneFlags(t->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(t->scene, RTC_BUILD_QUALITY_LOW);
    t->geometry = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryBuildQuality(t->geometry, RTC_BUILD_QUALITY_REFIT);
    rtcSetGeometryUserPrimitiveCount(t->geometry, mesh->triangle_count);
    rtcSetGeometryUserData(t->geometry, t);
    rtcSetGeometryBoundsFunction(t->geometry, bounds, nullptr);
    rtcCommitGeometry(t->geometry);
    rtcAttachGeometry(t->scene, t->geometry);
    rtcCommitScene(t->scene);
    if (rtcGetDeviceError(t->device) != RTC_ERROR_NONE) return destroy(t), nullptr;
    return t;
}

void refit(void* handle, const double* points) {
    tree* t = static_cast<tree*>(handle);
    t->boxes.update(points);
    rtcCommitGeometry(t->geometry);
    rtcCommitScene(t->scene);
}

void query_self(void* handle, peer_sink* sink) {
    tree* t = static_cast<tree*>(handle);
    query q{sink, t->flat.data(), t->flat.data()};
    rtcCollide(t->scene, t->scene, collide, &q);
}

void query_pair(void* a, void* b, peer_sink* sink) {
    const tree *first = static_cast<tree*>(a), *second = static_cast<tree*>(b);
    query q{sink, first->flat.data(), second->flat.data()};
    rtcCollide(first->scene, second->scene, collide, &q);
}

}  // namespace

const peer peer_embree = {
    "embree",        "user geometry of boxes, refitted; rtcCollide, boxes compared",
    PEER_CANDIDATES, create,
    refit,           query_self,
    query_pair,      destroy};
