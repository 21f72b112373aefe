#pragma once
#include "comm/engine/mpi/transfers.hpp"

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
  /// silence_s: 0: nobody watches
  /// Sync    collective
  Watch(const Library& library, Transfers& transfers, OverlapackComm comm, int rank, int size,
        double silence_s);

  double silence_s() const { return silence_s_; }
  /// What has happened here so far, but for messages of the watch: their number.
  std::int64_t events() const { return transfers_.ended() - ended_; }

  void begin_run() { ++run_, has_told_ = false; }
  /// My part of the run is over.
  void begin_end() { has_told_ = false; }
  /// waits_for: "" of a rank that has finished
  void tell(const std::string& waits_for);
  bool has_told() const { return has_told_; }
  void take_back();
  /// On rank 0, which has told: what all wait for, once all have told.
  std::optional<std::string> verdict() const;
  /// The first rank that waits.
  int first_waiting() const;
  /// Let this rank end the run.
  void sentence(int rank, const std::string& report);
  /// The report with which I am to end it, if nothing has happened since I told.
  const std::string* my_sentence() const;

  // At the end of all: until as many messages have come as were sent to me
  const std::vector<std::int64_t>& sent() const { return sent_; }  ///< by rank
  std::int64_t received() const { return received_; }
  void withdraw();
  bool is_withdrawn() const { return request_ < 0; }

 private:
  enum class What : std::int32_t { waits, has_finished, goes_on, sentence };
  struct Note {
    std::int64_t run = 0;
    std::int64_t silence = 0;  ///< of the rank that told, or is told: the number of its silence
    What what = What::goes_on;
    char text[900] = {};
  };
  void post();
  void hear(int source);
  void send(int to, const Note& note);
  bool has_told(int rank) const;

  const Library& library_;
  Transfers& transfers_;
  OverlapackComm comm_;
  int rank_;
  double silence_s_;
  std::int64_t run_ = 0, silence_ = 0;
  bool has_told_ = false;
  std::int64_t ended_ = 0, received_ = 0;
  std::vector<std::int64_t> sent_;
  std::vector<Note> told_;  ///< by rank, on rank 0
  Note incoming_, sentence_;
  std::string report_;
  OverlapackRequest request_ = -1;
};

}  // namespace overlapack::comm::mpi
