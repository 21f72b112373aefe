#pragma once
#include "kernels/sparse/stencil.hpp"

namespace overlapack::kernels::reference {

/// The six neighbours of the point at `at`, added.
inline double neighbours_sum(const Box& box, const double* u, Index at) {
  double sum = 0;
  for (const Index step : {Index{1}, box.row(), box.plane()}) sum += u[at - step] + u[at + step];
  return sum;
}

/// Call each(at) for every inner point.
template <class Each>
void each_point(const Box& box, Each each) {
  for (Index k = 1; k <= box.nz; ++k)
    for (Index j = 1; j <= box.ny; ++j)
      for (Index i = 1; i <= box.nx; ++i) each(i + box.row() * j + box.plane() * k);
}

/// Point by point, as paper 5, Figure 1.
inline void stencil_sweep(const Box& box, const double* u, double* next) {
  each_point(box, [&](Index at) { next[at] = neighbours_sum(box, u, at) / 6; });
}

inline double stencil_residual(const Box& box, const double* u) {
  double sum = 0;
  each_point(box, [&](Index at) {
    const double r = neighbours_sum(box, u, at) - 6 * u[at];
    sum += r * r;
  });
  return sum;
}

}  // namespace overlapack::kernels::reference
