#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace overlapack::sparse {

/// A priority queue of nodes whose keys may change; the largest key comes first. Nodes with equal keys come in an order that is independent of
/// their numbering. Keys are weights of nodes or edges and fit 32 bits.
class NodeQueue {
 public:
  explicit NodeQueue(Node nodes) : place_(static_cast<std::size_t>(nodes), -1) {}

  bool empty() const { return heap_.empty(); }
  Node top() const { return node_of(heap_.front()); }
  bool has(Node v) const { return place_[v] >= 0; }
  void clear() {
    for (const Entry e : heap_) place_[node_of(e)] = -1;
    heap_.clear();
  }
  void push(Node v, std::int64_t key) {
    heap_.push_back(entry(v, key));
    sift_up(heap_.size() - 1);
  }
  void add(Node v, std::int64_t change) {
    const auto i = static_cast<std::size_t>(place_[v]);
    heap_[i] += static_cast<Entry>(change) << 32;
    if (change > 0)
      sift_up(i);
    else
      sift_down(i);
  }
  void erase(Node v) {
    const auto i = static_cast<std::size_t>(place_[v]);
    place_[v] = -1;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (i == heap_.size()) return;
    heap_[i] = last;
    sift_up(i);
    sift_down(static_cast<std::size_t>(place_[node_of(last)]));
  }

 private:
  /// The key in the upper 32 bits, and in the lower ones the node's number times an odd constant (modulo 2^32). The product is different for
  /// all nodes, and multiplication with the inverse gives the number back.
  using Entry = std::uint64_t;
  static constexpr std::uint32_t mixing = 2654435769u, unmixing = 340573321u;
  static_assert(mixing * unmixing == 1);

  static Entry entry(Node v, std::int64_t key) {
    const std::uint32_t mixed = ~(static_cast<std::uint32_t>(v) * mixing);
    return (static_cast<Entry>(key + (std::int64_t{1} << 31)) << 32) | mixed;
  }
  static Node node_of(Entry e) { return static_cast<Node>(~static_cast<std::uint32_t>(e) * unmixing); }

  void set_entry(std::size_t i, Entry e) {
    heap_[i] = e;
    place_[node_of(e)] = static_cast<Node>(i);
  }
  void sift_up(std::size_t i) {
    const Entry moved = heap_[i];
    for (; i > 0 && moved > heap_[(i - 1) / 2]; i = (i - 1) / 2) set_entry(i, heap_[(i - 1) / 2]);
    set_entry(i, moved);
  }
  void sift_down(std::size_t i) {
    const Entry moved = heap_[i];
    for (;;) {
      std::size_t child = 2 * i + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && heap_[child + 1] > heap_[child]) ++child;
      if (heap_[child] <= moved) break;
      set_entry(i, heap_[child]);
      i = child;
    }
    set_entry(i, moved);
  }

  std::vector<Entry> heap_;
  std::vector<Node> place_;
};

}  // namespace overlapack::sparse
