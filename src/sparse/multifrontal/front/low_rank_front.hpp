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

/// Is front f compressed? It is if is_large_enough, whole or in strips; a root on the grid is not.
bool is_low_rank(const LowRankPlan& plan, const Structure& structure, Index f);

/// Eliminates one assembled front at a time, in panels of a cluster's width. The blocks behind a panel are
/// compressed before they update anything: factorise, solve, compress, update (FSCU). Pivots are chosen
/// before the panel is compressed, among its own variables. A variable that fails the test is tried again
/// with the next panel, and delayed to the parent in the end. If the front is in strips, this class
/// eliminates its fully summed part alone; the strips have C, and L21 of LU (LowRankStrip).
/// Source  Amestoy, Buttari, L'Excellent, Mary, On the complexity of the block low-rank multifrontal factorization, SISC 39 (2017),
///         section 2; pivoting as in theirs, Performance and scalability of the block low-rank multifrontal factorization, TOMS 45
///         (2019), section 3
template <class T>
class LowRankFront {
 public:
  /// largest: magnitude of the largest entry of B, to which the errors of blocks are relative
  LowRankFront(const Structure& structure, const FactorPlan& plan, const PivotTest<T>& test, double largest,
               FrontSpace<T>& space, Ledger& ledger);

  /// Factorise the fully summed part and L21; permute the names; set front.eliminated.
  /// helpers: this rank, if it polls between pieces of the work and others may take some; null: all is inside
  ///         one event
  Elimination eliminate(comm::Rank* helpers, Front<T>& front);
  /// The same panel by panel:  begin(); while (has_panels_left()) { next_panel(); update_summed(); }  end();
  /// cuts: border rows at which a block begins in any case
  void begin(comm::Rank* helpers, Front<T>& front, std::span<const Index> cuts = {});
  bool has_panels_left() const { return block_ < blocks_.summed; }
  /// Factorises and compresses the next panel: its blocks are final. The reference is valid until
  /// update_summed.
  const LowRankPanel<T>& next_panel();
  void update_summed();
  Elimination end();
  /// For the front that was eliminated last: C <- -L21 U12 (LU), -L21 D L21^T (LDL^T), -L21 L21^H (Cholesky),
  /// from the blocks. C is written, not read.
  void update(comm::Rank* helpers, Front<T>& front);
  /// Puts C into tiles, once the children were added (compress_contribution).
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
  std::vector<T> omega_;  ///< random signs of kernels::compress
  LowRankTally tally_;

  // Of the present front
  Front<T>* front_ = nullptr;
  comm::Rank* helpers_ = nullptr;
  RowBlocks blocks_;
  Index block_ = 0;  ///< the fully summed block whose panel comes next
  Panel panel_;
  Elimination done_;
  bool gives_up_ = false;  ///< no block of some panel was of low rank: no more are tried
};

}  // namespace overlapack::sparse::multifrontal
