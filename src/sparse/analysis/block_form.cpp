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

/// The diagonal blocks, and the positions of rows and columns in block order.
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

/// The graph of the diagonal blocks, each with its transposed pattern. Entries outside the diagonal blocks are left out.
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

/// Sort an order by blocks. Within each block it stays the same.
std::vector<Node> by_blocks(const Blocks& blocks, const std::vector<Node>& order) {
  std::vector<Node> next(blocks.start.begin(), blocks.start.end() - 1), sorted(order.size());
  for (const Node k : order) sorted[next[blocks.of[k]]++] = k;
  return sorted;
}

/// The cost of the elimination of a block with pivots on its diagonal.
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

/// The order of the nodes of all blocks, as plan.ordering says.
std::vector<Node> order_of(const Blocks& blocks, const QuotientGraph& quotient, const AnalysisPlan& plan,
                           comm::Tasks& tasks) {
  AnalysisPlan of_positions = plan;
  const Ordering ordering = plan.ordering.value_or(Ordering::amd);
  if (ordering == Ordering::user) {
    const std::vector<Node> order =
        checked_user_order(plan.user_order, static_cast<Node>(blocks.column.size()));
    std::ranges::transform(order, of_positions.user_order.begin(),
                           [&](Node column) { return blocks.position[column]; });
  }
  return by_blocks(blocks, compute_order(ordering, quotient, of_positions, tasks));
}

/// For block_form auto: whether the work is in blocks of low fill, or the block form removes much of the factorisation.
bool is_worth_it(const Blocks& blocks, const std::vector<BlockCost>& costs, const AnalysisPlan& plan) {
  if (std::ranges::none_of(costs, [&](const BlockCost& cost) { return wants_fronts(cost, plan); }))
    return true;
  Node largest = 0;
  for (Node b = 0; b < blocks.count(); ++b)
    largest = std::max(largest, blocks.start[b + 1] - blocks.start[b]);
  return static_cast<double>(largest) <= plan.blocks_largest * static_cast<double>(blocks.column.size());
}

/// The number of entries outside the diagonal blocks, which belong to the factors.
template <class T>
double entries_beside_blocks(const SparseMatrix<T>& A, const Blocks& blocks) {
  double entries = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      entries += blocks.row_position[A.row[p]] < blocks.start[blocks.of[blocks.position[j]]];
  return entries;
}

/// Whether the pattern of the diagonal blocks is nearly symmetric, so that their graph predicts it.
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
  const bool is_by_amd = plan.ordering.value_or(Ordering::amd) == Ordering::amd;
  const std::vector<Node> row_position = positions(analysis.row_perm);
  for (std::size_t b = 0; b < costs.size(); ++b) {
    if (!wants_fronts(costs[b], plan)) continue;
    const auto block = static_cast<Index>(b);
    analysis.inner_block.push_back(block);
    if (is_by_amd) {
      inner.amd_order.resize(static_cast<std::size_t>(analysis.block_start[b + 1] - analysis.block_start[b]));
      std::iota(inner.amd_order.begin(), inner.amd_order.end(), 0);
    }
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
    analysis.order_pays_after = first_of(analysis.order_pays_after, found.order_pays_after);
  }
}

/// The elimination of the blocks, each in its own order: tree, column counts, and the cost of each block.
struct FormByBlocks {
  FormByBlocks(const QuotientGraph& quotient, const Blocks& blocks, std::span<const Node> order)
      : tree(elimination_tree(quotient.graph, order)),
        counts(column_counts(quotient, tree)),
        costs(costs_of(blocks, counts)) {}
  EliminationTree tree;
  std::vector<Index> counts;
  std::vector<BlockCost> costs;
};

