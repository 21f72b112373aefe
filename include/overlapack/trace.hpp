#pragma once
/// The times and the work of the ranks: the events that RunOptions::trace keeps, in sums, tables and pictures.
///
///   auto factors = overlapack::factorize(A, {.trace = true});
///   std::ofstream out("run.json");
///   overlapack::trace::write_chrome_trace(out, factors.timeline());    // opens in ui.perfetto.dev
#include "overlapack/export.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack::trace {

/// The activity of a rank. access: memory that ranks share in a window was read or written, which is recorded with events only;
/// wait: blocked until a message or a file was there; disk: a file of the rank was written or read, while the rank was in another
/// activity.
enum class What : std::uint8_t { compute, pack, send, receive, access, wait, disk };
inline constexpr std::array<std::string_view, 7> what_names{"compute", "pack", "send", "receive",
                                                            "access",  "wait", "disk"};
inline constexpr std::size_t what_count = what_names.size();
constexpr std::string_view name(What what) { return what_names[static_cast<std::size_t>(what)]; }

/// One stretch of one rank's time, on the engine's clock.
struct Event {
  double begin_s = 0;
  double end_s = 0;
  What what = What::compute;
  std::string_view kind{};  ///< "front", "contribution", "put", ...: static storage, or owned by the Timeline
  int peer = -1;            ///< send: to whom; receive: from whom; access: whose memory, -1: the own
  std::size_t bytes = 0;    ///< of the message or the access, or of the kernel's memory traffic
  double flops = 0;
  int rank = 0;
  /// Receives of one (sender, receiver, stream) get the messages in the order in which they were posted. By numbers, the k-th
  /// send is the k-th receive.
  int stream = 0;
  /// send, receive: its number among this rank's sends and posted receives, from 1
  /// wait: the number of the message that ended it, 0: no message
  std::int64_t number = 0;
  double posted_s = 0;  ///< receive: from when on the message could arrive
};

/// The sums of one rank. They are kept with and without events.
struct Totals {
  int rank = 0;
  double first_s = 0;  ///< begin of the first event
  double last_s = 0;   ///< end of the last event
  std::array<double, what_count> time_s{};
  std::int64_t events = 0;
  std::int64_t messages = 0;  ///< sent
  std::size_t bytes = 0;      ///< sent
  std::size_t largest_message_bytes = 0;
  double flops = 0;

  double operator[](What what) const { return time_s[static_cast<std::size_t>(what)]; }
};

/// The messages of one kind that one rank sent.
struct KindTotals {
  std::string_view kind{};  ///< static storage, or owned by the Timeline
  std::int64_t messages = 0;
  std::size_t bytes = 0;
  std::size_t largest_bytes = 0;

  void add(std::size_t message_bytes) {
    ++messages;
    bytes += message_bytes;
    largest_bytes = std::max(largest_bytes, message_bytes);
  }
  void add(const KindTotals& other) {
    messages += other.messages;
    bytes += other.bytes;
    largest_bytes = std::max(largest_bytes, other.largest_bytes);
  }
};

class Recorder;  // of one rank, inside the library

/// The events and totals of all ranks of a run; owns the names its events point to.
class OVERLAPACK_API Timeline {
 public:
  Timeline() = default;
  Timeline(const Timeline&) = delete;  // the events point into names_
  Timeline& operator=(const Timeline&) = delete;
  Timeline(Timeline&&) = default;
  Timeline& operator=(Timeline&&) = default;

  /// Add the record of one rank; ranks in any order.
  void add(const Recorder& recorder);
  /// The same from the bytes that packed() made on another rank.
  /// Errors  Internal if the bytes are not what packed() makes
  void add(std::span<const std::byte> bytes);

  /// Ascending by rank, then by begin.
  const std::vector<Event>& events() const { return events_; }
  /// Ascending by rank.
  const std::vector<Totals>& totals() const { return totals_; }
  /// The messages that each rank sent, by kind, in the order of totals().
  const std::vector<std::vector<KindTotals>>& kinds() const { return kinds_; }
  bool empty() const { return totals_.empty(); }
  double begin_s() const;
  double end_s() const;
  /// Seconds in which rank 0 analysed the matrix, before all that the ranks recorded. The writers begin with them. Sums and
  /// tables leave them out.
  double analysis_s() const { return analysis_s_; }
  void set_analysis_s(double seconds) { analysis_s_ = seconds; }

 private:
  void take(const Totals& totals, std::vector<Event> events, std::vector<KindTotals> kinds);
  std::string_view own(std::string_view name) { return *names_.emplace(name).first; }

  std::set<std::string, std::less<>> names_;
  std::vector<Event> events_;
  std::vector<Totals> totals_;
  std::vector<std::vector<KindTotals>> kinds_;
  double analysis_s_ = 0;
};

/// A run in sums over its ranks.
struct Summary {
  double elapsed_s = 0;   ///< from the first event of any rank to the last
  double wait_share = 0;  ///< time not spent computing, packing or sending / (ranks * elapsed)
  std::int64_t messages = 0;
  std::size_t bytes = 0;
  std::size_t largest_message_bytes = 0;
  double flops = 0;
  std::vector<double> wait_share_of_rank;
  std::vector<KindTotals> kinds;  ///< what all ranks sent, most bytes first; names are the timeline's
};

/// wait_share counts recorded waits, and the time before a rank's first and after its last event.
OVERLAPACK_API Summary summarise(const Timeline& timeline);

