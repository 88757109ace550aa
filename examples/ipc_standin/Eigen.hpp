/// @file Eigen.hpp  What the adapter uses of Eigen: a matrix and vectors of doubles and integers.
/// With the real library this folder is not on the include path.
#pragma once
#include <cstddef>
#include <vector>

namespace Eigen {

template <class T> class Matrix {
  public:
    Matrix() = default;
    Matrix(std::ptrdiff_t rows, std::ptrdiff_t cols)
        : rows_(rows), cols_(cols), data_(static_cast<std::size_t>(rows * cols)) {}
    std::ptrdiff_t rows() const { return rows_; }
    std::ptrdiff_t cols() const { return cols_; }
    T& operator()(std::ptrdiff_t i, std::ptrdiff_t j) { return data_[at(i, j)]; }
    const T& operator()(std::ptrdiff_t i, std::ptrdiff_t j) const { return data_[at(i, j)]; }

  private:
    // By columns.
    std::size_t at(std::ptrdiff_t i, std::ptrdiff_t j) const {
        return static_cast<std::size_t>(j * rows_ + i);
    }
    std::ptrdiff_t rows_ = 0, cols_ = 0;
    std::vector<T> data_;
};
using MatrixXd = Matrix<double>;
using MatrixXi = Matrix<int>;

class Vector3d {
  public:
    Vector3d(double x, double y, double z) : data_{x, y, z} {}
    explicit Vector3d(const double* x) : data_{x[0], x[1], x[2]} {}
    std::ptrdiff_t size() const { return 3; }
    double operator()(std::ptrdiff_t i) const { return data_[i]; }

  private:
    double data_[3];
};

template <class T> using ConstRef = const T&;

}  // namespace Eigen
