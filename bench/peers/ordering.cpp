#include "ordering.hpp"

#include <amd.h>
#include <metis.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>

namespace bench {

namespace {

/// Adjacency of the graph whose node group[i] stands for row and column i, without loops and duplicates.
struct Graph {
  std::vector<idx_t> start{0};
  std::vector<idx_t> neighbour;
};

Graph quotient_graph(const Matrix& a, const std::vector<int>& group, int groups) {
  std::vector<std::vector<idx_t>> lists(groups);
  for (std::int64_t j = 0; j < a.n; ++j)
    for (std::int64_t p = a.start[j]; p < a.start[j + 1]; ++p) {
      const int from = group[j];
      const int to = group[a.row[p]];
      if (from == to) continue;
      lists[from].push_back(to);
      lists[to].push_back(from);
    }
  Graph graph;
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    graph.neighbour.insert(graph.neighbour.end(), list.begin(), list.end());
    graph.start.push_back(static_cast<idx_t>(graph.neighbour.size()));
  }
  return graph;
}

std::vector<int> dissect(Graph& graph) {
  idx_t nodes = static_cast<idx_t>(graph.start.size()) - 1;
  std::vector<idx_t> sequence(nodes);
  std::vector<idx_t> position(nodes);
  if (METIS_NodeND(&nodes, graph.start.data(), graph.neighbour.data(), nullptr, nullptr, sequence.data(),
                   position.data()) != METIS_OK)
    throw std::runtime_error("METIS_NodeND failed");
  return {sequence.begin(), sequence.end()};
}

std::vector<int> amd_sequence(const Matrix& a) {
  std::vector<int> sequence(a.n);
  const auto columns = compressed<int>(a, false, 0);
  if (amd_order(static_cast<int>(a.n), columns.start.data(), columns.row.data(), sequence.data(), nullptr,
                nullptr) < AMD_OK)
    throw std::runtime_error("amd_order failed");
  return sequence;
}

}  // namespace

std::vector<int> elimination_sequence(const Matrix& a, const std::string& name) {
  std::vector<int> identity(a.n);
  std::iota(identity.begin(), identity.end(), 0);
  if (name == "natural") return identity;
  if (name == "amd") return amd_sequence(a);
  if (name != "metis") throw std::runtime_error("unknown ordering " + name);
  Graph graph = quotient_graph(a, identity, static_cast<int>(a.n));
  return dissect(graph);
}

std::vector<int> pairs_of_matching(const std::vector<int>& match) {
  std::vector<int> partner(match.size());
  std::iota(partner.begin(), partner.end(), 0);
  std::vector<bool> is_done(match.size(), false);
  for (int first = 0; first < static_cast<int>(match.size()); ++first) {
    for (int i = first; !is_done[i]; i = match[match[i]]) {
      const int j = match[i];
      is_done[i] = true;
      if (is_done[j]) break;  // the last node of an odd cycle stays alone
      is_done[j] = true;
      partner[i] = j;
      partner[j] = i;
    }
  }
  return partner;
}

std::vector<int> paired_metis_sequence(const Matrix& a, const std::vector<int>& partner) {
  std::vector<int> group(a.n, -1);
  std::vector<int> member;  // one member of each group; the other is its partner
  for (int i = 0; i < a.n; ++i) {
    if (group[i] >= 0) continue;
    group[i] = group[partner[i]] = static_cast<int>(member.size());
    member.push_back(i);
  }
  Graph graph = quotient_graph(a, group, static_cast<int>(member.size()));
  std::vector<int> sequence;
  sequence.reserve(a.n);
  for (int g : dissect(graph)) {
    sequence.push_back(member[g]);
    if (partner[member[g]] != member[g]) sequence.push_back(partner[member[g]]);
  }
  return sequence;
}

std::vector<int> inverse(const std::vector<int>& sequence) {
  std::vector<int> position(sequence.size());
  for (std::size_t k = 0; k < sequence.size(); ++k) position[sequence[k]] = static_cast<int>(k);
  return position;
}

}  // namespace bench
