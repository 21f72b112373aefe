#include "api/refine/operation.hpp"
#include "api/refine/refinement.hpp"
#include "api/refine/report_figures.hpp"
#include "api/run/stopwatch.hpp"
#include "api/sparse/batch.hpp"
#include "base/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace overlapack {

namespace lane = sparse::batch;

template <class T>
void Batch<T>::Implementation::require_right_hand_sides(std::span<const T> b, Index nrhs) {
  const Index n = pattern.cols;
  const auto size = static_cast<Index>(b.size()), unknowns = n * report.systems;
  const bool is_whole = unknowns > 0 ? size % unknowns == 0 && size / unknowns == nrhs : size == 0;
  if (nrhs < 0 || !is_whole)
    throw Error(Status::bad_input, "the right-hand sides have " + std::to_string(b.size()) +
                                       " numbers, but there are " + std::to_string(report.systems) +
                                       " systems of " + std::to_string(n) + " unknowns with " +
                                       std::to_string(nrhs) + " each; give a number for each unknown");
  if (unknowns == 0) return;
  const std::size_t own = static_cast<std::size_t>(n * nrhs);
  const auto is_refused = [&](Index k) {
    const auto at = static_cast<std::size_t>(k);
    return status[at] == Status::ok && !api::all_finite(b.subspan(at * own, own));
  };
  const std::vector<Index> refused = tasks->of_ranges(
      report.systems,
      [&](Index first, Index end) {
        while (first < end && !is_refused(first)) ++first;
        return first < end ? first : report.systems;
      },
      plan.systems_per_part(own));
  const auto first = std::ranges::min_element(refused);
  if (first != refused.end() && *first < report.systems)
    throw Error(Status::bad_input,
                "a right-hand side of system " + std::to_string(*first) +
                    " (from 0) is not finite; remove NaN and infinity, or leave the system out");
}

/// Solve and refine all lanes of a group. A lane goes on until it reaches its target or no longer improves.
/// weight: becomes |A| |x| + |b| of the last x that was tried
template <class T>
lane::Lanes<double> Batch<T>::Implementation::solve_and_refine(
    const lane::LaneLu<T>& factors, kernels::Op op, const LargeVector<lane::Lanes<T>>& b,
    LargeVector<lane::Lanes<T>>& x, LargeVector<lane::Lanes<Real<T>>>& weight) const {
  LargeVector<lane::Lanes<T>> room, r, better;
  const double target = options.refinement.target > 0 ? options.refinement.target
                                                      : 2.0 * std::numeric_limits<Real<T>>::epsilon();
  x = b;
  factors.substitute(op, x, room);
  lane::Lanes<double> error = factors.residual(op, b, x, r, weight);
  lane::LaneMask goes_on{};  // each lane by its own errors
  for (Index l = 0; l < lane::lanes; ++l) {
    const auto at = static_cast<std::size_t>(l);
    goes_on[at] = factors.passed_lanes()[at] && !(error[l] <= target);
  }
  for (int step = 0; step < options.refinement.steps && std::ranges::find(goes_on, true) != goes_on.end();
       ++step) {
    factors.substitute(op, r, room);
    better = x;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (Index l = 0; l < lane::lanes; ++l) better[i][l] += r[i][l];
    const lane::Lanes<double> now = factors.residual(op, b, better, r, weight);
    for (Index l = 0; l < lane::lanes; ++l) {
      bool& goes = goes_on[static_cast<std::size_t>(l)];
      if (!goes) continue;
      goes = now[l] <= plan.slowest * error[l] && !(now[l] <= target);
      if (!(now[l] < error[l])) continue;
      error[l] = now[l];
      for (std::size_t i = 0; i < x.size(); ++i) x[i][l] = better[i][l];
    }
  }
  return error;
}

