#pragma once
#include "dist/tree/load_board.hpp"
#include "overlapack/choices.hpp"
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <optional>

namespace overlapack::sparse {

using overlapack::NodeParallelism;
using overlapack::RootParallelism;

/// Fronts whose border rows are distributed to several ranks in strips, while the owner eliminates the fully summed rows.
struct StripPlan {
  std::optional<NodeParallelism> sharing = {};  ///< empty: slices where ranks share memory, strips elsewhere
  Index border = 192;                           ///< a front with fewer border rows stays on one rank,
  double least_flops = 5e7;                     ///< and so does one with less work
  Index rows = 48;                              ///< rows of a strip
  /// A front has as many strips as pay where a rank does so many flops while a byte is sent; 0: as many as have enough rows
  double flops_per_byte = 2;
  double flat_flops_per_byte =
      8;            ///< the same where the owner sends each panel to all strips itself (decision 0044)
  Index panel = 0;  ///< most pivots that the owner sends together; 0: panel_width
  /// A distributed front is split into a chain of fronts of at least so many pivots, where its owner would do more than its
  /// share of the work; 0: never.
  Index chain_pivots = 128;
  /// by_load: strips are larger where less work is left; fixed: as if no rank had other work
  StripChoice choice = StripChoice::by_load;
  /// panels go through a binary tree of the strips where there are so many, else to each
  Index tree_from = 8;
  dist::NewsBy load_news = dist::NewsBy::own_lane;
  /// Most even shares of a front that a rank's other work counts for: strips on few ranks alone would keep the rest of the tree
  /// waiting.
  double load_weight = 1;
  /// A strip brings no rank above (1 + memory_imbalance) x an even share of the predicted memory, while others have room.
  double memory_imbalance = 0.1;
  /// Least change of its load that a rank sends to the other ranks.
  dist::Load load_threshold{.flops = 5e7, .bytes = 16e6};
};

/// Pivots sent together to so many strips. With many strips all wait for the owner: narrow panels leave more of its work to large
/// products and let the strips begin sooner. Few strips have faster products with wide panels.
constexpr Index panel_width(const StripPlan& plan, Index strips) {
  if (plan.panel > 0) return plan.panel;
  constexpr Index least = 32, most = 128, together = 512;
  return std::clamp(together / strips / least * least, least, most);
}

/// A root that all ranks factorise together as a dense matrix.
struct RootPlan {
  /// empty: grid where fronts are distributed in strips and the root is large enough, else sequential
  std::optional<RootParallelism> root = {};
  Index order = 400;  ///< root empty: one of a smaller order stays on its owner
  Index block = 96;   ///< order of the blocks that are distributed, columns of a panel
};

}  // namespace overlapack::sparse
