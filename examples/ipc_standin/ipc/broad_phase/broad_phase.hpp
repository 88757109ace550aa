/// @file broad_phase.hpp  The interface of broad phases that examples/ipc_toolkit.hpp implements,
/// written for its test: names and signatures of IPC Toolkit, and nothing behind them.
#pragma once
#include "../../Eigen.hpp"
#include <functional>
#include <string>
#include <utility>

namespace ipc {

template <int Kind> struct StandInCandidate {
    StandInCandidate(long first, long second) : ids(first, second) {}
    std::pair<long, long> ids;
};
using VertexVertexCandidate = StandInCandidate<0>;
using EdgeVertexCandidate = StandInCandidate<1>;
using EdgeEdgeCandidate = StandInCandidate<2>;
using FaceVertexCandidate = StandInCandidate<3>;
using EdgeFaceCandidate = StandInCandidate<4>;
using FaceFaceCandidate = StandInCandidate<5>;

class BroadPhase {
  public:
    using Positions = Eigen::ConstRef<Eigen::MatrixXd>;
    using Indices = Eigen::ConstRef<Eigen::MatrixXi>;

    virtual ~BroadPhase() = default;
    virtual std::string name() const = 0;
    virtual void build(Positions, Indices, Indices, const double = 0) {}
    virtual void build(Positions, Positions, Indices, Indices, const double = 0) {}
    virtual void clear() {}
    virtual void detect_vertex_vertex_candidates(std::vector<VertexVertexCandidate>&) const = 0;
    virtual void detect_edge_vertex_candidates(std::vector<EdgeVertexCandidate>&) const = 0;
    virtual void detect_edge_edge_candidates(std::vector<EdgeEdgeCandidate>&) const = 0;
    virtual void detect_face_vertex_candidates(std::vector<FaceVertexCandidate>&) const = 0;
    virtual void detect_edge_face_candidates(std::vector<EdgeFaceCandidate>&) const = 0;
    virtual void detect_face_face_candidates(std::vector<FaceFaceCandidate>&) const = 0;

    std::function<bool(std::size_t, std::size_t)> can_vertices_collide =
        [](std::size_t, std::size_t) { return true; };
};

}  // namespace ipc
