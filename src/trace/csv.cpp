#include "overlapack/trace.hpp"

#include <cstdio>

namespace overlapack::trace {

void write_csv(std::ostream& out, const Timeline& timeline) {
  const double zero_s = timeline.begin_s();
  out << "rank,what,kind,begin_s,end_s,peer,bytes,flops\n";
  for (const Event& e : timeline.events()) {
    char times[80];
    std::snprintf(times, sizeof times, "%.9f,%.9f", e.begin_s - zero_s, e.end_s - zero_s);
    out << e.rank << ',' << name(e.what) << ',' << e.kind << ',' << times << ',' << e.peer << ',' << e.bytes
        << ',' << e.flops << '\n';
  }
}

}  // namespace overlapack::trace
