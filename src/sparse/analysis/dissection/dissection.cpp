#include "sparse/analysis/dissection/dissection.hpp"

#include "comm/shared_count.hpp"
#include "comm/tasks.hpp"
#include "sparse/analysis/dissection/leaf_order.hpp"
#include "sparse/analysis/graph/ordering.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace overlapack::sparse {

/// A part of the graph, and the numbers of its nodes in the whole graph.
struct DissectionPart {
  WeightedGraph graph;
  std::vector<Node> name;
};

namespace {

/// The random seed of a part. It depends only on the part's place in the recursion, so that the order does not depend on threads.
constexpr std::uint64_t seed_of(std::uint64_t parent, int child) {
  std::uint64_t x = (parent + static_cast<std::uint64_t>(child)) * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  return x ^ (x >> 31);
}

/// Make graphs of parts of a graph. of: the part of each node, -1: none.
std::vector<DissectionPart> induced_parts(const DissectionPart& whole, std::span<const Node> of, Node parts,
                                          comm::Tasks& tasks) {
  std::vector<DissectionPart> result(static_cast<std::size_t>(parts));
  std::vector<std::vector<Node>> members(result.size());
  std::vector<Node> number(of.size());
  for (std::size_t v = 0; v < of.size(); ++v) {
    if (of[v] < 0) continue;
    DissectionPart& part = result[of[v]];
    number[v] = static_cast<Node>(part.name.size());
    members[of[v]].push_back(static_cast<Node>(v));
    part.name.push_back(whole.name[v]);
    part.graph.node_weight.push_back(whole.graph.node_weight[v]);
    part.graph.weight += whole.graph.node_weight[v];
  }
  const auto add_edges = [&](Index p) {
    WeightedGraph& graph = result[p].graph;
    for (const Node v : members[p]) {
      for (const Node w : whole.graph.neighbours(v))
        if (of[w] == p) graph.neighbour.push_back(number[w]);
      graph.start.push_back(static_cast<Index>(graph.neighbour.size()));
    }
    graph.edge_weight.assign(graph.neighbour.size(), 1);
  };
  tasks.for_each(parts, add_edges);
  return result;
}

/// Find the connected components: part[v] becomes the component of node v, numbered by first nodes. Returns their number.
Node components(const WeightedGraph& graph, std::vector<Node>& part) {
  const Node n = graph.nodes();
  part.assign(static_cast<std::size_t>(n), -1);
  std::vector<Node> stack;
  Node count = 0;
  for (Node first = 0; first < n; ++first) {
    if (part[first] >= 0) continue;
    part[first] = count;
    stack.push_back(first);
    while (!stack.empty()) {
      const Node v = stack.back();
      stack.pop_back();
      for (const Node w : graph.neighbours(v))
        if (part[w] < 0) {
          part[w] = count;
          stack.push_back(w);
        }
    }
    ++count;
  }
  return count;
}

}  // namespace

class Dissection::Work {
 public:
  Work(const QuotientGraph& quotient, const DenseRule& dense, const DissectionPlan& plan, comm::Tasks& tasks)
      : tasks_(tasks),
        quotient_(quotient),
        plan_(plan),
        core_(core_without_dense_nodes(quotient.graph, dense)) {}

  void begin(std::function<void()> done) {
    done_ = std::move(done);
    const std::size_t nodes = core_.inner.size();
    if (nodes == static_cast<std::size_t>(quotient_.graph.nodes())) {
      for (const Node v : core_.inner) weight_.push_back(quotient_.weight(v));
    } else {
      CoreGraph inner = core_graph(quotient_, core_);
      own_graph_ = std::move(inner.graph);
      graph_ = &own_graph_;
      weight_ = std::move(inner.weight);
    }
    order_.resize(nodes);
    if (left_.add(static_cast<Node>(nodes)) == 0) return placed(0);
    DissectionPart whole;
    const auto copy = [&](Index what) {
      if (what == 0) {
        whole.graph.neighbour = graph_->neighbour;
      } else if (what == 1) {
        whole.graph.edge_weight.assign(graph_->neighbour.size(), 1);
      } else {
        whole.name.resize(nodes);
        std::iota(whole.name.begin(), whole.name.end(), 0);
        whole.graph.start = graph_->start;
        whole.graph.node_weight = weight_;
        whole.graph.weight = std::accumulate(weight_.begin(), weight_.end(), std::int64_t{0});
      }
    };
    tasks_.for_each(3, copy);
    run(std::move(whole), 0, plan_.seed);
  }

