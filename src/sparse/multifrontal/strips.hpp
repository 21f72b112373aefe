#pragma once
#include "sparse/analysis/assembly_tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse {

/// The border rows of a front over ranks: strip i is the rows [start[i], start[i + 1]) on rank[i].
struct Strips {
  std::vector<Index> start{0};
  std::vector<int> rank;

  Index count() const { return static_cast<Index>(rank.size()); }
};

/// Shares of `work` that bring ranks with these loads to one level; 0 where a load is above it.
/// Cost  O(ranks log ranks)
std::vector<double> level_out(std::span<const double> loads, double work);

/// Strips of `least_rows` or more, so that the ranks come to one level: rows by share for LU, of a lower triangle by its
/// area. Strips follow each other in the order of `ranks`; at least one of them has one.
Strips make_strips(FactorKind kind, Index border, Index least_rows, std::vector<int> ranks, std::vector<double> loads,
                   double work);

/// Flops of strip i of front f: its solve with U11 and its rows of the update.
double strip_flops(FactorKind kind, const AssemblyTree& tree, Index f, const Strips& strips, Index i);
/// Of all strips of a front with s pivots and m border rows together.
double strip_flops(FactorKind kind, double s, double m);
/// The same of front f.
double strip_flops(FactorKind kind, const AssemblyTree& tree, Index f);

/// Where the border rows of a front stand in its parent. The first `summed` of them are pivots of it, place[i] is their
/// number among these; the others are border rows of it, with their number among these.
struct PlacesInParent {
  Index summed = 0;
  std::vector<std::int32_t> place;

  /// The rows of the child, from `first` on, that stand before border row `row` of the parent.
  Index rows_before(Index row) const;
};

/// Cost  border of the child + border of the parent
PlacesInParent places_in_parent(const AssemblyTree& tree, Index child);

}  // namespace overlapack::sparse
