#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// A square matrix by compressed columns, both triangles stored, rows ascending in each column.
struct Matrix {
  std::int64_t n = 0;
  std::vector<std::int64_t> start{0};
  std::vector<std::int64_t> row;
  std::vector<double> value;
  bool is_symmetric = false;

  std::int64_t nnz() const { return static_cast<std::int64_t>(row.size()); }
};

/// A matrix in the index type and triangle that a solver wants.
template <class Int>
struct CompressedColumns {
  std::vector<Int> start;
  std::vector<Int> row;
  std::vector<double> value;
};

/// A as sparse_compare wrote it (compare/matrices.py): a header of 40 bytes, then start, row, value.
Matrix read_matrix(const std::string& path);

/// y <- A x
std::vector<double> multiply(const Matrix& a, const std::vector<double>& x);

/// A^T, which by compressed columns is A by compressed rows.
Matrix transpose(const Matrix& a);

/// max_i |b - A x|_i / (|A||x| + |b|)_i, where a row with a tiny denominator takes |A|_i ||x||_oo in place of
/// |b|_i. Units   none; residuals are accumulated in long double Source  Arioli, Demmel, Duff, SIAM J. Matrix
/// Anal. Appl. 10 (1989), section 2: omega_1 + omega_2
double backward_error(const Matrix& a, const std::vector<double>& x, const std::vector<double>& b);

/// One step x <- x + A^-1 (b - A x) of refinement needs this: b - A x, accumulated in long double.
std::vector<double> residual(const Matrix& a, const std::vector<double>& x, const std::vector<double>& b);

/// The columns' entries with row >= column (is_lower) or all of them, numbered from `base`.
template <class Int>
CompressedColumns<Int> compressed(const Matrix& a, bool is_lower, Int base) {
  CompressedColumns<Int> out;
  out.start.reserve(static_cast<std::size_t>(a.n) + 1);
  for (std::int64_t j = 0; j < a.n; ++j) {
    out.start.push_back(static_cast<Int>(out.row.size()) + base);
    for (std::int64_t p = a.start[j]; p < a.start[j + 1]; ++p) {
      if (is_lower && a.row[p] < j) continue;
      out.row.push_back(static_cast<Int>(a.row[p]) + base);
      out.value.push_back(a.value[p]);
    }
  }
  out.start.push_back(static_cast<Int>(out.row.size()) + base);
  return out;
}

}  // namespace bench
