#include "sparse/block_triangular/symmetric_parts.hpp"

#include "base/instantiate.hpp"
#include "sparse/matrix/append_column.hpp"

#include <utility>
#include <vector>

namespace overlapack::sparse::block_triangular {

/// The factors of A from those of B, with the scale s_k of the k-th pivot's unknown:
///   L'(i, k) = L(i, k) s_k / s_i,   D'(i, k) = D(i, k) / (s_i s_k)
template <class T>
SymmetricFactors<T> symmetric_parts(const ColumnFactors<T>& factors, std::span<const Node> number,
                                    std::span<const double> scale) {
  const Index n = factors.columns();
  const auto s = [&](Index k) { return scale[static_cast<std::size_t>(number[k])]; };
  SymmetricFactors<T> parts;
  parts.L.rows = parts.L.cols = parts.D.rows = parts.D.cols = n;
  parts.D.symmetry = factors.is_hermitian ? Symmetry::hermitian : Symmetry::symmetric;
  parts.L.row.reserve(static_cast<std::size_t>(factors.lower.size() + n));
  parts.L.value.reserve(parts.L.row.capacity());
  parts.position.resize(static_cast<std::size_t>(n));
  const auto below = [&](Index k) {  // D(k + 1, k)
    return factors.pivot_off[k] * static_cast<Real<T>>(1 / (s(k) * s(k + 1)));
  };
  std::vector<std::pair<Index, T>> column;
  for (Index k = 0; k < n; ++k) {
    parts.position[number[k]] = k;
    column.emplace_back(k, T(1));
    for (Index p = factors.lower.start[k]; p < factors.lower.start[k + 1]; ++p) {
      const Index i = factors.lower.row[p];
      column.emplace_back(i, factors.lower.value[p] * static_cast<Real<T>>(s(k) / s(i)));
    }
    append_column(parts.L, column);
    if (k > 0 && factors.pivot_off[k - 1] != T(0))
      column.emplace_back(k - 1, factors.is_hermitian ? conjugate(below(k - 1)) : below(k - 1));
    column.emplace_back(k, factors.pivot[k] * static_cast<Real<T>>(1 / (s(k) * s(k))));
    if (factors.pivot_off[k] != T(0)) column.emplace_back(k + 1, below(k));
    append_column(parts.D, column);
  }
  return parts;
}

#define OVERLAPACK_INSTANTIATE(T)                                                              \
  template SymmetricFactors<T> symmetric_parts(const ColumnFactors<T>&, std::span<const Node>, \
                                               std::span<const double>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::block_triangular
