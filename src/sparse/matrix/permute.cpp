#include "sparse/matrix/permute.hpp"

#include "base/instantiate.hpp"
#include "overlapack/error.hpp"
#include "sparse/matrix/canonical.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

namespace overlapack::sparse {
namespace {

void check_length(std::size_t given, Index wanted, const char* what) {
  if (static_cast<Index>(given) != wanted)
    throw Error(Status::bad_input, std::string(what) + " has " + std::to_string(given) +
                                       " entries where the matrix needs " + std::to_string(wanted));
}

double scale_of(std::span<const double> scale, Index i) { return scale.empty() ? 1.0 : scale[i]; }

/// x r s in double, the same for (r, s) and (s, r). r s alone may leave the range where x r s does not.
double scaled(double x, double r, double s) {
  const double product = r * s;
  return std::isnormal(product) ? x * product : x * std::max(r, s) * std::min(r, s);
}
template <class R>
std::complex<R> scaled(std::complex<R> x, double r, double s) {
  return {static_cast<R>(scaled(static_cast<double>(x.real()), r, s)),
          static_cast<R>(scaled(static_cast<double>(x.imag()), r, s))};
}

}  // namespace

std::vector<Index> inverse_permutation(std::span<const Index> p) {
  const Index n = static_cast<Index>(p.size());
  std::vector<Index> q(n, -1);
  for (Index k = 0; k < n; ++k) {
    if (p[k] < 0 || p[k] >= n || q[p[k]] >= 0)
      throw Error(Status::bad_input, "entry " + std::to_string(k) + " of a permutation is " +
                                         std::to_string(p[k]) + "; it must name each number from 0 to " +
                                         std::to_string(n - 1) + " once");
    q[p[k]] = k;
  }
  return q;
}

bool is_odd(std::vector<Index> p) {
  bool odd = false;
  for (std::size_t c = 0; c < p.size(); ++c)  // a cycle of length l is l - 1 exchanges
    for (; p[c] >= 0 && p[c] != static_cast<Index>(c); odd = !odd)
      std::swap(p[c], p[static_cast<std::size_t>(p[c])]);
  return odd;
}

Index log2_product(std::span<const double> scale) {
  Index exponent = 0;
  for (const double s : scale) exponent += std::ilogb(s);
  return exponent;
}

template <class T>
SparseMatrix<T> permute(const SparseMatrix<T>& A, std::span<const Index> row_perm,
                        std::span<const Index> col_perm, std::span<const double> row_scale,
                        std::span<const double> col_scale) {
  check_length(row_perm.size(), A.rows, "the row permutation");
  check_length(col_perm.size(), A.cols, "the column permutation");
  if (!row_scale.empty()) check_length(row_scale.size(), A.rows, "the row scaling");
  if (!col_scale.empty()) check_length(col_scale.size(), A.cols, "the column scaling");
  const std::vector<Index> new_row = inverse_permutation(row_perm);
  inverse_permutation(col_perm);  // refuses an order that is no permutation

  SparseMatrix<T> B;
  B.rows = A.rows;
  B.cols = A.cols;
  B.start.resize(A.cols + 1);
  B.row.reserve(A.row.size());
  B.value.reserve(A.row.size());
  for (Index j = 0; j < A.cols; ++j) {
    const Index c = col_perm[j];
    const double s = scale_of(col_scale, c);
    for (Index p = A.start[c]; p < A.start[c + 1]; ++p) {
      const Index r = A.row[p];
      B.row.push_back(new_row[r]);
      B.value.push_back(static_cast<T>(scaled(A.value[p], scale_of(row_scale, r), s)));
    }
    B.start[j + 1] = B.nnz();
  }
  make_canonical(B);
  // P A P^T keeps the symmetry that A has; any other pair of permutations or scales does not.
  const bool same_perm = std::equal(row_perm.begin(), row_perm.end(), col_perm.begin(), col_perm.end());
  const bool same_scale = std::equal(row_scale.begin(), row_scale.end(), col_scale.begin(), col_scale.end());
  B.symmetry = same_perm && same_scale ? A.symmetry : Symmetry::general;
  return B;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                          \
  template SparseMatrix<T> permute(const SparseMatrix<T>&, std::span<const Index>, std::span<const Index>, \
                                   std::span<const double>, std::span<const double>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
