#pragma once
#include "sparse/analysis/fronts/assembly_tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse {
struct StripPlan;
}

namespace overlapack::sparse::multifrontal {

/// The border rows of a front over ranks: strip i is the rows [start[i], start[i + 1]) on rank[i].
struct Strips {
  std::vector<Index> start{0};
  std::vector<int> rank;

  Index count() const { return static_cast<Index>(rank.size()); }
};

/// The common load that ranks reach when `work` is shared out among the least loaded of them, so that all who
/// get some end at the same level. Ranks with a load above the level get none.
/// Cost  O(ranks log ranks)
double level_of(std::span<const double> loads, double work);

/// The shares of `work`, 1 in all, that bring ranks with these loads to one level (level_of). A rank above
/// the level gets 0, and no rank gets more than its room.
/// room: the largest share that each rank may take; if they add up to less than 1 they are scaled to 1;
///         empty: no limits
/// Cost  O(ranks^2 log ranks) at worst
std::vector<double> shares_by_load(std::span<const double> loads, double work,
                                   std::span<const double> room = {});

/// The number of strips of front f that takes the least time. Each of k strips works off work / k flops, and
/// the master sends its panel k times, where a byte counts as flops_per_byte. The sum is least for k^2 = work
/// / (bytes of the panel x flops_per_byte). Decision 0044.
Index most_profitable_strips(FactorKind kind, const AssemblyTree& tree, Index f, std::size_t entry_bytes,
                             const StripPlan& plan);

/// Cuts `border` rows into at most `most` strips of `least_rows` rows or more, so that the ranks come to one
/// level. A rank's share of the work is its share of the rows for LU, and of the area of the lower triangle
/// for a symmetric front. Strips follow each other in the order of `ranks`. There is one or more, and each
/// has one row or more.
/// loads, work, room: as in shares_by_load
Strips make_strips(FactorKind kind, Index border, Index least_rows, Index most, std::vector<int> ranks,
                   std::vector<double> loads, double work, std::vector<double> room = {});

/// Flops of strip i of front f: its solve with U11 and its rows of the update.
double strip_flops(FactorKind kind, const AssemblyTree& tree, Index f, const Strips& strips, Index i);
/// Entries that strip i stores, delayed pivots not counted: its rows of C, and for LU of L21.
double strip_entries(FactorKind kind, const AssemblyTree& tree, Index f, const Strips& strips, Index i);
/// The same of all strips together; a symmetric C counts as its lower triangle.
double strip_entries(FactorKind kind, const AssemblyTree& tree, Index f);
/// Flops of all strips of a front with s pivots and m border rows together.
double strip_flops(FactorKind kind, double s, double m);
/// The same of front f.
double strip_flops(FactorKind kind, const AssemblyTree& tree, Index f);

/// Where the border rows of a child stand in its parent. The first `summed` of them are pivots of the parent,
/// and position[i] counts from its first pivot. The others are border rows of the parent, and position[i]
/// counts from its first border row.
struct PositionsInParent {
  Index summed = 0;
  std::vector<std::int32_t> position;

  /// Index of the child's first border row that stands at border row `row` of the parent or behind it.
  Index rows_before(Index row) const;
};

/// Cost  border of the child + border of the parent
PositionsInParent positions_in_parent(const AssemblyTree& tree, Index child);

}  // namespace overlapack::sparse::multifrontal
