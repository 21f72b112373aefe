#pragma once
#include "api/dense/session_system.hpp"
#include "dense/cholesky/cholesky.hpp"

namespace overlapack::dense {

/// The implementation of CholeskyFactorization. It owns the lower triangle of the matrix, and each local rank's share of L.
template <class T>
struct CholeskyFactorization<T>::Implementation final : api::SessionSystem<T> {
  Implementation(View<T> A, const Options& options, Stored stored = Stored::lower);
  Implementation(const Layout& layout, View<T> mine, const Options& options);
  Solution<T> solve(std::span<const T> b, Index nrhs, Transpose op) override;
  Determinant<T> determinant() override;
  double reciprocal_condition() override;

 private:
  void factorize();
  FactorResult factorize(comm::Rank& rank, int position);
  void find_weak_pivots(comm::Rank& rank, int position);
  void substitute(comm::Rank& rank, int position, kernels::Op op, MatrixView<T> X) override;
  CholeskyPlan cholesky_plan() const;

  std::vector<dist::OwnedMatrix<T>> L_;  ///< by position
};

}  // namespace overlapack::dense
