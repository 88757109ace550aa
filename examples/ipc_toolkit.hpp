/// @file ipc_toolkit.hpp  Fracas as broad phase and narrow phase of IPC Toolkit
/// (docs/ipc-toolkit.md). Header only; C++17. Failures of Fracas are thrown as std::runtime_error.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fracas/fracas.h>
#include <ipc/broad_phase/broad_phase.hpp>
#include <ipc/ccd/narrow_phase_ccd.hpp>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fracas_ipc {

// ---- narrow phase

/// The toolkit needs steps after which features are still apart. A contact is therefore reported
/// when the distance falls to min_distance + (1 - rescaling) (distance at t0 - min_distance), as
/// the toolkit's own method does; Fracas decides that without missing any.
class NarrowPhaseCCD final : public ipc::NarrowPhaseCCD {
  public:
    using Point = Eigen::ConstRef<ipc::VectorMax3d>;
    using Point3 = Eigen::ConstRef<Eigen::Vector3d>;

    explicit NarrowPhaseCCD(double conservative_rescaling = 0.8, double tolerance = 1e-6)
        : rescaling_(conservative_rescaling), tolerance_(tolerance) {}

    bool point_point_ccd(Point p0_t0, Point p1_t0, Point p0_t1, Point p1_t1, double& toi,
                         const double min_distance = 0.0, const double tmax = 1.0) const override {
        const Points<2> x0 = {row(p0_t0), row(p1_t0)}, x1 = {row(p0_t1), row(p1_t1)};
        fracas_distance start;
        if (!fracas_vertex_vertex_find_distance(x0.at(0), x0.at(1), INFINITY, &start))
            return refuse(toi);
        return decide(start, min_distance, tmax, toi, [&](double d, fracas_impact* hit) {
            return fracas_vertex_vertex_find_approach(x0.at(0), x0.at(1), x1.at(0), x1.at(1), d,
                                                      tolerance_, hit);
        });
    }

    bool point_edge_ccd(Point p_t0, Point e0_t0, Point e1_t0, Point p_t1, Point e0_t1, Point e1_t1,
                        double& toi, const double min_distance = 0.0,
                        const double tmax = 1.0) const override {
        const Points<3> x0 = {row(p_t0), row(e0_t0), row(e1_t0)};
        const Points<3> x1 = {row(p_t1), row(e0_t1), row(e1_t1)};
        fracas_distance start;
        if (!fracas_vertex_edge_find_distance(x0.at(0), x0.from(1), INFINITY, &start))
            return refuse(toi);
        return decide(start, min_distance, tmax, toi, [&](double d, fracas_impact* hit) {
            return fracas_vertex_edge_find_approach(x0.at(0), x0.from(1), x1.at(0), x1.from(1), d,
                                                    tolerance_, hit);
        });
    }

    bool point_triangle_ccd(Point3 p_t0, Point3 t0_t0, Point3 t1_t0, Point3 t2_t0, Point3 p_t1,
                            Point3 t0_t1, Point3 t1_t1, Point3 t2_t1, double& toi,
                            const double min_distance = 0.0,
                            const double tmax = 1.0) const override {
        const Points<4> x0 = {row(p_t0), row(t0_t0), row(t1_t0), row(t2_t0)};
        const Points<4> x1 = {row(p_t1), row(t0_t1), row(t1_t1), row(t2_t1)};
        fracas_distance start;
        if (!fracas_vertex_face_find_distance(x0.at(0), x0.from(1), INFINITY, &start))
            return refuse(toi);
        return decide(start, min_distance, tmax, toi, [&](double d, fracas_impact* hit) {
            return fracas_vertex_face_find_approach(x0.at(0), x0.from(1), x1.at(0), x1.from(1), d,
                                                    tolerance_, hit);
        });
    }

