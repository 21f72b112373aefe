#pragma once
#include "comm/rank.hpp"
#include "sparse/multifrontal/factors/strip.hpp"
#include "sparse/multifrontal/front/block_candidates.hpp"
#include "sparse/multifrontal/message/strip_messages.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {
struct FactorPlan;
struct LowRankPlan;
}  // namespace overlapack::sparse

namespace overlapack::sparse::multifrontal {

/// What the panels of a compressed front do to a strip of it. Its own rows of L21 are compressed before they are used, as the master's
/// blocks were before they came.
/// Source  as LowRankFront; Amestoy, Buttari, L'Excellent, Mary, Performance and scalability of the block low-rank multifrontal
///         factorization, TOMS 45 (2019), section 4: clusters do not go beyond the rows of a process
template <class T>
class LowRankStrip {
 public:
  /// strips: of the front; largest: entry of B
  LowRankStrip(const Structure& structure, const FactorPlan& plan, double largest, const Strips& strips,
               Strip<T>& strip, Ledger& ledger);

  /// LU  L21 <- L21 U11^{-1} ~ X V,  C -= X (V V_U^T) X_U^T;  symmetric  C -= X (V D V^T) X^T.
  void apply(comm::Rank& rank, const PanelMessage<T>& panel);
  const LowRankTally& tally() const { return tally_; }

 private:
  using Block = LowRankBlock<T>;

  void solve(comm::Rank& rank, const PanelMessage<T>& panel);
  std::vector<Block> compress(comm::Rank& rank, const PanelMessage<T>& panel);
  std::vector<Product<T>> products_lu(std::span<const Block> mine, std::span<const Block> theirs) const;
  std::vector<Product<T>> products_symmetric(std::span<const Block> theirs) const;
  void subtract(comm::Rank& rank, const PanelMessage<T>& panel, std::span<const Product<T>> products);
  void count_full(const PanelMessage<T>& panel);

  const Structure& structure_;
  const LowRankPlan& plan_;
  const double largest_;
  Strip<T>& strip_;
  Ledger& ledger_;
  std::vector<Index> bounds_;  ///< where blocks of the strip's rows begin, from 0, and the end
  std::vector<T> omega_;       ///< as of compress
  LowRankTally tally_;
  bool gives_up_ = false;  ///< nothing has been of low rank here
};

}  // namespace overlapack::sparse::multifrontal
