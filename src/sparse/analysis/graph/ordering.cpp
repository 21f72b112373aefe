#include "sparse/analysis/graph/ordering.hpp"

#include "base/large_memory.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/graph/variable_blocks.hpp"

#include <amd.h>
#include <metis.h>

#include <algorithm>
#include <cmath>
#include <cstdio>  // scotch.h names FILE
#include <limits>
#include <mutex>
#include <numeric>
#include <string>
#ifdef OVERLAPACK_HAVE_SCOTCH
#include <scotch.h>
#endif

namespace overlapack::sparse {
namespace {

// The random states of METIS and SCOTCH are global to the process; with one call at a time they are deterministic.
std::mutex& ordering_mutex() {
  static std::mutex mutex;
  return mutex;
}

template <class To>
void require_fits(Index count, const char* what, const char* library) {
  if (count <= static_cast<Index>(std::numeric_limits<To>::max())) return;
  throw Error(Status::bad_input, "the graph has " + std::to_string(count) + " " + what +
                                     ", more than this build of " + library +
                                     " can number; choose ordering amd");
}

// The graph among the inner nodes, in another library's integers.
template <class Int>
struct ForeignGraph {
  explicit ForeignGraph(const CoreGraph& core)
      : start(core.graph.start.begin(), core.graph.start.end()),
        neighbour(core.graph.neighbour.begin(), core.graph.neighbour.end()),
        weight(core.weight.begin(), core.weight.end()) {}
  std::vector<Int> start, neighbour, weight;
};

bool has_equal_weights(const QuotientGraph& quotient) {
  for (Node v = 1; v < quotient.graph.nodes(); ++v)
    if (quotient.weight(v) != quotient.weight(0)) return false;
  return true;
}

Error out_of_memory_error(const char* library) {
  return Error(Status::out_of_memory,
               std::string(library) + " ran out of memory; free some or choose ordering amd or natural");
}

/// Call AMD's inner routine, which takes a graph in our form and destroys it. This avoids AMD's checks, its sum with the transposed graph, and
/// its memory on the heap.
template <class Int, class Routine>
std::vector<Node> order_by_amd(Routine routine, const Graph& graph, double* control) {
  const auto nodes = static_cast<Int>(graph.nodes());
  const auto entries = static_cast<Int>(graph.neighbour.size());
  UnsetVector<Int> neighbour(static_cast<std::size_t>(entries + entries / 5 + nodes));  // as amd_order has
  std::ranges::copy(graph.neighbour, neighbour.begin());
  UnsetVector<Int> vectors(9 * static_cast<std::size_t>(nodes));
  const auto vector = [&](std::size_t k) { return vectors.data() + k * static_cast<std::size_t>(nodes); };
  Int *const start = vector(0), *const degree = vector(1), *const order = vector(2);
  for (Node v = 0; v < graph.nodes(); ++v) {
    start[v] = static_cast<Int>(graph.start[v]);
    degree[v] = static_cast<Int>(graph.degree(v));
  }
  routine(nodes, start, neighbour.data(), degree, static_cast<Int>(neighbour.size()), entries, vector(3),
          vector(4), order, vector(5), vector(6), vector(7), vector(8), control, nullptr);
  return {order, order + nodes};
}

}  // namespace

std::vector<Node> amd_order(const Graph& graph, const DenseRule& dense) {
  std::vector<Node> order(graph.nodes());
  std::iota(order.begin(), order.end(), 0);
  if (graph.neighbour.empty()) return order;
  double control[AMD_CONTROL];
  amd_l_defaults(control);
  control[AMD_DENSE] = dense.most_degree(graph) / std::sqrt(static_cast<double>(graph.nodes()));
  const auto entries = static_cast<Index>(graph.neighbour.size());
  const bool fits = entries + entries / 5 + graph.nodes() < std::numeric_limits<int>::max();
  return fits ? order_by_amd<int>(amd_2, graph, control)
              : order_by_amd<SuiteSparse_long>(amd_l2, graph, control);
}

double DenseRule::most_degree(const Graph& graph) const {
  const auto nodes = static_cast<double>(graph.nodes());
  const double mean = static_cast<double>(graph.neighbour.size()) / std::max(nodes, 1.0);
  return std::max(least, std::min(of_root * std::sqrt(nodes), of_mean * mean));
}

Core core_without_dense_nodes(const Graph& graph, const DenseRule& dense) {
  const double most = dense.most_degree(graph);
  Core core;
  core.number.assign(graph.nodes(), -1);
  const auto is_dense = [&](Node v) { return static_cast<double>(graph.degree(v)) > most; };
  for (Node v = 0; v < graph.nodes(); ++v) {
    const auto neighbours = graph.neighbours(v);
    if (is_dense(v)) {
      core.last.push_back(v);
    } else if (std::all_of(neighbours.begin(), neighbours.end(), is_dense)) {
      core.first.push_back(v);
    } else {
      core.number[v] = static_cast<Node>(core.inner.size());
      core.inner.push_back(v);
    }
  }
  return core;
}

CoreGraph core_graph(const QuotientGraph& quotient, const Core& core) {
  CoreGraph result;
  if (core.inner.size() == static_cast<std::size_t>(quotient.graph.nodes())) {
    result.graph = quotient.graph;
    for (const Node v : core.inner) result.weight.push_back(quotient.weight(v));
    return result;
  }
  result.graph.start.reserve(core.inner.size() + 1);
  result.graph.neighbour.reserve(quotient.graph.neighbour.size());
  result.weight.reserve(core.inner.size());
  for (const Node v : core.inner) {
    for (const Node w : quotient.graph.neighbours(v))
      if (core.number[w] >= 0) result.graph.neighbour.push_back(core.number[w]);
    result.graph.start.push_back(static_cast<Index>(result.graph.neighbour.size()));
    result.weight.push_back(quotient.weight(v));
  }
  return result;
}

std::vector<Node> joined(const Core& core, std::span<const Node> inner_order) {
  std::vector<Node> order = core.first;
  for (const Node k : inner_order) order.push_back(core.inner[k]);
  order.insert(order.end(), core.last.begin(), core.last.end());
  return order;
}

std::vector<Node> metis_order(const QuotientGraph& quotient, const DenseRule& dense) {
  require_fits<idx_t>(static_cast<Index>(quotient.graph.neighbour.size()), "entries", "METIS");
  const Core core = core_without_dense_nodes(quotient.graph, dense);
  if (core.inner.empty()) return joined(core, {});
  ForeignGraph<idx_t> graph(core_graph(quotient, core));
  idx_t nodes = static_cast<idx_t>(core.inner.size());
  std::vector<idx_t> order(nodes), position(nodes);
  idx_t options[METIS_NOPTIONS];
  int status = METIS_ERROR;
  {
    const std::lock_guard lock(ordering_mutex());
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_COMPRESS] = 0;  // done before, with weights
    status = METIS_NodeND(&nodes, graph.start.data(), graph.neighbour.data(), graph.weight.data(), options,
                          order.data(), position.data());
  }
  if (status == METIS_ERROR_MEMORY) throw out_of_memory_error("METIS");
  if (status != METIS_OK)
    throw Error(Status::internal,
                "METIS refused the graph (status " + std::to_string(status) + "); choose ordering amd");
  return joined(core, std::vector<Node>(order.begin(), order.end()));
}

