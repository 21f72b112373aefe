#pragma once
#include "comm/rank.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "dist/tree/tree_walk.hpp"
#include "kernels/product/gemm.hpp"
#include "sparse/analysis/fronts/assembly_tree.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// One rank's part of a root that all ranks factorise together, on a P x Q grid (type 3 of paper 1).
template <class T>
class RootFactors {
 public:
  RootFactors() = default;
  /// A zeroed square matrix of this order, in blocks over a grid of all ranks.
  RootFactors(int ranks, int rank, Index order, Index block);

  const dist::DistributedMatrix<T>& matrix() const { return matrix_.view(); }
  Index order() const { return matrix().rows.size; }
  double bytes() const {
    const MatrixView<T>& local = matrix().local;
    return static_cast<double>(local.ld * local.cols) * sizeof(T);
  }
  /// Row i was exchanged with pivots()[i] (LU).
  const std::vector<Index>& pivots() const { return pivots_; }

  /// P A = L U with partial pivoting, or A = L L^H.
  /// Sync    collective over all ranks
  /// Returns LAPACK's info: LU: number of the first zero pivot; Cholesky: of the first that is not positive; 0 if none
  Index factorize(comm::Rank& rank, FactorKind kind, const dist::WalkPlan& walk,
                  std::function<void(double)> on_progress);
  /// X <- op(A)^{-1} X for an X that every rank has; op is none or, of LU, trans.
  /// Shapes  X: order x nrhs
  /// Sync    collective over all ranks
  void solve(comm::Rank& rank, FactorKind kind, kernels::Op op, const dist::WalkPlan& walk,
             MatrixView<T> X) const;

 private:
  std::unique_ptr<dist::ProcessGrid> grid_;
  dist::OwnedMatrix<T> matrix_;
  std::vector<Index> pivots_;
};

}  // namespace overlapack::sparse::multifrontal
