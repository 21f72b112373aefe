#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// What a matching says of the pivots of LDL^T: which variables need another to become a pivot.
struct PivotPartners {
  std::vector<Node> partner;  ///< v -> the variable that makes a good 2x2 pivot with v, or v itself
  std::vector<char> waits;    ///< v -> its own diagonal is too small for a pivot while nothing is eliminated
};

/// Cuts the cycles of a matching into neighbours; the largest diagonal of an odd cycle stays alone, as do two
/// whose diagonals are both at least `large_diagonal`.
/// Shapes  row_of_column: a permutation; diagonal: moduli, scaled so that matched entries are about 1
/// Source  Duff, Pralet, Strategies for scaling and pivoting for sparse symmetric indefinite problems,
///         SIMAX 27 (2005), section 3.1
PivotPartners pivot_partners(std::span<const Index> row_of_column, std::span<const double> diagonal,
                             double large_diagonal);

/// A group for each pair and each single variable, numbered by first members: ordered as one, a pair meets in a front.
std::vector<Node> pair_groups(const PivotPartners& partners);

/// The order changed only where it has to be: a node whose variables all wait, and that would come before all
/// its neighbours, follows its partner's node; after any neighbour its diagonal is no longer zero.
/// Cost    O(nodes log nodes + edges)
/// Source  relaxed constraints of Duff and Pralet, the same paper, section 3.2
std::vector<Node> placed_after_partners(const QuotientGraph& quotient, const PivotPartners& partners,
                                        std::span<const Node> order);

}  // namespace overlapack::sparse
