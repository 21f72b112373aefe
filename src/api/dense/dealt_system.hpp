#pragma once
#include "api/dense/dealt_matrix.hpp"
#include "api/refinement.hpp"
#include "kernels/dense_residual.hpp"

#include <span>
#include <string>

namespace overlapack::api {

/// A square matrix on the ranks of a session, and refined solves by the factors that a derived class makes of it.
template <class T>
class DealtSystem : public DealtMatrix<T> {
 public:
  using DealtMatrix<T>::DealtMatrix;

  /// What LuFactorization's does.
  /// Errors  Singular where the matrix cannot be told from a singular one and x is no answer
  Solution<T> solve(std::span<const T> b, Index nrhs, dense::Transpose op) override;
  virtual double reciprocal_condition() = 0;

 protected:
  /// What a solve refines to, whatever that is worth.
  Solution<T> refined(std::span<const T> b, Index nrhs, dense::Transpose op);
  /// What x is worth where the matrix cannot be told from a singular one.
  /// Errors  Singular where it is none
  Solution<T> settled(Solution<T> solution);
  /// The matrix cannot be told from a singular one, for this reason; empty: it can.
  /// Errors  Singular where the options refuse such a matrix
  void doubt(int place, const std::string& reason);
  /// x <- op(A)^{-1} x on every rank.
  void substitute_everywhere(comm::Rank& rank, int place, kernels::Op op, std::span<T> x);
  /// X <- op(A)^{-1} X for an X that every rank has.
  virtual void substitute(comm::Rank& rank, int place, kernels::Op op, MatrixView<T> X) = 0;

 private:
  std::string weakness_;  ///< why the matrix cannot be told from a singular one; empty: it can

  void residual(comm::Rank& rank, int place, kernels::Op op, MatrixView<const T> X,
                MatrixView<kernels::WideScalar<T>> R, MatrixView<Real<T>> W) const;
  void substitute_columns(comm::Rank& rank, int place, kernels::Op op, const T* r, T* d, Index columns);
  std::vector<BackwardError> residuals(comm::Rank& rank, int place, kernels::Op op,
                                       std::span<const ResidualColumn<T>> columns) const;
  void take_part_in_residuals(comm::Rank& rank, int place, kernels::Op op, Index columns) const;
};

}  // namespace overlapack::api
