#pragma once
#include "comm/rank.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "dist/tree/tree_walk.hpp"
#include "kernels/product/gemm.hpp"
#include "sparse/analysis/fronts/assembly_tree.hpp"
#include "sparse/factors/packing.hpp"

#include <functional>
#include <memory>
#include <span>
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
  double bytes() const { return static_cast<double>(numbers().size_bytes()); }
  /// Row i was exchanged with pivots()[i] (LU, LDL^T).
  const std::vector<Index>& pivots() const { return pivots_; }

  /// LDL^T: copies the lower triangle, conjugated if A is Hermitian, to the upper one.
  /// Memory  this rank's part once more while it lasts
  /// Sync    collective over all ranks, which it leaves together
  void mirror_lower(comm::Rank& rank, bool is_hermitian, const dist::WalkPlan& walk);
  /// P A = L U with partial pivoting, also of LDL^T's root, after mirror_lower; or A = L L^H.
  /// Sync    collective over all ranks
  /// Returns LAPACK's info: LU, LDL^T: number of the first zero pivot; Cholesky: of the first that is not positive; 0 if none
  Index factorize(comm::Rank& rank, FactorKind kind, const dist::WalkPlan& walk,
                  std::function<void(double)> on_progress);
  /// X <- op(A)^{-1} X for an X that every rank has; op is none or, of a root factorised by LU, trans.
  /// Shapes  X: order x nrhs
  /// Sync    collective over all ranks
  void solve(comm::Rank& rank, FactorKind kind, kernels::Op op, const dist::WalkPlan& walk,
             MatrixView<T> X) const;

  /// Append this rank's part to the packing, and read it back.
  void pack(Packing& packing) const;
  static RootFactors unpacked(Unpacking& unpacking);

 private:
  /// All that is in memory: the columns of the local part, with the gaps between them.
  std::span<T> numbers() const {
    const MatrixView<T>& local = matrix().local;
    return {local.data, static_cast<std::size_t>(local.ld * local.cols)};
  }

  std::unique_ptr<dist::ProcessGrid> grid_;
  dist::OwnedMatrix<T> matrix_;
  std::vector<Index> pivots_;
};

}  // namespace overlapack::sparse::multifrontal
