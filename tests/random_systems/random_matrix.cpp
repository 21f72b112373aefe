#include "random_systems/random_matrix.hpp"

#include "random_values.hpp"
#include "sparse/matrix/triplets.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <string_view>

namespace overlapack {
namespace {

template <class T>
T conjugated(const T& value) {
  if constexpr (ScalarTraits<T>::is_complex)
    return std::conj(value);
  else
    return value;
}

/// Entries at random places, or around the diagonal, or of a grid.
template <class T>
void scatter(Triplets<T>& A, Random& random, std::string& what) {
  const Index n = A.rows;
  switch (random.below(4)) {
    case 0:
      what += "sparse ";
      for (Index k = static_cast<Index>(random.below(static_cast<std::uint64_t>(4 * n))); k-- > 0;)
        A.add(static_cast<Index>(random.below(n)), static_cast<Index>(random.below(n)),
              random_value<T>(random));
      break;
    case 1:
      what += "band ";
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < std::min(n, j + 3); ++i) {
          A.add(i, j, random_value<T>(random));
          if (i > j) A.add(j, i, random_value<T>(random));
        }
      break;
    case 2:
      what += "Laplacian ";  // singular but for what comes on its diagonal
      for (Index k = 0; k < 2 * n; ++k) {
        const auto i = static_cast<Index>(random.below(n)), j = static_cast<Index>(random.below(n));
        if (i == j) continue;
        const T g = T(static_cast<Real<T>>(random.uniform(0.1, 1)));
        A.add(i, i, g), A.add(j, j, g), A.add(i, j, -g), A.add(j, i, -g);
      }
      break;
    default:
      what += "blocks ";
      for (Index first = 0; first < n; first += 5)
        for (Index j = first; j < std::min(n, first + 5); ++j) {
          for (Index i = first; i < std::min(n, first + 5); ++i) A.add(i, j, random_value<T>(random));
          if (j > 0) A.add(static_cast<Index>(random.below(j)), j, random_value<T>(random));
        }
  }
}

template <class T>
void add_diagonal(Triplets<T>& A, Random& random, std::string& what) {
  const auto kind = random.below(4);
  constexpr std::string_view names[] = {"", "+weak ", "+strong ", "+half of the diagonal "};
  what += names[kind];
  for (Index k = 0; k < A.rows && kind > 0; ++k)
    if (kind < 3 || random.below(2) == 0) A.add(k, k, T(static_cast<Real<T>>(kind == 1 ? 1e-3 : 4)));
}

template <class T>
void mirror(Triplets<T>& A, Random& random, std::string& what) {
  const auto kind = random.below(4);
  if (kind == 0) return;
  what += kind == 3 ? "nearly symmetric " : kind == 2 ? "Hermitian " : "symmetric ";
  const std::size_t count = A.value.size();
  for (std::size_t k = 0; k < count; ++k)
    A.add(A.col[k], A.row[k], kind == 2 ? conjugated(A.value[k]) : A.value[k]);
  if (kind == 3 && count > 0)
    A.value[random.below(count)] *= Real<T>(1 + 8 * std::numeric_limits<Real<T>>::epsilon());
}

/// One row that is another, but for `difference` on the diagonal; or zeros.
template <class T>
void spoil(SparseMatrix<T>& A, Random& random, std::string& what) {
  const auto kind = random.below(8);
  const Index n = A.rows;
  if (kind > 4 || n < 2) return;
  const auto row = static_cast<Index>(random.below(n)), twin = static_cast<Index>(random.below(n));
  constexpr std::string_view names[] = {"zero row ", "zero column ", "equal rows ", "nearly equal rows ",
                                        "dense row "};
  what += names[kind];
  Triplets<T> entries;
  entries.rows = entries.cols = n;
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  for (Index j = 0; j < n; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
      if ((kind == 1 && j == row) || (kind != 1 && kind != 4 && A.row[k] == row)) continue;
      entries.add(A.row[k], j, A.value[k]);
      if ((kind == 2 || kind == 3) && A.row[k] == twin && row != twin) entries.add(row, j, A.value[k]);
    }
  if (kind == 3) entries.add(row, row, T(static_cast<Real<T>>(std::pow(10.0, random.uniform(-1, 4)) * eps)));
  if (kind == 4)
    for (Index j = 0; j < n; ++j) entries.add(row, j, random_value<T>(random));
  A = sparse::compress(std::move(entries)).matrix;
}

template <class T>
void scale(SparseMatrix<T>& A, Random& random, std::string& what) {
  const auto kind = random.below(8);
  if (kind > 2) return;
  const double decades = kind == 0 ? 3 : kind == 1 ? 12 : std::is_same_v<Real<T>, float> ? 17 : 140;
  what += "scaled by 1e+-" + std::to_string(static_cast<int>(decades)) + " ";
  std::vector<double> row, col;
  for (Index k = 0; k < A.rows; ++k) {
    row.push_back(random.uniform(-decades, decades));
    col.push_back(random.uniform(-decades, decades));
  }
  const double limit = std::is_same_v<Real<T>, float> ? 30 : 290;
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
      A.value[k] *= static_cast<Real<T>>(std::pow(10.0, std::clamp(row[A.row[k]] + col[j], -limit, limit)));
}

}  // namespace

template <class T>
SparseMatrix<T> random_matrix(Random& random, Index most, std::string& what) {
  Triplets<T> entries;
  const auto bound = static_cast<std::uint64_t>(random.below(20) == 0 ? most : most / 5);
  entries.rows = entries.cols = 1 + static_cast<Index>(random.below(bound));
  scatter(entries, random, what);
  add_diagonal(entries, random, what);
  mirror(entries, random, what);
  SparseMatrix<T> A = sparse::compress(std::move(entries)).matrix;
  spoil(A, random, what);
  scale(A, random, what);
  return A;
}

template SparseMatrix<float> random_matrix(Random&, Index, std::string&);
template SparseMatrix<double> random_matrix(Random&, Index, std::string&);
template SparseMatrix<std::complex<float>> random_matrix(Random&, Index, std::string&);
template SparseMatrix<std::complex<double>> random_matrix(Random&, Index, std::string&);

}  // namespace overlapack
