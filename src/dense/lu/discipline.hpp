#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace overlapack::dense {

/// How the data of an LU move: the folders of dist/moves.
enum class Discipline : std::uint8_t { messages, onesided, superstep };
inline constexpr std::string_view discipline_names[] = {"messages", "onesided", "superstep"};

/// In which order the tasks of an LU step run.
enum class Schedule : std::uint8_t {
  flat,  ///< paper 2, Table 1: factor, broadcast, interchange, solve, update; all ranks in the same phase
  look_ahead,  ///< `depth` panels are factorised and on their way before the trailing matrix is updated
  split,  ///< look-ahead, and the update in two halves: the rows of one are interchanged while the other computes
  parity,  ///< paper 2, Fig. 7: the ranks of a node in opposite phases
  hybrid,  ///< one rank a node: helper threads compute while the rank itself moves messages
};
inline constexpr std::string_view schedule_names[] = {"flat", "lookahead", "split", "parity", "hybrid"};

/// Errors  BadPlan for a pair that is not built yet, or that makes no sense
void require_pair(Discipline discipline, Schedule schedule);

/// The disciplines of which nothing is built: options refuse their names as those of schedules.
std::vector<std::string_view> planned_disciplines();

}  // namespace overlapack::dense
