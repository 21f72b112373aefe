#pragma once
#include "comm/engine/mpi/process/transfers.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace overlapack::comm::mpi {

/// Deadlock detection. A rank without any completion for watchdog_s reports to rank 0 once what it waits for, or that it has
/// finished, and withdraws the report at the next completion. Rank 0, once it waits itself or has finished, checks the reports:
/// when all ranks have reported, it tells the first waiting rank to abort. A rank that computes, or has not entered the run, does
/// not report, so there is no abort.
/// Cost    no messages before such a silence; then one a rank
class Watch {
 public:
  Watch(const MpiLibrary& library, Transfers& transfers, OverlapackComm comm, int tag, int rank, int size);

  /// On rank 0: allocate the memory for all reports; for runs with a watchdog.
  void prepare();
  /// is_watched: the same on all ranks
  void begin_run(bool is_watched);
  /// Number of requests completed on this rank so far, those of the watch not counted.
  std::int64_t events() const { return transfers_.ended() - ended_; }

  /// This rank's function has returned: forget its report.
  void clear_own_report() { has_reported_ = false; }
  /// Report to rank 0. waits_for: empty if this rank has finished.
  void report_wait(const std::string& waits_for);
  bool has_reported() const { return has_reported_; }
  void withdraw_report();
  /// On rank 0: the text of what all ranks wait for, once all have reported and one waits; else nullopt.
  std::optional<std::string> describe_deadlock(double silence_s) const;
  /// On rank 0: send `report` to the first waiting rank, which then aborts the run with it.
  void send_deadlock_report(const std::string& report);
  /// The report with which this rank must abort, or null; valid only if nothing has completed since this rank's own report.
  const std::string* received_deadlock_report() const;

  // At the end of a run notes are drained: received until as many have arrived as were sent here. A note sent after the ranks had
  // agreed on whether to drain is drained by the next run.
  /// Whether this rank has sent notes since the last drain.
  bool has_sent_notes() const { return has_sent_notes_; }
  void clear_sent_notes() { has_sent_notes_ = false; }
  /// Number of notes that this rank has ever sent to `rank`.
  std::int64_t sent_to(int rank) const;
  std::int64_t received() const { return received_; }
  /// Post the receive of notes, if it is not; the next is posted as one ends, until cancel_receive().
  void receive_notes();
  /// Cancel the posted receive. In simulated time it stays posted: a note arriving meanwhile would be lost.
  void cancel_receive();
  bool is_receive_cancelled() const { return request_ < 0 || library_.is_simulated(); }

 private:
  /// What a note says: three states that a rank reports to rank 0, and the order from rank 0 to abort (sentence).
  enum class What : std::uint32_t { goes_on, waits, has_finished, sentence };
  static constexpr std::size_t text_bytes = 900;
  struct Note {
    std::uint32_t run = 0;
    /// Number of the silence, counted by the rank that reports it or is to abort
    std::uint32_t silence = 0;
    What what = What::goes_on;
    char text[text_bytes] = {};
  };
  /// Rank 0's copy of one rank's last note, without its text.
  struct LastReport {
    std::uint32_t run = 0;
    std::uint32_t silence = 0;
    What what = What::goes_on;
  };
  using Text = std::array<char, text_bytes>;

  void post_note_receive();
  void handle_note(int source);
  void store_note(int rank, const Note& note);
  void send_note(int to, const Note& note);
  void send_or_store_note(const Note& note);
  bool has_reported(int rank) const;
  int first_waiting() const;

  const MpiLibrary& library_;
  Transfers& transfers_;
  OverlapackComm comm_;
  int tag_, rank_, size_;
  std::uint32_t run_ = 0, silence_ = 0;
  bool has_reported_ = false, has_sent_notes_ = false, is_receiving_ = false;
  std::int64_t ended_ = 0, received_ = 0, sent_to_first_ = 0;
  // On rank 0 only
  std::vector<LastReport> reports_;       ///< by rank
  std::vector<Text> texts_;               ///< of the first ranks: a report has no room for more
  std::vector<std::uint32_t> sentences_;  ///< by rank: number sent to it so far
  Note incoming_, sentence_;
  std::string report_;
  OverlapackRequest request_ = -1;
};

}  // namespace overlapack::comm::mpi