/// The messages that were sent, one line a kind: number, bytes, the largest, and the average of a rank. The last line is for all
/// kinds (paper 1, table 5).
OVERLAPACK_API std::string kinds_table(const Timeline& timeline);

/// One line a rank: seconds by What, share waited, messages, bytes, Gflop, for people.
OVERLAPACK_API std::string summary_table(const Timeline& timeline);

/// The kind of a stretch of the critical path. flight: a message is under way; outside: between two recorded events of a rank, or
/// before its first; wait: a wait that no recorded message ended.
enum class Link : std::uint8_t { compute, pack, send, access, flight, outside, wait };
inline constexpr std::array<std::string_view, 7> link_names{"compute", "pack",    "send", "access",
                                                            "flight",  "outside", "wait"};
constexpr std::string_view name(Link link) { return link_names[static_cast<std::size_t>(link)]; }

/// One stretch of the chain that ends last.
struct PathLink {
  Link what = Link::outside;
  std::string_view kind{};  ///< of the work or the message; the timeline's
  int rank = 0;             ///< flight: the receiver
  int from = 0;             ///< flight: the sender
  double begin_s = 0;
  double end_s = 0;
  double behind_work_s = 0;  ///< flight: of it, while its sender or receiver computed
};

/// The chain of tasks and messages that ends last. It goes from the last event back to the first. At each position it has the
/// stretch that had to end before the next one could begin. A wait is replaced by the message that ended it. The chain then goes
/// back to the sender, or to the receiver if the receive was posted after the message was sent. Ascending in time. The links
/// follow each other without a gap, so that their seconds add up to the run's.
/// Cost    O(events log events)
OVERLAPACK_API std::vector<PathLink> critical_path(const Timeline& timeline);

/// All links of one kind. what: "compute", "pack", "send", "access", "outside", "wait", "flight", "flight behind work". The last one is for
/// the seconds in which one end of the message computed. The message may then have stood still (no progress without calls).
struct PathPart {
  std::string what;
  std::string kind;
  double seconds = 0;
  double share = 0;  ///< of the path
  std::int64_t links = 0;
};
/// Most seconds first.
OVERLAPACK_API std::vector<PathPart> parts_of(const std::vector<PathLink>& path);

/// The parts as lines, for people.
OVERLAPACK_API std::string path_table(const std::vector<PathPart>& parts);

/// The use of the time, in sentences: the shares of analysis, computing, messages and waiting, and the rank that waited most, with
/// the reason. With events also the parts of the critical path.
OVERLAPACK_API std::string in_words(const Timeline& timeline);

// Writers to a stream that the caller opened. Times start at 0 with the analysis, or else with the first event.

/// JSON of the Trace Event Format, which Perfetto (ui.perfetto.dev) and chrome://tracing open. It has one process
/// with a thread a rank, an event of phase X for each, and arrows (phases s, f) from each send to its receive.
OVERLAPACK_API void write_chrome_trace(std::ostream& out, const Timeline& timeline);

/// A header line, then an event a line: rank,what,kind,begin_s,end_s,peer,bytes,flops.
OVERLAPACK_API void write_csv(std::ostream& out, const Timeline& timeline);

/// A picture: a row a rank, time to the right. Each pixel column is stacked by the share of time of each kind
/// of work. So a picture of a million events is as small and as true as one of ten. A kind of work has the same colour in
/// every picture, and a tip names each box. The sentences of in_words are above it. `path` is a line over it. The line
/// stays in a rank's row while the rank works, and slopes where it follows a message.
OVERLAPACK_API void write_svg(std::ostream& out, const Timeline& timeline, const std::string& title = "",
                              const std::vector<PathLink>& path = {});

/// A picture of the use of the time: a bar a rank and one for their mean, stacked by kind of work in the colours of write_svg.
/// Time without an event is idle. With totals only, all computing is of one kind.
/// Source  paper 1, figure 3
OVERLAPACK_API void write_summary_chart(std::ostream& out, const Timeline& timeline,
                                        const std::string& title = "");

/// Seconds, one for each tick of the chart. Numbers that are not positive are left out.
struct Curve {
  std::string name;
  std::vector<double> seconds;
  bool is_dashed = false;
};

/// Times over values that need not be numbers: ticks stand at equal distances.
struct CurveChart {
  std::string title;
  std::string x_name;
  std::vector<std::string> ticks;
  std::vector<Curve> curves;
};

/// A picture of the chart. Its axis is logarithmic if the times differ by more than a factor of ten, else it begins at 0.
OVERLAPACK_API void write_curves(std::ostream& out, const CurveChart& chart);

/// The contents of a picture of an iteration.
struct ConvergenceRecord {
  struct Point {
    double x = 0;
    double residual = 0;
    bool is_true = false;
  };
  std::vector<Point> points;
  std::string x_name;  ///< "seconds", "iterations of rank 0"
  std::vector<std::int64_t> iterations_of_rank;
  std::vector<std::int64_t> batches;  ///< [k]: receives that found k + 1 messages
};

/// A picture in three parts. The first has residuals over time on a logarithmic scale (dots: true ones). The second shows how many
/// ranks did how many iterations, the third how many messages had come to a receive. Parts without figures are left out.
/// Source  paper 5, figures 7 to 9
OVERLAPACK_API void write_convergence_chart(std::ostream& out, const ConvergenceRecord& record,
                                            const std::string& title);

}  // namespace overlapack::trace
