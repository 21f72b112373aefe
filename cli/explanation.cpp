#include "explanation.hpp"

#include "overlapack/choices.hpp"
#include "text.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::cli {
namespace {

/// Whether the signs of the pivots of L D L^T are those of A's eigenvalues. They are not for a complex A with A = A^T.
bool has_signs(const Report& r) {
  const PivotFigures& p = r.pivots;
  return r.factorization == "ldlt" && r.policy.empty() && !has_root_by_lu(r) && p.perturbed == 0 &&
         p.rounding == 0 && (r.symmetry == "hermitian" || r.type.starts_with("float"));
}

/// Whether A may be positive definite by the pivots of L D L^T, so that Cholesky is worth a try.
bool may_be_definite(const Report& r) {
  return has_signs(r) && r.fronts > 0 && r.pivots.negative == 0 && r.pivots.null == 0;
}

std::string explain_inertia(const Report& r) {
  const PivotFigures& p = r.pivots;
  if (!has_signs(r) || p.negative == 0) return {};
  return " Of A's eigenvalues " + whole_text(r.n - p.negative - p.null) + " are positive, " +
         whole_text(p.negative) + " negative" + (p.null > 0 ? " and " + whole_text(p.null) + " zero." : ".");
}

std::string explain_kind(const Report& r) {
  if (r.symmetry == "general")
    return "A is not symmetric, so it was factorised as L U, with pivots chosen among the rows." +
           (r.hint.empty() ? "" : " " + r.hint + ".");
  const std::string adjoint = r.symmetry == "hermitian" ? "L^H" : "L^T";
  if (r.factorization == "cholesky")
    return "A is " + r.symmetry + " and was said to be positive definite, so it was factorised as L " +
           adjoint + ", which needs no pivots.";
  if (r.factorization == "ldlt")
    return "A is " + r.symmetry + ", so one triangle was factorised, as L D " + adjoint +
           " with pivots of order 1 and 2." + explain_inertia(r) +
           (may_be_definite(r)
                ? " No pivot is negative: if A is known to be positive definite, --factorization "
                  "cholesky is faster."
                : "");
  return "A is " + r.symmetry +
         ", but was factorised as L U, which takes twice the work of one triangle (option factorization).";
}

std::string explain_method(const Report& r) {
  if (r.nodes > 0)
    return "Supernodal LU in " + whole_text(r.nodes) +
           " nodes: its lists and messages are known before the first number, its pivots are weaker.";
  if (r.method == to_string(Method::block_triangular))
    return "The diagonal blocks of its block triangular form were factorised: " +
           whole_text(r.diagonal_blocks) + ".";
  return "The multifrontal method: " + whole_text(r.fronts) +
         " small dense fronts, the unknowns in the order of " + r.ordering + ".";
}

std::string explain_choice(const Report& r) { return "The choice was " + r.choice + "."; }

std::string explain_fill(const Report& r) {
  return "The factors have " + count_text(static_cast<double>(r.factor_nnz)) + " entries, " +
         printed("%.1f", static_cast<double>(r.factor_nnz) / static_cast<double>(std::max<Index>(r.nnz, 1))) +
         " times those of A, and took " + flops_text(r.flops) + " and " + bytes_text(r.peak_bytes) +
         " of memory at the peak.";
}

bool is_solved(const Report& r) { return r.status == Status::ok || r.status == Status::ill_conditioned; }

std::string explain_pivots(const Report& r) {
  const PivotFigures& p = r.pivots;
  if (p.null > 0)
    return "A is singular: " + whole_text(p.null) + " unknowns had no pivot, and " +
           (is_solved(r) ? "x is one of many solutions." : "this system has no solution.");
  if (p.perturbed > 0)
    return whole_text(p.perturbed) + " pivots were too small and were replaced; refinement " +
           (is_solved(r) ? "makes up for it." : "did not make up for it.");
  if (r.weak_unknown >= 0)
    return "The pivot of unknown " + whole_text(r.weak_unknown) +
           " (from 0) is no more than rounding: A is " +
           (r.null_vector.empty() ? "ill conditioned." : "singular to working precision.");
  if (10 * p.delayed > r.n)
    return whole_text(p.delayed) +
           " pivots were too small where they stood and were put off, which costs time and memory; a smaller "
           "--pivot-threshold puts off fewer.";
  return "Its pivots gave no trouble.";
}

std::string explain_time(const Report& r) {
  const double analysis_s = std::isnan(r.analysis_s) ? 0 : r.analysis_s;
  const double all_s = analysis_s + r.factor_s + r.solve_s;
  std::string text = "Of " + seconds_text(all_s) + ", " + percent_text(analysis_s / all_s) +
                     " went to the analysis, " + percent_text(r.factor_s / all_s) +
                     " to the factorisation, " + percent_text(r.solve_s / all_s) + " to the solution.";
  if (r.ranks > 1)
    text += " The " + std::to_string(r.ranks) + " ranks waited for each other for " +
            percent_text(r.wait_share) + " of it.";
  return text;
}

std::string steps_text(const Report& r) {
  if (r.iterations_max == 0) return ", without refinement.";
  return ", after " + whole_text(r.iterations_max) + (r.iterations_max > 1 ? " steps" : " step") +
         " of refinement.";
}

std::string explain_accuracy(const Report& r) {
  if (std::isnan(r.backward_error)) return "Nothing is known of the accuracy.";
  if (!is_solved(r))
    return "x does not solve the system: its backward error is " + error_text(r.backward_error) +
           steps_text(r);
  const std::string text =
      r.backward_error == 0
          ? "A x is b, to the last digit" + steps_text(r)
          : "x is the exact solution of a system whose entries differ from yours by at most " +
                error_text(r.backward_error) + " of their size" + steps_text(r);
  if (!std::isnan(r.forward_error_bound))
    return text + " x itself is within " + error_text(r.forward_error_bound) + " of the solution.";
  return text + " How far x is from the solution depends on A's condition too: --error-analysis tells.";
}

}  // namespace

std::string explain_zeros(Index zeros, bool are_dropped) {
  if (zeros == 0) return {};
  return whole_text(zeros) +
         (zeros == 1 ? " entry of the file is zero and was " : " entries of the file are zero and were ") +
         (are_dropped
              ? "left out; factorize, which keeps places for refactorize, would fill in around them.\n"
              : "kept, and filled in around as any others; leave them out of the file.\n");
}

std::string explanation(const Report& r) {
  std::string text;
  for (const std::string& sentence : {explain_kind(r), explain_method(r), explain_choice(r), explain_fill(r),
                                      explain_pivots(r), explain_time(r), explain_accuracy(r)})
    text += sentence + "\n";
  if (const std::string what = advice(r); !what.empty()) text += "To try: " + what + ".\n";
  return text;
}

}  // namespace overlapack::cli
