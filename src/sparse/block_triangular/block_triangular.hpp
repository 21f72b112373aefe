#pragma once
#include "sparse/block_triangular/column_lu.hpp"
#include "sparse/multifrontal/multifrontal.hpp"

#include <vector>

namespace overlapack::sparse {

/// Factors of a matrix in block upper triangular form (Analysis::is_by_blocks). Diagonal blocks of low fill are factorised
/// column by column, all of them on rank 0: they are too small for more ranks. The others are multifrontal, on all ranks, one
/// after the other.
template <class T>
class BlockTriangular final : public SparseFactors<T> {
 public:
  /// Shapes  A: on rank 0; not in rows over the ranks
  void factorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                 const MultifrontalPlan& plan) override;
  void refactorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                   const MultifrontalPlan& plan) override;
  /// Cost    one multiply-add an entry of the factors and of the blocks above them
  void solve(comm::Rank& rank, kernels::Op op, const T* b, T* x, Index nrhs) override;
  /// There are no null pivots: rank is no sum over diagonal blocks.
  void null_space(comm::Rank&, kernels::Op, T*) override {}
  dense::ScaledNumber<T> determinant(comm::Rank& rank) const override;
  comm::Body packed() const override;
  void unpack(const comm::Body& body, const MultifrontalPlan& plan) override;
  const FactorStats& stats() const override { return stats_; }

 private:
  /// Which rows and columns of A the positions are, and their scales.
  struct Side {
    std::vector<Node> number;
    std::vector<double> scale;  ///< by number
  };
  using Front = Multifrontal<T>;

  void compute(comm::Rank& rank, const Analysis* analysis, const SparseMatrix<T>* A,
               const MultifrontalPlan& plan, bool is_again);
  void factorize_columns(comm::Rank& rank, const Analysis& analysis, const SparseMatrix<T>& A,
                         const MultifrontalPlan& plan);
  /// Column by column, with ColumnLu or ColumnRefactor.
  template <class Columns>
  void advance(comm::Rank& rank, const Analysis& analysis, const MultifrontalPlan& plan, Columns& columns);
  void name_positions(const Analysis& analysis);
  void add_stats(const FactorStats& front);
  double held_bytes() const;
  void solve_vectors(comm::Rank& rank, bool is_transposed, T* x, Index width);
  void solve_columns(comm::Rank& rank, bool is_transposed, Index first, Index end, T* x, Index width);
  void solve_front(comm::Rank& rank, bool is_transposed, std::size_t which, T* x, Index width);

  std::vector<Front> fronts_;
  Index rhs_block_ = 1;
  FactorStats stats_;
  // rank 0 only
  ColumnFactors<T> factors_;
  bool has_columns_ = false;  ///< factors_ has pivots and patterns that a refactorize may keep
  std::vector<Index> front_block_;
  Side equation_, unknown_;
};

}  // namespace overlapack::sparse
