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

/// Name of a message, which sender and receiver compute independently. Each ordered pair of ranks uses a key at most once.
struct Key {
  Kind move{};             ///< which operation
  std::int64_t step = 0;   ///< which of its uses, for example the panel
  std::int64_t part = 0;   ///< which message of that step
  std::int64_t piece = 0;  ///< which piece of that message, for moves that cut bodies into pieces
  auto operator<=>(const Key&) const = default;
};

/// Messages by key, for algorithms in which both sides know which messages are sent but not in which order they arrive; the dense
/// algorithms and the supersteps use it. An Inbox posts the receives in advance, so that messages arrive while kernels compute. A
/// message that arrives before it was asked for is parked under its key.
class Exchange {
 public:
  Exchange(Rank& rank, Lane lane, const InboxOptions& options = {.posted = 8});
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  Rank& rank() const { return rank_; }

  /// Start a send; never blocks; may be called within a handler.
  void send(int to, const Key& key, Body body);
  /// Call the handler `then` once with the message: now if it is here, else in the poll or wait that finds it. The handler may send
  /// and ask for other messages, but must not wait or run a kernel.
  /// Errors  Internal if the same message is asked for twice
  void call_when_arrived(int from, const Key& key, std::function<void(Message&&)> then);
  /// Returns the message; blocks until it is here.
  Message receive(int from, const Key& key);
  bool has_arrived(int from, const Key& key) const { return parked_.contains({from, key}); }
  /// Step of an early message (arrived, not asked for) from rank `from` with this move and part; nullopt if there is none.
  std::optional<std::int64_t> step_of_early_message(int from, Kind move, std::int64_t part) const;
  /// Block until is_done(), which must become true through an arriving message.
  /// Errors  Internal if called within a handler
  void wait_until(FunctionRef<bool()> is_done);

  /// Cancel the posted receives. Internal if a message was never asked for, or one asked for has not arrived.
  /// A barrier must separate this from the next use of the lane.
  void close();

  /// Messages asked for that have not arrived.
  std::size_t awaited_messages() const { return expected_.size(); }
  /// Messages that arrived before they were asked for.
  std::int64_t early_messages() const { return early_; }
  /// Messages received in polls, that is, while computing.
  std::int64_t overlapped_messages() const { return overlapped_; }
  std::size_t most_parked_bytes() const { return most_parked_bytes_; }

 private:
  using Name = std::tuple<int, Key>;  ///< from, key
  std::int64_t receive_arrived();
  void store_or_deliver(Message&& message);
  void call_handler(const std::function<void(Message&&)>& then, Message&& message);

  Rank& rank_;
  Lane lane_;
  Inbox inbox_;
  std::map<Name, Message> parked_;
  std::map<Name, std::function<void(Message&&)>> expected_;
  std::int64_t early_ = 0, overlapped_ = 0;
  std::size_t parked_bytes_ = 0, most_parked_bytes_ = 0;
  bool is_waiting_ = false;  ///< inside wait_until, which calls receive_arrived itself
  bool is_in_then_ = false;  ///< inside a handler
  std::shared_ptr<void> progress_;
};

}  // namespace overlapack::comm
