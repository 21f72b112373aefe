#include "report_text.hpp"

#include "text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace overlapack::cli {
namespace {

std::string plural(Index count, const std::string& noun) {
  return whole_text(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string where_text(const Report& r) {
  std::string text = plural(r.ranks, "rank") + " (engine " + r.engine + ")";
  if (r.simulated) text += ", simulated";
  if (r.workers > 0) text += ", " + plural(r.workers, "worker");
  return text;
}

std::string pivots_text(const Report& r) {
  const PivotFigures& p = r.pivots;
  std::string text = plural(p.delayed, "delayed pivot");
  if (p.two_by_two > 0) text += ", " + whole_text(p.two_by_two) + " two by two";
  if (p.negative > 0 && !has_root_by_lu(r)) text += ", " + whole_text(p.negative) + " negative";
  if (p.null > 0) text += ", " + whole_text(p.null) + " null";
  if (p.perturbed > 0) text += ", " + whole_text(p.perturbed) + " perturbed";
  return text;
}

std::string waiting_text(const Report& r) {
  return printed("%.1f %% of the ranks' time waiting, ", 100 * r.wait_share) + plural(r.messages, "message") +
         ", " + bytes_text(r.bytes);
}

/// The steps of a dense factorisation, and the parallel paths that they took.
std::string paths_text(const Report& r) {
  std::string text = plural(r.dense->panels, "panel step");
  for (const NamedCount& counted : named_counts(r))
    text += ", " + whole_text(counted.count) + " " + std::string(counted.name);
  return text;
}

std::string analysis_text(const Report& r) {
  std::string text = r.ordering;
  if (!r.matching.empty()) text += ", matching " + r.matching;
  if (r.scaling == "ruiz") text += ", scaling ruiz";
  if (r.diagonal_blocks > 0)
    text += ", " + plural(r.diagonal_blocks, "diagonal block") + ", the largest of " +
            plural(r.largest_block, "unknown");
  if (r.diagonal_blocks == 0 || r.fronts > 0) text += ", " + plural(r.fronts, "front");
  if (r.distributed_fronts > 0)
    text += " (" + whole_text(r.distributed_fronts) + " of them in " + plural(r.strips, "strip") + ")";
  if (r.grid_roots > 0) text += ", its root on all ranks";
  if (has_root_by_lu(r)) text += " by LU";
  return text;
}

void add_unused(Lines& lines, const Report& r) {
  if (!r.unused_options.empty()) lines.add("not used", r.unused_options + " (method " + r.method + ")");
}

void add_dense(Lines& lines, const Report& r) {
  const DenseFigures& d = *r.dense;
  lines.add("factorisation", seconds_text(r.factor_s) + ": " + r.factorization + " in " + d.precision +
                                 " on " + where_text(r) + ", " + flops_text(r.flops) + ", " +
                                 printed("%.2f Gflop/s", d.gflops));
  lines.add("", "grid " + d.grid + ", blocks of " + whole_text(d.block) + ", schedule " + d.schedule +
                    (d.discipline == "messages" ? "" : " by " + d.discipline) +
                    (d.depth > 0 ? ", depth " + whole_text(d.depth) : "") + ", broadcast " + d.broadcast);
  if (!r.choice.empty()) lines.add("choice", r.choice);
  if (!std::isnan(d.computing_with_mate))
    lines.add("", printed("%.0f", 100 * d.computing_with_mate) +
                      " % of computing while a mate of the node computes");
  lines.add("", paths_text(r));
}

/// Add the lines about the quality of a least squares solution.
void add_least_squares(Lines& lines, const Report& r) {
  const DenseFigures& d = *r.dense;
  lines.add("solve", seconds_text(r.solve_s) + ": " + plural(r.right_hand_sides, "right-hand side") +
                         ", least squares");
  lines.add("||b - A x||", printed("%.6g", d.residual_norm));
  lines.add("optimality", error_text(d.optimality) + "   (0 where ||b - A x|| is least)");
}

/// Add the lines about the savings by compression.
void add_compression(Lines& lines, const Report& r) {
  const auto share = [](double part, double all) { return percent_text(all > 0 ? part / all : 0); };
  if (r.blocks_compressed == 0) {
    lines.add("", plural(r.low_rank_fronts, "front") + " in blocks, none of which is of low rank");
    return;
  }
  lines.add("", share(double(r.factor_nnz), r.full_rank_nnz) + " of the entries and " +
                    share(r.flops, r.full_rank_flops) +
                    " of the work of full rank: " + plural(r.blocks_compressed, "block") + " of " +
                    whole_text(r.blocks_compressed + r.blocks_full) + " compressed, in " +
                    plural(r.low_rank_fronts, "front") + ", mean rank " + printed("%.0f", r.mean_rank));
  if (r.blocks_mixed > 0)
    lines.add("", bytes_text(double(r.mixed_saved_bytes)) + " saved by single precision in " +
                      plural(r.blocks_mixed, "block"));
}

void add_sparse(Lines& lines, const Report& r) {
  const std::string time = std::isnan(r.analysis_s) ? "" : seconds_text(r.analysis_s) + ": ";  // simulated
  lines.add("analysis", time + analysis_text(r));
  if (!r.choice.empty()) lines.add("choice", r.choice);
  const Index others = r.falls_back + r.analysed_again;
  lines.add("factorisation", seconds_text(r.factor_s) +
                                 (others > 0 ? " for " + whole_text(others + 1) + " of them" : "") + ": " +
                                 r.factorization + " on " + where_text(r) + ", " + flops_text(r.flops) +
                                 (others > 0 ? " the last" : ", " + rate_text(r.flops, r.factor_s)));
  lines.add("", count_text(double(r.factor_nnz)) + " entries in the factors, " + bytes_text(r.peak_bytes) +
                    " at the peak, " + pivots_text(r));
  if (r.low_rank_fronts > 0) add_compression(lines, r);
  if (r.factors == "disk")
    lines.add("", bytes_text(r.disk_written_bytes) + " of factors on disk, " + bytes_text(r.disk_read_bytes) +
                      " read, " + seconds_text(r.disk_wait_s) + " of waiting for it");
  if (r.numerical_rank >= 0 && r.numerical_rank < r.n)
    lines.add("", "singular: rank " + whole_text(r.numerical_rank) + " of " + whole_text(r.n) +
                      (r.structural_rank >= 0 ? ", structural rank " + whole_text(r.structural_rank) : ""));
}

/// The text about the blocks of a multisplitting.
std::string blocks_text(const Report& r) {
  const IterationFigures& j = *r.iteration;
  std::string text = (j.blocks > r.ranks ? whole_text(j.blocks) + " " : "") + "blocks of up to " +
                     plural(j.block_rows, "row") + ", overlap " + whole_text(j.overlap) + ", inner " +
                     j.inner;
  if (j.damping < 1) text += printed(", damping %g", j.damping);
  if (!j.weights.empty()) text += ", weights " + j.weights;
  if (j.coarse_unknowns > 0) text += ", a coarse level of " + plural(j.coarse_unknowns, "unknown");
  if (r.factor_nnz > 0)
    text += ": " + count_text(double(r.factor_nnz)) + " entries in the factors, made in " +
            seconds_text(r.factor_s);
  if (j.raised_blocks > 0) text += ", " + plural(j.raised_blocks, "block") + " with a raised diagonal";
  if (j.inner_steps > 0) text += ", " + plural(j.inner_steps, "inner step");
  if (j.ranks_per_block > 1)
    text += ", " + plural(j.group_solves, "solve") + " by groups of " + plural(j.ranks_per_block, "rank");
  return text;
}

std::string iterations_text(const Report& r) {
  if (r.iterations_min == r.iterations_max) return plural(r.iterations_max, "iteration");
  return whole_text(r.iterations_min) + " to " + whole_text(r.iterations_max) + " iterations, " +
         printed("%.0f", r.iterations_mean) + " on the average";
}

void add_iteration(Lines& lines, const Report& r) {
  const IterationFigures& j = *r.iteration;
  const std::string method = j.accelerator.empty() ? r.method : j.accelerator + " around " + r.method;
  lines.add("iteration", seconds_text(r.solve_s) + ": " + method + " " + j.variant + " on " + where_text(r) +
                             ", " + iterations_text(r));
  if (!j.inner.empty()) lines.add("", blocks_text(r));
  if (j.sends > 0)
    lines.add("", whole_text(j.sends) + " halos sent, " + printed("%.2f", j.sends_per_iteration) +
                      " an iteration, at most " + plural(j.largest_batch, "message") + " at once, " +
                      plural(j.snapshots, "snapshot"));
  if (j.slices_by_others > 0)
    lines.add("", whole_text(j.slices_by_others) + " of " + plural(j.slices, "slice") +
                      " by workers and waiting ranks");
  std::string chosen;
  if (j.variant == "async" && j.in_flight == 0)
    chosen = plural(j.most_in_flight, "halo") + " in flight at most";
  if (j.variant != "sync" && j.halo_period == 0)
    chosen += (chosen.empty() ? "" : ", ") + printed("exchanges every %.1f iterations", j.halo_period_mean);
  if (j.sends > 0 && !chosen.empty()) lines.add("", "chosen on the way: " + chosen);
  if (!std::isnan(j.radius_lower))
    lines.add("",
              printed("spectral radius of |D^-1 (L + U)| from %.4g to %.4g", j.radius_lower, j.radius_upper));
  if (!j.warning.empty()) lines.add("warning", j.warning);
  add_unused(lines, r);
  if (r.ranks > 1) lines.add("", waiting_text(r));
  lines.add("residual", error_text(r.true_residual) +
                            (r.status == Status::ok ? "" : "   (" + std::string(to_string(r.status)) + ")"));
}

std::string describe_oddities(const io::ReadFacts& facts) {
  std::string text = facts.assumed;
  const auto tell = [&](Index count, const std::string& what) {
    if (count > 0) text += (text.empty() ? "" : ", ") + whole_text(count) + " " + what;
  };
  tell(facts.duplicates_summed, "duplicates summed");
  tell(facts.explicit_zeros, "explicit zeros");
  tell(facts.subnormals, "subnormal values");
  tell(facts.underflows, "values too small for a double, read as 0");
  tell(facts.fortran_exponents, "Fortran exponents");
  return text;
}

}  // namespace

std::string facts_text(const std::string& path, const Report& r, const io::ReadFacts& facts) {
  Lines lines;
  lines.add("matrix", path + ": n = " + whole_text(r.n) + ", nnz = " + whole_text(r.nnz) + ", " + r.symmetry +
                          ", " + r.type);
  if (const std::string odd = describe_oddities(facts); !odd.empty()) lines.add("", odd);
  return lines.text();
}

std::string problems_text(const Report& r) {
  std::string text;
  if (r.status != Status::ok) text += "overlapack: " + r.message + "\n";
  if (const std::string old = kernel_advice(r); !old.empty()) text += "overlapack: " + old + "\n";
  return text;
}

std::string solve_text(const Report& r) {
  Lines lines;
  if (r.iteration) {
    add_iteration(lines, r);
    if (!std::isnan(r.forward_error))
      lines.add("forward error", error_text(r.forward_error) + "   (x = ones)");
    return lines.text();
  }
  r.dense ? add_dense(lines, r) : add_sparse(lines, r);
  add_unused(lines, r);
  if (r.most_entries_of_rank > 0 && r.most_entries_of_rank < r.nnz)
    lines.add("", "at most " + count_text(static_cast<double>(r.most_entries_of_rank)) +
                      " entries of the matrix on a rank");
  if (r.ranks > 1) lines.add("", waiting_text(r));
  if (!r.policy.empty()) return lines.add("shapes only", r.policy).text();
  if (r.dense && !std::isnan(r.dense->optimality)) {
    add_least_squares(lines, r);
    return lines.text();
  }
  lines.add("solve", seconds_text(r.solve_s) + ": " + plural(r.right_hand_sides, "right-hand side") + ", " +
                         plural(r.iterations_max, "refinement step"));
  lines.add("backward error",
            error_text(r.backward_error) +
                (r.status == Status::ok ? "" : "   (" + std::string(to_string(r.status)) + ")"));
  if (!std::isnan(r.forward_error)) lines.add("forward error", error_text(r.forward_error) + "   (x = ones)");
  if (!std::isnan(r.forward_error_bound)) {
    lines.add("error bound", error_text(r.forward_error_bound));
    lines.add("condition", printed("%.2g in the 1-norm, componentwise %.2g and %.2g", r.condition_estimate,
                                   r.condition_omega1, r.condition_omega2));
  }
  if (const std::string text = advice(r); !text.empty()) lines.add("advice", text);
  return lines.text();
}

std::string dense_text(const Report& r) {
  Lines lines;
  const bool is_qr = !std::isnan(r.dense->factor_residual);
  lines.add("matrix",
            "random, " +
                (is_qr ? whole_text(r.dense->rows) + " x " + whole_text(r.n) : "n = " + whole_text(r.n)) +
                ", " + r.type);
  add_dense(lines, r);
  add_unused(lines, r);
  if (r.ranks > 1) lines.add("", waiting_text(r));
  if (!r.policy.empty()) return lines.add("shapes only", r.policy).text();
  if (is_qr) {
    lines.add("||A - Q R||", printed("%.3g", r.dense->factor_residual) + " ||A|| m eps");
    lines.add("||Q^H Q - I||", printed("%.3g", r.dense->orthogonality) + " m eps");
    add_least_squares(lines, r);
    return lines.text();
  }
  const bool is_cholesky = r.factorization == to_string(FactorKind::cholesky);
  lines.add("solve", seconds_text(r.solve_s) +
                         (is_cholesky ? ": forward and back substitution" : ": back substitution"));
  if (is_cholesky) return lines.add("backward error", error_text(r.backward_error)).text();
  lines.add("scaled residual", printed("%.3g", r.dense->scaled_residual) +
                                   (r.status == Status::ok ? "   (below 16)" : "   (not below 16)"));
  return lines.add("backward error", error_text(r.backward_error)).text();
}

std::string jacobi_text(const Report& r) {
  Lines lines;
  lines.add("problem", "Laplace in a cube of " + r.iteration->grid + " boxes, n = " + whole_text(r.n));
  add_iteration(lines, r);
  return lines.text();
}

std::string plan_text(const Report& r) {
  Lines lines;
  const std::string time = std::isnan(r.analysis_s) ? "" : seconds_text(r.analysis_s) + ": ";  // simulated
  lines.add("analysis", time + analysis_text(r));
  if (!r.choice.empty()) lines.add("choice", r.choice);
  lines.add("factorisation",
            r.factorization + " on " + where_text(r) +
                (std::isnan(r.predicted_factor_s)
                     ? ""
                     : ", on one rank about " + seconds_text(r.predicted_factor_s) + ", as predicted"));
  add_unused(lines, r);
  lines.add("work", flops_text(r.predicted_flops));
  lines.add("factors",
            count_text(double(r.predicted_factor_nnz)) + " entries, " +
                printed("%.1f", double(r.predicted_factor_nnz) / double(std::max<Index>(r.nnz, 1))) +
                " times those of the matrix");
  const bool is_range = r.predicted_least_bytes > 0;  // by how blocks compress
  lines.add("memory", (is_range ? bytes_text(r.predicted_least_bytes) + " to " : "") +
                          bytes_text(r.predicted_bytes) + " for one rank, without delayed pivots" +
                          (is_range              ? ", as blocks compress"
                           : r.factors == "disk" ? ", factors on disk"
                                                 : ""));
  if (!is_range && r.predicted_scratch_bytes > 0)
    lines.add("", r.factors == "disk"
                      ? bytes_text(r.predicted_scratch_bytes) + " of disk"
                      : bytes_text(r.predicted_disk_memory_bytes) + ", and " +
                            bytes_text(r.predicted_scratch_bytes) + " of disk, with --factors disk");
  if (const std::string text = advice(r); !text.empty()) lines.add("advice", text);
  return lines.text();
}

nlohmann::ordered_json json_of(const Report& report) {
  return nlohmann::ordered_json::parse(to_json(report));
}

nlohmann::ordered_json json_of(const Report& report, const std::string& path, double read_s,
                               const io::ReadFacts& facts) {
  nlohmann::ordered_json object = json_of(report);
  object["file"] = path;
  if (!report.simulated) object["read_s"] = read_s;  // not modelled
  object["read"] = {{"format", facts.format},
                    {"field", facts.field},
                    {"assumed", facts.assumed},
                    {"entries", facts.entries},
                    {"explicit_zeros", facts.explicit_zeros},
                    {"duplicates_summed", facts.duplicates_summed},
                    {"subnormals", facts.subnormals},
                    {"underflows", facts.underflows},
                    {"fortran_exponents", facts.fortran_exponents}};
  return object;
}

}  // namespace overlapack::cli
