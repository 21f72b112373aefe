#include "sparse/analysis/kept_rows.hpp"

#include "base/instantiate.hpp"
#include "sparse/matrix/scaled_entry.hpp"
#include "sparse/matrix/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace overlapack::sparse {
namespace {

/// |dr A dc| at (i, j); 0 where no entry is stored.
template <class T>
double scaled_modulus(const SparseMatrix<T>& A, const Scaling& scaling, Index i, Index j) {
  return scaled_entry(static_cast<double>(std::abs(entry(A, i, j))), scaling.row_scale[i],
                      scaling.col_scale[j]);
}

}  // namespace

template <class T>
std::optional<Scaling> scaling_with_kept_rows(const SparseMatrix<T>& A, const Scaling& matched,
                                              const AnalysisPlan& plan) {
  if (matched.scaling != "matching") return std::nullopt;  // entries are not compared with 1
  std::vector<double> diagonal(static_cast<std::size_t>(A.cols));
  for (Index j = 0; j < A.cols; ++j) diagonal[j] = scaled_modulus(A, matched, j, j);
  PivotPartners partners = pivot_partners(matched.row_of_column, diagonal, plan.pair_diagonal);
  Index without = 0;
  for (Index j = 0; j < A.cols; ++j) {
    if (partners.waits[j] == 0) continue;
    const Index other = partners.partner[j];
    const bool is_pair = other != j && std::min(scaled_modulus(A, matched, other, j),
                                                scaled_modulus(A, matched, j, other)) >= plan.pair_diagonal;
    without += !is_pair;
  }
  if (static_cast<double>(without) > plan.kept_rows_weak * static_cast<double>(A.cols)) return std::nullopt;
  Scaling kept = matched;
  std::iota(kept.row_of_column.begin(), kept.row_of_column.end(), Index{0});
  kept.matched_row = matched.row_of_column;
  kept.partners = std::move(partners);
  return kept;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                \
  template std::optional<Scaling> scaling_with_kept_rows(const SparseMatrix<T>&, const Scaling&, \
                                                         const AnalysisPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
