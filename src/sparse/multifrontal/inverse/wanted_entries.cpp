#include "sparse/multifrontal/inverse/wanted_entries.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "sparse/multifrontal/inverse/inverse_front.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

namespace {

/// The positions in B of some of the caller's row (or column) numbers.
std::vector<std::int32_t> positions(const std::vector<Index>& perm, std::span<const Index> of) {
  std::vector<std::int32_t> inverse(perm.size()), result(of.size());
  for (std::size_t i = 0; i < perm.size(); ++i)
    inverse[static_cast<std::size_t>(perm[i])] = static_cast<std::int32_t>(i);
  std::ranges::transform(of, result.begin(), [&](Index i) { return inverse[static_cast<std::size_t>(i)]; });
  return result;
}

std::vector<std::int32_t> broadcast_list(comm::Rank& rank, std::vector<std::int32_t> list) {
  if (rank.size() == 1) return list;
  const comm::Body body = comm::collective::broadcast(rank, 0, comm::Body::adopt(std::move(list)));
  const auto all = body.as<std::int32_t>();
  return {all.begin(), all.end()};
}

/// Row (or column) of B -> the front that eliminates it; on every rank.
template <class T>
std::vector<std::int32_t> front_of_pivots(comm::Rank& rank, const FactorState<T>& state,
                                          std::int32_t* Front<T>::*names) {
  std::vector<std::int32_t> front(static_cast<std::size_t>(state.structure.tree.n), -1);
  for (const Front<T>& mine : state.fronts)
    for (Index k = 0; k < mine.eliminated; ++k)
      front[static_cast<std::size_t>((mine.*names)[k])] = static_cast<std::int32_t>(mine.number);
  if (rank.size() > 1)
    comm::collective::all_reduce(rank, std::span<std::int32_t>(front),
                                 [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
  return front;
}

/// Has a front a position for this row (or column)? The front eliminates the column (or row) of the same
/// wanted entry.
template <class T>
bool has_position(const FactorState<T>& state, const Front<T>& front, const std::int32_t* names,
                  std::int32_t name) {
  const std::int32_t* const rows = state.structure.tree.rows(front.number);
  if (std::binary_search(rows, rows + front.border, name)) return true;
  const std::int32_t* const end = names + front.summed;
  return std::find(names + front.eliminated, end, name) != end;
}

}  // namespace

template <class T>
WantedEntries wanted_entries(comm::Rank& rank, FactorState<T>& state, std::span<const Index> rows,
                             std::span<const Index> cols) {
  WantedEntries wanted;
  const bool is_root = rank.rank() == 0;
  wanted.unknown =
      broadcast_list(rank, is_root ? positions(state.columns.perm, rows) : std::vector<std::int32_t>{});
  wanted.equation =
      broadcast_list(rank, is_root ? positions(state.rows.perm, cols) : std::vector<std::int32_t>{});
  const auto of_unknown = front_of_pivots(rank, state, &Front<T>::col_name);
  const auto of_equation =
      state.structure.is_symmetric() ? of_unknown : front_of_pivots(rank, state, &Front<T>::row_name);
  wanted.front.assign(wanted.unknown.size(), -1);
  for (std::size_t k = 0; k < wanted.front.size(); ++k) {
    const std::int32_t i = wanted.unknown[k], j = wanted.equation[k];
    const std::int32_t fi = of_unknown[static_cast<std::size_t>(i)],
                       fj = of_equation[static_cast<std::size_t>(j)];
    const std::int32_t f = std::min(fi, fj);
    if (!state.is_mine(f)) continue;
    const Front<T>& front = state.front(f);
    const bool is_held = fi == fj || (fi < fj ? has_position(state, front, front.row_name, j)
                                              : has_position(state, front, front.col_name, i));
    if (is_held) wanted.front[k] = f;
  }
  if (rank.size() > 1)
    comm::collective::all_reduce(rank, std::span<std::int32_t>(wanted.front),
                                 [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
  return wanted;
}

template <class T>
void drop_dearer_than_solves(const Structure& structure, WantedEntries& wanted, double solve_flops) {
  const AssemblyTree& tree = structure.tree;
  constexpr char unasked = 0, by_fronts = 1, by_solve = 2;
  std::vector<char> column(static_cast<std::size_t>(tree.n), unasked);
  for (std::size_t k = 0; k < wanted.front.size(); ++k) {
    char& its = column[static_cast<std::size_t>(wanted.equation[k])];
    its = wanted.front[k] < 0 ? by_solve : std::max(its, by_fronts);
  }
  wanted.is_needed.assign(static_cast<std::size_t>(tree.fronts()), 0);
  for (std::size_t k = 0; k < wanted.front.size(); ++k) {
    std::int32_t& front = wanted.front[k];
    if (column[static_cast<std::size_t>(wanted.equation[k])] == by_solve) front = -1;
    if (front >= 0) wanted.is_needed[static_cast<std::size_t>(front)] = 1;
  }
  double flops = 0;
  for (Index f = 0; f < tree.fronts(); ++f) {
    if (!wanted.is_needed[f]) continue;
    flops += inverse_flops<T>(structure, f);
    if (tree.parent[f] >= 0) wanted.is_needed[tree.parent[f]] = 1;
  }
  const auto columns = static_cast<double>(std::ranges::count(column, by_fronts));
  if (flops <= columns * solve_flops) return;
  std::ranges::fill(wanted.front, -1);
  std::ranges::fill(wanted.is_needed, 0);
}

#define OVERLAPACK_INSTANTIATE(T)                                                             \
  template WantedEntries wanted_entries(comm::Rank&, FactorState<T>&, std::span<const Index>, \
                                        std::span<const Index>);                              \
  template void drop_dearer_than_solves<T>(const Structure&, WantedEntries&, double);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
