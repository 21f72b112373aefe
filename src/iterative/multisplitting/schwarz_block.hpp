#pragma once
#include "iterative/jacobi/matrix_block.hpp"
#include "iterative/multisplitting/inner_solver.hpp"
#include "iterative/multisplitting/schwarz_deal.hpp"

namespace overlapack::iterative {

struct SchwarzPlan {
  int overlap = 1;     ///< layers of other ranks' rows added to a block
  double damping = 1;  ///< omega: x <- (1 - omega) x + omega z
};

/// The rows W of one rank, and the larger set S of rows with which its step solves. With the halo's values of the unknowns
/// beyond S,
///   A(S,S) z = b_S - A(S, rest) x_rest,   x_W <- (1 - omega) x_W + omega z_W:
/// restricted additive Schwarz, a multisplitting whose weights are 1 for own unknowns and 0 for those of others. z beyond W
/// is kept in the state only as the start of iterative inner solves; the result has its owner's x.
/// Source  paper 5, section 6.4; Frommer and Szyld 2000, section 4.1; Cai and Sarkis 1999
template <class T>
class SchwarzBlock final : public DistributedBlock<T> {
 public:
  /// Shapes  A, owner: as for MatrixBlock
  /// Sync    collective; `factory` is called on each rank, with a block of order 0 where there are no rows
  /// Errors  BadPlan for overlap < 0, or damping not in (0, 1]; those of the factory
  SchwarzBlock(comm::Rank& rank, const SparseMatrix<T>* A, std::span<const int> owner,
               const SchwarzPlan& plan, const InnerFactory<T>& factory);

  void take_source(comm::Rank& rank, const T* b) override;
  std::vector<T> collect(comm::Rank& rank, std::span<const T> x) const override {
    return rows_.collect(rank, x);
  }

  Index unknowns() const override { return rows_.unknowns(); }
  std::size_t state_size() const override { return rows_.state_size() + beyond(); }
  void start(T* x) const override;
  std::span<const Neighbour> neighbours() const override { return rows_.neighbours(); }
  void pack(const T* x, std::size_t k, T* message) const override { rows_.pack(x, k, message); }
  void unpack(const T* message, std::size_t k, T* x) const override { rows_.unpack(message, k, x); }
  void read_halo(const T* x, std::size_t k, T* message) const override { rows_.read_halo(x, k, message); }
  void step(comm::Rank& rank, const T* x, T* next) const override;
  double residual(const T* x) const override { return rows_.residual(x); }
  kernels::Cost residual_cost() const override { return rows_.residual_cost(); }
  double source() const override { return rows_.source(); }

  /// Number of rows in S.
  Index block_rows() const { return static_cast<Index>(start_.size()) - 1; }
  Index inner_steps() const override { return inner_ ? inner_->steps() : 0; }

 private:
  struct Distributed {
    std::unique_ptr<RowDistribution<T>> deal;
    std::vector<RowNumbers> rows;  ///< S by rank
  };
  SchwarzBlock(comm::Rank& rank, const Distributed& distributed, Symmetry symmetry, const SchwarzPlan& plan,
               const InnerFactory<T>& factory);
  static Distributed distribute(const SparseMatrix<T>* A, std::span<const int> owner, int ranks,
                                const SchwarzPlan& plan);
  std::size_t beyond() const { return static_cast<std::size_t>(block_rows() - rows_.unknowns()); }
  T* position_of_beyond(T* x) const { return x + rows_.state_size(); }

  MatrixBlock<T> rows_;
  SchwarzPlan plan_;
  RowNumbers start_, position_;  ///< A(S, rest) by rows
  std::vector<T> value_;
  std::unique_ptr<InnerSolver<T>> inner_;
  std::vector<RowNumbers> rows_beyond_;  ///< S without W by rank, on rank 0
  std::vector<T> b_beyond_;
};

}  // namespace overlapack::iterative
