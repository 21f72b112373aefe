#pragma once
#include "overlapack/figures.hpp"

#include <algorithm>
#include <type_traits>

/// What is done alike with every figure of a list.
namespace overlapack {

/// Call fn(figure, its number in each of these objects) for all lines of S: a list, or SparseFigures.
template <class S, class Fn, class... Object>
void for_each_figure(Fn&& fn, Object&... objects) {
  if constexpr (std::is_same_v<S, SparseFigures>) {
    for_each_figure<FactorFigures>(fn, objects...);
    for_each_figure<FrontFigures>(fn, objects...);
    for_each_figure<DiskFigures>(fn, objects...);
    for_each_figure<LowRankFigures>(fn, objects...);
    for_each_figure<NodeFigures>(fn, objects...);
    for_each_figure<BlockFigures>(fn, objects...);
    for_each_figure<PivotFigures>(fn, objects.pivots...);
  } else {
    for (const Figure<S>& figure : figures_of<S>)
      std::visit([&](auto member) { fn(figure, objects.*member...); }, figure.member);
  }
}

/// Of one matrix, or right-hand side, after the other: extremes are those of all, of a mean the last one stays, else sums.
template <class S>
void add(S& all, const std::type_identity_t<S>& next) {
  for_each_figure<S>(
      [](const auto& figure, auto& number, auto more) {
        switch (figure.over) {
          case OverRanks::same:
          case OverRanks::sum:
            number += more;
            break;
          case OverRanks::most:
            number = std::max(number, more);
            break;
          case OverRanks::least:
            number = std::min(number, more);
            break;
          case OverRanks::mean:
            number = more;
        }
      },
      all, next);
}

}  // namespace overlapack
