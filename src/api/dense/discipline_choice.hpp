#pragma once
#include "api/dense/dense_plan.hpp"
#include "comm/rank.hpp"
#include "dist/moves/move_times.hpp"

namespace overlapack::api {

/// The problem, as far as the choice of a discipline depends on it.
struct DisciplineProblem {
  Index n = 0;
  std::size_t entry_bytes = sizeof(double);
  bool is_complex = false;
  bool may_stand_in_window = false;  ///< its memory is still to be allocated, and may be a window
};

template <class T>
DisciplineProblem problem_of(Index n, bool may_stand_in_window) {
  return {n, sizeof(T), ScalarTraits<T>::is_complex, may_stand_in_window};
}

/// A discipline other than messages has to be predicted faster by this factor, the accuracy of the predictions.
inline constexpr double discipline_worth = 1.1;

/// `plan` with the discipline predicted to be fastest, and with `choice`, what was compared; unchanged if the options name a
/// discipline. The same on every rank.
/// Sync    collective over the team if the discipline is auto
/// Cost    that of dist::measured_moves, none on one rank
DensePlan choose_discipline(comm::Rank& rank, const Options& options, const DisciplineProblem& problem,
                            DensePlan plan);

/// The same from given costs of moves.
DensePlan choose_discipline(const dist::MoveTimes& times, const Options& options,
                            const DisciplineProblem& problem, DensePlan plan);

}  // namespace overlapack::api
