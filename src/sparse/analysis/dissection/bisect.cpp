#include "sparse/analysis/dissection/bisect.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse {
namespace {

std::int64_t most_weight(const WeightedGraph& graph, Node coarsest) {
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(1.5 * static_cast<double>(graph.weight) / coarsest));
}

/// The bisection of the coarser graph on the finer one, refined there.
Bisection brought_up(const WeightedGraph& graph, const Coarsening& coarse, const Bisection& found,
                     const SeparatorRule& rule, RefinementSpace& space) {
  Bisection fine;
  fine.weight = found.weight;
  fine.side.resize(coarse.coarse_of.size());
  for (std::size_t v = 0; v < fine.side.size(); ++v) fine.side[v] = found.side[coarse.coarse_of[v]];
  refine(graph, fine, rule, space);
  return fine;
}

/// Coarser graphs, each of the one before, until it is small or does not shrink.
std::vector<Coarsening> levels_of(const WeightedGraph& graph, Random& random, const BisectionPlan& plan,
                                  std::size_t most, std::int64_t heaviest) {
  std::vector<Coarsening> levels;
  const WeightedGraph* finest = &graph;
  levels.reserve(most);
  while (finest->nodes() > plan.coarsest && levels.size() < most) {
    Coarsening next = coarsen(*finest, random.next(), heaviest);
    if (next.graph.nodes() > plan.least_shrinking * finest->nodes()) break;
    levels.push_back(std::move(next));
    finest = &levels.back().graph;
  }
  return levels;
}

Bisection up_through(const WeightedGraph& graph, const std::vector<Coarsening>& levels, Bisection found,
                     const SeparatorRule& rule, RefinementSpace& space) {
  for (std::size_t i = levels.size(); i-- > 0;)
    found = brought_up(i > 0 ? levels[i - 1].graph : graph, levels[i], found, rule, space);
  return found;
}

Bisection one_cycle(const WeightedGraph& graph, Random& random, const BisectionPlan& plan,
                    RefinementSpace& space) {
  constexpr std::size_t most_levels = 64;
  const auto levels = levels_of(graph, random, plan, most_levels, most_weight(graph, plan.coarsest));
  const WeightedGraph& coarsest = levels.empty() ? graph : levels.back().graph;
  return up_through(graph, levels, grown_bisection(coarsest, random.next(), plan.growth, plan.rule, space),
                    plan.rule, space);
}

Bisection bisect_by_levels(const WeightedGraph& graph, std::uint64_t seed, const BisectionPlan& plan,
                           RefinementSpace& space) {
  Random random(seed);
  if (graph.nodes() < plan.cycles_from) return one_cycle(graph, random, plan, space);
  const auto early = levels_of(graph, random, plan, static_cast<std::size_t>(plan.early_levels),
                               most_weight(graph, std::max(plan.coarsest, graph.nodes() / 30)));
  const WeightedGraph& coarse = early.empty() ? graph : early.back().graph;
  Bisection best;
  for (int i = 0; i < plan.cycles; ++i) {
    Bisection one = one_cycle(coarse, random, plan, space);
    if (best.side.empty() || cost(one.weight, plan.rule) < cost(best.weight, plan.rule))
      best = std::move(one);
  }
  return up_through(graph, early, std::move(best), plan.rule, space);
}

}  // namespace

Bisection bisect(const WeightedGraph& graph, std::uint64_t seed, const BisectionPlan& plan) {
  RefinementSpace space(graph.nodes());
  Bisection best = bisect_by_levels(graph, seed, plan, space);
  if (graph.nodes() < plan.distances_from) return best;
  Bisection other = level_bisection(graph, plan.rule);
  if (cost(other.weight, plan.rule) > plan.distances_worth * cost(best.weight, plan.rule)) return best;
  refine(graph, other, plan.rule, space);
  return cost(other.weight, plan.rule) < cost(best.weight, plan.rule) ? other : best;
}

}  // namespace overlapack::sparse
