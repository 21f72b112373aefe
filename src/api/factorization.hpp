#pragma once
#include "api/interruption.hpp"
#include "api/session.hpp"
#include "overlapack/overlapack.hpp"
#include "sparse/multifrontal/multifrontal.hpp"

#include <memory>
#include <span>
#include <vector>

namespace overlapack {

/// What a Factorization owns: the matrix as read, the team, and each local rank's share of the factors.
template <class T>
struct Factorization<T>::Implementation {
  Implementation(SparseMatrix<T> matrix, const Options& options);
  Solution<T> solve(std::span<const T> b, Index nrhs);

  Options options;
  api::Interruption interruption;
  SparseMatrix<T> A;          ///< rank 0
  sparse::Analysis analysis;  ///< rank 0
  std::unique_ptr<api::Session> session;
  std::vector<sparse::Multifrontal<T>> shares;  ///< by place
  Report report;

 private:
  void analyse();
  void factorize();
};

}  // namespace overlapack
