#pragma once
#include "iterative/jacobi/matrix_block.hpp"
#include "iterative/multisplitting/inner_solver.hpp"
#include "iterative/multisplitting/schwarz_deal.hpp"

namespace overlapack::iterative {

/// Options for multisplitting and the Schwarz operator.
struct SchwarzPlan {
  int overlap = 1;          ///< layers of other blocks' rows that are added to a block
  double damping = 1;       ///< omega: x <- (1 - omega) x + omega z
  int blocks = 0;           ///< blocks over all ranks, at least one each; 0: as many as ranks
  double negligible = 256;  ///< where P^H r should be 0, at most this many eps ||r|| count as 0
  /// Rows of a block for each unknown of a node of the model, if a coarse level leaves the number of blocks open: here time and
  /// memory are least, or hardly more.
  static constexpr Index usual_nodes = 800;
};
/// Errors  BadPlan for overlap < 0, damping not in (0, 1], or fewer blocks than ranks
void require_plan(const SchwarzPlan& plan, int ranks);
/// The number of blocks of a plan on `ranks` ranks.
inline int blocks_of(const SchwarzPlan& plan, int ranks) { return plan.blocks > 0 ? plan.blocks : ranks; }

/// The rows of one rank in a multisplitting iteration: one or several blocks W, each with the larger set S of rows (the block and
/// its overlap) with which its local step solves. With the state's values of the unknowns outside of S,
///   A(S,S) z = b_S - A(S, rest) x_rest,   x_W <- (1 - omega) x_W + omega z_W:
/// which is restricted additive Schwarz, a multisplitting whose weights are 1 for own unknowns and 0 for those of others. The
/// state keeps z outside of W only as the start of iterative inner solves; the result has the x of each unknown's owner.
/// Source  paper 5, section 6.4; Frommer and Szyld 2000, section 4.1; Cai and Sarkis 1999
template <class T>
class SchwarzBlock final : public DistributedBlock<T> {
 public:
  /// Shapes  A: as for MatrixBlock; block: by row, on rank 0; rank_of_block() gives each block's rank
  /// Sync    collective; `factory` is called equally often on all ranks: for each block of the rank, then with blocks of order 0
  /// Errors  require_plan; those of the factory
  SchwarzBlock(comm::Rank& rank, const SparseMatrix<T>* A, std::span<const int> block,
               const SchwarzPlan& plan, const InnerFactory<T>& factory);

  void distribute_source(comm::Rank& rank, const T* b) override;
  std::vector<T> gather_on_root(comm::Rank& rank, std::span<const T> x) const override {
    return rows_.gather_on_root(rank, x);
  }

  Index unknowns() const override { return rows_.unknowns(); }
  std::size_t state_size() const override { return rows_.state_size() + beyond_; }
  void start(T* x) const override;
  std::span<const Neighbour> neighbours() const override { return rows_.neighbours(); }
  void pack(const T* x, std::size_t k, T* message) const override { rows_.pack(x, k, message); }
  void unpack(const T* message, std::size_t k, T* x) const override { rows_.unpack(message, k, x); }
  void read_halo(const T* x, std::size_t k, T* message) const override { rows_.read_halo(x, k, message); }
  void step(comm::Rank& rank, const T* x, T* next) const override;
  /// True for a single block that is solved directly and without damping. Several blocks of a rank use each other's new values.
  bool is_solved_by_one_step() const override {
    return inner_.size() == 1 && inner_[0] && inner_[0]->is_direct() && plan_.damping == 1;
  }
  double residual(const T* x) const override { return rows_.residual(x); }
  kernels::Cost residual_cost() const override { return rows_.residual_cost(); }
  double source() const override { return rows_.source(); }

  /// Number of rows in the largest S.
  Index block_rows() const;
  Index inner_steps() const override;

 private:
  SchwarzBlock(comm::Rank& rank, BlockDeal<T> deal, Symmetry symmetry, const SchwarzPlan& plan,
               const InnerFactory<T>& factory);
  void step_of(std::size_t block, comm::Rank& rank, const T* x, T* next, std::size_t beyond) const;

  /// Without A(S, S); declared before rows_, whose halo depends on them
  std::vector<ExtendedBlock<T>> blocks_;
  MatrixBlock<T> rows_;
  SchwarzPlan plan_;
  std::vector<std::unique_ptr<InnerSolver<T>>> inner_;  ///< by block
  /// Number of rows in S but not in W, over all blocks
  std::size_t beyond_ = 0;
  std::vector<RowNumbers> rows_beyond_;  ///< on rank 0: these rows, by rank
  std::vector<T> b_beyond_;              ///< b in these rows
};

/// Makes the inner solvers of a rank's blocks, and takes A(S, S) away from the blocks.
/// Sync    collective: the factory is called equally often on all ranks
template <class T>
std::vector<std::unique_ptr<InnerSolver<T>>> inner_solvers(comm::Rank& rank,
                                                           std::vector<ExtendedBlock<T>>& blocks,
                                                           const InnerFactory<T>& factory);

}  // namespace overlapack::iterative
