#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// The 2x2 pivots of LDL^T that a matching suggests, and the variables that cannot be a pivot alone.
struct PivotPartners {
  std::vector<Node> partner;  ///< v -> the variable that makes a good 2x2 pivot with v, or v itself
  std::vector<char> waits;    ///< v -> its own diagonal is too small for a pivot while nothing is eliminated
};

/// Cut the cycles of a matching into pairs of neighbours. In an odd cycle the variable with the largest diagonal stays alone. Two variables
/// whose diagonals are both at least `large_diagonal` also stay alone.
/// Shapes  row_of_column: a permutation; diagonal: moduli, scaled so that matched entries are about 1
/// Source  Duff, Pralet, Strategies for scaling and pivoting for sparse symmetric indefinite problems,
///         SIMAX 27 (2005), section 3.1
PivotPartners pivot_partners(std::span<const Index> row_of_column, std::span<const double> diagonal,
                             double large_diagonal);

/// The group of each variable: one group for each pair and for each single variable, numbered by first members. If a group is ordered as one
/// node, a pair meets in one front.
std::vector<Node> pair_groups(const PivotPartners& partners);

/// Change the order so that no zero diagonal is a pivot, with as few moves as possible. A node whose variables all wait, and that would come
/// before all its neighbours, is moved behind its partner's node. After the elimination of any neighbour its diagonal is no longer zero.
/// Cost    O(nodes log nodes + edges)
/// Source  relaxed constraints of Duff and Pralet, the same paper, section 3.2
std::vector<Node> placed_after_partners(const QuotientGraph& quotient, const PivotPartners& partners,
                                        std::span<const Node> order);

}  // namespace overlapack::sparse
