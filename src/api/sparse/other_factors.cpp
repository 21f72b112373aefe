#include "api/plan/compression.hpp"
#include "api/plan/factors_in.hpp"
#include "api/plan/prepare.hpp"
#include "api/sparse/factorization.hpp"
#include "api/sparse/pattern_analysis.hpp"
#include "base/instantiate.hpp"
#include "comm/tasks.hpp"
#include "comm/team.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <string>
#include <utility>

/// Uses kept analyses, and replaces factors that are weak, inaccurate or missing by other factors of the same matrix.
namespace overlapack {
namespace {

/// The text of Report::choice after another analysis.
std::string again_text(const std::string& choice, const std::string& why, const std::string& how) {
  return choice + (choice.empty() ? "" : "; but ") + why + ", so it was analysed again " + how;
}

constexpr const char* by_its_values = "by its own values";

}  // namespace

template <class T>
void Factorization<T>::Implementation::adopt_analysis(const PatternAnalysis::Implementation& kept,
                                                      comm::Tasks& tasks) {
  api::check_same_pattern(A, kept, tasks);
  is_stale_ = api::value_sum(A) != kept.value_sum;
  const std::string why = is_stale_ ? api::describe_matching_misfit(A, kept, options) : "";
  if (why.empty()) {
    prepared = api::prepare_with(A, kept.analysis, options, report);
    return;
  }
  prepared = api::prepare(A, options, report, &interruption, tasks);
  is_stale_ = false;
  report.choice = again_text(report.choice, why, by_its_values);
  ++report.analysed_again;
}

template <class T>
bool Factorization<T>::Implementation::has_given_up() const {
  return stats().has_given_up;
}

template <class T>
bool Factorization<T>::Implementation::is_unsure() const {
  if (!facts_.uses_nodes || comm::is_phantom()) return false;
  return stats().smallest.share <
         (is_single_ ? sparse::sure_share<Single<T>>(*plan_) : sparse::sure_share<T>(*plan_));
}

template <class T>
void Factorization<T>::Implementation::fall_back_on_fronts(const std::string& why) {
  const double factor_s = report.factor_s;
  const std::string choice = report.choice + "; but " + why + ", so it was factorised by fronts";
  const bool is_by_blocks =
      facts_.analysed.method == Method::block_triangular && facts_.kind == sparse::FactorKind::lu;
  has_factors_ = false;  // in case the analysis fails
  options.method = is_by_blocks ? Method::block_triangular : Method::multifrontal;
  session->run([&](comm::Rank& rank, int) {
    if (rank.rank() != 0) return;
    comm::Tasks tasks(api::analysis_threads(options));
    prepared = api::prepare(A, options, report, &interruption, tasks);
    api::choose_factor_storage_within_memory(options, prepared, report, fullest_share_);
  });
  report.choice = choice;
  ++report.falls_back;
  has_full_ = has_single_ = false;
  choose_and_factorize();
  report.factor_s += factor_s;
}

template <class T>
void Factorization<T>::Implementation::reorder_for_many_factorizations() {
  const bool has_no_other = facts_.order_pays_after == 0 || is_distributed() || comm::is_phantom() ||
                            options.sparse.ordering_effort != OrderingEffort::normal;
  ++factorizations_;
  if (has_no_other || static_cast<double>(factorizations_) < facts_.order_pays_after) return;
  const Index times = std::exchange(factorizations_, 0);
  if (!analyse_again(Options(options), "for as many more",
                     "there were " + std::to_string(times) + " factorisations", static_cast<double>(times)))
    facts_.order_pays_after = 0;  // it would fail again
}

template <class T>
bool Factorization<T>::Implementation::may_be_improved() {
  if (comm::is_phantom() || !has_factors_) return false;
  if (facts_.has_signs) return false;  // replaced pivots are its rule
  if (is_stale_ && stats().pivots.perturbed > usual_perturbed_) return true;
  return stats().pivots.rounding > 0 && !singularity().is_singular();
}

template <class T>
void Factorization<T>::Implementation::replace_weak_factors() {
  while (may_be_improved() &&
         factorize_by_next_analysis("a pivot was " + sparse::scientific(stats().smallest.share) +
                                    " of its row or column")) {
  }
  if (comm::is_phantom()) return;
  if (stats().pivots.rounding == 0) has_tried_anew_ = false;
  if (!is_stale_) usual_perturbed_ = stats().pivots.perturbed;
  if (options.singular == SingularMatrix::refuse) require_sure_pivots();
}

template <class T>
bool Factorization<T>::Implementation::factorize_by_next_analysis(const std::string& why) {
  const bool is_judged_elsewhere = options.singular == SingularMatrix::refuse || options.sparse.null_pivots ||
                                   options.sparse.perturbation > 0 || api::is_compressing(options) ||
                                   facts_.has_signs;
  if (is_distributed() || is_judged_elsewhere) return false;
  Options other = options;
  if (is_stale_ && !std::exchange(has_tried_anew_, true))
    return analyse_again(other, by_its_values, why) || factorize_by_next_analysis(why);
  if (facts_.is_matched && !std::exchange(has_tried_unmatched_, true)) {
    other.sparse.matching = Switch::off;
    return analyse_again(other, "without a matching", why) || factorize_by_next_analysis(why);
  }
  if (!facts_.is_ruiz && !std::exchange(has_tried_ruiz_, true)) {
    other.sparse.scaling = ScalingKind::ruiz;
    return analyse_again(other, "with Ruiz's scaling", why) || factorize_by_next_analysis(why);
  }
  return false;
}

/// Analyse again with options `other`, and factorise. Returns false, and restores the old analysis and factors, if the new analysis fails,
/// does not fit into memory, or gives no factors.
template <class T>
bool Factorization<T>::Implementation::analyse_again(const Options& other, const std::string& how,
                                                     const std::string& why, double factorizations) {
  const auto is_no_way = [](const Error& error) {
    return error.status() == Status::singular || error.status() == Status::out_of_memory;
  };
  Report other_report = report;
  api::Prepared other_prepared;
  bool is_possible = true;
  session->run([&](comm::Rank& rank, int position) {
    bool is_done = true;
    if (rank.rank() == 0) {
      try {
        comm::Tasks tasks(api::analysis_threads(other));
        other_prepared =
            api::prepare(A, other, other_report, &interruption, tasks, ScalarTraits<T>::type, factorizations);
        api::choose_factor_storage_within_memory(other, other_prepared, other_report, fullest_share_);
      } catch (const Error& error) {
        if (!is_no_way(error)) throw;
        is_done = false;
      }
    }
    is_done = api::broadcast_from_root(rank, is_done ? 1 : 0) != 0;
    if (position == 0) is_possible = is_done;
  });
  if (!is_possible) return false;
  const double factor_s = report.factor_s;
  std::string choice =
      again_text(is_stale_ ? other_report.choice : report.choice, why, how);  // for these values alone
  const Options options_before = std::exchange(options, other);
  std::swap(prepared, other_prepared);
  std::swap(report, other_report);
  const bool was_stale = std::exchange(is_stale_, false);
  const auto factorize_again = [&] {
    has_full_ = has_single_ = false;
    choose_and_factorize();
    report.factor_s += factor_s;
    report.choice = choice;
    ++report.analysed_again;
  };
  try {
    factorize_again();
    return true;
  } catch (const Error& error) {
    if (!is_no_way(error)) throw;
  }
  choice += ", where it had no factors";
  options = options_before;
  is_stale_ = was_stale;
  std::swap(prepared, other_prepared);
  std::swap(report, other_report);
  factorize_again();
  return false;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                        \
  template void Factorization<T>::Implementation::adopt_analysis(const PatternAnalysis::Implementation&, \
                                                                 comm::Tasks&);                          \
  template bool Factorization<T>::Implementation::has_given_up() const;                                  \
  template bool Factorization<T>::Implementation::is_unsure() const;                                     \
  template void Factorization<T>::Implementation::fall_back_on_fronts(const std::string&);               \
  template void Factorization<T>::Implementation::reorder_for_many_factorizations();                     \
  template void Factorization<T>::Implementation::replace_weak_factors();                                \
  template bool Factorization<T>::Implementation::factorize_by_next_analysis(const std::string&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
