#pragma once
#include "overlapack/trace.hpp"

#include <array>
#include <string_view>
#include <vector>

/// What pictures and sentences tell apart: kinds of work that a reader knows, each with a colour that it has everywhere.
namespace overlapack::trace {

/// In the order of legends and bars.
enum class Family : std::uint8_t {
  analysis,
  parts,
  panels,
  products,
  entries,
  solves,
  checks,
  other,
  messages,
  wait,
  idle
};
inline constexpr std::size_t family_count = 11;
using FamilySeconds = std::array<double, family_count>;

/// "waiting", and a colour, which seen by colour-blind eyes, too, are 12.5 apart (CIEDE2000).
struct FamilyLook {
  std::string_view name;
  std::string_view colour;
  std::string_view text_colour;  ///< of what is written on it
};
const FamilyLook& look_of(Family family);

Family family_of(const Event& event);

/// Timeline::analysis_s as an event.
Event analysis_of(const Timeline& timeline);

/// Of each rank, in the order of totals(): analysis and recorded events, and what is left of elapsed_s as idle. A timeline without
/// events has only sums: all computing is Family::other.
std::vector<FamilySeconds> family_seconds(const Timeline& timeline, double elapsed_s);

/// With the analysis.
double elapsed_s(const Timeline& timeline);

}  // namespace overlapack::trace
