#pragma once
#include "overlapack/scalar.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

/// Lists of figures: the counters and times of solvers. A list is a struct, and each line in it (OVERLAPACK_FIGURE) makes four things:
/// the member that a solver increments and that Report holds, its sum over ranks, its entry in the report's JSON, and its row in
/// docs/report.md. The macro records a line by its __LINE__; figures_of<S> collects all lines of S.
namespace overlapack {

/// How the values of all ranks become one figure; `same`: all ranks have the same value, or only rank 0 has it.
enum class OverRanks : std::uint8_t { same, sum, most, least, mean };

/// The description of one figure of list S.
template <class S>
struct Figure {
  std::variant<Index S::*, double S::*> member;
  std::string_view entry;  ///< its name in the report; "pivots.delayed": delayed in the object pivots
  OverRanks over;
  std::string_view help;        ///< with its unit
  std::string_view label = {};  ///< what the text of the command line calls a count above 0
  bool is_whole = false;        ///< bytes and operations: held as double, printed as a whole number
};

/// Begin and end the list in struct S. The lines of a list are the source lines between them.
#define OVERLAPACK_FIGURES(S) \
  using Self = S;             \
  static constexpr int first_line = __LINE__
#define OVERLAPACK_FIGURES_END static constexpr int last_line = __LINE__
/// Declare the figure `name` of type Index or double. over_ranks is an enumerator of OverRanks. The help text follows, and then, if
/// needed, .label and .is_whole. One figure on each source line.
#define OVERLAPACK_FIGURE(type, name, over_ranks, ...) \
  OVERLAPACK_FIGURE_AS(type, name, #name, over_ranks, __VA_ARGS__)
/// OVERLAPACK_FIGURE for a figure whose name in the report differs from the member's.
#define OVERLAPACK_FIGURE_AS(type, name, in_report, over_ranks, ...)                                        \
  static constexpr Figure<Self> figure(std::integral_constant<int, __LINE__>) {                             \
    return {.member = &Self::name, .entry = in_report, .over = OverRanks::over_ranks, .help = __VA_ARGS__}; \
  }                                                                                                         \
  type name = 0

/// Whether list S has a figure at this line of the source file.
template <class S, int line>
inline constexpr bool has_figure = requires {
  S::figure(std::integral_constant<int, line>());
};

/// All figures of list S, as an array in the order of their lines.
template <class S>
inline constexpr auto figures_of = []<int... line>(std::integer_sequence<int, line...>) {
  std::array<Figure<S>, (has_figure<S, S::first_line + line> + ...)> all{};
  auto next = all.begin();
  const auto take = [&]<int l>(std::integral_constant<int, l> at) {
    if constexpr (has_figure<S, l>) *next++ = S::figure(at);
  };
  (take(std::integral_constant<int, S::first_line + line>()), ...);
  return all;
}
(std::make_integer_sequence<int, S::last_line - S::first_line>());

}  // namespace overlapack
