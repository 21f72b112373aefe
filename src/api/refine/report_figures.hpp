#pragma once
#include "api/refine/refinement.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"
#include "overlapack/trace.hpp"

#include <span>
#include <vector>

/// Figures that every solver's report has.
namespace overlapack::api {

/// Fill the report with waits and messages: sums, by kind and by rank.
void take(Report& report, const trace::Timeline& timeline);

/// Fill in the errors of the worst column; NaN is the worst.
void take_worst(Report& report, std::span<const BackwardError> errors);
void take(Report& report, const std::vector<RefinementResult>& results);

/// For a solve whose x was neither refined nor measured.
void take_unmeasured(Report& report, Index right_hand_sides);

/// The backward error above which a solution is inaccurate: RefinementOptions::accuracy; if that is 0, 45 epsilon.
double accuracy_of(const Options& options, double epsilon);

/// Set status ok, or inaccurate with a message that ends in `advice`.
void judge(Report& report, double epsilon, const Options& options, const std::string& advice);

}  // namespace overlapack::api
