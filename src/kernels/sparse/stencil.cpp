#include "kernels/sparse/stencil.hpp"

#include "kernels/product/sizes.hpp"
#include "kernels/small/dispatch.hpp"

#include <algorithm>

namespace overlapack::kernels {

namespace {

Index strip_rows(const Box& box) {
  return std::max<Index>(sizes::least_stencil_rows,
                         sizes::stencil_bytes / (4 * box.row() * static_cast<Index>(sizeof(double))));
}

double residual_of_row(Index n, Index row, Index plane, const double* u) {
  const double *const south = u - row, *const north = u + row, *const below = u - plane,
                      *const above = u + plane;
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) {
    const double r = (u[i - 1] + u[i + 1]) + (south[i] + north[i]) + (below[i] + above[i]) - 6 * u[i];
    sum += r * r;
  }
  return sum;
}

}  // namespace

void stencil_sweep(const Box& box, const double* u, double* next, Index first_plane, Index last_plane) {
  const Index rows = strip_rows(box);
  for (Index strip = 1; strip <= box.ny; strip += rows)
    for (Index k = first_plane; k < last_plane; ++k)
      for (Index j = strip; j < std::min(strip + rows, box.ny + 1); ++j) {
        const Index at = 1 + box.row() * j + box.plane() * k;
        small::tables->stencil_row(box.nx, box.row(), box.plane(), u + at, next + at);
      }
}

double stencil_residual(const Box& box, const double* u) {
  const Index rows = strip_rows(box);
  double sum = 0;
  for (Index strip = 1; strip <= box.ny; strip += rows)
    for (Index k = 1; k <= box.nz; ++k)
      for (Index j = strip; j < std::min(strip + rows, box.ny + 1); ++j)
        sum += residual_of_row(box.nx, box.row(), box.plane(), u + 1 + box.row() * j + box.plane() * k);
  return sum;
}

}  // namespace overlapack::kernels
