#include "api/sparse/batch.hpp"

#include "api/plan/prepare.hpp"
#include "api/run/stopwatch.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "overlapack/overlapack.hpp"
#include "overlapack/printed.hpp"
#include "sparse/matrix/validate.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace overlapack {

namespace lane = sparse::batch;
namespace {

/// Sort the rows of each column.
/// Errors  BadInput: the pattern is not square, has an index outside, or a position twice
template <class T>
std::vector<Index> sort_pattern(SparseMatrix<T>& A) {
  sparse::require_square(A.rows, A.cols);
  A.value.assign(A.row.size(), T(1));
  sparse::validate(A);
  std::vector<Index> order(A.row.size());
  std::iota(order.begin(), order.end(), Index{0});
  for (Index j = 0; j < A.cols; ++j) {
    const auto column = std::span(order).subspan(static_cast<std::size_t>(A.start[j]),
                                                 static_cast<std::size_t>(A.start[j + 1] - A.start[j]));
    std::ranges::sort(column, {}, [&](Index k) { return A.row[static_cast<std::size_t>(k)]; });
    const auto twice =
        std::ranges::adjacent_find(column, {}, [&](Index k) { return A.row[static_cast<std::size_t>(k)]; });
    if (twice != column.end())
      throw Error(Status::bad_input, "the pattern has position (" +
                                         std::to_string(A.row[static_cast<std::size_t>(*twice)]) + ", " +
                                         std::to_string(j) + ") twice; give each once");
  }
  std::vector<Index> row(A.row.size());
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = A.row[static_cast<std::size_t>(order[k])];
  A.row = std::move(row);
  return order;
}

/// Errors  BadPlan: an option that no batch keeps to
void require_batch_options(const Options& options) {
  const auto refuse = [](const std::string& what) {
    throw Error(Status::bad_plan, what + "; leave it out, or call factorize for each matrix");
  };
  if (options.method && options.method != Method::multifrontal)
    refuse("method is " + std::string(to_string(options.method)) + ", but a batch takes multifrontal");
  if (options.factorization && options.factorization != FactorKind::lu)
    refuse("factorization is " + std::string(to_string(options.factorization)) + ", but a batch takes lu");
  if (options.run.memory_limit_bytes > 0) refuse("memory_limit is set, but a batch does not keep to it");
}

}  // namespace

template <class T>
Batch<T>::Implementation::Implementation(SparseMatrix<T> given, std::span<const T> given_values,
                                         const Options& chosen, std::span<const std::uint8_t> wanted)
    : options(chosen),
      watch(chosen),
      pattern(std::move(given)),
      order(sort_pattern(pattern)),
      is_ordered(std::ranges::is_sorted(order)),
      tasks(std::in_place, threads()) {
  check(options);
  require_batch_options(options);
  report.n = pattern.cols;
  report.nnz = pattern.nnz();
  report.threads = threads();
  const std::size_t entries = order.size();
  if (entries == 0 && !given_values.empty())
    throw Error(Status::bad_input, "there are values, but the pattern has no entries; give its positions");
  report.systems = entries > 0 ? static_cast<Index>(given_values.size() / entries) : 0;
  factorize(given_values, wanted);
}

template <class T>
void Batch<T>::Implementation::store_values(std::span<const T> given, std::span<const std::uint8_t> wanted) {
  const std::size_t entries = order.size(), count = static_cast<std::size_t>(report.systems);
  if (given.size() != entries * count)
    throw Error(Status::bad_input, "there are " + std::to_string(given.size()) + " values, but " +
                                       std::to_string(count) + " systems with " + std::to_string(entries) +
                                       " entries each; give one for each entry of each system");
  if (!wanted.empty() && wanted.size() != count)
    throw Error(Status::bad_input, "the mask has " + std::to_string(wanted.size()) +
                                       " entries, but there are " + std::to_string(count) +
                                       " systems; give one for each");
  values.resize(given.size());
  status.assign(count, Status::ok);
  tasks->for_ranges(
      report.systems,
      [&](Index first, Index end) {
        for (Index k = first; k < end; ++k) {
          const auto at = static_cast<std::size_t>(k);
          const std::span<const T> own = given.subspan(at * entries, entries);
          T* const to = values.data() + at * entries;
          if (is_ordered)
            std::ranges::copy(own, to);
          else
            for (std::size_t e = 0; e < entries; ++e) to[e] = own[static_cast<std::size_t>(order[e])];
          if (!wanted.empty() && wanted[at] == 0)
            status[at] = Status::cancelled;
          else if (!api::all_finite(own))
            status[at] = Status::bad_input;
        }
      },
      plan.systems_per_part(entries));
  report.left_out = std::ranges::count(status, Status::cancelled);
}

