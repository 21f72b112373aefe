#pragma once
#include "instance.hpp"

/// The answers of an instance by its factors: solutions, null spaces, entries of the inverse, and solves with a Schur complement.
namespace overlapack::dropins::mumps {

template <class T, class Id>
void Instance<T, Id>::solve(Id& id) {
  if (controls_.of(26) > 0 && schur_.size() == 0)
    throw Refusal(no_schur, controls_.of(26),
                  "ICNTL(26) asks for a Schur complement, but the analysis had none");
  const bool has_schur = schur_.has_factors();
  if (!has_schur && (!factors_ || !factors_->has_factors()))
    throw Refusal(bad_job, id.job, "there are no factors; call job 2 before job 3");
  if (controls_.nrhs < 1)
    throw Refusal(no_rhs, controls_.nrhs,
                  "nrhs is " + std::to_string(controls_.nrhs) + "; give how many right-hand sides there are");
  if (has_schur) return solve_with_schur(id);
  if (controls_.wants_inverse()) return copy_inverse_to_caller(id);
  if (controls_.of(25) != 0) return copy_null_space_to_caller(id);
  const bool is_local = controls_.has_distributed_solution();
  const CallerVectors<T, Id> callers = vectors(id);
  const RowPart<T> b = callers.right_hand_sides();
  callers.require_room_for_solution();
  const SolutionRows wanted = is_local ? SolutionRows{SolutionRows::Where::chosen, {callers.own_rows()}}
                                       : SolutionRows{SolutionRows::Where::first_rank, {}};
  factors_->factors().set_refinement_steps(controls_.refinement_steps());
  const auto solution = factors_->factors().solve_distributed(
      {&b, 1}, wanted, controls_.of(9) == 1 ? Transpose::none : Transpose::trans);
  callers.copy_to_caller(solution.x.front());
  id.infog[14] = static_cast<int>(solution.report.iterations_max);
  if (solution.report.status == Status::singular) throw Refusal(is_singular, 0, solution.report.message);
  if (solution.report.status == Status::inaccurate && controls_.of(10) > 0) {
    id.info[0] = 8;  // MUMPS's warning that refinement wants more than ICNTL(10) steps
    last_message = solution.report.message;
  }
}

/// Serves ICNTL(25): returns null vectors instead of a solution, all of them (-1) or the one with that number. They are v with A v = 0 or, if
/// ICNTL(9) is not 1, with A^T v = 0. Right-hand sides are not read.
template <class T, class Id>
void Instance<T, Id>::copy_null_space_to_caller(Id& id) {
  const int asked = controls_.of(25);
  const std::string found = std::to_string(deficiency_);
  if (asked < -1 || asked > deficiency_)
    throw Refusal(bad_null_space, asked,
                  "ICNTL(25) is " + std::to_string(asked) + ", but the null space that was found has " +
                      found +
                      " vectors; set -1 for all, or the number of one, and ICNTL(24) to 1 before job 2");
  const Index columns = asked == -1 ? deficiency_ : 1, first = asked == -1 ? 0 : asked - 1;
  if (columns == 0) return;
  if (controls_.nrhs != columns)
    throw Refusal(bad_nrhs, controls_.nrhs,
                  "nrhs is " + std::to_string(controls_.nrhs) + "; give " + std::to_string(columns) +
                      " columns for the vectors of the null space that ICNTL(25) asks for");
  const CallerVectors<T, Id> callers = vectors(id);
  callers.require_room_for_solution();
  const bool is_right = controls_.of(9) == 1 || controls_.sym != 0;
  const std::vector<T> basis = factors_->factors().null_space(is_right ? Transpose::none : Transpose::trans);
  RowPart<T> part;
  part.rows = controls_.has_distributed_solution() ? callers.own_rows() : callers.all_rows().rows;
  for (Index j = first; j < first + columns; ++j)
    for (const Index i : part.rows)
      part.values.push_back(basis[static_cast<std::size_t>(i + j * controls_.n)]);
  callers.copy_to_caller(part);
}

/// Serves ICNTL(30): writes the entries of A^{-1} at the positions of the sparse right-hand sides. As in MUMPS, ICNTL(9) has no effect.
template <class T, class Id>
void Instance<T, Id>::copy_inverse_to_caller(Id& id) {
  if (controls_.of(25) != 0)
    throw Refusal(
        inverse_with, 25,
        "ICNTL(30) asks for entries of the inverse, and ICNTL(25) for a null space; set one of them to 0");
  if (controls_.nrhs != controls_.n)
    throw Refusal(bad_inverse_nrhs, controls_.nrhs,
                  "nrhs is " + std::to_string(controls_.nrhs) +
                      "; entries of the inverse have a column for each of the " +
                      std::to_string(controls_.n) + " variables");
  const CallerVectors<T, Id> callers = vectors(id);
  std::vector<Index> rows, columns;
  callers.for_each_sparse([&](Index, Index i, Index j) { rows.push_back(i), columns.push_back(j); });
  callers.copy_sparse_to_caller(factors_->factors().inverse_entries(rows, columns));
}

template <class T, class Id>
void Instance<T, Id>::solve_with_schur(Id& id) {
  if (controls_.wants_inverse())
    throw Refusal(inverse_with, 19,
                  "ICNTL(30) asks for entries of the inverse, but there is a Schur complement");
  if (controls_.of(25) != 0)
    throw Refusal(null_space_with, 19, "ICNTL(25) asks for a null space, but there is a Schur complement");
  const int step = std::max(0, controls_.of(26));
  const Index nrhs = controls_.nrhs, ld = nrhs > 1 ? controls_.lredrhs : schur_.size();
  if (step > 0 && ld < schur_.size())
    throw Refusal(bad_lredrhs, controls_.lredrhs, "lredrhs is below size_schur");
  if (controls_.has_distributed_rhs() || controls_.has_distributed_solution())
    throw Refusal(not_here, controls_.has_distributed_rhs() ? 20 : 21,
                  "with a Schur complement right-hand sides and solutions are on the host: set ICNTL(20) "
                  "below 10 and ICNTL(21) to 0");
  const CallerVectors<T, Id> callers = vectors(id);
  callers.require_room_for_solution();
  require(processes_, step == 0 || !is_host() || id.redrhs, 15, "redrhs");
  auto* reduced = reinterpret_cast<T*>(is_host() ? id.redrhs : nullptr);
  // the expansion uses the b stored by the reduction: the caller may have freed or overwritten its arrays
  RowPart<T> x = step == 2 ? callers.all_rows() : callers.right_hand_sides();
  if (step == 1) return schur_.reduce(std::move(x.values), nrhs, reduced, ld);
  x.values = step == 2 ? schur_.expand(reduced, ld, nrhs, is_host()) : schur_.solve_interior(x.values, nrhs);
  callers.copy_to_caller(x);
}

}  // namespace overlapack::dropins::mumps
