#pragma once
#include "api/driven_solves.hpp"
#include "api/interruption.hpp"
#include "api/session.hpp"
#include "overlapack/overlapack.hpp"
#include "sparse/multifrontal/multifrontal.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace overlapack {

/// What a Factorization owns: the matrix as read, the team, and each local rank's share of the factors.
template <class T>
struct Factorization<T>::Implementation {
  Implementation(SparseMatrix<T> matrix, const Options& options);
  Solution<T> solve(std::span<const T> b, Index nrhs, Transpose op);
  Determinant<T> determinant();
  double reciprocal_condition();
  Inertia inertia() const;

  Options options;
  api::Interruption interruption;
  SparseMatrix<T> A;          ///< rank 0
  sparse::Analysis analysis;  ///< rank 0
  std::unique_ptr<api::Session> session;
  std::vector<sparse::Multifrontal<T>> shares;  ///< by place
  Report report;

 private:
  /// What all processes know of the matrix.
  struct Facts {
    Index n = 0;
    sparse::FactorKind kind = sparse::FactorKind::lu;
    bool has_real_spectrum = false;  ///< real symmetric or Hermitian
  };

  void analyse();
  void factorize();
  void substitute(comm::Rank& rank, int place, kernels::Op op, const T* b, T* x, Index columns) {
    shares[static_cast<std::size_t>(place)].solve(rank, op, b, x, columns);
  }
  /// op(A), on rank 0: A itself, or made here.
  const SparseMatrix<T>& applied(Transpose op, SparseMatrix<T>& made) const;
  /// Run drive(solve, is_root) on rank 0, with solves that all ranks take part in.
  void drive(const std::function<void(const api::DrivenSolve<T>&)>& drive);
  void bound_errors(const SparseMatrix<T>& op_A, Transpose op, std::span<const T> b, std::span<const T> x, Index nrhs);

  Facts facts_;
};

}  // namespace overlapack