namespace {

/// Partition the nodes of a quotient graph. The weight of a node is the number of entries in the rows of its variables.
std::vector<int> parts_of_nodes(const QuotientGraph& quotient, int parts) {
  const Graph& graph = quotient.graph;
  require_fits<idx_t>(static_cast<Index>(graph.neighbour.size()), "entries", "METIS");
  idx_t nodes = graph.nodes(), constraints = 1, wanted = parts, cut = 0;
  std::vector<idx_t> start(graph.start.begin(), graph.start.end()),
      neighbour(graph.neighbour.begin(), graph.neighbour.end()), weight;
  std::vector<idx_t> part(static_cast<std::size_t>(nodes), 0);
  for (Node v = 0; v < nodes; ++v)
    weight.push_back(static_cast<idx_t>(quotient.weight(v) * quotient.weight(v) * (graph.degree(v) + 1)));
  idx_t options[METIS_NOPTIONS];
  int status = METIS_ERROR;
  {
    const std::lock_guard lock(ordering_mutex());
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 0;
    status = METIS_PartGraphKway(&nodes, &constraints, start.data(), neighbour.data(), weight.data(), nullptr,
                                 nullptr, &wanted, nullptr, nullptr, options, &cut, part.data());
  }
  if (status == METIS_ERROR_MEMORY) throw out_of_memory_error("METIS");
  if (status != METIS_OK)
    throw Error(Status::internal,
                "METIS refused to partition the graph (status " + std::to_string(status) + "); use one rank");
  return {part.begin(), part.end()};
}

}  // namespace

