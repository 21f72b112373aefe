#pragma once
#include "api/dense/dense_plan.hpp"
#include "comm/rank.hpp"
#include "dist/moves/move_times.hpp"

namespace overlapack::api {

/// The properties of a problem that the choice of a discipline depends on.
struct DisciplineProblem {
  Index n = 0;
  std::size_t entry_bytes = sizeof(double);
  bool is_complex = false;
  bool may_stand_in_window = false;  ///< its memory is not allocated yet, and may be a window
};

template <class T>
DisciplineProblem problem_of(Index n, bool may_stand_in_window) {
  return {n, sizeof(T), ScalarTraits<T>::is_complex, may_stand_in_window};
}

/// Another discipline than messages is chosen only if it is predicted faster by this factor, the accuracy of the predictions.
inline constexpr double discipline_worth = 1.1;

/// `plan` with the discipline that is predicted to be fastest, and with the comparison in `choice`. The plan is unchanged if the options
/// name a discipline. The result is the same on every rank.
/// Sync    collective over the team if the discipline is auto
/// Cost    that of dist::measured_moves, none on one rank
DensePlan choose_discipline(comm::Rank& rank, const Options& options, const DisciplineProblem& problem,
                            DensePlan plan);

/// choose_discipline with given costs of moves instead of measured ones.
DensePlan choose_discipline(const dist::MoveTimes& times, const Options& options,
                            const DisciplineProblem& problem, DensePlan plan);

}  // namespace overlapack::api
