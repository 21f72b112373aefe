#pragma once
#include "api/refine/refinement.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"
#include "overlapack/trace.hpp"

#include <span>
#include <vector>

/// Writes the figures that every solver's report has.
namespace overlapack::api {

/// Write waits and messages: their sums, and by kind and by rank.
void write_waits_and_messages(Report& report, const trace::Timeline& timeline);

/// Write the errors of the worst column. NaN counts as the worst.
void write_worst_errors(Report& report, std::span<const BackwardError> errors);
void write_refinement(Report& report, const std::vector<RefinementResult>& results);

/// Write the figures of a solve whose x was neither refined nor measured: its errors are unknown.
void write_unmeasured_errors(Report& report, Index right_hand_sides);

/// The backward error above which a solution is inaccurate: RefinementOptions::accuracy; if that is 0, 45 epsilon.
double accuracy_of(const Options& options, double epsilon);

/// Set status ok, or inaccurate with a message that ends in `advice`.
void set_status_by_error(Report& report, double epsilon, const Options& options, const std::string& advice);

}  // namespace overlapack::api
