#pragma once
/// How the ranks of a run spent their time: the events that RunOptions::trace keeps, their sums, tables and pictures.
///
///   auto factors = overlapack::factorize(A, {.run = {.trace = true}});
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

/// The activity of a rank. access: the rank read or wrote memory that ranks share in a window (recorded only if events are kept). wait: it
/// was blocked until a message or a file was there. disk: its file was written or read while the rank was in another activity.
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
  int peer = -1;  ///< send: the receiver; receive: the sender; access: the owner of the memory, -1: this rank
  std::size_t bytes = 0;  ///< size of the message or the access, or the kernel's memory traffic
  double flops = 0;
  int rank = 0;
  /// Identifies, with sender and receiver, a sequence of messages that arrive in order: the k-th send of a stream, by `number`, is matched
  /// by the k-th posted receive.
  int stream = 0;
  /// send, receive: the number of this event among the rank's sends and posted receives, from 1.
  /// wait: the number of the message that ended the wait; 0: no message.
  std::int64_t number = 0;
  double posted_s = 0;  ///< receive: when the receive was posted, so that the message could arrive
};

/// The sums over the events of one rank. They are kept even if the events are not.
struct Totals {
  int rank = 0;
  double first_s = 0;                       ///< begin of the first event
  double last_s = 0;                        ///< end of the last event
  std::array<double, what_count> time_s{};  ///< seconds by What
  std::int64_t events = 0;
  std::int64_t messages = 0;  ///< messages sent
  std::size_t bytes = 0;      ///< bytes sent
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

/// The events and totals of all ranks of a run. It owns the names that its events point to.
class OVERLAPACK_API Timeline {
 public:
  Timeline() = default;
  Timeline(const Timeline&) = delete;  // the events point into names_
  Timeline& operator=(const Timeline&) = delete;
  Timeline(Timeline&&) = default;
  Timeline& operator=(Timeline&&) = default;

  /// Add the record of one rank. The ranks may come in any order.
  void add(const Recorder& recorder);
  /// Add the record of another rank, from the bytes that packed() made there.
  /// Errors  Internal if the bytes are not what packed() makes
  void add(std::span<const std::byte> bytes);

