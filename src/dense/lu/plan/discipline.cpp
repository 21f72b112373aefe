#include "dense/lu/plan/discipline.hpp"

#include "overlapack/error.hpp"

#include <string>

namespace overlapack::dense {
namespace {

enum class Pair : std::uint8_t { built, never };
using enum Pair;

/// Parity and hybrid hide the waits for messages, on some ranks or threads while others compute. With one-sided transfers nobody waits,
/// and in supersteps all ranks communicate at once, so that these pairs make no sense.
constexpr Pair pairs[std::size(choice_names<Discipline>)][std::size(choice_names<Schedule>)] = {
    //              flat     look-ahead split    parity hybrid pipelined
    /* messages  */ {built, built, built, built, built, never},
    /* onesided  */ {built, built, built, never, never, never},
    /* superstep */ {built, built, never, never, never, never},
};

}  // namespace

void require_discipline_for_schedule(Discipline discipline, Schedule schedule) {
  const auto d = static_cast<std::size_t>(discipline), s = static_cast<std::size_t>(schedule);
  if (pairs[d][s] == built) return;
  const std::string pair = "the schedule " + std::string(choice_names<Schedule>[s]) + " by the discipline " +
                           std::string(choice_names<Discipline>[d]);
  std::string why = " makes no sense; choose the discipline messages";
  if (schedule == Schedule::pipelined)
    why = " is for sparse matrices, by method supernodal; choose the schedule lookahead";
  throw Error(Status::bad_plan, pair + why);
}

void require_search_for_schedule(PivotSearch search, Schedule schedule) {
  if (search == PivotSearch::columns && schedule != Schedule::flat)
    throw Error(Status::bad_plan, "pivot_search columns is the form of the schedule flat; choose it");
}

void require_swap_for_discipline(SwapKind swap, Discipline discipline, Schedule schedule) {
  const bool is_by_messages = discipline == Discipline::messages,
             is_by_all = swap == SwapKind::direct || swap == SwapKind::pairwise;
  if (swap == SwapKind::shared && discipline != Discipline::superstep)
    throw Error(
        Status::bad_plan,
        "interchange shared is one superstep; choose the discipline superstep, or another interchange");
  if (!is_by_messages && !is_by_all && swap != SwapKind::shared)
    throw Error(Status::bad_plan,
                "the discipline " + std::string(to_string(discipline)) +
                    " interchanges rows direct or pairwise, or shared in supersteps; choose messages for " +
                    std::string(to_string(swap)));
  if (swap == SwapKind::pairwise && schedule != Schedule::flat)
    throw Error(Status::bad_plan, "interchange pairwise is the form of the schedule flat; choose it");
}

}  // namespace overlapack::dense
