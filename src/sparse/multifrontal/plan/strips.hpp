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

/// The level to which `work` brings ranks with these loads, if those above it get none.
/// Cost  O(ranks log ranks)
double level_of(std::span<const double> loads, double work);

/// Shares of `work` that bring ranks with these loads to one level; 0 where a load is above it, and less where a rank has
/// less room.
/// room: the largest share of each rank, all of them together 1 or more (else they count in proportion); none: any
/// Cost  O(ranks^2 log ranks) at worst
std::vector<double> shares_by_load(std::span<const double> loads, double work,
                                   std::span<const double> room = {});

/// As many strips of front f as pay: k of them work for work / k, and the panel is sent k times. Together that is least where
/// k^2 = work / (bytes of the panel x flops_per_byte). Decision 0044.
Index most_profitable_strips(FactorKind kind, const AssemblyTree& tree, Index f, std::size_t entry_bytes,
                             const StripPlan& plan);

/// At most `most` strips of `least_rows` or more, so that the ranks come to one level: rows by share for LU, of a lower triangle by its
/// area. Strips follow each other in the order of `ranks`. There is one or more, and each has one row or more.
/// loads, work, room: as in shares_by_load
Strips make_strips(FactorKind kind, Index border, Index least_rows, Index most, std::vector<int> ranks,
                   std::vector<double> loads, double work, std::vector<double> room = {});

/// Flops of strip i of front f: its solve with U11 and its rows of the update.
double strip_flops(FactorKind kind, const AssemblyTree& tree, Index f, const Strips& strips, Index i);
/// Entries that strip i takes without delayed pivots: L21 of LU, and C.
double strip_entries(FactorKind kind, const AssemblyTree& tree, Index f, const Strips& strips, Index i);
/// Of all strips together; of a lower triangle its area.
double strip_entries(FactorKind kind, const AssemblyTree& tree, Index f);
/// Flops of all strips of a front with s pivots and m border rows together.
double strip_flops(FactorKind kind, double s, double m);
/// The same of front f.
double strip_flops(FactorKind kind, const AssemblyTree& tree, Index f);

/// Where the border rows of a front stand in its parent. The first `summed` of them are pivots of it, position[i] is their
/// number among these; the others are border rows of it, with their number among these.
struct PositionsInParent {
  Index summed = 0;
  std::vector<std::int32_t> position;

  /// The rows of the child, from `summed` on, that stand before border row `row` of the parent.
  Index rows_before(Index row) const;
};

/// Cost  border of the child + border of the parent
PositionsInParent positions_in_parent(const AssemblyTree& tree, Index child);

}  // namespace overlapack::sparse::multifrontal
