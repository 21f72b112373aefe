#include "sparse/analysis/block_form.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/graph/elimination_tree.hpp"
#include "sparse/analysis/graph/strong_components.hpp"
#include "sparse/analysis/tree_choice.hpp"
#include "sparse/matrix/canonical.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::sparse {
namespace {

/// Blocks of columns, and where their rows and columns stand in block order.
struct Blocks {
  std::vector<Node> column;        ///< column of A at each position
  std::vector<Node> start;         ///< places of block b: start[b] .. start[b + 1)
  std::vector<Node> of;            ///< block of each position
  std::vector<Node> position;      ///< of each column of A
  std::vector<Node> row_position;  ///< of each row of A: that of its matched column
  Node count() const { return static_cast<Node>(start.size() - 1); }
};

template <class T>
Blocks find_blocks(const SparseMatrix<T>& A, const std::vector<Index>& row_of_column) {
  const std::vector<Node> column_of_row = positions(row_of_column);
  StrongComponents components = strong_components(A.start, A.row, column_of_row);
  Blocks blocks;
  blocks.column = std::move(components.order);
  blocks.start = std::move(components.start);
  blocks.of.resize(blocks.column.size());
  blocks.position.resize(blocks.column.size());
  blocks.row_position.resize(blocks.column.size());
  for (Node b = 0; b < blocks.count(); ++b)
    for (Node k = blocks.start[b]; k < blocks.start[b + 1]; ++k) {
      blocks.of[k] = b;
      blocks.position[blocks.column[k]] = k;
      blocks.row_position[row_of_column[blocks.column[k]]] = k;
    }
  return blocks;
}

/// The graph of the diagonal blocks, each with its transposed pattern, without what stands beside them.
template <class T>
Graph graph_of_blocks(const SparseMatrix<T>& A, const Blocks& blocks) {
  std::vector<Index> start{0}, row;
  start.reserve(blocks.column.size() + 1);
  row.reserve(A.row.size());
  for (std::size_t k = 0; k < blocks.column.size(); ++k) {
    const Node b = blocks.of[k], c = blocks.column[k];
    if (blocks.start[b + 1] - blocks.start[b] > 1)
      for (Index p = A.start[c]; p < A.start[c + 1]; ++p) {
        const Node i = blocks.row_position[A.row[p]];
        if (i >= blocks.start[b]) row.push_back(i);
      }
    start.push_back(static_cast<Index>(row.size()));
  }
  return symmetrised_graph(start, row, {});
}

/// The same order within each block, block after block.
std::vector<Node> by_blocks(const Blocks& blocks, const std::vector<Node>& order) {
  std::vector<Node> next(blocks.start.begin(), blocks.start.end() - 1), sorted(order.size());
  for (const Node k : order) sorted[next[blocks.of[k]]++] = k;
  return sorted;
}

/// What elimination of a block costs with pivots on its diagonal.
struct BlockCost {
  double flops = 0, entries = 0;
};

std::vector<BlockCost> costs_of(const Blocks& blocks, const std::vector<Index>& counts) {
  std::vector<BlockCost> costs(static_cast<std::size_t>(blocks.count()));
  for (std::size_t k = 0; k < counts.size(); ++k) {
    BlockCost& cost = costs[static_cast<std::size_t>(blocks.of[k])];
    const auto below = static_cast<double>(counts[k] - 1);
    cost.flops += below + 2 * below * below;
    cost.entries += 1 + 2 * below;
  }
  return costs;
}

bool wants_fronts(const BlockCost& cost, const AnalysisPlan& plan) {
  return cost.flops >= plan.fronts_least_flops && cost.flops > plan.low_fill * cost.entries;
}

/// Auto: is the work in blocks of low fill, or does the form take much out of the factorisation?
bool is_worth_it(const Blocks& blocks, const std::vector<BlockCost>& costs, const AnalysisPlan& plan) {
  if (std::ranges::none_of(costs, [&](const BlockCost& cost) { return wants_fronts(cost, plan); }))
    return true;
  Node largest = 0;
  for (Node b = 0; b < blocks.count(); ++b)
    largest = std::max(largest, blocks.start[b + 1] - blocks.start[b]);
  return static_cast<double>(largest) <= plan.blocks_largest * static_cast<double>(blocks.column.size());
}

/// Entries of the factors in all, with those beside the diagonal blocks.
template <class T>
double entries_beside_blocks(const SparseMatrix<T>& A, const Blocks& blocks) {
  double entries = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      entries += blocks.row_position[A.row[p]] < blocks.start[blocks.of[blocks.position[j]]];
  return entries;
}

/// Do the diagonal blocks have nearly the pattern of their graph?
template <class T>
bool is_nearly_symmetric(const SparseMatrix<T>& A, const Blocks& blocks, const Graph& graph,
                         const AnalysisPlan& plan) {
  Index entries = 0;
  for (std::size_t k = 0; k < blocks.column.size(); ++k) {
    const Node c = blocks.column[k], first = blocks.start[blocks.of[k]];
    for (Index p = A.start[c]; p < A.start[c + 1]; ++p) {
      const Node i = blocks.row_position[A.row[p]];
      entries += i >= first && i != static_cast<Node>(k);
    }
  }
  const auto mirrored = static_cast<double>(2 * entries) - static_cast<double>(graph.neighbour.size());
  return mirrored >= plan.columns_symmetry * static_cast<double>(entries);
}

template <class T>
ColumnsBeside columns_beside(const SparseMatrix<T>& A, const Analysis& analysis) {
  const std::vector<Node> row_position = positions(analysis.row_perm);
  ColumnsBeside beside{.start = {0}, .row = {}, .is_apart = {}};
  std::vector<char> is_apart(static_cast<std::size_t>(analysis.blocks()), 0);
  for (const Index b : analysis.inner_block) is_apart[b] = 1;
  for (Index b = 0; b < analysis.blocks(); ++b)
    for (Index k = analysis.block_start[b]; k < analysis.block_start[b + 1]; ++k) {
      const Index c = analysis.col_perm[k];
      for (Index p = A.start[c]; p < A.start[c + 1]; ++p)
        if (const Node i = row_position[A.row[p]]; i < analysis.block_start[b]) beside.row.push_back(i);
      beside.start.push_back(static_cast<Index>(beside.row.size()));
      beside.is_apart.push_back(is_apart[b]);
    }
  return beside;
}

template <class T>
void add_inner_blocks(Analysis& analysis, const SparseMatrix<T>& A, const std::vector<BlockCost>& costs,
                      const AnalysisPlan& plan, comm::Tasks& tasks) {
  AnalysisPlan inner = plan;
  inner.block_form = inner.matching = Switch::off;
  inner.scaling = ScalingKind::off;
  inner.is_matched = analysis.matching != "off";
  inner.user_order.clear();
  if (inner.ordering == Ordering::user) inner.ordering = Ordering::natural;
  const std::vector<Node> row_position = positions(analysis.row_perm);
  for (std::size_t b = 0; b < costs.size(); ++b) {
    if (!wants_fronts(costs[b], plan)) continue;
    const auto block = static_cast<Index>(b);
    analysis.inner_block.push_back(block);
    if (plan.on_step)
      inner.on_step = [&](std::string_view step, double share) {
        const double done = static_cast<double>(analysis.block_start[b]),
                     size = static_cast<double>(analysis.block_start[b + 1] - analysis.block_start[b]);
        plan.on_step(step, 0.3 + 0.7 * (done + share * size) / static_cast<double>(A.cols));
      };
    analysis.inner_analysis.push_back(
        analyse(diagonal_block(A, analysis, row_position, block), inner, tasks));
    const Analysis& found = analysis.inner_analysis.back();
    analysis.flops += found.flops - costs[b].flops;
    analysis.factor_nnz += found.factor_nnz - static_cast<Index>(costs[b].entries);
  }
}

}  // namespace

