#pragma once
#include "comm/rank.hpp"
#include "kernels/low_rank.hpp"
#include "kernels/panel_steps.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"
#include "sparse/multifrontal/front/low_rank_blocks.hpp"
#include "sparse/multifrontal/front/low_rank_factors.hpp"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse {

/// Which fronts are compressed: whole ones of at least this order with more than half a cluster of pivots.
bool is_low_rank(const LowRankPlan& plan, const Structure& structure, Index f);

/// What low-rank fronts add to the figures of their rank.
struct LowRankTally {
  double flops = 0;  ///< done, without those of full rank
  Index compressed = 0, full = 0, ranks = 0, largest_rank = 0;
  Index mixed = 0;                ///< of the compressed ones: some or all terms in single precision,
  Index saved_bytes = 0;          ///< which saves so many
  Index contributions = 0;        ///< that were put into tiles,
  Index mixed_contributions = 0;  ///< some of which have terms in single precision
};

/// Elimination of one assembled front at a time in panels of a cluster's width, with blocks behind them that are compressed before
/// they are used: factorise, solve, compress, update (FSCU). Pivots are chosen before anything is compressed, among the variables of
/// the panel; what fails the test is tried again with the next panel, and delayed to the parent in the end.
/// Source  Amestoy, Buttari, L'Excellent, Mary, On the complexity of the block low-rank multifrontal factorization, SISC 39 (2017),
///         section 2; pivoting as in theirs, Performance and scalability of the block low-rank multifrontal factorization, TOMS 45
///         (2019), section 3
template <class T>
class LowRankFront {
 public:
  /// largest: entry of B
  LowRankFront(const Structure& structure, const FactorPlan& plan, const PivotTest<T>& test, double largest,
               FrontSpace<T>& space, Ledger& ledger);

  /// Factorise the fully summed part and L21; permute the names; set front.eliminated.
  /// helpers: the rank, where bytes move between pieces of the work and others may take some; null: all of it is one event
  Elimination eliminate(comm::Rank* helpers, Front<T>& front);
  /// Of the front that was eliminated last:
  /// C <- -L21 U12 (LU), -L21 D L21^T (LDL^T), -L21 L21^H (Cholesky), from the blocks; C is written, not read.
  void update(comm::Rank* helpers, Front<T>& front);
  /// C, once children were added, in tiles (compress_contribution).
  void compress_block(comm::Rank* helpers, Front<T>& front);

  const LowRankTally& tally() const { return tally_; }

 private:
  using Panel = LowRankPanel<T>;
  using Block = LowRankBlock<T>;

  void begin(Front<T>& front, comm::Rank* helpers);
  void factorize(Panel& panel, Elimination& done);
  void take_steps(kernels::PanelSteps<T>& steps, const Panel& panel);
  void exchange(Panel& panel);
  void solve(Panel& panel);
  void compress(Panel& panel);
  void count(const Attempt<T>& made);
  void update_summed(const Panel& panel);
  void keep_delayed();

  std::vector<Candidate<T>> candidates(const Panel& panel) const;
  Block keep(const Candidate<T>& of);
  kernels::Middle<T> middle(const Panel& panel) const;
  Product<T> product_of(const Panel& panel, const kernels::Tile& tile, const StaircaseView<T>& C) const;

  template <class U>
  U* room(Index count);
  template <class U>
  U* copy_of(std::span<const U> values);
  MatrixView<T> copy_of(MatrixView<T> from);

  const Structure& structure_;
  const FactorPlan& plan_;
  const LowRankPlan& low_rank_;
  const PivotTest<T> test_;
  const double largest_;
  FrontSpace<T>& space_;
  Ledger& ledger_;
  std::vector<T> omega_;  ///< as of compress
  LowRankTally tally_;

  // Of the front at hand
  Front<T>* front_ = nullptr;
  comm::Rank* helpers_ = nullptr;
  RowBlocks blocks_;
  bool gives_up_ = false;  ///< nothing has been of low rank here
};

}  // namespace overlapack::sparse
