#pragma once
#include "dist/grid/process_grid.hpp"
#include "sparse/supernodal/layout/node_parts.hpp"

#include <vector>

namespace overlapack::sparse::supernodal {

/// For progress: the share of all work that is done before some nodes, and after them.
struct ProgressRange {
  double begin = 0, end = 1;
};

/// Nodes on a P x Q grid of processes, block-cyclic: block (I, J) of L + U lies on process (I mod P, J mod
/// Q). The object is one rank's view: its own parts of the lists, and which processes need its panels.
/// Source  paper 1, section 5.1, Figure 4
class NodeGrid {
 public:
  /// The view of rank `me`, which may be outside of the grid.
  /// eliminated: number of nodes that are eliminated; those behind them are the border, which is only updated
  NodeGrid(const NodeStructure& structure, dist::ProcessGrid grid, int me, Index eliminated,
           ProgressRange range);
  /// Without nodes, until for_each_array fills it from a file.
  NodeGrid(dist::ProcessGrid grid, int me);

  Index order() const { return static_cast<Index>(node_of_.size()); }
  Index nodes() const { return eliminated_.front(); }
  Index nodes_with_border() const { return static_cast<Index>(first_.size()); }
  Index width(Index k) const { return width_[k]; }
  Index first(Index k) const { return first_[k]; }
  /// Share of all flops in nodes 0 .. k, on all ranks.
  double flops_share_until(Index k) const { return share_until_[k]; }
  std::int32_t node_of(Index variable) const { return node_of_[variable]; }

  const dist::ProcessGrid& grid() const { return grid_; }
  bool is_member() const { return is_member_; }
  dist::GridPosition me() const { return me_; }
  int row_of(Index k) const { return static_cast<int>(k % grid_.rows()); }
  int column_of(Index k) const { return static_cast<int>(k % grid_.cols()); }
  /// Is this rank in PROC_r(K), or PROC_c(K): one of the processes that have block row, or block column, K?
  bool in_row(Index k) const { return is_member_ && row_of(k) == me_.row; }
  bool in_column(Index k) const { return is_member_ && column_of(k) == me_.col; }
  bool owns_diagonal(Index k) const { return in_row(k) && in_column(k); }
  int owner(Index k) const { return grid_.rank_at(row_of(k), column_of(k)); }
  /// Owner of block (i, j).
  int owner(Index i, Index j) const { return grid_.rank_at(row_of(i), column_of(j)); }

  /// Rows of block column k in this rank's process row, those of its square first if the process row has it.
  NodePart rows(Index k) const { return rows_(k); }
  /// Columns of block row k, behind its square, in this rank's process column.
  NodePart columns(Index k) const { return columns_(k); }
  bool has_square(Index k) const { return in_row(k); }

  bool has_lower(Index k) const { return in_column(k) && !rows(k).empty(); }
  bool has_upper(Index k) const { return in_row(k) && !columns(k).empty(); }
  /// Whether this rank needs node k's L, or U, from other ranks for the update by k.
  bool needs_lower(Index k) const { return !in_column(k) && takes_part(k); }
  bool needs_upper(Index k) const { return !in_row(k) && takes_part(k); }
  bool takes_part(Index k) const { return is_member_ && !rows(k).empty() && !columns(k).empty(); }

  /// The process rows with rows of R(k), or process columns with columns of C(k), other than this rank's own;
  /// valid if in_column(k) or in_row(k).
  std::span<const int> rows_that_need(Index k) const { return needing_rows_(k); }
  std::span<const int> columns_that_need(Index k) const { return needing_columns_(k); }

  /// The last node that updates block column, or block row, k; -1: none does.
  Index last_of_column(Index k) const { return last_of_column_[k]; }
  Index last_of_row(Index k) const { return last_of_row_[k]; }

  /// Visits each array once, for packing and unpacking.
  template <class AnyGrid, class Visit>
  static void for_each_array(AnyGrid& nodes, Visit&& visit) {
    visit(nodes.eliminated_);
    visit(nodes.first_);
    visit(nodes.width_);
    visit(nodes.node_of_);
    NodeParts::for_each_array(nodes.rows_, visit);
    NodeParts::for_each_array(nodes.columns_, visit);
    for (auto* const lists : {&nodes.needing_rows_, &nodes.needing_columns_}) {
      visit(lists->start);
      visit(lists->process);
    }
    visit(nodes.share_until_);
    visit(nodes.last_of_column_);
    visit(nodes.last_of_row_);
  }

 private:
  /// A list of processes for each node, ascending; all lists stand one after the other.
  struct ProcessLists {
    std::vector<Index> start{0};
    std::vector<int> process;
    std::span<const int> operator()(Index k) const {
      return {process.data() + start[k], static_cast<std::size_t>(start[k + 1] - start[k])};
    }
    void add(std::span<const std::int32_t> list, std::span<const std::int32_t> node_of, int processes,
             int me);
  };

  std::vector<Index> eliminated_{0};  ///< one number, as an array for for_each_array
  SharedList<std::int32_t> first_, width_;
  dist::ProcessGrid grid_;
  bool is_member_;
  dist::GridPosition me_;
  std::vector<std::int32_t> node_of_;
  NodeParts rows_, columns_;
  ProcessLists needing_rows_, needing_columns_;
  std::vector<double> share_until_;
  std::vector<std::int32_t> last_of_column_, last_of_row_;
};

}  // namespace overlapack::sparse::supernodal
