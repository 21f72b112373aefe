#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/rank.hpp"

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

namespace overlapack::comm {

/// What a message is about, computed alike by sender and receiver: one name, used once for each pair of ranks.
struct Key {
  Kind move{};             ///< which operation
  std::int64_t step = 0;   ///< which of its uses, for example the panel
  std::int64_t part = 0;   ///< which message inside of it
  std::int64_t piece = 0;  ///< which piece of that, for moves that cut what they are given
  auto operator<=>(const Key&) const = default;
};

/// Messages by name: for algorithms in which both sides know what comes from whom, in whatever order it comes. Receives
/// are posted before anything is known of the messages (an Inbox), so that they arrive while kernels compute; what came
/// early waits under its key.
class Exchange {
 public:
  Exchange(Rank& rank, Lane lane, const InboxOptions& options = {.posted = 8});
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  Rank& rank() const { return rank_; }

  /// Start a send; never blocks, also from inside `then`.
  void send(int to, const Key& key, Body body);
  /// Call `then` with the message, once: at once if it is here, else in the poll or wait that finds it. It may send and
  /// call when_arrived, but neither waits nor runs a kernel.
  /// Errors  Internal if the same message is asked for twice
  void when_arrived(int from, const Key& key, std::function<void(Message&&)> then);
  /// The message; blocks until it is here.
  Message receive(int from, const Key& key);
  bool is_here(int from, const Key& key) const { return parked_.contains({from, key}); }
  /// Of the messages of one move from a rank that are here and were not asked for: the step of the one that is this part of its
  /// own; nothing if there is none.
  std::optional<std::int64_t> step_of_early(int from, Kind move, std::int64_t part) const;
  /// Block until is_done() holds, which an arriving message must bring about.
  /// Errors  Internal from inside `then`
  void wait_until(FunctionRef<bool()> is_done);

  /// Withdraw the posted receives. Internal if a message came that nobody asked for, or one asked for did not come.
  /// A barrier must stand between this and the next use of the lane.
  void close();

  std::size_t awaited() const { return expected_.size(); }  ///< messages asked for that have not come yet
  std::int64_t early() const { return early_; }             ///< messages that came before they were asked for
  std::int64_t overlapped() const {
    return overlapped_;
  }  ///< messages taken in a poll, that is: while computing
  std::size_t most_parked_bytes() const { return most_parked_bytes_; }

 private:
  using Name = std::tuple<int, Key>;  ///< from, key
  std::int64_t collect();
  void sort_in(Message&& message);
  void hand_over(const std::function<void(Message&&)>& then, Message&& message);

  Rank& rank_;
  Lane lane_;
  Inbox inbox_;
  std::map<Name, Message> parked_;
  std::map<Name, std::function<void(Message&&)>> expected_;
  std::int64_t early_ = 0, overlapped_ = 0;
  std::size_t parked_bytes_ = 0, most_parked_bytes_ = 0;
  bool is_waiting_ = false;  ///< wait_until collects by itself
  bool is_in_then_ = false;
  std::shared_ptr<void> progress_;
};

}  // namespace overlapack::comm
