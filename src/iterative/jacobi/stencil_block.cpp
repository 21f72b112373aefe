#include "iterative/jacobi/stencil_block.hpp"

#include "kernels/product/flush_subnormals.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::iterative {

namespace {

constexpr double points_a_ms = 1e6;

/// The two axes other than this one.
std::array<int, 2> across(int axis) { return {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2}; }

}  // namespace

StencilBlock::StencilBlock(const StencilProblem& problem, int rank)
    : problem_(problem), box_{problem.points, problem.points, problem.points} {
  const auto position = problem.grid.position_of(rank);
  for (std::size_t axis = 0; axis < 3; ++axis) first_[axis] = position[axis] * problem.points;
  for (int axis = 0; axis < 3; ++axis)
    for (const int step : {-1, 1}) {
      const int there = problem.grid.neighbour(rank, axis, step);
      if (there < 0) continue;
      const auto face = static_cast<std::size_t>(problem.points * problem.points);
      faces_.push_back({axis, step});
      neighbours_.push_back({there, face, face});
    }
}

Index StencilBlock::global(Index i, Index j, Index k) const {
  const Index nx = problem_.points * problem_.grid.x, ny = problem_.points * problem_.grid.y;
  return (first_[0] + i - 1) + nx * ((first_[1] + j - 1) + ny * (first_[2] + k - 1));
}

/// u on the boundary of the cube, at a point of my shell.
double StencilBlock::boundary(Index i, Index j, Index k) const {
  if (first_[2] + k > 0) return problem_.shift;
  const auto coordinate = [&](Index at, int boxes) {
    return static_cast<double>(at) / static_cast<double>(problem_.points * boxes + 1);
  };
  const double x = 0.5 - coordinate(first_[0] + i, problem_.grid.x),
               y = 0.5 - coordinate(first_[1] + j, problem_.grid.y);
  return std::exp(-(x * x + y * y)) + problem_.shift;
}

void StencilBlock::start(double* x) const {
  std::fill(x, x + box_.size(), problem_.shift);
  if (first_[2] > 0) return;
  for (Index j = 1; j <= box_.ny; ++j)
    for (Index i = 1; i <= box_.nx; ++i) x[i + box_.row() * j] = boundary(i, j, 0);
}

/// Call each(position in the state) for the points of one layer of the box perpendicular to face.axis; the first of the other two
/// axes varies fastest.
template <class Each>
void StencilBlock::each_point(const Face& face, Index layer, Each each) const {
  const std::array<Index, 3> strides{1, box_.row(), box_.plane()}, sizes{box_.nx, box_.ny, box_.nz};
  const auto [fast, slow] = across(face.axis);
  const auto at = [](int axis) { return static_cast<std::size_t>(axis); };
  for (Index b = 1; b <= sizes[at(slow)]; ++b)
    for (Index a = 1; a <= sizes[at(fast)]; ++a)
      each(layer * strides[at(face.axis)] + a * strides[at(fast)] + b * strides[at(slow)]);
}

Index StencilBlock::inner_layer(const Face& face) const { return face.step < 0 ? 1 : problem_.points; }
Index StencilBlock::outer_layer(const Face& face) const { return face.step < 0 ? 0 : problem_.points + 1; }

void StencilBlock::pack(const double* x, std::size_t k, double* message) const {
  each_point(faces_[k], inner_layer(faces_[k]), [&](Index at) { *message++ = x[at]; });
}

void StencilBlock::unpack(const double* message, std::size_t k, double* x) const {
  each_point(faces_[k], outer_layer(faces_[k]), [&](Index at) { x[at] = *message++; });
}

void StencilBlock::read_halo(const double* x, std::size_t k, double* message) const {
  each_point(faces_[k], outer_layer(faces_[k]), [&](Index at) { *message++ = x[at]; });
}

double StencilBlock::sweep_ms() const { return static_cast<double>(box_.points()) / points_a_ms; }

void StencilBlock::sweep(const double* x, double* next, std::size_t slice, std::size_t slices) const {
  // set here, as helper threads run slices
  const kernels::FlushSubnormals flush(problem_.flushes_subnormals);
  const auto plane = [&](std::size_t s) {
    return 1 + box_.nz * static_cast<Index>(s) / static_cast<Index>(slices);
  };
  kernels::stencil_sweep(box_, x, next, plane(slice), plane(slice + 1));
}

kernels::Cost StencilBlock::sweep_cost() const {
  return kernels::stencil_cost(static_cast<double>(box_.points()));
}

double StencilBlock::residual(const double* x) const { return kernels::stencil_residual(box_, x); }

/// The b of a point is the sum of its neighbours on the boundary of the cube.
double StencilBlock::source() const {
  const std::array<Index, 3> whole{problem_.points * problem_.grid.x, problem_.points * problem_.grid.y,
                                   problem_.points * problem_.grid.z};
  double sum = 0;
  for (Index k = 1; k <= box_.nz; ++k)
    for (Index j = 1; j <= box_.ny; ++j)
      for (Index i = 1; i <= box_.nx; ++i) {
        const std::array<Index, 3> at{first_[0] + i, first_[1] + j, first_[2] + k};
        double b = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          if (at[axis] == 1) b += axis == 2 ? boundary(i, j, k - 1) : problem_.shift;
          if (at[axis] == whole[axis]) b += problem_.shift;
        }
        sum += b * b;
      }
  return sum;
}

}  // namespace overlapack::iterative
