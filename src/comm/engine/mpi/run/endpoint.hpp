#pragma once
#include "comm/engine/mpi/process/site.hpp"
#include "comm/engine/mpi/run/port.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace overlapack::comm::mpi {

class Engine;

/// A window's two MPI windows: its data, and control words.
struct WindowPair {
  OverlapackWindow data = -1;     ///< -1 where a single rank attached memory, which not every MPI supports
  OverlapackWindow control = -1;  ///< -1 where allocating it failed
  std::byte* memory = nullptr;
  /// this rank's control words: signals by sender; then, on rank 0, the number of ranks that have left the window
  std::int64_t* words = nullptr;
  std::vector<std::int64_t> bytes;
  bool is_attached = false;
  bool has_left = false;      ///< this rank no longer accesses the others' memory
  bool is_used = false;       ///< a Window object refers to it
  bool has_accesses = false;  ///< this rank has put or got since the last flush to all
  /// By target: words that this rank is storing there. MPI reads them until a flush, after which they are empty.
  std::map<int, std::vector<std::byte>> stored;

  /// Whether other ranks can access the caller's memory.
  bool is_shared_attached() const { return is_attached && data >= 0 && control >= 0; }
};

/// Memory of a window: allocated by MPI, the caller's, or none (shapes only).
enum class WindowMemory : std::uint8_t { allocated, attached, none };

/// MPI side of a team or of one of its parts: its communicators, its ports (one per lane), its windows, and what closes them at
/// the end of a run. The team uses the communicators of its site, a part has one of its own.
class Endpoint {
 public:
  /// Not open yet; for at most most_ranks ranks.
  Endpoint(Engine& engine, int most_ranks);
  /// The whole team, on its site.
  void open_world();
  /// Open it as a part, on this communicator. Collective; allocates nothing.
  void open_part(OverlapackComm comm);

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Communicator of meetings, windows and the later parts of messages.
  OverlapackComm comm() const { return comm_; }
  bool is_on_one_node() const { return is_on_one_node_; }
  Port& port(Lane lane) { return *ports_[static_cast<std::size_t>(lane)]; }
  bool is_moving() const {
    return std::ranges::any_of(ports_, [](const auto& port) { return port->is_moving(); });
  }
  bool is_used = false;  ///< a Rank object uses it

  /// A meeting: non-blocking preparation of a collective MPI call that blocks. Each rank passes a number; once all have, each runs
  /// `then` with the numbers of all. A rank that leaves it through an abort still runs `then` at the end of the run if the others
  /// do, so that none blocks in MPI alone: `then` must own all that it uses.
  using Numbers = std::vector<std::int64_t>;
  class Meeting;
  std::shared_ptr<Meeting> start_meeting(std::int64_t number, std::function<void(const Numbers&)> then);
  static bool is_complete(const Meeting& meeting);
  /// Run `then` of a complete meeting; not if a rank joined it with its last card, as the run was aborted.
  void complete(const std::shared_ptr<Meeting>& meeting);

  /// Allocate all memory needed to open a window, except the window's own: a rank that failed later would block the others.
  std::shared_ptr<WindowPair> prepare_window();
  /// Make the MPI windows. Collective. position: the attached memory, else null
  void add_window(const std::shared_ptr<WindowPair>& prepared, WindowMemory memory, std::byte* position,
                  std::int64_t bytes, const Numbers& all_bytes);
  /// Atomically add to a control word of rank `target`; returns its old value.
  std::int64_t add_to_word(const WindowPair& window, int target, int word, std::int64_t add);
  /// Count this rank, once, as one that no longer accesses the others' memory in the window.
  void mark_window_unused(WindowPair& window);
  void mark_windows_unused();
  bool is_unused_by_all(const WindowPair& window);

  /// Flush this rank's puts and gets in all windows. Errors are not reported: another one is about to be thrown.
  void complete_accesses();

  // A run
  void begin_run();
  /// Messages of this run so far, over all lanes and ranks.
  std::int64_t sent() const;
  std::int64_t arrived() const;
  /// Messages sent by this rank to rank `position` of the whole team.
  std::int64_t sent_to_position(int position) const;

  // The end of a run
  /// Complete the open meeting if all ranks have reached it.
  void complete_open_meeting();
  /// Begin the last meeting of the run, if one is needed; returns whether it is over. Call repeatedly.
  bool close(bool has_failed);
  void free_windows();
  /// Accept arrived heads and keep receives posted for further ones.
  void receive_more();
  /// Cancel all posted MPI receives. After a failure, posted operations end with an error, and unreceived messages are dropped.
  void end_run(bool has_failed);
  bool is_at_rest() const {
    return std::ranges::all_of(ports_, [](const auto& port) { return port->is_at_rest(); });
  }
  /// Whether this is a part that no rank uses any more.
  bool is_left_by_all() const { return is_left_by_all_; }

 private:
  /// What a rank contributes to a meeting.
  struct Card {
    std::int64_t number = 0;
    std::uint64_t unused_windows = 0;  ///< bit i: the i-th window is unused
    std::int32_t is_last = 0;          ///< this rank's run is over
    std::int32_t is_used = 0;
  };
  struct Position {
    std::int32_t node, rank;  ///< rank in the whole team
  };
  void start(const std::shared_ptr<Meeting>& meeting);
  Card make_last_card() const;
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
  std::vector<Position> positions_;  ///< by rank; of a part only
  std::vector<std::shared_ptr<WindowPair>> windows_;
  std::shared_ptr<Meeting> open_meeting_;
  std::shared_ptr<Meeting> last_meeting_;  ///< of the ending run
  std::uint64_t unused_by_all_ = 0;
};

class Endpoint::Meeting {
  friend class Endpoint;
  Card mine;
  std::vector<Card> cards;
  Numbers numbers;  ///< numbers of the cards, passed to `then`
  bool is_complete = false;
  std::function<void(const Numbers&)> then;
};

}  // namespace overlapack::comm::mpi
