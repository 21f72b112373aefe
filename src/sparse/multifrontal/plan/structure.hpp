#pragma once
#include "comm/rank.hpp"
#include "dist/tree/tree_walk.hpp"
#include "sparse/analysis/analysis.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// How a front is distributed. whole: on its owner. strips: the border rows in strips over several ranks, the
/// rest on the owner.
/// grid: in blocks over a grid of all ranks.
enum class Layout : std::uint8_t { whole, strips, grid };

/// What every rank knows of the factorisation before it starts: the tree, who owns what, and the tasks.
struct Structure {
  FactorKind kind = FactorKind::lu;
  bool hermitian = false;
  AssemblyTree tree;
  std::vector<int> owner;           ///< front -> rank
  SharedList<char> in_strips;       ///< front -> are its border rows distributed to several ranks?
  Index grid_root = -1;             ///< the root that is distributed over a grid of all ranks, or -1
  Index chain_links = 0;            ///< rank 0: number of fronts that the cutting into chains has added
  std::vector<double> flops;        ///< front -> predicted flops, of all its ranks together
  std::vector<Index> first_child;   ///< front -> its first child or -1
  std::vector<Index> next_sibling;  ///< front -> the next child of its parent or -1
  /// Task t eliminates the fronts [task_front[t], task_front[t + 1]): small sibling subtrees, or one front of
  /// any size. A front may also join the task that has all of its children, as its last front
  /// (TaskSizes::joins_parents).
  SharedList<Index> task_front{0};
  std::vector<Index> task_of;  ///< front -> task
  /// If task t has several subtrees, their border rows are joint_row[a], ..., joint_row[b - 1] with a =
  /// joint_row_start[t] and b = joint_row_start[t + 1]. A task of one subtree has none here (task_rows).
  std::vector<Index> joint_row_start;
  std::vector<std::int32_t> joint_row;
  dist::TaskTree tasks;
  SharedList<std::int8_t> signs;      ///< quasi-definite: permuted variable -> sign of its pivot; else empty
  SharedList<std::int32_t> original;  ///< Cholesky: permuted variable -> the caller's, for texts of errors

  Index first_front(Index task) const { return task_front[task]; }
  Index last_front(Index task) const { return task_front[task + 1] - 1; }
  /// The border rows of a task's subtrees, which are all of one front's children: each once.
  std::span<const std::int32_t> task_rows(Index task) const {
    const Index begin = joint_row_start[task], end = joint_row_start[task + 1];
    if (begin < end) return {joint_row.data() + begin, static_cast<std::size_t>(end - begin)};
    return {tree.rows(last_front(task)), static_cast<std::size_t>(tree.border(last_front(task)))};
  }
  /// f(front) for the roots of a task's subtrees, ascending.
  template <class F>
  void for_each_root(Index task, F&& f) const {
    for (Index front = first_front(task); front <= last_front(task); ++front)
      if (tree.parent[front] > last_front(task)) f(front);
  }

  bool is_symmetric() const { return kind != FactorKind::lu; }
  /// Is A = L D L^H, rather than L D L^T or L U?
  bool is_conjugated() const { return hermitian || kind == FactorKind::cholesky; }
  /// Has the triangular factor that stands first in a panel, U11^T or L11, a unit diagonal? L11 of Cholesky
  /// has not.
  bool has_unit_diagonal() const { return kind != FactorKind::cholesky; }
  Layout layout(Index f) const {
    return f == grid_root ? Layout::grid : in_strips[f] != 0 ? Layout::strips : Layout::whole;
  }
  /// Do several ranks have rows of front f? Its children's contribution blocks, and its own, then travel in
  /// pieces.
  bool is_shared(Index f) const { return layout(f) != Layout::whole; }
  /// Does the owner of front f have all of its fully summed part? Only a root on the grid has no panel.
  bool has_panel(Index f) const { return layout(f) != Layout::grid; }
  /// Does the parent of front f take its rows in pieces, each at the rank that has it?
  bool is_sent_to_parent_in_pieces(Index f) const { return tree.parent[f] >= 0 && is_shared(tree.parent[f]); }
};

/// Predicted flops of front f on its owner: without those of its strips; none for a root that all ranks share.
double owner_flops(const Structure& structure, Index f);
/// The same of all fronts of a task.
double task_flops(const Structure& structure, Index task);
/// The part of a front's predicted flops that C -= L21 U12 takes.
double update_flops(const Structure& structure, Index f);
/// Entries of the panels of all fronts, without delayed pivots.
double panel_entries(const Structure& structure);
/// Entries of the contribution blocks of a front's children, without delayed pivots.
double contribution_entries(const Structure& structure, Index f);

/// Who owns each front, and which ones are distributed.
struct Placement {
  AssemblyTree tree;  ///< with chains in the place of long fronts
  std::vector<int> owner;
  std::vector<char> in_strips;
  Index grid_root = -1;
  Index chain_links = 0;          ///< as Structure's
  std::vector<Index> task_front;  ///< as Structure's
};

/// Predicted flops of each front.
std::vector<double> flops_of_fronts(const AssemblyTree& tree, FactorKind kind);

/// Structure of an analysed matrix.
Structure make_structure(const Analysis& analysis, Placement placement);

/// Derives the lists of children, the flops and the tree of tasks from the tree of fronts, task_front and
/// tasks.owner.
void build_task_tree(Structure& structure);

/// Collective: rank 0's structure on every rank.
Structure broadcast(comm::Rank& rank, Structure on_rank_0);

}  // namespace overlapack::sparse::multifrontal