    bool edge_edge_ccd(Point3 ea0_t0, Point3 ea1_t0, Point3 eb0_t0, Point3 eb1_t0, Point3 ea0_t1,
                       Point3 ea1_t1, Point3 eb0_t1, Point3 eb1_t1, double& toi,
                       const double min_distance = 0.0, const double tmax = 1.0) const override {
        const Points<4> x0 = {row(ea0_t0), row(ea1_t0), row(eb0_t0), row(eb1_t0)};
        const Points<4> x1 = {row(ea0_t1), row(ea1_t1), row(eb0_t1), row(eb1_t1)};
        fracas_distance start;
        if (!fracas_edge_edge_find_distance(x0.from(0), x0.from(2), INFINITY, &start))
            return refuse(toi);
        return decide(start, min_distance, tmax, toi, [&](double d, fracas_impact* hit) {
            return fracas_edge_edge_find_approach(x0.from(0), x0.from(2), x1.from(0), x1.from(2), d,
                                                  tolerance_, hit);
        });
    }

  private:
    using Row = std::array<double, 3>;
    template <std::size_t N> class Points {
      public:
        template <class... R> Points(const R&... rows) {
            std::size_t i = 0;
            for (const Row& r : {rows...}) std::copy(r.begin(), r.end(), data_[i++]);
        }
        const double* at(std::size_t i) const { return data_[i]; }
        const double (*from(std::size_t i) const)[3] { return data_ + i; }

      private:
        double data_[N][3];
    };

    // Two coordinates: z is 0.
    template <class V> static Row row(const V& v) {
        return {v(0), v(1), v.size() > 2 ? v(2) : 0.0};
    }

    // Positions that are not finite: the only safe step is none.
    static bool refuse(double& toi) {
        toi = 0;
        return true;
    }

    template <class Find>
    bool decide(const fracas_distance& start, double min_distance, double tmax, double& toi,
                Find find) const {
        if (start.distance <= min_distance) return refuse(toi);
        const double gap = (1 - rescaling_) * (start.distance - min_distance);
        fracas_impact hit;
        if (!find(min_distance + gap, &hit) || hit.toi > tmax) return false;
        toi = hit.toi;
        return true;
    }

    double rescaling_, tolerance_;
};

// ---- broad phase

