#pragma once
#include "comm/rank.hpp"
#include "dense/lu/determinant.hpp"
#include "kernels/gemm.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/multifrontal/plan.hpp"

#include <memory>

namespace overlapack::sparse {

template <class T>
struct FactorState;

/// One rank's share of a multifrontal factorisation: its fronts' factors, kept for any number of solves.
/// Every call is collective over the ranks of the team that made it.
template <class T>
class Multifrontal {
 public:
  Multifrontal();
  Multifrontal(Multifrontal&&) noexcept;
  Multifrontal& operator=(Multifrontal&&) noexcept;
  ~Multifrontal();

  /// B = L U, L D L^T or L L^H of the permuted, scaled matrix, pivots delayed to parents where a front has none.
  /// Shapes  analysis, A: on rank 0, ignored elsewhere
  /// Errors  Singular when pivots are left at a root; Cancelled; OutOfMemory; BadInput from Cholesky
  /// Source  paper 1, section 2; pivoting as in docs/multifrontal.md
  void factorize(comm::Rank& rank, const Analysis* analysis, const SparseMatrix<T>* A,
                 const MultifrontalPlan& plan);

  /// X <- op(A)^{-1} B by forward and backward substitution, without refinement.
  /// Shapes  b, x: n x nrhs by columns on rank 0 (may be the same memory), ignored elsewhere
  /// Cost    2 factor_nnz multiply-adds a right-hand side for LU and LDL^T alike; forward, fronts below which b is zero
  ///         in all columns of a block cost nothing
  void solve(comm::Rank& rank, kernels::Op op, const T* b, T* x, Index nrhs);
  void solve(comm::Rank& rank, const T* b, T* x, Index nrhs) { solve(rank, kernels::Op::none, b, x, nrhs); }

  /// det A = det B / (det Dr det Dc) with the signs of the permutations, on every rank.
  dense::ScaledNumber<T> determinant(comm::Rank& rank) const;

  /// The same on every rank after factorize.
  const FactorStats& stats() const;

 private:
  std::unique_ptr<FactorState<T>> state_;
};

}  // namespace overlapack::sparse
