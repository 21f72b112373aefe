#pragma once
#include "api/refine/singularity.hpp"
#include "api/run/session.hpp"
#include "overlapack/overlapack.hpp"

#include <functional>
#include <span>
#include <string>

namespace overlapack::api {

/// The solutions by factors of which one pivot is rounding, for test_weak_solution to judge. It is called on every process.
template <class T>
struct WeakSystem {
  Session& session;
  const Options& options;
  std::string pivot;            ///< the pivot and its size, in words: "the pivot of unknown (column) 3 ..."
  bool may_keep_nulls = false;  ///< is there an option null_pivots?
  Transpose op = Transpose::none;
  Index n = 0, nrhs = 0;
  std::span<const T> b;  ///< rank 0
  std::span<T> x;        ///< on all processes, or on rank 0
  struct Fit {
    double backward_error = 0;
    double residual_share = 0;  ///< the residual, each row by its largest entry, over the right-hand side
    double hidden_share = 0;    ///< of residuals that rounding hides (hidden_share of refinement.hpp)
  };
  double residual_rounding = 0;                        ///< of residuals, beside |A| |x| + |b|
  std::function<Fit(Index column)> fit;                ///< collective; the result is on rank 0
  std::function<const Singularity<T>&()> singularity;  ///< collective
  std::function<double()> condition;                   ///< collective; ||A||_1 ||A^{-1}||_1
};

/// Judge these solutions (docs/decisions/0031-singular-is-proved.md) and set status and message. If some right-hand sides have no solution
/// and others have one, x of the former becomes NaN.
/// Errors  Singular if no right-hand side has a solution, A is proved singular, and the options do not ask for an x nevertheless
template <class T>
void test_weak_solution(Report& report, const WeakSystem<T>& system);

/// Write the null vector and the nearness to a singular matrix into the report.
template <class T>
void write_singularity(Report& report, const Singularity<T>& singularity);
/// Clear these figures, for other factors.
void clear_singularity(Report& report);

/// "the matrix is singular to working precision. Unknown 7 (from 0) and 11 more can change together without effect on A x"
std::string singular_text(const Nearness& nearness);
/// "x is one of many answers: " and how well it fits
std::string answer_text(const std::string& fit);

/// Throw for a matrix that is proved singular, if the option `singular` refuses it or if the requested answer does not exist.
/// what: the text of singular_text; may_keep_nulls: whether the method has the option null_pivots
/// Errors  Singular, with `what` and what to do about it
[[noreturn]] void refuse_singular(const std::string& what, bool may_keep_nulls);

/// Report a system that has no solution.
/// has_x: an x is returned nevertheless, since other columns have a solution, or the x that is 0 at null pivots
/// Errors  Singular if there is no x
void report_no_solution(Report& report, std::string message, bool has_x);

}  // namespace overlapack::api
