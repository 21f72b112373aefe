#pragma once
#include "iterative/driver/block.hpp"
#include "iterative/driver/row_deal.hpp"

#include <cstdint>

namespace overlapack::iterative {

/// Some rows of a general sparse matrix. A state has my unknowns, then the halo by neighbour: the other unknowns in my rows, and
/// those added by RowDistribution::add_halo_unknowns. The start vector is zero.
/// Source  paper 5, section 2, with the explicit matrix that its section 3 leaves out
template <class T>
class MatrixBlock final : public SweepBlock<T, DistributedBlock<T>> {
 public:
  /// Deal the rows of A: rank owner[i] gets row i.
  /// Shapes  A: square, on rank 0, null elsewhere; owner: a rank for each row, on rank 0
  /// Sync    collective
  /// Errors  BadInput if a number on the diagonal is zero
  MatrixBlock(comm::Rank& rank, const SparseMatrix<T>* A, std::span<const int> owner);
  /// As the first constructor, but with the halos of `deal`. Zeros on the diagonal are not refused; with them, sweeps make no
  /// sense.
  /// Shapes  deal: on rank 0, null elsewhere
  MatrixBlock(comm::Rank& rank, const RowDistribution<T>* deal);

  void distribute_source(comm::Rank& rank, const T* b) override;
  Index most_columns() const override { return 8; }
  void distribute_sources(comm::Rank& rank, const T* b, std::span<const double> norms,
                          Index columns) override;
  std::vector<T> gather_on_root(comm::Rank& rank, std::span<const T> x) const override;
  /// Returns my entries of x, which has all n entries on rank 0.  Collective.
  std::vector<T> scatter(comm::Rank& rank, const T* x) const;
  std::vector<Index> scatter_indices(comm::Rank& rank, const std::vector<Index>& x) const {
    return scatter_entries(rank, rows_of_rank_, x.data());
  }
  /// b of my rows.
  std::span<const T> right_hand_side() const { return b_; }
  std::span<const T> diagonal() const { return diagonal_; }
  /// y <- my rows of A x.  Shapes  x: a state; y: my unknowns
  void multiply(const T* x, T* y) const;
  /// y <- the contribution of my rows to A^H x; that in the halo is to be added to the owners' unknowns by read_halo and
  /// add_packed.
  /// Shapes  x: my unknowns; y: a state
  void multiply_adjoint(const T* x, T* y) const;
  /// Add to my unknowns of x the values that neighbour k has for them; the transpose of pack.
  void add_packed(const T* message, std::size_t k, T* x) const;

  Index unknowns() const override { return rows() * columns_; }  ///< of all columns
  std::size_t state_size() const override { return static_cast<std::size_t>((rows() + halo_) * columns_); }
  void start(T* x) const override;
  std::span<const Neighbour> neighbours() const override { return neighbours_; }
  void pack(const T* x, std::size_t k, T* message) const override;
  void unpack(const T* message, std::size_t k, T* x) const override;
  void read_halo(const T* x, std::size_t k, T* message) const override;
  void sweep(const T* x, T* next, std::size_t slice, std::size_t slices) const override;
  double sweep_ms() const override;
  kernels::Cost sweep_cost() const override;
  double residual(const T* x) const override;
  double source() const override;
  /// Memory of the matrix, without states.
  double bytes() const;

 private:
  Index rows() const { return static_cast<Index>(diagonal_.size()); }
  void set_pattern(std::span<const Index> numbers);
  void set_columns(Index columns);
  template <Index columns>
  void sweep_rows(Index first, Index last, const T* x, T* next) const;
  T rest_of_row(Index i, T b, const T* x) const;
  std::size_t first_in(std::size_t k) const;

  std::vector<std::vector<Index>> rows_of_rank_;  ///< on rank 0
  Index halo_ = 0;                                ///< unknowns of others
  /// Right-hand sides at once; a state, and b, hold the columns of an unknown side by side.
  Index columns_ = 1;
  /// By column: factor of its squared residual, if there are several columns
  std::vector<double> weight_;
  std::vector<Index> start_;       ///< of L + U by rows
  std::vector<std::int32_t> col_;  ///< positions in a state, which has fewer than 2^31 unknowns
  std::vector<T> value_, diagonal_, b_;
  std::vector<T> inverse_;  ///< of the diagonal; 0 for a zero
  std::vector<Neighbour> neighbours_;
  std::vector<std::vector<Index>> out_;  ///< by neighbour: which of my unknowns it needs
};

}  // namespace overlapack::iterative
