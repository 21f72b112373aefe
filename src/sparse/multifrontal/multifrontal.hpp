#pragma once
#include "comm/rank.hpp"
#include "dense/lu/determinant.hpp"
#include "kernels/gemm.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/multifrontal/entries.hpp"
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
  /// Shapes  analysis: on rank 0, ignored elsewhere; A: there, too, or rows on every rank
  /// Errors  Singular when pivots are left at a root; Cancelled; OutOfMemory; BadInput from Cholesky
  /// Source  paper 1, section 2; pivoting as in docs/multifrontal.md
  void factorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                 const MultifrontalPlan& plan);

  /// The same with new values in the pattern of the last matrix: its analysis, its mapping and its memory are used again.
  /// Memory for factors grows only where more pivots are delayed than ever before.
  /// Errors  as factorize; after one there are no factors until a refactorize succeeds
  void refactorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                   const MultifrontalPlan& plan);

  /// X <- op(A)^{-1} B by forward and backward substitution, without refinement.
  /// Shapes  b, x: n x nrhs by columns on rank 0 (may be the same memory), ignored elsewhere
  /// Cost    2 factor_nnz multiply-adds a right-hand side for LU and LDL^T alike; forward, fronts below which b is zero
  ///         in all columns of a block cost nothing
  void solve(comm::Rank& rank, kernels::Op op, const T* b, T* x, Index nrhs);
  void solve(comm::Rank& rank, const T* b, T* x, Index nrhs) { solve(rank, kernels::Op::none, b, x, nrhs); }

  /// Vectors Z with op(A) Z = 0 up to rounding, one for each null pivot: 1 there, 0 at the others (before scaling).
  /// Of a singular op(A) solve() gives the solution that is 0 at the null pivots.
  /// Shapes  Z: n x stats().null_pivots by columns on rank 0, ignored elsewhere
  /// Cost    half a solve each
  void null_space(comm::Rank& rank, kernels::Op op, T* Z);

  /// det A = det B / (det Dr det Dc) with the signs of the permutations, on every rank.
  dense::ScaledNumber<T> determinant(comm::Rank& rank) const;

  /// This rank's factors as bytes of this computer's byte order, and back: on as many ranks, without communication.
  comm::Body packed() const;
  void unpack(const comm::Body& body, const MultifrontalPlan& plan);

  /// The same on every rank after factorize.
  const FactorStats& stats() const;

 private:
  void compute(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
               const MultifrontalPlan& plan);

  std::unique_ptr<FactorState<T>> state_;
};

}  // namespace overlapack::sparse
