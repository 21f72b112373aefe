#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace overlapack::sparse {

/// Nodes by a key that may change, the largest first; of equal keys the least number.
class NodeQueue {
 public:
  explicit NodeQueue(Node nodes) : place_(static_cast<std::size_t>(nodes), -1) {}

  bool empty() const { return heap_.empty(); }
  Node top() const { return heap_.front().node; }
  std::int64_t top_key() const { return heap_.front().key; }
  bool has(Node v) const { return place_[v] >= 0; }
  void clear() {
    for (const Entry& e : heap_) place_[e.node] = -1;
    heap_.clear();
  }
  void push(Node v, std::int64_t key) {
    heap_.push_back({key, v});
    place_[v] = static_cast<Node>(heap_.size() - 1);
    up(heap_.size() - 1);
  }
  void add(Node v, std::int64_t change) {
    const auto i = static_cast<std::size_t>(place_[v]);
    heap_[i].key += change;
    if (change > 0)
      up(i);
    else
      down(i);
  }
  void erase(Node v) {
    const auto i = static_cast<std::size_t>(place_[v]);
    place_[v] = -1;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (i == heap_.size()) return;
    heap_[i] = last;
    place_[last.node] = static_cast<Node>(i);
    up(i);
    down(static_cast<std::size_t>(place_[last.node]));
  }

 private:
  struct Entry {
    std::int64_t key;
    Node node;
  };
  static bool is_before(const Entry& a, const Entry& b) {
    return a.key > b.key || (a.key == b.key && static_cast<std::uint32_t>(a.node) * 2654435769u <
                                                   static_cast<std::uint32_t>(b.node) * 2654435769u);
  }
  void set(std::size_t i, const Entry& e) {
    heap_[i] = e;
    place_[e.node] = static_cast<Node>(i);
  }
  void up(std::size_t i) {
    const Entry moved = heap_[i];
    for (; i > 0 && is_before(moved, heap_[(i - 1) / 2]); i = (i - 1) / 2) set(i, heap_[(i - 1) / 2]);
    set(i, moved);
  }
  void down(std::size_t i) {
    const Entry moved = heap_[i];
    for (;;) {
      std::size_t child = 2 * i + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
      if (!is_before(heap_[child], moved)) break;
      set(i, heap_[child]);
      i = child;
    }
    set(i, moved);
  }

  std::vector<Entry> heap_;
  std::vector<Node> place_;
};

}  // namespace overlapack::sparse
