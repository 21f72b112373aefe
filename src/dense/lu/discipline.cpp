#include "dense/lu/discipline.hpp"

#include "overlapack/error.hpp"

#include <string>

namespace overlapack::dense {
namespace {

enum class Pair : std::uint8_t { built, planned, never };
using enum Pair;

/// Parity and hybrid move messages on some ranks while others compute: nobody waits for a one-sided transfer, and supersteps
/// communicate all at once.
constexpr Pair pairs[std::size(choice_names<Discipline>)][std::size(choice_names<Schedule>)] = {
    //              flat     look-ahead split    parity hybrid
    /* messages  */ {built, built, built, built, built},
    /* onesided  */ {built, planned, planned, never, never},
    /* superstep */ {built, planned, never, never, never},
};

}  // namespace

void require_pair(Discipline discipline, Schedule schedule) {
  const auto d = static_cast<std::size_t>(discipline), s = static_cast<std::size_t>(schedule);
  if (pairs[d][s] == built) return;
  const std::string pair = "the schedule " + std::string(choice_names<Schedule>[s]) + " by the discipline " +
                           std::string(choice_names<Discipline>[d]);
  throw Error(ErrorKind::bad_plan, "lu",
              pair + (pairs[d][s] == planned ? " is not built yet" : " makes no sense") +
                  "; choose the discipline messages");
}

void require_pair(Discipline discipline, PivotSearch search) {
  if (search == PivotSearch::combined || discipline == Discipline::superstep) return;
  throw Error(ErrorKind::bad_plan, "lu",
              "pivot_search columns is built for the discipline superstep; choose combined for " +
                  std::string(to_string(discipline)));
}

}  // namespace overlapack::dense
