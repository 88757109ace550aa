/// @file narrow_phase_ccd.hpp  The interface of narrow phases, likewise.
#pragma once
#include "../../Eigen.hpp"

namespace ipc {

// At most three coordinates; the stand-in has three.
using VectorMax3d = Eigen::Vector3d;

class NarrowPhaseCCD {
  public:
    using Point = Eigen::ConstRef<VectorMax3d>;
    using Point3 = Eigen::ConstRef<Eigen::Vector3d>;

    virtual ~NarrowPhaseCCD() = default;
    virtual bool point_point_ccd(Point, Point, Point, Point, double& toi, const double = 0,
                                 const double = 1) const = 0;
    virtual bool point_edge_ccd(Point, Point, Point, Point, Point, Point, double& toi,
                                const double = 0, const double = 1) const = 0;
    virtual bool point_triangle_ccd(Point3, Point3, Point3, Point3, Point3, Point3, Point3, Point3,
                                    double& toi, const double = 0, const double = 1) const = 0;
    virtual bool edge_edge_ccd(Point3, Point3, Point3, Point3, Point3, Point3, Point3, Point3,
                               double& toi, const double = 0, const double = 1) const = 0;
};

}  // namespace ipc
