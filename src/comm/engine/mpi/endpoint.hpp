#pragma once
#include "comm/engine/mpi/port.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

namespace overlapack::comm::mpi {

class Engine;

/// Memory of one window at MPI, and the counters and lock beside it.
struct WindowPair {
  OverlapackWindow data = -1;     ///< none where a single rank attached memory: not every MPI can do that
  OverlapackWindow control = -1;  ///< none where there was no room for it
  std::byte* memory = nullptr;
  /// control: signals by sender, then the lock's next ticket and whose turn it is
  std::int64_t* words = nullptr;
  std::vector<std::int64_t> bytes;
  bool is_used = false;       ///< a rank's Window stands on it
  bool has_accesses = false;  ///< puts and gets of mine since the last flush to all
};

/// Whose memory a window is: MPI's, the caller's, or nobody's (shapes only).
enum class WindowMemory : std::uint8_t { allocated, attached, none };

/// The communicators of one team, what travels on them, and how its ranks come to an end together.
class Endpoint {
 public:
  static constexpr int communicators = lane_count + 1;  ///< that it duplicates

  /// Not yet open; of at most so many ranks.
  Endpoint(Engine& engine, int most_ranks);
  /// Collective; takes no memory.
  void open(OverlapackComm comm);

  int rank() const { return rank_; }
  int size() const { return size_; }
  OverlapackComm comm() const { return comm_; }
  bool is_on_one_node() const { return is_on_one_node_; }
  Port& port(Lane lane) { return *ports_[static_cast<std::size_t>(lane)]; }
  bool is_moving() const {
    return std::ranges::any_of(ports_, [](const auto& port) { return port->is_moving(); });
  }
  bool is_used = false;  ///< a Rank stands on it

  /// A collective call whose MPI part blocks. All ranks bring a number; once all have come, each runs `then` with the
  /// numbers of all. A rank that an abort drives out meanwhile still runs it at the end of the run if the others
  /// do, so that nobody stays in MPI alone: `then` must own what it needs.
  using Numbers = std::vector<std::int64_t>;
  struct Meeting {
    std::int64_t mine = 0;
    Numbers numbers;
    bool is_complete = false;
    std::function<void(const Numbers&)> then;
  };
  std::shared_ptr<Meeting> start_meeting(std::int64_t number, std::function<void(const Numbers&)> then);
  /// Run what a meeting is for, if all have come.
  bool settle(const std::shared_ptr<Meeting>& meeting);

  /// All the memory that a window takes to open, but its own: nobody may be missing in what follows.
  std::shared_ptr<WindowPair> prepare_window();
  /// Collective. place: of attached memory
  void add_window(const std::shared_ptr<WindowPair>& prepared, WindowMemory memory, std::byte* place,
                  std::int64_t bytes, const Numbers& all_bytes);

  /// What I put and got in its windows is complete. Errors are not reported: another one is about to be thrown.
  void complete_accesses();

  // The end of a run, in this order; each rank tells each other one record
  bool has_windows() const { return !windows_.empty(); }
  void start_round();
  bool round_is_complete() const { return round_ == Round::complete; }
  bool round_is_under_way() const { return round_ == Round::under_way; }
  /// After a round: settle a meeting that all reached, forget one that some did not reach.
  void settle_open_meeting();
  void start_missed_meetings();
  bool has_open_meeting() const { return meetings_under_way_ > 0; }
  void withdraw_receives();
  bool drain();
  void free_windows();
  /// No rank of the team stands on it any more.
  bool is_left_by_all() const;
  void end_round() { round_ = Round::none; }
  void discard();
  void free();

 private:
  struct Record {
    std::array<std::int64_t, lane_count> sent;
    std::int64_t meetings;
    std::int64_t is_used;
    std::uint64_t unused_windows;  ///< bit i: of the i-th window of the team
  };
  enum class Round : std::uint8_t { none, under_way, complete };

  Engine& engine_;
  OverlapackComm comm_ = -1;
  std::array<OverlapackComm, lane_count> heads_{};
  OverlapackComm parts_ = -1;
  int rank_ = 0;
  int size_ = 1;
  bool is_on_one_node_ = false;
  std::vector<std::unique_ptr<Port>> ports_;
  std::vector<int> nodes_;
  std::vector<std::shared_ptr<WindowPair>> windows_;

  std::shared_ptr<Meeting> open_meeting_;
  std::int64_t meetings_ = 0;
  int meetings_under_way_ = 0;

  Round round_ = Round::none;
  std::vector<Record> mine_;
  std::vector<Record> theirs_;
  std::vector<std::int64_t> sent_to_me_;
};

}  // namespace overlapack::comm::mpi
