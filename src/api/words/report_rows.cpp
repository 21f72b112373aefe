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

ordered_json by_kind(const std::vector<KindTraffic>& kinds) {
  ordered_json object = ordered_json::object();
  for (const KindTraffic& kind : kinds) object[kind.kind] = traffic(kind);
  return object;
}

ordered_json by_rank(const std::vector<RankTraffic>& ranks) {
  ordered_json list = ordered_json::array();
  for (const RankTraffic& r : ranks) {
    ordered_json object = traffic(r);
    object.update({{"compute_s", number_json(r.compute_s)},
                   {"communication_s", number_json(r.communication_s)},
                   {"idle_s", number_json(r.idle_s)},
                   {"kinds", by_kind(r.kinds)}});
    list.push_back(std::move(object));
  }
  return list;
}

ordered_json by_part(const std::vector<trace::PathPart>& parts) {
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
       .help = "ok, ill_conditioned, inaccurate, singular, not_converged, out_of_memory, bad_input, "
               "bad_plan, comm_failure, "
               "cancelled, internal"},
      {.name = "message", .field = field(&Report::message), .help = "one sentence when status is not ok"},
      {.name = "advice",
       .field = {.type = "str", .json = [](const Report& r) -> ordered_json { return advice(r); }},
       .help = "one sentence where BLAS's kernels are older than the processor, or most of the time went to "
               "waiting, analysis or refinement"},
      {.name = "n", .field = field(&Report::n), .help = "order of the matrix"},
      {.name = "nnz", .field = field(&Report::nnz), .help = "entries of A as held, both triangles"},
      {.name = "type", .field = field(&Report::type), .help = "float32, float64, complex64, complex128"},
      {.name = "symmetry",
       .field = field(&Report::symmetry),
       .help = "as found in the entries: general, symmetric, skew, hermitian"},
      {.name = "method", .field = field(&Report::method), .help = "what was used"},
      {.name = "factorization",
       .field = field(&Report::factorization),
       .help = "lu, ldlt, cholesky",
       .methods = direct},
      {.name = "ordering",
       .field = field(&Report::ordering),
       .help = "what was used",
       .methods = sparse_direct},
      {.name = "matching",
       .field = field(&Report::matching),
       .help = "what was used",
       .methods = sparse_direct},
      {.name = "scaling",
       .field = field(&Report::scaling),
       .help = "matching, ruiz, off",
       .methods = sparse_direct},
      {.name = "precision",
       .field = {.type = "str",
                 .json = [](const Report& r) -> ordered_json {
                   return r.dense ? r.dense->precision : r.precision;
                 }},
       .help = "of the factors: that of the type, or its single precision",
       .methods = direct},
      {.name = "engine", .field = field(&Report::engine), .help = "what carried messages"},
      {.name = "ranks", .field = field(&Report::ranks), .help = "that took part"},
      {.name = "workers", .field = field(&Report::workers), .help = "helper threads, as the option workers"},
      {.name = "simulated",
       .field = field(&Report::simulated),
       .help = "times are those of a simulated machine"},
      {.name = "policy",
       .field = field(&Report::policy),
       .help = "simulated by shapes only: where what depends on the data came from; else empty"},
      {.name = "choice",
       .field = field(&Report::choice),
       .help = "sparse factors: method and ordering, and what was compared with them; dense matrices: the "
               "same of "
               "discipline auto; else empty",
       .methods = direct},
      {.name = "hint",
       .field = field(&Report::hint),
       .help =
           "what a matrix that was taken as unsymmetric looks like, and how to give it then: symmetric up to "
           "rounding, with how far it is from that, or one triangle of a symmetric one; else empty",
       .methods = sparse_direct},
      {.name = "unused_options",
       .field = field(&Report::unused_options),
       .help = "options that were set, but that this method does not read, nor refuse; else empty"},
      {.name = "falls_back",
       .field = field(&Report::falls_back),
       .help = "factorisations by fronts after one, as auto had chosen, by nodes that was not sure or not "
               "accurate, or by columns that filled in too much",
       .methods = sparse_direct},
      {.name = "analysed_again",
       .field = field(&Report::analysed_again),
       .help = "analyses with another matching or scaling, or of other values, where a pivot was small, a "
               "solution was not accurate, or the matching of a kept analysis did not fit",
       .methods = sparse_direct},
  };
}

