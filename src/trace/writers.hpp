#pragma once
#include "trace/timeline.hpp"

#include <ostream>
#include <string>

/// Writers of a timeline to a stream that the caller opened; times start at 0 with the first event.
namespace overlapack::trace {

/// The Trace Event Format's JSON, which Perfetto (ui.perfetto.dev) and chrome://tracing open: one process
/// with a thread a rank, an event of phase X each, arrows (phases s, f) from each send to its receive.
void write_chrome_trace(std::ostream& out, const Timeline& timeline);

/// A header line, then an event a line: rank,what,kind,begin_s,end_s,peer,bytes,flops.
void write_csv(std::ostream& out, const Timeline& timeline);

/// A picture: a row a rank, time to the right. Each pixel column is stacked by the share of time of each kind
/// of work, so that a picture of a million events is as small and as true as one of ten.
void write_svg(std::ostream& out, const Timeline& timeline, const std::string& title = "");

/// A picture: where the time went, a bar a rank and one for their mean, stacked by What; what no event tells is idle. Needs
/// totals only.
/// Source  paper 1, figure 3
void write_summary_chart(std::ostream& out, const Timeline& timeline, const std::string& title = "");

}  // namespace overlapack::trace
