#pragma once
#include "api/refine/refinement.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"
#include "overlapack/trace.hpp"

#include <span>
#include <vector>

/// What every solver's report is filled from.
namespace overlapack::api {

/// Waiting and messages, in sums, by kind and by rank.
void take(Report& report, const trace::Timeline& timeline);

/// The worst column speaks for all; NaN is the worst.
void take_worst(Report& report, std::span<const BackwardError> errors);
void take(Report& report, const std::vector<RefinementResult>& results);

/// Of a solve whose x was neither refined nor measured.
void take_unmeasured(Report& report, Index right_hand_sides);

/// The backward error above which a solution is inaccurate: RefinementOptions::accuracy, 0 of which is 45 epsilon of the type.
double accuracy_of(const Options& options, double epsilon);

/// ok, or inaccurate with a sentence that says `advice`.
void judge(Report& report, double epsilon, const Options& options, const std::string& advice);

}  // namespace overlapack::api
