#pragma once
#include "base/each_figure.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"

#include <functional>
#include <span>
#include <vector>

namespace overlapack::comm::collective {

/// Reduce each figure of `mine` over all ranks, by sum, mean, largest or smallest as the list of S says (base/each_figure.hpp);
/// all ranks get the result.
/// Sync    collective
/// Cost    two reductions, one of extremes and one of sums
template <class S>
void all_reduce_figures(Rank& rank, std::type_identity_t<S>& mine) {
  if (rank.size() == 1) return;  // already the result
  const auto reduce = [&](const auto& takes_part, const auto& combined) {
    std::vector<double> values;
    for_each_figure<S>(
        [&](const auto& figure, auto number) {
          if (takes_part(figure.over))
            values.push_back(figure.over == OverRanks::least ? -double(number) : double(number));
        },
        mine);
    if (values.empty()) return;
    all_reduce(rank, std::span<double>(values), combined);
    const double* value = values.data();
    for_each_figure<S>(
        [&](const auto& figure, auto& number) {
          if (!takes_part(figure.over)) return;
          const double all = *value++;
          number = static_cast<std::remove_reference_t<decltype(number)>>(
              figure.over == OverRanks::least  ? -all
              : figure.over == OverRanks::mean ? all / rank.size()
                                               : all);
        },
        mine);
  };
  reduce([](OverRanks over) { return over == OverRanks::most || over == OverRanks::least; }, Larger());
  reduce([](OverRanks over) { return over == OverRanks::sum || over == OverRanks::mean; }, std::plus<>());
}

}  // namespace overlapack::comm::collective