/// By the first system that has an analysis.
template <class T>
void Batch<T>::Implementation::analyse() {
  const api::Stopwatch time;
  watch.report_progress("analysis", 0);
  Options used = options;
  used.method = Method::multifrontal;
  used.factorization = FactorKind::lu;
  report.choice = "each by itself: no system has an analysis";
  for (Index k = 0; k < report.systems; ++k) {
    if (status[static_cast<std::size_t>(k)] != Status::ok) continue;
    pattern.value.assign(values_of(k).begin(), values_of(k).end());
    try {
      sparse::AnalysisPlan asked =
          api::analysis_plan(used, pattern.cols, Symmetry::general, ScalarTraits<T>::type);
      asked.kept_rows_worth = 0;  // pivots in lanes are the diagonal
      asked.factorizations = static_cast<double>(report.systems);
      asked.on_step = [this](std::string_view step, double share) {
        watch.report_progress("analysis", share, step);
      };
      lane::PatternLu made = lane::pattern_lu(pattern, sparse::analyse(pattern, asked, *tasks));
      const double products = made.products();
      const bool pays = products <= plan.most_products;
      report.choice =
          printed("%s: %.3g products a system, %s than %.3g", pays ? "side by side" : "each by itself",
                  products, pays ? "not more" : "more", plan.most_products);
      if (pays) lu = std::move(made);
      is_analysed = true;
      break;
    } catch (const Error& error) {
      if (error.status() != Status::singular) throw;
    }
  }
  watch.report_progress("analysis", 1);
  report.analysis_s = time.seconds();
}

template <class T>
void Batch<T>::Implementation::require_factors() const {
  if (has_factors) return;
  throw Error(Status::bad_input,
              "there are no factors, because the last refactorize was stopped or failed; call it again");
}

/// Factorise the systems in lanes, side by side.
template <class T>
void Batch<T>::Implementation::factorize_groups() {
  const double threshold = options.sparse.pivot_threshold * plan.kept_share;
  lanes_lu.resize(static_cast<std::size_t>(groups()), lane::LaneLu<T>(*lu));
  tested_lanes.assign(lanes_lu.size(), {});
  digits.resize(static_cast<std::size_t>(report.n));
  api::change_last_digits<T>(std::vector<Real<T>>(digits.size(), 1), digits);
  for_groups("factorisation", plan.share_of_groups, [&](Index group) {
    lane::LaneLu<T>& factors = lanes_lu[static_cast<std::size_t>(group)];
    factors.factorize(
        [&](Index l) {
          const Index k = group * lane::lanes + l;
          const bool is_there = k < report.systems && status[static_cast<std::size_t>(k)] == Status::ok;
          return is_there ? values_of(k) : std::span<const T>();
        },
        threshold);
    for (auto& tests : tested_lanes[static_cast<std::size_t>(group)].next)
      for (std::size_t l = 0; l < tests.size() && options.refinement.steps > 0; ++l)
        if (factors.passed_lanes()[l]) tests[l] = api::DigitTest::of_any;
  });
}

template <class T>
void Batch<T>::Implementation::factorize(std::span<const T> given, std::span<const std::uint8_t> wanted) {
  store_values(given, wanted);
  has_factors = false;
  if (!is_analysed) analyse();
  const api::Stopwatch time;
  alone.clear();
  if (lu) factorize_groups();
  std::vector<Index> rest;
  report.in_lanes = 0;
  for (Index k = 0; k < report.systems; ++k) {
    if (status[static_cast<std::size_t>(k)] != Status::ok) continue;
    if (has_lane_factors(k))
      ++report.in_lanes;
    else
      rest.push_back(k);
  }
  factorize_systems_one_by_one(rest);
  watch.report_progress("factorisation", 1);
  has_factors = true;
  report.alone = static_cast<Index>(rest.size());
  report.bytes = bytes();
  report.factor_s = time.seconds();
}

