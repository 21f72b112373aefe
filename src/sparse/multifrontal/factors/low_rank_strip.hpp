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

/// Applies the master's panels to a strip of a compressed front. The blocks of a panel are compressed when
/// they come; the strip's own rows of L21 are compressed here, before they update anything.
/// Source  as LowRankFront; Amestoy, Buttari, L'Excellent, Mary, Performance and scalability of the block low-rank multifrontal
///         factorization, TOMS 45 (2019), section 4: clusters do not go beyond the rows of a process
template <class T>
class LowRankStrip {
 public:
  /// strips: all strips of the front; largest: magnitude of the largest entry of B
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
  std::vector<T> omega_;       ///< random signs of kernels::compress
  LowRankTally tally_;
  bool gives_up_ = false;  ///< no block of some panel was of low rank: no more are tried
};

}  // namespace overlapack::sparse::multifrontal
