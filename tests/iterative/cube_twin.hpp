#pragma once
#include "comm/collective/collective.hpp"
#include "iterative/jacobi/stencil_block.hpp"
#include "kernels/reference/stencil.hpp"

#include <cmath>
#include <vector>

/// The slow obvious twin of Jacobi's method on a cube of boxes.
namespace overlapack::comm::conformance {

/// The whole cube in one box, point by point.
struct CubeTwin {
  explicit CubeTwin(const iterative::StencilProblem& problem)
      : box{problem.points * problem.grid.x, problem.points * problem.grid.y,
            problem.points * problem.grid.z},
        u(static_cast<std::size_t>(box.size()), problem.shift) {
    for (Index j = 1; j <= box.ny; ++j)
      for (Index i = 1; i <= box.nx; ++i) {
        const double x = double(i) / double(box.nx + 1), y = double(j) / double(box.ny + 1);
        u[i + box.row() * j] += std::exp(-((0.5 - x) * (0.5 - x) + (0.5 - y) * (0.5 - y)));
      }
    std::vector<double> zeros = u;  // b: the residual of 0 inside
    kernels::reference::each_point(box, [&](Index at) { zeros[at] = 0; });
    source = std::sqrt(kernels::reference::stencil_residual(box, zeros.data()));
  }
  void sweep() {
    std::vector<double> next = u;
    kernels::reference::stencil_sweep(box, u.data(), next.data());
    u = next;
  }
  double residual() const { return std::sqrt(kernels::reference::stencil_residual(box, u.data())) / source; }
  void take(const std::vector<double>& inner) {
    std::size_t n = 0;
    kernels::reference::each_point(box, [&](Index at) { u[at] = inner[n++]; });
  }
  std::vector<double> inner() const {
    std::vector<double> values;
    kernels::reference::each_point(box, [&](Index at) { values.push_back(u[at]); });
    return values;
  }

  kernels::Box box;
  std::vector<double> u;
  double source = 0;
};

/// The unknowns of all ranks on every rank.
inline std::vector<double> collected(Rank& rank, const iterative::StencilBlock& block,
                                     std::span<const double> x) {
  const kernels::Box& box = block.box();
  std::vector<double> all(static_cast<std::size_t>(box.points() * rank.size()));
  for (Index k = 1; k <= box.nz; ++k)
    for (Index j = 1; j <= box.ny; ++j)
      for (Index i = 1; i <= box.nx; ++i) all[block.global(i, j, k)] = x[i + box.row() * j + box.plane() * k];
  collective::all_reduce(rank, std::span<double>(all), std::plus<>());
  return all;
}

}  // namespace overlapack::comm::conformance
