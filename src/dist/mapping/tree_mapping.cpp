#include "dist/mapping/tree_mapping.hpp"

#include "overlapack/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <string>

namespace overlapack::dist {
namespace {

void require_valid(std::span<const Index> parent, std::span<const double> seconds, int ranks,
                   const MappingPlan& plan) {
  if (ranks < 1 || !(plan.subtree_share > 0) || !(plan.imbalance >= 0))
    throw Error(Status::bad_plan, "mapping a tree needs ranks >= 1, subtree_share > 0 and imbalance >= 0");
  const auto fronts = static_cast<Index>(parent.size());
  for (Index f = 0; f < fronts; ++f)
    if (parent[f] != -1 && (parent[f] <= f || parent[f] >= fronts))
      throw Error(Status::internal, "front " + std::to_string(f) + " does not precede its parent");
  if (parent.size() != seconds.size()) throw Error(Status::internal, "one cost a front is needed");
}

// Children of each front in ascending order; the roots count as children of the virtual front `fronts`.
class Children {
 public:
  explicit Children(std::span<const Index> parent) : start_(parent.size() + 2, 0), child_(parent.size()) {
    const Index fronts = static_cast<Index>(parent.size());
    const auto holder = [&](Index f) { return parent[f] < 0 ? fronts : parent[f]; };
    for (Index f = 0; f < fronts; ++f) ++start_[holder(f) + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    std::vector<Index> next(start_.begin(), start_.end() - 1);
    for (Index f = 0; f < fronts; ++f) child_[next[holder(f)]++] = f;
  }

  std::span<const Index> children_of(Index f) const {
    return {child_.data() + start_[f], static_cast<std::size_t>(start_[f + 1] - start_[f])};
  }

 private:
  std::vector<Index> start_, child_;
};

std::vector<double> subtree_seconds(std::span<const Index> parent, std::span<const double> seconds) {
  std::vector<double> below(seconds.begin(), seconds.end());
  for (std::size_t f = 0; f < parent.size(); ++f)
    if (parent[f] >= 0) below[parent[f]] += below[f];
  return below;
}

// Geist and Ng: from the roots down, a subtree above the limit is split, so that its root becomes an upper front and its children
// become candidates. Returns the roots of the subtrees that stay whole, largest first.
std::vector<Index> whole_subtrees(const Children& children, const std::vector<double>& below, double limit) {
  const Index fronts = static_cast<Index>(below.size());
  std::vector<Index> open(children.children_of(fronts).begin(), children.children_of(fronts).end()), whole;
  while (!open.empty()) {
    const Index f = open.back();
    open.pop_back();
    if (below[f] <= limit) {
      whole.push_back(f);
    } else {
      open.insert(open.end(), children.children_of(f).begin(), children.children_of(f).end());
    }
  }
  std::sort(whole.begin(), whole.end(),
            [&](Index a, Index b) { return below[a] != below[b] ? below[a] > below[b] : a < b; });
  return whole;
}

// Assign each subtree to the rank with the least load so far; of equal loads, to the lowest rank. UpperFronts later assigns a
// subtree that is not worth a message to the rank of its parent.
void pack_subtrees(const std::vector<Index>& roots, std::span<const Index> parent,
                   const std::vector<double>& below, double message_s, TreeMapping& mapping) {
  using Load = std::pair<double, int>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> lightest;
  for (std::size_t r = 0; r < mapping.load_s.size(); ++r) lightest.emplace(0.0, static_cast<int>(r));
  for (Index root : roots) {
    mapping.subtree_of[root] = root;
    if (parent[root] >= 0 && below[root] < message_s) continue;
    auto [load, rank] = lightest.top();
    lightest.pop();
    mapping.owner[root] = rank;
    mapping.load_s[rank] = load + below[root];
    lightest.emplace(mapping.load_s[rank], rank);
  }
}

// Assigns the fronts above the subtrees, children first, together with the small subtrees below them. A front goes to the rank
// that has most work below it and stays within the limit (of equals, to the less loaded one); if there is none, to the least
// loaded rank of all.
class UpperFronts {
 public:
  UpperFronts(const Children& children, std::span<const double> seconds, const std::vector<double>& below,
              double limit, TreeMapping& mapping)
      : children_(children), seconds_(seconds), below_(below), limit_(limit), mapping_(mapping) {}

