#include "overlapack/report.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace overlapack {
namespace {

using nlohmann::ordered_json;

ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

/// Counts of bytes and flops are whole; printed so while a double holds them exactly.
ordered_json whole(double value) {
  return std::abs(value) < 0x1p53 ? ordered_json(static_cast<Index>(value)) : number(value);
}

ordered_json rank(Index r) { return r < 0 ? ordered_json() : ordered_json(r); }

ordered_json problem(const Report& r) {
  return {{"status", to_string(r.status)},
          {"message", r.message},
          {"n", r.n},
          {"nnz", r.nnz},
          {"type", r.type},
          {"symmetry", r.symmetry},
          {"method", r.method},
          {"factorization", r.factorization},
          {"ordering", r.ordering},
          {"matching", r.matching},
          {"scaling", r.scaling},
          {"precision", r.precision},
          {"engine", r.engine},
          {"ranks", r.ranks},
          {"workers", r.workers},
          {"simulated", r.simulated},
          {"policy", r.policy}};
}

ordered_json costs(const Report& r) {
  return {{"analysis_s", number(r.analysis_s)},
          {"factor_s", number(r.factor_s)},
          {"solve_s", number(r.solve_s)},
          {"fronts", r.fronts},
          {"distributed_fronts", r.distributed_fronts},
          {"strips", r.strips},
          {"load_news", r.load_news},
          {"stolen", r.stolen},
          {"pieces", r.pieces},
          {"limited_by_memory", r.limited_by_memory},
          {"chain_links", r.chain_links},
          {"grid_roots", r.grid_roots},
          {"diagonal_blocks", r.diagonal_blocks},
          {"column_blocks", r.column_blocks},
          {"largest_block", r.largest_block},
          {"parked", r.parked},
          {"late_receives", r.late_receives},
          {"most_entries_of_rank", r.most_entries_of_rank},
          {"predicted_factor_nnz", r.predicted_factor_nnz},
          {"predicted_flops", whole(r.predicted_flops)},
          {"predicted_bytes", whole(r.predicted_bytes)},
          {"factor_nnz", r.factor_nnz},
          {"flops", whole(r.flops)},
          {"peak_bytes", whole(r.peak_bytes)},
          {"most_bytes_of_rank", whole(r.most_bytes_of_rank)},
          {"pivots",
           {{"delayed", r.pivots.delayed},
            {"perturbed", r.pivots.perturbed},
            {"two_by_two", r.pivots.two_by_two},
            {"null", r.pivots.null},
            {"negative", r.policy.empty() ? ordered_json(r.pivots.negative) : ordered_json()},
            {"off_diagonal", r.pivots.off_diagonal},
            {"kept", r.pivots.kept}}},
          {"structural_rank", rank(r.structural_rank)},
          {"numerical_rank", rank(r.numerical_rank)}};
}

ordered_json accuracy(const Report& r) {
  return {{"right_hand_sides", r.right_hand_sides},
          {"backward_error", number(r.backward_error)},
          {"omega1", number(r.omega1)},
          {"omega2", number(r.omega2)},
          {"forward_error", number(r.forward_error)},
          {"true_residual", number(r.true_residual)},
          {"condition_estimate", number(r.condition_estimate)},
          {"condition_omega1", number(r.condition_omega1)},
          {"condition_omega2", number(r.condition_omega2)},
          {"forward_error_bound", number(r.forward_error_bound)},
          {"iterations",
           {{"min", r.iterations_min}, {"mean", number(r.iterations_mean)}, {"max", r.iterations_max}}}};
}

ordered_json traffic(const Traffic& t) {
  return {{"messages", t.messages}, {"bytes", whole(t.bytes)}, {"largest_bytes", whole(t.largest_bytes)}};
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
    object.update({{"compute_s", number(r.compute_s)},
                   {"communication_s", number(r.communication_s)},
                   {"idle_s", number(r.idle_s)},
                   {"kinds", by_kind(r.kinds)}});
    list.push_back(std::move(object));
  }
  return list;
}

