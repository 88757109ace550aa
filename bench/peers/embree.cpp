// Embree: boxes of triangles as user geometry, rtcCollide for the pairs.
//
// A scene of low quality keeps one tree per geometry, and a geometry of quality REFIT has its tree
// refitted at a commit: the documented way for a mesh that deforms.
#include "peers/float_boxes.h"
#include "peers/peer.h"
#if FRACAS_EMBREE_MAJOR >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace {

struct tree {
    explicit tree(const peer_mesh& mesh) : boxes(mesh) {}
    float_boxes boxes;
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;
};

struct query {
    peer_sink* sink;
    bool self;
};

void bounds(const RTCBoundsFunctionArguments* arguments) {
    const tree* t = static_cast<const tree*>(arguments->geometryUserPtr);
    RTCBounds* out = arguments->bounds_o;
    float low[3], high[3];
    t->boxes.box(arguments->primID, low, high);
    out->lower_x = low[0], out->lower_y = low[1], out->lower_z = low[2];
    out->upper_x = high[0], out->upper_y = high[1], out->upper_z = high[2];
}

// A scene against itself yields (a, b) and (b, a), and (a, a): keep one.
void collide(void* user, RTCCollision* found, unsigned int count) {
    query* q = static_cast<query*>(user);
    for (unsigned int i = 0; i < count; i++)
        if (!q->self || found[i].primID0 < found[i].primID1)
            peer_push(q->sink, found[i].primID0, found[i].primID1);
}

void destroy(void* handle) {
    tree* t = static_cast<tree*>(handle);
    if (t->geometry) rtcReleaseGeometry(t->geometry);
    if (t->scene) rtcReleaseScene(t->scene);
    if (t->device) rtcReleaseDevice(t->device);
    delete t;
}

// A device for each tree would keep two scenes apart, and rtcCollide wants one: it is shared.
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
    // The callback has two more arguments of no use here; Embree passes them in one struct.
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
    query q{sink, true};
    rtcCollide(t->scene, t->scene, collide, &q);
}

void query_pair(void* a, void* b, peer_sink* sink) {
    query q{sink, false};
    rtcCollide(static_cast<tree*>(a)->scene, static_cast<tree*>(b)->scene, collide, &q);
}

}  // namespace

const peer peer_embree = {"embree",        "user geometry of boxes, refitted; rtcCollide",
                          PEER_CANDIDATES, create,
                          refit,           query_self,
                          query_pair,      destroy};
