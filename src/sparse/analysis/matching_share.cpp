#include "sparse/analysis/matching_share.hpp"

#include "base/instantiate.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::sparse {
namespace {

/// The row matched to each column; empty if nothing is matched.
std::vector<Index> matched_rows(const Analysis& analysis) {
  if (analysis.kind != FactorKind::lu || !analysis.matched_row.empty()) return analysis.matched_row;
  std::vector<Index> row(analysis.col_perm.size());
  for (std::size_t k = 0; k < row.size(); ++k)
    row[static_cast<std::size_t>(analysis.col_perm[k])] = analysis.row_perm[k];
  return row;
}

}  // namespace

template <class T>
double matching_share(const SparseMatrix<T>& A, const Analysis& analysis) {
  const std::vector<Index> matched = matched_rows(analysis);
  double sum = 0, columns = 0;  // of log2
  for (std::size_t j = 0; j < matched.size(); ++j) {
    double own = -1, largest = 0;
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      const auto i = static_cast<std::size_t>(A.row[p]);
      const double modulus = scaled_entry(static_cast<double>(std::abs(A.value[p])), analysis.row_scale[i],
                                          analysis.col_scale[j]);
      if (A.row[p] == matched[j]) own = modulus;
      largest = std::max(largest, modulus);
    }
    if (own < 0) continue;
    if (own == 0) return 0;
    sum += std::log2(own / largest);
    ++columns;
  }
  return columns > 0 ? std::exp2(sum / columns) : 1;
}

#define OVERLAPACK_INSTANTIATE(T) template double matching_share(const SparseMatrix<T>&, const Analysis&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
