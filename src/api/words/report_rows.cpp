#include "api/words/report_rows.hpp"

#include "api/words/report_field.hpp"

#include <utility>

/// The rows of the table of reports, a function for each group; those of one part of the library are in other files
/// (report_rows.hpp).
namespace overlapack::api {
namespace {

using nlohmann::ordered_json;
using Rows = std::vector<ReportEntry>;

ordered_json traffic(const Traffic& t) {
  return {{"messages", t.messages},
          {"bytes", whole_json(t.bytes)},
          {"largest_bytes", whole_json(t.largest_bytes)}};
}

ordered_json traffic_by_kind(const std::vector<KindTraffic>& kinds) {
  ordered_json object = ordered_json::object();
  for (const KindTraffic& kind : kinds) object[kind.kind] = traffic(kind);
  return object;
}

ordered_json traffic_by_rank(const std::vector<RankTraffic>& ranks) {
  ordered_json list = ordered_json::array();
  for (const RankTraffic& r : ranks) {
    ordered_json object = traffic(r);
    object.update({{"compute_s", number_json(r.compute_s)},
                   {"communication_s", number_json(r.communication_s)},
                   {"idle_s", number_json(r.idle_s)},
                   {"kinds", traffic_by_kind(r.kinds)}});
    list.push_back(std::move(object));
  }
  return list;
}

ordered_json path_by_part(const std::vector<trace::PathPart>& parts) {
  ordered_json list = ordered_json::array();
  for (const trace::PathPart& part : parts)
    list.push_back({{"what", part.what},
                    {"kind", part.kind},
                    {"seconds", number_json(part.seconds)},
                    {"share", number_json(part.share)},
                    {"links", part.links}});
  return list;
}

Rows problem_rows() {
  return {
      {.name = "status",
       .field = {.type = "str", .json = [](const Report& r) -> ordered_json { return to_string(r.status); }},
       .help = "How the call ended: ok, ill_conditioned, inaccurate, singular, not_converged, out_of_memory, "
               "bad_input, bad_plan, comm_failure, cancelled or internal"},
      {.name = "message",
       .field = field(&Report::message),
       .help = "One sentence about the end of the call, if status is not ok"},
      {.name = "advice",
       .field = {.type = "str", .json = [](const Report& r) -> ordered_json { return advice(r); }},
       .help = "One sentence if the kernels of the BLAS are older than the processor, or if most of the time "
               "went to waiting, analysis or refinement. Of plan: if another method may take less memory"},
      {.name = "n", .field = field(&Report::n), .help = "The order of the matrix"},
      {.name = "nnz",
       .field = field(&Report::nnz),
       .help = "The number of entries of A in memory, both triangles"},
      {.name = "type",
       .field = field(&Report::type),
       .help = "The type of the numbers: float32, float64, complex64 or complex128"},
      {.name = "symmetry",
       .field = field(&Report::symmetry),
       .help = "The symmetry of the entries: general, symmetric, skew or hermitian. After refactorize: that "
               "of the first "
               "matrix, or general if the entries no longer have it"},
      {.name = "method", .field = field(&Report::method), .help = "The method that ran"},
      {.name = "factorization",
       .field = field(&Report::factorization),
       .help = "The kind of factors: lu, ldlt, cholesky, quasidefinite or qr",
       .methods = direct},
      {.name = "ordering",
       .field = field(&Report::ordering),
       .help = "The ordering that was used",
       .methods = sparse_direct},
      {.name = "matching",
       .field = field(&Report::matching),
       .help = "Whether a matching was used",
       .methods = sparse_direct},
      {.name = "scaling",
       .field = field(&Report::scaling),
       .help = "The scaling that was used: matching, ruiz or off",
       .methods = sparse_direct},
      {.name = "precision",
       .field = {.type = "str",
                 .json = [](const Report& r) -> ordered_json {
                   return r.dense ? r.dense->precision : r.precision;
                 }},
       .help = "The precision of the factors: that of the type, or its single precision",
       .methods = direct},
      {.name = "engine", .field = field(&Report::engine), .help = "The layer that carried messages"},
      {.name = "ranks", .field = field(&Report::ranks), .help = "The number of ranks that took part"},
      {.name = "workers",
       .field = field(&Report::workers),
       .help = "The number of helper threads, as in the option workers"},
      {.name = "simulated",
       .field = field(&Report::simulated),
       .help = "true if the times are those of a simulated machine"},
      {.name = "policy",
       .field = field(&Report::policy),
       .help = "Simulation by shapes alone: the source of what depends on the numbers. Otherwise empty"},
      {.name = "choice",
       .field = field(&Report::choice),
       .help = "The method and the ordering, and what they were compared with. For dense matrices, the "
               "discipline that the experiment discipline auto chose. Otherwise empty",
       .methods = direct},
      {.name = "hint",
       .field = field(&Report::hint),
       .help = "If a matrix was taken as unsymmetric: what it looks like, and how to give it. It may be "
               "symmetric up to rounding, or one triangle of a symmetric matrix. Otherwise empty",
       .methods = sparse_direct},
      {.name = "unused_options",
       .field = field(&Report::unused_options),
       .help = "The options that were set and that this method neither reads nor refuses. Otherwise empty"},
      {.name = "falls_back",
       .field = field(&Report::falls_back),
       .help = "The number of factorisations by fronts that followed another one which auto had chosen. That "
               "one was by nodes and not accurate, or by columns with too much fill",
       .methods = sparse_direct},
      {.name = "analysed_again",
       .field = field(&Report::analysed_again),
       .help =
           "The number of further analyses, with another matching, scaling or order, or for other values. "
           "The reason is a small pivot, a solution that was not accurate, a kept matching that did not fit, "
           "or many factorisations",
       .methods = sparse_direct},
  };
}

Rows time_rows() {
  return {
      {.name = "analysis_s",
       .field = field(&Report::analysis_s),
       .help = "The seconds of the analysis",
       .may_be_null = true},
      {.name = "analysis_cpu_s",
       .field = field(&Report::analysis_cpu_s),
       .help = "The processor time of the analysis, of all its threads",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "analysis_path_s",
       .field = field(&Report::analysis_path_s),
       .help = "The longest chain of tasks of the analysis that wait for each other, as part of "
               "analysis_cpu_s. No number of threads makes the analysis faster",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "factor_s",
       .field = field(&Report::factor_s),
       .help = "The seconds of the factorisation, or of all factorisations if there were several "
               "(falls_back, analysed_again). Of method jacobi, the seconds until the ranks have their rows"},
      {.name = "solve_s",
       .field = field(&Report::solve_s),
       .help = "The seconds of the last solve, with refinement. 0 before the first solve",
       .may_be_null = true},
  };
}

Rows accuracy_rows() {
  return {
      {.name = "right_hand_sides",
       .field = field(&Report::right_hand_sides),
       .help = "The number of right-hand sides of the last solve"},
      {.name = "unsolved_columns",
       .field = field(&Report::unsolved_columns),
       .help =
           "The number of right-hand sides without a solution beside others that have one. Their x is NaN",
       .methods = direct},
      {.name = "backward_error",
       .field = field(&Report::backward_error),
       .help = "The componentwise backward error, omega1 + omega2 of Arioli, Demmel and Duff, of the worst "
               "right-hand side",
       .may_be_null = true},
      {.name = "omega1",
       .field = field(&Report::omega1),
       .help = "omega1 of the worst right-hand side",
       .may_be_null = true},
      {.name = "omega2",
       .field = field(&Report::omega2),
       .help = "omega2 of the worst right-hand side",
       .may_be_null = true},
      {.name = "forward_error",
       .field = field(&Report::forward_error),
       .help = "The largest error of x relative to the largest entry of the true x, if the true x is known",
       .may_be_null = true},
      {.name = "true_residual",
       .field = field(&Report::true_residual),
       .help = "The 2-norm of b - A x divided by that of b, of the worst right-hand side",
       .may_be_null = true},
      {.name = "condition_estimate",
       .field = field(&Report::condition_estimate),
       .help = "An estimate of the condition number of A in the 1-norm, if it was asked for (error_analysis, "
               "rcond) or if a weak pivot made status ill_conditioned",
       .methods = direct,
       .may_be_null = true},
      {.name = "condition_omega1",
       .field = field(&Report::condition_omega1),
       .help = "Option error_analysis: the condition number of Arioli, Demmel and Duff for omega1, of the "
               "worst right-hand side",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "condition_omega2",
       .field = field(&Report::condition_omega2),
       .help = "Option error_analysis: the condition number of Arioli, Demmel and Duff for omega2, of the "
               "worst right-hand side",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "forward_error_bound",
       .field = field(&Report::forward_error_bound),
       .help = "An estimated bound of the largest error of x relative to the largest entry of x, with "
               "error_analysis or if status is ill_conditioned. With error_analysis it is omega1 "
               "condition_omega1 + omega2 condition_omega2",
       .methods = direct,
       .may_be_null = true},
      {.name = "iterations.min",
       .field = field(&Report::iterations_min),
       .help = "The fewest refinement steps of a right-hand side. For iterations: the fewest iterations of a "
               "rank",
       .over = OverRanks::least},
      {.name = "iterations.mean",
       .field = {.type = "float", .json = [](const Report& r) { return number_json(r.iterations_mean); }},
       .help = "The mean number of refinement steps of a right-hand side. For iterations: of iterations of a "
               "rank",
       .over = OverRanks::sum},
      {.name = "iterations.max",
       .field = field(&Report::iterations_max),
       .help =
           "The most refinement steps of a right-hand side. For iterations: the most iterations of a rank",
       .over = OverRanks::most},
      {.name = "gmres_steps",
       .field = field(&Report::gmres_steps),
       .help = "The most steps of flexible GMRES for a right-hand side, if refinement did not reach "
               "accuracy. With Cholesky: of conjugate gradients",
       .methods = sparse_direct},
  };
}

Rows communication_rows() {
  return {
      {.name = "wait_share",
       .field = field(&Report::wait_share),
       .help = "The share of the time of all ranks in which they waited during the factorisation. For "
               "iterations: during the solve",
       .over = OverRanks::mean},
      {.name = "wait_share_of_rank",
       .field = field(&Report::wait_share_of_rank),
       .help = "wait_share of each rank"},
      {.name = "messages",
       .field = field(&Report::messages),
       .help =
           "The number of messages that were sent during the factorisation. For iterations: during the solve",
       .over = OverRanks::sum},
      {.name = "bytes",
       .field = whole(&Report::bytes),
       .help = "The bytes of these messages",
       .over = OverRanks::sum},
      {.name = "largest_message_bytes",
       .field = whole(&Report::largest_message_bytes),
       .help = "The bytes of the largest message",
       .over = OverRanks::most},
      {.name = "messages_of_kind",
       .field = {.type = "dict", .json = [](const Report& r) { return traffic_by_kind(r.messages_of_kind); }},
       .help = "messages, bytes and largest_bytes of each kind of message (multifrontal-protocol.md)"},
      {.name = "traffic_of_rank",
       .field = {.type = "list", .json = [](const Report& r) { return traffic_by_rank(r.traffic_of_rank); }},
       .help = "The messages of each rank, all and by kind, and its seconds: compute_s, communication_s "
               "(packing, sending and waiting for messages) and idle_s"},
      {.name = "critical_path",
       .field = {.type = "list", .json = [](const Report& r) { return path_by_part(r.critical_path); }},
       .help = "The chain of work and messages of a traced run that ended last ([critical "
               "path](multifrontal.md#critical-path)). Each part has what, kind, seconds, share and links, "
               "and the longest part comes first. Otherwise empty"},
  };
}

std::vector<ReportEntry> make_table() {
  const auto in_dense = [](const Report& r) -> const DenseFigures& { return *r.dense; };
  const auto in_iteration = [](const Report& r) -> const IterationFigures& { return *r.iteration; };
  std::vector<ReportEntry> table;
  for (const Rows& rows :
       {problem_rows(), time_rows(), prediction_rows(), sparse_figure_rows(), rank_rows(), accuracy_rows(),
        communication_rows(), dense_rows(),
        rows_of(Part::dense, {Method::dense}, figure_rows<DenseCounters>(in_dense)), iteration_rows(),
        rows_of(Part::iteration, iterative, figure_rows<IterationCounters>(in_iteration)),
        multisplitting_rows(),
        rows_of(Part::blocks, {Method::multisplitting}, figure_rows<InnerCounters>(in_iteration))})
    table.insert(table.end(), rows.begin(), rows.end());
  return table;
}

}  // namespace

const std::vector<ReportEntry>& report_table() {
  static const auto& table = *new auto(make_table());
  return table;
}

}  // namespace overlapack::api
