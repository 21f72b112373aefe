#pragma once
#include "overlapack/sparse_figures.hpp"

#include <algorithm>
#include <type_traits>

/// Loops over the figures of a report.
namespace overlapack {

/// Call fn(figure, its value in each of `objects`...) for every figure of S, which is SparseFigures or one of its parts.
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

/// Add the figures of the next matrix or right-hand side to those of `all`: keeps the extreme of a maximum or minimum and the
/// latest value of a mean, and sums the rest.
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
