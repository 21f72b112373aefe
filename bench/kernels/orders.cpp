// Fill of the orders of graphs: bench_orders THREADS FILE.mtx... or KIND:SIZE (grid5, grid7, grid9, grid27), one line of JSON each.
#include "comm/tasks.hpp"
#include "overlapack/io.hpp"
#include "sparse/analysis/dissection/dissection.hpp"
#include "sparse/analysis/graph/elimination_tree.hpp"
#include "sparse/analysis/graph/ordering.hpp"
#include "sparse/analysis/tree_choice.hpp"

#include <metis.h>
#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <variant>

using namespace overlapack;
using namespace overlapack::sparse;

namespace {

constexpr int seeds = 5;

Graph grid(int dimensions, bool has_diagonals, Node side) {
  const std::array<Node, 3> size{side, side, dimensions == 3 ? side : 1};
  Graph graph;
  const auto node = [&](Node x, Node y, Node z) { return (x * size[1] + y) * size[2] + z; };
  for (Node x = 0; x < size[0]; ++x)
    for (Node y = 0; y < size[1]; ++y)
      for (Node z = 0; z < size[2]; ++z) {
        for (Node u = std::max(0, x - 1); u <= std::min(size[0] - 1, x + 1); ++u)
          for (Node v = std::max(0, y - 1); v <= std::min(size[1] - 1, y + 1); ++v)
            for (Node w = std::max(0, z - 1); w <= std::min(size[2] - 1, z + 1); ++w) {
              const int steps = std::abs(u - x) + std::abs(v - y) + std::abs(w - z);
              if (steps == 1 || (steps > 1 && has_diagonals)) graph.neighbour.push_back(node(u, v, w));
            }
        graph.start.push_back(static_cast<Index>(graph.neighbour.size()));
      }
  return graph;
}

Graph graph_of(const std::string& name) {
  const auto colon = name.find(':');
  if (name.starts_with("grid") && colon != std::string::npos) {
    const int points = std::atoi(name.substr(4, colon - 4).c_str());
    return grid(points == 7 || points == 27 ? 3 : 2, points == 9 || points == 27,
                std::atoi(name.substr(colon + 1).c_str()));
  }
  const io::MatrixFile file = io::read_matrix(name);
  return std::visit([](const auto& A) { return symmetrised_graph(A.start, A.row, {}); }, file.matrix);
}

double flops_of(const QuotientGraph& variables, const std::vector<Node>& order) {
  double flops = 0;
  for (const Index count : column_counts(variables, elimination_tree(variables.graph, order)))
    flops += static_cast<double>(count) * static_cast<double>(count);
  return flops;
}

std::vector<Node> metis_with_seed(const Graph& graph, int seed) {
  idx_t nodes = graph.nodes(), options[METIS_NOPTIONS];
  std::vector<idx_t> start(graph.start.begin(), graph.start.end()),
      neighbour(graph.neighbour.begin(), graph.neighbour.end()), order(static_cast<std::size_t>(nodes)),
      position(order);
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_COMPRESS] = 0;  // neither do the others
  options[METIS_OPTION_SEED] = seed;
  METIS_NodeND(&nodes, start.data(), neighbour.data(), nullptr, options, order.data(), position.data());
  return {order.begin(), order.end()};
}

/// What the library chooses with effort high, AMD's order included.
std::vector<Node> order_with_high_effort(const QuotientGraph& variables, comm::Tasks& tasks) {
  AnalysisPlan plan;
  plan.kind = FactorKind::cholesky;
  plan.effort = OrderingEffort::high;
  const auto by_amd = [&] {
    return tree_of(Ordering::amd, order_by_amd(variables, plan), variables, {}, plan, tasks);
  };
  const OrderedTree best = best_tree(
      variables, {}, plan, by_amd, [](const OrderedTree&) { return false; }, tasks);
  std::vector<Node> order;
  for (const Node node : best.tree.order) order.push_back(best.variables.members(node).front());
  return order;
}

}  // namespace

int main(int count, char** arguments) {
  const int threads = count > 1 ? std::atoi(arguments[1]) : 1;
  for (int i = 2; i < count; ++i) {
    const std::string name = arguments[i];
    const QuotientGraph variables = trivial_quotient(graph_of(name));
    const Graph& graph = variables.graph;
    nlohmann::json line{{"graph", name},
                        {"nodes", graph.nodes()},
                        {"edges", graph.neighbour.size() / 2},
                        {"threads", threads}};
    const auto measure = [&](const char* which, int runs,
                             const std::function<std::vector<Node>(int)>& order) {
      double flops = 0, seconds = 0;
      for (int run = 0; run < runs; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        const std::vector<Node> found = order(run);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        flops += flops_of(variables, found);
      }
      line["orders"][which] = {{"flops", flops / runs}, {"seconds", seconds / runs}};
    };
    measure("dissection", 1, [&](int) {
      comm::Tasks tasks(threads);
      return dissection_order(variables, {}, {}, tasks);
    });
    measure("high", 1, [&](int) {
      comm::Tasks tasks(threads);
      return order_with_high_effort(variables, tasks);
    });
    measure("metis", seeds, [&](int seed) { return metis_with_seed(graph, seed); });
    measure("amd", 1, [&](int) { return amd_order(variables); });
    if (has_scotch()) measure("scotch", 1, [&](int) { return scotch_order(variables); });
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
  }
}
