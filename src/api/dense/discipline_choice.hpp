#pragma once
#include "api/dense/dense_plan.hpp"
#include "comm/rank.hpp"
#include "dist/moves/move_times.hpp"

namespace overlapack::api {

/// What is to be factorised, where the discipline may depend on it.
struct DisciplineProblem {
  Index n = 0;
  std::size_t entry_bytes = sizeof(double);
  bool is_complex = false;
  bool may_stand_in_window = false;  ///< its memory is not there yet, and can be made in a window
};

template <class T>
DisciplineProblem problem_of(Index n, bool may_stand_in_window) {
  return {n, sizeof(T), ScalarTraits<T>::is_complex, may_stand_in_window};
}

/// Another discipline than messages has to be predicted so many times faster, since predictions are no better than that.
inline constexpr double discipline_worth = 1.1;

/// plan, with the discipline that is predicted to be fastest, and `choice`, which tells what was compared; as it is where the
/// options name a discipline. The same on every rank.
/// Sync    collective over the team where the options leave the discipline open
/// Cost    that of dist::measured_moves, none on one rank
DensePlan with_discipline(comm::Rank& rank, const Options& options, const DisciplineProblem& problem,
                          DensePlan plan);

/// The same from given costs of moves.
DensePlan with_discipline(const dist::MoveTimes& times, const Options& options,
                          const DisciplineProblem& problem, DensePlan plan);

}  // namespace overlapack::api
