#pragma once
#include "api/interruption.hpp"
#include "api/session.hpp"
#include "iterative/jacobi/matrix_block.hpp"
#include "iterative/jacobi/plan.hpp"
#include "overlapack/iterative.hpp"

#include <memory>
#include <vector>

namespace overlapack::iterative {

/// What a Jacobi owns: the matrix as read, the team, and each local rank's rows.
template <class T>
struct Jacobi<T>::Implementation {
  Implementation(SparseMatrix<T> matrix, const Options& options);
  Solution<T> solve(std::span<const T> b, Index nrhs);

  Options options;
  api::Interruption interruption;
  std::unique_ptr<api::Session> session;
  Report report;

 private:
  void analyse();
  void deal();

  JacobiPlan plan_;
  SparseMatrix<T> A_;                                    ///< rank 0
  std::vector<std::unique_ptr<MatrixBlock<T>>> blocks_;  ///< by place
};

}  // namespace overlapack::iterative
