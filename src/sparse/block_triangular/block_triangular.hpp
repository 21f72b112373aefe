#pragma once
#include "sparse/block_triangular/columns/column_lu.hpp"
#include "sparse/factors/sparse_factors.hpp"
#include "sparse/factors/vector_side.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace overlapack::sparse::block_triangular {

/// Factors of a matrix in block upper triangular form (Method::block_triangular), as in KLU; also of a
/// symmetric matrix of low fill, which is a single block. Rank 0 factorises all diagonal blocks of low fill
/// column by column (ColumnLu, ColumnLdlt); the other threads of its process take part in refactorisations
/// (ColumnRefactor). Each other block has factors by another method, the inner factors, on all ranks, one
/// block after the other.
template <class T>
class BlockTriangular final : public SparseFactors<T> {
 public:
  using Make = std::function<std::unique_ptr<SparseFactors<T>>(Method)>;

  /// make: makes empty inner factors by a method
  explicit BlockTriangular(Make make) : make_(std::move(make)) {}

  /// Shapes  A: on rank 0; not in rows over the ranks
  void factorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                 const FactorPlan& plan) override;
  void refactorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                   const FactorPlan& plan) override;
  /// Shapes  b, x: n x nrhs by columns on rank 0, ignored elsewhere
  /// Cost    one multiply-add for each entry of the factors and of the blocks above them, and each right-hand
  ///         side
  void solve(comm::Rank& rank, kernels::Op op, const T* b, T* x, Index nrhs) override;
  /// Errors  BadPlan, always: the rank of a matrix is not that of its diagonal blocks
  void null_space(comm::Rank& rank, kernels::Op op, T* Z) override;
  dense::ScaledNumber<T> determinant(comm::Rank& rank) const override;
  std::optional<SymmetricFactors<T>> symmetric_factors() const override;
  comm::Body packed() const override;
  void unpack(const comm::Body& body, const FactorPlan& plan) override;
  const FactorStats& stats() const override { return stats_; }

 private:
  /// Where the pivots and patterns in factors_ come from; the next factorisation may use them again
  /// (ColumnRefactor).
  enum class Pattern : std::uint8_t { unknown, predicted, factorized };
  /// The rows (or columns) of A by position, and their scales.
  struct Side {
    std::vector<Node> number;
    std::vector<double> scale;  ///< row (or column) of A -> its scale
    VectorSide<T, Node> conjugated(bool is_conjugated) const { return {number, scale, is_conjugated}; }
  };

  void compute(comm::Rank& rank, const Analysis* analysis, const SparseMatrix<T>* A, const FactorPlan& plan,
               bool is_again);
  void factorize_columns(comm::Rank& rank, const Analysis& analysis, const SparseMatrix<T>& A,
                         const FactorPlan& plan);
  ColumnStats factorize_symmetric(comm::Rank& rank, const Analysis& analysis, const SparseMatrix<T>& A,
                                  const FactorPlan& plan);
  std::optional<ColumnStats> keep_symmetric_pivots(comm::Rank& rank, const Analysis& analysis,
                                                   const SparseMatrix<T>& A, const FactorPlan& plan,
                                                   const PivotTest<T>& test);
  ColumnStats factorize_unsymmetric(comm::Rank& rank, const Analysis& analysis, const SparseMatrix<T>& A,
                                    const FactorPlan& plan);
  /// Works off the columns of a ColumnLu, ColumnRefactor or ColumnLdlt, with progress reports in between.
  template <class Columns>
  void advance(comm::Rank& rank, const Analysis& analysis, const FactorPlan& plan, Columns& columns);
  void make_inner(std::span<const Method> methods);
  void name_positions(const Analysis& analysis);
  void add_stats(const FactorStats& inner);
  double held_bytes() const;
  void solve_vectors(comm::Rank& rank, bool is_transposed, T* x, Index width);
  void solve_columns(comm::Rank& rank, bool is_transposed, Index first, Index end, T* x, Index width);
  void solve_inner(comm::Rank& rank, bool is_transposed, std::size_t which, T* x, Index width);

  Make make_;
  std::vector<std::unique_ptr<SparseFactors<T>>> inner_;  ///< factors of blocks by another method
  std::vector<Method> inner_method_;
  Index rhs_block_ = 1;
  FactorStats stats_;
  // rank 0 only
  ColumnFactors<T> factors_;
  Pattern pattern_ = Pattern::unknown;
  /// LDL^T: how many times in a row kept pivots have failed, and the number of factorisations until they are tried
  /// again.
  int failures_ = 0, pause_ = 0;
  std::vector<Index> front_block_;  ///< inner factors -> number of their diagonal block
  Side equation_, unknown_;
};

}  // namespace overlapack::sparse::block_triangular