  void cancel_remaining() { gave_up_.add(1); }
  std::vector<Node> order() const { return joined(core_, order_); }

 private:
  /// Order a part: its nodes are written to the order from position `begin` on.
  void run(DissectionPart part, std::size_t begin, std::uint64_t seed) {
    tasks_.check();
    if (gave_up_.value() > 0) return;
    if (part.graph.nodes() <= plan_.leaf) return order_leaf(part, begin);
    std::vector<Node> of;
    Node count = 0;
    Bisection found;
    if (part.graph.nodes() < plan_.guess_from) {
      count = components(part.graph, of);
    } else {  // most likely connected
      tasks_.for_each(2, [&](Index i) {
        if (i == 0)
          count = components(part.graph, of);
        else
          found = bisect(part.graph, seed, plan_.bisection, tasks_);
      });
    }
    if (count > 1) return run_components(std::move(part), of, count, begin, seed);
    if (found.side.empty()) found = bisect(part.graph, seed, plan_.bisection, tasks_);
    if (!is_worth_it(found)) return order_leaf(part, begin);
    for (std::size_t v = 0; v < of.size(); ++v)
      of[v] = found.side[v] == Half::separator ? -1 : static_cast<Node>(found.side[v]);
    std::vector<DissectionPart> parts = induced_parts(part, of, 2, tasks_);
    std::size_t at = begin + parts[0].name.size() + parts[1].name.size();
    for (std::size_t v = 0; v < of.size(); ++v)
      if (of[v] < 0) order_[at++] = part.name[v];
    placed(static_cast<Node>(part.name.size() - parts[0].name.size() - parts[1].name.size()));
    part = {};
    of = {};
    const std::size_t second = begin + parts[0].name.size();
    start(std::move(parts[1]), second, seed_of(seed, 2));
    run(std::move(parts[0]), begin, seed_of(seed, 1));
  }

  /// Whether this separator is better than minimum degree on the whole part (DissectionPlan::most_separator, most_side).
  bool is_worth_it(const Bisection& found) const {
    const auto all = static_cast<double>(found.weight[0] + found.weight[1] + found.weight[2]);
    return static_cast<double>(found.separator_weight()) <= plan_.most_separator * all &&
           static_cast<double>(std::max(found.weight[0], found.weight[1])) <= plan_.most_side * all;
  }

  /// Order a part as a task, or at once if it is too small for a task.
  void start(DissectionPart part, std::size_t begin, std::uint64_t seed) {
    const auto nodes = static_cast<double>(part.graph.nodes());
    if (part.graph.nodes() <= plan_.task_nodes) return run(std::move(part), begin, seed);
    const auto held = std::make_shared<DissectionPart>(std::move(part));
    tasks_.add(nodes, [this, held, begin, seed] { run(std::move(*held), begin, seed); });
  }

