#include "dense/lu/discipline.hpp"

#include "overlapack/error.hpp"

#include <algorithm>
#include <string>

namespace overlapack::dense {
namespace {

enum class Pair : std::uint8_t { built, planned, never };
using enum Pair;

/// Parity and hybrid move messages on some ranks while others compute: nobody waits for a one-sided transfer, and supersteps
/// communicate all at once.
constexpr Pair pairs[std::size(discipline_names)][std::size(choice_names<Schedule>)] = {
    //              flat     look-ahead split    parity hybrid pipelined
    /* messages  */ {built, built, built, built, built, never},
    /* onesided  */ {planned, planned, planned, never, never, never},
    /* superstep */ {planned, planned, never, never, never, never},
};

}  // namespace

void require_pair(Discipline discipline, Schedule schedule) {
  const auto d = static_cast<std::size_t>(discipline), s = static_cast<std::size_t>(schedule);
  if (pairs[d][s] == built) return;
  const std::string pair = "the schedule " + std::string(choice_names<Schedule>[s]) + " by the discipline " +
                           std::string(discipline_names[d]);
  std::string why = " makes no sense; choose the discipline messages";
  if (pairs[d][s] == planned) why = " is not built yet; choose the discipline messages";
  if (schedule == Schedule::pipelined)
    why = " is for sparse matrices, by method supernodal; choose the schedule lookahead";
  throw Error(ErrorKind::bad_plan, "lu", pair + why);
}

std::vector<std::string_view> planned_disciplines() {
  std::vector<std::string_view> names;
  for (std::size_t d = 0; d < std::size(discipline_names); ++d)
    if (std::ranges::find(pairs[d], built) == std::end(pairs[d])) names.push_back(discipline_names[d]);
  return names;
}

}  // namespace overlapack::dense
