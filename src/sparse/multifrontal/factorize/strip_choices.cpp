#include "sparse/multifrontal/factorize/strip_choices.hpp"

#include "base/instantiate.hpp"
#include "dist/mapping/tree_mapping.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace overlapack::sparse::multifrontal {

std::vector<StripChooser> strip_choosers(const Structure& structure) {
  std::map<int, StripChooser> by_rank;
  for (Index f = 0; f < structure.tree.fronts(); ++f)
    if (structure.in_strips[f])
      by_rank.try_emplace(structure.owner[f], structure.owner[f], f).first->second.last = f;
  std::vector<StripChooser> choosers;
  for (const auto& [rank, chooser] : by_rank) choosers.push_back(chooser);
  return choosers;
}

template <class T>
StripChoices<T>::StripChoices(const StripContext<T>& here)
    : here_(here), choosers_(strip_choosers(here.structure)) {
  const AssemblyTree& tree = here.structure.tree;
  std::vector<double> factor, border;
  for (Index f = 0; f < tree.fronts(); ++f) {
    const auto order = static_cast<double>(tree.order(f)), m = static_cast<double>(tree.border(f));
    factor.push_back((here.structure.is_symmetric() ? order : order + m) *
                     static_cast<double>(tree.pivots(f)));
    border.push_back(m * m);
  }
  const int ranks = here.rank.size();
  for (const auto& of_rank :
       dist::estimate_memory(tree.parent, factor, border, here.structure.owner, ranks, sizeof(T)))
    even_bytes_ += of_rank.peak_bytes / ranks;
}

template <class T>
Strips StripChoices<T>::choose(Index f) {
  const int me = here_.rank.rank(), size = here_.rank.size();
  const StripPlan& plan = here_.plan.fronts.strips;
  const std::span<const dist::Load> known = here_.loads.loads();
  const AssemblyTree& tree = here_.structure.tree;
  std::vector<int> ranks;
  std::vector<double> loads, held;
  for (int i = 1; i <= size; ++i) {
    const int r = (me + i) % size;
    ranks.push_back(r);
    loads.push_back(plan.choice == StripChoice::by_load ? known[static_cast<std::size_t>(r)].flops
                    : r == me                           ? owner_flops(here_.structure, f)
                                                        : 0);
    held.push_back(known[static_cast<std::size_t>(r)].bytes);
  }
  const double work = strip_flops(here_.structure.kind, tree, f);
  const double most = *std::ranges::min_element(loads) + plan.load_weight * work / size;
  for (double& load : loads) load = std::min(load, most);
  std::vector<double> room;
  if (plan.choice == StripChoice::by_load) {
    room = room_for(f, held);
    const std::vector<double> by_work = shares_by_load(loads, work);
    for (std::size_t i = 0; i < room.size(); ++i) here_.state.stats.limited_by_memory += by_work[i] > room[i];
  }
  const Index paying = most_profitable_strips(here_.structure.kind, tree, f, sizeof(T), plan);
  return make_strips(here_.structure.kind, tree.border(f), plan.rows, paying, std::move(ranks),
                     std::move(loads), work, std::move(room));
}

/// The largest share of front f that each rank may take, so that it comes to hold no more than the largest of
/// these: the bytes of the fullest rank, the bytes of all ranks if the front levelled them out, 1 +
/// memory_imbalance times an even share of the predicted peaks.
template <class T>
std::vector<double> StripChoices<T>::room_for(Index f, std::span<const double> held) const {
  const double bytes = strip_entries(here_.structure.kind, here_.structure.tree, f) * sizeof(T);
  const double most = std::max({std::ranges::max(held), level_of(held, bytes),
                                (1 + here_.plan.fronts.strips.memory_imbalance) * even_bytes_});
  std::vector<double> room;
  for (const double mine : held) room.push_back((most - mine) / bytes);
  return room;
}

template <class T>
std::vector<int> StripChoices<T>::ranks_choosing_after(Index f) const {
  std::vector<int> ranks;
  if (here_.plan.fronts.strips.choice == StripChoice::fixed) return ranks;
  Index lowest = f;  // fronts are numbered in postorder
  while (here_.structure.first_child[lowest] >= 0) lowest = here_.structure.first_child[lowest];
  for (const StripChooser& chooser : choosers_)
    if (chooser.rank != here_.rank.rank() && (chooser.first < lowest || chooser.last > f))
      ranks.push_back(chooser.rank);
  return ranks;
}

template <class T>
double strip_bytes(const Structure& structure, Index f, const Strips& strips, Index i) {
  return strip_entries(structure.kind, structure.tree, f, strips, i) * sizeof(T);
}

template <class T>
void add_strip_loads(const StripContext<T>& here, Index f, const Strips& strips,
                     std::span<const double> flops) {
  for (std::size_t i = 0; i < strips.rank.size(); ++i) {
    const double bytes = strip_bytes<T>(here.structure, f, strips, static_cast<Index>(i));
    if (strips.rank[i] != here.rank.rank()) {
      here.loads.add(strips.rank[i], {flops[i], bytes});
      continue;
    }
    here.state.ledger.add_promised_bytes(bytes);
    here.add_load(flops[i]);
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                \
  template class StripChoices<T>;                                                \
  template double strip_bytes<T>(const Structure&, Index, const Strips&, Index); \
  template void add_strip_loads(const StripContext<T>&, Index, const Strips&, std::span<const double>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
