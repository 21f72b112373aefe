#include "dense/check/residual_norms.hpp"

#include "base/instantiate.hpp"
#include "dense/check/entry_sizes.hpp"
#include "dense/check/residual.hpp"

#include <cmath>
#include <vector>

namespace overlapack::dense {
namespace {

struct Norms {
  double inf = 0, one = 0;
};

template <class T>
Norms norms_of(std::span<const T> values) {
  Norms norms;
  for (const T& value : values) {
    const double size = static_cast<double>(std::abs(value));
    norms.one += size;
    if (!(size <= norms.inf)) norms.inf = size;  // keeps NaN
  }
  return norms;
}

}  // namespace

double ResidualNorms::scaled(Index n, double eps) const {
  if (n == 0) return 0;
  return residual / (eps * (matrix_inf * x_inf + b_inf) * static_cast<double>(n));
}

template <class T>
ResidualNorms residual_norms(comm::Rank& rank, const dist::DistributedMatrix<T>& Ab, ColumnSource<T> columns,
                             std::span<const T> x) {
  using Sum = kernels::WideScalar<T>;
  const Index n = Ab.m();
  const EntrySizes A = entry_sizes<T>(rank, Ab, columns, {0}, {n}),
                   b = entry_sizes<T>(rank, Ab, columns, {n}, {n + 1});
  // b - A x = -[A | b] [x; -1], and |A| |x| + |b| is the same product of sizes
  std::vector<T> y(x.begin(), x.end());
  y.push_back(T(-1));
  std::vector<Sum> r(x.size());
  std::vector<Real<T>> w(x.size());
  residual<T>(rank, kernels::Op::none, Ab, columns, {y.data(), n + 1, 1, n + 1}, {r.data(), n, 1, n},
              {w.data(), n, 1, n});
  const Norms x_norms = norms_of(x);
  ResidualNorms norms{.residual = norms_of<Sum>(r).inf,
                      .matrix_inf = A.norm_inf(),
                      .matrix_one = A.norm_one(),
                      .x_inf = x_norms.inf,
                      .x_one = x_norms.one,
                      .b_inf = b.norm_inf()};
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double ratio = static_cast<double>(std::abs(r[i])) / static_cast<double>(w[i]);
    if (r[i] != Sum(0) && !(ratio <= norms.backward_error)) norms.backward_error = ratio;
  }
  return norms;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                        \
  template ResidualNorms residual_norms(comm::Rank&, const dist::DistributedMatrix<T>&, ColumnSource<T>, \
                                        std::span<const T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