Rows time_rows() {
  return {
      {.name = "analysis_s",
       .field = field(&Report::analysis_s),
       .help = "seconds of the analysis",
       .may_be_null = true},
      {.name = "analysis_cpu_s",
       .field = field(&Report::analysis_cpu_s),
       .help = "processor time of the analysis, of all its threads",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "analysis_path_s",
       .field = field(&Report::analysis_path_s),
       .help = "of that, the longest chain of tasks that wait for each other: no number of threads makes the "
               "analysis faster",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "factor_s",
       .field = field(&Report::factor_s),
       .help = "seconds of the factorisation; of all where there were several (falls_back, analysed_again)"},
      {.name = "solve_s",
       .field = field(&Report::solve_s),
       .help = "seconds of the last solve, with refinement",
       .may_be_null = true},
  };
}

Rows accuracy_rows() {
  return {
      {.name = "right_hand_sides", .field = field(&Report::right_hand_sides), .help = "of the last solve"},
      {.name = "unsolved_columns",
       .field = field(&Report::unsolved_columns),
       .help = "of these, without a solution beside others that have one: x is NaN there",
       .methods = direct},
      {.name = "backward_error",
       .field = field(&Report::backward_error),
       .help = "componentwise, omega1 + omega2 of Arioli, Demmel and Duff; the worst column",
       .may_be_null = true},
      {.name = "omega1", .field = field(&Report::omega1), .help = "of that column", .may_be_null = true},
      {.name = "omega2", .field = field(&Report::omega2), .help = "of that column", .may_be_null = true},
      {.name = "forward_error",
       .field = field(&Report::forward_error),
       .help = "max |x - true x| / max |true x|, when the true x is known",
       .may_be_null = true},
      {.name = "true_residual",
       .field = field(&Report::true_residual),
       .help = "||b - A x||_2 / ||b||_2; the worst column",
       .may_be_null = true},
      {.name = "condition_estimate",
       .field = field(&Report::condition_estimate),
       .help = "||A||_1 ||A^{-1}||_1, when it was asked for, or with status ill_conditioned",
       .methods = direct,
       .may_be_null = true},
      {.name = "condition_omega1",
       .field = field(&Report::condition_omega1),
       .help = "option error_analysis: condition number of Arioli, Demmel and Duff; the worst column",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "condition_omega2",
       .field = field(&Report::condition_omega2),
       .help = "the same of their second kind of equations",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "forward_error_bound",
       .field = field(&Report::forward_error_bound),
       .help = "of max |x - true x| / max |x|: omega1 condition_omega1 + omega2 condition_omega2",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "iterations.min",
       .field = field(&Report::iterations_min),
       .help = "refinement steps of the right-hand sides; of iterations: those of the ranks",
       .over = OverRanks::least},
      {.name = "iterations.mean",
       .field = {.type = "float", .json = [](const Report& r) { return number_json(r.iterations_mean); }},
       .help = "the same on the average",
       .over = OverRanks::sum},
      {.name = "iterations.max",
       .field = field(&Report::iterations_max),
       .help = "the same at most",
       .over = OverRanks::most},
      {.name = "gmres_steps",
       .field = field(&Report::gmres_steps),
       .help = "of flexible GMRES, or with Cholesky of conjugate gradients, where "
               "refinement did not reach accuracy; the most of "
               "a right-hand side",
       .methods = sparse_direct},
  };
}

Rows communication_rows() {
  return {
      {.name = "wait_share",
       .field = field(&Report::wait_share),
       .help = "of all ranks' time in the factorisation; of iterations: in the solve",
       .over = OverRanks::mean},
      {.name = "wait_share_of_rank",
       .field = field(&Report::wait_share_of_rank),
       .help = "the same of each rank"},
      {.name = "messages",
       .field = field(&Report::messages),
       .help = "that were sent then",
       .over = OverRanks::sum},
      {.name = "bytes", .field = whole(&Report::bytes), .help = "of these messages", .over = OverRanks::sum},
      {.name = "largest_message_bytes",
       .field = whole(&Report::largest_message_bytes),
       .help = "of one message",
       .over = OverRanks::most},
      {.name = "messages_of_kind",
       .field = {.type = "dict", .json = [](const Report& r) { return by_kind(r.messages_of_kind); }},
       .help = "messages, bytes and largest_bytes of each kind of message (multifrontal-protocol.md)"},
      {.name = "traffic_of_rank",
       .field = {.type = "list", .json = [](const Report& r) { return by_rank(r.traffic_of_rank); }},
       .help = "what each rank sent, all and by kind, and where its time went: compute_s, communication_s "
               "(packing, sending and waiting for messages) and idle_s"},
      {.name = "critical_path",
       .field = {.type = "list", .json = [](const Report& r) { return by_part(r.critical_path); }},
       .help = "of a traced run: the chain of work and messages that ended last ([critical "
               "path](multifrontal.md#critical-path)): what, kind, seconds, share and links of each kind of "
               "it, most "
               "seconds first; else empty"},
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
