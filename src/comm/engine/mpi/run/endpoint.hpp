#pragma once
#include "comm/engine/mpi/process/site.hpp"
#include "comm/engine/mpi/run/port.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

namespace overlapack::comm::mpi {

class Engine;

/// Memory of one window at MPI, and the counters beside it.
struct WindowPair {
  OverlapackWindow data = -1;     ///< none where a single rank attached memory: not every MPI can do that
  OverlapackWindow control = -1;  ///< none where there was no room for it
  std::byte* memory = nullptr;
  /// control: signals by sender; on rank 0, then how many ranks have left the window
  std::int64_t* words = nullptr;
  std::vector<std::int64_t> bytes;
  bool is_attached = false;
  bool has_left = false;      ///< this rank accesses the memory of others there no more
  bool is_used = false;       ///< a rank's Window stands on it
  bool has_accesses = false;  ///< puts and gets of mine since the last flush to all

  /// Memory of the caller's that others reach.
  bool is_shared_attached() const { return is_attached && data >= 0 && control >= 0; }
};

/// Whose memory a window is: MPI's, the caller's, or nobody's (shapes only).
enum class WindowMemory : std::uint8_t { allocated, attached, none };

/// A team or one of its parts at MPI, what travels there, and how its ranks come to an end together. The team uses the communicators of its site, a part
/// has one of its own.
class Endpoint {
 public:
  /// Not yet open; of at most so many ranks.
  Endpoint(Engine& engine, int most_ranks);
  /// The whole team, on its site.
  void open_world();
  /// Collective; takes no memory.
  void open_part(OverlapackComm comm);

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Of meetings, windows and the later parts of messages.
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
  class Meeting;
  std::shared_ptr<Meeting> start_meeting(std::int64_t number, std::function<void(const Numbers&)> then);
  static bool is_complete(const Meeting& meeting);
  /// Run what a complete meeting is for. Those that an abort kept away bring that instead: then it is for nothing, and the run is over.
  void complete(const std::shared_ptr<Meeting>& meeting);

  /// All the memory that a window takes to open, but its own: nobody may be missing in what follows.
  std::shared_ptr<WindowPair> prepare_window();
  /// Collective. position: of attached memory
  void add_window(const std::shared_ptr<WindowPair>& prepared, WindowMemory memory, std::byte* position,
                  std::int64_t bytes, const Numbers& all_bytes);
  /// Add to one of the words of a rank; what it held before.
  std::int64_t add_to_word(const WindowPair& window, int target, int word, std::int64_t add);
  /// This rank accesses the memory of others there no more; have all come to that?
  void leave_window(WindowPair& window);
  void leave_windows();
  bool is_left(const WindowPair& window);

  /// What I put and got in its windows is complete. Errors are not reported: another one is about to be thrown.
  void complete_accesses();

  // A run
  void begin_run();
  /// Messages so far, of all.
  std::int64_t sent() const;
  std::int64_t arrived() const;
  /// Those that I sent to a rank of the whole team.
  std::int64_t sent_to_position(int position) const;

  // Its end
  /// A meeting that all reached is settled, one that some did not reach is forgotten.
  void complete_open_meeting();
  /// The last meeting of the run, where one is needed: begun, and over?
  bool close(bool has_failed);
  void free_windows();
  /// Accept what has come, and let in what comes.
  void receive_more();
  /// Take back all that still waits at MPI. After a failure receives end with an error, and messages that nobody took are dropped.
  void end_run(bool has_failed);
  bool is_at_rest() const {
    return std::ranges::all_of(ports_, [](const auto& port) { return port->is_at_rest(); });
  }
  /// A part on which no rank stands any more.
  bool is_left_by_all() const { return is_left_by_all_; }

 private:
  /// What a rank brings to a meeting.
  struct Card {
    std::int64_t number = 0;
    std::uint64_t unused_windows = 0;  ///< bit i: of the i-th window
    std::int32_t is_last = 0;          ///< the run is over here
    std::int32_t is_used = 0;
  };
  struct Position {
    std::int32_t node, rank;  ///< in the whole team
  };
  void start(const std::shared_ptr<Meeting>& meeting);
  Card last_card() const;
  bool is_part() const;
  template <class Count>
  std::int64_t sum(Count count) const;

  Engine& engine_;
  OverlapackComm comm_ = -1;
  int rank_ = 0;
  int size_ = 1;
  bool is_on_one_node_ = false, is_left_by_all_ = false;
  PartTags own_part_tags_;
  std::vector<std::unique_ptr<Port>> ports_;
  std::vector<Position> positions_;  ///< of a part
  std::vector<std::shared_ptr<WindowPair>> windows_;
  std::shared_ptr<Meeting> open_meeting_;
  std::shared_ptr<Meeting> last_meeting_;  ///< of the run, once it is over
  std::uint64_t unused_by_all_ = 0;
};

class Endpoint::Meeting {
  friend class Endpoint;
  Card mine;
  std::vector<Card> cards;
  Numbers numbers;  ///< those of the cards, for `then`
  bool is_complete = false;
  std::function<void(const Numbers&)> then;
};

}  // namespace overlapack::comm::mpi
