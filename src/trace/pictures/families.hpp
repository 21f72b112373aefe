#pragma once
#include "overlapack/trace.hpp"

#include <array>
#include <string_view>
#include <vector>

/// Families of events: the kinds of work that the pictures and their sentences tell apart, each with the same colour everywhere.
namespace overlapack::trace {

/// In the order in which legends and bars show them.
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

/// Name and colour of a family. Colours differ by at least 12.5 (CIEDE2000), to colour-blind eyes too.
struct FamilyLook {
  std::string_view name;
  std::string_view colour;
  std::string_view text_colour;  ///< of text on that colour
};
const FamilyLook& look_of(Family family);

Family family_of(const Event& event);

/// Timeline::analysis_s as an event.
Event analysis_event(const Timeline& timeline);

/// Seconds by family for each rank, in the order of Timeline::totals(). What the analysis and the recorded events leave of
/// elapsed_s is idle. A timeline without events has only sums, so all its computing is Family::other.
std::vector<FamilySeconds> family_seconds(const Timeline& timeline, double elapsed_s);

/// Length of the timeline, analysis included.
double elapsed_s(const Timeline& timeline);

}  // namespace overlapack::trace
