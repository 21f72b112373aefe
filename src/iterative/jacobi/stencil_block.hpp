#pragma once
#include "dist/grid/box_grid.hpp"
#include "iterative/driver/block.hpp"
#include "kernels/sparse/stencil.hpp"

#include <array>

namespace overlapack::iterative {

/// The problem of paper 5: Laplace's equation in the unit cube, with u = e^(-((1/2 - x)^2 + (1/2 - y)^2)) at z = 0 and u = 0 on
/// the five other faces. For weak scaling, each rank has points^3 unknowns.
struct StencilProblem {
  Index points = 50;
  dist::BoxGrid grid;  ///< of the ranks
  double shift = 0;    ///< added to the boundary and to the start; 1 avoids zeros and subnormal numbers
  bool flushes_subnormals = false;  ///< subnormals count as zeros on every rank
};

/// One rank's box of the cube. A has 6 on its diagonal and -1 for each neighbour inside the cube; b has the boundary values. Of n
/// points along an axis of the whole cube, point i is at i / (n + 1); the boundary is at 0 and 1.
/// Source  paper 5, section 3
class StencilBlock final : public SweepBlock<double> {
 public:
  StencilBlock(const StencilProblem& problem, int rank);

  Index unknowns() const override { return box_.points(); }
  std::size_t state_size() const override { return static_cast<std::size_t>(box_.size()); }
  void start(double* x) const override;
  std::span<const Neighbour> neighbours() const override { return neighbours_; }
  void pack(const double* x, std::size_t k, double* message) const override;
  void unpack(const double* message, std::size_t k, double* x) const override;
  void read_halo(const double* x, std::size_t k, double* message) const override;
  void sweep(const double* x, double* next, std::size_t slice, std::size_t slices) const override;
  double sweep_ms() const override;
  kernels::Cost sweep_cost() const override;
  double residual(const double* x) const override;
  double source() const override;

  const kernels::Box& box() const { return box_; }
  /// Global index of an inner point of my box in the whole cube, x fastest.
  Index global(Index i, Index j, Index k) const;

 private:
  struct Face {
    int axis = 0, step = 0;  ///< towards the neighbour
  };
  double boundary(Index i, Index j, Index k) const;
  template <class Each>
  void each_point(const Face& face, Index layer, Each each) const;
  Index inner_layer(const Face& face) const;
  Index outer_layer(const Face& face) const;

  StencilProblem problem_;
  std::array<Index, 3> first_{};  ///< inner points of the cube before mine, along each axis
  kernels::Box box_;
  std::vector<Face> faces_;  ///< by neighbour: the face between its box and mine
  std::vector<Neighbour> neighbours_;
};

}  // namespace overlapack::iterative
