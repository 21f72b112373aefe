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
  std::optional<NodeParallelism> sharing = {};  ///< empty: slices if ranks share memory, else strips
  Index border = 192;                           ///< least border rows of a front in strips
  double least_flops = 5e7;                     ///< least flops of a front in strips
  Index rows = 48;                              ///< least rows of a strip
  /// Flops that a rank does while a byte is sent: decides how many strips pay (most_profitable_strips); 0: as
  /// many as have enough rows.
  double flops_per_byte = 2;
  /// The same if the owner sends each panel to all strips itself (decision 0044).
  double flat_flops_per_byte = 8;
  Index panel = 0;  ///< most pivots that the owner sends together; 0: panel_width
  /// A distributed front whose owner would do more than its share of the work is split into a chain of fronts
  /// of at least so many pivots; 0: never.
  Index chain_pivots = 128;
  /// by_load: ranks with less work left get larger strips; fixed: as if no rank had other work.
  StripChoice choice = StripChoice::by_load;
  /// From so many strips on, panels go through a binary tree of them; else the owner sends them to each.
  Index tree_from = 8;
  dist::NewsBy load_news = dist::NewsBy::own_lane;
  /// A rank's other work counts for at most this x an even share of the front more than that of the least
  /// loaded rank: strips on few ranks alone would keep the rest of the tree waiting.
  double load_weight = 1;
  /// A strip brings no rank above (1 + memory_imbalance) x an even share of the predicted memory, while others have room.
  double memory_imbalance = 0.1;
  /// Least change of its load that a rank sends to the other ranks.
  dist::Load load_threshold{.flops = 5e7, .bytes = 16e6};
};

/// The number of pivots in a panel for so many strips. Many strips wait for the owner: narrow panels leave
/// more of its work to large products, and let the strips begin sooner. Few strips gain more by the faster
/// products of wide panels.
constexpr Index panel_width(const StripPlan& plan, Index strips) {
  if (plan.panel > 0) return plan.panel;
  constexpr Index least = 32, most = 128, together = 512;
  return std::clamp(together / strips / least * least, least, most);
}

/// A root that all ranks factorise together as a dense matrix.
struct RootPlan {
  /// empty: grid if fronts are distributed in strips and the root is large enough, else sequential.
  std::optional<RootParallelism> root = {};
  Index order = 400;  ///< with an empty `root`: a root of a smaller order stays on its owner
  Index block = 96;   ///< order of the blocks that are distributed, columns of a panel
};

}  // namespace overlapack::sparse