  /// Order the components of a part: large ones each by itself, small ones in groups of the size of a leaf.
  void run_components(DissectionPart part, std::vector<Node>& of, Node count, std::size_t begin,
                      std::uint64_t seed) {
    std::vector<Node> size(static_cast<std::size_t>(count), 0), group(size.size());
    for (const Node k : of) ++size[k];
    Node groups = 0, small = -1, in_small = 0;
    for (Node k = 0; k < count; ++k) {
      if (size[k] > plan_.leaf) {
        group[k] = groups++;
        continue;
      }
      if (small < 0 || in_small + size[k] > plan_.leaf) {
        small = groups++;
        in_small = 0;
      }
      in_small += size[k];
      group[k] = small;
    }
    for (Node& k : of) k = group[k];
    std::vector<DissectionPart> parts = induced_parts(part, of, groups, tasks_);
    part = {};
    for (Node k = 0; k < groups; ++k) {
      const std::size_t nodes = parts[k].name.size();
      start(std::move(parts[k]), begin, seed_of(seed, 3 + k));
      begin += nodes;
    }
  }

  /// Order a leaf by minimum degree. Its neighbours outside are in separators and eliminated later.
  void order_leaf(const DissectionPart& part, std::size_t begin) {
    Leaf leaf;
    leaf.inner = part.graph.nodes();
    leaf.node_weight = part.graph.node_weight;
    std::vector<Node> beside;
    for (Node v = 0; v < leaf.inner; ++v)
      visit_around(
          part, v, [](Node) {}, [&](Node w) { beside.push_back(w); });
    std::ranges::sort(beside);
    beside.erase(std::unique(beside.begin(), beside.end()), beside.end());
    for (const Node w : beside) leaf.node_weight.push_back(weight_[w]);
    const auto number = [&](Node w) {
      return leaf.inner + static_cast<Node>(std::ranges::lower_bound(beside, w) - beside.begin());
    };
    const auto add = [&](Node w) { leaf.neighbour.push_back(w); };
    for (Node v = 0; v < leaf.inner; ++v) {
      visit_around(part, v, add, [&](Node w) { add(number(w)); });
      leaf.start.push_back(static_cast<Index>(leaf.neighbour.size()));
    }
    for (const Node v : leaf_order(leaf)) order_[begin++] = part.name[v];
    tasks_.count(leaf.inner);
    placed(leaf.inner);
  }

  void placed(Node nodes) {
    if (left_.add(-nodes) == 0 && done_) done_();
  }

  /// Visit the neighbours of a node of a part: inside(number in the part) or outside(number in the graph). Both come in ascending order.
  template <class Inside, class Outside>
  void visit_around(const DissectionPart& part, Node v, Inside&& inside, Outside&& outside) const {
    const auto in_part = part.graph.neighbours(v);
    auto next = in_part.begin();
    for (const Node w : graph_->neighbours(part.name[v])) {
      if (next != in_part.end() && part.name[*next] == w)
        inside(*next++);
      else
        outside(w);
    }
  }

  comm::Tasks& tasks_;
  const QuotientGraph& quotient_;
  const DissectionPlan plan_;
  const Core core_;
  Graph own_graph_;  ///< of the inner nodes, where they are not all
  const Graph* graph_ = &quotient_.graph;
  std::vector<Node> weight_;  ///< of inner nodes
  std::vector<Node> order_;
  comm::SharedCount left_;  ///< nodes without a place in the order
  std::function<void()> done_;
  comm::SharedCount gave_up_;
};

Dissection::Dissection(const QuotientGraph& quotient, const DenseRule& dense, const DissectionPlan& plan,
                       comm::Tasks& tasks)
    : work_(std::make_unique<Work>(quotient, dense, plan, tasks)) {}
Dissection::~Dissection() = default;

void Dissection::begin(std::function<void()> done) { work_->begin(std::move(done)); }
void Dissection::cancel_remaining() { work_->cancel_remaining(); }
std::vector<Node> Dissection::order() const { return work_->order(); }

std::vector<Node> dissection_order(const QuotientGraph& quotient, const DenseRule& dense,
                                   const DissectionPlan& plan, comm::Tasks& tasks) {
  Dissection dissection(quotient, dense, plan, tasks);
  tasks.run([&] { dissection.begin(); });
  return dissection.order();
}

}  // namespace overlapack::sparse
