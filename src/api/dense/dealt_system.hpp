#pragma once
#include "api/dense/dealt_matrix.hpp"
#include "api/refinement.hpp"
#include "kernels/dense_residual.hpp"

namespace overlapack::api {

/// A square matrix on the ranks of a session, and refined solves by the factors that a derived class makes of it.
template <class T>
class DealtSystem : public DealtMatrix<T> {
 public:
  using DealtMatrix<T>::DealtMatrix;

  /// What LuFactorization's does.
  Solution<T> solve(std::span<const T> b, Index nrhs, dense::Transpose op) override;

 protected:
  /// X <- op(A)^{-1} X for an X that every rank has.
  virtual void substitute(comm::Rank& rank, int place, kernels::Op op, MatrixView<T> X) = 0;

 private:
  void residual(comm::Rank& rank, int place, kernels::Op op, MatrixView<const T> X,
                MatrixView<kernels::WideScalar<T>> R, MatrixView<Real<T>> W) const;
  void substitute_columns(comm::Rank& rank, int place, kernels::Op op, const T* r, T* d, Index columns);
  std::vector<BackwardError> residuals(comm::Rank& rank, int place, kernels::Op op,
                                       std::span<const ResidualColumn<T>> columns) const;
  void take_part_in_residuals(comm::Rank& rank, int place, kernels::Op op, Index columns) const;
};

}  // namespace overlapack::api