template <class T>
Analysis filled_analysis(const SparseMatrix<T>& A, const Scaling& scaling, const Blocks& blocks,
                         const QuotientGraph& quotient, const FormByBlocks& form, const AnalysisPlan& plan,
                         comm::Tasks& tasks) {
  Analysis analysis;
  analysis.method = Method::block_triangular;
  analysis.kind = plan.kind;
  analysis.tree.n = A.cols;
  analysis.ordering = to_string(plan.ordering.value_or(Ordering::amd));
  analysis.matching = scaling.matching;
  analysis.scaling = scaling.scaling;
  analysis.structural_rank = scaling.structural_rank;
  analysis.row_scale = scaling.row_scale;
  analysis.col_scale = scaling.col_scale;
  analysis.block_start.assign(blocks.start.begin(), blocks.start.end());
  for (const Node k : form.tree.order) {
    analysis.col_perm.push_back(blocks.column[k]);
    analysis.row_perm.push_back(scaling.row_of_column[blocks.column[k]]);
  }
  double entries = entries_beside_blocks(A, blocks);
  for (const BlockCost& cost : form.costs) {
    analysis.flops += cost.flops;
    entries += cost.entries;
  }
  analysis.factor_nnz = static_cast<Index>(entries);
  add_inner_blocks(analysis, A, form.costs, plan, tasks);
  if (is_nearly_symmetric(A, blocks, quotient.graph, plan))
    analysis.columns = column_pattern(quotient.graph, form.tree, form.counts, columns_beside(A, analysis));
  return analysis;
}

}  // namespace

bool wants_fronts(const OrderedTree& tree, const AnalysisPlan& plan) {
  const auto n = static_cast<double>(tree.variables.member.size()), below = tree.columns.entries - n;
  return wants_fronts({.flops = 2 * tree.columns.flops - 3 * below, .entries = n + 2 * below}, plan);
}

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
bool may_use_block_triangular_form(const SparseMatrix<T>& A, const Scaling& scaling,
                                   const AnalysisPlan& plan) {
  if (plan.block_form == Switch::off || plan.kind != FactorKind::lu || A.cols == 0) return false;
  const bool is_deficient = scaling.structural_rank >= 0 && scaling.structural_rank < A.cols;
  if (is_deficient || plan.keeps_null_pivots) return false;
  if (plan.block_form == Switch::on) return true;
  return plan.ordering.value_or(Ordering::amd) == Ordering::amd &&
         static_cast<double>(A.nnz()) <= plan.blocks_most_entries * static_cast<double>(A.cols);
}

template <class T>
std::optional<Analysis> analyse_by_blocks(const SparseMatrix<T>& A, const Scaling& scaling,
                                          const AnalysisPlan& plan, BlockTrial& trial, comm::Tasks& tasks) {
  plan.report_progress("diagonal blocks", 0.1);
  const Blocks blocks = find_blocks(A, scaling.row_of_column);
  trial.is_one_block = blocks.count() == 1 && !plan.block_form;
  if (trial.is_one_block) return std::nullopt;
  const QuotientGraph quotient = trivial_quotient(graph_of_blocks(A, blocks));
  const std::vector<Node> order = order_of(blocks, quotient, plan, tasks);
  const FormByBlocks form(quotient, blocks, order);
  if (!plan.block_form && !is_worth_it(blocks, form.costs, plan)) {
    trial.edges = quotient.graph.neighbour.size();
    for (const Node k : order) trial.order.push_back(blocks.column[k]);
    return std::nullopt;
  }
  return filled_analysis(A, scaling, blocks, quotient, form, plan, tasks);
}

template <class T>
Analysis analyse_one_block(const SparseMatrix<T>& A, const Scaling& scaling, const AnalysisPlan& plan,
                           std::span<const Node> columns, comm::Tasks& tasks) {
  const Blocks blocks = find_blocks(A, scaling.row_of_column);
  const QuotientGraph quotient = trivial_quotient(graph_of_blocks(A, blocks));
  std::vector<Node> order;
  for (const Node column : columns) order.push_back(blocks.position[column]);
  return filled_analysis(A, scaling, blocks, quotient, {quotient, blocks, order}, plan, tasks);
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

#define OVERLAPACK_INSTANTIATE(T)                                                                           \
  template bool may_use_block_triangular_form(const SparseMatrix<T>&, const Scaling&, const AnalysisPlan&); \
  template std::optional<Analysis> analyse_by_blocks(const SparseMatrix<T>&, const Scaling&,                \
                                                     const AnalysisPlan&, BlockTrial&, comm::Tasks&);       \
  template Analysis analyse_one_block(const SparseMatrix<T>&, const Scaling&, const AnalysisPlan&,          \
                                      std::span<const Node>, comm::Tasks&);                                 \
  template SparseMatrix<T> diagonal_block(const SparseMatrix<T>&, const Analysis&, std::span<const Node>,   \
                                          Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
