#pragma once
#include "comm/rank.hpp"
#include "dist/tree/tree_walk.hpp"
#include "sparse/analysis/analysis.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Where a front lives: whole on its owner; its border rows in strips over several ranks, the rest on its owner; distributed
/// over a grid of all ranks.
enum class Layout : std::uint8_t { whole, strips, grid };

/// What every rank knows of the factorisation before it starts: the tree, who owns what, and the tasks.
struct Structure {
  FactorKind kind = FactorKind::lu;
  bool hermitian = false;
  AssemblyTree tree;
  std::vector<int> owner;           ///< front -> rank
  SharedList<char> in_strips;       ///< front -> are its border rows distributed to several ranks?
  Index grid_root = -1;             ///< the root that is distributed over a grid of all ranks, or -1
  Index chain_links = 0;            ///< rank 0: fronts that go on with the pivots of one which was split
  std::vector<double> flops;        ///< front -> predicted, on all ranks together
  std::vector<Index> first_child;   ///< front -> its first child or -1
  std::vector<Index> next_sibling;  ///< front -> the next child of its parent or -1
  /// Task t eliminates the fronts [task_front[t], task_front[t + 1]): small sibling subtrees, or a front, before which may come the
  /// fronts of a task that are all of its children.
  SharedList<Index> task_front{0};
  std::vector<Index> task_of;  ///< front -> task
  /// Where in joint_row the rows of a task of several subtrees begin; of others there are none.
  std::vector<Index> joint_row_start;
  std::vector<std::int32_t> joint_row;
  dist::TaskTree tasks;
  SharedList<std::int8_t>
      signs;  ///< of a quasi-definite matrix: of the pivot of each permuted variable; else empty
  SharedList<std::int32_t> original;  ///< Cholesky: permuted variable -> the caller's, for messages

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
  /// Has the first factor that a panel holds ones on its diagonal?
  bool has_unit_diagonal() const { return kind != FactorKind::cholesky; }
  Layout layout(Index f) const {
    return f == grid_root ? Layout::grid : in_strips[f] != 0 ? Layout::strips : Layout::whole;
  }
  /// Do several ranks have rows of front f? What its children leave, and what it leaves itself, travels in pieces then.
  bool is_shared(Index f) const { return layout(f) != Layout::whole; }
  /// Does its owner have all of its fully summed part?
  bool has_panel(Index f) const { return layout(f) != Layout::grid; }
  /// Does the parent of front f take its rows in pieces, each at the rank that has it?
  bool is_sent_to_parent_in_pieces(Index f) const { return tree.parent[f] >= 0 && is_shared(tree.parent[f]); }
};

/// Predicted flops of front f on its owner: without those of its strips; none for a root that all ranks share.
double owner_flops(const Structure& structure, Index f);
/// The same of all fronts of a task.
double task_flops(const Structure& structure, Index task);
/// Of a front's flops those of C -= L21 U12, without delayed pivots.
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
  Index chain_links = 0;          ///< fronts that go on with the pivots of one which was split
  std::vector<Index> task_front;  ///< as Structure's
};

/// Predicted flops of each front.
std::vector<double> flops_of_fronts(const AssemblyTree& tree, FactorKind kind);

/// Structure of an analysed matrix.
Structure make_structure(const Analysis& analysis, Placement placement);

/// What follows from the tree, its tasks and their owners: children, and the tree of tasks.
void build_task_tree(Structure& structure);

/// Collective: rank 0's structure on every rank.
Structure broadcast(comm::Rank& rank, Structure on_rank_0);

}  // namespace overlapack::sparse::multifrontal