Index Analysis::largest_block() const {
  Index largest = 0;
  for (Index b = 0; b < blocks(); ++b) largest = std::max(largest, block_start[b + 1] - block_start[b]);
  return largest;
}

bool Analysis::uses_nodes() const {
  return method == Method::supernodal || std::ranges::any_of(inner_analysis, &Analysis::uses_nodes);
}

const std::string& Analysis::choice_of_all() const {
  const auto largest = std::ranges::max_element(inner_analysis, {},
                                                [](const Analysis& inner) { return inner.row_perm.size(); });
  return largest == inner_analysis.end() ? choice : largest->choice;
}

std::vector<Node> positions(std::span<const Index> perm) {
  std::vector<Node> position(perm.size());
  for (std::size_t k = 0; k < perm.size(); ++k) position[perm[k]] = static_cast<Node>(k);
  return position;
}

template <class T>
bool may_go_by_blocks(const SparseMatrix<T>& A, const Scaling& scaling, const AnalysisPlan& plan) {
  if (plan.block_form == Switch::off || plan.kind != FactorKind::lu || A.cols == 0) return false;
  const bool is_deficient = scaling.structural_rank >= 0 && scaling.structural_rank < A.cols;
  if (is_deficient || plan.keeps_null_pivots) return false;
  if (plan.block_form == Switch::on) return true;
  return plan.ordering.value_or(Ordering::amd) == Ordering::amd &&
         static_cast<double>(A.nnz()) <= plan.blocks_most_entries * static_cast<double>(A.cols);
}