  /// The events, ascending by rank and then by begin.
  const std::vector<Event>& events() const { return events_; }
  /// The totals, ascending by rank.
  const std::vector<Totals>& totals() const { return totals_; }
  /// The messages that each rank sent, by kind, in the order of totals().
  const std::vector<std::vector<KindTotals>>& kinds() const { return kinds_; }
  bool empty() const { return totals_.empty(); }
  double begin_s() const;
  double end_s() const;
  /// The seconds in which rank 0 analysed the matrix, before the first event of any rank. The writers show them at the beginning. Sums and
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

/// Sums over the ranks of a run.
struct Summary {
  double elapsed_s = 0;   ///< from the first event of any rank to the last
  double wait_share = 0;  ///< (time without computing, packing or sending) / (ranks * elapsed)
  std::int64_t messages = 0;
  std::size_t bytes = 0;
  std::size_t largest_message_bytes = 0;
  double flops = 0;
  std::vector<double> wait_share_of_rank;
  std::vector<KindTotals> kinds;  ///< what all ranks sent, most bytes first; names are the timeline's
};

/// Sum up a run. wait_share counts recorded waits, and the time before a rank's first and after its last event.
OVERLAPACK_API Summary summarise(const Timeline& timeline);

/// A table of the messages that were sent, one line for each kind: number, bytes, the largest message, and the average of a rank. The last
/// line is for all kinds (paper 1, Table 5).
OVERLAPACK_API std::string kinds_table(const Timeline& timeline);

/// A table for people, one line for each rank: seconds by What, share of waiting, messages, bytes, Gflop.
OVERLAPACK_API std::string summary_table(const Timeline& timeline);

/// The kind of a stretch of the critical path. flight: a message is under way. outside: the time between two recorded events of a rank, or
/// before its first event. wait: a wait that no recorded message ended.
enum class Link : std::uint8_t { compute, pack, send, access, flight, outside, wait };
inline constexpr std::array<std::string_view, 7> link_names{"compute", "pack",    "send", "access",
                                                            "flight",  "outside", "wait"};
constexpr std::string_view name(Link link) { return link_names[static_cast<std::size_t>(link)]; }

/// One stretch of the critical path.
struct PathLink {
  Link what = Link::outside;
  std::string_view kind{};  ///< kind of the work or the message; the Timeline owns the name
  int rank = 0;             ///< flight: the receiver
  int from = 0;             ///< flight: the sender
  double begin_s = 0;
  double end_s = 0;
  double behind_work_s = 0;  ///< flight: the part of its time in which its sender or receiver computed
};

/// The critical path: the chain of work and messages that ended last. It is found from the last event back to the first. Before each
/// stretch comes the one that had to end first. A wait is replaced by the message that ended it. The chain then goes on at the sender, or
/// at the receiver if the receive was posted after the message was sent. The result is ascending in time. The links follow each other
/// without a gap, so that their seconds add up to those of the run.
/// Cost    O(events log events)
OVERLAPACK_API std::vector<PathLink> critical_path(const Timeline& timeline);

/// The sum of all links of one kind. what: "compute", "pack", "send", "access", "outside", "wait", "flight" or "flight behind work". The last
/// one is for the seconds in which one end of the message computed. The message may have stood still meanwhile, if messages make no
/// progress without calls.
struct PathPart {
  std::string what;
  std::string kind;
  double seconds = 0;
  double share = 0;  ///< share of the path's seconds
  std::int64_t links = 0;
};
/// Sum up a critical path by kind, most seconds first.
OVERLAPACK_API std::vector<PathPart> parts_of(const std::vector<PathLink>& path);

/// The parts as a table for people.
OVERLAPACK_API std::string path_table(const std::vector<PathPart>& parts);

/// Describe in sentences how the time was spent: the shares of analysis, computing, messages and waiting, and the rank that waited most,
/// with the reason. If events were kept, also the parts of the critical path.
OVERLAPACK_API std::string in_words(const Timeline& timeline);

// Writers to a stream that the caller has opened. Time 0 is the begin of the analysis, if there was one, else of the first event.

/// Write JSON in the Trace Event Format, which Perfetto (ui.perfetto.dev) and chrome://tracing open. There is one process with a thread for
/// each rank, a complete event (phase X) for each Event, and an arrow (phases s, f) from each send to its receive.
OVERLAPACK_API void write_chrome_trace(std::ostream& out, const Timeline& timeline);

/// Write CSV: a header line, then one line for each event: rank,what,kind,begin_s,end_s,peer,bytes,flops.
OVERLAPACK_API void write_csv(std::ostream& out, const Timeline& timeline);

/// Write an SVG picture with one row for each rank and time to the right. Each pixel column is stacked by the share of time of each kind of
/// work, so that a picture of a million events is as small and as true as one of ten. A kind of work has the same colour in every
/// picture, and a tooltip names each box. The sentences of in_words stand above. `path` (empty: none) is drawn as a line, which stays in a
/// rank's row while the rank works and slopes where it follows a message.
OVERLAPACK_API void write_svg(std::ostream& out, const Timeline& timeline, const std::string& title = "",
                              const std::vector<PathLink>& path = {});

/// Write an SVG bar chart of how the time was spent: a bar for each rank and one for their mean, stacked by kind of work in the colours of
/// write_svg. Time without an event is idle. If events were not kept, all computing is of one kind.
/// Source  paper 1, Figure 3
OVERLAPACK_API void write_summary_chart(std::ostream& out, const Timeline& timeline,
                                        const std::string& title = "");

/// One curve of a CurveChart: seconds, one value for each tick. Values that are not positive are left out.
struct Curve {
  std::string name;
  std::vector<double> seconds;
  bool is_dashed = false;
};

/// A chart of times over a list of settings, such as numbers of ranks or names of machines. The ticks of the x axis stand at equal
/// distances, so that they need not be numbers.
struct CurveChart {
  std::string title;
  std::string x_name;
  std::vector<std::string> ticks;
  std::vector<Curve> curves;
};

/// Write an SVG picture of the chart. The y axis is logarithmic if the times differ by more than a factor of ten; otherwise it begins at 0.
OVERLAPACK_API void write_curves(std::ostream& out, const CurveChart& chart);

/// What write_convergence_chart draws of an iteration.
struct ConvergenceRecord {
  struct Point {
    double x = 0;
    double residual = 0;
    bool is_true = false;
  };
  std::vector<Point> points;
  std::string x_name;  ///< "seconds", "iterations of rank 0"
  std::vector<std::int64_t> iterations_of_rank;
  std::vector<std::int64_t> batches;  ///< batches[k] receives found k + 1 messages
};

/// Write an SVG picture in three parts. The first has residuals over x on a logarithmic scale, true ones as dots. The second is a
/// histogram of the ranks by their number of iterations, the third of the receives by the number of messages that had come. Parts without
/// figures are left out.
/// Source  paper 5, Figures 7 to 9
OVERLAPACK_API void write_convergence_chart(std::ostream& out, const ConvergenceRecord& record,
                                            const std::string& title);

}  // namespace overlapack::trace
