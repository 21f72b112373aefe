#include "sparse/multifrontal/plan/structure.hpp"

#include "comm/collective/collective.hpp"
#include "sparse/analysis/fronts/front_cost.hpp"
#include "sparse/multifrontal/plan/strips.hpp"

#include <utility>

namespace overlapack::sparse::multifrontal {

namespace {

void describe_fronts(Structure& s) {
  const Index fronts = s.tree.fronts();
  s.flops = flops_of_fronts(s.tree, s.kind);
  s.first_child.assign(static_cast<std::size_t>(fronts), -1);
  s.next_sibling.assign(static_cast<std::size_t>(fronts), -1);
  for (Index f = fronts - 1; f >= 0; --f) {
    const Index parent = s.tree.parent[f];
    if (parent < 0) continue;
    s.next_sibling[f] = s.first_child[parent];
    s.first_child[parent] = f;
  }
}

/// task_of, and the tree of tasks that follows from the tree of fronts.
void link_tasks(Structure& s) {
  const auto count = static_cast<Index>(s.tasks.owner.size());
  s.task_of.resize(static_cast<std::size_t>(s.tree.fronts()));
  for (Index t = 0; t < count; ++t)
    for (Index f = s.task_front[t]; f < s.task_front[t + 1]; ++f) s.task_of[f] = t;
  s.tasks.parent.resize(static_cast<std::size_t>(count));
  for (Index t = 0; t < count; ++t) {
    const Index parent = s.tree.parent[s.task_front[t + 1] - 1];
    s.tasks.parent[t] = parent < 0 ? -1 : s.task_of[parent];
  }
}

/// joint_row: the border rows of each task of several subtrees, each row once.
void list_joint_rows(Structure& s) {
  const Index tasks = s.tasks.size();
  std::vector<Index> seen_by(static_cast<std::size_t>(s.tree.n), -1);
  s.joint_row.clear();
  s.joint_row_start.assign(1, 0);
  for (Index t = 0; t < tasks; ++t) {
    Index roots = 0;
    s.for_each_root(t, [&](Index) { ++roots; });
    if (roots > 1)
      s.for_each_root(t, [&](Index f) {
        for (const std::int32_t row : std::span(s.tree.rows(f), static_cast<std::size_t>(s.tree.border(f))))
          if (std::exchange(seen_by[row], t) != t) s.joint_row.push_back(row);
      });
    s.joint_row_start.push_back(static_cast<Index>(s.joint_row.size()));
  }
}

template <class T>
void broadcast_vector(comm::Rank& rank, std::vector<T>& values) {
  comm::Body body;
  if (rank.rank() == 0) body = comm::Body::copy_of(std::span<const T>(values));
  body = comm::collective::broadcast(rank, 0, std::move(body));
  if (rank.rank() != 0) values.assign(body.as<T>().begin(), body.as<T>().end());
}

}  // namespace

std::vector<double> flops_of_fronts(const AssemblyTree& tree, FactorKind kind) {
  std::vector<double> flops(static_cast<std::size_t>(tree.fronts()));
  for (Index f = 0; f < tree.fronts(); ++f) flops[f] = front_flops(kind, tree.order(f), tree.pivots(f));
  return flops;
}

double update_flops(const Structure& structure, Index f) {
  const auto pivots = static_cast<double>(structure.tree.pivots(f));
  const double border = static_cast<double>(structure.tree.order(f)) - pivots;
  return structure.is_symmetric() ? pivots * border * (border + 1) : 2 * pivots * border * border;
}

double panel_entries(const Structure& structure) {
  const AssemblyTree& tree = structure.tree;
  double entries = 0;
  for (Index f = 0; f < tree.fronts(); ++f)
    entries += static_cast<double>(tree.pivots(f)) * static_cast<double>(tree.order(f));
  return entries;
}

double contribution_entries(const Structure& structure, Index f) {
  double entries = 0;
  for (Index c = structure.first_child[f]; c >= 0; c = structure.next_sibling[c]) {
    const auto border = static_cast<double>(structure.tree.order(c) - structure.tree.pivots(c));
    entries += structure.is_symmetric() ? border * (border + 1) / 2 : border * border;
  }
  return entries;
}

double owner_flops(const Structure& structure, Index f) {
  if (!structure.has_panel(f)) return 0;
  const double all = structure.flops[f];
  return structure.is_shared(f) ? all - strip_flops(structure.kind, structure.tree, f) : all;
}

double task_flops(const Structure& structure, Index task) {
  double flops = 0;
  for (Index f = structure.task_front[task]; f < structure.task_front[task + 1]; ++f)
    flops += owner_flops(structure, f);
  return flops;
}

Structure make_structure(const Analysis& analysis, Placement placement) {
  Structure s;
  s.kind = analysis.kind;
  s.hermitian = analysis.hermitian;
  s.tree = std::move(placement.tree);
  s.owner = std::move(placement.owner);
  s.in_strips = std::move(placement.in_strips);
  if (s.kind == FactorKind::cholesky) s.original = {analysis.col_perm.begin(), analysis.col_perm.end()};
  s.signs = {analysis.signs.begin(), analysis.signs.end()};
  s.grid_root = placement.grid_root;
  s.chain_links = placement.chain_links;
  s.task_front = std::move(placement.task_front);
  for (std::size_t t = 1; t < s.task_front.size(); ++t) s.tasks.owner.push_back(s.owner[s.task_front[t] - 1]);
  build_task_tree(s);
  return s;
}

void build_task_tree(Structure& structure) {
  describe_fronts(structure);
  link_tasks(structure);
  list_joint_rows(structure);
}

Structure broadcast(comm::Rank& rank, Structure s) {
  const auto share = [&](auto& list) { list = comm::collective::broadcast(rank, 0, list); };
  std::vector<Index> scalars{static_cast<Index>(s.kind), s.hermitian, s.tree.n, s.grid_root};
  broadcast_vector(rank, scalars);
  s.kind = static_cast<FactorKind>(scalars[0]);
  s.hermitian = scalars[1] != 0;
  s.tree.n = scalars[2];
  s.grid_root = scalars[3];
  share(s.tree.first_pivot);
  share(s.tree.parent);
  share(s.tree.row_start);
  share(s.tree.row);
  broadcast_vector(rank, s.owner);
  share(s.in_strips);
  share(s.task_front);
  broadcast_vector(rank, s.tasks.owner);
  share(s.original);
  share(s.signs);
  if (rank.rank() != 0) build_task_tree(s);
  return s;
}

}  // namespace overlapack::sparse::multifrontal