/// Edge-edge and face-vertex candidates: exactly the pairs whose distance falls to twice the
/// inflation radius during the step, so few that the narrow phase has hardly any to reject. The
/// other four kinds, which simulations of surfaces do not use, are those of `Fallback`, another
/// broad phase of the toolkit, which is built when they are first asked for.
///
/// Building again with the same edges and faces moves the points and refits the trees.
template <class Fallback> class BroadPhase final : public ipc::BroadPhase {
  public:
    using Positions = Eigen::ConstRef<Eigen::MatrixXd>;
    using Indices = Eigen::ConstRef<Eigen::MatrixXi>;

    /// 0 workers: one per core.
    explicit BroadPhase(std::uint32_t workers = 0) {
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = workers;
        fracas_context* context = nullptr;
        if (fracas_context_create(&options, &context) != FRACAS_OK)
            throw std::runtime_error("fracas_context_create failed");
        context_.reset(context);
    }

    std::string name() const override { return "Fracas"; }

    void build(Positions vertices, Indices edges, Indices faces,
               const double inflation_radius = 0) override {
        build(vertices, vertices, edges, faces, inflation_radius);
    }

    void build(Positions vertices_t0, Positions vertices_t1, Indices edges, Indices faces,
               const double inflation_radius = 0) override {
        std::vector<double> t0 = points_of(vertices_t0), t1 = points_of(vertices_t1);
        std::vector<std::uint32_t> all_edges = indices_of(edges, 2),
                                   all_faces = indices_of(faces, 3);
        const bool same =
            scene_ && t0.size() == point_numbers_ && all_edges == edges_ && all_faces == faces_;
        edge_edge_.clear();
        face_vertex_.clear();
        if (same) {
            move(t0);
            check(fracas_scene_advance(scene_.get()));
        } else {
            scene_.reset();
            edges_ = std::move(all_edges);
            faces_ = std::move(all_faces);
            point_numbers_ = t0.size();
            create(t0);
        }
        move(t1);
        check(fracas_scene_update(scene_.get()));
        detect(2 * inflation_radius);
        std::lock_guard<std::mutex> lock(mutex_);
        fallback_.reset();
        vertices_t0_ = vertices_t0;
        vertices_t1_ = vertices_t1;
        edge_matrix_ = edges;
        face_matrix_ = faces;
        radius_ = inflation_radius;
    }

    void clear() override {
        scene_.reset();
        edge_edge_.clear();
        face_vertex_.clear();
        std::lock_guard<std::mutex> lock(mutex_);
        fallback_.reset();
        radius_ = -1;
    }

    void
    detect_edge_edge_candidates(std::vector<ipc::EdgeEdgeCandidate>& candidates) const override {
        for (const auto& [a, b] : edge_edge_)
            if (any_collide(&edges_[2 * a], 2, &edges_[2 * b], 2)) candidates.emplace_back(a, b);
    }

    void detect_face_vertex_candidates(
        std::vector<ipc::FaceVertexCandidate>& candidates) const override {
        for (const auto& [face, vertex] : face_vertex_) {
            const std::uint32_t one = vertex;
            if (any_collide(&faces_[3 * face], 3, &one, 1)) candidates.emplace_back(face, vertex);
        }
    }

    void detect_vertex_vertex_candidates(
        std::vector<ipc::VertexVertexCandidate>& candidates) const override {
        if (Fallback* other = fallback()) other->detect_vertex_vertex_candidates(candidates);
    }
    void detect_edge_vertex_candidates(
        std::vector<ipc::EdgeVertexCandidate>& candidates) const override {
        if (Fallback* other = fallback()) other->detect_edge_vertex_candidates(candidates);
    }
    void
    detect_edge_face_candidates(std::vector<ipc::EdgeFaceCandidate>& candidates) const override {
        if (Fallback* other = fallback()) other->detect_edge_face_candidates(candidates);
    }
    void
    detect_face_face_candidates(std::vector<ipc::FaceFaceCandidate>& candidates) const override {
        if (Fallback* other = fallback()) other->detect_face_face_candidates(candidates);
    }

  private:
    using Ids = std::pair<std::uint32_t, std::uint32_t>;
    struct DestroyContext {
        void operator()(fracas_context* c) const { fracas_context_destroy(c); }
    };
    struct DestroyScene {
        void operator()(fracas_scene* s) const { fracas_scene_destroy(s); }
    };

    void check(fracas_status status) const {
        if (status == FRACAS_OK) return;
        char message[500];
        fracas_context_get_message(context_.get(), message, sizeof message);
        throw std::runtime_error(message);
    }

    static std::vector<double> points_of(Positions x) {
        std::vector<double> out(3 * static_cast<std::size_t>(x.rows()), 0.0);
        for (std::ptrdiff_t i = 0; i < x.rows(); i++)
            for (std::ptrdiff_t k = 0; k < std::min<std::ptrdiff_t>(x.cols(), 3); k++)
                out[static_cast<std::size_t>(3 * i + k)] = x(i, k);
        return out;
    }

    static std::vector<std::uint32_t> indices_of(Indices x, std::ptrdiff_t columns) {
        std::vector<std::uint32_t> out;
        out.reserve(static_cast<std::size_t>(x.rows() * columns));
        for (std::ptrdiff_t i = 0; i < x.rows(); i++)
            for (std::ptrdiff_t k = 0; k < columns; k++)
                out.push_back(static_cast<std::uint32_t>(x(i, k)));
        return out;
    }

    static std::uint64_t key_of(std::uint32_t a, std::uint32_t b) {
        return static_cast<std::uint64_t>(std::min(a, b)) << 32 | std::max(a, b);
    }

    static fracas_points view_of(const std::vector<double>& x) {
        fracas_points points = {};
        points.data = x.data();
        points.count = static_cast<std::uint32_t>(x.size() / 3);
        return points;
    }

    // One body; edges without a face are free edges, vertices without an edge free points.
    void create(const std::vector<double>& t0) {
        std::unordered_map<std::uint64_t, bool> of_faces;
        std::vector<bool> used(t0.size() / 3, false);
        std::vector<std::uint32_t> free_edges, free_points;
        for (std::size_t i = 0; i < faces_.size(); i++) {
            const std::size_t next = i % 3 == 2 ? i - 2 : i + 1;
            of_faces[key_of(faces_[i], faces_[next])] = true;
            used.at(faces_[i]) = true;
        }
        edge_numbers_.clear();
        for (std::size_t i = 0; i < edges_.size(); i += 2) {
            const std::uint64_t key = key_of(edges_[i], edges_[i + 1]);
            edge_numbers_[key] = static_cast<std::uint32_t>(i / 2);
            used.at(edges_[i]) = used.at(edges_[i + 1]) = true;
            if (of_faces.count(key)) continue;
            free_edges.push_back(edges_[i]);
            free_edges.push_back(edges_[i + 1]);
        }
        for (std::size_t i = 0; i < used.size(); i++)
            if (!used[i]) free_points.push_back(static_cast<std::uint32_t>(i));
        fracas_mesh_view mesh = {};
        mesh.points = view_of(t0);
        mesh.triangles = faces_.data();
        mesh.triangle_count = static_cast<std::uint32_t>(faces_.size() / 3);
        mesh.edges = free_edges.data();
        mesh.edge_count = static_cast<std::uint32_t>(free_edges.size() / 2);
        mesh.vertices = free_points.data();
        mesh.vertex_count = static_cast<std::uint32_t>(free_points.size());
        fracas_scene_options options = fracas_scene_default_options();
        options.modes = FRACAS_MODE_CONTINUOUS;
        fracas_scene* scene = nullptr;
        check(fracas_scene_create(context_.get(), &options, &scene));
        scene_.reset(scene);
        check(fracas_scene_add(scene, &mesh, nullptr, &body_));
    }

    void move(const std::vector<double>& x) {
        const fracas_points points = view_of(x);
        check(fracas_scene_move(scene_.get(), body_, &points));
    }

    void detect(double distance) {
        fracas_query query = fracas_scene_default_query();
        query.min_separation = distance;
        fracas_stream stream = fracas_scene_default_stream();
        stream.user = this;
        stream.report = [](const fracas_contact_block* block, void* user) {
            static_cast<BroadPhase*>(user)->keep(*block);
            return true;
        };
        check(fracas_scene_stream(scene_.get(), &query, &stream));
    }

    void keep(const fracas_contact_block& block) {
        for (std::uint32_t r = 0; r < block.run_count; r++) {
            const fracas_contact_run& run = block.runs[r];
            for (std::uint32_t i = run.first; i < run.first + run.count; i++) {
                const fracas_contact_record& c = block.records[i];
                if (run.kind == FRACAS_CONTACT_VF) {
                    face_vertex_.emplace_back(c.b[0], c.a[0]);
                } else if (run.kind == FRACAS_CONTACT_EE) {
                    const auto a = edge_numbers_.find(key_of(c.a[0], c.a[1]));
                    const auto b = edge_numbers_.find(key_of(c.b[0], c.b[1]));
                    // Sides of faces that the caller does not list as edges.
                    if (a == edge_numbers_.end() || b == edge_numbers_.end()) continue;
                    edge_edge_.emplace_back(std::min(a->second, b->second),
                                            std::max(a->second, b->second));
                }
            }
        }
    }

    // As the toolkit: some vertex of one may collide with some vertex of the other.
    bool any_collide(const std::uint32_t* a, int m, const std::uint32_t* b, int n) const {
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                if (this->can_vertices_collide(a[i], b[j])) return true;
        return false;
    }

    Fallback* fallback() const {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!fallback_ && radius_ >= 0) {
            fallback_ = std::make_unique<Fallback>();
            fallback_->can_vertices_collide = this->can_vertices_collide;
            fallback_->build(vertices_t0_, vertices_t1_, edge_matrix_, face_matrix_, radius_);
        }
        return fallback_.get();
    }

    std::unique_ptr<fracas_context, DestroyContext> context_;  // outlives the scene
    std::unique_ptr<fracas_scene, DestroyScene> scene_;
    fracas_body body_ = {};
    std::size_t point_numbers_ = 0;
    std::vector<std::uint32_t> edges_, faces_;
    std::unordered_map<std::uint64_t, std::uint32_t> edge_numbers_;
    std::vector<Ids> edge_edge_, face_vertex_;
    // For the fallback.
    mutable std::mutex mutex_;
    mutable std::unique_ptr<Fallback> fallback_;
    Eigen::MatrixXd vertices_t0_, vertices_t1_;
    Eigen::MatrixXi edge_matrix_, face_matrix_;
    double radius_ = -1;  // below 0: not built
};

}  // namespace fracas_ipc