namespace {

/// Raise ResidualColumn::envelope of each lane. A lane whose x is zero or has NaN is left out.
template <class T>
void raise_envelope(const LargeVector<lane::Lanes<T>>& x, const LargeVector<lane::Lanes<Real<T>>>& weight,
                    LargeVector<lane::Lanes<Real<T>>>& envelope) {
  constexpr auto most = std::numeric_limits<Real<T>>::max();
  lane::Lanes<Real<T>> size;
  for (const lane::Lanes<T>& row : x) lane::update_largest(size, row);
  for (std::size_t i = 0; i < x.size(); ++i) {
    lane::Lanes<Real<T>> share;
    for (Index l = 0; l < lane::lanes; ++l) share[l] = std::min(weight[i][l] / size[l], most);
    lane::update_largest(envelope[i], share);
  }
}

}  // namespace

/// Raise sizes to the largest |op(A)(i, j)| of each row.
template <class T>
void Batch<T>::Implementation::raise_to_row_maxima(Index group, kernels::Op op,
                                                   LargeVector<lane::Lanes<Real<T>>>& sizes) const {
  std::array<const T*, static_cast<std::size_t>(lane::lanes)> own;
  for (Index l = 0; l < lane::lanes; ++l)  // behind the last system: its values once more
    own[static_cast<std::size_t>(l)] =
        values_of(std::min(group * lane::lanes + l, report.systems - 1)).data();
  for (Index j = 0; j < pattern.cols; ++j)
    for (Index k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      const Index row = op == kernels::Op::none ? pattern.row[k] : j;
      lane::Lanes<T> entry;
      for (std::size_t l = 0; l < own.size(); ++l) entry.of[l] = own[l][k];
      lane::update_largest(sizes[static_cast<std::size_t>(row)], entry);
    }
}

/// The change of x, as the largest entry of each lane, by changes in the last digits of rows of these sizes; infinite if it overflows.
template <class T>
lane::Lanes<double> Batch<T>::Implementation::change_by_digits(
    Index group, kernels::Op op, const LargeVector<lane::Lanes<Real<T>>>& sizes) const {
  LargeVector<lane::Lanes<T>> change(sizes.size()), room;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (Index l = 0; l < lane::lanes; ++l) change[i][l] = digits[i] * sizes[i][l];
  lanes_lu[static_cast<std::size_t>(group)].substitute(op, change, room);
  lane::Lanes<Real<T>> largest, sum;  // sum: NaN where a change is
  for (const lane::Lanes<T>& row : change) {
    lane::update_largest(largest, row);
    for (Index l = 0; l < lane::lanes; ++l) sum[l] += std::abs(row[l]);
  }
  lane::Lanes<double> most;
  for (Index l = 0; l < lane::lanes; ++l)
    most[l] = std::isnan(sum[l]) ? std::numeric_limits<double>::infinity() : largest[l];
  return most;
}

/// Test whether changes in the last digits of A and B change X too much, as for single systems (DigitTest), over all columns of X. Lanes
/// whose factors pass for any x are not tested again.
template <class T>
void Batch<T>::Implementation::test_lanes(Index group, kernels::Op op,
                                          const LargeVector<lane::Lanes<Real<T>>>& envelope) {
  using api::DigitTest;
  TestedLanes& tested = tested_lanes[static_cast<std::size_t>(group)];
  auto& next = tested.next_of(op);
  if (std::ranges::find(next, DigitTest::of_any) != next.end()) {
    LargeVector<lane::Lanes<Real<T>>> sizes = envelope;
    raise_to_row_maxima(group, op, sizes);
    const lane::Lanes<double> change = change_by_digits(group, op, sizes);
    for (std::size_t l = 0; l < next.size(); ++l)
      next[l] = api::next_test<T>(next[l], {.of_any = change.of[l]});
  }
  if (std::ranges::find(next, DigitTest::of_these) == next.end()) return;
  const lane::Lanes<double> change = change_by_digits(group, op, envelope);
  for (std::size_t l = 0; l < next.size(); ++l)
    tested.in_doubt[l] = next[l] == DigitTest::of_these && !(change.of[l] <= api::most_error_of_x<T>());
}

