#pragma once
#include "comm/rank.hpp"
#include "dense/lu/solve/determinant.hpp"
#include "kernels/product/gemm.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "overlapack/triangular_factors.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/factors/entry_store.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/factors/factor_watch.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse {

struct FactorPlan;

/// Entries of an inverse, of which some may be unknown.
template <class T>
struct InverseEntries {
  std::vector<T> value;
  std::vector<char> is_known;
};

/// One rank's part of the factors of a sparse matrix, kept for any number of solves: the interface of every
/// method (methods/make_factors.cpp). Every call is collective over the ranks of the team that made it.
template <class T>
class SparseFactors {
 public:
  SparseFactors() = default;
  SparseFactors(SparseFactors&&) noexcept = default;
  SparseFactors& operator=(SparseFactors&&) noexcept = default;
  virtual ~SparseFactors() = default;

  /// Sets the observers of the factorisations that follow.
  void set_watch(FactorWatch watch) { watch_ = std::move(watch); }

  /// B = L U, L D L^T or L L^H of the permuted, scaled matrix.
  /// Shapes  analysis: on rank 0, ignored elsewhere; A: there, too, or rows on every rank
  /// Errors  Singular; BadInput when numbers leave the range of their type and from Cholesky; Cancelled; OutOfMemory
  virtual void factorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                         const FactorPlan& plan) = 0;

  /// The same with new values in the pattern of the last matrix. The analysis is given again; mapping and
  /// memory are reused.
  /// Errors  as factorize; after one there are no factors until a refactorize succeeds
  virtual void refactorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                           const FactorPlan& plan) = 0;

  /// X <- op(A)^{-1} B by forward and backward substitution, without refinement.
  /// Shapes  b, x: n x nrhs by columns on rank 0 (may be the same memory), ignored elsewhere
  virtual void solve(comm::Rank& rank, kernels::Op op, const T* b, T* x, Index nrhs) = 0;

  /// Vectors Z with op(A) Z = 0 up to rounding, one for each null pivot: it is 1 at this pivot and 0 at the
  /// other ones (before scaling). For a singular op(A), solve() gives the solution that is 0 at the null
  /// pivots.
  /// Shapes  Z: n x stats().pivots.null by columns on rank 0, ignored elsewhere
  /// Errors  BadPlan from a method that does not find any
  virtual void null_space(comm::Rank& rank, kernels::Op op, T* Z) = 0;

  /// Entries (rows[k], cols[k]) of A^{-1} that lie in the pattern of the factors, if that is less work than a
  /// solve for each of their columns; the others stay unknown. Only for factors without null or replaced
  /// pivots.
  /// Shapes  rows, cols and the result on rank 0, ignored and empty elsewhere; solve_flops: of one column, on every rank
  virtual InverseEntries<T> inverse_entries(comm::Rank&, std::span<const Index> rows, std::span<const Index>,
                                            double /*solve_flops*/) {
    return {std::vector<T>(rows.size()), std::vector<char>(rows.size())};
  }

  /// L and U of P A Q = L U in one piece; none if the factors are not LU, or are in several pieces or in
  /// other forms.
  /// Errors  Singular: a pivot is zero
  virtual std::optional<TriangularFactors<T>> triangular_factors() const { return std::nullopt; }
  /// The same of L D L^T and Cholesky: P A P^T = L D L^T.
  virtual std::optional<SymmetricFactors<T>> symmetric_factors() const { return std::nullopt; }

  /// det A = det B / (det Dr det Dc) with the signs of the permutations, on every rank.
  virtual dense::ScaledNumber<T> determinant(comm::Rank& rank) const = 0;

  /// This rank's factors as bytes of this computer's byte order, and back: on as many ranks, without communication.
  virtual comm::Body packed() const = 0;
  virtual void unpack(const comm::Body& body, const FactorPlan& plan) = 0;

  /// Figures of the last factorisation, the same on every rank.
  virtual const FactorStats& stats() const = 0;

 protected:
  const FactorWatch& watch() const { return watch_; }

 private:
  FactorWatch watch_;
};

}  // namespace overlapack::sparse