std::vector<int> metis_partition(const Graph& graph, int parts) {
  std::vector<int> part(static_cast<std::size_t>(graph.nodes()), 0);
  if (parts == 1 || graph.nodes() == 0) return part;
  if (graph.nodes() <= parts) {  // METIS wants more nodes than parts
    std::iota(part.begin(), part.end(), 0);
    return part;
  }
  const VariableBlocks blocks = variable_blocks(graph);
  const QuotientGraph points =
      blocks.size > 1 ? quotient(graph, block_groups(graph, blocks)) : trivial_quotient(graph);
  if (points.graph.nodes() <= parts) return parts_of_nodes(trivial_quotient(graph), parts);
  const std::vector<int> of_point = parts_of_nodes(points, parts);
  for (Node v = 0; v < points.graph.nodes(); ++v)
    for (const Node variable : points.members(v)) part[variable] = of_point[v];
  return part;
}

std::vector<Node> nodes_by_variables(const QuotientGraph& quotient, std::span<const Node> variable_order) {
  std::vector<Node> node_of(quotient.member.size());
  for (Node v = 0; v < quotient.graph.nodes(); ++v)
    for (const Node variable : quotient.members(v)) node_of[variable] = v;
  std::vector<Node> order;
  std::vector<char> is_placed(quotient.graph.nodes(), 0);
  for (const Node variable : variable_order) {
    const Node v = node_of[variable];
    if (!is_placed[v]) order.push_back(v);
    is_placed[v] = 1;
  }
  return order;
}

std::vector<Node> amd_order(const QuotientGraph& quotient, const DenseRule& dense) {
  if (has_equal_weights(quotient)) return amd_order(quotient.graph, dense);
  // AMD takes no weights: it orders the places of the variables, node by node.
  std::vector<Node> order;
  for (const Node place : amd_order(expanded(quotient), dense)) order.push_back(quotient.member[place]);
  return nodes_by_variables(quotient, order);
}

bool has_scotch() {
#ifdef OVERLAPACK_HAVE_SCOTCH
  return true;
#else
  return false;
#endif
}

#ifdef OVERLAPACK_HAVE_SCOTCH
std::vector<Node> scotch_order(const QuotientGraph& quotient, const DenseRule& dense) {
  require_fits<SCOTCH_Num>(static_cast<Index>(quotient.graph.neighbour.size()), "entries", "SCOTCH");
  const Core core = core_without_dense_nodes(quotient.graph, dense);
  if (core.inner.empty()) return joined(core, {});
  const ForeignGraph<SCOTCH_Num> graph(core_graph(quotient, core));
  const SCOTCH_Num nodes = static_cast<SCOTCH_Num>(core.inner.size());
  std::vector<SCOTCH_Num> position(nodes), order(nodes);
  const std::lock_guard lock(ordering_mutex());
  SCOTCH_randomReset();
  SCOTCH_Graph scotch_graph;
  SCOTCH_Strat strategy;
  SCOTCH_graphInit(&scotch_graph);
  SCOTCH_stratInit(&strategy);
  int status =
      SCOTCH_graphBuild(&scotch_graph, 0, nodes, graph.start.data(), nullptr, graph.weight.data(), nullptr,
                        static_cast<SCOTCH_Num>(graph.neighbour.size()), graph.neighbour.data(), nullptr);
  if (status == 0)
    status =
        SCOTCH_graphOrder(&scotch_graph, &strategy, position.data(), order.data(), nullptr, nullptr, nullptr);
  SCOTCH_stratExit(&strategy);
  SCOTCH_graphExit(&scotch_graph);
  if (status != 0) throw out_of_memory_error("SCOTCH");
  return joined(core, std::vector<Node>(order.begin(), order.end()));
}
#else
std::vector<Node> scotch_order(const QuotientGraph&, const DenseRule&) {
  throw Error(Status::bad_plan,
              "this build has no SCOTCH; choose ordering dissection, metis or amd, or build with "
              "libscotch-dev installed and -DOVERLAPACK_SCOTCH=ON");
}
#endif

}  // namespace overlapack::sparse
