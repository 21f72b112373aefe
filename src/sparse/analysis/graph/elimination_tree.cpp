#include "sparse/analysis/graph/elimination_tree.hpp"

#include <numeric>

namespace overlapack::sparse {
namespace {

std::vector<Node> inverse(std::span<const Node> order) {
  std::vector<Node> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<Node>(k);
  return position;
}

/// The parents in the elimination tree by Liu's algorithm: node i becomes the parent of the current root of every subtree that has an earlier
/// neighbour of i. Paths are compressed.
std::vector<Node> parents(const Graph& graph, std::span<const Node> order, std::span<const Node> position) {
  const Node n = graph.nodes();
  std::vector<Node> parent(n, -1), ancestor(n, -1);
  for (Node i = 0; i < n; ++i) {
    for (Node w : graph.neighbours(order[i])) {
      Node j = position[w];
      while (j >= 0 && j < i) {
        const Node up = ancestor[j];
        ancestor[j] = i;
        if (up < 0) parent[j] = i;
        j = up;
      }
    }
  }
  return parent;
}

/// Finds the leaves of row subtrees: for each row i, which of the columns j with entries in row i are leaves of the row subtree of i, and where
/// the paths of two consecutive leaves meet (disjoint sets with path compression).
class RowSubtrees {
 public:
  explicit RowSubtrees(const EliminationTree& tree)
      : first_descendant_(tree.parent.size(), -1),
        largest_first_(tree.parent.size(), -1),
        previous_leaf_(tree.parent.size(), -1),
        set_(tree.parent.size()) {
    std::iota(set_.begin(), set_.end(), 0);
    for (Node k = 0; k < static_cast<Node>(tree.parent.size()); ++k)
      for (Node j = k; j >= 0 && first_descendant_[j] < 0; j = tree.parent[j]) first_descendant_[j] = k;
  }

  bool is_tree_leaf(Node j) const { return first_descendant_[j] == j; }

  /// Whether j is a new leaf of row subtree i. If so, `meets` becomes the node where its path joins that of the previous leaf, or -1.
  bool add_leaf(Node i, Node j, Node& meets) {
    if (first_descendant_[j] <= largest_first_[i]) return false;
    largest_first_[i] = first_descendant_[j];
    meets = previous_leaf_[i] < 0 ? -1 : find(previous_leaf_[i]);
    previous_leaf_[i] = j;
    return true;
  }

  void join(Node j, Node parent) { set_[j] = parent; }

 private:
  Node find(Node j) {
    while (set_[j] != j) {  // halving
      set_[j] = set_[set_[j]];
      j = set_[j];
    }
    return j;
  }

  std::vector<Node> first_descendant_, largest_first_, previous_leaf_, set_;
};

}  // namespace

std::vector<Node> postorder(std::span<const Node> parent, std::span<const Node> children_order) {
  const Node n = static_cast<Node>(parent.size());
  std::vector<Node> first_child(n, -1), next_sibling(n, -1), visit, stack;
  Node first_root = -1;
  for (Node k = n - 1; k >= 0; --k) {
    const Node v = children_order.empty() ? k : children_order[k];
    Node& head = parent[v] < 0 ? first_root : first_child[parent[v]];
    next_sibling[v] = head;
    head = v;
  }
  visit.reserve(n);
  for (Node root = first_root; root >= 0; root = next_sibling[root]) {
    stack.push_back(root);
    while (!stack.empty()) {
      const Node v = stack.back();
      const Node child = first_child[v];
      if (child >= 0) {
        first_child[v] = next_sibling[child];
        stack.push_back(child);
      } else {
        stack.pop_back();
        visit.push_back(v);
      }
    }
  }
  return visit;
}

EliminationTree elimination_tree(const Graph& graph, std::span<const Node> order) {
  const std::vector<Node> parent = parents(graph, order, inverse(order));
  const std::vector<Node> visit = postorder(parent);
  const std::vector<Node> renumbered = inverse(visit);
  EliminationTree tree;
  tree.order.resize(order.size());
  tree.parent.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    tree.order[k] = order[visit[k]];
    tree.parent[k] = parent[visit[k]] < 0 ? -1 : renumbered[parent[visit[k]]];
  }
  tree.position = inverse(tree.order);
  return tree;
}

std::vector<Index> column_counts(const QuotientGraph& quotient, const EliminationTree& tree) {
  const Node n = static_cast<Node>(tree.parent.size());
  RowSubtrees subtrees(tree);
  // Row i counts in the columns of its row subtree: its weight enters at each leaf, leaves where two paths
  // meet, and leaves for good above i. Summing a column's children then gives its count.
  std::vector<Index> count(n, 0);
  for (Node j = 0; j < n; ++j) {
    const Node v = tree.order[j];
    if (subtrees.is_tree_leaf(j)) count[j] += quotient.weight(v);
    if (tree.parent[j] >= 0) count[tree.parent[j]] -= quotient.weight(v);
    for (Node u : quotient.graph.neighbours(v)) {
      const Node i = tree.position[u];
      Node meets = -1;
      if (i <= j || !subtrees.add_leaf(i, j, meets)) continue;
      count[j] += quotient.weight(u);
      if (meets >= 0) count[meets] -= quotient.weight(u);
    }
    if (tree.parent[j] >= 0) subtrees.join(j, tree.parent[j]);
  }
  for (Node j = 0; j < n; ++j)
    if (tree.parent[j] >= 0) count[tree.parent[j]] += count[j];
  return count;
}

}  // namespace overlapack::sparse
