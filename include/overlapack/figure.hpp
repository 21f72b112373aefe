#pragma once
#include "overlapack/scalar.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

/// What solvers count. One line of a list here makes the member that a solver increments and that Report holds, its sum over
/// ranks, and its entry in the report's JSON and in docs/report.md.
namespace overlapack {

/// How a figure of each rank becomes one of all ranks; `same`: all have the same, or only rank 0 has it.
enum class OverRanks : std::uint8_t { same, sum, most, least, mean };

/// A line of list S.
template <class S>
struct Figure {
  std::variant<Index S::*, double S::*> member;
  std::string_view entry;  ///< its name in the report; "pivots.delayed": delayed in the object pivots
  OverRanks over;
  std::string_view help;        ///< with its unit
  std::string_view label = {};  ///< what the text of the command line calls a count above 0
  bool is_whole = false;        ///< bytes and operations: held as double, printed as a whole number
};

/// The first and the last line of list S.
#define OVERLAPACK_FIGURES(S) \
  using Self = S;             \
  static constexpr int first_line = __LINE__
#define OVERLAPACK_FIGURES_END static constexpr int last_line = __LINE__
/// A line: type (Index, double), name, over ranks, help; then .label, .is_whole where it has one.
#define OVERLAPACK_FIGURE(type, name, over_ranks, ...) \
  OVERLAPACK_FIGURE_AS(type, name, #name, over_ranks, __VA_ARGS__)
/// The same with another name in the report.
#define OVERLAPACK_FIGURE_AS(type, name, in_report, over_ranks, ...)                                        \
  static constexpr Figure<Self> figure(std::integral_constant<int, __LINE__>) {                             \
    return {.member = &Self::name, .entry = in_report, .over = OverRanks::over_ranks, .help = __VA_ARGS__}; \
  }                                                                                                         \
  type name = 0

/// Has list S a figure at this line of the file?
template <class S, int line>
inline constexpr bool has_figure = requires {
  S::figure(std::integral_constant<int, line>());
};

/// The lines of list S.
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