template <class T>
void Batch<T>::Implementation::solve_group(Index group, std::span<const T> b, Index nrhs, kernels::Op op,
                                           BatchSolution<T>& solution) {
  const lane::LaneLu<T>& factors = lanes_lu[static_cast<std::size_t>(group)];
  const auto n = static_cast<std::size_t>(pattern.cols);
  TestedLanes& tested = tested_lanes[static_cast<std::size_t>(group)];
  tested.in_doubt = {};
  const bool is_tested =
      nrhs > 0 && std::ranges::any_of(tested.next_of(op), [](auto t) { return t != api::DigitTest::none; });
  LargeVector<lane::Lanes<T>> side(n), x;
  LargeVector<lane::Lanes<Real<T>>> weight, envelope(is_tested ? n : 0);
  for (Index column = 0; column < nrhs; ++column) {
    const auto at = [&](Index l) {
      return static_cast<std::size_t>((group * lane::lanes + l) * nrhs + column) * n;
    };
    const auto is_there = [&](Index l) { return factors.passed_lanes()[static_cast<std::size_t>(l)]; };
    for (Index l = 0; l < lane::lanes; ++l)
      for (std::size_t i = 0; i < n; ++i) side[i][l] = is_there(l) ? b[at(l) + i] : T(0);
    const lane::Lanes<double> error = solve_and_refine(factors, op, side, x, weight);
    if (is_tested) raise_envelope<T>(x, weight, envelope);
    for (Index l = 0; l < lane::lanes; ++l) {
      if (!is_there(l)) continue;
      for (std::size_t i = 0; i < n; ++i) solution.x[at(l) + i] = x[i][l];
      double& worst = solution.backward_error[static_cast<std::size_t>(group * lane::lanes + l)];
      if (column == 0 || !(error[l] <= worst)) worst = error[l];
    }
  }
  if (is_tested) test_lanes(group, op, envelope);
}

template <class T>
void Batch<T>::Implementation::solve_one_system(Index system, std::span<const T> b, Index nrhs, Transpose op,
                                                BatchSolution<T>& solution) {
  const auto k = static_cast<std::size_t>(system);
  const std::size_t own = static_cast<std::size_t>(pattern.cols * nrhs);
  std::fill_n(solution.x.begin() + static_cast<std::ptrdiff_t>(k * own), own,
              T(std::numeric_limits<Real<T>>::quiet_NaN()));
  solution.backward_error[k] = std::numeric_limits<double>::quiet_NaN();
  watch.report_progress("solve", lu ? 1 : static_cast<double>(system) / static_cast<double>(report.systems));
  try {
    auto found = alone.find(system);
    if (found == alone.end()) found = alone.emplace(system, factorize_one_system(system, 1)).first;
    Solution<T> solved = found->second.solve(b.subspan(k * own, own), nrhs, op);
    solution.status[k] = solved.report.status;
    solution.backward_error[k] = solved.report.backward_error;
    if (solved.report.unsolved_columns == 0)
      std::ranges::copy(solved.x, solution.x.begin() + static_cast<std::ptrdiff_t>(k * own));
  } catch (const Error& error) {
    watch.throw_if_stopped();
    if (error.status() == Status::cancelled) throw;
    solution.status[k] = error.status();
  }
}

template <class T>
BatchSolution<T> Batch<T>::Implementation::solve(std::span<const T> b, Index nrhs, Transpose op) {
  const api::Stopwatch time;
  require_factors();
  require_right_hand_sides(b, nrhs);
  BatchSolution<T> solution{std::vector<T>(b.size(), T(std::numeric_limits<Real<T>>::quiet_NaN())), status,
                            std::vector<double>(status.size(), std::numeric_limits<double>::quiet_NaN())};
  if (lu) for_groups("solve", 1, [&](Index group) { solve_group(group, b, nrhs, api::op_of(op), solution); });
  const double accuracy = api::accuracy_of(options, std::numeric_limits<Real<T>>::epsilon());
  for (Index k = 0; k < report.systems; ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (status[at] != Status::ok || nrhs == 0) continue;
    if (!has_lane_factors(k) || !(solution.backward_error[at] <= accuracy) || is_in_doubt(k))
      solve_one_system(k, b, nrhs, op, solution);
  }
  report.solve_s = time.seconds();
  return solution;
}

#define OVERLAPACK_INSTANTIATE(T) \
  template BatchSolution<T> Batch<T>::Implementation::solve(std::span<const T>, Index, Transpose);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
