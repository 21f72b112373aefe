#include "overlapack/trace.hpp"
#include "trace/pictures/families.hpp"
#include "trace/pictures/plain_numbers.hpp"
#include "trace/record/message_ends.hpp"

#include <cstdio>

namespace overlapack::trace {
namespace {

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) quoted += c;
  }
  return quoted + '"';
}

/// Seconds as microseconds, the unit of the format, with three decimals.
std::string microseconds(double s) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", s * 1e6);
  return text;
}

/// Writes the elements of a JSON array with commas between them.
class ArrayWriter {
 public:
  explicit ArrayWriter(std::ostream& out) : out_(out) {}
  std::ostream& next() {
    out_ << (first_ ? "\n" : ",\n");
    first_ = false;
    return out_;
  }

 private:
  std::ostream& out_;
  bool first_ = true;
};

/// Number of the first row for disks. Each rank's disk has a row of its own, since reading and writing files overlaps the rank's
/// work.
constexpr int first_disk_row = 1 << 24;
int row_of(const Event& e) { return e.what == What::disk ? first_disk_row + e.rank : e.rank; }

void write_row_name(std::ostream& out, int row, const std::string& name) {
  out << R"({"ph":"M","pid":0,"tid":)" << row << R"(,"name":"thread_name","args":{"name":)"
      << json_string(name) << "}}";
}

void write_event(std::ostream& out, const Event& e, double zero_s) {
  out << R"({"ph":"X","pid":0,"tid":)" << row_of(e) << R"(,"name":)"
      << json_string(e.kind.empty() ? name(e.what) : e.kind) << R"(,"cat":)" << json_string(name(e.what))
      << R"(,"ts":)" << microseconds(e.begin_s - zero_s) << R"(,"dur":)" << microseconds(e.end_s - e.begin_s)
      << R"(,"args":{"what":)" << json_string(name(e.what));
  if (e.peer >= 0) out << R"(,"peer":)" << e.peer;
  if (e.bytes > 0) out << R"(,"bytes":)" << e.bytes;
  if (e.flops > 0) out << R"(,"flops":)" << e.flops;
  out << "}}";
}

void write_arrow_end(std::ostream& out, const Event& e, std::size_t id, double zero_s) {
  const bool starts = e.what == What::send;
  out << R"({"ph":")" << (starts ? 's' : 'f') << R"(","pid":0,"tid":)" << e.rank
      << R"(,"name":"message","cat":"message","id":)" << id << R"(,"ts":)" << microseconds(e.begin_s - zero_s)
      << (starts ? "}" : R"(,"bp":"e"})");
}

void write_arrows(ArrayWriter& array, const Timeline& timeline, double zero_s) {
  std::size_t id = 0;
  for (const MessageEnds& message : messages_of(timeline)) {
    write_arrow_end(array.next(), *message.send, ++id, zero_s);
    write_arrow_end(array.next(), *message.receive, id, zero_s);
  }
}

}  // namespace

void write_chrome_trace(std::ostream& out, const Timeline& timeline) {
  const PlainNumbers plain(out);
  const double zero_s = timeline.begin_s() - timeline.analysis_s();
  out << R"({"displayTimeUnit":"ms","traceEvents":[)";
  ArrayWriter array(out);
  array.next() << R"({"ph":"M","pid":0,"name":"process_name","args":{"name":"overlapack"}})";
  for (const Totals& t : timeline.totals()) {
    write_row_name(array.next(), t.rank, "rank " + std::to_string(t.rank));
    if (t[What::disk] > 0)
      write_row_name(array.next(), first_disk_row + t.rank, "disk of rank " + std::to_string(t.rank));
  }
  if (timeline.analysis_s() > 0) write_event(array.next(), analysis_event(timeline), zero_s);
  for (const Event& e : timeline.events()) write_event(array.next(), e, zero_s);
  write_arrows(array, timeline, zero_s);
  out << "\n]}\n";
}

}  // namespace overlapack::trace