ordered_json communication(const Report& r) {
  return {{"wait_share", number(r.wait_share)},
          {"wait_share_of_rank", r.wait_share_of_rank},
          {"messages", r.messages},
          {"bytes", whole(r.bytes)},
          {"largest_message_bytes", whole(r.largest_message_bytes)},
          {"messages_of_kind", by_kind(r.messages_of_kind)},
          {"traffic_of_rank", by_rank(r.traffic_of_rank)}};
}

ordered_json dense_figures(const DenseFigures& d) {
  return {{"grid", d.grid},
          {"block", d.block},
          {"schedule", d.schedule},
          {"depth", d.depth},
          {"broadcast", d.broadcast},
          {"precision", d.precision},
          {"gflops", number(d.gflops)},
          {"scaled_residual", number(d.scaled_residual)},
          {"panels", d.panels},
          {"panels_ahead", d.panels_ahead},
          {"split_updates", d.split_updates},
          {"opposite_phases", d.opposite_phases},
          {"rearranged_panels", d.rearranged_panels},
          {"interchanges",
           {{"binary_exchange", d.binary_exchanges},
            {"spread_roll", d.spread_rolls},
            {"direct", d.direct_interchanges}}},
          {"overlapped_messages", d.overlapped_messages}};
}

ordered_json history(const std::vector<ResidualPoint>& points) {
  ordered_json list = ordered_json::array();
  for (const ResidualPoint& p : points)
    list.push_back({p.iteration, number(p.seconds), number(p.residual), p.is_true});
  return list;
}

ordered_json iteration_figures(const IterationFigures& j) {
  ordered_json object{{"variant", j.variant},
                      {"in_flight", j.in_flight},
                      {"most_in_flight", j.most_in_flight},
                      {"halo_period", j.halo_period},
                      {"halo_period_mean", number(j.halo_period_mean)},
                      {"residual_sum", j.residual_sum},
                      {"mapping", j.mapping},
                      {"tolerance", number(j.tolerance)},
                      {"grid", j.grid},
                      {"radius", {{"lower", number(j.radius_lower)}, {"upper", number(j.radius_upper)}}},
                      {"warning", j.warning},
                      {"looks", j.looks},
                      {"snapshots", j.snapshots},
                      {"sends", j.sends},
                      {"skipped_sends", j.skipped_sends},
                      {"sends_per_iteration", number(j.sends_per_iteration)},
                      {"largest_batch", j.largest_batch},
                      {"slices", j.slices},
                      {"slices_by_others", j.slices_by_others},
                      {"history", history(j.history)},
                      {"iterations_of_rank", j.iterations_of_rank},
                      {"batches", j.batches}};
  if (!j.inner.empty())
    object.update({{"inner", j.inner},
                   {"overlap", j.overlap},
                   {"damping", number(j.damping)},
                   {"block_rows", j.block_rows},
                   {"inner_steps", j.inner_steps},
                   {"ranks_per_block", j.ranks_per_block},
                   {"group_solves", j.group_solves}});
  return object;
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::inaccurate:
      return "inaccurate";
    case Status::singular:
      return "singular";
    case Status::not_converged:
      return "not_converged";
    case Status::out_of_memory:
      return "out_of_memory";
    case Status::bad_input:
      return "bad_input";
    case Status::bad_plan:
      return "bad_plan";
    case Status::comm_failure:
      return "comm_failure";
    case Status::cancelled:
      return "cancelled";
    case Status::internal:
      return "internal";
  }
  return "internal";
}

Status status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input:
      return Status::bad_input;
    case ErrorKind::bad_plan:
      return Status::bad_plan;
    case ErrorKind::singular:
      return Status::singular;
    case ErrorKind::not_converged:
      return Status::not_converged;
    case ErrorKind::out_of_memory:
      return Status::out_of_memory;
    case ErrorKind::comm_failure:
      return Status::comm_failure;
    case ErrorKind::cancelled:
      return Status::cancelled;
    case ErrorKind::internal:
      return Status::internal;
  }
  return Status::internal;
}

std::string to_json(const Report& report, int indent) {
  ordered_json object = problem(report);
  for (const ordered_json& part : {costs(report), accuracy(report), communication(report)})
    object.update(part);
  if (report.dense) object.update(dense_figures(*report.dense));
  if (report.iteration) object.update(iteration_figures(*report.iteration));
  return object.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace overlapack
