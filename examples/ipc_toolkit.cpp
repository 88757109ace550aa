// The adapter of ipc_toolkit.hpp, compiled against declarations of IPC Toolkit's interfaces
// (ipc_standin/), and compared with all pairs of features.
#include "ipc_toolkit.hpp"
#include <cstdio>
#include <cstdlib>
#include <set>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                   \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (false)

using Vector = Eigen::Vector3d;
using Ids = std::pair<long, long>;

// A broad phase of the toolkit; this one reports one pair of each kind.
class Fallback final : public ipc::BroadPhase {
  public:
    static inline int builds = 0;
    std::string name() const override { return "Fallback"; }
    void build(Positions, Positions, Indices, Indices, const double = 0) override { builds++; }
    void
    detect_vertex_vertex_candidates(std::vector<ipc::VertexVertexCandidate>& c) const override {
        c.emplace_back(0, 1);
    }
    void detect_edge_vertex_candidates(std::vector<ipc::EdgeVertexCandidate>& c) const override {
        c.emplace_back(0, 2);
    }
    void detect_edge_edge_candidates(std::vector<ipc::EdgeEdgeCandidate>&) const override {}
    void detect_face_vertex_candidates(std::vector<ipc::FaceVertexCandidate>&) const override {}
    void detect_edge_face_candidates(std::vector<ipc::EdgeFaceCandidate>& c) const override {
        c.emplace_back(0, 3);
    }
    void detect_face_face_candidates(std::vector<ipc::FaceFaceCandidate>& c) const override {
        c.emplace_back(0, 4);
    }
};

// ---- a state: triangles at random places, a wire and a particle

static double next_random() {
    static std::uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-52 - 1;
}

struct State {
    enum { FACES = 40, POINTS = 3 * FACES + 3 };
    Eigen::MatrixXd t0{POINTS, 3}, t1{POINTS, 3};
    Eigen::MatrixXi edges{3 * FACES + 1, 2}, faces{FACES, 3};
    State() {
        for (int i = 0; i < POINTS; i++)
            for (int k = 0; k < 3; k++)
                t0(i, k) = i % 3 ? t0(i - i % 3, k) + 0.6 * next_random() : next_random();
        for (int i = 0; i < 3 * FACES; i++) {
            faces(i / 3, i % 3) = i;
            edges(i, 0) = i;
            edges(i, 1) = i % 3 == 2 ? i - 2 : i + 1;
        }
        edges(3 * FACES, 0) = 3 * FACES;
        edges(3 * FACES, 1) = 3 * FACES + 1;
        shake();
    }
    void shake() {
        for (int i = 0; i < POINTS; i++)
            for (int k = 0; k < 3; k++) t1(i, k) = t0(i, k) + 0.1 * next_random();
    }
    Vector at(const Eigen::MatrixXd& x, int i) const { return {x(i, 0), x(i, 1), x(i, 2)}; }
};

// All pairs that come within a distance, one by one.
struct Pairs {
    std::set<Ids> edge_edge, face_vertex;
    Pairs(const State& s, const Eigen::MatrixXd& t0, const Eigen::MatrixXd& t1, double distance) {
        double x0[4][3], x1[4][3];
        const auto load = [&](int slot, int point) {
            for (int k = 0; k < 3; k++) x0[slot][k] = t0(point, k), x1[slot][k] = t1(point, k);
        };
        for (int a = 0; a < s.edges.rows(); a++)
            for (int b = a + 1; b < s.edges.rows(); b++) {
                const int p[4] = {s.edges(a, 0), s.edges(a, 1), s.edges(b, 0), s.edges(b, 1)};
                if (p[0] == p[2] || p[0] == p[3] || p[1] == p[2] || p[1] == p[3]) continue;
                for (int i = 0; i < 4; i++) load(i, p[i]);
                if (fracas_edge_edge_find_approach(x0, x0 + 2, x1, x1 + 2, distance, 0, nullptr))
                    edge_edge.emplace(a, b);
            }
        for (int f = 0; f < s.faces.rows(); f++)
            for (int v = 0; v < t0.rows(); v++) {
                if (v / 3 == f) continue;
                load(0, v);
                for (int k = 0; k < 3; k++) load(1 + k, s.faces(f, k));
                if (fracas_vertex_face_find_approach(x0[0], x0 + 1, x1[0], x1 + 1, distance, 0,
                                                     nullptr))
                    face_vertex.emplace(f, v);
            }
    }
};

template <class Candidate> std::set<Ids> set_of(const std::vector<Candidate>& list) {
    std::set<Ids> out;
    for (const Candidate& c : list) EXPECT(out.insert(c.ids).second);
    return out;
}

static std::size_t compare(const ipc::BroadPhase& broad, const Pairs& wanted) {
    std::vector<ipc::EdgeEdgeCandidate> ee;
    std::vector<ipc::FaceVertexCandidate> fv;
    broad.detect_edge_edge_candidates(ee);
    broad.detect_face_vertex_candidates(fv);
    EXPECT(set_of(ee) == wanted.edge_edge);
    EXPECT(set_of(fv) == wanted.face_vertex);
    return ee.size() + fv.size();
}

