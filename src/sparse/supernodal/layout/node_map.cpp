#include "sparse/supernodal/layout/node_map.hpp"

#include "dist/mapping/tree_mapping.hpp"
#include "sparse/factors/nodes_plan.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace overlapack::sparse::supernodal {
namespace {

using Variables = std::vector<std::int32_t>;

/// Makes the lists of border nodes: the variables behind each border node's square in which products L(:, K)
/// U(K, :) of selected nodes K have entries.
class BorderRows {
 public:
  explicit BorderRows(Index nodes) : lists_(static_cast<std::size_t>(nodes)) {}

  /// Adds the product L(tall, K) U(K, narrow): each border node in `narrow` gets the variables of `tall`
  /// behind it. Both lists ascend.
  /// from: the first border node
  void add(std::span<const std::int32_t> tall, std::span<const std::int32_t> narrow,
           std::span<const std::int32_t> node_of, std::int32_t from) {
    std::int32_t before = -1;
    for (const std::int32_t v : narrow) {
      const std::int32_t node = node_of[v];
      if (node < from || std::exchange(before, node) == node) continue;
      const auto behind =
          std::ranges::upper_bound(tall, node, {}, [&](std::int32_t t) { return node_of[t]; });
      Variables& list = lists_[static_cast<std::size_t>(node - from)];
      list.insert(list.end(), behind, tall.end());
    }
  }

  void append_to(Variables& all, std::vector<Index>& start) {
    for (Variables& list : lists_) {
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
      all.insert(all.end(), list.begin(), list.end());
      start.push_back(static_cast<Index>(all.size()));
    }
  }

 private:
  std::vector<Variables> lists_;
};

/// Do both lists have a selected node in common? Then that node's own lists have everything behind it, and
/// its product is enough.
bool meet_below(std::span<const std::int32_t> rows, std::span<const std::int32_t> columns,
                std::span<const std::int32_t> node_of, std::int32_t border) {
  for (auto row = rows.begin(), column = columns.begin(); row != rows.end() && column != columns.end();) {
    const std::int32_t i = node_of[*row], j = node_of[*column];
    if (std::min(i, j) >= border) return false;
    if (i == j) return true;
    i < j ? ++row : ++column;
  }
  return false;
}

/// Selects nodes of a structure; each list is renumbered once.
class Selector {
 public:
  Selector(const NodeStructure& whole, std::span<const std::int32_t> owner, std::int32_t process)
      : whole_(whole), owner_(owner), process_(process), number_(static_cast<std::size_t>(whole.n), -1) {}

  NodeSelection run() {
    for (Index k = 0; k < whole_.nodes(); ++k)
      if (is_selected(k)) {
        for (std::int32_t v = 0; v < whole_.width[k]; ++v) append_to_open_node(whole_.first[k] + v);
        close_node();
      }
    const auto selected = static_cast<std::int32_t>(width_.size());
    number_border();
    rows_ = renumbered(whole_.rows);
    columns_ = renumbered(whole_.columns);
    const auto border = static_cast<Index>(width_.size()) - selected;
    BorderRows border_rows(border), border_columns(border);
    for (std::int32_t k = 0; k < selected; ++k) {
      const auto rows = list(rows_, k), columns = list(columns_, k);
      if (meet_below(rows, columns, node_of_, selected)) continue;
      border_rows.add(rows, columns, node_of_, selected);
      border_columns.add(columns, rows, node_of_, selected);
    }
    border_rows.append_to(rows_.variable, rows_.start);
    border_columns.append_to(columns_.variable, columns_.start);
    const auto n = static_cast<Index>(variable_.size());
    return {{n,
             std::move(first_),
             std::move(width_),
             {std::move(rows_.start), std::move(rows_.variable)},
             {std::move(columns_.start), std::move(columns_.variable)}},
            selected,
            std::move(variable_)};
  }

 private:
  struct Lists {
    std::vector<Index> start{0};
    Variables variable;
  };

  bool is_selected(Index k) const { return owner_[k] == process_; }
  static std::span<const std::int32_t> list(const Lists& lists, std::int32_t k) {
    return std::span(lists.variable)
        .subspan(static_cast<std::size_t>(lists.start[k]),
                 static_cast<std::size_t>(lists.start[k + 1] - lists.start[k]));
  }

  /// Gives a variable the next number of the selection, in the node that close_node() will end.
  void append_to_open_node(std::int32_t variable) {
    number_[variable] = static_cast<std::int32_t>(variable_.size());
    variable_.push_back(variable);
    node_of_.push_back(static_cast<std::int32_t>(width_.size()));
  }
  /// Makes a node of all variables since the last node.
  void close_node() {
    const std::int32_t begin = first_.empty() ? 0 : first_.back() + width_.back();
    first_.push_back(begin);
    width_.push_back(static_cast<std::int32_t>(variable_.size()) - begin);
  }

  void number_border() {
    Variables touched;
    for (Index k = 0; k < whole_.nodes(); ++k)
      if (is_selected(k))
        for (const NodeLists* lists : {&whole_.rows, &whole_.columns})
          for (const std::int32_t v : (*lists)(k))
            if (number_[v] == -1) {
              number_[v] = -2;
              touched.push_back(v);
            }
    std::ranges::sort(touched);
    const std::vector<std::int32_t> node = node_of_variable(whole_);
    for (std::size_t at = 0; at < touched.size(); ++at) {
      append_to_open_node(touched[at]);
      if (at + 1 == touched.size() || node[touched[at + 1]] != node[touched[at]]) close_node();
    }
  }

  Lists renumbered(const NodeLists& lists) const {
    Lists result;
    for (Index k = 0; k < whole_.nodes(); ++k) {
      if (!is_selected(k)) continue;
      const auto begin = static_cast<std::ptrdiff_t>(result.variable.size());
      for (const std::int32_t v : lists(k)) result.variable.push_back(number_[v]);
      std::sort(result.variable.begin() + begin, result.variable.end());
      result.start.push_back(static_cast<Index>(result.variable.size()));
    }
    return result;
  }

  const NodeStructure& whole_;
  std::span<const std::int32_t> owner_;
  std::int32_t process_;
  Variables number_;  ///< new number of each variable; -1: none, -2: border variable without one yet
  Variables variable_, node_of_, first_, width_;
  Lists rows_, columns_;
};

}  // namespace

SharedList<std::int32_t> subtree_owners(const NodeStructure& structure, int processes, const NodesPlan& plan,
                                        const FrontCostModel& model) {
  std::vector<std::int32_t> owner(static_cast<std::size_t>(structure.nodes()), processes == 1 ? 0 : -1);
  if (processes == 1 || plan.map == NodeMap::cyclic) return owner;
  const dist::MappingPlan subtrees{.subtree_share = plan.subtree_share, .message_s = 0};
  const auto mapping =
      dist::map_tree(node_tree(structure), seconds_of_nodes(structure, model), processes, subtrees);
  for (std::size_t k = 0; k < owner.size(); ++k)
    if (mapping.subtree_of[k] >= 0) owner[k] = mapping.owner[k];
  return owner;
}

NodeSelection select_nodes(const NodeStructure& structure, std::span<const std::int32_t> owner,
                           std::int32_t process) {
  if (!std::ranges::all_of(owner, [&](std::int32_t o) { return o == process; }))
    return Selector(structure, owner, process).run();
  std::vector<std::int32_t> all(static_cast<std::size_t>(structure.n));
  std::iota(all.begin(), all.end(), 0);
  return {structure, structure.nodes(), std::move(all)};
}

}  // namespace overlapack::sparse::supernodal
