#pragma once
#include "api/plan/prepare.hpp"
#include "api/refine/refinement.hpp"
#include "api/sparse/batch_plan.hpp"
#include "api/sparse/batch_watch.hpp"
#include "base/public_call.hpp"
#include "comm/call_mutex.hpp"
#include "comm/tasks.hpp"
#include "overlapack/batch.hpp"
#include "overlapack/overlapack.hpp"
#include "sparse/batch/lane_lu.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace overlapack {

namespace api {

/// Whether all values are finite. It has no branch, so that the compiler uses SIMD: x - x is 0 for finite numbers only.
template <class T>
bool all_finite(std::span<const T> values) {
  constexpr std::size_t together = 8;
  std::array<T, together> sum{};
  std::size_t k = 0;
  for (; k + together <= values.size(); k += together)
    for (std::size_t l = 0; l < together; ++l) sum[l] += values[k + l] - values[k + l];
  for (; k < values.size(); ++k) sum[0] += values[k] - values[k];
  return std::ranges::count(sum, T(0)) == together;
}

}  // namespace api

template <class T>
struct Batch<T>::Implementation {
  Implementation(SparseMatrix<T> given, std::span<const T> given_values, const Options& chosen,
                 std::span<const std::uint8_t> wanted);

  /// Return work(), run as one public call: calls from several threads are serialised, and the time limit starts here.
  template <class Work>
  decltype(auto) locked_call(call::Name name, Work&& work) {
    const comm::CallLock turn(calls);
    watch.begin_call();
    return public_call(name, std::forward<Work>(work));
  }

  // ---- Systems

  std::span<const T> values_of(Index system) const {
    return std::span(values).subspan(static_cast<std::size_t>(system) * order.size(), order.size());
  }
  Index groups() const { return (report.systems + sparse::batch::lanes - 1) / sparse::batch::lanes; }
  int threads() const { return api::analysis_threads(options); }
  bool has_lane_factors(Index system) const {
    const auto group = static_cast<std::size_t>(system / sparse::batch::lanes);
    return group < lanes_lu.size() &&
           lanes_lu[group].passed_lanes()[static_cast<std::size_t>(system % sparse::batch::lanes)];
  }
  /// Whether the test of the last X found that a column of this system may be far off.
  bool is_in_doubt(Index system) const {
    return tested_lanes[static_cast<std::size_t>(system / sparse::batch::lanes)]
        .in_doubt[static_cast<std::size_t>(system % sparse::batch::lanes)];
  }

  /// Call of_group(group) for each group, on several threads. From time to time it reports progress, which is `most` when all are done.
  /// Errors  Cancelled
  template <class F>
  void for_groups(std::string_view phase, double most, F&& of_group) {
    const Index part = plan.groups_per_part(lu->products());
    const Index round = part * plan.parts_per_round * threads();
    for (Index begin = 0; begin < groups(); begin += round) {
      watch.report_progress(phase, most * static_cast<double>(begin) / static_cast<double>(groups()));
      tasks->for_ranges(
          std::min(round, groups() - begin),
          [&](Index first, Index end) {
            for (Index k = first; k < end; ++k) of_group(begin + k);
          },
          part);
    }
  }
  void require_factors() const;
  void store_values(std::span<const T> given, std::span<const std::uint8_t> wanted);
  void analyse();
  void factorize_groups();
  void factorize(std::span<const T> given, std::span<const std::uint8_t> wanted);
  Factorization<T> factorize_one_system(Index system, int ranks);
  void factorize_systems_one_by_one(const std::vector<Index>& systems);
  double bytes() const;

  BatchSolution<T> solve(std::span<const T> b, Index nrhs, Transpose op);
  void require_right_hand_sides(std::span<const T> b, Index nrhs);
  void solve_group(Index group, std::span<const T> b, Index nrhs, kernels::Op op, BatchSolution<T>& solution);
  sparse::batch::Lanes<double> solve_and_refine(const sparse::batch::LaneLu<T>& lu, kernels::Op op,
                                                const LargeVector<sparse::batch::Lanes<T>>& b,
                                                LargeVector<sparse::batch::Lanes<T>>& x,
                                                LargeVector<sparse::batch::Lanes<Real<T>>>& weight) const;
  void test_lanes(Index group, kernels::Op op, const LargeVector<sparse::batch::Lanes<Real<T>>>& envelope);
  void raise_to_row_maxima(Index group, kernels::Op op,
                           LargeVector<sparse::batch::Lanes<Real<T>>>& sizes) const;
  sparse::batch::Lanes<double> change_by_digits(
      Index group, kernels::Op op, const LargeVector<sparse::batch::Lanes<Real<T>>>& sizes) const;
  void solve_one_system(Index system, std::span<const T> b, Index nrhs, Transpose op,
                        BatchSolution<T>& solution);

  Options options;
  comm::CallMutex calls;  ///< serialises calls, since threads share what is below
  api::BatchWatch watch;
  SparseMatrix<T> pattern;   ///< sorted; its values are ones
  std::vector<Index> order;  ///< entry k of the pattern is the caller's order[k],
  bool is_ordered;           ///< which is k for each
  std::optional<comm::Tasks> tasks;
  std::vector<T> values;  ///< of all systems, in the pattern's order
  std::vector<Status> status;
  BatchReport report;
  api::BatchPlan plan;
  bool is_analysed = false;
  bool has_factors = false;
  std::optional<sparse::batch::PatternLu> lu;  ///< none: systems are factorised alone
  std::vector<sparse::batch::LaneLu<T>> lanes_lu;
  struct TestedLanes {
    using Tests = std::array<api::DigitTest, static_cast<std::size_t>(sparse::batch::lanes)>;
    std::array<Tests, 2> next{};         ///< of the next X: by the matrices, and by their transposes
    sparse::batch::LaneMask in_doubt{};  ///< the last X has not passed

    Tests& next_of(kernels::Op op) { return next[op == kernels::Op::none ? 0 : 1]; }
  };
  std::vector<TestedLanes> tested_lanes;  ///< of each group
  std::vector<T> digits;                  ///< the change of each row in the test, for rows of size 1
  std::map<Index, Factorization<T>> alone;
};

}  // namespace overlapack
