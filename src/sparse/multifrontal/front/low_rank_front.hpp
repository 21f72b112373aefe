#pragma once
#include "comm/rank.hpp"
#include "kernels/low_rank/low_rank.hpp"
#include "kernels/pivoting/panel_steps.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/multifrontal/front/block_candidates.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Which fronts are compressed: those of at least this order with half a cluster of pivots or more, whole or in strips.
bool is_low_rank(const LowRankPlan& plan, const Structure& structure, Index f);

/// Elimination of one assembled front at a time in panels of a cluster's width, with blocks behind them that are compressed before
/// they are used: factorise, solve, compress, update (FSCU). Pivots are chosen before anything is compressed, among the variables of
/// the panel; what fails the test is tried again with the next panel, and delayed to the parent in the end. Of a front in strips it
/// eliminates the fully summed part: L21 of LU and C are the strips' (LowRankStrip).
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
  /// The same panel by panel:  begin(); while (has_panels_left()) { next_panel(); update_summed(); }  end();
  /// cuts: border rows at which a block begins in any case
  void begin(comm::Rank* helpers, Front<T>& front, std::span<const Index> cuts = {});
  bool has_panels_left() const { return block_ < blocks_.summed; }
  /// Its blocks are final; valid until update_summed.
  const LowRankPanel<T>& next_panel();
  void update_summed();
  Elimination end();
  /// Of the front that was eliminated last:
  /// C <- -L21 U12 (LU), -L21 D L21^T (LDL^T), -L21 L21^H (Cholesky), from the blocks; C is written, not read.
  void update(comm::Rank* helpers, Front<T>& front);
  /// C, once children were added, in tiles (compress_contribution).
  void compress_block(comm::Rank* helpers, Front<T>& front);

  const LowRankTally& tally() const { return tally_; }

 private:
  using Panel = LowRankPanel<T>;
  using Block = LowRankBlock<T>;

  void factorize(Panel& panel, Elimination& done);
  void take_steps(kernels::PanelSteps<T>& steps, const Panel& panel);
  void exchange(Panel& panel);
  void solve(Panel& panel);
  void compress(Panel& panel);
  void subtract_from_summed(const Panel& panel);
  void keep_delayed();

  std::vector<Candidate<T>> candidates(const Panel& panel) const;
  Index blocks_beside() const;
  kernels::Middle<T> middle(const Panel& panel) const;
  Product<T> product_of(const Panel& panel, const kernels::Tile& tile, const StaircaseView<T>& C) const;

  template <class U>
  U* copy_among_factors(std::span<const U> values);
  MatrixView<T> copy_among_factors(MatrixView<T> from);

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
  Index block_ = 0;  ///< of the fully summed ones, whose panel comes next
  Panel panel_;
  Elimination done_;
  bool gives_up_ = false;  ///< nothing has been of low rank here
};

}  // namespace overlapack::sparse::multifrontal
