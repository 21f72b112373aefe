#pragma once
#include "api/refine/refinement.hpp"
#include "api/run/session.hpp"
#include "overlapack/overlapack.hpp"
#include "sparse/rows/row_slab.hpp"

#include <vector>

namespace overlapack::api {

/// Computes products and residuals with op(A), for an A that is on rank 0 or has its rows on all ranks. For an unsymmetric A both ways
/// give the same bits.
template <class T>
class AppliedMatrix {
 public:
  /// A: on rank 0's process, or without entries if there are slabs, one for each local rank. Both must outlive this object. If op(A) is
  ///    not A, the constructor forms it
  /// row_max: row_maxima(A), if A has entries
  /// Sync    collective over the processes of the session
  AppliedMatrix(Session& session, const SparseMatrix<T>& A, const std::vector<sparse::RowSlab<T>>& slabs,
                Transpose op, const std::vector<double>& row_max);
  AppliedMatrix(const AppliedMatrix&) = delete;
  AppliedMatrix& operator=(const AppliedMatrix&) = delete;

  /// Compute residuals. Rank 0 calls it inside a run, while the other ranks call serve_residuals.
  std::vector<BackwardError> residuals(comm::Rank& rank, int position,
                                       std::span<const ResidualColumn<T>> columns,
                                       kernels::ResidualSum sum = kernels::ResidualSum::fastest) const;
  /// Compute this rank's rows of the residuals of `columns` right-hand sides for rank 0. The other ranks call it.
  void serve_residuals(comm::Rank& rank, int position, Index columns) const;

  /// Measurements of an x, from which its error is bounded.
  struct Measured {
    BackwardError error;
    RowWeights weights;
    double residual_share = 0;  ///< max |r_i| / a_i over max |b_i| / a_i, a_i the largest entry of row i
  };
  /// Shapes  b, x: n, on rank 0; the result is there, too
  /// Sync    collective over the processes of the session
  Measured measure(std::span<const T> b, std::span<const T> x) const;
  /// product <- op(A) v, summed in a longer format, weight <- |op(A)| |v|.
  /// Shapes  all: n, on rank 0; elsewhere 0
  /// Sync    collective over the processes of the session
  void multiply(std::span<const T> v, std::span<T> product, std::span<Real<T>> weight) const;
  /// Whether op(A) is another matrix than A.
  bool is_transposed() const { return is_transposed_; }
  /// row_maxima(op(A)), on rank 0.
  std::span<const double> row_max() const { return row_max_; }
  /// ||op(A)||_1 / unit, on every process.
  double one_norm(double unit) const;

 private:
  const SparseMatrix<T>& whole() const { return is_transposed_ ? made_ : A_; }
  const sparse::RowSlab<T>& slab(int position) const {
    return (is_transposed_ ? made_slabs_ : slabs_)[static_cast<std::size_t>(position)];
  }

  Session& session_;
  const SparseMatrix<T>& A_;
  const std::vector<sparse::RowSlab<T>>& slabs_;
  bool is_distributed_, is_transposed_;
  SparseMatrix<T> made_;
  std::vector<sparse::RowSlab<T>> made_slabs_;
  std::vector<double> row_max_;  ///< rank 0
};

}  // namespace overlapack::api
