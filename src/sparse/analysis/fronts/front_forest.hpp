#pragma once
#include "sparse/analysis/fronts/front_cost.hpp"
#include "sparse/analysis/graph/elimination_tree.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// Fronts in postorder, known by their sizes only (no row lists), and the positions of the elimination tree that each front eliminates.
struct FrontForest {
  std::vector<Node> parent;    ///< -1 for a root
  std::vector<Index> pivots;   ///< s: variables eliminated
  std::vector<Index> order;    ///< f: pivots and border
  std::vector<Node> front_of;  ///< position -> front

  Node fronts() const { return static_cast<Node>(parent.size()); }
};

/// When fronts join (AnalysisPlan::amalgamation_width).
struct AmalgamationRule {
  std::span<const Index> width;   ///< zeros[i] applies to joint fronts of up to width[i] pivots
  std::span<const double> zeros;  ///< largest share of explicit zeros in the joint front
  double wide_zeros;              ///< the share for any wider front
  double zeros_for_saved =
      0;  ///< more zeros that are allowed for each entry of the child's contribution block
};

/// Find the fundamental supernodes: chains of only children in which each column of L has the rows of the one before.
/// Source  Liu, Ng, Peyton, On finding supernodes for sparse matrix computations, SIMAX 14 (1993)
FrontForest fundamental_fronts(const QuotientGraph& quotient, const EliminationTree& tree,
                               std::span<const Index> counts);

/// Amalgamate fronts: join children with their parent, or with each other, if that saves predicted time and stays within the rule's share of
/// zeros. A child and its parent together have the parent's border, which contains the child's. Siblings together have both borders. The size
/// of that union is known if one sibling has all rows of the parent, or if the siblings are leaves.
/// Cost    O(fronts log fronts + edges)
FrontForest amalgamated(const FrontForest& forest, const QuotientGraph& quotient, const EliminationTree& tree,
                        FactorKind kind, const AmalgamationRule& rule, const FrontCostModel& model);

/// Renumber the fronts into the postorder of least peak memory. The children of a parent are sorted by (peak - memory that they leave behind),
/// the largest first. Memory includes factors and contribution blocks.
/// Source  Liu, On the storage requirement in the out-of-core multifrontal method, ACM TOMS 12 (1986)
FrontForest ordered_for_memory(const FrontForest& forest, FactorKind kind);

/// Predicted seconds of all fronts on one core.
double predicted_seconds(const FrontForest& forest, FactorKind kind, const FrontCostModel& model);

}  // namespace overlapack::sparse
