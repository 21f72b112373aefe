#pragma once
#include "api/driven_solves.hpp"
#include "api/interruption.hpp"
#include "api/session.hpp"
#include "api/single.hpp"
#include "overlapack/overlapack.hpp"
#include "sparse/multifrontal/sparse_factors.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace overlapack {

namespace api {
/// Empty factors of the kind that the analysis chose.
template <class T>
std::unique_ptr<sparse::SparseFactors<T>> make_factors(bool is_by_blocks);
}  // namespace api

/// What a Factorization owns: the matrix as read, the team, and each local rank's share of the factors.
template <class T>
struct Factorization<T>::Implementation {
  Implementation(SparseMatrix<T> matrix, const Options& options);
  /// From a file of save.
  Implementation(const std::string& path, const Options& options);
  void save(const std::string& path);
  Solution<T> solve(std::span<const T> b, Index nrhs, Transpose op);
  void refactorize(SparseMatrix<T> matrix);
  std::vector<T> null_space(Transpose op);
  std::vector<T> inverse_entries(std::span<const Index> rows, std::span<const Index> cols);
  Determinant<T> determinant();
  double reciprocal_condition();
  Inertia inertia() const;
  /// Run drive(solve) on rank 0, with solves that all ranks take part in.
  void drive(const std::function<void(const api::DrivenSolve<T>&)>& drive);
  /// Rank 0's values on every process.
  void share(std::vector<T>& values);

  Options options;
  api::Interruption interruption;
  SparseMatrix<T> A;          ///< rank 0
  sparse::Analysis analysis;  ///< rank 0
  std::unique_ptr<api::Session> session;
  Report report;

 private:
  /// One rank's part of the factors, in the precision of the matrix or in single precision.
  struct Share {
    std::unique_ptr<sparse::SparseFactors<T>> full;
    std::unique_ptr<sparse::SparseFactors<api::Single<T>>> single;
  };
  /// What all processes know of the matrix.
  struct Facts {
    Index n = 0;
    sparse::FactorKind kind = sparse::FactorKind::lu;
    bool has_real_spectrum = false;  ///< real symmetric or Hermitian
    bool is_by_blocks = false;
  };
  Facts facts() const;  ///< on rank 0

  void analyse();
  void require_factors() const;
  void require_same_pattern(SparseMatrix<T>& matrix) const;
  /// New factors of A; by the structure of those at hand where there are any of this precision.
  void factorize();
  bool factorize_in_single();
  void factorize_fully();
  /// Errors  Singular and others, on every process; then there are no factors
  template <class F>
  void factorize_as(std::unique_ptr<sparse::SparseFactors<F>> Share::*which, bool& has_structure,
                    const SparseMatrix<F>& matrix);
  void require_full_precision();
  void take_stats();
  const sparse::FactorStats& stats() const {
    return is_single_ ? shares_.front().single->stats() : shares_.front().full->stats();
  }
  void substitute(comm::Rank& rank, int place, kernels::Op op, const T* b, T* x, Index columns);
  /// op(A), on rank 0: A itself, or made here.
  const SparseMatrix<T>& applied(Transpose op, SparseMatrix<T>& made) const;
  Solution<T> solve_with_factors(std::span<const T> b, Index nrhs, Transpose op);
  void bound_errors(const SparseMatrix<T>& op_A, Transpose op, std::span<const T> b, std::span<const T> x,
                    Index nrhs);

  Facts facts_;
  std::vector<Share> shares_;  ///< by place
  bool has_factors_ = false, is_single_ = false;
  bool has_full_ = false, has_single_ = false;  ///< is there a structure of this precision?
};

}  // namespace overlapack