  void assign_owner(Index f) {
    std::vector<double>& load = mapping_.load_s;
    int rank = least_loaded_owner(f);
    if (rank < 0) rank = static_cast<int>(std::min_element(load.begin(), load.end()) - load.begin());
    mapping_.owner[f] = rank;
    load[rank] += seconds_[f];
    for (Index c : children_.children_of(f)) {
      if (mapping_.owner[c] >= 0) continue;
      mapping_.owner[c] = rank;
      load[rank] += below_[c];
    }
  }

 private:
  int least_loaded_owner(Index f) const {
    const std::vector<double>& load = mapping_.load_s;
    std::vector<double> done(load.size(), 0);
    for (Index c : children_.children_of(f))
      if (mapping_.owner[c] >= 0) done[mapping_.owner[c]] += below_[c];
    int best = -1;
    for (int r = 0; r < static_cast<int>(load.size()); ++r) {
      if (done[r] == 0 || load[r] + seconds_[f] > limit_) continue;
      if (best < 0 || done[r] > done[best] || (done[r] == done[best] && load[r] < load[best])) best = r;
    }
    return best;
  }

  const Children& children_;
  std::span<const double> seconds_;
  const std::vector<double>& below_;
  double limit_;
  TreeMapping& mapping_;
};

}  // namespace

TreeMapping map_tree(std::span<const Index> parent, std::span<const double> seconds, int ranks,
                     const MappingPlan& plan) {
  require_valid(parent, seconds, ranks, plan);
  const Index fronts = static_cast<Index>(parent.size());
  TreeMapping mapping{std::vector<int>(fronts, -1), std::vector<Index>(fronts, -1),
                      std::vector<double>(ranks, 0)};
  const Children children(parent);
  const std::vector<double> below = subtree_seconds(parent, seconds);
  const double fair_share = std::accumulate(seconds.begin(), seconds.end(), 0.0) / ranks;
  // On one rank there is nothing to balance: every tree of the forest is one subtree.
  const double limit = ranks == 1 ? HUGE_VAL : plan.subtree_share * fair_share;
  pack_subtrees(whole_subtrees(children, below, limit), parent, below, ranks == 1 ? 0 : plan.message_s,
                mapping);

  for (Index f = fronts - 1; f >= 0; --f)
    if (mapping.subtree_of[f] < 0 && parent[f] >= 0) mapping.subtree_of[f] = mapping.subtree_of[parent[f]];
  UpperFronts upper(children, seconds, below, (1 + plan.imbalance) * fair_share, mapping);
  for (Index f = 0; f < fronts; ++f)
    if (mapping.subtree_of[f] < 0) upper.assign_owner(f);
  for (Index f = 0; f < fronts; ++f)
    if (mapping.subtree_of[f] >= 0) mapping.owner[f] = mapping.owner[mapping.subtree_of[f]];
  return mapping;
}

double postorder_makespan(std::span<const Index> parent, std::span<const double> seconds,
                          std::span<const int> owner, int ranks) {
  std::vector<double> ready(parent.size(), 0), busy_until(static_cast<std::size_t>(ranks), 0);
  for (std::size_t f = 0; f < parent.size(); ++f) {
    double& until = busy_until[owner[f]];
    until = std::max(until, ready[f]) + seconds[f];
    if (parent[f] >= 0) ready[parent[f]] = std::max(ready[parent[f]], until);
  }
  return *std::ranges::max_element(busy_until);
}

std::vector<RankMemory> estimate_memory(std::span<const Index> parent, std::span<const double> factor_nnz,
                                        std::span<const double> contribution_nnz, std::span<const int> owner,
                                        int ranks, double scalar_bytes) {
  std::vector<RankMemory> memory(static_cast<std::size_t>(ranks));
  std::vector<double> live(memory.size(), 0), arriving(parent.size(), 0);
  for (std::size_t f = 0; f < parent.size(); ++f) {
    RankMemory& mine = memory[owner[f]];
    double& live_here = live[owner[f]];
    const double border = scalar_bytes * contribution_nnz[f];
    mine.factor_bytes += scalar_bytes * factor_nnz[f];
    // The front's contribution block is allocated before those of its children are freed.
    mine.peak_bytes = std::max(mine.peak_bytes, mine.factor_bytes + live_here + border);
    live_here -= arriving[f];
    if (parent[f] < 0) continue;
    const int next_owner = owner[parent[f]];
    arriving[parent[f]] += border;
    live[next_owner] += border;
    memory[next_owner].peak_bytes =
        std::max(memory[next_owner].peak_bytes, memory[next_owner].factor_bytes + live[next_owner]);
  }
  return memory;
}

}  // namespace overlapack::dist
