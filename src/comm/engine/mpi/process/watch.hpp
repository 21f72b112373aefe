#pragma once
#include "comm/engine/mpi/process/transfers.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace overlapack::comm::mpi {

/// How processes find out that all of them wait. A rank that nothing has happened to for the watchdog's time tells rank 0 once what
/// it waits for, or that it has finished, and takes that back when something happens. Rank 0 judges while it waits itself, or has
/// finished: when all have told, it names the first rank that waits, which then ends the run. A rank that computes, or is not in the
/// run yet, tells nothing, so it is waited for.
/// Cost    nothing before a silence; one message each then
class Watch {
 public:
  Watch(const Library& library, Transfers& transfers, OverlapackComm comm, int tag, int rank, int size);

  /// All the memory that it takes where somebody watches.
  void prepare();
  /// is_watched: the same on all ranks
  void begin_run(bool is_watched);
  /// What has happened here so far, but for messages of the watch: their number.
  std::int64_t events() const { return transfers_.ended() - ended_; }

  /// My part of the run is over.
  void begin_end() { has_reported_ = false; }
  /// waits_for: "" of a rank that has finished
  void report_wait(const std::string& waits_for);
  bool has_reported() const { return has_reported_; }
  void take_back();
  /// On rank 0, which has told: what all wait for, once all have told.
  std::optional<std::string> verdict(double silence_s) const;
  /// Let the first rank that waits end the run.
  void sentence(const std::string& report);
  /// The report with which I am to end it, if nothing has happened since I told.
  const std::string* my_sentence() const;

  // At the end of a run: until as many messages have come as were sent to me. A rank may tell when that was agreed: the next run settles that
  /// Has this rank sent any since they were settled?
  bool has_noted() const { return has_noted_; }
  void notes_drained() { has_noted_ = false; }
  /// How many this rank has sent to that one, ever.
  std::int64_t sent_to(int rank) const;
  std::int64_t received() const { return received_; }
  /// Simulated, it stays: a note that comes meanwhile would be lost.
  void withdraw();
  bool is_withdrawn() const { return request_ < 0 || library_.is_simulated(); }

 private:
  enum class What : std::uint32_t { goes_on, waits, has_finished, sentence };
  static constexpr std::size_t text_bytes = 900;
  struct Note {
    std::uint32_t run = 0;
    std::uint32_t silence = 0;  ///< of the rank that told, or is told: the number of its silence
    What what = What::goes_on;
    char text[text_bytes] = {};
  };
  /// What rank 0 keeps of one rank's last note.
  struct LastReport {
    std::uint32_t run = 0;
    std::uint32_t silence = 0;
    What what = What::goes_on;
  };
  using Text = std::array<char, text_bytes>;

  void post();
  void hear(int source);
  void keep(int rank, const Note& note);
  void send(int to, const Note& note);
  void send_or_keep(const Note& note);
  bool has_reported(int rank) const;
  int first_waiting() const;

  const Library& library_;
  Transfers& transfers_;
  OverlapackComm comm_;
  int tag_, rank_, size_;
  std::uint32_t run_ = 0, silence_ = 0;
  bool has_reported_ = false, has_noted_ = false;
  std::int64_t ended_ = 0, received_ = 0, sent_to_first_ = 0;
  // Of rank 0
  std::vector<LastReport> reports_;       ///< by rank
  std::vector<Text> texts_;               ///< of the first ranks: a report has no room for more
  std::vector<std::uint32_t> sentences_;  ///< by rank: passed on it so far
  Note incoming_, sentence_;
  std::string report_;
  OverlapackRequest request_ = -1;
};

}  // namespace overlapack::comm::mpi
