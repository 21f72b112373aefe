#pragma once
#include "api/io/number.hpp"
#include "api/io/refuse.hpp"
#include "overlapack/io.hpp"
#include "sparse/matrix/mirror.hpp"
#include "sparse/matrix/triplets.hpp"

#include <complex>
#include <string>
#include <utility>

namespace overlapack::io {

/// Whether these sizes are plausible, so that memory may be allocated for them. If a matrix has more than a million rows or columns and fewer
/// than one entry for 64 of them, the sizes are a mistake, or the matrix is singular.
inline bool are_plausible_sizes(Index rows, Index cols, Index entries) {
  const Index limit = (Index{1} << 20) + 64 * entries;
  return rows <= limit && cols <= limit;
}

/// Collects the entries that a reader finds in a file. It checks them against the declared symmetry, counts them, and makes a canonical
/// matrix of them.
template <class T>
class EntrySink {
 public:
  EntrySink(Index rows, Index cols, Symmetry symmetry, std::string name)
      : symmetry_(symmetry), name_(std::move(name)) {
    entries_.rows = rows;
    entries_.cols = cols;
  }
  void reserve(Index entries) { entries_.reserve(entries); }

  /// Add entry (i, j), counted from 0 and inside the matrix. Returns what is wrong with it, or null.
  const char* add(Index i, Index j, const T& value) {
    if (symmetry_ != Symmetry::general) {
      if (const char* reason = check_symmetry(i, j, value)) return reason;
    }
    explicit_zeros_ += value == T(0);
    entries_.add(i, j, value);
    return nullptr;
  }

  /// Make the matrix of all entries. The sink is empty afterwards.
  SparseMatrix<T> finish(ReadFacts& facts, const NumberCounts& counts) {
    facts.entries = entries_.size();
    facts.explicit_zeros = explicit_zeros_;
    facts.subnormals = counts.subnormals;
    facts.underflows = counts.underflows;
    facts.fortran_exponents = counts.fortran_exponents;
    auto compressed = sparse::compress(std::exchange(entries_, {}));
    facts.duplicates_summed = compressed.duplicates_summed;
    if (facts.duplicates_summed > 0) require_finite_sums(compressed.matrix);
    if (symmetry_ == Symmetry::general) return std::move(compressed.matrix);
    return sparse::mirror_triangle(compressed.matrix, symmetry_);
  }

 private:
  const char* check_symmetry(Index i, Index j, const T& value) {
    if (i == j) {
      if (symmetry_ == Symmetry::skew && value != T(0))
        return "a skew-symmetric matrix has a zero diagonal; remove the entry or declare the matrix general";
      if (symmetry_ == Symmetry::hermitian && std::imag(value) != 0)
        return "a hermitian matrix has a real diagonal; correct the entry or declare the matrix general";
      return nullptr;
    }
    (i > j ? has_lower_ : has_upper_) = true;
    if (has_lower_ && has_upper_)
      return "a symmetric matrix stores one triangle, this entry is in the other one; remove one triangle or "
             "declare the matrix general";
    return nullptr;
  }

  void require_finite_sums(const SparseMatrix<T>& A) const {
    for (const T& x : A.value)
      if (!is_finite(x))
        refuse(name_, "entries at the same place add up to more than its numbers can hold; correct them");
  }

  Symmetry symmetry_;
  std::string name_;
  sparse::Triplets<T> entries_;
  Index explicit_zeros_ = 0;
  bool has_lower_ = false, has_upper_ = false;
};

/// The result of finish() as a MatrixFile, with the facts that were found while reading.
template <class T>
MatrixFile to_matrix_file(SparseMatrix<T>&& matrix, ReadFacts facts) {
  MatrixFile file;
  file.type = ScalarTraits<T>::type;
  file.symmetry = matrix.symmetry;
  file.rows = matrix.rows;
  file.cols = matrix.cols;
  file.facts = std::move(facts);
  file.matrix = std::move(matrix);
  return file;
}

template <class T>
DenseFile to_dense_file(DenseArray<T>&& array, ReadFacts facts) {
  DenseFile file;
  file.type = ScalarTraits<T>::type;
  file.rows = array.rows;
  file.cols = array.cols;
  file.facts = std::move(facts);
  file.array = std::move(array);
  return file;
}

}  // namespace overlapack::io