template <class T>
std::optional<Analysis> analyse_by_blocks(const SparseMatrix<T>& A, const Scaling& scaling,
                                          const AnalysisPlan& plan, std::vector<Node>& amd_order,
                                          comm::Tasks& tasks) {
  plan.report_progress("diagonal blocks", 0.1);
  const Blocks blocks = find_blocks(A, scaling.row_of_column);
  const Ordering ordering = plan.ordering.value_or(Ordering::amd);
  const QuotientGraph quotient = trivial_quotient(graph_of_blocks(A, blocks));
  AnalysisPlan order_plan = plan;
  if (ordering == Ordering::user) {
    const std::vector<Node> order = checked_user_order(plan.user_order, static_cast<Node>(A.cols));
    std::ranges::transform(order, order_plan.user_order.begin(),
                           [&](Node column) { return blocks.position[column]; });
  }
  const std::vector<Node> order = order_by(ordering, quotient, order_plan, tasks);
  const EliminationTree tree = elimination_tree(quotient.graph, by_blocks(blocks, order));
  const std::vector<Index> counts = column_counts(quotient, tree);
  const std::vector<BlockCost> costs = costs_of(blocks, counts);
  if (!plan.block_form && !is_worth_it(blocks, costs, plan)) {
    if (blocks.count() == 1 && ordering == Ordering::amd)
      for (const Node k : order) amd_order.push_back(blocks.column[k]);
    return std::nullopt;
  }

  Analysis analysis;
  analysis.method = Method::block_triangular;
  analysis.kind = plan.kind;
  analysis.tree.n = A.cols;
  analysis.ordering = to_string(ordering);
  analysis.matching = scaling.matching;
  analysis.scaling = scaling.scaling;
  analysis.structural_rank = scaling.structural_rank;
  analysis.row_scale = scaling.row_scale;
  analysis.col_scale = scaling.col_scale;
  analysis.block_start.assign(blocks.start.begin(), blocks.start.end());
  for (const Node k : tree.order) {
    analysis.col_perm.push_back(blocks.column[k]);
    analysis.row_perm.push_back(scaling.row_of_column[blocks.column[k]]);
  }
  double entries = entries_beside_blocks(A, blocks);
  for (const BlockCost& cost : costs) {
    analysis.flops += cost.flops;
    entries += cost.entries;
  }
  analysis.factor_nnz = static_cast<Index>(entries);
  add_inner_blocks(analysis, A, costs, plan, tasks);
  if (is_nearly_symmetric(A, blocks, quotient.graph, plan))
    analysis.columns = column_pattern(quotient.graph, tree, counts, columns_beside(A, analysis));
  return analysis;
}

template <class T>
SparseMatrix<T> diagonal_block(const SparseMatrix<T>& A, const Analysis& analysis,
                               std::span<const Node> row_position, Index block) {
  const Index first = analysis.block_start[block], end = analysis.block_start[block + 1];
  SparseMatrix<T> B;
  B.rows = B.cols = end - first;
  B.start.reserve(static_cast<std::size_t>(B.cols) + 1);
  for (Index k = first; k < end; ++k) {
    const Index c = analysis.col_perm[k];
    for (Index p = A.start[c]; p < A.start[c + 1]; ++p) {
      const Index r = A.row[p], i = row_position[r];
      if (i < first) continue;
      B.row.push_back(i - first);
      B.value.push_back(scaled_entry(A.value[p], analysis.row_scale[r], analysis.col_scale[c]));
    }
    B.start.push_back(B.nnz());
  }
  make_canonical(B);
  return B;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template bool may_go_by_blocks(const SparseMatrix<T>&, const Scaling&, const AnalysisPlan&);               \
  template std::optional<Analysis> analyse_by_blocks(const SparseMatrix<T>&, const Scaling&,                 \
                                                     const AnalysisPlan&, std::vector<Node>&, comm::Tasks&); \
  template SparseMatrix<T> diagonal_block(const SparseMatrix<T>&, const Analysis&, std::span<const Node>,    \
                                          Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