/// Factorise one system by itself. ranks: 0: the library chooses
template <class T>
Factorization<T> Batch<T>::Implementation::factorize_one_system(Index system, int ranks) {
  SparseMatrix<T> A = pattern;
  A.value.assign(values_of(system).begin(), values_of(system).end());
  Options used = options;
  used.run.engine = Engine::thread;
  used.run.time_limit_s = 0;  // that of the batch is watched
  used.progress = [this](const Progress&) { return watch.should_stop(); };
  if (ranks > 0) used.ranks = ranks;
  return overlapack::factorize(std::move(A), used);
}

/// Factorise these systems each by itself: many systems at the same time with one rank each, few systems one after the other with all ranks.
template <class T>
void Batch<T>::Implementation::factorize_systems_one_by_one(const std::vector<Index>& systems) {
  const auto count = static_cast<Index>(systems.size());
  const bool is_many = count >= report.threads && report.threads > 1;
  std::vector<std::optional<Factorization<T>>> made(systems.size());
  const auto make = [&](Index i, int ranks) {
    const Index k = systems[static_cast<std::size_t>(i)];
    if (watch.is_stopped()) return;
    try {
      made[static_cast<std::size_t>(i)].emplace(factorize_one_system(k, ranks));
    } catch (const Error& error) {
      if (watch.is_stopped()) return;
      if (error.status() == Status::cancelled || error.status() == Status::bad_plan) throw;
      status[static_cast<std::size_t>(k)] = error.status();
    }
  };
  const auto report_progress = [&](double done) {
    const double before = lu ? plan.share_of_groups : 0;
    watch.report_progress("factorisation", before + (1 - before) * done / static_cast<double>(count));
  };
  if (is_many) {
    comm::Tasks side_by_side(report.threads);  // made on this thread, which reports while it waits
    side_by_side.run(
        [&] {
          for (Index i = 0; i < count; ++i)
            side_by_side.add(1, [&, i] {
              make(i, 1);
              side_by_side.count(1);
            });
        },
        report_progress);
  } else {
    for (Index i = 0; i < count; ++i) {
      report_progress(static_cast<double>(i));
      make(i, 0);
    }
  }
  watch.throw_if_stopped();
  for (std::size_t i = 0; i < systems.size(); ++i)
    if (made[i]) alone.emplace(systems[i], std::move(*made[i]));
}

template <class T>
double Batch<T>::Implementation::bytes() const {
  double sum = static_cast<double>(values.size() * sizeof(T));
  for (const lane::LaneLu<T>& group : lanes_lu) sum += group.bytes();
  for (const auto& [system, factors] : alone) sum += factors.report().peak_bytes;
  return sum;
}

template <class T>
BatchSolution<T> Batch<T>::solve(std::span<const T> b, Index nrhs, Transpose op) {
  return implementation_->locked_call(call::solve, [&] { return implementation_->solve(b, nrhs, op); });
}

template <class T>
void Batch<T>::refactorize(std::span<const T> values, std::span<const std::uint8_t> wanted) {
  implementation_->locked_call(call::refactorize, [&] { implementation_->factorize(values, wanted); });
}

template <class T>
const std::vector<Status>& Batch<T>::status() const {
  return implementation_->status;
}

template <class T>
const BatchReport& Batch<T>::report() const {
  return implementation_->report;
}

template <class T>
std::vector<Status> Batch<T>::copy_status() const {
  const comm::CallLock turn(implementation_->calls);
  return status();
}

template <class T>
BatchReport Batch<T>::copy_report() const {
  const comm::CallLock turn(implementation_->calls);
  return report();
}

template <class T>
Batch<T> factorize_batch(SparseMatrix<T> pattern, std::span<const T> values, const Options& options,
                         std::span<const std::uint8_t> wanted) {
  using Implementation = typename Batch<T>::Implementation;
  return public_call(call::factorize, [&] {
    return Batch<T>(make_handle<Implementation>(std::move(pattern), values, options, wanted));
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                        \
  template class Batch<T>;                                                               \
  template Batch<T> factorize_batch(SparseMatrix<T>, std::span<const T>, const Options&, \
                                    std::span<const std::uint8_t>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
