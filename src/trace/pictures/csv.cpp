#include "overlapack/trace.hpp"
#include "trace/pictures/families.hpp"
#include "trace/pictures/plain_numbers.hpp"

#include <cstdio>

namespace overlapack::trace {

void write_csv(std::ostream& out, const Timeline& timeline) {
  const PlainNumbers plain(out);
  const double zero_s = timeline.begin_s() - timeline.analysis_s();
  const auto write_line = [&](const Event& e) {
    char times[80];
    std::snprintf(times, sizeof times, "%.9f,%.9f", e.begin_s - zero_s, e.end_s - zero_s);
    out << e.rank << ',' << name(e.what) << ',' << e.kind << ',' << times << ',' << e.peer << ',' << e.bytes
        << ',' << e.flops << '\n';
  };
  out << "rank,what,kind,begin_s,end_s,peer,bytes,flops\n";
  if (timeline.analysis_s() > 0) write_line(analysis_event(timeline));
  for (const Event& e : timeline.events()) write_line(e);
}

}  // namespace overlapack::trace
