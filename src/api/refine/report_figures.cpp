#include "api/refine/report_figures.hpp"

#include "overlapack/printed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace overlapack::api {
namespace {

std::vector<KindTraffic> traffic_of(const std::vector<trace::KindTotals>& kinds) {
  std::vector<KindTraffic> traffic;
  for (const trace::KindTotals& kind : kinds)
    traffic.push_back(
        {{kind.messages, static_cast<double>(kind.bytes), static_cast<double>(kind.largest_bytes)},
         std::string(kind.kind)});
  return traffic;
}

}  // namespace

void write_waits_and_messages(Report& report, const trace::Timeline& timeline) {
  const trace::Summary summary = trace::summarise(timeline);
  report.wait_share = summary.wait_share;
  report.wait_share_of_rank = summary.wait_share_of_rank;
  report.messages = summary.messages;
  report.bytes = static_cast<double>(summary.bytes);
  report.largest_message_bytes = static_cast<double>(summary.largest_message_bytes);
  report.messages_of_kind = traffic_of(summary.kinds);
  report.traffic_of_rank.clear();
  for (std::size_t k = 0; k < timeline.totals().size(); ++k) {
    using trace::What;
    const trace::Totals& t = timeline.totals()[k];
    const double communication_s =
        t[What::pack] + t[What::send] + t[What::receive] + t[What::access] + t[What::wait];
    report.traffic_of_rank.push_back(
        {{t.messages, static_cast<double>(t.bytes), static_cast<double>(t.largest_message_bytes)},
         t[What::compute],
         communication_s,
         std::max(0.0, summary.elapsed_s - t[What::compute] - communication_s),
         traffic_of(timeline.kinds()[k])});
  }
  report.critical_path = trace::parts_of(trace::critical_path(timeline));
}

void write_worst_errors(Report& report, std::span<const BackwardError> errors) {
  report.backward_error = report.omega1 = report.omega2 = report.true_residual = 0;
  const auto is_worse = [](double error, double than) { return !(error <= than) && !std::isnan(than); };
  for (const BackwardError& error : errors) {
    if (is_worse(error.sum(), report.backward_error)) {
      report.backward_error = error.sum();
      report.omega1 = error.omega1;
      report.omega2 = error.omega2;
    }
    if (is_worse(error.relative_residual, report.true_residual))
      report.true_residual = error.relative_residual;
  }
}

void write_refinement(Report& report, const std::vector<RefinementResult>& results) {
  std::vector<BackwardError> errors;
  for (const RefinementResult& result : results) errors.push_back(result.error);
  write_worst_errors(report, errors);
  report.right_hand_sides = static_cast<Index>(results.size());
  report.iterations_min = results.empty() ? 0 : std::numeric_limits<Index>::max();
  report.iterations_max = report.gmres_steps = 0;
  report.forward_error_bound = results.empty() ? unknown : 0;
  double sum = 0;
  for (const RefinementResult& result : results) {
    const double known = report.forward_error_bound;
    if (!(result.forward_bound <= known) && !std::isnan(known))
      report.forward_error_bound = result.forward_bound;
    report.iterations_min = std::min<Index>(report.iterations_min, result.steps);
    report.iterations_max = std::max<Index>(report.iterations_max, result.steps);
    sum += result.steps;
    report.gmres_steps = std::max<Index>(report.gmres_steps, result.gmres_steps);
  }
  report.iterations_mean = results.empty() ? 0 : sum / static_cast<double>(results.size());
}

void write_unmeasured_errors(Report& report, Index right_hand_sides) {
  report.status = Status::ok;
  report.message.clear();
  report.right_hand_sides = right_hand_sides;
  report.unsolved_columns = 0;
  report.backward_error = report.omega1 = report.omega2 = report.true_residual = report.forward_error_bound =
      unknown;
  report.iterations_min = report.iterations_max = report.gmres_steps = 0;
  report.iterations_mean = 0;
}

double accuracy_of(const Options& options, double epsilon) {
  return options.refinement.accuracy > 0 ? options.refinement.accuracy : 45 * epsilon;
}

namespace {

/// What to do about a backward error above accuracy. of_factors: if neither accuracy nor the target is the reason
std::string remedy_of_error(const Report& report, double epsilon, const Options& options,
                            const std::string& of_factors) {
  const double target = options.refinement.target;
  if (report.backward_error <= 2 * epsilon)
    return "that is rounding in this precision, and less cannot be expected; raise accuracy";
  if (target > 0 && report.backward_error <= target)
    return printed("refinement ends at refinement_target (now %g); lower it", target);
  return of_factors;
}

}  // namespace

void set_status_by_error(Report& report, double epsilon, const Options& options, const std::string& advice) {
  const double accuracy = accuracy_of(options, epsilon);
  report.status = Status::ok;
  report.message.clear();
  report.unsolved_columns = 0;
  if (report.backward_error <= accuracy) return;
  report.status = Status::inaccurate;
  report.message =
      !std::isfinite(report.backward_error)
          ? "there is no backward error, since x or A x has left the range of its type; scale A and "
            "b, or "
            "compute in double precision"
          : printed("the backward error %.2g is above %.2g after %lld refinement step%s; ",
                    report.backward_error, accuracy, static_cast<long long>(report.iterations_max),
                    report.iterations_max == 1 ? "" : "s") +
                remedy_of_error(report, epsilon, options, advice);
}

}  // namespace overlapack::api
