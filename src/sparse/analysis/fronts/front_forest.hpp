#pragma once
#include "sparse/analysis/fronts/front_cost.hpp"
#include "sparse/analysis/graph/elimination_tree.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// Fronts by size only, in postorder, with the positions of the elimination tree that each eliminates.
struct FrontForest {
  std::vector<Node> parent;    ///< -1 for a root
  std::vector<Index> pivots;   ///< s: variables eliminated
  std::vector<Index> order;    ///< f: pivots and border
  std::vector<Node> front_of;  ///< position -> front

  Node fronts() const { return static_cast<Node>(parent.size()); }
};

/// When fronts join, see AnalysisPlan.
struct AmalgamationRule {
  std::span<const Index> width;   ///< joint width up to which zeros[i] counts
  std::span<const double> zeros;  ///< largest share of explicit zeros in the joint front
  double wide_zeros;              ///< the same for any wider front
  double zeros_for_saved = 0;     ///< allowed beyond that, for each entry of the child's contribution block
};

/// The fundamental supernodes: chains of only children in which each column of L has the rows of the one before.
/// Source  Liu, Ng, Peyton, On finding supernodes for sparse matrix computations, SIMAX 14 (1993)
FrontForest fundamental_fronts(const QuotientGraph& quotient, const EliminationTree& tree,
                               std::span<const Index> counts);

/// Joins children with their parents, and others of them with each other, where that saves predicted time and stays within the
/// rule's share of zeros. A front joint with its parent keeps the parent's border, which contains that of the child. Siblings get both
/// borders: these are known where one has all rows of the parent, and of leaves.
/// Cost    O(fronts log fronts + edges)
FrontForest amalgamated(const FrontForest& forest, const QuotientGraph& quotient, const EliminationTree& tree,
                        FactorKind kind, const AmalgamationRule& rule, const FrontCostModel& model);

/// Renumbers the fronts into the postorder of least peak memory: under each parent the child with the largest
/// (peak - what it leaves behind) first, factors and contribution blocks counted.
/// Source  Liu, On the storage requirement in the out-of-core multifrontal method, ACM TOMS 12 (1986)
FrontForest ordered_for_memory(const FrontForest& forest, FactorKind kind);

/// Predicted seconds of all fronts on one core.
double predicted_seconds(const FrontForest& forest, FactorKind kind, const FrontCostModel& model);

}  // namespace overlapack::sparse
