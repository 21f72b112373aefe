#include "sparse/analysis/graph/strong_components.hpp"

#include <algorithm>

namespace overlapack::sparse {
namespace {

/// Tarjan's depth-first search, with an explicit stack instead of recursion. low_[v]: the least number of a node that v is known to reach.
class Search {
 public:
  Search(std::span<const Index> start, std::span<const Index> row, std::span<const Node> node_of_row)
      : start_(start), row_(row), node_of_row_(node_of_row), low_(node_of_row.size(), unseen) {
    next_.resize(node_of_row.size());
    component_.resize(node_of_row.size());
  }

  StrongComponents run() {
    for (Node v = 0; v < static_cast<Node>(low_.size()); ++v)
      if (low_[v] == unseen) search_from(v);
    StrongComponents found;
    found.start.assign(static_cast<std::size_t>(components_) + 1, 0);
    for (const Node c : component_) ++found.start[c + 1];
    for (Node c = 0; c < components_; ++c) found.start[c + 1] += found.start[c];
    found.order.resize(component_.size());
    std::vector<Node> next(found.start.begin(), found.start.end() - 1);
    for (Node v = 0; v < static_cast<Node>(component_.size()); ++v) found.order[next[component_[v]]++] = v;
    return found;
  }

 private:
  static constexpr Node unseen = -1, finished = 0x7fffffff;

  void enter(Node v) {
    low_[v] = entered_++;
    next_[v] = start_[v];
    path_.push_back({v, low_[v]});
    open_.push_back(v);
  }

  void search_from(Node root) {
    enter(root);
    while (!path_.empty()) {
      const Node v = path_.back().node;
      const Node w = next_unseen(v);
      if (w >= 0)
        enter(w);
      else
        leave(v);
    }
  }

  /// The next neighbour of v that was not seen. Neighbours that were seen already may lower low_[v].
  Node next_unseen(Node v) {
    for (Index& p = next_[v]; p < start_[v + 1];) {
      const Node w = node_of_row_[row_[p++]];
      if (low_[w] == unseen) return w;
      if (low_[w] != finished) low_[v] = std::min(low_[v], low_[w]);
    }
    return -1;
  }

  void leave(Node v) {
    const Node number = path_.back().number;
    path_.pop_back();
    if (low_[v] < number) {  // reaches a node further down the path
      const Node before = path_.back().node;
      low_[before] = std::min(low_[before], low_[v]);
      return;
    }
    for (Node w = -1; w != v;) {
      w = open_.back();
      open_.pop_back();
      low_[w] = finished;
      component_[w] = components_;
    }
    ++components_;
  }

  struct Step {
    Node node, number;
  };

  std::span<const Index> start_, row_;
  std::span<const Node> node_of_row_;
  std::vector<Node> low_;
  std::vector<Index> next_;  ///< entry of a node's column to be looked at next
  std::vector<Step> path_;
  std::vector<Node> open_;  ///< nodes seen whose component is not complete
  Node entered_ = 0;
  std::vector<Node> component_;
  Node components_ = 0;
};

}  // namespace

StrongComponents strong_components(std::span<const Index> start, std::span<const Index> row,
                                   std::span<const Node> node_of_row) {
  return Search(start, row, node_of_row).run();
}

}  // namespace overlapack::sparse
