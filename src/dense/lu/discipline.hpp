#pragma once
#include "overlapack/choices.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace overlapack::dense {

/// How the data of an LU move: the folders of dist/moves.
enum class Discipline : std::uint8_t { messages, onesided, superstep };
inline constexpr std::string_view discipline_names[] = {"messages", "onesided", "superstep"};

using overlapack::Schedule;

/// Errors  BadPlan for a pair that is not built yet, or that makes no sense
void require_pair(Discipline discipline, Schedule schedule);

/// The disciplines of which nothing is built: options refuse their names as those of schedules.
std::vector<std::string_view> planned_disciplines();

}  // namespace overlapack::dense
