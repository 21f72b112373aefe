#pragma once
#include "controls.hpp"
#include "overlapack/overlapack.hpp"

#include <optional>
#include <span>
#include <vector>

namespace overlapack::dropins::mumps {

/// Serves ICNTL(19): the factors of the interior variables, and the Schur complement of the others. The host keeps b from the reduction
/// (ICNTL(26) = 1) to the expansion (2), as MUMPS keeps its own intermediate result: the caller may have overwritten b.
template <class T>
class SchurPart {
 public:
  /// Choose the variables of the Schur complement. variables: LISTVAR_SCHUR, from 0; not all variables
  void choose(std::vector<Index> variables) { variables_ = std::move(variables); }
  void forget() { *this = {}; }

  /// Factorise the interior and compute the complement. A: on the host
  void factorize(SparseMatrix<T> A, const Options& options) {
    complement_.reset();
    reduced_columns_ = 0;
    complement_.emplace(schur(std::move(A), std::span<const Index>(variables_), options));
  }
  bool has_factors() const { return complement_.has_value(); }
  const SchurComplement<T>& complement() const { return *complement_; }
  Index size() const { return static_cast<Index>(variables_.size()); }

  /// Copy the complement to the caller's array, on the host: by rows without gaps, or by columns ld apart.
  void copy_to_caller(T* to, bool is_by_rows, Index ld) const;
  /// reduced <- b_v - A_vi A_ii^{-1} b_i, columns ld apart. b and reduced are on the host.
  void reduce(std::vector<T> b, Index nrhs, T* reduced, Index ld);
  /// The whole solution x for x_v = `reduced`.  Errors  Refusal if nothing was reduced, or another number of columns was
  std::vector<T> expand(const T* reduced, Index ld, Index nrhs, bool is_host);
  /// The x with A_ii x_i = b_i and x_v = 0.
  std::vector<T> solve_interior(const std::vector<T>& b, Index nrhs);

 private:
  std::vector<Index> variables_;
  std::optional<SchurComplement<T>> complement_;
  std::vector<T> reduced_from_;
  Index reduced_columns_ = 0;
};

template <class T>
void SchurPart<T>::copy_to_caller(T* to, bool is_by_rows, Index ld) const {
  const std::vector<T>& S = complement_->matrix();
  const Index m = size();
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i < m; ++i)
      to[is_by_rows ? j + i * m : i + j * ld] = S[static_cast<std::size_t>(i + j * m)];
}

template <class T>
void SchurPart<T>::reduce(std::vector<T> b, Index nrhs, T* reduced, Index ld) {
  reduced_from_ = std::move(b);
  reduced_columns_ = nrhs;
  const std::vector<T> made = complement_->condense(reduced_from_, nrhs).x;
  for (Index j = 0; reduced && j < nrhs; ++j) std::copy_n(made.data() + j * size(), size(), reduced + j * ld);
}

template <class T>
std::vector<T> SchurPart<T>::expand(const T* reduced, Index ld, Index nrhs, bool is_host) {
  if (reduced_columns_ != nrhs)
    throw Refusal(not_condensed, 0,
                  "ICNTL(26) is 2, but these right-hand sides were not reduced; solve with 1 first");
  std::vector<T> of_schur;
  for (Index j = 0; is_host && j < nrhs; ++j)
    of_schur.insert(of_schur.end(), reduced + j * ld, reduced + j * ld + size());
  return complement_->expand(reduced_from_, of_schur, nrhs).x;
}

template <class T>
std::vector<T> SchurPart<T>::solve_interior(const std::vector<T>& b, Index nrhs) {
  return complement_->expand(b, std::vector<T>(b.empty() ? 0 : static_cast<std::size_t>(size() * nrhs)), nrhs)
      .x;
}

}  // namespace overlapack::dropins::mumps