static std::size_t test_broad_phase() {
    State s;
    fracas_ipc::BroadPhase<Fallback> broad(2);
    const double radius = 0.01;
    std::size_t count = 0;
    for (int step = 0; step < 3; step++) {
        broad.build(s.t0, s.t1, s.edges, s.faces, radius);
        count += compare(broad, Pairs(s, s.t0, s.t1, 2 * radius));
        broad.build(s.t1, s.edges, s.faces, radius);
        compare(broad, Pairs(s, s.t1, s.t1, 2 * radius));
        s.t0 = s.t1;
        s.shake();
    }
    // Filters: no vertex of the first twenty faces collides.
    Pairs few(s, s.t0, s.t1, 2 * radius);
    broad.build(s.t0, s.t1, s.edges, s.faces, radius);
    broad.can_vertices_collide = [](std::size_t a, std::size_t b) { return a >= 60 && b >= 60; };
    for (auto i = few.edge_edge.begin(); i != few.edge_edge.end();)
        i = i->first < 60 || i->second < 60 ? few.edge_edge.erase(i) : std::next(i);
    for (auto i = few.face_vertex.begin(); i != few.face_vertex.end();)
        i = i->first < 20 || i->second < 60 ? few.face_vertex.erase(i) : std::next(i);
    EXPECT(compare(broad, few) > 0);
    // Other kinds, from a fallback that is built once.
    std::vector<ipc::VertexVertexCandidate> vv;
    std::vector<ipc::FaceFaceCandidate> ff;
    EXPECT(Fallback::builds == 0);
    broad.detect_vertex_vertex_candidates(vv);
    broad.detect_face_face_candidates(ff);
    EXPECT(Fallback::builds == 1 && vv.size() == 1 && ff.size() == 1);
    broad.clear();
    EXPECT(compare(broad, Pairs(s, s.t0, s.t0, -1)) == 0);
    return count;
}

// A failure of Fracas is thrown, with its message.
static void test_failure() {
    State s;
    fracas_ipc::BroadPhase<Fallback> broad(1);
    s.t1(5, 1) = NAN;
    bool thrown = false;
    try {
        broad.build(s.t0, s.t1, s.edges, s.faces);
    } catch (const std::runtime_error& e) {
        thrown = std::string(e.what()).find("5") != std::string::npos;
    }
    EXPECT(thrown);
}

// A step to the reported time leaves features apart, by the rescaled distance at least.
static void test_narrow_phase() {
    const fracas_ipc::NarrowPhaseCCD ccd;
    const Vector p0(0.2, 0.2, 1), p1(0.2, 0.2, -1), a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
    double toi = -1;
    // The distance falls from 1 to 0.2 after 0.4 of the step; with a minimum of 0.5 to 0.6.
    EXPECT(ccd.point_triangle_ccd(p0, a, b, c, p1, a, b, c, toi));
    EXPECT(toi <= 0.4 && toi > 0.4 - 1e-5);
    EXPECT(ccd.point_triangle_ccd(p0, a, b, c, p1, a, b, c, toi, 0.5));
    EXPECT(toi <= 0.2 && toi > 0.2 - 1e-5);
    EXPECT(!ccd.point_triangle_ccd(p0, a, b, c, p1, a, b, c, toi, 0, 0.3));
    EXPECT(!ccd.point_triangle_ccd(p0, a, b, c, p0, a, b, c, toi));
    EXPECT(ccd.point_triangle_ccd(p0, a, b, c, p0, a, b, c, toi, 2) && toi == 0);
    const Vector e0(0.5, -1, 1), e1(0.5, 1, 1), f0(0.5, -1, -1), f1(0.5, 1, -1);
    EXPECT(ccd.edge_edge_ccd(a, b, e0, e1, a, b, f0, f1, toi));
    EXPECT(toi <= 0.4 && toi > 0.4 - 1e-5);
    EXPECT(ccd.point_edge_ccd(Vector(0.5, 0, 1), a, b, Vector(0.5, 0, -1), a, b, toi));
    EXPECT(toi <= 0.4 && toi > 0.4 - 1e-5);
    EXPECT(ccd.point_point_ccd(Vector(0, 0, 1), a, Vector(0, 0, -1), a, toi));
    EXPECT(toi <= 0.4 && toi > 0.4 - 1e-5);
    EXPECT(!ccd.point_point_ccd(Vector(0, 0, 1), a, Vector(0, 0, 2), a, toi));
    EXPECT(ccd.point_point_ccd(Vector(0, 0, NAN), a, Vector(0, 0, 2), a, toi) && toi == 0);
}

int main() {
    const std::size_t count = test_broad_phase();
    test_narrow_phase();
    test_failure();
    std::printf("%zu candidates, all of them within reach\n", count);
    return 0;
}
