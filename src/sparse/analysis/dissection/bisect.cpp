#include "sparse/analysis/dissection/bisect.hpp"

#include "base/random.hpp"
#include "comm/tasks.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse {
namespace {

std::int64_t most_weight(const WeightedGraph& graph, Node coarsest) {
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(1.5 * static_cast<double>(graph.weight) / coarsest));
}

class MultilevelBisection {
 public:
  MultilevelBisection(const BisectionPlan& plan, comm::Tasks& tasks) : plan_(plan), tasks_(tasks) {}

  Bisection operator()(const WeightedGraph& graph, std::uint64_t seed, RefinementSpace& space) const {
    Random random(seed);
    if (graph.nodes() < plan_.cycles_from) return one_cycle(graph, random.next(), space);
    const auto early = levels_of(graph, random, static_cast<std::size_t>(plan_.early_levels),
                                 most_weight(graph, std::max(plan_.coarsest, graph.nodes() / 30)));
    Bisection best = best_cycle(early.empty() ? graph : early.back().graph, random);
    return up_through(graph, early, std::move(best), space);
  }

 private:
  /// Coarsen repeatedly, at most `most` times, until the graph is small or no longer shrinks.
  std::vector<Coarsening> levels_of(const WeightedGraph& graph, Random& random, std::size_t most,
                                    std::int64_t heaviest) const {
    std::vector<Coarsening> levels;
    const WeightedGraph* finest = &graph;
    levels.reserve(most);
    while (finest->nodes() > plan_.coarsest && levels.size() < most) {
      tasks_.check();
      Coarsening next = coarsen(*finest, random.next(), heaviest, plan_.block, tasks_);
      if (next.graph.nodes() > plan_.least_shrinking * finest->nodes()) break;
      levels.push_back(std::move(next));
      finest = &levels.back().graph;
    }
    return levels;
  }

  Bisection one_cycle(const WeightedGraph& graph, std::uint64_t seed, RefinementSpace& space) const {
    constexpr std::size_t most_levels = 64;
    Random random(seed);
    const auto levels = levels_of(graph, random, most_levels, most_weight(graph, plan_.coarsest));
    const WeightedGraph& coarsest = levels.empty() ? graph : levels.back().graph;
    return up_through(graph, levels,
                      grown_bisection(coarsest, random.next(), plan_.growth, plan_.rule, space), space);
  }

  Bisection best_cycle(const WeightedGraph& graph, Random& random) const {
    std::vector<std::uint64_t> seeds(static_cast<std::size_t>(plan_.cycles));
    for (std::uint64_t& seed : seeds) seed = random.next();
    std::vector<Bisection> found(seeds.size());
    tasks_.for_each(plan_.cycles, [&](Index i) {
      RefinementSpace space(graph.nodes());
      found[i] = one_cycle(graph, seeds[i], space);
    });
    return *std::ranges::min_element(found, {},
                                     [&](const Bisection& b) { return cost(b.weight, plan_.rule); });
  }

  /// Transfer the bisection of a coarser graph to the finer graph, and refine it there.
  Bisection brought_up(const WeightedGraph& graph, const Coarsening& coarse, const Bisection& found,
                       RefinementSpace& space) const {
    tasks_.check();
    Bisection fine;
    fine.weight = found.weight;
    fine.side.resize(coarse.coarse_of.size());
    for (std::size_t v = 0; v < fine.side.size(); ++v) fine.side[v] = found.side[coarse.coarse_of[v]];
    refine(graph, fine, plan_.rule, space);
    return fine;
  }

  Bisection up_through(const WeightedGraph& graph, const std::vector<Coarsening>& levels, Bisection found,
                       RefinementSpace& space) const {
    for (std::size_t i = levels.size(); i-- > 0;)
      found = brought_up(i > 0 ? levels[i - 1].graph : graph, levels[i], found, space);
    return found;
  }

  const BisectionPlan& plan_;
  comm::Tasks& tasks_;
};

}  // namespace

Bisection bisect(const WeightedGraph& graph, std::uint64_t seed, const BisectionPlan& plan,
                 comm::Tasks& tasks) {
  RefinementSpace space(graph.nodes());
  const MultilevelBisection by_levels(plan, tasks);
  if (graph.nodes() < plan.distances_from) return by_levels(graph, seed, space);
  Bisection best, other;
  const auto find = [&](Index which) {
    if (which == 0)
      best = by_levels(graph, seed, space);
    else
      other = level_bisection(graph, plan.rule);
  };
  if (graph.nodes() < plan.block) {
    find(0);
    find(1);
  } else {
    tasks.for_each(2, find);
  }
  if (cost(other.weight, plan.rule) > plan.distances_worth * cost(best.weight, plan.rule)) return best;
  refine(graph, other, plan.rule, space);
  return cost(other.weight, plan.rule) < cost(best.weight, plan.rule) ? other : best;
}

}  // namespace overlapack::sparse
